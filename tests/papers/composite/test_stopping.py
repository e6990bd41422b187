"""Full gradients: what stays at the solution, what leaves, and what doubles leave of exactness."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from fedproof.papers.composite.checks import stopping
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.verdict import SamplingBudget, assign_verdicts
from tests.papers.verdicts import PLAIN, words

CONSTANT_PROX = SamplingBudget(change=lambda method: replace(method, local_prox="constant"))
"""Algorithm 1 with eta in place of (t + 1) eta."""


def test_every_row_is_consistent() -> None:
    """Zero sum, stopping, leaving and digits; all of them decided without sampling."""
    rows = assign_verdicts(stopping.find(PLAIN), lambda: stopping.find(PLAIN))

    assert [v.verdict for v in rows] == ["consistent"] * 6
    assert all(v.confidence == 1 for v in rows)


def test_the_growing_prox_is_what_stops() -> None:
    """One client with eta in place of (t + 1) eta leaves x*, which the theorem does not allow."""
    assert words(stopping.staying(1, False, CONSTANT_PROX)) == ["violated"]
    assert words(stopping.staying(3, True, CONSTANT_PROX)) == ["violated"]


def test_several_clients_without_corrections_leave() -> None:
    """With c^1 = 0 three clients leave x* in the first round at tau = 4 and not at tau = 1."""
    given = stopping.experiment(3)
    finding = stopping.leaving(PLAIN)

    assert given.numbers["Omega1"] > 0
    assert "With tau = 1 the model stays" in finding.detail
    assert finding.measured is not None
    assert finding.measured > 0
    assert words(stopping.leaving(SamplingBudget(tighten=1e8))) == ["violated"]


def test_a_correction_that_does_not_sum_to_zero_is_caught() -> None:
    """A server that moves by another step size than it tells its clients leaves a sum that is not 0."""

    class Crooked(FedComposite):
        def aggregate(self, problem: Any, state: Any, cohort: Any, local: Any) -> Any:
            after, trace = super().aggregate(problem, state, cohort, local)
            return replace(after, corrections=after.corrections * 3 - after.corrections[:1]), trace

    def crooked(m: FedComposite) -> FedComposite:
        return Crooked(m.stepsize, m.local_steps, m.server_stepsize, m.batch_size)

    assert words(stopping.zero_sum(SamplingBudget(change=crooked))) == ["violated"]


@pytest.mark.parametrize("form", ["clients", "compact"])
def test_digits_end_where_rounding_does(form: str) -> None:
    """A ten-thousandth of the allowance of the listing is not kept; the compact form rests at 0 here."""
    planted = stopping.digits(form, SamplingBudget(tighten=1e8))

    assert words(stopping.digits(form, PLAIN)) == ["consistent"]
    assert words(planted) == (["violated"] if form == "clients" else ["consistent"])


@dataclass(frozen=True)
class Shifted(FedComposite):
    """Algorithm 1 whose server adds to its model, after every round, some halves to the power `bits`."""

    bits: int = 0

    def aggregate(self, problem: Any, state: Any, cohort: Any, local: Any) -> Any:
        """Lines 13-18, then the shift."""
        after, trace = super().aggregate(problem, state, cohort, local)
        return replace(after, model=after.model + 2.0**-self.bits), trace


@pytest.mark.parametrize(("form", "bits"), [("clients", 38), ("compact", 44)])
def test_digits_that_are_lost_are_missed(form: str, bits: int) -> None:
    """A shift that leads to a few times what is allowed is seen, so that the allowance is not idle."""

    def shifted(method: FedComposite) -> FedComposite:
        return Shifted(method.stepsize, method.local_steps, method.server_stepsize, form=form, bits=bits)

    finding = stopping.digits(form, SamplingBudget(change=shifted))

    assert words(finding) == ["violated"]
    assert finding.measured is not None
    assert finding.bound is not None
    assert finding.measured < 50 * finding.bound


def test_the_listing_loses_digits_in_proportion_to_rounds() -> None:
    """The mean of the corrections grows by rounding: ten times the rounds, more than twice the mean."""
    means = stopping.long_run("clients")[1]

    assert means[1500] > 2 * means[150] > 0
    assert np.allclose(stopping.long_run("clients")[0][-1], means[-1], rtol=0.2)
