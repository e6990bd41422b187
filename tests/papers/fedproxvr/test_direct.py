"""The direct proof of Theorem 1 rests on the assumptions alone, and proves nothing that is false."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fedproof.algebra.expressions import printed
from fedproof.bounds import catalog
from fedproof.papers.fedproxvr.proofs import direct_sharp as sharp
from fedproof.papers.fedproxvr.proofs import direct_theorem1 as direct
from fedproof.proof.certificates import shipped
from fedproof.proof.certify.limits import within
from fedproof.proof.grounds import grounds
from fedproof.proof.language.deciding import decided
from fedproof.proof.step import Step
from fedproof.proof.substitution import substitute
from fedproof.validate.claims.bound import judge
from fedproof.validate.proof_basis import taken

STATEMENTS = (
    "theorem1", "corollary1", "eq87", "theorem1.sharpened", "corollary1.sharpened", "eq87.sharpened",
    "theorem1.along", "theorem1.along.sharpened",
)  # fmt: skip


@pytest.mark.parametrize("id", STATEMENTS)
def test_a_statement_rests_on_assumptions_alone(id: str) -> None:
    """Its last step's certificate takes formulas of the paper and results that it cites, and nothing else."""
    found = taken(catalog.statement(f"fedproxvr.{id}"))

    assert {g.kind for g in found} == {"assumption", "cited"}
    assert {g.id for g in found if g.kind == "cited"} == {"fedproxvr.smooth_descent"}


def test_no_step_is_carried() -> None:
    """Each step of the proof has a certificate whose hypotheses it lists or the paper grants."""
    for step in catalog.steps("fedproxvr"):
        if step.id.startswith("fedproxvr.direct."):
            found = shipped(step)
            assert found is not None, step.id
            assert {g.kind for g in grounds(found)} <= {"assumption", "cited", "meaning"}, step.id


@pytest.mark.parametrize("id", ["sarah", "svrg", "sarah.sharpened", "svrg.sharpened"])
def test_the_closed_chain_carries_nothing(id: str) -> None:
    """Lemma 1 and Theorem 1 together rest on what the paper grants, with no relation that nobody does."""
    found = taken(catalog.statement(f"fedproxvr.certified.{id}"))

    assert found
    assert {g.text for g in found if g.kind in ("carried", "listed")} <= {"0 <= lam"}


@pytest.mark.parametrize("variant", ["sarah", "svrg"])
def test_the_closed_chain_needs_its_theta(variant: str) -> None:
    """With a theta below the least that the lower bound on tau allows, nothing is concluded."""
    chain = catalog.statement(f"fedproxvr.certified.{variant}")
    smaller = replace(chain.where[1], expr=chain.where[1].expr * 99 / 100)

    assert chain.where[1].letter.name == "theta"
    assert judge(chain).verdict == "holds"
    assert judge(replace(chain, where=(chain.where[0], smaller, *chain.where[2:]))).verdict == "open"


def claiming(step: Step, old: Any, new: Any) -> Step:
    """A step whose claim has one part in place of another."""
    with printed():
        claim = substitute(step.claim, {old: new})
    assert claim != step.claim
    return replace(step, claim=claim, id=f"{step.id}.mutant")


def without(step: Step, why: str) -> Step:
    """A step without the hypotheses of a reason."""
    left = tuple(h for h in step.given if getattr(h, "why", "") != why)
    assert len(left) < len(step.given)
    return replace(step, given=left, id=f"{step.id}.mutant")


#: processor time that each falsehood is given
SECONDS = 6.0

WRONG = {
    "a surrogate twice as convex": claiming(direct.MONOTONE, direct.mt, 2 * direct.mt),
    "less dissimilar": claiming(direct.SPREAD_MEAN, direct.sigma2, direct.sigma2 / 2),
    "a smaller slack": claiming(direct.SMOOTH_MEAN, direct.L, direct.L / 2),
    "a smaller ball": claiming(sharp.BALL_OF, direct.L, direct.L / 2),
    "a step less apart": claiming(sharp.NEAR, sharp.r, sharp.r / 2),
    "a sector of half the width": claiming(sharp.SECTOR, direct.L, direct.L / 2),
    "a small gradient": claiming(direct.GRADIENT, direct.L, direct.L / 2),
    "weights of any sign": without(direct.JENSEN_EACH, "fedproxvr.definition.weights.sign"),
    "weights of any sum": without(direct.JENSEN, "fedproxvr.definition.weights.mean"),
    "models of any clients": without(direct.FAR, "fedproxvr.algorithm1.line12"),
    "any gradients": without(direct.DIVERGENCE, "fedproxvr.assumption1.dissimilarity"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_falsehood_is_not_proved(what: str) -> None:
    """A step with another constant, or without an assumption that it needs, stays open."""
    with within(SECONDS):
        assert decided(WRONG[what]).verdict == "open"
