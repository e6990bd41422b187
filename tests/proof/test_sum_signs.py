"""Signs of sequences that hypotheses give, as multipliers and for what is left of sums."""

import pytest
import sympy as sp

from fedproof.proof.decide import decide
from fedproof.proof.forall import ForAll
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Step

_N = "n >= 0"
_P = "p(i) >= 0 for i = 1..n"
_A = "a(i) <= B for i = 1..n"


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        ("sum(x(i)*x(i), i, 1, n) >= 0", [_N]),
        ("sum(x(i)*x(i)*p(i), i, 1, n) >= 0", [_N, _P]),
        ("sum(p(i)*a(i), i, 1, n) <= B", ["sum(p(i), i, 1, n) = 1", _P, _A]),
        ("sum(p(i)*a(i), i, 1, n) <= B*sum(p(i), i, 1, n)", [_N, _P, _A]),
    ],
)
def test_signs_that_hypotheses_give_are_used(claim: str, given: list[str]) -> None:
    """What is >= 0 for each index of a range is a multiplier and a sign there, and so is a square."""
    assert decide(claim, given=given).verdict == "proved"


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        ("sum(x(i)*y(i), i, 1, n) >= 0", [_N]),
        ("sum(x(i)*x(i)*x(i), i, 1, n) >= 0", [_N]),
        ("sum(x(i)*x(i)*p(i), i, 1, n) >= 0", [_N, "p(i) >= 0 for i = 2..n"]),
        ("sum(p(i)*a(i), i, 1, n) <= B", ["sum(p(i), i, 1, n) = 1", "p(i) >= 0 for i = 2..n", _A]),
        ("sum(p(i)*a(i), i, 1, n) <= B*sum(p(i), i, 1, n)", [_N, "p(i) <= 0 for i = 1..n", _A]),
    ],
)
def test_signs_are_not_taken_beyond_their_range(claim: str, given: list[str]) -> None:
    """The same with a sign that is missing at one index, or is another, is refuted."""
    assert decide(claim, given=given).verdict == "refuted"


def test_numbers_beyond_all_doubles_break_nothing() -> None:
    """A coefficient such as 10^400 is proved with or left open, and raises nothing."""
    i, n, y = sp.Symbol("i", real=True), sp.Symbol("n", integer=True), sp.Symbol("y", real=True)
    x, large = sequence("x"), sp.Integer(10) ** 400
    plain = Step(total(large * x(i), i, 1, n) >= 0, (ForAll(x(i) >= 0, i, 1, n), n >= 0), rule="sum")
    mixed = Step(large * total(x(i), i, 1, n) <= y, (ForAll(x(i) <= 0, i, 1, n), n >= 0, y >= 0), rule="sum")
    assert decide(plain).verdict == "proved"
    assert decide(mixed, briefly=True).verdict in ("proved", "open")
