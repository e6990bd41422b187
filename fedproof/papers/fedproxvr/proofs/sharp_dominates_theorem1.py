"""Theorem 1, sharpened, applies wherever it applies as printed, and promises at least as much.

Provided that lam <= 12 L; a gradient that is L-Lipschitz has lam <= L. Theta > 0 as printed asks for
mt >= 2 L, and there the sharpened theorem loses less of 1 (`LOSSES`).
"""

from __future__ import annotations

from sympy import sqrt

from fedproof.papers.fedproxvr.notation import *
from fedproof.papers.fedproxvr.proofs.vectors import fact
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.papers.fedproxvr.statements import sharp_formulas as g
from fedproof.proof.prelude import *
from fedproof.proof.substitution import substitute

WHERE = "Theorem 1, as printed and sharpened"
#: sqrt(1 + sigma2), theta times it, L/mt, lam/mt and L/(L + mu)
S, t, x, ell, y = (number(i) for i in ("S", "t", "x", "ell", "y"))
kept, left = number("kept"), number("left")
#: a smaller theta and its q
theta2, q2 = number("theta2"), number("q2")
SMALLER = {theta: theta2, q: q2}
#: how large lam/L may be
MOST = 12

LATEX_NAMES = (
    (S, r"\sqrt{1+\bar\sigma^2}"), (t, r"\theta\sqrt{1+\bar\sigma^2}"), (x, r"\tfrac{L}{\tilde\mu}"),
    (ell, r"\tfrac{\lambda}{\tilde\mu}"), (y, r"\tfrac{L}{L+\mu}"), (theta2, r"\theta'"), (q2, "q'"),
    (left, r"\varrho"), (kept, r"\mu\Theta"),
)  # fmt: skip

