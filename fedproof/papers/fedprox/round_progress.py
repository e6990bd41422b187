"""The theorems with constants, compiled into what a search needs: the progress of a round.

A bound (a/eta + k)/T + c eta^2 + d eta is at most epsilon for some admitted eta if and only if
T >= a/V, V the largest eta (epsilon - c eta^2 - d eta)/(1 + k eta/a): Theorems 1 and 3 have k = 0, Theorems 2
and 4 c = 0.
With the theorems' own step size Theorems 1 and 3 say C max{T^(-2/3), 1/sqrt(T J)}, so that T >= 1/V with
1/V = max{(C/epsilon)^(3/2), (C/epsilon)^2/J}, and Theorems 2 and 4 p/T + q/sqrt(T). I and b enter by d or 1/J
alone, both (d_0 + d_1/b)/I, or not at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy as sp

from fedproof.algebra.formula import Formula
from fedproof.bounds import catalog
from fedproof.bounds.statement_handle import ApplicabilityResult, StatementHandle
from fedproof.papers.fedprox.notation import I, T, eps, eta
from fedproof.papers.fedprox.statements import formulas as f
from fedproof.tuning.branch_and_bound import RoundBound

if TYPE_CHECKING:
    from fedproof.bounds.letter import Letter
    from fedproof.bounds.statement import Condition, Statement

CHOSEN = ("T", "I", "b", "eta", "eps")
ROOM = 1e-9
"""A margin below this is rounding."""
DIGITS = 4
"""Significant digits of eps."""
#: the theorems with their own step size, and what stands for 1/J
_OWN = {"fedprox.theorem1.explicit": 1 / I, "fedprox.theorem3.repaired": 1 / f.DRAWS3}


@dataclass(frozen=True)
class RoundProgress:
    """A theorem whose bound a search over T, I, b and eta keeps at most an accuracy."""

    statement: Statement

    @classmethod
    def of(cls, id: str) -> RoundProgress:
        """That with this id."""
        return cls(catalog.statement(id))

    @property
    def id(self) -> str:
        """The statement's."""
        return self.statement.id

    @property
    def free(self) -> bool:
        """Whether the step size is chosen."""
        return eta.name not in self.statement.formulas

    @property
    def minibatches(self) -> bool:
        """Whether the devices work on b samples, those of FedMSPP."""
        return self.id.startswith(("fedprox.theorem3", "fedprox.theorem4"))

    @property
    def inexact(self) -> bool:
        """Whether the local solves need not be exact."""
        return any(x.name == eps.name for x in self.statement.letters)

    @property
    def given(self) -> tuple[Letter, ...]:
        """What a user supplies."""
        return tuple(x for x in self.statement.letters if x.name not in CHOSEN)

    def round_bound(self, numbers: Mapping[str, float], accuracy: float) -> RoundBound:
        """The bound as the search takes it: 1/V rounds, V less what it is with infinitely many draws."""
        gap, progress = self._progress(numbers, accuracy)
        draws = self._draws(numbers)
        most = progress(math.inf)
        return RoundBound(
            lambda _, left: gap / left, lambda _, drawn: most - progress(drawn), most, (1.0, 1.0), draws
        )

    def rounds(self, numbers: Mapping[str, float], accuracy: float, devices: int, batch: int) -> float:
        """As many rounds suffice, and no fewer do with any step size that is admitted.

        >>> known = {"L": 1.0, "G": 1.0, "Delta": 1.0}
        >>> round(RoundProgress.of("fedprox.remark2.general").rounds(known, 0.1, 4, 1))
        1739
        """
        gap, progress = self._progress(numbers, accuracy)
        return gap / progress(self._draws(numbers)(devices, batch))

    def _progress(
        self, numbers: Mapping[str, float], accuracy: float
    ) -> tuple[float, Callable[[float], float]]:
        """What the rounds are divided into, and V by draws, those of I = b = 1 being 1."""
        one = {**numbers, **dict.fromkeys(("T", "I", "b"), 1.0)}
        if not self.free and self.id not in _OWN:
            inverse = sp.Symbol("inverse", positive=True)
            terms = sp.Poly(sp.expand(self._bound.subs(T, 1 / inverse**2)), inverse)
            first, last = (_value(terms.coeff_monomial(inverse**k), one) for k in (2, 1))
            most = 2 * accuracy / (last + math.sqrt(last**2 + 4 * first * accuracy))
            return 1.0, lambda draws: most**2
        if not self.free:
            size = _value(self._bound.as_independent(T, as_Add=False)[0], one) / accuracy
            first = _value(_OWN[self.id], one)
            return 1.0, lambda draws: 1 / max(size**1.5, size**2 * first / draws)
        gap, square, slope, fixed = (_value(part, one) for part in self._parts)
        top = self._longest(numbers)

        def progress(draws: float) -> float:
            step = _best_step(accuracy, square, slope / draws, top, fixed / gap if gap else 0.0)
            left = accuracy - square * step**2 - slope / draws * step
            return step * left / (1 + step * fixed / gap if gap else 1)

        return gap, progress

    @property
    def _bound(self) -> Any:
        return getattr(self.statement.claim, "expr", None)

    @property
    def _parts(self) -> tuple[Any, Any, Any, Any]:
        """What the bound has before 1/eta, eta^2 and eta, and what has no eta."""
        terms = sp.Poly(sp.expand(self._bound * eta), eta)
        gap, square, slope, fixed = (terms.coeff_monomial(eta**k) for k in (0, 3, 2, 1))
        return gap, square, slope, fixed

    def _longest(self, numbers: Mapping[str, float]) -> float:
        """The largest eta that the condition on it admits."""
        relation = next(c for c in self.statement.conditions if self._on_step(c)).relation
        return _value(relation.rhs, numbers) / _value(relation.lhs / eta, numbers)

    def _on_step(self, condition: Condition) -> bool:
        symbols = condition.relation.lhs.free_symbols
        return eta in symbols and eps not in symbols

    def _draws(self, numbers: Mapping[str, float]) -> Callable[[float, float], float]:
        """By I and b, how many times less than with I = b = 1 a round's mean varies."""
        share = self._parts[2] if self.free else _OWN.get(self.id, sp.Integer(0))
        if not share.has(I):
            return lambda devices, size: 1.0
        first, last = (_value(sp.expand(share), {**numbers, "I": 1.0, "b": size}) for size in (1.0, math.inf))

        def draws(devices: float, size: float) -> float:
            one = last + (first - last) / size
            return devices * first / one if one > 0 else math.inf if first > 0 else devices

        return draws

    def point(
        self, numbers: Mapping[str, float], accuracy: float, rounds: int, devices: int, batch: int
    ) -> dict[str, float]:
        """T, I, b, eta and eps, as large as the theorem allows, in decimals."""
        found = {"T": float(rounds), "I": float(devices)} | ({"b": float(batch)} if self.minibatches else {})
        known = {**numbers, **found}
        if self.free:
            gap, square, slope, fixed = (_value(part, {**known, "T": 1.0}) for part in self._parts)
            top = self._longest(numbers) * (1 - 1e-15)
            step = _best_step(accuracy, square, slope, top, fixed / gap if gap else 0.0)
        else:
            step = _value(self.statement.formulas["eta"].expr, known)
        known["eta"] = step
        limits = [_value(c.relation.rhs, known) for c in self.statement.conditions if c.relation.lhs == eps]
        return {"eta": step, **found} | ({"eps": _rounded_down(min(limits))} if limits else {})

    def check(self, numbers: Mapping[str, float], argmin: Mapping[str, float]) -> ApplicabilityResult:
        """What the statement says of these decimals."""
        known = {**numbers, **argmin}
        names = {x.name for x in self.statement.letters}
        return StatementHandle(self.statement).check(**{n: v for n, v in known.items() if n in names})

    def binds(self, condition: Condition, margin: float | None) -> bool:
        """Whether it is a condition on eta that holds with equality, up to rounding."""
        return self.free and self._on_step(condition) and margin is not None and margin < ROOM


