"""Proximal points of losses with kinks: against exact solutions, other solvers, and broken certificates."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fedproof as fp
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import fractions, solve
from fedproof.problems.supervised.kinked import Box
from fedproof.problems.supervised.models.absolute import Absolute
from fedproof.problems.supervised.models.hinge import Hinge
from fedproof.problems.supervised.models.huber import Huber
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2, Nonconvex
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.box_dual import BoxDual, minimise
from fedproof.solvers.local.to_duality_gap import ToDualityGap
from fedproof.solvers.local.to_suboptimality import ToSuboptimality
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

SIZES = [3, 1, 4, 3, 8]
IDS = np.arange(len(SIZES))


def problem_of(model: Any, seed: int = 0, columns: int = 3, regulariser: Any = None) -> Supervised:
    """Five clients of different sizes; their rows are small whole numbers over 4."""
    rng = np.random.default_rng(seed)
    x = rng.integers(-8, 9, (sum(SIZES), columns)) / 4
    y = rng.integers(0, 2, sum(SIZES)) if model.classes else rng.integers(-20, 21, sum(SIZES)) / 4
    return Supervised(model, x, y, Partition.of_sizes(SIZES), regulariser=regulariser)


def surrogate(problem: Supervised, u: Array, n: int, w: Array, mu: Fraction) -> Fraction:
    """Q_n(u) in fractions, by the definition of the loss."""
    a, b = problem.partition.offsets[n : n + 2]
    x, y = fractions(problem.features[a:b]), fractions(problem.labels[a:b])
    u, w = fractions(u), fractions(w)
    if problem.model.name == "hinge":
        each = [max(Fraction(0), 1 - (2 * label - 1) * (row @ u)) for row, label in zip(x, y, strict=True)]
    else:
        each = [abs(row @ u - label) for row, label in zip(x, y, strict=True)]
    l2 = problem.regulariser.exact if isinstance(problem.regulariser, L2) else Fraction(0)
    value: Fraction = sum(each, Fraction(0)) / len(each) + mu / 2 * ((u - w) @ (u - w)) + l2 / 2 * (u @ u)
    return value


def least(problem: Supervised, n: int, w: Array, mu: Fraction) -> Fraction:
    """min Q_n in fractions: the least over all choices of samples at their kinks and sides of the others.

    Each choice makes Q_n a quadratic on a plane, whose minimiser is a candidate: one of them is the minimiser
    of Q_n, and at none of them is Q_n below its least value.
    """
    a, b = problem.partition.offsets[n : n + 2]
    x = fractions(problem.features[a:b])
    box = problem.model.box(problem.labels[a:b])  # type: ignore[attr-defined]
    low, high, kink = (fractions(v) for v in (box.low, box.high, box.kink))
    l2 = problem.regulariser.exact if isinstance(problem.regulariser, L2) else Fraction(0)
    size, m, centre = b - a, mu + l2, mu * fractions(w) / (mu + l2)
    best = None
    for sides in product((0, 1, 2), repeat=size):
        at = [i for i in range(size) if sides[i] == 2]
        if len(at) > x.shape[1]:
            continue
        fixed = sum((x[i] * (low[i], high[i])[sides[i]] for i in range(size) if sides[i] < 2), 0 * centre)
        free = centre - fixed / (size * m)
        u = free
        if at:
            v = solve(x[at] @ x[at].T, x[at] @ free - kink[at])
            if v is None:
                continue
            u = free - x[at].T @ v
        value = surrogate(problem, u, n, w, mu)
        best = value if best is None or value < best else best
    assert best is not None
    return best


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10**6), st.sampled_from([Absolute(), Hinge()]), st.sampled_from(["1/50", "1", "20"]),
    st.sampled_from([None, "1/3"]), st.sampled_from([1e-3, 1e-8, 1e-12]),
)  # fmt: skip
def test_the_certificate_is_between_the_truth_and_eps(
    seed: int, model: Any, mu: str, l2: str | None, eps: float
) -> None:
    """Q_n(u) - min Q_n, both in fractions, is at least 0, at most the certificate, and that at most eps."""
    problem = problem_of(model, seed, 2, None if l2 is None else L2(l2))
    weight, anchor = float(Fraction(mu)), np.random.default_rng(seed).standard_normal((4, 2))
    found = ToDualityGap(eps).solve(problem, anchor, weight, IDS[:4], {})

    assert found.solved is not None
    assert found.suboptimality is not None
    assert found.solved.all()
    for n in range(4):
        bottom = least(problem, n, anchor[n], Fraction(weight))
        excess = surrogate(problem, found.models[n], n, anchor[n], Fraction(weight)) - bottom
        assert 0 <= excess <= Fraction(float(found.suboptimality[n])) <= Fraction(eps)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([Absolute(), Hinge()]), st.floats(0, 1))
def test_the_gap_bounds_every_point_of_the_dual(seed: int, model: Any, share: float) -> None:
    """At any v of the box and any u the gap is above Q_n(u) - min Q_n, in fractions; it is not vacuous."""
    problem, rng = problem_of(model, seed, 2, L2("1/4")), np.random.default_rng(seed)
    anchor, mu = rng.standard_normal((1, 2)), 0.5
    box = model.box(problem.labels[None, :3])
    dual = BoxDual(problem.features[None, :3], box, anchor, mu, 0.25)
    v = box.low + (box.high - box.low) * np.where(rng.random((1, 3)) < share, rng.random((1, 3)), 1.0)
    bottom = least(problem, 0, anchor[0], Fraction(mu))
    for u in (dual.models(v), dual.models(v) + 1e-7 * rng.standard_normal((1, 2)), 9 * anchor):
        excess = surrogate(problem, u[0], 0, anchor[0], Fraction(mu)) - bottom
        assert 0 <= excess <= Fraction(float(dual.gaps(u, v)[0]))


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_rounding_is_in_the_certificate(scale: float) -> None:
    """At the end of what floats can do the certificate still lies above the exact sub-optimality."""
    for seed in range(20):
        plain = problem_of(Absolute(), seed, 2)
        problem = replace(plain, features=plain.features * 1.1, labels=plain.labels * scale * 1.3)
        anchor = scale * np.random.default_rng(seed).standard_normal((4, 2))
        found = ToDualityGap(1e-300, most_steps=60).solve(problem, anchor, 0.7, IDS[:4], {})
        assert found.suboptimality is not None
        for n in range(4):
            bottom = least(problem, n, anchor[n], Fraction(0.7))
            excess = surrogate(problem, found.models[n], n, anchor[n], Fraction(0.7)) - bottom
            assert 0 <= excess <= Fraction(float(found.suboptimality[n])) <= 1e-10 * (1 + scale)


def test_clients_together_are_clients_alone() -> None:
    """Ids may repeat and come in any order; each gets what it gets alone."""
    problem, ids = problem_of(Hinge(), 3), np.array([4, 0, 4, 2, 1])
    anchor = np.random.default_rng(0).standard_normal((5, 3))
    whole = ToDualityGap("1e-9").solve(problem, anchor, 0.3, ids, {})
    for i, n in enumerate(ids):
        alone = ToDualityGap("1e-9").solve(problem, anchor[i : i + 1], 0.3, np.array([n]), {})
        assert np.allclose(alone.models[0], whole.models[i], rtol=1e-12)
        assert alone.gradients[0] == whole.gradients[i] > 0
        assert whole.gradients[i] % SIZES[n] == 0


def test_huber_tends_to_absolute_values() -> None:
    """Q of |r| at the solution is within the smoothing error of what Huber's loss over delta comes to."""
    delta = 1 / 64
    problem = problem_of(Absolute(), 5)
    smooth = Supervised(Huber(delta="1/64"), problem.features, problem.labels, problem.partition)
    anchor = np.random.default_rng(1).standard_normal((5, 3))
    sharp = ToDualityGap("1e-11").solve(problem, anchor, 1.0, IDS, {})
    round_ = ToSuboptimality("1e-11", "accelerated", 10_000).solve(smooth, anchor, delta, IDS, {})
    assert round_.solved is not None
    assert round_.solved.all()
    for n in IDS:
        values = [
            float(surrogate(problem, m[n], n, anchor[n], Fraction(1))) for m in (sharp.models, round_.models)
        ]
        assert values[0] - 1e-10 <= values[1] <= values[0] + delta / 2 + 1e-8


