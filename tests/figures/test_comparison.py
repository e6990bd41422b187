"""Paired comparisons: intervals, verdicts that hold together, and what the seeds could have shown."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from fedproof.figures.caption import NOT_SEEN, NOT_TOLD_APART, SEEN, TOO_SHORT, Claim
from fedproof.figures.comparison import Difference, decided, difference, judge, judge_groups, ratio, word
from fedproof.figures.power import LEVEL, POWER, least_effect, seeds_for_all, seeds_needed
from fedproof.figures.runs import still_moving
from fedproof.vocabulary.errors import InternalError
from tests.refusals import refused


def test_an_interval_by_another_route() -> None:
    """The paired interval is SciPy's t-interval of the differences, that of a ratio is of the logarithms."""
    rng = np.random.default_rng(1)
    first, second = rng.standard_normal(7), rng.standard_normal(7)
    for found in (difference(first, second), ratio(np.exp(first), np.exp(second))):
        gap = first - second
        low, high = stats.t.interval(0.99, 6, loc=gap.mean(), scale=stats.sem(gap))
        assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)
        assert found.p == pytest.approx(stats.ttest_rel(first, second).pvalue, rel=1e-9)
        assert found.spread == pytest.approx(gap.std(ddof=1), rel=1e-9)


def test_many_comparisons_are_decided_together() -> None:
    """Among 40 comparisons of noise hardly any false verdict is given, over 250 tries, and a true one is."""
    rng = np.random.default_rng(2)
    true = Difference(-1.0, -1.1, -0.9, 1e-6, 8)

    wrong = 0
    for _ in range(250):
        noise = [difference(*rng.standard_normal((2, 8))) for _ in range(40)]
        signs = decided([*noise, true])
        wrong += any(signs[:-1])
        assert signs[-1] == -1
    assert wrong <= 8  # 2.5 expected; 40 intervals of 99 % each would give 83


def test_rounding_is_no_difference() -> None:
    """Values that agree to twelve digits are the same; one seed, or no spread, decides nothing."""
    same = difference([1.0, 2.0], [1.0 + 1e-14, 2.0 - 1e-14])
    assert (same.mean, same.p) == (0.0, 1.0)
    assert difference([74.1, 75.0], [74.0, 75.1]).mean == 0.0
    for lone in (difference([1.0], [2.0]), difference([1.0, 2.0], [2.0, 3.0])):
        assert (lone.p, lone.low, lone.high) == (1.0, -math.inf, math.inf)
    assert difference([], []).seeds == 0


@pytest.mark.parametrize(("seeds", "together"), [(4, 1), (8, 5), (12, 30)])
def test_the_power_by_another_route(seeds: int, together: int) -> None:
    """A difference that could be seen is seen with the promised chance, by SciPy's noncentral t."""
    effect = least_effect(seeds, together)
    critical = stats.t.isf((1 - LEVEL) / together / 2, seeds - 1)

    assert stats.nct.sf(critical, seeds - 1, effect * math.sqrt(seeds)) == pytest.approx(POWER, abs=1e-6)
    assert seeds_needed(effect, together) == seeds
    assert seeds_needed(effect - 1e-6, together) == seeds + 1


def test_the_power_is_that_of_simulated_runs() -> None:
    """Of 2000 simulated figures that need so many seeds, about 90 % tell the difference."""
    rng = np.random.default_rng(3)
    seeds = seeds_needed(2.0)
    signs = [decided([difference(rng.standard_normal(seeds) + 2.0, np.zeros(seeds))])[0] for _ in range(2000)]

    assert POWER - 0.03 <= np.mean(signs) <= 1
    assert np.mean(signs) - 0.03 <= stats.nct.sf(stats.t.isf(0.005, seeds - 1), seeds - 1, 2 * seeds**0.5)


def test_seeds_that_bear_out_a_thing_on_all_of_them() -> None:
    """With so many seeds a thing that holds on half of all data is on all of them once in 100."""
    assert 0.5 ** seeds_for_all() <= 1 - LEVEL < 0.5 ** (seeds_for_all() - 1)


def test_a_large_factor_is_never_called_not_told_apart() -> None:
    """Fast-FedDA's floors at b = 20, 385 times worse: four seeds are too few to tell, eight tell."""
    fast = np.array([0.107713, 0.223607, 0.315229, 0.055173])
    ours = np.array([0.000119, 0.000171, 0.000697, 0.001311])
    weak = Difference(0.0, -9.0, 9.0, 0.9, 4, 1.0, ratio=True)
    (four, *_), (eight, *_) = (
        judge([ratio(np.tile(ours, k), np.tile(fast, k)), *[weak] * 4], matters=math.log(2)) for k in (1, 2)
    )

    assert math.exp(-four.difference.mean) == pytest.approx(385, rel=0.01)
    assert (word([four], -1), four.sign) == (TOO_SHORT, 0)
    assert "a factor of 2 needs" in four.could_see
    assert word([eight], -1) == SEEN


@pytest.mark.parametrize("seed", range(50))
def test_what_is_larger_than_matters_is_told_or_too_short(seed: int) -> None:
    """A difference beyond what matters is decided wherever the seeds suffice for what matters."""
    rng = np.random.default_rng(seed)
    scale = rng.uniform(0.1, 3)
    every = [difference(scale * rng.standard_normal(6) + rng.uniform(-3, 3), np.zeros(6)) for _ in range(4)]
    for one in judge(every, matters=1.0):
        assert not (word([one], 1) == NOT_TOLD_APART and abs(one.difference.mean) > 1.0)


def test_the_words() -> None:
    """All as claimed is seen, one against is not, one undecided leaves it open, and none is too short."""
    up, down = Difference(1.0, 0.9, 1.1, 1e-9, 9, 0.1), Difference(-1.0, -1.1, -0.9, 1e-9, 9, 0.1)
    level = Difference(0.0, -0.1, 0.1, 1.0, 9, 0.1)
    groups = {"up": [up, up], "down": [up, down], "level": [up, level], "none": []}
    found = judge_groups(groups, matters=1.0)

    words = {name: word(judged, 1) for name, judged in found.items()}
    assert words == {"up": SEEN, "down": NOT_SEEN, "level": NOT_TOLD_APART, "none": TOO_SHORT}
    assert {one.together for judged in found.values() for one in judged} == {6}
    refused(InternalError, "'maybe' is none of seen", Claim, "x.", "y.", "maybe")


def test_a_curve_that_moves() -> None:
    """A straight fall and a chaotic start move; a floor and a noisy floor do not."""
    rng = np.random.default_rng(0)
    floor = np.maximum(0.5 ** np.arange(60.0), 1e-6)

    assert still_moving(0.999 ** np.arange(20))
    assert still_moving(np.exp(np.tile([0.0, 3.0, 1.0], 7)))
    assert not still_moving(floor)
    assert not still_moving(floor * np.exp(0.5 * rng.standard_normal(60)), noisy=True)
    assert not still_moving(np.ones(20))
    assert not still_moving([1.0])
