"""Lemma 2, (36)-(43): the gradient mapping bounds the surrogate's gradient."""

from __future__ import annotations

from fedproof.papers.fedproxvr.notation import mu
from fedproof.papers.fedproxvr.proofs.vectors import fact
from fedproof.proof.prelude import *

#: the point, the proximal step from it, the round's start; grad F_n(w), grad J_n(w), the gradient mapping
w, plus, start, grad_F, grad_J, G = vectors("w plus start grad_F grad_J G")
x, y = vectors("x y")
eta, alpha = number("eta"), number("alpha")

LATEX_NAMES = (
    (plus, "w^{+}"),
    (start, r"\bar w^{(s-1)}"),
    (grad_F, r"\nabla F_n(w)"),
    (grad_J, r"\nabla J_n(w)"),
    (G, "G_n(w)"),
    (eta, r"\eta"),
    (alpha, r"\alpha"),
)
POSITIVE = (eta > 0, mu >= 0)

with printed():
    MAPPING = assume(
        "definition: w+ = prox(w - eta grad F_n(w)) by (10), G_n by (30), J_n by (6)",
        Eq(plus, eta / (1 + eta * mu) * (mu * start + 1 / eta * (w - eta * grad_F))),
        Eq(G, 1 / eta * (w - plus)),
        Eq(grad_J, grad_F + mu * (w - start)),
    )
    EQ37 = fact(
        "eq37", "eq. (37)", Eq(G, 1 / eta * (w - plus)), POSITIVE, MAPPING, rule="quad", reads=LATEX_NAMES
    )
    EQ38 = fact(
        "eq38",
        "eq. (38)",
        Eq(G, grad_F + mu * (plus - start)),
        POSITIVE,
        MAPPING,
        rule="quad",
        reads=LATEX_NAMES,
    )
    EQ43 = fact(
        "eq43",
        "eq. (43)",
        n2(x + y) <= (1 + alpha) * n2(x) + (1 + 1 / alpha) * n2(y),
        alpha > 0,
        rule="quad",
        reads=LATEX_NAMES,
        note="Young's inequality; the paper does not say alpha > 0.",
    )
    EQ39 = fact(
        "eq39",
        "eq. (39)",
        n2(grad_J) <= 2 * n2(grad_F - G) + 2 * n2(G),
        POSITIVE,
        MAPPING,
        rule="quad",
        reads=LATEX_NAMES,
        flaw="misprint",
        note="Printed with grad F_n for grad J_n in the first norm, in both renderings; the two differ by "
        "mu (w - start). (40) goes on with grad J_n, so Lemma 2 is unaffected.",
    )
    EQ39_REPAIRED = fact(
        "eq39.repaired",
        "eq. (39)",
        n2(grad_J) <= 2 * n2(grad_J - G) + 2 * n2(G),
        EQ43.at({x: grad_J - G, y: G, alpha: 1}),
        rule="quad",
        reads=LATEX_NAMES,
        repairs="fedproxvr.eq39",
    )
    EQ40 = fact(
        "eq40",
        "eq. (40)",
        Eq(2 * n2(grad_J - G) + 2 * n2(G), 2 * n2(mu * (w - start) - mu * (plus - start)) + 2 * n2(G)),
        POSITIVE,
        EQ38.at(),
        assume("definition: J_n by (6)", Eq(grad_J, grad_F + mu * (w - start))),
        rule="quad",
        reads=LATEX_NAMES,
        note="From (39) with grad J_n in its first norm.",
    )
    EQ41 = fact(
        "eq41",
        "eq. (41)",
        Eq(
            2 * n2(mu * (w - start) - mu * (plus - start)) + 2 * n2(G),
            2 * mu**2 * n2(w - plus) + 2 * n2(G),
        ),
        rule="quad",
        reads=LATEX_NAMES,
    )
    EQ42 = fact(
        "eq42",
        "eq. (42)",
        Eq(2 * mu**2 * n2(w - plus) + 2 * n2(G), 2 * (mu**2 * eta**2 + 1) * n2(G)),
        POSITIVE,
        EQ37.at(),
        rule="quad",
        reads=LATEX_NAMES,
    )
    EQ36 = fact(
        "eq36",
        "Lemma 2, eq. (36)",
        n2(grad_J) <= 2 * (mu**2 * eta**2 + 1) * n2(G),
        POSITIVE,
        MAPPING,
        EQ39_REPAIRED.at(weight=1),
        EQ40.at(weight=1),
        EQ41.at(weight=1),
        EQ42.at(weight=1),
        rule="quad",
        reads=LATEX_NAMES,
    )
