"""Fig. 1: the solution of problem (23) against gamma, for several dissimilarities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fedproof.bounds import catalog
from fedproof.bounds.claims import Observed
from fedproof.figures import style
from fedproof.figures.caption import Caption, Claim
from fedproof.figures.curves import legend_above
from fedproof.figures.number_format import listed, number
from fedproof.figures.parameters import ends, points, real
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, Column, ComputeContext, Frame, Spec, recorded
from fedproof.figures.trends import Trend, trend
from fedproof.papers.fedproxvr.training_time.minimise import minimise
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OPTIMUM = (
    Column("beta", "best step-size parameter, stepsize = 1/(beta L)"),
    Column("mu", "best weight of the proximal term", "loss/length^2"),
    Column("theta", "inexactness of the local solve at the optimum"),
    Column("Theta", "federated factor at the optimum", "length^2/loss"),
    Column("tau", "local steps at the optimum", "steps"),
    Column("objective", "least value of (23), rounded up", "loss/length^2"),
    Column("lower_bound", "proven lower bound on it", "loss/length^2"),
    Column("certified", "whether the two agree to a relative gap of 1e-9"),
)
GAMMA = Axis(r"weight factor $\gamma = d_{\mathrm{cmp}}/d_{\mathrm{com}}$", "log")
_PARAMETERS = (
    real("L", 1.0, zero=False),
    real("lam", 0.5),
    real("sigma2", (0.0, 0.5, 1.0, 2.0, 4.0, 8.0)),
    ends("gamma", (1e-5, 1.0), "ends of its range: delay of a local step over delay of a round"),
    points(200, "values of γ"),
)

SPEC = Spec(
    id="fedproxvr.figure1",
    title="Best parameters against the weight factor γ",
    source=Source("fedproxvr", "Fig. 1 and its discussion in Sec. 4.3"),
    parameters=_PARAMETERS,
    columns=(*recorded(_PARAMETERS, "L", "lam", "sigma2", "gamma"), *OPTIMUM),
    axes={
        "gamma": GAMMA,
        "beta": Axis(r"step-size parameter $\beta^*$", "log"),
        "mu": Axis(r"proximal weight $\mu^*$", "log"),
        "theta": Axis(r"local inexactness $\theta^*$", "log"),
        "Theta": Axis(r"federated factor $\Theta^*$", "log"),
    },
    toy={"sigma2": [0.0, 1.0], "gamma": [1e-3, 1e-1], "points": 3},
)

_PANELS = ("beta", "mu", "theta", "Theta")
_LETTERS = {"beta": "β*", "mu": "μ*", "theta": "θ*", "Theta": "Θ*", "tau": "τ*", "gamma": "γ", "sigma2": "σ̄²"}


def instances(size: Mapping[str, Any]) -> dict[str, Any]:
    """Every pair of sigma2 and gamma, gamma evenly on a logarithmic scale, with L and lam."""
    low, high = size["gamma"]
    spaced = np.geomspace(float(low), float(high), int(size["points"]))
    sigma2, gamma = np.meshgrid(np.array(size["sigma2"], dtype=float), spaced, indexing="ij")
    return {"L": float(size["L"]), "lam": float(size["lam"]), "sigma2": sigma2, "gamma": gamma}


def optima(given: Mapping[str, Any], **options: Any) -> Frame:
    """The certified optimum of (23) for all instances: what is given, then `OPTIMUM`."""
    best = minimise(*given.values(), **options)
    found = {
        "beta": best.inverse_stepsize, "mu": best.prox_weight, "theta": best.inexactness,
        "Theta": best.federated_factor, "tau": best.local_steps, "objective": best.objective,
        "lower_bound": best.lower_bound, "certified": best.certified,
    }  # fmt: skip
    shape = given["sigma2"].shape
    return pd.DataFrame({n: np.broadcast_to(v, shape).ravel() for n, v in ({**given} | found).items()})


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """The certified optimum of (23) for every pair of sigma2 and gamma."""
    table = optima(instances(size))
    context.progress(f"{count(len(table), 'instance')} of (23)")
    return table


def draw(table: Frame) -> Figure:
    """Four panels over gamma, one curve for each sigma2."""
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
        style.set_axes(axes, GAMMA, None)
    style.panel_letters(panels, [SPEC.axes[name].label for name in _PANELS])
    legend_above(picture, panels[0], len(levels), r"dissimilarity $\bar\sigma^2$")
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


def caption(table: Frame) -> Caption:
    """One claim for each trend that the paper states; of the table's own ranges, not of all."""
    found = [
        Claim(
            f"{_LETTERS[t.quantity]} {'rises' if t.rising else 'falls'} as {_LETTERS[t.along]} grows.",
            t.measured,
            t.word,
        )
        for _, t in trends(table)
    ]
    given = f"L = {number(table.L.iloc[0])} and λ = {number(table.lam.iloc[0])}"
    return Caption(tuple(found), f"The paper prints {given} and no ranges. Here {spans(table)}")


def spans(table: Frame) -> str:
    """Which instances were looked at, and how far their optima are proven."""
    gap = ((table.objective - table.lower_bound) / table.lower_bound).max()
    levels = listed([number(v) for v in sorted(table.sigma2.unique())])
    return (
        f"γ takes {count(table.gamma.nunique(), 'value')} from {number(table.gamma.min())} to "
        f"{number(table.gamma.max())}, evenly on a logarithmic scale, and σ̄² is {levels}: of these alone the "
        f"verdicts speak. {int(table.certified.sum())} of {len(table)} optima are certified global minima of "
        f"(23), by a proven lower bound; the worst relative gap is {number(gap, 2)}."
    )
