"""Proof of the sharpened Theorem 1: the averaged step stays near a gradient step of size 1/L.

F_n is L-smooth and (-lam)-strongly convex, so gradient differences satisfy `SECTOR`; with the surrogate's
gradient e_n at the local model, the local step lies in a ball around c (e_n - grad F_n) (`BALL`), hence
within (r + theta/mt)|grad F_n| of -c grad F_n. Averages keep this (`AVERAGE`), the mean of |grad F_n|^2 is
at most (1 + sigma2)|grad F|^2 (`SPREAD`), and smoothness of the global loss turns it into descent.
"""

from fedproof.papers.fedproxvr.assumptions import INEXACT_SQUARED
from fedproof.papers.fedproxvr.proofs import appendix_a as A
from fedproof.papers.fedproxvr.proofs.lemma3 import DIVERGENCE
from fedproof.papers.fedproxvr.proofs.round_vectors import *
from fedproof.papers.fedproxvr.proofs.telescoping import ENOUGH
from fedproof.papers.fedproxvr.proofs.theorem1_descent import GLOBAL_DESCENT
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.papers.fedproxvr.statements import sharp_formulas as g

by = step_writer("fedproxvr", __name__, "Theorem 1, sharpened")
a, b, z, x = vectors("a b z x")
grad_a = vector("grad_a", r"\nabla F_n(a)")
grad_b = vector("grad_b", r"\nabla F_n(b)")
d = vector("d", r"(w_n^{(s)}-\bar w^{(s-1)})")
e = vector("e", r"\nabla J_n(w_n^{(s)})")
grad = vector("grad", r"\nabla F_n(\bar w^{(s-1)})")
y = vector("y", r"(\nabla F_n(w_n^{(s)})-\nabla F_n(\bar w^{(s-1)}))")
dev = vector("dev", r"\delta_n")
mean_dev = vector("mean_dev", r"\bar\delta")
mean_grad = vector("mean_grad", r"\nabla\bar F(\bar w^{(s-1)})")
step = vector("step", r"(\bar w^{(s)}-\bar w^{(s-1)})")
k = number("k")
Fa = number("Fa", "F_n(a)")
Fb = number("Fb", "F_n(b)")
Fz = number("Fz", "F_n(z)")
opposite = vector("opposite", "z'")
F_opposite = number("F_opposite", "F_n(z')")
F0 = number("F0", r"\bar F(\bar w^{(s-1)})")
F1 = number("F1", r"\bar F(\bar w^{(s)})")
Fs = number("Fs", r"\bar F(\bar w^{*})")
s = number("s")
C, P = sequences("C P")
#: inner products with the mean of delta_n
here = sequence("here(n)", r"\langle w_n^{(s)},\bar\delta\rangle")
slope = sequence("slope(n)", r"\langle\nabla F_n(\bar w^{(s-1)}),\bar\delta\rangle")
before = number("before", r"\langle\bar w^{(s-1)},\bar\delta\rangle")
after = number("after", r"\langle\bar w^{(s)},\bar\delta\rangle")
mean_slope = number("mean_slope", r"\langle\nabla\bar F(\bar w^{(s-1)}),\bar\delta\rangle")
F = sequence("F", r"\mathbb E\,\bar F(\bar w^{(\cdot)})")
X, Y, V, p, sg = sequences("X Y V p sg", nonnegative=True)
G = sequence("G", r"\mathbb E\|\nabla\bar F(\bar w^{(\cdot)})\|^2", nonnegative=True)
n, N, M, Z, G0, alpha, kappa, c = numbers("n N M Z G0 alpha kappa c")

SIZES = (L > 0, lam >= 0, mt > 0)

S, r = number("S"), number("r")
SHORTER = {g.CENTRE: c, g.RADIUS: r, sqrt(1 + sigma2): S}
LONGER = {c: g.CENTRE, r: g.RADIUS, S: sqrt(1 + sigma2)}


def _short(expr: sp.Basic) -> sp.Basic:
    """The formula in c, r and S = sqrt(1 + sigma2)."""
    return expr.xreplace(SHORTER)


