"""A remark that is false as printed, with the weakest condition found that makes it true."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.fedproxvr.notation import *
from fedproof.papers.fedproxvr.statements import remarks as r
from fedproof.papers.fedproxvr.statements.printed import BETA, KEY, MT, STRONGLY_CONVEX

REMARK1_5_TAU = Statement(
    f"{KEY}.remark1.5.tau.repaired",
    "SVRG requires a larger tau, once beta is large",
    Source(KEY, "Remark 1(5)"),
    letters(L, lam, mu, theta, beta, beta2, tau2),
    Implies((r.AT_LEAST_BETA, r.ENOUGH_TAU, beta <= beta2), r.TAU_LESS),
    (MT,),
    (STRONGLY_CONVEX, BETA, r.RISING),
    uses=(f"{KEY}.remark1.5.beta",),
    amends=f"{KEY}.remark1.5.tau",
    note="The added condition is exactly where the lower bound's derivative in beta is not negative.",
)
