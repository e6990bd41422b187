"""What the text says between FedProxVR's results: counted, run, and planted otherwise."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.papers.fedproxvr.notation import beta, beta2, mu, tau
from fedproof.papers.fedproxvr.proofs import discussion as d
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.proof.decide import decide
from fedproof.proof.step import Step


def at(expr: Any, **values: Any) -> Fraction:
    """An expression's value, its letters given by name."""
    put = {s: sp.Rational(values[s.name]) for s in expr.free_symbols}
    return Fraction(str(sp.nsimplify(expr.doit().subs(put))))


def gradients(samples: int, steps: int, batch: int = 1) -> int:
    """How many sample gradients lines 4 to 8 of Algorithm 1 evaluate for one client."""
    taken = [("line 4", i) for i in range(samples)]
    taken += [("line 7", *which) for which in product(range(1, steps + 1), range(batch), ("w^(t)", "older"))]
    return len(taken)


@pytest.mark.parametrize(("samples", "steps", "batch"), [(3, 1, 1), (50, 7, 1), (50, 7, 8), (20, 40, 9)])
def test_gradients_a_step_are_those_of_the_listing(samples: int, steps: int, batch: int) -> None:
    """What is compared with gradient descent counts what the listing evaluates."""
    counted = Fraction(gradients(samples, steps, batch), steps + 1)

    assert at(d.BATCHES.claim.lhs, D_n=samples, B=batch, tau=steps) == counted < samples
    if batch == 1:
        assert at(d.EACH, D_n=samples, tau=steps) == counted > 1


@pytest.mark.parametrize("weight", [1, 7])
def test_full_gradients_leave_the_share_of_a_step_on_a_quadratic(weight: int) -> None:
    """Line 8 on F = h/2 w^2 with full gradients: the gradient of J falls by what the step says."""
    h, inverse, start, w = Fraction(1, 2), Fraction(5), Fraction(1), Fraction(3)
    eta = 1 / inverse
    after = eta / (1 + eta * weight) * (weight * start + (w - eta * h * w) / eta)
    steep = [h * x + weight * (x - start) for x in (w, after)]
    share = d.CONTRACTS.claim.rhs

    assert steep[1] / steep[0] == at(share, curvature=h, mu=weight, beta=inverse, L=1)


def test_the_instance_of_fewer_steps_is_within_lemma_1() -> None:
    """At beta = 12 the range of (13) is 84 alone; at 76 it admits 13."""
    here = {"L": 1, "mu": 156, "mt": 156 - Fraction(44, 315), "theta": Fraction(15, 19)}
    lower, upper = (lambda b: at(f.LOWER, **here, beta=b)), (lambda b: at(f.SARAH_UPPER, beta=b))

    assert lower(12) == upper(12) == 84
    assert lower(76) <= 13 <= upper(76)


def _claim(step: Step, change: Any) -> Step:
    with printed():
        return replace(step, claim=change(step.claim))


PLANTED = {
    "one sample": replace(d.CHEAPER, given=(d.samples >= 1, tau > 0)),
    "a batch that is half of all": replace(d.BATCHES, given=(tau > 0, d.batch > 0, d.samples >= 2 * d.batch)),
    "half the share": _claim(d.SHARE, lambda c: c.lhs <= 1 / (tau + 1) + 1 / d.samples),
    "no local step": replace(d.PRICE, given=(d.samples >= 1, tau >= 0)),
    "a device with its own tau": replace(d.SYNCHRONOUS, given=d.SYNCHRONOUS.given[:-1]),
    "a smaller mu": replace(d.STEP, given=(d.eta > 0, mu >= 0, d.more < mu)),
    "any curvature": replace(d.CONTRACTS, given=d.CONTRACTS.given[:-1]),
    "a step that turns back": replace(d.APART, given=()),
    "steps that turn back": replace(d.STABLE, given=d.STABLE.given[:-1]),
    "half of L": _claim(d.ESTIMATE_L, lambda c: c.lhs <= c.rhs / 2),
    "half of lambda": _claim(d.ESTIMATE_LAM, lambda c: c.lhs <= c.rhs / 2),
    "theta rises": _claim(d.THETA_FALLS, lambda c: c.lhs >= c.rhs),
    "tau falls": _claim(d.TAU_RISES, lambda c: c.lhs >= c.rhs),
    "any beta": replace(d.TAU_RISES, given=(beta2 >= beta,)),
    "Theta rises": _claim(d.HETEROGENEITY, lambda c: c.lhs >= c.rhs),
    "twelve steps": _claim(d.FEWER, lambda c: c.lhs <= 12),
    "a smaller factor": _claim(d.FEWER_ROUNDS, lambda c: 2 * c.lhs <= c.rhs),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_falsehood_is_refuted(planted: str) -> None:
    """A wrong constant, a wrong direction or a hypothesis left out is refuted by exact numbers."""
    assert decide(replace(PLANTED[planted], id="")).verdict == "refuted"
