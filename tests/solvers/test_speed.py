"""A round is far faster than a plain loop over clients, and does what it does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from benchmarks.plain_loop import PlainLoop
from benchmarks.rounds import ALGORITHMS, draw, ours, plain
from fedproof.problems.instances.synthetic import build as synthetic

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
