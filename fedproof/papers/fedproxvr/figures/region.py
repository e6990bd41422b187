"""Where problem (23) is admissible, and what each point costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fedproof.algebra.expressions import compile_numpy
from fedproof.bounds import catalog
from fedproof.figures import style
from fedproof.figures.caption import Caption, Claim, word_if
from fedproof.figures.number_format import number
from fedproof.figures.parameters import ends, points, real, whole
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, Column, ComputeContext, Frame, Spec, recorded
from fedproof.papers.fedproxvr.notation import Theta, tau, theta
from fedproof.papers.fedproxvr.training_time.minimise import minimise
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PARAMETERS = (
    real("L", 1.0, zero=False),
    real("lam", 0.5),
    real("sigma2", 1.0),
    real("gamma", 0.01, zero=False),
    ends("beta", (5.0, 300.0), "ends of the range of β"),
    ends("mu", (4.0, 2000.0), "ends of the range of μ"),
    points(121),
    whole("pairs", 20000, "pairs of points between which a dearer one is looked for"),
    whole("seed", 0, "of these pairs", zero=True),
)
_GIVEN = ("L", "lam", "sigma2", "gamma")
_STEPS = (1.01, 1.1, 1.5, 2, 4, 10, 30, 100)
"""Costs, as multiples of the least, where one colour of the map ends."""

SPEC = Spec(
    id="fedproxvr.region",
    title="The admissible (β, μ) of problem (23) and what each costs",
    source=Source("fedproxvr", "Sec. 4.3, problem (23)-(24)"),
    parameters=_PARAMETERS,
    columns=(
        Column("kind", "grid; optimum; or end, end and middle of a segment"),
        *recorded(_PARAMETERS, *_GIVEN),
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
    toy={"points": 25, "pairs": 2000},
)


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
    """The one panel."""
    picture = style.blank(6.4, 4.6)
    panel(picture.add_subplot(), table)
    return picture


def panel(axes: Axes, table: Frame) -> None:
    """The admissible region coloured by the objective, its border Theta = 0 and the certified optimum."""
    best, grid = table[table.kind == "optimum"].iloc[0], table[table.kind == "grid"]
    # Least cost over cost: smooth across Theta = 0, where it changes sign.
    worth = (best.objective / grid.objective).where(grid.mu > grid.lam, -1.0)
    worth = grid.assign(worth=worth).pivot(index="mu", columns="beta", values="worth")
    bands = style.cost_map(axes, worth, _STEPS, 0.0)
    axes.contour(worth.columns, worth.index, worth, levels=[0.0], colors="#202124", linewidths=1.6)
    _marks(axes, table)
    style.set_axes(axes, SPEC.axes["x"], SPEC.axes["y"])
    style.plain_ticks(axes.xaxis, axes.yaxis)
    style.cost_bar(bands, axes, _STEPS, "∞", "objective of (23) as a multiple of its least value")


def _marks(axes: Axes, table: Frame) -> None:
    """The optimum, the segment, and what the grey part means."""
    best, segment = table[table.kind == "optimum"].iloc[0], table[table.kind.isin(["end", "middle"])]
    ends, middle = segment[segment.kind == "end"], segment[segment.kind == "middle"]
    axes.plot(ends.beta, ends.mu, "o", color="white", markeredgecolor="#202124", markersize=5)
    t = np.linspace(0, 1, 101)
    (a, b), (c, d) = ends.beta, ends.mu
    axes.plot(a + t * (b - a), c + t * (d - c), color="white", linewidth=1, linestyle=(0, (4, 2)))
    axes.plot(middle.beta, middle.mu, "X", color="white", markeredgecolor="#202124", markersize=7)
    style.star(axes, best.beta, best.mu)
    axes.annotate(
        "optimum", (best.beta, best.mu), xytext=(9, -3), textcoords="offset points", color="#202124"
    )
    words = r"$\mathrm{\Theta} \leq 0$: no guarantee"
    axes.text(0.04, 0.93, words, transform=axes.transAxes, color="#202124")


def caption(table: Frame) -> Caption:
    """Whether (23) is non-convex, and whether its global optimum is found."""
    return Caption((_shape(table), _proven(table)), _substituted(table))


def _proven(table: Frame) -> Claim:
    """Whether the optimum carries its certificate and the grid agrees, and where it lies."""
    grid, best = table[table.kind == "grid"], table[table.kind == "optimum"].iloc[0]
    inside = grid[grid.admissible]
    near, cheapest = inside[inside.objective <= 1.1 * best.objective], inside.objective.min()
    below = cheapest < best.objective
    contradicted = best.lower_bound > 0 and cheapest < best.lower_bound
    compared = "a grid point lies below its lower bound" if contradicted else (
        f"{'a' if below else 'no'} grid point lies below it"
    )  # fmt: skip
    return Claim(
        "With two variables only, β > 3 and μ, its global optimum can be found numerically.",
        f"The least value {number(best.objective, 5)} is at β = {number(best.beta, 4)}, "
        f"μ = {number(best.mu, 4)} (τ = {number(best.tau, 4)}, θ = {number(best.theta)}, "
        f"Θ = {number(best.Theta)}), {_bounded(best)}; {compared}. "
        f"{len(inside)} of {len(grid)} grid points are admissible, the smallest β among them "
        f"{number(inside.beta.min())}, the smallest μ {number(inside.mu.min())}. Points within a tenth of "
        f"the least value reach from β = {number(near.beta.min())} to {number(near.beta.max())} and from "
        f"μ = {number(near.mu.min())} to {number(near.mu.max())}.",
        word_if(bool(best.certified) and not below),
    )


def _bounded(best: Any) -> str:
    """How far the optimum is proven, in words."""
    if not best.lower_bound > 0:
        return "without a proven lower bound"
    gap = f"a relative gap of {number(best.objective / best.lower_bound - 1, 2)}"
    return f"certified up to {gap}" if best.certified else f"not certified: the lower bound leaves {gap}"


def _shape(table: Frame) -> Claim:
    """Whether the segment contradicts convexity."""
    left, right = table[table.kind == "end"].itertuples()
    middle = next(table[table.kind == "middle"].itertuples())
    dearer = middle.objective / max(left.objective, right.objective)
    return Claim(
        "Problem (23), least training time over Θ > 0, is non-convex.",
        f"Halfway between ({number(left.beta)}, {number(left.mu)}) and ({number(right.beta)}, "
        f"{number(right.mu)}) the objective is {number(dearer)} times that of the dearer end (dashed line).",
        word_if(bool(dearer > 1)),
    )


def _substituted(table: Frame) -> str:
    grid = table[table.kind == "grid"]
    row = grid.iloc[0]
    return (
        f"L = {number(row.L)}, λ = {number(row.lam)} as in Fig. 1; σ̄² = {number(row.sigma2)}, "
        f"γ = {number(row.gamma)}, β from {number(grid.beta.min())} to {number(grid.beta.max())} "
        f"and μ from {number(grid.mu.min())} to {number(grid.mu.max())} are ours."
    )
