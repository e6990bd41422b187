"""Models against independent routes: reductions, closed forms, attained constants; and whose facts hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import exp, log, log1p, tanh

import numpy as np
import pytest

import fedproof as fp
from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.least_loss import minimise
from fedproof.problems.catalog import make_problem
from fedproof.problems.problem import Array, Constant
from fedproof.problems.supervised.kernels.kernel import make_kernel
from fedproof.problems.supervised.linear import Linear
from fedproof.problems.supervised.margin import margin_of
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.models.perceptron import Perceptron
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2, Nonconvex, Sum
from fedproof.problems.supervised.supervised import Supervised
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

RNG = np.random.default_rng(11)
X = RNG.standard_normal((12, 3))
CLASSES = RNG.integers(0, 3, 12)
TWO = RNG.integers(0, 2, 12)
CLIENTS = Partition.of_sizes([3, 4, 5])


def test_two_classes_are_binary() -> None:
    """Softmax with two classes is logistic regression in the difference of its rows."""
    soft, binary = Supervised(Softmax(2), X, TWO, CLIENTS), Supervised(Logistic(), X, TWO, CLIENTS)
    rows, move = RNG.standard_normal((2, 3)), RNG.standard_normal((2, 3))
    w, v = rows[1] - rows[0], move[1] - move[0]

    assert soft.loss(rows.ravel()) == pytest.approx(binary.loss(w), rel=1e-14)
    gradient, product = binary.gradient(w), binary.hessian_product(w, v)
    assert np.allclose(soft.gradient(rows.ravel()), [*-gradient, *gradient], rtol=1e-13)
    assert np.allclose(soft.hessian_product(rows.ravel(), move.ravel()), [*-product, *product], rtol=1e-12)
    assert soft.accuracy(rows.ravel()) == binary.accuracy(w)


def test_logistic_loss_by_hand() -> None:
    """The binary loss is log(1 + exp(-s w x)) with s = 1 for label 1 and -1 for label 0."""
    problem, w = Supervised(Logistic(), X, TWO, CLIENTS), RNG.standard_normal(3)
    each = [log1p(exp(-(2 * int(y) - 1) * float(x @ w))) for x, y in zip(X, TWO, strict=True)]

    assert problem.loss(w) == pytest.approx(np.mean(each), rel=1e-14)
    assert problem.loss(np.zeros(3)) == pytest.approx(log(2), rel=1e-15)


def test_least_squares_has_numpys_solution() -> None:
    """The gradient vanishes at NumPy's solution, and the loss there is half the mean residual."""
    for y in (RNG.standard_normal(12), CLASSES):  # numbers of classes are numbers too
        problem = Supervised(LeastSquares(), X, y, CLIENTS)
        w, residual, *_ = np.linalg.lstsq(X, y.astype(float))
        found = minimise(CountingProblem(problem), problem.start(), 100)

        assert np.abs(problem.gradient(w)).max() < 1e-14
        assert problem.loss(w) == pytest.approx(residual[0] / 24, rel=1e-13)
        assert found.loss == pytest.approx(residual[0] / 24, rel=1e-12)
        assert np.allclose(problem.hessian_product(w, np.eye(3)), X.T @ X / 12)
        assert problem.accuracy(w) is None


def test_perceptron_by_loops() -> None:
    """The perceptron's loss is the formula, written sample by sample and unit by unit."""
    model = Perceptron(3, hidden=2)
    problem = Supervised(model, X, CLASSES, CLIENTS)
    w = RNG.standard_normal(problem.dimension)
    u, v, c = w[:6].reshape(2, 3), w[6:12].reshape(3, 2), w[12:]
    total = 0.0
    for x, y in zip(X, CLASSES, strict=True):
        inside = [tanh(sum(u[j, i] * x[i] for i in range(3))) for j in range(2)]
        scores = [sum(v[a, j] * inside[j] for j in range(2)) + c[a] for a in range(3)]
        total += log(sum(exp(s) for s in scores)) - scores[y]

    assert problem.loss(w) == pytest.approx(total / 12, rel=1e-13)


def test_the_start_of_a_perceptron_breaks_the_symmetry() -> None:
    """No two hidden units start alike or have equal gradients; at 0 their gradients vanish."""
    model = Perceptron(3, hidden=8)
    problem = Supervised(model, X, CLASSES, CLIENTS)
    start = problem.start()
    units = problem.gradient(start)[:24].reshape(8, 3)

    assert len(np.unique(units.round(9), axis=0)) == 8
    assert (start != Perceptron(3, hidden=8, model_seed=1).start(3)).any()
    assert not problem.gradient(np.zeros(problem.dimension))[:24].any()
    wide = Perceptron(10, hidden=500).start(300)
    assert np.std(wide[: 500 * 300]) == pytest.approx((2 / 800) ** 0.5, rel=0.01)
    assert np.std(wide[500 * 300 : -10]) == pytest.approx((2 / 510) ** 0.5, rel=0.04)


