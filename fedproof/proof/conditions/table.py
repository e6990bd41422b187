"""The conditions, each at one point: the clients' gradients g_i, their weighted mean, and constants.

A condition of the texts is said at every model, with constants that are the same at all of them. What follows
at one point therefore follows at every point.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.language.everywhere import ForEvery
from fedproof.proof.language.functions import Field
from fedproof.proof.notation import Eq, number, vector
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step_printer import step_printer
from fedproof.proof.vectors import n2

i, k, n = (sp.Symbol(name, integer=True) for name in ("i", "k", "n"))
grad, bar = Field("g", r"\nabla F_{#1}"), vector("bar", r"\nabla\bar F")
slope = vector("slope", r"\tilde\nabla g")
sizes, whole = sequence("D"), number("D_all", "D")
sigma2, delta2 = number("sigma2", r"\bar\sigma^2"), number("delta2", r"\bar\delta^2")
zeta2 = number("zeta2", r"\zeta^2")
B2, H2, G2, B_g2 = number("B2", "B^2"), number("H2", "H^2"), number("G2", "G^2"), number("B_g2", "B_g^2")
divergence, distance = sequence("s"), sequence("d")


@dataclass(frozen=True)
class Weights:
    """How clients are weighed: D_i of a client, and D, the sum of all."""

    of: Callable[[Any], Any]
    all: Any

    def mean(self, term: Callable[[Any], Any]) -> Any:
        """D times the mean of a term over the clients."""
        return total(self.of(i) * term(i), i, 1, n)


ANY, EQUAL = Weights(sizes, whole), Weights(lambda client: sp.Integer(1), n)


@dataclass(frozen=True)
class Condition:
    """What a text assumes of the clients' gradients or of the penalty.

    Arguments:
        name: in the field's words.
        title: in a sentence, of every model.
        constants: that it speaks of, all >= 0; of a family of them, one for each client, the mean.
        relation: at one point; what speaks of a client is said at its index.
        each: whether it is said of each client; else of the mean, or of the penalty.
        family: the constant of each client, if each has its own.
        of_penalty: whether it speaks of the penalty alone.
    """

    name: str
    title: str
    constants: tuple[sp.Symbol, ...]
    relation: Callable[[Weights, Any], Any]
    each: bool = False
    family: Any = None
    of_penalty: bool = False

    @property
    def slug(self) -> str:
        """The name in ids."""
        return self.name.replace(" ", "_")

    def at(self, client: Any = k, weights: Weights = ANY) -> Any:
        """The relation at one point, of one client where it is said of each."""
        with printed():
            return self.relation(weights, client)

    @property
    def latex(self) -> str:
        """The relation at one point, of client i, with D_i for a client's weight and D for their sum."""
        return latex(self.at(i))

    def assumed(self, weights: Weights = ANY) -> tuple[Any, ...]:
        """The condition as hypotheses of a step."""
        if not self.each:
            return (self.at(weights=weights),)
        with printed():
            everyone = ForEvery(self.at(i), (), f"{self.name}: of every client", (i, 1, n))
            if self.family is None:
                return (everyone,)
            return (everyone, Eq(weights.mean(self.family), self.constants[0] * weights.all))


def latex(said: Any) -> str:
    """A relation or expression of this table in LaTeX."""
    return step_printer(None, READS, "", (said,)).tex(said)


def squares(weights: Weights) -> Any:
    """D times the mean squared norm of a client's gradient."""
    return weights.mean(lambda client: n2(grad(client)))


def spread(weights: Weights) -> Any:
    """D times the mean squared distance of a client's gradient from the mean gradient."""
    return weights.mean(lambda client: n2(grad(client) - bar))


with printed():
    IDENTICAL = Condition(
        "identical clients",
        "all clients have the same gradient",
        (),
        lambda weights, client: n2(grad(client) - bar) <= 0,
        each=True,
    )
    RELATIVE = Condition(
        "relative divergence",
        "each client's gradient differs from the mean by at most sigma_i times the mean's norm",
        (sigma2,),
        lambda weights, client: n2(grad(client) - bar) <= divergence(client) * n2(bar),
        each=True,
        family=divergence,
    )
    LOCAL = Condition(
        "local dissimilarity",
        "the mean squared gradient of a client is at most B^2 times that of the mean",
        (B2,),
        lambda weights, client: squares(weights) <= B2 * n2(bar) * weights.all,
    )
    BOTH = Condition(
        "gradient dissimilarity",
        "the mean squared gradient of a client is at most B^2 times that of the mean, plus H^2",
        (B2, H2),
        lambda weights, client: squares(weights) <= (B2 * n2(bar) + H2) * weights.all,
    )
    BOUNDED = Condition(
        "bounded dissimilarity",
        "the clients' gradients are within zeta^2 of the mean gradient, in the mean of squares",
        (zeta2,),
        lambda weights, client: spread(weights) <= zeta2 * weights.all,
    )
    DISTANT = Condition(
        "bounded divergence",
        "each client's gradient is within delta_i of the mean gradient",
        (delta2,),
        lambda weights, client: n2(grad(client) - bar) <= distance(client),
        each=True,
        family=distance,
    )
    GRADIENTS = Condition(
        "bounded gradients",
        "each client's gradient is at most G long: for smooth losses, they are G-Lipschitz",
        (G2,),
        lambda weights, client: n2(grad(client)) <= G2,
        each=True,
    )
    SQUARES = Condition(
        "bounded mean square",
        "the mean squared gradient of a client is at most H^2",
        (H2,),
        lambda weights, client: squares(weights) <= H2 * weights.all,
    )
    PENALTY = Condition(
        "bounded subgradients",
        "each subgradient of the penalty is at most B_g long",
        (B_g2,),
        lambda weights, client: n2(slope) <= B_g2,
        of_penalty=True,
    )

#: how the names are printed
READS = (
    *((name, name.name.latex) for name in (bar, slope, whole, sigma2, delta2, zeta2, B2, H2, G2, B_g2)),
    (sizes(i), "D_i"), (divergence(i), r"\sigma_i^2"), (distance(i), r"\delta_i^2"),
)  # fmt: skip
CONDITIONS = (IDENTICAL, RELATIVE, LOCAL, BOTH, BOUNDED, DISTANT, GRADIENTS, SQUARES, PENALTY)
