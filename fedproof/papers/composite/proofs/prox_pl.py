"""The proximal PL inequality: (47), what it asks of mu, what satisfies it.

The minimum in D_g is attained at a point y, so the inequality says: F(x) - F* is at most
-(<grad f(x), y - x> + mu/2 |y - x|^2 + g(y) - g(x)). As [11] states it, mu in the minimum is L.
"""

from fedproof.papers.composite.assumptions import CONVEX, PROX_PL, PROX_PL_WEAK, STRONGLY_CONVEX
from fedproof.papers.composite.proofs.descent import EXACT, F0, MODEL_IS, model
from fedproof.papers.composite.proofs.fact1 import UPPER, along, far2, fx, fy
from fedproof.papers.composite.proofs.mapping import g_tilde as gt
from fedproof.papers.composite.proofs.metric_relations import Fs, defect, defect_L
from fedproof.papers.composite.proofs.vectors import *
from fedproof.proof.substitution import substitute

y = vector("y", r"\mathbf y")
#: the minimiser where L stands in D_g, and g there
y_L = vector("y_L", r"\mathbf y_L")
g_y_L = number("g_y_L", r"g(\mathbf y_L)")
near = vector("on_segment", r"(\mathbf x+t(\mathbf y-\mathbf x))")
best = vector("best", r"\mathbf x^{\star}")
u = vector("u", r"\mathbf u")
h_P = vector("h_P", r"\tilde\nabla g(\mathbf x)")
f0 = number("f0", r"f(\mathbf x)")
f_y = number("f_y", r"f(\mathbf y)")
g_y = number("g_y", r"g(\mathbf y)")
F_y = number("F_y", r"F(\mathbf y)")
g_near = number("g_near", r"g(\mathbf x+t(\mathbf y-\mathbf x))")
a = number("a", r"\alpha")
ft = number("ft", r"f(\tilde{\mathbf x}^{r+1})")
Ft = number("Ft", r"\mathbb E F(\tilde{\mathbf x}^{r+1})")
f_best = number("f_best", r"f(\mathbf x^{\star})")
g_best = number("g_best", r"g(\mathbf x^{\star})")
a2 = number("a2", r"\alpha'")
g_u = number("g_u", r"g(\mathbf u)")
far2_solutions = number("far2_solutions", r"\mathrm{dist}^2(\mathbf x,\mathcal X^{\star})")
WHERE = "Assumption 3.3(2), (47)"
g0 = number("g_P", r"g(\mathbf x)")
by = step_writer("composite", __name__)


def around(point: Any, penalty: Any, curvature: Any) -> Any:
    """What D_g minimises over the point: f's model of a curvature around x, and the penalty."""
    return ip(grad, point - P) + curvature / 2 * n2(point - P) + penalty


