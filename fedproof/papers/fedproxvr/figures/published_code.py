"""What each deviation of FedProxVR's published code from Algorithm 1 changes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fedproof.figures import style
from fedproof.figures.caption import Caption, Claim, sentences, word_if
from fedproof.figures.comparison import TOGETHER, Difference, counted, judge_groups, span, word
from fedproof.figures.curves import legend_above
from fedproof.figures.number_format import listed, number
from fedproof.figures.parameters import real, whole
from fedproof.figures.power import seeds_needed
from fedproof.figures.runs import METRICS, RUN_COLUMNS, lost_runs, run_table
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, Column, ComputeContext, Frame, Spec, recorded
from fedproof.figures.tasks import TASK, name_of, task, task_parameters
from fedproof.papers.fedproxvr.figures.figure2 import ESTIMATORS, MATTERS, gap
from fedproof.solvers.runs.run_spec import make_run_spec
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fedproof.figures.runs import Labelled

_PARAMETERS = (
    *task_parameters(("synthetic", "digits"), 100, "softmax", 0),
    real("beta", (5.0, 0.5), "step-size parameter, stepsize = 1/(beta L)", zero=False),
    whole("tau", 10),
    real("mu", 0.1, "weight of the proximal term"),
    whole("batch_size", 32),
    whole("rounds", 40),
    whole("seeds", seeds_needed(2.5, 32)),
)

SPEC = Spec(
    id="fedproxvr.published_code",
    title="Algorithm 1 as printed and as the published code runs it",
    source=Source("fedproxvr", "Algorithm 1 and Sec. 5, code and data on GitHub [7]"),
    parameters=_PARAMETERS,
    columns=(
        Column("data", "the task's data"),
        Column("method", "estimator of FedProxVR"),
        Column("switch", "what departs from Algorithm 1"),
        *RUN_COLUMNS,
        *recorded(_PARAMETERS, "beta", "tau", "mu", "batch_size"),
        TASK,
    ),
    axes={"difference": Axis("final training loss over that of Algorithm 1 as printed")},
    toy={"data": ["digits"], "clients": 5, "beta": [5.0], "tau": 2, "batch_size": 4, "rounds": 3, "seeds": 2},
    brief={"data": ["digits"], "seeds": 7, "rounds": 20},
)  # fmt: skip

SWITCHES: Mapping[str, Mapping[str, str]] = {
    "printed": {},
    "last": {"returned": "last"},
    "counted": {"counted": "all"},
    "blocks": {"sampler": "blocks"},
    "code": {"returned": "last", "counted": "all", "sampler": "blocks"},
}
_WORDS = {
    "last": "last iterate, not a random one",
    "counted": "τ steps in all, not τ + 1",
    "blocks": "batches are blocks, one of them empty",
    "code": "all three: the published code",
}


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """One history for each data set, step size, estimator, switch and seed."""
    table = run_table(list(_runs(size)), context)
    given = {name: size[name] for name in ("tau", "mu", "batch_size")}
    return table.assign(**given)[list(SPEC.names)]


def _runs(size: Mapping[str, Any]) -> Iterator[Labelled]:
    for data in size["data"]:
        for seed in range(size["seeds"]):
            problem_spec, words = task(data, size, seed)
            for beta in size["beta"]:
                common = {name: size[name] for name in ("tau", "mu", "batch_size")} | {"beta": beta}
                labels = {"data": name_of(data), "beta": beta, "task": words}
                for estimator in ESTIMATORS:
                    for switch, options in SWITCHES.items():
                        spec = make_run_spec(
                            "fedproxvr", problem_spec, rounds=size["rounds"], seed=seed, metrics=METRICS,
                            parameters={**common, **options, "estimator": estimator},
                        )  # fmt: skip
                        yield {**labels, "method": estimator, "switch": switch}, spec


def effects(table: Frame) -> list[tuple[str, float, str, str, Difference]]:
    """By data, beta, estimator and switch: the final loss over that of the printed algorithm."""
    found = []
    for (data, beta, method), runs in table.groupby(["data", "beta", "method"], sort=False):
        base = runs[runs.switch == "printed"]
        for switch in _WORDS:
            found.append((data, beta, method, switch, gap(runs[runs.switch == switch], base)))
    return found


def draw(table: Frame) -> Figure:
    """The effect of every switch on the final loss, with its interval; a panel for data and step size."""
    results = effects(table)
    columns = list(dict.fromkeys((data, beta) for data, beta, *_ in results))
    across = min(2, len(columns))
    picture = style.blank(7.6, 0.9 + 2.1 * -(-len(columns) // 2))
    panels = picture.subplots(-(-len(columns) // across), across, sharey=True, squeeze=False)
    for axes, (data, beta) in zip(panels.ravel(), columns, strict=False):
        for shift, (method, name) in zip((-0.13, 0.13), ESTIMATORS.items(), strict=True):
            own = [found for *key, _, found in results if key == [data, beta, method]]
            _effects(axes, own, shift, style.CATEGORIES[2 if method == "sarah" else 1], name)
        axes.axvline(1, color="black", linewidth=0.8)
        axes.set_yticks(range(len(_WORDS)), list(_WORDS.values()))
        axes.grid(axis="y", visible=False)
    panels[0, 0].invert_yaxis()
    picture.supxlabel(SPEC.axes["difference"].label, fontsize=11)
    titles = [f"{data}, β = {number(beta)}" for data, beta in columns]
    style.panel_letters(list(panels.ravel()), titles, size=10)
    legend_above(picture, panels[0, 0], 2)
    return picture


def _effects(axes: Axes, differences: list[Difference], shift: float, colour: str, name: str) -> None:
    places = [place + shift for place in range(len(differences))]
    axes.plot([math.exp(f.mean) for f in differences], places, "o", markersize=4, color=colour, label=name)
    for place, one in zip(places, differences, strict=True):
        if one.seeds > 1 and math.isfinite(one.low):
            ends = [math.exp(one.low), math.exp(one.high)]
            axes.plot(ends, [place, place], color=colour, linewidth=1, marker="|", markersize=4)


def caption(table: Frame) -> Caption:
    """Whether the published code ends where Algorithm 1 does, and what every switch does to that."""
    results = effects(table)
    groups = {name: [found for *_, switch, found in results if switch == name] for name in _WORDS}
    judged = judge_groups(groups, matters=MATTERS)
    code = judged["code"]
    differs = any(one.sign for one in code)
    lost = lost_runs(table, ["data", "beta", "switch"])
    claims = [
        Claim(
            "The experiments run Algorithm 1, with mini-batches.",
            sentences(
                [
                    f"Final loss of the published code over Algorithm 1's: {span(groups['code'])};",
                    f"{counted(code)}.",
                    lost,
                ]
            ),
            word_if(False) if differs else word(code, 1),
        )
    ]
    claims += [
        Claim(
            f"This switch alone changes the final loss: {words}.",
            f"{span(groups[name])}; {counted(judged[name])}.",
            word_if(True) if any(one.sign for one in judged[name]) else word(judged[name], 1),
            ours=True,
        )
        for name, words in _WORDS.items()
        if name != "code"
    ]
    return Caption(tuple(claims), _substituted(table))


def _substituted(table: Frame) -> str:
    row = table.iloc[0]
    return (
        "The published code takes one full and τ − 1 stochastic steps, returns the last iterate, "
        "and draws a "
        "block's number from two more than there are whole blocks, so that a batch can be short "
        "or empty (its "
        f"gradient is taken as 0). Here {listed(table.task.unique())}; τ = {number(row.tau)}, μ = "
        f"{number(row.mu)}, "
        f"B = {number(row.batch_size)}, {count(int(table['round'].max()), 'round')}, "
        f"{count(int(table.seed.nunique()), 'seed')}; steps are 1/(βL) with the certified L. Points are "
        f"geometric means of the paired ratios, bars their intervals. {TOGETHER}"
    )
