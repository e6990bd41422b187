"""FLECS against FLECS-CGD for several m, and baselines: what Fig. 1 and 2 are said to show, in bits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from fedproof.figures import style
from fedproof.figures.caption import Caption, Claim, sentences
from fedproof.figures.comparison import Difference, Judged, judge_groups, word
from fedproof.figures.reaching import Series, either
from fedproof.figures.spec import DEFAULT_CONTEXT, ComputeContext, Frame, Spec
from fedproof.papers.flecs.figures import _bits as bits
from fedproof.papers.flecs.figures import _panels as panels
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MATTERS = math.log(1.25)
"""A quarter more or less is of interest."""
_WITH = "fedsonia"
Took = Mapping[tuple[bits.Key, float], Series]


def spec(number: int, data: str, what: str, where: str) -> Spec:
    """A figure of this comparison, on the data that it takes by itself."""
    return Spec(
        id=f"flecs.figure{number}",
        title=f"Objective and gradient of FLECS and FLECS-CGD by communicated bits, as for {what}",
        source=Source("flecs", f"Fig. {number}, {where}"),
        parameters=tuple(replace(p, default=data) if p.name == "data" else p for p in bits.PARAMETERS),
        columns=bits.COLUMNS,
        axes=panels.AXES,
        toy=bits.TOY,
        brief=bits.BRIEF,
    )


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """FLECS and FLECS-CGD with FedSONIA for every m, and the baselines: each run at some of its rounds.

    A row more stands where a run first comes to a target.
    """
    low = float(size["trunc_lo"])
    return bits.compute(
        size, context, [(name, _WITH, low) for name in (bits.FLECS, bits.CGD)], baselines=True
    )


def draw(table: Frame) -> Figure:
    """Dashed FLECS, full FLECS-CGD, from dark to light by m; the baselines dotted."""
    looks: dict[bits.Key, dict[str, Any]] = {}
    memories = _memories(table)
    colours = style.ordered_colours(len(memories))
    for name, dash in ((bits.FLECS, (0, (4, 2))), (bits.CGD, "-")):
        for m, colour in zip(memories, colours, strict=True):
            looks[_key(table, name, m)] = {
                "color": colour, "linestyle": dash, "label": f"{name}, m = {m}", "linewidth": 1.5,
            }  # fmt: skip
    for name, colour in zip(_baselines(table), style.CATEGORIES[1:], strict=False):
        looks[_key(table, name, 0)] = {
            "color": colour, "linestyle": (0, (1, 1)), "label": name, "linewidth": 2,
        }  # fmt: skip
    return panels.draw(table, looks, 3)


def _memories(table: Frame) -> list[int]:
    return sorted(int(m) for m in table[table.method == bits.CGD].memory.unique())


def _key(table: Frame, name: str, memory: int) -> bits.Key:
    return next(k for k in bits.keys(table) if k[0] == name and k[3] == memory)


def _baselines(table: Frame) -> list[str]:
    return [name for name in bits.BASELINES if (table.method == name).any()]


def comparisons(table: Frame) -> dict[str, list[Difference]]:
    """By claim and way: m = 1 over larger m, FLECS-CGD over FLECS, the best of both over each baseline."""
    found: dict[str, list[Difference]] = {}
    (least, *others), targets = _memories(table), bits.targets(table)
    of = {(key[0], key[3]): key for key in bits.keys(table)}
    for way in bits.WAYS:
        took = bits.series(table, way)

        def to(name: str, m: int, target: float, took: Took = took) -> Series:
            return took[of[name, m], target]

        found[f"one {way}"] = [
            either(to(name, least, t), to(name, m, t))
            for name in (bits.FLECS, bits.CGD) for m in others for t in targets
        ]  # fmt: skip
        found[f"low {way}"] = [either(to(bits.CGD, least, t), to(bits.FLECS, least, t)) for t in targets]
        found[f"more {way}"] = [
            either(to(bits.CGD, m, t), to(bits.FLECS, m, t)) for m in others for t in targets
        ]
        for name, other in product((bits.FLECS, bits.CGD), _baselines(table)):
            found[f"{name} {other} {way}"] = [
                either(_best([to(name, m, t) for m in (least, *others)]), to(other, 0, t)) for t in targets
            ]
    return found


def _best(every: Sequence[Series]) -> Series:
    """The one that came there on most seeds, and of these the one with the fewest bits on average."""
    return min(every, key=lambda one: (-one.there, float(np.log(np.maximum(one.least, 1)).mean())))


def caption(table: Frame) -> Caption:
    """The paper's claims counted in bits, each direction apart; all comparisons are decided together."""
    groups = comparisons(table)
    judged = judge_groups({name: group for name, group in groups.items() if group}, matters=MATTERS)
    least = _memories(table)[0]
    claims: list[Claim] = []
    for way in bits.WAYS:
        claims += [
            _claim(table, judged, way, f"one {way}",
                   f"Both FLECS-CGD and FLECS show their best performance with m = {least}",
                   f"Bits with m = {least} over those with a larger m", (bits.FLECS, bits.CGD)),
            _claim(table, judged, way, f"low {way}",
                   f"Because of additional compression, FLECS-CGD outperforms FLECS with m = {least}",
                   "Bits of FLECS-CGD over those of FLECS", ()),
            _claim(table, judged, way, f"more {way}",
                   "Gradient compression improves the convergence of FLECS with larger m too",
                   "Bits of FLECS-CGD over those of FLECS", (), ours=True),
        ]  # fmt: skip
        for other in _baselines(table):
            claims += [
                _claim(table, judged, way, f"{name} {other} {way}", f"{name} outperforms {other}",
                       f"Bits of {name}, with the m that took the fewest, over {other}'s", shown,
                       ours=name == bits.CGD)
                for name, shown in ((bits.FLECS, (other,)), (bits.CGD, ()))
            ]  # fmt: skip
    said = sentences([panels.lost(table), panels.substituted(table)])
    return Caption(tuple(c for c in claims if c), said)


def _claim(
    table: Frame, judged: Mapping[str, list[Judged]], way: str, group: str, claim: str, measured: str,
    shown: tuple[str, ...], *, ours: bool = False,
) -> Any:  # fmt: skip
    """A claim counted one way; None where nothing was compared."""
    own = judged.get(group)
    if not own:
        return None
    keys = [k for k in bits.keys(table) if k[0] in shown]
    levels = f"Kilobits {panels.SAYS[way]}, {panels.levels(table, keys, way)}." if keys else ""
    return Claim(
        f"{claim}, counted in bits that a node has {panels.SAYS[way]}.",
        sentences([f"{measured}: {panels.compared(own)}.", levels]),
        word(own, -1),
        ours=ours,
    )
