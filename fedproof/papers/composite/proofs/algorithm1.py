"""Algorithm 1 and its compact form: (2), (3), (6)-(8), (14)-(17) of Appendix A.1.

Every equation between vectors is read in one coordinate. A client's gradients, their means over the clients
and its models are sequences in the local step; what a client has at the end of a round is a sequence in the
client. The sum over t of the clients' means is the mean over the clients of their sums.
"""

from fedproof.papers.composite.proofs.vectors import *

_P = r"P_{\tilde\eta}(\overline{\mathbf x}^{r})"
#: a step before t; a round
j, r = number("j"), number("r")
zh = sequence("zh(t)", r"\widehat{\mathbf z}_{i,t}^{r}")
f = sequence("f(t)", r"\nabla f_i(\mathbf z_{i,t}^{r};\mathcal B_{i,t}^{r})")
fb = sequence("fb(t)", r"\overline{\nabla\mathbf f}(\mathbf Z_t^{r};\mathcal B_t^{r})")
f_old = sequence("f_old(t)", r"\nabla f_i(\mathbf z_{i,t}^{r-1};\mathcal B_{i,t}^{r-1})")
fb_old = sequence("fb_old(t)", r"\overline{\nabla\mathbf f}(\mathbf Z_t^{r-1};\mathcal B_t^{r-1})")
Z = sequence("Z(i)", r"\widehat{\mathbf z}_{i,\tau}^{r}")
own = sequence("own(i)", r"\textstyle\sum_{t=0}^{\tau-1}\nabla f_i(\mathbf z_{i,t}^{r};\mathcal B_{i,t}^{r})")
C = sequence("C(i)", r"\mathbf c_i^{r}")
C_next = sequence("C_next(i)", r"\mathbf c_i^{r+1}")
WC = sequence("WC(r)", r"\mathbf W\mathbf C^{r}")
mean_c = sequence("mean_c(j)", r"(\mathbf W\mathbf C^{r})_j")
p = number("p", _P)
x_next = number("x_next", r"\overline{\mathbf x}^{r+1}")
Zb = number("Zb", r"\mathbf W\widehat{\mathbf Z}_\tau^{r}")
c = number("c", r"\mathbf c_i^{r}")
cb = number("cb", r"\mathbf W\mathbf C^{r}")
slope = number("slope", rf"\nabla f({_P})")
slope_i = number("slope_i", rf"\nabla f_i({_P})")
p_old = number("p_old", r"P_{\tilde\eta}(\overline{\mathbf x}^{r-1})")
x = number("x", r"\overline{\mathbf x}^{r}")
Zb_old = number("Zb_old", r"\mathbf W\widehat{\mathbf Z}_\tau^{r-1}")
cb_old = number("cb_old", r"\mathbf W\mathbf C^{r-1}")
by = step_writer("composite", __name__)
TAU, CLIENT = (t, 0, tau - 1), (i, 1, n)
LATE = (
    "The sum begins at t = 1 in print; the update of the corrections, line 18, has t = 0, and so has (16). "
    "(2) and (17) are right."
)
#: an instance within (13) for L = 1: two clients, one local step, from 0
_TWO = "tau=1 eta=1/20 eta_g=2"
TWO = (
    "instance: f_1 = 0, f_2(x) = (x + 2)^2/2, g = 0, L = 1, full gradients, one local step, "
    "the first round from 0"
)


def at_client(body: sp.Expr) -> sp.Expr:
    """The mean over the clients."""
    return 1 / n * total(body, *CLIENT)


def _corrections(start: int) -> tuple[sp.Expr, ...]:
    """The right sides of the display below (17), with sums from t = start but for the first and the last."""
    with printed():
        own_late, all_late = total(f_old(t), t, start, tau - 1), total(fb_old(t), t, start, tau - 1)
        return (
            1 / (eta_g * eta * tau) * (p_old - x) - 1 / tau * total(f_old(t), *TAU),
            -1 / (eta * tau) * (Zb_old - p_old) - 1 / tau * own_late,
            1 / tau * all_late + cb_old - 1 / tau * own_late,
            1 / tau * total(fb_old(t), *TAU) - 1 / tau * total(f_old(t), *TAU),
        )


