"""The file of a record: sealed by the SHA-256 of its content, and read with distrust."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import prod
from pathlib import Path
from sys import float_info
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError
from fedproof.vocabulary.result import jsonable

FORMAT = 2
"""2 since records carry a digest of their problem and one of their content."""

_LARGEST = float_info.max

COUNTS = ("uplink_bits", "downlink_bits", "gradients")
"""What is counted in every round, over its clients."""

_FRACTION = re.compile(r"-?\d+(/\d+)?", re.ASCII)

_EXPECTED = "a history file written by fedproof"


def sealed(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document as JSON data, with the SHA-256 of all the rest as its `sha256`.

    >>> sealed({"a": 1}) == sealed({"sha256": "old", "a": 1})
    True
    """
    content: dict[str, Any] = jsonable(document)
    return content | {"sha256": _seal(content)}


def parsed(text: str, parse_float: Callable[[str], Any] = float) -> Any:
    """JSON as data, each key of an object once, so that no value is chosen of two.

    Raises: ValueError for a key that stands twice, a text that nests too deep, and any other that is no JSON.
    """
    try:
        return json.loads(text, parse_float=parse_float, object_pairs_hook=_once)
    except RecursionError:
        raise ValueError("nested too deep") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{name} twice in an object")
        found[name] = value
    return found


def read_document(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The document of a record's file, every entry of the type and length that it must have.

    Raises: DataError if the file is missing, was changed after it was written, or is no record.
    """
    where = str(path)
    try:
        document = parsed(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(where, error, _EXPECTED, "check the path") from None
    if not isinstance(document, dict) or "format" not in document:
        raise DataError(where, "no record of a run", _EXPECTED, "check the path")
    its = document["format"]
    if type(its) is not int or its != FORMAT:
        raise DataError(where, f"format {its!r}", f"format {FORMAT}", "run it again")
    for name, fits in _CHECKS.items():
        if name not in document or not fits(document[name], document):
            raise DataError(where, f"a record whose {name} cannot be its own", _EXPECTED, "run it again")
    if document.get("sha256") != _seal(document):
        raise DataError(where, "another content than its sha256 says", "an unchanged record", "run it again")
    return document


def encoded(array: Array) -> dict[str, Any]:
    """An array as JSON data, fractions as text."""
    values = [str(v) if isinstance(v, Fraction) else v for v in np.asarray(array).ravel().tolist()]
    return {"dtype": str(array.dtype), "shape": list(array.shape), "values": values}


def decoded(entry: Mapping[str, Any]) -> Array:
    """The array that `encoded` was given."""
    exact = entry["dtype"] == "object"
    out = np.empty(len(entry["values"]), dtype=np.dtype("object" if exact else entry["dtype"]))
    out[:] = [_fraction(v) for v in entry["values"]] if exact else entry["values"]
    return out.reshape(entry["shape"])


def _fraction(text: Any) -> Fraction:
    """p/q as `encoded` writes it; other forms are refused, an exponent could ask for any memory."""
    if isinstance(text, str) and _FRACTION.fullmatch(text):
        return Fraction(text)
    raise ValueError(f"{str(text)[:40]!r} is no fraction")


def _seal(document: Mapping[str, Any]) -> str:
    return document_digest({name: value for name, value in document.items() if name != "sha256"})


def document_digest(document: Mapping[str, Any]) -> str:
    """The SHA-256 of a document's canonical JSON, in hex."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _is(kind: type) -> Callable[[Any, Mapping[str, Any]], bool]:
    return lambda value, _: isinstance(value, kind)


def _whole(value: Any) -> bool:
    return type(value) is int and value >= 0


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) <= _LARGEST


def _counted(value: Any, length: int, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and len(value) == length and all(map(fits, value))


def _series(value: Any, document: Mapping[str, Any]) -> bool:
    """Metrics by name, a number or nothing for the start and for every round."""
    return isinstance(value, dict) and all(
        _counted(values, document["rounds"] + 1, lambda v: v is None or _number(v))
        for values in value.values()
    )


def _state(value: Any, _: Any) -> bool:
    return isinstance(value, dict) and "model" in value and all(map(_is_array, value.values()))


def _is_array(entry: Any) -> bool:
    if not isinstance(entry, dict) or not isinstance(entry.get("dtype"), str):
        return False
    shape, values = entry.get("shape"), entry.get("values")
    if not (isinstance(shape, list) and all(map(_whole, shape)) and isinstance(values, list)):
        return False
    if entry["dtype"] != "object" and not all(map(_number, values)):
        return False
    try:
        return prod(shape) == len(values) and decoded(entry).dtype.kind in "Ofiub"
    except (TypeError, ValueError, ArithmeticError):
        return False


_CHECKS: dict[str, Callable[[Any, Mapping[str, Any]], bool]] = {
    **dict.fromkeys(("algorithm", "problem", "problem_digest", "kernel"), _is(str)),
    **dict.fromkeys(("parameters", "constants", "participation"), _is(dict)),
    **dict.fromkeys(("diverged", "interrupted"), _is(bool)),
    "seed": lambda value, _: _whole(value) and value < 1 << 64,
    "rounds": lambda value, _: _whole(value),
    "requested": lambda value, document: _whole(value) and value >= document["rounds"],
    "metrics": _series,
    **dict.fromkeys(COUNTS, lambda value, document: _counted(value, document["rounds"], _whole)),
    "state": _state,
}
"""What each entry must be, the number of rounds before what is counted by it."""
