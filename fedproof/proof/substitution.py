"""Substitution in expressions with sums: a bound index is neither replaced nor captured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import rebuilt
from fedproof.proof.sequences import is_sequence_term
from fedproof.vocabulary.errors import InputError

_NONE: frozenset[sp.Symbol] = frozenset()


def substitute(expr: Any, pairs: Mapping[Any, Any], bound: frozenset[sp.Symbol] = _NONE) -> Any:
    """An expression or relation with keys replaced by values, all at once and nothing evaluated.

    Arguments:
        pairs: symbols, vectors, inner products, sums or other parts, and what takes their place. A term x(t)
            of a sequence with a plain index stands for every term: x(t + 1) becomes the value at t + 1.
        bound: indices that are bound around the expression.

    Raises: InputError where a value speaks of an index that is bound where it would be put, or where one
        term of a sequence is replaced and others are not.

    >>> t, n, c = sp.symbols("t n c", real=True)
    >>> x, y = sp.Function("x"), sp.Function("y")
    >>> substitute(sp.Sum(c * x(t + 1), (t, 0, n)), {c: n, x(t): t * y(t)})
    Sum(n*((t + 1)*y(t + 1)), (t, 0, n))
    """
    terms = {k.func: k for k in pairs if is_sequence_term(k)}
    return _put(expr, dict(pairs), terms, bound)


def _put(expr: Any, pairs: dict[Any, Any], terms: dict[Any, Any], bound: frozenset[sp.Symbol]) -> Any:
    if expr in pairs and not (expr.free_symbols & bound) and not is_sequence_term(expr):
        return _free(pairs[expr], bound, expr)
    if is_sequence_term(expr) and expr.func in terms:
        return _term(expr, pairs, terms, bound)
    if not expr.args:
        return expr
    if isinstance(expr, sp.Sum):
        return _sum(expr, pairs, terms, bound)
    args = [_put(a, pairs, terms, bound) for a in expr.args]
    return expr if all(a is b for a, b in zip(args, expr.args, strict=True)) else rebuilt(expr, args)


def _free(value: Any, bound: frozenset[sp.Symbol], key: Any) -> Any:
    caught = value.free_symbols & bound
    if caught:
        name = min(s.name for s in caught)
        raise InputError(
            f"value of {key}", value, f"no {name}, which is bound there", f"rename the index {name}"
        )
    return value


def _term(expr: Any, pairs: dict[Any, Any], terms: dict[Any, Any], bound: frozenset[sp.Symbol]) -> Any:
    key = terms[expr.func]
    value, index = pairs[key], key.args[0]
    if expr == key and not (expr.free_symbols & bound):
        return _free(value, bound, key)
    if len(key.args) != 1 or not isinstance(index, sp.Symbol):
        raise InputError("key", key, f"a plain index, for {expr} occurs too", "write it as x(t)")
    place = _put(expr.args[0], pairs, terms, bound)
    _free(sp.Tuple(*(value.free_symbols - {index})), bound, key)
    return _put(value, {index: place}, {}, _NONE)


def _sum(expr: sp.Sum, pairs: dict[Any, Any], terms: dict[Any, Any], bound: frozenset[sp.Symbol]) -> sp.Sum:
    limits = []
    for index, *ends in reversed(expr.limits):
        limits.append((index, *(_put(e, pairs, terms, bound) for e in ends)))
        bound = bound | {index}
    return _summed(_put(expr.function, pairs, terms, bound), limits)


def _summed(body: sp.Expr, limits: list[tuple[Any, ...]]) -> sp.Sum:
    with sp.evaluate(True):  # without, SymPy multiplies the body by 1
        return sp.Sum(body, *reversed(limits))


def rename_apart(expr: Any, taken: frozenset[str]) -> Any:
    """An expression whose bound indices have names of their own: none is free, none is bound twice.

    Arguments:
        taken: names that are free, or bound around the expression.

    >>> t, n = sp.symbols("t n", real=True)
    >>> rename_apart(sp.Sum(t, (t, 1, n)), frozenset({"t", "n"}))
    Sum(t', (t', 1, n))
    """
    if not expr.has(sp.Sum):
        return expr
    return _apart(expr, taken, {})


def _apart(expr: Any, taken: frozenset[str], names: Mapping[sp.Symbol, sp.Symbol]) -> Any:
    if isinstance(expr, sp.Symbol):
        return names.get(expr, expr)
    if not expr.args:
        return expr
    if not isinstance(expr, sp.Sum):
        args = [_apart(a, taken, names) for a in expr.args]
        return expr if all(a is b for a, b in zip(args, expr.args, strict=True)) else rebuilt(expr, args)
    limits = []
    for index, *ends in reversed(expr.limits):
        ends = [_apart(e, taken, names) for e in ends]
        fresh = fresh_index(index, taken)
        taken, names = taken | {fresh.name}, {**names, index: fresh}
        limits.append((fresh, *ends))
    return _summed(_apart(expr.function, taken, names), limits)


def fresh_index(index: sp.Symbol, taken: frozenset[str]) -> sp.Symbol:
    """The index itself, or with as many primes as it takes to be told from names that are taken."""
    name = index.name
    while name in taken:
        name += "'"
    return index if name == index.name else sp.Symbol(name, **index._assumptions_orig)
