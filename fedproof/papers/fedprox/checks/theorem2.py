"""Theorem 2: the mean squared gradient of the Moreau envelope over w_0 to w_{T-1}, against its bound.

The theorem's local solves are exact. On the line they are, in fractions. On data a proved eps bounds what is
lost, and that is added to what was measured (`lost`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

from fedproof.papers.fedprox.checks._experiments import Experiment, admitted, nonsmooth, refused
from fedproof.papers.fedprox.checks._instances import equal_digits, nonsmooth_lines, ridge, robust
from fedproof.papers.fedprox.checks._runs import HIDDEN, Runs, enumerated, sampled, squared_envelope_gradients
from fedproof.solvers.envelope import envelope_gradient
from fedproof.solvers.local.to_duality_gap import ToDualityGap
from fedproof.solvers.local.to_suboptimality import ToSuboptimality
from fedproof.solvers.metrics import MetricFunction
from fedproof.solvers.runs.stored_runs import DONE_NOW, RunSource
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

PRINTED, GENERAL, EXPLICIT = (f"fedprox.theorem2{part}" for part in ("", ".general", ".explicit"))
SEEDS = 32
#: rho on the line, below 1 / (2 nu) where nu is 1/2, and on data
RHO = Fraction(7, 8)
RHO_DATA = Fraction(4)
#: I and T with the theorem's own step size
OWN = ((1, 1), (1, 4), (1, 9), (2, 4))
#: eta / rho, and T
OTHERS = ((Fraction(1), 6), (Fraction(1, 10), 6))
MOST_DRAWS = 10**4
LONG, DATA_ROUNDS = 400, 16
EPS = Fraction(1, 10**10)


@cache
def short() -> tuple[Experiment, ...]:
    """Instances on the line with the theorem's step size and others, solved exactly."""
    found = []
    for line in nonsmooth_lines():
        for count, rounds, share in (*((*own, None) for own in OWN), *((1, t, share) for share, t in OTHERS)):
            if line.n_clients ** (count * (rounds - 1)) <= MOST_DRAWS:
                eta = None if share is None else share * RHO
                found.append(nonsmooth(line, count, rounds, RHO, eta=eta))
    return tuple(found)


@cache
def long() -> tuple[Experiment, ...]:
    """Down to a kink for all T rounds; opposite slopes with steps on a grid, where few models are reached."""
    apart, rho = nonsmooth_lines()[1], Fraction(1)
    found = [nonsmooth(apart, 1, 100, rho)]
    for share, rounds in ((None, LONG), (Fraction(1, 100), 2500)):
        step = rho / 20 if share is None else share * rho
        line = ridge((rounds - 1) * step + rho)
        found.append(nonsmooth(line, 1, rounds, rho, eta=None if share is None else step))
    return tuple(found)


@cache
def on_data() -> tuple[Experiment, ...]:
    """Absolute and hinge losses, and Cauchy's, which is not convex, solved to 1e-10 at least."""
    kinked, smooth = ToDualityGap(EPS), ToSuboptimality(EPS / 100)
    cases: list[tuple[Any, Any]]
    cases = [(robust(model, apart, 8, 8), kinked) for model in ("absolute", "hinge") for apart in (0, 4)]
    cases += [(robust("cauchy", apart), smooth) for apart in (0, 4)]
    return tuple(nonsmooth(problem, 2, DATA_ROUNDS, RHO_DATA, solver) for problem, solver in cases)


def lost(experiment: Experiment) -> float:
    """By how much the squared gradient of exact solves can be above that of solves to eps, at any w_t.

    A solve to eps ends within d = sqrt(2 eps / (1/eta - nu)) of the exact one, which moves by no more than
    1 / (1 - nu eta) times what its start moves; so does the mean over a cohort of the same devices. So the
    models of both runs are within d (1 + q + ... + q^(T-2)), q = 1 / (1 - nu eta), of each other. The
    envelope's gradient has the Lipschitz constant max{1/rho, nu/(1 - rho nu)} and is no longer than G.
    """
    eps = getattr(experiment.solver, "suboptimality", 0)
    given = {name: float(experiment.letters[name]) for name in ("G", "nu", "rho", "eta")}
    nu, rho, eta = given["nu"], given["rho"], given["eta"]
    once = sqrt(2 * float(eps) / (1 / eta - nu))
    apart = once * sum((1 - nu * eta) ** -k for k in range(experiment.rounds - 1))
    return 2 * given["G"] * max(1 / rho, nu / (1 - rho * nu)) * apart


def squared_at_most(experiment: Experiment) -> MetricFunction:
    """|grad R_rho(w)|^2 with the error of its own solve, if any, on top, as a metric of runs."""

    def metric(problem: Any, state: Any, trace: Any) -> float:
        del trace
        if hasattr(problem, "envelope"):
            return float(squared_envelope_gradients(experiment, problem, state.model)[0])
        return envelope_gradient(problem, state.model, experiment.letters["rho"]).square_ends[1]

    return metric


def runs(source: RunSource = DONE_NOW) -> Runs:
    """Runs whose squared gradients of the envelope are kept."""
    return Runs("drawn_squared_envelope_gradient", squared_envelope_gradients, squared_at_most, source)


def rows(id: str, found: Runs, budget: SamplingBudget) -> Iterator[BoundComparison]:
    """What a form of the theorem is compared with."""
    said = HIDDEN if id == PRINTED else "Local solves and constants are exact."
    yield enumerated(id, admitted(id, (*short(), *long())), found, said, budget)
    most = max(map(lost, on_data()))
    said = f"Exact local solves would add {most:.2g} at most, which is added."
    yield sampled(id, admitted(id, on_data()), found, SEEDS, said, budget, lost)


def outside(metric: str) -> Iterator[BoundComparison]:
    """What the theorem promises nothing of: rho or eta too large, losses that are not Lipschitz."""
    concave = nonsmooth_lines()[4]
    letters = {"T": 4, "I": 1, "Delta_rho": 1, "rho": 1, "eta": 1}
    yield refused(EXPLICIT, metric, concave, "rho = 1 / (2 nu)", **letters)
    yield refused(GENERAL, metric, nonsmooth_lines()[0], "eta = 2 rho", **letters | {"eta": 2})
    yield refused(EXPLICIT, metric, equal_digits("least_squares"), "the pixels as they are", **letters)


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """The general form, that with the theorem's step size, and the printed one with its proof's constant."""
    found = runs(budget.runs)
    compared = (row for id in (GENERAL, EXPLICIT, PRINTED) for row in rows(id, found, budget))
    return (*compared, *outside(found.name))


CHECK = EmpiricalCheck(
    (GENERAL, EXPLICIT, PRINTED), "mean squared envelope gradient (FedProx, Theorem 2)", find
)
