"""Real data: Lemma 1 applies, Theorem 1 does not, and why."""

from __future__ import annotations

import numpy as np
import pytest

from fedproof.papers.fedproxvr.checks import digits
from fedproof.papers.fedproxvr.checks._hyperparameters import PRINTED, SHARPENED
from fedproof.problems.supervised.margin import dissimilarity_bound, separate
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised
from fedproof.validate.verdict import SamplingBudget
from tests.papers.verdicts import words


@pytest.mark.parametrize(("form", "by"), [(PRINTED, 10), (SHARPENED, 5)])
def test_lemma_1_on_digits(form: str, by: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Consistent at every client with the least theta; violated with a part of it; undecided on few seeds."""
    monkeypatch.setattr(digits, "MOST_STEPS", 30 if form == SHARPENED else digits.MOST_STEPS)

    assert words(digits.local("svrg", SamplingBudget(seeds=40), form)) == ["consistent"]
    assert words(digits.local("svrg", SamplingBudget(seeds=200, tighten=by), form)) == ["violated"]
    assert words(digits.local("svrg", SamplingBudget(seeds=10), form)) == ["inconclusive"]


def test_theorem_1_is_not_applicable_to_a_run_as_in_the_paper() -> None:
    """The row names the conditions that fail, gives no bound, and says what it would be."""
    finding = digits.not_applicable()

    assert words(finding) == ["not applicable"]
    assert finding.bound is None
    assert "fails theta <= 1, Theta > 0" in finding.detail
    assert "a bound of" in finding.detail


def test_the_margin_is_a_margin() -> None:
    """Of two points at distance 2 at most sqrt(2); equal samples with different labels have none."""
    apart, same = (
        Supervised(Softmax(2), np.array(rows), np.array([0, 1]), Partition.of_sizes([1, 1]))
        for rows in ([[1.0], [-1.0]], [[1.0, 1.0], [1.0, 1.0]])
    )
    margin = separate(apart)

    assert margin is not None
    assert 1.41 < margin <= np.sqrt(2)
    # sigma_n <= (sqrt(2) / margin) max((D / D_n - 1) |x|, |x|) = 1 for both clients
    assert dissimilarity_bound(apart, margin) == pytest.approx(1, rel=1e-2)
    assert separate(same) is None
