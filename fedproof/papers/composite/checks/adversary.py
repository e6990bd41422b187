"""The theorems against problems built to break them: the worst instances of a search, looked at again.

With full gradients they are decided in fractions; where noise alone is looked at, from the solution with
Omega^1 = 0, over seeds.
"""

from __future__ import annotations

from fedproof.papers.composite.checks._metrics import runs_of
from fedproof.papers.composite.checks._worst_instances import WORST, WorstInstance
from fedproof.validate.empirical.regimes import admits, enumerated, sampled
from fedproof.validate.empirical.theory import metric
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

IDS = tuple(dict.fromkeys(w.id for w in WORST))
SEEDS = 1000


def looked_at(worst: WorstInstance, budget: SamplingBudget) -> BoundComparison:
    """One of the worst instances beside its bound."""
    experiment, runs = worst.experiment, runs_of(metric(worst.id))
    if not admits(worst.id, experiment):
        raise RuntimeError(f"{worst.id} does not admit {experiment.describe()}")
    if not worst.noise:
        return enumerated(worst.id, [(experiment, worst.rounds)], runs, budget)
    return sampled(worst.id, [experiment], (worst.rounds,), SEEDS, runs, budget)


CHECK = EmpiricalCheck(
    IDS,
    "worst instances found (Theorems 3.5, 3.6, 3.8)",
    lambda budget: tuple(looked_at(worst, budget) for worst in WORST),
)
