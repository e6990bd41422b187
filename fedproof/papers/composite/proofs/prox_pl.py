"""The proximal PL inequality: (47), what it asks of mu, what satisfies it.

The minimum in D_g is attained at a point y, so the inequality says: F(x) - F* is at most
-(<grad f(x), y - x> + mu/2 |y - x|^2 + g(y) - g(x)). As [11] states it, mu in the minimum is L.
"""

from __future__ import annotations

from fedproof.papers.composite.assumptions import CONVEX, PROX_PL, PROX_PL_WEAK, STRONGLY_CONVEX
from fedproof.papers.composite.notation import *
from fedproof.papers.composite.proofs.descent import F0, MODEL_IS, SAID, model
from fedproof.papers.composite.proofs.fact1 import UPPER, along, far2, fx, fy
from fedproof.papers.composite.proofs.mapping import EQ12, g_w, w
from fedproof.papers.composite.proofs.mapping import g_P as g0
from fedproof.papers.composite.proofs.mapping import g_tilde as gt
from fedproof.papers.composite.proofs.metric_relations import defect, defect_L
from fedproof.papers.composite.proofs.vectors import *
from fedproof.proof.prelude import *
from fedproof.proof.substitution import substitute

#: the minimiser in D_g; a point between P and it; a minimiser of F; the minimiser with another argument
y, near, best, u = vectors("y near best u")
#: a subgradient of g at P
h_P = vectors("h_P")
#: F*; f at P; f, g and F at y; g at the point between; the second argument of D_g; f and F at x~
Fs, f0, f_y, g_y, F_y, g_near, a, ft, Ft, f_best, g_best = (
    number(k) for k in ("Fs", "f0", "f_y", "g_y", "F_y", "g_near", "a", "ft", "Ft", "f_best", "g_best")
)
#: a larger second argument of D_g; g at its minimiser
a2, g_u = number("a2"), number("g_u")
#: |x - X*|^2
far2_solutions = number("far2_solutions")
WHERE = "Assumption 3.3(2), (47)"
LATEX_NAMES = (
    *SAID, (y, r"\mathbf y"), (u, r"\mathbf u"), (g_u, r"g(\mathbf u)"), (a2, r"\alpha'"),
    (near, r"(\mathbf x+t(\mathbf y-\mathbf x))"), (Fs, r"F^{\star}"),
    (f0, r"f(\mathbf x)"), (f_y, r"f(\mathbf y)"), (g_y, r"g(\mathbf y)"), (F_y, r"F(\mathbf y)"),
    (h_P, r"\tilde\nabla g(\mathbf x)"), (far2_solutions, r"\mathrm{dist}^2(\mathbf x,\mathcal X^{\star})"),
    (g_near, r"g(\mathbf x+t(\mathbf y-\mathbf x))"), (a, r"\alpha"), (g0, r"g(\mathbf x)"),
    (ft, r"f(\tilde{\mathbf x}^{r+1})"), (Ft, r"\mathbb E F(\tilde{\mathbf x}^{r+1})"),
)  # fmt: skip
quad = partial(fact, rule="quad", reads=LATEX_NAMES)

