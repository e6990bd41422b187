"""Clearing roots, quotients, Max, Min and Abs proves nothing false: planted and random falsehoods."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import flint
import pytest
import sympy as sp

from fedproof.proof.engines import smt as engine
from fedproof.proof.engines.engine_pair import EnginePair
from fedproof.proof.engines.smt import prove
from fedproof.proof.engines.smtlib import refutation
from fedproof.proof.rules.identity_testing import Point

x, y, z = sp.symbols("x y z", real=True)
ROOT, HALF = sp.sqrt, sp.Rational(1, 2)


def at_least(left: sp.Expr, right: sp.Expr) -> sp.Basic:
    """left >= right as it is typed."""
    return sp.Ge(left, right, evaluate=False)


def equal(left: sp.Expr, right: sp.Expr) -> sp.Basic:
    """left = right as it is typed."""
    return sp.Eq(left, right, evaluate=False)


with sp.evaluate(False):
    DIFFERENCE = (x - y) / (ROOT(x) - ROOT(y))
    FALSE = {
        "a root squared, of a number of any sign": ([], equal(ROOT(x) ** 2, x)),
        "the root of a square": ([], equal(ROOT(x**2), x)),
        "the reciprocal of a number of any sign": ([], 1 / x > 0),
        "a reciprocal where zero is not excluded": ([x >= 0], 1 / x > 0),
        "a product with a reciprocal": ([], equal(x * (1 / x), 1)),
        "a reciprocal of a reciprocal": ([], equal(1 / (1 / x), x)),
        "nought times what is undefined": ([x >= 0], equal(0 * (1 / x), 0)),
        "the root of a negative number": ([x < 0], at_least(ROOT(x), 0)),
        "the root of a negative number, any claim": ([x < 0], equal(ROOT(x), ROOT(x))),
        "nested roots, the inner one undefined": ([], at_least(ROOT(1 + ROOT(x)), 1)),
        "nested roots, the outer one undefined": ([x >= 0], at_least(ROOT(ROOT(x) - 1), 0)),
        "nested roots of a quotient over zero": ([x >= 0], at_least(ROOT(1 + ROOT(1 / x)), 1)),
        "the root of a quotient over zero": ([x >= 0], at_least(ROOT(1 / x), 0)),
        "the root of a quotient over zero, squared": ([x >= 0], equal(x * ROOT(1 / x) ** 2, 1)),
        "the root of a quotient of any signs": ([], equal(ROOT(x / y), ROOT(x) / ROOT(y))),
        "the reciprocal of a root at zero": ([x >= 0], 1 / ROOT(x) > 0),
        "the reciprocal of a difference of roots": ([x > 0, y > 0], equal(DIFFERENCE, ROOT(x) + ROOT(y))),
        "an absolute value over zero": ([], at_least(sp.Abs(1 / x), 0)),
        "the larger of two over zero": ([], at_least(sp.Max(1 / x, 1), 1)),
        "the larger of two over zero, turned": ([], at_least(sp.Max(1, 1 / x), 1)),
        "the larger of two opposite ones over zero": ([], at_least(sp.Max(1 / x, -1 / x), 0)),
        "the smaller of two over zero": ([], at_least(1, sp.Min(1, 1 / x))),
        "the larger of roots": ([], at_least(sp.Max(ROOT(x), ROOT(-x)), 0)),
        "a root is not its negative": ([x > 0], at_least(-ROOT(x), 0)),
        "roots do not add": ([x >= 0, y >= 0], equal(ROOT(x + y), ROOT(x) + ROOT(y))),
        "an order over a denominator of any sign": ([x > y], at_least(x / z, y / z)),
        "a half-integer power of any sign": ([], at_least(x ** sp.Rational(3, 2), 0)),
        "a negative half-integer power": ([x >= 0], at_least(x ** -HALF, 0)),
        "false, from nothing": ([], sp.false),
        "false, from a hypothesis undefined somewhere": ([at_least(ROOT(x), 0)], sp.false),
    }  # fmt: skip
    TRUE = {
        "a root squared": ([x >= 0], equal(ROOT(x) ** 2, x)),
        "the root of a square": ([], equal(ROOT(x**2), sp.Abs(x))),
        "the root of a quotient": ([x > 0], equal(x * ROOT(1 / x) ** 2, 1)),
        "the root of a quotient of negatives": ([x < 0, y < 0], equal(ROOT(x / y) ** 2 * y, x)),
        "the reciprocal of a reciprocal": ([sp.Ne(x, 0)], equal(1 / (1 / x), x)),
        "nested roots": ([x >= 1], at_least(ROOT(ROOT(x) - 1), 0)),
        "nested roots of a quotient": ([x > 0], at_least(ROOT(1 + ROOT(1 / x)), 1)),
        "the larger of two": ([sp.Ne(x, 0)], at_least(sp.Max(1 / x, -1 / x), 0)),
        "the larger of roots": ([equal(x, 0)], at_least(sp.Max(ROOT(x), ROOT(-x)), 0)),
        "min and max": ([], equal(sp.Min(x, y) + sp.Max(x, y), x + y)),
        "the reciprocal of a difference of roots": (
            [x > y, y > 0],
            equal(DIFFERENCE, ROOT(x) + ROOT(y)),
        ),
    }


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_or_undefined_somewhere_is_never_proved(name: str) -> None:
    """Each engine finds where the claim fails; where a claim is undefined it fails."""
    assert [a for _, a in prove(*FALSE[name]).answers] == ["sat", "sat"]


@pytest.mark.parametrize("name", TRUE)
def test_with_the_missing_condition_it_is_proved(name: str) -> None:
    """Nothing true is lost by asking that everything be defined."""
    assert prove(*TRUE[name]).proved


def test_a_hypothesis_does_not_hold_where_it_is_undefined() -> None:
    """It says something of the points where it is defined and nothing of the others."""
    defined = at_least(ROOT(x), 0)
    with sp.evaluate(False):
        cancelled = equal(x / x, 1)

    assert prove([defined], x >= 0).proved
    assert prove([defined, x < 0], sp.false).proved
    assert prove([cancelled], sp.Ne(x, 0)).proved
    assert not prove([at_least(sp.Abs(y), ROOT(x))], y > 0).proved_by
    assert not prove([x > 0, at_least(ROOT(x), 0)], x >= 1).proved_by


@pytest.mark.parametrize(
    "name", ["lambda", "let", "and", "h_0", "c_0", "h_max0", "c_max0", "x'", "a b", "λ", "0"]
)
def test_any_name_may_be_a_symbol(name: str) -> None:
    """Reserved words and the names of our own fresh variables are told apart from the user's."""
    s = sp.Symbol(name, real=True)
    given = [s > 4, at_least(sp.Max(ROOT(s), 1), 1)]

    assert prove(given, sp.Max(ROOT(s), 1) > 2).proved
    assert not prove(given, ROOT(s) > 3).proved_by


