"""Losses of bounded slope against independent routes: integrals, envelopes, attained constants."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fedproof as fp
from fedproof.problems.problem import Array
from fedproof.problems.supervised.concave_penalties import MCP, SCAD
from fedproof.problems.supervised.linear import Linear, stated
from fedproof.problems.supervised.model_options import known_name
from fedproof.problems.supervised.models.absolute import Absolute
from fedproof.problems.supervised.models.cauchy import Cauchy
from fedproof.problems.supervised.models.hinge import Hinge
from fedproof.problems.supervised.models.huber import Huber
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2, Nonconvex, Sum
from fedproof.problems.supervised.supervised import Supervised
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

RNG = np.random.default_rng(17)
X = RNG.standard_normal((12, 3))
TARGETS = RNG.standard_normal(12)
TWO = RNG.integers(0, 2, 12)
CLIENTS = Partition.of_sizes([3, 4, 5])
RESIDUALS: list[Any] = [Huber(), Huber(delta="1/3"), Cauchy(), Cauchy(width=4)]
KINKED: list[Any] = [Absolute(), Hinge()]
each_residual = pytest.mark.parametrize("model", RESIDUALS, ids=repr)


def problem_of(model: Any, regulariser: Any = None) -> Supervised:
    """Three clients, with the labels that the model is for."""
    labels = TWO if model.classes else TARGETS
    return Supervised(model, X, labels, CLIENTS, regulariser=regulariser)


def longest(features: Array) -> Fraction:
    """max |x_i|^2, in fractions."""
    return max(sum((Fraction(float(v)) ** 2 for v in row), Fraction(0)) for row in features)


@given(st.floats(-30, 30), st.fractions(Fraction(1, 8), 8))
def test_huber_is_the_envelope_of_absolute_values(r: float, delta: Fraction) -> None:
    """It is min over u of delta |u| + (r - u)^2 / 2, and the gradient is r less the best u, in fractions."""
    model, exact = Huber(delta=delta), Fraction(r)
    best = max(exact - delta, Fraction(0)) if exact > 0 else min(exact + delta, Fraction(0))
    value = delta * abs(best) + (exact - best) ** 2 / 2

    assert float(model.value(np.array([r]))[0]) == pytest.approx(float(value), rel=1e-14, abs=1e-300)
    assert float(model.slope(np.array([r]))[0]) == pytest.approx(float(exact - best), rel=1e-14)


@settings(deadline=None)
@given(st.floats(-30, 30), st.fractions(Fraction(1, 8), 8))
def test_cauchy_is_the_integral_of_its_slope(r: float, width: Fraction) -> None:
    """The loss is the integral of u / (1 + u^2 / c^2) from 0 to r, by quadrature to 30 digits."""
    c = mpmath.mpf(width.numerator) / width.denominator
    with mpmath.workdps(30):
        area = mpmath.quad(lambda u: u / (1 + u * u / c**2), mpmath.linspace(0, abs(mpmath.mpf(r)), 9))

    assert float(Cauchy(width=width).value(np.array([r]))[0]) == pytest.approx(float(area), rel=1e-12)


@each_residual
def test_constants_are_attained(model: Any) -> None:
    """The longest row alone reaches G, L and nu to a part in 10^9; in fractions none is below the truth."""
    found, largest = problem_of(model).constants, longest(X)
    x = X[[int(np.square(X).sum(axis=1).argmax())]]
    w = x[0] / (x[0] @ x[0])
    shapes = {"huber": (float(Fraction(getattr(model, "delta", 1))) * 2, None)}
    c = float(Fraction(getattr(model, "width", 1)))
    steep, bent = shapes.get(model.name, (c, 3**0.5 * c))

    def alone(residual: float) -> Supervised:
        return Supervised(model, x, np.array([-residual]), Partition.of_sizes([1]))

    slope = np.linalg.norm(alone(steep).gradient(0 * w))
    curve = w @ alone(0.0).hessian_product(0 * w, w) / (w @ w)
    assert found["lipschitz_sample"].kind == found["smoothness_sample"].kind == "certified"
    assert found["lipschitz_sample"].value == pytest.approx(slope, rel=1e-9)
    assert Fraction(found["lipschitz_sample"].value) ** 2 >= model.slope_square * largest
    assert found["smoothness_sample"].value == pytest.approx(curve, rel=1e-9)
    assert Fraction(found["smoothness_sample"].value) >= largest
    convexity = found["weak_convexity"]
    if bent is None:
        assert (convexity.value, convexity.kind) == (0, "exact")
    else:
        assert convexity.kind == "certified"
        assert convexity.value == pytest.approx(
            -w @ alone(bent).hessian_product(0 * w, w) / (w @ w), rel=1e-9
        )
        assert Fraction(convexity.value) >= largest / 8


@pytest.mark.parametrize("model", [*RESIDUALS, *KINKED], ids=repr)
def test_no_loss_is_steeper_or_more_bent_than_said(model: Any) -> None:
    """Between random models losses differ by at most G, and lie above their tangents less nu / 2."""
    problem = problem_of(model)
    g, nu = (float(problem.constants[k].value) for k in ("lipschitz_sample", "weak_convexity"))
    for scale in (0.1, 1, 30):
        a, b = scale * RNG.standard_normal((2, 200, 1, 3))
        for x, y in zip(problem.features, problem.labels, strict=True):
            at = (x[None, None], y[None, None])
            first, second = (model.losses(w, *at)[..., 0, 0] for w in (a, b))
            moved, slopes = (b - a)[:, 0], model.gradients(a, *at)[:, 0]
            length = np.linalg.norm(moved, axis=1)
            assert (np.abs(second - first) <= g * length * (1 + 1e-12)).all()
            tangent = first + (slopes * moved).sum(axis=1)
            assert (second >= tangent - nu / 2 * length**2 - 1e-10 * (1 + length)).all()


def test_losses_with_kinks_by_loops() -> None:
    """max(0, 1 - s w x) and |w x - y|, sample by sample; at the kink the gradient is 0."""
    w = RNG.standard_normal(3)
    hinge = [max(0.0, 1 - (2 * int(y) - 1) * float(x @ w)) for x, y in zip(X, TWO, strict=True)]
    apart = [abs(float(x @ w) - float(y)) for x, y in zip(X, TARGETS, strict=True)]

    assert problem_of(Hinge()).loss(w) == pytest.approx(np.mean(hinge), rel=1e-14)
    assert problem_of(Absolute()).loss(w) == pytest.approx(np.mean(apart), rel=1e-14)
    one = Supervised(Absolute(), np.array([[2.0]]), np.array([6]), Partition.of_sizes([1]))
    assert [float(one.gradient(np.array([v]))[0]) for v in (2.0, 3.0, 4.0)] == [-2, 0, 2]
    margin = Supervised(Hinge(), np.array([[2.0]]), np.array([0]), Partition.of_sizes([1]))
    assert [float(margin.gradient(np.array([v]))[0]) for v in (-1.0, -0.5, 0.0)] == [0, 0, 2]


@pytest.mark.parametrize("model", KINKED, ids=repr)
def test_kinks_have_no_smoothness(model: Any) -> None:
    """No number is given, the Hessian is refused in a line, and solvers and beta that need L say so."""
    problem = problem_of(model)
    for name in ("smoothness_sample", "smoothness"):
        assert problem.constants[name].value is None
        assert "kinks" in problem.constants[name].how
    assert problem.constants["weak_convexity"].value == 0
    refused(InputError, "which has kinks", problem.hessian_product, problem.start(), problem.start())
    refused(InputError, "no certified L", fp.run, "fedavg", problem, rounds=1)
    solver = {"local_solver": "to_suboptimality", "eps": "1e-6", "mu": 1}
    with pytest.raises(InputError, match="a proved smoothness"):
        fp.run("fedprox", problem, rounds=1, **solver)
    assert not fp.run("fedavg", problem, rounds=2, stepsize="0.01", tau=3).diverged
    measured = fp.measure(problem).constants
    assert measured["smoothness"].value is None
    assert measured["lipschitz_sample"].value == problem.constants["lipschitz_sample"].value


def test_squares_have_no_lipschitz_constant() -> None:
    """It is proved that none exists, and said why; a subclass of bounded slope says so itself."""
    known = problem_of(LeastSquares()).constants["lipschitz_sample"]
    beside = problem_of(LeastSquares(), MCP(1)).constants["lipschitz_sample"]

    assert (known.value, known.kind) == (beside.value, beside.kind) == (None, "exact")
    assert "grows without bound" in known.how
    assert (
        fp.measure(problem_of(LeastSquares()), rounds=1, seeds=2).constants["lipschitz_sample"].value is None
    )
    assert problem_of(Cut()).constants["lipschitz_sample"].kind == "certified"


class Cut(LeastSquares):
    """Huber's loss by another way."""

    curvature_bound, slope_square = Fraction(1), Fraction(1)

    def score_gradients(self, z: Array, y: Array) -> Array:
        """The residual, cut at 1."""
        return np.clip(z - y, -1, 1)


