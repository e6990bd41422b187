"""Theorem 1 from the assumptions alone, in the language of functions; not the paper's way.

The server's step is -(grad F - off)/mu, where the error off is the mean of what the surrogates' gradients are
at the local models, less what the losses' gradients change by on the way. Both are small in the mean square.
"""

from fedproof.papers.fedproxvr.proofs.direct_rounds import *
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.proof.substitution import substitute

by = step_writer("fedproxvr", __name__, "Theorem 1, from the assumptions")
p, q, g = vectors("p q g")
V = Field("V")
alpha, kappa, S, F0, F1, x, y, c, r = numbers("alpha kappa S F0 F1 x y c r")
SIZES = (L > 0, lam >= 0, mt > 0, Eq(mt, mu - lam), theta >= 0, sigma2 >= 0)
moved, residual, turned = local - start, steep(local), DLossOf(n, local) - slope
#: what mu times a client's step lacks of -grad F_n, and the mean of it
error, off = slope + mu * moved, bar + mu * (after - start)

with printed():
    #: S is the root of 1 + sigma2
    ROOTED = (S >= 0, Eq(S**2, 1 + sigma2))
    # -- of any vectors
    TRIANGLE = by.quad("direct.triangle")(
        n2(p - q) <= (alpha + kappa) ** 2 * n2(g),
        alpha >= 0, kappa >= 0, n2(p) <= alpha**2 * n2(g), n2(q) <= kappa**2 * n2(g),
        note="Minkowski's inequality.",
    )  # fmt: skip
    INNER = by.quad("direct.inner")(
        ip(p, g) <= kappa * n2(g), kappa >= 0, n2(p) <= kappa**2 * n2(g), note="Cauchy and Schwarz."
    )
    STRONG = by.quad("direct.strong")(alpha**2 * n2(p) <= n2(q), alpha > 0, alpha * n2(p) <= ip(q, p))
    # -- of the means over the clients
    JENSEN_EACH = by.real("direct.jensen.client")(
        2 * Weight(n) * ip(V(n), u) - Weight(n) * n2(u) <= Weight(n) * n2(V(n)), SIGN.at(n)
    )
    JENSEN = by.real("direct.jensen")(
        n2(g) <= average(n2(V(n))),
        THERE_ARE, WEIGHTS, Eq(average(ip(V(n), g)), n2(g)), ONE.at(g), JENSEN_EACH.at({u: g}, over=CLIENTS),
        note="Jensen's inequality for the weights p_n.",
    )  # fmt: skip
    DIVERGENCE = by.real("direct.divergence")(
        n2(slope - bar) <= Sigma(n) ** 2 * n2(bar), MINE, DISSIMILAR.at(n, start), SIGMA_SIGN.at(n)
    )
    DIVERGED_EACH = by.real("direct.divergence.client")(
        Weight(n) * n2(slope - bar) <= Weight(n) * Sigma(n) ** 2 * n2(bar),
        MINE, DISSIMILAR.known, SIGMA_SIGN.known, DIVERGENCE.at(), SIGN.at(n),
    )  # fmt: skip
    DIVERGED = by.real("direct.divergence.mean")(
        ALONG.relation,
        ROUND, SIGN.known, EVERYWHERE, SPREAD.at(), DIVERGED_EACH.at(over=CLIENTS),
    )  # fmt: skip
    SPREAD_EACH = by.real("direct.spread.client")(
        Weight(n) * n2(slope)
        <= Weight(n) * n2(slope - bar) + 2 * Weight(n) * ip(slope, bar) - Weight(n) * n2(bar),
        MINE,
    )  # fmt: skip
    SPREAD_MEAN = by.real("direct.spread")(
        average(n2(slope)) <= (1 + sigma2) * n2(bar),
        ROUND, WEIGHTS, ALONG.at(s), MEAN_GRAD.at(start), ONE.at(bar), SPREAD_EACH.at(over=CLIENTS),
        note="(72) without its factor of 2.",
    )  # fmt: skip
    SMOOTH_EACH = by.real("direct.smooth.client")(
        Weight(n) * LossOf(n, v)
        <= Weight(n) * LossOf(n, u) + Weight(n) * ip(DLossOf(n, u), v - u) + L / 2 * Weight(n) * n2(v - u),
        1 <= n, n <= N, SMOOTH.at(n, u, v), SIGN.at(n),
    )  # fmt: skip
    SMOOTH_MEAN = by.real("direct.smooth")(
        Total(v) <= Total(u) + ip(DTotal(u), v - u) + L / 2 * n2(v - u),
        THERE_ARE, WEIGHTS, LOSSES, MEAN.at(u), MEAN.at(v), MEAN_GRAD.at(u), ONE.at(v - u),
        SMOOTH_EACH.at(over=CLIENTS),
        note="The global loss is smooth as the clients' losses are.",
    )  # fmt: skip
    # -- one client in one round
    MONOTONE = by.real("direct.reach.along")(
        mt * n2(moved) <= ip(residual - slope, moved),
        MINE, SIZES, WEAK.at(n, start, local), WEAK.at(n, local, start),
    )  # fmt: skip
    RESIDUAL = by.real("direct.residual")(
        n2(residual - slope) <= (1 + theta) ** 2 * n2(slope),
        MINE, theta >= 0, INEXACT.at(s, n),
        TRIANGLE.at({p: residual, q: slope, alpha: theta, kappa: sp.Integer(1), g: slope}),
    )  # fmt: skip
    REACH = by.real("direct.reach")(
        n2(moved) <= ((1 + theta) / mt) ** 2 * n2(slope),
        MINE, SIZES, WEAK.known, INEXACT.known,
        STRONG.at({p: moved, q: residual - slope, alpha: mt}), used(MONOTONE, RESIDUAL),
        note="The surrogate is strongly convex. In place of (71), which loses a factor of 2.",
    )  # fmt: skip
    TURNED = by.real("direct.turned")(
        n2(turned) <= (L * (1 + theta) / mt) ** 2 * n2(slope),
        MINE, SIZES, WEAK.known, INEXACT.known, LIPSCHITZ.at(n, local, start), REACH.at(),
    )  # fmt: skip

    LOST = theta + L * (1 + theta) / mt
    ERROR = by.real("direct.error")(
        n2(error) <= LOST**2 * n2(slope),
        MINE, SIZES, CLIENT, LIPSCHITZ.known, INEXACT.at(s, n),
        TRIANGLE.at({p: residual, q: turned, alpha: theta, kappa: L * (1 + theta) / mt, g: slope}),
        TURNED.at(),
    )  # fmt: skip
    OF_CLIENT = (*CLIENT, LIPSCHITZ.known)
    # -- the means of a round
    STEPS = by.real("direct.moved.along")(
        Eq(average(ip(moved, u)), ip(after - start, u)), ROUND, WEIGHTS, LINE12.at(s), ONE.at(start)
    )
    ERRORS = by.real("direct.error.along")(
        Eq(average(ip(error, u)), ip(off, u)),
        ROUND, WEIGHTS, MEAN_GRAD.known, LINE12.known, MEAN_GRAD.at(start), STEPS.at(),
    )  # fmt: skip


