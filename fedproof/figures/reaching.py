"""What runs took to come to a target, compared seed by seed where some of them never came there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fedproof.figures.caption import NOT_SEEN, NOT_TOLD_APART, SEEN, TOO_SHORT
from fedproof.figures.comparison import RESOLUTION, Difference, Judged, ratio
from fedproof.figures.power import LEVEL
from fedproof.figures.spec import Frame


@dataclass(frozen=True)
class Series:
    """What one method took to one target.

    Arguments:
        took: by seed; empty where the target was not reached.
        least: by seed, what it took or, where the target was not reached, all that was spent.
    """

    took: Frame
    least: Frame

    @property
    def there(self) -> int:
        """On how many seeds the target is reached."""
        return int(self.took.notna().sum())


def over(first: Series, second: Series, times: float = 1.0) -> Difference:
    """What one method took over so many times what another took, paired by seed.

    Where the second did not arrive it took more than it spent, so that the ratio is smaller still.
    """
    spent = times * second.least.to_numpy()
    if first.took.isna().any():
        return by_signs(np.log(first.took.fillna(math.inf).to_numpy() / spent))
    return ratio(first.took.to_numpy(), spent)


def either(first: Series, second: Series) -> Difference:
    """The same, decided whichever way the runs that arrived allow.

    What a run that did not arrive took is more than it spent: a method that arrived on every seed can be
    shown to take less than that, and then the other took more still. Where neither arrived on every seed,
    and where all ratios are the same, seeds are counted by the sign test; one on which it is not known which
    took less decides nothing.

    >>> import pandas as pd
    >>> there = Series(pd.Series([1.0, 1.1, 0.9]), pd.Series([1.0, 1.1, 0.9]))
    >>> gone = Series(pd.Series([math.nan] * 3), pd.Series([50.0, 60.0, 70.0]))
    >>> either(there, gone).direction, either(gone, there).direction, either(gone, gone).p
    (-1, 1, 1.0)
    """
    gone, other = first.took.isna().to_numpy(), second.took.isna().to_numpy()
    found = ratio(first.least.to_numpy(), second.least.to_numpy())
    known = not (gone if found.mean < 0 else other if found.mean > 0 else gone | other).any()
    if known and (found.spread > RESOLUTION or found.mean == 0):
        return found
    apart = np.log(first.least.to_numpy() / second.least.to_numpy())
    unknown = (gone & other) | (gone & (apart < 0)) | (other & (apart > 0))
    shorter = by_signs(np.where(unknown, math.inf, apart))
    longer = by_signs(np.where(unknown, math.inf, -apart))
    if longer.p < shorter.p:
        return replace(longer, mean=-longer.mean, low=-longer.high, high=-longer.low)
    return shorter


def by_signs(logarithms: Any) -> Difference:
    """The median of logarithms of ratios, some of them infinite, and the sign test that it is below 0.

    What is infinite is unknown and counts against that; nothing is ever decided the other way.

    Arguments:
        logarithms: shape (n,).

    >>> found = by_signs(np.array([-2.0] * 20 + [math.inf]))
    >>> found.mean, found.low, found.high, found.p < 1e-4
    (-2.0, -2.0, -2.0, True)
    """
    from scipy.special import bdtr

    ordered = np.sort(logarithms)
    n, below = len(ordered), int((ordered < 0).sum())
    cut = max((k for k in range(1, n // 2 + 1) if 2 * bdtr(k - 1, n, 0.5) <= 1 - LEVEL), default=0)
    low, high = (float(ordered[cut - 1]), float(ordered[n - cut])) if cut else (-math.inf, math.inf)
    p = min(1.0, 2 * float(bdtr(n - below, n, 0.5))) if 2 * below > n else 1.0
    return Difference(float(ordered[n // 2]), low, high, p, n, math.inf, ratio=True)


def most(judged: Sequence[Judged], claimed: int) -> str:
    """The word for a claim that most of these differences have this sign: more than half are decided so."""
    signs = [one.sign for one in judged]
    if 2 * signs.count(claimed) > len(signs):
        return SEEN
    if signs and 2 * signs.count(-claimed) >= len(signs):
        return NOT_SEEN
    return TOO_SHORT if not judged or any(one.too_short for one in judged) else NOT_TOLD_APART
