"""FedProxVR, Table 2: test accuracy with the best hyper-parameters, a task that is not convex."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fedproof.figures.caption import Caption
from fedproof.figures.spec import DEFAULT_CONTEXT, ComputeContext, Frame, Spec
from fedproof.figures.tasks import task_parameters
from fedproof.papers.fedproxvr.figures import table1
from fedproof.vocabulary.source import Source

draw = table1.draw

SPEC = Spec(
    id="fedproxvr.table2",
    title="Test accuracy with the best hyper-parameters, a task that is not convex",
    source=Source("fedproxvr", "Table 2 and Sec. 5, performance comparison"),
    parameters=table1.parameters(
        task_parameters(("digits", "synthetic"), 10, "perceptron", 500), (4.0, 10.0),
        beta=(0.3, 1.0, 3.0, 10.0), mu=(0.001, 0.01, 0.1),
    ),
    columns=table1.COLUMNS,
    axes=table1.AXES,
    toy=table1.SPEC.toy,
    brief=table1.SPEC.brief,
)  # fmt: skip


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """The search, the best setting of each method on fresh seeds, and the paper's rows."""
    return table1.compute(size, context, "Table 2")


def caption(table: Frame) -> Caption:
    """Who is more accurate, and what was searched."""
    network = "A perceptron with one hidden layer stands in for the paper's network."
    return Caption(table1.claims_of(table, "Table 2", "not convex"), f"{table1.searched(table)} {network}")