def test_a_name_that_would_end_its_quotes_is_refused() -> None:
    """No name can smuggle text into the question."""
    with pytest.raises(ValueError, match="cannot be written"):
        refutation([], sp.Symbol("x|) (assert false) (|", real=True) > 0)


@pytest.mark.parametrize(
    "claim", [sp.exp(x) > 1, x > sp.pi, sp.floor(x) > y, x > sp.Float(0.5), sp.Or(x > 0, y > 0)]
)
def test_what_is_not_algebraic_is_refused(claim: sp.Basic) -> None:
    """The translation says so and never approximates."""
    with pytest.raises(TypeError, match=r"no algebraic meaning|no relation"):
        refutation([], claim)


# Random claims, held against an evaluator that knows nothing of the translation.

SEED, CASES, POINTS = 7, 60, 200
COORDINATES = [Fraction(s * n * n, d * d) for n in range(4) for d in (1, 2, 3) for s in (1, -1)]
COORDINATES += [Fraction(n, d) for n in (-7, -3, -2, 2, 3, 5) for d in (1, 2)]


class Undecided(Exception):
    """Too close to zero to tell."""


def holds(relation: sp.Basic, point: dict[str, Fraction]) -> bool:
    """Whether a relation holds in balls, which it does not where a side is undefined anywhere inside."""
    with flint.ctx.workprec(256):
        gap = Point(random.Random(0), dict(point)).gap(relation)
    if not gap.is_finite():
        return False
    if gap.contains(0) and not gap.is_zero():
        raise Undecided
    if isinstance(relation, sp.Eq):
        return bool(gap.is_zero())
    return bool(gap > 0 or (gap.is_zero() and isinstance(relation, (sp.Ge, sp.Le))))


