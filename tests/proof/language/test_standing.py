"""What a paper grants are the formulas that its `standing` lists, whatever reasons its steps give."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fedproof.algebra.expressions import printed
from fedproof.papers.fedprox import assumptions as A
from fedproof.papers.fedprox.notation import G
from fedproof.papers.fedprox.proofs import rounds, theorem1
from fedproof.papers.fedprox.proofs import smooth as lemmas
from fedproof.papers.fedprox.proofs.rounds import INSIDE, drawn, j, t
from fedproof.proof.certificates import accepted, shipped
from fedproof.proof.decide import decide
from fedproof.proof.language.assumptions import lipschitz
from fedproof.proof.standing import standing
from fedproof.proof.step import Applied, Step
from fedproof.proof.vectors import n2, norm, vectors

u, v = vectors("u v")
SOURCE = theorem1.BOUNDED.source


def kinds(step: Step) -> set[tuple[str, str]]:
    """What a proved step rests on, by kind and id."""
    found = decide(step)
    assert found.verdict == "proved", found.detail
    return {(g.kind, g.id) for g in found.grounds}


def test_a_formula_that_is_listed_is_an_assumption() -> None:
    """A step that rests on it names it by its id."""
    with printed():
        step = Step(drawn(u) - drawn(v) <= G * norm(u - v), (*INSIDE, rounds.LIPSCHITZ.at(t, j, u, v)),
                    "fedprox.test.granted", source=SOURCE)  # fmt: skip
    assert kinds(step) == {("assumption", A.LIPSCHITZ.id)}


def test_a_reason_grants_nothing() -> None:
    """The same reason before another formula leaves it listed, which a statement must then answer for."""
    typed = lipschitz(drawn, G / 2, A.LIPSCHITZ.id, rounds.EVERY)
    with printed():
        step = Step(drawn(u) - drawn(v) <= G / 2 * norm(u - v), (*INSIDE, typed.at(t, j, u, v)),
                    "fedprox.test.typed", source=SOURCE)  # fmt: skip
    assert kinds(step) == {("listed", A.LIPSCHITZ.id)}


def test_each_formula_has_the_id_of_an_assumption() -> None:
    """Of those that the paper's table of assumptions holds."""
    ids = {id for id, _ in standing("fedprox").formulas}
    assert ids <= A.ASSUMPTIONS.keys()
    assert ids == A.ASSUMPTIONS.keys()


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lambda s: replace(s, claim=s.claim.func(s.claim.lhs, s.claim.rhs / 2)), id="claim"),
        pytest.param(lambda s: replace(s, given=s.given[:-1]), id="a use less"),
        pytest.param(
            lambda s: replace(s, given=tuple(h for h in s.given if h != (G >= 0))), id="a sign less"
        ),
    ],
)
def test_a_certificate_is_of_one_step(other: Any) -> None:
    """It ships for a step as it stands, and is refused for another of the same id."""
    step = theorem1.BOUNDED
    found = shipped(step)
    assert found is not None
    known = {h.step.id: p for h in step.hypotheses if isinstance(h, Applied) and (p := shipped(h.step))}
    assert accepted(step, found.document, known) is not None
    assert accepted(other(step), found.document, known) is None
    assert shipped(other(step)) is None


def test_a_hypothesis_of_several_ranges_is_had_at_their_indices() -> None:
    """A used step that owes it for one index of each takes it from the family; beyond them it does not."""
    here = {lemmas.f(lemmas.v): drawn(lemmas.v), lemmas.grad(lemmas.v): rounds.drawn_gradient(lemmas.v),
            lemmas.z: rounds.local}  # fmt: skip
    given = (lemmas.L > 0, G >= 0, *theorem1.LOSSES)
    with printed():
        bound = n2(theorem1.d_j) <= G**2
        inside = Step(bound, (*INSIDE, *given, lemmas.BOUNDED.at(here)), "fedprox.test.inside", source=SOURCE)
        beyond = Step(
            bound, (1 <= j, 0 <= t, *given, lemmas.BOUNDED.at(here)), "fedprox.test.beyond", source=SOURCE
        )
    assert decide(inside).verdict == "proved"
    assert decide(beyond).verdict == "open"
