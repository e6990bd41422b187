"""FLECS and FLECS-CGD beside their listings, their messages, and what happens where a sketch is singular."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fedproof.problems.catalog import make_problem
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms._truncation import (
    pseudo_inverse,
    truncated_dense_solution,
    truncated_solution,
)
from fedproof.solvers.algorithms.flecs import Flecs
from fedproof.solvers.algorithms.flecs_cgd import FlecsCgd
from fedproof.solvers.api import run as run_by_name
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.compressors.dithering import Dithering
from fedproof.solvers.compressors.identity import Identity
from fedproof.solvers.compressors.natural import Natural
from fedproof.solvers.compressors.rand_k import RandK
from fedproof.solvers.driver import run
from fedproof.solvers.gradient_differences import compressed
from fedproof.solvers.history import load_history
from fedproof.solvers.randomness import RandomSource
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused
from tests.solvers.flecs_listing import Listing

QUADRATIC = random_quadratic(3, n_clients=3, dimension=5, samples=[2, 1, 3]).as_float()
LOGISTIC: Any = make_problem("breast_cancer", 4, options={"model": "logistic", "l2": "1/10"})
CGD = FlecsCgd(
    trunc_lo="1/100", shift_stepsize="1/2", gradient_compressor=Dithering(8, "inf"),
    hessian_compressor=Dithering(64, "inf"),
)  # fmt: skip
PLAIN = Flecs(trunc_lo="1/100", hessian_compressor=Identity())
UPDATES, DIRECTIONS = Flecs.choices["hessian_update"], Flecs.choices["direction"]


def after(method: Any, problem: Any, rounds: int, seed: int = 7) -> Any:
    """The state after some rounds with all clients."""
    state, cohort = method.init(problem, problem.start()), Cohort.of(problem)
    for number in range(1, rounds + 1):
        draws = method.draw(problem, cohort.clients, RandomSource(seed, number))
        state, _ = method.round(problem, state, cohort, draws)
    return state


CASES = [
    (method, update, Fraction(1), "mended") for method in (CGD, PLAIN) for update in UPDATES
] + [(CGD, "direct", Fraction(1, 2), "mended"), (CGD, "truncated_lsr1", Fraction(1), "printed")]  # fmt: skip


@pytest.mark.parametrize("memory", [1, 2, 3])
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(("method", "update", "rate", "core"), CASES)
def test_rounds_are_those_of_the_listings(
    method: Any, update: str, rate: Fraction, core: str, direction: str, memory: int
) -> None:
    """Model, shifts and B_i S agree with the listings computed client by client with matrices d x d."""
    chosen = replace(method, memory=memory, direction=direction, hessian_update=update,
                     hessian_learning_rate=rate, lsr1_core=core, stepsize="1/2")  # fmt: skip
    # as printed Algorithm 2 lets B_i grow by orders of magnitude a round, and rounding with it
    rounds = 2 if core == "printed" else 4
    for problem in (QUADRATIC, LOGISTIC):
        listing, state = Listing(chosen, problem), chosen.init(problem, problem.start())
        cohort = Cohort.of(problem)
        for number in range(1, rounds + 1):
            draws = chosen.draw(problem, cohort.clients, RandomSource(7, number))
            listing.round(draws)
            state, _ = chosen.round(problem, state, cohort, draws)
        probe = np.random.default_rng(0).standard_normal((problem.dimension, 2))

        scale = np.abs(listing.w).max()
        assert np.allclose(state.model, listing.w, rtol=1e-7, atol=1e-7 * scale)
        expected = listing.B @ probe
        found = state.products(probe, cohort.clients)
        assert np.allclose(found, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())
        assert state.shifts.size == 0 or np.allclose(state.shifts, listing.h, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("update", UPDATES)
def test_workers_that_read_bytes_alone_hold_the_same_shifts_and_products(update: str) -> None:
    """A worker with its own h_i, fed w and B_i S, sends bytes that the server reads exactly."""
    method = replace(CGD, hessian_update=update, memory=2)
    q, compressor = method.gradient_compressor, method.hessian_compressor
    problem, cohort = LOGISTIC, Cohort.of(LOGISTIC)
    state, d = method.init(problem, problem.start()), problem.dimension
    own = [np.zeros(d) for _ in cohort.clients]
    for number in range(1, 6):
        draws = method.draw(problem, cohort.clients, RandomSource(1, number))
        whole = method.local(problem, state, cohort.clients, draws)
        sent_down = state.products(draws["sketch"][0] * 1.0, cohort.clients)
        for i in cohort.clients:
            one, mine = np.array([i]), {purpose: values[i : i + 1] for purpose, values in draws.items()}
            alone = method.draw(problem, one, RandomSource(1, number))
            assert all((alone[purpose] == mine[purpose]).all() for purpose in mine)
            models, sketch = state.model[None], mine["sketch"][0] * 1.0
            products = problem.hessian_products(models, np.ascontiguousarray(sketch.T)[:, None], one)
            gap = np.moveaxis(products, 0, 2) - sent_down[i]
            up = q.encode(problem.client_gradients(models, one) - own[i], mine["gradient_compressor"])
            up_too = compressor.encode(gap.reshape(1, -1), mine["hessian_compressor"])

            c = q.decode(up, d, mine["gradient_compressor"])[0]
            read = compressor.decode(up_too, 2 * d, mine["hessian_compressor"]).reshape(d, 2)
            assert c.tobytes() == whole.gradient[i].tobytes()
            assert read.tobytes() == whole.difference[i].tobytes()
            assert sent_down[i].tobytes() == whole.received[i].tobytes()
            own[i] = own[i] + 0.5 * c
        state, _ = method.aggregate(problem, state, cohort, whole)

        assert np.array(own).tobytes() == state.shifts.tobytes()


def test_bits_are_those_of_the_messages_that_are_sent() -> None:
    """Up: c_i, C_i and M_i; down: w and B_i S; FLECS sends its gradients in 64 bits a number."""
    d, m = QUADRATIC.dimension, 3
    natural = Natural()
    cgd = FlecsCgd(memory=m, gradient_compressor=Dithering(64, "inf"), hessian_compressor=natural)
    names = ("uplink_bits_per_client", "downlink_bits_per_client")
    history = run(cgd, QUADRATIC, rounds=2, metrics=names)
    plain = run(Flecs(memory=m, hessian_compressor=natural), QUADRATIC, rounds=2, metrics=names)

    assert history.metrics[names[0]] == (None,) + 2 * (64 + 8 * d + 13 * d * m + 64 * m * m,)
    assert plain.metrics[names[0]] == (None,) + 2 * (64 * d + 13 * d * m + 64 * m * m,)
    assert history.metrics[names[1]] == plain.metrics[names[1]] == (None,) + 2 * (64 * d * (1 + m),)
    assert history.uplink_bits == tuple(3 * bits for bits in history.metrics[names[0]][1:])


def test_a_square_sketch_makes_the_first_step_newtons() -> None:
    """With m = d and nothing compressed Y M^+ Y^T is the Hessian, and both directions are Newton's."""
    d = QUADRATIC.dimension
    least = QUADRATIC.centre - np.linalg.solve(QUADRATIC.mean_matrix, QUADRATIC.mean_slope)
    gaussian = Flecs(memory=d, sketch="gaussian", trunc_lo="1e-9", hessian_compressor=Identity())
    for direction in DIRECTIONS:
        state = after(replace(gaussian, direction=direction), QUADRATIC, 1)
        assert np.allclose(state.model, least, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("memory", [1, 2, 5])
def test_truncated_lsr1_finds_the_hessians_of_quadratics_in_d_columns(memory: int) -> None:
    """After d columns of sketches every B_i is the client's matrix, and the next step ends at the minimum."""
    least = QUADRATIC.centre - np.linalg.solve(QUADRATIC.mean_matrix, QUADRATIC.mean_slope)
    method = Flecs(
        memory=memory, hessian_update="truncated_lsr1", direction="truncated_inverse", sketch="gaussian",
        trunc_lo="1e-9", stepsize="1e-6", hessian_compressor=Identity(),
    )  # fmt: skip
    rounds = -(-QUADRATIC.dimension // memory)
    state = after(method, QUADRATIC, rounds)
    draws = method.draw(QUADRATIC, np.arange(3), RandomSource(7, rounds + 1))
    step = replace(method, stepsize=1)
    end, _ = step.round(QUADRATIC, state, Cohort.of(QUADRATIC), draws)

    assert np.allclose(state.matrices, QUADRATIC.client_matrices, rtol=1e-6, atol=1e-6)
    assert np.allclose(end.model, least, rtol=1e-6, atol=1e-6)


def test_a_column_twice_is_a_column_once() -> None:
    """A singular sketch is inverted by the pseudo-inverse: the direction is that of its range."""
    for method in (PLAIN, replace(PLAIN, direction="truncated_inverse")):
        once = replace(method, memory=1)
        draws = dict(once.draw(LOGISTIC, np.arange(4), RandomSource(1, 1)))
        twice = dict(draws, sketch=np.concatenate([draws["sketch"]] * 2, axis=2))
        states = [
            m.round(LOGISTIC, m.init(LOGISTIC, LOGISTIC.start()), Cohort.of(LOGISTIC), d)[0]
            for m, d in ((once, draws), (replace(method, memory=2), twice))
        ]
        assert np.allclose(states[0].model, states[1].model, rtol=1e-9)


@pytest.mark.parametrize("memory", [1, 2])
@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_flat_losses_give_no_nan(update: str, direction: str, memory: int) -> None:
    """Where the Hessian is 0, so that Y = M = 0, the step is rho or 1 / omega times the gradient."""
    flat = Quadratic.of(np.zeros((2, 3, 3), int), [[1, 2, 0], [3, 0, 0]], sizes=[1, 1]).as_float()
    method = Flecs(
        memory=memory, hessian_update=update, direction=direction, trunc_lo="1/4",
        complement_stepsize="1/2", hessian_compressor=Identity(),
    )  # fmt: skip
    state = after(method, flat, 1)

    factor = 0.5 if direction == "fedsonia" else 4.0
    assert np.allclose(state.model, -factor * np.array([2.0, 1.0, 0.0]), rtol=1e-12)


def test_earlier_terms_take_places_that_beta_frees() -> None:
    """With beta = 1 one term stays, whoever takes part; with beta = 1/2 every round adds one."""
    kept = [
        run(replace(PLAIN, hessian_learning_rate=beta), QUADRATIC, 6, participation=count).state["cores"]
        for beta, count in ((1, None), (1, 2), ("1/2", None))
    ]
    assert [cores.shape[1] for cores in kept] == [1, 1, 6]


def test_a_state_that_grows_resumes_from_a_file(tmp_path: Path) -> None:
    """Five rounds are two, a file, and three more, bit for bit."""
    method = replace(CGD, hessian_learning_rate="1/2", memory=2)
    whole = run(method, QUADRATIC, 5, seed=3)
    part = load_history(run(method, QUADRATIC, 2, seed=3).save(tmp_path / "part.json"))
    resumed = run(method, QUADRATIC, 5, seed=3, resume=part)

    assert whole.to_dict() == resumed.to_dict()
    assert all((array == resumed.state[name]).all() for name, array in whole.state.items())
    broken = replace(part, state={**part.state, "cores": part.state["cores"][:, :, :1]})
    with pytest.raises(InputError, match="cores of shape"):
        run(method, QUADRATIC, 5, seed=3, resume=broken)


def test_curvature_is_truncated_by_its_size() -> None:
    """With H = diag(-2, 1/4, 40), 1 <= |.| <= 8 and m = d both directions divide by 2, 1 and 8."""
    bent = Quadratic.of([[[-2, 0, 0], [0, "1/4", 0], [0, 0, 40]]], [[2, 3, 16]], sizes=[1]).as_float()
    for direction in DIRECTIONS:
        for update in UPDATES:
            method = Flecs(memory=3, sketch="gaussian", direction=direction, hessian_update=update,
                           trunc_lo=1, trunc_hi=8, hessian_compressor=Identity())  # fmt: skip
            state = after(replace(method, trunc_lo="1e-9", stepsize="1e-12"), bent, 1)
            draws = method.draw(bent, np.arange(1), RandomSource(7, 2))
            end, _ = method.round(bent, replace(state, model=bent.start()), Cohort.of(bent), draws)
            assert np.allclose(end.model, [-1, -3, -2], rtol=1e-8)


NEAR_ENDS = [(1e-200, 1e300, 0.5), (1e200, 1.0, 8.0), (1e-320, 1.0, 0.5)]


@pytest.mark.parametrize(("size", "core", "kept"), NEAR_ENDS)
def test_sketches_near_the_ends_of_floats_are_truncated_too(size: float, core: float, kept: float) -> None:
    """Eigenvalues K |y|^2 that underflow or overflow count as omega and Omega, in one direction or more."""
    with np.errstate(all="ignore"):  # as in the driver
        for columns in (1, 2):
            z, k = size * np.eye(3)[:, :columns], core * np.eye(columns)
            found = truncated_solution(z, k, np.array([2.0, 2.0, 2.0]), 0.5, 8.0, 0.25)
            assert np.allclose(found, [2 / kept if i < columns else 0.5 for i in range(3)], rtol=1e-12)
        tiny = pseudo_inverse(np.diag([1e-320, 1e-320]))
    assert np.isfinite(tiny).all()
    assert tiny[0, 0] > 1e200


def test_matrices_near_the_largest_float_are_truncated_too() -> None:
    """Two entries whose sum overflows: the eigenvalues count as Omega, and nothing fails to converge."""
    with np.errstate(all="ignore"):  # as in the driver
        found = truncated_dense_solution(1.5e308 * np.diag([1.0, -1.0, 1e-320]), np.full(3, 2.0), 0.5, 8.0)

    assert found.tolist() == [0.25, 0.25, 4.0]


def test_numbers_that_are_not_finite_are_sent_as_they_are() -> None:
    """A round that overflows ends in numbers that mark the run as diverged, not in a compressor's error."""
    x = np.array([[1.0, np.inf]])

    assert (compressed(Natural(), x, np.zeros((1, 2), dtype=np.int64)) == x).all()


@pytest.mark.parametrize("q", [Identity(), Natural(), Dithering(1, 1), Dithering(1), RandK(1)], ids=str)
def test_numbers_that_a_compressor_would_overflow_are_sent_as_infinite(q: Any) -> None:
    """Near the largest float a run diverges too: no compressor's error, no overflow in the middle of it."""
    x = np.array([[1.0, -1e307, 0.0], [1.0, -2.0, 0.0]])
    draws = q.draw(3, np.arange(2), RandomSource(0, 1))
    found = compressed(q, x, draws)

    assert found[0].tolist() == [1.0, -np.inf, 0.0]
    assert (found[1] == q.compress(x[1:], draws[1:])[0]).all()


def test_a_run_that_diverges_says_so() -> None:
    """Numbers that are not finite are not compressed: the record is marked as diverged."""
    history = run(replace(CGD, stepsize=10**200), QUADRATIC, rounds=30)

    assert history.diverged
    assert history.rounds < 30


BAD: tuple[tuple[dict[str, Any], str], ...] = (
    ({"gradient_compressor": "dithering", "gradient_compressor.levels": 0}, "levels"),
    ({"gradient_compressor": "rand_k", "kept": 6}, "kept: got 6, expected at most 5"),
    ({"hessian_compressor": "top_k", "kept": 11, "memory": 2}, "kept: got 11, expected at most 10"),
    ({"trunc_lo": 0}, "trunc_lo"),
    ({"trunc_lo": "1/2", "trunc_hi": "1/4"}, "trunc_hi: got 1/4, expected at least trunc_lo = 1/2"),
    ({"memory": 6}, "memory: got 6, expected at most 5"),
    ({"beta": "3/2"}, "beta"),
    ({"rho": 0}, "rho"),
)


@pytest.mark.parametrize(("given", "said"), BAD, ids=[said for _, said in BAD])
def test_what_cannot_be_meant_is_one_line(given: dict[str, Any], said: str) -> None:
    """Bad levels, kept entries, truncation constants, memory and rates are errors of one line."""
    with pytest.raises(InputError, match=said) as caught:
        run_by_name("flecs_cgd", QUADRATIC, rounds=1, **given)
    assert "\n" not in str(caught.value)


class Long:
    """A problem that only says how long its models are and how many clients it has."""

    dimension, n_clients = 20_958, 50


@pytest.mark.parametrize(
    "method",
    [
        replace(PLAIN, hessian_update="truncated_lsr1"),
        replace(PLAIN, direction="truncated_inverse", hessian_learning_rate="1/2"),
    ],
    ids=UPDATES[::-1],
)
def test_matrices_that_do_not_fit_are_refused_at_once(method: Any) -> None:
    """Algorithms 2 and 4 with d = 20,958 are one line that says which d would do and what to use."""
    problem: Any = Long()
    with pytest.raises(InputError, match=r"20958 x 20958, expected d <= \d+ there; use ") as caught:
        method.init(problem, np.zeros(20_958))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("clients", "cure"), [(50, "use memory <= 128"), (10_000, "use fewer clients, or diana")]
)
def test_factors_that_do_not_fit_are_refused_at_once(clients: int, cure: str) -> None:
    """So many columns that all factors d x m pass 2^27 numbers are one line, before any is made."""
    problem: Any = type("Wide", (Long,), {"n_clients": clients})()
    wide = replace(PLAIN, memory=20_000)
    said = refused(InputError, "memory: got .* x 20000, expected at", wide.init, problem, np.zeros(20_958))

    assert said.endswith(cure)


def test_compressors_of_other_lengths_share_their_options() -> None:
    """Both compressors have levels of their own; a bare name is refused with both full ones."""
    usual: dict[str, Any] = {"gradient_compressor": "dithering", "hessian_compressor": "dithering"}
    own = {"gradient_compressor.levels": 8, "hessian_compressor.s": 64}
    history = run_by_name("flecs_cgd", QUADRATIC, rounds=1, **usual, **own)

    assert history.parameters["gradient_compressor.levels"] == 8
    assert history.parameters["hessian_compressor.levels"] == 64
    with pytest.raises(InputError, match=r"gradient_compressor\.levels or hessian_compressor\.levels"):
        run_by_name("flecs_cgd", QUADRATIC, rounds=1, **usual, levels=8)


def test_rand_k_of_all_entries_is_no_compression() -> None:
    """Keeping all entries is the identity, in the same bits a number."""
    kept = replace(CGD, gradient_compressor=RandK(5), hessian_compressor=RandK(5))
    identity = replace(CGD, gradient_compressor=Identity(), hessian_compressor=Identity())

    assert (after(kept, QUADRATIC, 3).model == after(identity, QUADRATIC, 3).model).all()
