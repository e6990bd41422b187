"""FedProxVR, Fig. 3: the comparison of Fig. 2 on a task that is not convex."""

from __future__ import annotations

from fedproof.figures.caption import NOT_APPLICABLE, Caption, Claim
from fedproof.figures.comparison import judge_groups
from fedproof.figures.number_format import listed, number
from fedproof.figures.power import seeds_needed
from fedproof.figures.spec import Frame, Spec
from fedproof.figures.tasks import task_parameters
from fedproof.papers.fedproxvr.figures import figure2
from fedproof.vocabulary.source import Source

compute, draw = figure2.compute, figure2.draw

SPEC = Spec(
    id="fedproxvr.figure3",
    title="FedProxVR against FedAvg for several β and τ, a task that is not convex",
    source=Source("fedproxvr", "Fig. 3 and Sec. 5, effects of β and τ"),
    parameters=figure2.parameters(
        task_parameters(("digits", "synthetic"), 10, "perceptron", 500),
        ("5:10", "7:20", "0.5:10"), (4.0, 10.0), mu=0.01, batch_size=64, rounds=40,
        seeds=seeds_needed(3.0, 36),
    ),
    columns=figure2.COLUMNS,
    axes=figure2.AXES,
    toy={
        "data": ["digits"], "clients": 5, "settings": ["5:3", "7:4"], "batch_size": 4, "rounds": 4,
        "seeds": 2,
    },
    brief={"data": ["digits"], "seeds": 7, "rounds": 25},
)  # fmt: skip


def caption(table: Frame) -> Caption:
    """Whether the outcome is that of Fig. 2."""
    first = figure2.pairs_of(table)[0]
    judged = judge_groups(figure2.groups_of(figure2.compared(table), first), matters=figure2.MATTERS)
    said = "On a task that is not convex the outcome is that of Fig. 2: FedProxVR's loss is the smaller"
    larger = Claim(
        "The gap is slightly larger than in Fig. 2.",
        "Not compared: data, steps and rounds differ from those of Fig. 2.",
        NOT_APPLICABLE,
    )
    claims = (*figure2.loss_claims(table, judged, said, first), larger, *figure2.control_claims(judged))
    return Caption(claims, _substituted(table))


def _substituted(table: Frame) -> str:
    row = table.iloc[0]
    smooth = table[["data", "L"]].dropna().drop_duplicates().itertuples(index=False)
    steps = listed(f"{number(float(value))} on {data}" for data, value in smooth)
    return (
        "The paper trains a convolutional network on MNIST with 10 devices, B = 64; its ReLU and max pooling "
        f"have no Lipschitz gradient, so no theorem speaks of it. Here: {listed(table.task.unique())}, and a "
        f"perceptron with one hidden layer, B = {number(row.batch_size)}, μ = {number(row.mu)} (0.01 in the "
        f"paper's Table 2). No L is proved for it: steps are 1/(βL) with L = {steps}, a choice. "
        f"{figure2.bands(table)}"
    )
