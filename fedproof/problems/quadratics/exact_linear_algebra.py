"""Exact linear algebra on arrays of fractions: semidefiniteness and linear systems."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.vocabulary.values import parse_value


def fractions(values: Any) -> Array:
    """An object array of exact fractions, each entry as the value parser reads it.

    >>> fractions([0.5, "1/3"])
    array([Fraction(1, 2), Fraction(1, 3)], dtype=object)
    """
    source = np.asarray(values, dtype=object)
    out = np.empty(source.shape, dtype=object)
    for index, value in np.ndenumerate(source):
        out[index] = value if isinstance(value, Fraction) else parse_value(value)
    return out


def floats(values: Array) -> Array:
    """The nearest float64 of every entry."""
    return np.asarray(values, dtype=np.float64)


def as_they_are(values: Array) -> Array:
    """Floats as the fractions that they are."""
    out = np.empty(values.shape, dtype=object)
    for index, value in np.ndenumerate(values):
        out[index] = Fraction(value)
    return out


def positive_semidefinite(matrix: Array) -> bool:
    """Whether a symmetric matrix of fractions is positive semidefinite, decided by exact elimination.

    A pivot 0 needs its whole remaining row to be 0; a negative pivot refutes.

    >>> positive_semidefinite(fractions([[1, 1], [1, 1]])), positive_semidefinite(fractions([[0, 1], [1, 1]]))
    (True, False)
    """
    rest = np.array(matrix)
    while len(rest):
        pivot, row = rest[0, 0], rest[0, 1:]
        if pivot < 0 or (pivot == 0 and row.any()):
            return False
        rest = rest[1:, 1:] - (np.outer(row, row) / pivot if pivot else 0)
    return True


def solve(matrix: Array, right: Array) -> Array | None:
    """The solution of a square linear system of fractions, None if the matrix is singular.

    >>> solve(fractions([[2]]), fractions([3]))
    array([Fraction(3, 2)], dtype=object)
    """
    table, pivots = _reduced(matrix, right)
    solution: Array = table[:, -1]
    return solution if len(pivots) == len(table) else None


def solve_any(matrix: Array, right: Array) -> Array | None:
    """A solution of a square linear system of fractions, None if and only if there is none.

    >>> solve_any(fractions([[1, 1], [1, 1]]), fractions([2, 2]))
    array([Fraction(2, 1), Fraction(0, 1)], dtype=object)
    >>> solve_any(fractions([[1, 1], [1, 1]]), fractions([2, 3])) is None
    True
    """
    table, pivots = _reduced(matrix, right)
    if table[len(pivots) :, -1].any():
        return None
    solution = np.array([Fraction(0)] * len(table), dtype=object)
    solution[pivots] = table[: len(pivots), -1]
    return solution


def _reduced(matrix: Array, right: Array) -> tuple[Array, list[int]]:
    """The system's table in reduced row echelon form, and the columns of its pivots."""
    table = np.concatenate([matrix, right[:, None]], axis=1)
    size = len(table)
    found: list[int] = []
    for column in range(size):
        rank = len(found)
        pivots = np.flatnonzero(table[rank:, column])
        if not pivots.size:
            continue
        other = rank + int(pivots[0])
        table[[rank, other]] = table[[other, rank]]
        table[rank] = table[rank] / Fraction(table[rank, column])
        for row in range(size):
            if row != rank:
                table[row] = table[row] - table[row, column] * table[rank]
        found.append(column)
    return table, found
