"""Appendix B.0.1, (44)-(48): the gradient mappings of SARAH, and Lemma 1 for it."""

from __future__ import annotations

import sympy as sp

from fedproof.papers.fedproxvr.notation import *
from fedproof.papers.fedproxvr.proofs import appendix_a as A
from fedproof.papers.fedproxvr.proofs import lemma1 as B
from fedproof.papers.fedproxvr.proofs.lemma1 import (
    BY_BETA,
    MAPPINGS,
    MARGIN,
    STEPSIZE,
    WEIGHT,
    ZERO,
    D,
    G,
    J,
    eta,
    j,
    local_step,
    real,
    series,
    t,
)
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.proof.prelude import *

with printed():
    DOUBLE = sp.Sum(D(j), (j, 1, t), (t, 1, tau))
    LAST = sp.Sum(D(t + 1), (t, 0, tau - 1))

    EQ44A = series(
        "eq44a",
        "above eq. (44)",
        J(t + 1) - J(t)
        <= -(1 / (3 * eta) - L) * eta**2 * G(t)
        + eta * L**2 * total(D(j), j, 1, t)
        - (5 / (8 * eta) - L / 2) * D(t + 1),
        A.POSITIVE,
        L > 0,
        t >= 0,
        local_step(eta),
        A.EQ33.at(weight=eta),
    )
    RIGHT44 = -WEIGHT * MAPPINGS + L / beta * DOUBLE - L * MARGIN * total(D(t + 1), t, 0, tau)
    RIGHT45 = -WEIGHT * MAPPINGS + L / beta * total(tau * D(t + 1), t, 0, tau - 1) - L * MARGIN * LAST
    RIGHT46 = -WEIGHT * MAPPINGS
    EQ44 = series(
        "eq44",
        "eq. (44)",
        J(tau + 1) - J(0) <= RIGHT44,
        STEPSIZE,
        tau >= 0,
        EQ44A.at({eta: BY_BETA, t: 0}),
        EQ44A.at({eta: BY_BETA}, over=(t, 1, tau)),
    )
    EQ47A = series(
        "eq47a",
        "eq. (47), <=",
        DOUBLE <= sp.Sum(D(j), (j, 1, tau), (t, 1, tau)),
        tau >= 0,
    )
    EQ47B = series(
        "eq47b",
        "eq. (47), first =",
        Eq(sp.Sum(D(j), (j, 1, tau), (t, 1, tau)), total(tau * D(t), t, 1, tau)),
        tau >= 0,
    )
    EQ47C = series(
        "eq47c",
        "eq. (47), second =",
        Eq(total(tau * D(t), t, 1, tau), total(tau * D(t + 1), t, 0, tau - 1)),
        tau >= 0,
    )
    EQ45 = series(
        "eq45",
        "eq. (45)",
        RIGHT44 <= RIGHT45,
        STEPSIZE,
        beta >= sp.Rational(4, 5),
        tau >= 0,
        EQ47A.at(weight=L / beta),
        EQ47B.at(weight=L / beta),
        EQ47C.at(weight=L / beta),
    )
    EQ48 = real(
        "eq48",
        "eq. (48)",
        L / beta * tau <= L * MARGIN,
        STEPSIZE,
        ZERO <= tau,
        tau <= f.SARAH_UPPER,
        note="What (46) needs of tau.",
    )
    EQ46 = series(
        "eq46", "eq. (46)", RIGHT45 <= RIGHT46, STEPSIZE, ZERO <= tau, tau <= f.SARAH_UPPER, EQ48.at()
    )
    DESCENT_SARAH = series(
        "eq46.sum",
        "eq. (46)",
        WEIGHT * MAPPINGS <= J(0) - J(tau + 1),
        STEPSIZE,
        beta >= sp.Rational(4, 5),
        ZERO <= tau,
        tau <= f.SARAH_UPPER,
        EQ44.at(),
        EQ45.at(),
        EQ46.at(),
        note="The first inequality above (49).",
    )

EQ53 = B.bound53("eq53", DESCENT_SARAH, tau <= f.SARAH_UPPER)
BOUND = B.bound54("eq54.sarah", EQ53, tau <= f.SARAH_UPPER)
SQUARED = B.squared("eq11.sarah.squared", BOUND, tau <= f.SARAH_UPPER)
CRITERION = B.criterion("eq11.sarah", SQUARED, tau <= f.SARAH_UPPER)
