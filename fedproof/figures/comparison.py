"""Whether one of two methods is better, run for run on the same seeds, and what the seeds could have shown.

The test is Student's, of paired differences; of positive quantities it takes their logarithms. All
comparisons of a figure are decided together by Holm's procedure. One that is not decided is `not told apart`
if a difference that matters would have been seen, and `too short to tell` if even that would not: what is
larger than matters is then never called not told apart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fedproof.figures.caption import NOT_SEEN, NOT_TOLD_APART, SEEN, TOO_SHORT
from fedproof.figures.number_format import number
from fedproof.figures.power import LEVEL, critical, least_effect, seeds_needed
from fedproof.validate.statistics import holm
from fedproof.vocabulary.plurals import count

RESOLUTION = 1e-12
"""Differences smaller than this part of the values are rounding."""
_SMALLEST = 1e-300
_LARGE = 1000
_SMALL = 0.4
"""Logarithms of ratios below this are said in per cent."""
TOGETHER = f"All verdicts hold together at {number(100 * LEVEL)} % (paired t-tests, Holm)."


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean difference over seeds, its confidence interval and its p-value.

    Two seeds are the least that decide anything, and differences without spread decide nothing.

    Arguments:
        mean, low, high: the difference and the ends of Student's interval at `LEVEL`; infinite if undecided.
        p: two-sided p-value of no difference, by Student's t; 1 if undecided.
        seeds: how many pairs.
        spread: standard deviation of the differences.
        ratio: whether these are differences of natural logarithms.
    """

    mean: float
    low: float
    high: float
    p: float
    seeds: int
    spread: float = 0.0
    ratio: bool = False

    @property
    def direction(self) -> int:
        """The sign of the mean."""
        return (self.mean > 0) - (self.mean < 0)

    def text(self, digits: int = 2) -> str:
        """The difference, or the ratio, with its interval.

        >>> Difference(-1.0, -1.5, -0.5, 1e-4, 5).text()
        '−1 (−1.5 to −0.5)'
        >>> Difference(0.0, -math.log(2), math.log(2), 1.0, 5, ratio=True).text()
        '1 (0.5 to 2) times'
        >>> Difference(0.01, -0.02, 0.04, 1.0, 5, ratio=True).text()
        '1 % (−2 to 4.1)'
        """
        ends = (self.mean, self.low, self.high)
        if not self.ratio:
            mean, low, high = (number(v, digits) for v in ends)
            return f"{mean} ({low} to {high})"
        if max(map(abs, ends)) < _SMALL:
            mean, low, high = (number(100 * math.expm1(v), digits) for v in ends)
            return f"{mean} % ({low} to {high})"
        mean, low, high = (number(_exp(v), digits) for v in ends)
        return f"{mean} ({low} to {high}) times"

    def size(self, value: float) -> str:
        """A difference of this kind, in words.

        >>> Difference(0.0, 0.0, 0.0, 1.0, 5, ratio=True).size(math.log(1.05))
        'a difference of 5 %'
        """
        if self.ratio and value > math.log(_LARGE):
            return f"a factor of more than {_LARGE}"
        if self.ratio and value < _SMALL:
            return f"a difference of {number(100 * math.expm1(value), 2)} %"
        return f"a factor of {number(_exp(value))}" if self.ratio else f"a difference of {number(value, 2)}"


def _exp(value: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.exp(value))


def difference(first: Any, second: Any) -> Difference:
    """First minus second, paired by position.

    Arguments:
        first, second: one value a seed, shape (n,); no pairs leave no difference.

    >>> found = difference([1.0, 2.0, 3.0], [2.0, 3.1, 3.9])
    >>> found.direction, found.p < 0.01
    (-1, True)
    """
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    gap = a - b
    return _tested(np.where(np.abs(gap) <= RESOLUTION * np.maximum(np.abs(a), np.abs(b)), 0.0, gap), False)


def ratio(first: Any, second: Any) -> Difference:
    """First over second, paired by position: the difference of the logarithms of positive values.

    Arguments:
        first, second: as of `difference`; a value below 1e-300 counts as that.

    >>> ratio([1.0, 2.0, 3.1], [10.0, 20.0, 30.0]).text()
    '0.1 (0.091 to 0.11) times'
    """
    a, b = (np.log(np.maximum(np.asarray(values, dtype=float), _SMALLEST)) for values in (first, second))
    return _tested(np.where(np.abs(a - b) <= RESOLUTION, 0.0, a - b), True)


def _tested(gap: Any, logarithms: bool) -> Difference:
    n, mean = len(gap), float(gap.mean()) if len(gap) else 0.0
    mean = 0.0 if n and abs(mean) <= RESOLUTION * float(np.abs(gap).max()) else mean
    spread = float(gap.std(ddof=1)) if n > 1 else 0.0
    error = spread / math.sqrt(n) if n else 0.0
    if error <= RESOLUTION * abs(mean):
        reach = 0.0 if n > 1 and mean == 0 else math.inf
        return Difference(mean, mean - reach, mean + reach, 1.0, n, spread, logarithms)
    from scipy.special import stdtr

    reach = critical(n) * error
    p = 2 * float(stdtr(n - 1, -abs(mean) / error))
    return Difference(mean, mean - reach, mean + reach, p, n, spread, logarithms)


