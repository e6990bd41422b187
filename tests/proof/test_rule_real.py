"""Real algebra: true steps are proved, falsehoods near them are refuted, nothing undefined is let through."""

from __future__ import annotations

import pytest
import sympy as sp
from sympy import Abs, Max, Min, Rational, sqrt

from fedproof.algebra.expressions import printed
from fedproof.proof.decide import decide
from fedproof.proof.step import Given, Let, Step
from tests.proof.logic import Eq, numbers

x, y, z, w, eta, L, mu, lam, beta, tau, theta, p, q = numbers("x y z w eta L mu lam beta tau theta p q")

with printed():
    TRUE = {
        "arithmetic, geometric mean": (sqrt(x * y) <= (x + y) / 2, (x >= 0, y >= 0)),
        "harmonic, geometric mean": (2 / (1 / x + 1 / y) <= sqrt(x * y), (x > 0, y > 0)),
        "quadratic mean": ((x + y) / 2 <= sqrt((x**2 + y**2) / 2), ()),
        "Young with a weight": (x * y <= eta * x**2 / 2 + y**2 / (2 * eta), (eta > 0,)),
        "Young backwards": (x * y >= -eta * x**2 / 2 - y**2 / (2 * eta), (eta > 0,)),
        "Cauchy-Schwarz in the plane": ((x * z + y * w) ** 2 <= (x**2 + y**2) * (z**2 + w**2), ()),
        "triangle inequality": (Abs(x + y) <= Abs(x) + Abs(y), ()),
        "reverse triangle inequality": (Abs(Abs(x) - Abs(y)) <= Abs(x - y), ()),
        "maximum by absolute value": (Eq(Max(x, y), (x + y + Abs(x - y)) / 2), ()),
        "minimum below mean": (Min(x, y) <= (x + y) / 2, ()),
        "root is concave": ((sqrt(x) + sqrt(y)) / 2 <= sqrt((x + y) / 2), (x >= 0, y >= 0)),
        "root is subadditive": (sqrt(x + y) <= sqrt(x) + sqrt(y), (x >= 0, y >= 0)),
        "nested root": (sqrt(x + sqrt(x)) <= sqrt(x) + Rational(1, 2), (x >= 0,)),
        "rationalised": (Eq(1 / (sqrt(x + 1) + sqrt(x)), sqrt(x + 1) - sqrt(x)), (x >= 0,)),
        "a definition used": (eta * L <= Rational(1, 3), (Eq(eta, 1 / (beta * L)), L > 0, beta >= 3)),
        "a definition with a root": (x**2 <= 2, (Eq(x, sqrt(y)), y <= 2)),
        "definition substituted": (mu - lam > 0, (Eq(mu, lam + w), w > 0)),
        "quotient order": (x / (1 + x) <= y / (1 + y), (x >= 0, y >= x)),
        "a cube": (x**3 + y**3 >= x**2 * y + x * y**2, (x >= 0, y >= 0)),
        "Schur": (
            x * (x - y) * (x - z) + y * (y - x) * (y - z) + z * (z - x) * (z - y) >= 0,
            (x >= 0, y >= 0, z >= 0),
        ),
        "contradiction in a case": (x >= 1, (Max(x, 0) >= 1,)),
        "half-integer power": (x ** Rational(3, 2) <= (x + x**2) / 2, (x >= 0,)),
        "negative half power": (x ** Rational(-1, 2) <= 1, (x >= 1,)),
        "contrapositive": (x < 1, (x + y < 1, y >= 0)),
        "strict from strict": (x * y < 1, (x > 0, y > 0, x < 1, y < 1)),
        "a quotient that is defined": (sp.Ne(x, 0), (1 / x <= 1,)),
        "a root that is defined": (x >= 0, (sqrt(x) <= 1,)),
        "a named part whose facts hold": Step(
            p**2 + 1 >= 2 * p, (x >= 1,), lets=(Let(p, sqrt(x), (p >= 1,)),)
        ),
        "a name for 2 that is no exponent": Step(x**2 + p >= 2 * x, lets=(Let(p, sp.Integer(2), (p >= 1,)),)),
        "a cube root": (x ** Rational(1, 3) >= 2, (x >= 8,)),
        "a square of a cube root": (x ** Rational(2, 3) + 1 >= 2 * x ** Rational(1, 3), (x >= 0,)),
    }
    FALSE = {
        "mean the wrong way": (sqrt(x * y) >= (x + y) / 2, (x >= 0, y >= 0)),
        "constant off by little": (x * y <= Rational(49, 100) * (x**2 + y**2), ()),
        "Young without its weight's sign": (x * y <= eta * x**2 / 2 + y**2 / (2 * eta), (eta < 1,)),
        "Jensen the wrong way": ((sqrt(x) + sqrt(y)) / 2 >= sqrt((x + y) / 2), (x >= 0, y >= 0)),
        "triangle without absolute value": (Abs(x + y) <= x + y, ()),
        "reverse triangle, sign lost": (Abs(x) - Abs(y) >= Abs(x - y), ()),
        "root of a square is no identity": (Eq(sqrt(x**2), x), ()),
        "square root below": (sqrt(x) <= x, (x >= 0,)),
        "strict where equality happens": (x**2 + y**2 > 2 * x * y, ()),
        "squaring loses a sign": (x <= y, (x**2 <= y**2,)),
        "dividing by what may be negative": (x <= y / z, (x * z <= y, Eq(z**2, 1))),
        "cancelling what may vanish": (Eq(x, y), (Eq(x * z, y * z),)),
        "monotone only above": (
            x / (1 + x) <= y / (1 + y),
            (y >= x, x >= -3, Abs(1 + x) > 0, Abs(1 + y) > 0),
        ),
        "maximum for sum": (x + y <= Max(x, y), ()),
        "minimum of a product": (Min(x * y, y) >= y * Min(x, 1), ()),
        "exponent off by one": (x**3 <= x**2, (x >= 0,)),
        "hypothesis forgotten": (eta * L <= Rational(1, 3), (Eq(eta, 1 / (beta * L)), L > 0, beta >= 2)),
        "tau = 0": (theta <= tau, (tau >= 0, theta > 0, theta <= 1)),
        "a margin that may be 0": (lam < mu, (mu >= lam, lam >= 0)),
        "negative only": (x**3 >= x - 1, ()),
        "a pole grants nothing": (x > 5, (1 / x >= 0,)),
        "a root of two signs": (x >= 0, (sqrt(x**2 + x) >= 0,)),
        "a root of two signs, below": (x <= -1, (sqrt(x**2 + x) >= 0,)),
        "x/x = 1": (Eq(x, 1), (Eq(x / x, 1),)),
        "a named part with a false fact": Step(x >= 4, (x >= 1,), lets=(Let(p, sqrt(x), (p >= 2,)),)),
        "a cube root of 1": (x ** Rational(1, 3) >= 2, (x >= 1,)),
    }
    #: undefined for some values that the hypotheses allow; where it is defined it holds
    UNDEFINED = {
        "quotient": (x / x >= 1, ()),
        "quotient of a difference": (Eq((x**2 - y**2) / (x - y), x + y), ()),
        "root": (sqrt(x) ** 2 >= x, ()),
        "inverse": (1 / x**2 > 0, ()),
        "root below a root": (sqrt(x - sqrt(y)) >= 0, (y >= 0,)),
        "maximum hides it": (Max(1 / x, 0) >= 0, ()),
        "times zero": (0 * (1 / x) >= 0, (x >= 0,)),
        "negative power of a root": (1 / sqrt(x) > 0, (x >= 0,)),
    }
    UNMET = {"a cube root of 7": (x ** Rational(1, 3) >= 2, (x >= 7,))}
    VACUOUS = {
        name: (x >= 1000, given)
        for name, given in {
            "an empty interval": (x > 1, x < 0),
            "equal and greater": (Eq(x, y), x > y),
            "a negative square": (Eq(x**2, -1),),
            "a negative root": (sqrt(x) <= -1,),
            "a factor 0": (Eq(x * y, 1), Eq(x, 0)),
            "falsehood": (Given(sp.false),),
        }.items()
    }


def test_a_fact_may_not_rest_on_a_part_that_is_named_later() -> None:
    """Two named parts cannot vouch for each other, nor one for itself."""
    for lets in [(Let(p, q), Let(q, p)), (Let(p, p + 1),), (Let(p, x), Let(p, y))]:
        with pytest.raises(ValueError, match="a new name for a part"):
            Step(p > 0, lets=lets)


@pytest.mark.parametrize(
    "claim",
    [sp.exp(x) >= 1 + x, Eq(sp.I * x, 0), Eq(x ** sp.sqrt(2), x), x <= sp.pi, sp.sin(x) <= 1, x ** y >= 0,
     Eq(sp.Pow(x, 1 + sp.sqrt(2) / 10**18), x), x ** sp.sqrt(2) <= x + 1],
    ids=str,
)  # fmt: skip
def test_what_is_no_real_algebra_stays_open(claim: sp.Basic) -> None:
    """Functions, irrational powers, infinity and the imaginary unit are told, not guessed at, no crash."""
    decision = decide(Step(claim, (x > 0,)))

    assert decision.verdict == "open"
    assert "does not apply" in decision.detail or "no certificate was found" in decision.detail
