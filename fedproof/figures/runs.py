"""Runs as the long table that a figure is drawn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fedproof.figures.spec import Column, ComputeContext, Frame

if TYPE_CHECKING:
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


def run_table(labelled: Sequence[tuple[Mapping[str, Any], RunSpec]], context: ComputeContext) -> Frame:
    """One row for each run and round.

    Arguments:
        labelled: what tells a run from the others, and the job; all labels have the same names.
        desk: who is told, where runs are kept, how many workers.

    Returns: the labels' columns, then those of `RUN_COLUMNS`.
    """
    import pandas as pd

    from fedproof.solvers.runs.run_specs import execute_run_specs

    done = execute_run_specs(
        [job for _, job in labelled], context.folder, workers=context.workers, progress=context.progress
    )
    frames = []
    for (labels, job), history in zip(labelled, done.histories, strict=True):
        frame = history.frame.reset_index()
        frame["gradients"] = frame["gradients"].cumsum()
        ended = "diverged" if history.diverged else "finished"
        frames.append(frame.assign(**labels, seed=job.seed, ended=ended))
    table: Frame = pd.concat(frames, ignore_index=True)
    return table[[*labelled[0][0], *(column.name for column in RUN_COLUMNS)]]
