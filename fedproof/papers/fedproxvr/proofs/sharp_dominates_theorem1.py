"""Theorem 1, sharpened, applies wherever it applies as printed, and promises at least as much.

Provided that lam <= 12 L; a gradient that is L-Lipschitz has lam <= L. Theta > 0 as printed asks for
mt >= 2 L, and there the sharpened theorem loses less of 1 (`LOSSES`).
"""

from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.papers.fedproxvr.statements import sharp_formulas as g
from fedproof.proof.substitution import substitute

by = step_writer("fedproxvr", __name__, "Theorem 1, as printed and sharpened")
S = number("S", r"\sqrt{1+\bar\sigma^2}")
t = number("t", r"\theta\sqrt{1+\bar\sigma^2}")
x = number("x", r"\tfrac{L}{\tilde\mu}")
ell = number("ell", r"\tfrac{\lambda}{\tilde\mu}")
y = number("y", r"\tfrac{L}{L+\mu}")
kept = number("kept", r"\mu\Theta")
left = number("left", r"\varrho")
theta2 = number("theta2", r"\theta'")
q2 = number("q2", "q'")
SMALLER = {theta: theta2, q: q2}
#: how large lam/L may be
MOST = 12


with printed():
    ROOT = by.real("sharp.dominates.root")(
        rational(7, 5) * sqrt(1 + sigma2) <= sqrt(2 * (1 + sigma2)),
        sigma2 >= 0,
    )
    SPREAD = by.real("sharp.dominates.spread")(
        sqrt(1 + sigma2) <= sqrt((1 + theta**2) * (1 + sigma2)),
        sigma2 >= 0,
    )
    #: what the printed theorem leaves of 1, at most, and what the sharpened one does
    MOST_LEFT = 1 - rational(7, 5) * t - 2 * x * S - 2 * x * (1 + ell) * S**2
    LEFT = 1 - (S - 1) / 2 * (x + ell) - t * (1 + x + ell)
    LOSS = 2 * x * S + 2 * x * (1 + ell) * S**2
    KNOWN = (S >= 1, x > 0, ell >= 0, ell <= MOST * x)
    STEEP = by.real("sharp.dominates.steep")(
        rational(39, 10) * x + 2 * x * ell <= LOSS - (S - 1) / 2 * (x + ell),
        KNOWN,
        note="A larger dissimilarity costs the printed theorem more.",
    )
    LEAST = by.real("sharp.dominates.least")(4 * x + 2 * x * ell <= LOSS, KNOWN)
    WORTH = by.real("sharp.dominates.worth")(
        t * (x + ell - rational(2, 5)) <= rational(12, 5) * x + 2 * x * ell,
        (t >= 0, x > 0, ell >= 0, ell <= MOST * x, rational(7, 5) * t + 4 * x + 2 * x * ell <= 1),
    )
    LOSSES = by.sum("sharp.dominates.losses")(
        MOST_LEFT <= LEFT - rational(3, 2) * x,
        (*KNOWN, t >= 0, MOST_LEFT >= 0),
        STEEP.at(),
        LEAST.at(),
        WORTH.at(),
        note="The sharpened theorem loses less of 1, with 3x/2 to spare.",
    )
    NOT_MORE = by.real("sharp.dominates.left")(LEFT <= 1, (*KNOWN, t >= 0))
    PARABOLA = by.real("sharp.dominates.parabola")(
        left - rational(3, 2) * x <= (1 - y) * left * (1 - y * left / 2),
        (left >= 0, left <= 1, y >= 0, y <= x, y <= 1),
    )
    LEAVES = by.sum("sharp.dominates.leaves")(
        rational(3, 2) * x <= LEFT,
        (*KNOWN, t >= 0, MOST_LEFT >= 0),
        MOST_LEFT >= 0,
        LOSSES.at(),
    )
    SOME = by.sum("sharp.dominates.some")(
        LEFT >= 0,
        (*KNOWN, t >= 0, MOST_LEFT >= 0),
        x > 0,
        LEAVES.at(),
    )
    COMPARED = by.sum("sharp.dominates.compared")(
        MOST_LEFT <= (1 - y) * LEFT * (1 - y * LEFT / 2),
        (*KNOWN, t >= 0, MOST_LEFT >= 0, y >= 0, y <= x, y <= 1),
        used(LOSSES, SOME, NOT_MORE),
        PARABOLA.at({left: LEFT}),
    )
    HALF = by.real("sharp.dominates.half")(2 * x <= 1, (*KNOWN, t >= 0, MOST_LEFT >= 0))
    MARGIN = assume("definition: mt = mu - lam", Eq(mu, mt + lam))
    DEFINED = assume("definition: the sharpened q", Eq(q, g.DEVIATION))
    PLACE = (L > 0, lam >= 0, mt > 0, theta > 0, sigma2 >= 0)
    CURVED = lam <= MOST * L
    SETTING = (PLACE, CURVED, MARGIN)
    PUT = {S: sqrt(1 + sigma2), t: theta * sqrt(1 + sigma2), x: L / mt, ell: lam / mt}
    WIDTH = L / (L + mu)
    HERE = {x: L / mt, y: WIDTH, left: substitute(LEFT, PUT)}
    DESCENT = by.sum("sharp.dominates.descent")(
        f.DESCENT <= substitute(MOST_LEFT, PUT),
        PLACE,
        MARGIN,
        ROOT.at(),
        SPREAD.at(weight=2 * (L / mt)),
    )
    LARGE_S = by.real("sharp.dominates.large")(sqrt(1 + sigma2) >= 1, sigma2 >= 0)
    BELOW = by.real("sharp.dominates.curved")(lam / mt <= MOST * (L / mt), (mt > 0, CURVED))
    GIVEN = by.sum("sharp.dominates.positive")(
        substitute(MOST_LEFT, PUT) >= 0,
        PLACE,
        MARGIN,
        f.DESCENT > 0,
        DESCENT.at(),
    )
    ROOM = by.sum("sharp.dominates.room")(
        2 * (L / mt) <= 1,
        SETTING,
        f.DESCENT > 0,
        used(GIVEN, LARGE_S, BELOW),
        HALF.at(PUT),
    )
    SHORT = by.real("sharp.dominates.short")(
        g.SHORT,
        (L > 0, mt > 0, mu >= 0, 2 * (L / mt) <= 1),
        note="Where the printed theorem applies, steps are short.",
    )
    PART = by.real("sharp.dominates.part")(substitute(Eq(q, 1 - y * left), HERE), PLACE, MARGIN, DEFINED)
    ENOUGH_LEFT = by.sum("sharp.dominates.enough")(
        rational(3, 2) * (L / mt) <= substitute(LEFT, PUT),
        SETTING,
        f.DESCENT > 0,
        used(GIVEN, LARGE_S, BELOW),
        LEAVES.at(PUT),
    )
    APPLIES = by.real("sharp.dominates.applies")(g.SHORT, SETTING, f.DESCENT > 0, used(ROOM, SHORT))
    LESS = by.real("sharp.dominates.less")(
        q < 1,
        (y > 0, x > 0, rational(3, 2) * x <= left, Eq(q, 1 - y * left)),
    )
    CONTRACTS = by.real("sharp.dominates.contracts")(
        q < 1,
        SETTING,
        DEFINED,
        f.DESCENT > 0,
        used(ENOUGH_LEFT, PART),
        LESS.at(HERE),
        note="... and q < 1.",
    )
    LARGER = by.sum("sharp.dominates.larger")(
        f.DESCENT <= substitute((1 - y) * left * (1 - y * left / 2), HERE),
        SETTING,
        f.DESCENT > 0,
        used(GIVEN, LARGE_S, BELOW),
        DESCENT.at(weight=1),
        COMPARED.at({**PUT, y: WIDTH}, weight=1),
    )
    GAIN = by.real("sharp.dominates.gain")(
        1 / mu * kept <= g.FACTOR,
        (L > 0, mu > 0),
        substitute(kept <= (1 - y) * left * (1 - y * left / 2), {y: WIDTH}),
        substitute(Eq(q, 1 - y * left), {y: WIDTH}),
    )
    FACTOR = by.sum("sharp.dominates.factor")(
        f.FACTOR <= g.FACTOR,
        (*PLACE, mu > 0),
        CURVED,
        MARGIN,
        DEFINED,
        f.DESCENT > 0,
        used(PART, LARGER),
        GAIN.at({left: HERE[left], kept: f.DESCENT}, weight=1),
        note="... and the sharpened Theta is at least the printed one.",
    )
    RISES = by.real("sharp.dominates.rises")(
        q2 <= q,
        (L > 0, mt > 0, sigma2 >= 0, theta2 <= theta),
        DEFINED,
        assume("definition: the sharpened q at a smaller theta", substitute(DEFINED[0].relation, SMALLER)),
    )
    FALLS = by.real("sharp.dominates.falls")(
        g.FACTOR <= substitute(g.FACTOR, {q: q2}),
        (L > 0, q2 >= 0, q2 <= q),
        note="Theta falls as theta grows.",
    )
