"""Theorem 1: Lemmas 4 to 6 and the descent of a round, for whatever the draws of a round take as losses."""

from fedproof.papers.fedprox import assumptions as A
from fedproof.papers.fedprox.proofs import smooth as S
from fedproof.papers.fedprox.proofs.rounds import *
from fedproof.papers.fedprox.statements import formulas as f

by = step_writer("fedprox", __name__)
#: the mean over draw xi of round t + 1, everything else held; the mean of the draws' gradients
Draw, DBar = Field("Draw", r"\mathbb E_{\xi_{#2}}[#3]"), Field("DBar", r"\bar d_{#1}")
k, a = sp.Symbol("k", integer=True), number("a")
#: of any vectors; residual and spread of the draws
p, q, h, d, m = vectors("p q h d m")
step, r, s = number("step", r"\eta"), number("r"), number("s")
d_j, dbar, g = drawn_gradient(local), DBar(t), DR(w)
d_k = DPhi(t, k, X(t, k))
#: the mean of the devices' local models
xbar = Field("XBar", r"\bar x_{#1}")(t)


def draw(vector: Any) -> Any:
    """A vector with draw xi averaged out."""
    return Draw(t, j, vector)


def free(vector: Any, why: str, *more: Any) -> ForEvery:
    """That a vector does not depend on draw xi."""
    with printed():
        return ForEvery(Eq(draw(vector), vector), (), why, (*EVERY, *more))


