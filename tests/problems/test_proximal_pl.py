"""The proximal PL inequality for l1 least squares with a singular matrix: on a box, and not beyond."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp

from fedproof.problems.catalog import make_problem
from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.composite.penalties.l2_squared import SquaredL2
from fedproof.problems.composite.proximal_pl import pl_on_box, pl_on_sublevel_set, sublevel_radius
from fedproof.problems.composite.random_composite import random_smooth_part
from fedproof.problems.quadratics.exact_linear_algebra import fractions, positive_semidefinite
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.vocabulary.errors import DataError, InputError
from tests.refusals import refused


def exact_lasso(seed: int, **options: Any) -> Composite:
    """The named problem in fractions."""
    made: Any = make_problem("lasso", 5, seed, {"dimension": 5, **options})
    return Composite(made.smooth.in_fractions(), made.penalty)


def ratio(problem: Any, x: Any) -> Fraction:
    """-L min_y Q(y) / (F(x) - F*): the largest mu that the inequality allows at x, in fractions."""
    big = Fraction(problem.constants["smoothness"].value)
    gradient = problem.gradient(x)
    y = problem.penalty.prox(x - gradient / big, 1 / big)
    step = y - x
    model = gradient @ step + big / 2 * (step @ step) + problem.penalty.value(y) - problem.penalty.value(x)
    gap = problem.loss(x) - problem.solution.least_loss.value
    found: Fraction = -big * model / gap
    return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("radius", [4, 40])
def test_it_holds_on_the_box(seed: int, radius: int) -> None:
    """At random models, at corners and near the minimiser no ratio is below mu, in fractions."""
    problem: Any = exact_lasso(seed)
    known = pl_on_box(problem, radius)
    rng = np.random.default_rng(seed)
    best = problem.solution.model
    far = fractions(rng.integers(-radius * 64, radius * 64 + 1, (40, 5))) / Fraction(64)
    corners = fractions(rng.choice([-radius, radius], (20, 5)))
    axes = np.concatenate([best + radius * v for v in (fractions(np.eye(5, dtype=int)) / Fraction(2),)])
    near = best + fractions(rng.integers(-9, 10, (20, 5))) / Fraction(10**6)
    inside = [x for x in (*far, *corners, *axes, *near) if (abs(x) <= radius).all() and (x != best).any()]

    assert len(inside) > 60
    assert known.kind == "certified"
    assert min(ratio(problem, x) for x in inside) >= known.value > 0


@pytest.mark.parametrize("seed", range(4))
def test_it_fails_beyond(seed: int) -> None:
    """Along a null vector the ratio falls below any mu: the constant of the box is refuted outside it."""
    problem: Any = exact_lasso(seed)
    matrix = problem.smooth.mean_matrix
    null = fractions([str(v) for v in sp.Matrix(matrix.tolist()).nullspace()[0]])
    known = pl_on_box(problem, 4).value
    ratios = [ratio(problem, problem.solution.model + Fraction(10) ** k * null) for k in (1, 3, 6, 9)]

    assert not (matrix @ null).any()
    assert ratios == sorted(ratios, reverse=True)
    assert ratios[-1] < known
    assert ratios[-1] < Fraction(1, 10**6)
    assert (problem.constants["pl_constant"].value, problem.constants["pl_constant"].kind) == (None, "exact")


def test_by_hand() -> None:
    """Two entries, the second free of curvature: its own least ratio, on |x_2| <= r, is w / (2 r)."""
    lasso: Any = Composite(Quadratic.of([[[1, 0], [0, 0]]], [[-3, 0]], sizes=[1]), L1(1))

    assert ratio(lasso, fractions([2, 10])) == Fraction(1, 20)
    assert Fraction(1, 40) < pl_on_box(lasso, 10).value <= Fraction(1, 20)


def test_without_forced_entries_it_is_strong_convexity() -> None:
    """With a regular matrix and a small weight it comes near mu_sc, which holds everywhere."""
    problem = Composite(random_smooth_part(1, 3, 4, gap=0), L1("1/10000"))
    found, whole = pl_on_box(problem, 100).value, problem.constants["pl_constant"].value

    assert Fraction(9, 10) * whole < found <= whole


def test_a_sublevel_set_lies_in_its_box() -> None:
    """Models whose F is at most the level have entries below the radius; a lower level has a larger mu."""
    problem: Any = exact_lasso(0)
    rng = np.random.default_rng(0)
    tried = fractions(rng.integers(-640, 640, (100, 5))) / Fraction(64)
    level = sorted(problem.loss(x) for x in tried)[20]
    radius = sublevel_radius(problem, level)
    inside = [x for x in tried if problem.loss(x) <= level]

    assert inside
    assert all(abs(x).sum() <= radius for x in inside)
    assert pl_on_sublevel_set(problem, level).value == pl_on_box(problem, radius).value
    assert pl_on_sublevel_set(problem).value > pl_on_sublevel_set(problem, level).value


def test_the_matrix_is_singular_and_the_data_whole() -> None:
    """The named problem: rank as asked, L at most 1, F* exact and a minimiser by its condition."""
    problem: Any = exact_lasso(3, rank=3)
    matrix = problem.smooth.mean_matrix

    assert np.linalg.matrix_rank(matrix.astype(float)) == 3
    assert positive_semidefinite(matrix)
    assert problem.constants["smoothness"].value <= 1
    assert problem.constants["loss_strong_convexity"].value is None
    pull = -problem.gradient(problem.solution.model)
    weight = problem.penalty.exact
    for x, v in zip(problem.solution.model, pull, strict=True):
        assert v == weight * (1 if x > 0 else -1) if x else abs(v) <= weight


def test_a_regular_matrix_has_a_constant_for_all_models() -> None:
    """Full rank: mu_sc is certified, and serves as mu."""
    known = exact_lasso(0, rank=5, samples=8).constants

    assert known["loss_strong_convexity"].kind == "certified"
    assert known["pl_constant"].value == known["loss_strong_convexity"].value > 0


def test_other_problems_are_refused() -> None:
    """Not l1, not a quadratic, no positive radius, a box without the minimiser: one line each."""
    smooth = random_smooth_part(0)
    logistic: Any = make_problem("sparse_logistic", 3)
    for problem in (Composite(smooth, SquaredL2(1)), logistic, smooth):
        refused(InputError, "a quadratic plus l1", pl_on_box, problem, 1)  # type: ignore[arg-type]
    for radius in (0, [1, 2], "1/10000"):
        refused(InputError, "radius", pl_on_box, Composite(smooth, L1("1/1000")), radius)
    with pytest.raises(InputError, match="convex smooth part"):
        pl_on_box(Composite(Quadratic.of([[[-1]]], [[0]], sizes=[1]), L1(1)), 1)


def test_too_large_and_too_high_are_refused() -> None:
    """A rank above d, and more than fractions can do in seconds."""
    refused(InputError, "rank: got 9, expected at most dimension=8", make_problem, "lasso", 3, 0, {"rank": 9})
    refused(DataError, "use fewer samples", make_problem, "lasso", 100, 0, {"dimension": 30, "samples": 100})
    with pytest.raises(DataError, match="use fewer samples or a smaller dimension"):
        make_problem("composite_quadratic", 100, 0, {"dimension": 50, "samples": 100})