def test_a_perceptron_is_not_convex() -> None:
    """Somewhere the perceptron's Hessian has a negative eigenvalue: no constant claims otherwise."""
    problem = Supervised(Perceptron(3, hidden=2), X, CLASSES, CLIENTS)
    matrix = problem.hessian_product(problem.start(), np.eye(problem.dimension))

    assert np.linalg.eigvalsh(matrix)[0] < -1e-3
    assert problem.constants["weak_convexity"].value is None
    assert replace(problem, regulariser=Nonconvex(1)).constants["weak_convexity"].value is None


@pytest.mark.parametrize(
    ("model", "labels"), [(Softmax(2), TWO), (Logistic(), TWO), (LeastSquares(), X[:, 0])], ids=str
)
def test_smoothness_is_attained(model: Linear, labels: np.ndarray) -> None:
    """At equal odds the longest sample's Hessian has the certified constant as its largest eigenvalue."""
    problem = Supervised(model, X, labels, Partition.of_sizes([1] * 12))  # type: ignore[arg-type]
    longest = int(np.square(X).sum(axis=1).argmax())
    d = problem.dimension
    one = replace(problem, features=X[[longest]], labels=labels[[longest]], partition=Partition.of_sizes([1]))
    top = np.linalg.eigvalsh(one.hessian_product(np.zeros(d), np.eye(d)))[-1]
    bound = problem.constants["smoothness_sample"]

    assert bound.kind == "certified"
    assert top == pytest.approx(bound.value, rel=1e-13)
    assert Fraction(bound.value) >= model.curvature_bound * sum(Fraction(float(v)) ** 2 for v in X[longest])


def test_smoothness_is_nearly_attained_with_more_classes() -> None:
    """With three classes, two of even odds and one impossible, the bound is reached too."""
    x = np.array([[1.0, 2.0]])
    problem = Supervised(Softmax(3), x, np.array([0]), Partition.of_sizes([1]))
    w = np.concatenate([np.zeros(4), -20 * x[0]])
    top = np.linalg.eigvalsh(problem.hessian_product(w, np.eye(6)))[-1]

    assert problem.constants["smoothness_sample"].value == 2.5
    assert top == pytest.approx(2.5, rel=1e-12)


def test_many_rows_of_equal_length_are_no_burden() -> None:
    """Hundreds of rows of the same length give a bound that is safe and at most 1e-12 above the largest."""
    x = RNG.standard_normal((300, 50))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    problem = Supervised(Logistic(), x, RNG.integers(0, 2, 300), Partition.of_sizes([300]))
    exact = max(sum(Fraction(float(v)) ** 2 for v in row) for row in x) / 4
    bound = Fraction(problem.constants["smoothness_sample"].value)

    assert exact <= bound <= exact * (1 + Fraction(1, 10**12))


@pytest.mark.parametrize(
    "regulariser", [Nonconvex("0.7"), Sum(L2("0.1"), Nonconvex("0.7"))], ids=lambda r: r.text
)
def test_weak_convexity_of_softmax_is_exact(regulariser: Nonconvex | Sum) -> None:
    """At w = 1, F, every F_n and every f_i curve by exactly -lambda along the common direction."""
    problem = Supervised(Softmax(3), X, CLASSES, CLIENTS, regulariser=regulariser)
    known = problem.constants["weak_convexity"]
    w, v = np.ones(9), np.tile(RNG.standard_normal(3), 3)
    samples = replace(problem, partition=Partition.of_sizes([1] * 12))

    assert known.kind == "exact"
    assert known.value == -regulariser.least_curvature > 0
    for some in (problem, samples):
        n = some.n_clients
        at, along = np.tile(w, (n, 1)), np.tile(v, (n, 1))
        curves = np.einsum("nd,nd->n", along, some.hessian_products(at, along, np.arange(n))) / (v @ v)
        assert np.allclose(curves, -float(known.value), rtol=1e-12)
    assert v @ problem.hessian_product(w, v) / (v @ v) == pytest.approx(-float(known.value), rel=1e-12)


def test_weak_convexity_without_a_flat_direction_is_a_bound() -> None:
    """For other convex models the number is certified, and on spread features not reached."""
    for model, labels in ((Logistic(), TWO), (LeastSquares(), X[:, 0])):
        problem = Supervised(model, X, labels, CLIENTS, regulariser=Nonconvex(1))
        known = problem.constants["weak_convexity"]
        assert (known.value, known.kind) == (Fraction(1, 2), "certified")
        matrix = problem.hessian_product(np.ones(3), np.eye(3))
        assert np.linalg.eigvalsh(matrix)[0] > -0.5 + 1e-3


def test_convexity_that_a_regulariser_restores() -> None:
    """Where L2 outweighs the least curvature of the other, lambda is exactly 0, for every convex model."""
    both = Sum(L2(1), Nonconvex(1))
    for model, labels in ((Softmax(3), CLASSES), (Logistic(), TWO), (LeastSquares(), X[:, 0])):
        known = Supervised(model, X, labels, CLIENTS, regulariser=both).constants["weak_convexity"]  # type: ignore[arg-type]
        assert (known.value, known.kind) == (0, "exact")


