"""Labelled conditions compiled from SymPy, and rational values put into them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from fedproof.algebra.reading import Reader, comparisons
from fedproof.algebra.rewriting import substitute
from fedproof.algebra.tree import Comparison, Tree, names


class Labelled(Protocol):
    """What the engine asks of a condition."""

    @property
    def label(self) -> str:
        """What it is called."""

    @property
    def relation(self) -> Any:
        """A SymPy relation, or several joined by And, definitions substituted."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A conjunction of comparisons, with the labels of the conditions it comes from."""

    labels: tuple[str, ...]
    parts: tuple[Comparison, ...]


def clauses_of(conditions: Iterable[Labelled]) -> tuple[Clause, ...]:
    """Conditions compiled from SymPy, equal subexpressions shared."""
    reader = Reader()
    return tuple(Clause((c.label,), comparisons(c.relation, reader)) for c in conditions)


def symbols_of(clauses: Iterable[Clause]) -> frozenset[str]:
    """The names of all symbols in the clauses."""
    return names(*(side for c in clauses for p in c.parts for side in (p.left, p.right)))


def substitute_values(clauses: Sequence[Clause], values: Mapping[str, Tree | Fraction]) -> tuple[Clause, ...]:
    """The clauses with values, or other trees, put in for symbols."""
    sides = [side for c in clauses for p in c.parts for side in (p.left, p.right)]
    new = iter(substitute(sides, values))
    return tuple(
        Clause(c.labels, tuple(Comparison(next(new), p.op, next(new)) for p in c.parts)) for c in clauses
    )
