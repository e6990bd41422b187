"""The linear factor of composite's Theorem 3.6: what is fitted, and factors that are not reached."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fedproof.papers.composite.checks import rate
from fedproof.papers.composite.checks._family import RunExperiment, line
from fedproof.papers.composite.checks._metrics import runs_of
from fedproof.problems.problem import Array
from fedproof.problems.separable import Separable
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.verdict import SamplingBudget
from tests.papers.verdicts import PLAIN, words


def run(case: RunExperiment, name: str) -> Array:
    """A metric in 60 rounds with full gradients, until it is within rounding."""
    (row,) = runs_of(name).full((case,), lambda method: method, 60)
    return rate.until_rounding(row[name], case)


def test_factors_are_kept_and_eight_times_the_speed_is_not() -> None:
    """Exact and sampled speeds lie above 1/3 and above the sharpened 9/10."""
    findings = rate.find(PLAIN)

    assert words(*findings) == ["consistent"] * 4
    assert [f.id for f in findings] == [id for id in rate.IDS for _ in range(2)]
    assert words(*rate.find(SamplingBudget(tighten=8))) == ["violated"] * 4


def test_claimed_speeds_are_those_of_the_formulas() -> None:
    """1/3 in print and 9/10 sharpened, read off two bounds."""
    case = rate.noisy_experiment()

    assert [rate.claimed(id, case) for id in rate.IDS] == pytest.approx([1 / 3, 9 / 10])


def test_the_factor_of_one_client_by_hand() -> None:
    """Without penalty and tau = 1 the gap falls by (1 - mu eta~)^2: 2 - mu eta~ in units of mu eta~."""
    instance = line([1], [0], Separable())
    case = RunExperiment(instance, FedComposite(Fraction(1, 15), 1, Fraction(3, 2)), instance.solution + 1)
    values = run(case, "objective_gap")

    assert rate.fitted_factor(values) == pytest.approx(0.9**2)
    assert rate.speed(case, rate.fitted_factor(values)) == pytest.approx(1.9)


def test_a_floor_is_not_a_rate() -> None:
    """A method that stalls, without correction, does not keep the factor."""
    bare = SamplingBudget(change=lambda method: replace(method, correction="none"))

    assert words(rate.without_noise(rate.IDS[1], bare)) == ["violated"]


def test_the_interval_holds_the_exact_factor() -> None:
    """Without noise the same case has a speed within the interval's reach."""
    case = rate.noisy_experiment()
    values = run(case, "potential")
    finding = rate.noisy(rate.IDS[0], PLAIN)

    assert finding.measured == pytest.approx(
        rate.speed(case, rate.fitted_factor(np.asarray(values[:40]))), rel=0.02
    )
