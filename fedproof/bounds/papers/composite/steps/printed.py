"""(38)-(46) and (48)-(51) as printed: the descent of one round, and the constants that (13) gives."""

from __future__ import annotations

from functools import partial
from typing import Any

from fedproof.bounds.expressions import printed
from fedproof.bounds.papers.composite import formulas as f
from fedproof.bounds.papers.composite.steps import lemma_a1 as A1
from fedproof.bounds.papers.composite.steps.descent import EQ42, F0, F1, SAID, err2, v
from fedproof.bounds.papers.composite.steps.fact1 import FACT1, Fp, Fz, fp, fz, gf, gp, gz, s, x, xp, z
from fedproof.bounds.papers.composite.steps.lemma_a2 import LEMMA_A2
from fedproof.bounds.papers.composite.steps.local_step import lam2
from fedproof.bounds.papers.composite.steps.mapping import g_P, g_tilde
from fedproof.bounds.papers.composite.steps.potential import SERVER8, SERVER_LONG, SIZES
from fedproof.bounds.papers.composite.steps.prox_pl import Fs, Ft
from fedproof.bounds.papers.composite.steps.words import (
    CLIENTS,
    ETA_T,
    STEPS_TAKEN,
    E,
    Eq,
    P,
    drift,
    fact,
    grad,
    i,
    number,
    plus,
    rational,
    spread,
    tilde,
)
from fedproof.bounds.papers.composite.symbols import (
    G2,
    B_g,
    L,
    LamSq,
    b,
    eta,
    eta_g,
    eta_t,
    moved,
    mu,
    n,
    sigma2,
    tau,
)
from fedproof.bounds.sequences import total
from fedproof.bounds.step import assume, times
from fedproof.bounds.vectors import ip, n2, vectors

__all__ = ["EQ43", "EQ45", "STEPS"]

#: E|x~ - P|^2
pgd2 = number("pgd2")
#: f at P^r, x~ and P^{r+1}, g at the last
f_P, f_tilde, f_next, g_next = (number(k) for k in ("f_P", "f_tilde", "f_next", "g_next"))
one, two = vectors("a b")

READS = (
    *SAID, (Ft, r"\mathbb E F(\tilde{\mathbf x}^{r+1})"), (Fs, r"F^{\star}"),
    (pgd2, r"\mathbb E\|\tilde{\mathbf x}^{r+1}-P_{\tilde\eta}(\overline{\mathbf x}^{r})\|^2"),
)  # fmt: skip
quad = partial(fact, rule="quad", reads=READS, mean=E)
sums = partial(fact, rule="sum", reads=READS)
real = partial(fact, reads=READS)

#: f_i = 0, g = 0 with additive errors: n = 18, eta_g = 3/2, tau = b = sigma = 1, eta~ = 1/10
NUMBERS = tuple(
    {
        "n": "18",
        "eta_g": "3/2",
        "tau": "1",
        "b": "1",
        "sigma2": "1",
        "L": "1",
        "B_g": "1/10",
        "eta": "1/15",
        "eta_t": "1/10",
        "G2": "0",
        "LamSq": "0",
        "moved": "0",
        "pgd2": "0",
        "F0": "0",
        "Fs": "0",
        "F1": "97/10000",
        "spread": "37/2000",
    }.items()
)