def test_rows_of_zeros_have_no_kinks() -> None:
    """Then nothing is proved of L, and G is 0."""
    found = Supervised(Absolute(), np.zeros((2, 3)), TARGETS[:2], Partition.of_sizes([2])).constants

    assert found["smoothness"].kind == "estimate"
    assert found["lipschitz_sample"].value == 0


@each_residual
def test_gradients_in_floats_are_within_their_bound(model: Any) -> None:
    """Against the formula in 60 digits, at models near and far, with and without regularisers."""
    for regulariser in (None, L2("1/3"), Sum(L2(1), Nonconvex(2))):
        problem = problem_of(model, regulariser)
        for scale in (0.01, 1.0, 1e6):
            models, ids = scale * RNG.standard_normal((3, 3)), np.arange(3)
            found, bounds = problem.client_gradients(models, ids), problem.gradient_error(models, ids)
            for n in range(3):
                true = exact_gradient(problem, models[n], n)
                with mpmath.workdps(60):
                    off = mpmath.sqrt(sum((mpmath.mpf(float(a)) - b) ** 2 for a, b in zip(found[n], true)))  # noqa: B905
                assert off <= bounds[n] <= 1e-11 * (1 + scale)


def test_large_residuals_count_in_the_bound() -> None:
    """Targets of 10^5 within a delta of 10^6: products lose more than those of slopes up to 1 could."""
    problem = replace(problem_of(Huber(delta=10**6)), labels=1e5 * TARGETS)
    models, ids = 0.01 * RNG.standard_normal((3, 3)), np.arange(3)
    found, bounds = problem.client_gradients(models, ids), problem.gradient_error(models, ids)
    for n in range(3):
        true = exact_gradient(problem, models[n], n)
        off = float(mpmath.norm([mpmath.mpf(float(a)) - b for a, b in zip(found[n], true, strict=True)]))
        assert 1e-13 < off <= bounds[n] <= 1e-8


