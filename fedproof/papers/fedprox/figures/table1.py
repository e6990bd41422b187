"""FedProx (Yuan and Li), Table 1: rounds by accuracy in every row, hidden constants taken as 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fedproof.algebra.expressions import compile_numpy
from fedproof.figures import style
from fedproof.figures.caption import Caption, Claim, word_if
from fedproof.figures.number_format import listed, number
from fedproof.figures.parameters import ends, points, real, whole
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, Column, ComputeContext, Frame, Spec, recorded
from fedproof.papers.fedprox.notation import H2, G, I, b
from fedproof.papers.fedprox.statements.formulas import DRAWS3
from fedproof.papers.fedprox.table1 import ROWS, row
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

REPAIRED = "theorem3.repaired"
SLOPE = 0.1
"""Two rows whose exponents of ε differ by less, at the smallest ε, are of the same order."""
_FAR = 0.05
_LETTERS = ("epsilon", "I", "M", "b")
_PARAMETERS = (
    whole("I", 10, "devices that are drawn in a round"),
    whole("M", 100, "devices in all"),
    whole("b", 10, "samples of a minibatch"),
    real("spread", 0.1, "H²/G² of the repaired Theorem 3: how far the devices' gradients are apart"),
    ends("epsilon", (1e-6, 1.0), "ends of the range of the accuracy"),
    points(81, "values of the accuracy"),
)
SPEC = Spec(
    id="fedprox.table1",
    title="Communication complexity of Table 1 by accuracy",
    source=Source("fedprox", "Table 1 and Sec. 1.2, comparison with prior results"),
    parameters=_PARAMETERS,
    columns=(
        Column("name", "the row"),
        Column("method", "its algorithm"),
        Column("work", "whose bound it is"),
        Column("partial", "whether a part of the devices may take part in a round"),
        Column("epsilon", "accuracy: the squared gradient to come to", "(loss/length)^2"),
        Column("rounds", "the row's expression, every hidden constant 1", "rounds"),
        *recorded(_PARAMETERS, "I", "M", "b", "spread"),
    ),
    axes={
        "epsilon": Axis(r"accuracy $\epsilon$, (loss/length)²", "log"),
        "rounds": Axis("rounds, up to constants", "log"),
    },
    toy={"points": 9},
)


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """Every row of the table, and Theorem 3 as repaired, at every accuracy."""
    low, high = size["epsilon"]
    epsilon = np.geomspace(low, high, size["points"])
    given = {name: float(size[name]) for name in ("I", "M", "b")}
    parts = []
    for one in ROWS:
        values = _rounds(one.complexity, epsilon, given)
        parts.append(_part(one.name, one.method, one.work, one.partial, epsilon, values))
    third = row("theorem3")
    draws = DRAWS3.subs({G: 1, H2: size["spread"]})
    repaired = third.complexity.subs(b, draws / I)
    values = _rounds(repaired, epsilon, given)
    parts.append(_part(REPAIRED, third.method, "Theorem 3, repaired", third.partial, epsilon, values))
    context.progress("Table 1")
    fixed = {name: size[name] for name in ("I", "M", "b", "spread")}
    return pd.concat(parts, ignore_index=True).assign(**fixed)[list(SPEC.names)]


def _rounds(expr: Any, epsilon: Any, given: Mapping[str, float]) -> Any:
    return np.broadcast_to(compile_numpy(expr, _LETTERS)(epsilon, *given.values()), len(epsilon))


def _part(name: str, method: str, work: str, partial: bool, epsilon: Any, rounds: Any) -> Frame:
    named: dict[str, Any] = {"name": name, "method": method, "work": work, "partial": partial}
    return pd.DataFrame({"epsilon": epsilon, "rounds": rounds}).assign(**named)


def curve(table: Frame, name: str) -> Frame:
    """Rounds of one row by accuracy."""
    return table[table.name == name].set_index("epsilon").rounds.sort_index()


def draw(table: Frame) -> Figure:
    """Rows that allow a part of the devices, and those that need all; equal ones share a curve."""
    picture = style.blank(8.2, 4.9)
    panels = picture.subplots(1, 2, sharex=True, sharey=True)
    for axes, partial in zip(panels, (True, False), strict=True):
        _panel(axes, table[table.partial == partial])
        style.set_axes(axes, SPEC.axes["epsilon"], SPEC.axes["rounds"] if partial else None)
    panels[0].invert_xaxis()
    row = table.iloc[0]
    some = f"{int(row.I)} of {int(row.M)} devices a round"
    style.panel_letters(panels, [some, "all devices every round"])
    return picture


def _looks(name: str, method: str) -> dict[str, Any]:
    """The paper's own theorems heavy; a hue for each algorithm."""
    hues = dict(zip(("FedProx", "FedMSPP", "FedAvg", "SCAFFOLD"), style.CATEGORIES, strict=True))
    own = name.startswith("theorem")
    line: Any = "-" if own else (0, (5, 2))
    line = {"theorem2": (0, (1, 1)), REPAIRED: (0, (3, 1, 1, 1))}.get(name, line)
    line = {"fedpd": "-", "khanduri": "-", "fco": (0, (1, 1))}.get(name, line)
    return {"color": hues.get(method, style.DARK), "linestyle": line, "linewidth": 2.2 if own else 1.5}


