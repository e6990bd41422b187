"""What methods with compressed gradient differences share: messages, shifts, gradients on batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.problems.steps import batch_gradients
from fedproof.solvers.compressor import Compressor
from fedproof.solvers.randomness import Draws, Uniform, drawn_samples
from fedproof.vocabulary.errors import InputError

_NUMBERS = 1 << 15
"""Of the messages that are made at once, 256 KiB: the arrays on the way stay in the second cache."""
_MOST = 1e300
"""Of what is compressed: below it no norm, power of two or multiple of up to 10^8 entries overflows."""


def compressed(compressor: Compressor, x: Array, draws: Array) -> Array:
    """Q(x) of every client as the server reads it; a client's x itself where it is not finite.

    What is beyond 1e300 counts as infinite: a run with such a number has diverged. Blocks of clients change
    no bit.

    Arguments:
        x: shape (k, ...), one message a client, its entries in rows.
        draws: those of a vector as long.

    Returns: x's shape.

    >>> from fedproof.solvers.compressors.identity import Identity
    >>> compressed(Identity(), np.array([[[1.0], [2.0]]]), np.empty((1, 0))).tolist()
    [[[1.0], [2.0]]]
    """
    rows = x.reshape(len(x), -1)
    if rows.dtype == object:
        return compressor.compress(rows, draws).reshape(x.shape)
    found, step = np.empty(rows.shape), max(1, _NUMBERS // rows.shape[1])
    for first in range(0, len(rows), step):
        block = slice(first, first + step)
        found[block] = _compressed(compressor, rows[block], draws[block])
    return found.reshape(x.shape)


def _compressed(compressor: Compressor, rows: Array, draws: Array) -> Array:
    finite = (np.abs(rows) <= _MOST).all(axis=1)
    if finite.all():
        return compressor.compress(rows, draws)
    found = np.where(np.abs(rows) > _MOST, np.copysign(np.inf, rows), rows)
    found[finite] = compressor.compress(rows[finite], draws[finite])
    return found


def check_compressor(name: str, compressor: Any, dimension: int) -> None:
    """Refuse what is no compressor, or one that has no message of vectors of this length.

    Raises: InputError.
    """
    if not isinstance(compressor, Compressor):
        raise InputError(name, compressor, "a compressor", "for example Natural()")
    if dimension:
        compressor.bits(dimension)


def oracle_ranges(
    problem: Problem, cohort: Array, purpose: str, batch_size: int | None
) -> dict[str, Uniform]:
    """One batch of sample numbers a client, drawn with replacement; none where it takes all samples."""
    return {} if batch_size is None else {purpose: Uniform(problem.sizes[cohort], (batch_size,))}


def evaluated(problem: Problem, cohort: Array, batch_size: int | None) -> Array:
    """Samples that one gradient of each client looks at, shape (k,)."""
    found: Array = problem.sizes[cohort] if batch_size is None else np.full(len(cohort), batch_size)
    return found


def gradients_at(
    problem: Problem, model: Array, cohort: Array, draws: Draws, batch_size: int | None
) -> Array:
    """g_i at the server's model (d,), on the round's batches or on all samples, shape (k, d)."""
    models = np.repeat(model[None], len(cohort), axis=0)
    return batch_gradients(problem, models, cohort, drawn_samples(draws, batch_size))


def moved_shifts(shifts: Array, cohort: Array, rate: Any, messages: Array) -> Array:
    """All shifts (n, d) after h_i <- h_i + gamma c_i of the cohort's clients, messages c_i (k, d).

    FLECS-CGD, Algorithm 1, line 7.

    >>> moved_shifts(np.zeros((2, 1)), np.array([1]), 0.5, np.array([[4.0]])).tolist()
    [[0.0], [2.0]]
    """
    moved = shifts.copy()
    moved[rows_at(cohort)] += rate * messages
    return moved


def rows_at(clients: Array) -> Any:
    """Different clients' rows as an index: a slice where they follow each other, so that nothing is copied.

    >>> rows_at(np.array([2, 3])), rows_at(np.array([0, 2]))
    (slice(2, 4, None), array([0, 2]))
    """
    first, last = int(clients[0]), int(clients[-1])
    return slice(first, last + 1) if (clients == np.arange(first, first + len(clients))).all() else clients
