"""One look for all pictures: fonts, sizes and colours that survive print and colour blindness."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fedproof.figures.comparison import Difference
    from fedproof.figures.spec import Axis, Frame

#: Told apart by every kind of colour vision (after Okabe and Ito); for things without an order.
CATEGORIES = ("#0072B2", "#D55E00", "#009E73", "#882255")
DARK = "#202124"
GREY = "#eceef1"

_STYLE: Any = {
    "font.family": ["STIXGeneral", "DejaVu Sans"],
    "mathtext.fontset": "stix",
    "font.size": 11,
    "axes.titlesize": 11,
    "axes.labelsize": 12,
    "legend.fontsize": 10,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.grid": True,
    "grid.color": "#d9dce1",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.7,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.fonttype": "path",
}
#: names within a drawing are else made from a number drawn anew each time
_SALT: Any = {"svg.hashsalt": "fedproof"}


@contextmanager
def house_style() -> Iterator[None]:
    """Settings under which pictures are drawn and saved; what was set before comes back after."""
    with mpl.rc_context(_STYLE | _SALT):
        yield


@contextmanager
def same_bytes() -> Iterator[None]:
    """What is saved is the same bytes each time, in whatever style it is."""
    with mpl.rc_context(_SALT):
        yield


def blank(width: float, height: float) -> Figure:
    """An empty picture of this size in inches, tied to no window."""
    return Figure(figsize=(width, height), layout="constrained")


def ordered_colours(count: int) -> list[Any]:
    """Colours from dark to light for an ordered quantity, readable in grey and on white.

    >>> len(ordered_colours(3))
    3
    """
    return list(mpl.colormaps["viridis"](np.linspace(0.0, 0.88, count)))


def set_axes(axes: Axes, x: Axis | None, y: Axis | None) -> None:
    """Label and scale both axes."""
    if x is not None:
        axes.set_xlabel(x.label)
        axes.set_xscale(x.scale)
    if y is not None:
        axes.set_ylabel(y.label)
        axes.set_yscale(y.scale)


def plain_ticks(*axes: Any) -> None:
    """Label logarithmic axes (of `XAxis` or `YAxis`) that span few decades with 1, 2, 5, 10, ... in full."""
    for axis in axes:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_locator(NullLocator())


def panel_letters(panels: Sequence[Axes], titles: Sequence[str], size: float | None = None) -> None:
    """(a), (b), ... and what each panel shows, above its left corner."""
    for letter, axes, title in zip("abcdefghijklmnop", panels, titles, strict=False):
        axes.set_title(f"({letter})  {title}", loc="left", fontsize=size)


def cost_map(axes: Axes, worth: Frame, steps: Sequence[float], dearest: float) -> Any:
    """A map of least cost over cost in bands that end at multiples of the least cost.

    Arguments:
        worth: index up, columns across; NaN where there is no cost.
        steps: the multiples.
        dearest: the worth at which the last band ends.
    """
    axes.grid(visible=False)
    axes.set_facecolor(GREY)
    levels = [dearest, *sorted(1 / step for step in steps), 1.0]
    colours = ordered_colours(len(levels) - 1)
    return axes.contourf(
        worth.columns.to_numpy(), worth.index.to_numpy(), worth, levels=levels, colors=colours
    )


def cost_bar(bands: Any, panels: Any, steps: Sequence[float], dearest: str, label: str) -> None:
    """The bar that explains a `cost_map`; `dearest` is written at the end of its last band."""
    picture = bands.axes.figure
    bar = picture.colorbar(bands, ax=panels, pad=0.02, spacing="uniform", ticks=bands.levels)
    bar.ax.set_yticklabels([dearest, *(f"{step:g}" for step in sorted(steps, reverse=True)), "1"])
    bar.set_label(label)


def star(axes: Axes, x: float, y: float) -> None:
    """The best point of a map."""
    axes.plot(x, y, "*", color=CATEGORIES[1], markeredgecolor="white", markersize=13)


def interval(axes: Axes, place: float, difference: Difference, colour: Any) -> None:
    """The interval of a comparison, upright at this place; nothing where it is infinite."""
    ends = [math.exp(v) if difference.ratio else v for v in (difference.low, difference.high) if abs(v) < 100]
    if len(ends) == 2:
        axes.plot([place, place], ends, color=colour, linewidth=1, marker="_", markersize=4, clip_on=False)
