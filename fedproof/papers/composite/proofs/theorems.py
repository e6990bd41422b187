"""Theorems 3.5 and 3.6 over all rounds, sharpened and as printed, by the weighted potential."""

from fedproof.papers.composite.proofs import potential
from fedproof.papers.composite.proofs.descent import F0, F1
from fedproof.papers.composite.proofs.metric_relations import F, Fs, Om, r
from fedproof.papers.composite.proofs.metric_relations import G as Gr
from fedproof.papers.composite.proofs.potential import CURVED, LONG, NOISE, SERVER8, SERVER_LONG, SHORT, SIZES
from fedproof.papers.composite.proofs.vectors import *
from fedproof.papers.composite.statements import formulas as f

Lam = sequence(
    "Lam(r)", r"\tfrac1n\mathbb E\|\mathbf\Lambda^{r}-\overline{\mathbf\Lambda}^{r}\|^2", nonnegative=True
)
p = sequence("p(r)", r"(1-\tfrac{9\mu\tilde\eta}{10})^{R-r}", nonnegative=True)
half = sequence("half(r)", r"(1-\tfrac{\mu\tilde\eta}{2})^{R-1-r}", nonnegative=True)
#: an exponent; R - 1
k, R1 = numbers("k R1")
P2 = number("P2", r"(1-\tfrac{\mu\tilde\eta}{2})^{k}")
P3 = number("P3", r"(1-\tfrac{\mu\tilde\eta}{3})^{k}")
half1 = number("half1", r"(1-\tfrac{\mu\tilde\eta}{2})^{R-1}")
third1 = number("third1", r"(1-\tfrac{\mu\tilde\eta}{3})^{R-1}")

kept = number("kept", r"(1-\tfrac{\mu\tilde\eta}{3})^{R}")
kept_sharp = number("kept_sharp", r"(1-\tfrac{9\mu\tilde\eta}{10})^{R}")
by = step_writer("composite", __name__)
#: one round, by what it begins with and ends with
AT = {F0: F(r), F1: F(r + 1), Lam2: Lam(r), spread: Lam(r + 1), G2: Gr(r)}
TENTH = rational(1, 10)
EQ13 = (SIZES, L * eta_t <= TENTH, f.SERVER)


