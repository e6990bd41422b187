"""Functions and fields of vectors, one or a family of them, as names with their LaTeX."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction

from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.vectors import Vector, ip, n2
from fedproof.vocabulary.errors import InputError


class Named(UndefinedFunction):  # type: ignore[misc]
    """A name with arguments, each a vector or a whole number."""

    latex: Any

    def __new__(mcs, name: str, latex: str = "") -> Any:
        found = super().__new__(mcs, name, (AppliedUndef,), {}, **mcs.assumed())
        found.latex = latex
        return found

    def __init__(cls, name: str, latex: str = "") -> None:
        super().__init__(name)

    @classmethod
    def assumed(mcs) -> dict[str, bool]:
        """What SymPy knows of its values."""
        return {}


class Function(Named):
    """A real function of vectors, or a family of such: `f(x)`, `f(i, x)`.

    In the space of random vectors f(x) means the expected value of f at the random point x.

    Arguments:
        name: of the function.
        latex: with #1, #2 for its arguments, or its head alone.

    >>> x = Vector("x")
    >>> f = Function("f")
    >>> f(x) <= 2 * n2(x)
    f(x) <= 2*n2(x)
    """

    @classmethod
    def assumed(mcs) -> dict[str, bool]:
        """Its values are real numbers."""
        return {"real": True}


class Field(Named):
    """A vector at every vector, or at every index: a gradient `grad(x)`, a family `h(i)`, `grad(i, x)`.

    >>> x, y = Vector("x"), Vector("y")
    >>> grad = Field("grad")
    >>> ip(grad(x), y - x)
    ip(grad(x), -x + y)
    """


def is_vector(expr: Any) -> bool:
    """Whether an expression is a combination of vectors."""
    if isinstance(expr, Vector) or isinstance(getattr(expr, "func", None), Field):
        return True
    if isinstance(expr, (ip, n2)) or is_sequence_term(expr) or not isinstance(expr, sp.Basic):
        return False
    if isinstance(expr, sp.Sum):
        return is_vector(expr.function)
    return isinstance(expr, (sp.Add, sp.Mul)) and any(map(is_vector, expr.args))


def shown(term: Any, arguments: list[str]) -> str:
    """A term in LaTeX: its own pattern with arguments, or indices below and points in brackets.

    >>> i, x = sp.Symbol("i"), Vector("x")
    >>> shown(Field("g", r"\\nabla f")(i, x), ["i", "x"])
    '\\\\nabla f_{i}(x)'
    >>> shown(Field("Q", "Q(#2)")(i, x), ["i", "x"])
    'Q(x)'
    """
    latex: str = term.func.latex or term.func.__name__
    if "#" in latex:
        for place, argument in enumerate(arguments, 1):
            latex = latex.replace(f"#{place}", argument)
        return latex
    pairs = list(zip(term.args, arguments, strict=True))
    below = ", ".join(text for a, text in pairs if not is_vector(a))
    points = ", ".join(text for a, text in pairs if is_vector(a))
    return latex + (f"_{{{below}}}" if below else "") + (f"({points})" if points else "")


def kind_of_term(term: Any) -> str:
    """The kind of the name of a term: "real(whole)" for a sequence, "vector(whole,vector)" for gradients."""
    result = "vector" if isinstance(term.func, Field) else "real"
    return f"{result}({','.join('vector' if is_vector(a) else 'whole' for a in term.args)})"


def speaks_of_functions(said: Any) -> bool:
    """Whether a function or a field occurs in an expression or relation."""
    return any(isinstance(t.func, Named) for t in said.atoms(AppliedUndef))


def kinds_in(*said: Any) -> dict[str, str]:
    """The kind of every name that is free in expressions or relations.

    Raises: InputError where a name has two kinds.
    """
    kinds: dict[str, str] = {}
    for part in said:
        _gather(part, kinds, frozenset())
    return kinds


def _gather(part: Any, kinds: dict[str, str], bound: frozenset[str]) -> None:
    if isinstance(part, sp.Symbol):
        if part.name not in bound:
            whole = part.is_integer or kinds.get(part.name) == "whole"
            _note(kinds, part.name, "vector" if isinstance(part, Vector) else "whole" if whole else "real")
        return
    if not isinstance(part, sp.Basic):
        return
    if is_sequence_term(part):
        _note(kinds, part.func.__name__, kind_of_term(part))
        for a in part.args:
            _gather(a, kinds, bound) if is_vector(a) else _whole(a, kinds, bound)
        return
    if isinstance(part, sp.Sum):
        for index, lo, hi in reversed(part.limits):
            _whole(lo, kinds, bound)
            _whole(hi, kinds, bound)
            bound = bound | {index.name}
        _gather(part.function, kinds, bound)
        return
    if isinstance(part, sp.Pow) and not part.exp.is_number:
        _whole(part.exp, kinds, bound)
    for a in part.args:
        _gather(a, kinds, bound)


def _whole(end: Any, kinds: dict[str, str], bound: frozenset[str]) -> None:
    for s in end.free_symbols:
        if s.name not in bound:
            _note(kinds, s.name, "whole")


def _note(kinds: dict[str, str], name: str, kind: str) -> None:
    old = kinds.setdefault(name, kind)
    if {old, kind} == {"real", "whole"}:
        kinds[name] = "whole"
    elif old != kind:
        raise InputError(f"name {name}", f"{old} and {kind}", "one kind", "rename one of them")
