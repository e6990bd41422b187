"""The best hyper-parameters of every method by random search: what Tables 1 and 2 share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from fedproof.figures.fedproxvr._compare import ESTIMATORS, WAYS
from fedproof.figures.fedproxvr._tasks import TASK, name_of, task
from fedproof.figures.paired import LEVEL, Difference, decided, difference
from fedproof.figures.runs import run_table
from fedproof.figures.spec import Axis, Column, Desk, Frame
from fedproof.figures.words import count, listed, number
from fedproof.solvers.job import Job, make_job

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "AXES",
    "COLUMNS",
    "METHODS",
    "Outcome",
    "agreement",
    "compute",
    "draw",
    "outcomes",
    "printed",
    "searched",
    "seen",
]

COLUMNS = (
    Column("data", "the task's data; paper for the values that it prints"),
    Column("method", "fedavg, or the estimator of FedProxVR"),
    Column("stage", "search: one drawn setting; final: the best one on fresh seeds; paper: as printed"),
    Column("tau", "local steps", "steps"),
    Column("beta", "step-size parameter, stepsize = 1/(beta L)"),
    Column("mu", "weight of the proximal term; 0 in FedAvg", "loss/length^2"),
    Column("batch_size", "samples a step", "samples"),
    Column("seed", "of data, split and draws"),
    Column("rounds", "rounds after which the accuracy is read", "rounds"),
    Column("accuracy", "test accuracy"),
    TASK,
    Column("tried", "settings drawn for each method"),
)
AXES = {"accuracy": Axis("test accuracy (%)")}
METHODS = {"fedavg": "FedAvg"} | {name: f"FedProxVR ({label})" for name, label in ESTIMATORS.items()}
_NAMES = ("tau", "beta", "mu", "batch_size")


def printed(table: str) -> Iterator[dict[str, Any]]:
    """The rows of the paper's table, from its settings."""
    from fedproof.bounds.papers.fedproxvr.settings import SETTINGS

    for setting in SETTINGS:
        where, _, name = setting.where.partition(", ")
        if where == table:
            own, extra = dict(setting.parameters), dict(setting.extra)
            yield {
                "data": "paper", "stage": "paper", "method": name.lower(), "seed": 0, "task": "as printed",
                "tried": 0,
                "tau": int(own["tau"]), "beta": float(own["beta"]), "mu": float(own["mu"]),
                "batch_size": int(extra["batch_size"]), "rounds": int(extra["rounds"]),
                "accuracy": float(extra["accuracy"]),
            }  # fmt: skip


def compute(size: Mapping[str, Any], desk: Desk, table: str) -> Frame:
    """Search on some seeds, then the best setting of each method on fresh ones, and the paper's rows."""
    import pandas as pd

    drawn = list(_drawn(size))
    seeds = range(size["search_seeds"])
    search = run_table([job for key in drawn for job in _jobs(size, *key, seeds)], desk)
    best = {key: _best(rows) for key, rows in search.groupby(["data", "method"], sort=False)}
    fresh = range(size["search_seeds"], size["search_seeds"] + size["seeds"])
    chosen = [
        job
        for data, method, hyper in drawn
        if hyper == best[name_of(data), method][0]
        for job in _jobs(size, data, method, hyper, fresh)
    ]
    final = run_table(chosen, desk)
    read = [{"data": data, "method": method, "read": at} for (data, method), (_, at) in best.items()]
    final = final.merge(pd.DataFrame(read))
    final = final[final["round"] == final["read"]]
    last = search[search["round"] == search.groupby([*_KEY, "seed"])["round"].transform("max")]
    rows = [
        frame.assign(stage=stage).rename(columns={"round": "rounds", "test_accuracy": "accuracy"})
        for frame, stage in ((last, "search"), (final, "final"))
    ]
    whole = pd.concat([*rows, pd.DataFrame(printed(table))], ignore_index=True)
    ours = whole.stage != "paper"
    whole.loc[ours, "tried"] = size["tried"]
    return whole[[c.name for c in COLUMNS]].astype({"tried": int, "rounds": int})


_KEY = ["data", "method", *_NAMES]


