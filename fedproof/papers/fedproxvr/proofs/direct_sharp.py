"""The sharpened Theorem 1 from the assumptions alone, in the language of functions.

Gradient differences of F_n lie in a sector, so a local step lies in a ball around c (grad J_n - grad F_n)
and, with the surrogate's gradient small, near -c grad F_n; the mean of the steps is then near -c grad F.
"""

from fedproof.papers.fedproxvr import notation
from fedproof.papers.fedproxvr.proofs import direct_theorem1 as D
from fedproof.papers.fedproxvr.proofs.direct_rounds import *
from fedproof.papers.fedproxvr.statements import sharp_formulas as h
from fedproof.proof.substitution import substitute

by = step_writer("fedproxvr", __name__, "Theorem 1, sharpened, from the assumptions")
#: the letter q of the statement; q is a vector here
q_ = notation.q
SIZES, alpha, kappa, S, p, q, g = D.SIZES, D.alpha, D.kappa, D.S, D.p, D.q, D.g
c, r, F0, F1, x = D.c, D.r, D.F0, D.F1, D.x
moved, residual = D.moved, D.residual
CENTRE, RADIUS = h.CENTRE, h.RADIUS

with printed():
    REACHED = RADIUS + theta / mt
    #: what a client's step lacks of -c grad F_n, and the mean of it
    apart, gap = moved + CENTRE * slope, after - start + CENTRE * bar
    below = u - (DLossOf(n, u) - DLossOf(n, v) + lam * (u - v)) / (L + lam)
    COCOERCIVE = by.real("direct.sharp.cocoercive")(
        LossOf(n, v) + ip(DLossOf(n, v), u - v) - lam / 2 * n2(u - v)
        + n2(DLossOf(n, u) - DLossOf(n, v) + lam * (u - v)) / (2 * (L + lam)) <= LossOf(n, u),
        1 <= n, n <= N, L > 0, lam >= 0, SMOOTH.at(n, u, below), WEAK.at(n, v, below),
    )  # fmt: skip
    SECTOR = by.real("direct.sharp.sector")(
        ip(DLossOf(n, u) - DLossOf(n, v) + lam * (u - v), L * (u - v) - (DLossOf(n, u) - DLossOf(n, v))) >= 0,
        1 <= n, n <= N, L > 0, lam >= 0, SMOOTH.known, WEAK.known, COCOERCIVE.at(),
        COCOERCIVE.at({u: v, v: u}),
    )  # fmt: skip
    BALL_OF = by.quad("direct.sharp.ball")(
        n2(p - CENTRE * q) <= RADIUS**2 * n2(q),
        L > 0, mu > 0, mt > 0, ip(q - mt * p, (L + mu) * p - q) >= 0,
    )  # fmt: skip
    BALL = by.real("direct.sharp.ball.client")(
        n2(moved - CENTRE * (residual - slope)) <= RADIUS**2 * n2(residual - slope),
        MINE, SIZES, SMOOTH.known, WEAK.known, SECTOR.at({u: local, v: start}),
        BALL_OF.at({p: moved, q: residual - slope}),
    )  # fmt: skip
    #: of any vectors: c and r are the ball's centre and radius
    CHAIN = by.quad("direct.sharp.chain")(
        n2(p) <= (r * alpha) ** 2 * n2(g), n2(p) <= r**2 * n2(q), n2(q) <= alpha**2 * n2(g)
    )
    SCALED = by.quad("direct.sharp.scaled")(n2(-c * q) <= (c * theta) ** 2 * n2(g), n2(q) <= theta**2 * n2(g))
    NEAR = by.quad("direct.sharp.near")(
        n2(p + c * g) <= (r * (1 + theta) + c * theta) ** 2 * n2(g),
        theta >= 0, c >= 0, r >= 0, n2(p - c * (q - g)) <= r**2 * n2(q - g),
        n2(q - g) <= (1 + theta) ** 2 * n2(g), n2(q) <= theta**2 * n2(g),
        CHAIN.at({p: p - c * (q - g), q: q - g, alpha: 1 + theta}), SCALED.at(),
        D.TRIANGLE.at({p: p - c * (q - g), q: -c * q, alpha: r * (1 + theta), kappa: c * theta}),
    )  # fmt: skip
    LOCAL = by.real("direct.sharp.local")(
        n2(apart) <= REACHED**2 * n2(slope),
        MINE, SIZES, SMOOTH.known, WEAK.known, INEXACT.known, INEXACT.at(s, n), D.RESIDUAL.at(), BALL.at(),
        NEAR.at({p: moved, q: residual, g: slope, c: CENTRE, r: RADIUS}),
    )  # fmt: skip
    GAPS = by.real("direct.sharp.gap.along")(
        Eq(average(ip(apart, u)), ip(gap, u)),
        ROUND, SIZES, WEIGHTS, MEAN_GRAD.known, LINE12.known, MEAN_GRAD.at(start), D.STEPS.at(),
    )  # fmt: skip
    KNOWN = (SMOOTH.known, *CLIENT)
