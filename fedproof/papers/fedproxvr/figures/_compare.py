"""FedProxVR against FedAvg for several (beta, tau): what Figs. 2 and 3 share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fedproof.figures.number_format import number
from fedproof.figures.paired import Difference, difference
from fedproof.figures.runs import METRICS, RUN_COLUMNS, run_table
from fedproof.figures.spec import Axis, Column, ComputeContext, Frame
from fedproof.papers.fedproxvr.figures._tasks import TASK, name_of, task
from fedproof.solvers.parameters import whole_number
from fedproof.solvers.runs.run_spec import RunSpec, make_run_spec
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = (
    Column("data", "the task's data"),
    Column("beta", "step-size parameter, stepsize = 1/(beta L)"),
    Column("tau", "local steps", "steps"),
    Column("method", "fedavg, or the estimator of FedProxVR"),
    Column("way", "printed: a random local iterate; code: the last of tau steps; or fedavg's own"),
    *RUN_COLUMNS,
    Column("mu", "weight of the proximal term; none in FedAvg", "loss/length^2"),
    Column("batch_size", "samples a step", "samples"),
    Column("L", "smoothness in stepsize = 1/(beta L); empty: each problem's certified one", "loss/length^2"),
    TASK,
)  # fmt: skip
AXES = {
    "round": Axis("round"),
    "loss": Axis(r"training loss $\bar F$"),
    "test_accuracy": Axis("test accuracy"),
}
ESTIMATORS = {"svrg": "SVRG", "sarah": "SARAH"}
CONTROL = "sgd"
"""FedProxVR without variance reduction: the same full first step, number of steps and proximal term."""
WAYS = {"printed": {"returned": "random"}, "code": {"returned": "last", "counted": "all"}}
"""Algorithm 1 as printed, and as the authors' published code runs it: the last of tau steps."""


