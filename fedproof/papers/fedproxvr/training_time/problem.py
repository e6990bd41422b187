"""The training-time problem in the coordinates in which it is convex, folded from the paper's formulas.

Coordinates (`bounds/papers/fedproxvr/convexity.py` and `sharp_convexity.py` have the lemmas):
u = log(mu - lam), q = log tau and v = log of a function of beta, the form's scale. Everything is in units of
L, which the problem allows: mu and lam scale with L, the objective with L, the rest not at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Literal

import numpy as np

from fedproof.algebra.arithmetic import Array, Jets, Reals
from fedproof.algebra.formula import Formula
from fedproof.papers.fedproxvr.notation import beta
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.papers.fedproxvr.training_time.formulations import PRINTED, Estimator, Formulation, limit_theta

#: How beta follows the other variables: its least value; the best one above it; tau without end.
Link = Literal["matched", "relaxed", "limit"]


@dataclass(frozen=True, eq=False)
class Instances:
    """Arrays of lam/L, sigma2, gamma in some arithmetic, all of one length."""

    lam: Any
    sigma2: Any
    gamma: Any


@dataclass(frozen=True, eq=False)
class Point:
    """Arrays of mu - lam and tau, exact points of the problem."""

    margin: Array
    tau: Array


#: more than the rounding of a bound can take back
_JUST = 1 + 2.0**-46


@cache
def _formulas(form: Formulation, estimator: Estimator) -> Mapping[str, Formula]:
    found = {
        "least": form.least(estimator),
        "scale": form.scale,
        "theta": form.theta,
        "limit": limit_theta(form, estimator),
        "Theta": form.factor,
        "objective": f.OBJECTIVE,
        "least_margin": form.least_margin,
        "least_tau": form.least_tau,
        "free": form.free,
        "most_beta": form.most_beta,
    }
    return {name: Formula(expr) for name, expr in found.items() if expr is not None}


@cache
def _inside(form: Formulation, endless: bool) -> tuple[Formula, ...]:
    return tuple(Formula(e) for e in form.inside if not (endless and beta in e.free_symbols))


@dataclass(frozen=True)
class Problem:
    """Minimise (1 + gamma tau)/Theta for one estimator, one way of choosing beta and one form."""

    estimator: Estimator
    link: Link = "matched"
    form: Formulation = PRINTED

    @property
    def formulas(self) -> Mapping[str, Formula]:
        """The formulas by name, each read once."""
        return _formulas(self.form, self.estimator)

    @property
    def joint(self) -> bool:
        """Whether log objective is known to be convex in (u, q) with beta as the link chooses it."""
        return self.form.free is None or (self.link == "matched" and self.estimator == "sarah")

    def given(self, algebra: Any, case: Instances, margin: Any) -> dict[str, Any]:
        """The letters that are settled without tau and beta."""
        one = algebra.power(margin, 0)
        given = {"L": one, "lam": case.lam, "sigma2": case.sigma2, "gamma": case.gamma}
        return given | {"mt": margin, "mu": algebra.add(case.lam, margin)}

    def variables(self, algebra: Any, case: Instances, margin: Any, tau: Any, beta: Any) -> dict[str, Any]:
        """Every letter's value, theta, Theta and the objective last."""
        values = self.given(algebra, case, margin) | {"tau": tau, "beta": beta}
        values["theta"] = self.formulas["limit" if self.link == "limit" else "theta"].within(algebra, values)
        for name in ("Theta", "objective"):
            values[name] = self.formulas[name].within(algebra, values)
        return values

    def inside(self, algebra: Any, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """What is positive at admissible points, from the values of the letters."""
        return tuple(e.within(algebra, values) for e in _inside(self.form, self.link == "limit"))

    def beta(self, algebra: Any, case: Instances, margin: Any, tau: Any) -> Any:
        """beta as the link chooses it; in floating point or jets of it where that is not the least."""
        values = self.given(algebra, case, margin) | {"tau": tau}
        least = self.formulas["least"].within(algebra, values)
        if self.link != "relaxed" or "free" not in self.formulas:
            return least
        free = self.formulas["free"].within(algebra, values)
        return _choose(_value(least) >= _value(free), least, free)

    def ends(self, algebra: Any, case: Instances) -> tuple[Any, Any]:
        """The values that mu - lam and tau cannot be below."""
        values = self.given(algebra, case, algebra.constant(Fraction(1)))
        ends = (self.formulas[name].within(algebra, values) for name in ("least_margin", "least_tau"))
        return next(ends), next(ends)

    def floor(self, case: Instances) -> Array:
        """The least mu - lam to try: one that is admissible, if only just, or 0."""
        least = self.ends(Reals(), case)[0] + np.zeros_like(case.lam)
        result: Array = least * _JUST if self.form.closed else np.zeros_like(least)
        return result

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


def _value(x: Any) -> Any:
    return _value(x[0]) if isinstance(x, tuple) else x


def _choose(first: Any, x: Any, y: Any) -> Any:
    """One or the other of two floating-point arrays or (nested) jets, entry by entry of the arrays."""
    if x is None and y is None:
        return None
    if isinstance(x, tuple) or isinstance(y, tuple):
        left = x if x is not None else (None,) * len(y)
        right = y if y is not None else (None,) * len(x)
        return tuple(_choose(first, p, q) for p, q in zip(left, right, strict=True))
    return np.where(first, 0.0 if x is None else x, 0.0 if y is None else y)
