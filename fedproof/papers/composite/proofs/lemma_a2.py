"""Lemma A.2, (35)-(37): how far the corrections of the next round are from their mean."""

from fedproof.papers.composite.proofs import sampling as S
from fedproof.papers.composite.proofs.algorithm1 import at_client
from fedproof.papers.composite.proofs.lemma_a1 import (
    ALL_SUMS,
    CLIENT,
    EVERY,
    LAST_SUM,
    LEMMA_A1,
    S_end,
    ended,
)
from fedproof.papers.composite.proofs.local_step import grad_i
from fedproof.papers.composite.proofs.vectors import *
from fedproof.papers.composite.statements import formulas as f

_NEXT, _NOW = r"(P_{\tilde\eta}(\overline{\mathbf x}^{r+1}))", r"(P_{\tilde\eta}(\overline{\mathbf x}^{r}))"
_SUM, _MEAN = r"\textstyle\sum_{t=0}^{\tau-1}", r"\tfrac1n\sum_i"
_DRAWN, _OLD = (rf"\nabla f_i(\mathbf z_{{i,t}}^{{{k}}};\mathcal B_{{i,t}}^{{{k}}})" for k in ("r", "r-1"))
_APART = rf"\mathbb E\|\tau\nabla f_i{_NEXT}-{_SUM}{_DRAWN}\|^2"
grad_plus = vector("grad_plus", rf"\nabla f_i{_NEXT}")
own = vector("own", rf"{_SUM}{_DRAWN}")
#: stacked over the clients: gradients, their mean, sums of gradients, their mean, Lambda^{r+1}, its mean
all_plus = vector("all_plus", rf"\nabla f_i{_NEXT}")
all_mean = vector("all_mean", rf"\nabla f{_NEXT}")
all_own = vector("all_own", rf"{_SUM}{_DRAWN}")
everyone = vector("everyone", rf"{_SUM}{_MEAN}{_DRAWN}")
lam = vector("lam_next", r"\Lambda_i^{r+1}")
mean_lam = vector("mean_lam_next", r"\overline\Lambda^{r+1}")
apart = number("apart", _APART)
Y = sequence("Y(i)", _APART, nonnegative=True)
#: E|Lambda^{r+1} - mean|^2 over eta^2
less = number(
    "less",
    rf"\mathbb E\|\tau\nabla\mathbf f{_NEXT}"
    r"-\textstyle\sum_t\nabla\mathbf f(\mathbf Z_t^{r};\mathcal B_t^{r})"
    rf"-\tau\overline{{\nabla\mathbf f}}{_NEXT}"
    r"+\textstyle\sum_t\overline{\nabla\mathbf f}(\mathbf Z_t^{r};\mathcal B_t^{r})\|^2",
)
stacked = number("stacked", r"\mathbb E\|\mathbf\Lambda^{r+1}-\overline{\mathbf\Lambda}^{r+1}\|^2")
gc = sequence("gc(i)", rf"\nabla f_i{_NOW}")
oc = sequence("oc(i)", rf"{_SUM}{_OLD}")
lc = sequence("lc(i)", r"\Lambda_i^{r}")
everyone_c = number("everyone_c", rf"{_SUM}{_MEAN}{_OLD}")

full = vector("full_round", rf"{_SUM}\nabla f_i(\mathbf z_{{i,t}}^{{r}})")
slope = number("slope", rf"\nabla f{_NOW}")
moved = number("moved", rf"\mathbb E\|{_NEXT[1:-1]}-{_NOW[1:-1]}\|^2")
by = step_writer("composite", __name__)

