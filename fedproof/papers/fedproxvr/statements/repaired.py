"""Remarks that are false as printed, with the weakest condition found that makes them true."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.fedproxvr.notation import *
from fedproof.papers.fedproxvr.statements import remarks as r
from fedproof.papers.fedproxvr.statements.printed import BETA, KEY, MT, STRONGLY_CONVEX

with printed():
    #: where the lower bound of (13), (14) increases with beta
    RISING = Condition("beta large", mu**2 <= L**2 * (beta**2 - 6 * beta), "added")

_NOTE = "The added condition is exactly where the lower bound's derivative in beta is not negative."

REMARK1_3_EVERYWHERE = Statement(
    f"{KEY}.remark1.3.tau.everywhere.repaired",
    "(16) gives the smallest tau over all admissible beta, once beta is large (SARAH)",
    Source(KEY, "Remark 1(3), eq. (16), read as a comparison of all beta"),
    letters(L, lam, mu, theta, beta, beta2, tau2),
    Implies((r.AT_LEAST_BETA, *r.OTHER_SARAH, beta <= beta2), r.TAU_LESS),
    (MT,),
    (STRONGLY_CONVEX, BETA, RISING),
    uses=(f"{KEY}.remark1.3.beta",),
    amends=f"{KEY}.remark1.3.tau.everywhere",
    note=_NOTE,
)
REMARK1_5_TAU = Statement(
    f"{KEY}.remark1.5.tau.repaired",
    "SVRG requires a larger tau, once beta is large",
    Source(KEY, "Remark 1(5)"),
    letters(L, lam, mu, theta, beta, beta2, tau2),
    Implies((r.AT_LEAST_BETA, r.LEAST_TAU, beta <= beta2), r.TAU_LESS),
    (MT,),
    (STRONGLY_CONVEX, BETA, RISING),
    uses=(f"{KEY}.remark1.5.beta",),
    amends=f"{KEY}.remark1.5.tau",
    note=_NOTE,
)
