"""What the theorems of composite speak of, at the states of many copies at once, in floats or fractions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.solvers.cohort import Cohort
from fedproof.validate.empirical.copies import Path, every_outcome
from fedproof.validate.empirical.runs import Measure, Runs, run_from


def _of_clients(method: Any, problem: Any, models: Array) -> Array:
    """A method of the problem, such as its clients' gradients, at models (..., d): shape (..., n, d)."""
    wide = np.repeat(models[..., None, :], problem.n_clients, axis=-2)
    found: Array = method(wide, np.arange(problem.n_clients))
    return found


def _mean(problem: Any, values: Array) -> Array:
    """The average over clients of values (..., n, d)."""
    mean: Array = np.add.reduce(Cohort.of(problem).weights[:, None] * values, axis=-2)
    return mean


def squares(vectors: Array) -> Array:
    """Squared norms along the last axis."""
    found: Array = np.add.reduce(vectors * vectors, axis=-1)
    return found


def squared_mapping(problem: Any, models: Array, stepsize: Any) -> Array:
    """|G|^2 of (11) with this step at models (..., d), shape (...)."""
    step = problem.number(stepsize)
    gradient = _mean(problem, _of_clients(problem.client_gradients, problem, models))
    return squares((models - problem.penalty.prox(models - step * gradient, step)) / step)


def losses(problem: Any, models: Array) -> Array:
    """F at models (..., d), shape (...)."""
    own = _of_clients(problem.client_losses, problem, models)
    found: Array = np.add.reduce(Cohort.of(problem).weights * own, axis=-1)
    return found


def gaps(problem: Any, models: Array, least: Any) -> Array:
    """F - F* at models (..., d)."""
    found: Array = losses(problem, models) - problem.number(least)
    return found


def mean_spread(problem: Any, method: Any, models: Array, corrections: Array) -> Array:
    """(1/n) |Lambda - mean|^2 with Lambda_i = eta tau (grad f_i(P) + c_i); (10) and line 18, shape (...).

    With c^1 = 0 that is Omega^1 as the compact form (2) gives it, though round 0 does not exist.
    """
    reach = problem.number(method.stepsize) * problem.number(method.local_steps)
    whole = reach * (_of_clients(problem.client_gradients, problem, models) + corrections)
    apart = squares(whole - _mean(problem, whole)[..., None, :])
    found: Array = np.add.reduce(Cohort.of(problem).weights * apart, axis=-1)
    return found


def omegas(
    problem: Any, method: Any, first: Array, corrections: Array, smoothness: Any, least: Any, solution: Array
) -> dict[str, Any]:
    """The potentials of the theorems at the first model (..., d), and the spread, by their letters."""
    spread, step = mean_spread(problem, method, first, corrections), problem.number(method.effective_stepsize)
    gap = gaps(problem, first, least)
    return {
        "Lam2": spread,
        "LamSq": spread * problem.number(problem.n_clients),
        "Omega1": gap + spread / step,
        "Omega1_hat": gap + smoothness**2 * step * spread,
        "Omega1_sc": squares(first - solution) + spread,
    }


def _mean_mapping(experiment: Any, problem: Any, path: Path, after: Array) -> Array:
    found = squared_mapping(problem, path.models[: after.max()], experiment.method.effective_stepsize)
    means: Array = np.add.accumulate(found, axis=0)[after - 1] / (after[:, None] * problem.number(1))
    return means


def _gap(experiment: Any, problem: Any, path: Path, after: Array) -> Array:
    return gaps(problem, path.models[after], experiment.instance.least)


def _squared_distance(experiment: Any, problem: Any, path: Path, after: Array) -> Array:
    return squares(path.models[after] - experiment.instance.solution * problem.number(1))


def _spread(experiment: Any, problem: Any, path: Path, after: Array) -> Array:
    return mean_spread(problem, experiment.method, path.models[after], path.corrections[after])


def _potential(experiment: Any, problem: Any, path: Path, after: Array) -> Array:
    step = problem.number(experiment.method.effective_stepsize)
    found: Array = _gap(experiment, problem, path, after) + _spread(experiment, problem, path, after) / step
    return found


MEASURES: Mapping[str, Measure] = {
    "mean_squared_prox_gradient": _mean_mapping,
    "potential": _potential,
    "objective_gap": _gap,
    "distance_potential": lambda *where: _squared_distance(*where) + _spread(*where),
    "squared_distance": _squared_distance,
}


def runs_of(*metrics: str) -> Runs:
    """Runs of which these metrics are kept."""
    return Runs({name: MEASURES[name] for name in metrics})


def one_round(
    case: Any, method: Any, exact: bool = True, draws: Any = None, shares: Array | None = None
) -> Mapping[str, Any]:
    """Expectations over every outcome of a round, by the letters of the lemmas and by metric.

    Arguments:
        case: its start and corrections are the state; the letters take its own method's step sizes.
        method: what runs.
        exact: in fractions, or in floats.
        draws, shares: outcomes that stand for all and how likely each is, shape (S,); all by default.

    Returns: G2, LamSq, Lam2, moved; local_drift, correction_spread; and objective, E F(P) after the round.
    """
    problem, own = case.problem if exact else case.rounded, case.method
    if shares is None:
        draws, count = every_outcome(problem, method, 1)
        shares = np.full(count, problem.number(1) / count)
    path = run_from([case], method, 1, draws, len(shares), exact, watched=True)
    first, last = path.models
    spread, after = (
        mean_spread(problem, own, x, c) for x, c in zip(path.models, path.corrections, strict=True)
    )
    return {
        "G2": squared_mapping(problem, first, own.effective_stepsize)[0],
        "Lam2": spread[0],
        "LamSq": spread[0] * problem.number(problem.n_clients),
        "moved": shares @ squares(last - first),
        "local_drift": shares @ path.drift[0],
        "correction_spread": shares @ after,
        "objective": shares @ losses(problem, last),
    }


def exchangeable(n: int) -> tuple[Any, Array]:
    """Outcomes of one step of n clients alike, each with two samples: how many drew the second, and shares.

    >>> draws, shares = exchangeable(2)
    >>> draws(0)[:, 0, :, 0].T.tolist(), [str(s) for s in shares]
    ([[0, 0], [1, 0], [1, 1]], ['1/4', '1/2', '1/4'])
    """
    samples = (np.arange(n)[:, None] < np.arange(n + 1)).astype(np.int64)
    ways = np.array([Fraction(comb(n, k), 2**n) for k in range(n + 1)], dtype=object)
    return (lambda number: samples[:, None, :, None]), ways