def test_more_columns_than_samples() -> None:
    """The other linear system gives the same: each of them on rows with columns of zeros beside."""
    problem = problem_of(Absolute(), 9, 2)
    wide = replace(problem, features=np.hstack([problem.features, np.zeros((sum(SIZES), 40))]))
    anchor = np.random.default_rng(2).standard_normal((5, 2))
    first = ToDualityGap("1e-11").solve(problem, anchor, 1.0, IDS, {})
    second = ToDualityGap("1e-11").solve(wide, np.hstack([anchor, np.zeros((5, 40))]), 1.0, IDS, {})

    assert np.allclose(first.models, second.models[:, :2], atol=1e-5)
    assert not second.models[:, 2:].any()


def test_what_is_solved_at_the_start_and_what_is_never() -> None:
    """Residuals of 0 take no step; with one step a hard accuracy is missed and said so."""
    problem = problem_of(Absolute(), 1)
    w = np.ones(3)
    fitted = replace(problem, labels=problem.features @ w)
    found = ToDualityGap("1e-10").solve(fitted, np.tile(w, (5, 1)), 1.0, IDS, {})
    assert found.solved is not None
    assert found.solved.all()
    short = ToDualityGap("1e-12", most_steps=1).solve(problem, np.zeros((5, 3)), 1.0, IDS, {})
    assert short.solved is not None
    assert short.suboptimality is not None
    assert not short.solved.any()
    assert (short.suboptimality > 1e-12).all()


