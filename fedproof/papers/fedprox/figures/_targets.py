"""The runs of Appendix E: when FedMSPP, FedProx and FedAvg come to target accuracies, and what it took."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fedproof.figures import style
from fedproof.figures.caption import sentences
from fedproof.figures.comparison import Difference, ratio
from fedproof.figures.curves import legend_above
from fedproof.figures.number_format import listed, number
from fedproof.figures.parameters import real, text, whole
from fedproof.figures.power import seeds_needed
from fedproof.figures.reaching import Series, over
from fedproof.figures.runs import on, run_table
from fedproof.figures.spec import Axis, Column, ComputeContext, Frame, recorded
from fedproof.figures.tasks import DATA_NAMES, name_of
from fedproof.solvers.runs.problem_spec import make_problem_spec
from fedproof.solvers.runs.run_spec import make_run_spec
from fedproof.vocabulary.plurals import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fedproof.figures.runs import Labelled

BASELINES = {"fedprox": "FedProx", "fedavg": "FedAvg"}
PARAMETERS = (
    text("data", "digits"),
    text("model", "perceptron"),
    whole("clients", 20, "devices, each with rows of a few labels"),
    whole("labels", 2, "labels of a device"),
    real("held_out", 0.25, "part of every device's rows that is held out for testing"),
    whole("cohort", 10, "devices that are drawn in a round, all different"),
    whole("batch_size", (10, 7, 1), "b, samples of FedMSPP's minibatches"),
    whole("epochs", 2, "passes of local SGD over the samples that a device works on"),
    whole("sgd_batch", 0, "samples a step of local SGD; 0: all that a device works on", zero=True),
    real("stepsize", 0.25, "of local SGD", zero=False),
    real("mu", 0.1, "weight of the proximal term of FedProx and FedMSPP"),
    real("target", (0.8, 0.9, 0.95), "test accuracies to come to", zero=False),
    whole("rounds", 400),
    whole("seeds", seeds_needed(1.25, 24)),
)
_RECORDED = ("model", "clients", "labels", "held_out", "cohort", "epochs", "sgd_batch", "stepsize", "mu")
COLUMNS = (
    Column("data", "the task's data"),
    Column("method", "fedmspp, fedprox or fedavg"),
    Column("batch_size", "samples of a minibatch; 0 for all samples of a device", "samples"),
    Column("target", "test accuracy to come to"),
    Column("seed", "of split and draws"),
    Column("rounds", "first round at whose end the accuracy is that high; empty if none is", "rounds"),
    Column("samples", "sample gradients evaluated by then, all devices", "samples"),
    Column("all_rounds", "rounds of the run that were finished", "rounds"),
    Column("all_samples", "sample gradients evaluated in all", "samples"),
    Column("per_client", "samples of the median device", "samples"),
    *recorded(PARAMETERS, *_RECORDED),
)
TARGET = Axis("target test accuracy")
TOY = {
    "clients": 5, "cohort": 2, "model": "softmax", "batch_size": [6, 3], "target": [0.3, 0.5], "rounds": 6,
    "seeds": 2,
}  # fmt: skip
BRIEF = {"seeds": 7, "target": [0.8, 0.9], "rounds": 150}


def compute(size: Mapping[str, Any], context: ComputeContext) -> Frame:
    """A row for each method, target and seed."""
    runs = list(_runs(size))
    table = run_table(runs, context)
    given = {name: size[name] for name in _RECORDED}
    per_client = int(np.median(runs[0][1].problem_spec.build().sizes))
    rows = [
        {"method": method, "batch_size": b, "seed": seed, **reached}
        for (method, b, seed), own in table.groupby(["method", "batch_size", "seed"], sort=False)
        for reached in _reached(own, size["target"])
    ]
    found = pd.DataFrame(rows).assign(data=name_of(size["data"]), per_client=per_client, **given)
    return found[[c.name for c in COLUMNS]]


def _runs(size: Mapping[str, Any]) -> Iterator[Labelled]:
    options = {
        "split": "labels", "labels_per_client": size["labels"], "model": size["model"],
        "test_fraction": size["held_out"],
    }  # fmt: skip
    for seed in range(size["seeds"]):
        made = make_problem_spec(size["data"], size["clients"], seed, options)
        for method, b, algorithm, hyper in _methods(size):
            yield {"method": method, "batch_size": b}, make_run_spec(
                algorithm, made, rounds=size["rounds"], seed=seed, metrics=("loss", "test_accuracy"),
                participation=size["cohort"], parameters=hyper,
            )  # fmt: skip


def _methods(size: Mapping[str, Any]) -> Iterator[tuple[str, int, str, dict[str, Any]]]:
    """FedAvg is FedProx with mu = 0; every method has the same local SGD on the samples that it works on."""
    for b in size["batch_size"]:
        yield "fedmspp", b, "fedmspp", {"mu": size["mu"], "b": b, **_local(size, b)}
    for method, mu in (("fedprox", size["mu"]), ("fedavg", 0)):
        yield method, 0, "fedprox", {"mu": mu, **_local(size, math.inf)}


def _local(size: Mapping[str, Any], samples: float) -> dict[str, Any]:
    """Local SGD on at most so many samples."""
    if size["sgd_batch"] == 0:
        return {
            "local_solver": "gradient_descent", "stepsize": size["stepsize"], "local_steps": size["epochs"],
        }  # fmt: skip
    step = int(min(samples, size["sgd_batch"]))
    return {
        "local_solver": "shuffled_epochs", "local_solver.stepsize": size["stepsize"],
        "local_solver.epochs": size["epochs"], "local_solver.batch_size": step,
    }  # fmt: skip


def _reached(run: Frame, targets: Sequence[float]) -> Iterator[dict[str, Any]]:
    """Of one run, the first round that comes to each accuracy."""
    ordered = run.sort_values("round")
    last = ordered.iloc[-1]
    for target in targets:
        there = ordered[ordered.test_accuracy >= target]
        first = there.iloc[0] if len(there) else None
        yield {
            "target": target, "rounds": math.nan if first is None else float(first["round"]),
            "samples": math.nan if first is None else float(first["gradients"]),
            "all_rounds": int(last["round"]), "all_samples": int(last["gradients"]),
        }  # fmt: skip


def series(table: Frame, value: str, method: str, batch_size: int, target: float) -> Series:
    """`rounds` or `samples` of one method to one target, by seed."""
    own = table[(table.method == method) & (table.batch_size == batch_size) & (table.target == target)]
    own = own.set_index("seed").sort_index()
    return Series(own[value], own[value].fillna(own[f"all_{value}"]))


def against_baselines(table: Frame, value: str, times: float = 1.0) -> list[Difference]:
    """FedMSPP over so many times FedProx and FedAvg, for every minibatch and every target."""
    return [
        over(series(table, value, "fedmspp", b, target), series(table, value, other, 0, target), times)
        for target in targets(table)
        for other in BASELINES
        for b in minibatches(table)
    ]


def methods_of(table: Frame) -> list[tuple[str, int]]:
    """FedMSPP from the largest minibatch to the smallest, then the others."""
    pairs = table[["method", "batch_size"]].drop_duplicates().itertuples(index=False)
    return sorted(
        ((str(m), int(b)) for m, b in pairs), key=lambda p: (p[0] != "fedmspp", -p[1], p[0] == "fedavg")
    )


def minibatches(table: Frame) -> list[int]:
    """FedMSPP's batch sizes, the largest first."""
    return [b for method, b in methods_of(table) if method == "fedmspp"]


