"""The gradient of the Moreau envelope: against closed forms, exact fractions, differences, and hard cuts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fedproof as fp
from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.quadratics.exact_linear_algebra import fractions, solve
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.problems.supervised.models.absolute import Absolute
from fedproof.problems.supervised.models.cauchy import Cauchy
from fedproof.problems.supervised.models.hinge import Hinge
from fedproof.problems.supervised.models.huber import Huber
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.perceptron import Perceptron
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2, Nonconvex
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.envelope import envelope_gradient, squared_envelope_gradient
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.metrics import metric
from tests.refusals import refused

RNG = np.random.default_rng(23)
X = RNG.standard_normal((12, 3))
SIZES = Partition.of_sizes([4, 4, 4])


def problem_of(model: Any, regulariser: Any = None) -> Supervised:
    """Three clients of four samples."""
    labels = RNG.integers(0, 2, 12) if model.classes else X @ np.ones(3) + RNG.standard_t(2, 12)
    return Supervised(model, X, labels, SIZES, regulariser=regulariser)


@pytest.mark.parametrize("rho", ["1/7", "3"])
def test_quadratics_have_a_closed_form(rho: str) -> None:
    """H (I + rho H)^-1 (w - w*) in fractions, with error 0; in floats within the error that is said."""
    exact = random_quadratic(3, 4, dimension=3, samples=[2, 1, 3, 2])
    w, step = fractions([1, -2, 3]), Fraction(rho)
    matrix, eye = exact.mean_matrix, fractions(np.eye(3, dtype=int))
    true = solve(eye + step * matrix, exact.gradient(w))
    found = envelope_gradient(exact, w, rho)
    rounded = envelope_gradient(exact.as_float(), w.astype(float), rho)

    assert true is not None
    assert (found.gradient == true).all()
    assert found.error == 0
    assert np.linalg.norm(rounded.gradient - true.astype(float)) <= rounded.error + 1e-14 < 1e-9
    low, high = rounded.square_ends
    assert low <= float(true @ true) <= high


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=6),
    st.integers(-12, 12),
    st.sampled_from(["1/3", "2", "9"]),
)
def test_the_envelope_of_a_mean_of_distances(targets: list[int], at: int, rho: str) -> None:
    """In one dimension the proximal point of mean |u - y_i| is found in fractions, target by target."""
    w, step, n = Fraction(at, 2), Fraction(rho), len(targets)
    starts = [w + step * Fraction(n - 2 * k, n) for k in range(n + 1)]  # with k targets below u
    candidates = [*map(Fraction, targets), *starts]

    def objective(u: Fraction) -> Fraction:
        return sum((abs(u - y) for y in targets), Fraction(0)) / n + (u - w) ** 2 / (2 * step)

    true = (w - min(candidates, key=objective)) / step
    problem = Supervised(Absolute(), np.ones((n, 1)), np.array(targets), Partition.of_sizes([n]))
    found = envelope_gradient(problem, np.array([float(w)]), rho)

    assert abs(Fraction(float(found.gradient[0])) - true) <= Fraction(float(found.error))
    assert found.error < 1e-5
    low, high = found.square_ends
    assert Fraction(low) <= true**2 <= Fraction(high)
    assert objective(w - step * true) <= Fraction(float(found.value)) * (1 + Fraction(1, 10**12)) + Fraction(
        1, 10**12
    )


@pytest.mark.parametrize(
    "model", [Huber(), Cauchy(), Absolute(), Hinge(), LeastSquares()], ids=lambda m: m.name
)
@pytest.mark.parametrize("regulariser", [None, L2("1/5")], ids=str)
def test_the_gradient_is_the_difference_of_the_envelope(model: Any, regulariser: Any) -> None:
    """Central differences of F_rho, and halves of the asked accuracy agree within both errors."""
    problem = problem_of(model, regulariser)
    nu = float(problem.constants["weak_convexity"].value)
    rho = Fraction(1, 2) if not nu else Fraction(1) / (3 * Fraction(nu))
    w = RNG.standard_normal(3)
    found, coarse = envelope_gradient(problem, w, rho), envelope_gradient(problem, w, rho, "1e-4")
    h = 1e-4

    def value(at: Any) -> float:
        return float(envelope_gradient(problem, at, rho).value)

    numeric = np.array([(value(w + h * e) - value(w - h * e)) / (2 * h) for e in np.eye(3)])
    assert np.allclose(found.gradient, numeric, atol=2 * h / float(rho) + 1e-6)
    assert np.linalg.norm(found.gradient - coarse.gradient) <= found.error + coarse.error
    assert found.error < 1e-4 * (1 + np.linalg.norm(found.gradient))


def test_the_gradient_vanishes_where_the_proximal_point_stays() -> None:
    """At a minimiser of F it is 0 within its error; where F is smooth and rho small it is nearly grad F."""
    fitted = replace(problem_of(Absolute()), labels=X @ np.ones(3))
    still = envelope_gradient(fitted, np.ones(3), 1)
    smooth, w = problem_of(Huber()), RNG.standard_normal(3)

    assert still.square <= still.error**2 + 1e-300
    assert still.square_ends[0] == 0
    assert np.allclose(envelope_gradient(smooth, w, "1e-7").gradient, smooth.gradient(w), atol=1e-5)


def test_what_the_error_says_when_the_solve_is_cut_short() -> None:
    """Asked for little, the true gradient is still within the error, which then is large."""
    for model in (Absolute(), Hinge(), Cauchy()):
        problem, w = problem_of(model), 3 * RNG.standard_normal(3)
        rho = "1/50"
        exact = envelope_gradient(problem, w, rho)
        for asked in ("1", "1e-2", "1e-5"):
            rough = envelope_gradient(problem, w, rho, asked)
            apart = np.linalg.norm(rough.gradient - exact.gradient)
            assert apart <= rough.error + exact.error
        assert exact.error < 1e-4


def test_the_metric_of_a_run_is_the_square_at_its_models() -> None:
    """By a mapping of names; at rounds 0..T, with the problem pooled once; the vocabulary knows the names."""
    problem = problem_of(Absolute())
    metrics = {
        "squared_envelope_gradient": squared_envelope_gradient("1/2"),
        "own_loss": lambda p, s, t: p.loss(s.model),
    }
    solver: dict[str, Any] = {"local_solver": "to_duality_gap", "eps": "1e-10", "mu": 2}
    history = fp.run("fedprox", problem, rounds=4, metrics=metrics, **solver)
    values = history.metrics["squared_envelope_gradient"]

    assert len(values) == 5
    assert values[-1] == pytest.approx(envelope_gradient(problem, history.model, "1/2").square, rel=1e-9)
    assert values[-1] < values[0]
    assert problem.pooled is problem.pooled
    assert metric("squared_envelope_gradient").index.startswith("every round")


def test_what_has_no_envelope_here_is_refused() -> None:
    """rho at or above 1 / nu, no rho, models without a proved nu, penalties and flattening regularisers."""
    problem, w = problem_of(Cauchy()), np.zeros(3)
    nu = Fraction(problem.constants["weak_convexity"].value)
    refused(InputError, "less than .* 1 / nu", envelope_gradient, problem, w, 1 / nu)
    refused(InputError, "a number > 0", envelope_gradient, problem, w, 0)
    deep = Supervised(Perceptron(2, hidden=2), X, RNG.integers(0, 2, 12), SIZES)
    refused(InputError, "a proved weak convexity", envelope_gradient, deep, deep.start(), 1)
    sparse: Any = Composite(random_quadratic(0).as_float(), L1(1))
    refused(InputError, "without penalty", envelope_gradient, sparse, sparse.start(), 1)
    bent = problem_of(Absolute(), Nonconvex(1))
    refused(InputError, "to_duality_gap on", envelope_gradient, bent, w, "1/8")
