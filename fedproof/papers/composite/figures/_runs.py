"""Runs on sparse logistic regression as the table of Figs. 2 and 3, and how their curves look."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fedproof.figures.spec import Axis, Column, ComputeContext, Frame
from fedproof.solvers.runs.problem_spec import ProblemSpec, make_problem_spec

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fedproof.solvers.runs.run_spec import RunSpec

OPTIMALITY = "squared_prox_gradient"
_LEAST = 2.2e-16
"""Where a picture draws smaller numbers, 0 among them: the rounding of a float."""
COLUMNS = (
    Column("method", "ours, another method, or ours with one change"),
    Column("tau", "local steps", "steps"),
    Column("L", "smoothness of every f_i, reached by multiplying all features by one number"),
    Column("seed", "of data and run"),
    Column("stepsize", "eta; 1/gamma of Fast-FedDA", "length^2/loss"),
    Column("server_stepsize", "eta_g; 1 where the method has none"),
    Column("round", "global rounds finished", "rounds"),
    Column("optimality", "|G| at the server's model over |G| at the start, G with the method's own step"),
)
AXES = {"round": Axis("round"), "optimality": Axis("optimality", "log")}


def problem_spec(size: Mapping[str, Any], seed: int, smoothness: float) -> ProblemSpec:
    """The data of Sec. 4.1 with this seed, their features scaled to this L."""
    options = {
        "alpha": size["heterogeneity"], "beta": size["heterogeneity"], "dimension": size["dimension"],
        "samples": size["samples"], "penalty_weight": size["penalty_weight"], "smoothness": smoothness,
    }  # fmt: skip
    return make_problem_spec("sparse_logistic", size["clients"], seed, options)


def optimality_table(
    labelled: Sequence[tuple[Mapping[str, Any], RunSpec]],
    context: ComputeContext,
    kept: int,
    whole: Callable[[Any], Mapping[str, float]],
) -> Frame:
    """One row for each run and every so many rounds, the last of them always; columns as in `COLUMNS`.

    The columns that `whole` gives follow; they are the same in every row of a run.

    Arguments:
        labelled: what tells a run from the others, and the job, whose metric is `OPTIMALITY`.
        desk: who is told, where runs are kept, how many workers.
        kept: about how many rows of each run.
        whole: from the optimality after every round what is said of the run.
    """
    from fedproof.solvers.runs.run_specs import execute_run_specs

    done = execute_run_specs(
        [job for _, job in labelled], context.folder, workers=context.workers, progress=context.progress
    )
    frames = []
    for (labels, job), history in zip(labelled, done.histories, strict=True):
        found = relative([math.nan if v is None else float(v) for v in history.metrics[OPTIMALITY]])
        rounds = np.arange(len(found))
        rows = np.union1d(rounds[:: max(1, -(-job.rounds // kept))], rounds[-1:])
        frame = pd.DataFrame({"round": rows, "optimality": found[rows]})
        frames.append(frame.assign(**labels, seed=job.seed, **whole(found)))
    return pd.concat(frames, ignore_index=True)


def relative(squares: Sequence[float]) -> Any:
    """|G| over its first value; 0 throughout where the start is optimal.

    >>> relative([4.0, 1.0]).tolist(), relative([0.0, 0.0]).tolist()
    ([1.0, 0.5], [0.0, 0.0])
    """
    sizes = np.sqrt(np.asarray(squares, dtype=float))
    return sizes / sizes[0] if sizes[0] else sizes


@dataclass(frozen=True, slots=True)
class CurveStyle:
    """How a method is drawn.

    Arguments:
        label: in the legend.
        colour, style, width: of its curve.
    """

    label: str
    colour: str
    style: str = "-"
    width: float = 1.5


def curves(axes: Axes, table: Frame, looks: Mapping[tuple[str, int], CurveStyle]) -> None:
    """Medians over seeds, and bands from the first to the third quartile, on a logarithmic axis.

    Arguments:
        axes: where.
        table: with `method`, `tau`, `round` and `optimality`.
        looks: by method and tau, those to be drawn.
    """
    for (method, tau), look in looks.items():
        runs = table[(table.method == method) & (table.tau == tau)]
        by_round = runs.assign(optimality=runs.optimality.clip(lower=_LEAST)).groupby("round").optimality
        low, high = by_round.quantile(0.25), by_round.quantile(0.75)
        axes.fill_between(low.index, low, high, color=look.colour, alpha=0.15, linewidth=0)
        axes.plot(
            by_round.median(), color=look.colour, linestyle=look.style, linewidth=look.width, label=look.label
        )
    axes.set_yscale("log")
    axes.margins(x=0)


def seed_curves(axes: Axes, table: Frame, looks: Mapping[tuple[str, int], CurveStyle]) -> None:
    """The first seed as a heavy line and every other as a light one; arguments as of `curves`."""
    first = table.seed.iloc[0]
    for (method, tau), look in looks.items():
        runs = table[(table.method == method) & (table.tau == tau)]
        for seed, own in runs.groupby("seed"):
            heavy = seed == first
            axes.plot(
                own["round"], own.optimality.clip(lower=_LEAST), color=look.colour,
                linestyle=look.style if heavy else "-", linewidth=look.width if heavy else 0.7,
                alpha=1 if heavy else 0.35, zorder=3 if heavy else 2, label=look.label if heavy else None,
            )  # fmt: skip
    axes.set_yscale("log")
    axes.margins(x=0)


def legend_below(axes: Axes) -> None:
    """A legend in two columns under the panel."""
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.19), ncols=2, fontsize=9, handlelength=2.6,
                labelspacing=0.25, columnspacing=1.4)  # fmt: skip