with printed():
    START = Eq(Omega1, F(1) - Fs + Lam(1) / eta_t)
    WHY_START = "definition: (10)"
    STARTS = assume(WHY_START, START)
    ROUNDS = assume("meaning: there is a round", R >= 1)
    LEAST = "definition: F* is the least value"
    SHARP35 = by.sum("theorem3.5.sharpened.end", "Theorem 3.5, sharpened")(
        1 / R * total(Gr(r), r, 1, R) <= f.SHARP35,
        SIZES,
        SHORT,
        ROUNDS,
        potential.FALLS35.at(AT, over=(r, 1, R)),
        assume(LEAST, Fs <= F(R + 1)),
        STARTS,
        note="Summed over the rounds r = 1..R, with the weight 1/16.",
    )
    THEOREM35 = by.sum("theorem3.5.end", "Theorem 3.5")(
        1 / R * total(Gr(r), r, 1, R) <= f.THEOREM35,
        EQ13,
        ROUNDS,
        assume("meaning: of a potential", Omega1 >= 0),
        used(SERVER_LONG, SERVER8, SHARP35),
        note="With a weight on the spread in (10) the printed constants have room: 0.47 for 0.3, at most "
        "8.65 for 20, nothing for 187. (45) and (46) are not used.",
    )
    FALLING = ForAll(Eq(p(r - 1), (1 - rational(9, 10) * mu * eta_t) * p(r)), r, 1, R)
    POWER = "definition: the powers of 1 - 9 mu eta~/10"
    NOISE36 = 1 + rational(23, 50) * (n / eta_g**2)
    HELD = rational(10, 9) / mu * NOISE36 * NOISE
    SHARP36 = by.sum("theorem3.6.sharpened.end", "Theorem 3.6, sharpened")(
        F(R + 1) - Fs <= f.SHARP36,
        SIZES,
        SHORT,
        CURVED,
        ROUNDS,
        potential.ROUND36.at(AT, over=(r, 1, R)),
        assume(POWER, FALLING, Eq(p(0), kept_sharp)),
        times(HELD - (F(R + 1) - Fs + rational(1, 12) * Lam(R + 1) / eta_t), Eq(p(R), 1), POWER),
        times(-p(0), START, WHY_START),
        note="Round r with the weight (1 - 9 mu eta~/10)^(R-r); the potential's weight is 1/12.",
    )
    CURVATURE = by.real("theorem3.6.curvature", "Theorem 3.6")(
        mu * eta_t <= TENTH,
        (eta_t > 0, mu > 0, L > 0, L * eta_t <= TENTH, mu <= L),
    )
    #: P2 and P3 are the powers with exponent k
    BOTH = ((P2, 1, (1 - mu * eta_t / 2) * P2), (P3, 1, (1 - mu * eta_t / 3) * P3))
    POWERS = by.induction("theorem3.6.powers", "Theorem 3.6, powers of two factors")(
        sp.Abs(P2) <= P3,
        (eta_t > 0, *CURVED),
        induction=Induction(k, 0, BOTH),
    )
    #: what the rounds before the last leave: 31/5 over 1/2, in units of sigma^2/(mu n tau b)
    FLOOR = rational(62, 5) / mu * NOISE
    BEFORE_LAST = ForAll(Eq(half(r - 1), (1 - mu * eta_t / 2) * half(r)), r, 1, R - 1)
    HALVES = "definition: the powers of 1 - mu eta~/2"
    U_R = F(R) - Fs + rational(2, 15) * Lam(R) / eta_t
    USUAL = by.sum("theorem3.6.before_last", "Theorem 3.6, all rounds but the last")(
        U_R <= half1 * Omega1 + FLOOR,
        SIZES,
        SHORT,
        CURVED,
        (*LONG, *potential.EIGHT),
        ROUNDS,
        potential.USUAL.at(AT, over=(r, 1, R - 1)),
        assume(HALVES, BEFORE_LAST),
        times(FLOOR - U_R, Eq(half(R - 1), 1), HALVES),
        times(Omega1, Eq(half(0), half1), HALVES),
        times(-half(0), START, WHY_START),
        note="Round r with the weight (1 - mu eta~/2)^(R-1-r); the potential's weight is 2/15.",
    )
    #: the powers with exponent R - 1
    FEWER = by.real("theorem3.6.kept", "Theorem 3.6, powers of two factors")(
        (1 - mu * eta_t / 3) * half1 <= kept,
        (eta_t > 0, *CURVED),
        ROUNDS,
        assume("definition: the last factor of the power", Eq(kept, (1 - mu * eta_t / 3) * third1)),
        assume("definition: the rounds before the last", Eq(R1, R - 1)),
        POWERS.at({k: R1, P2: half1, P3: third1}),
    )
    REPAIRED36 = by.sum("theorem3.6.repaired.end", "Theorem 3.6, mu <= L")(
        Om(R + 1) <= f.THEOREM36,
        EQ13,
        (mu > 0, mu <= L),
        ROUNDS,
        assume("meaning: of a potential", Omega1 >= 0),
        used(SERVER_LONG, SERVER8, CURVATURE, USUAL, FEWER),
        potential.LAST.at(AT, over=(r, R, R)),
        assume(WHY_START, Eq(Om(R + 1), F(R + 1) - Fs + Lam(R + 1) / eta_t)),
        note="The weight is 2/15 in all rounds and 1, that of (10), after the last.",
    )
    UNSTATED = assume("unstated: mu <= L, which fails only where F is constant", mu <= L)
    THEOREM36 = by.sum("theorem3.6.end", "Theorem 3.6")(
        Om(R + 1) <= f.THEOREM36,
        EQ13,
        mu > 0,
        ROUNDS,
        UNSTATED,
        assume("meaning: of a potential", Omega1 >= 0),
        REPAIRED36.at(),
        note="mu <= L holds unless F is constant where g is finite (composite.prox_pl.constant); it is "
        "written out for that case alone (composite.theorem3.6.degenerate). (51) is not used.",
    )
