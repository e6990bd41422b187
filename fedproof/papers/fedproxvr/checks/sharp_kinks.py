"""Lemma 1, sharpened, beyond quadratics: kinked gradients in one dimension, over every outcome of a round."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from fedproof.papers.fedproxvr.checks._kinked import Kinked, mean_squares
from fedproof.papers.fedproxvr.checks._theory import (
    FEW,
    SHARPENED,
    Hyperparameters,
    admitted_theta,
    least_theta,
    local_settings,
)
from fedproof.problems.problem import Array
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.exact import count_outcomes, expectation, surrogate_gradients
from fedproof.validate.replicas import generator
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

LEAST = (Fraction(0), Fraction(1, 2), Fraction(1))
BETAS = (Fraction(3, 2), 2, 4)
MOST_STEPS = 5
CLIENTS, SAMPLES, KINKS = 60, 2, 2
GRID = 64

Case = tuple[float, Hyperparameters, Fraction, Kinked, int]


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
    found = local_settings(estimator, lam, BETAS, form, 1, MOST_STEPS)
    return [s for s in found if s.tau <= MOST_STEPS]


@cache
def worst(estimator: str, form: str = SHARPENED) -> tuple[Case, int]:
    """The client and setting with the largest root mean square over theta, and how many pairs were tried."""
    cases: list[Case] = []
    tried = 0
    for lam in LEAST:
        for setting in settings(estimator, lam, form):
            problem = family(lam, 1 / (setting.beta + setting.mu))
            algorithm = FedProxVR(1 / setting.beta, setting.tau, setting.mu, estimator)
            squares = mean_squares(algorithm, problem.as_float())
            theta = least_theta(setting, lam)
            client = int(squares.argmax())
            cases.append((float(np.sqrt(squares[client])) / theta, setting, lam, problem, client))
            tried += problem.n_clients
    return max(cases, key=lambda c: c[0]), tried


def exact_mean_square(case: Case) -> Fraction:
    """E|grad J_n|^2 / |grad F_n|^2 in fractions, every outcome one by one."""
    _, setting, _, problem, client = case
    where: Any = problem
    algorithm = FedProxVR(1 / setting.beta, setting.tau, setting.mu, setting.estimator)

    def squares(models: Array) -> Array:
        clients = np.full(len(models), client)
        found = surrogate_gradients(where, models, clients, problem.start(), algorithm.prox_weight)[:, 0]
        product: Array = found * found
        return product

    return Fraction(expectation(algorithm, where, problem.start(), client, squares))


def enumerated(estimator: str, enlarge: Fraction = Fraction(1), form: str = SHARPENED) -> BoundComparison:
    """The worst kinked client in fractions, beside the least theta.

    Arguments:
        enlarge: multiplies the measured mean square, for planting falsehoods.
        form: of Lemma 1.
    """
    case, tried = worst(estimator, form)
    _, setting, lam, problem, client = case
    square = enlarge * exact_mean_square(case)
    theta = admitted_theta(setting, lam)
    kept = square <= Fraction(theta) ** 2
    algorithm: Any = FedProxVR(1 / setting.beta, setting.tau, setting.mu, estimator)
    outcomes, measured = count_outcomes(algorithm, problem, client), float(square) ** 0.5  # type: ignore[arg-type]
    finding = BoundComparison(
        setting.lemma1, "local_inexactness_rms", "<=", measured, theta,
        f"{problem.name}, every outcome in fractions: client {client}, lam={lam} L, {setting}",
        f"Over {tried} pairs of a client with two kinks and a setting, the root mean square of |grad J_n| "
        f"over |grad F_n| comes nearest to the least theta {theta:.4g} at {measured:.4g}, the mean of its "
        f"square over {outcomes} outcomes being {square}.",
    )  # fmt: skip
    return replace(finding, p_violated=float(kept), p_obeyed=float(not kept))


def find(effort: SamplingBudget) -> tuple[BoundComparison, ...]:
    """One exact finding a lemma; nothing is drawn anew."""
    del effort
    return enumerated("sarah"), enumerated("svrg"), enumerated("svrg", form=FEW)


CHECK = EmpiricalCheck(
    (
        "fedproxvr.lemma1.sarah.sharpened",
        "fedproxvr.lemma1.svrg.sharpened",
        "fedproxvr.lemma1.svrg.few.sharpened",
    ),
    "Lemma 1, sharpened, with kinked gradients",
    find,
)
