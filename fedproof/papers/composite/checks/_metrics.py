"""What the theorems of composite speak of, at the states of many copies at once, in floats or fractions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.solvers.cohort import Cohort
from fedproof.validate.empirical.copies import Path, every_outcome
from fedproof.validate.empirical.runs import Measure, Runs, run_from


def _client_gradients(problem: Any, models: Array) -> Array:
    """grad f_i at models (..., d): shape (..., n, d)."""
    clients = np.arange(problem.n_clients)
    wide = np.repeat(models[..., None, :], problem.n_clients, axis=-2)
    found: Array = problem.client_gradients(wide, clients)
    return found


def _mean(problem: Any, values: Array) -> Array:
    """The average over clients of values (..., n, d)."""
    mean: Array = np.add.reduce(Cohort.of(problem).weights[:, None] * values, axis=-2)
    return mean


def squared_mapping(problem: Any, models: Array, stepsize: Any) -> Array:
    """|G|^2 of (11) with this step at models (..., d), shape (...)."""
    step = problem.number(stepsize)
    gradient = _mean(problem, _client_gradients(problem, models))
    mapping = (models - problem.penalty.prox(models - step * gradient, step)) / step
    squares: Array = np.add.reduce(mapping * mapping, axis=-1)
    return squares


def losses(problem: Any, models: Array) -> Array:
    """F at models (..., d), shape (...)."""
    clients = np.arange(problem.n_clients)
    wide = np.repeat(models[..., None, :], problem.n_clients, axis=-2)
    found: Array = np.add.reduce(Cohort.of(problem).weights * problem.client_losses(wide, clients), axis=-1)
    return found


def gaps(problem: Any, models: Array, least: Any) -> Array:
    """F - F* at models (..., d)."""
    found: Array = losses(problem, models) - problem.number(least)
    return found


def mean_spread(problem: Any, method: Any, models: Array, corrections: Array) -> Array:
    """(1/n) |Lambda - mean|^2 with Lambda_i = eta tau (grad f_i(P) + c_i); (10) and line 18, shape (...).

    With c^1 = 0 that is Omega^1 as the compact form (2) gives it, though round 0 does not exist.

    Arguments:
        models: shape (..., d).
        corrections: shape (..., n, d).
    """
    reach = problem.number(method.stepsize) * problem.number(method.local_steps)
    whole = reach * (_client_gradients(problem, models) + corrections)
    apart = whole - _mean(problem, whole)[..., None, :]
    squares: Array = np.add.reduce(
        Cohort.of(problem).weights * np.add.reduce(apart * apart, axis=-1), axis=-1
    )
    return squares


def potentials(problem: Any, method: Any, models: Array, corrections: Array, least: Any) -> Array:
    """Omega of (10)."""
    spread = mean_spread(problem, method, models, corrections)
    found: Array = gaps(problem, models, least) + spread / problem.number(method.effective_stepsize)
    return found


def omegas(
    problem: Any, method: Any, first: Array, corrections: Array, smoothness: Any, least: Any, solution: Array
) -> dict[str, Any]:
    """The potentials of the theorems at the first model (..., d), and the spread, by their letters."""
    spread, step = mean_spread(problem, method, first, corrections), problem.number(method.effective_stepsize)
    gap, apart = gaps(problem, first, least), first - solution
    return {
        "Lam2": spread,
        "LamSq": spread * problem.number(problem.n_clients),
        "Omega1": gap + spread / step,
        "Omega1_hat": gap + smoothness**2 * step * spread,
        "Omega1_sc": np.add.reduce(apart * apart, axis=-1) + spread,
    }


def _mean_mapping(experiment: Any, problem: Any, path: Path, after: Array) -> Array:
    squares = squared_mapping(problem, path.models[: after.max()], experiment.method.effective_stepsize)
    means: Array = np.add.accumulate(squares, axis=0)[after - 1] / (after[:, None] * problem.number(1))
    return means


def _potential(experiment: Any, problem: Any, path: Path, after: Array) -> Array:
    states = path.models[after], path.corrections[after]
    return potentials(problem, experiment.method, *states, experiment.instance.least)


def _gap(experiment: Any, problem: Any, path: Path, after: Array) -> Array:
    return gaps(problem, path.models[after], experiment.instance.least)


def _squared_distance(experiment: Any, problem: Any, path: Path, after: Array) -> Array:
    apart = path.models[after] - (experiment.instance.solution * problem.number(1))
    found: Array = np.add.reduce(apart * apart, axis=-1)
    return found


def _spread(experiment: Any, problem: Any, path: Path, after: Array) -> Array:
    return mean_spread(problem, experiment.method, path.models[after], path.corrections[after])


def _distance(experiment: Any, problem: Any, path: Path, after: Array) -> Array:
    where = experiment, problem, path, after
    return _squared_distance(*where) + _spread(*where)


MEASURES: Mapping[str, Measure] = {
    "mean_squared_prox_gradient": _mean_mapping,
    "potential": _potential,
    "objective_gap": _gap,
    "distance_potential": _distance,
    "squared_distance": _squared_distance,
    "correction_spread": _spread,
}


def runs_of(*metrics: str) -> Runs:
    """Runs of which these metrics are kept."""
    return Runs({name: MEASURES[name] for name in metrics})


def one_round(
    case: Any,
    method: Any,
    exact: bool = True,
    draws: Any = None,
    shares: Array | None = None,
) -> Mapping[str, Any]:
    """Expectations over every outcome of a round, by the letters of the lemmas and by metric.

    Arguments:
        case: its start and corrections are the state; the letters take its own method's step sizes.
        method: what runs.
        exact: in fractions, or in floats.
        draws, shares: outcomes that stand for all and how likely each is, shape (S,); all by default.

    Returns: G2, LamSq, Lam2, moved; local_drift, correction_spread; and objective, E F(P) after the round.
    """
    problem = case.problem if exact else case.rounded
    if shares is None:
        draws, count = every_outcome(problem, method, 1)
        shares = np.full(count, problem.number(1) / count)
    path = run_from([case], method, 1, draws, len(shares), exact, watched=True)
    found = of_a_round(problem, case.method, path)
    averaged = ("moved", "local_drift", "correction_spread", "objective")
    return {name: shares @ value if name in averaged else value[0] for name, value in found.items()}


def of_a_round(problem: Any, method: Any, path: Path) -> dict[str, Array]:
    """What the lemmas speak of in the first round of a path that was watched, in every copy, shape (S,)."""
    before, after = ((problem, method, path.models[r], path.corrections[r]) for r in (0, 1))
    moves, spread = path.models[1] - path.models[0], mean_spread(*before)
    return {
        "G2": squared_mapping(problem, path.models[0], method.effective_stepsize),
        "Lam2": spread,
        "LamSq": spread * problem.number(problem.n_clients),
        "moved": np.add.reduce(moves * moves, axis=1),
        "local_drift": path.drift[0],
        "correction_spread": mean_spread(*after),
        "objective": losses(problem, path.models[1]),
    }


def exchangeable(n: int) -> tuple[Any, Array]:
    """Outcomes of one step of n clients alike, each with two samples: how many drew the second, and shares.

    >>> draws, shares = exchangeable(2)
    >>> draws(0)[:, 0, :, 0].T.tolist(), [str(s) for s in shares]
    ([[0, 0], [1, 0], [1, 1]], ['1/4', '1/2', '1/4'])
    """
    samples = np.arange(n)[:, None] < np.arange(n + 1)
    ways = np.array([Fraction(1, 2**n)] * (n + 1), dtype=object)
    for k in range(1, n + 1):
        ways[k] = ways[k - 1] * (n - k + 1) / k
    return (lambda number: samples[:, None, :, None].astype(np.int64)), ways