def decided(differences: Sequence[Difference]) -> list[int]:
    """The sign of every difference that can be told from 0, 0 for the others, by Holm's procedure.

    The chance that any of the signs is false is at most 1 - `LEVEL`, however many there are.

    >>> sure, weak = Difference(-1.0, -2.0, 0.0, 1e-4, 5), Difference(1.0, -1.0, 3.0, 0.009, 5)
    >>> decided([sure, weak]), decided([sure, weak, weak])
    ([-1, 1], [-1, 0, 0])
    """
    adjusted = holm([one.p for one in differences])
    return [one.direction if p <= 1 - LEVEL else 0 for one, p in zip(differences, adjusted, strict=True)]


@dataclass(frozen=True, slots=True)
class Judged:
    """A difference among those that are decided together.

    Arguments:
        difference: which.
        sign: of what is decided; 0 if undecided.
        least: the smallest difference that the seeds would have shown, with a chance of `POWER`.
        matters: the smallest difference that one wants to know of.
        together: how many are decided together.
    """

    difference: Difference
    sign: int
    least: float
    matters: float
    together: int

    @property
    def too_short(self) -> bool:
        """Whether a difference that matters could have stayed unseen."""
        return self.sign == 0 and self.least > self.matters

    @property
    def could_see(self) -> str:
        """The difference that could have been seen, and how many seeds show one that matters.

        >>> one = Difference(0.1, -1.0, 1.2, 0.5, 4, 1.0)
        >>> judge([one], matters=1.0)[0].could_see
        'with 4 seeds a difference of 4.3 could have been seen; a difference of 1 needs 19 seeds'
        """
        if self.difference.seeds < 2 or not math.isfinite(self.least):
            return f"{count(self.difference.seeds, 'seed')} cannot show any difference"
        seeds, one = count(self.difference.seeds, "seed"), self.difference
        said = f"with {seeds} {one.size(self.least)} could have been seen"
        if not self.too_short:
            return said
        needed = seeds_needed(self.matters / one.spread, self.together)
        return f"{said}; {one.size(self.matters)} needs {count(needed, 'seed')}"


def judge(differences: Sequence[Difference], *, matters: float) -> list[Judged]:
    """Decide differences together, and say what could have been seen of each.

    Arguments:
        differences: all differences of a figure that are decided together.
        matters: the smallest difference that one wants to know of; of logarithms, where these are ratios.

    >>> sure, wide = Difference(-1.0, -2.0, 0.0, 1e-4, 9, 0.5), Difference(0.0, -9.0, 9.0, 1.0, 9, 9.0)
    >>> one, two = judge([sure, wide], matters=1)
    >>> one.sign, two.sign, two.too_short
    (-1, 0, True)
    """
    return judge_groups({"": differences}, matters=float(matters))[""]


def judge_groups(
    groups: Mapping[str, Sequence[Difference]], *, matters: Mapping[str, float] | float
) -> dict[str, list[Judged]]:
    """Decide the differences of several claims together.

    Arguments:
        groups: the differences of each claim.
        matters: for all or by group, as of `judge`.
    """
    every = [(name, one) for name, group in groups.items() for one in group]
    signs = decided([one for _, one in every])
    found: dict[str, list[Judged]] = {name: [] for name in groups}
    for (name, one), sign in zip(every, signs, strict=True):
        least = matters if isinstance(matters, float) else matters[name]
        found[name].append(Judged(one, sign, _least(one, len(every)), least, len(every)))
    return found


def _least(one: Difference, together: int) -> float:
    if one.spread == 0:
        return 0.0 if one.mean == 0 and one.seeds > 1 else math.inf
    return least_effect(one.seeds, together) * one.spread


def word(judged: Sequence[Judged], claimed: int) -> str:
    """The word for a claim that every one of these differences has this sign.

    One decided the other way contradicts it; one undecided leaves it open.
    """
    if any(one.sign == -claimed for one in judged):
        return NOT_SEEN
    if judged and all(one.sign == claimed for one in judged):
        return SEEN
    return TOO_SHORT if not judged or any(one.too_short for one in judged) else NOT_TOLD_APART


def counted(judged: Sequence[Judged], lower: str = "lower", higher: str = "higher") -> str:
    """How many are negative, positive and undecided, and what could have been seen of the last.

    >>> still = Difference(0.0, -1.0, 1.0, 1.0, 9, 0.5)
    >>> sure = Difference(-9.0, -9.1, -8.9, 1e-9, 9, 0.1)
    >>> print(counted(judge([still, sure], matters=1)))  # doctest: +NORMALIZE_WHITESPACE
    lower in 1, higher in 0, not told apart in 1 of 2 comparisons (with 9 seeds a difference of 0.91 could
    have been seen)
    """
    signs = [one.sign for one in judged]
    short = [one for one in judged if one.too_short]
    level = [one for one in judged if one.sign == 0 and not one.too_short]
    said = [f"{lower} in {signs.count(-1)}", f"{higher} in {signs.count(1)}"]
    said += [f"not told apart in {len(level)}"] if level else []
    said += [f"too few seeds to tell in {len(short)}"] if short else []
    worst = max(short or level, key=lambda one: one.least, default=None)
    tail = f" ({worst.could_see})" if worst else ""
    return f"{', '.join(said)} of {count(len(judged), 'comparison')}{tail}"


def summary(judged: Sequence[Judged]) -> str:
    """The least and the greatest difference, and how many are told from 0."""
    return f"{span([one.difference for one in judged])}; {counted(judged)}"


def span(differences: Sequence[Difference]) -> str:
    """The least and the greatest of some differences, each with its interval."""
    low, high = min(differences, key=lambda d: d.mean), max(differences, key=lambda d: d.mean)
    return low.text() if low.text() == high.text() else f"from {low.text()} to {high.text()}"
