"""Theorems 1 and 2 against runs: the mean squared gradient by rounds, under the bounds with constants."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fedproof.figures import style
from fedproof.figures.caption import NOT_SEEN, NOT_TOLD_APART, SEEN, Caption, Claim, sentences, word_if
from fedproof.figures.comparison import TOGETHER, Difference, counted, judge, ratio, span, word
from fedproof.figures.curves import legend_above
from fedproof.figures.number_format import listed, number
from fedproof.figures.parameters import real, whole
from fedproof.figures.power import critical
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, Column, ComputeContext, Frame, Spec, recorded
from fedproof.papers.fedprox.checks import theorem1, theorem2
from fedproof.papers.fedprox.checks._experiments import Experiment, nonsmooth, smooth
from fedproof.papers.fedprox.checks._instances import nonsmooth_lines, robust, smooth_lines
from fedproof.papers.fedprox.checks._oracle import ProximalPoint
from fedproof.solvers.local.to_duality_gap import ToDualityGap
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BOUNDS = {theorem: f"fedprox.theorem{theorem}.explicit" for theorem in (1, 2)}
LINES = {1: "opposite slopes, from outside", 2: "three absolute values"}
"""Of the instances of the checks, those that are drawn."""
ON_LINE = "on the line"
MODELS = {1: "Cauchy", 2: "absolute"}
ACCURACY = Fraction(1, 10**13)
"""Of the local solves of the losses with kinks; the theorem asks for exact ones."""
SAME = math.log(1.25)
"""A part of the bound that changes by less than a quarter counts as the same."""
_PARAMETERS = (
    whole("cohort", (1, 4), "I, devices that are drawn in a round, with replacement"),
    whole("rounds", 1024, "T at most, on the line"),
    whole("data_rounds", 1024, "T at most on data, Theorem 1"),
    whole("kinked_rounds", 256, "T at most on data, Theorem 2"),
    real("rho", 0.5, "ρ of Theorem 2", zero=False),
    whole("clients", 20, "devices of the data"),
    whole("heterogeneity", 1, "spread of the devices' models in the data", zero=True),
    whole("seeds", 8),
)
SPEC = Spec(
    id="fedprox.rates",
    title="The mean squared gradient of FedProx by rounds, under the bounds of Theorems 1 and 2",
    source=Source("fedprox", "Theorems 1 and 2, (4) and (5)"),
    parameters=_PARAMETERS,
    columns=(
        Column("theorem", "1: squared gradient; 2: squared gradient of the Moreau envelope"),
        Column("problem", "what it is measured on"),
        Column("cohort", "I, devices that are drawn in a round, with replacement", "clients"),
        Column("rounds", "T", "rounds"),
        Column("stepsize", "eta of the theorem", "length^2/loss"),
        Column("bound", "the statement's bound with its constants", "(loss/length)^2"),
        Column("seed", "of the draws"),
        Column("measured", "mean over w_0 to w_{T-1}; of exact local solves at most that", "(loss/length)^2"),
        *recorded(_PARAMETERS, "rho", "clients", "heterogeneity"),
    ),
    axes={
        "rounds": Axis("rounds T", "log"),
        "measured": Axis("mean squared gradient, (loss/length)²", "log"),
    },
    toy={"rounds": 64, "data_rounds": 4, "kinked_rounds": 4, "clients": 4, "seeds": 2},
    brief={"rounds": 256, "data_rounds": 64, "kinked_rounds": 16, "seeds": 6},
)


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """A row for each experiment and seed."""
    parts, runs = [], {1: theorem1.runs(context.runs), 2: theorem2.runs(context.runs)}
    for theorem, problem, experiment in _experiments(size):
        values = runs[theorem].sampled(experiment, experiment.method, size["seeds"], 0)
        values = values + (theorem2.lost(experiment) if theorem == 2 else 0)
        known: dict[str, Any] = {
            "theorem": theorem, "problem": problem, "cohort": experiment.count,
            "rounds": experiment.rounds, "stepsize": float(experiment.stepsize),
            "bound": experiment.bound(BOUNDS[theorem]),
        }  # fmt: skip
        parts.append(pd.DataFrame({"seed": range(len(values)), "measured": values}).assign(**known))
        context.progress(f"Theorem {theorem}, {problem}, I = {experiment.count}, T = {experiment.rounds}")
    given = {name: size[name] for name in ("rho", "clients", "heterogeneity")}
    return pd.concat(parts, ignore_index=True).assign(**given)[list(SPEC.names)]


def _experiments(size: Mapping[str, Any]) -> Iterator[tuple[int, str, Experiment]]:
    """Theorem, problem and experiment."""
    lines = {1: _named(smooth_lines(), LINES[1]), 2: _named(nonsmooth_lines(), LINES[2])}
    rho = Fraction(str(size["rho"]))
    for theorem in BOUNDS:
        data = robust(MODELS[theorem].lower(), size["heterogeneity"], size["clients"])
        most = size["data_rounds" if theorem == 1 else "kinked_rounds"]
        for cohort in size["cohort"]:
            for problem, last in ((lines[theorem], size["rounds"]), (data, most)):
                on_line = problem is lines[theorem]
                for rounds in ladder(cohort, last) if theorem == 1 else ladder(1, last):
                    made = _experiment(theorem, problem, cohort, rounds, rho, on_line)
                    yield theorem, ON_LINE if on_line else f"on robust with {MODELS[theorem]} losses", made


def _named(lines: Any, name: str) -> Any:
    return next(line for line in lines if line.name == name)


def ladder(cohort: int, most: int) -> list[int]:
    """Numbers of rounds with a rational step size: cubes up to I^3, I times squares beyond it.

    >>> ladder(1, 100), ladder(4, 1024)
    ([1, 4, 16, 64], [1, 8, 64, 256, 1024])
    """
    powers = [2**k for k in range(most.bit_length())]
    found = {k**3 for k in powers if k <= cohort} | {cohort**3 * k * k for k in powers}
    return sorted(rounds for rounds in found if rounds <= most)


def _experiment(
    theorem: int, problem: Any, cohort: int, rounds: int, rho: Fraction, on_line: bool
) -> Experiment:
    """With the theorem's own step size; local solves are exact on the line."""
    if theorem == 1:
        made = smooth(problem, cohort, rounds)
        return replace(made, solver=ProximalPoint()).in_floats() if on_line else made
    if on_line:
        return nonsmooth(problem, cohort, rounds, rho).in_floats()
    return nonsmooth(problem, cohort, rounds, rho, ToDualityGap(ACCURACY))


