"""Appendix A, (25)-(35): strong convexity, one proximal step, the variances of SARAH and of SVRG."""

from fedproof.papers.fedproxvr.assumptions import SMOOTH
from fedproof.papers.fedproxvr.proofs.vectors import *

E = r"\mathbb E"
before = vector("before", "w^{(t-1)}")
w = vector("w", "w^{(t)}")
after = vector("after", "w^{(t+1)}")
hat = vector("hat", r"\hat w^{(t+1)}")
start = vector("start", r"\bar w^{(s-1)}")
other = vector("other", "u")
best = vector("best", "w^*")
grad_before = vector("grad_before", r"\nabla F_n(w^{(t-1)})")
grad = vector("grad", r"\nabla F_n(w^{(t)})")
grad_after = vector("grad_after", r"\nabla F_n(w^{(t+1)})")
grad_start = vector("grad_start", r"\nabla F_n(\bar w^{(s-1)})")
grad_J = vector("grad_J", r"\nabla J_n(w^{(t)})")
grad_best = vector("grad_best", r"\nabla J_n(w^*)")
v_before = vector("v_before", "v^{(t-1)}")
v = vector("v", "v^{(t)}")
MAPPING = vector("G", "G_n(w^{(t)})")
f_before = vector("f_before", r"\nabla f_{i_t}(w^{(t-1)})")
f_now = vector("f_now", r"\nabla f_{i_t}(w^{(t)})")
f_start = vector("f_start", r"\nabla f_{i_t}(\bar w^{(s-1)})")
F0 = number("F0", "F_n(w^{(t)})")
F1 = number("F1", "F_n(w^{(t+1)})")
J0 = number("J0", "J_n(w^{(t)})")
J1 = number("J1", "J_n(w^{(t+1)})")
J_best = number("J_best", "J_n(w^*)")
grad_least = vector("grad_least", r"\nabla F_n(w^*)")
eta = number("eta", r"\eta")
#: before the first local step
grad_first = vector("grad_first", r"\nabla F_n(w^{(0)})")
v_first = vector("v_first", "v^{(0)}")
F_best = number("F_best", "F_n(w^*)")
moment = number("moment", r"\mathbb E\|\nabla f_i(w^{(t)})-\nabla f_i(w^{(t-1)})\|^2")
t, j = numbers("t j")
err = sequence("err(t)", r"\mathbb E\|\nabla F_n(w^{(t)})-v^{(t)}\|^2", nonnegative=True)
dv = sequence("dv(t)", r"\mathbb E\|v^{(t)}-v^{(t-1)}\|^2", nonnegative=True)
df = sequence("df(j)", r"\mathbb E\|\nabla f_{i_t}(w^{(j)})-\nabla f_{i_t}(w^{(j-1)})\|^2", nonnegative=True)
D = sequence("D(t)", r"\mathbb E\|w^{(t)}-w^{(t-1)}\|^2", nonnegative=True)

SAMPLED = "definition: line 6 of Algorithm 1 picks i_t uniformly at random, whatever was picked before"
POSITIVE = (eta > 0, mu >= 0)
by = step_writer("fedproxvr", __name__)


def _surrogate(value: sp.Symbol, loss: sp.Symbol, point: Vector) -> tuple[Any, ...]:
    return assume("definition: J_n by (6), (7)", Eq(value, loss + mu / 2 * n2(point - start)))


def _prox(x: sp.Expr) -> sp.Expr:
    """(10)"""
    return eta / (1 + eta * mu) * (mu * start + 1 / eta * x)


def _least(point: Vector, x: sp.Expr) -> sp.Basic:
    """(9): no point does better than this one."""

    def value(p: Vector) -> sp.Expr:
        return mu / 2 * n2(p - start) + 1 / (2 * eta) * n2(p - x)

    return value(point) <= value(other)


