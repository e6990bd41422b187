"""FLECS, FLECS-CGD and DIANA in fractions: rounds by hand, and what they are without compression."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest

from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.diana import Diana
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.flecs import Flecs
from fedproof.solvers.algorithms.flecs_cgd import FlecsCgd
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.compressors.dithering import Dithering
from fedproof.solvers.compressors.identity import Identity
from fedproof.solvers.compressors.natural import Natural
from fedproof.solvers.driver import run
from fedproof.solvers.randomness import RandomSource

EXACT = random_quadratic(5, n_clients=3, dimension=4, samples=[2, 1, 3])
ROUND, SHIFTS = Natural(), Dithering(2, "inf")
CGD = FlecsCgd(shift_stepsize="1/3", gradient_compressor=SHIFTS, hessian_compressor=ROUND)
#: |.|_1^1 is the identity, and what is orthogonal to the sketch counts as much
GRADIENT = replace(CGD, trunc_lo=1, trunc_hi=1, complement_stepsize=1)
HAND = Quadratic.of([[[1, 0], [0, 2]]], [[0, 0]], sizes=[1], origin=[1, 0])
WHOLE = Flecs(complement_stepsize="1/7", hessian_compressor=Identity())


def rounds_with(method: Any, problem: Any, sketches: list[list[int]]) -> Any:
    """The state after rounds with given sketches of one column."""
    state, cohort = method.init(problem, problem.start()), Cohort.of(problem)
    for number, column in enumerate(sketches, 1):
        draws = dict(method.draw(problem, cohort.clients, RandomSource(0, number)))
        sketch = np.array(column)[None, :, None]
        draws["sketch"] = np.broadcast_to(sketch, (problem.n_clients, *sketch.shape[1:]))
        state, _ = method.round(problem, state, cohort, draws)
    return state


def hessian(state: Any, client: int = 0) -> list[list[F]]:
    """B_i, column by column of the identity."""
    d = len(state.model)
    found: list[list[F]] = state.products(np.diag([F(1)] * d), np.array([client]))[0].tolist()
    return found


def test_a_round_of_fedsonia_by_hand() -> None:
    """H = diag(1, 2), w = (1, 0), S = (1, 1): Y = (1, 2), M = 3, eigenvalue 5/3 along Y.

    g = (1, 0) = (1, 2)/5 + (4, -2)/5, so that p = -(3/5) (1, 2)/5 - (1/7) (4, -2)/5.
    """
    state = rounds_with(WHOLE, HAND, [[1, 1]])

    assert state.model.tolist() == [1 - F(3, 25) - F(4, 35), -F(6, 25) + F(2, 35)]
    assert hessian(state) == [[F(1, 3), F(2, 3)], [F(2, 3), F(4, 3)]]


def test_truncation_by_hand() -> None:
    """The eigenvalue 5/3 becomes 1 under Omega = 1 and 2 over omega = 2."""
    for low, high, value in ((F(1, 2), 1, 1), (2, 3, 2)):
        method = replace(WHOLE, trunc_lo=low, trunc_hi=high)
        state = rounds_with(method, HAND, [[1, 1]])
        assert state.model.tolist() == [
            1 - F(1, 5) / value - F(4, 35), -F(2, 5) / value + F(2, 35)
        ]  # fmt: skip


def test_truncated_lsr1_by_hand() -> None:
    """After S = (1, 1) and S = (1, -1) B is H; as printed, uncompressed, nothing is ever inverted.

    B_1 = Y Y^T / 3; then Y - B S = (4, -4)/3 and M - S^T B S = 3 - 1/3, so that B_2 - B_1 is 2/3 times
    (1, -1)(1, -1)^T.
    """
    method = replace(WHOLE, hessian_update="truncated_lsr1")
    sketches = [[1, 1], [1, -1]]

    assert hessian(rounds_with(method, HAND, sketches)) == [[1, 0], [0, 2]]
    printed = replace(method, lsr1_core="printed")
    assert hessian(rounds_with(printed, HAND, sketches)) == [[0, 0], [0, 0]]


def test_the_direct_update_by_hand() -> None:
    """With beta = 1/2 B_2 is half of B_1, itself half of Y Y^T / 3, plus half of the new term."""
    method = replace(WHOLE, hessian_learning_rate="1/2")
    first, second = np.array([F(1), F(2)]), np.array([F(1), F(-2)])
    expected = np.outer(first, first) / 12 + np.outer(second, second) / 6

    assert hessian(rounds_with(method, HAND, [[1, 1], [1, -1]])) == expected.tolist()


def test_on_a_line_a_step_is_newtons() -> None:
    """With d = 1 every direction with omega <= H <= Omega ends at the minimum, whatever the sketch's sign."""
    line = Quadratic.of([[[3]], [[5]]], [[1], [2]], sizes=[1, 1], origin=[7])
    for update in Flecs.choices["hessian_update"]:
        for direction in Flecs.choices["direction"]:
            method = replace(WHOLE, hessian_update=update, direction=direction)
            state = run(method, line, rounds=1)
            assert state.model.tolist() == [F(-3, 8)]


