"""The least training time of problem (23) under the bounds as printed and as sharpened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from fedproof.figures import style
from fedproof.figures.caption import Caption, Claim, word_if
from fedproof.figures.curves import legend_above
from fedproof.figures.number_format import number
from fedproof.figures.parameters import ends, points, real
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, Column, ComputeContext, Frame, Spec, recorded
from fedproof.papers.fedproxvr.figures.figure1 import GAMMA, OPTIMUM, instances, optima, spans
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PARAMETERS = (
    real("L", 1.0, zero=False),
    real("lam", 0.5),
    real("sigma2", (0.0, 1.0, 4.0)),
    ends("gamma", (1e-4, 1.0), "ends of its range: delay of a local step over delay of a round"),
    points(121, "values of γ"),
)

SPEC = Spec(
    id="fedproxvr.sharpened",
    title="Least training time under the bounds as printed and as sharpened",
    source=Source("fedproxvr", "problem (23)-(24); the sharpened form is not in the paper"),
    parameters=_PARAMETERS,
    columns=(
        Column("estimator", "sarah or svrg"),
        Column("form", "printed; whole: printed, for whole tau and without (15)-(16); or sharpened"),
        *recorded(_PARAMETERS, "L", "lam", "sigma2", "gamma"),
        *OPTIMUM,
    ),
    axes={
        "gamma": GAMMA,
        "objective": Axis("least objective of (23)", "log"),
        "ratio": Axis("printed over sharpened", "log"),
    },
    toy={"sigma2": [0.0, 1.0], "gamma": [1e-3, 1e-1], "points": 3},
)

_FORMS: dict[str, Any] = {
    "printed": {"form": "printed"},
    "whole": {"form": "printed", "tau": "integer"},
    "sharpened": {"form": "sharpened"},
}
_NAMES = {"sarah": "SARAH", "svrg": "SVRG"}
_DASHES = (0, (4, 2))
_POINT = ["estimator", "sigma2", "gamma"]


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """The certified optima of all forms, for both estimators and every pair of sigma2 and gamma."""
    given, parts = instances(size), []
    for estimator, name in _NAMES.items():
        for form, options in _FORMS.items():
            rows = optima(given, estimator=estimator, **options)
            parts.append(rows.assign(estimator=estimator, form=form))
            context.progress(f"{count(len(rows), 'instance')} of (23), {name}, {form}")
    return pd.concat(parts, ignore_index=True)[list(SPEC.names)]


def gains(table: Frame) -> Frame:
    """The forms side by side: how many times smaller the sharpened objective is.

    Returns: a row a point, with `printed`, `whole` and `sharpened`; `ratio`, printed over sharpened;
    `sure`, what is proven of it; `fair`, whole over sharpened.
    """
    forms = {form: table[table.form == form].set_index(_POINT) for form in _FORMS}
    found = pd.DataFrame({form: rows.objective for form, rows in forms.items()})
    found["ratio"] = found.printed / found.sharpened
    found["sure"] = forms["printed"].lower_bound / found.sharpened
    found["fair"] = found.whole / found.sharpened
    return found.reset_index()


def draw(table: Frame) -> Figure:
    """Objectives above, their ratio below, one column an estimator, one colour a dissimilarity."""
    picture = style.blank(7.2, 5.6)
    panels = picture.subplots(2, 2, sharex=True, sharey="row", height_ratios=(3, 2))
    side = gains(table)
    levels = sorted(side.sigma2.unique())
    for column, estimator in zip(panels.T, _NAMES, strict=True):
        for colour, level in zip(style.ordered_colours(len(levels)), levels, strict=True):
            curve = side[(side.estimator == estimator) & (side.sigma2 == level)].sort_values("gamma")
            column[0].plot(curve.gamma, curve.printed, color=colour, linestyle=_DASHES)
            column[0].plot(curve.gamma, curve.sharpened, color=colour, label=f"{level:g}")
            column[1].plot(curve.gamma, curve.ratio, color=colour)
    _finish(panels)
    legend_above(picture, panels[0, 0], len(levels), r"dissimilarity $\bar\sigma^2$")
    return picture


def _finish(panels: Any) -> None:
    """Axes, letters, and within the first panel a legend of the two kinds of line."""
    from matplotlib.lines import Line2D

    for line, quantity in zip(panels, ("objective", "ratio"), strict=True):
        for axes in line:
            style.set_axes(axes, GAMMA if quantity == "ratio" else None, None)
            axes.set_yscale("log")
            axes.margins(x=0)
        style.set_axes(line[0], None, SPEC.axes[quantity])
    style.plain_ticks(panels[1, 0].yaxis)
    dark = style.DARK
    lines = [Line2D([], [], color=dark, linestyle=_DASHES), Line2D([], [], color=dark)]
    panels[0, 0].legend(lines, ["as printed", "sharpened"], loc="upper left")
    names = list(_NAMES.values())
    style.panel_letters(panels.ravel(), [*names, *(f"{name}: how many times smaller" for name in names)])


def caption(table: Frame) -> Caption:
    """How much smaller the sharpened objective is; the paper claims nothing of this."""
    side = gains(table)
    better = int((side.sure > 1).sum())
    parts = {name: side[side.estimator == estimator] for estimator, name in _NAMES.items()}
    proven = f"At {better} of {len(side)} points the sharpened optimum is below the bound on the printed."
    claim = Claim(
        "Sharpened, Lemma 1 and Theorem 1 promise a shorter training time by (23), for the same algorithm "
        "under the same assumptions (our claim, not the paper's).",
        " ".join([proven, *(_extent(rows, name) for name, rows in parts.items())]),
        word_if(better == len(side)),
        ours=True,
    )
    svrg = "For SVRG, which the paper does not print, (23) is taken under (14)."
    row = table.iloc[0]
    given = f"L = {number(row.L)}, λ = {number(row.lam)} as in Fig. 1;"
    return Caption((claim,), f"{given} {spans(table)} {svrg}")


def _extent(side: Frame, name: str) -> str:
    """The least and the greatest ratio of one estimator, and where the greatest is."""
    most = side.loc[side.ratio.idxmax()]
    return (
        f"With {name} the least objective is {_span(side.ratio)} times smaller than printed, most at "
        f"γ = {number(most.gamma)} and σ̄² = {number(most.sigma2)}: {number(most.sharpened, 4)} instead of "
        f"{number(most.printed, 4)}; than printed for whole τ, β free of (15)-(16), {_span(side.fair)}."
    )


def _span(ratios: Frame) -> str:
    return f"{number(ratios.min())} to {number(ratios.max())}"
