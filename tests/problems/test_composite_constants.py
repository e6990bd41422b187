"""Constants of composite problems: minimisers, least losses, moduli and variances, against other routes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from fedproof.problems.catalog import make_problem
from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.duality_gap import enclose, solve_linear
from fedproof.problems.composite.penalties.box import Box
from fedproof.problems.composite.penalties.elastic_net import ElasticNet
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.composite.penalties.none import Zero
from fedproof.problems.composite.penalties.nonnegative import Nonnegative
from fedproof.problems.composite.random_composite import random_smooth_part
from fedproof.problems.composite.sparse_optimum import exact_minimiser
from fedproof.problems.problem import Constant
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.separable import Separable
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2, Nonconvex
from fedproof.problems.supervised.supervised import Supervised

PENALTIES = [L1("1/10"), ElasticNet("1/5", "1/3"), Box("-1/4", "1/3"), Nonnegative(), Zero()]


def split_minimum(problem: Any, weight: float, low: float = -np.inf, high: float = np.inf) -> float:
    """F* by L-BFGS-B on the positive and negative parts of the model, where |x| is linear."""
    d = problem.dimension

    def both(z: Any) -> tuple[float, Any]:
        x = z[:d] - z[d:]
        gradient = problem.gradient(x)
        value = float(problem.loss(x)) + weight * z.sum()
        return value, np.concatenate([gradient + weight, -gradient + weight])

    bounds = [(0, high)] * d + [(0, -low)] * d
    options = {"maxiter": 20000, "maxfun": 200000, "ftol": 1e-16, "gtol": 1e-13, "maxcor": 30}
    found = minimize(both, np.full(2 * d, 0.01), jac=True, bounds=bounds, method="L-BFGS-B", options=options)
    return float(found.fun)


def rows_problem(model: Any, seed: int = 0, **others: Any) -> Supervised:
    """Five clients of rows that are not separable."""
    rng = np.random.default_rng(seed)
    features = rng.standard_normal((60, 6)) + rng.standard_normal((5, 6)).repeat(12, axis=0)
    labels: Any = (features @ rng.standard_normal(6) + rng.standard_normal(60) > 0).astype(np.int64)
    if isinstance(model, LeastSquares):
        labels = labels + rng.standard_normal(60)
    return Supervised(model, features, labels, Partition.of_sizes([12] * 5), **others)


@pytest.mark.parametrize("penalty", PENALTIES, ids=lambda p: p.name)
@pytest.mark.parametrize("seed", range(4))
def test_the_exact_minimiser_is_one(penalty: Any, seed: int) -> None:
    """-grad f(x*) is a subgradient of g at x*, by its definition at many points, in fractions."""
    smooth = random_smooth_part(seed, 3, 4, gap=2)
    problem = Composite(smooth, penalty)
    solution: Any = problem.solution
    assert solution.exact
    x, pull = solution.model, -smooth.gradient(solution.model)
    rng = np.random.default_rng(seed)
    points = [fractions(np.round(64 * rng.standard_normal(4)).astype(int)) / Fraction(64) for _ in range(100)]
    points += [x + Fraction(1, 10**6) * (y - x) for y in points]
    points = [penalty.prox(y, Fraction(1, 100)) for y in points]

    assert all(penalty.value(y) >= penalty.value(x) + pull @ (y - x) for y in points)
    assert solution.least_loss.value == smooth.loss(x) + penalty.value(x)
    # strong convexity: F grows by mu / 2 at least, which a wrong minimiser breaks on one side
    mu = problem.constants["loss_strong_convexity"].value
    assert all(problem.loss(y) >= solution.least_loss.value + mu / 2 * ((y - x) @ (y - x)) for y in points)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weight", ["1/1000", "1/3"])
def test_the_exact_least_loss_by_another_solver(seed: int, weight: str) -> None:
    """L-BFGS-B on split variables reaches the exact F* to 1e-9 and never goes below it."""
    smooth = random_smooth_part(seed, 4, 6, gap=3)
    exact: Any = Composite(smooth, L1(weight)).solution
    other = split_minimum(smooth.as_float(), float(Fraction(weight)))

    assert -1e-12 <= other - float(exact.least_loss.value) <= 1e-9


def test_a_degenerate_optimum_is_found() -> None:
    """Where a zero entry's gradient is the weight exactly, the minimiser is found and proved still."""
    x: Any = exact_minimiser(fractions([[2, 1], [1, 2]]), fractions([-1, "-1/2"]), Separable(Fraction(1, 2)))

    assert x.tolist() == [Fraction(1, 4), Fraction(0)] or (2 * x[0] + x[1] - 1 + Fraction(1, 2)) == 0


