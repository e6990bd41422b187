"""Theorem 4 as printed."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.flecs import assumptions as A
from fedproof.papers.flecs.notation import *
from fedproof.papers.flecs.statements import formulas as f

KEY = "flecs"
with printed():
    ROUNDS = Condition("K >= 1", K >= 1, "there is a round")
    SHIFT_STEP = Condition("gamma (1 + omega) <= 1", f.SHIFT_STEP, "Lemma 11; Theorem 4")

    STEPSIZE = Condition("alpha", f.PRINTED_STEP, "Theorem 4")
    WEIGHT = Condition("c", f.PRINTED_WEIGHT, "Theorem 4")
    OPERATOR = Condition("mu1 <= mu2", mu1 <= mu2, "Lemma 9")

THEOREM4 = Statement(
    f"{KEY}.theorem4",
    "Theorem 4",
    Source(KEY, "Theorem 4, eq. (4) and (21)"),
    letters(L, mu, mu1, mu2, omega, n, sigma2, alpha, gamma, c, Psi0, K),
    Bound("lyapunov", f.THEOREM4),
    conditions=(ROUNDS, SHIFT_STEP, OPERATOR, STEPSIZE, WEIGHT),
    assumptions=tuple(a.id for a in A.ASSUMPTIONS.values()),
    counterexample=(f"{KEY}.theorem4.fails.first", f"{KEY}.theorem4.fails"),
    reading="the exponent k + 1 stands for the k + 1 rounds that lead to Psi_{k+1}",
)
