"""Theorem 5 and Corollary 6, repaired, in runs of FLECS-CGD over seeds, with and without convexity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from fedproof.algebra.formula import Formula
from fedproof.bounds.catalog import statement
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.papers.flecs.checks._cases import least_weight5, longest_step5
from fedproof.papers.flecs.checks._seeds import over_seeds, told
from fedproof.papers.flecs.statements import formulas as f
from fedproof.problems.catalog import make_problem
from fedproof.problems.problem import Array, Problem
from fedproof.problems.supervised.partition import Partition
from fedproof.solvers.algorithms.flecs_cgd import FlecsCgd
from fedproof.solvers.compressor import Compressor
from fedproof.solvers.compressors.dithering import Dithering
from fedproof.solvers.compressors.identity import Identity
from fedproof.solvers.compressors.natural import Natural
from fedproof.solvers.compressors.rand_k import RandK
from fedproof.solvers.driver import run
from fedproof.validate.empirical.comparison import sampled_place
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

THEOREMS = ("flecs.theorem5.repaired", "flecs.theorem5.sharpened")
#: with their step sizes
COROLLARIES = {"flecs.corollary6.repaired": f.STEP6, "flecs.corollary6.units": f.UNIT_STEP6}
METRIC = "squared_gradient_of_drawn_model"
ROUNDS, OWN_ROUNDS, CLIENTS = (5, 30), 16, 8
#: of 1/(1 + omega), of the alpha at which the denominator is 0, and what c is above its least
GAMMA, STEP, ABOVE = 0.5, 0.5, 1 + 1e-9
_SHIFTS = Formula(f.SHIFTS5)


@dataclass(frozen=True, eq=False)
class Run:
    """FLECS-CGD on losses of bounded slope plus a square that all share.

    |grad f_i - grad F|^2 is on average at most G^2, G the largest slope of a sample without the square, and
    so is the variance of a sample's gradient. kappa^0 is taken from above, by a loss of 0 for F*, or by what
    strong convexity leaves of the gap, and by zeta^2 for the mean of |h_*|^2; the bounds increase in it.

    Arguments:
        problem: with a certified smoothness and G, equally large clients and losses of at least 0.
        alike: whether all clients hold the same rows; zeta is then 0.
        compressor: of gradients; sketched Hessians are sent whole, as the theorem admits.
        low: the least curvature of A, as a share of L; the largest is L.
        batch: samples of a gradient; None takes all.
    """

    problem: Any
    alike: bool
    compressor: Compressor
    low: float
    batch: int | None

    @property
    def letters(self) -> dict[str, float]:
        """Everything that the theorems take but K."""
        known = self.problem.constants
        bare = replace(self.problem, regulariser=None).constants["lipschitz_sample"]
        top, slope2 = float(known["smoothness"].value), float(bare.value) ** 2
        omega = float(self.compressor.omega(self.problem.dimension).value) * (1 + 1e-12)
        at = {
            "L": top, "mu1": 1 / top, "mu2": 1 / (self.low * top), "n": float(self.problem.n_clients),
            "omega": omega, "zeta2": 0.0 if self.alike else slope2,
            "sigma2": slope2 / self.batch if self.batch else 0.0, "gamma": GAMMA / (1 + omega),
        }  # fmt: skip
        at["c"] = float(least_weight5(at)) * ABOVE
        return self.begun(at | {"alpha": STEP * float(longest_step5(at))})

    def at_own_step(self, id: str) -> dict[str, float]:
        """The same with a corollary's step size after OWN_ROUNDS rounds."""
        at = self.letters
        return self.begun(at | {"alpha": float(Formula(COROLLARIES[id]).at(at | {"K": float(OWN_ROUNDS)}))})

    def begun(self, at: dict[str, float]) -> dict[str, float]:
        """With kappa^0, from above."""
        return at | {"kappa0": _gap(self.problem) + float(_SHIFTS.at(at)) * at["zeta2"]}

    def method(self, at: dict[str, float]) -> FlecsCgd:
        """The algorithm with these step sizes."""
        return FlecsCgd(
            stepsize=at["alpha"], memory=1, direction="truncated_inverse", trunc_lo=1 / at["mu2"],
            trunc_hi=1 / at["mu1"], shift_stepsize=at["gamma"], gradient_compressor=self.compressor,
            hessian_compressor=Identity(), batch_size=self.batch,
        )  # fmt: skip

    def means(self, seed: int, method: Any, after: tuple[int, ...]) -> Array:
        """The mean of |grad F|^2 over the models before each of the rounds, after these numbers of them."""
        rounds = max(after)

        def metric(problem: Problem, state: Any, trace: Any) -> float:
            del trace
            return float(np.sum(problem.gradient(state.model) ** 2))

        history = run(method, self.problem, rounds - 1, seed, metrics={"square": metric})
        values = [float(v) for v in history.metrics["square"]]
        squares = np.array(values + [np.nan] * (rounds - len(values)))
        found: Array = (np.cumsum(squares) / np.arange(1, rounds + 1))[np.array(after) - 1]
        return found

    def describe(self) -> str:
        """Where the case lies, in words."""
        rows = "all rows" if self.batch is None else f"batches of {self.batch}"
        return f"{self.problem.name}, {self.compressor.name}, {rows}"


