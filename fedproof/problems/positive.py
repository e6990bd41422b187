"""Exact linear algebra on fractions: semidefiniteness and linear systems."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from fedproof.problems.problem import Array

__all__ = ["positive_semidefinite", "solve"]


def positive_semidefinite(matrix: Array) -> bool:
    """Whether a symmetric matrix of fractions is positive semidefinite, decided by exact elimination.

    A pivot 0 needs its whole remaining row to be 0; a negative pivot refutes.

    >>> from fedproof.problems.quadratic import fractions
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

    >>> from fedproof.problems.quadratic import fractions
    >>> solve(fractions([[2]]), fractions([3]))
    array([Fraction(3, 2)], dtype=object)
    """
    table = np.concatenate([matrix, right[:, None]], axis=1)
    size = len(table)
    for column in range(size):
        pivots = np.flatnonzero(table[column:, column])
        if not pivots.size:
            return None
        other = column + int(pivots[0])
        table[[column, other]] = table[[other, column]]
        table[column] = table[column] / Fraction(table[column, column])
        for row in range(size):
            if row != column:
                table[row] = table[row] - table[row, column] * table[column]
    solution: Array = table[:, -1]
    return solution
