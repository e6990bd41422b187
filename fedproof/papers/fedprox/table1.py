"""Table 1: each method's communication complexity, what it asks of the devices, and what it allows.

What other works' rows say is theirs; no proof of it is in the paper or here.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp
from sympy import Rational, sqrt

from fedproof.papers.fedprox.notation import I, M, b, epsilon
from fedproof.vocabulary.errors import UnknownName


@dataclass(frozen=True)
class Row:
    """A row of the table.

    Arguments:
        name: by which the row is found.
        method: the algorithm.
        work: whose bound it is.
        complexity: rounds to an epsilon-stationary model, up to a constant, in epsilon, I, M and b.
        dissimilarity: the condition on the devices; "" for none.
        non_smooth: whether losses may be non-smooth.
        partial: whether a part of the devices may take part in a round.
        convex: whether it is for convex objectives alone.
    """

    name: str
    method: str
    work: str
    complexity: sp.Expr
    dissimilarity: str = ""
    non_smooth: bool = False
    partial: bool = False
    convex: bool = False

    def at(self, **values: float) -> float:
        """The complexity at values of epsilon and of those of I, M and b that it has.

        >>> row("theorem1").at(epsilon=0.25, I=2)
        16.0

        Raises: UnknownName for a name that is none of these.
        """
        for name in values:
            if name not in ("epsilon", "I", "M", "b"):
                raise UnknownName("quantity of Table 1", name, ("epsilon", "I", "M", "b"))
        found = self.complexity.xreplace({sp.Symbol(n, real=True): sp.Float(v) for n, v in values.items()})
        return float(found)


#: epsilon to the power 3/2
_THREE_HALVES = sqrt(epsilon) ** 3
_KARIMIREDDY = "Karimireddy et al., 2020"

ROWS = (
    Row("li", "FedProx", "Li et al., 2020b", 1 / epsilon, "(B, 0)-LGD", partial=True),
    Row("theorem1", "FedProx", "Theorem 1", 1 / (I * epsilon**2) + 1 / _THREE_HALVES, partial=True),
    Row("theorem2", "FedProx", "Theorem 2", 1 / epsilon**2, non_smooth=True, partial=True),
    Row("theorem3", "FedMSPP", "Theorem 3", 1 / (b * I * epsilon**2) + 1 / _THREE_HALVES, partial=True),
    Row("theorem4", "FedMSPP", "Theorem 4", 1 / epsilon**2, non_smooth=True, partial=True),
    Row(
        "fedavg",
        "FedAvg",
        _KARIMIREDDY,
        1 / (b * I * epsilon**2) + 1 / _THREE_HALVES + 1 / epsilon,
        "(B, H)-LGD",
        partial=True,
    ),
    Row("yu", "FedAvg", "Yu et al., 2019", 1 / (b * M * epsilon**2) + M * b / epsilon, "(0, H)-LGD"),
    Row("khanduri", "FedAvg", "Khanduri et al., 2021", 1 / _THREE_HALVES),
    Row(
        "scaffold",
        "SCAFFOLD",
        _KARIMIREDDY,
        1 / (b * I * epsilon**2) + (M / I) ** Rational(2, 3) / epsilon,
        partial=True,
    ),
    Row("fedpd", "FedPD", "Zhang et al., 2020", 1 / epsilon),
    Row("stem", "STEM", "Khanduri et al., 2021", 1 / epsilon),
    Row(
        "fco",
        "FCO",
        "Yuan et al., 2021",
        1 / (b * M * epsilon**2) + 1 / epsilon,
        non_smooth=True,
        convex=True,
    ),
)


def row(name: str) -> Row:
    """The row with this name.

    >>> row("scaffold").work
    'Karimireddy et al., 2020'

    Raises: UnknownName.
    """
    found = {r.name: r for r in ROWS}
    if name not in found:
        raise UnknownName("row of Table 1", name, found)
    return found[name]
