"""Theorems 4 and 5 and Corollary 6 as printed."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.flecs import assumptions as A
from fedproof.papers.flecs.notation import *
from fedproof.papers.flecs.statements import formulas as f

KEY = "flecs"
CONVEX_CASE = tuple(a.id for a in A.CONVEX_CASE)
NONCONVEX_CASE = tuple(a.id for a in A.NONCONVEX_CASE)
with printed():
    ROUNDS = Condition("K >= 1", K >= 1, "there is a round")
    SHIFT_STEP = Condition("gamma (1 + omega) <= 1", f.SHIFT_STEP, "Lemma 11; Theorem 4")

    STEPSIZE = Condition("alpha", f.PRINTED_STEP, "Theorem 4")
    WEIGHT = Condition("c", f.PRINTED_WEIGHT, "Theorem 4")
    OPERATOR = Condition("mu1 <= mu2", mu1 <= mu2, "Lemma 9")
    STEPSIZE5 = Condition("alpha", f.PRINTED_STEP5, "Theorem 5, w read as omega")
    SHIFT_STEP5 = Condition("gamma", f.PRINTED_SHIFT5, "Theorem 5, w read as omega")
    WEIGHT5 = Condition("c", f.PRINTED_WEIGHT5, "Theorem 5")
    UNITS = Condition("2 mu1 > 1", 2 * mu1 > 1, "Corollary 6, where the step size is positive")
    ALPHA6 = Def(letter(alpha), f.STEP6, "Corollary 6", report=True)

THEOREM4 = Statement(
    f"{KEY}.theorem4",
    "Theorem 4",
    Source(KEY, "Theorem 4, eq. (4) and (21)"),
    letters(L, mu, mu1, mu2, omega, n, sigma2, alpha, gamma, c, Psi0, K),
    Bound("lyapunov", f.THEOREM4),
    conditions=(ROUNDS, SHIFT_STEP, OPERATOR, STEPSIZE, WEIGHT),
    assumptions=CONVEX_CASE,
    counterexample=(f"{KEY}.theorem4.fails.first", f"{KEY}.theorem4.fails"),
    reading="the exponent k + 1 stands for the k + 1 rounds that lead to Psi_{k+1}",
)
THEOREM5 = Statement(
    f"{KEY}.theorem5",
    "Theorem 5",
    Source(KEY, "Theorem 5, eq. (5) and (30)"),
    letters(L, mu1, mu2, omega, n, zeta2, sigma2, alpha, gamma, c, kappa0, K),
    Bound("squared_gradient_of_drawn_model", f.THEOREM5),
    conditions=(ROUNDS, OPERATOR, STEPSIZE5, SHIFT_STEP5, WEIGHT5),
    assumptions=NONCONVEX_CASE,
    counterexample=(f"{KEY}.theorem5.fails.least", f"{KEY}.theorem5.fails"),
    note="A parameter c however small is admitted, and with it goes what the bound has of the shifts. The "
    "last term of (5) has 2 c and 2 c L alpha where the proof ends with 2 c gamma and 2 c L alpha gamma, and "
    "lacks a factor alpha; the instance has sigma = 0 and breaks either form. Nor does h_0 = grad f_i(w_0) "
    "save it, as the check shows. With the factor c L alpha^2/2 of T's second term the conditions become "
    "mu2^2 omega/n <= c gamma (1 - gamma (1 + omega)): theorem5.repaired. The printed bound on alpha has a "
    "unit, alpha has none.",
)
COROLLARY6 = Statement(
    f"{KEY}.corollary6",
    "Corollary 6",
    Source(KEY, "Corollary 6"),
    letters(L, mu1, mu2, omega, n, zeta2, sigma2, gamma, c, kappa0, K),
    Bound("squared_gradient_of_drawn_model", f.COROLLARY6),
    where=(ALPHA6,),
    conditions=(ROUNDS, OPERATOR, UNITS, STEPSIZE5, SHIFT_STEP5),
    assumptions=NONCONVEX_CASE,
    uses=(f"{KEY}.theorem5",),
    counterexample=(f"{KEY}.theorem5.fails.least", f"{KEY}.corollary6.fails"),
    note="Read with the conditions of Theorem 5 on alpha and gamma; that on c follows. 2 mu1 - 1 takes a "
    "number from a length^2/loss: in other units of the loss the step size is another, or none.",
)