def _model(start: int) -> tuple[sp.Expr, ...]:
    """The right sides of the server's update in Appendix A.1, with sums from t = start."""
    with printed():
        gradients = total(fb(t), t, start, tau - 1)
        return (
            p + eta_g * (Zb - p),
            p - eta * eta_g * (gradients + tau * cb),
            p - eta * eta_g * gradients,
        )


def _equal(name: str, where: str, sides: tuple[sp.Expr, ...], place: int, *given: Any, **more: Any) -> Step:
    """That one side of a displayed chain equals the next."""
    with printed():
        return by.sum(name, where)(Eq(sides[place], sides[place + 1]), STEPSIZES, STEPS_TAKEN, *given, **more)


with printed():
    LOCAL_STEPS = (STEPSIZES, STEPS_TAKEN)
    #: of every row of `TWO`
    WITHIN13 = (
        *assume(TWO, Eq(n, 2), Eq(tau, 1)),
        *assume("definition: (13), L = 1", eta_g * eta * tau <= rational(1, 10)),
    )
    NOT_CORRECTED = assume(TWO, Eq(p, 0), Eq(cb, 0), Eq(own(1), 0), Eq(own(2), 2), Eq(fb(0), 1))
    BEFORE = assume(
        f"{TWO}; i = 2, r = 2",
        Eq(p_old, 0), Eq(cb_old, 0), Eq(f_old(0), 2), Eq(fb_old(0), 1),
    )  # fmt: skip
    ROUND = (STEPSIZES, STEPS_TAKEN, CLIENTS)
    LINE9 = assume("definition: line 9 of Algorithm 1", ForAll(Eq(zh(t + 1), zh(t) - eta * (f(t) + c)), *TAU))
    #: the same up to a step t
    UNTIL = assume(
        "definition: line 9 of Algorithm 1, repeated",
        ForAll(Eq(zh(j + 1), zh(j) - eta * (f(j) + c)), j, 0, t),
    )
    EQ6 = by.sum("eq6", "eq. (6), first line; above (22)")(
        Eq(zh(t + 1), zh(0) - eta * total(f(j) + c, j, 0, t)),
        t >= 0,
        UNTIL,
    )
    EQ6_MEAN = by.sum("eq6.mean", "eq. (6), second line")(
        Eq(
            zh(0) - eta * total(f(j) + c, j, 0, t),
            zh(0) - (t + 1) * eta * (1 / (t + 1) * total(f(j) + c, j, 0, t)),
        ),
        t >= 0,
    )
    EQ7 = by.sum("eq7", "eq. (7), first line")(
        Eq(zh(t + 1), zh(0) - (t + 1) * eta * (slope_i + c)),
        t >= 0,
        EQ6.at(),
        assume(
            "definition: full gradients, all taken at the start of the local updates",
            ForAll(Eq(f(j), slope_i), j, 0, t),
        ),
    )
    EQ7_EXACT = by.sum("eq7.exact", "eq. (7), second line")(
        Eq(zh(t + 1), p - (t + 1) * eta * slope),
        t >= 0,
        EQ7.at(),
        assume("definition: line 5 of Algorithm 1", Eq(zh(0), p)),
        assume("definition: the correction is grad f - grad f_i there", Eq(c, slope - slope_i)),
        note="An approximation in print; with this correction it is an equation, and so is (8).",
    )
    SENT = assume("definition: the clients' mean model", Eq(at_client(Z(i)), Zb))
    EQ14 = by.sum("eq14.server", "eq. (14), third line")(
        Eq(x_next, p + eta_g * (at_client(Z(i)) - p)),
        CLIENTS,
        assume("definition: line 14 of Algorithm 1", Eq(x_next, p + eta_g * (at_client(Z(i)) - p))),
    )
    SERVER = assume("definition: (14), third line", Eq(x_next, p + eta_g * (Zb - p)))
    LINE18 = ForAll(Eq(C_next(i), 1 / (eta_g * eta * tau) * (p - x_next) - 1 / tau * own(i)), *CLIENT)
    MEANS = Eq(at_client(own(i)), total(fb(t), *TAU))
    WHY18, WHY_MEANS = "definition: line 18 of Algorithm 1", "meaning: the mean of the clients' sums"
    SPREAD_OUT = 1 / (eta_g * eta * tau) * (p - x_next)
    EQ15 = by.sum("eq15a", "eq. (15), first =")(
        Eq(at_client(C_next(i)), SPREAD_OUT - 1 / tau * total(fb(t), t, 1, tau - 1)),
        ROUND,
        assume(WHY18, LINE18),
        assume(WHY_MEANS, MEANS),
        (WITHIN13, NOT_CORRECTED, SERVER),
        assume("definition: (16), averaged", Eq(Zb, p - eta * (total(fb(t), *TAU) + tau * cb))),
        flaw="index",
        witness=values(
            f"n=2 {_TWO} p=0 cb=0 own_1=0 own_2=2 fb_0=1 Zb=-1/20 x_next=-1/10 C_next_1=1 C_next_2=-1"
        ),
        note=LATE,
    )
    EQ15_REPAIRED = by.sum("eq15a.repaired", "eq. (15), first =")(
        Eq(at_client(C_next(i)), SPREAD_OUT - 1 / tau * total(fb(t), *TAU)),
        ROUND,
        assume(WHY18, LINE18),
        assume(WHY_MEANS, MEANS),
        repairs="composite.eq15a",
    )
    EQ15B = by.sum("eq15b", "eq. (15), second =")(
        Eq(
            SPREAD_OUT - 1 / tau * total(fb(t), t, 1, tau - 1),
            -1 / (eta * tau) * (Zb - p) - 1 / tau * total(fb(t), t, 1, tau - 1),
        ),
        LOCAL_STEPS,
        SERVER,
        note="True with either beginning of the sums.",
    )
    EQ16 = by.sum("eq16")(Eq(zh(tau), zh(0) - eta * (total(f(t), *TAU) + tau * c)), STEPS_TAKEN, LINE9)
    EQ16_MEAN = by.sum("eq16.mean", "eq. (16), averaged")(
        Eq(Zb, p - eta * (total(fb(t), *TAU) + tau * cb)),
        STEPS_TAKEN,
        CLIENTS,
        SENT,
        assume(
            "definition: (16) of every client, with line 5 of Algorithm 1",
            ForAll(Eq(Z(i), p - eta * (own(i) + tau * C(i))), *CLIENT),
        ),
        assume(WHY_MEANS, MEANS),
        assume("definition: the clients' mean correction", Eq(at_client(C(i)), cb)),
    )
    EQ17 = by.sum("eq17")(
        Eq(at_client(C_next(i)), cb),
        ROUND,
        EQ15_REPAIRED.at(),
        SERVER,
        EQ16_MEAN.at(),
    )
    EQ17_ZERO = by.sum("eq17.zero", "below (17); Sec. 2.2, the average of the corrections is always zero")(
        Eq(WC(r), 0),
        ROUND,
        r >= 1,
        assume("definition: line 1 of Algorithm 1, every correction starts at 0", Eq(WC(1), 0)),
        EQ17.at({at_client(C_next(i)): WC(j), cb: WC(j - 1)}, over=(j, 2, r)),
    )
    MEANT = assume(
        "meaning: step sizes and counts of Algorithm 1", eta > 0, eta_g > 0, tau >= 1, n >= 1, r >= 1
    )
    EQ17_NAMED = by.sum("eq17.coordinate", "below (17)")(
        Eq(cb, 0),
        MEANT,
        assume("definition: the name of a term", Eq(WC(r), cb)),
        EQ17_ZERO.at(),
    )
    EQ17_SQUARED = by.sum("eq17.squared", "below (17)")(
        total(mean_c(j) * mean_c(j), j, 1, d) <= 0,
        MEANT,
        assume("meaning: the number of coordinates", d >= 0),
        EQ17_NAMED.at({cb: mean_c(j)}, over=(j, 1, d)),
        note="Over the coordinates: the squared norm of the mean correction.",
    )
    OLD_SERVER = assume(
        "definition: (14), third line, in the round before", Eq(x, p_old + eta_g * (Zb_old - p_old))
    )
    OLD16 = assume(
        "definition: (16) averaged, in the round before",
        Eq(Zb_old, p_old - eta * (total(fb_old(t), *TAU) + tau * cb_old)),
    )
    OLD17 = assume("definition: (17) and below it, in the round before", Eq(cb_old, 0))