def targets(table: Frame) -> list[float]:
    """The accuracies, in increasing order."""
    return sorted(float(t) for t in table.target.unique())


def levels(table: Frame, value: str) -> str:
    """Geometric means to every target, and who did not arrive."""
    said = []
    for target in targets(table):
        each = []
        for method, b in methods_of(table):
            one = series(table, value, method, b, target)
            arrived = "" if one.there == len(one.took) else f" ({on(one.there, len(one.took))})"
            each.append(f"{name(method, b)} {_mean(one)}{arrived}")
        said.append(f"to {number(100 * target)} % {listed(each)}")
    return "; ".join(said)


def _mean(one: Series) -> str:
    return number(float(np.exp(np.log(one.took.dropna()).mean()))) if one.there else "never"


def name(method: str, batch_size: int) -> str:
    """A method in words."""
    return BASELINES.get(method) or f"FedMSPP with b = {batch_size}"


def draw(table: Frame, value: str, axis: Axis, ratios_axis: Axis, title: str) -> Figure:
    """What each method took to each target, and FedMSPP's over FedProx's."""
    picture = style.blank(8.2, 3.9)
    bars, ratios = picture.subplots(1, 2, width_ratios=(1.5, 1))
    _bars(bars, table, value)
    _ratios(ratios, table, value)
    for axes in (bars, ratios):
        places = range(len(targets(table)))
        axes.set_xticks(places, [f"{number(100 * t)} %" for t in targets(table)])
        axes.grid(axis="x", visible=False)
        axes.set_xlabel(TARGET.label)
    style.set_axes(bars, None, axis)
    style.set_axes(ratios, None, ratios_axis)
    if ratios_axis.scale == "log":
        style.plain_ticks(ratios.yaxis)
    style.panel_letters([bars, ratios], [title, "FedMSPP and FedAvg over FedProx"])
    legend_above(picture, bars, len(methods_of(table)))
    return picture


