"""Theorem 3 with different devices: the spread of the drawn devices does not fall with the minibatch.

Two devices with the losses h(w) + w and h(w) - w, whatever the sample; h(w) is (w^2 + 1)/2 for |w| <= 1, |w|
beyond. Both are 2-Lipschitz, 1-smooth and not negative, the risk is h, and w_0 = 0 minimises it. With one
draw a round and exact local solves w_t = (w_{t-1} -+ eta)/(1 + eta), each with probability 1/2: |w_t| <= 1.
"""

from fedproof.papers.fedprox.proofs.rounds import *
from fedproof.papers.fedprox.statements import formulas as f

by = step_writer("fedprox", __name__)
w_0, up, down = number("w_0", "w_{t-1}"), number("up", "w_t^{(1)}"), number("down", "w_t^{(2)}")
v0, v1 = number("v0", r"\mathbb E w_{t-1}^2"), number("v1", r"\mathbb E w_t^2")
V = sequence("V(t)", r"\mathbb E w_t^2", nonnegative=True)
#: of the rounds: the sum of the second moments, the last
all_of = number("all_of", r"\textstyle\sum_t\mathbb E w_t^2")
last = number("last", r"\mathbb E w_T^2")
p, q, r = numbers("p q r")
#: squared distance of the risk's gradient at w_{t-1} from d_t; the local gradients there
gap2 = number("gap2", r"\mathbb E\|\nabla\bar R(w_{t-1})-d_t\|^2")
KEPT = 1 / (1 + eta) ** 2
_DEVICES = "instance: the two devices, one drawn, exact local solves, |w| <= 1"

