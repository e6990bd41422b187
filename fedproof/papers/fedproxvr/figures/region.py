"""Where problem (23) is admissible, and what each point costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fedproof.algebra.expressions import compile_numpy
from fedproof.bounds import catalog
from fedproof.figures.number_format import number
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, Column, ComputeContext, Frame, Spec, compose
from fedproof.papers.fedproxvr.notation import Theta, tau, theta
from fedproof.papers.fedproxvr.training_time.minimise import minimise
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_GIVEN = ("L", "lam", "sigma2", "gamma")

SPEC = Spec(
    id="fedproxvr.region",
    title="The admissible (β, μ) of problem (23) and what each costs",
    source=Source("fedproxvr", "Sec. 4.3, problem (23)-(24)"),
    claims=(
        "Problem (23), least training time over β > 3 and Θ > 0, is non-convex, but with two "
        "variables only "
        "its global optimum can be found numerically."
    ),
    columns=(
        Column("kind", "grid; optimum; or end, end and middle of a segment"),
        Column("L", "smoothness of every sample's loss", "loss/length^2"),
        Column("lam", "extent of non-convexity", "loss/length^2"),
        Column("sigma2", "dissimilarity of the clients"),
        Column("gamma", "delay of a local step over delay of a round", "rounds/step"),
        Column("beta", "step-size parameter, stepsize = 1/(beta L)"),
        Column("mu", "weight of the proximal term", "loss/length^2"),
        Column("tau", "local steps, (16)", "steps"),
        Column("theta", "inexactness of the local solve, (22)"),
        Column("Theta", "federated factor", "length^2/loss"),
        Column("admissible", "whether mu > lam, beta > 3 and Theta > 0"),
        Column("objective", "(23); a cost only where the point is admissible", "loss/length^2"),
        Column("lower_bound", "proven least value of (23); on the row of the optimum", "loss/length^2"),
        Column("certified", "whether the two agree to a relative gap of 1e-9; on that row only"),
    ),
    axes={"x": Axis(r"step-size parameter $\beta$", "log"), "y": Axis(r"proximal weight $\mu$", "log")},
    size={
        "L": 1.0, "lam": 0.5, "sigma2": 1.0, "gamma": 0.01,
        "beta": [5.0, 300.0], "mu": [4.0, 2000.0], "points": 121, "pairs": 20000, "seed": 0,
    },
    toy={
        "L": 1.0, "lam": 0.5, "sigma2": 1.0, "gamma": 0.01,
        "beta": [5.0, 300.0], "mu": [4.0, 2000.0], "points": 25, "pairs": 2000, "seed": 0,
    },
)  # fmt: skip

#: Costs, as multiples of the least, where one colour of the map ends.
_STEPS = (1.01, 1.1, 1.5, 2, 4, 10, 30, 100)


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """Theta and the objective of (23) on a grid, the certified optimum, and a telling segment."""
    given = {name: float(size[name]) for name in _GIVEN}
    beta, mu = (_spaced(size, name) for name in ("beta", "mu"))
    axes = {"beta": np.tile(beta, len(mu)), "mu": np.repeat(mu, len(beta))}
    grid = _values(pd.DataFrame(given | axes).assign(kind="grid", lower_bound=np.nan, certified=False))
    context.progress("grid")
    found = minimise(*given.values())
    best = {"beta": found.inverse_stepsize, "mu": found.prox_weight, "lower_bound": found.lower_bound}
    optimum = pd.DataFrame(given | {k: [float(v)] for k, v in best.items()})
    optimum = optimum.assign(kind="optimum", certified=bool(found.certified))
    context.progress("optimum")
    segment = _segment(grid, int(size["pairs"]), int(size["seed"]))
    return pd.concat([_values(optimum), segment, grid], ignore_index=True)[list(SPEC.names)]


def _spaced(size: Mapping[str, Any], name: str) -> Any:
    low, high = (float(v) for v in size[name])
    return np.geomspace(low, high, int(size["points"]))


def _values(rows: Frame) -> Frame:
    """Add tau, theta, Theta, admissibility and the objective, from the paper's own expressions."""
    problem = catalog.statement("fedproxvr.problem23")
    names = (*_GIVEN, "beta", "mu")
    inputs = [rows[n].to_numpy(dtype=float) for n in names]

    def value(expr: Any) -> Any:
        return np.broadcast_to(compile_numpy(problem.expand(expr), names)(*inputs), len(rows))

    with np.errstate(all="ignore"):
        inside = np.logical_and.reduce([value(c.relation) for c in problem.conditions])
        objective = value(problem.claim.objective)  # type: ignore[union-attr]
        derived = {"tau": value(tau), "theta": value(theta), "Theta": value(Theta)}
    return rows.assign(**derived, admissible=inside.astype(bool), objective=objective)