class Bowed(LeastSquares):
    """Pretends to lose convexity of 2 in every sample."""

    def constants(self, features: Array, labels: Array, partition: Partition) -> Mapping[str, Constant]:
        """Those of least squares, but for the weak convexity."""
        known = dict(super().constants(features, labels, partition))
        return known | {"weak_convexity": Constant(2, "exact", "said so")}


def test_what_a_model_lacks_in_convexity_counts() -> None:
    """A model's own weak convexity adds to the regulariser's, or is made up for by L2."""
    plain = Supervised(Bowed(), X, X[:, 0], CLIENTS)
    found = {
        r.text: replace(plain, regulariser=r).constants["weak_convexity"]
        for r in (Nonconvex(1), L2("1/2"), L2(3), Sum(L2(1), Nonconvex(1)))
    }

    assert [c.value for c in found.values()] == [Fraction(5, 2), Fraction(3, 2), 0, Fraction(3, 2)]
    assert [c.kind for c in found.values()] == ["certified", "certified", "exact", "certified"]


def test_models_through_named_problems() -> None:
    """Options of models go through named problems, as text; a model of real targets takes what suits it."""
    perceptron = make_problem("digits", 5, options={"model": "perceptron", "hidden": "4", "model_seed": "9"})
    diabetes = make_problem("diabetes", 4, options={"l2": "0.1"})

    assert perceptron.dimension == 4 * 65 + 10 * 5
    assert (perceptron.start() == Perceptron(10, 4, model_seed=9).start(65)).all()
    assert "perceptron, hidden=4, model_seed=9 on digits" in perceptron.name
    assert isinstance(diabetes, Supervised)
    assert isinstance(diabetes.model, LeastSquares)
    assert diabetes.features.shape == (442, 11)
    assert np.allclose(diabetes.labels.mean(), 0, atol=1e-14)
    assert np.allclose(diabetes.features[:, :-1].std(axis=0), 1)
    assert diabetes.accuracy(diabetes.start()) is None
    refused(InputError, "with model=perceptron", make_problem, "digits", 5, options={"hidden": 4})
    refused(InputError, "use model=least_squares", make_problem, "diabetes", 5, options={"model": "softmax"})


def test_diabetes_is_solved_as_in_scikit_learn() -> None:
    """Ridge regression on the diabetes data has scikit-learn's coefficients."""
    from sklearn.linear_model import Ridge

    problem = make_problem("diabetes", 4, options={"l2": "0.1"})
    assert isinstance(problem, Supervised)
    ridge = Ridge(alpha=0.1 * 442, fit_intercept=False, tol=1e-12).fit(problem.features, problem.labels)

    assert np.abs(problem.gradient(ridge.coef_)).max() < 1e-12


class Steeper(Logistic):
    """Ten times the logistic loss, under its name."""

    def score_losses(self, z: Array, y: Array) -> Array:
        """Ten times as much."""
        losses: Array = 10 * super().score_losses(z, y)
        return losses

    def score_gradients(self, z: Array, y: Array) -> Array:
        """Ten times as much."""
        gradients: Array = 10 * super().score_gradients(z, y)
        return gradients


ROWS = np.array([[1.0, 2.0], [-2.0, -1.0], [3.0, 1.0], [-1.0, -1.0]])
OURS = Supervised(Logistic(), ROWS, np.array([1, 0, 1, 0]), Partition.of_sizes([2, 2]))
THEIRS = replace(OURS, model=Steeper())


def test_a_compiled_loss_is_not_used_for_another() -> None:
    """The compiled kernel knows our losses by class: a subclass runs on NumPy and gets its own gradient."""
    kernel = make_kernel("auto", THEIRS.model, THEIRS.features, THEIRS.labels, THEIRS.partition)
    w = np.full((2, 2), 0.1)

    assert kernel.name == "numpy"
    assert np.allclose(THEIRS.client_gradients(w, np.arange(2)), 10 * OURS.client_gradients(w, np.arange(2)))


def test_a_margin_is_claimed_for_our_losses_only() -> None:
    """The separating direction is proved for logistic regression, and nothing for what bears its name."""
    direction = np.array([1.0, 1.0])
    assert margin_of(OURS, direction) is not None
    assert margin_of(THEIRS, direction) is None


def test_no_bound_of_ours_is_measured_for_another_loss() -> None:
    """A subclass that changes the loss gets no proved gradient variance and no certified gap."""
    known, other = (
        fp.measure(problem, stepsize="0.01", tau=2, mu=1, rounds=1, seeds=2, effort="0.02").constants
        for problem in (OURS, THEIRS)
    )

    assert known["gradient_variance"].upper is not None
    assert other["gradient_variance"].upper is None
    assert other["initial_gap"].kind == "estimate"
