"""Lemma 1, sharpened, admits whatever it admits as printed.

(13) implies the sharpened conditions for SARAH, (14) with any free weight those for SVRG, and the least theta
is smaller.
"""

from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.papers.fedproxvr.statements import sharp_formulas as g

by = step_writer("fedproxvr", __name__, "Lemma 1, as printed and sharpened")
kept = number("kept")
POSITIVE = (L > 0, mt > 0, mu > 0, theta > 0)

with printed():
    BETA = by.real("sharp.dominates.beta")(
        beta > 3,
        POSITIVE,
        (beta >= 0, sp.Integer(0) <= f.LOWER),
        note="The first inequality of (13) and of (14).",
    )
    LOWER = by.real("sharp.dominates.lower")(
        g.LOWER <= tau,
        POSITIVE,
        (beta > 3, f.LOWER <= tau),
        note="The printed lower bound on tau is the larger one.",
    )
    UPPER = by.real("sharp.dominates.upper")(
        tau <= g.SARAH_UPPER,
        (L > 0, mu > 0, beta > 3, tau <= f.SARAH_UPPER),
        note="The printed upper bound on tau is the smaller one.",
    )
    SARAH = by.real("sharp.dominates.sarah")(
        g.SARAH_BETA,
        POSITIVE,
        (beta > 3, f.LOWER <= tau, tau <= f.SARAH_UPPER),
        used(LOWER, UPPER),
        note="(13) implies the sharpened conditions for SARAH.",
    )
    WEIGHT = by.real("sharp.dominates.weight")(16 * (tau + 1) <= a, (tau >= 0, f.SVRG_SIDE))
    SQUARE = by.real("sharp.dominates.square")(
        128 * ((tau + 1) * (tau + 2)) <= 5 * beta**2 - 4 * beta,
        (tau >= 0, 16 * (tau + 1) <= a, tau <= f.SVRG_UPPER),
    )
    FEW = by.real("sharp.dominates.few")(
        5 * tau <= beta,
        (tau >= 0, beta > 3, 128 * ((tau + 1) * (tau + 2)) <= 5 * beta**2 - 4 * beta),
        note="(14) admits no more than beta/5 local steps.",
    )
    LARGE = by.real("sharp.dominates.mu")(
        15 * L <= mt,
        POSITIVE,
        (theta <= 1, beta > 3, 5 * tau <= beta, f.LOWER <= tau),
    )
    ENOUGH = by.real("sharp.dominates.theta")(
        3 * (beta**2 * L**2 + mu**2) <= theta**2 * (mt * L * (beta - 3) * tau),
        POSITIVE,
        (beta > 3, f.LOWER <= tau),
    )
    FLAT = by.real("sharp.dominates.flat")(
        L**2 * (L + mu) * tau <= 3 * mt * (beta**2 * L**2 + mu**2),
        POSITIVE,
        (beta > 3, 5 * tau <= beta, tau >= 0, 15 * L <= mt),
    )
    _SCALED = beta**2 * L**2 + mu**2
    PRODUCT = by.real("sharp.dominates.product")(
        L * (L + mu) <= theta**2 * mt**2 * (beta - 3),
        POSITIVE,
        (beta > 3, tau >= 0, kept > 0, 3 * kept <= theta**2 * (mt * L * (beta - 3) * tau)),
        L**2 * (L + mu) * tau <= 3 * mt * kept,
        reads=((kept, r"(\beta^2L^2+\mu^2)"),),
    )
    RARE = by.real("sharp.dominates.rare")(
        5 * tau <= beta,
        (tau >= 0, beta > 3, tau <= f.SVRG_UPPER, f.SVRG_SIDE),
        used(WEIGHT, SQUARE, FEW),
    )
    CHEAP = by.real("sharp.dominates.cheap")(
        g.SVRG_BETA,
        POSITIVE,
        L * (L + mu) <= theta**2 * mt**2 * (beta - 3),
    )
    AMPLE = by.real("sharp.dominates.ample")(
        L * (L + mu) <= theta**2 * mt**2 * (beta - 3),
        POSITIVE,
        (theta <= 1, beta > 3, tau >= 0, 5 * tau <= beta, f.LOWER <= tau),
        used(LARGE, ENOUGH, FLAT),
        PRODUCT.at({kept: _SCALED}),
    )
    SVRG = by.real("sharp.dominates.svrg")(
        g.SVRG_BETA,
        POSITIVE,
        (theta <= 1, beta > 3, tau >= 0, f.LOWER <= tau, tau <= f.SVRG_UPPER, f.SVRG_SIDE),
        used(RARE, AMPLE, CHEAP),
        note="(14), whatever its free weight a, implies the sharpened conditions for SVRG.",
    )
    REACH = by.real("sharp.dominates.reach")(
        tau + 1 <= g.SVRG_REACH,
        POSITIVE,
        (beta > 3, tau >= 0, 5 * tau <= beta, 15 * L <= mt),
        note="The same at the least theta, as the closed chain has it.",
    )
    THETA = by.real("sharp.dominates.chain")(
        g.THETA_LEAST <= f.THETA_LEAST,
        (L > 0, mt > 0, mu > 0, beta > 3, tau > 0),
        note="The sharpened chain asks for a smaller theta.",
    )
