"""Proximal points under MCP and SCAD: against exact solutions, grids, reductions, and broken certificates."""

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
from fedproof.problems.supervised.concave_penalties import MCP, SCAD
from fedproof.problems.supervised.models.cauchy import Cauchy
from fedproof.problems.supervised.models.hinge import Hinge
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2, Nonconvex, Sum
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.envelope import envelope_gradient
from fedproof.solvers.local.to_subgradient import ToSubgradient
from fedproof.solvers.local.to_suboptimality import ToSuboptimality
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

SIZES = [3, 1, 4, 3]
IDS = np.arange(4)
KINKS: list[Any] = [MCP("1/2", "3/4"), MCP(1, 3), SCAD("1/2", 3), SCAD("1/5", 2)]


def problem_of(kinks: Any, seed: int = 0, model: Any = None, extra: Any = None) -> Supervised:
    """Four clients of different sizes; their rows are small whole numbers over 4."""
    rng = np.random.default_rng(seed)
    x, y = rng.integers(-6, 7, (sum(SIZES), 2)) / 4, rng.integers(-12, 13, sum(SIZES)) / 4
    regulariser = kinks if extra is None else Sum(extra, kinks)
    return Supervised(model or LeastSquares(), x, y, Partition.of_sizes(SIZES), regulariser=regulariser)


def pieces(kinks: Any) -> list[tuple[Fraction, Fraction, Fraction, Fraction]]:
    """The pieces of r along an axis: start and end of |u|, slope at 0 of the line p' = a - b |u|, and b."""
    weight = Fraction(kinks.weight)
    if isinstance(kinks, MCP):
        end = Fraction(kinks.gamma) * weight
        return [
            (Fraction(0), end, weight, 1 / Fraction(kinks.gamma)),
            (end, Fraction(10**9), Fraction(0), Fraction(0)),
        ]
    a = Fraction(kinks.a)
    fall = (weight, a * weight, a * weight / (a - 1), 1 / (a - 1))
    return [
        (Fraction(0), weight, weight, Fraction(0)),
        fall,
        (a * weight, Fraction(10**9), Fraction(0), Fraction(0)),
    ]


def penalty(kinks: Any, u: Array) -> Fraction:
    """r(u) in fractions: the integral of p' from 0 to |u_j|, piece by piece."""
    total = Fraction(0)
    for size in map(abs, u):
        for start, end, a, b in pieces(kinks):
            if size > start:
                top = min(size, end)
                total += a * (top - start) - b * (top**2 - start**2) / 2
    return total


def objective(
    problem: Supervised, kinks: Any, u: Array, n: int, w: Array, mu: Fraction, l2: Fraction
) -> Fraction:
    """Q_n(u) in fractions, for least squares."""
    a, b = problem.partition.offsets[n : n + 2]
    x, y, u, w = (fractions(v) for v in (problem.features[a:b], problem.labels[a:b], u, w))
    losses = (x @ u - y) @ (x @ u - y) / (2 * len(y))
    value: Fraction = losses + mu / 2 * ((u - w) @ (u - w)) + l2 / 2 * (u @ u) + penalty(kinks, u)
    return value


def least(problem: Supervised, kinks: Any, n: int, w: Array, mu: Fraction, l2: Fraction) -> Fraction:
    """min Q_n in fractions: the least over all choices of a piece and a sign for each entry, or 0."""
    a, b = problem.partition.offsets[n : n + 2]
    x, y = fractions(problem.features[a:b]), fractions(problem.labels[a:b])
    matrix = x.T @ x / len(y) + (mu + l2) * fractions(np.eye(2, dtype=int))
    slope, values = x.T @ y / len(y) + mu * fractions(w), []
    choices = [(0, None), *((s, piece) for s in (1, -1) for piece in pieces(kinks))]
    for chosen in product(choices, repeat=2):
        free = [j for j in range(2) if chosen[j][0]]
        u = fractions(np.zeros(2, dtype=int))
        if free:
            inner, right = matrix[np.ix_(free, free)].copy(), slope[free].copy()
            for i, j in enumerate(free):
                sign, piece = chosen[j]
                assert piece is not None
                inner[i, i] -= piece[3]
                right[i] -= sign * piece[2]
            found = solve(inner, right)
            if found is None:
                continue
            u[free] = found
        values.append(objective(problem, kinks, u, n, w, mu, l2))
    return min(values)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6), st.sampled_from(KINKS), st.sampled_from(["7", "40"]),
    st.sampled_from([None, "1/3"]), st.sampled_from([1e-3, 1e-8, 1e-13]),
)  # fmt: skip
def test_the_certificate_is_between_the_truth_and_eps(
    seed: int, kinks: Any, mu: str, l2: str | None, eps: float
) -> None:
    """Q_n(u) - min Q_n, both in fractions, is at least 0, at most the certificate, and that at most eps."""
    problem = problem_of(kinks, seed, extra=None if l2 is None else L2(l2))
    weight, more = Fraction(mu), Fraction(l2 or 0)
    anchor = np.random.default_rng(seed).standard_normal((4, 2))
    found = ToSubgradient(eps).solve(problem, anchor, float(weight), IDS, {})

    assert found.solved is not None
    assert found.suboptimality is not None
    assert found.solved.all()
    for n in range(4):
        bottom = least(problem, kinks, n, anchor[n], weight, more)
        excess = objective(problem, kinks, found.models[n], n, anchor[n], weight, more) - bottom
        assert 0 <= excess <= Fraction(float(found.suboptimality[n])) <= Fraction(eps)


