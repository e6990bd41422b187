"""Fast-FedDA: its sums by hand, its minimisation, what it is without a penalty, where it ends."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.fast_fedda import FastFedDA
from fedproof.solvers.build_algorithm import make_algorithm
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.driver import run
from fedproof.solvers.randomness import RandomSource
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

SMOOTH = random_quadratic(8, n_clients=4, dimension=3, samples=[2, 1, 3, 2])
UNEVEN = Quadratic.of([[[2]], [[5]], [[3]]], [[-3], [1], [4]], sizes=[1, 2], origin=[2])
MU, ETA, WEIGHT = Fraction(1, 3), Fraction(1, 6), Fraction(1, 4)
CHOICES: list[dict[str, Any]] = [
    {},
    {"weights": "linear"},
    {"last_model": "twice"},
    {"weights": "linear", "last_model": "twice"},
]
each = pytest.mark.parametrize("choice", CHOICES, ids=str)


def minimiser(linear: Fraction, total: int, models: list[tuple[int, Fraction]]) -> Fraction:
    """argmin of linear v + total (|v| / 4 + mu v^2 / 4) - (mu / 2) sum a v w + (v - 2)^2 / (2 eta).

    It is a parabola on each side of 0; the derivatives there tell which side, or that it is 0.
    """
    curve = MU / 2 * total + 1 / ETA
    at_zero = linear - MU / 2 * sum((a * w for a, w in models), Fraction(0)) - 2 / ETA
    if at_zero + total * WEIGHT < 0:
        return -(at_zero + total * WEIGHT) / curve
    return -(at_zero - total * WEIGHT) / curve if at_zero - total * WEIGHT > 0 else Fraction(0)


def by_hand(method: FastFedDA, batches: list[Array], tau: int) -> Fraction:
    """The iteration for UNEVEN in plain fractions: every model and gradient is kept, nothing is summed up."""

    def a(t: int) -> int:
        return t + 1 if method.weights == "linear" else 1

    server, linear, models, t = Fraction(2), Fraction(0), [(a(0), Fraction(2))], 0
    for drawn in batches:
        linears, sums, first = [Fraction(0), Fraction(0)], [Fraction(0), Fraction(0)], t
        for i, rows in enumerate(([0], [1, 2])):
            own, mine, w = linear, list(models), server
            for k in range(tau):
                t = first + k
                row = rows[drawn[i, k, 0]]
                own += a(t) * (UNEVEN.matrices[row][0, 0] * w + UNEVEN.slopes[row][0])
                if k < tau - 1 or method.last_model == "twice":
                    w = minimiser(own, sum(map(a, range(t + 1))), mine)
                    mine.append((a(t + 1), w))
            linears[i], sums[i] = own, sum((c * v for c, v in mine), Fraction(0))
        linear = linears[0] / 3 + linears[1] * 2 / 3
        total = sum(map(a, range(t + 1)))
        models = [(total, (sums[0] / 3 + sums[1] * 2 / 3) / total)]
        server = minimiser(linear, total, models)
        models.append((a(t + 1), server))
        t += 1
    return server


@each
def test_the_iteration_by_hand(choice: dict[str, Any]) -> None:
    """Three rounds of two clients with single samples agree with the iteration typed out, exactly."""
    method = FastFedDA(MU, ETA, 3, 1, **choice)
    batches = [method.draw(UNEVEN, np.arange(2), RandomSource(4, r))["samples"] for r in (1, 2, 3)]

    found = run(method, Composite(UNEVEN, L1(WEIGHT)), 3, seed=4).model[0]

    assert found == by_hand(method, batches, 3)
    assert found != 0


@each
def test_the_model_minimises_what_it_says(choice: dict[str, Any]) -> None:
    """The value of the sums at the model is below that at its neighbours, for random sums."""
    problem, method = Composite(SMOOTH, L1("1/10")), FastFedDA(MU, ETA, 2, **choice)
    rng = np.random.default_rng(0)
    for step in range(6):
        total = sum(t + 1 if method.weights == "linear" else 1 for t in range(step + 1))
        gradients, models, anchor = (problem.number(1) * rng.integers(-9, 10, 3) for _ in range(3))
        point = method.model_of(problem, anchor, gradients, models, step)

        def value(v: Array) -> Fraction:
            near = MU / 4 * (total * (v @ v) - 2 * (v @ models)) + (v - anchor) @ (v - anchor) / (2 * ETA)  # noqa: B023
            return gradients @ v + total * problem.penalty.value(v) + near  # type: ignore[no-any-return]  # noqa: B023

        moves = [s * Fraction(1, 1000) * e for e in np.eye(3, dtype=int) for s in (-1, 1)]
        assert all(value(point) < value(point + move) for move in moves)


@pytest.mark.parametrize("weights", ["constant", "linear"])
def test_without_a_penalty_its_steps_shrink(weights: str) -> None:
    """g = 0 and tau = 1: gradient descent with the step a_t / (mu A_t / 2 + gamma), exactly."""
    x, total = SMOOTH.start(), 0
    for t in range(5):
        a = t + 1 if weights == "linear" else 1
        total += a
        x = x - a / (MU * total / 2 + 1 / ETA) * SMOOTH.gradient(x)

        assert (run(FastFedDA(MU, ETA, 1, weights=weights), SMOOTH, t + 1).model == x).all()


def ends(method: FastFedDA, rounds: int) -> float:
    """The model after many rounds on |x - 3|^2 / 2 + |x| / 4, whose solution is 11/4."""
    smooth = Quadratic.of([[[1]]], [[-3]], sizes=[1], origin=[1]).as_float()
    return float(run(method, Composite(smooth, L1("1/4")), rounds).model[0])


def test_a_model_counted_twice_moves_the_solution() -> None:
    """mu = 1/2, tau = 2: it ends at the minimiser of F - (mu / 8) x^2, which is 22/7 in place of 11/4."""
    once, twice = (FastFedDA("1/2", 1, 2, weights="linear", last_model=c) for c in ("once", "twice"))

    assert abs(ends(once, 300) - 11 / 4) < 1e-9
    assert abs(ends(twice, 300) - 22 / 7) < 1e-2
    assert abs(ends(twice, 600) - 22 / 7) < abs(ends(twice, 300) - 22 / 7)


def test_different_clients_cost_it_a_power_of_the_rounds() -> None:
    """With tau = 5 and full gradients its error falls like 1 / r, neither faster nor to a level above 0."""
    smooth = Quadratic.of([[[1]], [[3]]], [[-10], [-6]], sizes=[1, 1]).as_float()
    problem = Composite(smooth, L1(1))
    method = FastFedDA(1, "1/9", 5, weights="linear")
    errors = [abs(run(method, problem, rounds).model[0] - 3.5) for rounds in (100, 200, 400, 800)]

    assert all(1.9 < before / after < 2.1 for before, after in pairwise(errors))


def test_some_clients_alone() -> None:
    """With part of the clients the sums are the averages of those, by their weights."""
    method, cohort = FastFedDA(MU, ETA, 2), Cohort.of(SMOOTH, [1, 2])
    state = method.init(SMOOTH, SMOOTH.start())
    own = [method.local(SMOOTH, state, np.array([i]), {}).memory for i in (1, 2)]

    after, _ = method.round(SMOOTH, state, cohort, {})

    assert own[0] is not None
    assert own[1] is not None
    assert (after.sums[0] == (own[0][0, 0] + 3 * own[1][0, 0]) / 4).all()


@pytest.mark.parametrize(("bad", "named"), [
    ({"mu": 0.1, "eta": 0.1, "tau": 0}, "local_steps: got 0"),
    ({"eta": 0.1}, "fast_fedda: got no loss_strong_convexity"),
    ({"mu": 0, "eta": 0.1}, "mu: got 0"),
    ({"mu": 0.1, "eta": -1}, "eta: got -1"),
    ({"mu": 0.1, "eta": 1, "weights": "cubic"}, "weights"),
    ({"mu": 0.1, "eta": 1, "eta_g": 2}, "eta_g"),
])  # fmt: skip
def test_bad_input(bad: dict[str, Any], named: str) -> None:
    """What is missing or out of range is named as it was typed, in one line."""
    refused(InputError, named, make_algorithm, FastFedDA, SMOOTH, bad)
