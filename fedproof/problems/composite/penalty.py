"""What a composite problem adds to a smooth loss: a convex function whose proximal operator is known."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, runtime_checkable

from fedproof.problems.problem import Array, Constant
from fedproof.vocabulary.discovery import addresses
from fedproof.vocabulary.errors import InputError


@runtime_checkable
class Penalty(Protocol):
    """A proper closed convex g; composite (1) and Assumption 3.1.

    Penalties are frozen values. Where +, -, x, / and comparisons suffice they work on object arrays of
    fractions too.
    """

    name: ClassVar[str]

    def value(self, x: Array) -> Any:
        """g of models (..., d), shape (...); inf outside its domain."""
        ...

    def prox(self, x: Array, scale: Any) -> Array:
        """argmin_u scale g(u) + |u - x|^2 / 2 of models (..., d), a new array; scale > 0, length^2 / loss."""
        ...

    def subgradient_bound(self, dimension: int) -> Constant:
        """B_g of Assumption 3.1: the largest norm of a subgradient; value None where there is none."""
        ...

    @property
    def text(self) -> str:
        """The formula, in words; penalties of one class with equal text are equal."""
        ...


def in_floats(name: str, x: Array) -> None:
    """Refuse models in fractions, for a penalty that takes roots.

    Raises: InputError.
    """
    if x.dtype == object:
        raise InputError("penalty", f"{name} on fractions", "a problem in floats", "use as_float()")


def penalty_names() -> tuple[str, ...]:
    """Every penalty, without importing any.

    >>> "l1" in penalty_names()
    True
    """
    return tuple(addresses("penalties"))


def as_penalty(given: Any) -> Penalty:
    """The penalty itself, if it is one.

    Raises: InputError for what has no value or no proximal operator.

    >>> from fedproof.problems.composite.penalties.l1 import L1
    >>> as_penalty(L1(2))
    L1(weight=2)
    """
    wanted = ("value", "prox", "subgradient_bound")
    lacks = next((w for w in wanted if not callable(getattr(given, w, None))), None)
    lacks = lacks or (None if isinstance(getattr(given, "text", None), str) else "text")
    if lacks is not None or isinstance(given, type):
        expected = "a penalty with value, prox, subgradient_bound and text"
        known = ", ".join(penalty_names())
        got = f"{type(given).__name__} without {lacks}"
        if isinstance(given, type):
            got = f"the class {given.__name__} and no penalty made of it"
        raise InputError("penalty", got, expected, f"use one of {known}")
    penalty: Penalty = given
    return penalty
