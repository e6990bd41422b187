"""Facts that every algorithm obeys whose local solver is one for losses with kinks."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from fedproof.problems.supervised.concave_penalties import MCP
from fedproof.problems.supervised.models.absolute import Absolute
from fedproof.problems.supervised.models.huber import Huber
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.build_algorithm import make_algorithm
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.driver import run
from fedproof.solvers.parameters import flat_parameters
from fedproof.solvers.randomness import RandomSource
from tests.conformance.test_algorithms import ALL, SMOOTH, one_round

RNG = np.random.default_rng(5)
PROBLEM = Supervised(
    Absolute(), RNG.standard_normal((10, 3)), RNG.standard_normal(10), Partition.of_sizes([3, 1, 2, 4])
)
FLATTENED = replace(PROBLEM, model=Huber(), regulariser=MCP("1/100", 20))
PROBLEMS = {"to_duality_gap": PROBLEM, "to_subgradient": FLATTENED}
COHORT = np.arange(4)
KINKED = [a for a in ALL if a not in SMOOTH]
each = pytest.mark.parametrize("algorithm", KINKED, ids=str)


def test_there_are_some() -> None:
    """The suite ran over what has a solver of this kind."""
    assert {a.name for a in KINKED} >= {"fedprox"}
    assert {a.local_solver.name for a in KINKED} == set(PROBLEMS)


@each
def test_rounds_are_a_function_of_their_draws(algorithm: Any) -> None:
    """The same bits twice; nothing that came in was changed, nor was it written to."""
    problem = PROBLEMS[algorithm.local_solver.name]
    draws = algorithm.draw(problem, COHORT, RandomSource(3, 1))
    state = algorithm.init(problem, problem.start())
    for array in (problem.features, problem.labels, state.model, *draws.values()):
        array.flags.writeable = False
    (one, trace), (other, _) = (one_round(algorithm, problem, draws=draws) for _ in range(2))

    assert (one.model == other.model).all()
    assert (one.model != state.model).any()
    assert trace.local_models.shape == (4, 3)
    assert (trace.gradients > 0).all()


@each
def test_fitted_clients_stay_where_they_are(algorithm: Any) -> None:
    """Where all residuals are 0 nothing moves, exactly."""
    problem = PROBLEMS[algorithm.local_solver.name]
    fitted = replace(problem, labels=np.zeros(10))
    state, trace = one_round(algorithm, fitted)

    assert not state.model.any()
    assert trace.solved.all()


@each
def test_order_of_clients_changes_no_bit(algorithm: Any) -> None:
    """Clients that work in another order, each with its own draws, return the same models."""
    problem = PROBLEMS[algorithm.local_solver.name]
    order = np.array([2, 0, 3, 1])
    state = algorithm.init(problem, problem.start())
    one, other = (
        algorithm.local(problem, state, ids, algorithm.draw(problem, ids, RandomSource(3, 1)))
        for ids in (COHORT, order)
    )

    assert (one.models[order] == other.models).all()
    assert (one.gradients[order] == other.gradients).all()


@each
def test_runs_and_resumes(algorithm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rounds are one round and then two, bit for bit, also where three workers share the clients."""
    problem = PROBLEMS[algorithm.local_solver.name]
    whole = run(algorithm, problem, rounds=3, seed=1)
    monkeypatch.setattr("fedproof.solvers.blocks.LEAST_WORK", 1)
    shared = run(algorithm, problem, rounds=3, seed=1, workers=3)
    resumed = run(algorithm, problem, rounds=3, seed=1, resume=run(algorithm, problem, rounds=1, seed=1))

    for other in (resumed, shared):
        assert all((array == whole.state[name]).all() for name, array in other.state.items())
        assert whole.to_dict() == other.to_dict()


@each
def test_flat_parameters_make_the_same_algorithm(algorithm: Any) -> None:
    """What a history says of the parameters makes an equal algorithm."""
    problem = PROBLEMS[algorithm.local_solver.name]
    flat = flat_parameters(algorithm)
    again = make_algorithm(type(algorithm), problem, json.loads(json.dumps(flat)))

    assert flat_parameters(again) == flat
    assert {f.name for f in fields(algorithm.local_solver)} <= {name.rpartition(".")[2] for name in flat}
    cohort = Cohort.of(problem, COHORT)
    draws = algorithm.draw(problem, cohort.clients, RandomSource(3, 1))
    one, other = (one_round(made, problem, draws=draws)[0].model for made in (algorithm, again))
    assert one.tolist() == other.tolist()