_BELOW17, _UPDATE = "below (17), the corrections", "Appendix A.1, the server's update"
_NAMES17 = ("second", "third", "fourth")
_OLD = (OLD_SERVER, OLD16, OLD17)
_BREAKS17 = values(f"n=2 {_TWO} p_old=0 cb_old=0 f_old_0=2 fb_old_0=1 Zb_old=-1/20 x=-1/10")
BELOW17 = tuple(
    _equal(f"correction.{k}", f"{_BELOW17}, {k} line", _corrections(1), place, *_OLD, WITHIN13, BEFORE,
           flaw="index", witness=_BREAKS17, note=LATE)
    for place, k in enumerate(_NAMES17)
)  # fmt: skip
BELOW17_REPAIRED = tuple(
    _equal(f"correction.{k}.repaired", f"{_BELOW17}, {k} line", _corrections(0), place, _OLD[place],
           repairs=f"composite.correction.{k}")
    for place, k in enumerate(_NAMES17)
)  # fmt: skip
UPDATE = _equal(
    "update.second", f"{_UPDATE}, second line", _model(1), 0, EQ16_MEAN.at(), CLIENTS,
    WITHIN13, NOT_CORRECTED, assume(TWO, Eq(C(1), 0), Eq(C(2), 0)),
    flaw="index",
    witness=values(f"n=2 {_TWO} p=0 cb=0 own_1=0 own_2=2 fb_0=1 Zb=-1/20 Z_1=0 Z_2=-1/10 C_1=0 C_2=0"),
    note=LATE,
)  # fmt: skip
UPDATE_REPAIRED = _equal(
    "update.second.repaired", f"{_UPDATE}, second line", _model(0), 0, EQ16_MEAN.at(), CLIENTS,
    repairs="composite.update.second",
)  # fmt: skip
NO_MEAN = assume("definition: (17) and below it", Eq(cb, 0))
UPDATE_LAST = _equal("update.third", f"{_UPDATE}, third line", _model(1), 1, NO_MEAN)
UPDATE_LAST_WHOLE = _equal("update.third.whole", f"{_UPDATE}, third line, from t = 0", _model(0), 1, NO_MEAN)

