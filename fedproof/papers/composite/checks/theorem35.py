"""Theorem 3.5: the mean squared prox-gradient over rounds, against its bound; printed, sharpened, exact."""

from __future__ import annotations

from fedproof.papers.composite.checks._experiments import every_regime
from fedproof.papers.composite.checks._metrics import runs_of
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

EXACT = "composite.exact.nonconvex"
IDS = (
    "composite.theorem3.5",
    "composite.theorem3.5.sharpened",
    "composite.theorem3.5.any_server.sharpened",
    EXACT,
)


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """Full gradients, every outcome of short runs, and long noisy runs over seeds, for every form."""
    runs = runs_of("mean_squared_prox_gradient")
    return tuple(row for id in IDS for row in every_regime(id, runs, budget, noise=id != EXACT))


CHECK = EmpiricalCheck(IDS, "mean squared prox-gradient (Theorem 3.5)", find)
