"""Remarks 1 to 3, 5 and 6 and what Sec. 1 says of the same, as claims that can be decided.

Remark 4 says that a result is the first of its kind; Remarks 7 and 8 are of Theorem 3.
"""

from __future__ import annotations

from dataclasses import replace

from fedproof.bounds.prelude import *
from fedproof.papers.fedprox import assumptions as A
from fedproof.papers.fedprox.notation import *
from fedproof.papers.fedprox.statements import complexity as m
from fedproof.papers.fedprox.statements import formulas as f
from fedproof.papers.fedprox.statements.explicit import EXPLICIT2, GENERAL1
from fedproof.papers.fedprox.statements.printed import DRIFT, KEY, ROUNDS, SPREAD, STEPSIZE1, THEOREM1


def _remark(
    name: str,
    title: str,
    where: str,
    symbols: tuple[sp.Symbol, ...],
    claim: Claim,
    conditions: tuple[Condition, ...] = (ROUNDS,),
    uses: tuple[str, ...] = (f"{KEY}.theorem1",),
    note: str = "",
    defs: tuple[Def, ...] = (),
) -> Statement:
    return Statement(
        f"{KEY}.{name}",
        title,
        Source(KEY, where),
        letters(*symbols),
        claim,
        defs,
        conditions,
        uses=uses,
        note=note,
    )


with printed():
    LGD = h2 <= B_lgd**2 * g2 + H_lgd**2
    ALIKE = Implies((Eq(h2, g2), Eq(B_lgd, 1), Eq(H_lgd, 0)), LGD)
    STATIONARY = Implies((h2 <= B_lgd**2 * g2, Eq(g2, 0)), Eq(h2, 0))
    SLOWER = Implies((), 1 / T / f.CUBE_ROOT <= f.RATE)
    LINEAR = Identity(m.ROUNDS_MANY * I, m.ROUNDS_MANY.xreplace({I: I2}) * I2)
    #: the two rates, made of powers of T that are known by what defines them
    CUBE = Def(letter(cube), f.CUBE_ROOT, "Theorem 1", facts=(cube > 0, cube <= 1, Eq(T * cube**3, 1)))
    RATE_I = Def(letter(rate_I), m.RATE_MANY, "Theorem 1", facts=(rate_I > 0, Eq(T * I * rate_I**2, 1)))
    _ABOVE = (cube**2 <= rate_T, rate_I <= rate_T)
    RATE_T = Def(letter(rate_T), 1 / sqrt(T), "Theorem 2", facts=(rate_T > 0, Eq(T * rate_T**2, 1), *_ABOVE))
    COMPARABLE = Implies((), rate_T <= sqrt(I) * sp.Max(cube**2, rate_I))
    NEVER_LESS = Implies((), sp.Max(cube**2, rate_I) <= rate_T)
    INFERIOR = Implies((), m.RATE_FEW <= 1 / sqrt(T))
    SHORT = (
        Condition("3 L eta <= T^(-1/3)", 3 * L * eta <= f.CUBE_ROOT, "Theorem 1, first in min"),
        Condition("3 L eta <= sqrt(I/T)", 3 * L * eta <= sqrt(I / T), "Theorem 1, second in min"),
    )
    STEPSIZE = Implies((Eq(3 * L_more * eta, f.PACE),), L <= L_more)
    REMARK5_BOUND = rho**2 * f.EXPLICIT2

_RATES = (CUBE, RATE_I, RATE_T)
_BOTH = (f"{KEY}.theorem1", f"{KEY}.theorem2")

HOMOGENEOUS = _remark(
    "section1.homogeneous",
    "Equal devices have B = 1 and H = 0",
    "below Definition 1",
    (B_lgd, H_lgd, h2, g2),
    ALIKE,
    (),
    (),
)
SHARED = _remark(
    "section1.stationary",
    "Under (B, 0)-LGD a stationary point of the global risk is one of every device's",
    "Sec. 1.1, local dissimilarity condition",
    (B_lgd, h2, g2),
    STATIONARY,
    (),
    (),
    "A mean of squares that is zero has no square that is not.",
)
REMARK1_SLOWER = _remark(
    "remark1.slower",
    "The rate of Theorem 1 is slower than 1/T, at least by the factor T^(1/3)",
    "Remark 1; Sec. 1.2, below (4)",
    (T, I),
    SLOWER,
)
REMARK1_DEVICES = _remark(
    "remark1.devices",
    "More drawn devices make the rounds that suffice fewer",
    "Remark 1; Sec. 1.2, below (4)",
    (L, G, Delta, I, epsilon),
    Monotone(m.ROUNDS1, I, "decreasing"),
    (),
    (f"{KEY}.table1.theorem1",),
)
REMARK1_LINEAR = _remark(
    "remark1.linear",
    "While T >= I^3, the rounds that suffice are inversely proportional to the number of drawn devices",
    "Remark 1",
    (L, G, Delta, I, I2, epsilon),
    LINEAR,
    (),
    (f"{KEY}.section1.rounds.many",),
    "With I beyond the square root of (6 L Delta + 34/9 G^2)/epsilon, T^(-2/3) is the larger term, and more "
    "devices help no more.",
)
_EVERYONE = (A.LIPSCHITZ.id, A.SMOOTH.id, A.ORACLE.id, A.FULL.id, A.AVERAGE.id, A.START.id)
REMARK2_GENERAL = replace(
    GENERAL1,
    id=f"{KEY}.remark2.general",
    title="Theorem 1 with every device in every round, before the step size is chosen",
    source=Source(KEY, "Remark 2"),
    claim=Bound("drawn_squared_gradient", m.FULL),
    conditions=(ROUNDS, STEPSIZE1, DRIFT, SPREAD),
    assumptions=_EVERYONE,
    proof=(f"{KEY}.remark2.general",),
)
with printed():
    ETA_FULL = Def(letter(eta), f.CUBE_ROOT / (3 * L), "Remark 2", report=True)
    LGD_STEP = Condition("5 L B eta <= 1", 5 * L * B_lgd * eta <= 1, "not in the paper")
