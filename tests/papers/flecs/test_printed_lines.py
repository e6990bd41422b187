"""The lines of FLECS-CGD's proofs that fail, each instance run here in fractions by the listing's lines."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as Fr

import numpy as np
import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.statement_handle import statement
from fedproof.proof.decide import decide
from fedproof.proof.step import Step
from tests.papers.flecs.listing import mean_squared_gradient, rounds

KEY = "flecs"
STEPS = {step.id: step for step in catalog.steps("flecs")}
ONE, ZERO = Fr(1), Fr(0)
SQUARE = ((ONE, ZERO),)
FLAWED = sorted(id for id, step in STEPS.items() if step.flaw)


def witness(id: str) -> dict[str, Fr]:
    """The numbers at which a line fails."""
    return dict(decide(STEPS[f"flecs.{id}"]).witness or {})


def moments(alpha: Fr, gamma: Fr, w: Fr, h: Fr = ZERO, noise: Fr = ZERO) -> tuple[Fr, Fr]:
    """E w_1^2 and E h_1^2: one worker with w^2/2, exact messages."""
    after = rounds((w, (h,)), SQUARE, ZERO, alpha, gamma, 1, noise)[-1].items()
    return sum((p * v**2 for (v, _), p in after), ZERO), sum((p * s**2 for (_, (s,)), p in after), ZERO)


def test_the_descent_as_printed() -> None:
    """(22) at its longest step: the gap after the round is what the listing makes of it."""
    at = witness("eq22")

    assert at["after"] == moments(at["alpha"], at["gamma"], ONE)[0] / 2
    assert at["after"] > (1 - at["alpha"] / 2) / 2 - at["alpha"] ** 2 / 4


def test_the_noise_within_the_sum() -> None:
    """(25): the Lyapunov function after a round of noise alone."""
    at = witness("eq25")
    gap, shift = moments(at["alpha"], at["gamma"], ZERO, noise=ONE)

    assert at["psi"] == gap / 2 + at["c"] * at["alpha"] ** 2 * shift
    assert at["psi"] > at["c"] * at["alpha"] ** 2 * ((1 + at["omega"]) * at["alpha"] ** 2 / 2 + at["gamma"])


def test_nothing_sent_leaves_the_shift() -> None:
    """The shifts' third line: what equals its shift is not sent, and the error stays."""
    at = witness("theorem5.shifts.line3")

    assert at["after"] == moments(at["alpha"], at["gamma"], ONE, ONE)[1] == 1


def test_equal_gradients_of_unequal_data() -> None:
    """Below Assumption 5: the instance's data, counted, have the means and squares of the witness."""
    at, data = witness("assumption5.alike"), ((-ONE, ONE), (ZERO, ZERO))
    means = [sum(xs, ZERO) / 2 for xs in data]

    assert [at["m_1"], at["m_2"]] == means
    assert [at["q_1"], at["q_2"]] == [sum((x * x for x in xs), ZERO) / 2 for xs in data]
    assert at["zeta2"] == sum(((m - sum(means) / 2) ** 2 for m in means), ZERO) / 2 == 0


def test_the_printed_product_of_sketches_is_another_matrix() -> None:
    """Sec. 3: S^T H S and S H S^T of the instance, multiplied out, and only the first is M of (3)."""
    at = witness("server.products")
    sketch, hessian = np.array([[0, 1], [0, 0]]), np.diag([at["h_1"], at["h_2"]])

    assert (sketch.T @ hessian @ sketch)[0, 0] == at["s_11"] ** 2 * at["h_1"] + at["s_21"] ** 2 * at["h_2"]
    assert (sketch.T @ hessian @ sketch)[0, 0] != (sketch @ hessian @ sketch.T)[0, 0]


@pytest.mark.parametrize(("id", "rounds_"), [("theorem5.fails", 2), ("corollary6.fails", 4)])
def test_two_workers_are_what_the_listing_makes_of_them(id: str, rounds_: int) -> None:
    """The metric of the two workers is at least what the refutation says, at its own numbers."""
    at = witness(id)
    slopes = ((ONE, ONE), (ONE, -ONE))
    states = rounds((ZERO, (ZERO, ZERO)), slopes, ONE, at["alpha"], at["gamma"], rounds_ - 1)

    assert mean_squared_gradient(states, slopes) >= at["alpha"] ** 2 / (2 * rounds_)
    assert mean_squared_gradient(states[:2], slopes) == at["alpha"] ** 2 / 4


@pytest.mark.parametrize("id", FLAWED)
def test_what_fails_fails_and_what_repairs_it_is_proved(id: str) -> None:
    """A line with a flaw is broken by exact numbers; a step that repairs it has a certificate."""
    mended = [step for step in STEPS.values() if step.repairs == id]

    assert decide(STEPS[id]).verdict in ("refuted", "damaged")
    assert [decide(step).verdict for step in mended] == ["proved"] * len(mended)


def doubled(step: Step) -> Step:
    """A step whose left side is twice what it is."""
    with sp.evaluate(False):
        return replace(step, claim=step.claim.func(2 * step.claim.args[0], step.claim.args[1]))


def raised(step: Step) -> Step:
    """A step whose left side is larger by 1."""
    with sp.evaluate(False):
        return replace(step, claim=step.claim.func(step.claim.args[0] + 1, step.claim.args[1]))


def bare(step: Step) -> Step:
    """A step without its last hypothesis."""
    return replace(step, given=step.given[:-1])


PLANTED = {
    "eq7": doubled, "eq26.last": bare, "lemma9.least": doubled, "lemma9.most": doubled, "eq10.each": raised,
    "eq10.ceiling": bare, "corollary6.gamma": doubled, "corollary6.leaves": bare, "corollary6.sum": raised,
    "theorem5.T.roots": raised, "theorem4.weight.repaired": bare, "eq22.stepsize.repaired": bare,
}  # fmt: skip


@pytest.mark.parametrize("id", PLANTED)
def test_a_planted_falsehood_is_refuted(id: str) -> None:
    """With another constant in the claim, or without what it rests on, numbers break a line."""
    step = STEPS[f"flecs.{id}"]

    assert decide(step).verdict == "proved"
    assert decide(PLANTED[id](step)).verdict == "refuted"


def test_the_reduction_of_the_bits() -> None:
    """At m = 1 and 8 bits a worker sends 16 d + 32 bits for 40 d + 32; at 32 bits the same."""

    def sent(name: str, bits: int) -> float:
        found = statement(f"{KEY}.communication.{name}").check(bits=bits, m=1, d=123)
        return float(found.to_dict()["derived"]["up"])

    assert (sent("cgd", 8), sent("flecs", 8)) == (16 * 123 + 32, 40 * 123 + 32)
    assert sent("cgd", 32) == sent("flecs", 32)
