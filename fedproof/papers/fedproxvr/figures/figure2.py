"""FedProxVR, Fig. 2: the effect of beta and tau on FedAvg, SVRG and SARAH; a convex task."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fedproof.figures import style
from fedproof.figures.caption import Caption, Claim, sentences
from fedproof.figures.comparison import TOGETHER, Difference, Judged, judge_groups, ratio, summary, word
from fedproof.figures.curves import CurveStyle, draw_curve, draw_line, legend_above
from fedproof.figures.number_format import listed, number
from fedproof.figures.parameters import Parameter, real, text, whole
from fedproof.figures.power import seeds_needed
from fedproof.figures.runs import (
    METRICS,
    RUN_COLUMNS,
    finished,
    fluctuation,
    lost_runs,
    paired,
    ratio_by_round,
    run_table,
)
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, Column, ComputeContext, Frame, Spec
from fedproof.figures.tasks import SMOOTHNESS, TASK, name_of, smoothness_of, task, task_parameters
from fedproof.papers.fedproxvr import notation as symbols
from fedproof.papers.fedproxvr.statements import formulas
from fedproof.solvers.parameters import whole_number
from fedproof.solvers.runs.run_spec import make_run_spec
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.source import Source
from fedproof.vocabulary.values import parse_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fedproof.figures.runs import Labelled

ESTIMATORS = {"svrg": "SVRG", "sarah": "SARAH"}
CONTROL = "sgd"
"""FedProxVR without variance reduction: the same full first step, number of steps and proximal term."""
WAYS = {"printed": {"returned": "random"}, "code": {"returned": "last", "counted": "all"}}
"""Algorithm 1 as printed, and as the authors' published code runs it: the last of tau steps."""
MATTERS = math.log(1.05)
"""A loss that differs by less than a twentieth is of no interest."""


def parameters(
    task: tuple[Parameter, ...], settings: tuple[str, ...], smooth: tuple[float, ...], *,
    mu: float, batch_size: int, rounds: int, seeds: int,
) -> tuple[Parameter, ...]:  # fmt: skip
    """What Figs. 2 and 3 take."""
    return (
        *task,
        real("L", smooth, "smoothness in 1/(βL), by data; 0: each problem's certified one"),
        real("mu", mu, "weight of the proximal term"),
        whole("batch_size", batch_size),
        text("settings", settings, "pairs β:τ"),
        whole("rounds", rounds),
        whole("seeds", seeds),
    )


COLUMNS = (
    Column("data", "the task's data"),
    Column("beta", "step-size parameter, stepsize = 1/(beta L)"),
    Column("tau", "local steps", "steps"),
    Column("method", "fedavg, or the estimator of FedProxVR"),
    Column("way", "printed: a random local iterate; code: the last of tau steps; or fedavg's own"),
    *RUN_COLUMNS,
    Column("mu", "weight of the proximal term; none in FedAvg", "loss/length^2"),
    Column("batch_size", "samples a step", "samples"),
    SMOOTHNESS,
    TASK,
)
AXES = {
    "round": Axis("round"),
    "loss": Axis(r"training loss $\bar F$"),
    "test_accuracy": Axis("test accuracy"),
    "ratio": Axis("loss over FedAvg's"),
}

SPEC = Spec(
    id="fedproxvr.figure2",
    title="FedProxVR against FedAvg for several β and τ, convex task",
    source=Source("fedproxvr", "Fig. 2 and Sec. 5, effects of β and τ"),
    parameters=parameters(
        task_parameters(("synthetic", "digits"), 100, "softmax", 0),
        ("5:10", "7:20", "5:20", "0.5:10"), (0.0,), mu=0.1, batch_size=32, rounds=50,
        seeds=seeds_needed(2.5, 76),
    ),
    columns=COLUMNS,
    axes=AXES,
    toy={
        "data": ["digits"], "clients": 5, "settings": ["5:3", "7:4", "5:4", "0.5:4"], "batch_size": 4,
        "rounds": 4, "seeds": 2,
    },
    brief={"clients": 20, "settings": ["5:10", "7:20", "5:20"], "seeds": 7, "rounds": 30},
)  # fmt: skip


