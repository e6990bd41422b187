"""One short text for all of a problem that determines a run's numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Problem

_APART = frozenset({"name", "kernel", "original", "origin", "spectra"})
"""Fields that change no number of a run, or only the constants known beside it."""

_PIECE = 1 << 22
"""Bytes of an array that are hashed at a time."""


def problem_digest(problem: Problem) -> str:
    """The SHA-256, in hex, of what determines a problem's numbers; its name and kernel are not among it.

    A problem with a `digest` says it itself: those in fedproof's own rows hash all of them, once an object.
    Of any other it is that of sizes, start, and loss and gradient there: what is asked of every problem.

    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> one, other = (Quadratic.of([[[a]]], [[0]], sizes=[1]) for a in (1, 2))
    >>> problem_digest(one) == problem_digest(one), problem_digest(one) == problem_digest(other)
    (True, False)
    """
    own = getattr(problem, "digest", None)
    if isinstance(own, str) and own:
        return own
    start = problem.start()
    values = (np.asarray(problem.sizes), start, problem.loss(start), problem.gradient(start))
    return value_digest(values)


def value_digest(value: Any) -> str:
    """The SHA-256, in hex, of a value made of arrays, dataclasses, tuples and plain values.

    Arrays count with their type and shape, a dataclass with its type and fields.
    """
    digest = hashlib.sha256()
    for piece in _pieces(value):
        digest.update(piece)
    return digest.hexdigest()


def _pieces(value: Any) -> Iterator[Any]:
    if isinstance(value, np.ndarray):
        yield from _array(value)
    elif isinstance(getattr(value, "text", None), str):
        yield f"{type(value).__qualname__} {value.text};".encode()
    elif is_dataclass(value):
        yield f"{type(value).__qualname__}(".encode()
        for field in fields(value):
            if field.name not in _APART:
                yield f"{field.name}=".encode()
                yield from _pieces(getattr(value, field.name))
        yield b");"
    elif isinstance(value, tuple):
        yield b"("
        for entry in value:
            yield from _pieces(entry)
        yield b");"
    else:
        plain = value is None or isinstance(value, (str, int, float)) or hasattr(value, "numerator")
        yield f"{value if plain else type(value).__qualname__};".encode()


def _array(array: Array) -> Iterator[Any]:
    """Type, shape and content, in C order whatever the layout is."""
    yield f"{array.dtype.str}{array.shape}:".encode()
    if array.dtype == object:
        yield ";".join(map(str, array.ravel().tolist())).encode()
        return
    rows = np.atleast_1d(array)
    step = max(1, _PIECE // max(1, rows[:1].nbytes))
    for first in range(0, len(rows), step):
        yield np.ascontiguousarray(rows[first : first + step]).data.cast("B") if rows.size else b""
