"""ADIANA and FedNL: what they are without compression, what they send, what compression leaves."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest

from fedproof.problems.catalog import make_problem
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.adiana import Adiana
from fedproof.solvers.algorithms.diana import Diana
from fedproof.solvers.algorithms.fednl import FedNL
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.compressor import COIN
from fedproof.solvers.compressors.identity import Identity
from fedproof.solvers.compressors.natural import Natural
from fedproof.solvers.compressors.rand_k import RandK
from fedproof.solvers.compressors.top_k import TopK
from fedproof.solvers.driver import run
from fedproof.solvers.randomness import RandomSource
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

EXACT = random_quadratic(5, n_clients=3, dimension=3, samples=[2, 1, 3])
PROBLEM = EXACT.as_float()
WHOLE = FedNL(hessian_compressor=Identity())
ETA, THETA = F(1, 8), F(1, 3)
NESTEROV = Adiana(
    stepsize=ETA, momentum_weight=THETA / (1 + THETA), anchor_weight=0, momentum_stepsize=ETA / THETA,
    momentum_factor=1 - THETA, gradient_compressor=Identity(),
)  # fmt: skip


def after(method: Any, problem: Any, rounds: int, seed: int = 0, **forced: Any) -> list[Any]:
    """The states before and after every round; `forced` are draws in place of the source's."""
    cohort, states = Cohort.of(problem), [method.init(problem, problem.start())]
    for number in range(1, rounds + 1):
        draws = {**method.draw(problem, cohort.clients, RandomSource(seed, number)), **forced}
        states.append(method.round(problem, states[-1], cohort, draws)[0])
    return states


def hessians(problem: Any, model: Array) -> Array:
    """The clients' Hessians at a model, entry by entry, shape (n, d, d)."""
    n, d = problem.n_clients, problem.dimension
    columns = [
        problem.hessian_products(np.tile(model, (n, 1)), np.tile(unit, (n, 1)), np.arange(n))
        for unit in np.eye(d)
    ]
    return np.stack(columns, axis=2)


@pytest.mark.parametrize("shift_stepsize", [1, "1/3"])
def test_without_compression_adiana_is_nesterovs_method(shift_stepsize: Any) -> None:
    """In fractions, y_k are those of two sequences with momentum (1 - theta)/(1 + theta), whatever alpha."""
    method = replace(NESTEROV, shift_stepsize=shift_stepsize)
    old = x = EXACT.start()
    for state in after(method, EXACT, 5)[1:]:
        new = x - ETA * EXACT.gradient(x)
        x, old = new + (1 - THETA) / (1 + THETA) * (new - old), new
        assert (state.model == new).all()
    assert (after(replace(method, momentum_factor="1/2"), EXACT, 5)[-1].model != old).any()


