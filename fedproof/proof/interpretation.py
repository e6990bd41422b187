"""Whether what a used step's symbols stand for is an instance of what was proved.

A step is proved for all values of its symbols, all vectors and all sequences. Symbols, vectors and sequences
may therefore stand for anything of their kind, of the sign that they were assumed to have. Where a part such
as |x - y|^2 is given a name, that name is what the part is; what was proved of the part is true of the
name as long as nothing else that is said of x and y is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from types import MappingProxyType
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import evaluated
from fedproof.proof.rules.gram import combination, is_vector
from fedproof.proof.rules.normalise_step import signs
from fedproof.proof.rules.query import is_scalar_relation
from fedproof.proof.rules.well_formed import partial
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Applied, Step
from fedproof.proof.substitution import substitute
from fedproof.proof.vectors import Vector, ip, n2


@cache
def names(step: Step) -> Mapping[sp.Symbol, str]:
    """Symbols of a step that are names of a part of a used step, such as |x - y|^2, and what they name.

    A name is not any number: it stands for what it names, wherever the step is used in turn.
    """
    found: dict[sp.Symbol, str] = {}
    if step.induction is not None:
        found[step.induction.index] = f"a whole number from {step.induction.start} on"
        found |= {s: f"what the recursion makes {s}" for s, _, _ in step.induction.state}
    for applied in (h for h in step.hypotheses if isinstance(h, Applied)):
        at = dict(applied.at)
        for key, value in at.items():
            if _is_part(key):
                found |= _named(value, str(key))
        for name, meaning in names(applied.step).items():
            found = _named(at.get(name, name), meaning) | found
    return MappingProxyType(found)


def _is_part(key: sp.Basic) -> bool:
    return not isinstance(key, sp.Symbol) and not is_sequence_term(key) and bool(key.atoms(ip, n2))


def _named(value: sp.Basic, meaning: str) -> dict[sp.Symbol, str]:
    if isinstance(value, sp.Symbol):
        return {value: meaning}
    if isinstance(value, sp.Pow) and isinstance(value.base, sp.Symbol):
        return {value.base: f"the root of {meaning}"}
    return {}


def _is_name(value: sp.Basic) -> bool:
    """A symbol, a term, an inner product or a sum; the square of a name; the root of a squared norm."""
    if isinstance(value, sp.Pow):
        return _is_name(value.base) and value.exp in (2, sp.Rational(1, 2))
    if isinstance(value, sp.Mul) and len(value.args) == 2:
        return value.args[0] == value.args[1] and _is_name(value.args[0])
    return isinstance(value, (sp.Symbol, ip, n2, sp.Sum)) or is_sequence_term(value)


def premises(applied: Applied) -> Iterator[Any]:
    """What must be true here: signs that symbols assume, meanings of names, where an induction starts."""
    at = dict(applied.at)
    for value in at.values():
        if isinstance(value, sp.Expr) and is_scalar_relation(value) and partial(value):
            yield sp.Eq(value, value, evaluate=False)  # which holds exactly where it is defined
    for key, value in at.items():
        if key in applied.step.meanings:
            yield sp.Eq(applied.substitute(key), value, evaluate=False)
        elif isinstance(key, sp.Symbol):
            yield from (substitute(r, {key: value}) for r in ([] if is_vector(key) else signs(key)))
        elif is_sequence_term(key):
            yield from _sign(key, value)
        elif is_scalar_relation(key) and not _any_square(applied, key):
            symbols = {k: v for k, v in at.items() if isinstance(k, sp.Symbol)}
            yield sp.Eq(substitute(key, symbols), value, evaluate=False)
        elif is_scalar_relation(key) and not isinstance(value, n2) and not evaluated(value).is_nonnegative:
            yield sp.Ge(value, 0, evaluate=False)
    how = applied.step.induction
    if applied.step.rule == "induction" and how is not None:
        yield sp.Ge(at.get(how.index, how.index), how.start, evaluate=False)


def _sign(key: sp.Expr, value: sp.Expr) -> Iterator[Any]:
    """The sign that a sequence is assumed to have, asked of what takes its place."""
    if key.is_positive and not evaluated(value).is_positive:
        yield sp.Gt(value, 0, evaluate=False)
    elif key.is_nonnegative and not evaluated(value).is_nonnegative:
        yield sp.Ge(value, 0, evaluate=False)


def _any_square(applied: Applied, key: sp.Expr) -> bool:
    """Whether a key is the square of a symbol that the claim has nowhere else: then it is any number >= 0."""
    if not (isinstance(key, sp.Pow) and isinstance(key.base, sp.Symbol) and key.exp == 2):
        return False
    return key.base not in _rest(applied).free_symbols


def _rest(applied: Applied) -> Any:
    """The used step's claim without the parts that are given names here."""
    parts = {k: sp.Dummy() for k, _ in applied.at if not isinstance(k, sp.Symbol) and not is_sequence_term(k)}
    return substitute(substitute(applied.step.claim, applied.step.meanings), parts)


def misused(applied: Applied) -> Iterator[str]:
    """In words, where what was proved says nothing of what its symbols stand for here."""
    here = f"(in the use of {applied.step.id})"
    for said in (*_renamed(applied), *_whole(applied), *_recursion(applied), *_parts(applied)):
        yield f"{said} {here}"


def read_otherwise(step: Step, applied: Applied) -> str | None:
    """In words, where a used step is true in another mean than the one in which this step is read."""
    inner, outer = applied.step.mean, step.mean
    if inner in ("", outer) or not applied.substitute(applied.step.claim).atoms(ip, n2):
        return None
    if applied.step.claim.atoms(Vector) <= set(applied.step.fixed):
        return None
    return f"{applied.step.id} is read in the mean {inner}, not in {outer or 'none'}"


def _renamed(applied: Applied) -> Iterator[str]:
    """A name, and a part that is given one, can only be given another name."""
    known = names(applied.step)
    for key, value in applied.at:
        if (key in known or _is_part(key)) and not _is_name(value) and not _whole_number(applied, key, value):
            yield f"{key} is {known.get(key, 'a part of its own')}, not {value}"


def _whole_number(applied: Applied, key: sp.Basic, value: sp.Basic) -> bool:
    how = applied.step.induction
    return how is not None and key == how.index and bool(evaluated(value).is_integer)


def _whole(applied: Applied) -> Iterator[str]:
    over = () if applied.over is None else (applied.over[0],)
    for key, value in applied.at:
        if (
            isinstance(key, sp.Symbol)
            and key.is_integer
            and value not in over
            and not evaluated(value).is_integer
        ):
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
        if key == how.index and value.is_number and not evaluated(value).is_integer:
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
