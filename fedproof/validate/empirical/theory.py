"""What a statement says at given numbers, for many of them: its conditions, its bound and its definitions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound
from fedproof.bounds.statement_handle import statement
from fedproof.validate.verdict import Relation


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
    if any(name not in numbers for name in _letters(id)):
        return None
    return {name: numbers[name] for name in _letters(id)}


def bound_at(id: str, **numbers: Any) -> float | None:
    """The bound that `check` gives, or None where a condition fails; other letters are passed over."""
    return statement(id).check(**{name: numbers[name] for name in _letters(id) if name in numbers}).bound


def holds(id: str, **numbers: Any) -> bool:
    """Whether every condition of a statement holds, exactly; what `check` says, and nothing more.

    >>> holds("composite.theorem3.5", L=1, n=1, tau=1, b=1, sigma2=0, B_g=1, eta="1/15", eta_g="3/2")
    True
    """
    given = {name: Fraction(value) for name, value in numbers.items()}
    return all(relation.holds(given) for relation in catalog.statement(id).relations.values())


def definition_value(id: str, name: str, **values: Any) -> Any:
    """A derived quantity of a statement, in doubles, its conditions not looked at.

    Arguments:
        id: of the statement.
        name: the letter of the definition, or "bound".
        values: numbers or arrays by letter; those it does not depend on are ignored.

    >>> theta = definition_value("fedproxvr.certified.sarah", "theta", L=1, lam=0, mu=20, beta=20, tau=28)
    >>> round(theta, 3)
    0.502
    """
    formula = catalog.statement(id).formulas[name]
    return formula.at({n: np.asarray(values[n], dtype=np.float64)[()] for n in formula.names})


def bounds(id: str, **numbers: Any) -> Any:
    """The statement's bound in doubles, for numbers or arrays, its conditions not looked at.

    >>> bounds("composite.theorem3.5", L=1, n=1, tau=1, b=1, sigma2=0, B_g=0, eta=1, eta_g=1,
    ...        Omega1=np.array([3]), R=10)
    array([1.])
    """
    return definition_value(id, "bound", **numbers)


def compares(
    measured: Fraction, relation: Relation, id: str, name: str, values: Mapping[str, Fraction], power: int = 1
) -> bool:
    """Whether a measured number is at most, or at least, a power of a derived quantity: decided exactly.

    >>> numbers = {name: Fraction(value) for name, value in dict(L=1, lam=0, mu=1, beta=2, tau=2).items()}
    >>> chain = "fedproxvr.certified.sarah.sharpened"
    >>> [compares(Fraction(1), relation, chain, "theta", numbers, power=2) for relation in ("<=", ">=")]
    [True, True]
    """
    sides = sp.Symbol("measured", real=True), catalog.statement(id).formulas[name].expr ** power
    claim = sp.Le(*sides, evaluate=False) if relation == "<=" else sp.Ge(*sides, evaluate=False)
    return evaluate_relation(claim, {**values, "measured": measured}).holds
