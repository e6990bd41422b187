"""Losses of two clients that keep one condition and break another, whatever its constants.

All losses are polynomials in one number w, with equal weights. A condition that is kept is a relation in w,
proved for every w; one that is broken fails at a point that depends on its constants, and that is proved for
all constants >= 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import rational_value
from fedproof.proof.conditions.table import (
    B2,
    BOTH,
    BOUNDED,
    DISTANT,
    EQUAL,
    G2,
    GRADIENTS,
    H2,
    IDENTICAL,
    LOCAL,
    PENALTY,
    RELATIVE,
    SQUARES,
    B_g2,
    Condition,
    bar,
    delta2,
    grad,
    n,
    sigma2,
    slope,
    zeta2,
)
from fedproof.proof.notation import number
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Step
from fedproof.proof.vectors import n2
from fedproof.vocabulary.errors import InputError

w = number("w")
_REVERSED = {sp.Le: sp.Gt, sp.Lt: sp.Ge}
NOUGHT, ONE, TWO = map(sp.Integer, (0, 1, 2))


@dataclass(frozen=True)
class Instance:
    """Losses of clients, and perhaps a penalty, in one number w.

    Arguments:
        name: in a word.
        losses: of the clients.
        penalty: beside them.
        keeps: conditions that hold at every w, with their constants.
        breaks: conditions that fail for all constants, and the w at which they do.
        why: what is seen, in a sentence.
    """

    name: str
    losses: tuple[Any, ...]
    keeps: tuple[tuple[Condition, Mapping[Any, Any]], ...]
    breaks: tuple[tuple[Condition, Any], ...]
    why: str
    penalty: Any = NOUGHT

    def says(self, condition: Condition, client: int, at: Any = w) -> Any:
        """A condition of these losses at one w, of a client (1, 2, ...) where it is said of each.

        Returns: a relation between numbers; a family's constant is that of the client.
        """
        relation = condition.at(sp.Integer(client), EQUAL)
        left, right = (self._number(side, {}).subs(w, at) for side in relation.args)
        return relation.func(left, right, evaluate=False)

    @property
    def kept(self) -> tuple[tuple[Condition, tuple[Step, ...]], ...]:
        """Of each condition that holds the steps which say so, one a client where it is said of each."""
        return tuple((c, tuple(self._keeps(c, constants))) for c, constants in self.keeps)

    @property
    def broken(self) -> tuple[tuple[Condition, Step], ...]:
        """Of each condition that fails the step which says so for all constants."""
        return tuple((c, self._breaks(c, at)) for c, at in self.breaks)

    def numbers(self, condition: Condition, constant: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """Where a condition fails if all its constants are this one, and its two sides there."""
        constants = {c.name: constant for c in condition.constants}
        point = _exact(dict(self.breaks)[condition], constants)
        left, right = (_exact(side, {"w": point, **constants}) for side in self.says(condition, 1).args)
        return point, left, right

    def _keeps(self, condition: Condition, constants: Mapping[Any, Any]) -> Iterator[Step]:
        for client in range(1, len(self.losses) + 1) if condition.each else (1,):
            relation = self.says(condition, client)
            left, right = (side.subs(constants) for side in relation.args)
            name = f"conditions.{self.name}.keeps.{condition.slug}"
            yield Step(
                relation.func(left, right, evaluate=False), id=f"{name}.{client}" if condition.each else name
            )

    def _breaks(self, condition: Condition, at: Any) -> Step:
        relation = self.says(condition, 1, at)
        given = tuple(c >= 0 for c in condition.constants)
        failed = _REVERSED[relation.func](*relation.args, evaluate=False)
        return Step(failed, given, f"conditions.{self.name}.breaks.{condition.slug}")

    def _number(self, expr: Any, index: Mapping[Any, int]) -> Any:
        if isinstance(expr, n2):
            return self._vector(expr.args[0], index) ** 2
        if isinstance(expr, sp.Sum):
            ((name, lo, hi),) = expr.limits
            ends = range(int(lo), int(self._number(hi, index)) + 1)
            return sp.Add(*(self._number(expr.function, {**index, name: at}) for at in ends))
        if expr == n:
            return sp.Integer(len(self.losses))
        if is_sequence_term(expr):
            return sigma2 if expr.func == RELATIVE.family else delta2
        return expr.func(*(self._number(a, index) for a in expr.args)) if expr.args else expr

    def _vector(self, expr: Any, index: Mapping[Any, int]) -> Any:
        """The one entry of a combination of gradients."""
        slopes = [sp.diff(loss, w) for loss in self.losses]
        if expr == bar:
            return sp.Add(*slopes) / len(slopes)
        if expr == slope:
            return sp.diff(self.penalty, w)
        if expr.func == grad:
            return slopes[int(index.get(expr.args[0], expr.args[0])) - 1]
        return expr.func(*(self._vector(a, index) for a in expr.args)) if expr.args else expr


def _exact(expr: Any, values: Mapping[str, Fraction]) -> Fraction:
    found = rational_value(expr, values)
    if found is None:
        raise InputError(
            "value of an instance", expr, "a rational number", "use polynomials of the constants"
        )
    return found


_BOUNDED = ((BOUNDED, {zeta2: ONE}), (DISTANT, {delta2: ONE}))
_NO_LONG = ((GRADIENTS, 1 + G2), (SQUARES, 1 + H2))
_NOT_ALIKE = ((IDENTICAL, NOUGHT), (RELATIVE, NOUGHT), (LOCAL, NOUGHT))

SHIFTED = Instance(
    "shifted",
    (w**2 / 2 + w, w**2 / 2 - w),
    (*_BOUNDED, (BOTH, {B2: ONE, H2: ONE}), (PENALTY, {B_g2: NOUGHT})),
    (*_NOT_ALIKE, *_NO_LONG),
    "two minimisers: where the mean gradient is 0 the clients' gradients are not",
)
SCALED = Instance(
    "scaled",
    (w**2, NOUGHT),
    ((RELATIVE, {sigma2: ONE}), (LOCAL, {B2: TWO}), (BOTH, {B2: TWO, H2: NOUGHT}), (PENALTY, {B_g2: NOUGHT})),
    ((IDENTICAL, ONE), (BOUNDED, 1 + zeta2), (DISTANT, 1 + delta2), *_NO_LONG),
    "one minimiser, and curvatures that differ: the gradients part as far as one likes",
)
SLOPES = Instance(
    "slopes",
    (w, -w),
    (
        (GRADIENTS, {G2: ONE}),
        (SQUARES, {H2: ONE}),
        *_BOUNDED,
        (BOTH, {B2: NOUGHT, H2: ONE}),
        (PENALTY, {B_g2: NOUGHT}),
    ),
    _NOT_ALIKE,
    "opposite slopes: the mean gradient is 0 everywhere",
)
EQUAL_CLIENTS = Instance(
    "equal",
    (w**2 / 2, w**2 / 2),
    (
        (IDENTICAL, {}), (RELATIVE, {sigma2: NOUGHT}), (LOCAL, {B2: ONE}), (BOTH, {B2: ONE, H2: NOUGHT}),
        (BOUNDED, {zeta2: NOUGHT}), (DISTANT, {delta2: NOUGHT}), (PENALTY, {B_g2: NOUGHT}),
    ),
    _NO_LONG,
    "equal clients, and a quadratic: no bound on gradients",
)  # fmt: skip
OPPOSED = Instance(
    "opposed",
    (w**2 / 2, -(w**2) / 2),
    ((PENALTY, {B_g2: NOUGHT}),),
    (
        (IDENTICAL, ONE), (RELATIVE, ONE), (LOCAL, ONE), (BOTH, 1 + H2), (BOUNDED, 1 + zeta2),
        (DISTANT, 1 + delta2), *_NO_LONG,
    ),
    "no penalty, and clients that pull apart: Assumption 3.1 speaks of no client",
)  # fmt: skip
STEEP = Instance(
    "steep",
    (NOUGHT, NOUGHT),
    (
        (IDENTICAL, {}), (RELATIVE, {sigma2: NOUGHT}), (LOCAL, {B2: NOUGHT}),
        (BOTH, {B2: NOUGHT, H2: NOUGHT}), (BOUNDED, {zeta2: NOUGHT}), (DISTANT, {delta2: NOUGHT}),
        (GRADIENTS, {G2: NOUGHT}), (SQUARES, {H2: NOUGHT}),
    ),
    ((PENALTY, 1 + B_g2),),
    "no losses, and a quadratic penalty: nothing that is said of clients bounds its subgradients",
    penalty=w**2 / 2,
)  # fmt: skip

INSTANCES = (SHIFTED, SCALED, SLOPES, EQUAL_CLIENTS, OPPOSED, STEEP)
#: one problem on which every condition on clients holds but the first; its start is w = 3/4
COMPARED = Instance(
    "compared",
    ((sp.sqrt(1 + w**2) - 1) / 2, 3 * (sp.sqrt(1 + w**2) - 1) / 2),
    (
        (RELATIVE, {sigma2: sp.Rational(1, 4)}), (LOCAL, {B2: sp.Rational(5, 4)}),
        (BOTH, {B2: sp.Rational(5, 4), H2: NOUGHT}), (BOUNDED, {zeta2: sp.Rational(1, 4)}),
        (DISTANT, {delta2: sp.Rational(1, 4)}), (GRADIENTS, {G2: sp.Rational(9, 4)}),
        (SQUARES, {H2: sp.Rational(5, 4)}), (PENALTY, {B_g2: NOUGHT}),
    ),
    ((IDENTICAL, ONE),),
    "one minimiser, and slopes that differ: the gradients are bounded and part no further than they are long",
)  # fmt: skip
