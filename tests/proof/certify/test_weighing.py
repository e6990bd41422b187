"""Multipliers are found: numbers propose them, the kernel checks the proofs, and falsehoods stay open."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

import fedproof as fp
from fedproof.proof.certify.weighing import proposed
from fedproof.proof.forall import ForAll
from fedproof.proof.rules.normalise_step import meant, normalised
from fedproof.proof.rules.query import relations
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Given, Step

i, t, n, T, B, q, s = sp.symbols("i t n T B q s", real=True)
x, y, e = (sequence(name, nonnegative=True) for name in ("x", "y", "e"))
F = sequence("F")
INSIDE, ROUNDS = (i, 1, n), (t, 0, T - 1)
SOME = (n >= 1, T >= 1, B > 0)


def step(claim: Any, *given: Any) -> Step:
    """A claim linear in sums, whose hypotheses have no multiplier."""
    return Step(claim, (*SOME, *given), rule="sum")


MEAN = step(total(x(i), *INSIDE) / n <= B, ForAll(x(i) <= B, *INSIDE))
WEIGHTED = step(
    total(x(i) * y(i), *INSIDE) <= B * q, ForAll(x(i) <= B, *INSIDE), sp.Eq(total(y(i), *INSIDE), q)
)
TELESCOPED = step(B * total(e(t), *ROUNDS) <= F(0) - F(T), ForAll(F(t + 1) <= F(t) - B * e(t), *ROUNDS))
CHAINED = step(
    total(x(i), *INSIDE) <= 6 * n * q, ForAll(x(i) <= 2 * y(i), *INSIDE), ForAll(y(i) <= 3 * q, *INSIDE)
)
LARGE = step(
    total(x(i), *INSIDE) / 997 + total(y(i), *INSIDE) / 991 <= n * B / 997 + n * q / 991,
    ForAll(x(i) <= B, *INSIDE),
    ForAll(y(i) <= q, *INSIDE),
)
NAMED = step(sp.Eq(s, B * q), sp.Eq(s, B * total(x(i), *INSIDE) / n), sp.Eq(q, total(x(i), *INSIDE) / n))


@pytest.mark.parametrize(("asked", "factors"), [
    (MEAN, {1 / n}),
    (WEIGHTED, {y(i), B}),
    (TELESCOPED, {sp.Integer(1)}),
    (CHAINED, {sp.Integer(1), sp.Integer(2)}),
])  # fmt: skip
def test_multipliers_are_those_a_reader_would_take(asked: Step, factors: set[sp.Expr]) -> None:
    """One for each hypothesis that is needed, and none for the others."""
    prepared = meant(normalised(asked))
    chosen = next(proposed(prepared))

    assert {sp.simplify(use.factor) for _, use in chosen} == factors
    assert all(use.relation == relations(prepared)[place][0] for place, use in chosen)


@pytest.mark.parametrize("asked", [MEAN, WEIGHTED, TELESCOPED, CHAINED, LARGE, NAMED])
def test_a_step_needs_no_multipliers(asked: Step) -> None:
    """What numbers propose proves it, by a certificate."""
    assert fp.decide(asked, briefly=True).verdict == "proved"


@pytest.mark.parametrize("asked", [
    step(total(x(i), *INSIDE) / n <= B, ForAll(x(i) <= 2 * B, *INSIDE)),
    step(total(x(i) * y(i), *INSIDE) <= B * q, ForAll(x(i) <= B, *INSIDE), sp.Eq(total(x(i), *INSIDE), q)),
    step(B * total(e(t), *ROUNDS) <= F(0) - F(T + 1), ForAll(F(t + 1) <= F(t) - B * e(t), *ROUNDS)),
    step(B * total(F(t), *ROUNDS) <= B * total(e(t), *ROUNDS), ForAll(-F(t) <= e(t), *ROUNDS)),
])  # fmt: skip
def test_a_falsehood_beside_each_is_not_proved(asked: Step) -> None:
    """Another bound, the weights of another sequence, a term too many, the other sign."""
    assert fp.decide(asked, briefly=True).verdict != "proved"


@pytest.mark.filterwarnings("error")
def test_points_where_something_is_undefined_are_left_out() -> None:
    """A multiplier that is no number everywhere is none, and nobody is warned of it."""
    odd = step(total(x(i), *INSIDE) / (q - 1) <= B * n / (q - 1), sp.Gt(q, 1), ForAll(x(i) <= B, *INSIDE))
    free = step(total(x(i), *INSIDE) * q / T <= B * n * q / s, ForAll(x(i) <= B * T / s, *INSIDE), q >= 0)

    assert fp.decide(odd, briefly=True).verdict == "proved"
    assert list(proposed(meant(normalised(free)))) is not None


@pytest.mark.parametrize("weight", [-5, 1, B, None])
def test_a_multiplier_that_does_not_serve_is_no_obstacle(weight: Any) -> None:
    """A step is proved with the multipliers that it gives, or else without them."""
    given = tuple(
        Given(said, weight=None if weight is None else sp.sympify(weight)) for said in (B >= 1, q >= 0)
    )
    assert fp.decide(Step(B**2 >= B, given, rule="sum")).verdict == "proved"
    assert fp.decide(Step(B**2 >= 2 * B, given, rule="sum")).verdict == "refuted"
