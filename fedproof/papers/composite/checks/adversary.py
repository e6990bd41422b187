"""The theorems against problems built to break them: the worst instances of a search, looked at again.

`_search.search` finds them; here they are fixed, so that the default check is fast. With full gradients they
are decided in fractions; where noise alone is looked at, from the solution with Omega^1 = 0, over seeds.
"""

from __future__ import annotations

from fractions import Fraction

from fedproof.papers.composite.checks._compare import Change, admits, as_printed, enumerated, sampled
from fedproof.papers.composite.checks._worst_instances import WORST, WorstInstance
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

IDS = tuple(dict.fromkeys(w.id for w in WORST))
SEEDS = 1000


def looked_at(
    worst: WorstInstance, effort: SamplingBudget, change: Change = as_printed, shrink: int = 1
) -> BoundComparison:
    """One of the worst instances beside its bound.

    Arguments:
        change, shrink: for planting falsehoods.
    """
    if not admits(worst.id, worst.case):
        raise RuntimeError(f"{worst.id} does not admit {worst.case.describe()}")
    if not worst.noise:
        return enumerated(worst.id, ((worst.case, worst.rounds),), change, Fraction(shrink))
    seeds = effort.seeds or SEEDS
    return sampled(worst.id, (worst.case,), (worst.rounds,), seeds, effort.salt, change, shrink)


def find(effort: SamplingBudget) -> tuple[BoundComparison, ...]:
    """Every fixed instance."""
    return tuple(looked_at(worst, effort) for worst in WORST)


CHECK = EmpiricalCheck(IDS, "worst instances found (Theorems 3.5, 3.6, 3.8)", find)