def _best_step(accuracy: float, square: float, slope: float, top: float, bend: float = 0.0) -> float:
    """Where eta (accuracy - square eta^2 - slope eta)/(1 + bend eta) is largest up to `top`.

    Either `square` or `bend` is 0; then it rises up to one point and falls from there on.

    >>> _best_step(3.0, 1.0, 0.0, 9.0), _best_step(3.0, 1.0, 0.0, 0.5), _best_step(1.0, 0.0, 0.0, 0.5)
    (1.0, 0.5, 0.5)
    >>> _best_step(3.0, 0.0, 1.0, 9.0, 1.0)
    1.0
    """
    root = math.sqrt(max(0.0, slope**2 + 3 * square * accuracy + slope * bend * accuracy))
    return min(top, accuracy / (slope + root)) if slope + root > 0 else top


def _value(expr: Any, numbers: Mapping[str, float]) -> float:
    """In doubles."""
    used = {name: numbers[name] for name in Formula(expr).names}
    return float(Formula(expr).at(used))


def _rounded_down(value: float) -> float:
    """A number of DIGITS significant digits below.

    >>> _rounded_down(1.93649167e-7), _rounded_down(0.0)
    (1.936e-07, 0.0)
    """
    if value <= 0:
        return 0.0
    exponent = DIGITS - 1 - math.floor(math.log10(value))
    return float(f"{math.floor(value * 10.0**exponent * (1 - ROOM))}e{-exponent}")