def _segment(grid: Frame, pairs: int, seed: int) -> Frame:
    """Of random pairs of cheap admissible points, the one whose middle is worst, and that middle.

    A middle that is dearer than both ends, or not admissible, shows that (23) is not convex.
    """
    cheap = grid[grid.admissible & (grid.objective <= 10 * grid.objective[grid.admissible].min())]
    ends = np.random.default_rng(seed).integers(0, len(cheap), (2, pairs))
    left, right = (cheap.iloc[i].reset_index(drop=True) for i in ends)
    middle = left.assign(beta=(left.beta + right.beta) / 2, mu=(left.mu + right.mu) / 2)
    middle = _values(middle)
    excess = middle.objective / np.maximum(left.objective, right.objective)
    worst = int(excess.where(middle.admissible, -np.inf).idxmax())
    kinds = ("end", "end", "middle")
    return pd.concat([rows.iloc[[worst]] for rows in (left, right, middle)]).assign(kind=kinds)


def draw(table: Frame) -> Figure:
    """The admissible region coloured by the objective, its border Theta = 0 and the certified optimum."""
    from fedproof.figures.style import blank, house_style, ordered_colours, plain_ticks, set_axes

    with house_style():
        best = table[table.kind == "optimum"].iloc[0]
        grid = table[table.kind == "grid"]
        # Least cost over cost: smooth across Theta = 0, where it changes sign.
        worth = (best.objective / grid.objective).where(grid.mu > grid.lam, -1.0)
        worth = grid.assign(worth=worth).pivot(index="mu", columns="beta", values="worth")
        x, y = worth.columns.to_numpy(), worth.index.to_numpy()
        picture = blank(6.4, 4.6)
        axes = picture.add_subplot()
        axes.grid(visible=False)
        axes.set_facecolor("#eceef1")
        levels = [0.0, *sorted(1 / step for step in _STEPS), 1.0]
        bands = axes.contourf(x, y, worth, levels=levels, colors=ordered_colours(len(levels) - 1))
        axes.contour(x, y, worth, levels=[0.0], colors="#202124", linewidths=1.6)
        _marks(axes, table)
        set_axes(axes, SPEC.axes["x"], SPEC.axes["y"])
        plain_ticks(axes.xaxis, axes.yaxis)
        bar = picture.colorbar(bands, ax=axes, pad=0.02, spacing="uniform", ticks=levels)
        bar.ax.set_yticklabels(["∞", *(f"{step:g}" for step in sorted(_STEPS, reverse=True)), "1"])
        bar.set_label("objective of (23) as a multiple of its least value")
        return picture


