"""Theorems 4 and 5 and Corollary 6 with conditions that suffice."""

from __future__ import annotations

from dataclasses import replace

from fedproof.bounds.prelude import *
from fedproof.papers.flecs.notation import *
from fedproof.papers.flecs.statements import formulas as f
from fedproof.papers.flecs.statements import printed as p
from fedproof.papers.flecs.statements.printed import KEY, OPERATOR, ROUNDS, SHIFT_STEP

with printed():
    STEPSIZE = Condition("alpha", f.STEPSIZE4, "in place of the printed bound on alpha")
    LYAPUNOV = Condition("c", f.LYAPUNOV4, "in place of the printed minimum")
    CONTRACTS = Condition("alpha mu mu1 <= 2", alpha * mu * mu1 <= 2, "the factor is not negative")
    WEIGHT5 = Condition("c and gamma", f.WEIGHT5, "T <= 0 with c L alpha^2/2 before its second term")
    FALLS5 = Condition("alpha", f.FALLS5 > 0, "Theorem 5, the printed condition on c")
    ALPHA6 = Def(letter(alpha), f.UNIT_STEP6, "Corollary 6 with mu1 for 2 mu1 - 1", report=True)

THEOREM4 = Statement(
    f"{KEY}.theorem4.repaired",
    "Theorem 4 with conditions that suffice",
    Source(KEY, "Theorem 4, eq. (4) and (21)"),
    letters(L, mu, mu1, mu2, omega, n, sigma2, alpha, gamma, c, Psi0, K),
    Bound("lyapunov", f.THEOREM4),
    conditions=(ROUNDS, SHIFT_STEP, OPERATOR, STEPSIZE, LYAPUNOV, CONTRACTS),
    assumptions=p.CONVEX_CASE,
    amends=f"{KEY}.theorem4",
    proof=(f"{KEY}.theorem4.end",),
    note="Psi_K after K rounds; in print Psi_k has the exponent k + 1.",
)
THEOREM5 = Statement(
    f"{KEY}.theorem5.repaired",
    "Theorem 5 with conditions that suffice",
    Source(KEY, "proof of Theorem 5, the last display"),
    letters(L, mu1, mu2, omega, n, zeta2, sigma2, alpha, gamma, c, kappa0, K),
    Bound("squared_gradient_of_drawn_model", f.LAST5),
    conditions=(ROUNDS, OPERATOR, WEIGHT5, FALLS5),
    assumptions=p.NONCONVEX_CASE,
    amends=f"{KEY}.theorem5",
    proof=(f"{KEY}.theorem5.end",),
    note="The bound with which the proof ends, zeta^2 with a factor gamma as in the line above its sum.",
)
SHARPENED5 = replace(
    THEOREM5,
    id=f"{KEY}.theorem5.sharpened",
    title="Theorem 5 with conditions that suffice, and less noise",
    claim=Bound("squared_gradient_of_drawn_model", f.SHARP5),
    proof=(f"{KEY}.theorem5.sharpened",),
    note="The samples of n workers are independent, and a sample's noise is orthogonal to h_*^i: "
    "mu2^2/n + c gamma for mu2^2 + 2 c gamma.",
)
COROLLARY6 = Statement(
    f"{KEY}.corollary6.repaired",
    "Corollary 6 with conditions that suffice",
    Source(KEY, "Corollary 6"),
    letters(L, mu1, mu2, omega, n, zeta2, sigma2, gamma, c, kappa0, K),
    Bound("squared_gradient_of_drawn_model", f.COROLLARY6),
    where=(p.ALPHA6,),
    conditions=(ROUNDS, OPERATOR, p.UNITS, WEIGHT5),
    assumptions=p.NONCONVEX_CASE,
    uses=(f"{KEY}.theorem5.repaired",),
    amends=f"{KEY}.corollary6",
    proof=(f"{KEY}.corollary6.end",),
    note="For any h_0: it enters by kappa^0 alone.",
)
UNITS6 = replace(
    COROLLARY6,
    id=f"{KEY}.corollary6.units",
    title="Corollary 6 in any units",
    claim=Bound("squared_gradient_of_drawn_model", f.UNITS6),
    where=(ALPHA6,),
    conditions=(ROUNDS, OPERATOR, WEIGHT5),
    proof=(f"{KEY}.corollary6.units.end",),
    note="mu1 for 2 mu1 - 1 in the step size: no condition with a unit is left.",
)