def everywhere(known: tuple[Any, ...]) -> tuple[Any, ...]:
    """What is assumed, with (5) at every model in place of what it is used for along the run."""
    return (*EVERYWHERE, *(given for given in known if given != ALONG.known))


def averaged(
    name: str, of: Any, mean: Any, factor: Any, each: Step, along: Step, known: tuple[Any, ...] = OF_CLIENT
) -> tuple[Step, Step]:
    """From a bound on one client's vector by |grad F_n| to one on the mean by |grad F|."""
    with printed():
        one = by.real(f"direct.{name}.weighted")(
            Weight(n) * n2(of) <= factor**2 * (Weight(n) * n2(slope)),
            MINE,
            SIZES,
            known,
            SIGN.at(n),
            each.at(),
        )
        return one, by.real(f"direct.{name}.mean")(
            n2(mean) <= (factor * S) ** 2 * n2(bar),
            ROUND, SIZES, ROOTED, known, BASE, along.at({u: mean}),
            JENSEN.at({V(n): of, g: mean}, weight=1), one.at(over=CLIENTS, weight=1),
            SPREAD_MEAN.at(weight=factor**2),
        )  # fmt: skip


MOVED, FAR = averaged("moved", moved, after - start, (1 + theta) / mt, REACH, STEPS)
ERRED, OFF = averaged("error", error, off, LOST, ERROR, ERRORS)
with printed():
    FALL = by.quad("direct.fall")(
        F1 <= F0 - ((1 - kappa) / mu - L / 2 * alpha**2) * n2(g),
        L > 0, mu > 0, kappa >= 0, F1 <= F0 + ip(g, p) + L / 2 * n2(p), n2(p) <= alpha**2 * n2(g),
        n2(mu * p + g) <= kappa**2 * n2(g), INNER.at({p: mu * p + g}),
    )  # fmt: skip
    DESCENT = by.real("direct.descent")(
        Total(after) <= Total(start) - ((1 - LOST * S) / mu - L / 2 * ((1 + theta) / mt * S) ** 2) * n2(bar),
        ROUND, SIZES, ROOTED, CLIENT, LIPSCHITZ.known, BASE, LOSSES,
        SMOOTH_MEAN.at({u: start, v: after}),
        FALL.at({
            p: after - start, g: bar, kappa: LOST * S, alpha: (1 + theta) / mt * S, F1: Total(after),
            F0: Total(start),
        }),
        used(FAR, OFF),
    )  # fmt: skip
    SMALLER = by.real("direct.factor.left")(S <= sqrt(2 * (1 + sigma2)), sigma2 >= 0, ROOTED)
    HALF = by.real("direct.factor.half")(
        (1 + theta) * S <= 2 * sqrt((1 + theta**2) * (1 + sigma2)), theta >= 0, sigma2 >= 0, ROOTED
    )
    TWICE = by.real("direct.factor.moved")(
        ((1 + theta) * S) ** 2 <= 2 * ((1 + theta**2) * (1 + sigma2)), sigma2 >= 0, ROOTED
    )
    TERMS = by.real("direct.factor.terms")(
        1 / mu * (1 - theta * x - 2 * L / mt * y - 2 * L * mu / mt**2 * (1 + theta**2) * (1 + sigma2))
        <= (1 - LOST * S) / mu - L / 2 * ((1 + theta) / mt * S) ** 2,
        L > 0, mu > 0, mt > 0, theta >= 0, sigma2 >= 0, S <= x, (1 + theta) * S <= 2 * y,
        ((1 + theta) * S) ** 2 <= 2 * ((1 + theta**2) * (1 + sigma2)),
    )  # fmt: skip
    NUMBERS = by.real("direct.factor")(
        f.FACTOR <= (1 - LOST * S) / mu - L / 2 * ((1 + theta) / mt * S) ** 2,
        SIZES, ROOTED, used(SMALLER, HALF, TWICE),
        TERMS.at({x: sqrt(2 * (1 + sigma2)), y: sqrt((1 + theta**2) * (1 + sigma2))}),
    )  # fmt: skip
    KEPT = (1 - LOST * S) / mu - L / 2 * ((1 + theta) / mt * S) ** 2
    LESS = by.quad("direct.less")(F1 <= F0 - Theta * n2(g), F1 <= F0 - kappa * n2(g), Theta <= kappa)
    ROUND87 = by.real("direct.round")(
        Total(after) <= Total(start) - Theta * n2(bar),
        ROUND, SIZES, ROOTED, Theta <= KEPT, CLIENT, LIPSCHITZ.known, BASE, LOSSES,
        DESCENT.at(), LESS.at({F1: Total(after), F0: Total(start), g: bar, kappa: KEPT}),
    )  # fmt: skip
    LONG = by.real("direct.long")(
        f.MEAN_GRADIENT <= eps, T >= 1, Theta > 0, eps > 0, f.ROUNDS <= T, note="(18)"
    )
    # -- the printed Theta, at the root itself
    AT_ROOT = {S: sqrt(1 + sigma2)}
    ENOUGH = by.real("direct.enough")(
        Theta <= substitute(KEPT, AT_ROOT), SIZES, Theta <= f.FACTOR, NUMBERS.at(AT_ROOT)
    )
    KNOWN = (*CLIENT, LIPSCHITZ.known, *BASE, *LOSSES)
    EQ87 = by.real("direct.along.eq87", "eq. (87), from the assumptions")(
        Total(after) <= Total(start) - Theta * n2(bar),
        IN_RUN, SIZES, Theta <= f.FACTOR, KNOWN, ENOUGH.at(), ROUND87.at(AT_ROOT),
    )  # fmt: skip
    EQ87_EVERYWHERE = by.real("direct.eq87", "eq. (87), from the assumptions")(
        Total(after) <= Total(start) - Theta * n2(bar),
        IN_RUN, SIZES, Theta <= f.FACTOR, everywhere(KNOWN), DIVERGED.at(over=ROUNDS), EQ87.at(),
    )  # fmt: skip
    # -- all rounds
    GRADIENT = by.real("direct.gradient")(
        n2(DTotal(u)) <= 2 * L * (Total(u) - Total(best)),
        L > 0, THERE_ARE, WEIGHTS, LOSSES, LEAST.at(u - DTotal(u) / L),
        SMOOTH_MEAN.at({v: u - DTotal(u) / L}),
    )  # fmt: skip
    ONE_AT_LEAST = by.real("direct.small.root")(S >= 1, sigma2 >= 0, ROOTED)
    WAY = L * (1 + theta) / mt * S
    LONGER = by.real("direct.small.way")(L / mu <= WAY, SIZES, S >= 1)
    PARABOLA = by.real("direct.small.parabola")(2 * x * (1 - y) - y**2 <= 1, x >= 0, x <= y)
    SMALL = by.real("direct.small")(
        2 * L * KEPT <= 1, SIZES, ROOTED, used(ONE_AT_LEAST, LONGER), PARABOLA.at({x: L / mu, y: WAY})
    )
    BELOW = by.real("direct.small.below")(2 * L * Theta <= 1, L > 0, Theta <= x, 2 * L * x <= 1)
    SMALL_THETA = by.real("direct.small.factor")(
        2 * L * Theta <= 1,
        SIZES, Theta <= f.FACTOR, ENOUGH.at(), SMALL.at(AT_ROOT), BELOW.at({x: substitute(KEPT, AT_ROOT)}),
    )  # fmt: skip


