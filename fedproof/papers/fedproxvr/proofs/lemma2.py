"""Lemma 2, (36)-(43): the gradient mapping bounds the surrogate's gradient."""

from fedproof.papers.fedproxvr.proofs.domain import IN_THEOREM1, WITHIN
from fedproof.papers.fedproxvr.proofs.vectors import *

by = step_writer("fedproxvr", __name__)

#: the point
w = vectors("w")
plus = vector("plus", "w^{+}")
start = vector("start", r"\bar w^{(s-1)}")
grad_F = vector("grad_F", r"\nabla F_n(w)")
grad_J = vector("grad_J", r"\nabla J_n(w)")
G = vector("G", "G_n(w)")
x, y = vectors("x y")
eta = number("eta", r"\eta")
alpha = number("alpha", r"\alpha")

POSITIVE = (eta > 0, mu >= 0)

with printed():
    MAPPING = assume(
        "definition: w+ = prox(w - eta grad F_n(w)) by (10), G_n by (30), J_n by (6)",
        Eq(plus, eta / (1 + eta * mu) * (mu * start + 1 / eta * (w - eta * grad_F))),
        Eq(G, 1 / eta * (w - plus)),
        Eq(grad_J, grad_F + mu * (w - start)),
    )
    SETTING = (POSITIVE, MAPPING)
    EQ37 = by.quad("eq37")(Eq(G, 1 / eta * (w - plus)), SETTING)
    EQ38 = by.quad("eq38")(Eq(G, grad_F + mu * (plus - start)), SETTING)
    EQ43 = by.quad("eq43")(
        n2(x + y) <= (1 + alpha) * n2(x) + (1 + 1 / alpha) * n2(y),
        alpha > 0,
        note="Young's inequality; the paper does not say alpha > 0.",
    )
    EQ39 = by.quad("eq39")(
        n2(grad_J) <= 2 * n2(grad_F - G) + 2 * n2(G),
        SETTING,
        IN_THEOREM1,
        assume("definition: eta by beta", Eq(eta, 1 / (beta * L))),
        assume("instance: F_n(w) = (w + 15/16)^2/2, the round starts at 0; at w = 1/16", Eq(start, 0)),
        flaw="misprint",
        witness=values(f"{WITHIN} eta=1/16 w_1=1/16 grad_F_1=1"),
        note="Printed with grad F_n for grad J_n in the first norm, in both renderings; the two differ by "
        "mu (w - start). (40) goes on with grad J_n, so Lemma 2 is unaffected.",
    )
    EQ39_REPAIRED = by.quad("eq39.repaired")(
        n2(grad_J) <= 2 * n2(grad_J - G) + 2 * n2(G),
        EQ43.at({x: grad_J - G, y: G, alpha: 1}),
        repairs="fedproxvr.eq39",
    )
    EQ40 = by.quad("eq40")(
        Eq(2 * n2(grad_J - G) + 2 * n2(G), 2 * n2(mu * (w - start) - mu * (plus - start)) + 2 * n2(G)),
        POSITIVE,
        EQ38.at(),
        assume("definition: J_n by (6)", Eq(grad_J, grad_F + mu * (w - start))),
        note="From (39) with grad J_n in its first norm.",
    )
    EQ41 = by.quad("eq41")(
        Eq(2 * n2(mu * (w - start) - mu * (plus - start)) + 2 * n2(G), 2 * mu**2 * n2(w - plus) + 2 * n2(G)),
    )
    EQ42 = by.quad("eq42")(
        Eq(2 * mu**2 * n2(w - plus) + 2 * n2(G), 2 * (mu**2 * eta**2 + 1) * n2(G)),
        POSITIVE,
        EQ37.at(),
    )
    EQ36 = by.quad("eq36", "Lemma 2, eq. (36)")(
        n2(grad_J) <= 2 * (mu**2 * eta**2 + 1) * n2(G),
        SETTING,
        used(EQ39_REPAIRED, EQ40, EQ41, EQ42),
    )
