"""What the theorems of composite speak of, at the states of many copies at once, in floats or fractions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.solvers.cohort import Cohort
from fedproof.validate.empirical.copies import Path
from fedproof.validate.empirical.runs import Measure, Runs


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
