"""From the general bounds to the rates of Theorems 1 and 2: what the printed step sizes make of them.

c is (1/T)^(1/3), s is sqrt(I/T), and the pace is the less of them; max{c^2, q} with
q = s/I is the printed rate.
"""

from fedproof.papers.fedprox.proofs import theorem1, theorem2
from fedproof.papers.fedprox.proofs.rounds import *
from fedproof.papers.fedprox.statements import formulas as f

by = step_writer("fedprox", __name__)
r = number("r")
c, s = number("c", r"T^{-1/3}"), number("s", r"\sqrt{I/T}")
q = number("q", r"\tfrac1{\sqrt{TI}}")
most = number("most", r"\max\{T^{-2/3},1/\sqrt{TI}\}")


def at_printed_step(
    name: str, where: str, general: Step, assumed: tuple[Any, ...], *more: Any
) -> tuple[Step, Step]:
    """Theorem 1 at its own step size, with constants and with one constant, however devices are drawn."""
    known = (*NUMBERS1, *more, *assumed, theorem1.START.known)
    with printed():
        explicit = by.real(f"{name}.explicit", f"{where}, with constants")(
            MEAN1 <= f.EXPLICIT1,
            known, used(STEPSIZE, STEPSIZE_POSITIVE), general.at(), EXPLICIT.at(),
        )  # fmt: skip
        end = by.real(f"{name}.end", where)(
            MEAN1 <= 6 * f.HIDDEN1,
            known, explicit.at(), HIDDEN1.at({most: f.RATE}), POSITIVE.at(),
        )  # fmt: skip
    return explicit, end


with printed():
    PARTS = (
        c > 0,
        s > 0,
        T >= 1,
        I > 0,
        Eq(T * c**3, 1),
        Eq(T * s**2, I),
        Eq(I * q, s),
        Eq(pace, sp.Min(c, s)),
    )
    RATE = sp.Max(c**2, q)
    IF_FEW = (c > 0, T >= 1, Eq(T * c**3, 1), Eq(pace, sp.Min(c, s)), c <= s)
    IF_MANY = (s > 0, T >= 1, I > 0, Eq(T * s**2, I), Eq(I * q, s), Eq(pace, sp.Min(c, s)), s <= c)
    FEW = by.real("rate.few", "end of the proof of Theorem 1, T < I^3")(Eq(1 / (T * pace), c**2), IF_FEW)
    MANY = by.real("rate.many", "end of the proof of Theorem 1, T >= I^3")(Eq(1 / (T * pace), q), IF_MANY)
    LARGER = by.real("rate.larger", "end of the proof of Theorem 1, a maximum")(r <= RATE, Eq(r, q))
    REGIME = (
        by.real("rate.few.most", "end of the proof of Theorem 1, T < I^3")(
            1 / (T * pace) <= RATE, IF_FEW, FEW.at()
        ),
        by.real("rate.many.most", "end of the proof of Theorem 1, T >= I^3")(
            1 / (T * pace) <= RATE, IF_MANY, MANY.at(), LARGER.at({r: 1 / (T * pace)})
        ),
    )
    START_TERM = by.cases("rate.start", "end of the proof of Theorem 1, the first term")(
        1 / (T * pace) <= RATE, PARTS, used(*REGIME)
    )
    DRIFT_TERM = by.real("rate.drift", "end of the proof of Theorem 1, the second term")(
        pace**2 <= RATE, PARTS
    )
    SPREAD_TERM = by.real("rate.spread", "end of the proof of Theorem 1, the third term")(
        pace / I <= RATE, PARTS
    )
    TERMS = by.real("rate.terms", "end of the proof of Theorem 1, three terms")(
        f.GENERAL1
        <= f.explicit1(most),
        L > 0, Delta >= 0, T >= 1, I >= 1, pace > 0, Eq(eta, pace / (3 * L)),
        1 / (T * pace) <= most, pace**2 <= most, pace / I <= most,
    )  # fmt: skip
    PACE = by.real("rate.pace", "end of the proof of Theorem 1, the pace")(pace > 0, PARTS)
    ROOTS = by.real("rate.roots", "end of the proof of Theorem 1, the roots")(
        Eq(I * sqrt(1 / (T * I)), sqrt(I / T)), T >= 1, I > 0
    )
    PRINTED = {c: f.CUBE_ROOT, s: sqrt(I / T), q: sqrt(1 / (T * I))}
    AT_PACE = tuple(part.at(PRINTED) for part in (PACE, START_TERM, DRIFT_TERM, SPREAD_TERM))
    EXPLICIT = by.real("theorem1.rate", "end of the proof of Theorem 1, with constants")(
        f.GENERAL1
        <= f.EXPLICIT1,
        L > 0, Delta >= 0, T >= 1, I >= 1, Eq(pace, f.PACE), Eq(eta, pace / (3 * L)),
        ROOTS.at(), AT_PACE, TERMS.at({most: f.RATE}),
    )  # fmt: skip
    HIDDEN1 = by.real("theorem1.hidden", "Theorem 1, the hidden constant")(
        f.explicit1(most) <= 6 * f.hidden1(most),
        L > 0, Delta >= 0, most >= 0,
    )  # fmt: skip
    POSITIVE = by.real("theorem1.most", "Theorem 1, the rate")(f.RATE >= 0, T >= 1, I > 0)
    SET1 = (Eq(pace, f.PACE), Eq(eta, pace / (3 * L)))
    SMALL = by.real("rate.stepsize", "Theorem 1, the step size")(
        3 * L * eta <= 1, L > 0, T >= 1, I >= 1, SET1, pace <= 1
    )
    AT_MOST = by.real("rate.pace.most", "Theorem 1, the step size")(pace <= 1, PARTS, c <= 1)
    CUBE = by.real("rate.cube", "Theorem 1, the step size")(f.CUBE_ROOT <= 1, T >= 1)
    STEPSIZE = by.real("theorem1.stepsize", "Theorem 1, the step size")(
        3 * L * eta <= 1, L > 0, T >= 1, I >= 1, SET1, SMALL.at(), AT_MOST.at(PRINTED), CUBE.at(), ROOTS.at()
    )
    STEPSIZE_POSITIVE = by.real("theorem1.stepsize.positive", "Theorem 1, the step size")(
        eta > 0, L > 0, T >= 1, I >= 1, SET1, PACE.at(PRINTED), ROOTS.at()
    )
    NUMBERS1 = (L > 0, G >= 0, eps >= 0, Delta >= 0, T >= 1, I >= 1, *SET1, *f.ORACLE1)