def test_adianas_anchor_is_the_model_of_the_round_before_by_its_coin() -> None:
    """w moves to y, not to y', where the coin is below p COIN; only then a second vector goes down."""
    method = replace(NESTEROV, anchor_weight="1/4", momentum_weight="1/4", anchor_probability="1/2")
    cohort = Cohort.of(EXACT)
    (_, state) = after(method, EXACT, 1, anchor=np.full(3, COIN - 1))
    for coin, hit in ((COIN // 2 - 1, True), (COIN // 2, False)):
        draws = {**method.draw(EXACT, cohort.clients, RandomSource(0, 2)), "anchor": np.full(3, coin)}
        new, trace = method.round(EXACT, state, cohort, draws)
        assert (new.anchor == (state.model if hit else EXACT.start())).all()
        assert trace.downlink_bits.tolist() == [(1 + hit) * 64 * 3] * 3
        assert trace.uplink_bits.tolist() == [2 * 64 * 3] * 3
    assert (state.model != EXACT.start()).any()


def test_adianas_momentum_stepsize_is_that_of_its_theorem_for_mu_0() -> None:
    """Where it is not given gamma is eta/(2 theta1): 2 eta for theta1 = 1/4; another moves other models."""
    plain = Adiana(stepsize=ETA, gradient_compressor=Identity())
    models = [
        after(replace(plain, momentum_stepsize=gamma), EXACT, 3)[-1].model.tolist()
        for gamma in (None, 2 * ETA, 4 * ETA)
    ]

    assert models[0] == models[1] != models[2]


def test_adianas_mean_step_is_the_uncompressed_one() -> None:
    """One client, rand-1, all positions, in fractions: the first message moves y, the other h."""
    one = Quadratic.of([[[2, 1, 0], [1, 3, 0], [0, 0, 1]]], [[1, -1, 2]], sizes=[1], origin=[1, 0, 2])
    method = replace(NESTEROV, gradient_compressor=RandK(1), shift_stepsize="1/3")
    start = after(method, one, 2)[-1]
    cohort, found = Cohort.of(one), []
    for place in range(3):
        draws = {"gradient_compressor": np.array([[place]]), "anchor_compressor": np.array([[0]]),
                 "anchor": np.array([0])}  # fmt: skip
        found.append(method.round(one, start, cohort, draws)[0])
    x, shift = method.point(one, start), start.shifts[0]
    gap = one.gradient(start.anchor) - shift

    assert (sum(state.model for state in found) / 3 == x - ETA * one.gradient(x)).all()
    assert (found[0].model != found[1].model).any()
    for state in found:
        assert state.shifts[0].tolist() == [shift[0] + gap[0], *shift[1:]]


def test_adiana_is_ahead_of_diana_where_the_condition_is_bad() -> None:
    """With its theorem's parameters, on a quadratic of condition 1000, over seeds, at equal step size."""
    problem: Any = make_problem("quadratic", 20, options={"dimension": 10, "condition": 1000})
    top = float(problem.constants["smoothness"].value)
    mu, eta = top / 1000, 1 / (4 * top)
    first = min(0.25, (eta * mu) ** 0.5)
    gamma = eta / (2 * (first + eta * mu))
    accelerated = Adiana(
        stepsize=eta, shift_stepsize="8/9", momentum_weight=first, momentum_stepsize=gamma,
        momentum_factor=1 - gamma * mu, gradient_compressor=Natural(),
    )  # fmt: skip
    plain = Diana(stepsize=eta, shift_stepsize="8/9", gradient_compressor=Natural())
    gaps = [
        np.mean([run(m, problem, 600, seed).metrics["squared_gradient"][-1] for seed in range(3)])
        for m in (accelerated, plain)
    ]

    assert gaps[0] < gaps[1] / 100


@pytest.mark.parametrize("direction", ["shifted", "projected"])
def test_without_compression_fednl_is_newtons_method_after_a_round(direction: str) -> None:
    """On a quadratic the second round ends at the minimiser; half of the Hessian learned does not."""
    method = replace(WHOLE, direction=direction)
    found = after(method, PROBLEM, 2)

    assert np.abs(PROBLEM.gradient(found[1].model)).max() > 1e-3
    assert np.abs(PROBLEM.gradient(found[2].model)).max() < 1e-10
    half = after(replace(method, hessian_learning_rate="1/2"), PROBLEM, 2)
    assert half[1].matrices == pytest.approx(hessians(PROBLEM, half[0].model) / 2)
    assert np.abs(PROBLEM.gradient(half[2].model)).max() > 1e-3


def test_the_first_step_of_fednl_is_over_the_mean_norm_of_the_hessians() -> None:
    """H = 0, so that Option 2 divides by l alone; Option 1 by mu."""
    start, sizes = PROBLEM.start(), PROBLEM.sizes / PROBLEM.sizes.sum()
    norms = np.array([np.linalg.norm(h) for h in hessians(PROBLEM, start)])
    gradient = PROBLEM.gradient(start)
    projected = replace(WHOLE, direction="projected", trunc_lo=2)

    assert after(WHOLE, PROBLEM, 1)[1].model == pytest.approx(start - gradient / (sizes @ norms))
    assert after(projected, PROBLEM, 1)[1].model == pytest.approx(start - gradient / 2)


def test_without_compression_fednl_steps_by_the_hessian_of_the_round_before() -> None:
    """On logistic regression: Newton's step with the Hessian at w_(k-1), raised by how far it has changed."""
    problem: Any = make_problem("binary_logistic", 4, options={"l2": "1/10"})
    states = after(WHOLE, problem, 5)
    for old, state, new in zip(states[:-2], states[1:-1], states[2:], strict=True):
        kept, now = hessians(problem, old.model), hessians(problem, state.model)
        lift = np.mean([np.linalg.norm(a - b) for a, b in zip(kept, now, strict=True)])
        step = np.linalg.solve(
            kept.mean(axis=0) + lift * np.eye(len(old.model)), problem.gradient(state.model)
        )
        assert new.model == pytest.approx(state.model - step, rel=1e-8, abs=1e-10)


def test_fednl_learns_a_quadratics_hessians_entry_by_entry() -> None:
    """Top-2 of six entries a round: after three rounds, not two, all of every H_i; then it is Newton."""
    states = after(FedNL(hessian_compressor=TopK(2)), PROBLEM, 4)
    right = hessians(PROBLEM, states[0].model)

    assert np.abs(states[2].matrices - right).max() > 1e-3
    assert states[3].matrices == pytest.approx(right, abs=1e-12)
    assert np.abs(PROBLEM.gradient(states[4].model)).max() < 1e-10


def test_what_fednl_keeps_is_symmetric_and_what_it_sends_is_counted() -> None:
    """Random messages leave H_i symmetric; gradient, six compressed entries and l go up, the model down."""
    method = FedNL(hessian_compressor=Natural())
    cohort = Cohort.of(PROBLEM)
    state = after(method, PROBLEM, 3, seed=4)[-1]
    _, trace = method.round(PROBLEM, state, cohort, method.draw(PROBLEM, cohort.clients, RandomSource(4, 4)))

    assert (state.matrices == np.swapaxes(state.matrices, 1, 2)).all()
    assert trace.uplink_bits.tolist() == [64 * 3 + 13 * 6 + 64] * 3
    assert trace.downlink_bits.tolist() == [64 * 3] * 3
    assert trace.gradients.tolist() == [4 * n for n in PROBLEM.sizes]


def test_bad_input_is_one_line() -> None:
    """Weights beyond 1, a probability of 0, fractions, too many entries and too large matrices."""
    refused(InputError, "anchor_weight: got 1", replace, NESTEROV, anchor_weight=1)
    refused(InputError, "anchor_probability: got 0", replace, NESTEROV, anchor_probability=0)
    refused(InputError, "momentum_factor: got 2", replace, NESTEROV, momentum_factor=2)
    refused(InputError, "problem: got fractions", WHOLE.init, EXACT, EXACT.start())
    many = FedNL(hessian_compressor=TopK(7))
    refused(InputError, "kept: got 7, expected at most 6", many.init, PROBLEM, PROBLEM.start())
    wide: Any = make_problem("quadratic", 2, options={"dimension": 2})
    huge = type("Huge", (), {"n_clients": 2, "dimension": 10_000, "start": wide.start})
    refused(InputError, "fednl: got 2 matrices", WHOLE.init, huge, np.zeros(10_000))