@pytest.mark.parametrize(("form", "pull", "expected"), [
    (Separable(Fraction(1)), 1 + Fraction(1, 10**30), Fraction(1, 10**30)),
    (Separable(Fraction(1)), -1 - Fraction(1, 10**30), -Fraction(1, 10**30)),
    (Separable(Fraction(1)), 1 - Fraction(1, 10**30), Fraction(0)),
    (Separable(high=Fraction(1)), 1 - Fraction(1, 10**30), 1 - Fraction(1, 10**30)),
    (Separable(low=Fraction(0)), Fraction(1, 10**30) - Fraction(2, 10**30), Fraction(0)),
])  # fmt: skip
def test_what_floats_cannot_tell_is_decided(form: Separable, pull: Fraction, expected: Fraction) -> None:
    """An optimum that lies on another piece than its rounding is found: the condition is decided exactly."""
    x: Any = exact_minimiser(fractions([[1, 0], [0, 1]]), np.array([-pull, Fraction(-3)], dtype=object), form)

    assert x[0] == expected


def test_a_singular_matrix_has_a_minimiser_still() -> None:
    """With l1 and a matrix of rank one F* is exact, and equals that of the problem in one variable."""
    ones = fractions([[1, 1], [1, 1]])
    x: Any = exact_minimiser(ones, fractions([-2, -2]), Separable(Fraction(1)))

    assert x.sum() == 1  # min (s - 2)^2 / 2 + |s| is at s = 1


def test_a_matrix_that_is_not_convex_is_not_solved() -> None:
    """Without convexity the condition is not sufficient: no minimiser is claimed."""
    saddle = Quadratic.of([[[1, 0], [0, -1]]], [[1, 1]], sizes=[1])

    assert Composite(saddle, Box(-1, 1)).solution is None
    assert Composite(saddle, Box(-1, 1)).constants["least_loss"].value is None


@pytest.mark.parametrize("kind", ["exact", "certified", "estimate"])
def test_a_lower_bound_is_no_surer_than_that_of_the_smooth_part(kind: str) -> None:
    """Where F is not solved, f's least loss is a proved bound only where it was itself proved."""
    saddle = Quadratic.of([[[1, 0], [0, -1]]], [[1, 1]], sizes=[1])
    saddle.__dict__["constants"] = dict(saddle.constants) | {"least_loss": Constant(-7, kind, "given")}
    found = Composite(saddle, Box(-1, 1)).constants["least_loss"]

    assert found.value == -7
    assert found.kind == ("estimate" if kind == "estimate" else "certified")


def test_a_form_with_numbers_of_its_own_in_every_entry() -> None:
    """Arrays of weights, curvatures and ends do in every entry what plain numbers do in one."""
    rng = np.random.default_rng(3)
    weight, curvature, low, high = rng.random((4, 5)) * [[1], [1], [-1], [1]]
    weight[0], curvature[1], low[2], high[3] = 0, 0, -np.inf, np.inf
    x = 3 * rng.standard_normal((7, 5))
    wide = Separable(weight, curvature, low, high)
    ends = [(None if e == -np.inf else e, None if f == np.inf else f) for e, f in zip(low, high, strict=True)]
    alone = [Separable(weight[j], curvature[j], *ends[j]) for j in range(5)]

    assert (wide.prox(x, 0.7) == np.stack([alone[j].prox(x[:, j], 0.7) for j in range(5)], axis=1)).all()
    inside = wide.prox(x, 0.7)
    parts = [alone[j].value(inside[:, j : j + 1]) for j in range(5)]
    assert wide.value(inside) == pytest.approx(sum(parts), rel=1e-12)
    assert np.isinf(wide.value(x)).any()


@pytest.mark.parametrize("model", [Logistic(), LeastSquares()], ids=lambda m: m.name)
@pytest.mark.parametrize("seed", range(3))
def test_the_enclosure_holds_what_another_solver_finds(model: Any, seed: int) -> None:
    """F* by L-BFGS-B lies within 1e-9 above the lower end, and the enclosure is at most 1e-12 wide."""
    smooth = rows_problem(model, seed)
    found: Any = solve_linear(smooth, L1("1/50").separable)
    low, spread = found.least_loss.value, found.least_loss.spread
    other = split_minimum(smooth, 0.02)

    assert low - 1e-13 <= other <= low + 1e-9
    assert 0 < spread <= 1e-12


