"""Lemmas 7, 8 and 12: proximal points of weakly convex, Lipschitz functions.

f is any function, z its proximal point from w with the step size `step`. A chord of f with weights
s = 1/(1 + a^2) and 1 - s says that it is weakly convex without speaking of gradients.
"""

from fedproof.proof.language.prelude import *
from fedproof.proof.prelude import *

u, z, w = vectors("u z w")
a, step, G, nu = number("a"), number("step", r"\eta"), number("G"), number("nu", r"\nu")
f = Function("f")
by = step_writer("fedprox", __name__)
#: of the chord, and the curvature of what z minimises, halved
WEIGHT = 1 / (1 + a**2)
CURVED = (1 / step - nu) / 2
LENGTH = norm(z - w)

with printed():
    CHORD = weakly_convex_chord(f, nu, "f is weakly convex")
    LIPSCHITZ = lipschitz(f, G, "f is Lipschitz")
    NEAREST = prox(z, f, w, step, "z is the proximal point of f from w")
    LEMMA7_CHORD = by.real("lemma7.chord", "Lemma 7, on a chord")(
        f(z) + n2(z - w) / (2 * step) + (1 - WEIGHT) * CURVED * n2(z - u) <= f(u) + n2(u - w) / (2 * step),
        step > 0,
        CHORD.at(u, z, a),
        NEAREST.at(between(u, z, a)),
    )
    GAP = f(z) + n2(z - w) / (2 * step) + CURVED * n2(z - u) - (f(u) + n2(u - w) / (2 * step))
    LEMMA7 = by.real("lemma7", "Lemma 7")(
        f(z) + n2(z - w) / (2 * step) <= f(u) + n2(u - w) / (2 * step) - CURVED * n2(z - u),
        step > 0,
        CHORD.known,
        NEAREST.known,
        limit(GAP, CURVED * n2(z - u)),
        always(LEMMA7_CHORD, a),
    )
    SUBGRADIENT = by.real("lemma8.subgradient", "Lemmas 8 and 12, 0 is a subgradient of the local problem")(
        f(z) + ip((w - z) / step, u - z) - nu / 2 * n2(u - z) <= f(u),
        step > 0,
        CHORD.known,
        NEAREST.known,
        LEMMA7.at(),
        note="Where f has a gradient at z, it is (w - z)/step, as the text says.",
    )
    LEMMA8_CHORD = by.real("lemma8.chord", "Lemma 8, on a chord")(
        n2(z - w) / step - G * LENGTH <= WEIGHT * (nu / 2 * n2(z - w)),
        step > 0,
        CHORD.known,
        NEAREST.known,
        LEMMA7.at({u: between(w, z, a)}, weight=1 + a**2),
        LIPSCHITZ.at(between(w, z, a), z),
        scaled(between(w, z, a) - z, WEIGHT, z - w),
    )
    LEMMA8_LIMIT = by.real("lemma8.limit", "Lemma 8, without a gradient")(
        n2(z - w) / step <= G * LENGTH,
        step > 0,
        CHORD.known,
        NEAREST.known,
        LIPSCHITZ.known,
        limit(n2(z - w) / step - G * LENGTH, nu / 2 * n2(z - w)),
        always(LEMMA8_CHORD, a),
    )
    LEMMA8 = by.real("lemma8", "Lemmas 8 and 12")(
        LENGTH <= G * step,
        step > 0,
        G >= 0,
        CHORD.known,
        NEAREST.known,
        LIPSCHITZ.known,
        LEMMA8_LIMIT.at(),
        note="The text sets a gradient of the local loss at its proximal point to 0; f may have none there.",
    )
