"""FedProx (Yuan and Li), Fig. 1: data points accessed to reach target accuracies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fedproof.figures.caption import Caption, Claim, sentences
from fedproof.figures.comparison import TOGETHER, Difference, judge_groups, summary, word
from fedproof.figures.reaching import most, over
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, ComputeContext, Frame, Spec
from fedproof.papers.fedprox.figures import _targets as targets
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MATTERS = math.log(1.25)
"""A quarter more or less is of interest."""
_SAMPLES = Axis("sample gradients evaluated", "log")
_RATIO = Axis("samples over FedProx's", "log")
SPEC = Spec(
    id="fedprox.figure1",
    title="Data points accessed by FedMSPP, FedProx and FedAvg to reach target accuracies",
    source=Source("fedprox", "Fig. 1 and App. E.3"),
    parameters=targets.PARAMETERS,
    columns=targets.COLUMNS,
    axes={"target": targets.TARGET, "samples": _SAMPLES, "ratio": _RATIO},
    toy=targets.TOY,
    brief=targets.BRIEF,
)


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """A row for each method, target and seed."""
    return targets.compute(size, context)


def draw(table: Frame) -> Figure:
    """What each method took, and the ratios."""
    return targets.draw(table, "samples", _SAMPLES, _RATIO, "Data points accessed")


def comparisons(table: Frame) -> dict[str, list[Difference]]:
    """FedMSPP over the others; and with each minibatch over the next larger one."""
    sizes = targets.minibatches(table)
    smaller = [
        over(
            targets.series(table, "samples", "fedmspp", b, target),
            targets.series(table, "samples", "fedmspp", larger, target),
        )
        for target in targets.targets(table)
        for b, larger in zip(sizes[1:], sizes, strict=False)
    ]
    return {"fewer": targets.against_baselines(table, "samples"), "smaller": smaller}


def caption(table: Frame) -> Caption:
    """Who needs fewer samples; all comparisons are decided together."""
    judged = judge_groups(comparisons(table), matters=MATTERS)
    claims = [
        Claim(
            "FedMSPP with every minibatch size needs significantly fewer samples than FedProx and FedAvg to "
            "reach the target accuracies.",
            sentences([
                f"Its samples over theirs: {summary(judged['fewer'])}.",
                f"Samples, {targets.levels(table, 'samples')}.",
            ]),
            word(judged["fewer"], -1),
        )
    ]  # fmt: skip
    if judged["smaller"]:
        claims.append(
            Claim(
                "FedMSPP with smaller minibatches tends to have better sample efficiency.",
                "Its samples with each minibatch size over those with the next larger one: "
                f"{summary(judged['smaller'])}.",
                most(judged["smaller"], -1),
            )
        )
    return Caption(tuple(claims), f"{targets.substituted(table)} {TOGETHER}")
