"""Theorem 3.8 over all rounds, as printed and sharpened."""

from fedproof.papers.composite.assumptions import STRONGLY_CONVEX
from fedproof.papers.composite.proofs import theorem38
from fedproof.papers.composite.proofs.fact1 import UPPER, along, alongi, far2, fx, fxi, fy, fyi, i
from fedproof.papers.composite.proofs.metric_relations import Osc, dist2, r
from fedproof.papers.composite.proofs.potential import NOISE, SIZES
from fedproof.papers.composite.proofs.theorem38 import CURVED, LONG_SERVER, WHERE, dist0, dist1
from fedproof.papers.composite.proofs.theorems import Lam
from fedproof.papers.composite.proofs.vectors import *
from fedproof.papers.composite.statements import formulas as f
from fedproof.papers.composite.statements import strengthened_formulas as strong

p = sequence("p(r)", r"(1-\mu_{sc}\tilde\eta)^{R-r}", nonnegative=True)
third = sequence("third(r)", r"(1-\tfrac{\mu_{sc}\tilde\eta}{3})^{R-r}", nonnegative=True)
#: what a round's noise adds, over eta~^2
floor = number("floor", r"\nu")
kept_sc = number("kept_sc", r"(1-\tfrac{\mu_{sc}\tilde\eta}{3})^{R}")
kept_sc_sharp = number("kept_sc_sharp", r"(1-\mu_{sc}\tilde\eta)^{R}")
#: the clients' losses at two points of the space, and along what lies between
herei, therei = sequence("herei(i)", r"f_i(\mathbf x)"), sequence("therei(i)", r"f_i(\mathbf y)")
aparti = sequence("aparti(i)", r"\langle\nabla f_i(\mathbf x),\mathbf y-\mathbf x\rangle")
by = step_writer("composite", __name__, WHERE)
#: one round, by what it begins with and ends with
AT = {dist0: dist2(r), dist1: dist2(r + 1), Lam2: Lam(r), spread: Lam(r + 1)}


with printed():
    START = Eq(Omega1_sc, dist2(1) + Lam(1))
    WHY_START = "definition: Omega_sc, Remark 3.7"
    ROUNDS = assume("meaning: there is a round", R >= 1)
    CURVATURE = by.real("theorem3.8.curvature")(
        mu_sc <= L,
        (mu_sc > 0, L > 0),
        assume("meaning: two points of the space", far2 > 0),
        assume(STRONGLY_CONVEX.id, fx + along + mu_sc / 2 * far2 <= fy),
        UPPER.at({fxi(i): herei(i), fyi(i): therei(i), alongi(i): aparti(i)}),
    )
    STEPS_SHORT, STEPS_SHORTER = (
        tuple(
            by.real(f"theorem3.8.{name}")(
                claim,
                (L > 0, eta_t > 0),
                CURVED,
                condition,
                CURVATURE.at(),
            )
            for name, claim in zip(names, claims, strict=True)
        )
        for names, claims, condition in (
            (("short", "short.change", "short.curved"), theorem38.SHORT, strong.STEP_SC),
            (("shorter", "shorter.change", "shorter.curved"), theorem38.SHORTER, f.STEP_SC),
        )
    )
    FLOOR = (rational(21, 5) + rational(3, 5) * (n / eta_g**2)) * NOISE
    NAMED = assume("definition: a name for the noise of a round", Eq(floor, FLOOR))
    NINTH = rational(1, 9)
    ROUND = by.sum("theorem3.8.round.named")(
        dist1 + NINTH * spread <= (1 - mu_sc * eta_t) * (dist0 + NINTH * Lam2) + eta_t**2 * floor,
        SIZES,
        LONG_SERVER,
        CURVED,
        strong.STEP_SC,
        used(*STEPS_SHORT, theorem38.ROUND),
        NAMED,
    )
    HELD = eta_t / mu_sc * floor
    FALLING = ForAll(Eq(p(r - 1), (1 - mu_sc * eta_t) * p(r)), r, 1, R)
    POWER = "definition: the powers of 1 - mu_sc eta~"
    FALLS = by.sum("theorem3.8.sharpened.rounds", "Theorem 3.8, sharpened")(
        dist2(R + 1) <= kept_sc_sharp * Omega1_sc + HELD,
        (*SIZES, *LONG_SERVER, *CURVED, strong.STEP_SC),
        ROUNDS,
        assume("meaning: a mean square", floor >= 0),
        ROUND.at(AT, over=(r, 1, R)),
        assume(POWER, FALLING, Eq(p(0), kept_sc_sharp)),
        times(HELD - (dist2(R + 1) + NINTH * Lam(R + 1)), Eq(p(R), 1), POWER),
        times(-p(0), START, WHY_START),
        note="Round r with the weight (1 - mu_sc eta~)^(R-r); the potential's weight is 1/9.",
    )
    SHARP38 = by.sum("theorem3.8.sharpened.end", "Theorem 3.8, sharpened")(
        dist2(R + 1) <= strong.DISTANCE,
        (*SIZES, *LONG_SERVER, *CURVED, strong.STEP_SC),
        ROUNDS,
        FALLS.at(),
        NAMED,
    )
    FALLING3 = ForAll(Eq(third(r - 1), (1 - mu_sc * eta_t / 3) * third(r)), r, 1, R)
    POWER3 = "definition: the powers of 1 - mu_sc eta~/3"
    HELD3 = rational(51, 2) * (eta_t / mu_sc) * NOISE
    THEOREM38 = by.sum("theorem3.8.end", "Theorem 3.8; this proof is not in the text")(
        Osc(R + 1) <= f.THEOREM38,
        SIZES,
        LONG_SERVER,
        Eq(n / eta_g**2, 1),
        CURVED,
        f.STEP_SC,
        ROUNDS,
        used(*STEPS_SHORTER),
        theorem38.ROUND_PRINTED.at(AT, over=(r, 1, R)),
        assume(POWER3, FALLING3, Eq(third(0), kept_sc)),
        times(HELD3 - (dist2(R + 1) + Lam(R + 1)), Eq(third(R), 1), POWER3),
        times(-third(0), START, WHY_START),
        assume(WHY_START, Eq(Osc(R + 1), dist2(R + 1) + Lam(R + 1))),
        note="The printed constants are not needed: 25.5 for 30, nothing for 21.",
    )
