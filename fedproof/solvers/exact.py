"""Exact expectations over a round's draws by enumeration: small problems, any function, any arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, product
from math import prod
from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import LocalThenAverage, ModelState
from fedproof.vocabulary.errors import InputError

MOST_OUTCOMES = 1 << 22
_CHUNK = 1 << 14


def local_outcomes(
    algorithm: LocalThenAverage, problem: Problem, model: Array, client: int
) -> Iterator[Array]:
    """All models that one client may return from a round, equally likely, as blocks of shape (m, d).

    Every draw of a client is an independent uniform whole number; all combinations run at once, as if each
    were a client of its own.

    Arguments:
        algorithm: whose clients work alone.
        model: the server's model at the round's start, shape (d,).
        client: its id.

    Raises: InputError for more than 2^22 outcomes.

    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> from fedproof.solvers.algorithms.fedavg import FedAvg
    >>> two = Quadratic.of([[[1]], [[1]]], [[1], [-1]], sizes=[2])
    >>> [models[:, 0].tolist() for models in local_outcomes(FedAvg(1, 1), two, two.start(), 0)]
    [[Fraction(-1, 1), Fraction(1, 1)]]
    """
    total = count_outcomes(algorithm, problem, client)
    if total > MOST_OUTCOMES:
        raise InputError("local_steps", f"{total} outcomes of client {client}", f"at most {MOST_OUTCOMES}",
                         "use fewer local steps, or the moments of a quadratic")  # fmt: skip
    ranges = algorithm.ranges(problem, np.array([client]))
    slots = [range(int(high)) for r in ranges.values() for high in r.highs[0].ravel()]
    combinations = product(*slots)
    while block := list(islice(combinations, _CHUNK)):
        table, draws, column = np.array(block, dtype=np.int64).reshape(len(block), len(slots)), {}, 0
        for purpose, uniform in ranges.items():
            width = prod(uniform.shape)
            draws[purpose] = table[:, column : column + width].reshape(len(block), *uniform.shape)
            column += width
        yield algorithm.local(problem, ModelState(model), np.full(len(block), client), draws).models


def count_outcomes(algorithm: LocalThenAverage, problem: Problem, client: int) -> int:
    """How many combinations of draws one client has in a round."""
    ranges = algorithm.ranges(problem, np.array([client]))
    return prod(int(high) for r in ranges.values() for high in r.highs[0].ravel())


def expectation(
    algorithm: LocalThenAverage,
    problem: Problem,
    model: Array,
    client: int,
    function: Callable[[Array], Array],
) -> Any:
    """The exact mean of a function of one client's returned model.

    Arguments:
        algorithm, problem, model, client: as in `local_outcomes`.
        function: from models (m, d) to values (m, ...).

    Returns: the mean, of the values' shape; a fraction if the values are.
    """
    total = sum(np.add.reduce(function(m), axis=0) for m in local_outcomes(algorithm, problem, model, client))
    return total / problem.number(count_outcomes(algorithm, problem, client))


def surrogate_gradients(
    problem: Problem, models: Array, clients: Array, anchor: Array, prox_weight: Any
) -> Array:
    """Gradients of J_n(w) = F_n(w) + (mu / 2) |w - anchor|^2, FedProxVR (6)-(7).

    Arguments:
        models: shape (k, d), one per entry of `clients` (k,).
        anchor: the round's start, shape (d,).
        prox_weight: mu >= 0.

    Returns: shape (k, d).
    """
    pull: Array = problem.number(prox_weight) * (models - anchor)
    return problem.client_gradients(models, clients) + pull
