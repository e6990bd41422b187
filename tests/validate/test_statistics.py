"""The tests a verdict rests on: their false alarms, their power, Holm's correction by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from fedproof.validate.statistics import LEAST_SEEDS, holm, mean_test, refit


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


RARE = (np.random.default_rng(1).random(40) < 0.01).astype(float)


POOR = [np.zeros(LEAST_SEEDS - 1), np.array([]), RARE, *(np.full(40, v) for v in (np.nan, np.inf, 2.0))]
NOTHING = [*product(POOR, (1.0, 2.0, 3.0, 100.0))]
NOTHING += [(draws("normal", 1, 40)[0], bound) for bound in (np.nan, np.inf, -np.inf)]


@pytest.mark.parametrize(("values", "bound"), NOTHING)
def test_too_little_or_broken_data_concludes_nothing(values: np.ndarray, bound: float) -> None:
    """Below 30 values, one or a bound not finite, or forty equal ones, of a rare event too: both are 1."""
    with np.errstate(invalid="ignore"):
        found = mean_test(values, bound)

    assert not RARE.any()
    assert (found.p_above, found.p_below) == (1.0, 1.0)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("grain", [0.0, 1e-17, 1e-16])
def test_rounding_is_no_violation(sign: int, grain: float) -> None:
    """0.1 + 0.2 exceeds 0.3 by 5.6e-17 in floats: all forty times, or give or take the last bit."""
    values = 0.1 + 0.2 + grain * np.random.default_rng(1).standard_normal(40)
    found = mean_test(sign * values, sign * 0.3)

    assert (values > 0.3).sum() > 20
    assert min(found.p_above, found.p_below) > 0.3


def test_rounding_beside_a_large_bound_is_no_violation() -> None:
    """A spread beyond rounding does not turn a gap within rounding into evidence."""
    values = 1e9 * (1 + 2e-12 * np.random.default_rng(2).standard_normal(10_000))
    found = mean_test(values, float(values.mean()) * (1 - 9e-13))

    assert found.p_above > 1e-3
    assert mean_test(values, float(values.mean()) * (1 - 9e-12)).p_above < 1e-9


def test_a_small_spread_far_from_the_bound_is_seen() -> None:
    """Rounding is measured on the values' own scale: a spread of 1e-15 around 1e-14 is one."""
    values = 1e-14 + 1e-15 * np.random.default_rng(3).standard_normal(40)

    assert mean_test(values, 1.0).p_below < 1e-9


def test_holm_by_hand() -> None:
    """Sorted 0.001, 0.008, 0.039, 0.041, 0.042 times 5, 4, 3, 2, 1, made increasing, in the order given."""
    found = holm([0.039, 0.001, 0.042, 0.008, 0.041])

    assert found == pytest.approx((0.117, 0.005, 0.117, 0.032, 0.117))
    assert (holm([]), holm([0.3])) == ((), (0.3,))


def test_holm_keeps_the_family_wise_error() -> None:
    """With twenty true hypotheses a family-wise 5% is kept; without correction it is not."""
    p = np.random.default_rng(5).uniform(size=(4000, 20))
    corrected = np.mean([min(holm(list(row))) <= 0.05 for row in p])

    assert corrected < 0.06
    assert np.mean(p.min(axis=1) <= 0.05) > 0.5


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


def test_a_refitted_statistic_without_spread_decides_nothing() -> None:
    """Forty equal runs give an interval of no length, which is compared with no bound."""
    fit = refit(np.ones((40, 3)), lambda row: float(row.sum()), np.random.default_rng(1), resamples=50)

    assert fit.error < 1e-12
    assert all((t.p_above, t.p_below) == (1.0, 1.0) for t in (fit.test(2.0, 40), fit.test(4.0, 40)))
