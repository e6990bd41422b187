"""FLECS-CGD, Fig. 3: objective and squared gradient by communicated bits, Algorithm 4 against Algorithm 5."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fedproof.figures import style
from fedproof.figures.caption import Caption, Claim, sentences, word_if
from fedproof.figures.comparison import Difference, judge_groups, word
from fedproof.figures.number_format import number
from fedproof.figures.parameters import real
from fedproof.figures.reaching import either
from fedproof.figures.runs import last_rounds
from fedproof.figures.spec import DEFAULT_CONTEXT, ComputeContext, Frame, Spec
from fedproof.papers.flecs.figures import _bits as bits
from fedproof.papers.flecs.figures import _panels as panels
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SONIA, INVERSE = "fedsonia", "truncated_inverse"
MATTERS = math.log(1.25)
"""A quarter more or less is of interest."""
_LOWS = real("trunc_lo", (1e-5, 1.0), "ω of Algorithm 4, the paper's first; Algorithm 5 has that", zero=False)
SPEC = Spec(
    id="flecs.figure3",
    title="Iterate updates of FLECS-CGD, Algorithms 4 and 5, by communicated bits",
    source=Source("flecs", "Fig. 3, App. B"),
    parameters=tuple(
        _LOWS if p.name == "trunc_lo" else replace(p, default=300) if p.name == "kilobits" else p
        for p in bits.PARAMETERS
    ),
    columns=bits.COLUMNS,
    axes=panels.AXES,
    toy=bits.TOY | {"trunc_lo": [1e-5, 1.0]},
    brief=bits.BRIEF,
)


_DASHES = ((0, (1, 1)), (0, (4, 2)), (0, (4, 1, 1, 1)))


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """FLECS-CGD with both iterate updates for every m; Algorithm 4 with every ω."""
    lows = [float(low) for low in size["trunc_lo"]]
    methods = [(bits.CGD, SONIA, lows[0]), *((bits.CGD, INVERSE, low) for low in lows)]
    return bits.compute(size, context, methods, baselines=False)


def draw(table: Frame) -> Figure:
    """Full Algorithm 5, broken Algorithm 4, from dark to light by m."""
    memories = sorted(int(m) for m in table.memory.unique())
    colours = dict(zip(memories, style.ordered_colours(len(memories)), strict=True))
    looks = {}
    for place, (direction, low) in enumerate(_updates(table)):
        dash: Any = "-" if direction == SONIA else _DASHES[(place - 1) % len(_DASHES)]
        for m in memories:
            looks[bits.CGD, direction, low, m] = {
                "color": colours[m], "linestyle": dash, "label": f"{_name(direction, low)}, m = {m}",
                "linewidth": 1.5,
            }  # fmt: skip
    return panels.draw(table, looks, len(_updates(table)))


def _updates(table: Frame) -> list[tuple[str, float]]:
    """Directions with their ω, Algorithm 5 first."""
    return list(dict.fromkeys((key[1], key[2]) for key in bits.keys(table)))


def _name(direction: str, low: float) -> str:
    return "Algorithm 5" if direction == SONIA else f"Algorithm 4, ω = {number(low)}"


def _named(key: bits.Key) -> str:
    return _name(key[1], key[2])


def comparisons(table: Frame) -> dict[str, list[Difference]]:
    """For every ω, bits of Algorithm 5 over those of Algorithm 4, every m and target; messages are alike."""
    memories = sorted(int(m) for m in table.memory.unique())
    (_, own), *others = _updates(table)
    took = bits.series(table, "up")
    return {
        f"{low}": [
            either(took[(bits.CGD, SONIA, own, m), t], took[(bits.CGD, INVERSE, low, m), t])
            for m in memories for t in bits.targets(table)
        ]
        for _, low in others
    }  # fmt: skip


def caption(table: Frame) -> Caption:
    """The paper claims nothing of this figure; what is compared is ours."""
    judged = judge_groups(comparisons(table), matters=MATTERS)
    claims = []
    for direction, low in _updates(table):
        claims.append(_falls(table, direction, low))
        if direction == INVERSE:
            keys = [
                key
                for key in bits.keys(table)
                if key[1:3] in ((SONIA, _updates(table)[0][1]), (INVERSE, low))
            ]
            claims.append(
                Claim(
                    f"Algorithm 5 takes fewer bits than {_name(direction, low)}.",
                    sentences([
                        "Bits, either way, of Algorithm 5 over those of Algorithm 4: "
                        f"{panels.compared(judged[f'{low}'])}.",
                        f"Kilobits sent, Algorithm 5 first, {panels.levels(table, keys, 'up', _named)}.",
                    ]),
                    word(judged[f"{low}"], -1),
                    ours=True,
                )
            )  # fmt: skip
    said = "An eigenvalue that the nodes' sketches have not met is 0, and Algorithm 4 steps by 1/ω along it."
    return Caption(tuple(claims), sentences([said, panels.lost(table, _named), panels.substituted(table)]))


def _falls(table: Frame, direction: str, low: float) -> Claim:
    """Whether every run ends below its start."""
    own = table[(table.direction == direction) & (table.trunc_lo == low)]
    runs = [rows for _, rows in own.groupby(["memory", "seed"])]
    below = sum(
        (rows.ended == "finished").all() and float(last_rounds(rows).gap.iloc[0]) < float(rows.gap.iloc[0])
        for rows in runs
    )
    gone = sum((rows.ended == "diverged").any() for rows in runs)
    diverged = f"; {gone} diverged" if gone else ""
    return Claim(
        f"With {_name(direction, low)} the objective ends below its start.",
        f"It does in {below} of {count(len(runs), 'run')}{diverged}.",
        word_if(below == len(runs)),
        ours=True,
    )