def exact_gradient(problem: Supervised, w: Array, n: int) -> list[Any]:
    """The gradient of F_n by the definition, in 60 digits."""
    model: Any = problem.model
    a, b = problem.partition.offsets[n : n + 2]
    with mpmath.workdps(60):
        at = [mpmath.mpf(float(v)) for v in w]
        total = [mpmath.mpf(0)] * len(at)
        for x, y in zip(problem.features[a:b], problem.labels[a:b], strict=True):
            row = [mpmath.mpf(float(v)) for v in x]
            r = sum(u * v for u, v in zip(row, at, strict=True)) - mpmath.mpf(float(y))
            if model.name == "huber":
                end = mpmath.mpf(Fraction(model.delta).numerator) / Fraction(model.delta).denominator
                pull = max(-end, min(end, r))
            else:
                pull = r / (1 + (r / model.width) ** 2)
            total = [t + pull * v / int(b - a) for t, v in zip(total, row, strict=True)]
        if isinstance(problem.regulariser, L2):
            return [t + u / 3 for t, u in zip(total, at, strict=True)]
        if problem.regulariser is not None:
            return [t + u + 4 * u / (1 + u * u) ** 2 for t, u in zip(total, at, strict=True)]
        return total


@each_residual
def test_local_solves_are_certified(model: Any) -> None:
    """to_suboptimality proves every client's accuracy; too small a mu beside nu is refused."""
    problem = problem_of(model)
    solver: dict[str, Any] = {"local_solver": "to_suboptimality", "eps": "1e-10"}
    found = fp.run("fedprox", problem, rounds=3, mu=5, **solver).metrics

    assert found["unsolved"][-1] == 0
    assert found["suboptimality"][-1] <= 1e-10
    if model.name == "cauchy":
        low = problem.constants["weak_convexity"].value / 2
        with pytest.raises(InputError, match="the weak convexity"):
            fp.run("fedprox", problem, rounds=1, mu=low, **solver)


