"""Lemmas A.1 and A.2 without a bound on subgradients: what replaces (26) and all that follows from it.

The length of a prox-gradient step does not fall as its step size grows, since subgradients of a convex
penalty are monotone. So |x~_pgd - P| <= |x~^{r+1} - P| = eta~ |G| wherever (t + 1) eta <= eta~, which
eta_g >= 1 grants, and no subgradient needs a bound.
"""

from fedproof.papers.composite.proofs import local_step as local
from fedproof.papers.composite.proofs import mapping
from fedproof.papers.composite.proofs import sampling as S
from fedproof.papers.composite.proofs.lemma_a1 import *
from fedproof.papers.composite.proofs.lemma_a2 import EQ37
from fedproof.papers.composite.proofs.vectors import *
from fedproof.papers.composite.statements import formulas as f

WHERE = "Lemma A.1, sharpened"
#: a step size
s = number("s")
s_long = number("s_long", "s'")
short = vector("short", r"(\tilde{\mathbf x}_{\rm pgd}-P_{\tilde\eta}(\overline{\mathbf x}^{r}))")
long = vector("long", r"(\tilde{\mathbf x}^{r+1}-P_{\tilde\eta}(\overline{\mathbf x}^{r}))")
by = step_writer("composite", __name__, WHERE)

with printed():
    LONGER = by.mean("sharp.longer")(
        n2(short) <= n2(long),
        s > 0,
        s <= s_long,
        0 <= ip(long / s_long - short / s, short - long),
        note="Of two proximal gradient steps from one model, that with the larger step size is no shorter.",
    )
    #: (t + 1) eta <= eta~
    WITHIN = by.real("sharp.within")(local.STEP <= eta_t, local.RANGE, ETA_T, f.SHARP_SERVER)
    SHORT_STEP, LONG_STEP = local.pgd - P, tilde - P
    APART = by.mean("sharp.apart")(
        0 <= ip(LONG_STEP / eta_t - SHORT_STEP / local.STEP, SHORT_STEP - LONG_STEP),
        local.RANGE,
        eta_t > 0,
        local.TWO_STEPS,
        mapping.MONOTONE.at(
            mapping.ordered((local.pgd, tilde), (local.h_pgd, h_tilde), (local.g_pgd, mapping.g_tilde)),
        ),
    )
    LENGTH = by.mean("sharp.length")(
        Eq(n2(LONG_STEP), eta_t**2 * n2(G)),
        eta_t > 0,
        assume("definition: (11)", Eq(G, 1 / eta_t * (P - tilde))),
    )
    EQ26 = by.mean("sharp.eq26", f"{WHERE}, in place of (26)")(
        n2(SHORT_STEP) <= eta_t**2 * n2(G),
        local.RANGE,
        ETA_T,
        f.SHARP_SERVER,
        eta_t > 0,
        WITHIN.at(),
        APART.at(),
        LENGTH.at(),
        LONGER.at({short: SHORT_STEP, long: LONG_STEP, s: local.STEP, s_long: eta_t}),
    )
    PASSED = 2 * eta_t**2 * G2 + 4 * local.lam2 + 8 * tau * eta**2 * (sigma2 / b)
    EQ32 = by.sum("sharp.eq32", f"{WHERE}, in place of (32)")(
        S.D(t + 1) <= S.GROWTH + PASSED,
        local.RANGE,
        S.POSITIVE,
        eta_t > 0,
        ETA_T,
        f.SHARP_SERVER,
        S.SQUARE,
        local.EQ23.at(
            {
                n2(local.z - P): S.D(t + 1),
                n2(local.z - local.pgd): local.near,
                n2(local.pgd - P): local.shift,
            },
        ),
        S.EQ31.at(),
        EQ26.at({n2(local.pgd - P): local.shift, n2(G): G2}),
    )
    PER_CLIENT = PASSED.xreplace({local.lam2: lam(i)})


def _drift(name: str, where: str, last: Step, bound: sp.Expr, most: sp.Expr, condition: sp.Basic) -> Step:
    """The sum over the clients."""
    with printed():
        return by.sum(name, where)(
            drift <= bound,
            (EVERY, STEPS_TAKEN, CLIENTS, ETA_T, condition, f.SHARP_SERVER),
            assume("meaning: a mean square", G2 >= 0),
            ALL_SUMS,
            MEAN_LAM,
            last.at({ended: S_end(i), A: PER_CLIENT, local.lam2: lam(i)}, over=CLIENT),
        )


def _spread(name: str, where: str, summed: Step, bound: sp.Expr, condition: sp.Basic) -> Step:
    """(37) with the drift's bound."""
    with printed():
        return by.sum(name, where)(
            spread <= bound,
            (EVERY, STEPS_TAKEN, CLIENTS, ETA_T, condition, f.SHARP_SERVER),
            assume("meaning: a mean square", G2 >= 0),
            EQ37.at(),
            summed.at(),
        )


_IN33, _IN34 = f"{WHERE}, in place of (33)", f"{WHERE}, in place of (34)"
_SHORT_WHERE = "Lemma A.1, sharpened, under eta~ <= eta_g/(8 L)"
EQ33_SHORT = one_step(
    "sharp.eq33.short", _IN33, SHORT, EQ32, PASSED, f.SHORT_STEP, f.SHARP_SERVER, GROWTH_SHORT.at()
)
EQ33 = one_step("sharp.eq33", _IN33, LONG, EQ32, PASSED, f.LEMMA_STEP, f.SHARP_SERVER, GROWTH_LONG.at())
EQ34_SHORT = last_sum(
    "sharp.eq34.short", _IN34, SHORT_MOST, SHORT_WEIGHT, EQ33_SHORT, f.SHORT_STEP, f.SHARP_SERVER
)
EQ34 = last_sum("sharp.eq34", _IN34, LONG_MOST, LONG_WEIGHT, EQ33, f.LEMMA_STEP, f.SHARP_SERVER)
SHORT_DRIFT = _drift("sharp.drift.short", _SHORT_WHERE, EQ34_SHORT, f.SHORT_DRIFT, SHORT_MOST, f.SHORT_STEP)
LONG_DRIFT = _drift("sharp.drift", WHERE, EQ34, f.SHARP_DRIFT, LONG_MOST, f.LEMMA_STEP)
SHORT_SPREAD = _spread(
    "sharp.spread.short", _SHORT_WHERE.replace("A.1", "A.2"), SHORT_DRIFT, f.SHORT_SPREAD, f.SHORT_STEP
)
LONG_SPREAD = _spread("sharp.spread", WHERE.replace("A.1", "A.2"), LONG_DRIFT, f.SHARP_SPREAD, f.LEMMA_STEP)
