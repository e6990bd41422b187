"""Curves of runs over rounds: the metric, a statement's bound beside it, a fitted rate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from fedproof.figures.canvas import unit_text
from fedproof.figures.curves import legend_below
from fedproof.figures.number_format import number
from fedproof.figures.style import CATEGORIES, plain_ticks
from fedproof.problems.problem import Array
from fedproof.solvers.history import History
from fedproof.solvers.metrics import UNITS
from fedproof.validate.rates import fitted_exponent, fitted_factor
from fedproof.validate.statistics import refit
from fedproof.validate.verdict import Validation, Verdict
from fedproof.vocabulary.errors import InputError, UnknownName

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fedproof.validate.logs.bound_curve import BoundCurve

#: how many times the least the greatest value is where an axis becomes logarithmic
DECADE = 10.0
#: below so many times the least value its ticks are numbers in full
_FEW = 100.0
_LEAST_ROUNDS = 8
#: with more lines a legend goes below the panel; longer ones stand in one column; inches of a line
_MANY, _LONG, _LINE = 4, 32, 0.19
_RESAMPLES = 500
#: fewer points than these make no line
_DOTS = 3
_FITS = {"sublinear": fitted_exponent, "linear": fitted_factor}


def series(history: History, name: str) -> Array:
    """A metric after every round, NaN where there is none, shape (rounds + 1,)."""
    values = history.metrics[name]
    return np.array([np.nan if v is None else float(v) for v in values], dtype=np.float64)


def chosen_metric(histories: Sequence[History], metric: str | None, column: str = "") -> str:
    """The metric that is drawn: what was asked for, what a bound is read off, or the first of the runs.

    Raises: UnknownName for a metric that was not recorded; InputError for one that the bound is not about.
    """
    known = histories[0].metrics
    if metric is not None and metric not in known:
        raise UnknownName("metric", metric, known)
    if column and metric is not None and metric != column:
        raise InputError("metric", metric, f"{column}, which the bound is about", "leave metric or bound out")
    return metric or (column if column in known else next(iter(known)))


def name_axes(axes: Axes, name: str) -> None:
    """Rounds across, a metric with its unit up."""
    words, unit = name.replace("_", " "), UNITS.get(name, "")
    axes.set_xlabel("round $s$")
    axes.set_ylabel(words + ("" if unit == words else unit_text(unit)))


def scale(axes: Axes) -> None:
    """A logarithmic axis up where all that is drawn is positive and spans more than a decade."""
    drawn = [np.asarray(line.get_ydata(), dtype=np.float64) for line in axes.get_lines()]
    values = np.concatenate([v[np.isfinite(v)] for v in drawn] or [np.empty(0)])
    if values.size and values.min() > 0 and values.max() > DECADE * values.min():
        axes.set_yscale("log")
        if values.max() < _FEW * values.min():
            plain_ticks(axes.yaxis)


def next_colours(axes: Axes) -> list[Any]:
    """The colours of the house style, beginning with the first that no curve in the axes has."""
    used = {line.get_color() for line in axes.get_lines()}
    free = [colour for colour in CATEGORIES if colour not in used]
    return [*free, *(colour for colour in CATEGORIES if colour in used)]


def explain(axes: Axes, *, own: bool) -> None:
    """The legend: inside where it is small, else below the panel; a figure of ours grows by it."""
    handles, labels = axes.get_legend_handles_labels()
    lines = [line for label in labels for line in label.splitlines()]
    if len(lines) <= _MANY:
        axes.legend()
        return
    columns = 1 if max(map(len, lines)) > _LONG else 2
    picture = axes.get_figure(root=True)
    if picture is None or not own:
        legend_below(axes, columns)
        return
    picture.set_figheight(picture.get_figheight() + _LINE * -(-len(lines) // columns))
    picture.legend(handles, labels, loc="outside lower center", ncols=columns)


def statements_of(bound: Any, history: History) -> tuple[tuple[str, str], ...]:
    """The statements whose bounds are drawn, each with its verdict, "" where none was given.

    Arguments:
        bound: an id, what `validate` answered on these runs, or one row of it.

    Raises: InputError for verdicts on other runs.
    """
    if bound is None:
        return ()
    if isinstance(bound, str):
        return ((bound, ""),)
    rows = bound.results if isinstance(bound, Validation) else (bound,)
    about = f"{history.algorithm} on {history.problem}, {history.rounds} rounds"
    for row in rows:
        if not isinstance(row, Verdict):
            raise InputError("bound", row, "the id of a statement, or what validate answered")
        if not row.problem.startswith(about):
            cure = "take the one of fp.validate(ID, history=...) with these runs"
            raise InputError("bound", f"a verdict on {row.problem}", f"one on {about}", cure)
    return tuple((row.id, row.verdict) for row in rows)


def draw_bound(axes: Axes, curve: BoundCurve, colour: Any, *, said: str = "", labelled: bool = True) -> None:
    """A bound, dashed, and thin what it bounds; or, in the legend, why there is none.

    Arguments:
        said: what stands in the legend behind the statement's id.
        labelled: whether the legend has the two curves; it always has a reason.
    """
    if curve.why:
        axes.plot([], [], linestyle="none", label=f"no bound by {curve.id}{said}:\n{_short(curve.why)}")
        return
    words = re.sub(r"\bT(-1)?\b", r"$T\1$", curve.words)
    labels = (words, f"its bound by {curve.id}{said}") if labelled else (None, None)
    axes.plot(curve.rounds, curve.measured, color=colour, linewidth=1.0, label=labels[0])
    dots = "o" if np.isfinite(curve.bound).sum() < _DOTS else ""
    axes.plot(curve.rounds, curve.bound, color=colour, linestyle="--", marker=dots, label=labels[1])


def _short(why: str) -> str:
    """The reason without the run's name and without a cure, in lines of a legend."""
    reason = why.partition(": ")[2].partition(": write")[0].partition("; ")[0]
    return fill(reason, 52, max_lines=3, placeholder=" ...")


