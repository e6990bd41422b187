"""The proximal PL inequality for l1 least squares with a singular matrix, on a set where it holds.

Globally it fails for every mu > 0: along a null vector of the matrix F grows linearly, and the prox-gradient
mapping stays bounded. On a box it holds with L in D_g(x, L), the form of Karimi, Nutini and Schmidt (2016),
which is what composite.theorem3.6.sharpened and composite.exact.pl ask for, at the server's models; the
form with D_g(x, mu) asks for more. With full gradients the server's models stay where F is at most F* +
Omega^1 (composite.exact.level), so that `pl_on_sublevel_set` at that level gives their mu. The steps
composite.prox_pl.box.* prove what follows. Let f be a convex quadratic of matrix A, g = w |.|_1, x* a
minimiser, c = grad f(x*), N the entries with |c_j| < w (there x*_j = 0), d = x - x*, gap = F(x) - F*. Then

    gap = d A d / 2 + l,  l = sum_j (w |x_j| - w |x*_j| + c_j d_j),

where each term is >= 0, as -c is a subgradient at x*, and l >= d G d with G = diag((w - |c_j|) / r_j on N,
else 0) where |x_j| <= r_j on N. The inequality's model

    Q(y) = <grad f(x), y - x> + (L / 2) |y - x|^2 + g(y) - g(x)

at y = x - t d, 0 <= t <= 1, is at most -t (gap + d A d / 2) + (L / 2) t^2 |d|^2, as g is convex and f
quadratic. Let 0 < s < 1 and k be the least eigenvalue of (1 + s) A + 2 s G. Then s gap + d A d / 2 >= k
|d|^2 / 2, and t = min(k / L, 1) gives min Q <= -t (1 - s) gap. So the inequality holds with mu = (1 - s)
min(k, L), which is positive if A is regular on the entries outside N. Without N and for s near 0 this is the
least eigenvalue of A.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from fedproof.problems.composite.composite import Composite
from fedproof.problems.problem import Array, Constant
from fedproof.problems.quadratics.exact_linear_algebra import fractions, positive_semidefinite
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value

_SHARES = tuple(Fraction(k, 64) for k in (1, 2, 4, 8, 12, 16, 24, 32, 40, 48))
_SLACK = Fraction(1, 10**9)


def pl_on_box(problem: Composite, radius: Any | Sequence[Any]) -> Constant:
    """mu of the proximal PL inequality, L in D_g, where |x_j| <= radius for every forced x*_j = 0.

    composite, Assumption 3.3; the proof is this module's.

    Arguments:
        problem: a convex quadratic plus l1.
        radius: a number > 0, or one for each entry, length.

    Returns: certified; value None where the matrix is singular on the entries that are not forced to 0.
    Raises: InputError for other problems.

    >>> from fedproof.problems.composite.penalties.l1 import L1
    >>> lasso = Composite(Quadratic.of([[[1, 0], [0, 0]]], [[-3, 0]], sizes=[1]), L1(1))
    >>> known = [pl_on_box(lasso, radius).value for radius in (2, 10)]
    >>> known[0] > known[1] > 0
    True
    """
    exact, weight = _parts(problem)
    solution = problem.solution
    if solution is None or not solution.exact:
        return Constant(None, "estimate", "the minimiser is not known exactly")
    matrix, d = exact.mean_matrix, exact.dimension
    pull = exact.gradient(solution.model)
    reach = _radii(radius, d)
    if (abs(solution.model) > reach).any():
        raise InputError("radius", radius, "a box that holds the minimiser")
    slack = np.array([weight - abs(c) for c in pull], dtype=object)
    growth = np.diag([v / r if v > 0 else Fraction(0) for v, r in zip(slack, reach, strict=True)])
    best = max(_modulus(matrix, growth, problem, share) for share in _SHARES)
    if best <= 0:
        return Constant(None, "estimate", "the matrix is singular on the entries that are not forced to 0")
    forced = int((slack > 0).sum())
    how = f"by growth in {d - forced} entries and {forced} forced to 0"
    return Constant(best, "certified", f"with D_g(x, L), on a box around the minimiser, {how}")


def sublevel_radius(problem: Composite, level: Any) -> Fraction:
    """A number that |x|_1, and so every entry, stays below where F(x) <= level: (level - inf f) / weight.

    Raises: InputError for other problems than a convex quadratic plus l1 whose f is bounded below.
    """
    exact, weight = _parts(problem)
    least = exact.constants["least_loss"].value
    if least is None:
        raise InputError("problem", "a smooth part that is unbounded below", "one with a least value")
    radius: Fraction = (Fraction(level) - least) / weight
    return radius


def pl_on_sublevel_set(problem: Composite, level: Any = None) -> Constant:
    """mu of the proximal PL inequality, L in D_g, for all models with F(x) <= level: F(start) by default.

    >>> from fedproof.problems.composite.penalties.l1 import L1
    >>> lasso = Composite(Quadratic.of([[[1, 0], [0, 0]]], [[-3, 0]], sizes=[1]), L1(1))
    >>> pl_on_sublevel_set(lasso).kind
    'certified'
    """
    exact, _ = _parts(problem)
    if level is None:
        start = exact.start()
        level = exact.loss(start) + problem.penalty.value(start)
    return pl_on_box(problem, sublevel_radius(problem, level))


def _parts(problem: Composite) -> tuple[Quadratic, Fraction]:
    """The quadratic in fractions and the weight of l1."""
    smooth = getattr(problem, "smooth", None)
    form = getattr(getattr(problem, "penalty", None), "separable", None)
    plain = form is not None and form.low is None and form.high is None and not form.curvature
    if not isinstance(smooth, Quadratic) or form is None or not plain or not form.weight:
        raise InputError("problem", getattr(problem, "name", problem), "a quadratic plus l1 of weight > 0")
    exact = smooth.in_fractions()
    if not positive_semidefinite(exact.mean_matrix):
        raise InputError("problem", problem.name, "a convex smooth part")
    return exact, form.weight


def _radii(radius: Any, dimension: int) -> Array:
    """One radius for each entry."""
    given = [radius] * dimension if np.ndim(radius) == 0 else list(radius)
    read = fractions([v if isinstance(v, Fraction) else parse_value(v, "radius") for v in given])
    if len(read) != dimension or not all(v > 0 for v in read):
        raise InputError("radius", radius, f"a number > 0, or {dimension} of them")
    return read


def _modulus(matrix: Array, growth: Array, problem: Composite, share: Fraction) -> Fraction:
    """(1 - s) min(k, L) for a proved k; 0 where none is found."""
    whole = (1 + share) * matrix + 2 * share * growth
    guess = float(np.linalg.eigvalsh(whole.astype(float))[0])
    if guess <= 0:
        return Fraction(0)
    least = Fraction(guess) * (1 - _SLACK)
    if not positive_semidefinite(whole - least * fractions(np.eye(len(matrix), dtype=int))):
        return Fraction(0)
    big = Fraction(problem.constants["smoothness"].value)
    return (1 - share) * min(least, big)