def expression(rng: random.Random, depth: int) -> sp.Expr:
    """A random expression, as it is typed."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([x, x, y, y, sp.Integer(1), sp.Integer(2), HALF, sp.Integer(-1)])
    a, b = expression(rng, depth - 1), expression(rng, rng.randrange(depth))
    return rng.choice(
        [
            lambda: sp.Add(a, b, evaluate=False),
            lambda: sp.Mul(a, b, evaluate=False),
            lambda: sp.Mul(a, sp.Pow(b, -1, evaluate=False), evaluate=False),
            lambda: sp.Pow(a, HALF, evaluate=False),
            lambda: sp.Pow(a, HALF, evaluate=False),
            lambda: sp.Pow(a, rng.choice([-1, 2, -HALF]), evaluate=False),
            lambda: sp.Max(a, b, evaluate=False),
            lambda: sp.Min(a, b, evaluate=False),
            lambda: sp.Abs(a, evaluate=False),
        ]
    )()


def claims(rng: random.Random) -> Iterator[tuple[list[sp.Basic], sp.Basic]]:
    """Random claims of which many hold wherever they are defined, under hypotheses that may see to that."""
    signs = [x > 0, x >= 0, x < 0, y > 0, y >= 0, y >= 1, sp.Gt(x, y), sp.Ge(x, y)]
    while True:
        a, b = expression(rng, 2), expression(rng, 1)
        given = rng.sample(signs, rng.randrange(4))
        if rng.random() < 0.3:
            given.append(at_least(expression(rng, 2), b))
        with sp.evaluate(False):
            yield (
                given,
                rng.choice(
                    [
                        sp.Ge(a, b),
                        sp.Gt(a + 2, a),
                        sp.Ge(sp.Abs(a, evaluate=False), a),
                        sp.Ge(sp.Max(a, b, evaluate=False), b),
                        sp.Ge(a**2 + b**2, 2 * a * b),
                        sp.Eq(a**HALF * a**HALF, a),
                        sp.Ge((a**HALF) + b, b),
                    ]
                ),
            )


def cases() -> list[tuple[list[sp.Basic], sp.Basic]]:
    """Those in which x or y occurs."""
    stream = claims(random.Random(SEED))
    return [c for c in (next(stream) for _ in range(2 * CASES)) if c[1].free_symbols][:CASES]


def broken(given: list[sp.Basic], claim: sp.Basic, rng: random.Random) -> dict[str, Fraction] | None:
    """A random point that breaks a claim, or None."""
    for _ in range(POINTS):
        point = {s: rng.choice(COORDINATES) for s in ("x", "y")}
        try:
            if all(holds(h, point) for h in given) and not holds(claim, point):
                return point
        except Undecided:
            continue
    return None


def test_random_claims_that_are_proved_are_never_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """No point breaks what both engines prove, nor what one of them proves, undefined being broken."""
    monkeypatch.setattr(engine, "_answers", EnginePair(cpu=1.0, grace=0.5, check=0.2).ask)
    rng, outcomes = random.Random(SEED + 1), []
    for given, claim in cases():
        outcome, point = prove(given, claim, 2.0), broken(given, claim, rng)
        assert point is None or not outcome.proved_by, (given, claim, point)
        outcomes.append((outcome.proved, point is not None))

    assert len(outcomes) == CASES
    assert sum(proved for proved, _ in outcomes) >= 12
    assert sum(false for _, false in outcomes) >= 18
