"""Real intervals with rational, missing (unbounded), open or closed ends."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fedproof.vocabulary.surd import Surd


@dataclass(frozen=True, slots=True)
class Interval:
    """The reals between `lo` and `hi`; None means unbounded on that side.

    Arguments:
        lo, hi: rational ends or None.
        lo_open, hi_open: whether the end itself is left out.

    >>> Fraction(1) in UNIT, Fraction(0) in UNIT, str(UNIT)
    (True, False, '(0, 1]')
    """

    lo: Fraction | None = None
    hi: Fraction | None = None
    lo_open: bool = True
    hi_open: bool = True

    def __contains__(self, x: object) -> bool:
        if not isinstance(x, (Fraction, int, Surd)):
            return False
        above = self.lo is None or x > self.lo or (x == self.lo and not self.lo_open)
        below = self.hi is None or x < self.hi or (x == self.hi and not self.hi_open)
        return above and below

    def __str__(self) -> str:
        left = "(-inf" if self.lo is None else ("(" if self.lo_open else "[") + str(self.lo)
        right = "inf)" if self.hi is None else str(self.hi) + (")" if self.hi_open else "]")
        return f"{left}, {right}"

    def describe(self) -> str:
        """The interval in words for an error message: 'a number > 0'.

        >>> POSITIVE.describe(), UNIT.describe()
        ('a number > 0', 'a number > 0 and <= 1')
        """
        parts = []
        if self.lo is not None:
            parts.append(f"{'>' if self.lo_open else '>='} {self.lo}")
        if self.hi is not None:
            parts.append(f"{'<' if self.hi_open else '<='} {self.hi}")
        return "a number " + " and ".join(parts) if parts else "a real number"


REAL = Interval()
POSITIVE = Interval(lo=Fraction(0))
NONNEGATIVE = Interval(lo=Fraction(0), lo_open=False)
UNIT = Interval(lo=Fraction(0), hi=Fraction(1), hi_open=False)
