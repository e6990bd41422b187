"""What an open step says of the search that found nothing."""

from __future__ import annotations

import sympy as sp

from fedproof.proof.certify.lacking import lacking
from fedproof.proof.decide import decide
from fedproof.proof.step import Step

x, y, z = sp.symbols("x y z", real=True)


def test_an_idle_hypothesis_and_the_terms_that_stay_are_named() -> None:
    """x <= z says nothing of y: no product uses it, and both terms of the claim stay."""
    tried, idle, stay = lacking(Step(x <= y, (x <= z,)), {})

    assert "products were tried, of x <= z" in tried
    assert idle == "no product of the best attempt uses x <= z"
    assert stay.startswith("nothing cancels or dominates the terms ")
    assert set(stay.removeprefix("nothing cancels or dominates the terms ").split(", ")) == {"x", "y"}


def test_a_hypothesis_that_serves_is_not_called_idle() -> None:
    """Of two hypotheses the one that the claim needs is used, and the one that is beside it is idle."""
    said = lacking(Step(x <= y, (x <= z, y >= 0, z <= y - 1 + x**2)), {})

    idle = next(s for s in said if s.startswith("no product"))
    assert "y >= 0" in idle
    assert "x <= z" not in idle


def test_other_rules_say_nothing_of_products() -> None:
    """What was tried of vectors is not told in products of numbers."""
    assert lacking(Step(x <= y, (x <= z,), rule="quad"), {}) == ()


def test_an_open_step_carries_it_to_its_document() -> None:
    """The row of an open step lists what was missing, and its detail says it in the same words."""
    decision = decide("sum(x(i)*x(i), i, 1, n) >= 0")

    missing = decision.to_dict()["missing"]
    assert decision.verdict == "open"
    assert missing == ["0 <= n does not follow, as far as was searched"]
    assert missing[0] in decision.detail
    assert decide("x**2 >= 0").to_dict()["missing"] == []
