"""(44)-(66), step by step: verdicts, every step on enumerated rounds of Algorithm 1, planted falsehoods."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.bounds import catalog
from fedproof.papers.fedproxvr.notation import a, beta, tau
from fedproof.papers.fedproxvr.proofs import lemma1 as B
from fedproof.papers.fedproxvr.proofs import lemma1_sarah as S
from fedproof.papers.fedproxvr.proofs import lemma1_svrg as V
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.proof.decide import decide
from fedproof.proof.notation import steps_of
from fedproof.proof.sequences import total
from fedproof.proof.step import Step
from fedproof.validate.audit import judge
from tests.papers.fedproxvr.paths import Round, World, agrees, world
from tests.papers.planting import HALF, TWICE, alone, given, scaled

ALL = (*steps_of(S), *steps_of(B), *steps_of(V))
OWN = {"sarah": (*steps_of(S), *steps_of(B)), "svrg": (*steps_of(B), *steps_of(V))}
AT_START = {"fedproxvr.eq54.start"}
#: the one step that is true as printed only from t = 1 on
LATER = {"fedproxvr.eq56"}


@cache
def worlds(estimator: str) -> tuple[World, ...]:
    """Every local step of a round that satisfies (13) or (14), with theta the least that they allow."""
    if estimator == "sarah":
        run = Round("sarah", beta=12, mu=24, tau=9, L=2.0)
    else:
        run = Round("svrg", beta=56, mu=56, tau=8, seed=3)
    weight = 4 * (run.tau + 1 + run.tau + 2 + 2 * ((run.tau + 1) * (run.tau + 2)) ** 0.5) * 1.0001
    lower = 3 * (run.beta**2 * run.L**2 + run.mu**2) / ((run.mu - run.lam) * run.L * (run.beta - 3))
    theta = (lower / run.tau) ** 0.5 * 1.0001
    assert theta <= 1
    return tuple(world(run, t, a=weight, theta=theta) for t in range(run.tau + 1))


@pytest.mark.parametrize(
    ("step", "estimator"), [(s, e) for e in OWN for s in OWN[e]], ids=lambda x: getattr(x, "id", x)
)
def test_every_step_is_what_the_algorithm_does(step: Step, estimator: str) -> None:
    """What a step assumes and claims is so on all sample paths of an admissible round of its estimator."""
    places = worlds(estimator)[:1] if step.id in AT_START else worlds(estimator)
    assert agrees(step, places) == len(places) - (step.id in LATER)


def test_a_proof_with_a_hole_is_not_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a hypothesis on sequences that is left over, nor a condition or an assumption less."""
    lemma = catalog.statement("fedproxvr.lemma1.sarah")
    holed = replace(S.CRITERION, id="holed", given=(*S.CRITERION.given, B.err(1) <= 0))
    monkeypatch.setattr(catalog, "steps", lambda paper: (*ALL, holed))

    assert judge(lemma).verdict == "holds"
    assert judge(replace(lemma, proof=("holed",))).verdict == "open"
    assert judge(replace(lemma, conditions=lemma.conditions[:-1])).verdict == "open"
    assert judge(replace(lemma, assumptions=())).verdict == "holds amended"


with printed():
    ROOM = V.GAP.subs(B.t, tau)
    PLANTED = {
        "above (44)": scaled(S.EQ44A, TWICE),
        "(44)": scaled(S.EQ44, TWICE),
        "(45) for any beta": given(S.EQ45, beta >= sp.Rational(4, 5), beta >= 0),
        "(46) for twice as many steps": given(alone(S.EQ46), tau <= f.SARAH_UPPER, tau <= 2 * f.SARAH_UPPER),
        "(47), half": scaled(S.EQ47A, HALF),
        "(47), one term more": replace(
            S.EQ47C, claim=sp.Eq(S.EQ47C.claim.lhs, total(tau * B.D(B.t + 1), B.t, 0, tau), evaluate=False)
        ),
        "(49)": scaled(B.EQ49, HALF),
        "(50)": scaled(B.EQ50, HALF),
        "(51)": scaled(B.EQ51, HALF),
        "(52)": scaled(B.EQ52, HALF),
        "(53)": scaled(S.EQ53, HALF),
        "(54)": scaled(B.EQ54, HALF / 2),
        "(55) with half the steps": given(B.EQ55, f.LOWER <= tau, f.LOWER <= 2 * tau),
        "(55), sign, for any beta": given(B.EQ55_SIGN, beta > 3, beta > 2),
        "beta > 4": replace(B.BETA, claim=beta > 4),
        "(11)": scaled(S.CRITERION, HALF),
        "above (56)": scaled(V.EQ56A, HALF),
        "(57)": scaled(V.EQ57, HALF),
        "(58)": scaled(V.EQ58A, TWICE),
        "(58), =": scaled(V.EQ58B, HALF),
        "(56)": scaled(V.EQ56, TWICE),
        "(59)": scaled(V.EQ59, HALF),
        "(60)": scaled(V.EQ60, TWICE),
        "(61)": scaled(V.EQ61, TWICE),
        "(62)": scaled(V.EQ62, TWICE),
        "(63)": scaled(V.EQ63B, TWICE * 2),
        "(64)": replace(V.EQ64, claim=V.GAP >= 2),
        "(64) from less": given(V.EQ64, f.SVRG_SIDE, a - 4 >= 3 * sp.sqrt(a * (tau + 1))),
        "(65) from less": given(V.EQ65, ROOM >= 1, ROOM >= HALF),
        "(66)": given(V.EQ66, tau <= f.SVRG_UPPER, tau <= f.SVRG_UPPER + 1),
    }


@pytest.mark.parametrize("name", PLANTED)
def test_planted_falsehoods_are_refuted(name: str) -> None:
    """A constant, an end of a sum or a condition that is too good."""
    assert decide(PLANTED[name]).verdict == "refuted"


def test_a_step_that_is_used_does_not_pay_for_itself() -> None:
    """(46) for twice as many steps is not proved by (48), whose condition it lacks: not even from (48)."""
    wrong = given(S.EQ46, tau <= f.SARAH_UPPER, tau <= 2 * f.SARAH_UPPER)

    found = decide(wrong, briefly=True)

    assert found.verdict == "open"
    assert "a hypothesis of fedproxvr.eq48" in found.detail
