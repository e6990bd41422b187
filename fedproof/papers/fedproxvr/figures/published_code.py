"""What each deviation of FedProxVR's published code from Algorithm 1 changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fedproof.figures.number_format import listed, number
from fedproof.figures.paired import LEVEL, Difference, counted, decided
from fedproof.figures.runs import METRICS, RUN_COLUMNS, run_table
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, Column, ComputeContext, Frame, Spec, compose
from fedproof.papers.fedproxvr.figures._compare import ESTIMATORS, gap
from fedproof.papers.fedproxvr.figures._tasks import TASK, name_of, task
from fedproof.solvers.runs.run_spec import RunSpec, make_run_spec
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SPEC = Spec(
    id="fedproxvr.published_code",
    title="Algorithm 1 as printed and as the published code runs it",
    source=Source("fedproxvr", "Algorithm 1 and Sec. 5, code and data on GitHub [7]"),
    claims="The experiments run Algorithm 1, with mini-batches.",
    columns=(
        Column("data", "the task's data"),
        Column("method", "estimator of FedProxVR"),
        Column("switch", "what departs from Algorithm 1"),
        *RUN_COLUMNS,
        Column("beta", "step-size parameter, stepsize = 1/(beta L)"),
        Column("tau", "local steps", "steps"),
        Column("mu", "weight of the proximal term", "loss/length^2"),
        Column("batch_size", "samples a step", "samples"),
        TASK,
    ),
    axes={"difference": Axis("final training loss, less that of Algorithm 1 as printed")},
    size={
        "data": ["synthetic", "digits"], "clients": 0, "paper_clients": 100, "alpha": 1.0, "most_samples": 0,
        "heterogeneity": 1.0, "model": "softmax", "beta": [5.0, 0.5], "tau": 10, "mu": 0.1, "batch_size": 32,
        "rounds": 40, "seeds": 10,
    },
    toy={"data": ["digits"], "clients": 5, "beta": [5.0], "tau": 2, "batch_size": 4, "rounds": 3, "seeds": 2},
    brief={"data": ["digits"], "seeds": 4, "rounds": 30},
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
    table = run_table(list(_jobs(size)), context)
    given = {name: size[name] for name in ("tau", "mu", "batch_size")}
    return table.assign(**given)[list(SPEC.names)]


def _jobs(size: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], RunSpec]]:
    for data in size["data"]:
        for seed in range(size["seeds"]):
            problem_spec, words = task(data, size, seed)
            for beta in size["beta"]:
                common = {name: size[name] for name in ("tau", "mu", "batch_size")} | {"beta": beta}
                labels = {"data": name_of(data), "beta": beta, "task": words}
                for estimator in ESTIMATORS:
                    for switch, options in SWITCHES.items():
                        job = make_run_spec(
                            "fedproxvr", problem_spec, rounds=size["rounds"], seed=seed, metrics=METRICS,
                            parameters={**common, **options, "estimator": estimator},
                        )  # fmt: skip
                        yield {**labels, "method": estimator, "switch": switch}, job


def effects(table: Frame) -> list[tuple[str, float, str, str, Difference]]:
    """By data, beta, estimator and switch: the final loss less that of the printed algorithm."""
    found = []
    for (data, beta, method), runs in table.groupby(["data", "beta", "method"], sort=False):
        base = runs[runs.switch == "printed"]
        for switch in _WORDS:
            found.append((data, beta, method, switch, gap(runs[runs.switch == switch], base)))
    return found


def draw(table: Frame) -> Figure:
    """A point and an interval for every switch; a panel for each data set and step size."""
    from fedproof.figures.style import CATEGORIES, blank, house_style, panel_letters

    results = effects(table)
    columns = list(dict.fromkeys((data, beta) for data, beta, *_ in results))
    with house_style():
        picture = blank(7.6, 0.9 + 2.1 * -(-len(columns) // 2))
        across = min(2, len(columns))
        panels = picture.subplots(-(-len(columns) // across), across, sharey=True, squeeze=False)
        for axes, (data, beta) in zip(panels.ravel(), columns, strict=False):
            for shift, (method, name) in zip((-0.13, 0.13), ESTIMATORS.items(), strict=True):
                own = [r for r in results if r[:3] == (data, beta, method)]
                places = [place + shift for place in range(len(own))]
                gaps = [gap for *_, gap in own]
                reach = [[g.mean - g.low for g in gaps], [g.high - g.mean for g in gaps]]
                axes.errorbar(
                    [g.mean for g in gaps], places, xerr=reach if gaps[0].seeds > 1 else None, fmt="o",
                    markersize=4, capsize=2, linewidth=1, color=CATEGORIES[2 if method == "sarah" else 1],
                    label=name,
                )  # fmt: skip
            axes.axvline(0, color="black", linewidth=0.8)
            axes.set_yticks(range(len(_WORDS)), list(_WORDS.values()))
            axes.grid(axis="y", visible=False)
        panels[0, 0].invert_yaxis()
        picture.supxlabel(SPEC.axes["difference"].label, fontsize=11)
        panel_letters(
            list(panels.ravel()), [f"{data}, β = {number(beta)}" for data, beta in columns], size=10
        )
        picture.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
        return picture


def caption(table: Frame) -> str:
    """The effect of every switch; numbers from the table."""
    results = effects(table)
    signs = decided([found for *_, found in results])
    by_switch = {
        switch: [sign for (*_, name, _), sign in zip(results, signs, strict=True) if name == switch]
        for switch in _WORDS
    }
    said = []
    for switch, words in _WORDS.items():
        own = [found for *_, name, found in results if name == switch]
        low, high = min(own, key=lambda g: g.mean), max(own, key=lambda g: g.mean)
        said.append(f"{words}: from {low.text()} to {high.text()}")
    lead = f"Change of the final loss (mean over seeds, {number(100 * LEVEL)} % interval of each)"
    return compose(
        claims=SPEC.claims,
        seen=f"{lead}: {'; '.join(said)}.{_lost(table)}",
        agreement=_agreement(by_switch),
        chosen=_chosen(table),
    )


def _lost(table: Frame) -> str:
    ends = table[["data", "beta", "method", "switch", "seed", "ended"]].drop_duplicates()
    lost = int((ends.ended == "diverged").sum())
    return f" {lost} of {count(len(ends), 'run')} diverged and are left out." if lost else ""


def _agreement(signs: Mapping[str, list[int]]) -> str:
    """Which switches change the outcome."""
    each = [f"{words}: {counted(signs[switch])}" for switch, words in _WORDS.items() if switch != "code"]
    return (
        f"The published code's final loss, against Algorithm 1's, is {counted(signs['code'])}. Each switch "
        f"alone: {'; '.join(each)}. All verdicts hold together at {number(100 * LEVEL)} % (Holm)."
    )


def _chosen(table: Frame) -> str:
    row = table.iloc[0]
    return (
        "The published code takes one full and τ − 1 stochastic steps, returns the last iterate, "
        "and draws a "
        "block's number from two more than there are whole blocks, so that a batch can be short "
        "or empty (its "
        f"gradient is taken as 0). Here {listed(table.task.unique())}; τ = {number(row.tau)}, μ = "
        f"{number(row.mu)}, "
        f"B = {number(row.batch_size)}, {count(int(table['round'].max()), 'round')}, "
        f"{count(int(table.seed.nunique()), 'seed')}; steps are 1/(βL) with the certified L."
    )
