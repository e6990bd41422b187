"""A.1 and A.2 of `composite`, step by step: verdicts, two rounds coordinate by coordinate, falsehoods."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.bounds import catalog
from fedproof.papers.composite.proofs import algorithm1, lemma_a2, stopping
from fedproof.proof.decide import decide
from fedproof.proof.forall import ForAll
from fedproof.proof.notation import steps_of
from fedproof.proof.step import Step
from fedproof.validate.audit import judge
from tests.papers.composite.paths import Rounds, coordinate
from tests.papers.fedproxvr.paths import World, agrees
from tests.papers.planting import given

#: sums that begin at t = 1 in print
LATE = {
    f"composite.{k}"
    for k in ("eq15a", "correction.second", "correction.third", "correction.fourth", "update.second")
}
#: of full gradients with another correction, of a first round, of an average that (17) makes 0
ELSEWHERE = {"eq7", "eq7.exact", "eq2.start", "eq17.coordinate"}


def name(step: Step) -> str:
    """Its id without the paper."""
    return step.id.removeprefix("composite.")


@cache
def worlds() -> tuple[World, ...]:
    """Every client in both coordinates on some of the paths of the second round."""
    run = Rounds(clients=2, tau=2, seed=3, theta=0.25, eta_g=2.0, exact=True)
    return tuple(coordinate(run, i, p, k) for i, p, k in product(range(2), (0, 77, 201), range(2)))


@pytest.mark.parametrize(
    "step",
    [
        *(s for s in steps_of(algorithm1) if s.id not in LATE and name(s) not in ELSEWHERE),
        lemma_a2.MEAN_LAMBDA,
    ],
    ids=lambda s: s.id,
)
def test_every_step_is_what_the_algorithm_does(step: Step) -> None:
    """What a step assumes and claims is so in every coordinate."""
    assert agrees(step, worlds()) == len(worlds())


@pytest.mark.parametrize("step", [s for s in steps_of(algorithm1) if s.id in LATE], ids=lambda s: s.id)
def test_late_sums_are_not_what_the_algorithm_does(step: Step) -> None:
    """What they assume is so, what they claim is not; from t = 0 it is, and that is what repairs them."""
    for here in worlds():
        assert all(here.holds(h.relation) for h in step.hypotheses)
        assert not here.holds(step.claim)
    repaired = [s for s in steps_of(algorithm1) if s.repairs == step.id]
    assert len(repaired) == 1


def stays(corrections: str, clients: int, tau: int, seed: int = 5) -> float:
    """How far one round with full gradients leads from a stationary point, by Algorithm 1 as printed."""
    rng = np.random.default_rng(seed)
    raw = rng.normal(size=(clients, 3, 3))
    A = np.einsum("nij,nkj->nik", raw, raw) / 3
    star, theta, eta, eta_g = np.array([0.7, 0.0, -1.1]), 0.4, 0.02, 1.5
    h = theta * np.array([1.0, 0.3, -1.0])
    b = rng.normal(size=(clients, 3))
    b -= b.mean(0) + A.mean(0) @ star + h
    own = A @ star + b
    c = own.mean(0) - own if corrections == "settled" else np.zeros_like(own)
    sent = []
    for i in range(clients):
        zh, z = star, star
        for t in range(tau):
            zh = zh - eta * (A[i] @ z + b[i] + c[i])
            z = np.sign(zh) * np.maximum(np.abs(zh) - (t + 1) * eta * theta, 0)
        sent.append(zh)
    x = star + eta_g * (np.mean(sent, axis=0) - star)
    after = np.sign(x) * np.maximum(np.abs(x) - eta * eta_g * tau * theta, 0)
    return float(np.abs(after - star).max())


def test_stationary_points_stay_put() -> None:
    """For one client, and for three with corrections that belong to it; not for three that start from 0."""
    assert stays("none", clients=1, tau=4) < 1e-14
    assert stays("settled", clients=3, tau=4) < 1e-14
    assert stays("none", clients=3, tau=4) > 1e-4
    assert stays("none", clients=3, tau=1) < 1e-14


def test_stopping_needs_a_stationary_point() -> None:
    """Without the corrections that belong to it, or without its condition, the statement is amended."""
    several = catalog.statement("composite.stops")
    kept = tuple(a for a in several.assumptions if a != "composite.settled")

    assert judge(replace(several, assumptions=kept)).verdict == "holds amended"
    assert judge(replace(several, proof=("composite.stops.corrections",))).verdict == "open"


with printed():
    A, S = algorithm1, stopping
    _LINE9 = A.EQ16.hypotheses[-1].relation
    _NO_CORRECTION = ForAll(sp.Eq(A.zh(A.t + 1), A.zh(A.t) - A.eta * A.f(A.t), evaluate=False), *A.TAU)
    PLANTED = {
        "(6), one gradient less": replace(
            A.EQ6,
            claim=sp.Eq(
                A.zh(A.t + 1),
                A.zh(0) - A.eta * sp.Sum(A.f(A.j) + A.c, (A.j, 0, A.t - 1)),
                evaluate=False,
            ),
        ),
        "(16) without the correction": given(A.EQ16, _LINE9, _NO_CORRECTION),
        "(17) for the next round but one": replace(
            A.EQ17, claim=sp.Eq(A.at_client(A.C_next(A.i)), 2 * A.cb, evaluate=False)
        ),
        "(2) with eta~ twice": replace(
            A.EQ3,
            claim=sp.Eq(
                A.x_next,
                A.p - 2 * A.eta_t * (1 / (A.n * A.tau) * sp.Sum(A.own(A.i), (A.i, 1, A.n))),
                evaluate=False,
            ),
        ),
        "x* with another step size in the prox": replace(
            S.LINE12, claim=S.n2(S.z - S.star) <= S.n2(S.zh - (S.star - 2 * S.beta * S.slope))
        ),
        "x* that is not stationary": replace(
            S.LINE12, given=tuple(h for h in S.LINE12.hypotheses if "stationary" not in getattr(h, "why", ""))
        ),
        "lines 8, 11, 15 without the correction": replace(
            S.LINE11, given=tuple(h for h in S.LINE11.hypotheses if "settled" not in getattr(h, "why", ""))
        ),
        "two clients stay": replace(S.EXAMPLE, claim=sp.Eq(S.server, 0, evaluate=False)),
    }


@pytest.mark.parametrize("planted", PLANTED)
def test_planted_falsehoods_are_refuted(planted: str) -> None:
    """A gradient less, no correction, another step size, a point that is not stationary."""
    assert decide(PLANTED[planted]).verdict == "refuted"
