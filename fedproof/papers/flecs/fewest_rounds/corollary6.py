"""Corollary 6 along gamma: alpha is the corollary's, and the bound first/sqrt(K) + third/K^(3/2)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
import sympy as sp

from fedproof.algebra.arithmetic import Array
from fedproof.algebra.expressions import replaced
from fedproof.bounds.catalog import statement
from fedproof.papers.flecs.fewest_rounds.rounds import value
from fedproof.papers.flecs.fewest_rounds.theorem5 import PRODUCT, SHIFT2, Rounds5
from fedproof.papers.flecs.notation import K, alpha, c, gamma, kappa0
from fedproof.papers.flecs.statements import formulas as f

_LEVEL = sp.Symbol("level", real=True)
_LEVEL6 = f.LEVEL6.doit().subs(gamma, PRODUCT / c)


@dataclass(frozen=True)
class Rounds6(Rounds5):
    """Corollary 6, printed, repaired or in any units."""

    @property
    def floor(self) -> Any:
        """None: all of the bound falls with K."""
        return sp.Integer(0)

    def letters(self, place: float, rounds: int) -> dict[str, Fraction]:
        """With the corollary's alpha, rounded, beside which the start is exact."""
        chosen = super().letters(place, rounds) | {"K": Fraction(rounds)}
        step = statement(self.id).formulas["alpha"].expr.doit()
        chosen["kappa0"] = self.started(chosen, sp.cancel(f.SHIFTS5.doit().subs(alpha, step)))
        return chosen

    def _count(self, product: Array, above: Array, weight: Array) -> Array:
        growing, rest, steep, _ = _terms(self.id)
        low, high = (
            {**self.known, "product": product, "c": weight, "level": self._level(end)}
            for end in (product, above)
        )
        # c/(mu2^2 + 2 c gamma) rises in c and falls in gamma; c gamma/(mu2^2 + 2 c gamma) rises in c gamma
        beside = value(rest, low if PRODUCT in rest.free_symbols else high)
        first = value(growing, low) * self.numbers["gap"] + beside
        third = value(steep, high) if self.numbers["shift2"] else 0.0 * weight
        found = 1 / _root(first, third, self.numbers["eps"]) ** 2
        return np.where((first == 0) & (third == 0), 0.0, found)

    def _held(self, rounds: Array) -> Array:
        return 0 * rounds + (self._step(0.0, 0.0, 1) / self._cap) ** 2

    def _step(self, product: float, weight: float, rounds: int) -> float:
        del weight
        at = {**self.known, "level": self._level(product)}
        return float(value(_terms(self.id)[3], at)) / sqrt(rounds)

    def _level(self, product: Any) -> Any:
        return value(_LEVEL6, {**self.known, "product": product})


@cache
def _terms(id: str) -> tuple[Any, Any, Any, Any]:
    """Of the bound after one round: kappa_0's factor, the rest, the shifts' part; and alpha."""
    formulas = statement(id).formulas
    claim, step = (
        replaced(formulas[name].expr, {f.LEVEL6: _LEVEL}).doit().subs(K, 1) for name in ("bound", "alpha")
    )
    rest = claim.subs(kappa0, 0)
    growing = sp.cancel((claim - rest) / kappa0)
    steep = sp.cancel(growing * f.SHIFTS5.doit().subs(alpha, step)) * SHIFT2
    return growing, sp.expand(sp.cancel(rest)).subs(gamma, PRODUCT / c), steep, step


def _root(first: Array, third: Array, accuracy: float) -> Array:
    """Where first y + third y^3 is the accuracy, by Newton's method from above.

    >>> float(_root(np.array(1.0), np.array(1.0), 2.0))
    1.0
    """
    found: Array = np.fmin(accuracy / first, np.cbrt(accuracy / third))
    for _ in range(12):
        found = (accuracy + 2 * third * found**3) / (first + 3 * third * found**2)
    return found
