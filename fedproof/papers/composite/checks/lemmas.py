"""Lemmas A.1 and A.2: drift of the local models and spread of the corrections in one round from any state."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from fedproof.papers.composite.checks._compare import ROUNDING, Change, as_printed, over
from fedproof.papers.composite.checks._family import RunExperiment, line
from fedproof.papers.composite.checks._one_round import one_round
from fedproof.papers.composite.checks._theory import bounds, holds, metric, wants
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.separable import Separable
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.replicas import generator
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

IDS = tuple(
    f"composite.lemma{name}{form}" for name in ("A1", "A2") for form in ("", ".sharpened", ".short.sharpened")
)
#: eta tau L, just within the lemmas' condition and the one of the short forms
REACHES = {"": Fraction(223, 1000), "short": Fraction(1, 8)}
COUNT, MOST_OUTCOMES = 120, 10
SERVERS = (Fraction(1), Fraction(3, 2), Fraction(4))


@cache
def states(reach: Fraction, count: int = COUNT) -> tuple[RunExperiment, ...]:
    """Random clients on the line, with random starts and corrections of mean 0; half of them with noise."""
    rng, found = generator(21, reach.denominator), []

    def grid(size: int, most: int = 16) -> Any:
        return fractions(rng.integers(-most, most + 1, size)) / Fraction(8)

    for number in range(count):
        noisy = number % 2 == 0
        n = int(rng.integers(1, 5))
        tau = max(1, int(rng.integers(1, MOST_OUTCOMES + 1)) // n) if noisy else int(rng.integers(1, 20))
        curvatures = rng.choice(fractions([1, -1, "1/2"]), n)
        penalty = Separable(abs(grid(1)[0]), high=Fraction(1) if number % 3 == 0 else None)
        size = abs(grid(1)[0]) + Fraction(1, 8)
        drifting = grid(n) * int(rng.integers(0, 2))
        instance = line(curvatures, grid(n), penalty, [-size, size], f"state {number}")
        server = SERVERS[int(rng.integers(3))]
        method = FedComposite(reach / tau, tau, server, 1 if noisy else None)
        corrections = drifting - np.add.reduce(drifting) / Fraction(n)
        found.append(RunExperiment(instance, method, grid(1), corrections[:, None]))
    return tuple(found)


def _letters(case: RunExperiment) -> dict[str, Any]:
    """Those of the lemmas; nothing is asked of the least loss, which some of these do not have."""
    i, m = case.instance, case.method
    found: dict[str, Any] = {
        "L": Fraction(1),
        "n": i.smooth.n_clients,
        "tau": m.local_steps,
        "b": 1,
        "sigma2": i.variance if m.batch_size else 0,
        "eta": m.stepsize,
        "eta_g": m.server_stepsize,
    }
    return found if i.subgradients is None else found | {"B_g": i.subgradients}


def compared(
    id: str,
    change: Change = as_printed,
    shrink: float = 1.0,
    reach: Fraction | None = None,
    seen: dict[Any, Mapping[str, Any]] | None = None,
) -> BoundComparison:
    """The worst of the states that a lemma speaks of, every outcome of the round taken into account.

    Arguments:
        change, shrink: for planting falsehoods: what runs in place of Algorithm 1, what divides the bound.
        reach: eta tau L; just within the lemma's condition by default.
        seen: rounds to share with other comparisons, none by default.
    """
    found, seen = [], {} if seen is None else seen
    for case in states(reach or REACHES["short" if ".short" in id else ""]):
        key = (case, change(case.method))
        if key not in seen:
            seen[key] = one_round(*key, exact=False)
        values = seen[key]
        numbers = wants(id, _letters(case) | {k: float(v) for k, v in values.items() if k not in _MEASURED})
        if numbers is not None and holds(id, **numbers):
            bound, measured = float(bounds(id, **numbers)) / shrink, float(values[metric(id)])
            found.append((over(measured, bound), measured, bound, case, values))
    if not found:
        return BoundComparison(
            id, metric(id), "<=", None, None, "no state", "It speaks of none.", applies=False
        )
    ratio, measured, bound, case, values = max(found, key=lambda f: f[0])
    return BoundComparison(
        id, metric(id), "<=", measured, bound,
        f"one round from {len(found)} random states with corrections of mean 0: {case.describe()}",
        f"The expectation over every outcome comes nearest to its bound at {measured:.5g} against "
        f"{bound:.5g}, {ratio:.4g} of it; G2={float(values['G2']):.4g}, Lam2={float(values['Lam2']):.4g}, "
        f"sigma2={float(case.instance.variance if case.method.batch_size else 0):.4g}.",
    ).decided(ROUNDING)  # fmt: skip


_MEASURED = ("local_drift", "correction_spread", "objective")


def find(
    effort: SamplingBudget, change: Change = as_printed, shrink: float = 1.0
) -> tuple[BoundComparison, ...]:
    """One exact finding a form of a lemma; nothing is drawn anew."""
    del effort
    seen: dict[Any, Mapping[str, Any]] = {}
    return tuple(compared(id, change, shrink, seen=seen) for id in IDS)


CHECK = EmpiricalCheck(IDS, "one round (Lemmas A.1 and A.2)", find)