with printed():
    DRAWN = (STEPS_TAKEN, S.POSITIVE, L > 0)
    MEAN_LAMBDA = by.sum("eq10.mean", "below (10); (28), =")(
        Eq(at_client(lc(i)), eta * tau * slope),
        CLIENTS,
        assume(
            "definition: Lambda_i^r, below (10)",
            ForAll(Eq(lc(i), eta * (tau * gc(i) + everyone_c - oc(i))), *CLIENT),
        ),
        assume("definition: f is the mean of the f_i, (1)", Eq(at_client(gc(i)), slope)),
        assume("definition: the clients' mean of their gradients' sums", Eq(at_client(oc(i)), everyone_c)),
        note="In one coordinate: the mean of the Lambda_i is eta tau grad f, which (28) uses.",
    )
    AT_NEXT = assume(
        "definition: Lambda^{r+1}, below (10), and its mean by eq10.mean",
        Eq(lam, eta * (tau * all_plus + everyone - all_own)),
        Eq(mean_lam, eta * (tau * all_mean)),
    )
    WITHOUT_MEAN = n2(tau * all_plus - all_own - tau * all_mean + everyone)
    EQ35_EQUAL = by.quad("eq35a", "eq. (35), =", mean=r"\textstyle\sum_i\mathbb E")(
        Eq(n2(lam - mean_lam), eta**2 * WITHOUT_MEAN),
        AT_NEXT,
        note="One client stands for all: the square of stacked vectors is the sum of the clients' squares.",
    )
    CENTRED = tau * all_mean - everyone
    EQ35 = by.quad("eq35", "eq. (35), <=", mean=r"\textstyle\sum_i\mathbb E")(
        eta**2 * WITHOUT_MEAN <= eta**2 * n2(tau * all_plus - all_own),
        assume(
            "meaning: the clients' mean, with f of (1)",
            Eq(ip(tau * all_plus - all_own - CENTRED, CENTRED), 0),
        ),
    )
    FROM_START, ALONG, NOISE = grad_plus - grad_i, full - tau * grad_i, own - full
    EQ36_YOUNG = by.mean("eq36.young", "eq. (36), <=, twice")(
        n2(tau * grad_plus - own) <= 2 * tau**2 * n2(FROM_START) + 4 * n2(ALONG) + 4 * n2(NOISE),
    )
    MOVED = by.mean("eq36.smooth", "eq. (36), <=, Assumption 3.2")(
        n2(tau * grad_plus - own) <= 2 * tau**2 * L**2 * n2(plus - P) + 4 * n2(ALONG) + 4 * n2(NOISE),
        EQ36_YOUNG.at(),
        lipschitz(n2(FROM_START) <= L**2 * n2(plus - P)),
    )
    EQ36_CLIENT = by.sum("eq36.client", "eq. (36), one client")(
        apart <= 2 * tau**2 * L**2 * moved + 4 * tau * L**2 * ended + 4 * tau * (sigma2 / b),
        DRAWN,
        MOVED.at(
            {
                n2(tau * grad_plus - own): apart,
                n2(plus - P): moved,
                n2(ALONG): S.X(tau - 1),
                n2(NOISE): S.M2(tau - 1),
            },
        ),
        S.FAR.at({t: tau - 1}),
        S.NOISY.at({t: tau - 1}),
        LAST_SUM,
    )
    EQ36 = by.sum("eq36")(
        n * spread
        <= 2 * eta**2 * tau**2 * L**2 * n * moved
        + 4 * eta**2 * tau * L**2 * drift
        + 4 * eta**2 * tau * n * (sigma2 / b),
        DRAWN,
        CLIENTS,
        assume("definition: the mean over the clients", Eq(stacked, n * spread)),
        EQ35_EQUAL.at({n2(lam - mean_lam): stacked, WITHOUT_MEAN: less}),
        EQ35.at({WITHOUT_MEAN: less, n2(tau * all_plus - all_own): total(Y(i), *CLIENT)}),
        EQ36_CLIENT.at({apart: Y(i), ended: S_end(i)}, over=CLIENT),
        ALL_SUMS,
    )
    EQ37 = by.sum("eq37")(
        n * spread - 2 * eta**2 * tau**2 * L**2 * n * moved
        <= 4 * eta**2 * tau * L**2 * drift + 4 * eta**2 * tau * n * (sigma2 / b),
        DRAWN,
        CLIENTS,
        EQ36.at(),
    )
    LEMMA_A2 = by.sum("lemmaA2.end", "Lemma A.2")(
        spread <= f.SPREAD,
        EVERY,
        STEPS_TAKEN,
        CLIENTS,
        ETA_T,
        f.LEMMA_STEP,
        assume("meaning: a mean square", G2 >= 0),
        EQ37.at(),
        LEMMA_A1.at(),
        note='The text says "into (A.4)"; it is (37) that (21) is put into.',
    )