with printed():
    MEAN_FIRST = 1 / tau * total(fb_old(t), *TAU) - 1 / tau * total(f_old(t), *TAU)
    EQ2_LOCAL = by.sum("eq2.local", "eq. (2), first line")(
        Eq(zh(j + 1), zh(j) - eta * (f(j) + MEAN_FIRST)),
        LOCAL_STEPS,
        assume("definition: line 9 of Algorithm 1", Eq(zh(j + 1), zh(j) - eta * (f(j) + c))),
        assume("definition: line 18 of Algorithm 1, in the round before", Eq(c, _corrections(0)[0])),
        *(step.at() for step in BELOW17_REPAIRED),
    )
    EQ2_START = by.sum("eq2.start", "eq. (2), the first round")(
        Eq(MEAN_FIRST, 0),
        STEPS_TAKEN,
        assume("definition: below (2), the gradients of round 0", ForAll(Eq(f_old(t), 0), *TAU)),
        assume("definition: below (2), the gradients of round 0", ForAll(Eq(fb_old(t), 0), *TAU)),
        note="The convention of (2) is c_i^1 = 0, line 1 of Algorithm 1.",
    )
    EQ2_SERVER = by.sum("eq2.server", "eq. (2), third line")(
        Eq(x_next, p - eta_g * eta * total(fb(t), *TAU)),
        ROUND,
        SERVER,
        used(UPDATE_REPAIRED, UPDATE_LAST_WHOLE),
    )
    EQ3 = by.sum("eq3")(
        Eq(x_next, p - eta_t * (1 / (n * tau) * total(own(i), *CLIENT))),
        ROUND,
        ETA_T,
        EQ2_SERVER.at(),
        assume(WHY_MEANS, MEANS),
        note="The point to which the prox is applied on both sides.",
    )
