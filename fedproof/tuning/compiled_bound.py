"""A convergence theorem of a method with eta, eta_g and tau, compiled into what a search needs to know."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_expression, evaluate_relation
from fedproof.algebra.expressions import compile_numpy, names_in
from fedproof.bounds.statement import Condition, Statement
from fedproof.tuning.branch_and_bound import RoundBound
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value

CHOSEN = ("tau", "b", "eta", "eta_g", "R")
"""Letters that a search chooses; all others are given."""
SMALLEST = 1e-60
"""Of the largest step of a round: the least that is looked at where a smaller one can be better."""


@dataclass(frozen=True)
class RunParameters:
    """Numbers of a run by letter: eta, eta_g, tau, b and R."""

    eta: float
    eta_g: float
    tau: int
    b: int
    R: int

    @property
    def values(self) -> dict[str, Fraction]:
        """The decimals, exactly."""
        return {name: parse_value(getattr(self, name)) for name in CHOSEN}


@dataclass(frozen=True)
class CompiledBound:
    """A bound start(R) + residual under eta~ <= ... and eta_g >= ... or = ..., where eta~ = eta eta_g tau.

    It must speak of tau and b by their product alone, and fall in eta_g.
    """

    statement: Statement

    @property
    def given(self) -> tuple[str, ...]:
        """Letters that are not chosen."""
        return tuple(x.name for x in self.statement.letters if x.name not in CHOSEN)

    @property
    def start(self) -> str:
        """The letter of the initial potential."""
        return next(name for name in self.given if name.startswith("Omega1"))

    @cached_property
    def _step(self) -> sp.Symbol:
        return next(d.symbol for d in self.statement.where if d.letter.means == "effective_stepsize")

    @cached_property
    def _expr(self) -> sp.Expr:
        bound: sp.Expr = getattr(self.statement.claim, "expr", None)
        return self.statement.expand_all_but(bound, frozenset({self._step}))

    @cached_property
    def _value(self) -> Callable[..., Any]:
        return compile_numpy(self._expr, (*self.given, self._step.name, "eta_g", "tau", "b", "R"))

    def value(
        self, numbers: Mapping[str, float], step: float, server: float, samples: float, rounds: float
    ) -> float:
        """The bound in doubles; eta_g may be inf."""
        return float(self._value(*(numbers[n] for n in self.given), step, server, 1.0, samples, rounds))

    @cached_property
    def _short(self) -> Callable[..., Any] | None:
        """What the factor of a round is short of 1; None where the start falls like 1/R."""
        rounds = next(x.symbol for x in self.statement.letters if x.name == "R")
        powers = [p for p in self._expr.atoms(sp.Pow) if rounds in p.exp.free_symbols]
        if not powers:
            return None
        return compile_numpy(sp.Add(1, -powers[0].base.doit()), (*self.given, self._step.name))

    def _limit(self, symbol: str) -> Condition:
        return next(c for c in self.statement.conditions if str(getattr(c.relation, "lhs", "")) == symbol)

    def limit(self, symbol: str, numbers: Mapping[str, float]) -> float:
        """The other side of the condition on eta_t or eta_g."""
        found = evaluate_expression(
            self.statement.expand(self._limit(symbol).relation.rhs),
            {n: parse_value(v) for n, v in numbers.items()},
        )
        if found is None:
            raise LookupError(f"{self.statement.id} has no number for {symbol}")
        return found

    @property
    def server_is_fixed(self) -> bool:
        """Whether eta_g has one value only."""
        return isinstance(self._limit("eta_g").relation, sp.Eq)

    def round_bound(self, numbers: Mapping[str, float], accuracy: float) -> RoundBound:
        """The bound as the search takes it: eta_g as large as is allowed, which is never worse."""
        server = self.limit("eta_g", numbers) if self.server_is_fixed else math.inf
        top = self.limit(self._step.name, numbers)
        ended = {**numbers, self.start: 0.0}
        quiet = {n: 0.0 if n in ("sigma2", "B_g") else v for n, v in numbers.items()}
        first, short = numbers[self.start], self._short

        def ends(step: float, samples: float) -> float:
            return self.value(ended, step, server, samples, 1.0)

        # (step / top)^k (fixed + noise / samples), k = 0 or 1
        fixed = ends(top, math.inf)
        noise = ends(top, 1.0) - fixed if numbers["sigma2"] else 0.0
        rises = ends(top, 1.0) > 1.5 * ends(top / 2, 1.0)
        shrink = None if short is None else float(short(*(numbers[n] for n in self.given), top)) / top
        if shrink is not None and not 0 < shrink * top < 1:
            got = "constants whose factor of a round is not between 0 and 1"
            raise InputError(self.statement.id, got, "a smaller mu", "no F has a mu above its L")
        begins = self.value(quiet, top, math.inf, 1.0, 1.0) * top

        def residual(step: float, samples: float) -> float:
            return (fixed + noise / samples) * (step / top if rises else 1.0)

        def rounds(step: float, left: float) -> float:
            if shrink is None:
                return begins / step / left
            return math.log(first / left) / -math.log1p(-shrink * step) if first > left else 0.0

        return RoundBound(rounds, residual, accuracy, (top * SMALLEST if rises else top, top))

    def fails(self, numbers: Mapping[str, float]) -> list[str]:
        """Labels of the conditions that no choice can meet, for they speak of given letters alone."""
        values = {n: parse_value(v) for n, v in numbers.items()}
        told = [c for c in self.statement.admissible if names_in(c.relation) <= set(values)]
        return [c.label for c in told if not evaluate_relation(c.relation, values).holds]

    def holds(self, numbers: Mapping[str, float], run: RunParameters) -> dict[str, bool]:
        """Which conditions a run's decimals satisfy, decided exactly."""
        values = {n: parse_value(v) for n, v in numbers.items()} | run.values
        return {c.label: evaluate_relation(c.relation, values).holds for c in self.statement.admissible}

    def fits(self, numbers: Mapping[str, float], run: RunParameters) -> bool:
        """Whether a run's decimals satisfy the condition on eta~, decided exactly."""
        values = {n: parse_value(v) for n, v in numbers.items()} | run.values
        return evaluate_relation(self.statement.expand(self._limit(self._step.name).relation), values).holds

    def keeps(self, numbers: Mapping[str, float], run: RunParameters, accuracy: float) -> bool:
        """Whether the bound at a run's decimals is at most the accuracy."""
        values = {n: parse_value(v) for n, v in numbers.items()} | run.values
        found = evaluate_expression(self.statement.bound, values)
        return found is not None and found <= accuracy
