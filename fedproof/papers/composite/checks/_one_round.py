"""One round from any state: what Lemmas A.1 and A.2 and the proofs' round inequalities speak of, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from fedproof.papers.composite.checks._family import RunExperiment
from fedproof.papers.composite.checks._metrics import losses, mean_spread, squared_mapping
from fedproof.problems.problem import Array
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.empirical.copies import Path, every_outcome
from fedproof.validate.empirical.runs import run_from


def one_round(
    case: RunExperiment,
    method: FedComposite,
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
