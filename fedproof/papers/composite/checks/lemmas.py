"""Lemmas A.1 and A.2: drift of the local models and spread of the corrections in one round from any state."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from fedproof.papers.composite.checks._family import RunExperiment, line
from fedproof.papers.composite.checks._metrics import one_round
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.separable import Separable
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.empirical.comparison import Place, compare, nearest
from fedproof.validate.empirical.regimes import ROUNDING
from fedproof.validate.empirical.theory import bounds, holds, metric, wants
from fedproof.validate.replicas import generator
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

IDS = tuple(
    f"composite.lemma{name}{form}" for name in ("A1", "A2") for form in ("", ".sharpened", ".short.sharpened")
)
#: eta tau L, just within the lemmas' condition and the one of the short forms
REACHES = {"": Fraction(223, 1000), "short": Fraction(1, 8)}
COUNT, MOST_OUTCOMES = 120, 10
#: what a round is measured for; the rest of its numbers are letters
METRICS = ("local_drift", "correction_spread", "objective")
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


def compared(
    id: str,
    budget: SamplingBudget,
    reach: Fraction | None = None,
    seen: dict[Any, Mapping[str, Any]] | None = None,
) -> BoundComparison:
    """The worst of the states that a lemma speaks of, every outcome of the round taken into account."""
    places, seen = [], {} if seen is None else seen
    for state in states(reach or REACHES["short" if ".short" in id else ""]):
        key = (state, budget.change(state.method))
        if key not in seen:
            seen[key] = one_round(*key, exact=False)
        values = seen[key]
        measured = {name: float(value) for name, value in values.items() if name not in METRICS}
        # nothing is asked of the least loss, which some of these do not have
        numbers = wants(id, state.method_letters | {"L": Fraction(1), "b": 1} | measured)
        if numbers is not None and holds(id, **numbers):
            places.append(Place(float(values[metric(id)]), float(bounds(id, **numbers)), (state, values)))
    if not places:
        return BoundComparison(
            id, metric(id), "<=", None, None, "no state", "It speaks of none.", applies=False
        )
    worst = nearest(places)
    state, values = worst.at
    return compare(
        id, metric(id), places,
        (f"one round from {len(places)} random states with corrections of mean 0: {state.describe()}",
         f"The expectation over every outcome comes nearest to its bound at {worst.measured:.5g} against "
         f"{worst.bound:.5g}, {worst.ratio:.4g} of it; G2={float(values['G2']):.4g}, "
         f"Lam2={float(values['Lam2']):.4g}, sigma2={float(state.method_letters['sigma2']):.4g}."),
        budget, tolerance=ROUNDING,
    )  # fmt: skip


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """One exact comparison a form of a lemma; nothing is drawn anew."""
    seen: dict[Any, Mapping[str, Any]] = {}
    return tuple(compared(id, budget, seen=seen) for id in IDS)


CHECK = EmpiricalCheck(IDS, "one round (Lemmas A.1 and A.2)", find)