with printed():
    #: how far a local step may be from -c grad F_n, over |grad F_n|
    REACHED = g.RADIUS + theta / mt
    MARGIN = assume("definition: mt = mu - lam", Eq(mu, mt + lam))
    ROUNDS = assume("meaning: there is a round", T >= 1)
    CLIENTS = assume("meaning: there is a client", N >= 1)
    COCOERCIVE = by.quad("sharp.cocoercive")(
        Fa
        >= Fb
        + ip(grad_b, a - b)
        - lam / 2 * n2(a - b)
        + 1 / (2 * (L + lam)) * n2(grad_a - grad_b + lam * (a - b)),
        (L > 0, lam >= 0),
        assume("definition: a third point", Eq(z, a - 1 / (L + lam) * (grad_a - grad_b + lam * (a - b)))),
        weakly_convex(Fb + ip(grad_b, z - b) <= Fz + lam / 2 * n2(z - b)),
        A.DESCENT.at({A.after: z, A.w: a, A.grad: grad_a, A.F0: Fa, A.F1: Fz}),
        note="(4) and smoothness at a third point.",
    )
    SECTOR = by.quad("sharp.sector")(
        ip(grad_a - grad_b + lam * (a - b), L * (a - b) - (grad_a - grad_b)) >= 0,
        (L > 0, lam >= 0),
        COCOERCIVE.at(),
        COCOERCIVE.at(
            {a: b, b: a, grad_a: grad_b, grad_b: grad_a, Fa: Fb, Fb: Fa, z: opposite, Fz: F_opposite},
        ),
    )
    BALL = by.quad("sharp.ball")(
        n2(d - g.CENTRE * (e - grad)) <= g.RADIUS**2 * n2(e - grad),
        SIZES,
        MARGIN,
        assume("definition: J_n by (6), (7)", Eq(y, e - grad - mu * d)),
        SECTOR.at({a - b: d, grad_a - grad_b: y}),
    )
    TRIANGLE = by.quad("sharp.triangle")(
        n2(x + y) <= (alpha + kappa) ** 2 * Z,
        (alpha >= 0, kappa >= 0, Z >= 0, n2(x) <= alpha**2 * Z, n2(y) <= kappa**2 * Z),
        note="Minkowski's inequality.",
    )
    SURROGATE = by.mean("sharp.residual")(
        n2(e - grad) <= (1 + theta) ** 2 * n2(grad),
        theta >= 0,
        assume(INEXACT_SQUARED.id, n2(e) <= theta**2 * n2(grad)),
        TRIANGLE.at({x: e, y: -grad, alpha: theta, kappa: 1, Z: n2(grad)}),
    )
    REACH = by.mean("sharp.reach")(
        n2(d - g.CENTRE * (e - grad)) <= (g.RADIUS * (1 + theta)) ** 2 * n2(grad),
        SIZES,
        theta >= 0,
        MARGIN,
        BALL.at(),
        SURROGATE.at(),
    )
    SCALED = by.mean("sharp.scaled")(
        n2(c * e) <= (c * theta) ** 2 * n2(grad),
        assume(INEXACT_SQUARED.id, n2(e) <= theta**2 * n2(grad)),
    )
    LOCAL = by.mean("sharp.local")(
        n2(d + g.CENTRE * grad) <= REACHED**2 * n2(grad),
        SIZES,
        theta >= 0,
        MARGIN,
        assume(INEXACT_SQUARED.id, n2(e) <= theta**2 * n2(grad)),
        REACH.at(),
        SCALED.at({c: g.CENTRE}),
        TRIANGLE.at(
            {
                x: d - g.CENTRE * (e - grad),
                y: g.CENTRE * e,
                alpha: g.RADIUS * (1 + theta),
                kappa: g.CENTRE * theta,
                Z: n2(grad),
            },
        ),
        note="delta_n, the local step's distance from -c grad F_n.",
    )
    PROJECT = by.mean("sharp.project")(2 * ip(dev, mean_dev) - n2(mean_dev) <= n2(dev))
    ALIGNED = by.quad("sharp.aligned")(
        Eq(n2(mean_dev), ip(server, mean_dev) - ip(start, mean_dev) + c * ip(mean_grad, mean_dev)),
        assume("definition: the mean of delta_n", Eq(mean_dev, server - start + c * mean_grad)),
    )
    CENTRED = by.sum("sharp.centred")(
        Eq(total(p(n) * P(n), n, 1, N), M),
        CLIENTS,
        assume(
            "definition: delta_n, and inner products with its mean",
            ForAll(Eq(P(n), here(n) + c * slope(n) - before), n, 1, N),
        ),
        assume("definition: line 12 of Algorithm 1", Eq(total(p(n) * here(n), n, 1, N), after)),
        assume("definition: (2), grad F is the mean", Eq(total(p(n) * slope(n), n, 1, N), mean_slope)),
        assume("definition: p_n = D_n/D", Eq(total(p(n), n, 1, N), 1)),
        ALIGNED.at(
            {
                n2(mean_dev): M,
                ip(server, mean_dev): after,
                ip(start, mean_dev): before,
                ip(mean_grad, mean_dev): mean_slope,
            },
        ),
    )
    AVERAGE = by.sum("sharp.average")(
        M <= total(p(n) * X(n), n, 1, N),
        SIZES,
        CLIENTS,
        MARGIN,
        PROJECT.at({ip(dev, mean_dev): P(n), n2(mean_dev): M, n2(dev): X(n)}, over=(n, 1, N)),
        CENTRED.at({c: g.CENTRE}),
        assume("definition: p_n = D_n/D", Eq(total(p(n), n, 1, N), 1)),
        note="Jensen's inequality for the weights p_n.",
    )
    AROUND = by.quad("sharp.around")(
        Eq(n2(grad), n2(grad - mean_grad) + 2 * ip(grad, mean_grad) - n2(mean_grad)),
    )
    SPREAD = by.sum("sharp.spread")(
        total(p(n) * Y(n), n, 1, N) <= (1 + sigma2) * G0,
        CLIENTS,
        assume("meaning: a squared norm", G0 >= 0),
        AROUND.at(
            {
                n2(grad): Y(n),
                n2(grad - mean_grad): V(n),
                ip(grad, mean_grad): C(n),
                n2(mean_grad): G0,
            },
            over=(n, 1, N),
        ),
        DIVERGENCE.at(
            {bar: mean_grad, n2(grad - bar): V(n), sigma**2: sg(n), n2(bar): G0},
            over=(n, 1, N),
        ),
        assume("definition: (2), grad F is the mean of grad F_n", Eq(total(p(n) * C(n), n, 1, N), G0)),
        assume("definition: p_n = D_n/D", Eq(total(p(n), n, 1, N), 1)),
        assume("definition: sigma2, below (5)", Eq(total(p(n) * sg(n), n, 1, N), sigma2)),
        note="(72) without its factor of 2: a variance decomposition in place of Young's inequality.",
    )
    AVERAGED = by.sum("sharp.averaged")(
        M <= REACHED**2 * (1 + sigma2) * G0,
        SIZES,
        theta >= 0,
        CLIENTS,
        MARGIN,
        AVERAGE.at(),
        LOCAL.at({n2(d + g.CENTRE * grad): X(n), n2(grad): Y(n)}, over=(n, 1, N), weight=p(n)),
        SPREAD.at(weight=REACHED**2),
    )
    INNER = by.mean("sharp.inner")(
        ip(mean_dev, mean_grad) <= k * n2(mean_grad),
        (k >= 0, n2(mean_dev) <= k**2 * n2(mean_grad)),
        note="Cauchy and Schwarz.",
    )
    BOUNDED = by.mean("sharp.bounded")(
        F1 <= F0 - (1 - (1 - L * c + L * k) ** 2) / (2 * L) * n2(mean_grad),
        (L > 0, k >= 0, L * c <= 1, n2(mean_dev) <= k**2 * n2(mean_grad)),
        GLOBAL_DESCENT.at({server: start + step, bar: mean_grad}),
        assume("definition: the mean of delta_n", Eq(step, mean_dev - c * mean_grad)),
        INNER.at(),
        note="Needs no separate bounds on the inner product and the square, unlike (79)-(85).",
    )
    ROUND = by.mean("sharp.round")(
        F1 <= F0 - (1 - (1 - L * g.CENTRE + L * (sqrt(1 + sigma2) * REACHED)) ** 2) / (2 * L) * n2(mean_grad),
        SIZES,
        (theta >= 0, sigma2 >= 0, g.SHORT),
        MARGIN,
        CLIENTS,
        AVERAGED.at({M: n2(mean_dev), G0: n2(mean_grad)}),
        BOUNDED.at({c: g.CENTRE, k: sqrt(1 + sigma2) * REACHED}),
    )
    EQ87 = by.real("sharp.eq87")(
        F1 <= F0 - Theta * G0,
        SIZES,
        (theta >= 0, sigma2 >= 0, _short(g.SHORT)),
        MARGIN,
        assume("meaning: a squared norm", G0 >= 0),
        assume("definition: the sharpened Theta and q", Eq(Theta, g.FACTOR), Eq(q, _short(g.DEVIATION))),
        ROUND.at({n2(mean_grad): G0} | SHORTER),
        lets=(Let(c, g.CENTRE), Let(r, g.RADIUS), Let(S, sqrt(1 + sigma2))),
    )
    DEFINED = assume("definition: the sharpened Theta and q", Eq(Theta, g.FACTOR), Eq(q, g.DEVIATION))
    NOT_NEGATIVE = by.real("sharp.deviation")(
        q >= 0,
        SIZES,
        (theta >= 0, sigma2 >= 0, _short(g.SHORT)),
        MARGIN,
        assume("definition: the sharpened q", Eq(q, _short(g.DEVIATION))),
        lets=(Let(c, g.CENTRE), Let(r, g.RADIUS, (r >= 0,)), Let(S, sqrt(1 + sigma2), (S >= 0,))),
    )
    FACTOR_POSITIVE = by.real("sharp.positive")(
        Theta > 0,
        (L > 0, q < 1, q >= 0),
        assume("definition: the sharpened Theta", Eq(Theta, g.FACTOR)),
    )
    SMALL = by.real("sharp.small")(
        2 * L * Theta <= 1,
        L > 0,
        assume("definition: the sharpened Theta", Eq(Theta, g.FACTOR)),
    )
    GRADIENT = by.quad("sharp.gradient")(
        n2(mean_grad) <= 2 * L * (F0 - Fs),
        L > 0,
        GLOBAL_DESCENT.at({server: z, start: a, bar: mean_grad, F1: Fz}),
        assume("definition: a point", Eq(z, a - 1 / L * mean_grad)),
        assume("meaning: the least value", Fs <= Fz),
        reads=(
            (F0, r"\bar F(a)"),
            (Fz, r"\bar F(z)"),
            (mean_grad, r"\nabla\bar F(a)"),
        ),
    )
    TELESCOPED = by.sum("sharp.telescoped")(
        1 / T * total(G(s), s, 1, T) <= f.MEAN_GRADIENT,
        (L > 0, Theta > 0, 2 * L * Theta <= 1),
        ROUNDS,
        ForAll(F(s) <= F(s - 1) - Theta * G(s - 1), s, 1, T),
        GRADIENT.at({n2(mean_grad): G(T), F0: F(T)}),
        assume("meaning: the least value", Fs <= F(T)),
        assume("definition: Delta", Eq(Delta, F(0) - Fs)),
        note="The sum over s = 1..T as printed: the last gradient is paid by what is left of the loss.",
    )
    THEOREM1 = by.sum("sharp.theorem1")(
        1 / T * total(G(s), s, 1, T) <= f.MEAN_GRADIENT,
        SIZES,
        (theta >= 0, sigma2 >= 0, g.SHORT, q < 1),
        ROUNDS,
        MARGIN,
        DEFINED,
        NOT_NEGATIVE.at(LONGER),
        FACTOR_POSITIVE.at(),
        SMALL.at(),
        EQ87.at({F1: F(s), F0: F(s - 1), G0: G(s - 1)} | LONGER, over=(s, 1, T)),
        TELESCOPED.at(),
    )
    COROLLARY1 = by.sum("sharp.corollary1", "Corollary 1, sharpened")(
        1 / T * total(G(s), s, 1, T) <= eps,
        SIZES,
        (theta >= 0, sigma2 >= 0, g.SHORT, q < 1, eps > 0, f.ROUNDS <= T),
        ROUNDS,
        MARGIN,
        DEFINED,
        NOT_NEGATIVE.at(LONGER),
        FACTOR_POSITIVE.at(),
        THEOREM1.at(),
        ENOUGH.at(),
    )
