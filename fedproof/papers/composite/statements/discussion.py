"""What the text says between the theorems, as claims that can be decided."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.composite.assumptions import BOUNDED_BELOW, CONVEX, FULL, SAME_SIGNS, SMOOTH, STATIONARY
from fedproof.papers.composite.notation import *
from fedproof.papers.composite.statements import formulas as f
from fedproof.papers.composite.statements.printed import ETA_T, KEY, LOCAL_STEPS

BELOW35, BELOW36 = "below Theorem 3.5", "below Theorem 3.6"
#: what the two residuals speak of; eta~ is a letter here, since the text moves it
ONE = (L, n, tau, b, sigma2, B_g, eta_t, eta_g)
TWO = (L, n, tau, b, sigma2, B_g, mu, eta_t, eta_g)

with printed():
    PENALTY = Condition("B_g > 0", B_g > 0, "Assumption 3.1")
    STEP = Condition("(13) step", f.STEP, "(13), first inequality")
    ONE_STEP = Condition("tau = 1", Eq(tau, 1), "Sec. 4.1")
    ONE_CLIENT = Condition("n = 1", Eq(n, 1), "Appendix A.2")
    RESIDUAL35 = f.THEOREM35_VARIANCE + f.THEOREM35_SUBGRADIENTS
    RESIDUAL36 = f.THEOREM36_VARIANCE + f.THEOREM36_SUBGRADIENTS
    ORDER35 = sigma2 / (n * tau * b) + L**2 * eta_t**2 * B_g**2 / eta_g**2
    ORDER36 = sigma2 / (mu * n * tau * b) + L**2 * eta_t**2 * B_g**2 / (mu * eta_g**2)
    _OTHER = {eta_t: eta_t2}
    SQUARE35 = Identity(
        f.THEOREM35_SUBGRADIENTS.xreplace(_OTHER) * eta_t**2, f.THEOREM35_SUBGRADIENTS * eta_t2**2
    )
    FULL35 = Implies((Eq(sigma2, 0),), Eq(f.THEOREM35_VARIANCE, 0))
    UNIFORM35 = Implies((), RESIDUAL35 <= f.PENALTY35 * ORDER35)
    UNIFORM36 = Implies((), RESIDUAL36 <= f.PENALTY36 * ORDER36)


def _remark(
    name: str,
    title: str,
    where: str,
    symbols: tuple[sp.Symbol, ...],
    claim: Claim,
    conditions: tuple[Condition, ...] = (LOCAL_STEPS,),
    theorem: str = "theorem3.5",
    note: str = "",
) -> Statement:
    return Statement(
        f"{KEY}.section3.{name}",
        title,
        Source(KEY, where),
        letters(*symbols),
        claim,
        conditions=conditions,
        uses=(f"{KEY}.{theorem}",),
        note=note,
    )


ORDER_35 = _remark(
    "residual35.order",
    "The residual of Theorem 3.5 is O(sigma^2/(n tau b) + L^2 eta~^2 B_g^2/eta_g^2)",
    BELOW35,
    ONE,
    Order(RESIDUAL35, ORDER35, b),
    (LOCAL_STEPS, PENALTY),
)
UNIFORM_35 = _remark(
    "residual35.constant",
    f"The constant that the order of Theorem 3.5's residual hides is {f.PENALTY35}, whatever the parameters",
    BELOW35,
    ONE,
    UNIFORM35,
)
BATCH_35 = _remark(
    "residual35.batch",
    "A large batch mitigates the first term of Theorem 3.5's residual",
    BELOW35,
    (n, tau, b, sigma2),
    Monotone(f.THEOREM35_VARIANCE, b, "decreasing"),
)
BATCH_35_ORDER = _remark(
    "residual35.batch.order",
    "The first term of Theorem 3.5's residual is O(1/b)",
    BELOW35,
    (n, tau, b, sigma2),
    Order(f.THEOREM35_VARIANCE, 1 / b, b),
)
FULL_35 = _remark(
    "residual35.full",
    "Full gradients make the first term of Theorem 3.5's residual zero",
    BELOW35,
    (n, tau, b, sigma2),
    FULL35,
)
SQUARE_35 = _remark(
    "residual35.square",
    "The second term of Theorem 3.5's residual is proportional to the square of eta~",
    BELOW35,
    (L, B_g, eta_t, eta_t2, eta_g),
    SQUARE35,
    (),
)
STEP_35 = _remark(
    "residual35.step",
    "A smaller eta~ reduces the second term of Theorem 3.5's residual",
    BELOW35,
    (L, B_g, eta_t, eta_g),
    Monotone(f.THEOREM35_SUBGRADIENTS, eta_t, "increasing"),
    (),
    note="Of the bound: the algorithm has no such error, by composite.theorem3.5.sharpened.",
)
ORDER_36 = _remark(
    "residual36.order",
    "The residual of Theorem 3.6 is O(sigma^2/(mu n tau b) + L^2 eta~^2 B_g^2/(mu eta_g^2))",
    BELOW36,
    TWO,
    Order(RESIDUAL36, ORDER36, b),
    (LOCAL_STEPS, PENALTY),
    "theorem3.6",
)
UNIFORM_36 = _remark(
    "residual36.constant",
    f"The constant that the order of Theorem 3.6's residual hides is {f.PENALTY36}, whatever the parameters",
    BELOW36,
    TWO,
    UNIFORM36,
    theorem="theorem3.6",
)
BATCH_36 = _remark(
    "residual36.batch",
    "A larger batch reduces the first term of Theorem 3.6's residual",
    BELOW36,
    (n, tau, b, sigma2, mu),
    Monotone(f.THEOREM36_VARIANCE, b, "decreasing"),
    theorem="theorem3.6",
)
STEP_36 = _remark(
    "residual36.step",
    "A smaller eta~ reduces the second term of Theorem 3.6's residual",
    BELOW36,
    (L, B_g, mu, eta_t, eta_g),
    Monotone(f.THEOREM36_SUBGRADIENTS, eta_t, "increasing"),
    (),
    "theorem3.6",
    note="Of the bound: the algorithm has no such error, by composite.theorem3.6.sharpened.",
)

with printed():
    _STRONGER = gap / (eta_t * (1 - L * eta_t / 2))

STRONGER = Statement(
    f"{KEY}.section3.stronger",
    "A small objective gap makes the prox-gradient small, so Theorem 3.6 says more than Theorem 3.5",
    Source(KEY, f"{BELOW36}, by (38)"),
    letters(L, eta_t, gap),
    Bound("squared_prox_gradient", _STRONGER),
    conditions=(STEP,),
    assumptions=(CONVEX.id, SMOOTH.id, BOUNDED_BELOW.id),
    note="The other way round fails where F is not convex: a stationary point need not be a minimiser.",
    proof=(f"{KEY}.theorem3.6.stronger.end",),
)

with printed():
    _L1 = vartheta * sqrt(d)

SUBGRADIENTS_L1 = Statement(
    f"{KEY}.section3.subgradients.l1",
    "The l1 norm satisfies Assumption 3.1",
    Source(KEY, "below Assumption 3.1"),
    letters(d, vartheta),
    Bound("subgradient_norm", _L1),
    note="B_g = vartheta sqrt(d), reached where no entry of the model is zero.",
    proof=(f"{KEY}.subgradients.l1.end",),
)
SUBGRADIENTS_LINF = Statement(
    f"{KEY}.section3.subgradients.linf",
    "The l-infinity norm satisfies Assumption 3.1",
    Source(KEY, "below Assumption 3.1"),
    letters(vartheta),
    Bound("subgradient_norm", vartheta),
    note="Its subgradients are of l1 norm at most vartheta.",
    proof=(f"{KEY}.subgradients.linf.end",),
)
SUBGRADIENTS_RELU = Statement(
    f"{KEY}.section3.subgradients.relu",
    "The ReLU, summed over the entries, satisfies Assumption 3.1",
    Source(KEY, "below Assumption 3.1"),
    letters(d, vartheta),
    Bound("subgradient_norm", _L1),
    note="Its subgradients' entries are between 0 and vartheta.",
    proof=(f"{KEY}.subgradients.relu.end",),
)

with printed():
    #: (10) at r = 1, where the gradients of round 0 count as zero; zeta2 is the clients' dissimilarity there
    _START = gap + 1 / (n * eta_t) * (n * (eta**2 * tau**2 * zeta2))
    _SIMPLE = gap + eta_t / eta_g**2 * zeta2

START = Statement(
    f"{KEY}.eq10.start",
    "The potential at the start",
    Source(KEY, "eq. (10) at r = 1, with the convention below (2)"),
    letters(n, tau, eta, eta_g, gap, zeta2),
    Identity(Omega1, _SIMPLE),
    where=(ETA_T, Def(letter(Omega1), _START, "(10) at r = 1", report=True)),
    conditions=(LOCAL_STEPS,),
    note="The theorems assume nothing of the clients' similarity; what they pay for it stands in Omega^1.",
)

SENT = Statement(
    f"{KEY}.section2.sent",
    "One vector of d numbers a round and client, each way",
    Source(KEY, "Sec. 2.2, 3); Algorithm 1, lines 12 and 15"),
    letters(n, d),
    Identity(sent, n * d),
    where=(Def(letter(sent), n * d, "Algorithm 1, lines 12 and 15", report=True),),
    note="By definition; the uplink_bits and downlink_bits of every run count what is really sent.",
)

MEAN_CORRECTION = Statement(
    f"{KEY}.eq17",
    "The corrections have mean zero in every round",
    Source(KEY, "Sec. 2.2, 1), and (17)"),
    (),
    Bound("squared_mean_correction", Integer(0)),
    note="From c_i^1 = 0; it needs no assumption on the losses or the penalty.",
    proof=(f"{KEY}.eq17.squared",),
)

STOPS = Statement(
    f"{KEY}.appendixA2.stops",
    "With one client and full gradients the algorithm stops at a stationary point",
    Source(KEY, "Appendix A.2, Algorithm 2"),
    letters(n),
    Bound("squared_movement", Integer(0)),
    conditions=(ONE_CLIENT,),
    assumptions=(CONVEX.id, FULL.id, STATIONARY.id),
    proof=(
        f"{KEY}.algorithm2.stays",
        f"{KEY}.algorithm2.alone",
    ),
)

FIXED_POINT = Statement(
    f"{KEY}.stops",
    "With full gradients and the corrections that belong to it the algorithm stops at a stationary point",
    Source(KEY, "Appendix A.2 for several clients; this form is not in the paper"),
    letters(n),
    Bound("squared_movement", Integer(0)),
    assumptions=(CONVEX.id, FULL.id, STATIONARY.id, f"{KEY}.settled"),
    note="With c_i^1 = 0 and n, tau >= 2 it does not stop at once; it comes back, by composite.exact.pl.",
    proof=(
        f"{KEY}.stops.stays",
        f"{KEY}.stops.corrections",
    ),
)

_FEDDA = "Sec. 4.1, discussion of Fig. 2, for tau = 1; not in the paper"

FEDDA_FIRST = Statement(
    f"{KEY}.fedda.first",
    "With tau = 1 and the same step sizes the algorithm and FedDA take the same first round",
    Source(KEY, _FEDDA),
    letters(tau, eta_t),
    Bound("squared_difference", Integer(0)),
    conditions=(ONE_STEP,),
    assumptions=(CONVEX.id,),
    note="From the same model, with the same gradients.",
    proof=(f"{KEY}.fedda.first",),
)
FEDDA_SETTLED = Statement(
    f"{KEY}.fedda.settled",
    "With tau = 1 and the same step sizes the algorithm and FedDA go on alike while the subgradient stays",
    Source(KEY, _FEDDA),
    letters(tau, eta_t),
    Bound("squared_difference", Integer(0)),
    conditions=(ONE_STEP,),
    assumptions=(SAME_SIGNS.id,),
    note="From the same model, with the same gradients. For l1: until an entry is held at zero or changes "
    "its sign. Once the signs have settled both step by -eta~ (grad f + the subgradient) again, each from "
    "where it is (composite.fedda.settled.step).",
    proof=(f"{KEY}.fedda.settled",),
)
FEDDA_APART = Statement(
    f"{KEY}.fedda.apart",
    "Where an entry is held at zero, the two algorithms' models can differ after the second round",
    Source(KEY, _FEDDA),
    (),
    Bound("squared_difference", Rational(1, 100), ">="),
    note="In one instance, in exact numbers. It says nothing against a common rate.",
    proof=(f"{KEY}.fedda.apart",),
)