def _panel(axes: Axes, rows: Frame) -> None:
    """A curve for each different complexity; its label names every row that has it."""
    curves = {str(name): own.rounds.to_numpy() for name, own in rows.groupby("name", sort=False)}
    shown: dict[str, list[str]] = {}
    for name, values in curves.items():
        same = next((known for known in shown if np.array_equal(curves[known], values)), name)
        shown.setdefault(same, []).append(name)
    named = rows.groupby("name").first()
    for first, names in shown.items():
        words = [f"{named.work[name]} ({named.method[name]})" for name in names]
        look = _looks(first, named.method[first])
        axes.plot(rows.epsilon.unique(), curves[first], label=";\n".join(words), **look)
    axes.legend(loc="upper left", fontsize=8, handlelength=2.8, labelspacing=0.35)
    axes.margins(x=0)


def exponent(rounds: Frame) -> float:
    """Minus the slope of log rounds over log ε at the smallest ε."""
    first, second = rounds.iloc[:2]
    return float(-np.log(second / first) / np.log(rounds.index[1] / rounds.index[0]))


def compare(table: Frame, name: str, other: str) -> tuple[bool, str]:
    """Whether two rows are of the same order at the smallest accuracy, and one over the other in words."""
    own, its = curve(table, name), curve(table, other)
    words = f"{number(float((own / its).iloc[0]))} times {_words(table, other)}"
    return abs(exponent(own) - exponent(its)) < SLOPE, words


def _words(table: Frame, name: str) -> str:
    found = table[table.name == name].iloc[0]
    return f"{found.method}'s of {found.work}"


def _same_order(table: Frame, claim: str, name: str, others: Sequence[str]) -> Claim:
    found = [compare(table, name, other) for other in others]
    least = number(float(table.epsilon.min()))
    return Claim(
        claim,
        f"At ε = {least} it is {listed(words for _, words in found)}, and ε has "
        f"{'the same exponent' if all(same for same, _ in found) else 'not the same exponent'} there.",
        word_if(all(same for same, _ in found), long_enough=_small_enough(table)),
    )


def _small_enough(table: Frame) -> bool:
    """Whether the least accuracy lies far below 1/(bI)^2, from which on 1/(bI ε^2) is the largest term."""
    first = table.iloc[0]
    return float(table.epsilon.min()) * float(first.b * first.I) ** 2 <= _FAR


def _ordered(table: Frame, claim: str, lower: Sequence[str], higher: str) -> Claim:
    """That rows are below another at every accuracy below 1, by more the smaller it is."""
    high, seen, said = curve(table, higher), True, []
    for name in lower:
        times = (high / curve(table, name))[lambda v: v.index < 1]
        seen = seen and bool((times > 1).all()) and bool(times.is_monotonic_decreasing)
        said.append(
            f"{_words(table, name)} {number(float(times.iloc[-1]))} to {number(float(times.iloc[0]))}"
        )
    return Claim(
        claim,
        f"It is larger than, as ε falls, {listed(said)} times.",
        word_if(seen),
    )


def caption(table: Frame) -> Caption:
    """How the rows compare, as the text says."""
    claims = (
        _same_order(
            table, "Theorem 1 (and all of the O(1/ε²) bounds) is comparable to SCAFFOLD and FCO.",
            "theorem1", ("scaffold", "fco"),
        ),
        _same_order(
            table, "Theorem 3 is comparable to the best known under partial participation, FedAvg's and "
            "SCAFFOLD's.", "theorem3", ("fedavg", "scaffold"),
        ),
        _ordered(
            table, "With all devices and momentum FedAvg, STEM and FedPD need substantially fewer rounds "
            "than Theorem 1.", ("khanduri", "stem", "fedpd"), "theorem1",
        ),
        _ordered(
            table, "Theorem 1 is slower than O(1/ε) under the (B, 0)-LGD condition.", ("li",), "theorem1"
        ),
        _repaired(table),
    )  # fmt: skip
    return Caption(claims, _substituted(table))


def _repaired(table: Frame) -> Claim:
    first = table.iloc[0]
    times = curve(table, REPAIRED) / curve(table, "theorem3")
    return Claim(
        "Theorem 3 as repaired, for devices that differ, needs more rounds than the printed row.",
        f"With H²/G² = {number(first.spread)} it needs {number(float(times.iloc[0]))} times as many at "
        f"ε = {number(float(times.index[0]))} and {number(float(times.iloc[-1]))} times at "
        f"ε = {number(float(times.index[-1]))}.",
        word_if(bool((times > 1).all()), applies=bool(first.spread > 0)),
        ours=True,
    )


def _substituted(table: Frame) -> str:
    first = table.iloc[0]
    return (
        "The table hides every constant; here all are 1, so that only slopes, and factors of I, M and b, "
        f"mean something. I = {int(first.I)}, M = {int(first.M)} and b = {int(first.b)} are ours. Rows of "
        "other works are as the table prints them. The printed row of Theorem 3 holds for devices with equal "
        "gradients; repaired, J = G²I/(G²/b + H²) stands for bI. FCO's row is for convex objectives, "
        "Theorems 2 and 4 bound the gradient of the Moreau envelope."
    )
