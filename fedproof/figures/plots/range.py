"""The admissible values of one symbol on a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING

from fedproof.algebra.ranges.result import Range
from fedproof.figures.canvas import canvas, symbol_label
from fedproof.figures.number_format import number
from fedproof.figures.style import CATEGORIES, DARK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: how many times the least end the greatest is where the line becomes logarithmic
_DECADES = 100.0
#: an exact end longer than this is told as a number
_LONG = 9
#: inches: of a line of text, from the line to the first text, of the axis below, of a character
_ROW, _GAP, _AXIS, _CHARACTER = 0.2, 0.17, 0.55, 0.078
_WIDTH = 5.6
_BEYOND = 0.3


@dataclass(frozen=True, slots=True)
class _End:
    """A finite end: where, in words, what binds there, on which side of its interval, whether left out."""

    at: float
    exact: str
    labels: str
    side: int
    is_open: bool


def plot(found: Range, ax: Axes | None) -> Axes:
    """A line with the intervals, filled ends where they belong to them; `Range.plot` says what is drawn."""
    ends = _ends(found)
    logarithmic = _logarithmic(found, ends)
    low, high = _window(ends, logarithmic)
    places = [_fraction(e.at, low, high, logarithmic) for e in ends]
    above = _rows([(at, e.exact) for at, e in zip(places, ends, strict=True)])
    below = _rows([(at, e.labels) for at, e in zip(places, ends, strict=True)])
    up, down = (_GAP + _ROW * (1 + max((row for _, row in rows), default=0)) for rows in (above, below))
    up += 2 * _ROW * found.empty
    with canvas(ax, _WIDTH, up + down + _AXIS) as axes:
        axes.set_xscale("log" if logarithmic else "linear")
        axes.set_xlim(low, high)
        axes.set_ylim(-down, up)
        axes.set_yticks([])
        axes.grid(visible=False)
        axes.spines["left"].set_visible(False)
        axes.axhline(0, color="#9aa0a6", linewidth=1.0, zorder=1)
        _draw_intervals(axes, found, low, high)
        for end in ends:
            _draw_end(axes, end)
        texts = [*zip(ends, [e.exact for e in ends], above, strict=True)]
        names = [*zip(ends, [e.labels for e in ends], below, strict=True)]
        for way, written in ((1, texts), (-1, names)):
            for end, text, (centre, row) in sorted(written, key=lambda entry: -entry[2][1]):
                _write(axes, end.at, text, centre, way * (_GAP + _ROW * row), far=row > 0)
        if found.empty:
            axes.set_xticks([])
            said = fill(f"none: {found.why}", 72, max_lines=2)
            axes.text(0.5, up, said, transform=axes.get_yaxis_transform(), ha="center", va="top", color=DARK)
        axes.set_xlabel(symbol_label(found.symbol, found.latex, found.quantity))
        return axes


def _ends(found: Range) -> list[_End]:
    """The finite ends in order; of a single point one."""
    ends = []
    for stretch, numbers, words in zip(found.stretches, found.intervals, found.exact, strict=True):
        opened = (stretch.lo_open, stretch.hi_open)
        single = numbers[0] is not None and stretch.lo == stretch.hi
        for side, at, text, is_open, labels in zip(
            (-1, 1), numbers, words, opened, stretch.binding, strict=True
        ):
            if at is not None and not (single and side > 0):
                short = text if text is not None and len(text) <= _LONG else number(at, 6)
                ends.append(_End(at, short, ", ".join(labels), side, is_open))
    return ends


def _logarithmic(found: Range, ends: Sequence[_End]) -> bool:
    """Whether all finite ends are positive and far apart, and nothing goes down without bound."""
    least = min((e.at for e in ends), default=0.0)
    bounded = all(s.lo is not None for s in found.stretches)
    return bounded and least > 0 and max(e.at for e in ends) > _DECADES * least


def _window(ends: Sequence[_End], logarithmic: bool) -> tuple[float, float]:
    """What of the line is shown: every end, and room on both sides."""
    if not ends:
        return -1.0, 1.0
    low, high = min(e.at for e in ends), max(e.at for e in ends)
    if logarithmic:
        spread = (high / low) ** _BEYOND
        return low / spread, high * spread
    room = _BEYOND * ((high - low) or abs(high) or 1.0)
    return low - room, high + room


def _fraction(x: float, low: float, high: float, logarithmic: bool) -> float:
    """Where on the axis a number lies, 0 at its left end and 1 at its right."""
    if logarithmic:
        return math.log(x / low) / math.log(high / low)
    return (x - low) / (high - low)


def _rows(texts: Sequence[tuple[float, str]]) -> list[tuple[float, int]]:
    """Texts where they belong, each in the nearest row in which it meets no other: its centre and row."""
    taken: list[float] = []
    found = []
    for place, text in texts:
        half = len(text) * _CHARACTER / _WIDTH / 2
        centre = min(max(place, half), 1 - half)
        row = next((r for r, right in enumerate(taken) if right < centre - half), len(taken))
        taken[row : row + 1] = [centre + half + _CHARACTER / _WIDTH]
        found.append((centre, row))
    return found


def _draw_intervals(axes: Axes, found: Range, low: float, high: float) -> None:
    """Each interval as a bar; an arrow where it has no end."""
    for numbers in found.intervals:
        left, right = (
            end if end is not None else edge for end, edge in zip(numbers, (low, high), strict=True)
        )
        axes.plot([left, right], [0, 0], color=CATEGORIES[0], linewidth=4, solid_capstyle="butt", zorder=2)
        for end, edge, arrow in zip(numbers, (low, high), "<>", strict=True):
            if end is None:
                axes.plot([edge], [0], arrow, color=CATEGORIES[0], markersize=11, clip_on=False, zorder=3)


def _draw_end(axes: Axes, end: _End) -> None:
    """A circle, filled where the end is admissible."""
    face = "white" if end.is_open else CATEGORIES[0]
    axes.plot([end.at], [0], "o", color=CATEGORIES[0], markerfacecolor=face, markersize=8,
              markeredgewidth=1.8, zorder=4)  # fmt: skip


def _write(axes: Axes, at: float, text: str, centre: float, height: float, *, far: bool) -> None:
    """A text above or below the line, led to its end by a thin stroke where it is not beside it."""
    leader = {"arrowstyle": "-", "color": "#9aa0a6", "linewidth": 0.6, "shrinkA": 0, "shrinkB": 5}
    behind = {"facecolor": axes.get_facecolor(), "edgecolor": "none", "pad": 0.5}
    axes.annotate(
        text, (at, 0), (centre, height), textcoords=axes.get_yaxis_transform(), ha="center", color=DARK,
        va="bottom" if height > 0 else "top", arrowprops=leader if far else None,
        bbox=behind if text else None, zorder=3,
    )  # fmt: skip
