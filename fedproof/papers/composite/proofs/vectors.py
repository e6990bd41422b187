"""Vectors and numbers that several parts of the proofs speak of, and how the paper prints them.

A random vector is a vector of the space in which <x, y> means E<x, y>. A subgradient of g at a point is a
vector h with g(w) >= g(point) + <h, w - point> for every w; the proximal operator with step s sends x to the
point u with u = x - s h, h a subgradient at u (`mapping` proves that this is the minimiser).
"""

from fedproof.papers.composite.assumptions import (
    CONVEX,
    LIPSCHITZ,
    SUBGRADIENTS,
    UNBIASED,
    VARIANCE,
    WHOLE_PAST,
)
from fedproof.papers.composite.notation import *
from fedproof.proof.prelude import *

_SERVER = r"P_{\tilde\eta}(\overline{\mathbf x}^{r})"
P = vector("P", _SERVER)
plus = vector("plus", r"P_{\tilde\eta}(\overline{\mathbf x}^{r+1})")
tilde = vector("tilde", r"\tilde{\mathbf x}^{r+1}")
grad = vector("grad", rf"\nabla f({_SERVER})")
G = vector("G", rf"\mathcal G({_SERVER})")
h_tilde = vector("h_tilde", r"\tilde\nabla g(\tilde{\mathbf x}^{r+1})")
#: a client, a local step
i, t = number("i"), number("t")
drift = number(
    "drift",
    r"\mathbb E\textstyle\sum_{t=0}^{\tau-1}\sum_{i=1}^{n}"
    rf"\|\mathbf z_{{i,t}}^{{r}}-{_SERVER}\|^2",
)
spread = number("spread", r"\tfrac1n\mathbb E\|\mathbf\Lambda^{r+1}-\overline{\mathbf\Lambda}^{r+1}\|^2")


def convex(*relations: sp.Basic | ForAll) -> tuple[Any, ...]:
    """Consequences of the convexity of g, by Assumption 3.1."""
    return assume(CONVEX.id, *relations)


def subgradients(*relations: sp.Basic | ForAll) -> tuple[Any, ...]:
    """Bounds B_g on subgradients, by Assumption 3.1."""
    return assume(SUBGRADIENTS.id, *relations)


def lipschitz(*relations: sp.Basic | ForAll) -> tuple[Any, ...]:
    """Consequences of the gradients' Lipschitz continuity, by Assumption 3.2."""
    return assume(LIPSCHITZ.id, *relations)


def centred(error: Any, past: Any, conditional_mean: Any, weight: Any = None) -> tuple[Any, ...]:
    """An error is orthogonal to what F_t tells, by (9), and F_t tells what was drawn before.

    Arguments:
        error: of mini-batch gradients drawn given F_t.
        past: what is made of earlier draws alone.
        told: the mean of `past` given F_t.
        weight: of the orthogonality.
    """
    return (
        times(weight, Eq(ip(error, conditional_mean), 0), UNBIASED.id),
        *assume(WHOLE_PAST.id, Eq(conditional_mean, past)),
    )


def variance(*relations: sp.Basic | ForAll) -> tuple[Any, ...]:
    """Bounds sigma^2/b on the errors of mini-batch gradients, by (9)."""
    return assume(VARIANCE.id, *relations)


def prox(result: Any, point: Any, step: Any, subgradient: Any, why: str) -> tuple[Any, ...]:
    """What is meant by: `result` is P_step(point), with this subgradient of g at it."""
    with printed():
        return assume(f"definition: {why}", Eq(result, point - step * subgradient))


with printed():
    #: every step size is positive
    STEPSIZES: tuple[Any, ...] = (eta > 0, eta_g > 0)
    ETA_T = assume("definition: Algorithm 1, line 2", Eq(eta_t, eta * eta_g * tau))
    STEPS_TAKEN = (tau >= 1,)
    CLIENTS = assume("meaning: there is a client", n >= 1)
