"""Whether what a used step's symbols stand for is an instance of what was proved.

A step is proved for all values of its symbols, all vectors and all sequences. Symbols, vectors and sequences
may therefore stand for anything of their kind, of the sign that they were assumed to have. Where a part such
as |x - y|^2 is given a name, that name is what the part is; what was proved of the part is true of the
name as long as nothing else that is said of x and y is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import sympy as sp

from fedproof.bounds.binding import put
from fedproof.bounds.sequences import is_sequence_term
from fedproof.bounds.step import Applied
from fedproof.bounds.vectors import n2
from fedproof.validate.rules.gram import combination, is_vector
from fedproof.validate.rules.prepare import signs
from fedproof.validate.rules.scope import plain

__all__ = ["misused", "premises"]


def premises(applied: Applied) -> Iterator[Any]:
    """What must be true here: signs that symbols assume, meanings of names, where an induction starts."""
    at = dict(applied.at)
    for key, value in at.items():
        if key in applied.step.meanings:
            yield sp.Eq(applied.put(key), value, evaluate=False)
        elif isinstance(key, sp.Symbol):
            yield from (put(r, {key: value}) for r in ([] if is_vector(key) else signs(key)))
        elif is_sequence_term(key):
            yield from _sign(key, value)
        elif plain(key) and not _any_square(applied, key):
            yield sp.Eq(put(key, _symbols(applied)), value, evaluate=False)
        elif plain(key) and not isinstance(value, n2) and not value.is_nonnegative:
            yield sp.Ge(value, 0, evaluate=False)
    how = applied.step.induction
    if applied.step.rule == "induction" and how is not None:
        yield sp.Ge(at.get(how.index, how.index), how.start, evaluate=False)


def _sign(key: sp.Expr, value: sp.Expr) -> Iterator[Any]:
    """The sign that a sequence is assumed to have, asked of what takes its place."""
    if key.is_positive and not value.is_positive:
        yield sp.Gt(value, 0, evaluate=False)
    elif key.is_nonnegative and not value.is_nonnegative:
        yield sp.Ge(value, 0, evaluate=False)


def _any_square(applied: Applied, key: sp.Expr) -> bool:
    """Whether a key is the square of a symbol that the claim has nowhere else: then it is any number >= 0."""
    if not (isinstance(key, sp.Pow) and isinstance(key.base, sp.Symbol) and key.exp == 2):
        return False
    return key.base not in _rest(applied).free_symbols


def _symbols(applied: Applied) -> dict[Any, Any]:
    return {k: v for k, v in applied.at if isinstance(k, sp.Symbol)}


def _rest(applied: Applied) -> Any:
    """The used step's claim without the parts that are given names here."""
    parts = {k: sp.Dummy() for k, _ in applied.at if not isinstance(k, sp.Symbol) and not is_sequence_term(k)}
    return put(put(applied.step.claim, applied.step.meanings), parts)


def misused(applied: Applied) -> Iterator[str]:
    """In words, where what was proved says nothing of what its symbols stand for here."""
    here = f"(in the use of {applied.step.id})"
    for said in (*_whole(applied), *_recursion(applied), *_parts(applied)):
        yield f"{said} {here}"


def _whole(applied: Applied) -> Iterator[str]:
    over = () if applied.over is None else (applied.over[0],)
    for key, value in applied.at:
        if isinstance(key, sp.Symbol) and key.is_integer and not value.is_integer and value not in over:
            yield f"{value} may not be whole as {key} is"


def _recursion(applied: Applied) -> Iterator[str]:
    """What a recursion produces stands for itself."""
    how = applied.step.induction
    if how is None or applied.step.rule != "induction":
        return
    moved = {s for s, _, _ in how.state}
    for key, value in applied.at:
        if key in moved and not (isinstance(value, sp.Symbol) and not value.is_number):
            yield f"{key} is what the recursion makes it, not {value}"
        if key == how.index and value.is_number and not value.is_integer:
            yield f"{value} is not whole"


def _parts(applied: Applied) -> Iterator[str]:
    """Named parts: one name for each, nothing said of what a part consists of, differences independent."""
    parts = {k: v for k, v in applied.at if not isinstance(k, sp.Symbol) and not is_sequence_term(k)}
    for (one, a), (other, b) in combinations(parts.items(), 2):
        if a == b:
            yield f"{one} = {other} is not known"
    left = {s for k in parts for s in k.free_symbols if is_vector(s)} & _rest(applied).free_symbols
    if left:
        names = ", ".join(sorted(s.name for s in left))
        yield f"what is said of {names} besides {', '.join(map(str, parts))} is lost"
    yield from _dependent([k for k in parts if is_vector(k)])


def _dependent(keys: list[Any]) -> Iterator[str]:
    rows = [combination(k) for k in keys]
    names = sorted({v for row in rows for v in row}, key=lambda v: v.name)
    matrix = sp.Matrix(len(rows), len(names), lambda i, j: rows[i].get(names[j], 0))
    if keys and matrix.rank() < len(keys):
        yield f"{', '.join(map(str, keys))} depend on each other"
