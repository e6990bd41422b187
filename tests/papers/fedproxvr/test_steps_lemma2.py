"""(36)-(43), step by step: verdicts, every step on enumerated rounds of Algorithm 1, planted falsehoods."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.papers.fedproxvr.proofs import lemma2 as M
from fedproof.proof.decide import decide
from fedproof.proof.notation import steps_of
from fedproof.proof.step import Step
from fedproof.proof.vectors import n2
from tests.papers.fedproxvr.paths import Round, agrees, world

REFUTED = {"fedproxvr.eq39"}


def test_39_is_refuted_by_hand() -> None:
    """In one dimension, with the witness: grad J_n = grad F_n + mu (w - start), G_n = (w - w+)/eta."""
    found = decide(M.EQ39).witness
    assert found is not None
    eta, mu = found["eta"], found["mu"]
    w, start, grad = (found[x] for x in ("w_1", "start_1", "grad_F_1"))
    plus = eta / (1 + eta * mu) * (mu * start + (w - eta * grad) / eta)
    G, grad_J = (w - plus) / eta, grad + mu * (w - start)

    assert isinstance(G, Fraction)
    assert grad_J**2 > 2 * (grad - G) ** 2 + 2 * G**2
    assert grad_J**2 <= 2 * (grad_J - G) ** 2 + 2 * G**2
    assert grad_J**2 <= 2 * (mu**2 * eta**2 + 1) * G**2


@pytest.mark.parametrize("step", [s for s in steps_of(M) if s.id not in REFUTED], ids=lambda s: s.id)
def test_every_step_is_what_the_algorithm_does(step: Step) -> None:
    """What a step assumes and claims is so on all sample paths of a round."""
    run = Round("svrg", beta=3, mu=2.5, tau=4, seed=5, L=2.0)
    assert agrees(step, [world(run, t) for t in range(5)]) == 5


with printed():
    PLANTED = {
        "(36) with 3/2": replace(
            M.EQ36, claim=n2(M.grad_J) <= sp.Rational(3, 2) * (M.mu**2 * M.eta**2 + 1) * n2(M.G)
        ),
        "(36) without eta": replace(M.EQ36, claim=n2(M.grad_J) <= 2 * (M.mu**2 + 1) * n2(M.G)),
        "(42) with mu": replace(
            M.EQ42, claim=sp.Eq(M.EQ42.claim.lhs, 2 * (M.mu * M.eta**2 + 1) * n2(M.G), evaluate=False)
        ),
        "(43) without 1/alpha": replace(M.EQ43, claim=n2(M.x + M.y) <= (1 + M.alpha) * n2(M.x) + n2(M.y)),
        "(43) for any alpha": replace(M.EQ43, given=()),
    }


@pytest.mark.parametrize("name", PLANTED)
def test_planted_falsehoods_are_refuted(name: str) -> None:
    """A constant that is too good, or a sign condition dropped."""
    assert decide(PLANTED[name]).verdict == "refuted"