def test_options_of_losses_are_read() -> None:
    """delta and width go through named problems as text; what they cannot be is refused."""
    found: Any = fp.problem("diabetes", clients=4, model="huber", delta="1/2")

    assert found.model == Huber(delta="1/2")
    assert "huber, delta=1/2 on diabetes" in found.name
    assert known_name(found.model) == "huber"
    assert found.kernel_name == "numpy"
    refused(InputError, "numba for huber", lambda: replace(found, kernel="numba").kernel_name)
    for bad in (0, -1, "much", "1e9"):
        refused(InputError, "delta", Huber, 0, bad)
        refused(InputError, "width", Cauchy, 0, bad)
    refused(InputError, "use model=softmax", Hinge, 3)


class Steeper(Logistic):
    """Nine times the logistic loss, with nothing stated."""

    def score_losses(self, z: Array, y: Array) -> Array:
        """Nine times as much."""
        return 9 * super().score_losses(z, y)


class Flatter(Cauchy):
    """Another slope."""

    curvature_bound = Fraction(2)

    def slope(self, r: Array) -> Array:
        """Twice as much."""
        return 2 * super().slope(r)


class Told(Logistic):
    """Nine times the logistic loss, and says so."""

    curvature_bound = Fraction(9, 4)
    slope_square = Fraction(81)

    def score_losses(self, z: Array, y: Array) -> Array:
        """Nine times as much."""
        return 9 * super().score_losses(z, y)


class Named(Softmax):
    """Another way to predict: the loss is as it was."""

    def predictions(self, w: Array, x: Array) -> Array:
        """Always the first."""
        return np.zeros(len(x), dtype=int)


class Square(Hinge):
    """The squared hinge, with nothing stated."""

    def score_losses(self, z: Array, y: Array) -> Array:
        """Squares."""
        return super().score_losses(z, y) ** 2


NAMES = ("smoothness_sample", "smoothness", "lipschitz_sample", "weak_convexity", "least_loss")


@pytest.mark.parametrize("model", [Steeper(), Square()], ids=lambda m: type(m).__name__)
def test_a_subclass_with_another_loss_inherits_no_constant(model: Any) -> None:
    """None is a number, and the reason names the class; measuring it certifies nothing."""
    problem = problem_of(model)
    for name in NAMES:
        assert problem.constants[name].value is None
        assert type(model).__name__ in problem.constants[name].how
    if isinstance(model, Steeper):
        found = fp.measure(problem, rounds=1, seeds=2, effort="0.01").constants
        assert found["smoothness"].kind == found["smoothness_sample"].kind == "estimate"