def settings(size: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The pairs (beta, tau) of a size, written beta:tau.

    Raises: InputError for what is not two numbers.
    """
    found = []
    for text in size["settings"]:
        beta, colon, tau = text.partition(":")
        if not colon or parse_value(beta, "beta") <= 0:
            raise InputError("settings", text, "beta:tau with beta > 0, such as 5:10")
        found.append((beta, str(whole_number("local_steps", tau))))
    return found


def compute(size: Mapping[str, Any], context: ComputeContext) -> Frame:
    """One history for each data set, setting, method and seed; a seed fixes the split too."""
    table = run_table(list(_jobs(size)), context)
    return table.assign(mu=size["mu"], batch_size=size["batch_size"])[[c.name for c in COLUMNS]]


def _jobs(size: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], RunSpec]]:
    for place, data in enumerate(size["data"]):
        smooth = size["L"][min(place, len(size["L"]) - 1)]
        for seed in range(size["seeds"]):
            problem_spec, words = task(data, size, seed)
            known = {"recipe": problem_spec, "rounds": size["rounds"], "seed": seed}
            for beta, tau in settings(size):
                common = {"beta": beta, "tau": tau, "batch_size": size["batch_size"]}
                common |= {"L": smooth} if smooth else {}
                labels = {"data": name_of(data), "beta": float(beta), "tau": int(tau), "task": words,
                          "L": smooth or math.nan}  # fmt: skip
                for method, way, hyper in _methods(size):
                    algorithm = "fedavg" if method == "fedavg" else "fedproxvr"
                    job = _job(algorithm, common | hyper, **known)
                    yield {**labels, "method": method, "way": way}, job


def _methods(size: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    yield "fedavg", "fedavg", {}
    for estimator in ESTIMATORS:
        for way, options in WAYS.items():
            yield estimator, way, {**options, "estimator": estimator, "mu": size["mu"]}
    yield CONTROL, "code", {**WAYS["code"], "estimator": "sgd", "mu": size["mu"]}


def _job(algorithm: str, hyper: Mapping[str, Any], problem_spec: Any, rounds: int, seed: int) -> RunSpec:
    return make_run_spec(algorithm, problem_spec, rounds=rounds, seed=seed, metrics=METRICS, parameters=hyper)


def draw(table: Frame) -> Figure:
    """Loss and test accuracy of every data set in rows, a column for each (beta, tau)."""
    from fedproof.figures.style import blank, house_style, panel_letters, set_axes

    columns = list(table[["beta", "tau"]].drop_duplicates().itertuples(index=False))
    rows = [(data, metric) for data in table["data"].unique() for metric in METRICS]
    with house_style():
        picture = blank(7.6, 0.6 + 1.75 * len(rows))
        panels = picture.subplots(len(rows), len(columns), sharex=True, sharey="row", squeeze=False)
        titles = []
        for line, (data, metric) in zip(panels, rows, strict=True):
            for axes, (beta, tau) in zip(line, columns, strict=True):
                chosen = table[(table["data"] == data) & (table.beta == beta) & (table.tau == tau)]
                _curves(axes, chosen, metric)
                titles.append(f"{data}, β = {number(beta)}, τ = {tau}")
            set_axes(line[0], None, AXES[metric])
        for axes in panels[-1]:
            set_axes(axes, AXES["round"], None)
        panel_letters(list(panels.ravel()), titles, size=9)
        picture.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
        return picture


def _curves(axes: Axes, table: Frame, metric: str) -> None:
    """Means over seeds, and as bands from the first to the third quartile."""
    from fedproof.figures.style import CATEGORIES

    # Marks at staggered rounds: curves that lie on each other all stay visible.
    marks = {"fedavg": "", "svrg": "o", "sarah": "s", CONTROL: "^"}
    colours = dict(zip(marks, CATEGORIES, strict=True))
    every = max(int(table["round"].max()) // 6, 1)
    for (method, way), runs in table.groupby(["method", "way"], sort=False):
        by_round = runs.groupby("round")[metric]
        low, high = by_round.quantile(0.25), by_round.quantile(0.75)
        printed = way == "printed"
        axes.fill_between(low.index, low, high, color=colours[method], alpha=0.12, linewidth=0)
        axes.plot(
            by_round.mean(), linestyle="--" if printed else "-", color=colours[method],
            linewidth=1.2 if marks[method] else 4, alpha=1 if marks[method] else 0.45,
            marker=marks[method], markersize=4.5, markeredgecolor="white", markeredgewidth=0.6,
            markevery=(list(marks).index(method) * every // 4, every), label=_label(method, printed),
        )  # fmt: skip
    axes.margins(x=0)


def _label(method: str, printed: bool) -> str:
    if method == "fedavg":
        return "FedAvg"
    return f"FedProxVR, {ESTIMATORS.get(method, 'SGD')}" + (", printed" if printed else "")


def fluctuation(table: Frame) -> Frame:
    """By seed: the mean of |second difference| of the loss over the second half of the rounds."""
    late = table[table["round"] >= table["round"].max() / 2].sort_values("round")
    return late.groupby("seed")["loss"].apply(lambda loss: loss.diff().diff().abs().mean())


def last_rounds(runs: Frame) -> Frame:
    """The last recorded round of every seed, by seed."""
    return runs.sort_values("round").groupby("seed").last()


def gap(own: Frame, other: Frame) -> Difference:
    """The final loss of one set of runs less that of another, on the seeds where both were finished."""
    first, second = (last_rounds(runs[runs.ended == "finished"]).loss for runs in (own, other))
    both = first.index.intersection(second.index)
    return difference(first[both], second[both])


@dataclass(frozen=True)
class Compared:
    """One estimator, run in one way, against other methods in one setting.

    Arguments:
        data, beta, tau, method, way: which.
        loss: its loss after the last round less FedAvg's.
        reduced: its loss after the last round less that of the control, the same without variance reduction;
            None for Algorithm 1 as printed, whose control is not run.
    """

    data: str
    beta: float
    tau: int
    method: str
    way: str
    loss: Difference
    reduced: Difference | None


def compared(table: Frame) -> tuple[Compared, ...]:
    """Every comparison that the table holds; seeds on which a run diverged are left out of its own."""
    found = []
    for (data, beta, tau), runs in table.groupby(["data", "beta", "tau"], sort=False):
        base, control = (runs[runs.method == name] for name in ("fedavg", CONTROL))
        ours = runs[runs.method.isin(list(ESTIMATORS))]
        for (method, way), own in ours.groupby(["method", "way"], sort=False):
            reduced = None if way == "printed" else gap(own, control)
            found.append(Compared(data, beta, tau, method, way, gap(own, base), reduced))
    return tuple(found)
