"""What tests of fedproxvr's checks share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from fedproof.papers.fedproxvr.checks import _experiments, descent, rate, theorem1

_CACHED = (descent._worst, theorem1.sampled_experiment, rate.slow_experiment)


@pytest.fixture(scope="module")
def smaller_families() -> Iterator[None]:
    """Half of the problems for whole rounds; what is nearest to each bound is among them."""
    with pytest.MonkeyPatch.context() as patch:
        for check in (descent, theorem1, rate):
            patch.setattr(check, "cases", partial(_experiments.cases, size=12))
        for found in _CACHED:
            found.cache_clear()
        yield
    for found in _CACHED:
        found.cache_clear()
