"""How many runs decide: copies add nothing, and a violation is seen twice."""

from __future__ import annotations

import numpy as np

from fedproof.validate.logs.decide import decided
from fedproof.validate.statistics import LEVEL, mean_test
from fedproof.validate.verdict import BoundComparison


def decide(values: list[float], again: bool = False) -> BoundComparison:
    """Runs of one value each beside the bound 1."""
    row = BoundComparison("id", "loss", "<=", None, None, "", "")
    return decided(row, np.array(values)[:, None], 1.0, "runs", False, again)


def test_copies_add_no_certainty() -> None:
    """Thirty runs that do not decide, each logged ten times, do not either; what decides still does."""
    spread = [0.4 + 0.9 * n / 29 for n in range(30)]
    above = [0.65 + 0.9 * (n % 30) / 29 + 1e-6 * n for n in range(60)]
    sure = [0.1 + 0.01 * n for n in range(31)]

    assert mean_test(10 * spread, 1.0).p_below < LEVEL < decide(10 * spread).p_obeyed
    assert decide(10 * spread).seeds == 30
    assert mean_test(10 * above, 1.0).p_above < LEVEL < decide(10 * above).p_violated
    assert decide(sure).p_obeyed == decide([*sure, *sure]).p_obeyed < LEVEL


def test_a_violation_is_seen_in_both_halves() -> None:
    """What the second half alone shows is no violation, and what only the first shows is not repeated."""
    low, high = ([at + 0.01 * n for n in range(30)] for at in (0.1, 2))

    assert decide([*low, *high]).p_violated > LEVEL > decide([*low, *high], again=True).p_violated
    assert decide([*high, *low]).p_violated < LEVEL < decide([*high, *low], again=True).p_violated
    assert decide([*high, *(v + 0.5 for v in high)], again=True).p_violated < LEVEL
