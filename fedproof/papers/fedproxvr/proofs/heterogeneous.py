"""Sec. 3: Theorem 1 with the means of the L_n and lambda_n is false; two clients, one parameter, one round.

Client 1 has F_1(w) = -l/2 w^2, client 2 has F_2(w) = c/2 w^2, so F(w) = H/2 w^2 with H = (1 - p) c - p l > 0.
All samples of a client are alike: both estimators are the full gradient. The round starts at w = 1, F* = 0.
Then L_1 = lambda_1 = l, L_2 = c, (5) holds with equality everywhere, and mu may be little above l: client 1
steps far out, and its small weight p hides that from the means.
"""

from fedproof.papers.fedproxvr.proofs.means import MEAN_BELOW_RMS, one
from fedproof.papers.fedproxvr.proofs.means import x as any_x
from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import formulas as f

#: the weight of client 1; the curvature of F
p, H = numbers("p H")
l1 = number("l", r"\lambda_1")
c = number("c", "L_2")
lam2 = number("lam2", r"\lambda_2")
#: a client's curvature and contraction
k, r = numbers("k r")
eta = number("eta", r"\eta")
best = number("best", "w^*")
w = number("w", "w^{(t)}")
#: local steps
j = number("j")
W = number("W", "w^{(j)}")
R = number("R", "r^j")
V = number("V", r"\textstyle\sum_{t\le j}w^{(t)}")
S = number("S", r"\textstyle\sum_{t\le j}r^t")
m1 = number("m1", r"\mathbb E\,w_1^{(1)}")
m2 = number("m2", r"\mathbb E\,w_2^{(1)}")
m = number("m", r"\mathbb E\,\bar w^{(1)}")
square = number("square", r"\mathbb E(\bar w^{(1)})^2")
#: both clients' sums of models and of powers of the contraction
V1, V2, S1, S2 = numbers("V1 V2 S1 S2")
far = number("far", "w_1^*")
near = number("near", "w_2^*")
r1 = number("r1", "r_1")
r2 = number("r2", "r_2")
a1 = number("a1", "a_1")
a2 = number("a2", "a_2")
least = number("least", "a")
RETURNED = "definition: line 10 of Algorithm 1, the mean over t' = 0..tau"

WHERE = "Sec. 3, heterogeneous L_n and lambda_n"
by = step_writer("fedproxvr", __name__)
START, NEXT = sp.Integer(0), sp.Integer(1)
CLIENTS = (p > 0, p < 1, l1 > 0, c > 0, lam2 > 0, lam2 <= c, mu > l1, mu > lam2, theta > 0, theta <= 1)


def _allowed(smoothness: sp.Expr, weak_convexity: sp.Expr) -> tuple[sp.Basic, ...]:
    """(13) for one client."""
    lower = f.LOWER.xreplace({L: smoothness, mt: mu - weak_convexity})
    return (lower <= tau, tau <= f.SARAH_UPPER)


