"""Lemma A.1: (33), (34) and (21), the drift of the local models in a round.

(33) with 1/(8 tau) supposes eta tau L <= 1/8; the lemma's own condition, eta tau L <= 1/sqrt(20), gives
2/(5 tau), and 5/4 in place of 1.15 in (34), which is just enough for (21). In both cases the recursion is
summed with weights that fall by its factor in every step: 1 - t/(8 tau); 1 - 2 t/(5 tau) + t^2/(15 tau^2).
"""

from fedproof.papers.composite.proofs import sampling as S
from fedproof.papers.composite.proofs.local_step import lam2
from fedproof.papers.composite.proofs.vectors import *
from fedproof.papers.composite.statements import formulas as f

ell = S.ell
Sum = sequence("S(t)", r"S_{i,t}^{r}", nonnegative=True)
W = sequence("W(ell)", r"(1+\tfrac1{8\tau})^\ell", nonnegative=True)
Wi = sequence("Wi(ell)", r"(1+\tfrac1{8\tau})^{-\ell}", nonnegative=True)
S_end = sequence("S_end(i)", r"S_{i,\tau-1}^{r}", nonnegative=True)
lam = sequence("lam(i)", r"\mathbb E\|\Lambda_i^{r}-\overline\Lambda^{r}\|^2", nonnegative=True)
A = number("A", "A^{r}")
ended = number("ended", r"S_{i,\tau-1}^{r}")
power = number("power", r"(1+\tfrac1{8\tau})^\ell")
inverse = number("inverse", r"(1+\tfrac1{8\tau})^{-\ell}")
exponential = number("exponential", r"e^{\ell/(8\tau)}")
root = number("root", r"e^{1/(8\tau)}")
LamSq = number("LamSq", r"\mathbb E\|\mathbf\Lambda^{r}-\overline{\mathbf\Lambda}^{r}\|^2")
by = step_writer("composite", __name__)
CLIENT = (i, 1, n)
EVERY = (L > 0, *STEPSIZES, eta_t > 0, *S.POSITIVE)
RANGE = (t >= 0, t <= tau - 1)


def growth(name: str, where: str, most: sp.Expr, condition: sp.Basic, **more: Any) -> Step:
    """How fast S_{i,t} grows at most, from a condition on the step size."""
    with printed():
        return by.real(name, where)(
            8 * (t + 1) * eta**2 * L**2 <= most,
            EVERY,
            RANGE,
            ETA_T,
            condition,
            **more,
        )


def one_step(
    name: str, where: str, most: sp.Expr, step: Step, passed: sp.Expr, *given: Any, **more: Any
) -> Step:
    """(33): from S_{i,t} to S_{i,t+1}, A^r being `passed`, from a step such as (32)."""
    with printed():
        return by.sum(name, where)(
            Sum(t + 1) <= (1 + most) * Sum(t) + A,
            EVERY,
            RANGE,
            S.SQUARE,
            ETA_T,
            *given,
            step.at(),
            assume("definition: A^r, above (33)", Eq(A, passed)),
            assume("definition: S_{i,t}, above (33)", Eq(Sum(t), total(S.D(ell), ell, 0, t))),
            assume("definition: S_{i,t}, above (33)", Eq(Sum(t + 1), total(S.D(ell), ell, 0, t + 1))),
            **more,
        )


def last_sum(
    name: str, where: str, most: sp.Expr, weight: sp.Expr, step: Step, *given: Any, **more: Any
) -> Step:
    """(34): S_{i,tau-1} is at most `most` tau A^r, with weights that fall by the growth of (33)."""
    with printed():
        last = weight.xreplace({t: tau - 1})
        return by.sum(name, where)(
            ended <= most * tau * A,
            EVERY,
            STEPS_TAKEN,
            assume("meaning: mean squares", lam2 >= 0, A >= 0),
            ETA_T,
            *given,
            assume("definition: the name of the last sum", Eq(Sum(tau - 1), ended)),
            assume("definition: line 5 of Algorithm 1, z_{i,0} is the server's model", Eq(Sum(0), 0)),
            step.at(over=(t, 0, tau - 2), weight=weight.xreplace({t: t + 1}) / last),
            **more,
        )


with printed():
    #: what the sums of a round are called, over the steps and over the clients
    LAST_SUM = assume("definition: S_{i,tau-1}, above (33)", Eq(total(S.D(ell), ell, 0, tau - 1), ended))
    ALL_SUMS = assume("definition: the sum over t and i", Eq(total(S_end(i), *CLIENT), drift))
    STACKED = assume("definition: the square of a stacked vector", Eq(total(lam(i), *CLIENT), LamSq))
    MEAN_LAM = assume("definition: the mean over the clients", Eq(total(lam(i), *CLIENT), n * Lam2))
    SHORT, LONG = 1 / (8 * tau), 2 / (5 * tau)
    #: weights that fall at least by the factors 1 + 1/(8 tau) and 1 + 2/(5 tau) at every step
    SHORT_WEIGHT = 1 - t / (8 * tau)
    LONG_WEIGHT = 1 - 2 * t / (5 * tau) + t**2 / (15 * tau**2)
    SHORT_MOST, LONG_MOST = rational(23, 20), rational(5, 4)

