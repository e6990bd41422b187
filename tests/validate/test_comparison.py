"""Many places as one comparison: the nearest is told, all decide, fractions are compared as such."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy as np
import pytest

from fedproof.validate.empirical.comparison import Place, compare, nearest, sampled_place
from fedproof.validate.verdict import BoundComparison, Relation, SamplingBudget
from fedproof.vocabulary.errors import InputError

TINY = Fraction(1, 10**30)
SPREAD = np.tile([0.9, 1.1], 30)


def compared(places: list[Place], relation: Relation, **options: Any) -> BoundComparison:
    """A comparison of places with nothing planted."""
    return compare("key.claim", "loss", places, ("toy", "words"), SamplingBudget(), relation, **options)


def kept(pairs: list[tuple[Any, Any]], relation: Relation, **options: Any) -> bool | None:
    """Whether exact pairs of measured and bound are called kept; None where nothing is said."""
    found = compared([Place(*pair, None) for pair in pairs], relation, **options)
    return {(1.0, 0.0): True, (0.0, 1.0): False, (1.0, 1.0): None}[found.p_violated, found.p_obeyed]


@pytest.mark.parametrize(("relation", "pairs", "answer"), [
    (">=", [(-3, -1), (5, 4)], False),
    (">=", [(5, 4), (-3, -1)], False),
    (">=", [(5, 4), (nan, 4)], None),
    (">=", [(5, 4), (5, nan)], None),
    (">=", [(5, 4), (nan, 4), (3, 4)], False),
    (">=", [(5, 0), (5, 4)], True),
    (">=", [(-1, 0), (5, 4)], False),
    (">=", [(-1, -3), (5, 4)], True),
    ("<=", [(-1, -3), (3, 4)], False),
    ("<=", [(3, 4), (nan, 4)], None),
    ("<=", [(3, 4), (3, nan)], None),
    ("<=", [(inf, inf), (3, 4)], None),
    ("<=", [(0, 0), (3, 4)], True),
    # numbers that no double tells apart, and those that a double is too small for
    ("<=", [(1 + TINY, 1)], False),
    ("<=", [(1, 1 + TINY)], True),
    (">=", [(1, 1 + TINY)], False),
    ("<=", [(1, 1), (1 + TINY, Fraction(1))], False),
    ("<=", [(10**40 + 1, 10**40)], False),
    ("<=", [(Fraction(1, 10**401), Fraction(1, 10**400))], True),
])  # fmt: skip
def test_all_places_decide(relation: Relation, pairs: list[tuple[Any, Any]], answer: bool | None) -> None:
    """One place beyond its bound is a violation wherever it stands; one that is no number proves nothing."""
    assert kept(pairs, relation) is answer


def test_a_tolerance_holds_for_fractions() -> None:
    """Within it nothing is said, beyond it all is."""
    assert kept([(1 + TINY, 1)], "<=", tolerance=1e-9) is None
    assert kept([(1 + 10**10 * TINY, 1)], "<=", tolerance=1e-25) is False


@pytest.mark.parametrize(("relation", "pairs", "told"), [
    (">=", [(6, 4), (5, 4)], 1),
    (">=", [(5, 4), (-3, -1)], 1),
    (">=", [(5, 4), (nan, 4), (3, 4)], 1),
    ("<=", [(1, 4), (3, 4)], 1),
    ("<=", [(1, 4), (nan, 4)], 1),
])  # fmt: skip
def test_the_nearest_is_told(relation: Relation, pairs: list[tuple[float, float]], told: int) -> None:
    """What is nearest to its bound or beyond it, what is no number before all, as doubles."""
    places = [Place(*pair, None) for pair in pairs]
    row = compared(places, relation)

    assert nearest(places, relation) is places[told]
    np.testing.assert_equal((row.measured, row.bound), tuple(map(float, pairs[told])))
    assert isinstance(row.measured, float)


def test_sampled_places_decide_together() -> None:
    """One that is violated or no number keeps the others from being called obeyed."""
    good, bad, broken = (sampled_place(SPREAD, 0.5, 0), sampled_place(SPREAD, 2.0, 0),
                         sampled_place(np.full(60, nan), 0.5, 0))  # fmt: skip

    assert compared([good], ">=").p_obeyed < 1e-9
    assert compared([good], ">=").seeds == 60
    assert compared([good, bad], ">=").p_violated < 1e-9
    assert compared([good, broken], ">=").p_obeyed == compared([good, broken], ">=").p_violated == 1


def test_exact_and_sampled_places_are_not_mixed() -> None:
    """A row cannot say of both kinds how sure it is."""
    with pytest.raises(InputError, match="got 1 exact and 1 sampled, expected all exact"):
        compared([Place(1, 2, None), sampled_place(SPREAD, 2.0, 0)], "<=")
