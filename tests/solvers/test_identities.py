"""Reductions that FedProxVR and FedAvg must obey, against loops written here."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fedproof.problems.problem import Array, Problem
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.driver import run
from fedproof.solvers.randomness import RandomSource

ESTIMATORS = ["sarah", "svrg", "sgd"]
QUADRATIC = random_quadratic(3, n_clients=4, dimension=3, samples=[1, 2, 3, 2], heterogeneity=2)


def small_softmax(sizes: list[int]) -> Supervised:
    """Three classes, four features, clients of these sizes."""
    rng = np.random.default_rng(1)
    total = sum(sizes)
    return Supervised(
        Softmax(3), rng.standard_normal((total, 4)), rng.integers(0, 3, total), Partition.of_sizes(sizes)
    )


def one_round(
    algorithm: Any, problem: Problem, x: Array, draws: Any = None, cohort: Array | None = None
) -> Any:
    """A single round from x with the draws of seed 0."""
    taking = Cohort.of(problem, cohort)
    draws = algorithm.draw(problem, taking.clients, RandomSource(0, 1)) if draws is None else draws
    return algorithm.round(problem, algorithm.init(problem, x), taking, draws)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_no_local_steps_do_not_move(estimator: str) -> None:
    """tau = 0 with the printed line 10 returns the model of the round's start, exactly."""
    algorithm = FedProxVR(Fraction(1, 4), 0, 1, estimator)
    state, trace = one_round(algorithm, QUADRATIC, QUADRATIC.start())

    assert (state.model == QUADRATIC.start()).all()
    assert (trace.local_models == QUADRATIC.start()).all()


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_no_local_steps_and_last_is_one_proximal_gradient_step(estimator: str) -> None:
    """tau = 0 with the last iterate is x - eta / (1 + eta mu) grad F_n(x) on every client."""
    eta, mu, x = Fraction(1, 4), Fraction(3), QUADRATIC.start()
    _, trace = one_round(FedProxVR(eta, 0, mu, estimator, returned="last"), QUADRATIC, x)
    for n in range(4):
        rows = range(QUADRATIC.partition.offsets[n], QUADRATIC.partition.offsets[n + 1])
        slopes = [QUADRATIC.matrices[i] @ (x - QUADRATIC.centre) + QUADRATIC.slopes[i] for i in rows]
        gradient = sum(slopes) / Fraction(len(rows))

        assert (trace.local_models[n] == x - eta / (1 + eta * mu) * gradient).all()


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize(
    "problem", [QUADRATIC.as_float(), small_softmax([3, 5, 2])], ids=["quadratic", "softmax"]
)
def test_sgd_without_prox_is_fedavg_with_one_step_more(problem: Problem, batch: int) -> None:
    """Stochastic first step, mu = 0, last iterate: SGD with tau is FedAvg with tau + 1, bit for bit."""
    ours = FedProxVR(0.05, 6, 0, "sgd", batch, "stochastic", "last")
    theirs = FedAvg(0.05, 7, batch)
    a, b = (run(algorithm, problem, rounds=4, seed=9) for algorithm in (ours, theirs))

    assert (a.model == b.model).all()
    assert a.metrics == b.metrics
    assert a.gradients == b.gradients


@pytest.mark.parametrize("returned", ["random", "last"])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_one_client_is_the_centralised_method(estimator: str, returned: str) -> None:
    """With one client a round is a plain proximal SARAH, SVRG or SGD loop on its samples."""
    problem = small_softmax([7])
    eta, mu, tau = 0.2, 0.5, 5
    algorithm = FedProxVR(eta, tau, mu, estimator, returned=returned)
    x = np.random.default_rng(2).standard_normal(problem.dimension)
    draws = algorithm.draw(problem, np.array([0]), RandomSource(4, 1))
    state, _ = one_round(algorithm, problem, x, draws)

    def gradient(w: Array, i: int) -> Array:
        scores = np.exp(w.reshape(3, 4) @ problem.features[i])
        residual = scores / scores.sum() - np.eye(3)[problem.labels[i]]
        return np.outer(residual, problem.features[i]).ravel()

    v0 = sum(gradient(x, i) for i in range(7)) / 7
    path, v = [x, (x - eta * v0 + eta * mu * x) / (1 + eta * mu)], v0
    for i in draws["samples"][0, :, 0]:
        now, before = path[-1], path[-2]
        if estimator == "sarah":
            v = gradient(now, i) - gradient(before, i) + v
        elif estimator == "svrg":
            v = gradient(now, i) - gradient(x, i) + v0
        else:
            v = gradient(now, i)
        path.append((now - eta * v + eta * mu * x) / (1 + eta * mu))
    expected = path[-1] if returned == "last" else path[int(draws["returned"][0])]

    assert np.allclose(state.model, expected, rtol=1e-13, atol=1e-15)


def permuted(problem: Quadratic, order: list[int]) -> Quadratic:
    """The same problem with its clients renumbered."""
    parts = [np.arange(*problem.partition.offsets[n : n + 2]) for n in order]
    rows = np.concatenate(parts)
    names = ("matrices", "slopes", "levels")
    arrays: dict[str, Any] = {name: getattr(problem, name)[rows] for name in names}
    return replace(problem, partition=Partition.of_sizes([len(p) for p in parts]), spectra=None, **arrays)


@pytest.mark.parametrize("algorithm", [FedAvg(0.1, 4), FedProxVR(0.1, 4, 1)], ids=["fedavg", "fedproxvr"])
def test_permuting_clients_with_their_draws_changes_rounding_only(algorithm: Any) -> None:
    """Renumbered clients with the same draws give the same average up to rounding, exactly in fractions."""
    order = [2, 0, 3, 1]
    for problem in (QUADRATIC, QUADRATIC.as_float()):
        draws = algorithm.draw(problem, np.arange(4), RandomSource(0, 1))
        one, _ = one_round(algorithm, problem, problem.start(), draws)
        moved = {purpose: values[order] for purpose, values in draws.items()}
        other, _ = one_round(algorithm, permuted(problem, order), problem.start(), moved)

        if problem.exact:
            assert (one.model == other.model).all()
        else:
            assert np.allclose(one.model, other.model, rtol=1e-14, atol=1e-15)


def test_full_batch_estimators_are_proximal_gradient_descent() -> None:
    """With all samples in a batch SARAH, SVRG and SGD telescope to the same full-gradient iterates."""
    made = [FedProxVR(Fraction(1, 8), 3, 2, e, None, returned="last") for e in ESTIMATORS]
    ends = [one_round(algorithm, QUADRATIC, QUADRATIC.start())[0].model for algorithm in made]

    assert (ends[0] == ends[1]).all()
    assert (ends[0] == ends[2]).all()