with printed():
    LOCAL = assume(
        "instance: the local models solve u -+ 1 + (u - w)/eta = 0",
        Eq(up + 1 + (up - w_0) / eta, 0),
        Eq(down - 1 + (down - w_0) / eta, 0),
    )
    STAYS = by.real("theorem3.fails.stays", "Theorem 3, two devices")(
        sp.Abs(up) <= 1, eta > 0, sp.Abs(w_0) <= 1, LOCAL
    )
    SECOND = by.real("theorem3.fails.second", "Theorem 3, two devices, the second moment of a round")(
        Eq((up**2 + down**2) / 2, KEPT * (w_0**2 + eta**2)), eta > 0, LOCAL
    )
    RECURSION = assume(
        "instance: theorem3.fails.second in the mean over w_{t-1}, from w_0 = 0",
        ForAll(Eq(V(t + 1), KEPT * (V(t) + eta**2)), t, 0, T - 1),
        Eq(V(0), 0),
    )
    CONTRACTS = by.real("theorem3.fails.contracts", "Theorem 3, two devices")(KEPT < 1, eta > 0)
    LEVEL = eta / (2 + eta)
    BELOW = by.sum("theorem3.fails.mean", "Theorem 3, two devices, the mean over the rounds")(
        T * LEVEL - V(T) / (1 - KEPT) <= total(V(t), t, 0, T - 1), eta > 0, T >= 1, RECURSION
    )
    RISES = assume(
        "instance: theorem3.fails.second in the mean over w_{t-1}",
        ForAll(V(t + 1) <= KEPT * V(t) + KEPT * eta**2, t, 0, T - 1),
        Eq(V(0), 0),
    )
    CAPPED = by.real("theorem3.fails.capped", "Theorem 3, two devices, the last second moment")(
        V(T) <= KEPT**T * V(0) + KEPT * eta**2 * (1 - KEPT**T) / (1 - KEPT),
        eta > 0, T >= 1, CONTRACTS.at(), RISES, recursion(V(t), t, T, KEPT, KEPT * eta**2),
    )  # fmt: skip
    CAP = by.real("theorem3.fails.cap", "Theorem 3, two devices, the last second moment")(
        V(T) <= LEVEL, eta > 0, T >= 1, CONTRACTS.at(), RISES, CAPPED.at(), power(KEPT, T)
    )
    DEVICES = assume("instance: the two devices, one drawn", Eq(L, 1), Eq(G, 2), Eq(Delta, 0), Eq(I, 1))
    INSTANCE = (CONTRACTS.at(), RECURSION, RISES)
    MEAN = total(V(t), t, 0, T - 1) / T
    FLOOR = LEVEL - ((1 + eta) / (2 + eta)) ** 2 / T
    NUMBERS = by.real("theorem3.fails.numbers", "Theorem 3, two devices, the mean over the rounds")(
        FLOOR <= all_of / T, eta > 0, T >= 1, last <= LEVEL, T * LEVEL - last / (1 - KEPT) <= all_of
    )
    LEAST = by.sum("theorem3.fails.least", "Theorem 3, two devices, the mean over the rounds")(
        FLOOR <= MEAN,
        DEVICES, b >= 1, eta > 0, T >= 1, RECURSION, RISES, used(CAP, BELOW),
        NUMBERS.at({last: V(T), all_of: total(V(t), t, 0, T - 1)}),
    )  # fmt: skip
    # -- I = 1, b = n, T = n^3: the printed step size is 1/(8 n), the printed rate 1/n^2
    FLOOR_N = FLOOR.xreplace({eta: 1 / (8 * n), T: n**3})
    RATE_N = f.HIDDEN3.xreplace(
        {L: sp.Integer(1), G: sp.Integer(2), Delta: sp.Integer(0), T: n**3, b: n, I: sp.Integer(1)}
    )
    ROOTS = (
        by.real("theorem3.fails.cube", "Theorem 3, b = n, T = n^3")(
            Eq((1 / n**3) ** rational(1, 3), 1 / n), n >= 4
        ),
        by.real("theorem3.fails.root", "Theorem 3, b = n, T = n^3")(Eq(sqrt(n * 1 / n**3), 1 / n), n >= 4),
        by.real("theorem3.fails.square", "Theorem 3, b = n, T = n^3")(
            Eq(sqrt(1 / (n**3 * n * 1)), 1 / n**2), n >= 4
        ),
    )
    LEAST_OF = by.real("theorem3.fails.min", "Theorem 3, b = n, T = n^3")(
        Eq(sp.Min(p, q), r), Eq(p, r), Eq(q, r)
    )
    MOST_OF = by.real("theorem3.fails.max", "Theorem 3, b = n, T = n^3")(
        Eq(sp.Max(p, q), r), Eq(p, r), Eq(q, r)
    )
    CUBE = (1 / n**3) ** rational(1, 3)
    PACE = by.real("theorem3.fails.pace", "Theorem 3, b = n, T = n^3, the step size")(
        Eq(sp.Min(CUBE, sqrt(n * 1 / n**3)), 1 / n),
        n >= 4, used(*ROOTS[:2]), LEAST_OF.at({p: CUBE, q: sqrt(n * 1 / n**3), r: 1 / n}),
    )  # fmt: skip
    RATE = by.real("theorem3.fails.rate", "Theorem 3, b = n, T = n^3, the rate")(
        n / 136 * RATE_N <= 1 / (34 * n),
        n >= 4, ROOTS[0].at(), ROOTS[2].at(),
        MOST_OF.at({p: CUBE**2, q: sqrt(1 / (n**3 * n * 1)), r: 1 / n**2}),
    )  # fmt: skip
    AT_N = by.real("theorem3.fails.numbers.n", "Theorem 3, b = n, T = n^3")(1 / (34 * n) <= FLOOR_N, n >= 4)
    OUTGROWN = by.real("theorem3.fails.outgrown", "Theorem 3, b = n, T = n^3")(
        n / 136 * RATE_N <= FLOOR_N, n >= 4, RATE.at(), AT_N.at()
    )
    # -- and with the constants that the proof would give
    GENERAL = by.real("theorem3.fails.general", "proof of Theorem 3, above the two regimes of T")(
        FLOOR <= f.GENERAL3,
        L > 0, G >= 0, Delta >= 0, eta > 0, eps > 0, b >= 1, I >= 1, T >= 1, 8 * L * eta <= 1, f.ORACLE3,
        DEVICES,
        flaw="gap",
        note="By Lemma 11; see there.",
        witness=values("L=1 G=2 Delta=0 I=1 b=1000 eta=1/10000 T=20000 eps=1/1000000000000000"),
    )  # fmt: skip
