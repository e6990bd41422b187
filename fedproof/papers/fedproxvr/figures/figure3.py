"""FedProxVR, Fig. 3: the comparison of Fig. 2 on a task that is not convex."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fedproof.figures.number_format import listed, number
from fedproof.figures.spec import DEFAULT_CONTEXT, ComputeContext, Frame, Spec, compose
from fedproof.papers.fedproxvr.figures import _compare
from fedproof.papers.fedproxvr.figures._caption_sentences import (
    agreement,
    bands,
    cost,
    diverged,
    final_losses,
    gaps,
    judged,
)
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SPEC = Spec(
    id="fedproxvr.figure3",
    title="FedProxVR against FedAvg for several β and τ, a task that is not convex",
    source=Source("fedproxvr", "Fig. 3 and Sec. 5, effects of β and τ"),
    claims="On a task that is not convex the outcome is that of Fig. 2, with a slightly larger gap.",
    columns=_compare.COLUMNS,
    axes=_compare.AXES,
    size={
        "data": ["digits", "synthetic"], "clients": 0, "paper_clients": 10, "alpha": 1.0, "most_samples": 500,
        "heterogeneity": 1.0, "model": "perceptron", "L": [4.0, 10.0], "mu": 0.01, "batch_size": 64,
        "settings": ["5:10", "7:20", "0.5:10"], "rounds": 40, "seeds": 8,
    },
    toy={
        "data": ["digits"], "clients": 5, "settings": ["5:3", "7:4"], "batch_size": 4, "rounds": 4,
        "seeds": 2,
    },
    brief={"data": ["digits"], "seeds": 5, "rounds": 30},
)  # fmt: skip


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """One history for each data set, setting, method and seed."""
    return _compare.compute(size, context)


def draw(table: Frame) -> Figure:
    """Loss and test accuracy in rows, the settings in columns."""
    return _compare.draw(table)


def caption(table: Frame) -> str:
    """What each setting shows; numbers from the table."""
    results = _compare.compared(table)
    return compose(
        claims=SPEC.claims,
        seen=f"{final_losses(table)}{diverged(table)} {gaps(results)} {cost(table)}",
        agreement=f"{agreement(results, *judged(results)[:2])} The gap is not compared with Fig. 2's.",
        chosen=_chosen(table),
    )


def _chosen(table: Frame) -> str:
    row = table.iloc[0]
    smooth = table[["data", "L"]].dropna().drop_duplicates().itertuples(index=False)
    steps = listed(f"{number(float(value))} on {data}" for data, value in smooth)
    return (
        "The paper trains a convolutional network on MNIST with 10 devices, B = 64; its ReLU and "
        "max pooling "
        f"have no Lipschitz gradient, so no theorem speaks of it. Here: {listed(table.task.unique())}, "
        f"and a perceptron with one hidden layer, B = {number(row.batch_size)}, μ = "
        f"{number(row.mu)} (0.01 in "
        f"the paper's Table 2). No L is proved for it: steps are 1/(βL) with L = {steps}, "
        f"a choice. {bands(table)}"
    )
