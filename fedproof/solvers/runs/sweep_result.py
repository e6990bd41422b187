"""What a sweep leaves: every run's history, and their quantiles over the seeds."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fedproof.solvers.history import History
from fedproof.solvers.history_file import COUNTS
from fedproof.solvers.runs.run_spec import RunSpec
from fedproof.vocabulary.discovery import plot_of
from fedproof.vocabulary.errors import ClusterLost
from fedproof.vocabulary.result import Result, Table, cell, jsonable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Point = Mapping[str, Any]
_QUARTILES = (0.25, 0.5, 0.75)
_SHOWN = 40


@dataclass(frozen=True, eq=False)
class RunResults:
    """What became of a list of run specifications.

    Arguments:
        jobs: the run specifications, in the order asked for; after an interrupt those that were finished.
        histories: of each.
        found: how many of them lay in the folder already.
        notes: what to know before trusting them: files that could not be read, runs that other versions made.
        interrupted: stopped from outside before all were finished.
        lost: the cluster that did them and is gone, where that is what stopped them.
    """

    jobs: tuple[RunSpec, ...] = field(repr=False)
    histories: tuple[History, ...] = field(repr=False)
    found: int = 0
    notes: tuple[str, ...] = ()
    interrupted: bool = False
    lost: ClusterLost | None = None


@dataclass(frozen=True, eq=False)
class Sweep(RunResults, Result):
    """The runs of a sweep, setting by setting, seeds within a setting.

    Arguments:
        points: of each run the hyper-parameters that were varied, as they were spelled.
        requested: how many runs were asked for.
    """

    points: tuple[Point, ...] = field(repr=False, kw_only=True)
    requested: int = field(kw_only=True)

    @property
    def frame(self) -> Any:
        """One row per run and round as a pandas table: run number, varied parameters, seed, round, values.

        `run` is the place in `histories`.
        """
        import pandas as pd

        rows = [
            {"run": place, **point, "seed": history.seed, "round": r}
            | {name: values[r] for name, values in history.metrics.items()}
            | {name: (0, *getattr(history, name))[r] for name in COUNTS}
            | {"diverged": history.diverged}
            for place, (point, history) in enumerate(zip(self.points, self.histories, strict=True))
            for r in range(history.rounds + 1)
        ]
        return pd.DataFrame(rows)

    def summary(
        self, quantiles: tuple[float, float, float] = _QUARTILES, *, every_round: bool = False
    ) -> Any:
        """One row per setting as a pandas table: of each metric the median over seeds, a low and a high.

        Arguments:
            quantiles: those called low, the metric's own name, and high.
            every_round: one row per setting and round instead of the last round asked for.

        Returns: columns of the varied parameters, `round`, `runs` (how many reached it), `diverged`, and for
            each metric m: m, m_low, m_high. Diverged runs count in `diverged` alone.
        """
        import pandas as pd

        rows = []
        for point, histories in self.settings():
            last = max(h.requested for h in histories)
            for r in range(last + 1) if every_round else (last,):
                rows.append({**point, **_spread(histories, r, quantiles)})
        return pd.DataFrame(rows)

    def plot(
        self,
        ax: Axes | None = None,
        metric: str | None = None,
        *,
        bound: Any = None,
        header: Mapping[str, Any] | str | os.PathLike[str] | None = None,
        fit: str | None = None,
    ) -> Axes:
        """Draw a metric against rounds: the median over each setting's seeds, quartiles as a band.

        Arguments: as `History.plot` takes them. A bound is drawn for each setting in its colour, beside the
            mean over the seeds of what it bounds; a fit is of the mean, its interval over resampled seeds.

        Returns: the axes.
        Raises: as `History.plot`; InputError for a sweep without a finished run.

        >>> import fedproof as fp
        >>> sweep = fp.sweep("fedavg", "quadratic", grid={"tau": [2, 4]}, beta=5, rounds=3, seeds=2)
        >>> [text.get_text() for text in sweep.plot().get_legend().get_texts()]
        ['tau=2', 'tau=4']
        """
        drawn: Axes = plot_of("sweep")(self, ax, metric, bound, header, fit)
        return drawn

    def headline(self) -> str:
        """How many runs of what, and which setting came out best."""
        if not self.histories:
            return f"0 of {self.requested} runs (interrupted)"
        first = self.histories[0]
        settings = list(self.settings())
        done = f"{len(self.histories)} of {self.requested} runs" + " (interrupted)" * self.interrupted
        many = f"{len(settings)} setting" + "s" * (len(settings) > 1)
        said = [f"{first.algorithm} on {first.problem}: {done}, {many}, {first.requested} rounds"]
        diverged = sum(h.diverged for h in self.histories)
        said += [f"{self.found} found in the folder"] * bool(self.found)
        said += [f"{diverged} diverged"] * bool(diverged)
        return "; ".join([*said, *self._best(settings)])

    def tables(self) -> tuple[Table, ...]:
        """Median and quartiles of every metric after the last round, a row a setting; the notes."""
        settings = list(self.settings())
        if not settings:
            return ()
        names = list(self.histories[0].metrics)
        varied = list(settings[0][0])
        rows = [
            (*point.values(), found["runs"], found["diverged"], *_cells(found, names))
            for point, histories in settings[:_SHOWN]
            for found in [_spread(histories, histories[0].requested, _QUARTILES)]
        ]
        title = f"median (quartiles) over seeds, after {self.histories[0].requested} rounds"
        if len(settings) > _SHOWN:
            title += f" (first {_SHOWN} of {len(settings)} settings; .summary() has all)"
        table = Table(title, (*varied, "runs", "diverged", *names), tuple(rows))
        notes = Table("notes", ("",), tuple((note,) for note in self.notes))
        return (table, notes) if self.notes else (table,)

    def to_dict(self) -> dict[str, Any]:
        """The contract's `sweep` document: settings with their quantiles, and every run whole."""
        settings = [
            {"point": dict(point), **_spread(histories, histories[0].requested, _QUARTILES)}
            for point, histories in self.settings()
        ]
        runs = [
            {"point": dict(point), "key": spec.key, **history.to_dict()}
            for point, spec, history in zip(self.points, self.jobs, self.histories, strict=True)
        ]
        document: dict[str, Any] = jsonable(
            {
                "requested": self.requested,
                "found": self.found,
                "interrupted": self.interrupted,
                "notes": self.notes,
                "settings": settings,
                "runs": runs,
            }
        )
        return document

    def settings(self) -> Iterator[tuple[Point, list[History]]]:
        """Each setting with its runs, one a seed."""
        groups: dict[tuple[Any, ...], list[int]] = {}
        for place, point in enumerate(self.points):
            groups.setdefault(tuple(point.items()), []).append(place)
        for places in groups.values():
            yield self.points[places[0]], [self.histories[i] for i in places]

    def _best(self, settings: Sequence[tuple[Point, list[History]]]) -> list[str]:
        name = next(iter(self.histories[0].metrics))
        sign = -1 if name.endswith("accuracy") else 1
        found = [(p, _spread(hs, hs[0].requested, _QUARTILES)) for p, hs in settings]
        sound = [(p, s[name]) for p, s in found if not s["diverged"] and s[name] is not None]
        if self.interrupted or len(settings) < 2 or not sound:
            return []
        point, value = min(sound, key=lambda entry: sign * entry[1])
        where = " ".join(f"{k}={cell(v)}" for k, v in point.items())
        return [f"{'greatest' if sign < 0 else 'least'} median {name} {cell(value)} at {where}"]


def _spread(histories: Sequence[History], r: int, quantiles: tuple[float, float, float]) -> dict[str, Any]:
    """Quantiles over the runs that reached round r."""
    there = [h for h in histories if h.rounds >= r]
    row: dict[str, Any] = {"round": r, "runs": len(there), "diverged": len(histories) - len(there)}
    for name in histories[0].metrics:
        values = [float(h.metrics[name][r]) for h in there if h.metrics[name][r] is not None]
        low, middle, high = np.quantile(values, quantiles).tolist() if values else (None, None, None)
        row |= {name: middle, f"{name}_low": low, f"{name}_high": high}
    return row


def _cells(row: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    for name in names:
        low, middle, high = (row[k] for k in (f"{name}_low", name, f"{name}_high"))
        yield cell(None) if middle is None else f"{middle:.5g} ({low:.4g}, {high:.4g})"
