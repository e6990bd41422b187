"""Arrays that a user types, read as numbers are: refused by letter, never turned silently into numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fedproof.algebra.arithmetic import Array
from fedproof.algebra.formula import Value
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.letters import exact_value
from fedproof.vocabulary.quantities import Quantity

_NUMBERS = "a number, or an array of real numbers"


def number_or_array(value: Any, of: Quantity, given_name: str) -> Value:
    """An exact number, or an array of the doubles nearest to what is written, all in the quantity's domain.

    Raises: InputError for what is neither.
    """
    several = isinstance(value, (list, tuple, range))
    if not several and (not hasattr(value, "__array__") or isinstance(value, np.generic)):
        return exact_value(value, of, given_name)
    if any(isinstance(v, np.ma.MaskedArray) for v in ([value, *value] if several else [value])):
        raise InputError(
            given_name, "a masked array", _NUMBERS, f"leave the masked out: {given_name}.compressed()"
        )
    try:
        read = np.asarray(value, dtype=object if several else None)
    except ValueError:
        raise InputError(given_name, value, "an array whose rows are of one length") from None
    if read.dtype.kind not in "iufOU":
        raise InputError(given_name, f"an array of {read.dtype}", _NUMBERS, f"write {given_name}=[1, 2.5]")
    if read.ndim == 0:
        return exact_value(read[()], of, given_name)
    if any(isinstance(v, (list, tuple, np.ndarray)) for v in (read.flat if read.dtype == object else ())):
        raise InputError(given_name, value, "an array whose rows are of one length")
    found = _doubles(read, of, given_name)
    for end in (found.min(), found.max()) if found.size else ():
        exact_value(end, of, given_name)
    return found


def _doubles(read: Any, of: Quantity, given_name: str) -> Array:
    """The doubles nearest to an array's elements, read by the one parser unless all are plain numbers."""
    plain = read.dtype.kind in "iuf" or {type(v) for v in read.flat} <= {int, float, np.int64, np.float64}
    if not plain:
        exact = [exact_value(v, of, given_name) for v in read.flat]
        read = np.array([*exact, None], dtype=object)[:-1].reshape(read.shape)
    try:
        return np.asarray(read, dtype=np.float64)
    except OverflowError:
        raise InputError(
            given_name, "a number beyond 1.8e308 in an array", "numbers that are doubles", "ask for it alone"
        ) from None


def check_shapes(values: Mapping[str, Any]) -> None:
    """Refuse arrays that do not broadcast, by their letters."""
    shapes = {n: v.shape for n, v in values.items() if isinstance(v, np.ndarray)}
    try:
        np.broadcast_shapes(*shapes.values())
    except ValueError:
        told = " and ".join(f"shape {s}" for s in dict.fromkeys(shapes.values()))
        raise InputError(
            ", ".join(shapes), told, "arrays that broadcast", "give arrays of one shape, or one as a column"
        ) from None
