"""What checks measure of composite's Algorithm 1 is what the rounds typed from the page have."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fedproof.papers.composite.checks._metrics import one_round, runs_of
from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from tests.papers.composite.paths import Rounds
from tests.papers.composite.rounds import server
from tests.papers.fedproxvr.paths import square


class Case(SimpleNamespace):
    """An experiment, itself a key of what was run."""

    __hash__ = object.__hash__


def case(run: Rounds, start: Any, corrections: Any) -> Case:
    """An experiment in floats, from a state of the rounds."""
    matrices, slopes = run.A.reshape(-1, run.d, run.d), run.b.reshape(-1, run.d)
    smooth = Quadratic.of(matrices, slopes, [run.samples] * run.clients).as_float()
    problem = Composite(smooth, L1(run.theta))
    return Case(
        problem=problem, rounded=problem, start=start, applied_corrections=np.array(corrections),
        method=FedComposite(run.eta, run.tau, run.eta_g, 1),
        instance=SimpleNamespace(least=run.f(run.best) + run.g(run.best), solution=run.best[0]),
    )  # fmt: skip


@pytest.mark.parametrize(("clients", "tau", "seed"), [(1, 3, 0), (2, 2, 1), (3, 1, 2)])
def test_a_round_and_two_rounds_are_the_oracles(clients: int, tau: int, seed: int) -> None:
    """The numbers of the lemmas in the second round, and the theorems' metrics after both."""
    run = Rounds(clients=clients, tau=tau, seed=seed, convex=True, theta=0.1)
    state, here = run.history[1], server(run, 1).numbers
    first = np.unique(run.paths[:, 0].reshape(len(run.paths), -1), axis=0, return_index=True)[1]
    states = (case(run, state["x"][p], [c[p] for c in state["c"]]) for p in first)
    rows = [one_round(one, one.method, exact=False) for one in states]
    names = {"G2": "G2", "Lam2": "Lam2", "LamSq": "LamSq", "moved": "moved", "local_drift": "drift",
             "correction_spread": "spread", "objective": "F1"}  # fmt: skip
    P = [now["P"] for now in run.history]
    mapped = [square(x - run.prox(x - run.eta_t * run.grad(x), run.eta_t)) / run.eta_t**2 for x in P[:2]]
    begun = case(run, run.history[0]["x"][0], np.zeros((clients, run.d)))
    metrics = ("mean_squared_prox_gradient", "potential", "objective_gap", "squared_distance")
    found, outcomes = runs_of(*metrics, "distance_potential").every(begun, begun.method, 2)
    gap, far = here["F1"] - here["Fs"], square(P[2] - run.best)

    for ours, oracles in names.items():
        assert np.mean([row[ours] for row in rows]) == pytest.approx(here[oracles], rel=1e-9), ours
    assert outcomes == len(run.paths)
    assert {name: float(value) for name, value in found.items()} == pytest.approx(
        {
            "mean_squared_prox_gradient": np.mean(mapped), "potential": gap + here["spread"] / run.eta_t,
            "objective_gap": gap, "squared_distance": far, "distance_potential": far + here["spread"],
        },
        rel=1e-9,
    )  # fmt: skip
