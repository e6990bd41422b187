"""Conditions decided apart from the product: definitions and relations as printed, in 60 digits or more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

import mpmath as mp
import sympy as sp

from fedproof.bounds.statement import Statement
from fedproof.vocabulary.surd import Surd
from tests.fuzz.enclosures import Ball, Exact, Number, Undefined, Unsure

#: the digits in which a sign is looked for, one after the other
DIGITS = (60, 200)
#: a value as it is given: exact, a square root, or an enclosure for every number of digits
Given: TypeAlias = Fraction | Surd | Callable[[int], Ball]


@dataclass(frozen=True)
class Reader:
    """The numbers of a statement's expressions, each definition computed once.

    Arguments:
        definitions: of derived letters and choices, by name.
        values: of the letters, by name.
        by: the arithmetic.
    """

    definitions: Mapping[str, Any]
    values: dict[str, Any]
    by: Any
    done: dict[Any, Any] = field(default_factory=dict)

    def at(self, e: Any) -> Any:
        """The value of an expression."""
        if e not in self.done:
            self.done[e] = self._at(e)
        return self.done[e]

    def _at(self, e: Any) -> Any:
        if isinstance(e, sp.Symbol):
            return self.at(self.definitions[e.name]) if e.name in self.definitions else self.values[e.name]
        if isinstance(e, sp.Rational):
            return Fraction(int(e.p), int(e.q))
        if isinstance(e, sp.Pow):
            base, to = self.at(e.base), e.exp
            if not to.is_Rational:
                return self.by.raised(base, self.at(to))
            return self.by.power(self.by.root(base, int(to.q)) if to.q != 1 else base, int(to.p))
        parts = [self.at(a) for a in e.args]
        join = {
            sp.Add: self.by.add, sp.Mul: self.by.mul,
            sp.Max: lambda a, b: self.by.extreme(a, b, max), sp.Min: lambda a, b: self.by.extreme(a, b, min),
        }[e.func]  # fmt: skip
        found = parts[0]
        for part in parts[1:]:
            found = join(found, part)
        return found

    def gap(self, relation: Any) -> Any:
        """Left less right."""
        return self.by.add(self.at(relation.lhs), self.by.mul(Fraction(-1), self.at(relation.rhs)))


def definitions(of: Statement) -> dict[str, Any]:
    """Its derived letters and its choices, by name."""
    found = {d.letter.name: d.expr for d in of.where}
    return found | {c.letter.name: c.best for c in of.chosen}


def comparisons(of: Statement) -> Iterator[Any]:
    """Its conditions without those that a choice settles, each And in its parts."""
    settled = {label for choice in of.chosen for label in choice.settles}
    for condition in of.conditions:
        if condition.label not in settled:
            relation = condition.relation
            yield from relation.args if isinstance(relation, sp.And) else (relation,)


_KEPT: dict[Any, Callable[[int], bool]] = {
    sp.Le: lambda s: s <= 0, sp.Lt: lambda s: s < 0, sp.Ge: lambda s: s >= 0, sp.Gt: lambda s: s > 0,
    sp.Eq: lambda s: s == 0, sp.Ne: lambda s: s != 0,
}  # fmt: skip


def reader(
    of: Statement,
    values: Mapping[str, Given],
    digits: int,
    zero: bool = False,
    more: Mapping[str, Any] | None = None,
) -> Reader:
    """At given values, in so many digits, with more definitions; mpmath must be at work in as many."""
    by = Exact(zero)
    numbers = {n: _number(v, digits, by) for n, v in values.items()}
    return Reader({**definitions(of), **(more or {})}, numbers, by)


def _number(value: Given, digits: int, by: Exact) -> Number:
    if isinstance(value, Surd):
        size = by.root(value.square, 2)
        return by.mul(Fraction(-1), size) if value.negative else size
    return value if isinstance(value, Fraction) else value(digits)


def holds(
    of: Statement,
    values: Mapping[str, Given],
    at_end: bool = False,
    more: Mapping[str, Any] | None = None,
    also: Sequence[Any] = (),
) -> bool | None:
    """Whether the letters lie in their domains and every condition holds; None where the digits do not tell.

    Arguments:
        values: of every letter that a condition speaks of.
        at_end: whether equality is to be expected: then what 200 digits do not tell from 0 is 0.
        more: further definitions, by name.
        also: further relations.
    """
    for digits in DIGITS:
        with mp.workdps(digits):
            found = _holds(of, reader(of, values, digits, more=more), also)
            if found is None and at_end and digits == DIGITS[-1]:
                found = _holds(of, reader(of, values, digits, zero=True, more=more), also)
        if found is not None:
            return found
    return None


def _holds(of: Statement, at: Reader, also: Sequence[Any]) -> bool | None:
    asked = [partial(_inside, at, x) for x in of.letters if x.name in at.values]
    asked += [partial(_kept, at, relation) for relation in (*comparisons(of), *also)]
    found: bool | None = True
    for ask in asked:
        right = _decided(ask)
        if right is False:
            return False
        found = None if right is None else found
    return found


def _kept(at: Reader, relation: Any) -> bool:
    return _KEPT[relation.func](at.by.sign(at.gap(relation)))


def _decided(ask: Callable[[], bool]) -> bool | None:
    try:
        return ask()
    except Undefined:
        return False
    except Unsure:
        return None


def _inside(at: Reader, letter: Any) -> bool:
    value, domain = at.values[letter.name], letter.domain
    for end, is_open, side in ((domain.lo, domain.lo_open, 1), (domain.hi, domain.hi_open, -1)):
        if end is None or (isinstance(value, Fraction) and (value > end if side > 0 else value < end)):
            continue
        beyond = side * at.by.sign(at.by.add(value, Fraction(-end)))
        if beyond < 0 or (beyond == 0 and is_open):
            return False
    return True