@dataclass(frozen=True, slots=True)
class Rate:
    """How fast a metric falls, fitted over the last half of the rounds.

    Arguments:
        kind: "sublinear", value of round^-value, or "linear", a factor a round.
        value: of the mean over the runs.
        low, high: of its interval over resampled seeds; None from one run, which has none.
        level: the interval's nominal coverage.
        seeds: how many runs.
    """

    kind: str
    value: float
    low: float | None
    high: float | None
    level: float
    seeds: int

    @property
    def text(self) -> str:
        """The rate as mathtext, with its interval."""
        main = f"$s^{{-{self.value:.4g}}}$" if self.kind == "sublinear" else f"${self.value:.4g}^{{\\,s}}$"
        if self.low is None or self.high is None:
            return f"fit {main} (one run: no interval)"
        ends = f"{number(self.low, 4)} to {number(self.high, 4)}"
        return f"fit {main} ({100 * self.level:.0f}%: {ends}, {self.seeds} seeds)"


def rate(sample: Array, kind: str) -> Rate:
    """The rate of the mean over runs, with an interval refitted over resampled runs.

    Arguments:
        sample: the metric after rounds 0 to T, shape (runs, T + 1).
        kind: "sublinear" or "linear".

    Raises: UnknownName for another kind; InputError for too few rounds, or values that are not positive.

    >>> rate(0.5 ** np.arange(20.0)[None], "linear").value
    0.5
    """
    if kind not in _FITS:
        raise UnknownName("fit", kind, _FITS)
    late = sample[:, sample.shape[1] // 2 :]
    if sample.shape[1] <= _LEAST_ROUNDS:
        raise InputError(
            "fit", f"{sample.shape[1] - 1} rounds", f"at least {_LEAST_ROUNDS}", "run more rounds"
        )
    if not (late > 0).all():
        raise InputError("fit", "values that are not positive", "positive ones over the last half of them",
                         "fit a metric that stays positive")  # fmt: skip
    if len(sample) == 1:
        return Rate(kind, _FITS[kind](sample[0]), None, None, 0.0, 1)
    found = refit(sample, _FITS[kind], np.random.Generator(np.random.Philox(0)), resamples=_RESAMPLES)
    return Rate(kind, found.value, found.low, found.high, found.level, len(sample))


def draw_rate(axes: Axes, sample: Array, kind: str, colour: Any) -> None:
    """The fitted decay of the mean over runs, dotted, over the rounds that it was fitted on."""
    found, mean = rate(sample, kind), sample.mean(axis=0)
    rounds = np.arange(len(mean))[len(mean) // 2 :]
    shape = -found.value * np.log(rounds) if kind == "sublinear" else np.log(found.value) * rounds
    level = np.mean(np.log(mean[len(mean) // 2 :]) - shape)
    axes.plot(rounds, np.exp(shape + level), color=colour, linestyle=":", linewidth=2.6, label=found.text)
