"""What is not in the paper and is stated here about it."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.fedproxvr.notation import *
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.papers.fedproxvr.statements.printed import (
    BETA,
    FACTOR,
    KEY,
    MT,
    POSITIVE_FACTOR,
    STRONGLY_CONVEX,
    THETA,
)

CONVEXITY = Statement(
    f"{KEY}.convexity",
    "The training time of (20) is log-convex",
    Source(KEY, "problem (20)-(24); this lemma is not in the paper, which calls (23) non-convex"),
    letters(L, lam, sigma2, gamma, mu, beta, tau),
    LogConvex(
        f.OBJECTIVE,
        (mu, beta, tau),
        ((mt, mt), (tau, tau), (beta, f.SARAH_UPPER)),
        (
            (mt, mt, "affine"),
            (tau, tau, "affine"),
            (mu, lam + mt, "convex"),
            (beta, beta, "convex"),
            (beta - 3, beta - 3, "concave"),
        ),
    ),
    (MT, THETA, FACTOR),
    (STRONGLY_CONVEX, BETA, Condition("tau > 0", tau > 0, "log tau"), POSITIVE_FACTOR),
    uses=(f"{KEY}.problem20", f"{KEY}.problem23"),
    note="It makes the minimum that `tune` certifies a global one.",
)
