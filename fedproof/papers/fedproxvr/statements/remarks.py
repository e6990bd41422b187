"""Remarks 1 and 2 and the discussion of Fig. 1, as claims of their own kinds."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.fedproxvr.notation import *
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.papers.fedproxvr.statements.printed import (
    BETA,
    FACTOR,
    KEY,
    LOWER,
    MT,
    SARAH_UPPER,
    STRONGLY_CONVEX,
    SVRG_A,
    SVRG_LOWER,
    SVRG_UPPER,
)

#: within Lemma 1, theta < 1 and 0 < lambda < L: with beta = 12 (15) gives tau = 84, a whole number, and 76 is
#: the least whole beta for which SVRG has a whole tau at all, 13
_FEWER_STEPS = (
    ("L", "1"), ("lam", "44/315"), ("mu", "156"), ("theta", "15/19"),
    ("beta", "12"), ("beta2", "76"), ("tau2", "13"),
)  # fmt: skip

with printed():
    #: where the lower bound of (13), (14) increases with beta
    RISING = Condition("beta large", mu**2 <= L**2 * (beta**2 - 6 * beta), "added")
    #: by (3), (4) holds with lambda = L, so a larger lambda is never needed
    TAME = Condition("lam <= L", lam <= L, "friendly reading of (3) and (4)")


def _remark(
    id: str,
    title: str,
    where: str,
    symbols: tuple[sp.Symbol, ...],
    claim: Claim,
    conditions: tuple[Condition, ...] = (STRONGLY_CONVEX, BETA),
    defs: tuple[Def, ...] = (MT,),
    uses: tuple[str, ...] = ("fedproxvr.lemma1.sarah",),
    note: str = "",
    witness: tuple[tuple[str, str], ...] = (),
) -> Statement:
    return Statement(
        f"{KEY}.{id}",
        title,
        Source(KEY, where),
        letters(*symbols),
        claim,
        defs,
        conditions,
        uses=uses,
        note=note,
        witness=witness,
    )


REMARK1_1_SARAH = _remark(
    "remark1.1.sarah",
    "For every theta, and whatever mu, some beta and tau satisfy (13)",
    "Remark 1(1)",
    (L, lam, mu, theta),
    Exists(letters(beta, tau), (beta > 3, LOWER.relation, SARAH_UPPER.relation)),
    (STRONGLY_CONVEX,),
)
REMARK1_1_SVRG = Statement(
    f"{KEY}.remark1.1.svrg",
    "For every theta, and whatever mu, some beta and tau satisfy (14)",
    Source(KEY, "Remark 1(1)"),
    letters(L, lam, mu, theta),
    Exists(letters(beta, tau), (beta > 3, SVRG_LOWER.relation, SVRG_UPPER.relation)),
    (MT,),
    (STRONGLY_CONVEX, TAME),
    (SVRG_A,),
    uses=("fedproxvr.lemma1.svrg",),
    note="With a eliminated the upper bound of (14) grows like beta, not like its square: theta^2 (mu - lam) "
    "must exceed 3 sqrt(128/5) L, so that a large mu is needed as well.",
)
REMARK1_1_LOWER = _remark(
    "remark1.1.lower",
    "The lower bound of tau is Omega(beta)",
    "Remark 1(1)",
    (L, lam, mu, theta, beta),
    Order(beta, f.LOWER, beta),
)
REMARK1_1_UPPER = _remark(
    "remark1.1.upper",
    "The upper bound of tau is O(beta^2)",
    "Remark 1(1)",
    (beta,),
    Order(f.SARAH_UPPER, beta**2, beta),
    (BETA,),
    (),
)
REMARK1_1_UPPER_SVRG = _remark(
    "remark1.1.upper.svrg",
    "The upper bound of tau in (14) is O(beta^2)",
    "Remark 1(1)",
    (beta, tau),
    Order(f.SVRG_UPPER.xreplace({a: f.SVRG_BEST_A}), beta**2, beta),
    (BETA,),
    (),
    uses=("fedproxvr.lemma1.svrg",),
    note="True for each tau; but a grows with tau, so the largest admissible tau grows only like beta.",
)
REMARK1_2 = _remark(
    "remark1.2",
    "A smaller theta needs more local steps",
    "Remark 1(2)",
    (L, lam, mu, beta, theta),
    Monotone(f.LOWER, theta, "decreasing"),
)

REMARK1_2_ORDER = _remark(
    "remark1.2.order",
    "The lower bound of tau is Omega(1/theta^2)",
    "Remark 1(2)",
    (L, lam, mu, beta, theta),
    Order(1 / theta**2, f.LOWER, theta, sp.Integer(0)),
)

with printed():
    AT_LEAST_BETA = Eq(f.LOWER, f.SARAH_UPPER)
    _OTHER = {beta: beta2, tau: tau2}
    OTHER_SARAH = (beta2 > 3, LOWER.relation.xreplace(_OTHER), SARAH_UPPER.relation.xreplace(_OTHER))
    _OTHER_SVRG = (
        beta2 > 3,
        SVRG_LOWER.relation.xreplace(_OTHER),
        SVRG_UPPER.relation.xreplace(_OTHER),
    )
    ENOUGH_TAU = LOWER.relation.xreplace(_OTHER)
    #: with tau' >= the lower bound, the least whole number
    LEAST_TAU = tau2 < f.LOWER.xreplace(_OTHER) + 1
    TAU_LESS = f.SARAH_UPPER <= tau2
    _SVRG_A2 = f.SVRG_BEST_A.xreplace(_OTHER)

REMARK1_3_BETA = _remark(
    "remark1.3.beta",
    "(15) gives the least beta that satisfies Lemma 1 (SARAH)",
    "Remark 1(3), eq. (15)",
    (L, lam, mu, theta, beta, beta2, tau2),
    Implies((AT_LEAST_BETA, *OTHER_SARAH), beta <= beta2),
    uses=("fedproxvr.eq15",),
)
with printed():
    _SAME_BETA = (f.LOWER <= tau2, tau2 <= f.SARAH_UPPER)

REMARK1_3_TAU = _remark(
    "remark1.3.tau",
    "At the least beta, (16) gives the smallest tau that satisfies Lemma 1 (SARAH)",
    "Remark 1(3), eq. (16)",
    (L, lam, mu, theta, beta, tau2),
    Implies((AT_LEAST_BETA, *_SAME_BETA), TAU_LESS),
    uses=("fedproxvr.eq15", "fedproxvr.eq16"),
    note="There the range of tau is one point, and seldom a whole number.",
    witness=(("L", "1"), ("lam", "88/15"), ("mu", "8"), ("theta", "1"), ("beta", "8"), ("tau2", "36")),
)
REMARK1_3_EVERYWHERE = _remark(
    "remark1.3.tau.everywhere",
    "Once beta is large, (16) gives the smallest tau over all admissible beta too (SARAH)",
    "Remark 1(3), eq. (16); a comparison of all beta is not in the paper",
    (L, lam, mu, theta, beta, beta2, tau2),
    Implies((AT_LEAST_BETA, *OTHER_SARAH, beta <= beta2), TAU_LESS),
    (STRONGLY_CONVEX, BETA, RISING),
    uses=("fedproxvr.remark1.3.beta",),
    note="More than fedproxvr.remark1.3.tau, which is about the least beta alone and holds. Without the "
    "condition a larger beta can admit fewer local steps: fedproxvr.remark1.3.fewer.",
)
REMARK1_4_ORDER = _remark(
    "remark1.4.order",
    "The lower bound of tau is Omega(mu)",
    "Remark 1(4)",
    (L, lam, mu, beta, theta),
    Order(mu, f.LOWER, mu),
)
REMARK1_4_MONOTONE = _remark(
    "remark1.4.monotone",
    "Increasing mu increases the lower bound of tau",
    "Remark 1(4)",
    (L, lam, mu, beta, theta),
    Monotone(f.LOWER, mu, "increasing"),
    (STRONGLY_CONVEX, BETA, TAME),
    note="Near mu = lam the bound falls, since mu - lam stands in its denominator. In the instance (13) "
    "admits local steps for both values of mu.",
    witness=tuple(
        {"L": "1", "lam": "1/2", "mu": "1", "mu_later": "9", "beta": "100", "theta": "1/2"}.items()
    ),
)
REMARK1_4_REPAIRED = Statement(
    f"{KEY}.remark1.4.monotone.repaired",
    "Increasing mu increases the lower bound of tau, once mu is large",
    Source(KEY, "Remark 1(4)"),
    letters(L, lam, mu, beta, theta),
    Monotone(f.LOWER, mu, "increasing"),
    (MT,),
    (STRONGLY_CONVEX, BETA, Condition("mu large", mu >= lam + sqrt(lam**2 + beta**2 * L**2), "added")),
    uses=("fedproxvr.lemma1.sarah",),
    amends=f"{KEY}.remark1.4.monotone",
    note="The added condition is exactly where the derivative is not negative.",
)
with printed():
    _SVRG_IMPLIES = (f.SVRG_UPPER.xreplace({a: f.SVRG_BEST_A}) >= tau,)
REMARK1_5_UPPER = _remark(
    "remark1.5.upper",
    "The upper bound on tau is stricter for SVRG",
    "Remark 1(5)",
    (beta, tau),
    Implies(_SVRG_IMPLIES, SARAH_UPPER.relation),
    (BETA, Condition("tau >= 0", tau >= 0, "Algorithm 1")),
    (),
    uses=("fedproxvr.lemma1.sarah", "fedproxvr.lemma1.svrg"),
)
REMARK1_5_BETA = Statement(
    f"{KEY}.remark1.5.beta",
    "SVRG requires a larger least beta",
    Source(KEY, "Remark 1(5)"),
    letters(L, lam, mu, theta, beta, beta2, tau2),
    Implies(
        (AT_LEAST_BETA, *(r.xreplace({a: _SVRG_A2}) for r in _OTHER_SVRG)),
        beta <= beta2,
        via=(OTHER_SARAH[2],),
    ),
    (MT,),
    (STRONGLY_CONVEX, BETA),
    uses=("fedproxvr.remark1.3.beta", "fedproxvr.remark1.5.upper"),
)
REMARK1_5_TAU = Statement(
    f"{KEY}.remark1.5.tau",
    "SVRG thus requires a larger tau",
    Source(KEY, "Remark 1(5)"),
    letters(L, lam, mu, theta, beta, beta2, tau2),
    Implies((AT_LEAST_BETA, LEAST_TAU, *(r.xreplace({a: _SVRG_A2}) for r in _OTHER_SVRG)), TAU_LESS),
    (MT,),
    (STRONGLY_CONVEX, BETA, TAME),
    uses=("fedproxvr.remark1.5.beta",),
    note="The lower bound of tau is not increasing in beta. In the instance beta' = 76 is the least whole "
    "number for which (14) admits any local steps, and more than SARAH's least beta, 12; the steps are 13, "
    "fewer than SARAH's 84.",
    witness=_FEWER_STEPS,
)

with printed():
    _THETA_CAP = 1 / sqrt(2 * (1 + sigma2))
    _THETA_BELOW_CAP = theta < _THETA_CAP
    _POSITIVE = Theta > Integer(0)

REMARK2_1 = _remark(
    "remark2.1",
    "Theta > 0 requires theta < (2(1+sigma2))^(-1/2)",
    "Remark 2(1)",
    (L, lam, sigma2, mu, theta),
    Implies((_POSITIVE,), _THETA_BELOW_CAP),
    (STRONGLY_CONVEX,),
    (MT, FACTOR),
    ("fedproxvr.theorem1",),
)
REMARK2_1_MU = _remark(
    "remark2.1.mu",
    "With theta < (2(1+sigma2))^(-1/2) a large mu makes Theta > 0",
    "Remark 2(1)",
    (L, lam, sigma2, theta),
    Exists(letters(mu), (STRONGLY_CONVEX.relation, f.DESCENT > 0)),
    (Condition("theta small", _THETA_BELOW_CAP, "Remark 2(1)"),),
    (MT,),
    ("fedproxvr.theorem1",),
)
REMARK2_1_SIGMA2 = _remark(
    "remark2.1.sigma2",
    "The largest usable theta falls as sigma2 grows",
    "Remark 2(1)",
    (sigma2,),
    Monotone(_THETA_CAP, sigma2, "decreasing"),
    (),
    (),
    ("fedproxvr.remark2.1",),
)
REMARK2_2_THETA = _remark(
    "remark2.2.theta",
    "Global convergence prefers a small theta",
    "Remark 2(2)",
    (L, lam, sigma2, mu, theta),
    Monotone(f.DESCENT, theta, "decreasing"),
    (STRONGLY_CONVEX,),
    (MT,),
    ("fedproxvr.theorem1",),
)
REMARK2_2_MU = _remark(
    "remark2.2.mu",
    "Too large a mu makes Theta small",
    "Remark 2(2)",
    (L, lam, sigma2, mu, theta),
    Order(f.FACTOR, 1 / mu, mu),
    (STRONGLY_CONVEX,),
    (MT,),
    ("fedproxvr.theorem1",),
)
REMARK2_3_L = _remark(
    "remark2.3.L",
    "A large L requires a large mu for Theta > 0",
    "Remark 2(3)",
    (L, lam, sigma2, mu, theta),
    Monotone(f.DESCENT, L, "decreasing"),
    (STRONGLY_CONVEX,),
    (MT,),
    ("fedproxvr.theorem1",),
    note="mu x Theta falls in L and rises in mu, so the least mu with Theta > 0 rises with L.",
)
REMARK2_3_LAM = _remark(
    "remark2.3.lam",
    "A large lambda requires a large mu for Theta > 0",
    "Remark 2(3)",
    (L, lam, sigma2, mu, theta),
    Monotone(f.DESCENT, lam, "decreasing"),
    (STRONGLY_CONVEX,),
    (MT,),
    ("fedproxvr.theorem1",),
    note="mu x Theta falls in lambda and rises in mu, so the least mu with Theta > 0 rises with lambda.",
)


REMARK2_3_MU = _remark(
    "remark2.3.mu",
    "mu x Theta rises with mu",
    "Remark 2(3)",
    (L, lam, sigma2, mu, theta),
    Monotone(f.DESCENT, mu, "increasing"),
    (STRONGLY_CONVEX,),
    (MT,),
    ("fedproxvr.theorem1",),
    note="With its fall in L and lambda this is why the least mu with Theta > 0 rises with both.",
)
REMARK2_4 = _remark(
    "remark2.4",
    "The number of rounds is O(1/(Theta eps))",
    "Remark 2(4)",
    (Delta, Theta, eps),
    Order(f.ROUNDS, 1 / (Theta * eps), eps, sp.Integer(0)),
    (Condition("Theta > 0", Theta > 0, "below (17)"),),
    (),
    ("fedproxvr.corollary1",),
)
