"""Corollary 6, repaired: Theorem 5 at a step size that falls with the square root of the number of rounds.

The step size is p/(L s q) where q stands for sqrt(K), s for mu2^2 + 2 c gamma; at least r is left of the
denominator d of the bound.
"""

from fedproof.papers.flecs.notation import *
from fedproof.papers.flecs.proofs import theorem5 as t5
from fedproof.papers.flecs.statements import formulas as f
from fedproof.proof.prelude import *

by = step_writer("flecs", __name__)
WHERE = "proof of Corollary 6"
q = number("q", r"\sqrt K")
s, p, r, d = numbers("s p r d")

with printed():
    STEPSIZE = Eq(alpha, p / (L * s * q))
    PARTS = (L > 0, s > 0, q >= 1, p > 0, r > 0, d >= r, STEPSIZE)
    LEAVES = by.real("corollary6.leaves", f"{WHERE}, the denominator")(
        2 * mu1 - L * alpha * s >= r, L > 0, s > 0, q >= 1, p > 0, 2 * mu1 - p >= r, STEPSIZE
    )
    FIRST = by.real("corollary6.first", f"{WHERE}, the first term")(
        2 * kappa0 / (K * alpha * d) <= 2 / q * (L * s / (p * r)) * kappa0, PARTS, kappa0 >= 0, Eq(K, q**2)
    )
    SECOND = by.real("corollary6.second", f"{WHERE}, the second term")(
        4 * c * L * alpha * gamma / d * zeta2 <= 1 / q * (4 * c * gamma * p / (s * r)) * zeta2,
        PARTS, c > 0, gamma > 0, zeta2 >= 0,
    )  # fmt: skip
    THIRD = by.real("corollary6.third", f"{WHERE}, the third term")(
        s / d * L * alpha * sigma2 <= 1 / q * (p / r) * sigma2, PARTS, sigma2 >= 0
    )
    ONE = {r: sp.Integer(1)}
    #: with the printed second term, which has no gamma
    PRINTED_SUM = by.real("corollary6.sum", f"{WHERE}, the last display")(
        2 * kappa0 / (K * alpha * d) + 4 * c * L * alpha * gamma / d * zeta2 + s / d * L * alpha * sigma2
        <= 2 / q * (L * s / p) * kappa0 + 1 / q * (4 * c * p / s) * zeta2 + 1 / q * (s * p / s) * sigma2,
        L > 0, s > 0, q >= 1, p > 0, d >= 1, STEPSIZE, Eq(K, q**2), kappa0 >= 0, zeta2 >= 0, sigma2 >= 0,
        c > 0, gamma > 0, gamma <= 1,
        *(part.at(ONE) for part in (FIRST, SECOND, THIRD)),
    )  # fmt: skip
    SUM = by.real("corollary6.units.sum", f"{WHERE}, in any units")(
        2 * kappa0 / (K * alpha * d) + 4 * c * L * alpha * gamma / d * zeta2 + s / d * L * alpha * sigma2
        <= 2 / q * (L * s / p**2) * kappa0 + 1 / q * (4 * c * gamma / s) * zeta2 + 1 / q * sigma2,
        L > 0, s > 0, q >= 1, p > 0, d >= p, STEPSIZE, Eq(K, q**2), kappa0 >= 0, zeta2 >= 0, sigma2 >= 0,
        c > 0, gamma > 0, *(part.at({r: p}) for part in (FIRST, SECOND, THIRD)),
    )  # fmt: skip
    SIZES = (L > 0, mu1 > 0, mu2 >= mu1, c > 0, gamma > 0, omega >= 0, n >= 1, K >= 1)
    LEVEL = by.real("corollary6.level", WHERE)(f.LEVEL6 > 0, SIZES)
    ROOT = by.real("corollary6.root", WHERE)(sqrt(K) >= 1, K >= 1)
    SQUARE = by.real("corollary6.square", WHERE)(Eq(K, sqrt(K) ** 2), K >= 1)
    SHORT = by.real("corollary6.gamma", WHERE)(gamma <= 1, SIZES, f.WEIGHT5)


def bounded(name: str, stepsize: Any, top: Any, least: Any, summed: Step, bound: Any, *given: Any) -> Any:
    """Theorem 5 at the step size top/(L s sqrt(K)): `least` is left of the denominator of its bound."""
    with printed():
        sizes = (*SIZES, *given, Eq(alpha, stepsize))
        known = used(LEVEL, ROOT, SQUARE)
        set_to = {q: sqrt(K), s: f.LEVEL6, p: top}
        left = by.real(f"{name}.left", f"{WHERE}, the denominator")(
            f.FALLS5 >= least, sizes, known, LEAVES.at(set_to | {r: least})
        )
        positive = by.real(f"{name}.stepsize", f"{WHERE}, the step size")(alpha > 0, sizes, known)
        within = by.real(f"{name}.positive", f"{WHERE}, the denominator")(f.FALLS5 > 0, sizes, left.at())
        rest = (f.WEIGHT5, kappa0 >= 0, zeta2 >= 0, sigma2 >= 0)
        wider = by.real(f"{name}.wider", f"{WHERE}, the last display")(
            f.LAST5 <= bound,
            sizes, rest, known, used(left, SHORT), summed.at(set_to | {d: f.FALLS5}),
        )  # fmt: skip
        return left, positive, within, wider, by.real(f"{name}.end", WHERE)(
            t5.MEAN5 <= bound,
            sizes, rest, t5.EVERYWHERE, t5.REST,
            used(positive, within), t5.THEOREM5.at(), wider.at(),
        )  # fmt: skip


with printed():
    PRINTED = bounded(
        "corollary6", f.STEP6, 2 * mu1 - 1, sp.Integer(1), PRINTED_SUM, f.COROLLARY6, 2 * mu1 > 1
    )
    UNITS = bounded("corollary6.units", f.UNIT_STEP6, mu1, mu1, SUM, f.UNITS6)
