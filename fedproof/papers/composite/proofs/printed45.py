"""(45): the constants that (13) gives."""

from fedproof.papers.composite.proofs.descent import F0, F1
from fedproof.papers.composite.proofs.lemma_a2 import LEMMA_A2
from fedproof.papers.composite.proofs.metric_relations import Fs
from fedproof.papers.composite.proofs.potential import SERVER8, SERVER_LONG, SIZES
from fedproof.papers.composite.proofs.printed35 import EQ44, PASSED, SQUARES, STEP13, pgd2
from fedproof.papers.composite.proofs.vectors import *
from fedproof.papers.composite.statements import formulas as f

by = step_writer("composite", __name__)

#: f_i = 0, g = 0 with additive errors in the first round: the instance of (46) in `telescoped`
NUMBERS = values(
    "n=18 eta_g=3/2 tau=1 b=1 sigma2=1 L=1 B_g=1/10 eta=1/15 eta_t=1/10 G2=0 LamSq=0 moved=1/1800 "
    "pgd2=0 F0=0 Fs=0 F1=0 spread=17/4050"
)
ERRORS_ALONE = (
    "instance: f_i = 0, g = 0, L = 1; every client has two samples with losses x and -x, batches of one; "
    "one local step; the first round, r = 1"
)

with printed():
    EQ13 = (SIZES, STEP13)
    EXACT = assume("definition: (11)", Eq(pgd2, eta_t**2 * G2))
    LEFT = eta_t * (F1 - Fs) + spread
    #: the model moves by the mean error; Lambda_i^2 is eta times the mean error less the client's own
    FIRST_ROUND = assume(
        ERRORS_ALONE,
        Eq(tau, 1),
        Eq(moved, eta_t**2 * (sigma2 / (n * b))),
        Eq(spread, eta**2 * (1 - 1 / n) * (sigma2 / b)),
        *(Eq(x, 0) for x in (F0, F1, Fs, G2, LamSq)),
    )
    OF_SUBGRADIENTS = rational(14, 5) * 20 * L**2 * eta_t**4 / eta_g**2 * B_g**2
    BEGUN = eta_t * (F0 - Fs) + LamSq / n
    SHARE = 1 - mu * eta_t / 3

    def noise(factor: Any) -> Any:
        """So many times eta~^2 sigma^2/(n tau b)."""
        return factor * eta_t**2 * (1 / (n * tau)) * (sigma2 / b)

    def fallen(factor: Any) -> Any:
        """The right side of (45)."""
        return BEGUN + noise(factor) + OF_SUBGRADIENTS - f.DESCENT * eta_t**2 * G2

    #: n/eta_g^2 <= 8 and eta_g >= 3/2 turn every constant into a number
    COEFFICIENTS = {
        "sigma": 1
        + 4 * (n / eta_g**2)
        + (L * eta_t) ** 2 * (n / eta_g**2) * (rational(46, 5) + 40 / eta_g**2),
        "gradient": (L * eta_t) ** 2 * (rational(23, 5) + 20 / eta_g**2) / eta_g**2,
        "subgradients": rational(92, 5) + 80 / eta_g**2,
        "spread": (L * eta_t) ** 2 * (rational(23, 5) + 20 / eta_g**2),
    }
    MOST = {
        "sigma": rational(36, 1), "gradient": rational(3, 50), "subgradients": rational(14, 5) * 20,
        "spread": rational(27, 200),
    }  # fmt: skip
    BOUNDED = {
        part: by.real(f"eq45.{part}", "eq. (45), below: straightforward algebraic calculations")(
            value <= MOST[part],
            EQ13,
            used(SERVER8, SERVER_LONG),
        )
        for part, value in COEFFICIENTS.items()
    }
    #: (34) and (21) without eta
    PASSED_T = (
        16 * eta_t**2 / eta_g**2 * B_g**2
        + 4 * eta_t**2 / eta_g**2 * G2
        + 4 * LamSq / n
        + 8 * eta_t**2 / (eta_g**2 * tau) * (sigma2 / b)
    )
    DRIFT_T = (
        20 * eta_t**2 / eta_g**2 * B_g**2
        + 5 * eta_t**2 / eta_g**2 * G2
        + 5 * LamSq / n
        + 10 * eta_t**2 / (eta_g**2 * tau) * (sigma2 / b)
    )
    MOVES = (L / 2 - 1 / (2 * eta_t)) * moved
    NOISY = eta_t * (1 / (n * tau)) * (sigma2 / b)
    DRIFTED = by.real("eq44.drift", "eq. (44), its drift in terms of eta~")(
        eta_t * L**2 * (1 / (n * tau)) * (rational(23, 20) * tau * PASSED)
        <= rational(23, 20) * (eta_t * L**2 * PASSED_T),
        SIZES,
        ETA_T,
        note="An equality.",
    )
    SPREAD_T = by.real("lemmaA2.effective", "Lemma A.2 in terms of eta~")(
        spread
        <= 2 / eta_g**2 * (L * eta_t) ** 2 * moved
        + 4 / eta_g**2 * (L * eta_t) ** 2 * DRIFT_T
        + 4 / (eta_g**2 * tau) * eta_t**2 * (sigma2 / b),
        SIZES,
        f.LEMMA_STEP,
        ETA_T,
        SQUARES[0],
        LEMMA_A2.at(),
    )
    EQ44_T = by.sum("eq44.effective", "eq. (44) in terms of eta~")(
        F1
        <= F0
        - (rational(1, 2) - L * eta_t) * eta_t * G2
        + MOVES
        + rational(23, 20) * (eta_t * L**2 * PASSED_T)
        + NOISY,
        SIZES,
        f.SHORT_STEP,
        ETA_T,
        SQUARES[0],
        used(EQ44, DRIFTED),
        EXACT,
    )
    EQ45_PRINTED = by.sum("eq45")(
        LEFT <= fallen(6),
        EQ13,
        SQUARES,
        ETA_T,
        EXACT,
        EQ44.at(),
        LEMMA_A2.at(),
        (f.SHORT_STEP, f.LEMMA_STEP),
        FIRST_ROUND,
        flaw="gap",
        witness=NUMBERS,
        note="(44) and Lemma A.2 give 1 + 9.2 n (L eta~)^2/eta_g^2 + 4 n/eta_g^2 + 40 n (L eta~)^2/eta_g^4, "
        "which (13) bounds by 35.2: Lemma A.2's last term alone is 4 n/eta_g^2, up to 32. The round is "
        "the first of the instance of eq46.instance.*: there E Omega^1 = 0. With 36, or with "
        "eta_g >= sqrt(n) as in Theorem 3.8 and then with 6, the line is right. Theorem 3.5 keeps its "
        "constants (theorem3.5.end).",
    )
    #: what (13) gives of the steps' conditions
    SHORTER = by.real("eq45.short", "(13), below (33)")(f.SHORT_STEP, SIZES, STEP13, SERVER_LONG.at())
    LEMMAS = by.real("eq45.lemmas", "(13), Lemmas A.1 and A.2")(f.LEMMA_STEP, SIZES, STEP13, SERVER_LONG.at())
    EQ45 = by.sum("eq45.repaired")(
        LEFT <= fallen(36),
        SIZES,
        ETA_T,
        STEP13,
        SQUARES,
        used(SHORTER, LEMMAS, SERVER8, SERVER_LONG, EQ44_T, SPREAD_T, *BOUNDED.values()),
        repairs="composite.eq45",
    )
