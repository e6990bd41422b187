"""Parameters of a figure's computation as a user types them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fedproof.figures.spec import Spec
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.values import parse_value

__all__ = ["read_size"]


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


def _like(own: Any, value: Any, name: str) -> Any:
    if isinstance(own, str):
        return str(value)
    if isinstance(own, (list, tuple)):
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, (list, tuple)):
            parts = [parts]
        return [_like(own[0], part.strip() if isinstance(part, str) else part, name) for part in parts]
    exact = parse_value(value, name)
    if isinstance(own, int):
        if exact.denominator != 1 or exact < 0:
            raise InputError(name, value, "a whole number >= 0", f"write {name}={own}")
        return int(exact)
    return value if isinstance(value, float) else float(exact)
