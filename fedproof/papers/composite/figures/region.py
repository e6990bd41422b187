"""Which (eta, eta_g) Theorem 3.5 admits, as printed and as sharpened, and how many rounds each needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fedproof.algebra.expressions import compile_numpy
from fedproof.bounds import catalog
from fedproof.figures.number_format import number
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, Column, ComputeContext, Frame, Spec, compose
from fedproof.vocabulary.quantities import quantity
from fedproof.vocabulary.source import Source
from fedproof.vocabulary.values import parse_value

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMS = {"printed": "composite.theorem3.5", "sharpened": "composite.theorem3.5.sharpened"}
_GIVEN = ("L", "n", "sigma2", "B_g", "Omega1", "eps", "tau", "b")

SPEC = Spec(
    id="composite.region",
    title="The step sizes that Theorem 3.5 admits and the rounds that each needs",
    source=Source("composite", "Theorem 3.5 and (13); the sharpened form is not in the paper"),
    claims=(
        "The theorem holds for η̃ = η η_g τ up to 1/(10 L) and η_g from max(1.5, √(n/8)) on, and its residual "
        "falls with η̃."
    ),
    columns=(
        Column("form", "printed or sharpened"),
        *(Column(name, "constant of the problem, or chosen; as in the theorem") for name in _GIVEN),
        Column("eta", "step size of the local updates", "length^2/loss"),
        Column("eta_g", "server step size"),
        Column("admissible", "whether the conditions hold"),
        Column("rounds", "rounds after which the bound is at most eps; inf where it never is", "rounds"),
    ),
    axes={"x": Axis(r"local movement $\eta\,\tau L$", "log"), "y": Axis(r"server step size $\eta_g$", "log")},
    size={
        "L": 1.0, "n": 30.0, "sigma2": 1.0, "B_g": 1.0, "Omega1": 1.0, "eps": 0.1, "tau": 10.0, "b": 10.0,
        "movement": [2e-4, 0.2], "server": [0.5, 500.0], "points": 121,
    },
    toy={
        "L": 1.0, "n": 30.0, "sigma2": 1.0, "B_g": 1.0, "Omega1": 1.0, "eps": 0.1, "tau": 10.0, "b": 10.0,
        "movement": [2e-4, 0.2], "server": [0.5, 500.0], "points": 15,
    },
)  # fmt: skip

_STEPS = (1.02, 1.2, 1.5, 2, 4, 10, 30)
"""Rounds, as multiples of the fewest, where one colour of the map ends."""


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """Admissibility and rounds on a grid of step sizes, for both forms."""
    given = _constants(size)
    move, server = (_spaced(size, name) for name in ("movement", "server"))
    # the border eta~ = 1/(10 L) runs through grid points, which rounding must not put beyond it
    eta = np.tile(move, len(server)) * (1 - 1e-9) / given["tau"] / given["L"]
    parts = []
    for form, id in FORMS.items():
        grid = pd.DataFrame({"eta": eta, "eta_g": np.repeat(server, len(move))})
        parts.append(_values(id, grid.assign(form=form, **given)))
        context.progress(form)
    return pd.concat(parts, ignore_index=True)[list(SPEC.names)]


def _constants(size: Mapping[str, Any]) -> dict[str, float]:
    """The constants, each in its domain.

    Raises: InputError for one that is not.
    """
    letters = {x.name: x.quantity for x in catalog.statement(FORMS["printed"]).letters}
    known = letters | {"eps": quantity("accuracy")}
    return {name: float(known[name].check(parse_value(size[name], name), name)) for name in _GIVEN}


def _spaced(size: Mapping[str, Any], name: str) -> Any:
    low, high = (float(v) for v in size[name])
    return np.geomspace(low, high, int(size["points"]))


def _values(id: str, rows: Frame) -> Frame:
    """Admissibility and rounds, from the statement's own expressions."""
    st = catalog.statement(id)
    names = tuple(x.name for x in st.letters)
    inputs = {n: rows[n].to_numpy(dtype=float) if n in rows else np.ones(len(rows)) for n in names}

    def value(expr: Any, **changed: float) -> Any:
        filled = [np.full(len(rows), changed[n]) if n in changed else inputs[n] for n in names]
        return np.broadcast_to(compile_numpy(expr, names)(*filled), len(rows))

    with np.errstate(all="ignore"):
        inside = np.logical_and.reduce([value(c.relation) for c in st.admissible]).astype(bool)
        residual = value(st.bound, Omega1=0.0)
        left = rows.eps - residual
        rounds = np.where(left > 0, np.ceil((value(st.bound, R=1.0) - residual) / left), np.inf)
    return rows.assign(admissible=inside, rounds=rounds)


def useful(table: Frame, form: str) -> Frame:
    """The admissible step sizes of a form whose bound reaches the accuracy."""
    rows = table[table.form == form]
    return rows[rows.admissible & np.isfinite(rows.rounds)]


