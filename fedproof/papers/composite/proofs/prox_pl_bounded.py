"""The proximal PL inequality on bounded sets: l1 least squares, sparse logistic regression.

For a convex f, from x towards a minimiser x*: where F grows and f bends enough together, the least value of
the inequality's model with L in it is below a share of F* - F(x). that share in a box is
computed by `fedproof.problems.composite.proximal_pl`.
"""

from fedproof.papers.composite.assumptions import BOX, LEAST_SQUARES
from fedproof.papers.composite.proofs.descent import F0
from fedproof.papers.composite.proofs.metric_relations import Fs, defect, defect_L, j
from fedproof.papers.composite.proofs.prox_pl import (
    around,
    best,
    f0,
    f_best,
    g0,
    g_best,
    g_near,
    g_y,
    near,
    y,
)
from fedproof.papers.composite.proofs.vectors import *

pull = vector("pull", r"\nabla f(\mathbf x^{\star})")
#: the share; the path's length
s, t = numbers("s t")
bend = number("bend", r"\tfrac12\mathbf d^{T}A\mathbf d")
excess = number("excess", r"\textstyle\sum_j\ell_j")
held = number("held", r"\mathbf d^{T}G\mathbf d")
k = number("k", r"\kappa")
kappa = number("kappa", r"\kappa'")
reach = number("reach", r"\rho")
xj = number("xj", "x_j")
bj = number("bj", r"x^{\star}_j")
cj = number("cj", r"\nabla_jf(\mathbf x^{\star})")
rj = number("rj", "r_j")
Gj = number("Gj", "G_j")
l = sequence("l(j)", r"\ell_j")  # noqa: E741
h = sequence("h(j)", "G_jd_j^{2}")
BELOW = "below Assumption 3.3, l1-regularized least squares"
LOGISTIC = "Sec. 4, sparse logistic regression"
BOUNDED = "convention: on a bounded set of models"
SPANNING = f"{BOUNDED}, with features that span the space, so that f is strongly convex there"
by = step_writer("composite", __name__, BELOW)


def along(name: str, where: str, grows: Step, *given: object) -> Step:
    """The inequality's model at x + t (x* - x), where F grows and f bends."""
    return by.quad(name, where)(
        mu * (F0 - Fs) <= -L * (around(y, g_y, L) - g0),
        (mu > 0, L > 0),
        SHARE,
        *given,
        assume("definition: a part of the way", t > 0, t <= 1, L * t <= k),
        assume("definition: a point of the segment", Eq(near, P + t * (best - P))),
        assume(
            "definition: y attains the minimum in D_g(x, L)", around(y, g_y, L) <= around(near, g_near, L)
        ),
        assume(LEAST_SQUARES.id, g_near <= (1 - t) * g0 + t * g_best),
        assume(LEAST_SQUARES.id, Eq(f_best, f0 + ip(grad, best - P) + bend)),
        assume(IS_F, AT_X),
        assume(IS_F, AT_BEST),
        grows.at(),
        assume("meaning: a squared norm", n2(best - P) >= 0),
        assume("definition: F* is the least value", F0 >= Fs),
        assume("definition: some mu > 0, of the data and the set", mu <= (1 - s) * L * t),
        note="At x + t (x* - x) the model is at most -t (1 - s)(F(x) - F*): mu = (1 - s) L t.",
    )


def ends(name: str, where: str, step: Step, what: sp.Symbol, why: str, *given: object) -> Step:
    """The inequality as a bound on how far it fails."""
    half = -L * (around(y, g_y, L) - g0)
    return by.quad(name, where)(
        what <= 0,
        (mu > 0, L > 0),
        *given,
        step.at(),
        assume(why, Eq(what, mu * (F0 - Fs) - half)),
    )