def settings(size: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The pairs (beta, tau) of a size, written beta:tau.

    Raises: InputError for what is not two numbers.
    """
    found = []
    for pair in size["settings"]:
        beta, colon, tau = pair.partition(":")
        if not colon or parse_value(beta, "beta") <= 0:
            raise InputError("settings", pair, "beta:tau with beta > 0, such as 5:10")
        found.append((beta, str(whole_number("local_steps", tau))))
    return found


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """One history for each data set, setting, method and seed; a seed fixes the split too."""
    table = run_table(list(_runs(size)), context)
    return table.assign(mu=size["mu"], batch_size=size["batch_size"])[[c.name for c in COLUMNS]]


def _runs(size: Mapping[str, Any]) -> Iterator[Labelled]:
    for data in size["data"]:
        smooth = smoothness_of(data, size)
        for seed in range(size["seeds"]):
            problem, words = task(data, size, seed)
            for beta, tau in settings(size):
                common = {"beta": beta, "tau": tau, "batch_size": size["batch_size"]}
                common |= {"L": smooth} if smooth else {}
                labels = {"data": name_of(data), "beta": float(beta), "tau": int(tau), "task": words,
                          "L": smooth or math.nan}  # fmt: skip
                for method, way, options in _methods(size["mu"]):
                    run = make_run_spec(
                        "fedavg" if method == "fedavg" else "fedproxvr", problem, rounds=size["rounds"],
                        seed=seed, metrics=METRICS, parameters=common | options,
                    )  # fmt: skip
                    yield {**labels, "method": method, "way": way}, run


def _methods(mu: float) -> Iterator[tuple[str, str, dict[str, Any]]]:
    yield "fedavg", "fedavg", {}
    for estimator in ESTIMATORS:
        for way, options in WAYS.items():
            yield estimator, way, {**options, "estimator": estimator, "mu": mu}
    yield CONTROL, "code", {**WAYS["code"], "estimator": "sgd", "mu": mu}


def draw(table: Frame) -> Figure:
    """Loss, accuracy and loss over FedAvg's, in rows for every data set; a column for each (beta, tau)."""
    columns = list(table[["beta", "tau"]].drop_duplicates().itertuples(index=False))
    rows = [(data, metric) for data in table["data"].unique() for metric in (*METRICS, "ratio")]
    picture = style.blank(7.6, 0.7 + 1.45 * len(rows))
    panels = picture.subplots(len(rows), len(columns), sharex=True, sharey="row", squeeze=False)
    titles = []
    for line, (data, metric) in zip(panels, rows, strict=True):
        for axes, (beta, tau) in zip(line, columns, strict=True):
            chosen = table[(table["data"] == data) & (table.beta == beta) & (table.tau == tau)]
            (_ratios if metric == "ratio" else _curves)(axes, chosen, metric)
            titles.append(f"{data}, β = {number(beta)}, τ = {tau}")
        style.set_axes(line[0], None, AXES[metric])
    for axes in panels[-1]:
        style.set_axes(axes, AXES["round"], None)
    style.panel_letters(list(panels.ravel()), titles, size=8.5)
    legend_above(picture, panels[0, 0], 3)
    return picture


def _looks() -> dict[tuple[str, str], CurveStyle]:
    """Marks at staggered rounds: curves that lie on each other all stay visible."""
    blue, red, green, purple = style.CATEGORIES
    drawn = {("fedavg", "fedavg"): CurveStyle("FedAvg", blue, width=4, alpha=0.45)}
    for place, (method, colour, mark) in enumerate((("svrg", red, "o"), ("sarah", green, "s"))):
        for way, line in (("printed", "--"), ("code", "-")):
            label = f"FedProxVR, {ESTIMATORS[method]}" + (", printed" if way == "printed" else "")
            drawn[method, way] = CurveStyle(label, colour, line, 1.2, 1, mark, (place + 1) / 4)
    drawn[CONTROL, "code"] = CurveStyle("FedProxVR, SGD", purple, "-", 1.2, 1, "^", 3 / 4)
    return drawn


def _curves(axes: Axes, runs: Frame, metric: str) -> None:
    """Means over seeds, and bands of quartiles."""
    for (method, way), look in _looks().items():
        draw_curve(axes, runs[(runs.method == method) & (runs.way == way)], metric, look, "mean")


def _ratios(axes: Axes, runs: Frame, _: str) -> None:
    """Geometric means over seeds of the loss over FedAvg's; the interval is that of the last round."""
    last = int(runs["round"].max())
    axes.axhline(1, color=style.CATEGORIES[0], linewidth=4, alpha=0.45)
    for place, ((method, way), look) in enumerate(list(_looks().items())[1:]):
        own = runs[(runs.method == method) & (runs.way == way)]
        draw_line(axes, ratio_by_round(own, runs[runs.method == "fedavg"], "loss"), look)
        style.interval(axes, last * (1 + 0.03 * place), gap(own, runs[runs.method == "fedavg"]), look.colour)
    axes.set_yscale("log")


def gap(own: Frame, other: Frame) -> Difference:
    """The final loss of some runs over that of others, on the seeds where both were finished."""
    return paired(ratio, finished(own).loss, finished(other).loss)


@dataclass(frozen=True)
class Compared:
    """One estimator, run in one way, against other methods in one setting.

    Arguments:
        data, beta, tau, method, way: which.
        loss: its loss after the last round over FedAvg's.
        reduced: its loss after the last round over that of the control, the same without variance reduction;
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


Pair = tuple[float, int]
_WAYS = {"printed": "Algorithm 1 as printed", "code": "the last of τ steps, as the published code"}


def pairs_of(table: Frame) -> list[Pair]:
    """The settings, in order."""
    pairs = table[["beta", "tau"]].drop_duplicates()
    return [(float(beta), int(tau)) for beta, tau in pairs.itertuples(index=False)]


def _changes(table: Frame, first: Pair, second: Pair, name: str) -> list[Difference]:
    """For every curve what is read of it and of FedAvg's, by seed, in the second setting over the first."""
    found = []
    for (data, _, way), runs in table.groupby(["data", "method", "way"], sort=False):
        base = table[(table["data"] == data) & (table.method == "fedavg")]
        sides = [
            _READ[name](*(rows[(rows.beta == beta) & (rows.tau == tau)] for rows in (runs, base)))
            for beta, tau in (first, second)
        ]
        if way != "fedavg" or name == "faster":
            found.append(paired(ratio, sides[1], sides[0]))
    return found


#: what is read of a curve and of FedAvg's, by seed
_READ: dict[str, Callable[[Frame, Frame], Frame]] = {
    "faster": lambda own, _: finished(own).loss,
    "growing": lambda own, base: finished(own).loss / finished(base).loss,
    "rough": lambda own, _: fluctuation(own[own.ended == "finished"]).clip(lower=1e-12),
}


def caption(table: Frame) -> Caption:
    """What each setting shows; all comparisons are decided together."""
    results, pairs = compared(table), pairs_of(table)
    ours = table[table.method != CONTROL]
    wilder = len(pairs) > 2 and pairs[2][0] == pairs[0][0]
    groups = groups_of(results, pairs[0]) | {
        "faster": _changes(table, pairs[0], pairs[1], "faster") if len(pairs) > 1 else [],
        "growing": _changes(ours, pairs[0], pairs[1], "growing") if len(pairs) > 1 else [],
        "rough": _changes(ours, pairs[0], pairs[2], "rough") if wilder else [],
    }
    judged = judge_groups(groups, matters=dict.fromkeys(groups, MATTERS) | {"rough": math.log(1.5)})
    first = f"β = {number(pairs[0][0])}, τ = {pairs[0][1]}"
    claims = loss_claims(table, judged, f"With {first} FedProxVR gains notably on FedAvg", pairs[0])
    if len(pairs) > 1:
        claims += [
            Claim(
                f"With β = {number(pairs[1][0])}, τ = {pairs[1][1]} the gap grows.",
                f"FedProxVR's loss over FedAvg's, against that with {first}: {summary(judged['growing'])}.",
                word(judged["growing"], -1),
            ),
            Claim(
                "And all methods converge faster.",
                f"The loss after the last round, against that with {first}: {summary(judged['faster'])}.",
                word(judged["faster"], -1),
            ),
        ]
    if wilder:
        claims.append(
            Claim(
                "With τ beyond its upper bound in Lemma 1 the curves of FedProxVR fluctuate more.",
                f"Mean size of the loss's second difference with τ = {pairs[2][1]}, against "
                f"τ = {pairs[0][1]} at the same β: {summary(judged['rough'])}.",
                word(judged["rough"], 1),
            )
        )
    return Caption((*claims, *control_claims(judged)), _substituted(table))


def groups_of(results: Sequence[Compared], first: Pair) -> dict[str, list[Difference]]:
    """Loss over FedAvg's by way in the first setting, in the others, and over the control's."""
    at_first = [(c.beta, c.tau) == first for c in results]
    ways = {
        way: [c.loss for c, own in zip(results, at_first, strict=True) if own and c.way == way]
        for way in WAYS
    }
    others = [c.loss for c, own in zip(results, at_first, strict=True) if not own]
    return ways | {"others": others, "reduced": [c.reduced for c in results if c.reduced is not None]}


def loss_claims(table: Frame, judged: Mapping[str, list[Judged]], claim: str, first: Pair) -> list[Claim]:
    """The claim of a smaller loss than FedAvg's, in both ways of running."""
    return [
        Claim(
            f"{claim} ({words}).",
            sentences([
                f"Its loss over FedAvg's after {count(int(table['round'].max()), 'round')}: "
                f"{summary(judged[way])}.",
                _levels(table, first) if way == "printed" else _cost(table),
            ]),
            word(judged[way], -1),
        )
        for way, words in _WAYS.items()
    ]  # fmt: skip


def control_claims(judged: Mapping[str, list[Judged]]) -> list[Claim]:
    """Other settings, and FedProxVR against itself with plain SGD."""
    rows = {
        "others": "In the other settings, in both ways, FedProxVR's loss is smaller than FedAvg's.",
        "reduced": "Variance reduction by itself makes the loss smaller: the same method with plain SGD.",
    }
    return [
        Claim(claim, f"The one over the other: {summary(judged[name])}.", word(judged[name], -1), ours=True)
        for name, claim in rows.items()
        if judged[name]
    ]


def _levels(table: Frame, pair: Pair) -> str:
    """FedAvg's mean loss and accuracy after the last round, and what diverged."""
    base = table[(table.method == "fedavg") & (table.beta == pair[0]) & (table.tau == pair[1])]
    last = base[base["round"] == table["round"].max()]
    each = [
        f"{number(row.loss)} ({number(100 * row.test_accuracy)} %) on {data}"
        for data, row in last.groupby("data", sort=False)[["loss", "test_accuracy"]].mean().iterrows()
    ]
    lost = lost_runs(table, ["data", "beta", "tau", "way"])
    return f"FedAvg's mean training loss (test accuracy) is {listed(each)}. {lost}"


def _cost(table: Frame) -> str:
    """How many gradients each method evaluates, in FedAvg's."""
    spent = table[table["round"] == table["round"].max()].groupby("method").gradients.mean()
    names = {**ESTIMATORS, CONTROL: "SGD"}
    each = listed(
        f"{number(float(spent[m] / spent.fedavg), 2)} with {name}" for m, name in names.items() if m in spent
    )
    return f"Sample gradients evaluated, in FedAvg's: {each}."


def _substituted(table: Frame) -> str:
    row = table.iloc[0]
    most = formulas.SARAH_UPPER.doit()
    betas = [float(beta) for beta in table.beta.unique() if beta > 1]
    bounds = listed(f"{number(float(most.subs(symbols.beta, b)))} for β = {number(b)}" for b in betas)
    return (
        f"The paper uses Fashion-MNIST on 100 devices, B = 32; here {listed(table.task.unique())}, "
        f"B = {number(row.batch_size)} and μ = {number(row.mu)} (0.1 in its Table 1). It prints no β and τ "
        f"for its third panel; the upper bound of (13) is {bounds}. The published code takes τ = 10 with "
        "steps of 0.005, where L of (3) is about 390 or more on 784 standardised pixels: that is β of about "
        "0.5 or less. Steps are 1/(βL) with the certified L of every problem, unless the table says "
        f"otherwise. {bands(table)}"
    )


def bands(table: Frame) -> str:
    """What lines, bands and intervals are, and what a seed fixes."""
    return (
        f"Lines are means, of ratios geometric ones, bands quartiles over "
        f"{count(int(table.seed.nunique()), 'seed')}; bars are the intervals of the ratios after the last "
        "round. A seed fixes the split and all draws, and "
        f"Synthetic's data too: real data are the same rows, dealt anew. {TOGETHER}"
    )
