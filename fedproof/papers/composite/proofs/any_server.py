"""Theorems 3.5 and 3.6 for any server step size, by F - F* + L^2 eta~ times the spread of the corrections.

The spread is weighed by what a round makes of it, not by 1/eta~; so it never costs more than the drift that
it causes, and eta tau <= 1/(10 L) is all that is asked of the server's step size.
"""

from fedproof.papers.composite.proofs import descent, drift_mean, potential, prox_pl
from fedproof.papers.composite.proofs.descent import F0, F1, model
from fedproof.papers.composite.proofs.metric_relations import F, Fs, r
from fedproof.papers.composite.proofs.metric_relations import G as Gr
from fedproof.papers.composite.proofs.potential import NOISE, SIZES
from fedproof.papers.composite.proofs.theorem38 import LOCAL, MEAN, SHARED
from fedproof.papers.composite.proofs.theorems import Lam
from fedproof.papers.composite.proofs.vectors import *
from fedproof.papers.composite.statements import strengthened_formulas as strong

floor = number("floor", r"\nu")
p = sequence("p(r)", r"(1-\tfrac{19\mu\tilde\eta}{20})^{R-r}", nonnegative=True)
G2 = potential.G2
Omega1_hat = number("Omega1_hat", r"\mathbb E[\hat\Omega^{1}]")
kept_any = number("kept_any", r"(1-\tfrac{19\mu\tilde\eta}{20})^{R}")
by = step_writer("composite", __name__, "Theorems 3.5 and 3.6, for any server step size")


with printed():
    #: eta~ L <= 1/10 and eta tau L <= 1/10
    SHORT = (L * eta_t <= rational(1, 10), L * eta_t <= eta_g / 10)
    LIMITS = (SIZES, SHORT)
    SQUARES = assume("meaning: mean squares", G2 >= 0, Lam2 >= 0, moved >= 0, drift >= 0)
    WITHIN = by.real("any.within")(eta_t <= 1 / (10 * L), SIZES, SHORT)
    HERE = by.sum("any.drift")(
        (1 - rational(9, 2) * LOCAL) * MEAN
        <= rational(9, 400) / L**2 * G2 + rational(3, 4) * Lam2 + rational(9, 8) * (eta_t**2 * SHARED),
        LIMITS,
        ETA_T,
        SQUARES[0],
        WITHIN.at(),
        drift_mean.DRIFT.at({drift_mean.reach: 1 / (10 * L)}),
    )
    SMALL = by.real("any.local")(LOCAL <= rational(1, 100), SIZES, SHORT)
    WEIGHT = L**2 * eta_t
    ROUND = by.sum("any.round")(
        F1 + WEIGHT * spread
        <= F0
        + model
        + rational(1, 40) * eta_t * G2
        + rational(817, 1000) * WEIGHT * Lam2
        + eta_t * NOISE
        + rational(523, 100) * WEIGHT * (eta_t**2 * SHARED),
        LIMITS,
        used(SMALL, descent.EXPECTED, potential.SPREAD, HERE),
        SQUARES[::-1],
    )
    NAMED = assume("definition: a name for the noise of a round", Eq(floor, (1 + strong.CARRIED) * NOISE))
    ROUND35 = by.sum("any.round35")(
        F1 - Fs + WEIGHT * spread <= F0 - Fs + WEIGHT * Lam2 - strong.DESCENT * eta_t * G2 + eta_t * floor,
        LIMITS,
        ROUND.at(),
        descent.MODEL.at({n2(G): G2}),
        SQUARES[1],
        NAMED,
    )
    #: mu eta~ <= 1/10, as mu <= L gives
    CURVED = (mu > 0, mu <= L)
    FLAT = by.real("any.curvature")(mu * eta_t <= rational(1, 10), SIZES, SHORT, CURVED)
    RATE = rational(19, 20)
    ROUND36 = by.sum("any.round36")(
        F1 - Fs + WEIGHT * spread <= (1 - RATE * mu * eta_t) * (F0 - Fs + WEIGHT * Lam2) + eta_t * floor,
        LIMITS,
        CURVED,
        used(FLAT, ROUND, prox_pl.FALLS_WEAK),
        descent.MODEL.at({n2(G): G2}),
        SQUARES[1],
        NAMED,
        note="19/20 of the model's least value by the proximal PL inequality with L in D_g, as in [11]; the "
        "rest pays |G|^2.",
    )
    ROUNDS = assume("meaning: there is a round", R >= 1)
    NOISY = assume("meaning: a mean square", floor >= 0)

#: one round, by what it begins with and ends with
AT = {F0: F(r), F1: F(r + 1), Lam2: Lam(r), spread: Lam(r + 1), G2: Gr(r)}

with printed():
    #: where the first round begins
    START = Eq(Omega1_hat, F(1) - Fs + WEIGHT * Lam(1))
    WHY_START = "definition: the weighted potential"
    SUMMED35 = by.sum("any.theorem3.5.rounds", "Theorem 3.5, for any server step size")(
        1 / R * total(Gr(r), r, 1, R)
        <= Omega1_hat / (strong.DESCENT * eta_t * R) + 1 / strong.DESCENT * floor,
        LIMITS,
        ROUNDS,
        ROUND35.at(AT, over=(r, 1, R)),
        assume("definition: F* is the least value", Fs <= F(R + 1)),
        assume(WHY_START, START),
    )
    ANY35 = by.sum("any.theorem3.5.end", "Theorem 3.5, for any server step size")(
        1 / R * total(Gr(r), r, 1, R) <= strong.ANY35,
        LIMITS,
        ROUNDS,
        SUMMED35.at(),
        NAMED,
    )
    FALLING = ForAll(Eq(p(r - 1), (1 - RATE * mu * eta_t) * p(r)), r, 1, R)
    POWER = "definition: the powers of 1 - 19 mu eta~/20"
    HELD = rational(20, 19) / mu * floor
    SUMMED36 = by.sum("any.theorem3.6.rounds", "Theorem 3.6, for any server step size")(
        F(R + 1) - Fs <= kept_any * Omega1_hat + HELD,
        LIMITS,
        CURVED,
        ROUNDS,
        NOISY,
        FLAT.at(),
        ROUND36.at(AT, over=(r, 1, R)),
        assume(POWER, FALLING, Eq(p(0), kept_any)),
        times(HELD - (F(R + 1) - Fs + WEIGHT * Lam(R + 1)), Eq(p(R), 1), POWER),
        times(-p(0), START, WHY_START),
    )
    ANY36 = by.sum("any.theorem3.6.end", "Theorem 3.6, for any server step size")(
        F(R + 1) - Fs <= strong.ANY36,
        LIMITS,
        CURVED,
        ROUNDS,
        SUMMED36.at(),
        NAMED,
    )
