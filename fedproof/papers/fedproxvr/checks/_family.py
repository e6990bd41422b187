"""Families of quadratics that checks search for the worst case, all scaled to L = 1 per sample."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.quadratics.quadratic import Quadratic, Spectra
from fedproof.problems.quadratics.random_quadratic import random_quadratic


def two_point(sizes: tuple[int, ...], least: Fraction) -> Quadratic:
    """One-dimensional clients whose samples have curvature 1 or -1: the most variance that L = 1 allows.

    One client for every size and every share of ones with mean curvature at least `least`.

    >>> two_point((2, 4), Fraction(-1, 2)).n_clients
    6
    """
    chosen = [
        (size, ones) for size in sizes for ones in range(size + 1) if Fraction(2 * ones - size, size) >= least
    ]
    values = fractions([[1 if row < ones else -1] for size, ones in chosen for row in range(size)])
    return Quadratic.of(
        values[:, :, None],
        0 * values,
        sizes=[size for size, _ in chosen],
        spectra=Spectra(fractions([[1]]), values),
        name=f"two-point quadratics (curvature 1 or -1, mean >= {least}, {len(chosen)} clients)",
    )


def skew(seed: int, dimension: int, n_clients: int = 4, samples: int = 3) -> Quadratic:
    """Random symmetric sample matrices with no common eigenvectors, L <= 1 proved in fractions."""
    rng = np.random.Generator(np.random.Philox(key=np.array([seed, 2], dtype=np.uint64)))
    raw = rng.integers(-16, 17, (n_clients * samples, dimension, dimension))
    tilt = np.repeat(rng.integers(0, 17, n_clients), samples)[:, None, None] * np.eye(dimension, dtype=int)
    matrices = fractions(raw + np.swapaxes(raw, 1, 2) + 2 * tilt)
    zero = np.zeros((len(matrices), dimension), dtype=int)
    sizes = [samples] * n_clients
    largest = Quadratic.of(matrices, zero, sizes).constants["smoothness_sample"].value
    name = f"skew quadratic(seed={seed}, clients={n_clients}, dimension={dimension})"
    return Quadratic.of(matrices / largest, zero, sizes, name=name)


@cache
def clients_family(least: Fraction, size: int = 12) -> tuple[Quadratic, ...]:
    """Clients for Lemma 1: curvature between `least` and 1, start and gradient left free."""
    found = [two_point((1, 2, 3, 4, 6, 8), least)]
    for seed in range(size):
        found += [
            random_quadratic(
                seed, 4, 1 + seed % 3, 2 + seed % 4, heterogeneity=seed % 3, sample_spread=1 + seed % 4
            ),
            skew(seed, 2 + seed % 2),
        ]
    return tuple(p for p in found if -p.constants["weak_convexity"].value >= least)


@cache
def federated_family(size: int = 24) -> tuple[Quadratic, ...]:
    """Problems for descent and Theorem 1: a common stationary point, so that every sigma_n is finite.

    Heterogeneity max sigma_n from 0 to 3/2, hence some non-convex clients; condition numbers 1 to 100.
    """
    levels = (Fraction(0), Fraction(1, 4), Fraction(1), Fraction(3, 2))
    return tuple(
        random_quadratic(
            seed,
            2 + seed % 3,
            1 + seed % 3,
            2 + seed % 2,
            heterogeneity=levels[seed % 4],
            sample_spread=Fraction(1 + seed % 3, 2),
            condition=(1, 10, 100)[seed // 4 % 3],
            noise=0,
        )
        for seed in range(size)
    )


def facing(problem: Quadratic, gradient: Array) -> Quadratic:
    """The same matrices with every client's gradient equal to `gradient` (d,) at the start."""
    slopes = np.repeat(fractions([float(v) for v in gradient])[None], problem.partition.total, axis=0)
    return replace(problem, slopes=slopes, origin=problem.centre)


def aligned(problem: Quadratic, direction: Array) -> Quadratic:
    """The same problem started at its centre plus `direction` (d,)."""
    return replace(problem, origin=problem.centre + fractions([float(v) for v in direction]))
