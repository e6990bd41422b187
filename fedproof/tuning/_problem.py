"""The training-time problem in the coordinates in which it is convex, folded from the paper's formulas.

Coordinates (`bounds/papers/fedproxvr/convexity.py` has the lemma): u = log(mu - lam), q = log tau and
v = log of the right side of (13), a function of beta. Everything is in units of L, which
the problem allows: mu and lam scale with L, the objective with L, the rest not at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
import sympy as sp

from fedproof.bounds.papers.fedproxvr import formulas as f
from fedproof.bounds.papers.fedproxvr.symbols import a, beta, tau
from fedproof.tuning._arithmetic import Array, Jets, Program, Reals, program

__all__ = ["Estimator", "Instances", "Link", "Point", "Problem", "least_beta", "limit_theta"]

Estimator = Literal["sarah", "svrg"]
#: How beta follows the other variables: (15)-(16); free above its least value; tau without end.
Link = Literal["matched", "relaxed", "limit"]


@dataclass(frozen=True, eq=False)
class Instances:
    """Arrays of lam/L, sigma2, gamma in some arithmetic, all of one length."""

    lam: Any
    sigma2: Any
    gamma: Any

    def pick(self, where: Any) -> Instances:
        """The instances at these places."""
        return Instances(self.lam[where], self.sigma2[where], self.gamma[where])


@dataclass(frozen=True, eq=False)
class Point:
    """Arrays of mu - lam and tau, exact points of the problem."""

    margin: Array
    tau: Array


def _largest_root(equation: sp.Expr, unknown: sp.Symbol) -> sp.Expr:
    top = sp.numer(sp.cancel(equation.doit()))
    two, one, zero = sp.Poly(top, unknown).all_coeffs()
    half = -one / (2 * two)
    return half + sp.sqrt(half**2 - zero / two)


def least_beta(estimator: Estimator) -> sp.Expr:
    """The least beta that the upper bound on tau of (13) or (14) allows, as a function of tau.

    >>> least_beta("sarah")
    sqrt(8*tau/5 + 4/25) + 2/5
    """
    if estimator == "sarah":
        return _largest_root(f.SARAH_UPPER - tau, beta)
    return _largest_root(f.SVRG_UPPER - tau, beta).xreplace({a: f.SVRG_BEST_A})


def limit_theta(estimator: Estimator) -> sp.Expr:
    """What the least theta decreases to as tau grows and beta = `least_beta` with it.

    With r = lim beta/tau, theta^2 = 3 (beta^2 L^2 + mu^2)/(tau mt L (beta - 3)) tends to 3 L r/mt.

    >>> limit_theta("sarah"), limit_theta("svrg")
    (0, sqrt(24*sqrt(10)*L/(5*mt)))
    """
    ratio = sp.Symbol("ratio", nonnegative=True)
    square = sp.limit((f.THETA_LEAST.doit() ** 2).subs(tau, beta / ratio), beta, sp.oo)
    growth = sp.limit(least_beta(estimator).doit() / tau, tau, sp.oo)
    limit = square.subs(ratio, growth)
    return limit if limit == 0 else sp.Pow(limit, sp.Rational(1, 2), evaluate=False)


@cache
def _programs(estimator: Estimator) -> Mapping[str, Program]:
    free = _largest_root(sp.diff(f.LOWER.doit(), beta), beta)
    return {
        "least": program(least_beta(estimator), ["tau"]),
        "free": program(free, ["L", "mu"]),
        "scale": program(f.SARAH_UPPER, ["beta"]),
        "theta": program(f.THETA_LEAST, ["L", "mu", "mt", "beta", "tau"]),
        "descent": program(f.DESCENT, ["L", "mu", "mt", "sigma2", "theta"]),
        "factor": program(f.FACTOR, ["L", "mu", "mt", "sigma2", "theta"]),
        "objective": program(f.OBJECTIVE, ["gamma", "tau", "Theta"]),
    }


@cache
def _limit(estimator: Estimator) -> Program:
    return program(limit_theta(estimator), ["L", "mt"])


@dataclass(frozen=True)
class Problem:
    """Minimise (1 + gamma tau)/Theta for one estimator and one way of choosing beta."""

    estimator: Estimator
    link: Link = "matched"

    @property
    def programs(self) -> Mapping[str, Program]:
        """The formulas, folded once."""
        return _programs(self.estimator)

    def variables(self, algebra: Any, case: Instances, margin: Any, tau: Any, beta: Any) -> dict[str, Any]:
        """Every letter's value, theta, Theta and the objective last."""
        run = self.programs
        one = algebra.power(margin, 0)
        values: dict[str, Any] = {"L": one, "mt": margin, "mu": algebra.add(case.lam, margin), "tau": tau}
        values |= {"sigma2": case.sigma2, "gamma": case.gamma, "beta": beta}
        least = _limit(self.estimator) if self.link == "limit" else run["theta"]
        values["theta"] = least(algebra, values)
        values["descent"] = run["descent"](algebra, values)
        values["Theta"] = run["factor"](algebra, values)
        values["objective"] = run["objective"](algebra, values)
        return values

    def beta(self, algebra: Any, case: Instances, margin: Any, tau: Any) -> Any:
        """beta as the link chooses it, in floating point or jets of it."""
        least = self.programs["least"](algebra, {"tau": tau})
        if self.link != "relaxed":
            return least
        values = {"L": algebra.power(margin, 0), "mu": algebra.add(case.lam, margin)}
        return _larger(least, self.programs["free"](algebra, values))

    def at(self, case: Instances, point: Point) -> dict[str, Any]:
        """Floating-point values at a point."""
        reals = Reals()
        beta = self.beta(reals, case, point.margin, point.tau)
        return self.variables(reals, case, point.margin, point.tau, beta)

    def twice(self, base: Any, case: Instances, margin: Any, tau: Any) -> Any:
        """The objective as a jet of jets in (u, q) over an arithmetic."""
        inner = Jets(base, 2)
        outer = Jets(inner, 2)
        fixed = Instances(*(outer.lift(inner.lift(x)) for x in (case.lam, case.sigma2, case.gamma)))
        m = ((margin, margin, None), (margin, margin, None), None)
        t = ((tau, None, tau), None, (tau, None, tau))
        beta = self.beta(outer, fixed, m, t)
        return self.variables(outer, fixed, m, t, beta)["objective"]

    def quadratic(self, case: Instances, point: Point) -> tuple[Array, Array]:
        """Gradient (2, n) and Hessian (2, 2, n) of log objective in (u, q), in floating point."""
        zero = np.zeros_like(point.margin)
        value, *rows = self.twice(Reals(), case, point.margin, point.tau)
        gradient = np.array([zero if d is None else d / value[0] for d in value[1:]])
        second = [[None, None] if row is None else row[1:] for row in rows]
        hessian = np.array([[zero if d is None else d / value[0] for d in row] for row in second])
        return gradient, hessian - gradient[:, None] * gradient[None, :]


def _larger(x: Any, y: Any) -> Any:
    """The larger of two floating-point arrays or (nested) jets, entry by entry of the arrays."""
    return _choose(_value(x) >= _value(y), x, y)


def _value(x: Any) -> Any:
    return _value(x[0]) if isinstance(x, tuple) else x


def _choose(first: Any, x: Any, y: Any) -> Any:
    if x is None and y is None:
        return None
    if isinstance(x, tuple) or isinstance(y, tuple):
        left = x if x is not None else (None,) * len(y)
        right = y if y is not None else (None,) * len(x)
        return tuple(_choose(first, p, q) for p, q in zip(left, right, strict=True))
    return np.where(first, 0.0 if x is None else x, 0.0 if y is None else y)
