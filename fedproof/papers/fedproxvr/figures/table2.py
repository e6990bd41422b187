"""FedProxVR, Table 2: test accuracy with the best hyper-parameters, a task that is not convex."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fedproof.figures.spec import DEFAULT_CONTEXT, ComputeContext, Frame, Spec, compose
from fedproof.papers.fedproxvr.figures import _ranking, _search
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SPEC = Spec(
    id="fedproxvr.table2",
    title="Test accuracy with the best hyper-parameters, a task that is not convex",
    source=Source("fedproxvr", "Table 2 and Sec. 5, performance comparison"),
    claims=(
        "With hyper-parameters from a random search FedProxVR is more accurate than FedAvg on a "
        "task that is "
        f"not convex ({_search.claimed('Table 2')}) and starts to converge earlier."
    ),
    columns=_search.COLUMNS,
    axes=_search.AXES,
    size={
        "data": ["digits", "synthetic"], "clients": 0, "paper_clients": 10, "alpha": 1.0, "most_samples": 500,
        "heterogeneity": 1.0, "model": "perceptron", "L": [4.0, 10.0], "tau": [5, 10, 20],
        "beta": [0.3, 1.0, 3.0, 10.0], "mu": [0.001, 0.01, 0.1], "batch_size": [16, 32, 64],
        "tried": 16, "search": 1, "search_seeds": 2, "seeds": 12, "rounds": 50,
    },
    toy={
        "data": ["digits"], "clients": 5, "tau": [2, 3], "beta": [1.0, 3.0], "mu": [0.1], "batch_size": [4],
        "tried": 2, "search_seeds": 1, "seeds": 2, "rounds": 3,
    },
    brief={"data": ["digits"], "tried": 6, "seeds": 4, "rounds": 30},
)  # fmt: skip


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """The search, the best setting of each method on fresh seeds, and the paper's rows."""
    return _search.compute(size, context, "Table 2")


def draw(table: Frame) -> Figure:
    """Accuracies on fresh seeds above the table."""
    return _ranking.draw(table)


def caption(table: Frame) -> str:
    """Who is more accurate, and what was searched; numbers from the table."""
    results = _ranking.outcomes(table)
    network = "A perceptron with one hidden layer stands in for the paper's network."
    return compose(
        claims=SPEC.claims,
        seen=_ranking.seen(results),
        agreement=_ranking.agreement(results),
        chosen=f"{_ranking.searched(table)} {network}",
    )
