"""Where a result is drawn, and what its axes are called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from fedproof.figures.style import house_style
from fedproof.vocabulary.quantities import Quantity

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: the mark of a figure in the house style
_OURS = "fedproof"


@contextmanager
def canvas(ax: Axes | None, width: float = 5.6, height: float = 3.6) -> Iterator[Axes]:
    """The axes to draw into: those of the user, in the user's style, or new ones in the house style.

    Arguments:
        ax: the user's, or of an earlier picture of ours, which keeps its style; None makes a figure of
            pyplot, which a notebook shows by itself.
        width, height: of a new figure, inches.
    """
    if ax is not None:
        ours = ax.figure.get_gid() == _OURS
        with house_style() if ours else nullcontext():
            yield ax
        return
    from matplotlib import pyplot

    with house_style():
        picture = pyplot.figure(figsize=(width, height), layout="constrained")
        picture.set_gid(_OURS)
        try:
            yield picture.subplots()
            picture.draw_without_rendering()  # ticks are made when they are drawn: here, in this style
        except BaseException:
            pyplot.close(picture)
            raise


def unit_text(unit: str) -> str:
    """A unit as mathtext; nothing for a number without one.

    >>> unit_text("loss^2/length^2"), unit_text("1")
    (' (loss$^{2}$/length$^{2}$)', '')
    """
    if unit in ("", "1"):
        return ""
    head, *powers = unit.split("^")
    return f" ({head}" + "".join(f"$^{{{p[0]}}}${p[1:]}" for p in powers) + ")"


def symbol_label(name: str, latex: str, quantity: Quantity | None) -> str:
    """What an axis calls a symbol: what it means, its letter, the unit.

    >>> from fedproof.vocabulary.quantities import quantity
    >>> symbol_label("tau", r"\\tau", quantity("local_steps")), symbol_label("x", "", None)
    ('local steps $\\\\tau$', 'x')
    """
    letter = f"${_mathtext(latex)}$" if latex else name
    if quantity is None:
        return letter
    words = quantity.name.replace("_", " ")
    unit = "" if quantity.unit in words.split() else unit_text(quantity.unit)
    return f"{words} {letter}{unit}"


def _mathtext(latex: str) -> str:
    """LaTeX with the braces that Matplotlib wants and LaTeX does not."""
    braced = re.sub(r"(\\math(?:bb|bf|cal|rm)) ?(\\[A-Za-z]+|[A-Za-z])", r"\1{\2}", latex)
    return re.sub(r"\\frac ?(\w)(\w)", r"\\frac{\1}{\2}", braced.replace(r"\tfrac", r"\frac"))
