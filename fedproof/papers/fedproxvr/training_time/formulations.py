"""The training-time problem as printed and as sharpened: all that a solver needs to know of either."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import sympy as sp

from fedproof.papers.fedproxvr.notation import a, beta, tau
from fedproof.papers.fedproxvr.proofs import convexity, sharp_convexity
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.papers.fedproxvr.statements import sharp_formulas as g

Estimator = Literal["sarah", "svrg"]


@dataclass(frozen=True, eq=False)
class Formulation:
    """The formulas of one form of the problem, and what is proved of them.

    Arguments:
        theta: the least theta for given parameters.
        factor: Theta.
        inside: a point is admissible where these are positive and beta is not below the least.
        least: the least beta that the upper bound on tau allows, by estimator.
        free: the beta that is best where it may be larger; None where the least is always best, and the
            objective with it is then log-convex in (mu - lam, tau).
        scale: the function of beta in whose log the objective is convex.
        least_margin, least_tau: no admissible point has a smaller mu - lam or tau.
        most_beta: nor one a larger beta L, given mu - lam and tau; None where `free` is.
        closed: whether `least_margin` is itself admissible.
    """

    theta: sp.Expr
    factor: sp.Expr
    inside: tuple[sp.Expr, ...]
    least: Callable[[Estimator], sp.Expr]
    free: sp.Expr | None
    scale: sp.Expr
    least_margin: sp.Expr
    least_tau: sp.Expr
    most_beta: sp.Expr | None
    closed: bool


def _quadratic(equation: sp.Expr, unknown: sp.Symbol) -> tuple[sp.Expr, sp.Expr]:
    """h and k of x^2 - 2 h x - k = 0."""
    two, one, zero = sp.Poly(sp.numer(sp.cancel(equation.doit())), unknown).all_coeffs()
    return sp.cancel(-one / (2 * two)), sp.cancel(-zero / two)


def _largest_root(equation: sp.Expr, unknown: sp.Symbol) -> sp.Expr:
    """The largest root, without cancellation where the sum of the roots is positive."""
    half, product = _quadratic(equation, unknown)
    return half + sp.sqrt(half**2 + product)


def _positive_root(equation: sp.Expr, unknown: sp.Symbol) -> sp.Expr:
    """The same, without cancellation where the sum of the roots is negative."""
    half, product = _quadratic(equation, unknown)
    return product / (sp.sqrt(half**2 + product) - half)


def _printed_least(estimator: Estimator) -> sp.Expr:
    """The root of (13) or (14), right, in beta.

    >>> _printed_least("sarah")
    sqrt(8*tau/5 + 4/25) + 2/5
    """
    if estimator == "sarah":
        return _largest_root(f.SARAH_UPPER - tau, beta)
    return _largest_root(f.SVRG_UPPER - tau, beta).xreplace({a: f.SVRG_BEST_A})


def _sharpened_least(estimator: Estimator) -> sp.Expr:
    """The root in beta - 1 of the sharpened (13) or (14), right, at the least theta.

    >>> from fedproof.algebra.expressions import compile_numpy
    >>> float(compile_numpy(_sharpened_least("sarah"), ("L", "mu", "tau"))(1.0, 1.0, 3.0))
    2.0
    """
    above = sp.Symbol("above", real=True)
    room = {"sarah": g.SARAH_UPPER - tau, "svrg": g.SVRG_REACH - (tau + 1)}[estimator]
    return 1 + _positive_root(room.doit().subs(beta, 1 + above), above)


PRINTED = Formulation(
    theta=f.THETA_LEAST,
    factor=f.FACTOR,
    inside=(f.DESCENT, beta - 3),
    least=_printed_least,
    free=_largest_root(sp.diff(f.LOWER.doit(), beta), beta),
    scale=f.SARAH_UPPER,
    least_margin=convexity.MARGIN_ABOVE.claim.rhs,
    least_tau=convexity.TAU_ABOVE.claim.rhs,
    most_beta=convexity.BETA_BELOW.claim.rhs,
    closed=False,
)
SHARPENED = Formulation(
    theta=g.THETA_MATCHED,
    factor=sharp_convexity.FACTOR_OF_PROGRESS.subs(sharp_convexity.p, sharp_convexity.PROGRESS.doit()),
    inside=(sharp_convexity.LEFT, g.SHORT.gts - g.SHORT.lts),
    least=_sharpened_least,
    free=None,
    scale=sharp_convexity.SCALE,
    least_margin=sharp_convexity.SHORT_SET.claim.rhs,
    least_tau=sharp_convexity.TAU_ABOVE.claim.rhs,
    most_beta=None,
    closed=True,
)
#: the closed chain itself, theta the least that the sharpened Lemma 1 allows: not convex in log tau
SHARPENED_CHAIN = replace(SHARPENED, theta=g.THETA_LEAST, least_tau=sp.Rational(1, 100))


def limit_theta(form: Formulation, estimator: Estimator) -> sp.Expr:
    """What the least theta decreases to as tau grows and the least beta with it.

    With r = lim beta/tau, theta^2 tends to 3 L r/mt as printed and to L r/mt sharpened.

    >>> limit_theta(PRINTED, "sarah"), limit_theta(PRINTED, "svrg")
    (0, sqrt(24*sqrt(10)*L/(5*mt)))
    >>> limit_theta(SHARPENED, "sarah"), limit_theta(SHARPENED, "svrg")
    (0, 0)
    """
    ratio = sp.Symbol("ratio", nonnegative=True)
    square = sp.limit((form.theta.doit() ** 2).subs(tau, beta / ratio), beta, sp.oo)
    growth = sp.limit(form.least(estimator).doit() / tau, tau, sp.oo)
    limit = square.subs(ratio, growth)
    return limit if limit == 0 else sp.Pow(limit, sp.Rational(1, 2), evaluate=False)
