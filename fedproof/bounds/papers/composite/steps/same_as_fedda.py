"""Sec. 4.1: whether FedDA and the algorithm are the same with tau = 1.

One client, d = 1, f(x) = (x - c)^2/2 and g = theta |x|. FedDA adds all gradients up and takes one proximal
step with the elapsed step size, the algorithm one with each gradient; the first round is the same.
"""

from __future__ import annotations

from functools import partial

import sympy as sp

from fedproof.bounds.expressions import printed
from fedproof.bounds.papers.composite.steps.words import ETA_T, Eq, fact, number
from fedproof.bounds.papers.composite.symbols import eta, eta_g, eta_t, tau, vartheta
from fedproof.bounds.step import Given, assume

__all__ = ["STEPS"]

WHERE = "Sec. 4.1, discussion of Fig. 2"
#: the start, the minimiser of f; the server's models after rounds 1 and 2, of the algorithm and of FedDA
x0, c, x1, x2, y1, y2, difference = (number(k) for k in ("x0", "c", "x1", "x2", "y1", "y2", "difference"))
READS = (
    (x0, "x^{1}"), (c, "c"), (x1, "x^{2}"), (x2, "x^{3}"), (y1, "y^{2}"), (y2, "y^{3}"),
    (difference, "(x^{3}-y^{3})^{2}"), (vartheta, r"\vartheta"),
)  # fmt: skip
real = partial(fact, reads=READS)


def _prox(at: sp.Expr, scale: sp.Expr, found: sp.Symbol, what: str) -> tuple[Given, ...]:
    """What makes a number the proximal point of theta |x| with a step size."""
    with printed():
        return assume(
            f"definition: {what}",
            sp.Abs(at - found) <= scale * vartheta,
            Eq((at - found) * found, scale * vartheta * sp.Abs(found)),
        )


with printed():
    FIRST = x0 - eta_t * (x0 - c)
    RECURSIONS = (
        *_prox(FIRST, eta_t, x1, "the algorithm's first round"),
        *_prox(x1 - eta_t * (x1 - c), eta_t, x2, "the algorithm's second round"),
        *_prox(FIRST, eta_t, y1, "FedDA's first round"),
        *_prox(FIRST - eta_t * (y1 - c), 2 * eta_t, y2, "FedDA's second round, elapsed step 2 eta~"),
        *assume("definition: how far apart the models are", Eq(difference, (x2 - y2) ** 2)),
        *ETA_T,
    )
    FIRST_SAME = real(
        "section4.same.first",
        WHERE,
        Eq(x1, y1),
        (eta_t > 0, vartheta > 0),
        _prox(FIRST, eta_t, x1, "the algorithm's first round"),
        _prox(FIRST, eta_t, y1, "FedDA's first round"),
        note="A proximal point is the only one; in the first round nothing is accumulated yet.",
    )
    SAME = real(
        "section4.same.last",
        WHERE,
        difference <= 0,
        (eta > 0, eta_g > 0, vartheta > 0),
        assume("definition: Sec. 4.1", Eq(tau, 1)),
        RECURSIONS,
        flaw="gap",
        witness=tuple(
            {
                "tau": "1", "eta": "1/20", "eta_g": "2", "eta_t": "1/10", "vartheta": "1", "c": "2",
                "x0": "-2/9", "x1": "0", "y1": "0", "x2": "1/10", "y2": "0", "difference": "1/100",
            }.items()
        ),
        note="Where an entry is held at zero, what is left of its gradient is forgotten by the algorithm and "
        "kept by FedDA, with a longer proximal step. Once the signs have settled both take the same steps, "
        "each from where it is then.",
    )  # fmt: skip

STEPS = (FIRST_SAME, SAME)
