"""Parameters of a figure's computation as a user types them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fedproof.figures.spec import Spec
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.values import parse_value

MOST = 100_000
LARGEST = 10**100
POSITIVE = ("beta", "stepsize")
"""Numbers that divide; a whole number may be 0 where the figure's own is."""


def read_size(spec: Spec, given: Mapping[str, Any]) -> dict[str, Any]:
    """The figure's own parameters with those that are given in their place, each of its own kind.

    Arguments:
        spec: the figure.
        given: by name; text is read as a whole number, a number or a list with commas between, as the
            figure's own value is.

    Raises: UnknownName with the nearest name; InputError for a value of another kind.
    """
    for name in given:
        if name not in spec.size:
            raise UnknownName(f"size of {spec.id}", name, spec.size)
    return {**spec.size, **{name: _like(spec.size[name], value, name) for name, value in given.items()}}


def _like(own: Any, value: Any, name: str, zero: bool | None = None) -> Any:
    """A value of the kind of the figure's own."""
    if isinstance(own, str):
        return str(value)
    if isinstance(own, (list, tuple)):
        parts = value.split(",") if isinstance(value, str) else value
        parts = parts if isinstance(parts, (list, tuple)) else [parts]
        read = [_like(own[0], p.strip() if isinstance(p, str) else p, name, 0 in own) for p in parts]
        if len(set(read)) < len(read):
            raise InputError(name, value, "each value once", "leave the repeated one out")
        return read
    exact, whole = parse_value(value, name), isinstance(own, int)
    zero = (own == 0 if zero is None else zero) if whole else name not in POSITIVE
    if whole and (exact.denominator != 1 or exact > MOST):
        raise InputError(name, value, f"a whole number up to {MOST}", f"write {name}={own}")
    if exact < 0 or (exact == 0 and not zero) or exact > LARGEST:
        raise InputError(
            name, value, f"a number {'>=' if zero else '>'} 0, up to 1e100", f"write {name}={own}"
        )
    return int(exact) if whole else float(exact)
