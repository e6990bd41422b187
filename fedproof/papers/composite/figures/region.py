"""Which (eta, eta_g) Theorem 3.5 admits, as printed and as sharpened, and how many rounds each needs."""

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
from fedproof.figures.parameters import ends, points, real
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, Column, ComputeContext, Frame, Spec
from fedproof.vocabulary.quantities import quantity
from fedproof.vocabulary.source import Source
from fedproof.vocabulary.values import parse_value

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMS = {"printed": "composite.theorem3.5", "sharpened": "composite.theorem3.5.sharpened"}
_GIVEN = {
    "L": 1.0, "n": 30.0, "sigma2": 1.0, "B_g": 1.0, "Omega1": 1.0, "eps": 0.1, "tau": 10.0, "b": 10.0
}  # fmt: skip
_STEPS = (1.02, 1.2, 1.5, 2, 4, 10, 30)
"""Rounds, as multiples of the fewest, where one colour of the map ends."""

SPEC = Spec(
    id="composite.region",
    title="The step sizes that Theorem 3.5 admits and the rounds that each needs",
    source=Source("composite", "Theorem 3.5 and (13); the sharpened form is not in the paper"),
    parameters=(
        *(real(name, own, "constant of the problem, or chosen; as in the theorem")
          for name, own in _GIVEN.items()),
        ends("movement", (2e-4, 0.2), "ends of the range of η τ L"),
        ends("server", (0.5, 500.0), "ends of the range of η_g"),
        points(121),
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
    toy={"points": 15},
)  # fmt: skip


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """Admissibility and rounds on a grid of step sizes, for both forms."""
    letters = {x.name: x.quantity for x in catalog.statement(FORMS["printed"]).letters}
    known = letters | {"eps": quantity("accuracy")}
    given = {name: float(known[name].check(parse_value(size[name], name), name)) for name in _GIVEN}
    move, server = (_spaced(size, name) for name in ("movement", "server"))
    # the border eta~ = 1/(10 L) runs through grid points, which rounding must not put beyond it
    eta = np.tile(move, len(server)) * (1 - 1e-9) / given["tau"] / given["L"]
    parts = []
    for form, id in FORMS.items():
        grid = pd.DataFrame({"eta": eta, "eta_g": np.repeat(server, len(move))})
        parts.append(_values(id, grid.assign(form=form, **given)))
        context.progress(form)
    return pd.concat(parts, ignore_index=True)[list(SPEC.names)]


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
    picture = style.blank(8.2, 4.1)
    panels = picture.subplots(1, 2, sharex=True, sharey=True)
    fewest = np.nanmin([useful(table, form).rounds.min() for form in FORMS] + [np.inf])
    for axes, form in zip(panels, FORMS, strict=True):
        bands = _map(axes, table[table.form == form], fewest)
        style.set_axes(axes, SPEC.axes["x"], SPEC.axes["y"] if axes is panels[0] else None)
    style.cost_bar(bands, panels, _STEPS, "more", "rounds, as a multiple of the fewest")
    style.panel_letters(panels, [f"Theorem 3.5, {form}" for form in FORMS])
    return picture


def _map(axes: Any, rows: Frame, fewest: float) -> Any:
    good = rows.admissible & np.isfinite(rows.rounds)
    rows = rows.assign(
        worth=(fewest / rows.rounds).clip(lower=1 / 100).where(good),
        never=(rows.admissible & ~np.isfinite(rows.rounds)).astype(float),
        movement=(rows.eta * rows.tau * rows.L).round(12),
    )
    worth, never = (rows.pivot(index="eta_g", columns="movement", values=name) for name in ("worth", "never"))
    bands = style.cost_map(axes, worth, _STEPS, 1 / 100)
    axes.contourf(never.columns, never.index, never, levels=[0.5, 1.5], colors=["#b9bec7"])
    for best in rows[good].sort_values(["rounds", "eta"], ascending=[True, False]).head(1).itertuples():
        style.star(axes, best.eta * best.tau * best.L, best.eta_g)
    words = ["not admissible", *(["darker: the residual exceeds ε"] if never.any(axis=None) else [])]
    axes.text(0.97, 0.95, "\n".join(words), transform=axes.transAxes, ha="right", va="top", color=style.DARK)
    return bands


def caption(table: Frame) -> Caption:
    """How large both regions are, and where the fewest rounds are."""
    printed = useful(table, "printed")
    both = printed.merge(useful(table, "sharpened"), on=["eta", "eta_g"], suffixes=("", "_sharp"))
    fewer = int((both.rounds_sharp < both.rounds).sum())
    admitted = table[(table.form == "printed") & table.admissible]
    least = max(1.5, np.sqrt(table.n.iloc[0] / 8))
    within = (admitted.eta * admitted.eta_g * admitted.tau * admitted.L <= 0.1).all() & (
        admitted.eta_g >= least
    ).all()  # fmt: skip
    claims = (
        Claim(
            "The theorem holds for η̃ = η η_g τ up to 1/(10 L) and η_g from max(1.5, √(n/8)) on.",
            _seen(table, "printed"),
            word_if(bool(within), applies=len(admitted) > 0),
        ),
        Claim(
            "Its residual falls with η̃.",
            "At every η_g the largest admissible η̃ needs the fewest rounds."
            if _largest_best(printed)
            else "At small η_g the printed residual makes a smaller η̃ the better one.",
            word_if(_largest_best(printed), applies=len(printed) > 0),
        ),
        Claim(
            "The sharpened theorem admits more and promises more.",
            f"{_seen(table, 'sharpened')} It shares {len(both)} of the {len(printed)} points of the printed "
            f"form that reach the accuracy, and at {fewer} of these it needs fewer rounds.",
            word_if(len(both) == len(printed) and fewer > 0),
            ours=True,
        ),
    )
    return Caption(claims, _substituted(table))


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
            f"{int(rows.admissible.sum())} of {len(rows)} points are admissible, and "
            "none of them reaches the accuracy."
        )
    best = good.sort_values(["rounds", "eta"], ascending=[True, False]).iloc[0]
    return (
        f"{int(rows.admissible.sum())} of {len(rows)} points are admissible, "
        f"{len(good)} of them reach the accuracy, from η_g = {number(good.eta_g.min())} on; "
        f"the fewest rounds are {number(best.rounds)}, "
        f"at η = {number(best.eta)}, η_g = {number(best.eta_g)}."
    )


def _substituted(table: Frame) -> str:
    row = table.iloc[0]
    return (
        f"L = {number(row.L)}, n = {number(row.n)}, σ² = {number(row.sigma2)}, B_g = {number(row.B_g)}, "
        f"Ω¹ = {number(row.Omega1)}, ε = {number(row.eps)}, τ = {number(row.tau)} "
        f"and b = {number(row.b)} are ours; the paper draws no such map. The sharpened theorem needs no B_g."
    )
