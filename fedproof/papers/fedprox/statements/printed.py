"""Theorems 1 to 4 as printed; the constants are hidden in the text, and so they are here."""

from __future__ import annotations

from dataclasses import replace

from fedproof.bounds.prelude import *
from fedproof.papers.fedprox import assumptions as A
from fedproof.papers.fedprox.notation import *
from fedproof.papers.fedprox.statements import formulas as f

KEY = "fedprox"
SMOOTH_CASE = tuple(
    a.id for a in (A.LIPSCHITZ, A.SMOOTH, A.ORACLE, A.UNIFORM, A.SAMPLING, A.AVERAGE, A.START)
)
CONVEX_CASE = tuple(
    a.id
    for a in (
        A.LIPSCHITZ,
        A.WEAKLY_CONVEX,
        A.EXACT,
        A.UNIFORM,
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
    PACE3 = Def(letter(pace_b), f.PACE3, "Theorem 3")
    ETA3 = Def(letter(eta), pace_b / (8 * L), "Theorem 3", report=True)
    ROUNDS = Condition("T >= 1", T >= 1, "t* is drawn from 0 to T - 1")
    STEPSIZE1 = Condition("3 L eta <= 1", 3 * L * eta <= 1, "proof of Theorem 1, zeta_3")
    DRIFT = Condition("eps, drift", f.ORACLE1[0], "Theorem 1, first in min")
    SPREAD = Condition("eps, spread", f.ORACLE1[1], "Theorem 1, second in min")
    STEPSIZE2 = Condition("eta <= rho", eta <= rho, 'proof of Theorem 2, "by assumption"')
    STEPSIZE3 = Condition("8 L eta <= 1", 8 * L * eta <= 1, "proof of Theorem 3, zeta_2")
    ORACLE3 = tuple(
        Condition(f"eps, {which}", said, f"Theorem 3, {which} in min")
        for which, said in zip(("first", "second", "third"), f.ORACLE3, strict=True)
    )
    #: I = 1, b = n, T = n^3, one draw of two devices
    DEVICES = (
        (L, Integer(1)), (G, Integer(2)), (Delta, Integer(0)), (T, n**3), (I, Integer(1)), (b, n),
        (eps, 1 / (300 * n**4)), (pace_b, 1 / n), (eta, 1 / (8 * n)),
    )  # fmt: skip
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
FAILS = f"{KEY}.theorem3.fails"
MINIBATCH_CASE = (*SMOOTH_CASE, A.BATCHES.id)
THEOREM3 = Statement(
    f"{KEY}.theorem3",
    "Theorem 3 (FedMSPP, smooth losses)",
    Source(KEY, "Theorem 3"),
    letters(L, G, Delta, T, I, b, eps),
    Hidden("drawn_squared_gradient", f.HIDDEN3, family=Family(n, 4, DEVICES, n / 136)),
    where=(PACE3, ETA3),
    conditions=(ROUNDS, *ORACLE3),
    assumptions=MINIBATCH_CASE,
    counterexample=(
        f"{FAILS}.stays", f"{FAILS}.second", f"{FAILS}.pace", f"{FAILS}.outgrown", f"{FAILS}.least",
    ),
    note="Two devices with different gradients: what is drawn varies by G^2/I from device to device, however "
    "large their minibatches are; Lemma 11 has G^2/(bI). With equal devices, and with "
    "(bI)^2 for bI in the third condition on eps_t, it holds: theorem3.repaired. Theorem 1 has no b.",
)  # fmt: skip
with printed():
    REMARK7 = Statement(
        f"{KEY}.remark7",
        "Remark 7, the regime",
        Source(KEY, "Remark 7"),
        letters(T, I, b),
        Implies((T >= (b * I) ** 3,), f.CUBE_ROOT**2 <= sqrt(1 / (T * b * I))),
        conditions=(ROUNDS,),
        note="The second term is the larger one. That T falls with b rests on Theorem 3, which needs equal "
        "devices; with different ones J = G^2 I/(G^2/b + H^2) <= G^2 I/H^2 stands for bI, however large b is "
        "(remark7.saturates).",
    )
    REMARK7_SATURATES = Statement(
        f"{KEY}.remark7.saturates",
        "Remark 7 with different devices: the speed-up in b has an end",
        Source(KEY, "Remark 7, with the spread of the repaired Theorem 3"),
        letters(G, H2, I, b),
        Implies((H2 > 0,), f.DRAWS3 <= G**2 * I / H2),
        note="And J <= bI always, with equality for H = 0.",
    )
THEOREM4 = replace(
    THEOREM2,
    id=f"{KEY}.theorem4",
    title="Theorem 4 (FedMSPP, weakly convex losses)",
    source=Source(KEY, "Theorem 4"),
)