@pytest.mark.parametrize("penalty", [ElasticNet("1/50", "1/10"), Box("-1/10", "1/10")], ids=lambda p: p.name)
def test_enclosures_beside_other_penalties(penalty: Any) -> None:
    """No model of the penalty's domain goes below the lower end, and the solution's own F is in it."""
    smooth = rows_problem(Logistic())
    problem = Composite(smooth, penalty)
    found: Any = problem.solution
    low = found.least_loss.value
    rng = np.random.default_rng(1)
    near = penalty.prox(found.model + 1e-3 * rng.standard_normal((200, 6)), 1e-9)

    assert min(problem.loss(x) for x in near) >= low
    assert problem.loss(found.model) <= low + found.least_loss.spread + 1e-15
    assert found.least_loss.spread < 1e-12


@pytest.mark.parametrize("model", [Logistic(), LeastSquares()], ids=lambda m: m.name)
def test_every_model_encloses_the_same_value(model: Any) -> None:
    """Weak duality: ends from far models hold the narrow enclosure too, so that no end is made up."""
    smooth, form = rows_problem(model), L1("1/50").separable
    found: Any = solve_linear(smooth, form)
    narrow = found.least_loss.value
    rng = np.random.default_rng(2)
    for size in (1e-8, 1e-4, 1e-2, 1.0):
        ends = enclose(smooth, form, found.model + size * rng.standard_normal(6))
        assert ends.low <= narrow + found.least_loss.spread
        assert ends.high >= narrow
        assert ends.high - ends.low > 0


def test_a_regulariser_joins_the_penalty() -> None:
    """F* of logistic regression with L2 beside l1 is that with an elastic net, to the enclosures' widths."""
    one: Any = Composite(rows_problem(Logistic(), regulariser=L2("1/10")), L1("1/50")).solution
    two: Any = Composite(rows_problem(Logistic()), ElasticNet("1/50", "1/10")).solution

    assert abs(one.least_loss.value - two.least_loss.value) <= one.least_loss.spread + two.least_loss.spread
    assert Composite(rows_problem(Logistic(), regulariser=Nonconvex(1)), L1(1)).solution is None


def test_what_is_not_solved_has_a_lower_bound() -> None:
    """Logistic regression on x >= 0 has no certificate here: F* is bounded by 0, certified."""
    least = Composite(rows_problem(Logistic()), Nonnegative()).constants["least_loss"]

    assert (least.value, least.kind) == (0, "certified")


@pytest.mark.parametrize("seed", range(3))
def test_spectral_smoothness_holds_and_is_tight(seed: int) -> None:
    """Every client's Hessian is below the proved L everywhere tried, and at w = 0 one reaches it."""
    smooth = rows_problem(Logistic(), seed)
    big = Composite(smooth, L1(1)).constants["smoothness"].value
    clients, rng = np.arange(5), np.random.default_rng(seed)
    tops = []
    for w in [np.zeros(6), *rng.standard_normal((20, 6))]:
        eye = np.eye(6)[:, None].repeat(5, axis=1)
        hessians = smooth.hessian_products(np.repeat(w[None], 5, axis=0), eye, clients)
        tops.append(np.linalg.eigvalsh(hessians.transpose(1, 0, 2)).max())

    assert max(tops) <= big <= tops[0] * (1 + 1e-9)
    assert big < smooth.constants["smoothness"].value


@pytest.mark.parametrize("seed", range(3))
def test_noise_of_a_quadratic_is_what_is_said(seed: int) -> None:
    """Each client's samples deviate by noise^2 in the mean, by enumeration in fractions."""
    smooth = random_smooth_part(seed, 3, 4, samples=6, noise="3/4")
    known = Composite(smooth, L1(1)).constants["gradient_variance"].value
    rng = np.random.default_rng(seed)
    model = fractions(rng.integers(-9, 9, 4))
    models = np.repeat(model[None], 3, axis=0)
    clients = np.arange(3)
    mean = smooth.client_gradients(models, clients)
    total = fractions([0, 0, 0])
    for s in range(6):
        apart = smooth.sample_gradients(models, clients, np.full((3, 1), s)) - mean
        total = total + (apart * apart).sum(axis=1)

    assert (total / Fraction(6) == Fraction(9, 16)).all()
    assert known == Fraction(9, 16)


def test_noise_that_grows_has_no_bound() -> None:
    """Samples of unlike matrices: no sigma^2 is claimed for all models; of one sample it is 0."""
    unlike = Quadratic.of([[[1]], [[2]]], [[0], [0]], sizes=[2])

    assert Composite(unlike, L1(1)).constants["gradient_variance"].value is None
    assert Composite(random_smooth_part(0, samples=1), L1(1)).constants["gradient_variance"].value == 0


