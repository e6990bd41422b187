"""How a round's clients are cut into blocks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fedproof.solvers.blocks import block_count, cut_by_work


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