def draw(table: Frame) -> Figure:
    """A column for each theorem, a row for each problem; dashed are the bounds, grey the slopes."""
    picture = style.blank(8.2, 6.0)
    panels = picture.subplots(2, 2, sharex="col", squeeze=False)
    titles = {}
    for theorem, column in zip(BOUNDS, panels.T, strict=True):
        own = table[table.theorem == theorem]
        for axes, (problem, rows) in zip(column, own.groupby("problem", sort=False), strict=True):
            _panel(axes, rows)
            titles[axes] = f"Theorem {theorem}, {problem}"
        style.set_axes(column[-1], SPEC.axes["rounds"], None)
    for axes, label in zip(panels.ravel(), _labels(), strict=True):
        axes.set_ylabel(label)
        axes.set_yscale("log")
    style.panel_letters(list(panels.ravel()), [titles[axes] for axes in panels.ravel()], size=10)
    legend_above(picture, panels[0, 0], 5)
    return picture


def _labels() -> tuple[str, ...]:
    gradient, envelope = r"$\|\nabla\bar R\|^2$", r"$\|\nabla\bar R_\rho\|^2$"
    return tuple(f"mean {one}, (loss/length)²" for one in (gradient, envelope) * 2)


def _panel(axes: Axes, rows: Frame) -> None:
    colours = (style.CATEGORIES[0], style.CATEGORIES[1], *style.CATEGORIES[2:])
    for (cohort, own), colour, mark in zip(rows.groupby("cohort"), colours, "osD^", strict=False):
        by_rounds = own.groupby("rounds")
        bound, mean = by_rounds.bound.first(), by_rounds.measured.mean()
        wide = 3.2 if colour == colours[0] else 1.4
        axes.plot(bound.index, bound, color=colour, linestyle=(0, (4, 2)), linewidth=wide,
                  alpha=0.5 if wide > 2 else 1.0, label=f"bound, I = {cohort}")  # fmt: skip
        axes.plot(mean.index, mean, color=colour, marker=mark, markersize=5, linewidth=wide,
                  alpha=0.5 if wide > 2 else 1.0, label=f"measured, I = {cohort}")  # fmt: skip
        for rounds, values in by_rounds.measured:
            low, high = ends(values.to_numpy(), 1)
            axes.plot([rounds] * 2, [max(low, 1e-12), high], color=colour, linewidth=1, marker="_")
    _slopes(axes, rows)
    axes.set_xscale("log")


