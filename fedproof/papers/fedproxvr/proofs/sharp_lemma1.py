"""Proof of the sharpened Lemma 1: the proximal step is a gradient step, and every local step is counted.

With h quadratic, w+ = w - (v + grad h(w))/(beta L + mu). The descent lemma for the (L + mu)-smooth J_n and
the identity -2<a, b> = |a - b|^2 - |a|^2 - |b|^2 give `DESCENT`; the estimators' errors are sums of squared
local steps; summed over t = 0..tau the errors are paid by the -|w+ - w|^2, and what is left telescopes.
"""

from fedproof.papers.fedproxvr.proofs.appendix_a import DESCENT as DESCENT_LEMMA
from fedproof.papers.fedproxvr.proofs.appendix_a import after
from fedproof.papers.fedproxvr.proofs.appendix_a import grad as grad_w
from fedproof.papers.fedproxvr.proofs.lemma2 import G, eta, grad_F, grad_J, plus, start
from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import sharp_formulas as g

by = step_writer("fedproxvr", __name__, "Lemma 1, sharpened")
SAMPLING = "definition: line 6, i_t is uniform, whatever went before"
UNIFORM = "definition: line 10, t' is uniform on 0..tau"

w, v = vectors("w v")
least = vector("least", r"w_n^{*}")
at_start = vector("at_start", r"\nabla J_n(\bar w^{(s-1)})")
error = vector("error", r"\nabla F_n(w^{(t)})-v^{(t)}")
earlier = vector("earlier", r"\nabla F_n(w^{(t-1)})-v^{(t-1)}")
moved_F = vector("moved_F", r"(\nabla F_n(w^{(t)})-\nabla F_n(w^{(t-1)}))")
moved_f = vector("moved_f", r"(\nabla f_{i_t}(w^{(t)})-\nabla f_{i_t}(w^{(t-1)}))")
here = vector("here", "w^{(t)}")
before = vector("before", "w^{(t-1)}")
F0 = number("F0", "F_n(w)")
F1 = number("F1", "F_n(w^{+})")
J0 = number("J0", "J_n(w)")
J1 = number("J1", "J_n(w^{+})")
Js = number("Js", "J_n(w_n^{*})")
t, j = number("t"), number("k")
E2 = number("E2", r"\mathbb E\|\nabla J_n(w_n^{(s)})\|^2")
G0 = number("G0", r"\|\nabla F_n(\bar w^{(s-1)})\|^2")
J = sequence("J", r"\mathbb E\,J_n(w^{(\cdot)})")
grad = sequence("grad", r"\mathbb E\|\nabla J_n(w^{(\cdot)})\|^2", nonnegative=True)
D = sequence("D", r"\mathbb E\|\Delta w^{(\cdot)}\|^2", nonnegative=True)
err = sequence("err", r"\mathbb E\|\nabla F_n(w^{(\cdot)})-v^{(\cdot)}\|^2", nonnegative=True)
X = sequence("X", r"\mathbb E\|w^{(\cdot)}-\bar w^{(s-1)}\|^2", nonnegative=True)

SIZES = (L > 0, mu >= 0, beta >= 1)

