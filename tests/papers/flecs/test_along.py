"""Theorem 5 with zeta along the run: workers that bend differently; no zeta holds at all points."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as Fr
from typing import Any

import pytest

from fedproof.bounds import catalog
from fedproof.papers.flecs.checks import along
from fedproof.papers.flecs.checks._cases import drawn_gradient
from fedproof.validate.proof_basis import taken
from fedproof.validate.verdict import SamplingBudget
from tests.papers.flecs.listing import mean_squared_gradient, rounds
from tests.papers.verdicts import PLAIN, words

ONE, ZERO = Fr(1), Fr(0)


def test_every_row_is_consistent() -> None:
    """Both forms are kept, and not by far, where the workers' curvatures differ."""
    rows = along.find(PLAIN)

    assert words(*rows) == ["consistent"] * 2
    assert all(row.measured / row.bound > 1 / 3 for row in rows)
    assert all(len({*map(tuple, at.curvatures.tolist())}) > 1 for at in along.unlike())


def test_zeta_and_the_metric_are_those_of_all_outcomes() -> None:
    """Two workers, three rounds, with noise and without: the listing's own lines, path by path."""
    for case in along.cases():
        if case.at.d > 1 or case.rounds != 3 or (case.at.noise and case.at.start[0] > 1):
            continue
        slopes = tuple((a[0], -a[0] * b[0]) for a, b in zip(case.at.curvatures, case.at.centres, strict=True))
        begun = (case.at.start[0], (ZERO, ZERO))
        states = rounds(begun, slopes, ONE, case.listing.alpha, case.listing.gamma, 2, Fr(case.at.noise))

        def apart(w: Fr, slopes: Any = slopes) -> Fr:
            one, other = (a * w + b for a, b in slopes)
            return (one - other) ** 2 / 4

        found = [sum(p * apart(w) for (w, _), p in at.items()) for at in states]
        assert drawn_gradient(case, case.listing) == mean_squared_gradient(states, slopes)
        assert case.letters["zeta2"] == max(*found, apart(case.at.solution[0]))


@pytest.mark.parametrize(
    "planted",
    [lambda listing: replace(listing, alpha=-listing.alpha), lambda listing: replace(listing, keeps=3)],
)
def test_a_planted_falsehood_is_caught(planted: Any) -> None:
    """Steps up the slope, and shifts that grow on their own, exceed both bounds."""
    assert words(*along.find(SamplingBudget(change=planted))) == ["violated"] * 2


@pytest.mark.parametrize("id", along.IDS)
def test_it_needs_no_other_model(id: str) -> None:
    """What its certificate takes of Assumption 5 speaks of the run's models and of the solution."""
    assumed = {ground.id for ground in taken(catalog.statement(id))}

    assert "flecs.assumption5.along" in assumed
    assert "flecs.assumption5" not in assumed