def draw(table: Frame) -> Figure:
    """A panel a form: the admissible region coloured by the rounds, and where the fewest are."""
    from fedproof.figures import style

    with style.house_style():
        picture = style.blank(8.2, 4.1)
        panels = picture.subplots(1, 2, sharex=True, sharey=True)
        fewest = np.nanmin([useful(table, form).rounds.min() for form in FORMS] + [np.inf])
        levels = sorted([1 / 100, *(1 / step for step in _STEPS), 1.0])
        for axes, form in zip(panels, FORMS, strict=True):
            bands = _map(axes, table[table.form == form], fewest, levels)
            style.set_axes(axes, SPEC.axes["x"], SPEC.axes["y"] if axes is panels[0] else None)
        bar = picture.colorbar(bands, ax=panels, pad=0.02, spacing="uniform", ticks=levels)
        bar.ax.set_yticklabels(["more", *(f"{step:g}" for step in sorted(_STEPS, reverse=True)), "1"])
        bar.set_label("rounds, as a multiple of the fewest")
        style.panel_letters(panels, [f"Theorem 3.5, {form}" for form in FORMS])
        return picture


def _map(axes: Any, rows: Frame, fewest: float, levels: list[float]) -> Any:
    from fedproof.figures.style import ordered_colours

    worth = (fewest / rows.rounds).clip(lower=1 / 100).where(rows.admissible & np.isfinite(rows.rounds))
    moved = (rows.eta * rows.tau * rows.L).round(12)
    grid = rows.assign(worth=worth, x=moved).pivot(index="eta_g", columns="x", values="worth")
    axes.grid(visible=False)
    axes.set_facecolor("#eceef1")
    x, y = grid.columns.to_numpy(), grid.index.to_numpy()
    bands = axes.contourf(x, y, grid, levels=levels, colors=ordered_colours(len(levels) - 1))
    never = (rows.admissible & ~np.isfinite(rows.rounds)).astype(float)
    lost = rows.assign(never=never, x=moved).pivot(index="eta_g", columns="x", values="never")
    axes.contourf(x, y, lost, levels=[0.5, 1.5], colors=["#b9bec7"])
    good = rows[rows.admissible & np.isfinite(rows.rounds)]
    for best in good.sort_values(["rounds", "eta"], ascending=[True, False]).head(1).itertuples():
        axes.plot(best.eta * best.tau * best.L, best.eta_g, "*", color="#D55E00", markeredgecolor="white",
                  markersize=13)  # fmt: skip
    if never.any():
        words = "darker: the residual exceeds ε"
        axes.text(0.97, 0.87, words, transform=axes.transAxes, ha="right", va="top", color="#202124")
    axes.text(0.97, 0.95, "not admissible", transform=axes.transAxes, ha="right", va="top", color="#202124")
    return bands


def caption(table: Frame) -> str:
    """How large both regions are, and where the fewest rounds are, in numbers of the table."""
    seen = " ".join(_seen(table, form) for form in FORMS)
    parts = {form: useful(table, form) for form in FORMS}
    joined = parts["printed"].merge(parts["sharpened"], on=["eta", "eta_g"], suffixes=("", "_sharp"))
    fewer = int((joined.rounds_sharp < joined.rounds).sum())
    steps = (
        "at every η_g the largest admissible η̃ needs the fewest rounds"
        if _largest_best(parts["printed"])
        else "at small η_g the printed residual makes a smaller η̃ the better one"
    )
    agreement = (
        f"The paper's region lies in the sharpened one: they share {len(joined)} of its "
        f"{len(parts['printed'])} points that reach the accuracy, and at {fewer} of these "
        f"the sharpened bound needs fewer rounds. In print {steps}."
    )
    return compose(claims=SPEC.claims, seen=seen, agreement=agreement, chosen=_chosen(table))


def _largest_best(rows: Frame) -> bool:
    """Whether at every server step the fewest rounds are at the largest admissible local step."""
    if rows.empty:
        return False
    best = rows.sort_values("eta").groupby("eta_g").rounds
    return bool((best.last() <= best.min()).all())


def _seen(table: Frame, form: str) -> str:
    rows, good = table[table.form == form], useful(table, form)
    if good.empty:
        return (
            f"Theorem 3.5, {form}: {int(rows.admissible.sum())} of {len(rows)} points are admissible, and "
            "none of them reaches the accuracy."
        )
    best = good.sort_values(["rounds", "eta"], ascending=[True, False]).iloc[0]
    return (
        f"Theorem 3.5, {form}: {int(rows.admissible.sum())} of {len(rows)} points are admissible, "
        f"{len(good)} of them reach the accuracy, from η_g = {number(good.eta_g.min())} on; "
        f"the fewest rounds are {number(best.rounds)}, "
        f"at η = {number(best.eta)}, η_g = {number(best.eta_g)}."
    )


def _chosen(table: Frame) -> str:
    row = table.iloc[0]
    return (
        f"L = {number(row.L)}, n = {number(row.n)}, σ² = {number(row.sigma2)}, B_g = {number(row.B_g)}, "
        f"Ω¹ = {number(row.Omega1)}, ε = {number(row.eps)}, τ = {number(row.tau)} "
        f"and b = {number(row.b)} are ours; the paper draws no such map. The sharpened theorem needs no B_g."
    )