def _slopes(axes: Axes, rows: Frame) -> None:
    """Short lines of the slopes of the bounds, below the curves."""
    last = int(rows["rounds"].max())
    least = float(rows.groupby("rounds").measured.mean().min())
    x = np.array([max(1.0, last / 64), max(1.0, last / 8)])
    powers = {-1 / 2: "$T^{-1/2}$"} | ({-2 / 3: "$T^{-2/3}$"} if rows.theorem.iloc[0] == 1 else {})
    for place, (power, words) in enumerate(powers.items()):
        y = 0.6 * least * (x / x[0]) ** power
        axes.update_datalim([(x[-1], y[-1] / 2)])
        axes.plot(x, y, color="#80868b", linewidth=1)
        axes.annotate(words, (x[-1], y[-1]), xytext=(4, -1 - 9 * place), fontsize=9,
                      textcoords="offset points", color="#5f6368")  # fmt: skip


def ends(values: Any, together: int) -> tuple[float, float]:
    """Student's interval of a mean at `power.LEVEL`, of so many together.

    >>> low, high = ends(np.array([1.0, 2.0, 3.0]), 1)
    >>> round(low, 2), round(high, 2)
    (-3.73, 7.73)
    """
    mean, n = float(np.mean(values)), len(values)
    if n < 2 or np.ptp(values) == 0:
        return mean, mean
    reach = critical(n, together) * float(np.std(values, ddof=1)) / math.sqrt(n)
    return mean - reach, mean + reach


def points(table: Frame, theorem: int) -> list[tuple[str, float, float, float]]:
    """For every experiment on a theorem: where, and both ends and the mean of the measured over the bound."""
    own = table[table.theorem == theorem]
    groups = list(own.groupby(["problem", "cohort", "rounds"], sort=False))
    found = []
    for (problem, cohort, rounds), rows in groups:
        low, high = ends((rows.measured / rows.bound).to_numpy(), len(table.groupby(_POINT)))
        found.append(
            (f"{problem}, I = {cohort}, T = {rounds}", low, high, float((rows.measured / rows.bound).mean()))
        )
    return found


_POINT = ["theorem", "problem", "cohort", "rounds"]


def _kept(table: Frame, theorem: int, claim: str) -> Claim:
    found = points(table, theorem)
    where, _, _, most = max(found, key=lambda point: point[3])
    over = [point for point in found if point[1] > 1]
    inside = all(point[2] <= 1 for point in found)
    each = [
        f"{number(max(p[3] for p in found if p[0].startswith(problem)))} {problem}"
        for problem in table[table.theorem == theorem].problem.unique()
    ]
    return Claim(
        claim,
        sentences([
            f"At {count(len(found), 'point')} it is at most {listed(each)} of the bound with constants, "
            f"nearest {where}, at {number(most)}.",
            f"{len(over)} of them above it." if over else "None of them above it.",
        ]),
        SEEN if inside else NOT_SEEN if over else NOT_TOLD_APART,
    )  # fmt: skip


