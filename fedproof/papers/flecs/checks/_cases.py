"""Instances with step sizes and a weight that the repaired theorems admit, and what is measured of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from fedproof.algebra.expressions import FractionAlgebra, fold
from fedproof.algebra.formula import Relation
from fedproof.bounds.statement_handle import statement
from fedproof.papers.flecs import notation
from fedproof.papers.flecs.checks._moments import (
    Instance,
    Listing,
    exact,
    gap,
    moments,
    off,
    one_entry,
    squared_gradient,
)
from fedproof.papers.flecs.statements import formulas as f
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.validate.empirical.comparison import Place, compare, nearest
from fedproof.validate.verdict import BoundComparison, SamplingBudget
from fedproof.vocabulary.plurals import count

#: relative: what rounding may hide of a bound that is a float
ROUNDING = 1e-9
STEP = Relation(f.STEPSIZE4)
QUARTER, HALF, ONE = Fraction(1, 4), Fraction(1, 2), Fraction(1)


@dataclass(frozen=True, eq=False)
class Case:
    """A run that the statements speak of.

    Arguments:
        at: the instance.
        listing: alpha and gamma.
        c: the weight of the shifts.
        rounds: K.
    """

    at: Instance
    listing: Listing
    c: Any
    rounds: int

    def weight(self, formula: Any) -> Any:
        """What the mean squared error of the shifts has before it in a Lyapunov function."""
        at = self.at.constants | {"alpha": self.listing.alpha, "c": self.c}
        return fold(formula, FractionAlgebra(), at)

    @property
    def letters(self) -> dict[str, Any]:
        """Everything that the statements take, the Lyapunov functions at the start included."""
        first = moments(self.at, self.listing, 0)[0]
        here = self.at.constants
        begun, apart = gap(self.at, first), off(self.at, first)
        return here | {
            "alpha": self.listing.alpha, "gamma": self.listing.gamma, "c": self.c, "K": self.rounds,
            "Psi0": begun + self.weight(f.SHIFTS4) * apart, "kappa0": begun + self.weight(f.SHIFTS5) * apart,
        }  # fmt: skip

    def bound(self, id: str) -> float:
        """A statement's bound.

        Raises: RuntimeError where it does not admit the case.
        """
        asked = statement(id)
        found = asked.check(**{name: v for name, v in self.letters.items() if name in asked.names}).bound
        if found is None:
            raise RuntimeError(f"{id} does not admit {self.describe()}")
        return found

    def describe(self) -> str:
        """Where the case lies, in words."""
        values = {"K": self.rounds, "alpha": self.listing.alpha, "gamma": self.listing.gamma, "c": self.c}
        said = ", ".join(f"{name}={float(value):.4g}" for name, value in values.items())
        return f"{self.at.name}, n={self.at.n}, d={self.at.d}, omega={float(self.at.omega):.4g}, {said}"


def lyapunov(case: Case, method: Any) -> Any:
    """E Psi_K."""
    last = moments(case.at, method, case.rounds)[-1]
    return gap(case.at, last) + case.weight(f.SHIFTS4) * off(case.at, last)


def drawn_gradient(case: Case, method: Any) -> Any:
    """E|grad F|^2 at one of w_0 to w_{K-1}, drawn uniformly."""
    found = moments(case.at, method, case.rounds - 1)
    return sum((squared_gradient(case.at, one) for one in found), start=case.c * 0) / case.rounds


Measure = Callable[[Case, Any], Any]


def instances(alike: bool) -> tuple[Instance, ...]:
    """In fractions; `alike` has workers whose gradients differ by constants, as Assumption 5 asks."""
    bent = [[1, QUARTER], [1, QUARTER]] if alike else [[1, QUARTER], [HALF, 1]]
    spread: dict[str, Any] = {"start": [2, 1], "compressor": one_entry(2), "omega": ONE}
    return (
        exact("one worker", [[1]], [[0]], [1], start=[1], omega=ONE),
        exact("one worker with noise", [[1]], [[0]], [1], start=[1], omega=QUARTER, noise=HALF),
        exact("one worker, exact messages", [[1]], [[0]], [1], start=[1]),
        exact("two workers apart", [[1], [1]], [[-1], [1]], [1], omega=ONE),
        exact("two workers apart with noise", [[1], [1]], [[-1], [1]], [HALF], omega=ONE, noise=HALF),
        exact("two workers in the plane", bent, [[1, 0], [0, -1]], [1, HALF], **spread),
    )


def convex_case(at: Instance, share: Any, step: Any, rounds: int) -> Case:
    """gamma as a share of 1/(1 + omega), alpha as a share of the longest that is found, c the least."""
    k = at.constants
    gamma, unit = share / (1 + k["omega"]), k["mu"] * k["mu1"]
    alpha = step * (unit * Fraction(3, 2) / (k["L"] * k["mu2"]) ** 2)
    while True:
        room = gamma - alpha * unit / 2
        c = max(k["omega"] / k["n"] / room, QUARTER) if room > 0 else ONE
        admitted = STEP.holds(k | {"alpha": alpha, "gamma": gamma, "c": c})
        if room > 0 and admitted and alpha * unit <= 2:
            return Case(at, Listing(alpha, gamma), c, rounds)
        alpha = alpha * 3 / 4


def nonconvex_case(at: Instance, share: Any, step: Any, rounds: int) -> Case:
    """gamma as a share of 1/(1 + omega), c the least, alpha as a share of what the denominator allows."""
    k = at.constants
    gamma = share / (1 + k["omega"])
    c = max(least_weight5(k | {"gamma": gamma}), k["mu2"] ** 2 / 8)
    alpha = step * longest_step5(k | {"gamma": gamma, "c": c})
    return Case(at, Listing(alpha, gamma), c, rounds)


def least_weight5(at: Mapping[str, Any]) -> Any:
    """The least c that Theorem 5, repaired, admits: its condition is linear in c."""
    return fold(f.WEIGHT5.lhs / f.WEIGHT5.rhs.subs(notation.c, 1), FractionAlgebra(), as_fractions(at))


def longest_step5(at: Mapping[str, Any]) -> Any:
    """The alpha at which the denominator of Theorem 5's bound, which is linear in it, is 0."""
    none, one = (fold(f.FALLS5.subs(notation.alpha, a), FractionAlgebra(), as_fractions(at)) for a in (0, 1))
    return none / (none - one)


