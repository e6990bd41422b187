"""Constants of composite problems: what is proved of F = f + g, by canonical word."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import inf, nextafter
from typing import Any

import numpy as np

from fedproof.problems.composite.duality_gap import solve_linear
from fedproof.problems.composite.penalty import Penalty
from fedproof.problems.composite.sparse_optimum import exact_minimiser
from fedproof.problems.problem import Constant, Problem, Solution, counts_alike
from fedproof.problems.quadratics.exact_linear_algebra import fractions, positive_semidefinite
from fedproof.problems.quadratics.exact_linear_algebra import solve as solve_system
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.spectrum import greatest_below
from fedproof.problems.separable import Separable
from fedproof.problems.supervised.model_options import known_name
from fedproof.problems.supervised.supervised import Supervised

MOST_EXACT = 60
"""Dimension up to which a quadratic is solved in fractions."""
_MOST_SIDE = 512
_CONVEX = ("logistic", "softmax", "least_squares")


def composite_constants(smooth: Problem, penalty: Penalty, solution: Solution | None) -> dict[str, Constant]:
    """What is known of F = f + g and what the theorems of composite ask for, by canonical word.

    The smooth part's constants, with the smoothness of every f_i by its spectrum where that is cheap;
    subgradient_bound, B_g of Assumption 3.1; least_loss, F*; gradient_variance, sigma^2 of Assumption 3.4 at
    every model; loss_strong_convexity, mu_sc of f; pl_constant, the mu of Assumption 3.3.
    """
    known = {k: v for k, v in smooth.constants.items() if k != "least_loss"}
    if isinstance(smooth, Supervised) and (spectral := spectral_smoothness(smooth)) is not None:
        known["smoothness"] = spectral
    known["subgradient_bound"] = penalty.subgradient_bound(smooth.dimension)
    known["gradient_variance"] = gradient_variance(smooth)
    strength = known["loss_strong_convexity"] = strong_convexity(smooth)
    known["pl_constant"] = _pl_constant(strength, known.get("smoothness"), penalty, smooth)
    known["least_loss"] = solution.least_loss if solution is not None else _lower(smooth, penalty)
    return known


def solve(smooth: Problem, penalty: Penalty) -> Solution | None:
    """A minimiser of f + g: exact for quadratics, beside a duality gap for small linear models; else None.

    >>> from fedproof.problems.composite.penalties.l1 import L1
    >>> solve(Quadratic.of([[[2]]], [[-3]], sizes=[1]), L1(1)).model
    array([Fraction(1, 1)], dtype=object)
    """
    form = getattr(penalty, "separable", None)
    if not isinstance(form, Separable):
        return None
    if counts_alike(smooth):
        return None  # what is solved on rows is weighed by size
    if isinstance(smooth, Supervised):
        return solve_linear(smooth, form)
    if not isinstance(smooth, Quadratic) or smooth.dimension > MOST_EXACT:
        return None
    exact = smooth.in_fractions()
    matrix = exact.mean_matrix
    if not positive_semidefinite(matrix):
        return None
    model = exact_minimiser(matrix, exact.mean_slope - matrix @ exact.centre, form)
    if model is None:
        return None
    least = exact.loss(model) + form.value(model)
    return Solution(
        model, Constant(least, "exact", "value where 0 is a subgradient, in fractions"), exact=True
    )


def spectral_smoothness(smooth: Supervised) -> Constant | None:
    """L of every F_n of a linear model: bend lambda_max(X_n^T X_n) / D_n, proved; None for other models.

    It is below the mean of bend |x_i|^2 by up to the factor d.

    >>> from fedproof.problems.supervised.models.logistic import Logistic
    >>> from fedproof.problems.supervised.partition import Partition
    >>> two = Supervised(Logistic(), np.eye(2), np.array([0, 1]), Partition.of_sizes([2]))
    >>> round(spectral_smoothness(two).value, 12), round(two.constants["smoothness"].value, 12)
    (0.125, 0.25)
    """
    offsets = smooth.partition.offsets
    sides = np.minimum(smooth.sizes, smooth.features.shape[1])
    usual = smooth.constants["smoothness"]
    if not known_name(smooth.model) or int(sides.max()) > _MOST_SIDE or usual.value is None:
        return None
    curvature_bound: Fraction = getattr(smooth.model, "curvature_bound")  # of linear models  # noqa: B009
    blocks = (smooth.features[i:j] for i, j in pairwise(offsets))
    largest = Fraction(max(greatest_below(block) for block in blocks)) * curvature_bound
    how = f"max over clients of the largest eigenvalue of X_n^T X_n / D_n, times {curvature_bound}"
    if smooth.regulariser is not None:
        largest += smooth.regulariser.smoothness or 0  # usual.value is None where it has none
        how += f", plus {smooth.regulariser.smoothness}, the largest curvature of {smooth.regulariser.text}"
    value = nextafter(float(largest), inf)
    return usual if value > usual.value else Constant(value, "certified", how)


def strong_convexity(smooth: Problem) -> Constant:
    """mu_sc of the global smooth loss; value None where none is known or f is not strongly convex."""
    if isinstance(smooth, Quadratic):
        return _least_eigenvalue(smooth.in_fractions())
    if isinstance(smooth, Supervised) and known_name(smooth.model) in _CONVEX:
        least = smooth.regulariser.least_curvature if smooth.regulariser is not None else Fraction(0)
        if least > 0:
            return Constant(least, "certified", "the regulariser's least curvature, as the loss is convex")
        if known_name(smooth.model) != "least_squares":
            return Constant(None, "exact", "the loss flattens along every ray: no modulus holds")
    return Constant(None, "estimate", "none is known")


def _least_eigenvalue(exact: Quadratic) -> Constant:
    """The least eigenvalue of the global matrix, from below."""
    none = Constant(None, "exact", "the global matrix has an eigenvalue that is not positive")
    if exact.spectra is not None:
        least = np.mean(exact.spectra.values, axis=0).min()
        return Constant(least, "exact", "eigenvalues by construction") if least > 0 else none
    matrix, eye = exact.mean_matrix, fractions(np.eye(exact.dimension, dtype=int))
    if solve_system(matrix, fractions([0] * exact.dimension)) is None:
        return none
    guess = float(np.linalg.eigvalsh(matrix.astype(float))[0])
    if guess > 0:
        for slack in (10**12, 10**9, 10**6, 2):
            low = Fraction(guess) * (1 - Fraction(1, slack))
            if positive_semidefinite(matrix - low * eye):
                return Constant(low, "certified", "largest shift found semidefinite in exact arithmetic",
                                spread=Fraction(guess) - low)  # fmt: skip
    if positive_semidefinite(matrix) and guess > 0:
        return Constant(None, "estimate", "the global matrix is nearly singular")
    return none


def gradient_variance(smooth: Problem) -> Constant:
    """sigma^2 with E |grad f_i(x; l) - grad f_i(x)|^2 <= sigma^2 for all clients and models, l one sample.

    Exact for quadratics whose clients' samples differ in their slopes alone; certified for logistic and
    softmax; None for other quadratics, whose variance grows with the model.
    """
    if isinstance(smooth, Quadratic):
        exact = smooth.in_fractions()
        owner = np.repeat(np.arange(exact.n_clients), exact.sizes)
        if (exact.matrices != exact.client_matrices[owner]).any():
            return Constant(None, "exact", "a client's samples differ in their matrices: it grows")
        apart = exact.slopes - exact.client_slopes[owner]
        squares = exact._means(np.add.reduce(apart * apart, axis=1))
        how = "a client's samples differ in their slopes alone: the largest mean square"
        return Constant(max(squares), "exact", how)
    if isinstance(smooth, Supervised):
        return _bounded_variance(smooth)
    return Constant(None, "estimate", "none is known")


def _bounded_variance(smooth: Supervised) -> Constant:
    """For gradients c_i v_i, 0 <= c_i <= 1, of logistic regression: about the best multiple of the mean v.

    Whatever m is, the variance is at most the mean of |c_i v_i - m|^2, which is convex in c_i and so at most
    the mean of max(|m|^2, |v_i - m|^2).
    """
    name, offsets, a = known_name(smooth.model), smooth.partition.offsets[:-1], smooth.features
    rounding = 1 + 2.0**-50 * (a.shape[1] + int(smooth.sizes.max()) + 64)
    squares = np.einsum("ij,ij->i", a, a)
    if name == "softmax":
        means = np.add.reduceat(squares, offsets) / smooth.sizes
        how = "max over clients of the mean 2 |x_i|^2, as no gradient is longer"
        return Constant(2 * float(means.max()) * rounding, "certified", how)
    if name != "logistic":
        why = "it grows with the model" if name == "least_squares" else "no bound is known"
        return Constant(None, "estimate", why)
    v = a * np.where(smooth.labels == 1, -1.0, 1.0)[:, None]
    centres = np.add.reduceat(v, offsets, axis=0) / smooth.sizes[:, None]
    best = np.full(smooth.n_clients, inf)
    for share in np.linspace(0, 0.5, 11):
        m = np.repeat(share * centres, smooth.sizes, axis=0)
        one = np.maximum(np.einsum("ij,ij->i", m, m), np.square(v - m).sum(axis=1))
        best = np.minimum(best, np.add.reduceat(one, offsets) / smooth.sizes)
    how = "max over clients of the mean square that samples' gradients, between 0 and x_i, can be apart"
    return Constant(float(best.max()) * rounding, "certified", how)


def _pl_constant(
    strength: Constant, smoothness: Constant | None, penalty: Penalty, smooth: Problem
) -> Constant:
    """mu of the proximal PL inequality, for moduli m of f and rho of g.

    Without rho it is m, with D_g(x, mu) as in Assumption 3.3(2), and so with D_g(x, L). With rho it is of the
    form with D_g(x, L): for y = x + t (x* - x), t = (m + rho) / (L + rho) <= 1, the two moduli give
    <grad f(x), y - x> + (L / 2) |y - x|^2 + g(y) - g(x) <= -t (F(x) - F*), so that mu = L t.
    """
    form = getattr(penalty, "separable", None)
    rho = form.curvature if isinstance(form, Separable) else Fraction(0)
    if (
        rho
        and smoothness
        and smoothness.value is not None
        and (strength.value is not None or _convex(smooth))
    ):
        mu, big = Fraction(strength.value or 0), Fraction(smoothness.value)
        value: Any = big * (mu + rho) / (big + rho)
        curved = "L (mu_sc + rho) / (L + rho), rho the penalty's curvature"
        return Constant(value, "certified", f"with D_g(x, L): {curved}")
    if strength.value is not None:
        return replace(strength, kind="certified", how=f"with D_g(x, mu), mu_sc of f: {strength.how}")
    linear = isinstance(form, Separable) and form == Separable(form.weight) and form.weight > 0
    if linear and isinstance(smooth, Quadratic) and strength.kind == "exact" and _convex(smooth):
        why = "none holds for all models: F grows linearly along a null vector, and |G| is bounded"
        return Constant(None, "exact", why)
    why = "none is known for all models: it fails where F grows linearly along a ray"
    return Constant(None, "estimate", why)


def _convex(smooth: Problem) -> bool:
    bent = smooth.constants.get("weak_convexity")
    if isinstance(smooth, Quadratic):
        return positive_semidefinite(smooth.in_fractions().mean_matrix)
    return bent is not None and bent.value == 0 and bent.kind != "estimate"


def _lower(smooth: Problem, penalty: Penalty) -> Constant:
    """The smooth part's lower bound, as no penalty of ours is negative."""
    least = smooth.constants.get("least_loss")
    if least is None or least.value is None:
        why = least.how if least is not None else "none is known"
        return Constant(None, "estimate", f"no lower bound of F is known; of f: {why}")
    if type(penalty).__module__.startswith("fedproof.problems.composite.penalties."):
        if least.kind == "estimate":
            return Constant(least.value, "estimate", f"that of f, as g >= 0: {least.how}")
        return Constant(least.value, "certified", f"a lower bound, that of f, as g >= 0: {least.how}")
    return Constant(None, "estimate", "no lower bound of the penalty is known")
