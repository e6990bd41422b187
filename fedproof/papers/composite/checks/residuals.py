"""Is every term of the residuals real? Floors of the metrics, one quantity varied at a time.

Bounds that are powers of a quantity claim a slope on doubly logarithmic axes: the floor must vanish with
sigma^2, B_g and eta~ at least as fast as claimed, and fall at least as fast with n, tau and b. Slopes are
refitted on resampled seeds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from fedproof.papers.composite.checks._family import RunExperiment, line
from fedproof.papers.composite.checks._metrics import gaps, squared_mapping
from fedproof.problems.problem import Array
from fedproof.problems.separable import Separable
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.empirical.comparison import Place, compare, refitted
from fedproof.validate.empirical.copies import seeded
from fedproof.validate.empirical.runs import blocks, run_from
from fedproof.validate.empirical.theory import bounds
from fedproof.validate.replicas import generator
from fedproof.validate.statistics import refit
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, Relation, SamplingBudget

SEEDS = 1500
#: how far from the claimed slope a seen one may be
MARGIN = 0.15
METRICS = {"composite.theorem3.5": "mean_squared_prox_gradient", "composite.theorem3.6": "objective_gap"}
QUANTITIES: Mapping[str, tuple[Any, ...]] = {
    "sigma2": (Fraction(1, 4), Fraction(1), Fraction(4)),
    "n": (2, 4, 8),
    "tau": (1, 2, 4),
    "b": (1, 2, 4),
    "eta_t": (Fraction(1, 10), Fraction(1, 20), Fraction(1, 40)),
    "mu": (Fraction(3, 4), Fraction(3, 8), Fraction(3, 16)),
}
#: where the claim speaks of large values rather than small ones
LARGE = ("n", "tau", "b")
WITHOUT = ("composite.theorem3.5", "mu")
#: weights of |x| that `no_floor` goes through
WEIGHTS = (Fraction(1, 4), Fraction(1), Fraction(4))


@dataclass(frozen=True)
class Base:
    """A problem and a setting with every quantity of the residuals in it; half of the clients are steeper.

    Arguments:
        share: the weight of |x| over sigma / sqrt(n tau b), the noise of a round's mean gradient.
        flat: whether the clients' curvatures 1 and -1 cancel, instead of 1 and 1/2.
        mu: the mean of the curvatures, unless they cancel.
    """

    sigma2: Fraction = Fraction(1)
    n: int = 4
    tau: int = 2
    b: int = 1
    eta_t: Fraction = Fraction(1, 10)
    mu: Fraction = Fraction(3, 4)
    share: Fraction = Fraction(0)
    flat: bool = False

    @property
    def experiment(self) -> RunExperiment:
        """At its solution, 0."""
        size = Fraction(float(self.sigma2) ** 0.5)
        scale = size / Fraction(float(self.n * self.tau * self.b) ** 0.5)
        steep, other = (Fraction(1), Fraction(-1)) if self.flat else (self.mu * 4 / 3, self.mu * 2 / 3)
        curvatures = [steep, other] * (self.n // 2)
        pulls = [Fraction(1), Fraction(-1)] * (self.n // 2)
        instance = line(curvatures, pulls, Separable(self.share * scale), [-size, size], "clients apart")
        server = Fraction(3, 2)
        method = FedComposite(self.eta_t / (server * self.tau), self.tau, server, self.b)
        return RunExperiment(instance, method, instance.solution * 0)

    def with_value(self, name: str, value: Any) -> Base:
        """The same with one quantity changed."""
        return replace(self, **{name: value})


def claimed(id: str, base: Base, name: str) -> float:
    """The slope of a theorem's residual between the ends of a quantity's values, from its own formula."""
    ends = QUANTITIES[name][0], QUANTITIES[name][-1]
    residual = []
    for value in ends:
        case = base.with_value(name, value).experiment
        given = {**case.numbers, "mu": value if name == "mu" else base.mu, "Omega1": 0, "R": 1}
        residual.append(float(bounds(id, **given)))
    return float(np.log(residual[1] / residual[0]) / np.log(float(ends[1]) / float(ends[0])))


def floors(base: Base, seeds: int, budget: SamplingBudget) -> Mapping[str, Array]:
    """Each seed's mean metric over the second half of a run started at the solution, by theorem."""
    case = base.experiment
    problem, method, rounds = case.rounded, budget.change(case.method), int(3 / (base.eta_t * base.mu))
    sizes = base.n, base.tau, base.b, base.eta_t.denominator, base.sigma2.numerator
    key = (31, budget.salt, *sizes, int(base.flat), base.mu.denominator)
    found: dict[str, list[Array]] = {id: [] for id in METRICS}
    for number, count in blocks(seeds):
        draws = seeded(problem, method, count, generator(*key, number))
        late = run_from([case], method, rounds, draws, count, exact=False).models[rounds // 2 :]
        squares = squared_mapping(problem, late, case.method.effective_stepsize)
        found["composite.theorem3.5"].append(squares.mean(axis=0))
        found["composite.theorem3.6"].append(gaps(problem, late, case.instance.least).mean(axis=0))
    return {id: np.concatenate(parts) for id, parts in found.items()}


def slope(values: tuple[Any, ...], means: Array) -> float:
    """The least-squares slope of log mean over log value.

    >>> round(slope((1, 2, 4), np.array([3.0, 12.0, 48.0])), 9)
    2.0
    """
    return float(np.polyfit(np.log([float(v) for v in values]), np.log(means), 1)[0])


def varied(
    id: str,
    base: Base,
    name: str,
    budget: SamplingBudget,
    seen: dict[Base, Mapping[str, Array]] | None = None,
) -> BoundComparison:
    """The slope of a floor in one quantity, beside the claimed one.

    A planted falsehood tightens the residual at one end of the values.
    """
    values, seeds = QUANTITIES[name], budget.seeds or SEEDS
    seen, columns = {} if seen is None else seen, []
    for value in values:
        point = base.with_value(name, value)
        if point not in seen:
            seen[point] = floors(point, seeds, budget)
        columns.append(seen[point][id])
    sample = np.stack(columns, axis=1)
    fit = refit(sample, lambda row: slope(values, row), generator(32, budget.salt), resamples=300)
    steeper = float(np.log(float(budget.tighten)) / abs(np.log(float(values[-1] / values[0]))))
    relation: Relation = "<=" if name in LARGE else ">="
    expected = claimed(id, base, name) + (-steeper if name in LARGE else steeper)
    limit = expected + (MARGIN if name in LARGE else -MARGIN)
    means = ", ".join(f"{m:.3g}" for m in sample.mean(axis=0))
    kind = f"|x| of weight {base.share} sigma/sqrt(n tau b)" if base.share else "no penalty"
    return refitted(
        id, f"floor_slope_{name}", fit, limit,
        (f"{base.experiment.instance.smooth.name}, {'f = 0' if base.flat else 'f strongly convex'}, {kind}, "
         f"{seeds} seeds, {name} in {', '.join(map(str, values))}",
         f"Floor of the {METRICS[id].replace('_', ' ')}: {means}, slope {fit.value:.3f} in {name} "
         f"({100 * fit.level:.0f}% interval {fit.low:.3f} to {fit.high:.3f}); the residual's slope is "
         f"{expected:.3g}."), replace(budget, tighten=1), seeds, relation,
    )  # fmt: skip


def no_floor(id: str, budget: SamplingBudget) -> BoundComparison:
    """Full gradients under larger and larger subgradients: what is left, beside the B_g term."""
    base, found = Base(), []
    for weight in WEIGHTS:
        slopes = [pull - base.mu - weight for pull in (1, -1)] * (base.n // 2)  # x* = 1
        curvatures = base.experiment.instance.smooth.client_matrices[:, 0, 0]
        instance = line(curvatures, slopes, Separable(weight), name="clients apart, x* = 1")
        case = RunExperiment(
            instance, replace(base.experiment.method, batch_size=None), instance.solution + 3
        )
        last = run_from([case], budget.change(case.method), 500, None, 1, exact=False).models[-1]
        left = squared_mapping(case.rounded, last, case.method.effective_stepsize)[0]
        if METRICS[id] == "objective_gap":
            left = abs(gaps(case.rounded, last, instance.least)[0])
        given = {**case.numbers, "mu": base.mu, "Omega1": 0, "R": 1}
        found.append((float(left), float(bounds(id, **given)), instance.constants["B_g"]))
    measured = max(left for left, _, _ in found)
    least = min(bound for _, bound, _ in found)
    return compare(
        id, "floor_of_subgradients", [Place(measured, 1e-9 * least, None)],
        ("clients apart, x* = 1, full gradients, 500 rounds, B_g = "
         f"{', '.join(f'{float(b):.3g}' for _, _, b in found)}",
         f"The term in B_g is {', '.join(f'{bound:.3g}' for _, bound, _ in found)}; what is left of the "
         f"{METRICS[id].replace('_', ' ')} is at most {measured:.2g}: the term is not real."), budget,
    )  # fmt: skip


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """Every quantity for both theorems; the kink where eta~ does not help; no floor with full gradients."""
    smooth, kink = Base(), Base(share=Fraction(1, 2), flat=True)
    wanted = [(id, smooth, name) for id in METRICS for name in QUANTITIES if (id, name) != WITHOUT]
    wanted += [("composite.theorem3.5", kink, name) for name in ("sigma2", "eta_t")]
    seen: dict[Base, Mapping[str, Array]] = {}
    rows = [varied(*what, budget, seen=seen) for what in wanted]
    return (*rows, *(no_floor(id, budget) for id in METRICS))


CHECK = EmpiricalCheck(tuple(METRICS), "dependence of the residuals", find)
