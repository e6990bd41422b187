"""(48)-(51) as printed: one round under the proximal PL inequality."""

from fedproof.papers.composite.proofs.descent import EQ42, F0, F1, err2, v
from fedproof.papers.composite.proofs.lemma_a2 import LEMMA_A2
from fedproof.papers.composite.proofs.metric_relations import Fs
from fedproof.papers.composite.proofs.potential import SERVER8, SERVER_LONG, SIZES
from fedproof.papers.composite.proofs.printed35 import *
from fedproof.papers.composite.proofs.printed45 import *
from fedproof.papers.composite.proofs.prox_pl import EQ47, Ft
from fedproof.papers.composite.proofs.vectors import *
from fedproof.papers.composite.statements import formulas as f

by = step_writer("composite", __name__)

with printed():
    RATES = (eta_t > 0, L > 0, mu > 0)
    SMALL = (L * eta_t <= 1, mu * eta_t <= 1)
    FALL = mu * eta_t / 3 * (F0 - Fs)
    EQ48 = by.mean("eq48")(
        Ft <= F0 + (L / 3 - 2 / (3 * eta_t)) * n2(tilde - P) - FALL,
        RATES,
        SMALL,
        EQ38.at(),
        EQ47.at(),
    )
    EQ49 = by.mean("eq49")(
        F1
        <= F0
        + (5 * L / 6 - 1 / (6 * eta_t)) * n2(tilde - P)
        + (L / 2 - 1 / (2 * eta_t)) * n2(plus - P)
        - FALL
        - 1 / (2 * eta_t) * n2(plus - tilde)
        + ip(plus - tilde, grad - v),
        RATES,
        SMALL,
        used(EQ48, EQ39),
    )
    TWELFTH = (L * eta_t <= rational(1, 10),)
    FACTOR_PRINTED = by.real("eq50.factor", "below (50)")(
        5 * L / 6 - 1 / (6 * eta_t) <= 1 / (12 * eta_t),
        (eta_t > 0, L > 0),
        TWELFTH,
        lacks="(50) uses it with a minus sign on the right, which is missing in print",
        note="As printed it is true, and too weak for (50).",
    )
    FACTOR = by.real("eq50.factor.used", "below (50)")(
        5 * L / 6 - 1 / (6 * eta_t) <= -1 / (12 * eta_t),
        (eta_t > 0, L > 0),
        TWELFTH,
        repairs="composite.eq50.factor",
    )
    EQ49_TWICE = by.mean("eq50.vectors", "eq. (50), (41) in (49)")(
        F1
        <= F0
        + (5 * L / 6 - 1 / (6 * eta_t)) * n2(tilde - P)
        + (L / 2 - 1 / (2 * eta_t)) * n2(plus - P)
        - FALL
        + eta_t / 2 * n2(v - grad),
        RATES,
        SMALL,
        used(EQ49, EQ41),
    )
    EQ50 = by.sum("eq50")(
        F1 - Fs <= (1 - mu * eta_t / 3) * (F0 - Fs) - 1 / (12 * eta_t) * pgd2 + MOVES + eta_t / 2 * DRIFTS,
        SIZES,
        mu > 0,
        mu * eta_t <= 1,
        TWELFTH,
        assume("meaning: a mean square", pgd2 >= 0),
        EQ49_TWICE.at({n2(tilde - P): pgd2, n2(plus - P): moved, n2(v - grad): err2}),
        EQ42.at(),
        FACTOR.at(),
    )
    BEGUN = (1 - mu * eta_t / 3) * (eta_t * (F0 - Fs) + LamSq / n)
    EQ50_DRIFT = by.sum("eq51.drift", "eq. (51), (34) in (50)")(
        F1 - Fs
        <= (1 - mu * eta_t / 3) * (F0 - Fs)
        - rational(1, 12) * eta_t * G2
        + MOVES
        + rational(23, 20) * (eta_t * L**2 * PASSED_T)
        + NOISY,
        SIZES,
        mu > 0,
        mu * eta_t <= 1,
        TWELFTH,
        f.SHORT_STEP,
        ETA_T,
        assume("meaning: a mean square", pgd2 >= 0),
        SQUARES[0],
        EQ50.at(),
        SUMMED.at(),
        DRIFTED.at(),
        EXACT,
    )
    EQ51_PRINTED = by.sum("eq51")(
        LEFT <= BEGUN + noise(6) + OF_SUBGRADIENTS,
        SIZES,
        STEP13,
        (mu > 0, mu <= L, f.SHORT_STEP, f.LEMMA_STEP),
        SQUARES,
        ETA_T,
        EXACT,
        EQ50_DRIFT.at(),
        LEMMA_A2.at(),
        FIRST_ROUND,
        flaw="gap",
        witness=(*NUMBERS, ("mu", "1")),
        note="As (45), in the same first round: F = 0 satisfies Assumption 3.3(2) with any mu, here with "
        "mu = L. 36 in place of 6 is right. Theorem 3.6 keeps its constant 18 (theorem3.6.end).",
    )
    EQ51 = by.sum("eq51.repaired")(
        LEFT <= BEGUN + noise(36) + OF_SUBGRADIENTS,
        SIZES,
        STEP13,
        (mu > 0, mu * eta_t <= rational(1, 10)),
        SQUARES,
        ETA_T,
        assume("meaning: a mean square", pgd2 >= 0),
        used(SERVER8, SERVER_LONG, SHORTER, LEMMAS, EQ50_DRIFT, SPREAD_T, *BOUNDED.values()),
        repairs="composite.eq51",
    )
