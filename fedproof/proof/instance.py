"""Hypotheses, and perhaps a claim, at exact numbers: what anybody can re-check by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_expression
from fedproof.algebra.expressions import rational_value
from fedproof.proof.plain_text import plain_text
from fedproof.vocabulary.values import text_of

#: a fraction longer than this is shown as a decimal
SHORT = 9
_OPPOSITE = {sp.Le: ">", sp.Lt: ">=", sp.Ge: "<", sp.Gt: "<=", sp.Eq: "!=", sp.Ne: "="}
_SAME = {sp.Le: "<=", sp.Lt: "<", sp.Ge: ">=", sp.Gt: ">", sp.Eq: "=", sp.Ne: "!="}


def at(point: Mapping[str, Fraction]) -> str:
    """The point in words: "L = 1, mu = 3/2"."""
    return ", ".join(f"{k} = {text_of(v)}" for k, v in point.items())


def sides(relation: sp.Basic, point: Mapping[str, Fraction], holds: bool = False) -> str:
    """Both sides of a relation at a point, which breaks it unless it `holds` there.

    Short fractions are shown as they are, other numbers with as many digits as tell the sides apart.

    >>> x = sp.Symbol("x", real=True)
    >>> sides(sp.Le(x / 2, sp.sqrt(x) - 1, evaluate=False), {"x": Fraction(2)})
    '1 > 0.4142136'
    """
    if relation in (sp.true, sp.false):
        return str(relation)
    left, right = relation.args
    for digits in (7, 12, 17):
        said = [_number(side, point, digits) for side in (left, right)]
        if said[0] != said[1]:
            break
    return f"{said[0]} {(_SAME if holds else _OPPOSITE)[relation.func]} {said[1]}"


def _number(expr: sp.Expr, point: Mapping[str, Fraction], digits: int) -> str:
    exact = rational_value(expr, point)
    if exact is not None and len(str(exact)) <= SHORT:
        return str(exact)
    value: Any = evaluate_expression(expr, point)
    if value is None and exact is not None:  # beyond all doubles
        value = (Decimal(exact.numerator) / Decimal(exact.denominator)).normalize()
    return "undefined" if value is None else f"{value:.{digits}g}"


@dataclass(frozen=True)
class Instance:
    """Relations between plain real numbers, at exact values of them.

    Arguments:
        given: the hypotheses, all of which hold there.
        claim: what fails there; None where the point only shows that the hypotheses can hold.
        point: the values.
        about: which special case it is, such as "dimension 1".
    """

    given: tuple[sp.Basic, ...]
    claim: sp.Basic | None
    point: Mapping[str, Fraction]
    about: str = ""

    @property
    def sides(self) -> str | None:
        """Both sides of the claim: "3/2 > 1"."""
        return None if self.claim is None else sides(self.claim, self.point)

    def to_dict(self) -> dict[str, Any] | None:
        """What `recheck.py` reads: relations as text, values as "p/q"; None where there is no such text."""
        if self.claim in (sp.true, sp.false):
            return None
        relations = [r for r in (*self.given, self.claim) if r not in (None, sp.true)]
        try:
            texts = {r: plain_text(r) for r in relations}
        except ValueError:
            return None
        given = [r for r in self.given if r in texts]
        return {
            "about": self.about,
            "given": [texts[r] for r in given],
            "given_sides": [sides(r, self.point, holds=True) for r in given],
            "claim": None if self.claim is None else texts.get(self.claim),
            "sides": self.sides,
            "at": {name: text_of(value) for name, value in self.point.items()},
        }