LAST1, PRINTED1 = at_printed_step("theorem1", "Theorem 1", theorem1.GENERAL, theorem1.BOUNDED_R)
with printed():
    # -- Theorem 2
    r_T = number("r_T", r"\sqrt T")
    RATE2 = by.real("theorem2.rate.root", "end of the proof of Theorem 2")(
        f.GENERAL2 <= Delta_rho / (T * rho) + (2 * Delta_rho + 4 * G**2 * rho) / (rho * r_T),
        rho > 0, nu >= 0, Delta_rho >= 0, 2 * nu * rho < 1, r_T >= 1, Eq(T, r_T**2), Eq(eta, rho / r_T),
    )  # fmt: skip
    SET2 = (Eq(eta, rho / sqrt(T)),)
    EXPLICIT2 = by.real("theorem2.rate", "end of the proof of Theorem 2")(
        f.GENERAL2 <= f.EXPLICIT2,
        rho > 0, nu >= 0, Delta_rho >= 0, 2 * nu * rho < 1, T >= 1, SET2, RATE2.at({r_T: sqrt(T)}),
    )  # fmt: skip
    HIDDEN2 = by.real("theorem2.hidden", "Theorem 2, the hidden constant")(
        f.EXPLICIT2 <= 4 * f.HIDDEN2, rho > 0, Delta_rho >= 0, T >= 1
    )
    STEPSIZES2 = (
        by.real("theorem2.stepsize.positive", "Theorem 2, the step size")(eta > 0, rho > 0, T >= 1, SET2),
        by.real("theorem2.stepsize", "Theorem 2, the step size")(eta <= rho, rho > 0, T >= 1, SET2),
        by.real("theorem2.stepsize.convex", "Theorem 2, the step size")(
            nu * eta < 1, eta > 0, eta <= rho, nu >= 0, 2 * nu * rho < 1
        ),
    )
    MEAN2 = total(n2(theorem2.DEnv(W(t))), t, 0, T - 1) / T
    NUMBERS2 = (rho > 0, nu >= 0, G >= 0, Delta_rho >= 0, 2 * nu * rho < 1, T >= 1, I >= 1, *SET2)
    LAST2 = by.real("theorem2.explicit", "Theorems 2 and 4, with constants")(
        MEAN2 <= f.EXPLICIT2, NUMBERS2, theorem2.ALL,
        used(*STEPSIZES2), theorem2.GENERAL.at(), EXPLICIT2.at(),
    )  # fmt: skip
    PRINTED2 = by.real("theorem2.end", "Theorems 2 and 4")(
        MEAN2 <= 4 * f.HIDDEN2, NUMBERS2, theorem2.ALL, LAST2.at(), HIDDEN2.at()
    )
