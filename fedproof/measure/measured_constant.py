"""A measured constant: value, kind, what is proved about it, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fedproof.problems.problem import Constant
from fedproof.vocabulary.decimals import short
from fedproof.vocabulary.errors import InternalError
from fedproof.vocabulary.quantities import quantity
from fedproof.vocabulary.result import jsonable


@dataclass(frozen=True)
class MeasuredConstant:
    """A constant as `measure` reports it.

    Arguments:
        value: the number to use; None where no finite one exists or none is known.
        kind: "exact", "certified" (a proved bound on the safe side) or "estimate".
        how: one clause: what was sampled and what is proved.
        spread: width of the enclosure (certified) or of the sampled values (estimate); None if exact.
        lower, upper: the true constant lies between them: `lower` is reached by a point that was found,
            up to rounding, `upper` is proved; None where there is no such number.
        details: numbers beside the constant, by name.
        seconds, gradients, products: cost: time, sample gradients and products of a sample's Hessian.

    Raises: InternalError if what was found refutes what was proved.
    """

    value: Any
    kind: str
    how: str
    spread: Any = None
    lower: Any = None
    upper: Any = None
    details: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    gradients: int = 0
    products: int = 0

    def __post_init__(self) -> None:
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            found = f"{float(self.lower)!r} was found, above the bound {float(self.upper)!r}"
            raise InternalError(f"{found} that is proved: {self.how}")

    @property
    def infinite(self) -> bool:
        """Whether it is proved that no finite one exists."""
        return self.value is None and self.kind in ("exact", "certified")

    def shown(self, side: int = 1) -> str:
        """The value in a table: a dash where none is known, infinite where none exists.

        Arguments:
            side: to which a proved value is rounded, 1 or -1 where less of it is safe.

        >>> MeasuredConstant(1 / 3, "exact", "").shown(), MeasuredConstant(1 / 3, "estimate", "").shown()
        ('0.3334', '0.3333')
        """
        if self.value is None:
            return "infinite" if self.infinite else "—"
        return f"{float(self.value):.4g}" if self.kind == "estimate" else short(self.value, 4, side)

    @property
    def why(self) -> str:
        """`how`, which says that an infinite constant is infinite.

        >>> MeasuredConstant(None, "certified", "no finite one exists").why
        'infinite: no finite one exists'
        """
        return f"infinite: {self.how}" if self.infinite and "infinite" not in self.how else self.how

    def to_dict(self, name: str) -> dict[str, Any]:
        """The entry of the contract's `measure` document, with what is known beside.

        Arguments:
            name: the canonical word, for the unit.
        """
        document: dict[str, Any] = {
            "value": self.value,
            "kind": self.kind,
            "spread": self.spread,
            "how": self.why,
            "lower": self.lower,
            "upper": self.upper,
            "unit": quantity(name).unit,
            "cost": {
                "seconds": self.seconds,
                "sample_gradients": self.gradients,
                "hessian_products": self.products,
            },
            "details": self.details,
        }
        if self.value is None:
            document["why"] = self.why
        found: dict[str, Any] = jsonable(document)
        return found


def known_constant(known: Constant) -> MeasuredConstant:
    """What the problem itself knows.

    >>> known_constant(Constant(2, "exact", "by construction")).lower
    2
    """
    exact = known.kind == "exact"
    lower = known.value if exact else None
    if known.kind == "certified" and known.value is not None and known.spread is not None:
        lower = known.value - known.spread
    upper = known.value if exact or known.kind == "certified" else None
    return MeasuredConstant(known.value, known.kind, known.how, known.spread, lower, upper)