def test_fedprox_and_fedmspp_run_with_it() -> None:
    """From words: metrics say that all were solved, and the loss falls."""
    solver: dict[str, Any] = {"local_solver": "to_duality_gap", "eps": "1e-9", "mu": "0.1"}
    options = {"model": "hinge", "l2": "1/100"}
    for name, more in (("fedprox", {}), ("fedmspp", {"b": 8})):
        found = fp.run(name, "breast_cancer", rounds=3, problem_options=options, **solver, **more).metrics
        assert found["unsolved"][1:] == (0, 0, 0) or list(found["unsolved"][1:]) == [0, 0, 0]
        assert max(found["suboptimality"][1:]) <= 1e-9
        assert found["loss"][-1] < found["loss"][0]


class Squared(Hinge):
    """The squared hinge: the dual of the hinge is not its own."""

    def score_losses(self, z: Array, y: Array) -> Array:
        """Squares."""
        return super().score_losses(z, y) ** 2


def test_what_it_cannot_solve_is_refused() -> None:
    """Smooth losses, other regularisers, a subclass with another loss, quadratics, no strong convexity."""
    solver = ToDualityGap("1e-6")
    anchor = np.zeros((5, 3))
    for problem in (
        problem_of(Huber()), problem_of(Hinge(), regulariser=Nonconvex(1)), problem_of(Squared()),
    ):  # fmt: skip
        refused(InputError, "to_duality_gap on", solver.solve, problem, anchor, 1.0, IDS, {})
    with pytest.raises(InputError, match="to_duality_gap on"):
        fp.run("fedprox", "quadratic", rounds=1, local_solver="to_duality_gap", eps="1e-6")
    refused(InputError, "more than 0", solver.solve, problem_of(Hinge()), anchor, 0.0, IDS, {})
    refused(InputError, "eps|suboptimality", ToDualityGap, 0)


@pytest.mark.parametrize("columns", [4, 40])
def test_hard_problems_are_solved_in_few_steps(columns: int) -> None:
    """Rows that differ by 10^4 in length, small mu, many clients: 1e-9 within 60 steps."""
    rng = np.random.default_rng(4)
    rows = rng.standard_normal((50, 20, columns)) * 10.0 ** rng.integers(-2, 3, (50, 20, 1))
    kinks = (rows @ rng.standard_normal((columns, 1)))[..., 0] + rng.standard_t(1, (50, 20))
    ones = np.ones((50, 20))
    found = minimise(BoxDual(rows, Box(-ones, ones, kinks), np.zeros((50, columns)), 0.01, 0.0), 1e-9, 60)

    assert (found.bounds <= 1e-9).all()
