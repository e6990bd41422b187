"""Runs as the long table that a figure is drawn from, and what is read off that table by seed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fedproof.figures.comparison import Difference
from fedproof.figures.number_format import listed, number
from fedproof.figures.spec import Column, ComputeContext, Frame
from fedproof.solvers.runs.stored_runs import as_numbers
from fedproof.vocabulary.plurals import count

if TYPE_CHECKING:
    from fedproof.solvers.history import History
    from fedproof.solvers.runs.run_spec import RunSpec

RUN_COLUMNS = (
    Column("seed", "of the run, and of the problem's split"),
    Column("round", "global rounds finished", "rounds"),
    Column("loss", "training loss: global loss at the server's model", "loss"),
    Column("test_accuracy", "fraction of the held-out samples classified correctly"),
    Column("gradients", "sample gradients evaluated so far, all clients", "gradients"),
    Column("ended", "finished, or diverged: a loss that is not finite or beyond 1e100"),
)
"""What `run_table` gives beside the labels."""
METRICS = ("loss", "test_accuracy")
Labelled = tuple[Mapping[str, Any], "RunSpec"]
"""What tells a run from the others, and the run; in one table all labels have the same names."""


def rows_of_runs(
    labelled: Sequence[Labelled], context: ComputeContext, rows: Callable[[RunSpec, History], Frame]
) -> Iterator[tuple[Labelled, Frame]]:
    """Every run with its rows.

    Arguments:
        labelled, context: as of `run_table`.
        rows: from a run and its record to its rows; they depend on nothing else but the figure's own size.
    """
    named = [(f"{run.algorithm} on {run.problem_spec.problem}", run.key) for _, run in labelled]
    wanted = [pair for pair, name in zip(labelled, named, strict=True) if context.runs.wants(*name)]
    done = {run.key: history for (_, run), history in executed(wanted, context)} if wanted else {}

    def of(run: RunSpec) -> dict[str, Any]:
        return plain_rows(rows(run, done[run.key]))

    for pair, name in zip(labelled, named, strict=True):
        yield pair, frame_of(context.runs(*name, partial(of, pair[1])))


def plain_rows(frame: Frame) -> dict[str, Any]:
    """A table as JSON: its columns of doubles, every bit of them, and the others.

    >>> import pandas as pd
    >>> plain_rows(pd.DataFrame({"round": [0, 1], "loss": [0.5, math.nan]}))
    {'order': ['round', 'loss'], 'doubles': {'loss': [0.5, 'nan']}, 'others': {'round': [0, 1]}}
    """
    doubles = {name: as_numbers(frame[name]) for name in frame if frame[name].dtype == float}
    others = {name: frame[name].tolist() for name in frame if name not in doubles}
    return {"order": list(frame), "doubles": doubles, "others": others}


def frame_of(plain: Mapping[str, Any]) -> Frame:
    """The table that `plain_rows` wrote.

    >>> empty = {"order": ["round", "loss"], "doubles": {"loss": ["nan"]}, "others": {"round": [0]}}
    >>> frame_of(empty).dtypes.tolist()
    [dtype('int64'), dtype('float64')]
    """
    import pandas as pd

    doubles = {name: [float(v) for v in values] for name, values in plain["doubles"].items()}
    return pd.DataFrame(doubles | plain["others"])[plain["order"]]


def executed(labelled: Sequence[Labelled], context: ComputeContext) -> Iterator[tuple[Labelled, History]]:
    """Every run with its record, done now or kept in the context's folder."""
    from fedproof.solvers.runs.run_specs import execute_run_specs

    runs = [run for _, run in labelled]
    done = execute_run_specs(
        runs, context.folder, workers=context.workers, progress=context.progress, current=True,
        scheduler=context.scheduler,
    )  # fmt: skip
    return zip(labelled, done.histories, strict=True)


def run_table(labelled: Sequence[Labelled], context: ComputeContext) -> Frame:
    """One row for each run and round: the labels' columns, then those of `RUN_COLUMNS`."""
    import pandas as pd

    def rows(run: RunSpec, history: History) -> Frame:
        frame = history.frame.reset_index()
        frame["gradients"] = frame["gradients"].cumsum()
        ended = "diverged" if history.diverged else "finished"
        return frame.assign(ended=ended)[[c.name for c in RUN_COLUMNS if c.name != "seed"]]

    found = rows_of_runs(labelled, context, rows)
    frames = [frame.assign(**labels, seed=run.seed) for (labels, run), frame in found]
    table: Frame = pd.concat(frames, ignore_index=True)
    return table[[*labelled[0][0], *(column.name for column in RUN_COLUMNS)]]