with printed():
    ROOT = fact(
        "sharp.dominates.root",
        WHERE,
        rational(7, 5) * sqrt(1 + sigma2) <= sqrt(2 * (1 + sigma2)),
        sigma2 >= 0,
    )
    SPREAD = fact(
        "sharp.dominates.spread",
        WHERE,
        sqrt(1 + sigma2) <= sqrt((1 + theta**2) * (1 + sigma2)),
        sigma2 >= 0,
    )
    #: what the printed theorem leaves of 1, at most, and what the sharpened one does
    MOST_LEFT = 1 - rational(7, 5) * t - 2 * x * S - 2 * x * (1 + ell) * S**2
    LEFT = 1 - (S - 1) / 2 * (x + ell) - t * (1 + x + ell)
    LOSS = 2 * x * S + 2 * x * (1 + ell) * S**2
    KNOWN = (S >= 1, x > 0, ell >= 0, ell <= MOST * x)
    STEEP = fact(
        "sharp.dominates.steep",
        WHERE,
        rational(39, 10) * x + 2 * x * ell <= LOSS - (S - 1) / 2 * (x + ell),
        KNOWN,
        reads=LATEX_NAMES,
        note="A larger dissimilarity costs the printed theorem more.",
    )
    LEAST = fact("sharp.dominates.least", WHERE, 4 * x + 2 * x * ell <= LOSS, KNOWN, reads=LATEX_NAMES)
    WORTH = fact(
        "sharp.dominates.worth",
        WHERE,
        t * (x + ell - rational(2, 5)) <= rational(12, 5) * x + 2 * x * ell,
        (t >= 0, x > 0, ell >= 0, ell <= MOST * x, rational(7, 5) * t + 4 * x + 2 * x * ell <= 1),
        reads=LATEX_NAMES,
    )
    LOSSES = fact(
        "sharp.dominates.losses",
        WHERE,
        MOST_LEFT <= LEFT - rational(3, 2) * x,
        (*KNOWN, t >= 0, MOST_LEFT >= 0),
        STEEP.at(weight=1),
        LEAST.at(weight=0),
        WORTH.at(weight=1),
        rule="sum",
        reads=LATEX_NAMES,
        note="The sharpened theorem loses less of 1, with 3x/2 to spare.",
    )
    NOT_MORE = fact("sharp.dominates.left", WHERE, LEFT <= 1, (*KNOWN, t >= 0), reads=LATEX_NAMES)
    PARABOLA = fact(
        "sharp.dominates.parabola",
        WHERE,
        left - rational(3, 2) * x <= (1 - y) * left * (1 - y * left / 2),
        (left >= 0, left <= 1, y >= 0, y <= x, y <= 1),
        reads=LATEX_NAMES,
    )
    LEAVES = fact(
        "sharp.dominates.leaves",
        WHERE,
        rational(3, 2) * x <= LEFT,
        (*KNOWN, t >= 0, MOST_LEFT >= 0),
        times(1, MOST_LEFT >= 0),
        LOSSES.at(weight=1),
        rule="sum",
        reads=LATEX_NAMES,
    )
    SOME = fact(
        "sharp.dominates.some",
        WHERE,
        LEFT >= 0,
        (*KNOWN, t >= 0, MOST_LEFT >= 0),
        times(rational(3, 2), x > 0),
        LEAVES.at(weight=1),
        rule="sum",
        reads=LATEX_NAMES,
    )
    COMPARED = fact(
        "sharp.dominates.compared",
        WHERE,
        MOST_LEFT <= (1 - y) * LEFT * (1 - y * LEFT / 2),
        (*KNOWN, t >= 0, MOST_LEFT >= 0, y >= 0, y <= x, y <= 1),
        LOSSES.at(weight=1),
        SOME.at(weight=0),
        NOT_MORE.at(weight=0),
        PARABOLA.at({left: LEFT}, weight=1),
        rule="sum",
        reads=LATEX_NAMES,
    )
    HALF = fact(
        "sharp.dominates.half", WHERE, 2 * x <= 1, (*KNOWN, t >= 0, MOST_LEFT >= 0), reads=LATEX_NAMES
    )
    MARGIN = assume("definition: mt = mu - lam", Eq(mu, mt + lam))
    DEFINED = assume("definition: the sharpened q", Eq(q, g.DEVIATION))
    PLACE = (L > 0, lam >= 0, mt > 0, theta > 0, sigma2 >= 0)
    CURVED = lam <= MOST * L
    PUT = {S: sqrt(1 + sigma2), t: theta * sqrt(1 + sigma2), x: L / mt, ell: lam / mt}
    WIDTH = L / (L + mu)
    HERE = {x: L / mt, y: WIDTH, left: substitute(LEFT, PUT)}
    DESCENT = fact(
        "sharp.dominates.descent",
        WHERE,
        f.DESCENT <= substitute(MOST_LEFT, PUT),
        PLACE,
        MARGIN,
        ROOT.at(weight=theta),
        SPREAD.at(weight=2 * (L / mt)),
        rule="sum",
    )
    LARGE_S = fact("sharp.dominates.large", WHERE, sqrt(1 + sigma2) >= 1, sigma2 >= 0)
    BELOW = fact(
        "sharp.dominates.curved",
        WHERE,
        lam / mt <= MOST * (L / mt),
        (mt > 0, CURVED),
    )
    GIVEN = fact(
        "sharp.dominates.positive",
        WHERE,
        substitute(MOST_LEFT, PUT) >= 0,
        PLACE,
        MARGIN,
        times(1, f.DESCENT > 0),
        DESCENT.at(weight=1),
        rule="sum",
    )
    ROOM = fact(
        "sharp.dominates.room",
        WHERE,
        2 * (L / mt) <= 1,
        PLACE,
        CURVED,
        MARGIN,
        f.DESCENT > 0,
        GIVEN.at(weight=0),
        LARGE_S.at(weight=0),
        BELOW.at(weight=0),
        HALF.at(PUT, weight=1),
        rule="sum",
    )
    SHORT = fact(
        "sharp.dominates.short",
        WHERE,
        g.SHORT,
        (L > 0, mt > 0, mu >= 0, 2 * (L / mt) <= 1),
        note="Where the printed theorem applies, steps are short.",
    )
    PART = fact(
        "sharp.dominates.part",
        WHERE,
        substitute(Eq(q, 1 - y * left), HERE),
        PLACE,
        MARGIN,
        DEFINED,
    )
    ENOUGH_LEFT = fact(
        "sharp.dominates.enough",
        WHERE,
        rational(3, 2) * (L / mt) <= substitute(LEFT, PUT),
        PLACE,
        CURVED,
        MARGIN,
        f.DESCENT > 0,
        GIVEN.at(weight=0),
        LARGE_S.at(weight=0),
        BELOW.at(weight=0),
        LEAVES.at(PUT, weight=1),
        rule="sum",
    )
    APPLIES = fact(
        "sharp.dominates.applies",
        WHERE,
        g.SHORT,
        PLACE,
        CURVED,
        MARGIN,
        f.DESCENT > 0,
        ROOM.at(),
        SHORT.at(),
    )
    LESS = fact(
        "sharp.dominates.less",
        WHERE,
        q < 1,
        (y > 0, x > 0, rational(3, 2) * x <= left, Eq(q, 1 - y * left)),
        reads=LATEX_NAMES,
    )
    CONTRACTS = fact(
        "sharp.dominates.contracts",
        WHERE,
        q < 1,
        PLACE,
        CURVED,
        MARGIN,
        DEFINED,
        f.DESCENT > 0,
        ENOUGH_LEFT.at(),
        PART.at(),
        LESS.at(HERE),
        note="... and q < 1.",
    )
    LARGER = fact(
        "sharp.dominates.larger",
        WHERE,
        f.DESCENT <= substitute((1 - y) * left * (1 - y * left / 2), HERE),
        PLACE,
        CURVED,
        MARGIN,
        f.DESCENT > 0,
        GIVEN.at(weight=0),
        LARGE_S.at(weight=0),
        BELOW.at(weight=0),
        DESCENT.at(weight=1),
        COMPARED.at({**PUT, y: WIDTH}, weight=1),
        rule="sum",
    )
    GAIN = fact(
        "sharp.dominates.gain",
        WHERE,
        1 / mu * kept <= g.FACTOR,
        (
            L > 0,
            mu > 0,
            *(
                substitute(r, {y: WIDTH})
                for r in (kept <= (1 - y) * left * (1 - y * left / 2), Eq(q, 1 - y * left))
            ),
        ),
        reads=LATEX_NAMES,
    )
    FACTOR = fact(
        "sharp.dominates.factor",
        WHERE,
        f.FACTOR <= g.FACTOR,
        (*PLACE, mu > 0),
        CURVED,
        MARGIN,
        DEFINED,
        f.DESCENT > 0,
        PART.at(weight=0),
        LARGER.at(weight=0),
        GAIN.at({left: HERE[left], kept: f.DESCENT}, weight=1),
        rule="sum",
        note="... and the sharpened Theta is at least the printed one.",
    )
    RISES = fact(
        "sharp.dominates.rises",
        WHERE,
        q2 <= q,
        (L > 0, mt > 0, sigma2 >= 0, theta2 <= theta),
        DEFINED,
        assume("definition: the sharpened q at a smaller theta", substitute(DEFINED[0].relation, SMALLER)),
        reads=LATEX_NAMES,
    )
    FALLS = fact(
        "sharp.dominates.falls",
        WHERE,
        g.FACTOR <= substitute(g.FACTOR, {q: q2}),
        (L > 0, q2 >= 0, q2 <= q),
        reads=LATEX_NAMES,
        note="Theta falls as theta grows.",
    )
