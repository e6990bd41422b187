"""A convergence theorem with eta, eta_g and tau, compiled into what a search needs to know."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property

import sympy as sp

from fedproof.algebra.formula import Formula, Relation
from fedproof.bounds.statement import Condition, Statement
from fedproof.papers.composite.notation import R, eta_t
from fedproof.tuning.as_written import keeps
from fedproof.tuning.branch_and_bound import RoundBound
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value

SMALLEST = 1e-60
"""Of the largest step of a round: the least that is looked at where a smaller one can be better."""


@dataclass(frozen=True)
class RunParameters:
    """What a search chooses, by letter: eta, eta_g, tau, b and R; all other letters are given."""

    eta: float
    eta_g: float
    tau: int
    b: int
    R: int


@dataclass(frozen=True)
class CompiledBound:
    """A bound start(R) + residual under eta~ <= ... and eta_g >= ... or = ..., where eta~ = eta eta_g tau.

    It must speak of tau and b by their product alone, and fall in eta_g.
    """

    statement: Statement

    @property
    def given(self) -> tuple[str, ...]:
        """Letters that are not chosen."""
        return tuple(x.name for x in self.statement.letters if x.name not in RunParameters.__annotations__)

    @property
    def start(self) -> str:
        """The letter of the initial potential."""
        return next(name for name in self.given if name.startswith("Omega1"))

    @cached_property
    def _formula(self) -> Formula:
        return Formula(self.statement.expand_all_but(getattr(self.statement.claim, "expr", None), {eta_t}))

    def value(
        self, numbers: Mapping[str, float], step: float, server: float, samples: float, rounds: float
    ) -> float:
        """The bound in doubles; eta_g may be inf."""
        run = {"eta_t": step, "eta_g": server, "tau": 1.0, "b": samples, "R": rounds}
        return float(self._formula.at({**numbers, **run}))

    @cached_property
    def _shrinks(self) -> Formula | None:
        """What the factor of a round is short of 1; None where the start falls like 1/R."""
        powers = [p for p in self._formula.expr.atoms(sp.Pow) if R in p.exp.free_symbols]
        return Formula(sp.Add(1, -powers[0].base.doit())) if powers else None

    def _limit(self, symbol: str) -> Condition:
        return next(c for c in self.statement.conditions if str(getattr(c.relation, "lhs", "")) == symbol)

    def limit(self, symbol: str, numbers: Mapping[str, float]) -> float:
        """The other side of the condition on eta_t or eta_g."""
        found = float(Formula(self.statement.expand(self._limit(symbol).relation.rhs)).at(exact(numbers)))
        if math.isnan(found):
            raise LookupError(f"{self.statement.id} has no number for {symbol}")
        return found

    @property
    def server_is_fixed(self) -> bool:
        """Whether eta_g has one value only."""
        return isinstance(self._limit("eta_g").relation, sp.Eq)

    def round_bound(self, numbers: Mapping[str, float], accuracy: float) -> RoundBound:
        """The bound as the search takes it: eta_g as large as is allowed, which is never worse."""
        server = self.limit("eta_g", numbers) if self.server_is_fixed else math.inf
        top = self.limit("eta_t", numbers)
        ended = {**numbers, self.start: 0.0}
        quiet = {n: 0.0 if n in ("sigma2", "B_g") else v for n, v in numbers.items()}
        first = numbers[self.start]

        def ends(step: float, samples: float) -> float:
            return self.value(ended, step, server, samples, 1.0)

        # (step / top)^k (fixed + noise / samples), k = 0 or 1
        fixed = ends(top, math.inf)
        noise = ends(top, 1.0) - fixed if numbers["sigma2"] else 0.0
        rises = ends(top, 1.0) > 1.5 * ends(top / 2, 1.0)
        factor = self._shrinks
        shrink = None if factor is None else float(factor.at({**numbers, "eta_t": top})) / top
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

    def holds(self, numbers: Mapping[str, float], run: RunParameters) -> dict[str, bool]:
        """Which conditions a run's decimals satisfy, decided exactly."""
        values = exact({**numbers, **asdict(run)})
        return {label: bool(c.holds(values)) for label, c in self.statement.relations.items()}

    def fits(self, numbers: Mapping[str, float], run: RunParameters) -> bool:
        """Whether a run's decimals satisfy the condition on eta~, decided exactly."""
        step = Relation(self.statement.expand(self._limit("eta_t").relation))
        return bool(step.holds(exact({**numbers, **asdict(run)})))

    def keeps(self, numbers: Mapping[str, float], run: RunParameters, accuracy: float) -> bool:
        """Whether the bound at a run's decimals is at most the accuracy."""
        return keeps(self.statement.formulas["bound"], {**numbers, **asdict(run)}, accuracy)


def exact(numbers: Mapping[str, float]) -> dict[str, Fraction]:
    """As they were written, and the shortest decimals of other doubles."""
    return {name: parse_value(value) for name, value in numbers.items()}
