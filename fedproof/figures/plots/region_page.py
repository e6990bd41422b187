"""Regions under sliders on one page of HTML: data and drawing inside, no network, no server."""

from __future__ import annotations

import html
import json
from importlib.resources import files
from typing import Any

from fedproof.bounds.region import DECADES, AdmissibleRegion, Column, heights
from fedproof.bounds.region_grid import RegionGrid, Slider
from fedproof.figures.style import CATEGORIES, DARK

_COLOURS = (*CATEGORIES, "#56B4E9", "#E69F00", "#CC79A7", DARK)
_ROOM = 0.05


def plot(grid: RegionGrid) -> str:
    """The page of a grid of regions.

    Every place of the sliders is a region that was computed exactly; between them, and between columns,
    nothing was asked. Straight lines join the columns.
    """
    regions = list(grid.regions.values())
    first, drawn = regions[0], [_of(r) for r in regions]
    names = {name: _COLOURS[k % len(_COLOURS)] for k, name in enumerate(_names(drawn))}
    x = _axis([end for r in regions for end in r.window])
    y = _axis([end for r in regions for end in heights(r.columns, r.window)] or [0.0, 1.0])
    data = {
        "x": {"name": first.x.name, **x}, "y": {"name": first.y.name, **y}, "colours": names,
        "sliders": [{"name": s.letter.name, "texts": s.texts} for s in grid.sliders],
        "regions": {",".join(map(str, place)): r for place, r in zip(grid.regions, drawn, strict=True)},
    }  # fmt: skip
    inside = json.dumps(data, allow_nan=False).replace("<", "\\u003c")
    filled = {"TITLE": f"{grid.id}: admissible {first.x.name}, {first.y.name}",
              "GIVEN": _given(first, grid.sliders)}  # fmt: skip
    page = _template()
    for name, text in filled.items():
        page = page.replace(f"@{name}@", html.escape(text))
    return page.replace("@SLIDERS@", "".join(map(_slider, range(len(grid.sliders)), grid.sliders))).replace(
        "@DATA@", inside
    )


def _template() -> str:
    return files(__package__).joinpath("region_page.html").read_text(encoding="utf-8")


def _given(region: AdmissibleRegion, sliders: tuple[Slider, ...]) -> str:
    moved = {s.letter.name for s in sliders}
    fixed = ", ".join(f"{name} = {value}" for name, value in region.values.items() if name not in moved)
    free = f"; for some {', '.join(region.free)}" if region.free else ""
    return (fixed or "nothing else is fixed") + free


def _slider(number: int, slider: Slider) -> str:
    name = html.escape(slider.letter.name)
    said = html.escape(slider.letter.quantity.meaning)
    return (
        f'<label title="{said}">{name} = <output id="o{number}"></output>'
        f'<input id="s{number}" type="range" min="0" max="{len(slider.texts) - 1}" step="1" value="0">'
        "</label>"
    )


def _axis(ends: list[float]) -> dict[str, Any]:
    """Low and high with some room, and whether the axis is logarithmic."""
    positive = [end for end in ends if end > 0]
    logarithmic = min(ends) >= 0 and bool(positive) and max(positive) > DECADES * min(positive)
    low, high = (min(positive), max(positive)) if logarithmic else (min(ends), max(ends))
    if low == high:
        low, high = low - (abs(low) or 1) / 2, high + (abs(high) or 1) / 2
        logarithmic = logarithmic and low > 0
    if logarithmic:
        room = (high / low) ** _ROOM
        return {"low": low / room, "high": high * room, "log": True}
    return {"low": low - _ROOM * (high - low), "high": high + _ROOM * (high - low), "log": False}


def _of(region: AdmissibleRegion) -> dict[str, Any]:
    """What is drawn of a region, and what excludes every pair where it is empty."""
    walls = [w.to_dict() | {"binding": " and ".join(w.labels)} for w in region.walls]
    columns = [_column(c) for c in region.columns]
    return {"columns": columns, "walls": walls, "why": region.headline() if region.empty else ""}


def _names(regions: list[dict[str, Any]]) -> list[str]:
    """What binds anywhere, each set of conditions that binds together once."""
    found: dict[str, None] = {}
    for region in regions:
        for _, intervals in region["columns"]:
            found |= dict.fromkeys(name for interval in intervals for name in interval[4:] if name)
        found |= dict.fromkeys(wall["binding"] for wall in region["walls"] if wall["binding"])
    return list(found)


def _column(column: Column) -> list[Any]:
    """The first symbol's value, and for each interval its ends, whether these are open, and what binds."""
    intervals = [
        [*ends, s.lo_open, s.hi_open, " and ".join(s.binding[0]), " and ".join(s.binding[1])]
        for s, ends in zip(column.range.stretches, column.range.intervals, strict=True)
    ]
    return [float(column.at), intervals]