with printed():
    WORLD = assume(
        "instance: F_1(w) = -lambda_1 w^2/2 and F_2(w) = L_2 w^2/2 with weights p and 1 - p, L_1 = lambda_1, "
        "the round starts at 1; F(w) = H w^2/2",
        Eq(H, (1 - p) * c - p * l1),
        Eq(L, p * l1 + (1 - p) * c),
        Eq(lam, p * l1 + (1 - p) * lam2),
        Eq(mt, mu - lam),
        Eq(sigma2, p * ((l1 + H) / H) ** 2 + (1 - p) * ((c - H) / H) ** 2),
    )
    POSITIVE = (H > 0, mt > 0, f.DESCENT > 0)
    _SLOPES, _RATES = "p=1/801 l=9 c=81/80 lam2=9/800", "L=91/89 lam=2/89 mt=319689/35600 sigma2=1/8"
    NUMBERS = dict(values(f"{_SLOPES} mu=3601/400 theta=1/7 H=1 {_RATES}"))
    BEST, RATE = mu / (mu + k), (1 - eta * k) / (1 + eta * mu)
    LOCAL_STEP = by.real("heterogeneous.step", f"{WHERE}; one local step")(
        Eq(eta / (1 + eta * mu) * (mu + 1 / eta * (w - eta * k * w)), BEST + RATE * (w - BEST)),
        (mu > 0, eta > 0, mu + k > 0),
        note="Lines 4 and 8 of Algorithm 1 by (10), from w = 1, for F_n(w) = k/2 w^2.",
    )
    ITERATE = by.induction("heterogeneous.iterate", f"{WHERE}; the local models")(
        Eq(W, best + R * (1 - best)),
        induction=Induction(j, START, ((W, NEXT, best + r * (W - best)), (R, NEXT, r * R))),
    )
    LOCAL_SUM = by.induction("heterogeneous.sum", f"{WHERE}; their sum")(
        Eq(V, (j + 1) * best + S * (1 - best)),
        induction=Induction(
            j,
            START,
            ((R, NEXT, r * R), (V, NEXT, V + best + r * R * (1 - best)), (S, NEXT, S + r * R)),
        ),
    )
    GEOMETRIC = by.induction("heterogeneous.geometric", f"{WHERE}; the sum of the powers")(
        Eq((1 - r) * S, 1 - r * R),
        induction=Induction(j, START, ((R, NEXT, r * R), (S, NEXT, S + r * R))),
    )
    POWER = by.induction("heterogeneous.power", f"{WHERE}; the powers are between 0 and 1")(
        R**2 <= R,
        (r >= 0, r <= 1),
        induction=Induction(j, START, ((R, NEXT, r * R),)),
    )
    MEAN = by.real("heterogeneous.mean", f"{WHERE}; the local model that is returned")(
        Eq(m1, best + S / (tau + 1) * (1 - best)),
        tau >= 0,
        assume(RETURNED, Eq(m1, V / (tau + 1))),
        LOCAL_SUM.at({j: tau}),
    )
    BOUNDED = by.real("heterogeneous.geometric.above", f"{WHERE}; the sum of the powers")(
        (1 - r) * S <= 1,
        (r >= 0, r < 1, tau >= 0),
        GEOMETRIC.at({j: tau}),
        POWER.at({j: tau}),
    )
    POSITIVE_SUM = by.real("heterogeneous.geometric.below", f"{WHERE}; the sum of the powers")(
        S >= 0,
        (r >= 0, r < 1, tau >= 0),
        GEOMETRIC.at({j: tau}),
        POWER.at({j: tau}),
    )
    LACK = by.real("heterogeneous.lack", f"{WHERE}; client 1's contraction")(
        Eq((1 + 1 / beta) / (1 + mu / (beta * l1)), 1 - (mu - l1) / (beta * l1 + mu)),
        (l1 > 0, mu > l1, beta > 0),
        note="(1 + eta l)/(1 + eta mu) with eta = 1/(beta L_1).",
    )
    FAR, NEAR = mu / (mu - l1), mu / (mu + c)
    REACHED = FAR - (FAR - 1) * (beta * l1 + mu) / ((tau + 1) * (mu - l1))
    FIRST = by.real("heterogeneous.first", f"{WHERE}; client 1")(
        m1 >= best - (best - 1) * (1 / (tau + 1) * (1 / (1 - r))),
        (best >= 1, r >= 0, r < 1, tau >= 0),
        used(MEAN, BOUNDED),
        note="It moves away from 0, towards its minimiser.",
    )
    SECOND = by.real("heterogeneous.second", f"{WHERE}; client 2")(
        m1 >= best,
        (best <= 1, r >= 0, r < 1, tau >= 0),
        used(MEAN, POSITIVE_SUM),
        note="It never moves beyond its minimiser, whichever step size up to 1/L_2 it uses.",
    )
    MODEL = p * REACHED + (1 - p) * NEAR
    LINE12 = assume("definition: line 12 of Algorithm 1", Eq(m, p * m1 + (1 - p) * m2))
    MIXED = by.real("heterogeneous.mixed", f"{WHERE}; the mean of the new model")(
        m >= p * a1 + (1 - p) * a2,
        (p > 0, p < 1, m1 >= a1, m2 >= a2),
        LINE12,
    )
    SQUARED = by.real("heterogeneous.squared", f"{WHERE}; the mean square of the new model")(
        square >= least**2,
        (least >= 0, m >= least),
        assume("meaning: the mean of a square", square >= 0),
        MEAN_BELOW_RMS.at({ip(any_x, one): m, n2(any_x): square}),
    )
    A1 = far - (far - 1) * (1 / (tau + 1) * (1 / (1 - r1)))
    METRIC = by.real("heterogeneous.metric", f"{WHERE}; the new model")(
        square >= (p * a1 + (1 - p) * near) ** 2,
        (p > 0, p < 1, tau >= 0, far >= 1, near <= 1, r1 >= 0, r1 < 1, r2 >= 0, r2 < 1),
        p * a1 + (1 - p) * near >= 0,
        LINE12,
        assume(RETURNED, Eq(m1, V1 / (tau + 1)), Eq(m2, V2 / (tau + 1))),
        assume("meaning: the mean of a square", square >= 0),
        FIRST.at({best: far, r: r1, S: S1}),
        SECOND.at({best: near, r: r2, S: S2, m1: m2}),
        MIXED.at({a1: A1, a2: near}),
        SQUARED.at({least: p * A1 + (1 - p) * near}),
        lets=(Let(a1, A1),),
    )
    SQUARED_GRADIENT = H**2 * square
    SHORTER, LONGER = 1 - (mu - l1) / (beta * l1 + mu), (1 - 1 / beta) / (1 + mu / (beta * c))
    BELOW = by.real("heterogeneous.below", f"{WHERE}; the squared gradient after the round")(
        H**2 * MODEL**2 <= SQUARED_GRADIENT,
        (p > 0, p < 1, l1 > 0, c > 0, mu > l1, beta > 3, tau >= 0, MODEL >= 0),
        METRIC.at({far: FAR, near: NEAR, r1: SHORTER, r2: LONGER}),
    )
    INSTANCE = by.real("heterogeneous.instance", f"{WHERE}; Algorithm 1 with SARAH, T = 1")(
        H**2 * MODEL**2 <= Delta / (f.FACTOR * T),
        (*CLIENTS, beta > 3, *_allowed(l1, l1), *_allowed(c, lam2)),
        WORLD,
        assume("instance: one round, and F* = 0", Eq(T, 1), Eq(Delta, H / 2)),
        POSITIVE,
        flaw="gap",
        witness=tuple(
            (NUMBERS | {"beta": "1000000", "tau": "600000000000", "T": "1", "Delta": "1/2"}).items()
        ),
        note="Both clients satisfy (13) with their own L_n, lambda_n. (17) would give Theta H^2 E w^2 <= H/2 "
        "for the new model w, and E w^2 is at least what stands here. F itself grows more than twentyfold, "
        "so (87) fails as well, whichever rounds (17) is summed over.",
    )
