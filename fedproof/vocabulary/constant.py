"""A given number that computations take in doubles and decisions take as it was written."""

from __future__ import annotations

from fractions import Fraction


class Constant(float):
    """The nearest double of a number, with the number itself, which `parse_value` reads.

    >>> from fedproof.vocabulary.values import parse_value
    >>> third = Constant(Fraction(1, 3))
    >>> third * 3, parse_value(third)
    (1.0, Fraction(1, 3))
    """

    exact: Fraction

    def __new__(cls, exact: Fraction) -> Constant:
        """From the number."""
        made = super().__new__(cls, exact)
        made.exact = exact
        return made

    @property
    def rounded(self) -> bool:
        """Whether the double is another number."""
        return Fraction(float(self)) != self.exact
