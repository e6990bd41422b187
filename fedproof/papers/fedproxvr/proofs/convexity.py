"""Why problem (23), called non-convex in print, is convex in other coordinates.

Coordinates: u = log(mu - lam), q = log tau, v = log of the right side of (13), which grows with beta > 3.

Lemma. Let p1, p2, p3 be the terms that `DESCENT` = mu Theta subtracts from 1. Then
G(u, q, v) = log mu + log(1 + gamma tau) - log(1 - p1 - p2 - p3), the log of the objective of (20) with
theta = `THETA_LEAST`, is jointly convex where beta > 3 and mu Theta > 0, a convex set.

Proof. (1) log mu = log(lam + e^u) is convex (`MARGIN`). (2) log beta is convex in v (`BETA_BENDS_UP`).
(3) log(beta - 3) is concave in v (`EXCESS_BENDS_DOWN`). (4) log theta^2 = log(beta^2 L^2 + mu^2)
+ log 3 - log L - u - q - log(beta - 3) is convex: the first is the log of a sum of two functions with convex
log, u and q are linear, the last is (3). (5) Each p_i is a constant times a product of powers, with exponents
>= 0, of theta, 1 + theta^2, mu and e^(-u), all of which have convex log; so log(p1 + p2 + p3) is convex and
so is the set where it is negative. (6) -log(1 - e^s) and log(1 + gamma e^q) are convex and increasing. QED

The admissible tau. (13) says v >= q, (14) with its free weight eliminated v >= r(q) with r convex
(`SVRG_FIRST`, `SVRG_SECOND`: r' is a sum of two increasing terms). So min over (u, v) of G is convex in q,
and the best whole tau is the floor or the ceiling of the best real one.

Problem (23) is G on the plane v = q, so it is convex in (u, q). For SVRG with tau the largest of (14),
v = r(q) is no plane; G's minimum there is the minimum over v >= r(q) whenever G increases in v at it.

Where mu Theta > 0, the variables are bounded: `MARGIN_ABOVE`, `TAU_ABOVE`, `BETA_BELOW`. At gamma = 0 the
objective falls with theta, and theta is above what it tends to as tau grows: 0 for SARAH, and for SVRG the
value in `THETA_ABOVE`, by `WEIGHT_ABOVE` and `RATIO_ABOVE`.
"""

from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import formulas as f

by = step_writer("fedproxvr", __name__, "problem (23)")


def _slope(inner: sp.Expr, outer: sp.Expr, symbol: sp.Symbol) -> sp.Expr:
    """d log inner/d log outer, both functions of the symbol, simplified."""
    return sp.factor(sp.cancel(outer * sp.diff(inner, symbol) / (inner * sp.diff(outer, symbol))))


_SCALE = f.SARAH_UPPER.doit()
#: d log beta/dv
BETA_SLOPE = _slope(beta, _SCALE, beta)
#: d log(beta - 3)/dv
EXCESS_SLOPE = _slope(beta - 3, _SCALE, beta)
#: d log mu/du
MARGIN_SLOPE = _slope(lam + mt, mt, mt)
#: r', from a (tau + 2) with the least a: of log(tau + 2) and of 2 log(sqrt(tau + 1) + sqrt(tau + 2))
SVRG_SLOPES = (tau / (tau + 2), tau / sqrt((tau + 1) * (tau + 2)))


def _bends(slope: sp.Expr, symbol: sp.Symbol) -> sp.Expr:
    return sp.factor(sp.diff(slope, symbol))


_BETA, _EXCESS = _bends(BETA_SLOPE, beta), _bends(EXCESS_SLOPE, beta)
_MARGIN = _bends(MARGIN_SLOPE, mt)
#: the second squared: positive terms increase with their squares
_FIRST, _SECOND = _bends(SVRG_SLOPES[0], tau), _bends(SVRG_SLOPES[1] ** 2, tau)

with printed():
    BETA_BENDS_UP = by.real("convex.beta")(_BETA > 0, beta > 3)
    EXCESS_BENDS_DOWN = by.real("convex.excess")(_EXCESS < 0, beta > 3)
    MARGIN = by.real("convex.margin")(_MARGIN >= 0, lam >= 0, mt > 0)
    SVRG_FIRST = by.real("convex.svrg1")(_FIRST > 0, tau > 0)
    SVRG_SECOND = by.real("convex.svrg2")(_SECOND > 0, tau > 0)
    _LEMMA1 = (L > 0, mt > 0, beta > 3, tau > 0, theta > 0, f.LOWER <= tau)
    MARGIN_ABOVE = by.real("convex.margin_above")(
        mt > 2 * L * sqrt(1 + sigma2), (L > 0, mu > 0, mt > 0, sigma2 >= 0, theta > 0, f.DESCENT > 0)
    )
    TAU_ABOVE = by.real("convex.tau_above")(
        tau > 12 * (1 + sigma2), (*_LEMMA1, mu >= mt, sigma2 >= 0, 2 * (1 + sigma2) * theta**2 < 1)
    )
    BETA_BELOW = by.real("convex.beta_below")(
        beta * L < mt * tau / sp.Integer(6), _LEMMA1, theta**2 < sp.Rational(1, 2)
    )
    WEIGHT_ABOVE = by.real("convex.weight_above")(f.SVRG_BEST_A > 16 * tau, tau > 0)
    RATIO_ABOVE = by.real("convex.ratio_above")(
        5 * beta**2 > 128 * tau**2, beta > 3, tau > 0, a > 16 * tau, tau <= f.SVRG_UPPER
    )
    THETA_ABOVE = by.real("convex.theta_above")(
        5 * theta**4 * mt**2 > 9 * 128 * L**2, _LEMMA1, 5 * beta**2 > 128 * tau**2
    )
