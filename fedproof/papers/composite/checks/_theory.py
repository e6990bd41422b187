"""What the statements of composite say at given numbers, and settings at the edges of their conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from fedproof.algebra.expressions import compile_numpy, names_in
from fedproof.algebra.reading import comparisons
from fedproof.algebra.signs import sign_at, verdict
from fedproof.algebra.tree import Comparison
from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound
from fedproof.bounds.statement_handle import statement
from fedproof.solvers.algorithms.fedcomposite import FedComposite


def metric(id: str) -> str:
    """What a statement bounds."""
    claim = catalog.statement(id).claim
    assert isinstance(claim, Bound)
    return claim.metric


@cache
def _letters(id: str) -> tuple[str, ...]:
    return tuple(letter.name for letter in catalog.statement(id).letters)


def wants(id: str, numbers: Mapping[str, Any]) -> dict[str, Any] | None:
    """The letters of a statement among some numbers; None where one of them does not exist."""
    if any(name not in numbers for name in _letters(id) if name != "R"):
        return None
    return {name: numbers[name] for name in _letters(id) if name in numbers}


def bound_at(id: str, **numbers: Any) -> float | None:
    """The bound that `check` gives, or None where a condition fails."""
    given = {name: numbers[name] for name in _letters(id)}
    return statement(id).check(**given).bound


@cache
def _conditions(id: str) -> tuple[Comparison, ...]:
    return tuple(part for c in catalog.statement(id).admissible for part in comparisons(c.relation))


def holds(id: str, **numbers: Any) -> bool:
    """Whether every condition of a statement holds, exactly; what `check` says, and nothing more.

    >>> holds("composite.theorem3.5", L=1, n=1, tau=1, b=1, sigma2=0, B_g=1, eta="1/15", eta_g="3/2")
    True
    """
    given = {name: Fraction(value) for name, value in numbers.items()}
    return all(verdict(c.op, sign_at(c.gap, given)) for c in _conditions(id))


@cache
def _function(id: str) -> tuple[Any, tuple[str, ...]]:
    expr = catalog.statement(id).bound
    assert expr is not None
    names = tuple(name for name in _letters(id) if name in names_in(expr))
    return compile_numpy(expr, names), names


def bounds(id: str, **numbers: Any) -> Any:
    """The statement's bound as a function of arrays, its conditions not looked at.

    >>> float(bounds("composite.theorem3.5", L=1, n=1, tau=1, b=1, sigma2=0, B_g=0, eta=1, eta_g=1,
    ...              Omega1=np.array(3), R=10))
    1.0
    """
    function, names = _function(id)
    return function(*(np.asarray(numbers[n], dtype=np.float64) for n in names))


def methods(
    smoothness: Fraction, server: Fraction, batch: int | None, steps: tuple[int, ...], shares: tuple[Any, ...]
) -> Iterator[FedComposite]:
    """Algorithm 1 with L eta~ in `shares` and tau in `steps`."""
    for tau in steps:
        for share in shares:
            eta = Fraction(share) / (smoothness * server * tau)
            yield FedComposite(eta, tau, server, batch)
