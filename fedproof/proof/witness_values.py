"""What the named vectors and parts of a step are at exact numbers, for a check by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import sympy as sp

from fedproof.algebra.expressions import rational_value
from fedproof.proof.rules.gram import combination, defined
from fedproof.proof.rules.hypotheses import relations
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.step import Step
from fedproof.proof.vectors import Vector


def witness_values(step: Step, point: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The values, at a point, of what the step defines by equations between vectors and of its named parts.

    Arguments:
        step: with its definitions among the hypotheses.
        point: values of its numbers and of the coordinates `<vector>_1`, `<vector>_2` of its free vectors.

    Returns: name or coordinate -> value, in the step's order; what has no rational value is left out.

    >>> x, y = Vector("x"), Vector("y")
    >>> given = (sp.Eq(y, 3 * x, evaluate=False),)
    >>> witness_values(Step(sp.Eq(y, x, evaluate=False), given, rule="quad"), {"x_1": Fraction(2)})
    {'y_1': Fraction(6, 1)}
    """
    return dict(_vectors(step, point)) | dict(_parts(step, point))


def _vectors(step: Step, point: Mapping[str, Fraction]) -> Iterator[tuple[str, Fraction]]:
    try:
        meanings, _ = defined([r for r, _ in relations(step) if isinstance(r, sp.Basic)])
        read = {v: combination(e) for v, e in meanings.items()}
    except NotApplicable:
        return
    for vector, parts in read.items():
        for i in (1, 2):
            if not all(f"{v.name}_{i}" in point for v in parts) or (not parts and i == 2):
                continue
            value = _sum(parts, i, point)
            if value is not None and f"{vector.name}_{i}" not in point:
                yield f"{vector.name}_{i}", value


def _sum(parts: Mapping[Vector, sp.Expr], i: int, point: Mapping[str, Fraction]) -> Fraction | None:
    values = [(rational_value(c, point), point[f"{v.name}_{i}"]) for v, c in parts.items()]
    if any(c is None for c, _ in values):
        return None
    return sum((c * x for c, x in values if c is not None), Fraction(0))


def _parts(step: Step, point: Mapping[str, Fraction]) -> Iterator[tuple[str, Fraction]]:
    known = dict(point)
    for part in step.lets:
        value = rational_value(part.expr, known)
        if value is not None:
            known[part.symbol.name] = value
            yield part.symbol.name, value
