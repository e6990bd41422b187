"""(38)-(44) as printed: the descent of one round, with the drift that Lemma A.1 bounds."""

from fedproof.papers.composite.proofs import lemma_a1 as A1
from fedproof.papers.composite.proofs.descent import EQ42, F0, F1, err2, v
from fedproof.papers.composite.proofs.fact1 import FACT1, fact1_of, gf, s, x, xp, z
from fedproof.papers.composite.proofs.local_step import lam2
from fedproof.papers.composite.proofs.mapping import g_P, g_tilde
from fedproof.papers.composite.proofs.potential import SIZES
from fedproof.papers.composite.proofs.prox_pl import Ft
from fedproof.papers.composite.proofs.vectors import *
from fedproof.papers.composite.statements import formulas as f

pgd2 = number("pgd2", r"\mathbb E\|\tilde{\mathbf x}^{r+1}-P_{\tilde\eta}(\overline{\mathbf x}^{r})\|^2")
#: f at P^r, x~ and P^{r+1}, g at the last
f_P = number("f_P", r"f(P_{\tilde\eta}(\overline{\mathbf x}^{r}))")
f_tilde = number("f_tilde", r"f(\tilde{\mathbf x}^{r+1})")
f_next = number("f_next", r"f(P_{\tilde\eta}(\overline{\mathbf x}^{r+1}))")
g_next = number("g_next", r"g(P_{\tilde\eta}(\overline{\mathbf x}^{r+1}))")
one, two = vectors("a b")

by = step_writer("composite", __name__)

with printed():
    POSITIVE = (eta_t > 0, L > 0)
    #: F, f and g at P^r, x~ and P^{r+1}
    OF_P, OF_TILDE, OF_NEXT = (F0, f_P, g_P), (Ft, f_tilde, g_tilde), (F1, f_next, g_next)
    AT_P, AT_TILDE, AT_NEXT = (
        assume("definition: (1), F = f + g", Eq(whole, smooth + penalty))
        for whole, smooth, penalty in (OF_P, OF_TILDE, OF_NEXT)
    )
    EQ38 = by.mean("eq38")(
        Ft <= F0 + (L / 2 - 1 / (2 * eta_t)) * n2(tilde - P) - 1 / (2 * eta_t) * n2(tilde - P),
        POSITIVE,
        (*AT_P, *AT_TILDE),
        FACT1.at({x: P, xp: tilde, z: P, v: grad, gf: grad, s: eta_t} | fact1_of(OF_TILDE, OF_P)),
    )
    BOTH = L / 2 * n2(plus - P) + L / 2 * n2(tilde - P)
    ACROSS = Ft + ip(grad - v, plus - tilde)
    EQ39_FIRST = by.mean("eq39a", "eq. (39), <=")(
        F1 <= ACROSS - 1 / eta_t * ip(plus - P, plus - tilde) + BOTH,
        POSITIVE,
        (*AT_TILDE, *AT_NEXT),
        FACT1.at({x: P, xp: plus, z: tilde, gf: grad, s: eta_t} | fact1_of(OF_NEXT, OF_TILDE)),
    )
    SECOND = (
        ACROSS
        + (L / 2 - 1 / (2 * eta_t)) * n2(plus - P)
        + (L / 2 + 1 / (2 * eta_t)) * n2(tilde - P)
        - 1 / (2 * eta_t) * n2(plus - tilde)
    )
    EQ39_EQUAL = by.mean("eq39b", "eq. (39), =")(
        Eq(ACROSS - 1 / eta_t * ip(plus - P, plus - tilde) + BOTH, SECOND),
        POSITIVE,
        note="2<b, b - a> = |b - a|^2 + |b|^2 - |a|^2.",
    )
    EQ39 = by.mean("eq39")(F1 <= SECOND, POSITIVE, used(EQ39_FIRST, EQ39_EQUAL))
    EQ40 = by.mean("eq40")(
        F1
        <= F0
        + (L - 1 / (2 * eta_t)) * n2(tilde - P)
        + (L / 2 - 1 / (2 * eta_t)) * n2(plus - P)
        - 1 / (2 * eta_t) * n2(plus - tilde)
        + ip(plus - tilde, grad - v),
        POSITIVE,
        used(EQ38, EQ39),
    )
    YOUNG_PRINTED = by.quad("eq41.young", "above (41)")(
        n2(one + two) <= 1 / (2 * eta_t) * n2(one) + eta_t / 2 * n2(two),
        (eta_t > 0, L > 0),
        assume("definition: (13), first inequality", L * eta_t <= rational(1, 10)),
        witness=values("L=1 eta_t=1/10 a_1=0 b_1=1"),
        flaw="misprint",
        note="Printed with |a + b|^2 for <a, b>; (41) uses it as it is meant.",
    )
    YOUNG = by.quad("eq41.young.repaired", "above (41)")(
        ip(one, two) <= 1 / (2 * eta_t) * n2(one) + eta_t / 2 * n2(two),
        eta_t > 0,
        repairs="composite.eq41.young",
    )
    EQ41 = by.mean("eq41")(
        -1 / (2 * eta_t) * n2(plus - tilde) + ip(plus - tilde, grad - v) <= eta_t / 2 * n2(grad - v),
        eta_t > 0,
        YOUNG.at({one: plus - tilde, two: grad - v}),
    )
    DRIFTS = 2 * L**2 / (n * tau) * drift + 2 / (tau * n) * (sigma2 / b)
    TWICE = by.mean("eq43.vectors", "eq. (43), (41) in (40)")(
        F1
        <= F0
        + (L - 1 / (2 * eta_t)) * n2(tilde - P)
        + (L / 2 - 1 / (2 * eta_t)) * n2(plus - P)
        + eta_t / 2 * n2(v - grad),
        POSITIVE,
        used(EQ40, EQ41),
    )
    EQ43 = by.sum("eq43")(
        F1 <= F0 + (L - 1 / (2 * eta_t)) * pgd2 + (L / 2 - 1 / (2 * eta_t)) * moved + eta_t / 2 * DRIFTS,
        SIZES,
        TWICE.at({n2(tilde - P): pgd2, n2(plus - P): moved, n2(v - grad): err2}),
        EQ42.at(),
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
    SUMMED = by.sum("eq44.drift.sum", "eq. (34), summed over all clients")(
        drift <= rational(23, 20) * tau * PASSED,
        A1.EVERY,
        STEPS_TAKEN,
        CLIENTS,
        ETA_T,
        f.SHORT_STEP,
        SQUARES[0],
        A1.ALL_SUMS,
        A1.STACKED,
        A1.EQ34_SHORT.at({A1.ended: A1.S_end(i), A1.A: A1.PER_CLIENT, lam2: A1.lam(i)}, over=A1.CLIENT),
    )
    EQ44 = by.sum("eq44")(
        F1
        <= F0
        + (L - 1 / (2 * eta_t)) * pgd2
        + (L / 2 - 1 / (2 * eta_t)) * moved
        + eta_t / 2 * 2 * L**2 * (1 / (n * tau)) * rational(23, 20) * tau * PASSED
        + eta_t / 2 * 2 * (1 / (tau * n)) * (sigma2 / b),
        SIZES,
        f.SHORT_STEP,
        ETA_T,
        SQUARES[0],
        EQ43.at(),
        SUMMED.at(),
    )
