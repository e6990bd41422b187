"""A round is far faster than a plain loop over clients, and does what it does."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from benchmarks import composite
from benchmarks.plain_loop import PlainComposite, PlainLoop
from benchmarks.rounds import ALGORITHMS, draw, ours, plain
from fedproof.problems.instances.synthetic import build as synthetic
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.driver import run

PROBLEM = synthetic(clients=40)


def processor_seconds(call: Callable[[], Any]) -> float:
    """Of this process: other work on the machine counts little."""
    began = time.process_time()
    call()
    return time.process_time() - began


@pytest.mark.parametrize("kernel", ["numpy", "numba"])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_rounds_are_those_of_the_plain_loop_in_less_time(name: str, kernel: str) -> None:
    """Three rounds end in the loop's model to 1e-12, in less of its processor time, on one thread.

    The limit is generous, so that it holds on any machine: docs/speed.md says what was measured.
    """
    algorithm, step = ALGORITHMS[name]
    problem, loop = PROBLEM.with_kernel(kernel), PlainLoop(PROBLEM)
    drawn = draw(algorithm, problem, 3)
    calls = [lambda: ours(algorithm, problem, drawn, None), lambda: plain(step, loop, problem, drawn)]
    with threadpool_limits(1, "blas"), np.errstate(all="ignore"):
        mine, its = (call() for call in calls)
        assert np.abs(mine - its).max() <= 1e-12 * np.abs(its).max()
        assert problem.loss(mine) == pytest.approx(problem.loss(its), rel=1e-12)
        times = [[processor_seconds(call) for call in calls] for _ in range(3)]

    quick, slow = np.min(times, axis=0)
    assert quick <= 0.8 * slow


@pytest.mark.parametrize("kernel", ["numpy", "numba"])
def test_composite_rounds_are_those_of_the_plain_loop_in_less_time(kernel: str) -> None:
    """Ten rounds of composite's Algorithm 1 end in the loop's models to 1e-12, in half its processor time."""
    problem = composite.sparse_logistic(rows=100).with_kernel(kernel)
    loop, cohort, method = (
        PlainComposite(problem.smooth, composite.WEIGHT),
        Cohort.of(problem),
        composite.METHOD,
    )
    drawn = draw(method, problem, 10)

    def mine() -> Any:
        state = method.init(problem, problem.start())
        for draws in drawn:
            state = composite.ours(problem, cohort, None, 1, state, draws)
        return state.model, state.before_prox, state.corrections

    def its() -> Any:
        state = loop.start()
        for draws in drawn:
            state = loop.round(method, state, draws)
        return state

    with threadpool_limits(1, "blas"), np.errstate(all="ignore"):
        for one, other in zip(mine(), its(), strict=True):
            assert other.any()
            assert np.abs(one - other).max() <= 1e-12 * np.abs(other).max()
        times = [[processor_seconds(call) for call in (mine, its)] for _ in range(3)]

    quick, slow = np.min(times, axis=0)
    assert quick <= 0.5 * slow


@pytest.mark.parametrize("kernel", ["numpy", "numba"])
@pytest.mark.parametrize("switch", [{}, {"communicated": "after_prox"}, {"correction": "none"}])
def test_threads_change_no_bit_of_composite_rounds(kernel: str, switch: dict[str, str]) -> None:
    """Three threads, for clients whose batches are not whole vectors, give the bits of one."""
    problem = composite.sparse_logistic(11, 13, 50)
    method = replace(composite.METHOD, batch_size=7, **switch)
    one, three = (run(method, problem, 4, workers=workers, kernel=kernel) for workers in (1, 3))

    assert one.kernel == kernel
    for name, array in one.state.items():
        assert (array == three.state[name]).all()
    assert one.metrics == three.metrics
