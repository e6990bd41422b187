"""FedProx and its local solvers: reductions to the bit, closed forms in fractions, and what is reported."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

from fedproof.problems.catalog import make_problem
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithm import Local, ModelState
from fedproof.solvers.algorithms.fedprox import FedProx
from fedproof.solvers.api import run as verb
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.driver import run
from fedproof.solvers.exact import expectation, surrogate_gradients
from fedproof.solvers.local.gradient_descent import GradientDescent
from fedproof.solvers.local.shuffled_epochs import ShuffledEpochs
from fedproof.solvers.local.stochastic_gradient import StochasticGradient
from fedproof.solvers.local.to_inexactness import ToInexactness
from fedproof.solvers.moments import run_moments
from fedproof.solvers.randomness import RandomSource
from fedproof.solvers.runs.sweep import sweep
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

EXACT = random_quadratic(3, n_clients=4, dimension=3, samples=[1, 2, 3, 2], heterogeneity=2)
FLOATS = EXACT.as_float()
DIGITS = make_problem("digits", clients=7)


def one_round(algorithm: Any, problem: Any, x: Any = None, draws: Any = None) -> Any:
    """A single round of all clients from x."""
    cohort = Cohort.of(problem)
    draws = algorithm.draw(problem, cohort.clients, RandomSource(0, 1)) if draws is None else draws
    return algorithm.round(problem, ModelState(problem.start() if x is None else x), cohort, draws)


@pytest.mark.parametrize("update", ["gradient", "prox"])
@pytest.mark.parametrize("kind", [GradientDescent, StochasticGradient, ShuffledEpochs], ids=lambda k: k.name)
def test_every_client_walks_a_plain_loop(kind: Any, update: str) -> None:
    """Over its own rows, drawn or all, in its own number of steps, with the step that is asked for."""
    eta, mu, x = Fraction(1, 8), Fraction(1, 2), EXACT.start()
    solver = kind(eta, 4, update) if kind is GradientDescent else kind(eta, 2, 2, update)
    algorithm = FedProx(mu, local_solver=solver)
    draws = algorithm.draw(EXACT, np.arange(4), RandomSource(0, 1))
    _, trace = one_round(algorithm, EXACT, draws=draws)
    for n, size in enumerate(EXACT.sizes):
        w, first = x, EXACT.partition.offsets[n]
        batches = [b for b in draws["samples"][n] if (b >= 0).all()] if draws else 4 * [np.arange(size)]
        for rows in (first + batch for batch in batches):
            g = sum(EXACT.matrices[i] @ (w - EXACT.centre) + EXACT.slopes[i] for i in rows) / len(rows)
            if update == "gradient":
                w = w - eta * (g + mu * (w - x))
            else:
                w = (w - eta * g + eta * mu * x) / (1 + eta * mu)
        assert (trace.local_models[n] == w).all()
        assert trace.gradients[n] == sum(map(len, batches))
        assert len(batches) == {"gradient_descent": 4, "stochastic_gradient": 2}.get(solver.name, size)


def bowls() -> Quadratic:
    """Clients a_n (w - c_n)^2 / 2 in one dimension: a = 1, 2, 5, c = 3, -1, 2."""
    a, c = [1, 2, 5], [3, -1, 2]
    return Quadratic.of([[[v]] for v in a], [[-v * m] for v, m in zip(a, c, strict=True)], sizes=[1] * 3)


def test_each_client_stops_by_itself() -> None:
    """From 4 the clients contract by |1 - eta (a + mu)| a step: steps, counts and models by hand."""
    mu, eta, theta = Fraction(3), Fraction(1, 8), Fraction(1, 5)
    algorithm = FedProx(mu, local_solver=ToInexactness(theta, eta))
    _, trace = one_round(algorithm, bowls(), np.array([Fraction(4)]))
    for n, (a, c) in enumerate([(1, 3), (2, -1), (5, 2)]):
        factor, steps = 1 - eta * (a + mu), 0
        while abs(factor**steps) > theta:
            steps += 1
        best = (a * c + mu * 4) / (a + mu)

        assert trace.local_models[n, 0] == best + (4 - best) * factor**steps
        assert trace.gradients[n] == 1 + steps
    assert trace.solved.all()
    assert len(set(trace.gradients.tolist())) == 3


@pytest.mark.parametrize("theta", ["0.5", "1e-3", 1])
def test_the_inexactness_asked_for_is_reached(theta: Any) -> None:
    """On the digits every client satisfies (11), one step less would not; theta = 1 does not move."""
    solver = ToInexactness(theta, 0.05, 2000)
    algorithm = FedProx(1, local_solver=solver)
    history = run(algorithm, DIGITS, rounds=2, metrics=["inexactness", "unsolved"])
    state, trace = one_round(algorithm, DIGITS)
    passes = trace.gradients // DIGITS.sizes

    def residuals(models: Array) -> Array:
        surrogate = surrogate_gradients(DIGITS, models, np.arange(7), DIGITS.start(), 1)
        return np.linalg.norm(surrogate, axis=1)

    asked = float(theta) * residuals(np.repeat(DIGITS.start()[None], 7, axis=0))
    assert (residuals(trace.local_models) <= asked * (1 + 1e-12)).all()
    for n in range(7):
        if passes[n] > 1:
            short = FedProx(1, local_solver=GradientDescent(0.05, int(passes[n]) - 2))
            assert residuals(one_round(short, DIGITS)[1].local_models)[n] > asked[n]
    assert history.metrics["unsolved"] == (None, 0, 0)
    assert all(v <= float(theta) for v in history.metrics["inexactness"][1:])
    assert (passes == 1).all() == (theta == 1) == (state.model == DIGITS.start()).all()


def test_who_does_not_get_there_is_told() -> None:
    """Too few steps, or a step size that diverges: no exception, the metric counts the clients."""
    few = FedProx(1, local_solver=ToInexactness("1e-6", 0.05, 3))
    history = run(few, DIGITS, rounds=1)
    wild = one_round(FedProx(1, local_solver=ToInexactness(0.5, 100, 50)), FLOATS)[1]
    with np.errstate(all="ignore"):
        lost = one_round(FedProx(1, local_solver=ToInexactness(0.5, 100, 500)), FLOATS)[1]
    beyond = run(FedProx(1, local_solver=ToInexactness(0.5, 100, 500)), FLOATS, rounds=2)

    assert history.metrics["unsolved"] == (None, 7)
    assert history.gradients == (4 * DIGITS.sizes.sum(),)
    assert not wild.solved.any()
    assert np.isnan(lost.local_models).any()
    assert not lost.solved.any()
    assert (beyond.diverged, beyond.rounds) == (True, 0)


@pytest.mark.parametrize(("epochs", "batch"), [(1, 2), (3, 2), (2, 5)])
def test_epochs_use_every_sample_alike(epochs: int, batch: int) -> None:
    """A client reads full shuffles in a row, ceil(E D_n / b) batches, and the rest is -1."""
    problem = random_quadratic(0, n_clients=3, samples=[1, 4, 7])
    solver = ShuffledEpochs(Fraction(1, 8), epochs, batch)
    draws = solver.draw(problem, np.arange(3), RandomSource(1, 1))["samples"]
    for n, size in enumerate([1, 4, 7]):
        steps = -(-size * epochs // batch)
        stream = draws[n, :steps].ravel()

        assert (draws[n, steps:] == -1).all()
        for k in range(len(stream) // size):
            assert sorted(stream[k * size : (k + 1) * size]) == list(range(size))
        assert len(set(stream[len(stream) // size * size :])) == len(stream) % size


def test_another_solver_is_no_other_algorithm() -> None:
    """An object with `draw` and `solve`, here the closed-form proximal point, is all that FedProx needs."""

    @dataclass(frozen=True)
    class Exactly:
        name: ClassVar[str] = "exactly"

        def draw(self, problem: Any, clients: Array, source: RandomSource) -> Any:
            return {}

        def solve(self, problem: Any, anchor: Array, mu: Any, clients: Array, draws: Any) -> Local:
            a, slope = problem.client_matrices[clients, 0], problem.client_slopes[clients]
            return Local((mu * anchor - slope) / (a + mu), np.zeros(len(clients), int))

    algorithm = FedProx(2, local_solver=Exactly())
    history = run(algorithm, bowls(), rounds=1, metrics=["inexactness"])

    assert history.metrics["inexactness"] == (None, 0)
    assert history.model[0] == (Fraction(3, 3) + Fraction(-2, 4) + Fraction(10, 7)) / 3
    assert history.parameters["local_solver"] == "exactly"


def test_expectations_need_independent_draws() -> None:
    """Shuffles have no table of independent draws, and only fixed steps have moments: said in one line."""
    shuffled = FedProx(1, local_solver=ShuffledEpochs(0.1))
    adaptive = FedProx(1, local_solver=ToInexactness(0.5, Fraction(1, 8), 2))
    mean = expectation(adaptive, EXACT, EXACT.start(), 1, lambda w: w)

    assert (mean == one_round(adaptive, EXACT)[1].local_models[1]).all()
    refused(InputError, "shuffled_epochs", expectation, shuffled, EXACT, EXACT.start(), 1, lambda w: w)
    for algorithm in (shuffled, adaptive):
        refused(InputError, "fixed number of steps", run_moments, algorithm, EXACT, 1)


def test_flat_parameters_reach_the_solver() -> None:
    """Words and letters of algorithm and solver side by side; the history's parameters run again."""
    first = verb("fedprox", EXACT, rounds=1, mu="1/3", local_solver="to_inexactness", gamma="1/2", beta=4)
    again = verb("fedprox", EXACT, rounds=1, parameters=first.parameters)
    ready = verb("fedprox", EXACT, rounds=1, mu="1/3",
                 local_solver=ToInexactness(0.5, Fraction(first.parameters["stepsize"])))  # fmt: skip

    assert first.to_dict() == again.to_dict() == ready.to_dict()
    assert first.parameters["inexactness"] == 0.5
    assert verb("fedprox", EXACT, rounds=0).parameters["local_solver"] == "stochastic_gradient"


def test_a_sweep_over_local_solvers() -> None:
    """Solvers and their own parameters are swept by name, and what a solver reports of itself is kept."""
    points = [{"local_solver": "to_inexactness", "theta": "1/2"}, {"local_solver": "gradient_descent"}]
    made = sweep("fedprox", "quadratic", settings=points, rounds=1, seeds=1, mu=1, beta=4)
    solvers = [h.parameters["local_solver"] for h in made.histories]

    assert solvers == ["to_inexactness", "gradient_descent"]
    assert ["unsolved" in h.metrics for h in made.histories] == [True, False]
