"""Theorem 4 along alpha, gamma being fixed.

A smaller gamma asks for a larger c and a larger c gamma, so that the largest, 1/(1 + omega), is best. As
printed c is the lesser of two: the first grows with gamma, and so does c gamma; the second is mu/(2 L)/gamma.
So gamma is as good as 0, or the largest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from fedproof.algebra.arithmetic import Array
from fedproof.papers.flecs.fewest_rounds.rounds import (
    ROOM,
    SLACK,
    TINY,
    Rounds,
    exactly,
    least_weight,
    rounded,
    value,
)
from fedproof.papers.flecs.notation import alpha, c
from fedproof.papers.flecs.statements import formulas as f
from fedproof.tuning.branch_and_bound import ROUNDING

_FALLS = (1 - f.KEEPS.doit()).doit()
#: what c is multiplied by in the condition on it
_ROOM = f.LYAPUNOV4.rhs.subs(c, 1)


@dataclass(frozen=True)
class Rounds4(Rounds):
    """Theorem 4 with one gamma."""

    gamma: Fraction

    @cached_property
    def cuts(self) -> Array:
        if self.printed:
            # a step that its decimals keep below the longest; `least` goes beyond that by ROUNDING
            top = float(value(f.PRINTED_STEP.rhs, self.known)) * (1 - ROOM)
        else:
            top = longest_step(self.numbers, float(self.omega), float(self.gamma))
        return top * np.concatenate(([0.0], np.geomspace(1e-15, 0.5, 48), np.linspace(0.5, 1.0, 17)[1:]))

    @np.errstate(all="ignore")
    def rounds(self, places: Array) -> Array:
        weight = self._weight(places, 0.0)
        found = self._count(places, places, np.maximum(weight, float(TINY)), 0.0, lost=ROUNDING)
        return np.where(weight > 0 if self.printed else weight >= 0, found, np.inf)

    @np.errstate(all="ignore")
    def least(self, low: Array, high: Array) -> Array:
        high = high * (1 + ROUNDING)
        first, last = self._weight(low, SLACK), self._weight(high, SLACK)
        weight = np.maximum(np.fmin(first, last), 0.0) * (1 - ROUNDING)
        found = np.nan_to_num(self._count(low, high, weight, ROUNDING), posinf=np.inf)
        # the printed c falls: where it is below 0 at the shortest step, no step of the range is admitted
        return np.where(first < -SLACK, np.inf, found) if self.printed else found

    def letters(self, place: float, rounds: int) -> dict[str, Fraction]:
        del rounds
        chosen = {"alpha": rounded(Fraction(place), down=True), "gamma": self.gamma}
        at = {**self.exact, **chosen}
        printed = f.PRINTED_WEIGHT.rhs
        chosen["c"] = exactly(printed, at) if self.printed else least_weight(f.LYAPUNOV4, at)
        return chosen | {"Psi0": self.started(chosen, f.SHIFTS4)}

    def _weight(self, steps: Array, slack: float) -> Array:
        """The c of each alpha, NaN where there is none; a slack makes it smaller."""
        at = {**self.known, "gamma": float(self.gamma), "alpha": steps}
        if self.printed:
            found: Array = np.minimum(*(value(part, at) for part in f.PRINTED_WEIGHT.rhs.args))
            return found
        room = value(_ROOM, at)
        return np.where(room > 0, value(f.LYAPUNOV4.lhs, at) / (room + slack * float(self.gamma)), np.nan)

    def _count(self, steps: Array, fastest: Array, weight: Array, slack: float, lost: float = 0.0) -> Array:
        """Rounds with the start and the noise of one alpha and the rate of another.

        Where there is noise a share of what eps leaves may be lost: beside eps a short step's noise is.
        """
        at = {**self.known, "gamma": float(self.gamma), "alpha": steps, "c": weight}
        start = self.numbers["gap"] + value(f.SHIFTS4, at) * self.numbers["shift2"]
        noise = value(f.FLOOR4, at)
        left = self.numbers["eps"] - noise * (1 - slack)
        left = np.where(noise > 0, left * (1 - lost), left)
        falls = np.minimum(value(_FALLS, {**at, "alpha": fastest}), 1.0)
        found = np.log(start * (1 - slack) / (left * (1 + slack))) / -np.log1p(-falls)
        return np.where(left > 0, np.where(start <= left, 0.0, found), np.inf)


def admitted_letters(
    numbers: Mapping[str, float], omega: float, gamma: float, step: float
) -> dict[str, float] | None:
    """All letters of Theorem 4 repaired but K, c the least; None where none is admitted."""
    known = {**numbers, "omega": omega, "gamma": gamma, "alpha": step}
    asked, room = value(f.LYAPUNOV4.lhs, known), value(_ROOM, known)
    if room <= 0:
        return None
    least = rounded(Fraction(asked / room), down=False) if asked else TINY
    known["c"] = float(max(TINY, least))
    if value(f.STEPSIZE4.lhs, known) > value(f.STEPSIZE4.rhs, known) * (1 - ROOM):
        return None
    letters = {n: known[n] for n in ("L", "mu", "mu1", "mu2", "n", "sigma2", "omega", "gamma", "alpha", "c")}
    return letters | {"Psi0": numbers["gap"] + value(f.SHIFTS4, known) * numbers["shift2"]}


def longest_step(numbers: Mapping[str, float], omega: float, gamma: float) -> float:
    """The longest alpha for which c can be chosen, by bisection: a longer one asks for a larger c."""
    known = {**numbers, "omega": omega, "gamma": gamma, "c": 0.0}
    low, high = 0.0, float(value(f.STEPSIZE4.rhs, known) / value(f.STEPSIZE4.lhs.subs(alpha, 1), known))
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if admitted_letters(numbers, omega, gamma, middle) else (low, middle)
    return low
