"""Lemmas 5 and 9: inexact proximal points of smooth functions; a Lipschitz function's gradient is bounded.

f is any L-smooth function; z minimises f(u) + |u - w|^2/(2 step) up to e.
"""

from fedproof.proof.language.prelude import *
from fedproof.proof.prelude import *

z, w, v = vectors("z w v")
a, step, e, G, L = number("a"), number("step", r"\eta"), number("e", r"\varepsilon"), number("G"), number("L")
f, grad = Function("f"), Field("grad", r"\nabla f")
by = step_writer("fedprox", __name__)
slope = grad(z)

with printed():
    SMOOTH = smooth(f, grad, L, "f is smooth")
    LIPSCHITZ = lipschitz(f, G, "f is Lipschitz")
    NEAREST = minimises(z, proximal(f, w, step), e, "z is nearly the proximal point")
    LEMMA5_SQUARED = by.real("lemma5.squared", "Lemmas 5 and 9, squared")(
        n2(z - w + step * slope) <= step**2 * (2 * (L + 1 / step) * e),
        L > 0,
        step > 0,
        SMOOTH.at(z, z - (slope + (z - w) / step) / (L + 1 / step)),
        NEAREST.at(z - (slope + (z - w) / step) / (L + 1 / step)),
    )
    LEMMA5 = by.real("lemma5", "Lemmas 5 and 9")(
        norm(z - w + step * slope) <= step * sqrt(2 * (L + 1 / step) * e),
        L > 0,
        step > 0,
        e >= 0,
        SMOOTH.known,
        NEAREST.known,
        LEMMA5_SQUARED.at(),
        note="The text's eta < 1/L, by which the local problem has a minimiser, is not needed for this.",
    )
    SHORT = z - 1 / (1 + a**2) * slope
    BOUNDED_NEAR = by.real("gradient.near", "Theorem 1, |grad| <= G, a short step")(
        n2(slope) - G * norm(slope) <= 1 / (1 + a**2) * (L / 2 * n2(slope)),
        L > 0,
        SMOOTH.at(z, SHORT),
        LIPSCHITZ.at(z, SHORT),
        scaled(z - SHORT, 1 / (1 + a**2), slope),
    )
    BOUNDED_LIMIT = by.real("gradient.limit", "Theorem 1, |grad| <= G, the limit")(
        n2(slope) <= G * norm(slope),
        L > 0,
        SMOOTH.known,
        LIPSCHITZ.known,
        limit(n2(slope) - G * norm(slope), L / 2 * n2(slope)),
        always(BOUNDED_NEAR, a),
    )
    BOUNDED = by.real("gradient", "Theorem 1, the gradient of a G-Lipschitz loss")(
        n2(slope) <= G**2, L > 0, G >= 0, SMOOTH.known, LIPSCHITZ.known, BOUNDED_LIMIT.at()
    )