with printed():
    POSITIVE = (eta_t > 0, L > 0)
    #: the parts of F at P^r, x~ and P^{r+1}
    AT_P, AT_TILDE, AT_NEXT = (
        assume("definition: (1), F = f + g", Eq(whole, smooth + penalty))
        for whole, smooth, penalty in ((F0, f_P, g_P), (Ft, f_tilde, g_tilde), (F1, f_next, g_next))
    )
    EQ38 = quad(
        "eq38",
        "eq. (38)",
        Ft <= F0 + (L / 2 - 1 / (2 * eta_t)) * n2(tilde - P) - 1 / (2 * eta_t) * n2(tilde - P),
        POSITIVE,
        (*AT_P, *AT_TILDE),
        FACT1.at(
            {
                x: P,
                xp: tilde,
                z: P,
                v: grad,
                gf: grad,
                s: eta_t,
                Fp: Ft,
                fp: f_tilde,
                gp: g_tilde,
                Fz: F0,
                fz: f_P,
                gz: g_P,
            },
            weight=1,
        ),
    )
    BOTH = L / 2 * n2(plus - P) + L / 2 * n2(tilde - P)
    ACROSS = Ft + ip(grad - v, plus - tilde)
    EQ39_FIRST = quad(
        "eq39a",
        "eq. (39), <=",
        F1 <= ACROSS - 1 / eta_t * ip(plus - P, plus - tilde) + BOTH,
        POSITIVE,
        (*AT_TILDE, *AT_NEXT),
        FACT1.at(
            {
                x: P,
                xp: plus,
                z: tilde,
                gf: grad,
                s: eta_t,
                Fp: F1,
                fp: f_next,
                gp: g_next,
                Fz: Ft,
                fz: f_tilde,
                gz: g_tilde,
            },
            weight=1,
        ),
    )
    SECOND = (
        ACROSS
        + (L / 2 - 1 / (2 * eta_t)) * n2(plus - P)
        + (L / 2 + 1 / (2 * eta_t)) * n2(tilde - P)
        - 1 / (2 * eta_t) * n2(plus - tilde)
    )
    EQ39_EQUAL = quad(
        "eq39b",
        "eq. (39), =",
        Eq(ACROSS - 1 / eta_t * ip(plus - P, plus - tilde) + BOTH, SECOND),
        POSITIVE,
        note="2<b, b - a> = |b - a|^2 + |b|^2 - |a|^2.",
    )
    EQ39 = quad("eq39", "eq. (39)", F1 <= SECOND, POSITIVE, EQ39_FIRST.at(weight=1), EQ39_EQUAL.at(weight=1))
    EQ40 = quad(
        "eq40",
        "eq. (40)",
        F1
        <= F0
        + (L - 1 / (2 * eta_t)) * n2(tilde - P)
        + (L / 2 - 1 / (2 * eta_t)) * n2(plus - P)
        - 1 / (2 * eta_t) * n2(plus - tilde)
        + ip(plus - tilde, grad - v),
        POSITIVE,
        EQ38.at(weight=1),
        EQ39.at(weight=1),
    )
    YOUNG_PRINTED = fact(
        "eq41.young",
        "above (41)",
        n2(one + two) <= 1 / (2 * eta_t) * n2(one) + eta_t / 2 * n2(two),
        eta_t > 0,
        rule="quad",
        witness=tuple({"eta_t": "1", "a_1": "1", "b_1": "0"}.items()),
        flaw="misprint",
        note="Printed with |a + b|^2 for <a, b>; (41) uses it as it should be. No step size makes it true: "
        "at b = 0 it asks 2 eta~ <= 1, at a = 0 eta~ >= 2.",
    )
    YOUNG = fact(
        "eq41.young.repaired",
        "above (41)",
        ip(one, two) <= 1 / (2 * eta_t) * n2(one) + eta_t / 2 * n2(two),
        eta_t > 0,
        rule="quad",
        repairs="composite.eq41.young",
    )
    EQ41 = quad(
        "eq41",
        "eq. (41)",
        -1 / (2 * eta_t) * n2(plus - tilde) + ip(plus - tilde, grad - v) <= eta_t / 2 * n2(grad - v),
        eta_t > 0,
        YOUNG.at({one: plus - tilde, two: grad - v}, weight=1),
    )
    DRIFTS = 2 * L**2 / (n * tau) * drift + 2 / (tau * n) * (sigma2 / b)
    TWICE = quad(
        "eq43.vectors",
        "eq. (43), (41) in (40)",
        F1
        <= F0
        + (L - 1 / (2 * eta_t)) * n2(tilde - P)
        + (L / 2 - 1 / (2 * eta_t)) * n2(plus - P)
        + eta_t / 2 * n2(v - grad),
        POSITIVE,
        EQ40.at(weight=1),
        EQ41.at(weight=1),
    )
    EQ43 = sums(
        "eq43",
        "eq. (43)",
        F1 <= F0 + (L - 1 / (2 * eta_t)) * pgd2 + (L / 2 - 1 / (2 * eta_t)) * moved + eta_t / 2 * DRIFTS,
        SIZES,
        TWICE.at({n2(tilde - P): pgd2, n2(plus - P): moved, n2(v - grad): err2}, weight=1),
        EQ42.at(weight=eta_t / 2),
    )
    #: (13), and what it gives
    STEP13 = (L * eta_t <= rational(1, 10), f.SERVER)
    SQUARES = assume("meaning: squared norms", G2 >= 0, LamSq >= 0, moved >= 0, B_g >= 0)
    #: (34) over all clients
    PASSED = (
        4 * tau**2 * eta**2 * n * 4 * B_g**2
        + 4 * n * tau**2 * eta**2 * G2
        + 4 * LamSq
        + 8 * n * tau * eta**2 * (sigma2 / b)
    )
    SUMMED = sums(
        "eq44.drift.sum",
        "eq. (34), summed over all clients",
        drift <= rational(23, 20) * tau * PASSED,
        A1.EVERY,
        STEPS_TAKEN,
        CLIENTS,
        ETA_T,
        f.SHORT_STEP,
        SQUARES[0],
        times(-1, Eq(total(A1.S_end(i), *A1.CLIENT), drift), "definition: the sum over t and i"),
        times(
            rational(23, 5) * tau,
            Eq(total(A1.lam(i), *A1.CLIENT), LamSq),
            "definition: the square of a stacked vector",
        ),
        A1.EQ34_SHORT.at(
            {A1.ended: A1.S_end(i), A1.A: A1.PER_CLIENT, lam2: A1.lam(i)}, over=A1.CLIENT, weight=1
        ),
    )
    EQ44 = sums(
        "eq44",
        "eq. (44)",
        F1
        <= F0
        + (L - 1 / (2 * eta_t)) * pgd2
        + (L / 2 - 1 / (2 * eta_t)) * moved
        + eta_t / 2 * 2 * L**2 * (1 / (n * tau)) * rational(23, 20) * tau * PASSED
        + eta_t / 2 * 2 * (1 / (tau * n)) * (sigma2 / b),
        SIZES,
        (eta > 0, f.SHORT_STEP),
        ETA_T,
        SQUARES[0],
        EQ43.at(weight=1),
        SUMMED.at(weight=eta_t * L**2 / (n * tau)),
    )
    EXACT = assume("definition: (11)", Eq(pgd2, eta_t**2 * G2))
    LEFT = eta_t * (F1 - Fs) + spread
    SUBGRADIENTS = rational(14, 5) * 20 * L**2 * eta_t**4 / eta_g**2 * B_g**2
    BEGUN = eta_t * (F0 - Fs) + LamSq / n
    SHARE = 1 - mu * eta_t / 3

    def noise(factor: Any) -> Any:
        """So many times eta~^2 sigma^2/(n tau b)."""
        return factor * eta_t**2 * (1 / (n * tau)) * (sigma2 / b)

    def fallen(factor: Any) -> Any:
        """The right side of (45)."""
        return BEGUN + noise(factor) + SUBGRADIENTS - rational(3, 10) * eta_t**2 * G2

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
        part: real(
            f"eq45.{part}",
            "eq. (45), below: straightforward algebraic calculations",
            value <= MOST[part],
            SIZES,
            STEP13,
            SERVER8.at(),
            SERVER_LONG.at(),
        )
        for part, value in COEFFICIENTS.items()
    }
    UNIT = eta_t**2 * (1 / (n * tau)) * (sigma2 / b)
    PAID = (
        BOUNDED["sigma"].at(weight=UNIT),
        BOUNDED["gradient"].at(weight=eta_t**2 * G2),
        BOUNDED["subgradients"].at(weight=L**2 * eta_t**4 / eta_g**2 * B_g**2),
        BOUNDED["spread"].at(weight=LamSq / n),
    )
    STILL = (1 - L * eta_t - 4 / eta_g**2 * (L * eta_t) ** 2) / 2
    OF_G2, OF_LAM = rational(7, 50) - L * eta_t, rational(173, 200) / n
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
    DRIFTED = real(
        "eq44.drift",
        "eq. (44), its drift in terms of eta~",
        eta_t * L**2 * (1 / (n * tau)) * (rational(23, 20) * tau * PASSED)
        <= rational(23, 20) * (eta_t * L**2 * PASSED_T),
        SIZES,
        ETA_T,
        note="An equality.",
    )
    SPREAD_T = real(
        "lemmaA2.effective",
        "Lemma A.2 in terms of eta~",
        spread
        <= 2 / eta_g**2 * (L * eta_t) ** 2 * moved
        + 4 / eta_g**2 * (L * eta_t) ** 2 * DRIFT_T
        + 4 / (eta_g**2 * tau) * eta_t**2 * (sigma2 / b),
        SIZES,
        (eta > 0, f.LEMMA_STEP),
        ETA_T,
        SQUARES[0],
        LEMMA_A2.at(),
    )
    EQ44_T = sums(
        "eq44.effective",
        "eq. (44) in terms of eta~",
        F1
        <= F0
        - (rational(1, 2) - L * eta_t) * eta_t * G2
        + MOVES
        + rational(23, 20) * (eta_t * L**2 * PASSED_T)
        + NOISY,
        SIZES,
        (eta > 0, f.SHORT_STEP),
        ETA_T,
        SQUARES[0],
        EQ44.at(weight=1),
        DRIFTED.at(weight=1),
        times(L - 1 / (2 * eta_t), EXACT[0].relation, EXACT[0].why),
    )
    EQ45_PRINTED = sums(
        "eq45",
        "eq. (45)",
        LEFT <= fallen(6),
        SIZES,
        STEP13,
        SQUARES,
        ETA_T,
        EXACT,
        EQ44.at(weight=eta_t),
        LEMMA_A2.at(),
        (eta > 0, f.SHORT_STEP, f.LEMMA_STEP),
        flaw="gap",
        witness=NUMBERS,
        note="(44) and Lemma A.2 give 1 + 9.2 n (L eta~)^2/eta_g^2 + 4 n/eta_g^2 + 40 n (L eta~)^2/eta_g^4, "
        "which (13) bounds by 35.2, not by 6: Lemma A.2's last term alone is 4 n/eta_g^2, and (13) allows "
        "32. With eta_g >= sqrt(n), as in Theorem 3.8, 6 is right.",
    )
    #: what (13) gives of the steps' conditions
    SHORTER = real("eq45.short", "(13), below (33)", f.SHORT_STEP, SIZES, STEP13, SERVER_LONG.at())
    LEMMAS = real("eq45.lemmas", "(13), Lemmas A.1 and A.2", f.LEMMA_STEP, SIZES, STEP13, SERVER_LONG.at())
    EQ45 = sums(
        "eq45.repaired",
        "eq. (45)",
        LEFT <= fallen(36),
        SIZES,
        eta > 0,
        ETA_T,
        STEP13,
        SQUARES,
        SHORTER.at(weight=0),
        LEMMAS.at(weight=0),
        SERVER8.at(weight=0),
        SERVER_LONG.at(weight=0),
        EQ44_T.at(weight=eta_t),
        SPREAD_T.at(weight=1),
        *PAID,
        times(STILL, moved >= 0, SQUARES[2].why),
        times(OF_G2 * eta_t**2, G2 >= 0, SQUARES[0].why),
        times(OF_LAM, LamSq >= 0, SQUARES[1].why),
        repairs="composite.eq45",
    )
STEPS = (
    EQ38, EQ39_FIRST, EQ39_EQUAL, EQ39, EQ40, YOUNG_PRINTED, YOUNG, EQ41, TWICE, EQ43, SUMMED, EQ44,
    DRIFTED, SPREAD_T, EQ44_T, *BOUNDED.values(), EQ45_PRINTED, SHORTER, LEMMAS, EQ45,
)  # fmt: skip
