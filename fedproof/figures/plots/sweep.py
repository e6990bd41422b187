"""Many runs over their rounds: a curve for each setting, its seeds as a band."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fedproof.figures.canvas import canvas
from fedproof.figures.run_curves import (
    chosen_metric,
    draw_bound,
    draw_rate,
    explain,
    name_axes,
    scale,
    series,
    statements_of,
)
from fedproof.figures.spec import Frame
from fedproof.figures.style import CATEGORIES, ordered_colours
from fedproof.problems.problem import Array
from fedproof.solvers.history import History
from fedproof.solvers.runs.sweep_result import Point, Sweep
from fedproof.validate.logs.bound_curve import BoundCurve, bound_curves
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.result import cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot(
    sweep: Sweep,
    ax: Axes | None,
    metric: str | None,
    bound: Any,
    header: Mapping[str, Any] | str | os.PathLike[str] | None,
    fit: str | None,
) -> Axes:
    """A metric against rounds for every setting; `Sweep.plot` says what is drawn."""
    settings = list(sweep.settings())
    if not settings:
        raise InputError("sweep", "no finished run", "at least one", "let it go on")
    asked = statements_of(bound, sweep.histories[0])
    ids = dict.fromkeys(id for id, _ in asked)
    curves: dict[str, Sequence[BoundCurve]] = {id: bound_curves(sweep, id, header) for id in ids}
    column = next((found[0].column for found in curves.values()), "")
    name = chosen_metric(sweep.histories, metric, column)
    table = sweep.summary(every_round=True)
    first = np.cumsum([0] + [max(h.requested for h in histories) + 1 for _, histories in settings])
    with canvas(ax) as axes:
        for place, (colour, (point, histories)) in enumerate(
            zip(_colours(len(settings)), settings, strict=True)
        ):
            setting = _named(point, histories)
            words = _words(asked, place, len(settings))
            label = f"{setting}: {', '.join(words.values())}" if any(words.values()) else setting
            _draw_quantiles(axes, table.iloc[first[place] : first[place + 1]], name, colour, label)
            for found in curves.values():
                _draw_bound(axes, found, place, setting, colour)
            if fit is not None:
                draw_rate(axes, _whole(histories, name), fit, colour)
        name_axes(axes, name)
        scale(axes)
        axes.margins(x=0)
        explain(axes, own=ax is None)
        return axes


def _colours(count: int) -> Sequence[Any]:
    return CATEGORIES[:count] if count <= len(CATEGORIES) else ordered_colours(count)


def _named(point: Point, histories: Sequence[History]) -> str:
    """The setting; how many of its seeds diverged, which no quantile has."""
    varied = ", ".join(f"{k}={cell(v)}" for k, v in point.items()) or histories[0].algorithm
    gone = sum(h.diverged for h in histories)
    return f"{varied} ({gone} of {len(histories)} diverged)" if gone else varied


def _draw_quantiles(axes: Axes, rows: Frame, name: str, colour: Any, label: str) -> None:
    rows = rows.dropna(subset=[name])
    if (rows.runs > 1).any():
        low, high = (rows[f"{name}_{end}"].astype(float) for end in ("low", "high"))
        axes.fill_between(rows["round"], low, high, color=colour, alpha=0.2, linewidth=0)
    axes.plot(rows["round"], rows[name].astype(float), color=colour, label=label)


def _words(asked: Sequence[tuple[str, str]], place: int, count: int) -> dict[str, str]:
    """By statement the verdict on one setting, where there is one for each."""
    rows: dict[str, list[str]] = {}
    for id, word in asked:
        rows.setdefault(id, []).append(word)
    return {id: words[place] for id, words in rows.items() if len(words) == count}


def _draw_bound(axes: Axes, found: Sequence[BoundCurve], place: int, setting: str, colour: Any) -> None:
    """The bound of one setting; curves that look alike stand once in the legend."""
    first = next((n for n, curve in enumerate(found) if not curve.why), None)
    said = f" ({setting})" if found[place].why and len(found) > 1 else ""
    draw_bound(axes, found[place], colour, said=said, labelled=place == first)


def _whole(histories: Sequence[History], name: str) -> Array:
    """The metric of the seeds that came to the end, shape (seeds, rounds + 1)."""
    last = max(h.rounds for h in histories)
    return np.stack([series(h, name) for h in histories if h.rounds == last])