with printed():
    SMOOTH = smooth(drawn, drawn_gradient, L, A.SMOOTH.id, EVERY)
    CHANGE = lipschitz_gradient(drawn_gradient, L, A.SMOOTH.id, EVERY)
    SMOOTH_R = smooth(R, DR, L, A.SMOOTH.id)
    ORACLE = minimises(local, proximal(drawn, w, eta), eps, A.ORACLE.id, EVERY)
    SYMMETRIC = ForEvery(Eq(ip(draw(u), v), ip(u, draw(v))), (u, v), A.UNIFORM.id, EVERY)
    LINEAR = ForEvery(Eq(draw(u + a * v), draw(u) + a * draw(v)), (u, v, a), A.UNIFORM.id, EVERY)
    FREE_G, FREE_DBAR = free(g, A.UNIFORM.id), free(dbar, A.UNIFORM.id)
    OTHERS = free(d_k, A.SAMPLING.id, (k, 1, j - 1))
    MEAN_D = ForEvery(Eq(draw(d_j), dbar), (), A.UNIFORM.id, EVERY)
    MEAN_X = ForEvery(Eq(draw(local), xbar), (), A.UNIFORM.id, EVERY)
    MEAN_G = ForEvery(Eq(draw(drawn_gradient(w)), g), (), A.UNIFORM.id, EVERY)
    UNIFORM = tuple(s.known for s in (SYMMETRIC, LINEAR, FREE_G, FREE_DBAR, MEAN_D, MEAN_G))
    SAMPLED = (*UNIFORM, OTHERS.known)
    NUMBERS = (eta > 0, L > 0, G >= 0, eps >= 0)
    LOSSES = (SMOOTH.known, LIPSCHITZ.known)
    LOSS = {S.f(S.v): drawn(S.v), S.grad(S.v): drawn_gradient(S.v), S.z: local}
    ORACLES = {S.w: w, S.step: eta, S.e: eps}

    RESIDUAL = sqrt(2 * (L + 1 / eta) * eps)

    # -- a draw
    BOUNDED = by.real("gradient.draw", "Theorem 1, the gradient of a draw")(
        n2(d_j) <= G**2, L > 0, G >= 0, INSIDE, LOSSES, S.BOUNDED.at(LOSS)
    )
    LEMMA5 = by.real("lemma5.draw", "Lemmas 5 and 9, of a draw")(
        n2(local - w + eta * d_j) <= eta**2 * (2 * (L + 1 / eta) * eps),
        NUMBERS, INSIDE, SMOOTH.known, ORACLE.known, S.LEMMA5_SQUARED.at({**LOSS, **ORACLES}),
    )  # fmt: skip
    CENTRED = by.real("lemma4.centred", "Lemma 4, a draw")(
        Eq(ip(d_j - dbar, g), 0), INSIDE, SYMMETRIC.at(t, j, d_j, g), FREE_G.at(t, j), MEAN_D.at(t, j)
    )
    CENTRED_MEAN = by.real("lemma4.centred.mean", "Lemma 4, a draw")(
        Eq(ip(d_j - dbar, dbar), 0),
        INSIDE, SYMMETRIC.at(t, j, d_j, dbar), FREE_DBAR.at(t, j), MEAN_D.at(t, j),
    )  # fmt: skip
    BEFORE = (1 <= k, k <= j - 1)
    APART = by.real("lemma4.apart", "Lemma 4, two draws")(
        Eq(ip(d_k - dbar, d_j - dbar), 0),
        INSIDE, BEFORE, SYMMETRIC.at(t, j, d_j, d_k), SYMMETRIC.at(t, j, d_j, dbar),
        OTHERS.at(t, j, k), FREE_DBAR.at(t, j), MEAN_D.at(t, j),
    )  # fmt: skip
    APART_SUM = by.real("lemma4.apart.sum", "Lemma 4, a draw and those before it")(
        Eq(ip(total(d_k - dbar, k, 1, j - 1), d_j - dbar), 0), INSIDE, SAMPLED, APART.at(over=(k, 1, j - 1))
    )
    SPREAD = by.real("lemma4.spread", "Lemma 4, the spread of a draw")(
        n2(d_j - dbar) <= G**2, L > 0, G >= 0, INSIDE, LOSSES, UNIFORM, used(BOUNDED, CENTRED_MEAN)
    )
    LEMMA4_MEAN = by.real("lemma4.mean", "Lemma 4, E[d_t] = d-bar_t, against what is known")(
        Eq(ip(mean(d_j) - dbar, g), 0), ROUND, UNIFORM, CENTRED.at(over=DRAWS)
    )
    LEMMA4 = by.real("lemma4", "Lemma 4")(
        n2(mean(d_j) - dbar) <= G**2 / I,
        L > 0, G >= 0, ROUND, LOSSES, SAMPLED,
        square_of_sum(d_j - dbar, j, I),
        APART_SUM.at(over=DRAWS),
        SPREAD.at(over=DRAWS),
    )  # fmt: skip

    TO_MEAN = by.real("theorem1.residual.draw", "proof of Theorem 1, E[delta_t], a draw")(
        Eq(ip((local - w) / eta + d_j - ((xbar - w) / eta + dbar), g), 0),
        eta > 0, INSIDE, SYMMETRIC.at(t, j, d_j, g), SYMMETRIC.at(t, j, local, g),
        FREE_G.at(t, j), MEAN_D.at(t, j), MEAN_X.at(t, j),
    )  # fmt: skip
    RESIDUAL_MEAN = by.real("theorem1.residual", "proofs of Theorems 1 and 3, E[delta_t]")(
        Eq(ip(mean((local - w) / eta + d_j) - ((xbar - w) / eta + dbar), g), 0),
        eta > 0, ROUND, UNIFORM, MEAN_X.known, TO_MEAN.at(over=DRAWS),
        note="Against what is known, as of Lemma 4; the text's second equation is (3).",
    )  # fmt: skip
    # -- how far a draw goes, and what its gradient changes by
    FAR = by.quad("eq10.vectors", "(10), of any two vectors")(
        n2(p) <= (r + s) ** 2, n2(p + q) <= r**2, n2(q) <= s**2, r >= 0, s >= 0
    )
    EQ10 = by.real("eq10")(
        n2(local - w) <= (eta * (G + RESIDUAL)) ** 2,
        NUMBERS, INSIDE, LOSSES, ORACLE.known,
        FAR.at({p: local - w, q: eta * d_j, r: eta * RESIDUAL, s: eta * G}),
        used(BOUNDED, LEMMA5),
    )  # fmt: skip
    CHANGES = by.real("lemma6.draw", "Lemma 6, a draw")(
        n2(drawn_gradient(w) - d_j) <= L**2 * (G + RESIDUAL) ** 2 * eta**2,
        NUMBERS, INSIDE, LOSSES, ORACLE.known, CHANGE.at(t, j, w, local), EQ10.at(),
    )  # fmt: skip
    MEANS = by.real("lemma6.mean", "Lemma 6, the means of a draw")(
        Eq(n2(g - dbar), ip(drawn_gradient(w) - d_j, g - dbar)),
        INSIDE, UNIFORM,
        SYMMETRIC.at(t, j, d_j, g), SYMMETRIC.at(t, j, d_j, dbar),
        SYMMETRIC.at(t, j, drawn_gradient(w), g), SYMMETRIC.at(t, j, drawn_gradient(w), dbar),
        FREE_G.at(t, j), FREE_DBAR.at(t, j), MEAN_D.at(t, j), MEAN_G.at(t, j),
    )  # fmt: skip
    JENSEN = by.quad("lemma6.jensen", "Lemma 6, Jensen")(n2(p) <= n2(q), Eq(n2(p), ip(q, p)))
    LEMMA6_DRAW = by.real("lemma6.of.draw", "Lemma 6, by any draw")(
        n2(g - dbar) <= L**2 * (G + RESIDUAL) ** 2 * eta**2,
        NUMBERS, INSIDE, LOSSES, ORACLE.known, CHANGE.known, UNIFORM,
        JENSEN.at({p: g - dbar, q: drawn_gradient(w) - d_j}), used(MEANS, CHANGES),
    )  # fmt: skip
    LEMMA6 = by.real("lemma6", "Lemma 6")(
        n2(g - dbar) <= L**2 * (G + RESIDUAL) ** 2 * eta**2,
        NUMBERS, ROUND, LOSSES, ORACLE.known, CHANGE.known, UNIFORM,
        LEMMA6_DRAW.at({j: sp.Integer(1)}),
        note="The mean over the devices is that over a draw.",
    )  # fmt: skip
    DELTA = mean((local - w) / eta + d_j)
    EQ11_EACH = by.real("eq11.draw", "(11), of a draw")(
        n2((local - w) / eta + d_j) <= RESIDUAL**2,
        NUMBERS, INSIDE, SMOOTH.known, ORACLE.known, LEMMA5.at(),
    )  # fmt: skip
    EQ11 = by.real("eq11")(
        n2(DELTA) <= RESIDUAL**2,
        NUMBERS, ROUND, SMOOTH.known, ORACLE.known,
        jensen((local - w) / eta + d_j, j, I),
        EQ11_EACH.at(over=DRAWS),
        note="In the mean square; the text says it of every draw, which EQ11_EACH does.",
    )  # fmt: skip

    # -- the descent, of any vectors: h the gradient, d the mean of the draws, m their mean, q the residual
    ALONG = by.quad("zeta1.along", "proof of Theorem 1, zeta_1, along the gradient")(
        ip(h, q) <= G * r, n2(h) <= G**2, n2(q) <= r**2, G >= 0, r >= 0
    )
    THREE = by.quad("zeta1.three", "proof of Theorem 1, zeta_1, three vectors")(
        n2(d - q) <= 3 * (n2(m) + n2(d - m) + n2(q))
    )
    ZETA1 = by.quad("zeta1", "proof of Theorem 1, zeta_1")(
        -step * ip(h, d - q) + L * step**2 / 2 * n2(d - q)
        <= -step * ip(h, m) + step * G * r + 3 * L * step**2 / 2 * (n2(m) + n2(d - m) + n2(q)),
        L > 0, step > 0, G >= 0, r >= 0, n2(h) <= G**2, n2(q) <= r**2, Eq(ip(d - m, h), 0),
        ALONG.at(), THREE.at(),
    )  # fmt: skip
    ZETA2 = by.quad("zeta2", "proof of Theorem 1, zeta_2")(
        -step * ip(h, d - q) + L * step**2 / 2 * n2(d - q)
        <= -step / 2 * n2(h) - step / 2 * n2(m) + step / 2 * n2(h - m) + G * step * r
        + 3 * L * step**2 / 2 * n2(m) + 3 * L * step**2 / 2 * s + 3 * L * step**2 / 2 * r**2,
        L > 0, step > 0, G >= 0, r >= 0, n2(h) <= G**2, n2(q) <= r**2, Eq(ip(d - m, h), 0), n2(d - m) <= s,
        ZETA1.at(),
    )  # fmt: skip
    ZETA3 = by.quad("zeta3", "proof of Theorem 1, zeta_3")(
        -step * ip(h, d - q) + L * step**2 / 2 * n2(d - q)
        <= -step / 2 * n2(h) + step / 2 * n2(h - m) + 3 * L * step**2 / 2 * s + G * step * r
        + 3 * L * step**2 / 2 * r**2,
        L > 0, step > 0, G >= 0, r >= 0, n2(h) <= G**2, n2(q) <= r**2, Eq(ip(d - m, h), 0), n2(d - m) <= s,
        3 * L * step <= 1, ZETA2.at(),
    )  # fmt: skip
    # -- the condition on the oracle, and the round
    FINE = by.real("residual.fine", "proof of Theorem 1, the last inequality")(
        RESIDUAL <= 2 * L * G * eta / I, NUMBERS, I >= 1, f.ORACLE1
    )
    FINE_ENOUGH = by.real("residual.small", "proof of Theorem 1, the last inequality")(
        RESIDUAL**2 <= G**2 / I, NUMBERS, I >= 1, f.ORACLE1
    )
    LAST = by.real("zeta4.last", "proof of Theorem 1, zeta_4 and the last inequality")(
        eta / 2 * L**2 * (G + r) ** 2 * eta**2 + 3 * L * G**2 * eta**2 / (2 * I) + G * eta * r
        + 3 * L * eta**2 / 2 * r**2 <= 2 * L**2 * G**2 * eta**3 + 5 * L * G**2 * eta**2 / I,
        eta > 0, L > 0, G >= 0, I >= 1, r >= 0, r <= 2 * L * G * eta / I, r**2 <= G**2 / I,
    )  # fmt: skip
    GRADIENT_R = by.real("gradient.risk", "Theorem 1, the gradient of the risk")(
        n2(g) <= G**2,
        L > 0, G >= 0, SMOOTH_R.known, LIPSCHITZ_R.known,
        S.BOUNDED.at({S.f(S.v): R(S.v), S.grad(S.v): DR(S.v), S.z: w}),
    )  # fmt: skip
    START = ForEvery(R(W(0)) - R(v) <= Delta, (v,), A.START.id)