def test_rounding_is_in_the_certificate() -> None:
    """At the end of what floats can do it still lies above the exact sub-optimality, and near 0."""
    for seed, kinks in product(range(10), KINKS):
        problem = problem_of(kinks, seed)
        anchor = np.random.default_rng(seed).standard_normal((4, 2)) * 10.0 ** (seed % 5)
        found = ToSubgradient(1e-300, most_steps=200).solve(problem, anchor, 7.0, IDS, {})
        assert found.suboptimality is not None
        for n in range(4):
            bottom = least(problem, kinks, n, anchor[n], Fraction(7), Fraction(0))
            excess = (
                objective(problem, kinks, found.models[n], n, anchor[n], Fraction(7), Fraction(0)) - bottom
            )
            assert 0 <= excess <= Fraction(float(found.suboptimality[n])) <= 1e-12


@given(st.sampled_from(KINKS), st.floats(-6, 6), st.fractions(Fraction(1, 50), Fraction(1, 2)))
def test_proximal_points_by_a_grid(kinks: Any, x: float, step: Fraction) -> None:
    """No point of a fine grid has a lower step r(u) + (u - x)^2 / 2; 0 is a subgradient of it there."""
    u = kinks.prox(np.array([[x]]), np.array([[float(step)]]))[0]
    grid = np.linspace(-7, 7, 2801)

    def value(at: Array) -> Array:
        found: Array = float(step) * kinks.value(at[:, None]) + (at - x) ** 2 / 2
        return found

    assert value(u)[0] <= value(grid).min() + 1e-12
    assert abs(kinks.nearest(u, (u - x) / float(step))[0]) * float(step) <= 1e-12


def test_without_weight_it_is_the_smooth_solver() -> None:
    """With a tiny weight the solution is that of to_suboptimality without the regulariser."""
    kinks = MCP("1e-12", "1")
    problem = problem_of(kinks, 3, Cauchy(width=2))
    anchor = np.random.default_rng(0).standard_normal((4, 2))
    one = ToSubgradient("1e-20").solve(problem, anchor, 5.0, IDS, {})
    other = ToSuboptimality("1e-20").solve(replace(problem, regulariser=None), anchor, 5.0, IDS, {})

    assert np.allclose(one.models, other.models, atol=1e-9)


def test_large_weights_make_sparse_models() -> None:
    """Entries are exactly 0 where the pull is below the weight; a client alone gets what it gets together."""
    problem = problem_of(MCP(20, 1), 1)
    found = ToSubgradient("1e-10").solve(problem, np.zeros((4, 2)), 3.0, IDS, {})
    assert not found.models.any()
    problem, anchor = problem_of(SCAD("1/4", 3), 2), np.random.default_rng(1).standard_normal((4, 2))
    whole = ToSubgradient("1e-10").solve(problem, anchor, 3.0, IDS, {})
    for n in range(4):
        alone = ToSubgradient("1e-10").solve(problem, anchor[n : n + 1], 3.0, IDS[n : n + 1], {})
        assert (alone.models[0] == whole.models[n]).all()
        assert alone.gradients[0] == whole.gradients[n]
    assert (whole.models != 0).any()


def test_fedprox_fedmspp_and_the_envelope_run_with_it() -> None:
    """From words; all is solved, and the envelope's gradient is its difference."""
    options = {"model": "huber", "mcp": "1/100", "l2": "1/50"}
    for name, more in (("fedprox", {}), ("fedmspp", {"b": 6})):
        history = fp.run(name, "robust", rounds=3, clients=4, problem_options=options, mu=2,
                         local_solver="to_subgradient", eps="1e-9", **more)  # fmt: skip
        assert history.metrics["unsolved"][-1] == 0
        assert history.metrics["loss"][-1] < history.metrics["loss"][0]
    problem = fp.problem("robust", clients=4, **options)
    w, h = np.random.default_rng(3).standard_normal(5), 1e-4
    found = envelope_gradient(problem, w, 1)
    ends = [[envelope_gradient(problem, w + s * h * e, 1).value for s in (1, -1)] for e in np.eye(5)]

    assert found.error < 1e-5
    assert np.allclose(found.gradient, [(a - b) / (2 * h) for a, b in ends], atol=1e-3)


def test_one_step_is_not_enough_and_said_so() -> None:
    """A hard accuracy is missed with one step; the certificate stays above eps."""
    problem = problem_of(MCP("1/2", 1), 5)
    found = ToSubgradient("1e-12", most_steps=1).solve(problem, np.ones((4, 2)), 2.0, IDS, {})

    assert found.solved is not None
    assert found.suboptimality is not None
    assert not found.solved.all()
    assert (found.suboptimality[~found.solved] > 1e-12).all()


def test_what_it_cannot_solve_is_refused() -> None:
    """No kinks, two of them, losses with kinks, quadratics, and a mu below the weak convexity."""
    solver, at = ToSubgradient("1e-6"), np.zeros((4, 2))
    plain = replace(problem_of(MCP(1)), regulariser=Nonconvex(1))
    refused(InputError, "a smooth model with mcp", solver.solve, plain, at, 9.0, IDS, {})
    two = problem_of(MCP(1), extra=SCAD(1))
    refused(InputError, "a smooth model with mcp", solver.solve, two, at, 9.0, IDS, {})
    labels = np.random.default_rng(0).integers(0, 2, sum(SIZES))
    sharp = replace(problem_of(MCP(1)), model=Hinge(), labels=labels)
    refused(InputError, "rounding of hinge", solver.solve, sharp, at, 9.0, IDS, {})
    with pytest.raises(InputError, match="to_subgradient on"):
        fp.run("fedprox", "quadratic", rounds=1, local_solver="to_subgradient", eps="1e-6")
    refused(InputError, "more than 0.5", solver.solve, problem_of(MCP(1, 2)), at, 0.5, IDS, {})