AVERAGED = LOCAL_WEIGHTED, GAP_MEAN = D.averaged("sharp.gap", apart, gap, REACHED, LOCAL, GAPS, KNOWN)
with printed():
    KEPT = (1 - (1 - L * c + L * kappa) ** 2) / (2 * L)
    FALL = by.quad("direct.sharp.fall")(
        F1 <= F0 - KEPT * n2(g),
        L > 0, kappa >= 0, L * c <= 1, F1 <= F0 + ip(g, p) + L / 2 * n2(p), n2(p + c * g) <= kappa**2 * n2(g),
        D.INNER.at({p: p + c * g}),
    )  # fmt: skip
    DESCENT = by.real("direct.sharp.descent")(
        Total(after) <= Total(start) - substitute(KEPT, {c: CENTRE, kappa: REACHED * S}) * n2(bar),
        ROUND, SIZES, D.ROOTED, h.SHORT, KNOWN, BASE, LOSSES,
        D.SMOOTH_MEAN.at({u: start, v: after}),
        FALL.at({
            p: after - start, g: bar, c: CENTRE, kappa: REACHED * S, F1: Total(after), F0: Total(start),
        }),
        GAP_MEAN.at(),
    )  # fmt: skip
    # -- the sharpened Theta, at the root itself
    AT_ROOT = {S: sqrt(1 + sigma2)}
    DEFINED = (Eq(q_, h.DEVIATION), Eq(Theta, h.FACTOR))
    AT_Q = substitute(KEPT, {c: CENTRE, kappa: REACHED * S})
    ENOUGH = by.real("direct.sharp.enough")(Theta <= substitute(AT_Q, AT_ROOT), SIZES, DEFINED)
    OF_ROUND = (*KNOWN, *BASE, *LOSSES)
    EQ87 = by.real("direct.sharp.along.eq87", "eq. (87), sharpened, from the assumptions")(
        Total(after) <= Total(start) - Theta * n2(bar),
        IN_RUN, SIZES, h.SHORT, DEFINED, OF_ROUND, DESCENT.at(AT_ROOT), ENOUGH.at(),
        D.LESS.at({F1: Total(after), F0: Total(start), g: bar, kappa: substitute(AT_Q, AT_ROOT)}),
    )  # fmt: skip
    EQ87_EVERYWHERE = by.real("direct.sharp.eq87", "eq. (87), sharpened, from the assumptions")(
        Total(after) <= Total(start) - Theta * n2(bar),
        IN_RUN, SIZES, h.SHORT, DEFINED, D.everywhere(OF_ROUND), D.DIVERGED.at(over=ROUNDS), EQ87.at(),
    )  # fmt: skip
    # -- all rounds
    BEYOND = by.real("direct.sharp.beyond")(0 <= L * REACHED, SIZES)
    ROOT_SIGN = by.real("direct.sharp.root")(sqrt(1 + sigma2) >= 0, sigma2 >= 0)
    NOT_NEGATIVE = by.real("direct.sharp.deviation")(
        q_ >= 0, L * c <= 1, x >= 0, D.y >= 0, Eq(q_, 1 - L * c + D.y * x)
    )
    POSITIVE = by.real("direct.sharp.positive")(Theta > 0, L > 0, q_ < 1, q_ >= 0, Eq(Theta, h.FACTOR))
    ABOVE = by.real("direct.sharp.above")(
        Theta > 0,
        SIZES, h.SHORT, q_ < 1, DEFINED, BEYOND.at(), ROOT_SIGN.at(),
        NOT_NEGATIVE.at({x: L * REACHED, c: CENTRE, D.y: sqrt(1 + sigma2)}), POSITIVE.at(),
    )  # fmt: skip
    SMALL = by.real("direct.sharp.small")(2 * L * Theta <= 1, L > 0, Eq(Theta, h.FACTOR))
    SHARPENED = (*SIZES, h.SHORT, q_ < 1, *DEFINED)
LAST, SUMMED, ALONG_THEOREM1, ALONG_COROLLARY1, THEOREM1, COROLLARY1 = D.rounds(
    "direct.sharp", EQ87, SMALL, SHARPENED, OF_ROUND, ABOVE.at(), by
)
