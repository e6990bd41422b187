"""composite, Fig. 3: sparse logistic regression with mini-batches of 1 and of 20."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from fedproof.figures.number_format import listed, number
from fedproof.figures.paired import LEVEL, Difference, decided, difference
from fedproof.figures.spec import DEFAULT_CONTEXT, Column, ComputeContext, Frame, Spec, compose
from fedproof.papers.composite.figures import _runs
from fedproof.papers.composite.figures._runs import COLUMNS, CurveStyle, curves, problem_spec
from fedproof.solvers.runs.run_spec import RunSpec, make_run_spec
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RESTS = 1.5
"""How much larger the fifth before may be where a curve has come to its floor."""
_NAMES = {"fedda": "FedDA", "fast": "Fast-FedDA"}

SPEC = Spec(
    id="composite.figure3",
    title="Sparse logistic regression with mini-batches",
    source=Source("composite", "Fig. 3 and Sec. 4.1"),
    claims=(
        "With stochastic gradients the algorithm converges to a neighbourhood, which their variance induces; "
        "with b = 20 in place of 1 it is more precise. FedDA and Fast-FedDA perform worse."
    ),
    columns=(
        *COLUMNS,
        Column("batch_size", "b, samples a step", "samples"),
        Column("floor", "root mean square of the optimality over the last fifth of all rounds"),
        Column("before", "the same over the fifth before it"),
        Column("clients", "clients, all of which take part", "clients"),
        Column("samples", "of every client", "samples"),
        Column("penalty_weight", "ϑ", "loss/length"),
    ),
    axes=_runs.AXES,
    size={
        "clients": 30, "dimension": 20, "samples": 2000, "heterogeneity": 50.0, "penalty_weight": 0.0005,
        "smoothness": 0.01, "tau": 20, "batch_size": [1, 20], "eta": 2.0, "eta_g": 8.0, "fast_mu": 0.001,
        "rounds": 1100, "seeds": 10, "kept": 220,
    },
    toy={"clients": 4, "samples": 20, "tau": 3, "batch_size": [1, 4], "rounds": 24, "seeds": 2},
    brief={"samples": 500, "rounds": 500, "seeds": 4},
)  # fmt: skip


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """One history for each method, batch size and seed."""
    table = _runs.optimality_table(list(_jobs(size)), context, size["kept"], _fifths)
    given = {name: size[name] for name in ("clients", "samples", "penalty_weight")}
    return table.assign(**given)[list(SPEC.names)]


def _jobs(size: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], RunSpec]]:
    same = {"eta": size["eta"], "eta_g": size["eta_g"]}
    methods: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("ours", "fedcomposite", {**same, "form": "compact"}),
        ("fedda", "fedda", same),
        ("fast", "fast_fedda", {"eta": size["eta"] * size["eta_g"], "mu": size["fast_mu"]}),
    )
    for seed in range(size["seeds"]):
        made = problem_spec(size, seed, size["smoothness"])
        for batch in size["batch_size"]:
            for method, algorithm, hyper in methods:
                labels = {"method": method, "tau": size["tau"], "L": size["smoothness"], "batch_size": batch,
                          "stepsize": hyper["eta"], "server_stepsize": hyper.get("eta_g", 1.0)}  # fmt: skip
                yield labels, make_run_spec(
                    algorithm, made, rounds=size["rounds"], seed=seed, metrics=(_runs.OPTIMALITY,),
                    parameters={**hyper, "tau": size["tau"], "b": batch},
                )  # fmt: skip


def _fifths(found: Any) -> dict[str, float]:
    """Root mean squares over the last fifth of the rounds and over the one before."""
    fifth = max(1, (len(found) - 1) // 5)
    parts = {"floor": found[-fifth:], "before": found[-2 * fifth : -fifth]}
    return {name: float(np.sqrt(np.mean(part**2))) for name, part in parts.items()}


def draw(table: Frame) -> Figure:
    """Optimality by rounds, a panel for each batch size."""
    from fedproof.figures.style import CATEGORIES, blank, house_style, panel_letters, set_axes

    ours, fedda, _, fast = CATEGORIES
    tau, batches = int(table.tau.iloc[0]), list(table.batch_size.unique())
    looks = {
        ("ours", tau): CurveStyle("Algorithm 1", ours), ("fedda", tau): CurveStyle("FedDA", fedda),
        ("fast", tau): CurveStyle("Fast-FedDA", fast),
    }  # fmt: skip
    with house_style():
        picture = blank(8.2, 3.6)
        panels = picture.subplots(1, len(batches), sharey=True, squeeze=False)[0]
        for axes, batch in zip(panels, batches, strict=True):
            curves(axes, table[table.batch_size == batch], looks)
            set_axes(axes, SPEC.axes["round"], None)
        set_axes(panels[0], None, SPEC.axes["optimality"])
        panel_letters(list(panels), [f"b = {batch}" for batch in batches])
        picture.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(looks))
        return picture


def floors(table: Frame, method: str, batch: int, column: str = "floor") -> Frame:
    """By seed, where a method ends with a batch size."""
    own = table[(table.method == method) & (table.batch_size == batch)]
    return own.groupby("seed")[column].first()


def comparisons(table: Frame) -> list[tuple[str, int, Difference]]:
    """Ours against the largest batch by itself, and against every other method at every batch.

    Returns: (what with, batch size, difference of log10 of the floors: ours with this batch less the other;
        first ours with the largest batch less ours with the smallest).
    """
    batches = sorted(table.batch_size.unique())

    def logs(method: str, batch: int) -> Any:
        return np.log10(floors(table, method, batch).clip(lower=1e-300))

    found = []
    if len(batches) > 1:
        found.append(
            ("ours", int(batches[-1]), difference(logs("ours", batches[-1]), logs("ours", batches[0])))
        )
    for batch in batches:
        for name in _NAMES:
            found.append((name, int(batch), difference(logs("ours", batch), logs(name, batch))))
    return found


def caption(table: Frame) -> str:
    """Where each method ends; numbers from the table."""
    return compose(
        claims=SPEC.claims,
        seen=f"{_ends(table)} {_batches(table)} {_settled(table)}",
        agreement=_agreement(table),
        chosen=_chosen(table),
    )


def _ends(table: Frame) -> str:
    said = []
    for batch in sorted(table.batch_size.unique()):
        each = listed(
            f"{name} {number(float(floors(table, key, batch).median()))}"
            for key, name in {"ours": "the algorithm", **_NAMES}.items()
        )
        said.append(f"with b = {batch} {each}")
    return (
        f"Optimality at the end (root mean square over the last fifth of {int(table['round'].max())} rounds, "
        f"median over {count(int(table.seed.nunique()), 'seed')}): {'; '.join(said)}."
    )


def _batches(table: Frame) -> str:
    """By how much the floor falls with b, in squares."""
    batches = sorted(table.batch_size.unique())
    if len(batches) < 2:
        return ""
    low, high = (floors(table, "ours", batch) ** 2 for batch in (batches[0], batches[-1]))
    ratio = low / high
    return (
        f"From b = {batches[0]} to {batches[-1]} the algorithm's |G|² falls "
        f"{number(float(ratio.median()), 2)} times (median; "
        f"{number(float(ratio.min()), 2)} to {number(float(ratio.max()), 2)}); proportional to σ²/b it "
        f"would fall {number(batches[-1] / batches[0])} times."
    )


def _settled(table: Frame) -> str:
    """On how many seeds the algorithm has come to rest."""
    said = []
    for batch in sorted(table.batch_size.unique()):
        falls = floors(table, "ours", batch, "before") / floors(table, "ours", batch)
        said.append(f"{int((falls < RESTS).sum())} of {count(len(falls), 'seed')} with b = {batch}")
    rest = f"the fifth before is less than {number(RESTS)} times as large"
    return f"It has come to rest ({rest}) on {listed(said)}."


def _agreement(table: Frame) -> str:
    found = comparisons(table)
    signs = decided([one for *_, one in found])
    said, verdicts = [], {-1: "lower", 0: "not told apart", 1: "higher"}
    for (name, batch, one), sign in zip(found, signs, strict=True):
        p = f"{number(10**one.mean, 2)} times, p = {number(one.p, 2)}"
        if name == "ours":
            agreed = {-1: "improves", 0: "is not seen to change", 1: "worsens"}[sign]
            said.append(f"With the larger batch the algorithm's precision {agreed} ({p}).")
        else:
            said.append(f"Against {_NAMES[name]} at b = {batch} it ends {verdicts[sign]} ({p}).")
    others = [sign for (name, *_), sign in zip(found, signs, strict=True) if name != "ours"]
    lead = (
        "The others are worse everywhere."
        if all(sign < 0 for sign in others)
        else f"The others are worse in {others.count(-1)}, better in {others.count(1)} of "
        f"{count(len(others), 'case')}."
    )
    return f"{lead} {' '.join(said)} All verdicts hold together at {number(100 * LEVEL)} % (Holm)."


def _chosen(table: Frame) -> str:
    ours = table[table.method == "ours"].iloc[0]
    fast = table[table.method == "fast"].iloc[0]
    step = ours.stepsize * ours.server_stepsize * ours.tau
    return (
        "The paper leaves the scaling of the features out; here the largest L of a client is "
        f"{number(float(ours.L))}, so that η̃L is {number(step * float(ours.L))}; (13) asks for 0.1. "
        f"{count(int(ours.clients), 'client')}, m = {int(ours.samples)}, ϑ = {number(ours.penalty_weight)}, "
        f"τ = {int(ours.tau)}, η = {number(ours.stepsize)}, η_g = {number(ours.server_stepsize)}; Fast-FedDA "
        f"begins with 1/γ = {number(fast.stepsize)} and has the constant weights of its published code. "
        "Batches are drawn with replacement. Optimality is that of each method's own step; curves are "
        "medians over seeds, each with data of its own, bands quartiles."
    )
