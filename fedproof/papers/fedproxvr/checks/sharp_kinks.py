"""Lemma 1, sharpened, beyond quadratics: kinked gradients in one dimension, over every outcome of a round."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np

from fedproof.papers.fedproxvr.checks._hyperparameters import (
    FEW,
    SHARPENED,
    Hyperparameters,
    admitted_theta,
    least_theta,
    local_hyperparameters,
)
from fedproof.papers.fedproxvr.checks._kinked import Kinked, mean_squares
from fedproof.papers.fedproxvr.checks.enumeration import inexactness
from fedproof.papers.fedproxvr.checks.sharp_lemma1 import IDS
from fedproof.solvers.exact import count_outcomes
from fedproof.validate.empirical.comparison import Place, compare, decided_exactly, tightened
from fedproof.validate.replicas import generator
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

LEAST = (Fraction(0), Fraction(1, 2), Fraction(1))
BETAS = (Fraction(3, 2), 2, 4)
MOST_STEPS = 5
CLIENTS, SAMPLES, KINKS = 60, 2, 2
GRID = 64


class KinkedSolve(NamedTuple):
    """One client and one setting; `ratio` is root mean square over theta."""

    ratio: float
    setting: Hyperparameters
    lam: Fraction
    problem: Kinked
    client: int


@cache
def family(least: Fraction, length: Fraction) -> Kinked:
    """Clients of two samples and two kinks whose mean curvature is nowhere below -`least`.

    Curvatures are -1 or 1 in one half of the family (the most variance that L = 1 allows) and multiples of
    1/64 in the other. Kinks lie within the first two steps of `length` that a local solve takes downhill.
    """
    rng = generator(7, int(4 * least))
    signs = rng.choice([-GRID, GRID], (4 * CLIENTS, SAMPLES, KINKS + 1))
    between = rng.integers(-GRID, GRID + 1, signs.shape)
    chosen = []
    for raw in (signs, between):
        chosen.append(raw[(raw.mean(axis=1) >= -GRID * least).all(axis=1)][: CLIENTS // 2])
    curvatures = np.concatenate(chosen)
    kinks = np.sort(rng.integers(-2 * GRID, 0, (len(curvatures), KINKS)), axis=1)
    unit = Fraction(1, GRID)
    rows = curvatures.reshape(-1, KINKS + 1).astype(object) * unit
    return Kinked.of(rows, kinks.astype(object) * unit * length, [SAMPLES] * len(curvatures))


def settings(estimator: str, lam: Fraction, form: str = SHARPENED) -> list[Hyperparameters]:
    """Settings of the sharpened Lemma 1 with few enough local steps to go through all outcomes."""
    found = local_hyperparameters(estimator, lam, BETAS, form, 1, MOST_STEPS)
    return [s for s in found if s.tau <= MOST_STEPS]


@cache
def worst(estimator: str, form: str = SHARPENED) -> tuple[KinkedSolve, int]:
    """The client and setting with the largest root mean square over theta, and how many pairs were tried."""
    found, tried = [], 0
    for lam in LEAST:
        for setting in settings(estimator, lam, form):
            problem = family(lam, 1 / (setting.beta + setting.mu))
            squares = mean_squares(setting.algorithm, problem.as_float())
            client = int(squares.argmax())
            ratio = float(np.sqrt(squares[client])) / least_theta(setting, lam)
            found.append(KinkedSolve(ratio, setting, lam, problem, client))
            tried += problem.n_clients
    return max(found, key=lambda c: c.ratio), tried


def enumerated(estimator: str, budget: SamplingBudget, form: str = SHARPENED) -> BoundComparison:
    """The worst kinked client in fractions, beside the least theta of a form of Lemma 1."""
    solve, tried = worst(estimator, form)
    setting, where = solve.setting, solve.problem
    square = inexactness(setting.algorithm, where, solve.client, power=2)
    theta = admitted_theta(setting, solve.lam)
    outcomes = count_outcomes(setting.algorithm, where, solve.client)  # type: ignore[arg-type]
    place = Place(float(square) ** 0.5, theta, solve)
    row = compare(
        setting.lemma1, "local_inexactness_rms", [place],
        (f"{where.name}, every outcome in fractions: client {solve.client}, lam={solve.lam} L, {setting}",
         f"Over {tried} pairs of a client with two kinks and a setting, the root mean square of |grad J_n| "
         f"over |grad F_n| comes nearest to the least theta {theta:.4g} at {place.measured:.4g}, the mean of "
         f"its square over {outcomes} outcomes being {square}."), budget,
    )  # fmt: skip
    return decided_exactly(row, square <= Fraction(tightened(theta, "<=", budget)) ** 2)


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """One exact row a lemma; nothing is drawn anew."""
    asked = (("sarah", SHARPENED), ("svrg", SHARPENED), ("svrg", FEW))
    return tuple(enumerated(estimator, budget, form) for estimator, form in asked)


CHECK = EmpiricalCheck(IDS, "Lemma 1, sharpened, with kinked gradients", find)