def rounds(
    name: str,
    falls: Step,
    small: Step,
    given: tuple[Any, ...],
    known: tuple[Any, ...],
    positive: Any,
    by: Any = by,
) -> tuple[Step, ...]:
    """From the descent of a round to Theorem 1 and Corollary 1: the last gradient is paid by what is left."""
    known = (*known, LEAST.known)
    with printed():
        last = by.real(f"{name}.last")(
            Theta * n2(DTotal(Server(T))) <= Total(Server(T)) - Total(best),
            RUN, positive, given, known, small.at(), GRADIENT.at({u: Server(T)}),
        )  # fmt: skip
        summed = by.real(f"{name}.summed")(
            Theta * total(n2(DTotal(Server(s))), s, 1, T) <= Total(Server(0)) - Total(best),
            RUN, positive, given, known, falls.at(over=ROUNDS), last.at(),
        )  # fmt: skip
        theorem = by.real(f"{name}.along.theorem1")(
            MEAN_SQUARE <= f.MEAN_GRADIENT,
            RUN, positive, given, known, GAP.at(), summed.at(),
        )  # fmt: skip
        corollary = by.real(f"{name}.along.corollary1")(
            MEAN_SQUARE <= eps,
            RUN, positive, eps > 0, f.ROUNDS <= T, given, known, GAP.known,
            used(theorem, LONG),
        )  # fmt: skip
        paper = (*everywhere(known), GAP.known, DIVERGED.at(over=ROUNDS))
        theorem_everywhere = by.real(f"{name}.theorem1")(
            MEAN_SQUARE <= f.MEAN_GRADIENT, RUN, positive, given, paper, theorem.at()
        )  # fmt: skip
        corollary_everywhere = by.real(f"{name}.corollary1")(
            MEAN_SQUARE <= eps, RUN, positive, eps > 0, f.ROUNDS <= T, given, paper, corollary.at()
        )  # fmt: skip
    return last, summed, theorem, corollary, theorem_everywhere, corollary_everywhere


with printed():
    PRINTED = (L > 0, lam >= 0, mt > 0, Eq(mt, mu - lam), theta > 0, sigma2 >= 0, Theta <= f.FACTOR)
    POSITIVE = Theta > 0
LAST, SUMMED, ALONG_THEOREM1, ALONG_COROLLARY1, THEOREM1, COROLLARY1 = rounds(
    "direct", EQ87, SMALL_THETA, PRINTED, KNOWN, POSITIVE
)
