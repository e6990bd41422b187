"""Algorithm 1, line by line, and the remarks below (8) and (11).

Lines 2, 3, 5, 6, 9, 11, 13 are control; 6 enters (33), (35) as unbiasedness. Three assignments are numbered
4 in one rendering of the listing; the other numbers every row, but the text's "line 8", "line 12", "lines 3
to 10" and "steps 7 and 8" fit the first. Line 14 returns the last model, of which (17), a bound on the mean
over the rounds, says nothing; line 10 never returns the model that the last pass of line 8 computes.
"""

from fedproof.papers.fedproxvr.assumptions import INEXACT
from fedproof.papers.fedproxvr.proofs.appendix_a import (
    EQ26,
    after,
    best,
    eta,
    f_before,
    f_now,
    grad_J,
    v_before,
    w,
)
from fedproof.papers.fedproxvr.proofs.domain import IN_LEMMA1
from fedproof.papers.fedproxvr.proofs.lemma3 import EQ68, size
from fedproof.papers.fedproxvr.proofs.round_vectors import *

now = vector("now", "w^{(t)}")
f_start = vector("f_start", r"\nabla f_{i_t}(w^{(0)})")
grad_0 = vector("grad_0", r"\nabla F_n(w^{(0)})")
v_0 = vector("v_0", "v^{(0)}")
v_t = vector("v_t", "v^{(t)}")
v_other = vector("v_other", "v'^{(t)}")
t = number("t")
k = number("k", "i")
dist = number("dist", r"\|w_n^{(s)}-w_n^{*}\|")
length = number("length", r"\|\nabla J_n(w_n^{(s)})\|")
value = sequence("value(t)", r"\mathbb E\|G_n(w^{(t)})\|^2", nonnegative=True)
returned = number("returned", r"\mathbb E\|G_n(w_n^{(s)})\|^2")

by = step_writer("fedproxvr", __name__)
#: within (13) with few local steps; |G_n(w^(t))|^2
_SEVEN = "L=1 lam=1 mu=100 mt=99 beta=100 theta=19/20 tau=7 " + " ".join(
    f"value_{k}=1/{4 ** (k + 1)}" for k in range(8)
)
SIZES = (eta > 0, mu >= 0)
LISTING = "Algorithm 1"


def _prox(x: sp.Expr) -> sp.Expr:
    """(10)"""
    return eta / (1 + eta * mu) * (mu * start + 1 / eta * x)


with printed():
    LINE4 = by.quad("algorithm1.line4", f"{LISTING}, line 4")(
        Eq(after, start - eta / (1 + eta * mu) * grad_0),
        SIZES,
        assume(
            "definition: line 4 of Algorithm 1",
            Eq(now, start),
            Eq(v_t, grad_0),
            Eq(after, _prox(now - eta * v_t)),
        ),
        note="The first local step is a gradient step on F_n, shortened by the proximal term. (19) does "
        "not count it, nor the full gradient that it takes.",
    )
    LINE8 = by.quad("algorithm1.line8", f"{LISTING}, line 8")(
        Eq(after, now - eta / (1 + eta * mu) * (v_t + mu * (now - start))),
        SIZES,
        assume("definition: line 8 of Algorithm 1 with (10)", Eq(after, _prox(now - eta * v_t))),
        note="A gradient step on J_n of size 1/(beta L + mu), with v for grad F_n.",
    )
    SAME = by.quad("algorithm1.line7", "eqs. (8a), (8b) at t = 1")(
        Eq(v_t, v_other),
        assume(
            "definition: (8a) and (8b) with w^(0) for w^(t-1)",
            Eq(f_before, f_start),
            Eq(v_before, v_0),
            Eq(v_t, f_now - f_before + v_before),
            Eq(v_other, f_now - f_start + v_0),
        ),
        note="SARAH and SVRG differ from the second draw on.",
    )
    AVERAGE = 1 / (tau + 1) * total(value(t), t, 0, tau)
    STEPS_TAKEN = assume("meaning: tau counts local steps", tau >= 0)
    LINE10 = by.sum("algorithm1.line10", f"{LISTING}, line 10; (52)")(
        Eq(returned, AVERAGE),
        STEPS_TAKEN,
        assume("definition: line 10 of Algorithm 1 as printed", Eq(value(tau), returned)),
        IN_LEMMA1,
        assume(
            "instance: f_i(w) = |w + 2| - 1/2 where |w + 2| >= 1 and (w + 2)^2/2 elsewhere, for every i; "
            "the round starts at 0, so w^(t) = (2^(-t) - 1)/100",
            Eq(value(0), rational(1, 4)),
            ForAll(Eq(value(t + 1), value(t) / 4), t, 0, tau - 1),
        ),
        flaw="misprint",
        witness=values(f"{_SEVEN} returned=1/65536"),
        note="It returns w^(tau) 'where t' is chosen at random', so that t' is chosen for nothing; (52) "
        "needs w^(t').",
    )
    LINE10_REPAIRED = by.sum("algorithm1.line10.repaired", f"{LISTING}, line 10; (52)")(
        Eq(returned, AVERAGE),
        STEPS_TAKEN,
        assume(
            "definition: line 10 of Algorithm 1 with w^(t'), t' uniform on 0..tau",
            Eq(returned, total(1 / (tau + 1) * value(t), t, 0, tau)),
        ),
        repairs="fedproxvr.algorithm1.line10",
    )
    NO_STEPS = by.quad("eq11.one", "below (11), theta = 1 by tau = 0")(
        norm(grad_J_local) <= 1 * norm(grad),
        EQ68.at({local: start, grad_local: grad}),
        note="With tau = 0 line 10 returns the start, where (11) holds with theta = 1, and with equality. "
        "Lemma 1 itself does not reach it: (13) and (14) need tau > 0.",
    )
    EXACT_SOLVE = by.sum("eq11.zero", "below (11), theta = 0")(
        chance(k) * residual(k) <= 0,
        assume("meaning: an outcome", k >= 1, k <= M),
        assume(INEXACT.id, expected(residual(i)) <= theta * size),
        assume("definition: theta = 0", theta <= 0),
        assume("meaning: a norm", size >= 0),
        note="So grad J_n = 0 at every outcome that can occur.",
    )
    EXACT_MODEL = by.real("eq11.zero.model", "below (11), theta = 0")(
        dist <= 0,
        mt > 0,
        assume("meaning: a norm", dist >= 0),
        length <= 0,
        EQ26.at({norm(w - best): dist, norm(grad_J): length}),
        note="And the local model is the minimiser.",
    )
