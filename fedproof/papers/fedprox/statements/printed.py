"""Theorems 1 to 4 as printed; the constants are hidden in the text, and so they are here."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.fedprox import assumptions as A
from fedproof.papers.fedprox.notation import *
from fedproof.papers.fedprox.statements import formulas as f

KEY = "fedprox"
SMOOTH_CASE = tuple(a.id for a in (A.LIPSCHITZ, A.SMOOTH, A.ORACLE, A.SAMPLING, A.AVERAGE, A.START))
CONVEX_CASE = tuple(
    a.id
    for a in (
        A.LIPSCHITZ,
        A.WEAKLY_CONVEX,
        A.EXACT,
        A.SAMPLING,
        A.AVERAGE,
        A.START,
        A.ENVELOPE,
        A.ENVELOPE_GRADIENT,
    )
)
with printed():
    PACE = Def(letter(pace), f.PACE, "Theorem 1")
    ETA1 = Def(letter(eta), pace / (3 * L), "Theorem 1", report=True)
    ETA2 = Def(letter(eta), rho / sqrt(T), "Theorems 2 and 4", report=True)
    ROUNDS = Condition("T >= 1", T >= 1, "t* is drawn from 0 to T - 1")
    STEPSIZE1 = Condition("3 L eta <= 1", 3 * L * eta <= 1, "proof of Theorem 1, zeta_3")
    DRIFT = Condition(
        "eps, drift", eps <= 2 * L**2 * G**2 * eta**3 / (I**2 * (L * eta + 1)), "Theorem 1, first in min"
    )
    SPREAD = Condition("eps, spread", eps <= G**2 * eta / (2 * I * (L * eta + 1)), "Theorem 1, second in min")
    STEPSIZE2 = Condition("eta <= rho", eta <= rho, 'proof of Theorem 2, "by assumption"')
    ENVELOPE = Condition("2 nu rho < 1", 2 * nu * rho < 1, "Theorems 2 and 4")

THEOREM1 = Statement(
    f"{KEY}.theorem1",
    "Theorem 1 (FedProx, smooth losses)",
    Source(KEY, "Theorem 1"),
    letters(L, G, Delta, T, I, eps),
    Hidden("drawn_squared_gradient", f.HIDDEN1, Integer(6)),
    where=(PACE, ETA1),
    conditions=(ROUNDS, DRIFT, SPREAD),
    assumptions=SMOOTH_CASE,
    proof=(f"{KEY}.theorem1.end",),
)
THEOREM2 = Statement(
    f"{KEY}.theorem2",
    "Theorem 2 (FedProx, weakly convex losses)",
    Source(KEY, "Theorem 2"),
    letters(G, nu, rho, Delta_rho, T, I),
    Hidden("drawn_squared_envelope_gradient", f.HIDDEN2, Integer(4)),
    where=(ETA2,),
    conditions=(ROUNDS, ENVELOPE),
    assumptions=CONVEX_CASE,
    proof=(f"{KEY}.theorem2.end",),
)