with printed():
    SHARE = (s >= 0, s < 1)
    #: F = f + g at x and at x*, weighed
    AT_X, AT_BEST = Eq(F0, f0 + g0), Eq(Fs, f_best + g_best)
    IS_F = "definition: (1), F = f + g"
    ENTRY = by.real("prox_pl.box.entry", f"{BELOW}, one entry")(
        vartheta * sp.Abs(xj) - vartheta * sp.Abs(bj) + cj * (xj - bj) >= Gj * (xj - bj) ** 2,
        vartheta > 0,
        assume(
            "definition: x* is a minimiser, so -grad f(x*) is a subgradient of the penalty there",
            sp.Abs(cj) <= vartheta,
            Eq(cj * bj, -vartheta * sp.Abs(bj)),
        ),
        assume(
            "definition: G_j is (vartheta - |grad_j f(x*)|)/r_j where this is positive, else 0",
            Gj >= 0,
            Eq(Gj * bj, 0),
            Gj * rj <= vartheta - sp.Abs(cj),
        ),
        assume(BOX.id, Gj * sp.Abs(xj) <= Gj * rj),
        note="l_j >= G_j d_j^2.",
    )
    ENTRIES = by.sum("prox_pl.box.entries", f"{BELOW}, all entries")(
        total(l(j), j, 1, d) >= total(h(j), j, 1, d),
        assume("meaning: d counts the entries", d >= 1),
        assume("meaning: prox_pl.box.entry, of every entry", ForAll(l(j) >= h(j), j, 1, d)),
    )
    BOX_GROWS = by.quad("prox_pl.box.grows")(
        k / 2 * n2(best - P) <= s * (F0 - Fs) + bend,
        SHARE,
        vartheta > 0,
        assume(IS_F, AT_X),
        assume(IS_F, AT_BEST),
        assume(LEAST_SQUARES.id, Eq(f0, f_best + ip(pull, P - best) + bend)),
        assume("definition: the sum of the l_j", Eq(excess, g0 - g_best + ip(pull, P - best))),
        ENTRIES.at({total(l(j), j, 1, d): excess, total(h(j), j, 1, d): held}),
        assume(
            "definition: kappa is the least eigenvalue of (1 + s) A + 2 s G",
            k * n2(best - P) <= 2 * (1 + s) * bend + 2 * s * held,
        ),
        note="Positive where A is regular on the entries that are not forced to 0.",
    )
    CITED = by.cite("prox_pl.least_squares.growth", f"{BELOW}, [11, Section 4.1]")(
        kappa / 2 * n2(best - P) <= F0 - Fs,
        kappa > 0,
        assume(BOUNDED, n2(P) <= reach**2),
        assume("definition: x* is the solution next to x", F0 >= Fs),
        note="A convex function of A x that is strongly convex where the models are, beside a penalty of "
        "polyhedral graph, grows quadratically away from its solutions on a bounded set, by Hoffman's bound.",
    )
    GROWS = by.quad("prox_pl.least_squares.grows")(
        k / 2 * n2(best - P) <= s * (F0 - Fs) + bend,
        SHARE,
        kappa > 0,
        assume("definition: kappa = s kappa'", Eq(k, s * kappa)),
        assume(LEAST_SQUARES.id, bend >= 0),
        CITED.at(),
    )

#: what [11] has, and the printed inequality read so
IN_11 = "convention: with L in D_g, as in [11]"

with printed():
    BOX_MODEL = along("prox_pl.box", BELOW, BOX_GROWS, vartheta > 0)
    BOX_END = ends(
        "prox_pl.box.end",
        BELOW,
        BOX_MODEL,
        defect_L,
        "definition: mu (F(x) - F*) less D_g(x, L)/2",
        assume("definition: a share", *SHARE),
        vartheta > 0,
    )
    LEAST_SQUARES_MODEL = along("prox_pl.least_squares", BELOW, GROWS, kappa > 0)
    LEAST_SQUARES_END = ends(
        "prox_pl.least_squares.end",
        BELOW,
        LEAST_SQUARES_MODEL,
        defect,
        IN_11,
        assume("definition: a share", *SHARE),
        assume("definition: of the data and the set", kappa > 0),
    )
    LOGISTIC_END = by.quad("prox_pl.logistic.end", LOGISTIC)(
        defect <= 0,
        mu > 0,
        assume("definition: y attains the minimum in D_g", around(y, g_y, mu) <= around(best, g_best, mu)),
        assume(SPANNING, f0 + ip(grad, best - P) + mu_sc / 2 * n2(best - P) <= f_best),
        assume(IS_F, AT_BEST),
        assume(IS_F, AT_X),
        assume("definition: some mu > 0, of the data and the set", mu <= mu_sc),
        assume(
            "definition: mu (F(x) - F*) less D_g(x, mu)/2",
            Eq(defect, mu * (F0 - Fs) - -mu * (around(y, g_y, mu) - g0)),
        ),
        note="As prox_pl.strongly_convex, between x and the minimiser. Then it holds as printed, with mu in "
        "D_g.",
    )