def path(method: Any, rounds: int = 5) -> list[list[F]]:
    """Models of a run with all clients, exactly."""
    return [run(method, EXACT, rounds=k, seed=2).model.tolist() for k in range(1, rounds + 1)]


def test_without_compression_flecs_cgd_is_flecs() -> None:
    """Q(x) = x gives (g - h) + h = g, whatever gamma is."""
    plain = Flecs(hessian_compressor=ROUND, stepsize="1/2", trunc_lo="1/9")
    other = FlecsCgd(
        gradient_compressor=Identity(), hessian_compressor=ROUND, stepsize="1/2", trunc_lo="1/9",
        shift_stepsize="1/3",
    )  # fmt: skip

    assert path(plain) == path(other)


def test_diana_is_flecs_cgd_with_the_gradient_for_a_direction() -> None:
    """With omega = Omega = rho = 1 the direction is -g, and the iterates are DIANA's with its draws."""
    steps = path(replace(GRADIENT, stepsize="1/5"))
    diana = Diana(stepsize="1/5", shift_stepsize="1/3", gradient_compressor=SHIFTS)

    assert path(diana) == steps
    assert path(replace(diana, shift_stepsize="1/4")) != steps


def test_without_compression_diana_is_gradient_descent() -> None:
    """With Q(x) = x the iterates are those of one full local step and the average, and of FLECS-CGD."""
    descent = path(FedAvg(stepsize="1/5", local_steps=1, batch_size=None))
    cgd = replace(GRADIENT, stepsize="1/5", gradient_compressor=Identity())

    assert path(Diana(stepsize="1/5", gradient_compressor=Identity())) == descent
    assert path(cgd) == descent


def test_shifts_become_the_gradients_where_nothing_is_lost() -> None:
    """With Q(x) = x and gamma = 1 h_i is the client's gradient at the round's start."""
    method = Diana(stepsize="1/5", gradient_compressor=Identity())
    start, after = (run(method, EXACT, rounds=k) for k in (1, 2))
    models = np.repeat(start.model[None], 3, axis=0)

    assert (after.state["shifts"] == EXACT.client_gradients(models, np.arange(3))).all()


@pytest.mark.parametrize("shared", [False, True])
def test_batches_are_unbiased_and_the_hessians_own_or_shared(shared: bool) -> None:
    """Over all samples of a client the means of g_i and H_i S are the full ones; own samples are others."""
    method = replace(
        FlecsCgd(gradient_compressor=Identity(), hessian_compressor=Identity()), batch_size=1,
        hessian_samples="shared" if shared else "own",
    )  # fmt: skip
    client, size = np.array([2]), 3
    state, model = method.init(EXACT, EXACT.start()), EXACT.start()[None]
    draws = dict(method.draw(EXACT, client, RandomSource(0, 1)))
    assert ("hessian_samples" in draws) != shared

    def sent(gradient: int, hessian: int) -> Any:
        chosen: dict[str, Array] = {
            "samples": np.array([[gradient]]),
            "hessian_samples": np.array([[hessian]]),
        }
        return method.local(EXACT, state, client, draws | chosen)

    pairs = [sent(i, i if shared else (i + 1) % size) for i in range(size)]
    full = EXACT.client_gradients(model, client)
    sketch = draws["sketch"][0, :, 0] * F(1)
    product = EXACT.hessian_products(model, sketch[None], client)
    assert (sum(one.gradient for one in pairs) / F(size) == full).all()
    assert (sum(one.difference[:, :, 0] for one in pairs) / F(size) == product).all()
    moved = sent(0, 1).difference == sent(0, 2).difference
    assert moved.all() == shared
    assert pairs[0].gradients.tolist() == [2]


def test_one_column_and_a_whole_step_raise_a_strongly_convex_quadratic() -> None:
    """With H = diag(7, 1, ..., 1) of order 50 FedSONIA's eigenvalue along Y = H S is 98/56, the curvature 4.

    The one is S^T H^2 S / S^T H S, the other S^T H^3 S / S^T H^2 S = 392/98, and a step of 1 over less than
    half the curvature ends higher, for every sketch of signs, though nothing is compressed; that of half the
    length ends lower.
    """
    diagonal = [7] + [1] * 49
    bowl = Quadratic.of([np.diag(diagonal)], [[0] * 50], sizes=[1], origin=[1] * 50)
    for seed in range(4):
        for alpha, rises in ((1, True), (F(1, 2), False)):
            method = replace(WHOLE, stepsize=alpha, complement_stepsize="1e-100")
            first, last = run(method, bowl, rounds=1, seed=seed).metrics["loss"]
            assert (last > first) == rises
    losses = run(replace(WHOLE, complement_stepsize=None), bowl.as_float(), rounds=100).metrics["loss"]
    assert losses[-1] > 10 * losses[0]