def _looks(table: Frame) -> dict[tuple[str, int], tuple[Any, str]]:
    """Colours and marks: minibatches from dark to light, the others by hue."""
    own = style.ordered_colours(len(minibatches(table)) + 1)[1:]
    marks = "osD^v<>ph*"
    looks = {
        ("fedmspp", b): (c, marks[i % 10])
        for i, (b, c) in enumerate(zip(minibatches(table), own, strict=True))
    }
    return looks | {("fedprox", 0): (style.CATEGORIES[1], "X"), ("fedavg", 0): (style.CATEGORIES[3], "P")}


def _places(table: Frame, shown: Sequence[tuple[str, int]], width: float = 0.8) -> dict[tuple[str, int], Any]:
    """Where each method stands, for every target."""
    step = width / len(shown)
    at = np.arange(len(targets(table)))
    return {m: at + (i - (len(shown) - 1) / 2) * step for i, m in enumerate(shown)}


def _bars(axes: Axes, table: Frame, value: str) -> None:
    """Geometric means with their intervals; a bar of which not all runs arrived says how many did."""
    shown = methods_of(table)
    for (method, b), places in _places(table, shown).items():
        colour, _ = _looks(table)[method, b]
        label = BASELINES.get(method) or f"FedMSPP, b = {b}"
        for place, target in zip(places, targets(table), strict=True):
            one = series(table, value, method, b, target)
            if one.there == 0:
                continue
            took = one.took.dropna().clip(lower=1)
            level = ratio(took.to_numpy(), np.ones(len(took)))
            axes.bar(
                place, math.exp(level.mean), 0.8 / len(shown), color=colour, label=label, edgecolor="white"
            )
            style.interval(axes, place, level, style.DARK)
            if one.there < len(one.took):
                above = (place, math.exp(min(level.high, 99)))
                axes.annotate(f"{one.there}/{len(one.took)}", above, xytext=(0, 3), ha="center",
                              textcoords="offset points", fontsize=7)  # fmt: skip
            label = ""


def _ratios(axes: Axes, table: Frame, value: str) -> None:
    """Ratios to FedProx, paired by seed, with their intervals."""
    shown = [m for m in methods_of(table) if m[0] != "fedprox"]
    axes.axhline(1, color=style.CATEGORIES[1], linewidth=1.2)
    for (method, b), places in _places(table, shown, 0.7).items():
        colour, mark = _looks(table)[method, b]
        for place, target in zip(places, targets(table), strict=True):
            found = over(series(table, value, method, b, target), series(table, value, "fedprox", 0, target))
            if math.isfinite(found.mean):
                axes.plot(place, math.exp(found.mean), mark, color=colour, markersize=5)
                style.interval(axes, place, found, colour)


def substituted(table: Frame) -> str:
    """The data, the network and what the paper leaves open."""
    row = table.iloc[0]
    data = DATA_NAMES.get(str(row["data"]), str(row["data"]))
    step = "all samples" if row.sgd_batch == 0 else count(int(row.sgd_batch), "sample")
    return sentences([
        "The paper trains convolutional networks on MNIST and FEMNIST and an LSTM on Sent140.",
        f"Here {data}, {_MODELS.get(str(row.model), row.model)}, {count(int(row.clients), 'device')} with "
        f"{count(int(row.labels), 'label')} and about {int(row.per_client)} training samples each, "
        f"{number(100 * row.held_out)} % held out (the paper: 10 %). Sent140 is left out: it needs a text "
        "model and word vectors that are not shipped.",
        f"b is {listed(map(str, minibatches(table)))} (the paper, on MNIST: 81, 63 and 10 of 567).",
        f"{int(row.epochs)} epochs of local SGD with {step} a step, step size {number(row.stepsize)}, "
        f"μ = {number(row.mu)} (Table 3, on MNIST: 2, all, 0.25 and 0.1, in 200 rounds); FedAvg is FedProx "
        f"with μ = 0. The paper does not say how many devices take part: {int(row.cohort)} a round, all "
        "different, averaged by size.",
        "A sample counts as often as its gradient is evaluated. A target is reached at the first round whose "
        f"test accuracy is that high, within {count(int(table.all_rounds.max()), 'round')}. Where a method "
        "does not get there on all seeds, a sign test decides whether it needs less, such a seed counting "
        "against that; where the other one does not, it counts as what it spent.",
        f"Bars are geometric means over {count(int(table.seed.nunique()), 'seed')} of split and draws, "
        "upright lines 99 % intervals. data=FOLDER and model=cnn with clients, labels, batch_size, "
        "sgd_batch, epochs, stepsize and target of Tables 2 and 3 take the files of MNIST or FEMNIST.",
    ])  # fmt: skip


_MODELS = {
    "perceptron": "a perceptron with 32 hidden units",
    "softmax": "softmax regression",
    "cnn": "a convolutional network",
}
