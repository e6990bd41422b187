"""Fig. 1: the solution of problem (23) against gamma, for several dissimilarities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fedproof.bounds import catalog
from fedproof.bounds.claims import Observed
from fedproof.figures.number_format import listed, number
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, Column, ComputeContext, Frame, Spec, compose
from fedproof.figures.trends import Trend, trend
from fedproof.papers.fedproxvr.training_time.minimise import minimise
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SPEC = Spec(
    id="fedproxvr.figure1",
    title="Best parameters against the weight factor γ",
    source=Source("fedproxvr", "Fig. 1 and its discussion in Sec. 4.3"),
    claims=(
        "In the solution of problem (23), β* and with it τ* falls and μ* and θ* rise as γ grows; "
        "a larger σ̄² "
        "raises μ* and β* and lowers θ* and Θ*."
    ),
    columns=(
        Column("L", "smoothness of every sample's loss", "loss/length^2"),
        Column("lam", "extent of non-convexity", "loss/length^2"),
        Column("sigma2", "dissimilarity of the clients"),
        Column("gamma", "delay of a local step over delay of a round", "rounds/step"),
        Column("beta", "best step-size parameter, stepsize = 1/(beta L)"),
        Column("mu", "best weight of the proximal term", "loss/length^2"),
        Column("theta", "inexactness of the local solve at the optimum"),
        Column("Theta", "federated factor at the optimum", "length^2/loss"),
        Column("tau", "local steps at the optimum", "steps"),
        Column("objective", "least value of (23), rounded up", "loss/length^2"),
        Column("lower_bound", "proven lower bound on (23)", "loss/length^2"),
        Column("certified", "whether the two agree to a relative gap of 1e-9"),
    ),
    axes={
        "gamma": Axis(r"weight factor $\gamma = d_{\mathrm{cmp}}/d_{\mathrm{com}}$", "log"),
        "beta": Axis(r"step-size parameter $\beta^*$", "log"),
        "mu": Axis(r"proximal weight $\mu^*$", "log"),
        "theta": Axis(r"local inexactness $\theta^*$", "log"),
        "Theta": Axis(r"federated factor $\Theta^*$", "log"),
    },
    size={
        "L": 1.0, "lam": 0.5, "sigma2": [0.0, 0.5, 1.0, 2.0, 4.0, 8.0], "gamma": [1e-5, 1.0], "points": 200,
    },
    toy={"L": 1.0, "lam": 0.5, "sigma2": [0.0, 1.0], "gamma": [1e-3, 1e-1], "points": 3},
)  # fmt: skip

_PANELS = ("beta", "mu", "theta", "Theta")
_LETTERS = {"beta": "β*", "mu": "μ*", "theta": "θ*", "Theta": "Θ*", "tau": "τ*", "gamma": "γ", "sigma2": "σ̄²"}


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """The certified optimum of (23) for every pair of sigma2 and gamma, in one vectorised call."""
    low, high = (float(v) for v in size["gamma"])
    levels = np.array(size["sigma2"], dtype=float)
    sigma2, gamma = np.meshgrid(levels, np.geomspace(low, high, int(size["points"])), indexing="ij")
    best = minimise(float(size["L"]), float(size["lam"]), sigma2, gamma)
    columns = {
        "L": np.full(sigma2.shape, float(size["L"])),
        "lam": np.full(sigma2.shape, float(size["lam"])),
        "sigma2": sigma2,
        "gamma": gamma,
        "beta": best.inverse_stepsize,
        "mu": best.prox_weight,
        "theta": best.inexactness,
        "Theta": best.federated_factor,
        "tau": best.local_steps,
        "objective": best.objective,
        "lower_bound": best.lower_bound,
        "certified": best.certified,
    }
    context.progress(f"{count(sigma2.size, 'instance')} of (23)")
    return pd.DataFrame({name: np.ravel(values) for name, values in columns.items()})


def draw(table: Frame) -> Figure:
    """Four panels over gamma, one curve for each sigma2."""
    from fedproof.figures import style

    with style.house_style():
        picture = style.blank(7.2, 5.4)
        panels = picture.subplots(2, 2, sharex=True).ravel()
        levels = sorted(table.sigma2.unique())
        for colour, level in zip(style.ordered_colours(len(levels)), levels, strict=True):
            curve = table[table.sigma2 == level].sort_values("gamma")
            for axes, name in zip(panels, _PANELS, strict=True):
                axes.plot(curve.gamma, curve[name], color=colour, label=f"{level:g}")
        for axes, name in zip(panels, _PANELS, strict=True):
            axes.set_yscale(SPEC.axes[name].scale)
            style.plain_ticks(axes.yaxis)
            axes.margins(x=0)
        for axes in panels[2:]:
            style.set_axes(axes, SPEC.axes["gamma"], None)
        style.panel_letters(panels, [SPEC.axes[name].label for name in _PANELS])
        picture.legend(
            *panels[0].get_legend_handles_labels(),
            loc="outside upper center", ncols=len(levels), title=r"dissimilarity $\bar\sigma^2$",
        )  # fmt: skip
        return picture


def trends(table: Frame) -> tuple[tuple[str, Trend], ...]:
    """What the paper says about this figure, claim by claim, and what the table shows.

    Returns: statement ids with the trend found.
    """
    found = []
    for statement in catalog.statements("fedproxvr"):
        claim = statement.claim
        if isinstance(claim, Observed):
            along = claim.symbol.name
            by = "gamma" if along == "sigma2" else "sigma2"
            rising = claim.direction == "increasing"
            found.append((statement.id, trend(table, claim.quantity.name, along, by, rising=rising)))
    return tuple(found)


def caption(table: Frame) -> str:
    """Claim by claim what was seen; numbers from the table."""
    checked = [t for _, t in trends(table)]
    agree = sum(t.seen for t in checked)
    missed = [f"{_LETTERS[t.quantity]} against {_LETTERS[t.along]}" for t in checked if not t.seen]
    tail = "all" if not missed else f"{agree} of {len(checked)}"
    agreement = f"{tail.capitalize()} of the {len(checked)} statements about the figure are seen"
    if missed:
        agreement = f"{tail} statements about the figure are seen; not {listed(missed)}"
    agreement = f"{agreement}. This speaks of {_where(table)} alone, not of all γ and σ̄²."
    return compose(claims=SPEC.claims, seen=_seen(checked), agreement=agreement, chosen=_chosen(table))


def _where(table: Frame) -> str:
    """The ranges that were looked at."""
    low, high = ({n: table[n].agg(f) for n in ("gamma", "sigma2", "L", "lam")} for f in ("min", "max"))
    spans = (f"{_LETTERS[n]} from {number(low[n])} to {number(high[n])}" for n in ("gamma", "sigma2"))
    return f"{listed(spans)} with L = {number(low['L'])} and λ = {number(low['lam'])}"


def _seen(checked: list[Trend]) -> str:
    """The trends that are seen together, one sentence for each axis; each of the others on its own."""
    said = []
    for along in dict.fromkeys(t.along for t in checked):
        found = [t for t in checked if t.along == along and t.seen]
        if found:
            moves = listed(f"{_LETTERS[t.quantity]} {'rises' if t.rising else 'falls'}" for t in found)
            looked = f"{count(found[0].curves, 'curve')}, {count(found[0].steps, 'step')} each"
            said.append(f"With {_LETTERS[along]}, {moves} ({looked}, none against).")
    missed = [t.sentence(_LETTERS[t.quantity], _LETTERS[t.along]) for t in checked if not t.seen]
    return " ".join([*said, *missed])


def _chosen(table: Frame) -> str:
    gap = ((table.objective - table.lower_bound) / table.lower_bound).max()
    levels = listed([number(v) for v in sorted(table.sigma2.unique())])
    return (
        f"The paper prints L = {number(table.L.iloc[0])} and λ = {number(table.lam.iloc[0])} and "
        "no ranges. "
        f"Here γ takes {table.gamma.nunique()} values from {number(table.gamma.min())} to "
        f"{number(table.gamma.max())}, evenly on a logarithmic scale, and σ̄² is {levels}. "
        f"{int(table.certified.sum())} of {len(table)} points are certified global minima of (23), by a "
        f"proven lower bound; the worst relative gap is {number(gap, 2)}."
    )
