"""The least loss against exact values, closed forms and other solvers."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from fedproof.measure import least_loss
from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.newton import cancelling, dense_hessian, flat_directions, newton
from fedproof.problems.data.federate import federated
from fedproof.problems.instances.breast_cancer import dataset
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2, Nonconvex
from fedproof.problems.supervised.supervised import Supervised
from tests.measure.toys import brute, gap_of, toy


@pytest.mark.parametrize("seed", range(4))
def test_the_solve_gives_delta_of_quadratics(seed: int) -> None:
    """Loss at the start minus the loss found is the exact Delta to 1e-10; the entry is exact."""
    exact = random_quadratic(seed, n_clients=4, dimension=6, condition=1000)
    problem = exact.as_float()
    minimum, entry = gap_of(problem)
    delta = exact.loss(exact.start()) - exact.constants["least_loss"].value

    assert problem.loss(problem.start()) - minimum.loss == pytest.approx(float(delta), abs=1e-10)
    assert (entry.kind, entry.value) == ("exact", delta)


def test_an_unbounded_quadratic_has_no_delta() -> None:
    """The entry says that no finite one exists, and the solve ends."""
    problem = Quadratic.of([[[-1]]], [[1]], sizes=[1]).as_float()
    _, entry = gap_of(problem)

    assert (entry.value, entry.kind) == (None, "exact")
    assert "no finite one" in entry.how


@pytest.mark.parametrize("regulariser", [None, L2("1/10")])
@pytest.mark.parametrize("model", [Softmax(2), Logistic(2)])
def test_the_least_loss_is_that_of_another_solver(model: Any, regulariser: Any) -> None:
    """BFGS from elsewhere ends between F(w) - gap and F(w) + rounding, and the gap is below 1e-10."""
    problem = toy(3, model, regulariser)
    minimum = least_loss.minimise(CountingProblem(problem), problem.start(), 500)
    other = minimize(
        problem.loss, np.ones(problem.dimension) / 3, jac=problem.gradient, method="BFGS",
        options={"gtol": 1e-12},
    )  # fmt: skip

    assert minimum.gap is not None
    assert minimum.gap < 1e-10
    assert minimum.loss - minimum.gap <= other.fun
    assert other.fun == pytest.approx(minimum.loss, abs=1e-10)


def test_a_least_loss_known_in_closed_form() -> None:
    """One feature, labels 0, 0, 1: the best odds are 2 to 1, the least loss is log 3 - (2/3) log 2."""
    problem = Supervised(Softmax(2), np.ones((3, 1)), np.array([0, 0, 1]), Partition.of_sizes([3]))
    _, entry = gap_of(problem)
    delta = np.log(2) - (np.log(3) - 2 / 3 * np.log(2))

    assert entry.kind == "certified"
    assert entry.lower - 1e-15 <= delta <= entry.upper
    assert entry.spread < 1e-12


def test_sklearn_finds_the_same_least_loss() -> None:
    """Regularised logistic regression on real data: C = 1 / (rows l2), no intercept of its own."""
    from sklearn.linear_model import LogisticRegression

    data = dataset()
    rows = len(data.labels)
    problem = federated(data, [np.arange(rows)], "all", model="logistic", l2="1/100")
    minimum = least_loss.minimise(CountingProblem(problem), problem.start(), 2000)
    fit = LogisticRegression(
        C=100 / rows, fit_intercept=False, tol=1e-12, max_iter=10_000, solver="newton-cg"
    )
    found = fit.fit(problem.features, problem.labels).coef_.ravel()

    assert minimum.gap is not None
    assert minimum.loss - minimum.gap <= problem.loss(found) <= minimum.loss + 1e-9
    assert np.linalg.norm(found - minimum.model) < 1e-3


def test_separable_data_has_an_infimum_of_zero() -> None:
    """Separated classes: the margin is proved, F* = 0 exactly, and Delta is the loss at the start."""
    x = np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, -1.5], [-2.0, -1.0]])
    problem = Supervised(Logistic(2), x, np.array([1, 1, 0, 0]), Partition.of_sizes([2, 2]))
    minimum, entry = gap_of(problem)

    assert minimum.margin is not None
    assert (entry.kind, entry.value) == ("certified", pytest.approx(np.log(2), abs=1e-13))
    assert entry.lower < np.log(2) < entry.upper
    # the best margin is half the distance of the classes' hulls, here that of (1, 2) and (2, 1) to the others
    assert minimum.margin <= np.linalg.norm(x, axis=1).max()


def test_a_nonconvex_loss_is_not_certified() -> None:
    """With the non-convex regulariser the gap is an estimate from below, and says so."""
    problem = toy(0, Softmax(2), Nonconvex(1))
    minimum, entry = gap_of(problem)

    assert (minimum.gap, entry.kind) == (None, "estimate")
    assert entry.lower <= entry.upper
    assert "lower bound" in entry.how


def test_excess_holds_on_functions_with_known_minima() -> None:
    """f(t) = log(1 + e^t) - p t: |f'''| <= f'', minimum at log(p / (1 - p)); the bounds hold at every t."""
    proved = 0
    for p in (0.2, 0.5, 0.9):
        best = np.log(p / (1 - p))
        least = np.logaddexp(0, best) - p * best
        for t in np.linspace(-4, 4, 81):
            q = 1 / (1 + np.exp(-t))
            found = least_loss.excess(abs(q - p), q * (1 - q), 1.0)
            if found is not None:
                proved += 1
                assert np.logaddexp(0, t) - p * t - least <= found[0] + 1e-14
                assert abs(t - best) <= found[1] + 1e-12
    assert proved > 50


def test_excess_of_a_parabola_is_exact() -> None:
    """f(t) = m t^2 / 2 has R = 0: the excess is g^2 / (2 m), the distance g / m."""
    for strength, t in ((1e-3, 2.0), (7.0, 1e-5)):
        found = least_loss.excess(strength * t, strength, 0.0)
        assert found == pytest.approx((strength * t**2 / 2, t), rel=1e-12)


def test_newton_needs_few_steps_on_a_quadratic() -> None:
    """Forty dimensions, condition 10^4: conjugate gradients solve it, the outer steps only tighten."""
    problem = random_quadratic(
        0, n_clients=2, dimension=40, samples=1, condition=10_000, rotations=0
    ).as_float()
    path = list(newton(CountingProblem(problem), problem.start(), 1000, lambda w: None))

    assert len(path) <= 12
    assert np.linalg.norm(path[-1].gradient) < 1e-12


@pytest.mark.parametrize("model", [Softmax(3), Logistic(2)])
def test_the_third_derivative_is_bounded_as_the_certificate_says(model: Any) -> None:
    """|T[v, v, v]| <= c max|x| |v| v^T H v at random models and directions, and c is not far too large."""
    rng, worst = np.random.default_rng(0), 0.0
    for _ in range(200):
        x = rng.standard_normal((1, 3))
        one = Supervised(model, x, np.array([0]), Partition.of_sizes([1]))
        w = 3 * rng.standard_normal(one.dimension)
        v = rng.standard_normal(one.dimension)
        h = 1e-4
        change = (one.hessian_product(w + h * v, v) - one.hessian_product(w - h * v, v)) @ v / (2 * h)
        scale = np.linalg.norm(x) * np.linalg.norm(v) * (v @ one.hessian_product(w, v))
        worst = max(worst, abs(change) / scale)

    assert worst <= least_loss._STEEPENING[model.name] + 1e-6
    assert worst > 0.5 * least_loss._STEEPENING[model.name]


@pytest.mark.parametrize("model", [Softmax(3), Logistic(2)])
def test_the_dense_hessian_and_its_flat_directions(model: Any) -> None:
    """Blocks against finite differences; the flat directions are exactly the null space here."""
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.standard_normal((30, 2)), np.zeros(30)])
    problem = Supervised(model, x, rng.integers(0, 2, 30), Partition.of_sizes([30]))
    w = rng.standard_normal(problem.dimension)
    matrix, flat = dense_hessian(problem, w), flat_directions(problem)

    assert matrix == pytest.approx(brute(problem, w), abs=1e-7)
    assert flat @ flat.T == pytest.approx(np.eye(len(flat)), abs=1e-12)
    assert matrix @ flat.T == pytest.approx(0, abs=1e-12)
    assert np.linalg.matrix_rank(matrix, tol=1e-9) == len(w) - len(flat)


def one_hot(rows: int, *kinds: int) -> Any:
    """Columns of text as 0 and 1, each kind at least once, beside a column of numbers and the bias."""
    rng = np.random.default_rng(3)
    hot = [
        np.eye(many)[np.concatenate([np.arange(many), rng.integers(0, many, rows - many)])] for many in kinds
    ]
    return np.column_stack([*hot, rng.standard_normal(rows), np.ones(rows)])


@pytest.mark.parametrize("model", [Softmax(3), Logistic(2)])
def test_the_kinds_of_a_column_of_text_make_a_flat_direction(model: Any) -> None:
    """Two columns of text: their kinds and the bias cancel twice, and with that the null space is whole."""
    x = one_hot(60, 2, 4)
    problem = Supervised(model, x, np.random.default_rng(0).integers(0, 2, 60), Partition.of_sizes([60]))
    matrix, flat = dense_hessian(problem, np.zeros(problem.dimension)), flat_directions(problem)

    assert len(cancelling(x)) == 2
    assert matrix @ flat.T == pytest.approx(0, abs=1e-12)
    ranks = [np.linalg.matrix_rank(m, tol=1e-9) for m in (matrix, flat)]
    assert sum(ranks) == problem.dimension


def test_what_cancels_in_all_rows_but_one_is_no_flat_direction() -> None:
    """One row of neither kind, or of a share of one, and nothing cancels."""
    for share in (0.0, 0.75, 1 - 2.0**-52):
        x = one_hot(60, 2)
        x[7, :2] = share, 0
        assert len(cancelling(x)) == 0
    large = np.random.default_rng(1).integers(0, 1 << 19, (60, 2)).astype(float)
    sums = large.sum(axis=1)
    assert len(cancelling(np.column_stack([large, sums]))) == 1
    sums[9] -= 1
    assert len(cancelling(np.column_stack([large, sums]))) == 0


def test_the_least_loss_of_a_table_with_text_is_proved() -> None:
    """Without a regulariser too: a minimiser exists, and the gap is that of another solver."""
    x, rng = one_hot(80, 2, 3), np.random.default_rng(5)
    problem = Supervised(Softmax(2), x, rng.integers(0, 2, 80), Partition.of_sizes([30, 50]))
    minimum, entry = gap_of(problem)
    other = minimize(problem.loss, problem.start(), jac=problem.gradient, method="BFGS")

    assert entry.kind == "certified"
    assert minimum.distance is not None
    assert minimum.distance < 1e-3
    assert minimum.loss == pytest.approx(other.fun, abs=1e-8)


def test_newton_decreases_the_loss_at_every_step() -> None:
    """Also where the loss is not convex; the last gradient is next to 0."""
    problem = toy(2, Softmax(2), Nonconvex(1))
    start = np.random.default_rng(0).standard_normal(problem.dimension)
    path = list(newton(CountingProblem(problem), start, 500, lambda w: None))

    assert all(b.loss <= a.loss + 1e-12 for a, b in itertools.pairwise(path))
    assert np.linalg.norm(path[-1].gradient) < 1e-10