def changes(table: Frame) -> dict[str, Difference]:
    """On every problem and with every I, measured over bound at the last T over that two steps before."""
    found = {}
    for (theorem, problem, cohort), rows in table.groupby(_POINT[:3], sort=False):
        part = (rows.measured / rows.bound).groupby([rows["rounds"], rows.seed]).first()
        every = sorted(rows["rounds"].unique())
        if len(every) > 2 and (part > 0).all():
            found[f"Theorem {theorem}, {problem}, I = {cohort}"] = ratio(part[every[-1]], part[every[-3]])
    return found


def sampling(table: Frame) -> list[Difference]:
    """Theorem 1: measured with the largest I over that with the smallest, at the last T that they share."""
    found = []
    for _, rows in table[table.theorem == 1].groupby("problem", sort=False):
        by = dict(list(rows.groupby("cohort")))
        few, many = by[min(by)], by[max(by)]
        shared = set(few["rounds"]) & set(many["rounds"])
        if few is not many and shared:
            at = [own[own["rounds"] == max(shared)].set_index("seed").measured for own in (many, few)]
            found.append(ratio(at[0], at[1]))
    return found


def caption(table: Frame) -> Caption:
    """Whether the bounds are kept, and whether runs fall as they do."""
    claims = [
        _kept(table, 1, "With the step size of Theorem 1 the mean squared gradient is at most "
              "O((LΔ + G²) max{T^(−2/3), (TI)^(−1/2)}) (4)."),
        _kept(table, 2, "With the step size of Theorem 2 the mean squared gradient of the Moreau envelope is "
              "at most O(T^(−1/2)) for losses with kinks (5)."),
    ]  # fmt: skip
    compared = judge(sampling(table), matters=SAME)
    if compared:
        few, many = (number(int(c)) for c in (table.cohort.min(), table.cohort.max()))
        claims.append(
            Claim(
                "The rate reveals the benefit of sampling more devices.",
                f"The mean with I = {many} over that with I = {few}, at the largest T that both have: "
                f"{span([one.difference for one in compared])}; {counted(compared)}; the bound's is "
                f"{number(_bounds_ratio(table))}.",
                word(compared, -1),
            )
        )
    moved = {name: one for name, one in changes(table).items() if ON_LINE in name}
    if moved:
        claims.append(
            Claim(
                "On the line runs fall at the rate of the bounds.",
                "Mean over bound at the last T, over that two steps before: "
                f"{'; '.join(f'{name} {one.text()}' for name, one in moved.items())}.",
                word_if(all(abs(one.mean) <= SAME for one in moved.values())),
                ours=True,
            )
        )
    return Caption(tuple(claims), _substituted(table))


def _bounds_ratio(table: Frame) -> float:
    """The bound with the largest I over that with the smallest, at the last T that they share."""
    own = table[(table.theorem == 1) & (table.problem == ON_LINE)]
    bounds = own.groupby(["cohort", "rounds"]).bound.first().unstack("cohort").dropna()
    return float(bounds.iloc[-1, -1] / bounds.iloc[-1, 0])


def _substituted(table: Frame) -> str:
    row = table.iloc[0]
    return sentences([
        "The paper measures none of this. On the line: two devices with Huber losses "
        f"({LINES[1]}) and three with absolute values ({LINES[2]}), solved exactly.",
        f"robust: {int(row.clients)} devices with outliers, heterogeneity {int(row.heterogeneity)}; Cauchy "
        "losses, which are not convex, solved to the eps of Theorem 1, and absolute losses, where Theorem 2 "
        f"asks for exact solves, to a certified duality gap of {number(float(ACCURACY))}; what exact ones "
        "can change is added.",
        f"ρ = {number(row.rho)}. Devices are drawn with replacement, each round anew; every T has its own "
        "step size and its own runs. L, G, the gap at the start and all constants of the bounds are proved.",
        f"Lines are means over {count(int(table.seed.nunique()), 'seed')} of the draws, upright lines 99 % "
        f"intervals; all points are decided together. {TOGETHER}",
    ])  # fmt: skip
