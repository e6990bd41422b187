"""composite, Fig. 3: sparse logistic regression with mini-batches of 1 and of 20."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from fedproof.figures import style
from fedproof.figures.caption import SEEN, TOO_SHORT, Caption, Claim, word_if
from fedproof.figures.comparison import TOGETHER, Difference, Judged, counted, judge_groups, ratio, word
from fedproof.figures.curves import LEAST_DRAWN, CurveStyle, draw_curve, legend_above
from fedproof.figures.number_format import listed, number
from fedproof.figures.parameters import real, whole
from fedproof.figures.power import seeds_needed
from fedproof.figures.runs import on, paired, root_table, spread_of, still_moving
from fedproof.figures.spec import DEFAULT_CONTEXT, Column, ComputeContext, Frame, Spec, recorded
from fedproof.papers.composite.figures._sparse_logistic import (
    AXES,
    COLUMNS,
    OPTIMALITY,
    data_parameters,
    problem_spec,
    step_parameters,
)
from fedproof.solvers.runs.run_spec import make_run_spec
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fedproof.figures.runs import Labelled

RESTS = 1.5
"""How much larger the fifth before may be where a curve has come to its floor."""
MATTERS = math.log(2)
"""Floors that differ by less than a factor of 2 are of no interest."""
_OTHERS = {"fedda": "FedDA", "fast": "Fast-FedDA"}
_PARAMETERS = (
    *data_parameters(2000, 0.0005),
    real("smoothness", 0.01, "largest L of a client", zero=False),
    whole("tau", 20),
    whole("batch_size", (1, 20), "b, samples a step"),
    *step_parameters(2.0, 8.0),
    real("fast_mu", 0.001, "μ of Fast-FedDA"),
    whole("rounds", 1100),
    whole("seeds", seeds_needed(2.0, 5)),
    whole("kept", 220, "about so many rows of every run"),
)

SPEC = Spec(
    id="composite.figure3",
    title="Sparse logistic regression with mini-batches",
    source=Source("composite", "Fig. 3 and Sec. 4.1"),
    parameters=_PARAMETERS,
    columns=(
        *COLUMNS,
        *recorded(_PARAMETERS, "batch_size"),
        Column("floor", "root mean square of the optimality over the last fifth of all rounds"),
        Column("before", "the same over the fifth before it"),
        *recorded(_PARAMETERS, "clients", "samples", "penalty_weight"),
    ),
    axes=AXES,
    toy={"clients": 4, "samples": 20, "tau": 3, "batch_size": [1, 4], "rounds": 24, "seeds": 2},
    brief={"samples": 500, "rounds": 500, "seeds": 6},
)


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """One history for each method, batch size and seed."""
    table = root_table(list(_runs(size)), context, size["kept"], _fifths)
    given = {name: size[name] for name in ("clients", "samples", "penalty_weight")}
    return table.assign(**given)[list(SPEC.names)]


def _runs(size: Mapping[str, Any]) -> Iterator[Labelled]:
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
                    algorithm, made, rounds=size["rounds"], seed=seed, metrics=(OPTIMALITY,),
                    parameters={**hyper, "tau": size["tau"], "b": batch},
                )  # fmt: skip


def _fifths(roots: Any) -> dict[str, float]:
    """Root mean squares over the last fifth of the rounds and over the one before."""
    fifth = max(1, (len(roots) - 1) // 5)
    parts = {"floor": roots[-fifth:], "before": roots[-2 * fifth : -fifth]}
    return {name: float(np.sqrt(np.mean(part**2))) for name, part in parts.items()}


def draw(table: Frame) -> Figure:
    """Medians and quartiles by rounds, a panel for each batch size; short bars are the floors."""
    ours, fedda, _, fast = style.CATEGORIES
    batches, last = list(table.batch_size.unique()), int(table["round"].max())
    looks = {"ours": CurveStyle("Algorithm 1", ours), "fedda": CurveStyle("FedDA", fedda),
             "fast": CurveStyle("Fast-FedDA", fast)}  # fmt: skip
    picture = style.blank(8.2, 3.6)
    panels = picture.subplots(1, len(batches), sharey=True, squeeze=False)[0]
    drawn = table.assign(optimality=table.optimality.clip(lower=LEAST_DRAWN))
    for axes, batch in zip(panels, batches, strict=True):
        for method, look in looks.items():
            draw_curve(
                axes, drawn[(drawn.method == method) & (drawn.batch_size == batch)], "optimality", look
            )
            floor = float(floors(table, method, batch).median())
            axes.plot([0.8 * last, last], [floor] * 2, color=style.DARK, linewidth=1.0, zorder=4)
        axes.set_yscale("log")
        style.set_axes(axes, AXES["round"], None)
    style.set_axes(panels[0], None, AXES["optimality"])
    style.panel_letters(list(panels), [f"b = {batch}" for batch in batches])
    legend_above(picture, panels[0], len(looks))
    return picture


def floors(table: Frame, method: str, batch: int, column: str = "floor") -> Frame:
    """By seed, where a method ends with a batch size."""
    own = table[(table.method == method) & (table.batch_size == batch)]
    return own.groupby("seed")[column].first()


def comparisons(table: Frame) -> dict[str, list[Difference]]:
    """Ours with the largest batch over ours with the smallest, and over every other method at every batch."""
    batches = sorted(table.batch_size.unique())
    ours = {batch: floors(table, "ours", batch) for batch in batches}
    found = {
        name: [paired(ratio, ours[batch], floors(table, name, batch)) for batch in batches]
        for name in _OTHERS
    }
    larger = [paired(ratio, ours[batches[-1]], ours[batches[0]])] if len(batches) > 1 else []
    return {"batch": larger, **found}


def caption(table: Frame) -> Caption:
    """Where each method ends, and who is better; all comparisons are decided together."""
    batches = [int(batch) for batch in sorted(table.batch_size.unique())]
    judged = judge_groups(comparisons(table), matters=MATTERS)
    claims = [_neighbourhood(table, batches)]
    short = claims[0].word == TOO_SHORT
    if len(batches) > 1:
        low, high = (floors(table, "ours", batch) ** 2 for batch in (batches[0], batches[-1]))
        claims.append(
            Claim(
                f"With b = {batches[-1]} in place of {batches[0]} it is more precise.",
                f"Its floor changes by {judged['batch'][0].difference.text()}, {counted(judged['batch'])}; "
                f"|G|² falls {spread_of(low / high)} times, and proportional to σ²/b it would fall "
                f"{number(batches[-1] / batches[0])} times.",
                _word(judged["batch"], short),
            )
        )
    for method, name in _OTHERS.items():
        each = [
            f"with b = {batch} {spread_of(floors(table, method, batch))}, the algorithm's over it "
            f"{one.difference.text()}"
            for batch, one in zip(batches, judged[method], strict=True)
        ]
        claims.append(
            Claim(
                f"{name} performs worse.",
                f"It ends at, {'; '.join(each)}. The algorithm ends {counted(judged[method])}.",
                _word(judged[method], short),
            )
        )
    return Caption(tuple(claims), _substituted(table))


def _word(judged: list[Judged], short: bool) -> str:
    """A curve that still falls can have come below another already, and has not come to its own floor."""
    found = word(judged, -1)
    return TOO_SHORT if short and found != SEEN else found


def _neighbourhood(table: Frame, batches: list[int]) -> Claim:
    """Where the algorithm ends, and on how many seeds it has come to rest."""
    resting, said = True, []
    for batch in batches:
        floor = floors(table, "ours", batch)
        own = table[(table.method == "ours") & (table.batch_size == batch)].sort_values("round")
        moving = own.groupby("seed").optimality.apply(lambda curve: still_moving(curve, noisy=True))
        rests = (floors(table, "ours", batch, "before") / floor < RESTS) & ~moving
        resting = resting and 2 * int(rests.sum()) > len(rests)
        said.append(f"with b = {batch} at {spread_of(floor)}, at rest {on(int(rests.sum()), len(rests))}")
    return Claim(
        "With stochastic gradients the algorithm converges to a neighbourhood, which their variance induces.",
        f"It ends (root mean square over the last fifth of {int(table['round'].max())} rounds; median and "
        f"quartiles) {listed(said)}: the fifth before is less than {number(RESTS)} times as large, and "
        "the curve has stopped falling.",
        word_if(resting, long_enough=resting),
    )


def _substituted(table: Frame) -> str:
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
        f"medians over seeds, each with data of its own, bands quartiles. {TOGETHER}"
    )