with printed():
    SURROGATES = (*_surrogate(J0, F0, w), *_surrogate(J1, F1, after))
    STRONGLY_CONVEX = by.quad("strongly_convex", "below (7); above (25)")(
        J0 + ip(grad_J, after - w) + mt / 2 * n2(after - w) <= J1,
        weakly_convex(F0 + ip(grad, after - w) <= F1 + lam / 2 * n2(after - w)),
        SURROGATES,
        assume("definition: grad J_n by (6), (7)", Eq(grad_J, grad + mu * (w - start))),
        assume("definition: below (7)", Eq(mt, mu - lam)),
    )
    EQ25 = by.quad("eq25")(
        2 * mt * (J0 - J_best) <= n2(grad_J),
        mt > 0,
        STRONGLY_CONVEX.at({after: best, J1: J_best, F1: F_best}),
    )
    MONOTONE = by.quad("eq26.monotone")(
        mt * n2(w - best) <= ip(grad_J - grad_best, w - best),
        STRONGLY_CONVEX.at({after: best, J1: J_best, F1: F_best}),
        STRONGLY_CONVEX.at(
            {
                w: best,
                after: w,
                J0: J_best,
                F0: F_best,
                J1: J0,
                F1: F0,
                grad_J: grad_best,
                grad: grad_least,
            },
        ),
    )
    EQ26 = by.quad("eq26")(
        mt * norm(w - best) <= norm(grad_J),
        mt > 0,
        MONOTONE.at(),
        assume("definition: w* solves (6), so grad J_n(w*) = 0", Eq(grad_best, 0)),
    )
    LINE8 = assume("definition: line 8 of Algorithm 1 and (10)", Eq(after, _prox(w - eta * v)))
    FULL = assume("definition: (10)", Eq(hat, _prox(w - eta * grad)))
    EQ27 = by.quad("eq27")(_least(after, w - eta * v), POSITIVE, LINE8)
    EQ27_OPTIMAL = by.quad("eq27.optimal")(
        Eq(v, 1 / eta * (w - after) - mu * (after - start)),
        POSITIVE,
        LINE8,
    )
    EQ28 = by.quad("eq28")(_least(hat, w - eta * grad), POSITIVE, FULL)
    EQ28_OPTIMAL = by.quad("eq28.optimal")(Eq(grad, 1 / eta * (w - hat) - mu * (hat - start)), POSITIVE, FULL)
    SMOOTH_MEAN = by.quad("smooth_mean", "Assumption 1", mean=r"\tfrac1{D_n}\textstyle\sum_i")(
        n2(grad - grad_before) <= L**2 * n2(w - before),
        assume(
            "definition: F_n is the mean of the f_i by (1)",
            Eq(ip(f_now - f_before - (grad - grad_before), grad - grad_before), 0),
        ),
        smooth(n2(f_now - f_before) <= L**2 * n2(w - before)),
        fixed=(grad, grad_before, w, before),
        note="F_n is L-smooth, as the mean of L-smooth losses.",
    )
    DESCENT = by.cite("smooth_descent", "Assumption 1")(
        F1 <= F0 + ip(grad, after - w) + L / 2 * n2(after - w),
        L > 0,
        assume(
            SMOOTH.id, SMOOTH_MEAN.at({w: after, before: w, grad: grad_after, grad_before: grad}).relation
        ),
        note="Lemma 1.2.3 of [21]: a loss with an L-Lipschitz gradient lies below its quadratic model.",
    )
    EQ29 = by.mean("eq29")(
        J1 - J0
        <= -(1 / (3 * eta) - L) * n2(w - hat) + eta * n2(grad - v) - (5 / (8 * eta) - L / 2) * n2(after - w),
        POSITIVE,
        L > 0,
        SURROGATES,
        DESCENT.at(weight=1),
        used(EQ27_OPTIMAL, EQ28_OPTIMAL),
        note="Cited in print from [18]; proved here, and true without the -L in the first coefficient.",
        reads=(
            (J0, r"\mathbb E\,J_n(w^{(t)})"),
            (J1, r"\mathbb E\,J_n(w^{(t+1)})"),
        ),
    )
    EQ30 = by.quad("eq30")(
        Eq(MAPPING, 1 / eta * (w - hat)),
        POSITIVE,
        FULL,
        assume("definition: (30) with (10)", Eq(MAPPING, 1 / eta * (w - _prox(w - eta * grad)))),
    )
    EQ31 = by.quad("eq31")(Eq(n2(w - hat), eta**2 * n2(MAPPING)), POSITIVE, EQ30.at())

    PAST = tuple(
        assume(SAMPLED, Eq(ip(f_now - f_before - (grad - grad_before), known), 0))
        for known in (grad_before - v_before, grad - grad_before)
    )
    EQ32 = by.quad("eq32")(
        Eq(v, f_now - f_before + v_before),
        assume("definition: (8a)", Eq(v, f_now - f_before + v_before)),
    )
    EQ33_START = by.mean("eq33.start", "eq. (33), t = 0; below (44)")(
        Eq(n2(grad - v), 0),
        assume("definition: line 4 of Algorithm 1", Eq(v, grad)),
    )
    EQ33_STEP = by.mean("eq33.step", "eq. (33), from t-1 to t")(
        n2(grad - v) <= n2(grad_before - v_before) + n2(v - v_before),
        EQ32.at(),
        *PAST,
    )
    EQ33A = by.sum("eq33a", "eq. (33), <=")(
        err(t) <= total(dv(j), j, 1, t),
        t >= 0,
        EQ33_START.at({grad: grad_first, v: v_first, n2(grad - v): err(0)}),
        EQ33_STEP.at(
            {n2(grad - v): err(j), n2(grad_before - v_before): err(j - 1), n2(v - v_before): dv(j)},
            over=(j, 1, t),
        ),
    )
    EQ33B_TERM = by.mean("eq33b.term", "eq. (33), =, one term")(
        Eq(n2(v - v_before), moment),
        EQ32.at(),
        assume("meaning: the same for all i drawn as i_t is", Eq(moment, n2(f_now - f_before))),
    )
    EQ33B = by.sum("eq33b", "eq. (33), =")(
        Eq(total(dv(j), j, 1, t), total(df(j), j, 1, t)),
        t >= 0,
        EQ33B_TERM.at({n2(v - v_before): dv(j), moment: df(j)}, over=(j, 1, t)),
        note="Printed without expectations, which the first line has; read with them. The index i_t, where "
        "v^(j) uses i_j, is no slip then: for j <= t both are drawn alike, given w^(j) and w^(j-1).",
    )
    EQ33C = by.sum("eq33c", "eq. (33), second <=")(
        total(df(j), j, 1, t) <= total(L**2 * D(j), j, 1, t),
        t >= 0,
        smooth(ForAll(df(j) <= L**2 * D(j), j, 1, t)),
    )
    EQ33 = by.sum("eq33")(err(t) <= total(L**2 * D(j), j, 1, t), t >= 0, used(EQ33A, EQ33B, EQ33C))
    EQ34 = by.quad("eq34")(
        Eq(v, f_now - f_start + grad_start),
        assume("definition: (8b), v^(0) and w^(0) by line 4", Eq(v, f_now - f_start + grad_start)),
    )
    EQ35 = by.mean("eq35")(
        n2(grad - v) <= L**2 * n2(w - start),
        EQ34.at(),
        assume(SAMPLED, Eq(ip(f_now - f_start - (grad - grad_start), grad - grad_start), 0)),
        smooth(n2(f_now - f_start) <= L**2 * n2(w - start)),
        note="Cited in print from [25] and [18]; a variance is at most a second moment.",
    )
