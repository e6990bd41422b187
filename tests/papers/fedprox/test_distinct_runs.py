"""FedProx with distinct devices, or all of them, in practice: the truth passes, planted falsehoods do not."""

from __future__ import annotations

from fractions import Fraction

import pytest

from fedproof.papers.fedprox.checks import distinct
from fedproof.papers.fedprox.checks._experiments import admitted, on_line
from fedproof.papers.fedprox.checks._instances import smooth_lines
from fedproof.papers.fedprox.checks._runs import cohorts, enumerated
from fedproof.papers.fedprox.checks.theorem1 import runs
from fedproof.validate.verdict import SamplingBudget
from tests.papers.verdicts import PLAIN, words

THREE, IDS = smooth_lines()[-1], distinct.CHECK.ids


def test_bounds_hold_without_replacement_and_with_everyone() -> None:
    """All six statements keep their bounds on the line and on data."""
    found = distinct.find(PLAIN)

    assert {row.id for row in found} == set(distinct.CHECK.ids)
    assert words(*found) == ["consistent"] * 10


@pytest.mark.parametrize("id", IDS)
def test_a_part_of_a_bound_is_exceeded(id: str) -> None:
    """On the line each statement is within a factor of thirty of its bound."""
    cases = {distinct.GENERAL: distinct.part, distinct.DRAWN: distinct.part, distinct.ALIKE: distinct.alike}
    cases[distinct.MINIBATCHED] = distinct.minibatched_lines
    pairs = admitted(id, cases.get(id, distinct.everyone)())

    assert words(enumerated(id, pairs, runs(), "", SamplingBudget(tighten=30))) == ["violated"]
    assert words(enumerated(id, pairs, runs(), "", PLAIN)) == ["consistent"]


@pytest.mark.parametrize(("count", "number"), [(1, 3), (2, 3), (3, 1)])
def test_cohorts_are_all_sets_of_distinct_devices(count: int, number: int) -> None:
    """As many as there are, equally likely, each device once, each with the weight of one draw."""
    every = list(cohorts(on_line(THREE, count, 1, distinct=True)))

    assert len({tuple(cohort.clients.tolist()) for _, cohort, _ in every}) == len(every) == number
    assert {chance for chance, _, _ in every} == {Fraction(1, number)}
    assert all(set(cohort.weights.tolist()) == {Fraction(1, count)} for _, cohort, _ in every)


def test_minibatches_of_distinct_devices_are_independent() -> None:
    """Of two devices with two samples both are there once, in each of the four pairs of samples."""
    every = list(cohorts(distinct.minibatched_lines()[-1]))

    assert [chance for chance, _, _ in every] == [Fraction(1, 4)] * 4
    assert all(cohort.clients.tolist() == [0, 1] for _, cohort, _ in every)