GROWTH_SHORT = growth("eq33.growth", "below (33)", SHORT, f.SHORT_STEP)
EQ33_SHORT = one_step(
    "eq33.short", "eq. (33)", SHORT, S.EQ32, S.PASSED, f.SHORT_STEP, GROWTH_SHORT.at(),
    note="Under the condition that the line below it names.",
)  # fmt: skip
GROWTH_LONG = growth("eq33.growth.repaired", "below (33)", LONG, f.LEMMA_STEP)
EQ33 = one_step(
    "eq33.repaired",
    "eq. (33), under the lemma's own condition",
    LONG,
    S.EQ32,
    S.PASSED,
    f.LEMMA_STEP,
    GROWTH_LONG.at(),
    note="2/(5 tau) for 1/(8 tau).",
)
EQ34_SHORT = last_sum("eq34", "eq. (34)", SHORT_MOST, SHORT_WEIGHT, EQ33_SHORT, f.SHORT_STEP)
EQ34 = last_sum(
    "eq34.lemma", "eq. (34), under the lemma's own condition", LONG_MOST, LONG_WEIGHT, EQ33, f.LEMMA_STEP,
    note="5/4 for 1.15; 4 * 5/4 = 5 and 8 * 5/4 = 10 are the constants of (21).",
)  # fmt: skip

with printed():
    BASE = 1 + SHORT
    EQ34_NEXT = by.sum("eq34.next", "eq. (34), first <=, from t to t + 1")(
        Sum(t + 1) <= A * total(W(ell), ell, 0, t),
        EVERY,
        RANGE,
        ETA_T,
        f.SHORT_STEP,
        assume("meaning: mean squares", lam2 >= 0, A >= 0),
        times(BASE, Sum(t) <= A * total(W(ell), ell, 0, t - 1), "meaning: the same for t, by induction"),
        assume("definition: a power", ForAll(Eq(W(ell + 1), BASE * W(ell)), ell, 0, t - 1)),
        assume("definition: a power", Eq(W(0), 1)),
        EQ33_SHORT.at(),
        note="For t = 0 both sides are 0: repeated application of (33). `eq34` does not need it.",
    )
    _POWER = (power, 1, power * BASE)
    EQ34_PRODUCT = by.induction("eq34.exponential.product", "below (34), first <=, multiplied by the power")(
        power**2 <= power * exponential,
        tau > 0,
        assume("meaning: e^x is at least 1 + x", root >= BASE),
        induction=Induction(ell, 0, (_POWER, (exponential, 1, exponential * root))),
    )
    EQ34_POSITIVE = by.induction("eq34.positive", "below (34), a power is positive")(
        power > 0,
        tau > 0,
        induction=Induction(ell, 0, (_POWER,)),
    )
    EQ34_EXPONENTIAL = by.real("eq34.exponential", "below (34), first <=")(
        power <= exponential,
        tau > 0,
        ell >= 0,
        assume("meaning: e^x is at least 1 + x", root >= BASE),
        used(EQ34_PRODUCT, EQ34_POSITIVE),
    )
    EQ34_EXP = by.interval("eq34.exp", "below (34), third <=")(sp.exp(rational(1, 8)) <= rational(115, 100))
    EQ34_INVERSE = by.induction("eq34.inverse", "below (34), another way")(
        1 - ell * SHORT <= inverse,
        tau > 0,
        induction=Induction(ell, 0, ((inverse, 1, inverse / BASE),)),
    )
    EQ34_TERMS = by.real("eq34.terms", "below (34), every term")(
        power <= rational(115, 100),
        tau > 0,
        ell >= 0,
        ell <= tau,
        EQ34_INVERSE.at(),
        assume("definition: powers of a number and of its inverse", Eq(power * inverse, 1)),
        EQ34_POSITIVE.at(),
        note="A power is at most 8/7, by Bernoulli's inequality for its inverse.",
    )
    EQ34_SUM = by.sum("eq34.sum", "eq. (34), second <=")(
        A * total(W(ell), ell, 0, tau - 2) <= rational(115, 100) * tau * A,
        STEPS_TAKEN,
        tau > 0,
        assume("meaning: a sum of mean squares", A >= 0),
        assume(
            "definition: powers of a number and of its inverse",
            ForAll(Eq(W(ell) * Wi(ell), 1), ell, 0, tau - 2),
        ),
        EQ34_TERMS.at({power: W(ell), inverse: Wi(ell)}, over=(ell, 0, tau - 2)),
    )
    PER_CLIENT = S.PASSED.xreplace({lam2: lam(i)})
    LEMMA_A1 = by.sum("lemmaA1.end", "Lemma A.1, eq. (21)")(
        drift <= f.DRIFT,
        EVERY,
        STEPS_TAKEN,
        CLIENTS,
        ETA_T,
        f.LEMMA_STEP,
        assume("meaning: a mean square", G2 >= 0),
        ALL_SUMS,
        STACKED,
        EQ34.at({ended: S_end(i), A: PER_CLIENT, lam2: lam(i)}, over=CLIENT),
        lacks="(33) takes eta~ <= eta_g/(8 L); the lemma supposes eta~ <= eta_g/(sqrt(20) L), which is "
        "weaker. eq33.repaired and eq34.lemma close it; (13) gives both",
        note="With E around the squared mapping, which print leaves out.",
    )
