"""How the bits of FLECS, FLECS-CGD and their baselines are drawn, and what is said of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from fedproof.figures import style
from fedproof.figures.caption import sentences
from fedproof.figures.comparison import TOGETHER, Judged, counted, span
from fedproof.figures.curves import LEAST_DRAWN, legend_above
from fedproof.figures.number_format import listed, number
from fedproof.figures.reaching import Series
from fedproof.figures.runs import on
from fedproof.figures.spec import Axis, Frame
from fedproof.figures.tasks import DATA_NAMES
from fedproof.papers.flecs.figures import _bits as bits
from fedproof.vocabulary.plurals import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Naming = Callable[[bits.Key], str]
"""A method in words."""
AXES: Mapping[str, Axis] = {
    "up": Axis("kilobits that a node has sent", "log"),
    "down": Axis("kilobits that a node has received", "log"),
    "gap": Axis(r"$F(w_k)-F^*$, loss", "log"),
    "squared_gradient": Axis(r"$\|\nabla F(w_k)\|^2$, (loss/length)²", "log"),
}
SAYS = {"up": "sent", "down": "received"}
_NAMES = {
    **DATA_NAMES, "breast_cancer": "scikit-learn's breast cancer data", "digits": "odd against even digits",
}  # fmt: skip


BELOW = 0.01
"""Of the least value of the paper's methods: baselines are drawn down to it."""


def draw(table: Frame, looks: Mapping[bits.Key, Mapping[str, Any]], columns: int) -> Figure:
    """Objective above, gradient below; bits sent on the left, received on the right; medians over seeds."""
    picture = style.blank(8.6, 6.6)
    panels = picture.subplots(2, 2, sharex="col", sharey="row")
    for row, value in zip(panels, ("gap", "squared_gradient"), strict=True):
        for axes, way in zip(row, bits.WAYS, strict=True):
            for key, look in looks.items():
                _curve(axes, bits.of(table, key), way, value, look)
            below = value == "squared_gradient"
            style.set_axes(axes, AXES[way] if below else None, AXES[value] if way == "up" else None)
            axes.set_xscale("log")
            axes.set_yscale("log")
    for axes in panels[0]:
        axes.tick_params(labelbottom=False)
    titles = [f"{what}, bits {SAYS[way]}" for what in ("objective", "gradient") for way in bits.WAYS]
    style.panel_letters(list(panels.ravel()), titles, size=10)
    _limit(table, panels, [place for place, key in enumerate(looks) if key[0] not in bits.BASELINES])
    legend_above(picture, panels[0, 0], columns)
    return picture


def _curve(axes: Axes, rows: Frame, way: str, value: str, look: Mapping[str, Any]) -> None:
    """The median over seeds, up to the first round that some seed has not."""
    by_round = rows[rows["round"] > 0].groupby("round")
    common = by_round[value].count() == rows.seed.nunique()
    line = by_round[[way, value]].median()[common]
    axes.plot(line[way] / 1000, np.maximum(line[value], LEAST_DRAWN), **look)


def _limit(table: Frame, panels: Any, own: Sequence[int]) -> None:
    """What lies above thirty times the start is cut off, to leave room for runs that do not diverge.

    So is what lies below a hundredth of all that the paper's methods come to. Where nothing is left, as
    every run has diverged at once, the axes stay as they are.

    Arguments:
        own: which of a panel's lines are the paper's methods'.
    """
    for row, value in zip(panels, ("gap", "squared_gradient"), strict=True):
        most = 30 * max(float(table[table["round"] == 0][value].max()), LEAST_DRAWN)
        lines = [[np.asarray(line.get_ydata()) for line in axes.get_lines()] for axes in row]
        shown = np.concatenate([y for each in lines for y in each])
        if not (shown <= most).any():
            continue
        least = float(np.concatenate([each[place] for each in lines for place in own]).min(initial=most))
        top = float(shown[shown <= most].max())
        row[0].set_ylim(max(float(shown.min()) / 1.5, BELOW * least), min(top * 1.5, most))


def levels(table: Frame, keys: Sequence[bits.Key], way: str, name: Naming = itemgetter(0)) -> str:
    """Geometric means of the kilobits to every target, by method and m, and who did not arrive."""
    found = bits.series(table, way)
    updates = dict.fromkeys(key[:3] for key in keys)
    said = []
    for target in bits.targets(table):
        each = []
        for update in updates:
            own = [key for key in keys if key[:3] == update]
            values = [_mean(found[key, target]) for key in own]
            of = f" for m = {listed(str(key[3]) for key in own)}" if own[0][3] else ""
            never = set(values) == {"never"}
            each.append(f"{name(own[0])} {'never' if never else listed(values) + of}")
        said.append(f"to {number(100 * target)} % of the first gap {', '.join(each)}")
    return "; ".join(said)


def _mean(one: Series) -> str:
    if not one.there:
        return "never"
    mean = number(float(np.exp(np.log(np.maximum(one.took.dropna(), 1)).mean())) / 1000)
    return mean if one.there == len(one.took) else f"{mean} ({on(one.there, len(one.took))})"


def compared(judged: Sequence[Judged]) -> str:
    """The least and the greatest ratio that is known, and how many are told from 1."""
    known = [one.difference for one in judged if math.isfinite(one.difference.mean)]
    said = f"{span(known)}; " if known else ""
    return f"{said}{counted(judged, 'fewer', 'more')}"


def lost(table: Frame, name: Naming = itemgetter(0)) -> str:
    """Which runs diverged."""
    gone = table[table.ended == "diverged"]
    if gone.empty:
        return ""
    names = [
        f"{name(key)}, m = {key[3]}, {bits.of(gone, key).seed.nunique()} of "
        f"{bits.of(table, key).seed.nunique()}" for key in bits.keys(gone)
    ]  # fmt: skip
    return f"Runs that diverged: {'; '.join(names)}."


def substituted(table: Frame) -> str:
    """Data, constants and what the paper leaves open."""
    row = table.iloc[0]
    data = _NAMES.get(str(row["data"]), str(row["data"]))
    update = "the direct update" if row["update"] == "direct" else "the truncated L-SR1 update as mended"
    return sentences([
        "The paper has gisette-scale, real-sim and a9a; it does not state mu, how many nodes there are, and "
        "how sketches are drawn.",
        f"Here {data} on {count(int(row.clients), 'node')}, rows {row.order}, mu = {number(row.mu)}, random "
        f"signs, {update} with beta = {number(row.beta)}, s = {int(row.levels)} (its text also has 128), "
        f"alpha = {number(row.alpha)}, gamma = {number(row.shift_stepsize)}, Ω = {number(row.trunc_hi)}; "
        "DIANA, where it is, has 1/L from the spectra of the nodes' rows, ADIANA its theorem's parameters "
        "for p = 1, FedNL Option 2, alpha = 1/(omega + 1) and H_0 = 0; their originals' own compressors and "
        "starts differ.",
        f"A run ends when a node has sent {number(float(row.kilobits))} kilobits or its rounds are over. Up: "
        "compressed messages as they are encoded, in float64, and M in 64 m² bits; down: the model and "
        "B_i S, which the listing sends as they are.",
        f"Lines are medians of {count(int(table.seed.nunique()), 'seed')} of order and draws, a baseline's "
        "drawn down to a hundredth of the least of the others. "
        "data=FILE takes the LIBSVM files.",
        TOGETHER,
        "Where runs did not arrive, or all ratios are alike, seeds are counted: sign tests.",
    ])  # fmt: skip
