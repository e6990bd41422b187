"""Whether there are the instances of which a refutation speaks: whether all their names are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Any, TypeAlias

import sympy as sp
from sympy.core.function import AppliedUndef

from fedproof.proof.forall import ForAll, relation_text

Holds: TypeAlias = Callable[[sp.Basic, Sequence[sp.Basic]], bool]
"""Whether a relation between what is known, and symbols of which more is given, holds for every instance."""

#: the term before, in a recursion
BEFORE = sp.Symbol("before", real=True)
#: what has a value wherever its parts have one
TOTAL = (sp.Add, sp.Mul, sp.Max, sp.Min, sp.Abs, sp.Symbol, sp.Rational, AppliedUndef)


def unmade(said: Iterable[Any], known: Set[sp.Symbol], holds: Holds) -> list[str]:
    """The relations that do not say what a name or a sequence is, and so may have no instance at all.

    A name is made by one equation from names known before, a sequence by its first term and a recursion from
    there; what it is made of has a value, and what is declared not negative comes out so. A name that no
    equation makes is any number, or any of a sign. An inequality beside the same equation says no more.

    Arguments:
        said: relations and `ForAll`, in any order.
        known: symbols that have a value; another symbol of such a name is not one.
        holds: decides whether what is made has a value and its sign.

    >>> x, y = sp.symbols("x y", real=True)
    >>> unmade([sp.Eq(y, x + 1)], {x}, lambda relation, given: False)
    []
    >>> unmade([sp.Eq(y, x + 1), y <= 2], {x}, lambda relation, given: False)
    ['y <= 2']
    """
    rows = list(dict.fromkeys(said))
    taken = {s.name: s for s in known}
    odd = [r for r in rows if any(taken.get(s.name, s) != s for s in _relation(r).free_symbols)]
    if odd:
        return [f"{relation_text(row)} with a letter of other assumptions" for row in odd]
    heads = {_function(_relation(row).args[0]) for row in rows if isinstance(_relation(row), sp.Eq)}
    made, left, before = set(known), [r for r in rows if isinstance(_relation(r), sp.Eq)], -1
    while len(left) != before:
        before = len(left)
        left = [row for row in left if not _add(made, _made(row, frozenset(made), heads, holds))]
    said_no_more = (r for r in rows if _twin(r, rows) or _sign(r, made | heads))
    makes = {*said_no_more, *(r for r in rows if isinstance(_relation(r), sp.Eq) and r not in left)}
    return [relation_text(row) for row in rows if row not in makes]


def _add(made: set[Any], new: Any) -> bool:
    """Whether there is something new, which is made then."""
    if new is not None:
        made.add(new)
    return new is not None


def _relation(row: Any) -> Any:
    return row.relation if isinstance(row, ForAll) else row


def _function(head: Any) -> Any:
    return head.func if isinstance(head, AppliedUndef) else head


def _made(row: Any, made: Set[Any], heads: Set[Any], holds: Holds) -> Any:
    """What an equation makes: a name, a first term, a sequence; None where it makes nothing."""
    head, value = _relation(row).args
    new, given = _new(row, made), []
    if isinstance(row, ForAll):
        value = value.xreplace({head.func(row.index): BEFORE}) if new is not None else value
        given = [BEFORE >= 0] if head.is_nonnegative else []
    spoken = {*value.free_symbols, *value.atoms(AppliedUndef)} - {BEFORE}
    later = {part for part in spoken - made if _function(part) in heads}
    if new is None or later or head in made or (head.is_zero is False and not head.is_positive):
        return None
    asked = (*_needed(value), *_signed(head, value))
    return new if all(said is not None and holds(said, given) for said in asked) else None


def _new(row: Any, made: Set[Any]) -> Any:
    """The name that an equation is about: a symbol, a term, or a function whose first term is made."""
    head = _relation(row).args[0]
    if isinstance(row, ForAll):
        follows = isinstance(head, AppliedUndef) and sp.expand(head.args[0] - row.index) == 1
        terms = {part for part in made if isinstance(part, AppliedUndef) and part.func == head.func}
        return head.func if follows and terms == {head.func(row.lo)} and head.func not in made else None
    if isinstance(head, AppliedUndef):
        whole = len(head.args) == 1 and head.args[0].is_Integer
        return head if whole and head.func not in made else None
    return head if isinstance(head, sp.Symbol) and not head.is_integer else None


def _needed(value: sp.Expr) -> Iterator[sp.Basic | None]:
    """What gives an expression a value; None for what is not looked into."""
    for part in sp.preorder_traversal(value):
        if isinstance(part, sp.Pow) and not (part.exp.is_Integer and part.exp >= 0):
            yield sp.Gt(part.base, 0, evaluate=False) if part.exp.is_Rational else None
        elif not isinstance(part, (sp.Pow, *TOTAL)):
            yield None


def _signed(head: sp.Expr, value: sp.Expr) -> Iterator[sp.Basic | None]:
    """The sign that what is made is declared to have."""
    if head.is_positive or head.is_nonnegative:
        yield (sp.Gt if head.is_positive else sp.Ge)(value, 0, evaluate=False)
    elif head.is_nonpositive:
        yield None


def _twin(row: Any, rows: Sequence[Any]) -> bool:
    """Whether an inequality stands beside the equation of the same two sides, for the same indices."""
    relation = _relation(row)
    if not isinstance(relation, (sp.Le, sp.Ge)):
        return False
    left, right = relation.args
    beside = (r for r in rows if isinstance(_relation(r), sp.Eq) and _range(r) == _range(row))
    sides = (_relation(r).args for r in beside)
    return any(left == one and sp.cancel(right - other) == 0 for one, other in sides)


def _range(row: Any) -> Any:
    return (row.index, row.lo, row.hi) if isinstance(row, ForAll) else None


def _sign(row: Any, spoken: Set[Any]) -> bool:
    """Whether a relation says of a name that nothing makes that it is positive, or not negative."""
    if not isinstance(row, (sp.Ge, sp.Gt)):
        return False
    name, bound = row.args
    declared = name.is_nonnegative if isinstance(row, sp.Ge) else name.is_positive
    free = isinstance(name, sp.Symbol) and name not in spoken and name.is_nonpositive is None
    return bool((free or declared) and bound == 0)
