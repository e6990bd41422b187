"""FedProx (Yuan and Li), Fig. 2: rounds of communication to reach target accuracies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fedproof.figures import style
from fedproof.figures.caption import Caption, Claim, sentences
from fedproof.figures.comparison import TOGETHER, counted, judge, span
from fedproof.figures.number_format import number
from fedproof.figures.reaching import most
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, ComputeContext, Frame, Spec
from fedproof.papers.fedprox.figures import _targets as targets
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SLIGHT = 1.5
"""So many times as many rounds are no longer slightly more; the paper gives no number."""
MATTERS = math.log(1.25)
"""A quarter more or less is of interest."""
_ROUNDS = Axis("rounds", "log")
_RATIO = Axis("rounds over FedProx's")
SPEC = Spec(
    id="fedprox.figure2",
    title="Rounds of communication of FedMSPP, FedProx and FedAvg to reach target accuracies",
    source=Source("fedprox", "Fig. 2 and App. E.3"),
    parameters=targets.PARAMETERS,
    columns=targets.COLUMNS,
    axes={"target": targets.TARGET, "rounds": _ROUNDS, "ratio": _RATIO},
    toy=targets.TOY,
    brief=targets.BRIEF,
)


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """A row for each method, target and seed; the same runs as those of Fig. 1."""
    return targets.compute(size, context)


def draw(table: Frame) -> Figure:
    """What each method took, and the ratios; dashed is where more is no longer slightly more."""
    picture = targets.draw(table, "rounds", _ROUNDS, _RATIO, "Rounds of communication")
    bars, ratios = picture.axes
    style.plain_ticks(bars.yaxis)
    ratios.axhline(SLIGHT, color=style.DARK, linewidth=0.8, linestyle=(0, (4, 2)))
    return picture


def caption(table: Frame) -> Caption:
    """How many more rounds FedMSPP needs; all comparisons are decided together."""
    ratios = targets.against_baselines(table, "rounds")
    judged = judge(targets.against_baselines(table, "rounds", SLIGHT), matters=MATTERS)
    times = f"{number(SLIGHT)} times as many"
    claim = Claim(
        "In most cases FedMSPP needs just slightly more rounds of communication than FedProx and FedAvg to "
        "reach comparable test accuracies.",
        sentences([
            f"Its rounds over theirs: {span(ratios)}; "
            f"{counted(judged, f'fewer than {times}', f'more than {times}')}.",
            f"Rounds, {targets.levels(table, 'rounds')}.",
        ]),
        most(judged, -1),
    )  # fmt: skip
    slight = f"Slightly more is fewer than {times}, in most cases more than half of the comparisons (ours)."
    return Caption((claim,), f"{slight} {targets.substituted(table)} {TOGETHER}")