def as_fractions(at: Mapping[str, Any]) -> dict[str, Fraction]:
    """Numbers in which formulas are evaluated exactly, a double being what it is."""
    return {name: Fraction(value) for name, value in at.items()}


def drawn_instances(many: int, alike: bool, salt: int) -> Iterator[Instance]:
    """Instances with drawn constants, rounded to 64ths so that they are fractions."""
    rng = np.random.default_rng([15, salt, alike])
    for number in range(many):
        workers, d = (int(rng.integers(1, 3)) for _ in range(2))

        def some(low: float, high: float, *shape: int) -> Any:
            return fractions((np.round(64 * rng.uniform(low, high, shape)).astype(int)).tolist()) / 64

        curvatures = some(0.1, 1, 1, d).repeat(workers, axis=0) if alike else some(0.1, 1, workers, d)
        made = exact(
            f"drawn instance {number}", curvatures, some(-2, 2, workers, d), some(0.2, 1, d),
            start=some(-2, 2, d), shifts=some(-1, 1, workers, d), omega=some(0, 2, 1)[0],
            noise=some(0, 1, 1)[0] * int(rng.integers(0, 2)),
        )  # fmt: skip
        yield made


def enumerated(
    ids: tuple[str, ...],
    metric: str,
    cases: tuple[Case, ...],
    measure: Measure,
    budget: SamplingBudget,
    said: str = "",
) -> tuple[BoundComparison, ...]:
    """All cases as one comparison with each statement, in exact expectation; the nearest is told."""
    measured = [float(measure(case, budget.change(case.listing))) for case in cases]
    rows = []
    for id in ids:
        places = [Place(m, case.bound(id), case) for m, case in zip(measured, cases, strict=True)]
        worst = nearest(places)
        detail = (
            f"Every outcome of every message and sample is counted, in fractions{said}: of "
            f"{count(len(places), 'case')} the nearest reaches {worst.ratio:.4g} of its bound."
        )
        texts = (worst.at.describe(), detail)
        rows.append(compare(id, metric, places, texts, budget, tolerance=ROUNDING))
    return tuple(rows)


def outside(id: str, metric: str, case: Case) -> BoundComparison:
    """What a statement promises nothing of.

    Raises: RuntimeError where it admits the case.
    """
    asked = statement(id)
    values = {name: v for name, v in case.letters.items() if name in asked.names}
    broken = [
        c.label for c in asked.statement.admissible if not asked.statement.relations[c.label].holds(values)
    ]
    if not broken:
        raise RuntimeError(f"{id} admits {case.describe()}")
    detail = f"It promises nothing here: {', '.join(broken)} does not hold."
    return BoundComparison(id, metric, "<=", None, None, case.describe(), detail, applies=False)


def searched(
    ids: tuple[str, ...], metric: str, cases: tuple[Case, ...], measure: Measure, budget: SamplingBudget
) -> tuple[BoundComparison, ...]:
    """A search for an instance that breaks a bound: the worst of many drawn ones."""
    return enumerated(ids, metric, cases, measure, budget, ", at instances drawn to break the bound")
