"""What every proof is written in: numbers, fractions, equations, steps with their source."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from inspect import getsource
from types import ModuleType
from typing import Any

import sympy as sp

from fedproof.proof.forall import as_expression
from fedproof.proof.language.functions import Named
from fedproof.proof.sequences import sequence
from fedproof.proof.step import Applied, Step
from fedproof.proof.vectors import Vector
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.source import Source

#: the expectation
E = r"\mathbb E"


class _Name(str):
    """A symbol's name that says how the paper prints it; two symbols of one name are equal all the same."""

    latex = ""


def _named(kind: type[sp.Symbol], name: str, latex: str, **assumptions: bool) -> Any:
    text = _Name(name)
    text.latex = latex
    return kind.__xnew__(kind, text, **assumptions)


def number(name: str, latex: str = "") -> Any:
    """A real number of a proof's own, such as a function value, and how the paper prints it."""
    return _named(sp.Symbol, name, latex, real=True)


def numbers(names: str) -> Any:
    """Several real numbers by name, as `vectors` names vectors."""
    return tuple(number(name) for name in names.split())


def sequences(names: str, *, nonnegative: bool = False) -> Any:
    """Several sequences by name."""
    return tuple(sequence(name, nonnegative=nonnegative) for name in names.split())


def vector(name: str, latex: str) -> Any:
    """A vector and how the paper prints it."""
    return _named(Vector, name, latex)


def rational(p: int, q: int) -> sp.Rational:
    """The fraction p/q."""
    return sp.Rational(p, q)


def Eq(left: Any, right: Any) -> sp.Basic:
    """An equation as it stands, never evaluated."""
    return sp.Eq(left, right, evaluate=False)


def values(text: str) -> tuple[tuple[str, str], ...]:
    """Values by name for a step's witness: `values("t=1 eta=2/27")`."""
    return tuple((name, value) for name, _, value in (part.partition("=") for part in text.split()))


def added(*steps: Step, weight: Any = 1) -> tuple[Applied, ...]:
    """These steps as they stand, added up with one weight."""
    return tuple(step.at(weight=as_expression(weight)) for step in steps)


def used(*steps: Step) -> tuple[Applied, ...]:
    """These steps as they stand."""
    return tuple(step.at() for step in steps)


@dataclass(frozen=True)
class _Rule:
    """A rule as the head of a step."""

    rule: str
    mean: str = ""

    def __get__(self, by: Any, kind: type) -> Callable[..., Callable[..., Step]]:
        return partial(by._head, self.rule, mean=self.mean)


@dataclass(frozen=True)
class step_writer:
    """How the steps of one file of a paper's proofs are written: head, then claim and hypotheses.

    A head is a rule with a name and the place in the text, such as `by.quad("eq33a", "eq. (33), <=")`. A
    name that begins with an equation's number needs no place. A claim's hypotheses may be tuples, as `assume`
    returns them; what else a `Step` has goes by keyword.

    Arguments:
        key: of the paper; ids begin with it, and it is the source.
        module: `__name__` of the file: what it declares and imports is printed as it was declared.
        where: the place of steps that name none.

    >>> by = step_writer("notebook")
    >>> by.real("eq1")(number("x") ** 2 >= 0).source.where
    'eq. (1)'
    >>> by.real("square")
    Traceback (most recent call last):
    ...
    fedproof.vocabulary.errors.InputError: place of square: got , expected where it stands in the text; write
    by.real("square", "Lemma 1")
    """

    key: str
    module: str = __name__
    where: str = ""

    def _head(self, rule: Any, name: str, where: str = "", mean: str = "") -> Callable[..., Step]:
        numbered = re.match(r"eq(\d+)", name)
        place = where or (f"eq. ({numbered[1]})" if numbered else self.where)
        if not place:
            expected, cure = "where it stands in the text", f'write by.{rule}("{name}", "Lemma 1")'
            raise InputError(f"place of {name}", where, expected, cure)
        known = tuple(_readings(sys.modules[self.module]).values())

        def body(claim: sp.Basic, *given: Any, reads: tuple[tuple[Any, str], ...] = (), **more: Any) -> Step:
            flat = tuple(_hypotheses(given))
            said = (*known, *reads)
            source = Source(self.key, place)
            return Step(claim, flat, f"{self.key}.{name}", rule, mean=mean, reads=said, source=source, **more)

        return body

    real, quad, sum, mean = _Rule("real"), _Rule("quad"), _Rule("sum"), _Rule("quad", E)
    induction, interval = _Rule("induction"), _Rule("interval")
    cases, cite = _Rule("cases"), _Rule("cite")


def _hypotheses(given: Any) -> Iterator[Any]:
    """What stands in tuples within tuples, one by one."""
    for part in given:
        yield from _hypotheses(part) if isinstance(part, tuple) else (part,)


def _readings(module: ModuleType) -> dict[Any, tuple[Any, str]]:
    """How names are printed that a file declares or imports, after those of the files it imports whole."""
    values = tuple(vars(module).values())
    found: dict[Any, tuple[Any, str]] = {}
    for value in values:
        if isinstance(value, ModuleType) and isinstance(getattr(value, "by", None), step_writer):
            found |= _imported(value)
    for value in values:
        if isinstance(value, Named):
            continue
        if isinstance(value, sp.core.function.UndefinedFunction):
            found[value.__name__] = getattr(value, "latex", (value, ""))
        elif isinstance(value, sp.Symbol):
            found[value] = value, getattr(value.name, "latex", "")
    return {name: said for name, said in found.items() if said[1]}


#: the same of a file that says no more, being imported
_imported = cache(_readings)


def steps_of(module: ModuleType) -> tuple[Step, ...]:
    """The steps that a module defines at its top, alone or in tuples and dicts, in the order of its lines."""
    parts = ast.parse(getsource(module)).body
    lines = [line for part in parts for line in (part.body if isinstance(part, ast.With) else [part])]
    assigned = [n for line in lines if isinstance(line, (ast.Assign, ast.AnnAssign)) for n in ast.walk(line)]
    names = [n.id for n in assigned if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    own = [vars(module)[name] for name in names if name in vars(module)]
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
