"""One form for every value that is written down, so that equal values are equal text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from numbers import Number
from typing import Any

from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import json_number


def canonical_form(value: Any, name: str = "value") -> Any:
    """A value as hashable JSON data: a number, also one in text, in one form whatever its type.

    Arguments:
        value: a number, text, None, or sequences, mappings and dataclasses of these.
        name: what the value is called, for the error message.

    Returns: numbers as int, or as float where that is the same number as the parser reads it, else p/q;
        sequences as tuples, mappings and dataclasses as tuples of pairs.
    Raises: InputError for anything else.

    >>> canonical_form("1/2"), canonical_form(3.0), canonical_form("1/3"), canonical_form("svrg")
    (0.5, 3, '1/3', 'svrg')
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        try:
            return json_number(value, name)
        except InputError:
            return value
    if isinstance(value, Number):
        return json_number(value, name)
    if isinstance(value, (list, tuple)):
        return tuple(canonical_form(v, name) for v in value)
    if isinstance(value, Mapping):
        return tuple(sorted((str(k), canonical_form(v, str(k))) for k, v in value.items()))
    if is_dataclass(value) and not isinstance(value, type):
        return type(value).__name__, *(
            (f.name, canonical_form(getattr(value, f.name), f.name)) for f in fields(value)
        )
    raise InputError(name, value, "a number, text, or a dataclass of these", "use fp.run for anything else")
