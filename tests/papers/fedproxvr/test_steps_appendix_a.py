"""(25)-(35), step by step: verdicts, every step on enumerated rounds of Algorithm 1, planted falsehoods."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.papers.fedproxvr.notation import L, mt, mu
from fedproof.papers.fedproxvr.proofs import appendix_a as A
from fedproof.proof.decide import decide
from fedproof.proof.notation import steps_of
from fedproof.proof.sequences import total
from fedproof.proof.step import Step
from fedproof.proof.vectors import ip, n2
from tests.papers.fedproxvr.paths import Round, World, agrees, world
from tests.papers.planting import HALF, scaled, without

SARAH_ONLY = {"eq32", "eq33.step", "eq33a", "eq33b.term", "eq33b", "eq33c", "eq33"}
SVRG_ONLY = {"eq34", "eq35"}
AT_START = {"eq33.start"}


@cache
def worlds(estimator: str) -> tuple[World, ...]:
    """Every local step of a round with a Lipschitz constant other than 1."""
    run = Round(estimator, beta=3, mu=2.5, tau=5, seed=4, L=2.0)
    return tuple(world(run, t) for t in range(run.tau + 1))


def name(step: Step) -> str:
    """Its id without the paper."""
    return step.id.removeprefix("fedproxvr.")


HERE = [
    *((s, "sarah") for s in steps_of(A) if name(s) not in SVRG_ONLY),
    *((s, "svrg") for s in steps_of(A) if name(s) not in SARAH_ONLY),
]


@pytest.mark.parametrize(("step", "estimator"), HERE, ids=lambda x: getattr(x, "id", x))
def test_every_step_is_what_the_algorithm_does(step: Step, estimator: str) -> None:
    """What a step assumes and claims is so on all sample paths of a round of its estimator."""
    places = worlds(estimator)[:1] if name(step) in AT_START else worlds(estimator)
    assert agrees(step, places) == len(places)


@pytest.mark.parametrize(("step", "estimator"), [(A.EQ32, "svrg"), (A.EQ34, "sarah")])
def test_the_oracle_tells_estimators_apart(step: Step, estimator: str) -> None:
    """SARAH's recursion is not what SVRG does, nor the other way round."""
    with pytest.raises(AssertionError):
        agrees(step, worlds(estimator))


def test_the_index_of_the_last_sample_is_no_slip() -> None:
    """(33) has i_t where v^(j) uses i_j: not the same on a path, and the same in the mean."""
    run = Round("sarah", beta=3, mu=2.5, tau=4, samples=3)
    last, moved = run.sample(4), run.v[2] - run.v[1]
    other = run.f(last, run.w[2]) - run.f(last, run.w[1])
    own, others = (np.sum(x * x, axis=1) for x in (moved, other))

    assert np.abs(own - others).max() > 0.1 * own.max()
    assert np.mean(own) == pytest.approx(np.mean(others), rel=1e-12)


def _descent(first: sp.Rational, second: sp.Rational) -> Step:
    with printed():
        bound = -(first / A.eta - L) * n2(A.w - A.hat) - (second / A.eta - L / 2) * n2(A.after - A.w)
        return replace(A.EQ29, claim=A.J1 - A.J0 <= bound + A.eta * n2(A.grad - A.v))


with printed():
    PLANTED = {
        "(25) with 3": replace(A.EQ25, claim=3 * mt * (A.J0 - A.J_best) <= n2(A.grad_J)),
        "(26), half": scaled(A.EQ26, HALF),
        "mu-strongly convex": replace(
            A.STRONGLY_CONVEX,
            claim=A.J0 + ip(A.grad_J, A.after - A.w) + mu / 2 * n2(A.after - A.w) <= A.J1,
        ),
        "(29) with 1/2 for 1/3": _descent(sp.Rational(1, 2), sp.Rational(5, 8)),
        "(29) with 3/4 for 5/8": _descent(sp.Rational(1, 3), sp.Rational(3, 4)),
        "(31), not squared": replace(A.EQ31, claim=sp.Eq(n2(A.w - A.hat), A.eta * n2(A.MAPPING))),
        "(33), a term less": replace(A.EQ33A, claim=A.err(A.t) <= total(A.dv(A.j), A.j, 1, A.t - 1)),
        "(33), half": scaled(A.EQ33, HALF),
        "(35), half": scaled(A.EQ35, HALF),
        "mean, half": scaled(A.SMOOTH_MEAN, HALF),
        "(33) with dependent samples": without(A.EQ33_STEP, "line 6"),
        "(35) with dependent samples": without(A.EQ35, "line 6"),
        "(35) without smoothness": without(A.EQ35, "smooth"),
        "mean, of another loss": without(A.SMOOTH_MEAN, "(1)"),
    }


@pytest.mark.parametrize("name", PLANTED)
def test_planted_falsehoods_are_refuted(name: str) -> None:
    """A constant that is too good, a term that is missing, samples that are not independent."""
    assert decide(PLANTED[name]).verdict == "refuted"
