"""A search for the worst: the best tenth of a population is kept, the others are its mutations."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from fedproof.problems.problem import Array

Population = Mapping[str, Array]
"""Unconstrained numbers by name; the last axis is the individual."""


def evolve(
    population: Population,
    ratios: Callable[[Population, int], Array],
    generations: int,
    rng: np.random.Generator,
) -> tuple[float, Population]:
    """The individual with the largest ratio of metric to bound in any generation.

    Arguments:
        population: the first generation.
        ratios: of a generation and its number, one for each individual.
        generations: how many.
        rng: what draws the mutations.

    Returns: its ratio, and a population of it alone.

    >>> rng = np.random.Generator(np.random.Philox(1))
    >>> first = {"x": rng.standard_normal(40)}
    >>> found, best = evolve(first, lambda raw, turn: 1 / (1 + (raw["x"] - 3) ** 2), 30, rng)
    >>> round(found, 2), round(float(best["x"][0]), 1)
    (1.0, 3.0)
    """
    size = next(iter(population.values())).shape[-1]
    kept, best = size // 10, (-np.inf, population)
    for turn in range(generations):
        found = ratios(population, turn)
        order = np.argsort(-found, kind="stable")
        top = int(order[0])
        if found[top] > best[0]:
            best = float(found[top]), {name: values[..., [top]] for name, values in population.items()}
        population = _mutated(population, order[:kept], size, rng)
    return best


def _mutated(population: Population, parents: Array, size: int, rng: np.random.Generator) -> Population:
    kept = len(parents)
    chosen = parents[rng.integers(0, kept, size)]
    chosen[:kept] = parents
    scale = np.exp(rng.normal(-2, 1.5, size))
    scale[:kept] = 0
    children = {}
    for name, values in population.items():
        child = values[..., chosen]
        move = rng.random(child.shape) < 0.4
        child = child + move * scale * (abs(child) + 0.1) * rng.standard_normal(child.shape)
        flip = (rng.random(child.shape) < 0.02) & (scale > 0)
        children[name] = np.where(flip, -child, child)
    return children
