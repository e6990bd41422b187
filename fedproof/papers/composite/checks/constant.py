"""F constant and noise alone: where the printed constant 6 of (46) fails, and Theorem 3.6 does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from fedproof.algebra.expressions import FractionAlgebra, fold, names_in
from fedproof.bounds.catalog import steps
from fedproof.papers.composite.checks._family import RunExperiment, line
from fedproof.papers.composite.checks._metrics import exchangeable, one_round
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.separable import Separable
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.empirical.comparison import Place, compare, decided_exactly, tightened
from fedproof.validate.empirical.theory import bound_at, metric
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

CLIENTS = 18
IDS = ("composite.theorem3.6", "composite.theorem3.6.repaired")
ROUND, REPAIRED = "composite.eq46", "composite.eq46.repaired"
#: the step that says what E Omega^2 is there
KNOWN = "composite.eq46.instance.potential"
#: any B_g > 0 is true of a constant
SMALL = Fraction(1, 10)


def experiment(n: int = CLIENTS) -> RunExperiment:
    """f_i = 0, g = 0, noise -1 or 1, tau = 1, eta_g = 3/2, eta~ = 1/10: at the edges of (13) for L = 1."""
    nothing = line([0] * n, [0] * n, Separable(), [-1, 1], f"f = 0, g = 0, noise -1 or 1, n={n}")
    return RunExperiment(nothing, FedComposite(Fraction(1, 15), 1, Fraction(3, 2), 1), fractions([0]))


def potential(case: RunExperiment, method: FedComposite) -> Fraction:
    """E Omega^2 over every outcome, in fractions; clients alike count by how many drew the second sample.

    The steps in (10) are those of what runs.
    """
    draws, shares = exchangeable(case.instance.smooth.n_clients)
    found = one_round(replace(case, method=method), method, draws=draws, shares=shares)
    return Fraction(found["objective"] + found["correction_spread"] / method.effective_stepsize)


def numbers(case: RunExperiment, mu: Fraction) -> Mapping[str, Any]:
    """The letters: L = 1 and B_g = 0 are true of constants, and so is every mu."""
    return {**case.numbers, "L": 1, "B_g": 0, "mu": mu, "Omega1": 0, "R": 1}


def surprising(case: RunExperiment, measured: Fraction, bound: Fraction | float) -> bool:
    """Whether a bound is exceeded by another number than the known one, eta~ (n - 1)/n sigma^2/(eta_g^2 b).

    A row that is not exceeded stays marked as refuted: that it is kept is then a surprise by itself.
    """
    known = after(KNOWN, **case.numbers, eta_t=case.method.effective_stepsize)
    return measured > bound and measured != known


def constant(id: str, mu: Fraction, budget: SamplingBudget) -> BoundComparison:
    """E Omega^2 beside the bound of a form of Theorem 3.6 after one round; nothing is said of mu > L."""
    case = experiment()
    bound, measured = bound_at(id, **numbers(case, mu)), potential(case, budget.change(case.method))
    problem = f"{case.describe()}, L=1, mu={mu}, R=1, every outcome in fractions"
    if bound is None or mu > 1:
        why = f"mu = {mu} is above L = 1, which only a constant F admits: the theorem is read with mu <= L."
        return BoundComparison(id, metric(id), "<=", float(measured), None, problem, why, applies=False)
    said = f"F is constant, so that mu = {mu} is a proximal PL constant and B_g = 0; E Omega^2 = {measured}"
    texts = (problem, f"{said} exactly, from Omega^1 = 0.")
    return compare(id, metric(id), [Place(measured, bound, case)], texts, budget)


def after(id: str, **values: Any) -> Fraction:
    """The right side of a step, such as a form of (46), exactly."""
    claim = next(step.claim for step in steps("composite") if step.id == id)
    given = {name: Fraction(values[name]) for name in names_in(claim.rhs)}
    return fold(claim.rhs, FractionAlgebra(), given)


def falling(id: str, budget: SamplingBudget) -> BoundComparison:
    """E Omega^2 beside what (46) allows after Omega^1 = 0 and G = 0, in fractions."""
    case = experiment()
    given = {**case.numbers, "L": 1, "B_g": SMALL, "Om0": 0, "G2": 0}
    allowed = after(id, **given, eta_t=case.method.effective_stepsize)
    measured = potential(case, budget.change(case.method))
    row = BoundComparison(
        id, "potential", "<=", float(measured), float(allowed),
        f"{case.describe()}, L=1, B_g={SMALL}, every outcome in fractions",
        f"From Omega^1 = 0 one round leads to E Omega^2 = {measured} exactly, where (46) allows {allowed}.",
        refuted=id == ROUND and not surprising(case, measured, allowed),
    )  # fmt: skip
    return decided_exactly(row, measured <= tightened(allowed, "<=", budget))


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """(46) and its repair; the theorem with mu = L, the most that a loss admits, and with more."""
    rounds = tuple(falling(id, budget) for id in (ROUND, REPAIRED))
    return (*rounds, *(constant(id, Fraction(mu), budget) for id in IDS for mu in (1, 30)))


CHECK = EmpiricalCheck((ROUND, REPAIRED, *IDS), "noise where F is constant ((46) and Theorem 3.6)", find)
