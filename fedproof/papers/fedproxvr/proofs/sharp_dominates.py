"""Lemma 1, sharpened, admits whatever it admits as printed.

(13) implies the sharpened conditions for SARAH, (14) with any free weight those for SVRG, and the least theta
is smaller.
"""

from __future__ import annotations

from sympy import Integer

from fedproof.papers.fedproxvr.notation import *
from fedproof.papers.fedproxvr.proofs.vectors import fact
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.papers.fedproxvr.statements import sharp_formulas as g
from fedproof.proof.prelude import *

WHERE = "Lemma 1, as printed and sharpened"
kept = number("kept")
POSITIVE = (L > 0, mt > 0, mu > 0, theta > 0)

with printed():
    BETA = fact(
        "sharp.dominates.beta",
        WHERE,
        beta > 3,
        POSITIVE,
        (beta >= 0, Integer(0) <= f.LOWER),
        note="The first inequality of (13) and of (14).",
    )
    LOWER = fact(
        "sharp.dominates.lower",
        WHERE,
        g.LOWER <= tau,
        POSITIVE,
        (beta > 3, f.LOWER <= tau),
        note="The printed lower bound on tau is the larger one.",
    )
    UPPER = fact(
        "sharp.dominates.upper",
        WHERE,
        tau <= g.SARAH_UPPER,
        (L > 0, mu > 0, beta > 3, tau <= f.SARAH_UPPER),
        note="The printed upper bound on tau is the smaller one.",
    )
    SARAH = fact(
        "sharp.dominates.sarah",
        WHERE,
        g.SARAH_BETA,
        POSITIVE,
        (beta > 3, f.LOWER <= tau, tau <= f.SARAH_UPPER),
        LOWER.at(),
        UPPER.at(),
        note="(13) implies the sharpened conditions for SARAH.",
    )
    WEIGHT = fact("sharp.dominates.weight", WHERE, 16 * (tau + 1) <= a, (tau >= 0, f.SVRG_SIDE))
    SQUARE = fact(
        "sharp.dominates.square",
        WHERE,
        128 * ((tau + 1) * (tau + 2)) <= 5 * beta**2 - 4 * beta,
        (tau >= 0, 16 * (tau + 1) <= a, tau <= f.SVRG_UPPER),
    )
    FEW = fact(
        "sharp.dominates.few",
        WHERE,
        5 * tau <= beta,
        (tau >= 0, beta > 3, 128 * ((tau + 1) * (tau + 2)) <= 5 * beta**2 - 4 * beta),
        note="(14) admits no more than beta/5 local steps.",
    )
    LARGE = fact(
        "sharp.dominates.mu",
        WHERE,
        15 * L <= mt,
        POSITIVE,
        (theta <= 1, beta > 3, 5 * tau <= beta, f.LOWER <= tau),
    )
    ENOUGH = fact(
        "sharp.dominates.theta",
        WHERE,
        3 * (beta**2 * L**2 + mu**2) <= theta**2 * (mt * L * (beta - 3) * tau),
        POSITIVE,
        (beta > 3, f.LOWER <= tau),
    )
    FLAT = fact(
        "sharp.dominates.flat",
        WHERE,
        L**2 * (L + mu) * tau <= 3 * mt * (beta**2 * L**2 + mu**2),
        POSITIVE,
        (beta > 3, 5 * tau <= beta, tau >= 0, 15 * L <= mt),
    )
    _SCALED = beta**2 * L**2 + mu**2
    PRODUCT = fact(
        "sharp.dominates.product",
        WHERE,
        L * (L + mu) <= theta**2 * mt**2 * (beta - 3),
        POSITIVE,
        (beta > 3, tau >= 0, kept > 0, 3 * kept <= theta**2 * (mt * L * (beta - 3) * tau)),
        L**2 * (L + mu) * tau <= 3 * mt * kept,
        reads=((kept, r"(\beta^2L^2+\mu^2)"),),
    )
    RARE = fact(
        "sharp.dominates.rare",
        WHERE,
        5 * tau <= beta,
        (tau >= 0, beta > 3, tau <= f.SVRG_UPPER, f.SVRG_SIDE),
        WEIGHT.at(),
        SQUARE.at(),
        FEW.at(),
    )
    CHEAP = fact(
        "sharp.dominates.cheap",
        WHERE,
        g.SVRG_BETA,
        POSITIVE,
        L * (L + mu) <= theta**2 * mt**2 * (beta - 3),
    )
    AMPLE = fact(
        "sharp.dominates.ample",
        WHERE,
        L * (L + mu) <= theta**2 * mt**2 * (beta - 3),
        POSITIVE,
        (theta <= 1, beta > 3, tau >= 0, 5 * tau <= beta, f.LOWER <= tau),
        LARGE.at(),
        ENOUGH.at(),
        FLAT.at(),
        PRODUCT.at({kept: _SCALED}),
    )
    SVRG = fact(
        "sharp.dominates.svrg",
        WHERE,
        g.SVRG_BETA,
        POSITIVE,
        (theta <= 1, beta > 3, tau >= 0, f.LOWER <= tau, tau <= f.SVRG_UPPER, f.SVRG_SIDE),
        RARE.at(),
        AMPLE.at(),
        CHEAP.at(),
        note="(14), whatever its free weight a, implies the sharpened conditions for SVRG.",
    )
    REACH = fact(
        "sharp.dominates.reach",
        WHERE,
        tau + 1 <= g.SVRG_REACH,
        POSITIVE,
        (beta > 3, tau >= 0, 5 * tau <= beta, 15 * L <= mt),
        note="The same at the least theta, as the closed chain has it.",
    )
    THETA = fact(
        "sharp.dominates.chain",
        WHERE,
        g.THETA_LEAST <= f.THETA_LEAST,
        (L > 0, mt > 0, mu > 0, beta > 3, tau > 0),
        note="The sharpened chain asks for a smaller theta.",
    )