def _gap(problem: Any) -> float:
    """F at the start less its least value, from above: F >= 0, and |grad F|^2/(2 mu) where F is convex."""
    at = problem.start()
    found = float(problem.loss(at))
    if problem.constants["weak_convexity"].value == 0:
        square = float(np.sum(problem.gradient(at) ** 2))
        found = min(found, square / (2 * float(problem.regulariser.least_curvature)))
    return found * (1 + 1e-9)


@cache
def problems() -> tuple[tuple[Any, bool], ...]:
    """A convex loss and one that is not on clients that differ; the latter on clients that do not."""
    convex = make_problem("robust", CLIENTS, options={"model": "huber", "delta": "1/10", "l2": "1/50"})
    bent = make_problem("robust", CLIENTS, options={"model": "cauchy", "width": "1/10", "l2": "1/5000"})
    same = _repeated(make_problem("robust", 1, options={"model": "cauchy", "width": "1/4", "l2": "1/300"}))
    return (convex, False), (bent, False), (same, True)


def _repeated(one: Any) -> Any:
    """The same rows at every client."""
    return replace(
        one, features=np.tile(one.features, (CLIENTS, 1)), labels=np.tile(one.labels, CLIENTS),
        partition=Partition.of_sizes([len(one.labels)] * CLIENTS), name=f"{one.name}, {CLIENTS} times",
    )  # fmt: skip


@cache
def cases() -> tuple[Run, ...]:
    """Each problem with full gradients and few errors, and with batches and many.

    The last is a round bowl, alike at all clients, whose bound lies below the first gradient after a few
    rounds: it sees a step that is none, and shifts that overshoot.
    """
    kinds: tuple[tuple[Compressor, float, int | None], ...] = (
        (Natural(), 1.0, None),
        (Dithering(levels=1, norm="inf"), 0.5, 5),
    )
    bowl = _repeated(make_problem("robust", 1, options={"model": "huber", "delta": "1/10", "l2": 1}))
    round_bowl = Run(bowl, True, RandK(bowl.dimension // 2), 1.0, None)
    return (*(Run(problem, alike, *kind) for problem, alike in problems() for kind in kinds), round_bowl)


def rows(budget: SamplingBudget) -> Iterator[BoundComparison]:
    """The mean over seeds beside each bound; the corollaries have runs of their own."""
    what = "FLECS-CGD, one column of sketches: the mean squared gradient at the models before the rounds"
    found = {case: _values(case, case.letters, ROUNDS, budget) for case in cases()}
    for id in THEOREMS:
        asked = StatementHandle(statement(id))
        for place, rounds in enumerate(ROUNDS):
            places = [
                sampled_place(v[:, place], asked.check(**case.letters, K=rounds).bound or 0.0, case)
                for case, v in found.items()
            ]
            yield told(id, METRIC, places, rounds, what, budget)
    for id in COROLLARIES:
        asked, places = StatementHandle(statement(id)), []
        for case in cases():
            at = case.at_own_step(id)
            bound = asked.check(**{k: v for k, v in at.items() if k in asked.names}, K=OWN_ROUNDS).bound
            places.append(sampled_place(_values(case, at, (OWN_ROUNDS,), budget)[:, 0], bound or 0.0, case))
        yield told(id, METRIC, places, OWN_ROUNDS, what, budget)


def _values(case: Run, at: dict[str, float], after: tuple[int, ...], budget: SamplingBudget) -> Array:
    method = budget.change(case.method(at))
    return over_seeds(case, method, partial(case.means, method=method, after=after), budget, after=after)


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """The repaired and the sharpened theorem and both corollaries in runs."""
    return tuple(rows(budget))


CHECK = EmpiricalCheck(
    (*THEOREMS, *COROLLARIES), "mean squared gradient over seeds (FLECS-CGD, Theorem 5 repaired)", find
)
