"""Theorem 4: the mean squared gradient of the envelope over w_0 to w_{T-1} of FedMSPP, against its bound."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from fedproof.papers.fedprox.checks._experiments import Experiment, admitted, nonsmooth, refused
from fedproof.papers.fedprox.checks._instances import kinked_samples, ridge, robust
from fedproof.papers.fedprox.checks._runs import HIDDEN, Runs, enumerated, sampled
from fedproof.papers.fedprox.checks.theorem2 import DATA_ROUNDS, EPS, RHO_DATA, SEEDS, lost, runs
from fedproof.solvers.local.to_duality_gap import ToDualityGap
from fedproof.solvers.local.to_suboptimality import ToSuboptimality
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

PRINTED, GENERAL, EXPLICIT = (f"fedprox.theorem4{part}" for part in ("", ".general", ".explicit"))
RHO = Fraction(1)
#: I, b, T and eta / rho, None for the theorem's own
CASES = ((1, 1, 4, None), (1, 1, 9, None), (1, 2, 4, None), (2, 1, 4, None), (1, 1, 6, Fraction(1)),
         (1, 2, 5, Fraction(1, 10)))  # fmt: skip
LONG = 2500


@cache
def short() -> tuple[Experiment, ...]:
    """Instances on the line, solved exactly, every minibatch enumerated; a long way down to a kink."""
    found = [
        nonsmooth(line, count, rounds, RHO, eta=share, batch=batch)
        for line in kinked_samples()
        for count, batch, rounds, share in CASES
    ]
    for share, rounds in ((None, 400), (Fraction(1, 100), LONG)):
        step = RHO / 20 if share is None else share * RHO
        far = ridge((rounds - 1) * step + RHO)
        found.append(nonsmooth(far, 1, rounds, RHO, eta=None if share is None else step, batch=1))
    return tuple(found)


@cache
def on_data() -> tuple[Experiment, ...]:
    """Absolute values, and Cauchy's loss, which is not convex, solved to 1e-10 at least."""
    cases = (
        (robust("absolute", 0, 8, 8), ToDualityGap(EPS)),
        (robust("cauchy", 0), ToSuboptimality(EPS / 100)),
    )
    return tuple(nonsmooth(problem, 2, DATA_ROUNDS, RHO_DATA, solver, batch=4) for problem, solver in cases)


def rows(id: str, found: Runs, budget: SamplingBudget) -> Iterator[BoundComparison]:
    """What a form of the theorem is compared with."""
    said = HIDDEN if id == PRINTED else "Local solves and constants are exact."
    yield enumerated(id, admitted(id, short()), found, said, budget)
    said = f"Exact local solves would add {max(map(lost, on_data())):.2g} at most, which is added."
    yield sampled(id, admitted(id, on_data()), found, SEEDS, said, budget, lost)


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """The general form, that with the theorem's step size, and the printed one with its proof's constant."""
    found, line = runs(budget.runs), kinked_samples()[0]
    compared = (row for id in (GENERAL, EXPLICIT, PRINTED) for row in rows(id, found, budget))
    letters = {"T": 4, "I": 1, "Delta_rho": 1, "rho": 1, "eta": 2}
    return (*compared, refused(GENERAL, found.name, line, "eta = 2 rho", **letters))


CHECK = EmpiricalCheck(
    (GENERAL, EXPLICIT, PRINTED), "mean squared envelope gradient (FedMSPP, Theorem 4)", find
)
