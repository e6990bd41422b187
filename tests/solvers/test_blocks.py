"""How a round's clients are cut into blocks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import composite
from fedproof.problems.instances.digits import build as digits
from fedproof.problems.instances.synthetic import build as synthetic
from fedproof.solvers import blocks
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.fedprox import FedProx
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.blocks import block_count, cut_by_work, round_in_blocks
from fedproof.solvers.cohort import Cohort, Participation
from fedproof.solvers.driver import run
from fedproof.solvers.local.shuffled_epochs import ShuffledEpochs
from fedproof.solvers.randomness import RandomSource


@given(st.lists(st.integers(0, 5000), min_size=1, max_size=60), st.integers(1, 20))
def test_cuts_cover_all_clients_and_share_the_work(work: list[int], blocks: int) -> None:
    """No block is empty, there are not too many, and none has more than its share and one client."""
    cuts = cut_by_work(np.array(work), blocks)
    parts = [sum(work[a:b]) for a, b in pairwise(cuts)]

    assert (cuts[0], cuts[-1]) == (0, len(work))
    assert sorted(set(cuts)) == cuts
    assert len(parts) <= blocks
    assert max(parts) <= sum(work) / blocks + max(work) + 1e-6


@given(st.integers(1, 5000), st.integers(1, 10**6), st.integers(1, 16))
def test_blocks_fit_the_cache_and_the_threads(clients: int, dimension: int, threads: int) -> None:
    """Blocks are a multiple of the threads unless clients are few, and of 256 KiB or eight clients."""
    blocks = block_count(clients, dimension, threads)

    assert 1 <= blocks <= clients
    assert blocks % threads == 0 or blocks == clients
    assert -(-clients // blocks) <= max(8, (1 << 15) // dimension)


DIGITS = digits(clients=11)
ROWS = composite.sparse_logistic(11, 13, 50)  # whose batches of 7 are no whole vectors


@pytest.mark.parametrize(("algorithm", "problem", "participation"), [
    (FedAvg(0.05, 3, 4), DIGITS, None),
    (FedProxVR(0.05, 3, 0.1, "sarah", 4), DIGITS, None),
    (FedProx(0.1, local_solver=ShuffledEpochs(0.05, 1, 50)), DIGITS, Participation(5, True, "size", "plain")),
    *((replace(composite.METHOD, batch_size=7, **switch), ROWS.with_kernel(kernel), None)
      for kernel in ("numpy", "numba")
      for switch in ({}, {"communicated": "after_prox"}, {"correction": "none"})),
], ids=lambda v: getattr(getattr(v, "local_solver", v), "name", "")[:20])  # fmt: skip
def test_the_number_of_workers_changes_no_bit(algorithm: Any, problem: Any, participation: Any) -> None:
    """1, 2, 3 and 8 workers give the same bits and counts on clients that differ in size."""
    alone, *others = (
        run(algorithm, problem, rounds=3, seed=5, participation=participation, workers=w)
        for w in (1, 2, 3, 8)
    )

    assert len({*DIGITS.sizes}) > 1
    assert alone.kernel == getattr(problem, "kernel_name", "numpy")
    for other in others:
        assert all((array == alone.state[name]).all() for name, array in other.state.items())
        assert other.to_dict() == alone.to_dict()


LEAST_WORK = blocks.LEAST_WORK  # before it is set for the tests


class Counting(ThreadPoolExecutor):
    """A pool that counts what it is given."""

    given = 0

    def submit(self, *args: Any, **kwargs: Any) -> Any:
        """Counted."""
        self.given += 1
        return super().submit(*args, **kwargs)


@pytest.mark.parametrize(("problem", "algorithm", "wakes"), [
    (composite.sparse_logistic(rows=50), composite.METHOD, False),
    (synthetic(clients=3), FedAvg(0.01, 20, 32), False),
    (synthetic(clients=20), FedAvg(0.01, 20, 32), True),
], ids=["30 x 20", "3 x 610", "20 x 610"])  # fmt: skip
def test_small_rounds_stay_in_one_thread(
    problem: Any, algorithm: Any, wakes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round of too little work for two threads is not given to them; both ways the bits are the same."""
    cohort, state = Cohort.of(problem), algorithm.init(problem, problem.start())
    draws = algorithm.draw(problem, cohort.clients, RandomSource(0, 1))
    models = []
    for least, expected in ((LEAST_WORK, wakes), (1, True)):
        monkeypatch.setattr(blocks, "LEAST_WORK", least)
        with Counting(1) as pool:
            after, _ = round_in_blocks(algorithm, problem, state, cohort, draws, pool, 2)
            assert (pool.given > 0) == expected
        models.append(after.model)
    assert (models[0] == models[1]).all()
    assert models[0].any()