@pytest.mark.parametrize("seed", range(4))
def test_the_bound_on_sampling_noise_holds(seed: int) -> None:
    """The variance of sampled logistic gradients, enumerated at far and near models, is below the bound."""
    smooth = rows_problem(Logistic(), seed)
    bound = Composite(smooth, L1(1)).constants["gradient_variance"].value
    rng = np.random.default_rng(seed)
    most = 0.0
    for size in (0.0, 1.0, 10.0, 1000.0):
        w = np.repeat(size * rng.standard_normal(6)[None], 60, axis=0)
        owner, sample = np.repeat(np.arange(5), 12), np.tile(np.arange(12), 5)[:, None]
        each = smooth.sample_gradients(w, owner, sample).reshape(5, 12, 6)
        apart = np.square(each - each.mean(axis=1, keepdims=True)).sum(axis=2)
        most = max(most, float(apart.mean(axis=1).max()))

    assert most <= bound
    assert bound <= 4 * most  # and is of the right size


@pytest.mark.parametrize("penalty", PENALTIES[:3], ids=lambda p: p.name)
def test_the_proximal_pl_inequality_holds(penalty: Any) -> None:
    """-L min_y <grad f, y - x> + L/2 |y - x|^2 + g(y) - g(x) >= mu (F(x) - F*), in fractions, at many x."""
    problem = Composite(random_smooth_part(3, 3, 4, gap=2), penalty)
    smooth, known = problem.smooth, problem.constants
    big, mu, least = (known[k].value for k in ("smoothness", "pl_constant", "least_loss"))
    rng = np.random.default_rng(0)
    for size in (64, 1024, 10):
        for _ in range(40):
            x = penalty.prox(fractions(rng.integers(-size, size, 4)) / Fraction(64), Fraction(1, 100))
            y = penalty.prox(x - smooth.gradient(x) / big, 1 / big)
            step = y - x
            model = smooth.gradient(x) @ step + big / 2 * (step @ step) + penalty.value(y) - penalty.value(x)
            gap = problem.loss(x) - least
            assert -big * model >= mu * gap
    assert mu > 0


def test_a_planted_pl_constant_is_refuted() -> None:
    """One dimension, g = 0: |grad f|^2 / 2 is mu (f - f*) at every x, so that a larger mu is false."""
    problem = Composite(random_smooth_part(0, 3, 1), Zero())
    gradient = problem.gradient(fractions([5]))
    gap = problem.loss(fractions([5])) - problem.constants["least_loss"].value

    assert gradient @ gradient / 2 == problem.constants["pl_constant"].value * gap
    assert gap > 0


@pytest.mark.parametrize("name", ["composite_quadratic", "sparse_logistic"])
def test_named_problems_have_what_the_theorems_ask(name: str) -> None:
    """L, sigma^2, B_g and F* have values, F* below the start, and equal sizes make the weights 1/n."""
    problem: Any = make_problem(name, 6, 1)
    known = problem.constants
    wanted = ("smoothness", "gradient_variance", "subgradient_bound", "least_loss")

    assert all(known[word].value is not None for word in wanted)
    assert {known[word].kind for word in wanted} <= {"exact", "certified"}
    assert known["least_loss"].value < problem.loss(problem.start())
    assert len(set(problem.sizes.tolist())) == 1


def test_features_are_scaled_as_asked() -> None:
    """smoothness is L of the theorems to a part in 10^6, below; rows have length 1; columns deviation 1."""
    for wanted in ("1", "1/6000"):
        made: Any = make_problem("sparse_logistic", 4, 0, {"smoothness": wanted, "samples": 30})
        found = Fraction(made.constants["smoothness"].value)
        assert Fraction(wanted) * (1 - Fraction(1, 10**6)) <= found <= Fraction(wanted)
    rows: Any = make_problem("sparse_logistic", 4, 0, {"smoothness": "none", "feature_scale": "rows"})
    assert np.allclose(np.linalg.norm(rows.smooth.features, axis=1), 1, rtol=1e-12)
    columns: Any = make_problem("sparse_logistic", 4, 0, {"smoothness": "none", "feature_scale": "standard"})
    assert np.allclose(columns.smooth.features.std(axis=0), 1, rtol=1e-12)


def test_rows_of_a_client_do_not_depend_on_the_others() -> None:
    """Client k's rows are the same whatever the number of clients; every value is on the grid."""
    few: Any = make_problem("sparse_logistic", 3, 5, {"smoothness": "none"})
    more: Any = make_problem("sparse_logistic", 7, 5, {"smoothness": "none"})

    assert (few.smooth.features == more.smooth.features[:300]).all()
    assert (few.smooth.labels == more.smooth.labels[:300]).all()
    assert (np.rint(few.smooth.features * 2**14) == few.smooth.features * 2**14).all()
