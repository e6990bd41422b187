"""What a composite problem adds to a smooth loss: a convex function whose proximal operator is known.

By options it is `penalty=l1`, and what it takes is `penalty_weight=0.01` and the like.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Protocol, runtime_checkable

from fedproof.problems.problem import Array, Constant
from fedproof.vocabulary.discovery import addresses, load
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.options import Option, elsewhere, read_options, word


@runtime_checkable
class Penalty(Protocol):
    """A proper closed convex g; composite (1) and Assumption 3.1.

    Penalties are frozen values. Where +, -, x, / and comparisons suffice they work on object arrays of
    fractions too.
    """

    name: ClassVar[str]

    def value(self, x: Array) -> Any:
        """g of models (..., d), shape (...); inf outside its domain."""

    def prox(self, x: Array, scale: Any) -> Array:
        """argmin_u scale g(u) + |u - x|^2 / 2 of models (..., d), a new array; scale > 0, length^2 / loss."""

    def subgradient_bound(self, dimension: int) -> Constant:
        """B_g of Assumption 3.1: the largest norm of a subgradient; value None where there is none."""

    @property
    def text(self) -> str:
        """The formula, in words; penalties of one class with equal text are equal."""


def in_floats(name: str, x: Array) -> None:
    """Refuse models in fractions, for a penalty that takes roots.

    Raises: InputError.
    """
    if x.dtype == object:
        raise InputError("penalty", f"{name} on fractions", "a problem in floats", "use as_float()")


def check_divides(option: str, size: int, dimension: int) -> None:
    """Refuse a size that models cannot be cut into.

    Raises: InputError.
    """
    if dimension % size:
        raise InputError(option, size, f"a divisor of the model's {dimension} entries")


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


_PREFIX = "penalty_"

PENALTY = Option("penalty", "none", word(penalty_names), "the convex g that is added to the loss")


def own_options(name: str) -> tuple[Option, ...]:
    """What a penalty takes, named as users type it.

    >>> [option.name for option in own_options("elastic_net")]
    ['penalty_weight', 'penalty_curvature']
    """
    options = load("penalties", name, "penalty").OPTIONS
    return tuple(replace(option, name=_PREFIX + option.name) for option in options)


def penalty_options(given: Mapping[str, Any]) -> tuple[Option, ...]:
    """The choice of a penalty, and what the one that is asked for takes.

    >>> [option.name for option in penalty_options({"penalty": "box"})]
    ['penalty', 'penalty_low', 'penalty_high']
    """
    return (PENALTY, *own_options(PENALTY.read(given.get("penalty", PENALTY.default))))


def takers(given: Mapping[str, Any]) -> dict[str, str]:
    """Options of the other penalties, and which of these take them.

    >>> takers({"penalty": "l1"})["penalty_low"]
    'it with penalty=box'
    """
    each = ((f"penalty={name}", [o.name for o in own_options(name)]) for name in penalty_names())
    return elsewhere(each, penalty_options(given))


def parted(given: Mapping[str, Any]) -> tuple[dict[str, Any], Penalty | None]:
    """The options that are not a penalty's, and the penalty of those that are; None where it is 0.

    Raises: UnknownName with the nearest known one, or InputError.

    >>> parted({"split": "iid", "penalty": "l1", "penalty_weight": "1/2"})
    ({'split': 'iid'}, L1(weight=Fraction(1, 2)))
    """
    own = {name: value for name, value in given.items() if name.startswith("penal")}
    if not own:
        return dict(given), None
    read = read_options(own, penalty_options(own), lambda: takers(own))
    rest = {name: value for name, value in given.items() if name not in own}
    made = make_penalty(read)
    return rest, None if made.name == PENALTY.default else made


def make_penalty(given: Mapping[str, Any]) -> Penalty:
    """The penalty of these options; other options are left alone.

    Raises: UnknownName or InputError for a penalty that cannot be.

    >>> make_penalty({"penalty": "box", "penalty_high": 2}).text
    '[x in [-1, 2]]'
    """
    return built(PENALTY.read(given.get("penalty", PENALTY.default)), given, _PREFIX)


def built(name: str, given: Mapping[str, Any], prefix: str = "") -> Penalty:
    """The penalty of this name, of options that are named as the penalty's own behind a prefix."""
    part = load("penalties", name, "penalty")
    options = {o.name: replace(o, name=prefix + o.name) for o in part.OPTIONS}
    own = {name: option.read(given.get(option.name, option.default)) for name, option in options.items()}
    penalty: Penalty = part.PENALTY(**own)
    return penalty


def composite_options(
    given: Mapping[str, Any], own: tuple[Option, ...], weight: str
) -> tuple[dict[str, Any], Penalty]:
    """A composite problem's own options, defaults where none are given, and its penalty.

    Arguments:
        given: by name, numbers or text.
        own: the problem's.
        weight: of l1, which holds where no other penalty or weight is given.

    Raises: UnknownName or InputError for an option or value that is not known.
    """
    usual = {"penalty": "l1", "penalty_weight": weight} if given.get("penalty", "l1") == "l1" else {}
    taken = {**usual, **given}
    read = read_options(taken, (*own, *penalty_options(taken)), lambda: takers(taken))
    return {o.name: read.get(o.name, o.read(o.default)) for o in own}, make_penalty(read)
