"""Theorem 4, repaired, in runs of FLECS-CGD over seeds: the Lyapunov function, with sketches of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from fedproof.algebra.formula import Formula
from fedproof.bounds.catalog import statement
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.least_loss import minimise
from fedproof.papers.flecs.checks._seeds import over_seeds, told
from fedproof.papers.flecs.fewest_rounds.theorem4 import admitted_letters, longest_step
from fedproof.papers.flecs.statements.formulas import SHIFTS4
from fedproof.problems.catalog import make_problem
from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithms.flecs_cgd import FlecsCgd
from fedproof.solvers.compressor import Compressor
from fedproof.solvers.compressors.dithering import Dithering
from fedproof.solvers.compressors.natural import Natural
from fedproof.solvers.compressors.rand_k import RandK
from fedproof.solvers.driver import run
from fedproof.validate.empirical.comparison import sampled_place
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

REPAIRED, METRIC = "flecs.theorem4.repaired", "lyapunov"
ROUNDS = (5, 30)
#: of the longest admitted step
SHARES = (1.0,)
WEIGHT = Formula(SHIFTS4)
_SHORT, _PRODUCTS = 1 - 1e-6, 4000


@dataclass(frozen=True, eq=False)
class Run:
    """FLECS-CGD with full gradients on a problem, with step sizes that the theorem admits.

    Arguments:
        problem: strongly convex, with a certified smoothness of its clients.
        compressor: of gradients.
        sketches: compressor of sketched Hessians.
        truncation: the constants between which the curvatures of A are, omega and Omega of the listings.
        share: of the longest step.
    """

    problem: Any
    compressor: Compressor
    sketches: Compressor
    truncation: tuple[float, float]
    share: float

    @property
    def solution(self) -> tuple[Array, float]:
        """The minimiser and the least loss, to rounding."""
        return _solution(self.problem)

    @property
    def letters(self) -> dict[str, float]:
        """Everything that the statement takes but K."""
        known, problem = self.problem.constants, self.problem
        model, least = self.solution
        start, there = problem.start(), self.shifts_there(model)
        numbers = {
            "L": float(known["smoothness"].value), "mu": float(known["loss_strong_convexity"].value),
            "mu1": 1 / self.truncation[1], "mu2": 1 / self.truncation[0], "n": problem.n_clients,
            "sigma2": 0.0, "gap": float(problem.loss(start)) - least,
            "shift2": float(np.mean(np.sum(there**2, axis=1))), "d": problem.dimension, "m": 1,
        }  # fmt: skip
        omega = float(self.compressor.omega(problem.dimension).value) * (1 + 1e-12)
        gamma = _SHORT / (1 + omega)
        step = longest_step(numbers, omega, gamma) * self.share * _SHORT
        found = admitted_letters(numbers, omega, gamma, step)
        assert found is not None
        return found

    def shifts_there(self, model: Array) -> Array:
        """h_*, the clients' gradients at the solution."""
        ids = np.arange(self.problem.n_clients)
        found: Array = self.problem.client_gradients(np.repeat(model[None], len(ids), axis=0), ids)
        return found

    @property
    def method(self) -> FlecsCgd:
        """The algorithm with these step sizes."""
        at = self.letters
        return FlecsCgd(
            stepsize=at["alpha"], memory=1, direction="truncated_inverse", trunc_lo=self.truncation[0],
            trunc_hi=self.truncation[1], shift_stepsize=at["gamma"], gradient_compressor=self.compressor,
            hessian_compressor=self.sketches,
        )  # fmt: skip

    def lyapunov(self, seed: int, method: Any) -> Array:
        """Psi before any round of one run and after each of ROUNDS, shape (len(ROUNDS) + 1,)."""
        at, (model, least) = self.letters, self.solution
        there, weight = self.shifts_there(model), float(WEIGHT.at(at))

        def metric(problem: Problem, state: Any, trace: Any) -> float:
            del trace
            off = np.mean(np.sum((state.shifts - there) ** 2, axis=1))
            return float(problem.loss(state.model)) - least + weight * float(off)

        history = run(method, self.problem, max(ROUNDS), seed, metrics={"psi": metric})
        values = [float(v) for v in history.metrics["psi"]]
        return np.array([values[r] if r < len(values) else np.nan for r in (0, *ROUNDS)])

    def describe(self) -> str:
        """Where the case lies, in words."""
        return f"{self.problem.name}, {self.compressor.name}, {self.share:g} of the longest step"


@cache
def _solution(problem: Any) -> tuple[Array, float]:
    found = minimise(CountingProblem(problem), problem.start(), _PRODUCTS)
    return found.model, float(problem.loss(found.model))


@cache
def cases() -> tuple[Run, ...]:
    """Regularised logistic regression, well conditioned and less; A a multiple of 1, and one that moves.

    In the last, half of the entries are sent, and the shifts are what the bound is nearest to: it sees shifts
    that move twice as far, or not at all.
    """
    found = []
    for weight in ("2", "1/2"):
        problem = make_problem("binary_logistic", 8, options={"l2": weight})
        top = float(problem.constants["smoothness"].value)
        for compressor in (Natural(), Dithering(levels=8, norm="inf")):
            for low in (1.0, 0.5):
                found += [Run(problem, compressor, compressor, (low * top, top), share) for share in SHARES]
    round_bowl = make_problem("binary_logistic", 8, options={"l2": 8})
    top = float(round_bowl.constants["smoothness"].value)
    half = RandK(round_bowl.dimension // 2)
    return (*found, Run(round_bowl, half, Natural(), (top, top), 1.0))


def rows(budget: SamplingBudget) -> Iterator[BoundComparison]:
    """After each of ROUNDS rounds, the mean of Psi over seeds beside the bound."""
    asked, values = StatementHandle(statement(REPAIRED)), {}
    for case in cases():
        method = budget.change(case.method)
        weight = float(WEIGHT.at(case.letters))
        measured = partial(case.lyapunov, method=method)
        values[case] = over_seeds(case, method, measured, budget, weight=weight, after=ROUNDS)
    for place, rounds in enumerate(ROUNDS, start=1):
        places = [
            sampled_place(found[:, place], asked.check(**case.letters, K=rounds).bound or 0.0, case)
            for case, found in values.items()
        ]
        what = (
            "FLECS-CGD with full gradients, one column of sketches, A within the truncation: the mean of the "
            "Lyapunov function"
        )
        yield told(REPAIRED, METRIC, places, rounds, what, budget)


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """The repaired statement in runs."""
    return tuple(rows(budget))


CHECK = EmpiricalCheck((REPAIRED,), "Lyapunov function over seeds (FLECS-CGD, Theorem 4 repaired)", find)
