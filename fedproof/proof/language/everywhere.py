"""A hypothesis at all points, and what it says at some."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from fedproof.proof.forall import ForAll, as_expression
from fedproof.proof.language.functions import is_vector, speaks_of_functions
from fedproof.proof.step import Applied, Given, Step
from fedproof.proof.substitution import substitute
from fedproof.vocabulary.errors import InputError


@dataclass(frozen=True)
class ForEvery:
    """A relation for all values of some names: of every vector, every real or whole number.

    Arguments:
        relation: what holds.
        names: for all values of these; of each its kind is known from what it is.
        why: the assumption, as it is called in the text.
        over: (index, first, last) where it holds for every index of a family, or several of these, the
            ends of each speaking of those before it.

    >>> from fedproof.proof.language.functions import Field, Function
    >>> from fedproof.proof.vectors import ip, vectors
    >>> x, y, u, v = vectors("x y u v")
    >>> f, grad = Function("f"), Field("grad")
    >>> convex = ForEvery(f(y) >= f(x) + ip(grad(x), y - x), (x, y), "f is convex")
    >>> convex.at(u, v).relation
    f(v) >= f(u) + ip(grad(u), -u + v)
    """

    relation: sp.Basic
    names: tuple[Any, ...]
    why: str = ""
    over: tuple[Any, ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.relation, sp.core.relational.Relational):
            raise InputError("relation", self.relation, "a comparison", "compare two expressions")

    @property
    def ranges(self) -> tuple[tuple[Any, Any, Any], ...]:
        """The indices with their ends, from the outside."""
        over = self.over or ()
        rows = over if over and isinstance(over[0], tuple) else (over,) if over else ()
        return tuple((row[0], as_expression(row[1]), as_expression(row[2])) for row in rows)

    @property
    def known(self) -> At:
        """The hypothesis itself, for steps that are used and owe it."""
        return At(self.relation, self.why, None, self)

    def at(self, *points: Any, weight: Any = None) -> At:
        """What it says at given points; of a family the index comes first."""
        names = (*(index for index, _, _ in self.ranges), *self.names)
        values = tuple(map(as_expression, points))
        if len(values) != len(names):
            raise InputError(f"{self.why}.at", points, f"{len(names)} values, for {names}")
        for name, value in zip(names, values, strict=True):
            if is_vector(name) != is_vector(value) and not (is_vector(name) and value == 0):
                raise InputError(f"{self.why}.at", value, f"a value for {name}", "vectors for vectors")
        said = substitute(self.relation, dict(zip(names, values, strict=True)))
        return At(said, self.why, as_expression(weight), self, values)


@dataclass(frozen=True)
class At(Given):
    """What a hypothesis at all points says at some.

    Arguments:
        everywhere: the hypothesis.
        points: values of its names; none where it is taken as it stands.
    """

    everywhere: ForEvery | None = None
    points: tuple[Any, ...] = ()


def applies(step: Step) -> bool:
    """Whether a step speaks of functions or of symbolic powers, or takes what holds at all points."""
    if any(isinstance(h, (At, Always)) for h in step.hypotheses):
        return True
    said = (step.claim, *(h.relation for h in step.hypotheses))
    return any(_beyond(p) for r in said for p in (vars(r).values() if isinstance(r, ForAll) else (r,)))


@lru_cache(maxsize=1 << 14)
def _beyond(said: Any) -> bool:
    """Whether a function or a symbolic power occurs in an expression or relation."""
    return speaks_of_functions(said) or any(not e.exp.is_number for e in said.atoms(sp.Pow))


@dataclass(frozen=True)
class Always(Applied):
    """A proved step for all values of some of its names.

    Arguments:
        names: for all values of these.
    """

    names: tuple[Any, ...] = ()


def always(step: Step, *names: Any) -> Always:
    """A step's claim for all values of some of its names, as a hypothesis of another step."""
    return Always(step, names=names)