def test_a_subclass_states_what_it_changes() -> None:
    """What is stated beside the new loss counts; what is stated for the old one only does not."""
    told, flatter = problem_of(Told()).constants, problem_of(Flatter()).constants
    plain, named = problem_of(Logistic()).constants, Supervised(Named(2), X, TWO, CLIENTS).constants

    assert told["smoothness_sample"].value == pytest.approx(9 * plain["smoothness_sample"].value, rel=1e-14)
    assert told["lipschitz_sample"].value == pytest.approx(9 * plain["lipschitz_sample"].value, rel=1e-14)
    assert told["weak_convexity"].value == 0
    assert flatter["smoothness_sample"].kind == "certified"
    assert flatter["weak_convexity"].value is None
    assert flatter["lipschitz_sample"].value is None
    assert {k: c.value for k, c in named.items()} == {
        k: c.value for k, c in Supervised(Softmax(2), X, TWO, CLIENTS).constants.items()
    }
    assert stated(Named(2), "flat") is True


@dataclass(frozen=True)
class Own(Linear):
    """A convex loss of one's own that states a bound alone."""

    classes = 0
    name, outputs = "own", 1
    curvature_bound = Fraction(1)

    def check(self, labels: Array, where: str) -> None:
        """Whatever."""

    def score_losses(self, z: Array, y: Array) -> Array:
        """Half the square."""
        losses: Array = (z[0] - y) ** 2 / 2
        return losses


def test_a_loss_of_ones_own_is_convex_unless_it_says_otherwise() -> None:
    """As `Linear` asks for convex losses; of its slope nothing is known."""
    found = problem_of(Own()).constants
    squares = problem_of(LeastSquares()).constants

    assert found["weak_convexity"].value == 0
    assert found["smoothness"].value == squares["smoothness"].value
    assert found["lipschitz_sample"].value is None


def test_regularisers_of_bounded_slope_add_to_g() -> None:
    """sqrt(d) times their slope, rounded up; the square of l2 leaves none; kinks leave no L."""
    plain = problem_of(Huber()).constants["lipschitz_sample"].value
    for regulariser, slope in ((MCP("0.2"), 0.2), (SCAD("0.2"), 0.2), (Nonconvex(1), 9 / (8 * 3**0.5))):
        found = problem_of(Huber(), regulariser)
        g = found.constants["lipschitz_sample"]
        assert g.kind == "certified"
        assert g.value == pytest.approx(plain + 3**0.5 * slope, rel=1e-12)
        exact = Fraction(plain) ** 2 + 3 * Fraction(regulariser.slope_square)
        assert (Fraction(g.value) ** 2 - exact) ** 2 >= 4 * Fraction(
            plain
        ) ** 2 * 3 * regulariser.slope_square
    both = problem_of(Huber(), Sum(MCP("0.2"), SCAD("0.3"))).constants["lipschitz_sample"].value
    assert both == pytest.approx(plain + 3**0.5 * 0.5, rel=1e-12)
    assert problem_of(Huber(), Sum(MCP("0.2"), L2(1))).constants["lipschitz_sample"].value is None
    bent = problem_of(Huber(), MCP("0.2", gamma=4)).constants
    assert bent["weak_convexity"].value == Fraction(1, 4)
    assert bent["smoothness"].value is None
    assert "kinks" in bent["smoothness"].how


def test_flattening_regularisers_through_named_problems() -> None:
    """mcp, mcp_gamma, scad and scad_a as text; a shape without a weight is refused."""
    found: Any = fp.problem("diabetes", clients=4, mcp="0.1", mcp_gamma="2", l2="1")

    assert found.regulariser == Sum(L2("1"), MCP("0.1", "2"))
    assert found.constants["weak_convexity"].value == 0
    assert fp.problem("diabetes", clients=4, scad="0.1").constants["weak_convexity"].value == Fraction(10, 27)
    assert not fp.run("fedavg", found, rounds=2, stepsize="0.01", tau=2).diverged
    refused(InputError, "add scad=", fp.problem, "diabetes", clients=4, scad_a=3)
    refused(InputError, "mcp_gamma", fp.problem, "diabetes", clients=4, mcp=1, mcp_gamma=0)
