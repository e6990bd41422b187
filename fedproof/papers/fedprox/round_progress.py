"""Theorems 1 and 3 with constants, compiled into what a search needs: the progress of a round.

A bound a/(eta T) + c eta^2 + d eta is at most epsilon for some admitted eta if and only if T >= a/V, V the
largest eta (epsilon - c eta^2 - d eta). With the theorems' own step size the bound is
C max{T^(-2/3), 1/sqrt(T J)}, so that T >= 1/V with 1/V = max{(C/epsilon)^(3/2), (C/epsilon)^2/J}. I and b
enter by d or 1/J alone, both (d_0 + d_1/b)/I.
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
from fedproof.papers.fedprox.notation import I, T, b, eps, eta
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
        return self.id not in _OWN

    @property
    def minibatches(self) -> bool:
        """Whether the devices work on b samples."""
        return any(x.name == b.name for x in self.statement.letters)

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
        if not self.free:
            size = _value(self._bound.as_independent(T, as_Add=False)[0], one) / accuracy
            first = _value(_OWN[self.id], one)
            return 1.0, lambda draws: 1 / max(size**1.5, size**2 * first / draws)
        gap, square, slope = (_value(part, one) for part in self._parts)
        top = self._longest(numbers)

        def progress(draws: float) -> float:
            step = _best_step(accuracy, square, slope / draws, top)
            return step * (accuracy - square * step**2 - slope / draws * step)

        return gap, progress

    @property
    def _bound(self) -> Any:
        return getattr(self.statement.claim, "expr", None)

    @property
    def _parts(self) -> tuple[Any, Any, Any]:
        """What the bound has before 1/eta, eta^2 and eta."""
        terms = sp.Poly(sp.expand(self._bound * eta), eta)
        gap, square, slope = (sp.expand(terms.coeff_monomial(eta**k)) for k in (0, 3, 2))
        return gap, square, slope

    def _longest(self, numbers: Mapping[str, float]) -> float:
        """The largest eta that the condition on it admits."""
        relation = next(c for c in self.statement.conditions if self._on_step(c)).relation
        return 1 / _value(relation.lhs / eta, numbers)

    def _on_step(self, condition: Condition) -> bool:
        symbols = condition.relation.lhs.free_symbols
        return eta in symbols and eps not in symbols

    def _draws(self, numbers: Mapping[str, float]) -> Callable[[float, float], float]:
        """By I and b, how many times less than with I = b = 1 a round's mean varies."""
        share = self._parts[2] if self.free else _OWN[self.id]
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
            _, square, slope = (_value(part, known) for part in self._parts)
            top = self._longest(numbers) * (1 - 1e-15)
            step = _best_step(accuracy, square, slope, top)
        else:
            step = _value(self.statement.formulas["eta"].expr, known)
        known["eta"] = step
        limits = [_value(c.relation.rhs, known) for c in self.statement.conditions if c.relation.lhs == eps]
        return {"eta": step, **found, "eps": _rounded_down(min(limits))}

    def check(self, numbers: Mapping[str, float], argmin: Mapping[str, float]) -> ApplicabilityResult:
        """What the statement says of these decimals."""
        known = {**numbers, **argmin}
        names = {x.name for x in self.statement.letters}
        return StatementHandle(self.statement).check(**{n: v for n, v in known.items() if n in names})

    def binds(self, condition: Condition, margin: float | None) -> bool:
        """Whether it is a condition on eta that holds with equality, up to rounding."""
        return self.free and self._on_step(condition) and margin is not None and margin < ROOM


def _best_step(accuracy: float, square: float, slope: float, top: float) -> float:
    """Where eta (accuracy - square eta^2 - slope eta), which is concave, is largest up to `top`.

    >>> _best_step(3.0, 1.0, 0.0, 9.0), _best_step(3.0, 1.0, 0.0, 0.5), _best_step(1.0, 0.0, 0.0, 0.5)
    (1.0, 0.5, 0.5)
    """
    below = slope + math.sqrt(slope**2 + 3 * square * accuracy)
    return min(top, accuracy / below) if below > 0 else top


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