with printed():
    #: mu (F - F*) <= D_g(P, a)/2, D_g = -2 a min
    INEQUALITY = mu * (F0 - Fs) <= -a * (around(y, g_y, a) - g0)
    BETWEEN = by.quad("prox_pl.between", f"{WHERE}; x~ minimises its model")(
        model <= ip(grad, near - P) + 1 / (2 * eta_t) * n2(near - P) + g_near - g0,
        eta_t > 0,
        assume("definition: (11)", Eq(tilde, P - eta_t * G)),
        EXACT,
        assume(CONVEX.id, gt + ip(h_tilde, near - tilde) <= g_near),
        MODEL_IS,
    )
    SECOND = by.quad("prox_pl.second", f"{WHERE}; D_g rises in its second argument")(
        model <= a * eta_t * (around(y, g_y, a) - g0),
        (eta_t > 0, a > 0, a * eta_t <= 1),
        assume("definition: a point of the segment", Eq(near, P + a * eta_t * (y - P))),
        convex(g_near <= (1 - a * eta_t) * g0 + a * eta_t * g_y),
        BETWEEN.at(),
        note="A model of larger curvature, at a point of the segment: min is at most a eta~ times the other. "
        "So D_g(x, 1/eta~) >= D_g(x, a).",
    )
    FALLS = by.quad("prox_pl.model", f"{WHERE}")(
        model <= -mu * eta_t * (F0 - Fs),
        (eta_t > 0, a > 0, a * eta_t <= 1),
        SECOND.at(),
        assume(PROX_PL.id, INEQUALITY),
        note="With a = mu as printed.",
    )
    FALLS_WEAK = by.quad("prox_pl.model.weak", f"{WHERE}, with L in D_g")(
        model <= -mu * eta_t * (F0 - Fs),
        (eta_t > 0, L > 0, L * eta_t <= 1),
        convex(g_near <= (1 - L * eta_t) * g0 + L * eta_t * g_y_L),
        SECOND.at({a: L, y: y_L, g_y: g_y_L}),
        assume(PROX_PL_WEAK.id, substitute(INEQUALITY, {a: L, y: y_L, g_y: g_y_L})),
        note="The inequality of [11] is enough, at the model where the round begins.",
    )
    RISES = by.quad("prox_pl.rises", f"{WHERE}; D_g does not fall in its second argument")(
        -a * (around(y, g_y, a) - g0) <= -a2 * (around(u, g_u, a2) - g0),
        (a > 0, a <= a2),
        assume("definition: a point of the segment", Eq(near, P + a / a2 * (y - P))),
        assume(CONVEX.id, g_near <= (1 - a / a2) * g0 + a / a2 * g_y),
        assume(
            "definition: u attains the minimum in D_g(x, a')", around(u, g_u, a2) <= around(near, g_near, a2)
        ),
        note="D_g(x, a) <= D_g(x, a') for a <= a'.",
    )
    WEAKER = by.quad("prox_pl.weaker", f"{WHERE}, with L in D_g")(
        defect_L <= 0,
        (mu > 0, L > 0, mu <= L),
        convex(g_near <= (1 - mu / L) * g0 + mu / L * g_y),
        assume(
            "definition: u attains the minimum in D_g(x, L)",
            around(u, g_u, L) <= around(near, g_near, L),
        ),
        RISES.at({a: mu, a2: L}),
        assume(PROX_PL.id, substitute(INEQUALITY, {a: mu})),
        assume(
            "definition: mu (F(x) - F*) less D_g(x, L)/2",
            Eq(defect_L, mu * (F0 - Fs) - -L * (around(u, g_u, L) - g0)),
        ),
    )
    AT_TILDE = by.quad("eq47.smooth")(
        Ft <= F0 + model + (L / 2 - 1 / (2 * eta_t)) * n2(tilde - P),
        (eta_t > 0, L > 0),
        UPPER.at({fy: ft, fx: f0, along: ip(grad, tilde - P), far2: n2(tilde - P)}),
        MODEL_IS,
        assume("definition: (1), F = f + g", Eq(F0, f0 + g0)),
        assume("definition: (1), F = f + g", Eq(Ft, ft + gt)),
    )
    EQ47 = by.quad("eq47")(
        Ft <= F0 - mu * eta_t * (F0 - Fs),
        (eta_t > 0, L > 0, mu > 0, L * eta_t <= 1, mu * eta_t <= 1),
        AT_TILDE.at(),
        FALLS.at({a: mu}),
        note="Besides eta~ <= 1/(10 L) it uses mu eta~ <= 1, which mu <= L gives; where mu > L, F is "
        "constant and (47) says nothing.",
    )
    AT_Y = (
        UPPER.at({fy: f_y, fx: f0, along: ip(grad, y - P), far2: n2(y - P)}),
        assume("definition: (1), F = f + g", Eq(F0, f0 + g0)),
        assume("definition: (1), F = f + g", Eq(F_y, f_y + g_y)),
        assume("definition: F* is the least value", Fs <= F_y),
    )
    FLAT = by.quad("prox_pl.flat", f"{WHERE}, what it asks of mu")(
        (mu - L) / 2 * n2(y - P) <= 0,
        (mu > 0, L > 0),
        AT_Y,
        assume(PROX_PL.id, substitute(INEQUALITY, {a: mu})),
        note="Smoothness makes the model at y at least F(y) - F(x) + (mu - L)/2 |y - x|^2.",
    )
    CONSTANT = by.quad("prox_pl.constant", f"{WHERE}, what it asks of mu")(
        F0 <= Fs,
        mu > L,
        L > 0,
        assume(PROX_PL.id, substitute(INEQUALITY, {a: mu})),
        assume("meaning: prox_pl.flat, mu > L: y is x itself", Eq(y, P), Eq(g_y, g0)),
        note="With mu > L every point is a minimiser: F is constant where g is finite. Otherwise mu <= L.",
    )
    STRONG = by.quad("prox_pl.strongly_convex", "Remark 3.7, f strongly convex")(
        mu * (F0 - Fs) <= -mu * (around(y, g_y, mu) - g0),
        (mu > 0, mu <= mu_sc),
        assume("definition: y attains the minimum in D_g", around(y, g_y, mu) <= around(best, g_best, mu)),
        assume(STRONGLY_CONVEX.id, f0 + ip(grad, best - P) + mu_sc / 2 * n2(best - P) <= f_best),
        assume("definition: F* is attained", Eq(Fs, f_best + g_best)),
        assume("definition: (1), F = f + g", Eq(F0, f0 + g0)),
        note="Strong convexity of f is enough, at every x and for every convex g, with mu up to mu_sc.",
    )
    DEFECT = by.quad("prox_pl.strongly_convex.end", "Remark 3.7, f strongly convex")(
        defect <= 0,
        (mu > 0, mu <= mu_sc),
        STRONG.at(),
        assume(
            "definition: mu (F(x) - F*) less D_g(x, mu)/2",
            Eq(defect, mu * (F0 - Fs) - -mu * (around(y, g_y, mu) - g0)),
        ),
    )
    SLOPE = by.quad("prox_pl.slope", f"{WHERE}, in terms of subgradients")(
        2 * mu * (F0 - Fs) <= n2(grad + h_P),
        mu > 0,
        assume(PROX_PL.id, substitute(INEQUALITY, {a: mu})),
        times(2 * mu, g0 + ip(h_P, y - P) <= g_y, "definition: a subgradient of g at x"),
        note="For every subgradient of F: the Kurdyka-Lojasiewicz inequality with exponent 1/2.",
    )
    GROWTH = by.cite("prox_pl.growth", "[11, Theorem 2 and Appendix G]")(
        mu / 2 * far2_solutions <= F0 - Fs,
        mu > 0,
        assume(PROX_PL_WEAK.id, SLOPE.claim),
        note="Where every subgradient is at least this long, F grows quadratically away from its minimisers; "
        "by Ekeland's principle, as in Ioffe's theorem on slopes and error bounds.",
    )
