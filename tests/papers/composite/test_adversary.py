"""The problems that come nearest to composite's bounds are kept, and nothing a little better is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fedproof.papers.composite.checks import adversary
from fedproof.papers.composite.checks._metrics import runs_of
from fedproof.papers.composite.checks._worst_instances import WORST
from fedproof.validate.empirical.regimes import full
from fedproof.validate.empirical.theory import metric
from fedproof.validate.verdict import SamplingBudget
from tests.papers.verdicts import PLAIN, words


@pytest.mark.parametrize("worst", WORST, ids=lambda w: w.id)
def test_each_is_kept_and_a_bound_a_little_lower_is_violated(worst: adversary.WorstInstance) -> None:
    """Every theorem survives the worst that was found for it; what the instance reaches is no slack."""
    finding = adversary.looked_at(worst, PLAIN)
    assert finding.measured
    assert finding.bound
    tighten = int(np.ceil(1.2 * finding.bound / finding.measured)) + 1

    assert words(finding) == ["consistent"]
    assert words(adversary.looked_at(worst, SamplingBudget(tighten=tighten))) == ["violated"]


def test_without_correction_the_worst_breaks_the_gap() -> None:
    """Algorithm 1 without its correction fails Theorem 3.6 on a longest instance of it."""
    worst = next(w for w in WORST if w.id == "composite.theorem3.6.repaired" and w.rounds == 20)
    bare = SamplingBudget(change=lambda m: replace(m, correction="none"))
    rows = [full(worst.id, [worst.experiment], 600, runs_of(metric(worst.id)), b) for b in (bare, PLAIN)]

    assert [words(row) for row in rows] == [["violated"], ["consistent"]]