def _drawn(size: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The settings to be tried: the same for every data set, drawn without repetition for each method."""
    for data in size["data"]:
        for place, method in enumerate(METHODS):
            mus = [0.0] if method == "fedavg" else size["mu"]
            every = list(product(size["tau"], size["beta"], mus, size["batch_size"]))
            rng = np.random.Generator(
                np.random.Philox(key=np.array([size["search"], place], dtype=np.uint64))
            )
            for i in sorted(rng.permutation(len(every))[: size["tried"]]):
                yield data, method, dict(zip(_NAMES, every[i], strict=True))


def _jobs(
    size: Mapping[str, Any], data: str, method: str, hyper: Mapping[str, Any], seeds: range
) -> Iterator[tuple[dict[str, Any], Job]]:
    place = size["data"].index(data)
    smooth = size["L"][min(place, len(size["L"]) - 1)]
    given = {k: v for k, v in hyper.items() if method != "fedavg" or k != "mu"}
    given |= {"L": smooth} if smooth else {}
    given |= {} if method == "fedavg" else {"estimator": method, **WAYS["code"]}
    for seed in seeds:
        recipe, words = task(data, size, seed)
        job = make_job(
            "fedavg" if method == "fedavg" else "fedproxvr", recipe, rounds=size["rounds"], seed=seed,
            parameters=given, metrics=("loss", "test_accuracy"),
        )  # fmt: skip
        yield {"data": name_of(data), "method": method, **hyper, "task": words}, job


def _best(rows: Frame) -> tuple[dict[str, Any], int]:
    """The setting and the round of the highest mean accuracy over the search's seeds."""
    means = rows.groupby([*_NAMES, "round"], sort=False).test_accuracy.mean()
    *hyper, at = means.idxmax()
    tau, beta, mu, batch = hyper
    return {"tau": int(tau), "beta": float(beta), "mu": float(mu), "batch_size": int(batch)}, int(at)


@dataclass(frozen=True)
class Outcome:
    """A method's best setting on one data set.

    Arguments:
        data, method: which.
        setting: its hyper-parameters and the rounds.
        accuracies: test accuracy on the fresh seeds.
        gain: over FedAvg's, paired by seed; None for FedAvg itself.
    """

    data: str
    method: str
    setting: Mapping[str, Any]
    accuracies: tuple[float, ...]
    gain: Difference | None


def outcomes(table: Frame) -> tuple[Outcome, ...]:
    """What the fresh seeds show, by data set and method."""
    found, final = [], table[table.stage == "final"]
    for data, rows in final.groupby("data", sort=False):
        base = rows[rows.method == "fedavg"].set_index("seed").accuracy
        for method in METHODS:
            own = rows[rows.method == method].set_index("seed")
            setting = {name: own[name].iloc[0] for name in (*_NAMES, "rounds")}
            gain = None if method == "fedavg" else difference(own.accuracy.reindex(base.index), base)
            found.append(Outcome(data, method, setting, tuple(own.accuracy), gain))
    return tuple(found)


def draw(table: Frame) -> Figure:
    """Every seed's accuracy with the mean, and beneath it the table in the paper's layout."""
    from fedproof.figures.style import blank, house_style, set_axes

    results = outcomes(table)
    names = list(dict.fromkeys(o.data for o in results))
    with house_style():
        picture = blank(7.2, 4.6)
        parts = picture.subfigures(2, 1, height_ratios=[1.15, 1], squeeze=False)
        above, below = parts[0, 0], parts[1, 0]
        panels = above.subplots(1, len(names), squeeze=False)[0]
        for axes, data in zip(panels, names, strict=True):
            _points(axes, [o for o in results if o.data == data], data)
        set_axes(panels[0], None, AXES["accuracy"])
        _layout(below.subplots(), table, results)
        return picture


def _points(axes: Axes, results: list[Outcome], data: str) -> None:
    from fedproof.figures.style import CATEGORIES

    for place, (one, colour) in enumerate(zip(results, CATEGORIES, strict=False)):
        values = 100 * np.array(one.accuracies)
        spread = np.linspace(-0.15, 0.15, len(values)) if len(values) > 1 else np.zeros(1)
        axes.plot(place + spread, values, "o", color=colour, markersize=4, alpha=0.6)
        axes.hlines(values.mean(), place - 0.3, place + 0.3, color=colour)
    axes.set_xticks(range(len(results)), [METHODS[o.method].replace(" (", "\n(") for o in results])
    axes.set_title(f"{data}, {count(len(results[0].accuracies), 'fresh seed')}", loc="left")
    axes.grid(axis="x", visible=False)


def _layout(axes: Axes, table: Frame, results: tuple[Outcome, ...]) -> None:
    """Rows as in the paper: method, tau, beta, mu, B, T, accuracy."""
    axes.set_axis_off()
    head = ["data", "algorithm", "τ", "β", "μ", "B", "T", "accuracy (%)"]
    rows = [
        [o.data, METHODS[o.method], *(number(float(o.setting[n])) for n in (*_NAMES, "rounds")),
         f"{100 * np.mean(o.accuracies):.2f} ± {_error(o.accuracies)}"]
        for o in results
    ]  # fmt: skip
    rows += [
        ["paper", METHODS[r.method], *(number(float(getattr(r, n))) for n in (*_NAMES, "rounds")),
         f"{100 * r.accuracy:.2f}"]
        for r in table[table.stage == "paper"].itertuples()
    ]  # fmt: skip
    drawn = axes.table(rows, colLabels=head, loc="center", cellLoc="left", colLoc="left", edges="horizontal",
                       colWidths=[0.13, 0.24, 0.07, 0.08, 0.09, 0.07, 0.08, 0.2])  # fmt: skip
    drawn.auto_set_font_size(False)
    drawn.set_fontsize(9.5)
    for cell in drawn.get_celld().values():
        cell.set_linewidth(0.4)
        cell.PAD = 0.03


def _error(values: tuple[float, ...]) -> str:
    """Standard error of the mean, in per cent."""
    return f"{100 * np.std(values, ddof=1) / np.sqrt(len(values)):.2f}" if len(values) > 1 else "?"


def seen(results: tuple[Outcome, ...]) -> str:
    """Accuracies, gains over FedAvg with intervals, and which batches and rounds were found best."""
    said = []
    for data in dict.fromkeys(o.data for o in results):
        each = [
            f"{METHODS[o.method]} {number(100 * float(np.mean(o.accuracies)), 4)} % (B = "
            f"{o.setting['batch_size']}, T = {o.setting['rounds']}"
            + (")" if o.gain is None else f"; over FedAvg {_points_of(o.gain)})")
            for o in results
            if o.data == data
        ]
        said.append(f"On {data}: {listed(each)}.")
    return " ".join(said)


def _points_of(gain: Difference) -> str:
    """A difference of accuracies in percentage points."""
    mean, low, high = (number(100 * v, 2) for v in (gain.mean, gain.low, gain.high))
    return f"{mean} points, {low} to {high}"


def agreement(results: tuple[Outcome, ...]) -> str:
    """Whether FedProxVR is more accurate on fresh seeds."""
    signs = decided([o.gain for o in results if o.gain is not None])
    base = {o.data: o.setting["rounds"] for o in results if o.gain is None}
    earlier = sum(o.setting["rounds"] < base[o.data] for o in results if o.gain is not None)
    return (
        f"FedProxVR is more accurate than FedAvg in {signs.count(1)}, less in {signs.count(-1)} and not "
        f"told apart in {signs.count(0)} of {count(len(signs), 'comparison')} (together at "
        f"{number(100 * LEVEL)} %, Holm). Its best round T comes earlier than FedAvg's in {earlier} of "
        f"{len(signs)}."
    )


def searched(table: Frame) -> str:
    """The ranges and the budget, which the paper does not give."""
    ours = table[table.stage != "paper"]
    final = ours[ours.stage == "final"]
    varied = ours[(ours.stage == "search") & (ours.method != "fedavg")]
    ranges = [
        f"{letter} in {listed(number(float(v)) for v in sorted(varied[name].unique()))}"
        for letter, name in zip(("τ", "β", "μ", "B"), _NAMES, strict=True)
    ]
    searches = int(ours[ours.stage == "search"].seed.nunique())
    return (
        f"The paper names neither data, ranges nor budget. Here {listed(ours.task.unique())}; "
        f"{'; '.join(ranges)}; {int(ours.tried.max())} settings drawn for each method, each run on "
        f"{count(searches, 'seed')}; the "
        "setting and the round T of the highest mean test accuracy are run again on "
        f"{count(int(final.seed.nunique()), 'fresh seed')}, so that the accuracies shown are not "
        "those that "
        "were selected on (real data are the same rows, dealt and held out anew). FedProxVR runs "
        "as in the published code (the last of τ steps)."
    )
