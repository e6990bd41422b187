"""The pairs of two symbols that a statement admits, as an area whose boundary bears names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from fedproof.bounds.region import DECADES, AdmissibleRegion, Column, Window, heights
from fedproof.figures.boundary_names import name_parts
from fedproof.figures.canvas import canvas, symbol_label
from fedproof.figures.style import CATEGORIES, DARK
from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_double

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: after those of the house style, for more conditions
_COLOURS = (*CATEGORIES, "#56B4E9", "#E69F00", "#CC79A7", DARK)
_ROOM, _WIDTH, _HEIGHT = 0.08, 5.6, 4.0


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of boundary on which the same conditions bind.

    Arguments:
        labels: of the conditions.
        is_open: whether the boundary itself is not admissible.
        points: shape (k, 2).
        outward: 1 where the region lies below or to the left of it, else -1.
    """

    labels: tuple[str, ...]
    is_open: bool
    points: Array
    outward: int


def plot(region: AdmissibleRegion, ax: Axes | None, window: tuple[Any, Any] | None) -> Axes:
    """The area and its boundary; `AdmissibleRegion.plot` says what is drawn."""
    across = _padded(region.window, region.ends)
    up = _window(region) if window is None else _read(window, region.y.name)
    parts = [*_curves(region.columns, up), *_walls(region, up)]
    names = list(dict.fromkeys(" and ".join(part.labels) for part in parts))
    colours = {name: _COLOURS[k % len(_COLOURS)] for k, name in enumerate(names)}
    with canvas(ax, _WIDTH, _HEIGHT) as axes:
        for scale, limits, (low, high) in (
            (axes.set_xscale, axes.set_xlim, across), (axes.set_yscale, axes.set_ylim, up)
        ):  # fmt: skip
            scale("log" if low > 0 and high > DECADES * low else "linear")
            limits(low, high)
        for x, low_ends, high_ends in _areas(region.columns, up):
            axes.fill_between(x, low_ends, high_ends, color=CATEGORIES[0], alpha=0.12, linewidth=0)
        for part in parts:
            axes.plot(*part.points.T, color=colours[" and ".join(part.labels)], linewidth=2,
                      linestyle=(0, (4, 2)) if part.is_open else "-", clip_on=True)  # fmt: skip
        if region.empty:
            axes.set_xticks([])
            axes.set_yticks([])
            axes.minorticks_off()
            axes.text(0.5, 0.5, fill(region.headline(), 60), transform=axes.transAxes, ha="center")
        for symbol, name in ((region.x, axes.set_xlabel), (region.y, axes.set_ylabel)):
            name(symbol_label(symbol.name, symbol.latex, symbol.quantity))
        name_parts(axes, [(" and ".join(p.labels), p.points, p.outward) for p in parts], colours)
        return axes


def _padded(window: Window, sides: tuple[bool, bool] = (True, True)) -> Window:
    """A window with room at some of its sides, on the axis that it is drawn on."""
    low, high = window
    room = np.array(sides) * _ROOM
    if low > 0 and high > DECADES * low:
        return low / (high / low) ** room[0], high * (high / low) ** room[1]
    return low - room[0] * (high - low), high + room[1] * (high - low)


def _window(region: AdmissibleRegion) -> Window:
    """All ends of the second symbol, and room; on a logarithmic axis 0 is below the picture."""
    ends = heights(region.columns, region.window) or [0.0, 1.0]
    positive = [end for end in ends if end > 0]
    if min(ends) >= 0 and positive and max(positive) > DECADES * min(positive):
        ends = positive
    low, high = min(ends), max(ends)
    if low == high:
        low, high = low - (abs(low) or 1.0) / 2, high + (abs(high) or 1.0)
    if any(s.hi is None for c in region.columns for s in c.range.stretches):
        high += (high - low) / 2
    return _padded((low, high))


def _read(window: tuple[Any, Any], name: str) -> Window:
    low, high = (parse_double(end, name) for end in window)
    if low >= high:
        raise InputError(f"window of {name}", f"{window[0]} to {window[1]}", "a low end and a higher one")
    return low, high


def _bands(columns: Sequence[Column]) -> Iterator[tuple[list[Column], int]]:
    """Runs of columns with one number of intervals, and each interval's place in them."""
    run: list[Column] = []
    for column in columns:
        if run and len(column.range.stretches) != len(run[-1].range.stretches):
            yield from ((run, place) for place in range(len(run[-1].range.stretches)))
            run = []
        run.append(column)
    if run:
        yield from ((run, place) for place in range(len(run[-1].range.stretches)))


def _areas(columns: Sequence[Column], up: Window) -> Iterator[tuple[Array, Array, Array]]:
    """Each band as values of the first symbol with the lower and upper ends, cut at the picture."""
    for run, place in _bands(columns):
        ends = [c.range.intervals[place] for c in run]
        low = np.array([up[0] if e[0] is None else e[0] for e in ends])
        high = np.array([up[1] if e[1] is None else e[1] for e in ends])
        yield np.array([float(c.at) for c in run]), np.maximum(low, up[0]), np.minimum(high, up[1])


def _curves(columns: Sequence[Column], up: Window) -> Iterator[Part]:
    """The lower and upper ends of each band, cut where other conditions begin to bind."""
    for run, place in _bands(columns):
        level = all(c.range.stretches[place].lo == c.range.stretches[place].hi for c in run)
        for side in (1,) if level else (0, 1):
            points: list[tuple[float, float]] = []
            known: tuple[tuple[str, ...], bool] | None = None
            for column in run:
                stretch, end = column.range.stretches[place], column.range.intervals[place][side]
                here = (stretch.binding[side], (stretch.lo_open, stretch.hi_open)[side])
                if known is not None and (end is None or here != known):
                    corner = [] if end is None else [(float(column.at), end)]
                    yield from _part(known, [*points, *corner], side)
                    points = []
                known = None if end is None else here
                points += [] if end is None else [(float(column.at), end)]
            if known is not None:
                yield from _part(known, points, side)


def _part(
    known: tuple[tuple[str, ...], bool], points: list[tuple[float, float]], side: int
) -> Iterator[Part]:
    if known[0] and len(points) > 1:
        yield Part(known[0], known[1], np.array(points), 1 if side else -1)


def _walls(region: AdmissibleRegion, up: Window) -> Iterator[Part]:
    for wall in region.walls:
        low = up[0] if wall.low is None else max(wall.low, up[0])
        high = up[1] if wall.high is None else min(wall.high, up[1])
        if high > low:
            yield Part(wall.labels, wall.is_open, np.array([(wall.at, low), (wall.at, high)]), wall.side)
