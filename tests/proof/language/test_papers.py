"""The hardest lemmas of two papers, proved down to what they assume; what is false beside them is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.decide import decide
from fedproof.proof.language.deciding import decided
from fedproof.proof.notation import Eq
from fedproof.proof.sequences import total
from fedproof.proof.step import Step, times
from fedproof.proof.vectors import ip, n2
from tests.proof.language import lyapunov as flecs
from tests.proof.language import moreau as fedprox
from tests.proof.language.deciding import all_used, confirmed

LEMMAS = {"fedprox": fedprox.claim, "flecs": flecs.descent, "flecs rounds": flecs.theorem4}


@pytest.mark.parametrize("name", LEMMAS)
def test_every_line_is_proved_and_confirmed(name: str) -> None:
    """Each step has a certificate, and the standalone script confirms them all."""
    steps = all_used(LEMMAS[name])
    assert {s.id: decided(s).detail for s in steps if decided(s).verdict != "proved"} == {}
    good, bad = confirmed(LEMMAS[name])
    assert bad == []
    assert len(good) == len(steps)


#: reasons of the hypotheses on which the main lemmas rest, "" for conditions on numbers
RESTS_ON = {
    "fedprox": {
        "", "Moreau envelope", "drawn without bias", "local model", "loss Lipschitz", "loss weakly convex",
        "risk Lipschitz", "risk weakly convex", "the server averages", "w is known", "wb is a function of w",
        "wb is the prox of the risk",
    },
    "flecs": {
        "", "A is symmetric", "Algorithm 1", "Assumption 2", "Assumption 3", "F is the mean", "Lemma 9",
        "compressor", "compressors are independent", "mean of the samples", "mean over q", "mean over s",
        "samples are independent", "samples do not depend on compressors", "shifts are known",
        "w and A are known", "w is known", "w* is known", "w* minimises F",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", RESTS_ON)
def test_rests_on_assumptions_alone(name: str) -> None:
    """Every hypothesis of the certificate is the step's own, and none is carried from elsewhere."""
    certificate = decide(LEMMAS[name]).certificate
    assert certificate is not None
    assert {g["from"]["kind"] for g in certificate["given"]} == {"own"}
    assert {g["from"]["why"] for g in certificate["given"]} == RESTS_ON[name]


def without(step: Step, *dropped: Any) -> Step:
    """A step without some of its hypotheses."""
    left = tuple(h for h in step.given if h not in dropped)
    assert len(left) == len(step.given) - len(dropped)
    return replace(step, given=left, id=f"{step.id}.mutant")


def instead(step: Step, old: Any, new: Any) -> Step:
    """A step with one hypothesis in the place of another."""
    assert old in step.given
    return replace(step, given=tuple(new if h == old else h for h in step.given), id=f"{step.id}.mutant")


f, y = flecs, fedprox
with printed():
    five = f.L**2 * f.mu2**2 * f.alpha * (1 + 2 * f.omega / f.n + 2 * f.c * f.gamma) <= 5 * f.mu * f.mu1
    lost = f.omega / f.n <= f.gamma - f.alpha * f.mu * f.mu1 / 2
    MUTANTS = {
        "(20) without eta <= rho": without(y.line13, y.eta <= y.rho),
        "unbiased at a point that was drawn": Step(
            Eq(total(y.phi(y.j, y.x), y.j, 1, y.n) / y.n, y.R(y.x)),
            (y.n >= 1, y.UNBIASED.at(y.x), y.MEAN_OF_LOCAL),
            "fedprox.unbiased.mutant",
        ),
        "Lemma 8 without a limit": Step(
            y.D <= y.G * y.step,
            (
                y.step > 0, y.G >= 0, y.CHORD.known, y.NEAREST.known,
                y.lemma7.at({y.u: y.w}), y.LIPSCHITZ.at(y.w, y.z),
            ),
            "fedprox.lemma8.mutant",
        ),
        "Jensen with a negative factor": without(y.line8, y.nu * y.eta <= 1),
        "(15) with the other step size": replace(
            y.line12,
            claim=y.R(y.wb) + n2(y.wb - y.w) / (2 * y.rho)
            <= y.R(y.x) + n2(y.x - y.w) / (2 * y.rho) - y.KAP / 2 * n2(y.wb - y.x),
            id="fedprox.eq15.mutant",
        ),
        "the step size as printed": instead(f.descent, times(f.weight_C2, f.C2), times(f.weight_C2, five)),
        "a factor c is lost": instead(f.descent, times(f.weight_C3, f.C3), times(f.weight_C3, lost)),
        "Lemma 11 for every gamma": without(f.step15, times(f.weight15, f.room)),
        "one compressor for all": without(f.step2_pair, f.q_c.at(f.i, f.j)),
        "samples that depend on each other": without(f.step5_pair, f.s_g.at(f.i, f.j)),
        "an operator that is not symmetric": without(f.step12, times(-1, f.SYMMETRIC.at(f.N, f.gt))),
        "an operator that depends on the message": without(
            f.toward_compressed, f.toward_compressed.given[-1]
        ),
        "(13) as printed": Step(
            n2(f.gt - f.N) <= f.omega / f.n * f.mean(n2(f.G_(f.i) - f.h(f.i))),
            (
                *f.some, f.omega >= 0, f.GB, f.GT, f.GN, f.step2.at(weight=1),
                f.step3_each.at(over=f.workers, weight=f.omega / f.n**2),
                f.step6_compressed.at(weight=2), f.step6_sampled.at(weight=2),
            ),
            "flecs.13.mutant",
        ),
        "a compressor against itself": Step(
            Eq(ip(f.e_(f.i), f.c_(f.i)), 0),
            (
                *f.mine, *f.compressed_free, f.Q.mean.at(f.i, f.x_(f.i)),
                f.q.symmetric.at(f.i, f.c_(f.i), f.c_(f.i)),
            ),
            "flecs.itself.mutant",
        ),
        "a linear compressor": Step(
            Eq(f.Q(f.i, 2 * f.g(f.i)), 2 * f.Q(f.i, f.g(f.i))),
            (*f.mine, f.Q.mean.at(f.i, f.g(f.i)), f.Q.mean.at(f.i, 2 * f.g(f.i))),
            "flecs.linear.mutant",
        ),
        "rounds without a rate below 1": without(f.theorem4, f.alpha * f.mu * f.mu1 <= 2),
    }  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_not_proved(name: str) -> None:
    """What is false, or lacks what it needs, has no certificate."""
    assert decide(MUTANTS[name]).verdict == "open"
    assert sp.S.true not in MUTANTS[name].given
