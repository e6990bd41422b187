"""A.3, Lemmas A.1 and A.2 of `composite`, step by step: verdicts, enumerated rounds, planted falsehoods."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.bounds import catalog
from fedproof.papers.composite.proofs import drift_sharp, lemma_a1, lemma_a2, local_step, mapping, sampling
from fedproof.papers.composite.statements import formulas as f
from fedproof.proof.decide import decide
from fedproof.proof.notation import steps_of
from fedproof.proof.step import Step
from fedproof.proof.vectors import n2
from fedproof.validate.proof_basis import needs
from tests.papers.composite.paths import Rounds, next_round, renamed, world
from tests.papers.fedproxvr.paths import World, agrees
from tests.papers.planting import HALF, alone, given, scaled, without

ALL = (
    *steps_of(mapping),
    *steps_of(local_step),
    *steps_of(sampling),
    *steps_of(lemma_a1),
    *steps_of(lemma_a2),
    *steps_of(drift_sharp),
)
GAP = {"composite.eq33"}
#: of a model or a penalty that the rounds do not have, or of one coordinate, which `a1` looks at
ELSEWHERE = {"eq12.smooth", "eq12.stays", "eq12.stationary", "eq12.converse", "eq8", "eq10.mean", "eq34.exp"}
NEXT = {"eq35a", "eq35", "eq36.young", "eq36.smooth"}


def name(step: Step) -> str:
    """Its id without the paper."""
    return step.id.removeprefix("composite.")


@cache
def rounds(tau: int) -> Rounds:
    """Two clients; the longest steps that (33) and the sharpened lemmas allow."""
    return Rounds(tau=tau, seed=tau) if tau < 3 else Rounds(tau=3, clients=1, seed=7, eta_g=1.0)


@cache
def worlds(tau: int) -> tuple[World, ...]:
    """Every local step of every client in the second round."""
    run = rounds(tau)
    return tuple(world(run, i, t) for i in range(run.clients) for t in range(tau))


HERE = [s for s in ALL if name(s) not in ELSEWHERE | NEXT and s.id not in GAP]


@pytest.mark.parametrize("step", HERE, ids=lambda s: s.id)
@pytest.mark.parametrize("tau", [2, 3])
def test_every_step_is_what_the_algorithm_does(step: Step, tau: int) -> None:
    """What a step assumes and claims is so over all that the clients may draw in two rounds."""
    places = [renamed(rounds(tau), here, name(step)) for here in worlds(tau)]
    later = {"eq31.step"}
    assert agrees(step, places) == len(places) - (rounds(tau).clients if name(step) in later else 0)


@pytest.mark.parametrize("step", [s for s in ALL if name(s) in NEXT], ids=lambda s: s.id)
def test_the_next_round_is_what_the_algorithm_does(step: Step) -> None:
    """(35) and (36) hold where one client stands for all."""
    assert agrees(step, [next_round(rounds(2))]) == 1


def test_the_oracle_tells_corrections_apart() -> None:
    """(28) is not what the algorithm does when the corrections are those of the round before."""
    here = worlds(2)[1]
    wrong = replace(here, vectors={**here.vectors, "c": 0 * here.vectors["c"]})
    with pytest.raises(AssertionError):
        agrees(local_step.EQ28A, [wrong])


def test_the_sharpened_lemmas_use_no_bound_on_subgradients() -> None:
    """What the printed proofs take from Assumption 3.1, the sharpened ones do not."""
    printed_proof, sharpened = (
        needs(replace(catalog.statement(f"composite.{id}"), assumptions=()))
        for id in ("lemmaA1", "lemmaA1.sharpened")
    )
    assert "composite.assumption3.1" in printed_proof
    assert "composite.assumption3.1" not in sharpened


with printed():
    MORE = sp.Rational(99, 100)
    PLANTED = {
        "the minimiser, twice as convex": replace(
            mapping.MINIMISES,
            claim=mapping.s * mapping.g_u + n2(mapping.u - mapping.x) / 2 + n2(mapping.w - mapping.u)
            <= mapping.s * mapping.g_w + n2(mapping.w - mapping.x) / 2,
        ),
        "nonexpansive, half": scaled(mapping.NONEXPANSIVE, HALF),
        "(19) without convexity": without(mapping.SEGMENT, "convex"),
        "(12) with another step": scaled(mapping.EQ12, 2),
        "(23), half": scaled(local_step.EQ23, HALF),
        "(26), fewer subgradients": scaled(local_step.TWO_SUBGRADIENTS, MORE),
        "(26) without a bound": without(local_step.TWO_SUBGRADIENTS, "assumption3.1"),
        "(29), half": scaled(local_step.EQ29B, HALF),
        "(30) with dependent samples": without(sampling.ONE_MORE, "unbiased"),
        "(30) where F_l does not tell the past": without(sampling.ONE_MORE, "past"),
        "(30), <=, half": scaled(sampling.EQ30, HALF),
        "(31) with a weight less": scaled(sampling.YOUNG, MORE),
        "(33), growth, for longer steps": given(
            lemma_a1.GROWTH_SHORT, f.SHORT_STEP, f.eta_t <= f.eta_g / (7 * f.L)
        ),
        "(33), growth, repaired, for longer steps": given(
            lemma_a1.GROWTH_LONG, f.LEMMA_STEP, f.eta_t <= f.eta_g / (4 * f.L)
        ),
        "(34), the exponential": replace(
            lemma_a1.EQ34_EXP, claim=sp.exp(sp.Rational(1, 8)) <= sp.Rational(113, 100)
        ),
        "(34), powers": replace(lemma_a1.EQ34_INVERSE, claim=1 - lemma_a1.SHORT <= lemma_a1.inverse),
        "(35), half": scaled(lemma_a2.EQ35, HALF),
        "(35) of another mean": without(lemma_a2.EQ35, "clients' mean"),
        "(36), half": scaled(lemma_a2.EQ36_YOUNG, HALF),
        "a longer step is shorter": scaled(drift_sharp.LONGER, MORE),
        "a shorter step is no longer": given(
            drift_sharp.LONGER, drift_sharp.s <= drift_sharp.s_long, drift_sharp.s > drift_sharp.s_long
        ),
        "within, for a small server step": given(drift_sharp.WITHIN, f.SHARP_SERVER, f.eta_g >= MORE),
    }


@pytest.mark.parametrize("planted", PLANTED)
def test_planted_falsehoods_are_refuted(planted: str) -> None:
    """A constant that is too good, a hypothesis or a condition that is missing."""
    assert decide(PLANTED[planted]).verdict == "refuted"


@pytest.mark.parametrize(
    "step",
    [lemma_a1.LEMMA_A1, lemma_a2.LEMMA_A2, drift_sharp.LONG_DRIFT, drift_sharp.SHORT_SPREAD],
    ids=lambda s: s.id,
)
def test_better_constants_are_not_proved(step: Step) -> None:
    """The lemmas' own steps do not give 99/100 of their bounds, nor a bound without what they use."""
    assert decide(scaled(step, MORE), briefly=True).verdict != "proved"
    assert decide(alone(step), briefly=True).verdict != "proved"
