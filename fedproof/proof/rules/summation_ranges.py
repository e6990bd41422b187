"""Sums of sequences with a symbolic number of terms, as coefficients of every single term.

A run says that the terms x(j) of a sequence (or products of terms at fixed distances) occur for j from lo to
hi with a coefficient that may depend on j. Index shifts, exchanged sums and telescoping need no rules of
their own: they are what happens to coefficients.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from fedproof.algebra.cancel import cancel
from fedproof.proof.forall import within
from fedproof.proof.rules.query import NotApplicable, Query
from fedproof.proof.sequences import is_sequence_term

#: the index in which all coefficients are written; no symbol of a step has such a name
INDEX = sp.Symbol("(j)", real=True)

#: sequences with their distance from the index, sorted
Atom = tuple[tuple[str, sp.Expr], ...]


@dataclass(frozen=True)
class SummationRange:
    """The terms of an atom at j = lo..hi, with coefficient."""

    atom: Atom
    coefficient: sp.Expr
    lo: sp.Expr
    hi: sp.Expr


@dataclass(frozen=True)
class LinearSums:
    """An expression: a number, runs, and what was used on the way."""

    number: sp.Expr
    runs: tuple[SummationRange, ...]
    obligations: tuple[Query, ...]


def runs(expr: sp.Expr) -> LinearSums:
    """The number and the runs that an expression consists of.

    >>> x, t, n = sp.Function("x"), sp.Symbol("t"), sp.Symbol("n")
    >>> [(r.coefficient, r.lo, r.hi) for r in runs(sp.Sum(t * x(t + 1), (t, 0, n))).runs]
    [((j) - 1, 1, n + 1)]
    """
    number: sp.Expr = sp.Integer(0)
    found: list[SummationRange] = []
    asked: list[Query] = []
    for factor, terms, binders in _terms(sp.Integer(1), expr, ()):
        done = _close(factor, terms, list(binders), asked)
        if isinstance(done, SummationRange):
            found.append(done)
        else:
            number += done
    return LinearSums(cancel(number) if number.is_rational_function() else number, tuple(found), tuple(asked))


Binder = tuple[sp.Symbol, sp.Expr, sp.Expr]
Term = tuple[sp.Expr, tuple[sp.Expr, ...], tuple[Binder, ...]]


def _terms(factor: sp.Expr, expr: sp.Expr, binders: tuple[Binder, ...]) -> Iterator[Term]:
    """The expression multiplied out: factor, sequence terms, binders from the outermost."""
    if not _has_terms(expr) and not expr.has(sp.Sum):
        yield factor * expr.doit(), (), binders
    elif is_sequence_term(expr):
        yield factor, (expr,), binders
    elif isinstance(expr, sp.Add):
        for part in expr.args:
            yield from _terms(factor, part, binders)
    elif isinstance(expr, sp.Mul):
        yield from _product(factor, list(expr.args), binders)
    elif isinstance(expr, sp.Sum):
        limits = [(b[0], b[1].doit(), b[2].doit()) for b in reversed(expr.limits)]
        if any(b[0] in {c[0] for c in binders} for b in limits):
            raise NotApplicable(f"an index of {expr} is used twice")
        yield from _terms(factor, expr.function, (*binders, *limits))
    else:
        raise NotApplicable(f"{expr} is not linear in sequences and sums")


def _product(factor: sp.Expr, parts: list[sp.Expr], binders: tuple[Binder, ...]) -> Iterator[Term]:
    summed = [p for p in parts if p.has(sp.Sum)]
    if len(summed) > 1:
        raise NotApplicable("a product of sums is not linear")
    plain = [p for p in parts if not _has_terms(p) and not p.has(sp.Sum)]
    terms = tuple(p for p in parts if is_sequence_term(p))
    other = [p for p in parts if _has_terms(p) and not is_sequence_term(p) and p not in summed]
    factor = sp.Mul(factor, *(p.doit() for p in plain))
    if not other and not summed:
        yield factor, terms, binders
        return
    first, *rest = [*other, *summed]
    for f, t, b in _terms(sp.Integer(1), first, binders):
        for f2, t2, b2 in _product(f, rest, b) if rest else [(f, (), b)]:
            yield factor * f2, (*terms, *t, *t2), b2


def _has_terms(expr: sp.Expr) -> bool:
    return any(is_sequence_term(a) for a in expr.atoms(sp.Function))


def _close(
    factor: sp.Expr, terms: tuple[sp.Expr, ...], binders: list[Binder], asked: list[Query]
) -> SummationRange | sp.Expr:
    """Carry out the sums over indices that the terms do not have; what is left is one run or a number."""
    used = set().union(*(t.args[0].free_symbols for t in terms)) if terms else set()
    for i in reversed(range(len(binders))):
        index, lo, hi = binders[i]
        if index in used:
            continue
        inner = [b for b in binders[i + 1 :] if index in (b[1].free_symbols | b[2].free_symbols)]
        if inner:
            factor = _triangle(factor, binders, i, inner, asked)
        else:
            asked_here: list[Query] = []
            factor = _closed_sum(factor, index, lo, hi, asked_here)
            around = tuple(r for at, start, end in binders[:i] for r in within(start, at, end))
            asked += [Query(around, q.claim, q.about) for q in asked_here]
        del binders[i]
    if not terms:
        return factor
    if len(binders) > 1:
        raise NotApplicable("terms with two indices are not supported")
    return _run(factor, terms, binders)


def _closed_sum(factor: sp.Expr, index: sp.Symbol, lo: sp.Expr, hi: sp.Expr, asked: list[Query]) -> sp.Expr:
    """The sum of a polynomial in the index, in closed form; the form is checked by its own obligations."""
    if index not in factor.free_symbols:
        asked.append(_counts_something(index, lo, hi))
        return factor * (hi - lo + 1)
    if not factor.is_polynomial(index):
        raise NotApplicable(f"{factor} has no closed sum over {index}")
    end = sp.Symbol(f"({index} end)", real=True)
    closed = sp.summation(factor, (index, lo, end))
    step = sp.Eq(closed.subs(end, end + 1) - closed, factor.subs(index, end + 1), evaluate=False)
    asked += [
        Query((), sp.Eq(closed.subs(end, lo - 1), 0, evaluate=False), "an empty sum is 0"),
        Query((), step, "one term more"),
        _counts_something(index, lo, hi),
    ]
    return closed.subs(end, hi)


def _counts_something(index: sp.Symbol, lo: sp.Expr, hi: sp.Expr) -> Query:
    claim = sp.Ge(sp.expand(hi - lo + 1), 0, evaluate=False)
    return Query((), claim, f"the sum over {index} has no negative length")


def _triangle(
    factor: sp.Expr, binders: list[Binder], i: int, inner: list[Binder], asked: list[Query]
) -> sp.Expr:
    """Exchange sum over t = lo..hi of sum over j = lo..t: for each j the outer index runs from j to hi."""
    outer, lo, hi = binders[i]
    if len(inner) != 1 or inner[0][2] != outer or sp.expand(inner[0][1] - lo) != 0:
        raise NotApplicable(f"only sums over {outer} = a..b of sums from a to {outer} can be exchanged")
    index = inner[0][0]
    binders[binders.index(inner[0])] = (index, lo, hi)
    asked_here: list[Query] = []
    closed = _closed_sum(factor, outer, index, hi, asked_here)
    asked += [q for q in asked_here if "length" not in q.about]
    return closed


def _run(factor: sp.Expr, terms: tuple[sp.Expr, ...], binders: list[Binder]) -> SummationRange:
    inside = binders[0][0] if binders else None
    term = _first(terms, inside)
    place = term.args[0].doit()
    if inside is not None:
        index, lo, hi = binders[0]
        shift = sp.expand(place - index)
        if index in shift.free_symbols:
            raise NotApplicable(f"{term} must have an index such as {index} + 1")
        factor = factor.subs(index, INDEX - shift)
        lo, hi = sp.expand(lo + shift), sp.expand(hi + shift)
    else:
        lo = hi = sp.expand(place)
    distances = [(t.func.__name__, sp.expand(t.args[0].doit() - place)) for t in terms]
    if inside is not None and any(inside in d.free_symbols for _, d in distances):
        raise NotApplicable(f"a product must have {inside} in each of its terms, such as {inside} + 1")
    _check_whole(lo, hi, *(d for _, d in distances))
    return SummationRange(tuple(sorted(distances, key=str)), factor, lo, hi)


def _first(terms: tuple[sp.Expr, ...], index: sp.Symbol | None) -> sp.Expr:
    """The term from which distances are counted: the same in whatever order a product is written."""
    having = [t for t in terms if index is None or index in t.args[0].free_symbols]
    name = min(t.func.__name__ for t in having)
    same = sorted((t for t in having if t.func.__name__ == name), key=sp.default_sort_key)
    ahead = [sp.expand(t.args[0].doit() - same[0].args[0].doit()) for t in same]
    if not all(d.is_Integer for d in ahead):
        return same[0]
    return same[ahead.index(min(ahead))]


def _check_whole(*places: sp.Expr) -> None:
    """Whether places are whole wherever the symbols in them are."""
    for place in places:
        symbols = sorted(place.free_symbols, key=str)
        whole = place.is_Integer or (
            bool(symbols)
            and place.is_polynomial(*symbols)
            and all(c.is_Integer for c in sp.Poly(place, *symbols).coeffs())
        )
        if not whole:
            raise NotApplicable(f"{place} may not be a whole number")
