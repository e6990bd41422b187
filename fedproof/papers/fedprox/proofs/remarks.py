"""Table 1 and the remarks: how many rounds reach an accuracy, and what the theorems' bounds imply besides.

x^2 eps is what Theorem 1's constants stand for, c is (1/T)^(1/3), q is 1/sqrt(TI), r is sqrt(T).
"""

from fedproof.papers.fedprox.proofs import rates, theorem1, theorem2
from fedproof.papers.fedprox.proofs import smooth as S
from fedproof.papers.fedprox.proofs.rounds import *
from fedproof.papers.fedprox.statements import complexity as m
from fedproof.papers.fedprox.statements import formulas as f

by = step_writer("fedprox", __name__)
x_A, c, q, r = number("x_A"), number("c", r"T^{-1/3}"), number("q", r"\tfrac1{\sqrt{TI}}"), number("r")
most = number("most", r"\max\{T^{-2/3},1/\sqrt{TI}\}")
_ROW1, _ROW2 = "Table 1, row of Theorem 1", "Table 1, rows of Theorems 2 and 4"

with printed():
    A, ROOT = m.SIZE1, sqrt(m.SIZE1 / epsilon)
    POSITIVE = (L > 0, G >= 0, Delta >= 0, epsilon > 0)
    SIZE = by.real("table1.size", _ROW1)(A >= 0, POSITIVE[:3])
    FEW = by.real("table1.few", _ROW1)(x_A**2 * c**2 <= 1, x_A >= 0, c > 0, Eq(T * c**3, 1), T >= x_A**3)
    MANY = by.real("table1.many", _ROW1)(
        x_A**2 * q <= 1, q >= 0, T >= 1, I >= 1, Eq(T * I * q**2, 1), I * T >= x_A**4
    )
    CUBE = by.real("table1.cube", _ROW1)(Eq(T * f.CUBE_ROOT**3, 1), T >= 1)
    CUBE_POSITIVE = by.real("table1.cube.positive", _ROW1)(f.CUBE_ROOT > 0, T >= 1)
    SQUARE = by.real("table1.square", _ROW1)(Eq(T * I * m.RATE_MANY**2, 1), T >= 1, I >= 1)
    SQUARE_POSITIVE = by.real("table1.square.positive", _ROW1)(m.RATE_MANY >= 0, T >= 1, I >= 1)
    SQUARED = by.real("table1.squared", _ROW1)(Eq(epsilon * ROOT**2, A), POSITIVE, SIZE.at())
    ROOT_POSITIVE = by.real("table1.root", _ROW1)(ROOT >= 0, POSITIVE, SIZE.at())
    LARGER = by.real("table1.larger", _ROW1)(
        x_A**2 * sp.Max(c**2, q) <= 1, x_A**2 * c**2 <= 1, x_A**2 * q <= 1
    )
    REACHES = by.real("table1.reaches", _ROW1)(
        x_A**2 * epsilon * most <= epsilon, epsilon > 0, x_A**2 * most <= 1
    )
    ROOTS = (SIZE.at(), SQUARED.at(), ROOT_POSITIVE.at())
    RATES = (CUBE.at(), CUBE_POSITIVE.at(), SQUARE.at(), SQUARE_POSITIVE.at())
    SMALL, LARGE = {x_A: ROOT, c: f.CUBE_ROOT}, {x_A: ROOT, q: m.RATE_MANY}
    COUNTED = (*POSITIVE, T >= 1, I >= 1)
    OF_FEW = by.real("table1.few.sum", _ROW1)(T >= ROOT**3, COUNTED, T >= m.ROUNDS1)
    OF_MANY = by.real("table1.many.sum", _ROW1)(
        I * T >= ROOT**4, COUNTED, T >= m.ROUNDS1, ROOT_POSITIVE.at(), SQUARED.at(), SIZE.at()
    )
    BELOW = by.real("table1.below", _ROW1)(
        ROOT**2 * f.RATE <= 1,
        COUNTED, T >= m.ROUNDS1, ROOTS, RATES, OF_FEW.at(), OF_MANY.at(),
        FEW.at(SMALL), MANY.at(LARGE), LARGER.at({**SMALL, **LARGE}),
    )  # fmt: skip
    ENOUGH = by.real("table1.enough", _ROW1)(
        f.EXPLICIT1 <= epsilon, COUNTED, T >= m.ROUNDS1, ROOTS, BELOW.at(),
        REACHES.at({x_A: ROOT, most: f.RATE}),
    )  # fmt: skip
    TABLE1 = by.real("table1.theorem1", _ROW1)(
        MEAN1 <= epsilon,
        rates.NUMBERS1, theorem1.BOUNDED_R, theorem1.START.known, epsilon > 0, T >= m.ROUNDS1,
        rates.LAST1.at(), ENOUGH.at(),
    )  # fmt: skip
    # -- Theorems 2 and 4
    POSITIVE2 = (rho > 0, nu >= 0, G >= 0, Delta_rho >= 0, epsilon > 0)
    ROOT2 = by.real("table1.theorem2.root", _ROW2)(
        Delta_rho / (T * rho) + (2 * Delta_rho + 4 * G**2 * rho) / (rho * r) <= epsilon,
        rho > 0, Delta_rho >= 0, epsilon > 0, r >= 1, Eq(T, r**2), epsilon * r >= m.SIZE2,
    )  # fmt: skip
    LONG = by.real("table1.theorem2.long", _ROW2)(
        epsilon * sqrt(T) >= m.SIZE2, POSITIVE2, T >= 1, T >= m.ROUNDS2
    )
    ENOUGH2 = by.real("table1.theorem2.enough", _ROW2)(
        f.EXPLICIT2 <= epsilon, POSITIVE2, T >= 1, T >= m.ROUNDS2, LONG.at(), ROOT2.at({r: sqrt(T)})
    )
    TABLE2 = by.real("table1.theorem2", _ROW2)(
        rates.MEAN2 <= epsilon,
        rates.NUMBERS2, theorem2.ALL, epsilon > 0, T >= m.ROUNDS2,
        rates.LAST2.at(), ENOUGH2.at(),
    )  # fmt: skip
    # -- the two regimes
    BELOW_FEW = by.real("section1.few.rate", "below (4), T < I^3")(
        f.RATE <= f.CUBE_ROOT**2, T >= 1, I >= 1, T <= I**3, RATES
    )
    INVERSE = by.real("section1.many.third", "below (4), T >= I^3")(
        I * c <= 1, I >= 1, c > 0, Eq(T * c**3, 1), T >= I**3
    )
    LESS = by.real("section1.many.less", "below (4), T >= I^3")(
        c**2 <= q, T >= 1, I >= 1, c > 0, q >= 0, Eq(T * c**3, 1), Eq(T * I * q**2, 1), I * c <= 1
    )
    BELOW_MANY = by.real("section1.many.rate", "below (4), T >= I^3")(
        f.RATE <= m.RATE_MANY,
        T >= 1, I >= 1, T >= I**3, RATES,
        INVERSE.at({c: f.CUBE_ROOT}), LESS.at({c: f.CUBE_ROOT, q: m.RATE_MANY}),
    )  # fmt: skip
    FEWER, MORE = T <= I**3, T >= I**3
    AT_FEW, AT_MANY = (
        by.real(f"section1.rate.{name}", f"below (4), T {sign} I^3")(
            MEAN1 <= A * rate,
            rates.NUMBERS1, theorem1.BOUNDED_R, theorem1.START.known, regime,
            rates.LAST1.at(), SIZE.at(), below.at(),
        )
        for name, sign, rate, regime, below in (
            ("few", "<=", m.RATE_FEW, FEWER, BELOW_FEW), ("many", ">=", m.RATE_MANY, MORE, BELOW_MANY)
        )
    )  # fmt: skip
    ENOUGH_FEW = by.real("section1.few.enough", "below (4), T <= I^3")(
        A * m.RATE_FEW <= epsilon, COUNTED, T >= m.ROUNDS_FEW, ROOTS, RATES[:2],
        FEW.at(SMALL), REACHES.at({x_A: ROOT, most: m.RATE_FEW}),
    )  # fmt: skip
    MANY_SQUARED = by.real("section1.many.squared", "below (4), T >= I^3")(
        I * T >= ROOT**4, COUNTED, T >= m.ROUNDS_MANY, SQUARED.at(), SIZE.at()
    )
    ENOUGH_MANY = by.real("section1.many.enough", "below (4), T >= I^3")(
        A * m.RATE_MANY <= epsilon, COUNTED, T >= m.ROUNDS_MANY, ROOTS, RATES[2:], MANY_SQUARED.at(),
        MANY.at(LARGE), REACHES.at({x_A: ROOT, most: m.RATE_MANY}),
    )  # fmt: skip
    REACHED_FEW, REACHED_MANY = (
        by.real(f"section1.rounds.{name}", f"below (4), T {sign} I^3")(
            MEAN1 <= epsilon,
            rates.NUMBERS1, theorem1.BOUNDED_R, theorem1.START.known, epsilon > 0, regime, enough,
            rate.at(), reaches.at(),
        )
        for name, sign, regime, enough, rate, reaches in (
            ("few", "<=", FEWER, T >= m.ROUNDS_FEW, AT_FEW, ENOUGH_FEW),
            ("many", ">=", MORE, T >= m.ROUNDS_MANY, AT_MANY, ENOUGH_MANY),
        )
    )  # fmt: skip
    # -- Remark 3: the expectation over a draw is the mean over the devices
    SHORT = ForEvery(n2(S.grad(S.z)) <= G**2, (S.z,), "bounded gradients")
    REMARK3_BOUNDED = by.cite("remark3.bounded", "Remark 3, bounded gradients")(
        S.f(S.w) - S.f(S.v) <= G * norm(S.w - S.v),
        G >= 0,
        SHORT.known,
        note="The mean value theorem along the segment from v to w: a function with gradients of at most G "
        "is G-Lipschitz. The proofs need no more of G-Lipschitz losses than such gradients.",
    )
    REMARK3_DRAW = by.real("remark3.draw", "Remark 3, of a draw")(
        n2(drawn_gradient(w)) <= G**2,
        L > 0, G >= 0, INSIDE, theorem1.LOSSES,
        S.BOUNDED.at(
            theorem1.LOSS | {S.z: w}
        ),
    )  # fmt: skip
    REMARK3_ROUND = by.real("remark3.round", "Remark 3, the mean over the draws")(
        mean(n2(drawn_gradient(w))) <= G**2,
        L > 0, G >= 0, ROUND, theorem1.LOSSES, REMARK3_DRAW.at(over=DRAWS),
    )  # fmt: skip
    DEVICES = total(mean(n2(drawn_gradient(w))), t, 0, T - 1) / T
    REMARK3 = by.real("remark3", "Remark 3")(
        DEVICES <= G**2,
        L > 0, G >= 0, T >= 1, I >= 1, theorem1.LOSSES, REMARK3_ROUND.at(over=ROUNDS),
    )  # fmt: skip
    # -- Sec. 2.2, below (13): what the mean of the drawn devices' risks is at the new model
    own = number("own", r"\mathbb E\,R^{(\xi)}(w_1)")
    risk = number("risk", r"\mathbb E\,\bar R(w_1)")
    u_plus, u_minus = number("u_plus", "u_+"), number("u_minus", "u_-")
    BIASED = by.real("section2.biased", "Sec. 2.2, the drawn devices' own risk at the new model")(
        Eq(own - risk, -eta / (1 + eta)),
        eta > 0,
        assume(
            "instance: two devices with the risks h(w) + w and h(w) - w, h(w) = w^2/2 for |w| <= 1, one "
            "drawn, w_0 = 0; own is the mean of the drawn device's risk at its local model, risk that of the "
            "mean of both",
            Eq(u_plus + 1 + u_plus / eta, 0), Eq(u_minus - 1 + u_minus / eta, 0),
            Eq(own, (u_plus**2 / 2 + u_plus) / 2 + (u_minus**2 / 2 - u_minus) / 2),
            Eq(risk, (u_plus**2 / 2) / 2 + (u_minus**2 / 2) / 2),
        ),
        note="It is less: the new model is made to suit the drawn device.",
    )  # fmt: skip
    # -- Remark 5
    DISTANCE = total(n2(w - theorem2.wb), t, 0, T - 1) / T
    NEAR = by.real("remark5.identity", "Remark 5")(
        Eq(n2(w - theorem2.wb), rho**2 * n2(theorem2.DEnv(w))),
        rho > 0, 0 <= t, t <= T - 1, theorem2.GRADIENT.at(w),
    )  # fmt: skip
    SAME = by.real("remark5.mean", "Remark 5, the mean over the rounds")(
        Eq(DISTANCE, rho**2 * rates.MEAN2), rho > 0, T >= 1, theorem2.GRADIENT.known,
        NEAR.at(over=ROUNDS),
    )  # fmt: skip
    REMARK5 = by.real("remark5", "Remark 5")(
        DISTANCE <= rho**2 * f.EXPLICIT2, rates.NUMBERS2, theorem2.ALL, SAME.at(),
        rates.LAST2.at(),
    )  # fmt: skip
    STATIONARY = by.real("remark5.stationary", "Remark 5, a near-stationary point")(
        R(u) >= R(theorem2.wb) + ip(theorem2.DEnv(w), u - theorem2.wb) - n2(u - theorem2.wb) / (2 * rho),
        rho > 0, 0 <= t, t <= T - 1, theorem2.NEAREST_R.at(t, u), theorem2.GRADIENT.at(w),
    )  # fmt: skip