with printed():
    #: mu (F - F*) <= D_g(P, a)/2, D_g = -2 a min
    INEQUALITY = mu * (F0 - Fs) <= -a * (ip(grad, y - P) + a / 2 * n2(y - P) + g_y - g0)
    BETWEEN = quad(
        "prox_pl.between",
        f"{WHERE}; x~ minimises its model",
        model <= ip(grad, near - P) + 1 / (2 * eta_t) * n2(near - P) + g_near - g0,
        eta_t > 0,
        assume("definition: (11)", Eq(tilde, P - eta_t * G)),
        EQ12.at({w: near, g_w: g_near}, weight=1),
        times(1, MODEL_IS[0].relation, MODEL_IS[0].why),
    )
    SECOND = quad(
        "prox_pl.second",
        f"{WHERE}; D_g rises in its second argument",
        model <= a * eta_t * (ip(grad, y - P) + a / 2 * n2(y - P) + g_y - g0),
        (eta_t > 0, a > 0, a * eta_t <= 1),
        assume("definition: a point of the segment", Eq(near, P + a * eta_t * (y - P))),
        convex(g_near <= (1 - a * eta_t) * g0 + a * eta_t * g_y),
        BETWEEN.at(weight=1),
        note="A model of larger curvature, at a point of the segment: min is at most a eta~ times the other. "
        "So D_g(x, 1/eta~) >= D_g(x, a).",
    )
    FALLS = quad(
        "prox_pl.model",
        f"{WHERE}",
        model <= -mu * eta_t * (F0 - Fs),
        (eta_t > 0, a > 0, a * eta_t <= 1),
        SECOND.at(weight=1),
        times(eta_t, INEQUALITY, PROX_PL.id),
        note="With a = mu as printed.",
    )
    FALLS_WEAK = quad(
        "prox_pl.model.weak",
        f"{WHERE}, with L in D_g",
        model <= -mu * eta_t * (F0 - Fs),
        (eta_t > 0, L > 0, L * eta_t <= 1),
        convex(g_near <= (1 - L * eta_t) * g0 + L * eta_t * g_y),
        SECOND.at({a: L}, weight=1),
        times(eta_t, substitute(INEQUALITY, {a: L}), PROX_PL_WEAK.id),
        note="The inequality of [11] is enough, at the model where the round begins.",
    )
    RISES = quad(
        "prox_pl.rises",
        f"{WHERE}; D_g does not fall in its second argument",
        -a * (ip(grad, y - P) + a / 2 * n2(y - P) + g_y - g0)
        <= -a2 * (ip(grad, u - P) + a2 / 2 * n2(u - P) + g_u - g0),
        (a > 0, a <= a2),
        assume("definition: a point of the segment", Eq(near, P + a / a2 * (y - P))),
        times(a2, g_near <= (1 - a / a2) * g0 + a / a2 * g_y, CONVEX.id),
        times(
            a2,
            ip(grad, u - P) + a2 / 2 * n2(u - P) + g_u <= ip(grad, near - P) + a2 / 2 * n2(near - P) + g_near,
            "definition: u attains the minimum in D_g(x, a')",
        ),
        note="D_g(x, a) <= D_g(x, a') for a <= a'.",
    )
    WEAKER = quad(
        "prox_pl.weaker",
        f"{WHERE}, with L in D_g",
        defect_L <= 0,
        (mu > 0, L > 0, mu <= L),
        convex(g_near <= (1 - mu / L) * g0 + mu / L * g_y),
        assume(
            "definition: u attains the minimum in D_g(x, L)",
            ip(grad, u - P) + L / 2 * n2(u - P) + g_u <= ip(grad, near - P) + L / 2 * n2(near - P) + g_near,
        ),
        RISES.at({a: mu, a2: L}, weight=1),
        times(1, substitute(INEQUALITY, {a: mu}), PROX_PL.id),
        times(
            1,
            Eq(defect_L, mu * (F0 - Fs) - -L * (ip(grad, u - P) + L / 2 * n2(u - P) + g_u - g0)),
            "definition: mu (F(x) - F*) less D_g(x, L)/2",
        ),
    )
    AT_TILDE = quad(
        "eq47.smooth",
        "eq. (47)",
        Ft <= F0 + model + (L / 2 - 1 / (2 * eta_t)) * n2(tilde - P),
        (eta_t > 0, L > 0),
        UPPER.at({fy: ft, fx: f0, along: ip(grad, tilde - P), far2: n2(tilde - P)}, weight=1),
        times(-1, MODEL_IS[0].relation, MODEL_IS[0].why),
        times(-1, Eq(F0, f0 + g0), "definition: (1), F = f + g"),
        times(1, Eq(Ft, ft + gt), "definition: (1), F = f + g"),
    )
    EQ47 = quad(
        "eq47",
        "eq. (47)",
        Ft <= F0 - mu * eta_t * (F0 - Fs),
        (eta_t > 0, L > 0, mu > 0, L * eta_t <= 1, mu * eta_t <= 1),
        AT_TILDE.at(weight=1),
        FALLS.at({a: mu}, weight=1),
        note="Besides eta~ <= 1/(10 L) it uses mu eta~ <= 1, which mu <= L gives; where mu > L, F is "
        "constant and (47) says nothing.",
    )
    AT_Y = (
        UPPER.at({fy: f_y, fx: f0, along: ip(grad, y - P), far2: n2(y - P)}, weight=1),
        times(-1, Eq(F0, f0 + g0), "definition: (1), F = f + g"),
        times(1, Eq(F_y, f_y + g_y), "definition: (1), F = f + g"),
        times(1, Fs <= F_y, "definition: F* is the least value"),
    )
    FLAT = quad(
        "prox_pl.flat",
        f"{WHERE}, what it asks of mu",
        (mu - L) / 2 * n2(y - P) <= 0,
        (mu > 0, L > 0),
        AT_Y,
        times(1 / mu, substitute(INEQUALITY, {a: mu}), PROX_PL.id),
        note="Smoothness makes the model at y at least F(y) - F(x) + (mu - L)/2 |y - x|^2.",
    )
    CONSTANT = quad(
        "prox_pl.constant",
        f"{WHERE}, what it asks of mu",
        F0 <= Fs,
        mu > L,
        L > 0,
        times(1 / mu, substitute(INEQUALITY, {a: mu}), PROX_PL.id),
        assume("meaning: prox_pl.flat, mu > L: y is x itself", Eq(y, P), Eq(g_y, g0)),
        note="With mu > L every point is a minimiser: F is constant where g is finite. Otherwise mu <= L.",
    )
    STRONG = quad(
        "prox_pl.strongly_convex",
        "Remark 3.7, f strongly convex",
        mu * (F0 - Fs) <= -mu * (ip(grad, y - P) + mu / 2 * n2(y - P) + g_y - g0),
        (mu > 0, mu <= mu_sc),
        times(
            mu,
            ip(grad, y - P) + mu / 2 * n2(y - P) + g_y <= ip(grad, best - P) + mu / 2 * n2(best - P) + g_best,
            "definition: y attains the minimum in D_g",
        ),
        times(mu, f0 + ip(grad, best - P) + mu_sc / 2 * n2(best - P) <= f_best, STRONGLY_CONVEX.id),
        times(mu, Eq(Fs, f_best + g_best), "definition: F* is attained"),
        times(-mu, Eq(F0, f0 + g0), "definition: (1), F = f + g"),
        note="Strong convexity of f is enough, at every x and for every convex g, with mu up to mu_sc.",
    )
    DEFECT = quad(
        "prox_pl.strongly_convex.end",
        "Remark 3.7, f strongly convex",
        defect <= 0,
        (mu > 0, mu <= mu_sc),
        STRONG.at(weight=1),
        times(
            1,
            Eq(defect, mu * (F0 - Fs) - -mu * (ip(grad, y - P) + mu / 2 * n2(y - P) + g_y - g0)),
            "definition: mu (F(x) - F*) less D_g(x, mu)/2",
        ),
    )
    SLOPE = quad(
        "prox_pl.slope",
        f"{WHERE}, in terms of subgradients",
        2 * mu * (F0 - Fs) <= n2(grad + h_P),
        mu > 0,
        times(2, substitute(INEQUALITY, {a: mu}), PROX_PL.id),
        times(2 * mu, g0 + ip(h_P, y - P) <= g_y, "definition: a subgradient of g at x"),
        note="For every subgradient of F: the Kurdyka-Lojasiewicz inequality with exponent 1/2.",
    )
    GROWTH = quad(
        "prox_pl.growth",
        "[11, Theorem 2 and Appendix G]",
        mu / 2 * far2_solutions <= F0 - Fs,
        mu > 0,
        SLOPE.at(),
        rule="cite",
        note="Where every subgradient is at least this long, F grows quadratically away from its minimisers; "
        "by Ekeland's principle, as in Ioffe's theorem on slopes and error bounds.",
    )
