"""Curves over rounds: a centre over seeds with a band, drawn as the caption says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fedproof.figures.spec import Frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEAST_DRAWN = 2.2e-16
"""Where a logarithmic axis shows smaller numbers, 0 among them: the rounding of a float."""


@dataclass(frozen=True, slots=True)
class CurveStyle:
    """How a method is drawn.

    Arguments:
        label: in the legend; None leaves it out.
        colour, style, width, alpha: of its curve.
        marker: "" for none; the rounds that it stands at begin at this part of their distance.
    """

    label: str | None
    colour: Any
    style: str = "-"
    width: float = 1.5
    alpha: float = 1.0
    marker: str = ""
    shift: float = 0.0


def draw_curve(
    axes: Axes, runs: Frame, value: str, look: CurveStyle, centre: str = "median", *, band: bool = True
) -> None:
    """A column by round: its median or mean over seeds, on a band of quartiles or on all seeds' lines."""
    by_round = runs.groupby("round")[value]
    if band:
        low, high = by_round.quantile(0.25), by_round.quantile(0.75)
        axes.fill_between(low.index, low, high, color=look.colour, alpha=0.15, linewidth=0)
    else:
        for _, own in runs.groupby("seed"):
            axes.plot(own["round"], own[value], color=look.colour, linewidth=0.6, alpha=0.4)
    draw_line(axes, by_round.agg(centre), look)


def draw_line(axes: Axes, line: Frame, look: CurveStyle) -> None:
    """One curve, its index along the axis."""
    every = max(int(line.index.max()) // 6, 1)
    axes.plot(
        line.index, line.to_numpy(), color=look.colour, linestyle=look.style, linewidth=look.width,
        alpha=look.alpha, label=look.label, marker=look.marker, markersize=4.5, markeredgecolor="white",
        markeredgewidth=0.6, markevery=(int(look.shift * every), every),
    )  # fmt: skip
    axes.margins(x=0)


def legend_below(axes: Axes, columns: int = 2) -> None:
    """A legend under the panel."""
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.19), ncols=columns, fontsize=9, handlelength=2.6,
                labelspacing=0.25, columnspacing=1.4)  # fmt: skip


def legend_above(picture: Any, axes: Axes, columns: int, title: str | None = None) -> None:
    """The panel's labels once, above all panels."""
    picture.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=columns, title=title)
