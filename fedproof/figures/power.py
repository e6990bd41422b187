"""How many seeds a comparison needs, and which difference so many seeds can show."""

from __future__ import annotations

import math

LEVEL = 0.99
"""Confidence of an interval, and of all the verdicts that are decided together."""
POWER = 0.9
"""The chance with which a difference that could be seen is seen."""
MOST_SEEDS = 10_000


def critical(seeds: int, comparisons: int = 1) -> float:
    """How many standard errors an interval of Student's reaches to each side at `LEVEL`.

    Arguments:
        seeds: at least two.
        comparisons: how many hold together.

    >>> round(critical(10), 2), round(critical(10, 5), 2)
    (3.25, 4.3)
    """
    from scipy.special import stdtrit

    return float(stdtrit(seeds - 1, 1 - (1 - LEVEL) / (2 * comparisons)))


def least_effect(seeds: int, comparisons: int = 1) -> float:
    """The smallest mean difference, in standard deviations of the differences, that so many seeds show.

    Seen means: told from 0 by the paired t-test at `LEVEL`, divided by the number of comparisons that are
    decided together, with a chance of `POWER`.

    Arguments:
        seeds: pairs; with fewer than two nothing is seen.
        comparisons: how many are decided together.

    >>> round(least_effect(10), 2), round(least_effect(4, 5), 1), least_effect(1)
    (1.51, 7.4, inf)
    """
    if seeds < 2:
        return math.inf
    from scipy.special import nctdtrinc

    return float(nctdtrinc(seeds - 1, 1 - POWER, critical(seeds, comparisons))) / math.sqrt(seeds)


def seeds_needed(effect: float, comparisons: int = 1) -> int:
    """The fewest seeds that show a mean difference of this many standard deviations.

    Arguments:
        effect, comparisons: as of `least_effect`.

    Returns: at most `MOST_SEEDS`, which stands for so many or more.

    >>> seeds_needed(1.5), seeds_needed(1.5, 20)
    (11, 16)
    """
    low, high = 1, 2
    while high < MOST_SEEDS and least_effect(high, comparisons) > effect:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if least_effect(middle, comparisons) <= effect else (middle, high)
    return min(high, MOST_SEEDS)


def seeds_for_all(share: float = 0.5) -> int:
    """The fewest seeds that bear out what is seen on all of them.

    Arguments:
        share: if a thing held on no more than this part of all data, the chance of seeing it on every seed
            would be at most 1 - `LEVEL`.

    >>> seeds_for_all(), seeds_for_all(0.75)
    (7, 17)
    """
    return math.ceil(math.log(1 - LEVEL) / math.log(share))
