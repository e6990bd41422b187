"""A round is far faster than a plain loop over clients, and does what it does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from benchmarks import composite
from benchmarks.plain_loop import PlainComposite, PlainLoop
from benchmarks.rounds import ALGORITHMS, draw, ours, plain
from fedproof.problems.instances.synthetic import build as synthetic
from fedproof.solvers.cohort import Cohort

PROBLEM = synthetic(clients=40)
kernels = pytest.mark.parametrize("kernel", ["numpy", "numba"])


def raced(*calls: Callable[[], Any]) -> tuple[list[Any], float]:
    """What two calls give, and the ratio of the least of their processor times: other work counts little."""
    found, times = [], []
    with threadpool_limits(1, "blas"), np.errstate(all="ignore"):
        for call in calls * 3:
            began = time.process_time()
            found.append(call())
            times.append(time.process_time() - began)
    return found[-2:], min(times[::2]) / min(times[1::2])


@kernels
@pytest.mark.parametrize("name", ALGORITHMS)
def test_rounds_are_those_of_the_plain_loop_in_less_time(name: str, kernel: str) -> None:
    """Two rounds end in the loop's model to 1e-12, in less of its processor time, on one thread.

    The limit is generous, so that it holds on any machine: docs/speed.md says what was measured.
    """
    algorithm, step = ALGORITHMS[name]
    problem, loop = PROBLEM.with_kernel(kernel), PlainLoop(PROBLEM)
    drawn = draw(algorithm, problem, 2)
    (mine, its), ratio = raced(
        lambda: ours(algorithm, problem, drawn, None), lambda: plain(step, loop, problem, drawn)
    )

    assert np.abs(mine - its).max() <= 1e-12 * np.abs(its).max()
    assert problem.loss(mine) == pytest.approx(problem.loss(its), rel=1e-12)
    assert ratio <= 0.8


@kernels
def test_composite_rounds_are_those_of_the_plain_loop_in_less_time(kernel: str) -> None:
    """Ten rounds of composite's Algorithm 1 end in the loop's models to 1e-12, in half its processor time."""
    problem, method = composite.sparse_logistic(rows=100).with_kernel(kernel), composite.METHOD
    loop, cohort = PlainComposite(problem.smooth, composite.WEIGHT), Cohort.of(problem)
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

    found, ratio = raced(mine, its)
    for one, other in zip(*found, strict=True):
        assert other.any()
        assert np.abs(one - other).max() <= 1e-12 * np.abs(other).max()
    assert ratio <= 0.5
