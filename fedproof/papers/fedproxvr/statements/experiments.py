"""What Sec. 5 reports of runs on data; its numbers are decided in `steps.experiments`."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.fedproxvr.statements.printed import KEY

_HERE = "Synthetic(alpha, beta) and scikit-learn's digits"


def _reported(
    name: str, title: str, where: str, says: str, data: str, figure: str, note: str = ""
) -> Statement:
    here = "Synthetic(0, 0)" if figure == "figure4" else _HERE
    claim = Reported(says, data, f"{KEY}.{figure}", here)
    return Statement(f"{KEY}.section5.{name}", title, Source(KEY, where), (), claim, note=note)


CONVEX = _reported(
    "convex",
    "FedProxVR against FedAvg, convex task",
    "Sec. 5, Fig. 2",
    "With the same parameters FedProxVR converges better than FedAvg on a convex task",
    "Fashion-MNIST, 100 devices",
    "figure2",
)
LARGER = _reported(
    "larger",
    "Larger beta and tau converge faster",
    "Sec. 5, Fig. 2",
    "With beta = 7 and tau = 20 all algorithms converge faster than with 5 and 10",
    "Fashion-MNIST, 100 devices",
    "figure2",
)
FLUCTUATES = _reported(
    "fluctuates",
    "Beyond the upper bound of tau the curves fluctuate",
    "Sec. 5, Fig. 2",
    "Where tau exceeds its upper bound in Lemma 1 the curves of FedProxVR fluctuate much more",
    "Fashion-MNIST, 100 devices",
    "figure2",
)
NONCONVEX = _reported(
    "nonconvex",
    "FedProxVR against FedAvg, non-convex task",
    "Sec. 5, Fig. 3",
    "The same on a non-convex task, with a slightly larger gap",
    "MNIST, 10 devices, a convolutional network",
    "figure3",
    note="ReLU and max pooling have no Lipschitz gradient, so Assumption 1 does not speak of this task.",
)
DIVERGES = _reported(
    "mu.zero",
    "Without the proximal term the loss diverges",
    "Sec. 5, Fig. 4",
    "The training loss diverges with mu = 0, and a larger mu stabilises it",
    "Synthetic",
    "figure4",
)
SLOWER = _reported(
    "mu.large",
    "A large proximal weight is slow",
    "Sec. 5, Fig. 4",
    "Larger values of mu make the convergence slower",
    "Synthetic",
    "figure4",
)
BEST = _reported(
    "best",
    "FedProxVR against FedAvg, each with its best parameters",
    "Sec. 5, Tables 1 and 2",
    "With parameters found by random search FedProxVR is more accurate and converges earlier",
    "data sets that the tables do not name",
    "table1",
)
BATCH = _reported(
    "best.batch",
    "FedAvg is better with smaller batches, FedProxVR with larger ones",
    "Sec. 5, Tables 1 and 2",
    "On the convex task FedAvg performs better with smaller batches, FedProxVR benefits from larger ones",
    "data sets that the tables do not name",
    "table1",
    note="Of the best settings found, 16 against 32 (fedproxvr.section5.batch).",
)
