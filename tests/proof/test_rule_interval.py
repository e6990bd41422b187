"""Relations between constants by ball arithmetic: close calls go the right way, everything else is told."""

from __future__ import annotations

from random import Random
from typing import Any

import mpmath
import pytest
import sympy as sp
from sympy import Rational, cos, exp, log, pi, sin, sqrt

from fedproof.algebra.expressions import printed
from fedproof.proof.decide import decide
from fedproof.proof.rules.interval import decided
from fedproof.proof.step import Step
from tests.proof.logic import Eq, attempt, every, numbers

a, t = numbers("a t")

with printed():
    TRUE: dict[str, Any] = {
        "the eighth root of e": exp(Rational(1, 8)) < Rational(114, 100),
        "e": sp.E < Rational(2718281829, 10**9),
        "pi": pi > Rational(314159265, 10**8),
        "log 2": log(2) <= Rational(6932, 10000),
        "sine": sin(1) < Rational(8415, 10000),
        "cosine": cos(1) > Rational(54, 100),
        "almost whole": exp(pi * sqrt(163)) < 262537412640768744,
        "thirty digits": sqrt(2) > sp.Rational(141421356237309504880168872420, 10**29),
        "not equal": sp.Ne(exp(1), 3),
        "at least": exp(1) >= 2,
    }
    FALSE: dict[str, Any] = {
        "the eighth root of e": exp(Rational(1, 8)) < Rational(1133, 1000),
        "e": sp.E <= Rational(2718281828, 10**9),
        "pi": pi >= Rational(314159266, 10**8),
        "a power": 2 ** Rational(1, 3) >= Rational(126, 100),
        "almost whole": exp(pi * sqrt(163)) >= 262537412640768744,
        "thirty digits": sqrt(2) > sp.Rational(141421356237309504880168872421, 10**29),
        "equal": Eq(exp(1), 3),
        "equal the other way": Eq(3, exp(1)),
        "not equal": sp.Ne(Rational(1, 3), Rational(2, 6), evaluate=False),
        "at least": exp(1) >= 3,
    }
    OPEN: dict[str, Any] = {
        "a power, which the kernel does not enclose yet": 2 ** Rational(1, 3) < Rational(126, 100),
        "equal however many digits": Eq(sqrt(2) * sqrt(3), sqrt(6)),
        "at most, with equality": sqrt(2) * sqrt(3) <= sqrt(6),
        "a quotient by 0": 1 / (sqrt(2) * sqrt(3) - sqrt(6)) > 0,
        "log of a negative number": log(-1) < 5,
        "root of a negative number": (-2) ** Rational(1, 2) < 5,
        "0 times a quotient by 0": 0 * (1 / (sqrt(4) - 2)) >= 0,
        "a function that it does not know": sp.zeta(3) > 1,
        "a symbol": exp(a) > 0,
        "infinity": exp(1) < sp.oo,
    }


@pytest.mark.parametrize("name", TRUE)
def test_true_relations_are_proved(name: str) -> None:
    """Constants are told apart with as many digits as it takes."""
    decision = decide(Step(TRUE[name], rule="interval"))

    assert (decision.verdict, decision.engines) == ("proved", ("certificate",))


@pytest.mark.parametrize("name", FALSE)
def test_false_relations_are_not_proved(name: str) -> None:
    """A constant moved by little is refuted, or left open where both sides are equal."""
    decision = decide(Step(FALSE[name], rule="interval"))

    assert decision.verdict == ("open" if name == "not equal" else "refuted")


@pytest.mark.parametrize("name", OPEN)
def test_what_digits_do_not_tell_stays_open(name: str) -> None:
    """Equalities, what is undefined, unknown functions and symbols are neither proved nor refuted."""
    assert decide(Step(OPEN[name], rule="interval")).verdict == "open"


@pytest.mark.parametrize("given", [(a > 1, a < 0), (a > 1,), (every(a * t <= 1, t, 0, 1),)])
def test_hypotheses_with_letters_are_not_ignored(given: tuple[Any, ...]) -> None:
    """A relation between constants rests on no hypothesis; one with letters makes the rule step back."""
    assert "constants" in attempt(Step(TRUE["e"], given, rule="interval"))
    assert decide(Step(FALSE["e"], given, rule="interval")).verdict == "open"


def test_hypotheses_on_constants_are_decided_too() -> None:
    """A false hypothesis on constants lets nothing through, neither a proof nor a refutation."""
    true, never = TRUE["e"], FALSE["e"]
    assert decide(Step(true, (TRUE["pi"],), rule="interval")).verdict == "proved"
    assert decide(Step(true, (never,), rule="interval")).verdict == "open"
    assert decide(Step(never, (never,), rule="interval")).verdict == "open"


def constant(random: Random, depth: int) -> Any:
    """A random constant."""
    if depth == 0:
        return Rational(random.randint(-9, 9), random.randint(1, 7))
    one, two = constant(random, depth - 1), constant(random, depth - 1)
    kind = random.choice("+*/esrc")
    if kind == "+":
        return one + two
    if kind == "*":
        return one * two
    if kind == "/":
        return one / (two**2 + 1)
    if kind == "e":
        return exp(one / 9)
    if kind == "s":
        return sin(one)
    if kind == "c":
        return cos(one)
    return sqrt(one**2 + 1)


@pytest.mark.parametrize("seed", range(40))
def test_random_constants_against_mpmath(seed: int) -> None:
    """What balls decide of random constants agrees with another library's arithmetic of 60 digits."""
    random = Random(seed)
    with printed():
        one, two = constant(random, 3), constant(random, 3)
    with mpmath.workdps(60):
        worth = [sp.lambdify((), side, "mpmath")() for side in (one, two)]
        difference = worth[0] - worth[1]
    if abs(difference) < mpmath.mpf(10) ** -40:
        return
    assert decided(sp.Lt(one, two, evaluate=False)) is bool(difference < 0)
    assert decided(sp.Ge(one, two, evaluate=False)) is bool(difference > 0)
    assert decided(sp.Eq(one, two, evaluate=False)) is False
