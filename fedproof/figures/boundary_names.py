"""Names along curves: turned with the curve, beside it, in its colour; in a legend where there is no room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fedproof.problems.problem import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: points: of a letter's width, and from the curve to the letters' middle
_LETTER, _BESIDE = 5.2, 9.0
_SIZE = 10


def name_parts(axes: Axes, parts: Sequence[tuple[str, Array, int]], colours: Mapping[str, Any]) -> None:
    """Write beside each part its name; what is nowhere written stands in a legend.

    Arguments:
        axes: with their final limits.
        parts: name, points of shape (k, 2), and the side on which the name stands: 1 above or to the right.
        colours: by name.
    """
    picture = axes.get_figure(root=True)
    if picture is None:
        return
    picture.draw_without_rendering()  # the layout decides how long a curve is on paper
    written = set()
    for name, points, outward in parts:
        spot = _spot(axes, points, _LETTER * len(name))
        if spot is None:
            continue
        middle, angle = spot
        upright = abs(angle) > 89.0
        normal: Array = np.array([outward, 0.0]) if upright else outward * np.array(
            [-np.sin(np.radians(angle)), np.cos(np.radians(angle))])  # fmt: skip
        beside = middle + normal * 1.8 * _BESIDE * picture.dpi / 72.0
        if not axes.bbox.contains(*beside):
            normal = -normal
        axes.annotate(
            name, tuple(axes.transData.inverted().transform(middle)), tuple(normal * _BESIDE),
            textcoords="offset points",
            rotation=90 if upright else angle, rotation_mode="anchor", ha="center", va="center_baseline",
            color=colours[name], fontsize=_SIZE, annotation_clip=False,
        )  # fmt: skip
        written.add(name)
    rest = dict.fromkeys(n for n, points, _ in parts if n not in written and len(_clipped(axes, points)) > 1)
    for name in rest:
        axes.plot([], [], color=colours[name], linewidth=2, label=name)
    if rest:
        axes.legend()


def _spot(axes: Axes, points: Array, length: float) -> tuple[Array, float] | None:
    """Where a text of so many points stands along a curve, and its angle in degrees; None without room."""
    shown = axes.transData.transform(_clipped(axes, points))
    steps = np.hypot(*np.diff(shown, axis=0).T) if len(shown) > 1 else np.empty(0)
    way = np.concatenate([[0.0], np.cumsum(steps)])
    need = length * axes.figure.dpi / 72.0
    if way[-1] < 1.1 * need:
        return None
    ends = [np.array([np.interp(s, way, axis) for axis in shown.T])
            for s in (way[-1] / 2 + half for half in (-need / 2, need / 2))]  # fmt: skip
    rise = ends[1] - ends[0]
    return (ends[0] + ends[1]) / 2, float(np.degrees(np.arctan2(rise[1], rise[0])))


def _clipped(axes: Axes, points: Array) -> Array:
    """The points of a curve that lie in the picture."""
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    inside = ((points >= low) & (points <= high)).all(axis=1)
    kept: Array = points[inside]
    return kept