def _marks(axes: Any, table: Frame) -> None:
    """The optimum, the segment, and what the grey part means."""
    best, segment = table[table.kind == "optimum"].iloc[0], table[table.kind.isin(["end", "middle"])]
    ends, middle = segment[segment.kind == "end"], segment[segment.kind == "middle"]
    axes.plot(ends.beta, ends.mu, "o", color="white", markeredgecolor="#202124", markersize=5)
    t = np.linspace(0, 1, 101)
    (a, b), (c, d) = ends.beta, ends.mu
    axes.plot(a + t * (b - a), c + t * (d - c), color="white", linewidth=1, linestyle=(0, (4, 2)))
    axes.plot(middle.beta, middle.mu, "X", color="white", markeredgecolor="#202124", markersize=7)
    axes.plot(best.beta, best.mu, "*", color="#D55E00", markeredgecolor="white", markersize=13)
    axes.annotate(
        "optimum", (best.beta, best.mu), xytext=(9, -3), textcoords="offset points", color="#202124"
    )
    axes.text(
        0.04, 0.93, r"$\mathrm{\Theta} \leq 0$: no guarantee", transform=axes.transAxes, color="#202124"
    )


def caption(table: Frame) -> str:
    """What the map shows, in numbers of the table."""
    grid, best = table[table.kind == "grid"], table[table.kind == "optimum"].iloc[0]
    inside = grid[grid.admissible]
    near = inside[inside.objective <= 1.1 * best.objective]
    proven, agreement = _proven(table)
    bent, shape = _shape(table)
    seen = (
        f"The least value {number(best.objective, 5)} is at β = {number(best.beta, 4)}, "
        f"μ = {number(best.mu, 4)} (τ = {number(best.tau, 4)}, θ = {number(best.theta)}, "
        f"Θ = {number(best.Theta)}), {_bounded(best)}; {agreement}. "
        f"{len(inside)} of {len(grid)} grid points are admissible, the smallest β among them "
        f"{number(inside.beta.min())}, the smallest μ {number(inside.mu.min())}. Points within a tenth of "
        f"the least value reach from β = {number(near.beta.min())} to {number(near.beta.max())} and from "
        f"μ = {number(near.mu.min())} to {number(near.mu.max())}. {shape}"
    )
    words = ("the global optimum is proven" if proven else "the global optimum is not proven",
             "non-convexity is seen" if bent else "no non-convexity is seen")  # fmt: skip
    said = f"{'Yes' if proven and bent else 'Not in full'}: {words[0]} and {words[1]}."
    return compose(claims=SPEC.claims, seen=seen, agreement=said, chosen=_chosen(table))


def _bounded(best: Any) -> str:
    """How far the optimum is proven, in words."""
    if not best.lower_bound > 0:
        return "without a proven lower bound"
    gap = f"a relative gap of {number(best.objective / best.lower_bound - 1, 2)}"
    return f"certified up to {gap}" if best.certified else f"not certified: the lower bound leaves {gap}"


def _proven(table: Frame) -> tuple[bool, str]:
    """Whether the optimum carries its certificate and the grid agrees, and how the grid compares."""
    best = table[table.kind == "optimum"].iloc[0]
    cheapest = table[(table.kind == "grid") & table.admissible].objective.min()
    if best.lower_bound > 0 and cheapest < best.lower_bound:
        return False, "a grid point lies below its lower bound"
    below = cheapest < best.objective
    return bool(best.certified) and not below, f"{'a' if below else 'no'} grid point lies below it"


def _shape(table: Frame) -> tuple[bool, str]:
    """Whether the segment contradicts convexity, and the sentence that says so."""
    left, right = table[table.kind == "end"].itertuples()
    middle = next(table[table.kind == "middle"].itertuples())
    dearer = middle.objective / max(left.objective, right.objective)
    where = (
        f"Halfway between ({number(left.beta)}, {number(left.mu)}) and ({number(right.beta)}, "
        f"{number(right.mu)}) the objective is {number(dearer)} times that of the dearer end"
    )
    return bool(dearer > 1), f"{where} (dashed line)."


def _chosen(table: Frame) -> str:
    grid = table[table.kind == "grid"]
    row = grid.iloc[0]
    return (
        f"L = {number(row.L)}, λ = {number(row.lam)} as in Fig. 1; σ̄² = {number(row.sigma2)}, "
        f"γ = {number(row.gamma)}, β from {number(grid.beta.min())} to {number(grid.beta.max())} "
        "and μ from "
        f"{number(grid.mu.min())} to {number(grid.mu.max())} are ours."
    )
