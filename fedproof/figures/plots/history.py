"""One run over its rounds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

from fedproof.figures.canvas import canvas
from fedproof.figures.run_curves import (
    chosen_metric,
    draw_bound,
    draw_rate,
    explain,
    name_axes,
    next_colours,
    scale,
    series,
    statements_of,
)
from fedproof.solvers.history import History
from fedproof.validate.logs.bound_curve import bound_curves

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot(
    history: History,
    ax: Axes | None,
    metric: str | None,
    bound: Any,
    header: Mapping[str, Any] | str | os.PathLike[str] | None,
    fit: str | None,
) -> Axes:
    """A metric against rounds, with bounds and a fitted rate; `History.plot` says what each is."""
    asked = statements_of(bound, history)
    curves = [(bound_curves(history, id, header)[0], word) for id, word in asked]
    name = chosen_metric([history], metric, next((c.column for c, _ in curves), ""))
    values = series(history, name)
    with canvas(ax) as axes:
        colours = cycle(next_colours(axes))
        axes.plot(range(len(values)), values, color=next(colours), label=_said(history, name))
        for (curve, word), colour in zip(curves, colours, strict=False):
            draw_bound(axes, curve, colour, said=f" ({word})" if word and not curve.why else "")
        if fit is not None:
            draw_rate(axes, values[None], fit, next(colours))
        name_axes(axes, name)
        scale(axes)
        axes.margins(x=0)
        explain(axes, own=ax is None)
        return axes


def _said(history: History, name: str) -> str:
    return f"{history.algorithm}, {name.replace('_', ' ')}" + " (diverged)" * history.diverged
