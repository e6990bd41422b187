"""The tests a verdict rests on: their false alarms, their power, Holm's correction by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from fedproof.validate.statistics import LEAST_SEEDS, difference_test, holm, mean_test, refit


def draws(kind: str, runs: int, seeds: int) -> np.ndarray:
    """Samples of mean 1, shape (runs, seeds)."""
    rng = np.random.default_rng(7)
    if kind == "normal":
        return 1 + rng.standard_normal((runs, seeds))
    if kind == "exponential":
        return rng.exponential(1.0, (runs, seeds))
    return rng.uniform(0.0, 2.0, (runs, seeds))


@pytest.mark.parametrize("kind", ["normal", "uniform"])
def test_false_alarms_at_the_boundary(kind: str) -> None:
    """With the expectation on the bound, a test at 1% rejects either way in about 1% of 10,000 repeats."""
    tests = [mean_test(row, 1.0) for row in draws(kind, 10_000, 40)]
    above = np.mean([t.p_above <= 0.01 for t in tests])
    below = np.mean([t.p_below <= 0.01 for t in tests])

    assert 0.007 < above < 0.013
    assert 0.007 < below < 0.013


def test_skewed_values_make_a_violation_rarer_not_more_frequent() -> None:
    """Right-skewed norms, as runs give, lower the false alarms of the side that accuses."""
    tests = [mean_test(row, 1.0) for row in draws("exponential", 10_000, 40)]

    assert np.mean([t.p_above <= 0.01 for t in tests]) < 0.01


def test_p_values_are_students() -> None:
    """Both p-values equal those of an independent implementation."""
    sample = draws("normal", 1, 50)[0]
    found = mean_test(sample, 0.9)

    assert found.p_above == pytest.approx(stats.ttest_1samp(sample, 0.9, alternative="greater").pvalue)
    assert found.p_below == pytest.approx(stats.ttest_1samp(sample, 0.9, alternative="less").pvalue)


def test_a_clear_gap_is_seen() -> None:
    """A mean far from the bound rejects on its own side only."""
    low = mean_test(draws("uniform", 1, 40)[0], 3.0)

    assert low.p_below < 1e-10
    assert low.p_above > 0.999


@pytest.mark.parametrize(
    "values", [np.zeros(LEAST_SEEDS - 1), np.array([]), np.full(40, np.nan), np.full(40, np.inf)]
)
def test_too_little_or_broken_data_concludes_nothing(values: np.ndarray) -> None:
    """Fewer than 30 values, or one that is not finite, leave both p-values at 1."""
    with np.errstate(invalid="ignore"):
        found = mean_test(values, 100.0)

    assert (found.p_above, found.p_below) == (1.0, 1.0)


def test_certain_values_are_compared_as_they_are() -> None:
    """Values that do not vary are below, above or on the bound; on it both sides stay open."""
    same = [2.0] * 30

    assert mean_test(same, 3.0).p_below == 0.0
    assert mean_test(same, 1.0).p_above == 0.0
    assert (mean_test(same, 2.0).p_above, mean_test(same, 2.0).p_below) == (1.0, 1.0)


def test_pairs_use_what_they_share() -> None:
    """Differences by seed see a small gap under a large common noise."""
    rng = np.random.default_rng(3)
    noise = rng.standard_normal(40) * 100
    left, right = noise + 0.01 * rng.standard_normal(40), noise + 0.1

    assert difference_test(left, right).p_below < 1e-6
    assert mean_test(left, float(right.mean())).p_below > 0.1


def test_holm_by_hand() -> None:
    """Sorted 0.001, 0.008, 0.039, 0.041, 0.042 times 5, 4, 3, 2, 1, made increasing, in the order given."""
    found = holm([0.039, 0.001, 0.042, 0.008, 0.041])

    assert found == pytest.approx((0.117, 0.005, 0.117, 0.032, 0.117))


def test_holm_keeps_the_family_wise_error() -> None:
    """With twenty true hypotheses a family-wise 5% is kept; without correction it is not."""
    p = np.random.default_rng(5).uniform(size=(4000, 20))
    corrected = np.mean([min(holm(list(row))) <= 0.05 for row in p])

    assert corrected < 0.06
    assert np.mean(p.min(axis=1) <= 0.05) > 0.5


def test_holm_of_nothing_and_of_one() -> None:
    """An empty report has no p-values, one p-value stays as it is."""
    assert holm([]) == ()
    assert holm([0.3]) == (0.3,)


def test_refitted_interval_covers_as_often_as_it_says() -> None:
    """A 90% interval for the mean of 60 exponential values covers it in 84% to 94% of 300 repeats."""
    rng = np.random.default_rng(11)
    covered = 0
    for row in draws("exponential", 300, 60):
        found = refit(row[:, None], lambda mean: float(mean[0]), rng, resamples=400, level=0.9)
        covered += found.low <= 1 <= found.high

    assert 0.84 < covered / 300 < 0.94


def test_refitted_statistic_is_tested_like_a_mean() -> None:
    """For the mean itself the resampled test agrees with Student's to a factor of two."""
    sample = draws("normal", 1, 200)[0]
    resampled = refit(sample[:, None], lambda mean: float(mean[0]), np.random.default_rng(1))
    direct = mean_test(sample, 1.15)

    assert 0.5 < resampled.test(1.15, 200).p_below / direct.p_below < 2
