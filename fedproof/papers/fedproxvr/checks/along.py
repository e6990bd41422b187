"""Theorem 1 and the closed chain with (5) along the run, where no sigma is finite at all models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from typing import Any

from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedproxvr.checks._apart import Game, gap, mean_squared_gradient, pulled_apart, sigma2
from fedproof.papers.fedproxvr.checks._hyperparameters import Hyperparameters
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.solvers.moments import run_moments
from fedproof.validate.empirical.comparison import Place, compare, nearest
from fedproof.validate.empirical.theory import bound_at
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget
from fedproof.vocabulary.plurals import count

THEOREMS = ("fedproxvr.theorem1.along", "fedproxvr.theorem1.along.sharpened")
ESTIMATORS = ("sarah", "svrg")
METRIC = "mean_squared_gradient"
MU = (8, 24)
BENDS = (Fraction(1), Fraction(1, 2), Fraction(-1, 4))
#: of the problems that the solver runs on, and how many rounds
PROBLEMS, ROUNDS, MOST_STEPS = (1, 3, 6), (1, 20), 60
#: relative: what rounding may hide of moments in floats
ROUNDING = 1e-9
ALONG = ".along"


@dataclass(frozen=True, eq=False)
class Run:
    """FedProxVR's own rounds on a problem, over every draw.

    Arguments:
        problem: L = 1, minimisers apart.
        setting: that the closed chain admits for the sigma^2 of this run.
        rounds: T.
    """

    problem: Quadratic
    setting: Hyperparameters
    rounds: int

    @cached_property
    def letters(self) -> dict[str, Any]:
        """Everything that the statement takes."""
        known = self.problem.constants
        method: Any = self.setting.algorithm
        before = run_moments(method, self.problem.as_float(), self.rounds - 1)
        return self.setting.values | {
            "L": known["smoothness_sample"].value, "lam": known["weak_convexity"].value, "T": self.rounds,
            "sigma2": sigma2(self.problem.as_float(), before), "Delta": gap(self.problem),
        }  # fmt: skip

    @cached_property
    def bound(self) -> float | None:
        """What the closed chain promises of it; None where it does not admit it."""
        return bound_at(self.setting.certified, **self.letters)

    def __str__(self) -> str:
        return f"{self.problem.name}, {self.setting}, T={self.rounds}"


def games() -> Iterator[Game]:
    """Two clients that pull apart, one of which may be flat or bend down, with errors either way."""
    for bend, mu, theta, signs, start, rounds in product(
        BENDS, (12, 60), (Fraction(1, 10**6), Fraction(1, 20)), ((1, 1), (1, -1)),
        (Fraction(30), Fraction(1, 100)), (1, 3),
    ):  # fmt: skip
        clients = ((Fraction(1), Fraction(-1)), (bend, Fraction(1)))
        yield Game(clients, Fraction(mu), theta, signs, start, rounds)


def promised(id: str, game: Game) -> float | None:
    """What a form of Theorem 1 promises of a game with its own sigma^2, L = 1."""
    lam = max(Fraction(0), -min(a for a, _ in game.clients))
    shown = sigma2(game.problem, game.moments()[:-1])
    known = {"mu": game.mu, "theta": game.theta, "T": game.rounds, "Delta": gap(game.problem)}
    return bound_at(id, L=1, lam=lam, sigma2=shown, **known)


def played(id: str, budget: SamplingBudget) -> BoundComparison:
    """Exact games against a form of Theorem 1."""
    places = []
    for game in games():
        bound = promised(id, game)
        if bound is not None:
            real = mean_squared_gradient(game.problem, budget.change(game).moments())
            places.append(Place(real, bound, game))
    worst = nearest(places)
    detail = (
        f"Of {count(len(places), 'game')} in fractions, whose clients' minimisers lie apart, each with the "
        f"least sigma^2 of its own models, the nearest reaches {worst.ratio:.4g} of its bound."
    )
    return compare(id, METRIC, places, (f"one dimension: {worst.at}", detail), budget)


@cache
def runs(estimator: str) -> tuple[Run, ...]:
    """For every problem, two mu and two beta: the ends of tau that the range engine gives, where admitted."""
    found = []
    for problem, mu, beta in product(pulled_apart(PROBLEMS), MU, (8,)):
        probe = Run(problem, Hyperparameters(estimator, Fraction(beta), Fraction(mu), 1, ALONG), 1)
        known = {n: probe.letters[n] for n in ("L", "lam", "sigma2", "mu", "beta")}
        whole = statement(probe.setting.certified).range("tau", **known).integers
        if whole is None or whole[0] is None or whole[1] is None:
            continue
        for tau, rounds in product(sorted({whole[0], min(whole[1], MOST_STEPS)}), ROUNDS):
            setting = Hyperparameters(estimator, Fraction(beta), Fraction(mu), int(tau), ALONG)
            run = Run(problem, setting, rounds)
            found += [run] if tau <= MOST_STEPS and run.bound is not None else []
    return tuple(found)


def ran(estimator: str, budget: SamplingBudget) -> BoundComparison:
    """The solver's rounds in exact expectation against the closed chain."""
    places = []
    for run in runs(estimator):
        where = run.problem.as_float()
        real = run_moments(budget.change(run.setting.algorithm), where, run.rounds)
        places.append(Place(float(mean_squared_gradient(where, real)), run.bound, run))
    worst = nearest(places)
    detail = (
        f"Of {count(len(places), 'run')} in exact expectation, each with the least sigma^2 of its own "
        f"models, the nearest reaches {worst.ratio:.4g} of its bound."
    )
    id = f"fedproxvr.certified.{estimator}{ALONG}"
    return compare(id, METRIC, places, (f"{estimator}: {worst.at}", detail), budget, tolerance=ROUNDING)


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """Both forms of Theorem 1 in games, and the closed chain in the solver's rounds."""
    return (*(played(id, budget) for id in THEOREMS), *(ran(e, budget) for e in ESTIMATORS))


CHECK = EmpiricalCheck(
    (*THEOREMS, *(f"fedproxvr.certified.{e}{ALONG}" for e in ESTIMATORS)),
    "mean squared gradient (Theorem 1, (5) along the run)",
    find,
)
