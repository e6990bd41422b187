"""What every proof is written in: numbers, fractions, equations, steps with their source."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from inspect import getsource
from types import ModuleType
from typing import Any

import sympy as sp

from fedproof.proof.step import Step
from fedproof.vocabulary.source import Source


def number(name: str) -> Any:
    """A real number of a proof's own, such as a function value."""
    return sp.Symbol(name, real=True)


def rational(p: int, q: int) -> sp.Rational:
    """The fraction p/q."""
    return sp.Rational(p, q)


def Eq(left: Any, right: Any) -> sp.Basic:
    """An equation as it stands, never evaluated."""
    return sp.Eq(left, right, evaluate=False)


def step_writer(key: str) -> Callable[..., Step]:
    """How a paper's steps are written: `fact("eq25", "eq. (25)", claim, hypotheses...)`.

    Arguments:
        key: of the paper; ids begin with it, and it is the source.

    Returns: a function of name, place in the text, claim and hypotheses, which may be tuples, as `assume`
        returns them; what else a `Step` has goes by keyword.

    >>> fact = step_writer("notebook")
    >>> fact("eq1", "eq. (1)", number("x") ** 2 >= 0).id
    'notebook.eq1'
    """

    def fact(name: str, where: str, claim: sp.Basic, *given: Any, **more: Any) -> Step:
        flat = tuple(h for g in given for h in (g if isinstance(g, tuple) else (g,)))
        return Step(claim, flat, f"{key}.{name}", source=Source(key, where), **more)

    return fact


def steps_of(module: ModuleType) -> tuple[Step, ...]:
    """The steps that a module defines at its top, alone or in tuples and dicts, not those that it imports."""
    imports = [n for n in ast.parse(getsource(module)).body if isinstance(n, ast.ImportFrom) and n.module]
    others = {a.asname or a.name for n in imports for a in n.names}
    whole = [vars(sys.modules[n.module or ""]) for n in imports if n.names[0].name == "*"]
    own = [
        value
        for name, value in vars(module).items()
        if name not in others and name[:2] != "__" and all(names.get(name) is not value for names in whole)
    ]
    return tuple({step.id: step for value in own for step in _flat(value)}.values())


def _flat(value: Any) -> Iterator[Step]:
    if isinstance(value, Step):
        yield value
    elif isinstance(value, (tuple, list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _flat(part)


def heading(module: ModuleType) -> str:
    """What a part of a proof is called: the first line of what its file says of itself."""
    return (module.__doc__ or module.__name__).splitlines()[0].rstrip(".")
