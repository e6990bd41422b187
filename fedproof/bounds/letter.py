"""A paper's letters and the canonical quantities they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.interval import Interval
from fedproof.vocabulary.quantities import Quantity, quantity


@dataclass(frozen=True)
class Letter:
    """A paper's letter for a canonical quantity.

    Arguments:
        symbol: the SymPy symbol, named as users type it.
        means: canonical quantity name.
        latex: as the paper prints it.

    Raises: UnknownName for a quantity that is not in the vocabulary; InputError for a symbol that assumes
        more than to be real: what a letter may be is the domain of its quantity, and nothing else.
    """

    symbol: sp.Symbol
    means: str
    latex: str

    def __post_init__(self) -> None:
        quantity(self.means)
        if self.symbol != sp.Symbol(self.symbol.name, real=True):
            cure = f'write sympy.Symbol("{self.symbol.name}", real=True)'
            raise InputError(
                f"letter {self.symbol}", "a symbol that assumes a sign or more", "a real one", cure
            )

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


@dataclass(frozen=True)
class Notation:
    """A paper's letters, one line each.

    >>> notation = Notation()
    >>> L = notation.symbol("L", "smoothness")
    >>> notation.letter(L).means
    'smoothness'
    """

    by_symbol: dict[sp.Symbol, Letter] = field(default_factory=dict)

    def symbol(self, name: str, means: str, latex: str = "") -> sp.Symbol:
        """Declare a letter: its name as users type it, what it means, and how the paper prints it.

        Returns: the symbol that formulas are written with.
        Raises: InputError for a letter that is declared twice, UnknownName for a quantity that is unknown.
        """
        declared = sp.Symbol(name, real=True)
        if declared in self.by_symbol:
            raise InputError("letter", name, "a letter that is declared once")
        self.by_symbol[declared] = Letter(declared, means, latex or name)
        return declared

    def letter(self, symbol: sp.Symbol) -> Letter:
        """The letter of one symbol."""
        return self.by_symbol[symbol]

    def letters(self, *symbols: sp.Symbol) -> tuple[Letter, ...]:
        """The letters of these symbols; all of them where none is named."""
        return tuple(self.by_symbol[s] for s in symbols or self.by_symbol)


Printer = Callable[[Any], str]


def printer(letters: Iterable[Letter]) -> Printer:
    """A function that prints expressions, in the order typed, with the paper's letters.

    >>> from fedproof.papers.fedproxvr.notation import lam, letters
    >>> printer(letters())(2 * lam)
    '2 \\\\lambda'
    """
    names = {letter.symbol: letter.latex for letter in letters}

    def tex(expr: Any) -> str:
        text: str = sp.latex(expr, symbol_names=names, order="none")
        return text

    return tex
