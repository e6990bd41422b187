"""Looks for the problem, start and corrections at which a theorem's metric comes nearest to its bound."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from fedproof.papers.composite.checks._problem_batch import GRID, ProblemBatch, measured
from fedproof.problems.problem import Array
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.empirical.evolution import Population, evolve
from fedproof.validate.empirical.theory import bounds, metric
from fedproof.validate.replicas import generator

#: numbers of a problem lie within these
REACH = 4.0


@dataclass(frozen=True)
class ProblemFamily:
    """What is searched through.

    Arguments:
        id: the statement.
        n, tau, server: clients, local steps, eta_g.
        rounds: R.
        share: L eta~.
        noisy: whether gradients are noisy, with four equally likely values.
        bounded: whether the penalty may have bounds and a square beside l1.
        corrected: whether c^1 may be other than 0.
        settled: whether the start is a solution with Omega^1 = 0, so that the residual alone is looked at.
        least_mu: what the mean curvature is at least, for statements with mu.
    """

    id: str
    n: int = 1
    tau: int = 1
    server: Fraction = Fraction(3, 2)
    rounds: int = 1
    share: Fraction = Fraction(1, 10)
    noisy: bool = False
    bounded: bool = False
    corrected: bool = False
    settled: bool = False
    least_mu: float = 0.0

    @property
    def method(self) -> FedComposite:
        """Algorithm 1 with L = 1."""
        eta = self.share / (self.server * self.tau)
        return FedComposite(eta, self.tau, self.server, 1 if self.noisy else None)


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The worst of a search: its ratio, a batch of it alone, and how many problems were looked at."""

    ratio: float
    batch: ProblemBatch
    tried: int


def _snapped(values: Array, low: float, high: float) -> Array:
    """The nearest multiples of 1 / GRID within an interval."""
    return np.clip(np.round(values * GRID) / GRID, low, high)


def _centred(values: Array) -> Array:
    """Multiples of 1 / GRID of sum 0, the last one taking what is left."""
    snapped = _snapped(values - values.mean(axis=0), -REACH, REACH)
    snapped[-1] -= snapped.sum(axis=0)
    return snapped


def made(family: ProblemFamily, raw: Population) -> ProblemBatch:
    """A batch from unconstrained numbers."""
    size = raw["start"].shape[0]
    zeros, endless = np.zeros(size), np.full(size, np.inf)
    tame, free = family.bounded, 0.0 if family.settled else 1.0
    return ProblemBatch(
        curvatures=_snapped(raw["curvatures"], -1, 1),
        slopes=free * _snapped(raw["slopes"], -REACH, REACH),
        corrections=_centred(raw["corrections"]) if family.corrected else 0 * raw["corrections"],
        weight=_snapped(abs(raw["weight"]), 0, REACH),
        ridge=_snapped(np.maximum(raw["ridge"], 0), 0, 1) if tame else zeros,
        low=_snapped(-abs(raw["low"]), -REACH, 0) if tame else -endless,
        high=_snapped(abs(raw["high"]), 0, REACH) if tame else endless,
        start=free * _snapped(raw["start"], -REACH, REACH),
        noise=_centred(raw["noise"]) if family.noisy else 0 * raw["noise"],
    )


def drawn(family: ProblemFamily, count: int, rng: np.random.Generator) -> dict[str, Array]:
    """Unconstrained numbers of some problems."""
    shapes = {
        "curvatures": (family.n, count), "slopes": (family.n, count), "corrections": (family.n, count),
        "weight": (count,), "ridge": (count,), "low": (count,), "high": (count,), "start": (count,),
        "noise": (4, count),
    }  # fmt: skip
    sizes = np.exp(rng.normal(-1, 1, count))
    found = {name: rng.standard_normal(shape) * sizes for name, shape in shapes.items()}
    found["curvatures"] = rng.choice([-1.0, 1.0, 0.0, 0.5], shapes["curvatures"])
    return found


def ratios(
    family: ProblemFamily,
    batch: ProblemBatch,
    repetitions: int,
    salt: int,
    turn: int = 0,
    shrink: float = 1.0,
) -> Array:
    """Metric over bound of every problem; 0 where the statement's assumptions fail or nothing is measured.

    Where something is measured above a bound of 0 it is infinite. Another salt or turn draws other noise.
    """
    rng = generator(51, salt, turn)
    found: dict[str, Any] = dict(
        measured(batch, family.method, family.rounds, repetitions if family.noisy else 1, rng)
    )
    fine = np.isfinite(batch.solution[:, 0])
    if family.least_mu:
        fine &= found["mu"] >= family.least_mu
        found["mu"] = np.maximum(found["mu"], family.least_mu)
        found["mu_sc"] = found["mu"]
    bound = np.broadcast_to(bounds(family.id, **found), fine.shape) / shrink
    value = found[metric(family.id)]
    real = fine & (value > 1e-9)
    quotient = np.where(real & (bound > 0), value / np.where(bound > 0, bound, 1), 0.0)
    return np.where(real & (bound == 0), np.inf, quotient)


def search(
    family: ProblemFamily,
    generations: int = 60,
    population: int = 400,
    repetitions: int = 64,
    salt: int = 0,
    shrink: float = 1.0,
) -> SearchResult:
    """The worst problem of a family that evolution finds.

    Arguments:
        generations, population: how long and how wide.
        repetitions: of noisy runs, with the same draws for all problems of a generation.
        salt: another one searches anew; the same one finds the same.
        shrink: divides the bound, for planting falsehoods.
    """
    rng = generator(52, salt, family.n, family.tau, family.rounds)

    def nearness(raw: Population, turn: int) -> Array:
        return ratios(family, made(family, raw), repetitions, salt, turn, shrink)

    ratio, best = evolve(drawn(family, population, rng), nearness, generations, rng)
    return SearchResult(ratio, made(family, best), generations * population)
