"""Appendix B.0.1, (44)-(48): the gradient mappings of SARAH, and Lemma 1 for it."""

from fedproof.papers.fedproxvr.proofs import appendix_a as A
from fedproof.papers.fedproxvr.proofs import lemma1 as B
from fedproof.papers.fedproxvr.proofs.lemma1 import *
from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import formulas as f

by = step_writer("fedproxvr", __name__)

with printed():
    DOUBLE = sp.Sum(D(j), (j, 1, t), (t, 1, tau))
    LAST = sp.Sum(D(t + 1), (t, 0, tau - 1))

    EQ44A = by.sum("eq44a", "above eq. (44)")(
        J(t + 1) - J(t)
        <= -(1 / (3 * eta) - L) * eta**2 * G(t)
        + eta * L**2 * total(D(j), j, 1, t)
        - (5 / (8 * eta) - L / 2) * D(t + 1),
        A.POSITIVE,
        L > 0,
        t >= 0,
        local_step(eta),
        A.EQ33.at(),
    )
    RIGHT44 = -WEIGHT * MAPPINGS + L / beta * DOUBLE - L * MARGIN * total(D(t + 1), t, 0, tau)
    RIGHT45 = -WEIGHT * MAPPINGS + L / beta * total(tau * D(t + 1), t, 0, tau - 1) - L * MARGIN * LAST
    RIGHT46 = -WEIGHT * MAPPINGS
    EQ44 = by.sum("eq44")(
        J(tau + 1) - J(0) <= RIGHT44,
        STEPSIZE,
        tau >= 0,
        EQ44A.at({eta: BY_BETA, t: 0}),
        EQ44A.at({eta: BY_BETA}, over=(t, 1, tau)),
    )
    EQ47A = by.sum("eq47a", "eq. (47), <=")(DOUBLE <= sp.Sum(D(j), (j, 1, tau), (t, 1, tau)), tau >= 0)
    EQ47B = by.sum("eq47b", "eq. (47), first =")(
        Eq(sp.Sum(D(j), (j, 1, tau), (t, 1, tau)), total(tau * D(t), t, 1, tau)),
        tau >= 0,
    )
    EQ47C = by.sum("eq47c", "eq. (47), second =")(
        Eq(total(tau * D(t), t, 1, tau), total(tau * D(t + 1), t, 0, tau - 1)),
        tau >= 0,
    )
    EQ45 = by.sum("eq45")(
        RIGHT44 <= RIGHT45,
        STEPSIZE,
        beta >= sp.Rational(4, 5),
        tau >= 0,
        used(EQ47A, EQ47B, EQ47C),
    )
    EQ48 = by.real("eq48")(
        L / beta * tau <= L * MARGIN,
        STEPSIZE,
        ZERO <= tau,
        tau <= f.SARAH_UPPER,
        note="What (46) needs of tau.",
    )
    EQ46 = by.sum("eq46")(RIGHT45 <= RIGHT46, STEPSIZE, ZERO <= tau, tau <= f.SARAH_UPPER, EQ48.at())
    DESCENT_SARAH = by.sum("eq46.sum")(
        WEIGHT * MAPPINGS <= J(0) - J(tau + 1),
        STEPSIZE,
        beta >= sp.Rational(4, 5),
        ZERO <= tau,
        tau <= f.SARAH_UPPER,
        used(EQ44, EQ45, EQ46),
        note="The first inequality above (49).",
    )

EQ53 = B.bound53("eq53", DESCENT_SARAH, tau <= f.SARAH_UPPER)
BOUND = B.bound54("eq54.sarah", EQ53, tau <= f.SARAH_UPPER)
SQUARED = B.squared("eq11.sarah.squared", BOUND, tau <= f.SARAH_UPPER)
CRITERION = B.criterion("eq11.sarah", SQUARED, tau <= f.SARAH_UPPER)