REMARK2 = replace(
    THEOREM1,
    id=f"{KEY}.remark2",
    title="Theorem 1 with every device in every round: the rate T^(-2/3)",
    source=Source(KEY, "Remark 2; Sec. 1.2, below (4)"),
    claim=Bound("drawn_squared_gradient", m.FULL_RATE),
    where=(ETA_FULL,),
    assumptions=_EVERYONE,
    note="I is the number of devices. Young's inequality instead of the bound G on the gradient keeps what "
    "the oracle leaves of order eta^2; by the text's own the term 4 L G^2 eta/I stays.",
    proof=(f"{KEY}.remark2",),
)
REMARK2_LGD = replace(
    GENERAL1,
    id=f"{KEY}.remark2.lgd",
    title="With every device in every round and (B, 0)-LGD the rate is 1/T",
    source=Source(KEY, "Remark 2"),
    letters=letters(L, G, Delta, T, I, B_lgd, eta, eps),
    claim=Bound("drawn_squared_gradient", m.FULL_LGD),
    conditions=(ROUNDS, STEPSIZE1, LGD_STEP),
    assumptions=(*_EVERYONE, A.LGD.id),
    note="At a step size that does not fall with T, and up to what the oracle leaves.",
    proof=(f"{KEY}.remark2.lgd",),
)
REMARK3 = Statement(
    f"{KEY}.remark3",
    "G-Lipschitz losses have (0, G)-LGD",
    Source(KEY, "Remark 3"),
    letters(L, G, T, I),
    Bound("drawn_squared_device_gradient", G**2),
    conditions=(ROUNDS,),
    assumptions=(A.LIPSCHITZ.id, A.SMOOTH.id, A.UNIFORM.id),
    note="The mean over the draws of a round stands for that over the devices, by uniform "
    "draws. Neither of (0, H)-LGD and (B, 0)-LGD implies the other: equal devices with unbounded gradients "
    "have the second alone.",
    proof=(f"{KEY}.remark3",),
)
REMARK5 = replace(
    EXPLICIT2,
    id=f"{KEY}.remark5",
    title="The server's models come near their proximal points at the rate of Theorem 2",
    source=Source(KEY, "Remark 5"),
    claim=Bound("drawn_squared_prox_distance", REMARK5_BOUND),
    uses=(EXPLICIT2.id,),
    amends=None,
    reading="the rate of the squared distance, as the theorem's is of a squared norm",
    note="The distance itself is then O(T^(-1/4)). That the proximal points become stationary is "
    "fedprox.remark5.stationary, with the same gradient.",
    proof=(f"{KEY}.remark5",),
)
REMARK6_COMPARABLE = _remark(
    "remark6.comparable",
    "The rate of Theorem 2 is at most sqrt(I) times that of Theorem 1",
    "Remark 6; Sec. 1.2, below (5)",
    (T, I),
    COMPARABLE,
    uses=_BOTH,
    note="A constant where I = O(1); T need not be large for it. The two bound different measures.",
    defs=_RATES,
)
REMARK6_SLOWER = _remark(
    "remark6.slower",
    "The rate of Theorem 2 is never faster than that of Theorem 1",
    "Remark 6; Sec. 1.2, below (5)",
    (T, I),
    NEVER_LESS,
    uses=_BOTH,
    note="By the factor min{T^(1/6), sqrt(I)}, which is large where I and T are.",
    defs=_RATES,
)
REMARK6_FULL = _remark(
    "remark6.full",
    "1/sqrt(T) is inferior to T^(-2/3)",
    "Remark 6",
    (T,),
    INFERIOR,
    uses=(f"{KEY}.remark2", f"{KEY}.theorem2"),
)
APPENDIX_E = _remark(
    "appendixE.stepsize",
    "A shorter step is the one of Theorem 1 for a larger L, with which the losses are smooth too",
    "Theorem 1, for step sizes that Appendix E chooses otherwise; not in the paper",
    (L, L_more, T, I, eta),
    STEPSIZE,
    (ROUNDS, *SHORT),
)
