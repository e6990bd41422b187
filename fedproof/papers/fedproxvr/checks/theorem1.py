"""Theorem 1, Corollary 1 and the closed chain: mean squared gradients over rounds, and rounds to accuracy."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from fedproof.papers.fedproxvr.checks._experiments import RoundExperiment, cases, worst_direction
from fedproof.papers.fedproxvr.checks._family import aligned
from fedproof.papers.fedproxvr.checks._hyperparameters import PRINTED
from fedproof.problems.problem import Array
from fedproof.validate.empirical.comparison import (
    Place,
    compare,
    controlled,
    decided_exactly,
    sampled_place,
    tightened,
)
from fedproof.validate.empirical.theory import bound_at
from fedproof.validate.replicas import generator, run_rounds
from fedproof.validate.statistics import mean_test
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

PARTS = ("theorem1", "corollary1", "certified.sarah", "certified.svrg")
METRIC = "mean_squared_gradient"
ESTIMATORS = ("sarah", "svrg")
ROUNDING = 1e-6
SEEDS, ROUNDS_RUN, STEPS_RUN = 40, 12, 400
RANGES = {True: "s = 1..T as printed", False: "s = 0..T-1 as the proof bounds"}
SHARES = (4, 100)
LEAST = "the least theta of Lemma 1"
REACHED = "the theta that the clients reach (root mean square, all starts)"

Factor = Callable[[RoundExperiment], float]


def horizons(factor: float) -> tuple[int, ...]:
    """Numbers of rounds: one, a hundred, and so many that the sum has settled."""
    return (1, 100, math.ceil(10 / factor))


def bounded(
    id: str,
    tried: tuple[RoundExperiment, ...],
    factor: Factor,
    printed: bool,
    budget: SamplingBudget,
    theta: str = LEAST,
) -> BoundComparison:
    """The largest exact mean squared gradient over Delta / (Theta T): family, settings, T and all starts."""
    found: list[tuple[float, int, Array, RoundExperiment]] = []
    for case in tried:
        for rounds in horizons(factor(case)):
            form = case.forms.summed(rounds, printed) * factor(case)
            ratio, direction = worst_direction(form, case.forms.matrix / 2)
            found.append((ratio, rounds, direction, case))
    ratio, rounds, direction, case = max(found, key=lambda f: f[0])
    gap = float(direction @ case.forms.matrix @ direction) / 2
    bound = gap / (factor(case) * rounds)
    return compare(
        id, METRIC, [Place(ratio * bound, bound, case)],
        (f"{case.setting.estimator}, quadratics, all starts, {RANGES[printed]}, T={rounds}: "
         f"{case.describe()}",
         f"Over {len(found)} triples of problem, setting and T, and all starts, the mean squared gradient "
         f"comes nearest to Delta/(Theta T) at T = {rounds}: exactly {ratio * bound:.4g} against {bound:.4g} "
         f"with Theta = {factor(case):.4g} for {theta}."), budget, tolerance=ROUNDING,
    )  # fmt: skip


@cache
def sampled_experiment(estimator: str, form: str = PRINTED) -> RoundExperiment:
    """Among the cases with few local steps the one with the largest mean squared gradient over its bound."""
    found = []
    for case in cases(estimator, form):
        if case.setting.tau <= STEPS_RUN:
            summed = case.forms.summed(ROUNDS_RUN) * case.factor
            ratio, direction = worst_direction(summed, case.forms.matrix / 2)
            found.append((ratio, direction, case))
    _, direction, case = max(found, key=lambda f: f[0])
    return replace(case, problem=aligned(case.problem, direction))


def sampled(estimator: str, budget: SamplingBudget, form: str = PRINTED) -> BoundComparison:
    """Whole runs at the worst case, their mean squared gradient against the bound that `check` gives."""
    seeds, rounds, case = budget.seeds or SEEDS, ROUNDS_RUN, sampled_experiment(estimator, form)
    problem, exact = case.problem.as_float(), case.problem
    gap = exact.loss(exact.start()) - exact.constants["least_loss"].value
    bound = bound_at(case.setting.certified, **case.numbers, Delta=gap, T=rounds)
    path = run_rounds(budget.change(case.algorithm), problem, rounds, seeds, generator(3, budget.salt))
    gradients = (path - problem.centre) @ problem.mean_matrix
    values = np.square(gradients).sum(axis=-1)[1:].mean(axis=0)
    shift = problem.start() - problem.centre
    expected = float(shift @ case.forms.summed(rounds) @ shift) / rounds
    if bound is None:
        raise RuntimeError(f"{case.setting.certified} does not admit {case.describe()}")
    row = compare(
        case.setting.certified, METRIC, [sampled_place(values, bound, case)],
        (f"{seeds} runs of {rounds} rounds, {RANGES[True]}: {case.describe()}",
         f"{seeds} runs of {rounds} rounds: mean squared gradient {values.mean():.4g} (exactly "
         f"{expected:.4g} expected), bound {bound:.4g}."), budget,
    )  # fmt: skip
    return controlled(row, [mean_test(values, expected)], ROUNDING, "The runs miss the exact value.")


def least_rounds(case: RoundExperiment, start: Array, accuracy: float, most: int) -> int | None:
    """The least T with a mean over s = 1..T of E|grad F|^2 at most `accuracy`; None if not within `most`."""

    def mean(rounds: int) -> float:
        return float(start @ case.forms.summed(rounds) @ start) / rounds

    if mean(most) > accuracy:
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if mean(middle) <= accuracy else (middle, high)
    return high


def rounds_to_accuracy(tried: tuple[RoundExperiment, ...], budget: SamplingBudget) -> BoundComparison:
    """Corollary 1: rounds that reach an accuracy in exact expectation, against T of (18)."""
    found: list[tuple[float, int | None, int, int, RoundExperiment]] = []
    for case in tried:
        matrix = case.forms.matrix
        start = (case.problem.start() - case.problem.centre).astype(float)
        gradient, gap = matrix @ start, float(start @ matrix @ start) / 2
        for share in SHARES:
            accuracy = float(gradient @ gradient) / share
            most = max(1, math.ceil(tightened(gap / (case.factor * accuracy), "<=", budget)))
            reached = least_rounds(case, start, accuracy, most)
            found.append((math.inf if reached is None else reached / most, reached, most, share, case))
    _, reached, most, share, case = max(found, key=lambda f: f[0])
    text = f"After T = {most} rounds of (18) the mean squared gradient is above |grad F(w^(0))|^2/{share}."
    if reached is not None:
        text = (
            f"Over {len(found)} triples of problem, setting and accuracy, T of (18) rounds reach the "
            f"accuracy in exact expectation; nearest at |grad F(w^(0))|^2/{share}, where {reached} rounds "
            f"suffice and (18) asks for {most}."
        )
    row = BoundComparison(
        f"fedproxvr.corollary1{case.setting.form}", "rounds_to_accuracy", "<=",
        None if reached is None else float(reached), float(most),
        f"{case.setting.estimator}, quadratics at their own starts: {case.describe()}", text,
    )  # fmt: skip
    return decided_exactly(row, reached is not None)


def find(budget: SamplingBudget, form: str = PRINTED) -> tuple[BoundComparison, ...]:
    """Theorem 1 with the theta that is reached, the closed chain, its runs, and Corollary 1."""
    everything = tuple(c for e in ESTIMATORS for c in cases(e, form))
    id = f"fedproxvr.theorem1{form}"
    found = [bounded(id, everything, lambda c: c.factor_reached, p, budget, REACHED) for p in RANGES]
    for estimator in ESTIMATORS:
        id = f"fedproxvr.certified.{estimator}{form}"
        found += [bounded(id, cases(estimator, form), lambda c: c.factor, p, budget) for p in RANGES]
        found.append(sampled(estimator, budget, form))
    return (*found, rounds_to_accuracy(everything, budget))


CHECK = EmpiricalCheck(
    tuple(f"fedproxvr.{part}" for part in PARTS), "mean squared gradient (Theorem 1, Corollary 1)", find
)