def root_table(
    labelled: Sequence[Labelled],
    context: ComputeContext,
    most_rows: int,
    whole: Callable[[Any], Mapping[str, float]],
) -> Frame:
    """Roots of the runs' one metric over its start, as `optimality`, for every so many rounds and the last.

    Arguments:
        labelled, context: as of `run_table`.
        most_rows: about how many rows of each run.
        whole: from the values after every round, columns that are the same in every row of a run.
    """
    import pandas as pd

    def of(run: RunSpec, history: History) -> Frame:
        (metric,) = run.metrics
        found = relative_root([math.nan if v is None else float(v) for v in history.metrics[metric]])
        rounds = np.arange(len(found))
        rows = np.union1d(rounds[:: max(1, -(-run.rounds // most_rows))], rounds[-1:])
        return pd.DataFrame({"round": rows, "optimality": found[rows]}).assign(**whole(found))

    found = rows_of_runs(labelled, context, of)
    frames = [frame.assign(**labels, seed=run.seed) for (labels, run), frame in found]
    return pd.concat(frames, ignore_index=True)


def relative_root(squares: Sequence[float]) -> Any:
    """Roots over the first of them; 0 throughout where the start is optimal.

    >>> relative_root([4.0, 1.0]).tolist(), relative_root([0.0, 0.0]).tolist()
    ([1.0, 0.5], [0.0, 0.0])
    """
    sizes = np.sqrt(np.asarray(squares, dtype=float))
    return sizes / sizes[0] if sizes[0] else sizes


def still_moving(values: Sequence[float], *, noisy: bool = False) -> bool:
    """Whether a curve moves at its end, on a logarithmic axis.

    It does if its last two fifths differ by a tenth of its range or, unless noisy, span a quarter of it.
    A straight line moves by a fifth of its range from the one to the other; a curve that has come to a floor
    does not.

    >>> still_moving([0.9**k for k in range(50)]), still_moving([0.5**min(k, 9) for k in range(50)])
    (True, False)
    """
    logs = np.log(np.maximum(np.asarray(values, dtype=float), 1e-300))
    fifth = max(1, (len(logs) - 1) // 5)
    before, last, whole = logs[-2 * fifth : -fifth], logs[-fifth:], np.ptp(logs)
    if not len(before) or whole == 0:
        return False
    step = abs(np.median(last) - np.median(before))
    return bool(step >= 0.1 * whole or (not noisy and np.ptp(logs[-2 * fifth :]) > 0.25 * whole))


def last_rounds(runs: Frame) -> Frame:
    """The last recorded round of every seed, by seed."""
    return runs.sort_values("round").groupby("seed").last()


def finished(runs: Frame) -> Frame:
    """The last round of the runs that did not diverge, by seed."""
    return last_rounds(runs[runs.ended == "finished"])


def fluctuation(table: Frame) -> Frame:
    """By seed: the mean of |second difference| of the loss over the second half of the rounds."""
    late = table[table["round"] >= table["round"].max() / 2].sort_values("round")
    return late.groupby("seed")["loss"].apply(lambda loss: loss.diff().diff().abs().mean())


def paired(test: Callable[[Any, Any], Difference], first: Frame, second: Frame) -> Difference:
    """Two columns by seed, compared on the seeds that both have."""
    both = first.index.intersection(second.index)
    return test(first[both], second[both])


def ratio_by_round(own: Frame, other: Frame, value: str) -> Frame:
    """By round, the geometric mean over seeds of one run's value over another's, where both were finished."""
    first, second = (
        runs[runs.ended == "finished"].set_index(["round", "seed"])[value] for runs in (own, other)
    )
    return np.exp(np.log(first / second).groupby("round").mean())


def lost_runs(table: Frame, labels: Sequence[str]) -> str:
    """How many runs diverged, and of which methods; nothing where none did."""
    ends = table[["method", *labels, "seed", "ended"]].drop_duplicates()
    lost = ends[ends.ended == "diverged"]
    if lost.empty:
        return ""
    methods = listed(f"{method} ({n})" for method, n in lost.method.value_counts().items())
    return f"{len(lost)} of {count(len(ends), 'run')} diverged and are left out: {methods}."


def spread_of(values: Any) -> str:
    """Median and quartiles of what is known.

    >>> spread_of([3.0, math.nan, 1.0, 2.0]), spread_of([])
    ('2 (1.5 to 2.5)', 'none')
    """
    known = np.asarray(values, dtype=float)
    known = known[~np.isnan(known)]
    if not len(known):
        return "none"
    low, middle, high = (number(float(v)) for v in np.quantile(known, (0.25, 0.5, 0.75)))
    return middle if low == high else f"{middle} ({low} to {high})"


def on(seeds: int, of: int) -> str:
    """On how many of the seeds.

    >>> on(3, 3), on(0, 3), on(2, 3), on(1, 1)
    ('on all 3 seeds', 'on none of 3 seeds', 'on 2 of 3 seeds', 'on 1 of 1 seed')
    """
    if seeds == 0:
        return f"on none of {count(of, 'seed')}"
    return f"on all {count(of, 'seed')}" if seeds == of and of > 1 else f"on {seeds} of {count(of, 'seed')}"
