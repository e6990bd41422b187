"""A paper's letters and the canonical quantities they stand for."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from fedproof.vocabulary.interval import Interval
from fedproof.vocabulary.quantities import Quantity, quantity


@dataclass(frozen=True)
class Letter:
    """A paper's letter for a canonical quantity.

    Arguments:
        symbol: the SymPy symbol, named as users type it.
        means: canonical quantity name.
        latex: as the paper prints it.
    """

    symbol: sp.Symbol
    means: str
    latex: str

    @property
    def name(self) -> str:
        """The letter in ASCII."""
        return str(self.symbol.name)

    @property
    def quantity(self) -> Quantity:
        """The canonical quantity."""
        return quantity(self.means)

    @property
    def domain(self) -> Interval:
        """The values that make sense at all."""
        return self.quantity.domain