def assumed(sampled: tuple[Any, ...]) -> tuple[Any, ...]:
    """What the rounds rest on, with what is assumed of the draws."""
    others = (ORACLE, CHANGE, AVERAGE, SMOOTH_R, LIPSCHITZ_R)
    return (*LOSSES, *(said.known for said in others), *sampled)


def whole(*more: Any) -> tuple[Any, ...]:
    """The conditions on the numbers, over all rounds."""
    with printed():
        return (*NUMBERS, T >= 1, I >= 1, 3 * L * eta <= 1, *f.ORACLE1, *more)


def rounds(
    name: str, where: str, spread: Step, sampled: tuple[Any, ...], *more: Any
) -> tuple[Step, Step, Step, Step, Step]:
    """From what the mean of the draws varies by to the bound of all rounds, whichever way they are drawn."""
    known = assumed(sampled)
    with printed():
        one = (*NUMBERS, ROUND, 3 * L * eta <= 1, *more)
        zeta4 = by.real(f"{name}.zeta4", f"{where}, zeta_4")(
            R(x) <= R(w) - eta / 2 * n2(g) + eta / 2 * L**2 * (G + RESIDUAL) ** 2 * eta**2
            + 3 * L * G**2 * eta**2 / (2 * I) + G * eta * RESIDUAL + 3 * L * eta**2 / 2 * RESIDUAL**2,
            one, known,
            AVERAGE.at(t), used(GRADIENT_R, EQ11, spread, LEMMA4_MEAN),
            times(1, SMOOTH_R.at(w, x)),
            ZETA3.at({h: g, d: mean(d_j), m: dbar, q: DELTA, step: eta, r: RESIDUAL, s: G**2 / I}, weight=1),
            LEMMA6.at(weight=eta / 2),
        )  # fmt: skip
        falls = by.real(f"{name}.round", f"{where}, a round")(
            R(x) <= R(w) - eta / 2 * n2(g) + 2 * L**2 * G**2 * eta**3 + 5 * L * G**2 * eta**2 / I,
            one, f.ORACLE1, known,
            zeta4.at(), used(FINE, FINE_ENOUGH), LAST.at({r: RESIDUAL}),
        )  # fmt: skip
        gradient = by.real(f"{name}.gradient", f"{where}, rearranged")(
            n2(g) <= f.general1(2 / eta * (R(w) - R(x))),
            one, f.ORACLE1, known, falls.at(),
        )  # fmt: skip
        averaged = by.real(f"{name}.averaged", f"{where}, the mean over the rounds")(
            MEAN1 <= f.general1(2 / (eta * T) * (R(W(0)) - R(W(T)))),
            whole(*more), known, gradient.at(over=ROUNDS),
        )  # fmt: skip
        general = by.real(f"{name}.general", f"{where}, with the gap at the start")(
            MEAN1 <= f.GENERAL1,
            whole(*more), known, START.at(W(T)), averaged.at(),
        )  # fmt: skip
    return zeta4, falls, gradient, averaged, general


BOUNDED_R = assumed(SAMPLED)
*_, GENERAL = ROUNDS1 = rounds("theorem1", "proof of Theorem 1", LEMMA4, SAMPLED)