with printed():
    PROX = assume(
        "definition: w+ = prox(w - eta v) by (10) with eta = 1/(beta L)",
        Eq(plus, eta / (1 + eta * mu) * (mu * start + 1 / eta * (w - eta * v))),
        Eq(eta, 1 / (beta * L)),
    )
    SURROGATE = assume("definition: J_n by (6), (7)", Eq(grad_J, grad_F + mu * (w - start)))
    SURROGATE_SMOOTH = by.quad("sharp.smooth")(
        J1 <= J0 + ip(grad_J, plus - w) + (L + mu) / 2 * n2(plus - w),
        (L > 0, mu >= 0),
        DESCENT_LEMMA.at({after: plus, grad_w: grad_F}),
        SURROGATE,
        assume(
            "definition: J_n by (6), (7), at w and w+",
            Eq(J0, F0 + mu / 2 * n2(w - start)),
            Eq(J1, F1 + mu / 2 * n2(plus - start)),
        ),
    )
    PLAIN_STEP = by.quad("sharp.step")(
        Eq(plus, w - 1 / (beta * L + mu) * (v + mu * (w - start))),
        SIZES,
        PROX,
        note="The proximal step is a gradient step on the surrogate, of size 1/(beta L + mu).",
    )
    MAPPING = by.quad("sharp.mapping", "Lemma 2, sharpened")(
        Eq(grad_J, (1 + mu * eta) * G),
        (eta > 0, mu >= 0),
        SURROGATE,
        assume(
            "definition: w+ = prox(w - eta grad F_n(w)) by (10), G_n by (30)",
            Eq(plus, eta / (1 + eta * mu) * (mu * start + 1 / eta * (w - eta * grad_F))),
            Eq(G, 1 / eta * (w - plus)),
        ),
        note="An equality where Lemma 2 loses a factor of up to 2.",
    )
    DESCENT = by.quad("sharp.descent")(
        J1
        <= J0
        - 1 / (2 * (beta * L + mu)) * n2(grad_J)
        - (beta - 1) * L / 2 * n2(plus - w)
        + 1 / (2 * (beta * L + mu)) * n2(grad_F - v),
        SIZES,
        used(SURROGATE_SMOOTH, PLAIN_STEP),
        SURROGATE,
        note="Replaces (29).",
    )
    SARAH_ERROR = by.mean("sharp.sarah.error")(
        n2(error) <= n2(earlier) + L**2 * n2(here - before),
        L > 0,
        assume("definition: (8a)", Eq(error, earlier + moved_F - moved_f)),
        assume(SAMPLING, Eq(ip(moved_f - moved_F, earlier), 0), Eq(ip(moved_f - moved_F, moved_F), 0)),
        smooth(n2(moved_f) <= L**2 * n2(here - before)),
    )
    SARAH_ERRORS = by.sum("sharp.sarah.errors")(
        err(t) <= total(L**2 * D(j), j, 1, t),
        (t >= 0, L > 0),
        assume("definition: v^(0) is the full gradient", Eq(err(0), 0)),
        SARAH_ERROR.at({n2(error): err(j), n2(earlier): err(j - 1), n2(here - before): D(j)}, over=(j, 1, t)),
        note="(33) from its own ingredients.",
    )
    SVRG_ERROR = by.mean("sharp.svrg.error")(
        n2(error) <= L**2 * n2(here - start),
        L > 0,
        assume("definition: (8b)", Eq(error, moved_F - moved_f)),
        assume(SAMPLING, Eq(ip(moved_f - moved_F, moved_F), 0)),
        smooth(n2(moved_f) <= L**2 * n2(here - start)),
        note="(35) from its own ingredients.",
        reads=(
            (moved_F, r"(\nabla F_n(w^{(t)})-\nabla F_n(\bar w^{(s-1)}))"),
            (moved_f, r"(\nabla f_{i_t}(w^{(t)})-\nabla f_{i_t}(\bar w^{(s-1)}))"),
            (here, "w^{(t)}"),
        ),
    )
    DRIFT = by.mean("sharp.svrg.drift")(
        n2(here - start) / t <= n2(before - start) / (t - 1) + n2(here - before),
        t >= 2,
        note="Young's inequality with weight 1/(t-1), divided by t.",
    )
    DRIFTS = by.sum("sharp.svrg.drifts")(
        X(t) / t <= total(D(j), j, 1, t),
        t >= 1,
        assume("definition: w^(0) is the round's start", X(1) <= D(1)),
        DRIFT.at(
            {n2(here - start): X(j), n2(before - start): X(j - 1), n2(here - before): D(j), t: j},
            over=(j, 2, t),
        ),
    )
    PUT = {n2(grad_J): grad(t), n2(plus - w): D(t + 1), n2(grad_F - v): err(t), J1: J(t + 1), J0: J(t)}
    _HALF = 1 / (2 * (beta * L + mu))
    _SUMMED = _HALF * total(grad(t), t, 0, tau) <= J(0) - J(tau + 1)
    SARAH_SUM = by.sum("sharp.sarah.sum")(
        _SUMMED,
        SIZES,
        tau >= 0,
        tau <= g.SARAH_UPPER,
        DESCENT.at(PUT, over=(t, 0, tau)),
        assume("definition: v^(0) is the full gradient", Eq(err(0), 0)),
        SARAH_ERRORS.at(over=(t, 1, tau)),
        note="Each |w^(j) - w^(j-1)|^2 occurs tau - j + 1 times among the errors.",
    )
    SVRG_SUM = by.sum("sharp.svrg.sum")(
        _SUMMED,
        SIZES,
        tau >= 0,
        g.SVRG_STEPS <= g.SVRG_UPPER,
        DESCENT.at(PUT, over=(t, 0, tau)),
        assume("definition: v^(0) is the full gradient", Eq(err(0), 0)),
        SVRG_ERROR.at({n2(error): err(t), n2(here - start): X(t)}, over=(t, 1, tau)),
        DRIFTS.at(over=(t, 1, tau)),
        note="Each |w^(j) - w^(j-1)|^2 occurs j + ... + tau times.",
    )
    GAP = by.quad("sharp.gap")(
        2 * mt * (J0 - Js) <= n2(at_start),
        mt > 0,
        weakly_convex(Js >= J0 + ip(at_start, least - start) + mt / 2 * n2(least - start)),
        note="(25) at the round's start.",
    )


SARAH_TAU = (tau >= 0, tau <= g.SARAH_UPPER)
SVRG_TAU = (tau >= 0, g.SVRG_STEPS <= g.SVRG_UPPER)


def _returned(name: str, summed: Step, few: tuple[sp.Basic, ...]) -> Step:
    with printed():
        return by.sum(f"sharp.{name}.returned")(
            E2 <= (beta * L + mu) / (mt * (tau + 1)) * G0,
            SIZES,
            mt > 0,
            few,
            assume(UNIFORM, Eq(E2, 1 / (tau + 1) * total(grad(t), t, 0, tau))),
            summed.at(),
            assume("meaning: w_n^* minimises J_n", Js <= J(tau + 1)),
            GAP.at({n2(at_start): G0, J0: J(0)}),
        )


def _lemma(name: str, returned: Step, few: tuple[sp.Basic, ...]) -> Step:
    with printed():
        return by.real(f"sharp.{name}.lemma1")(
            E2 <= theta**2 * G0,
            SIZES,
            (mt > 0, theta > 0),
            few,
            g.LOWER <= tau + 1,
            assume("meaning: a squared norm", G0 >= 0),
            returned.at(),
        )


SARAH_RETURNED = _returned("sarah", SARAH_SUM, SARAH_TAU)
SVRG_RETURNED = _returned("svrg", SVRG_SUM, SVRG_TAU)
SARAH, SVRG = _lemma("sarah", SARAH_RETURNED, SARAH_TAU), _lemma("svrg", SVRG_RETURNED, SVRG_TAU)
