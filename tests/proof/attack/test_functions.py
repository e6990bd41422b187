"""Holes that were open where steps about functions prove statements, each with its nearest true twin."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound
from fedproof.bounds.statement import Condition
from fedproof.papers.fedprox.notation import I, b, eta
from fedproof.papers.fedprox.proofs import theorem1
from fedproof.proof.decide import decide
from fedproof.proof.language.everywhere import ForEvery
from fedproof.proof.language.functions import Function
from fedproof.proof.step import Given, Step
from fedproof.proof.vectors import n2, vectors
from fedproof.validate.claims import bound

TRUE = catalog.statement("fedprox.theorem1.general")
x = vectors("x")


def judged(monkeypatch: pytest.MonkeyPatch, step: Step, **other: Any) -> str:
    """The verdict on a statement that has this last step."""
    steps = (*catalog.steps("fedprox"), step)
    monkeypatch.setattr(catalog, "steps", lambda key: steps)
    verdict: str = bound.judge(replace(TRUE, proof=(step.id,), **other)).verdict
    return verdict


@pytest.mark.parametrize("why", ["", "reason in words"])
def test_a_hypothesis_for_all_indices_is_no_condition_on_a_letter(
    monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    """b <= 3 for b = 1..I is I <= 3, which a condition b <= 3 on the letter b does not say."""
    with printed():
        every = ForEvery(b <= 3, (), why, (b, 1, I))
        small = Step(I <= 3, (I >= 1, every.at(I)), "fedprox.test.small", source=theorem1.GENERAL.source)
        given = (*theorem1.GENERAL.given, every.known, small.at())
        last = replace(theorem1.GENERAL, id="fedprox.test.last", given=given)
    letters = (*TRUE.letters, *catalog.statement("fedprox.theorem3").letters[-2:-1])
    more = {"letters": letters, "conditions": (*TRUE.conditions, Condition("b <= 3", b <= 3))}
    assert decide(last).verdict == "proved"
    assert judged(monkeypatch, last, **more) == "open"


def test_a_letter_that_a_proof_takes_to_be_whole_must_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """A last step that counts to a letter holds for whole numbers alone; the step size is none."""
    from fedproof.proof.language.lemmas import squares

    k = sp.Symbol("k", integer=True)
    with printed():
        counts = squares(theorem1.DR(theorem1.W(k)), k, eta)
        last = replace(theorem1.GENERAL, id="fedprox.test.whole",
                       given=(*theorem1.GENERAL.given, counts))  # fmt: skip
    assert decide(last).verdict == "proved"
    assert judged(monkeypatch, last) == "open"
    assert judged(monkeypatch, replace(theorem1.GENERAL, id="fedprox.test.same")) == "holds"


def test_a_sum_over_its_own_index_is_no_length() -> None:
    """1 + 2 + 3 <= 1 contradicts itself, also beside functions."""
    k, phi = sp.Symbol("k", integer=True), Function("phi")
    wrong = sp.Le(sp.Sum(k, (k, 1, 3)), 1, evaluate=False)
    with printed():
        step = Step(n2(x) <= -1, (Given(wrong), phi(x) >= 0), "notebook.sum")
    assert decide(step).verdict != "proved"
    assert isinstance(TRUE.claim, Bound)
