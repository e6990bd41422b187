"""How sure a verdict from runs is where few of them carry the mean, and that the verdict says so."""

from __future__ import annotations

import numpy as np
import pytest

from fedproof.validate.statistics import LEVEL, mean_test
from fedproof.validate.verdict import BoundComparison, Verdict, assign_verdicts

TRIALS, BOUND, MEAN = 2000, 5.0, 0.99 + 0.01 * 1000


def judged(values: np.ndarray) -> Verdict:
    """The verdict on a mean of runs."""
    row = BoundComparison("none", "loss", "<=", float(values.mean()), BOUND, "runs", "")
    row = row.tested(mean_test(values, BOUND))
    return assign_verdicts((row,), lambda: (row,))[0]


@pytest.mark.parametrize(("seeds", "share"), [(30, 0.733), (100, 0.367), (300, 0.044), (1000, 0.0)])
def test_a_run_in_a_hundred_that_is_a_thousand_times_larger_stays_unseen(seeds: int, share: float) -> None:
    """The shares of trials called consistent though the mean is twice the bound are those of docs/logs.md."""
    assert MEAN > 2 * BOUND
    rng, kept = np.random.default_rng(0), 0
    for _ in range(TRIALS):
        values = rng.uniform(0.5, 1.5, seeds)
        values[rng.random(seeds) < 0.01] *= 1000
        test = mean_test(values, BOUND)
        kept += test.p_below <= LEVEL and test.mean <= BOUND
    assert kept / TRIALS == pytest.approx(share, abs=0.03)


@pytest.mark.parametrize(("seeds", "rare"), [(30, 10), (300, 100)])
def test_a_verdict_from_runs_says_what_it_takes_for_granted(seeds: int, rare: int) -> None:
    """Consistent means consistent if means are near normal, and how rare an unseen run may be is told."""
    found = judged(np.random.default_rng(1).uniform(0.5, 1.5, seeds))
    assert found.verdict == "consistent"
    assert any("near normal" in said and f"1 run in {rare} " in said for said in found.rests_on)


def test_an_exact_expectation_takes_nothing_for_granted() -> None:
    """Where every outcome was counted there is no test, and no word of one."""
    row = BoundComparison("none", "loss", "<=", 1.0, BOUND, "runs", "").decided()
    (found,) = assign_verdicts((row,), lambda: (row,))
    assert (found.verdict, found.rests_on) == ("consistent", ())
