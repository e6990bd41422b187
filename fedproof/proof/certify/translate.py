"""SymPy's expressions as the kernel's trees."""

from __future__ import annotations

from typing import Any

import sympy as sp

from fedproof.proof.forall import ForAll
from fedproof.proof.kernel.trees import NUMBER, Tree
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.vectors import Vector, ip, n2

_ORDER = {sp.Le: "<=", sp.Lt: "<", sp.Ge: "<=", sp.Gt: "<", sp.Eq: "=", sp.Ne: "!="}
_FUNCTIONS = {sp.exp: "exp", sp.log: "log", sp.sin: "sin", sp.cos: "cos"}


def expression(expr: Any) -> Tree:
    """An expression as a tree.

    Raises: NotApplicable for what the kernel has no word for.

    >>> x = sp.Symbol("x")
    >>> expression(2 * x / (x + 1))
    ('*', '2', 'x', ('^', ('+', '1', 'x'), '-1'))
    """
    if isinstance(expr, sp.Rational):
        return str(expr)
    if isinstance(expr, sp.Symbol):
        return expr.name
    if isinstance(expr, (sp.Add, sp.Mul)):
        head = "+" if isinstance(expr, sp.Add) else "*"
        return (head, *map(expression, expr.args))
    if isinstance(expr, sp.exp):
        return ("exp", expression(expr.args[0]))
    if isinstance(expr, sp.Pow):
        return ("^", expression(expr.base), expression(expr.exp.doit()))
    if isinstance(expr, (sp.Max, sp.Min)):
        head = "max" if isinstance(expr, sp.Max) else "min"
        first, *rest = map(expression, expr.args)
        for part in rest:
            first = (head, first, part)
        return first
    if isinstance(expr, sp.Abs):
        return ("abs", expression(expr.args[0]))
    if isinstance(expr, ip):
        return ("ip", *map(expression, expr.args))
    if isinstance(expr, n2):
        return ("n2", expression(expr.args[0]))
    if isinstance(expr, sp.Sum):
        body = expression(expr.function)
        for index, lo, hi in expr.limits:
            body = ("sum", index.name, expression(lo), expression(hi), body)
        return body
    if is_sequence_term(expr):
        return ("of", expr.func.__name__, *map(expression, expr.args))
    if type(expr) in _FUNCTIONS:
        return (_FUNCTIONS[type(expr)], expression(expr.args[0]))
    if expr is sp.pi:
        return "pi"
    if expr is sp.E:
        return ("exp", "1")
    raise NotApplicable(f"{expr} has no word in certificates")


_HEADS = {"+": sp.Add, "*": sp.Mul, "^": sp.Pow, "max": sp.Max, "min": sp.Min, "abs": sp.Abs}


def plain(tree: Tree) -> Any:
    """A tree of numbers, names of real numbers and arithmetic as SymPy's expression; None for others.

    >>> plain(("+", "1", ("*", "2", "x")))
    2*x + 1
    >>> plain(("of", "f", "x")) is None
    True
    """
    if isinstance(tree, str):
        return sp.Rational(tree) if NUMBER.match(tree) else sp.Symbol(tree, real=True)
    parts: list[Any] = [plain(t) for t in tree[1:]] if tree[0] in _HEADS else [None]
    if None in parts:
        return None
    if tree[0] == "^" and not parts[1].is_number and isinstance(parts[0], sp.Pow) and parts[0].exp == -1:
        return parts[0].base ** -parts[1]  # (1/b)^(-n) is b^n, for exponents that are names are whole
    return _HEADS[tree[0]](*parts)


#: what a relation between numbers is for SymPy
RELATIONS = {"<=": sp.Le, "<": sp.Lt, "=": sp.Eq, "!=": sp.Ne}


def plain_relation(tree: Tree) -> Any:
    """A relation between what `plain` reads as SymPy's, as it stands; None for others.

    >>> plain_relation(("<=", "1", "x"))
    1 <= x
    """
    sides = [plain(side) for side in tree[1:]] if tree[0] in RELATIONS else [None]
    return None if None in sides else RELATIONS[tree[0]](*sides, evaluate=False)


def relation(said: Any) -> Tree:
    """A relation as a tree, the smaller side first."""
    if isinstance(said, ForAll):
        return ("all", said.index.name, expression(said.lo), expression(said.hi), relation(said.relation))
    if not isinstance(said, sp.core.relational.Relational):
        raise NotApplicable(f"{said} is no relation")
    left, right = map(expression, said.args)
    if isinstance(said, (sp.Ge, sp.Gt)):
        left, right = right, left
    return (_ORDER[said.func], left, right)


def kinds_of(*said: Any) -> dict[str, str]:
    """Kinds of the names in relations: what counts terms is whole, what has an index a sequence."""
    kinds: dict[str, str] = {}
    for part in said:
        _gather(part, kinds, frozenset())
    return kinds


def _gather(part: Any, kinds: dict[str, str], bound: frozenset[str]) -> None:
    if isinstance(part, ForAll):
        for end in (part.lo, part.hi):
            _whole(end, kinds, bound)
        _gather(part.relation, kinds, bound | {part.index.name})
    elif isinstance(part, sp.Sum):
        inside = bound
        for index, lo, hi in reversed(part.limits):
            _whole(lo, kinds, inside)
            _whole(hi, kinds, inside)
            inside |= {index.name}
        _gather(part.function, kinds, inside)
    elif is_sequence_term(part) if isinstance(part, sp.Basic) else False:
        kinds[part.func.__name__] = "real(whole)"
        _whole(part.args[0], kinds, bound)
    elif isinstance(part, sp.Symbol):
        if part.name not in bound:
            kinds.setdefault(part.name, "vector" if isinstance(part, Vector) else "real")
            if part.is_integer:
                kinds[part.name] = "whole"
    elif isinstance(part, sp.Basic):
        for a in part.args:
            _gather(a, kinds, bound)


def _whole(end: Any, kinds: dict[str, str], bound: frozenset[str]) -> None:
    for s in end.free_symbols:
        if s.name not in bound:
            kinds[s.name] = "whole"
