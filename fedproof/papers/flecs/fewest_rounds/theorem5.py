"""Theorem 5 along gamma, with the alpha best for each.

Rounds are (start + bend alpha^2)/(alpha (P - D alpha)), bend rising in c, and D in c gamma, which rises with
gamma; c is least at half the largest gamma. The least over alpha is the root of a quadratic.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import inf, sqrt
from typing import Any

import numpy as np
import sympy as sp

from fedproof.algebra.arithmetic import Array
from fedproof.bounds.catalog import statement
from fedproof.papers.flecs.fewest_rounds.rounds import ROOM, SLACK, TINY, Rounds, least_weight, rounded, value
from fedproof.papers.flecs.notation import K, alpha, c, gamma, kappa0
from fedproof.papers.flecs.statements import formulas as f

#: the accuracy, c gamma and the shifts' mean squared error at the start
EPS, PRODUCT, SHIFT2 = sp.symbols("eps product shift2", real=True)
_NEAR = np.geomspace(1e-15, 0.5, 48)
#: what c gamma is multiplied by
_ROOM = sp.cancel(f.WEIGHT5.rhs.doit() / (c * gamma))


@dataclass(frozen=True)
class Rounds5(Rounds):
    """Theorem 5, printed, repaired or sharpened."""

    @property
    def cuts(self) -> Array:
        top = 1 / (1 + float(self.omega))
        return top * np.concatenate(([0.0], _NEAR, 1 - _NEAR[-2::-1], [1.0]))

    @np.errstate(all="ignore")
    def rounds(self, places: Array) -> Array:
        product = self._product(places, 0.0)
        found = self._count(product, product, product / places)
        if self.printed:
            found = np.maximum(found, self._held(found))
        return np.where(np.isnan(found), np.inf, found)

    @np.errstate(all="ignore")
    def least(self, low: Array, high: Array) -> Array:
        middle = np.clip(0.5 / (1 + float(self.omega)), low, high)
        weight = self._product(middle, SLACK) / middle
        found = self._count(self._product(low, SLACK), weight * high, weight)
        return np.where(np.isnan(found), 0.0, found)

    def letters(self, place: float, rounds: int) -> dict[str, Fraction]:
        most = 1 / (1 + self.omega)
        chosen = {"gamma": rounded(most / 2 if self.printed else min(Fraction(place), most), down=True)}
        chosen["c"] = TINY if self.printed else least_weight(f.WEIGHT5, {**self.exact, **chosen})
        step = self._step(float(chosen["c"] * chosen["gamma"]), float(chosen["c"]), rounds)
        chosen["alpha"] = rounded(Fraction(step), down=True)
        return chosen | {"kappa0": self.started(chosen, f.SHIFTS5)}

    @property
    def floor(self) -> Any:
        """Where P is 0: the printed noise has no factor alpha."""
        most = _terms(self.id)[2]
        return sp.cancel(-most.coeff(EPS, 0) / most.coeff(EPS, 1))

    def _product(self, shifts: Array, slack: float) -> Array:
        """The least c gamma; infinite at the largest gamma. A slack makes it smaller."""
        if self.printed or not self.omega:
            return np.zeros_like(shifts)
        at = {**self.known, "gamma": shifts}
        room = value(_ROOM, at) + slack
        return np.where(room > 0, value(f.WEIGHT5.lhs, at) / room, np.inf)

    @cached_property
    def _cap(self) -> float:
        """The printed bound on alpha."""
        return float(value(f.PRINTED_STEP5.rhs, self.known)) if self.printed else inf

    def _parts(self, product: Any, weight: Any) -> tuple[Any, Any, Any, Any]:
        at = {**self.known, "product": product, "c": weight}
        start, bend, most, slope = (value(term, at) for term in _terms(self.id))
        return start * self.numbers["gap"], bend if self.numbers["shift2"] else 0.0, most, slope

    def _count(self, product: Array, above: Array, weight: Array) -> Array:
        """Rounds with the best alpha, from the least c gamma, c, and the least c times the largest gamma."""
        del above
        start, bend, most, slope = self._parts(product, weight)
        found = 2 * (start * slope + np.sqrt((start * slope) ** 2 + start * bend * most**2)) / most**2
        if self.printed and self._cap < most / (2 * slope):
            found = start / (self._cap * (most - self._cap * slope))
        return np.broadcast_to(np.where(most > 0, found, np.inf), weight.shape)

    def _held(self, rounds: Array) -> Array:
        """What the printed bound on alpha asks of the rounds, beside what they are."""
        return rounds

    def _step(self, product: float, weight: float, rounds: int) -> float:
        """An alpha for which so many rounds are enough, well inside where that is so."""
        start, bend, most, slope = self._parts(product, weight)
        linear, fixed = rounds * most, rounds * slope + bend
        inverse = 4 * fixed / (linear + sqrt(max(linear**2 - 4 * start * fixed, 0.0)))
        if start:
            inverse = min(inverse, linear / (2 * start))
        return float(min(1 / inverse, self._cap * (1 - ROOM)))


@cache
def _terms(id: str) -> tuple[Any, Any, Any, Any]:
    """start/gap, bend, P and D, read off the bound; as printed at c = 0, where its denominators are one."""
    claim, falls = statement(id).formulas["bound"].expr.doit(), f.FALLS5.doit()
    if statement(id).amends is None:
        claim, falls = claim.subs(c, 0), falls.subs(c, 0)
    rest = claim.subs(kappa0, 0)
    left = sp.expand(sp.expand(sp.cancel((EPS - rest) * falls)).subs(gamma, PRODUCT / c))
    start = sp.cancel((claim - rest) * falls * alpha * K / kappa0)
    bend = start * f.SHIFTS5.doit().coeff(alpha, 2) * SHIFT2
    return start, bend, left.coeff(alpha, 0), -left.coeff(alpha, 1)
