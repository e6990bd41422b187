"""Roots of any index: signs, ranges, intervals and solver text, each against what is known beforehand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint
import numpy as np
import pytest
import sympy as sp

from fedproof.algebra.arithmetic import Enclosure, Intervals, Jets, Reals
from fedproof.algebra.exact_evaluation import evaluate_expression, evaluate_relation
from fedproof.algebra.expressions import FractionAlgebra, fold
from fedproof.algebra.formula import Formula, Relation
from fedproof.algebra.ranges.admissible import admissible
from fedproof.algebra.reading import compile_tree
from fedproof.algebra.roots import isolate
from fedproof.algebra.signs import sign_at
from fedproof.proof.engines.smtlib import refutation
from fedproof.vocabulary.interval import POSITIVE
from tests.algebra.conditions_fedproxvr import Row

x, T, L, e = sp.symbols("x T L e", real=True)
THIRD = sp.Rational(1, 3)


def root(value: Any, index: int = 3) -> Any:
    """A root as it is typed, nothing evaluated."""
    return sp.Pow(value, sp.Rational(1, index), evaluate=False)


#: Ramanujan: the cube root of (the cube root of 2) - 1
NINTHS = root(sp.Rational(1, 9)) - root(sp.Rational(2, 9)) + root(sp.Rational(4, 9))


@pytest.mark.parametrize(
    ("expr", "sign"),
    [
        (root(sp.sqrt(5) + 2) - root(sp.sqrt(5) - 2) - 1, 0),
        (root(sp.sqrt(5) + 2) - root(sp.sqrt(5) - 2) - 1 + sp.Rational(1, 10**40), 1),
        (root(root(sp.Integer(2)) - 1) - NINTHS, 0),
        (root(sp.Integer(5), 5) ** 5 - 5, 0),
        (root(sp.Integer(4), 6) - root(sp.Integer(2)), 0),
        (root(sp.Integer(-8)), None),
        (root(sp.Integer(0)), 0),
    ],
)
def test_signs_are_exact(expr: Any, sign: int | None) -> None:
    """Identities between nested roots are told from what is off by 1e-40, and undefined roots are told."""
    assert sign_at(compile_tree(expr), {}) == sign


def test_a_root_of_an_algebraic_number_is_exact() -> None:
    """At the real root c of x^3 = 2, the cube root of c^3 + 6 is 2, and that of c^6 is c^2."""
    (cube,) = isolate([flint.fmpz_poly([-2, 0, 0, 1])])

    assert sign_at(compile_tree(root(x**3 + 6) - 2), {"x": cube}) == 0
    assert sign_at(compile_tree(root(x**6) - x**2), {"x": cube}) == 0
    assert sign_at(compile_tree(root(x) - sp.Rational(126, 100)), {"x": cube}) == -1
    inside = 2 + sp.sqrt(2) + sp.sqrt(3 * x - 1)  # whose last root is 0 at 1/3, as no ball can tell
    cubed = sp.Mul(root(inside), root(inside), root(inside), evaluate=False)
    assert sign_at(compile_tree(cubed - 2 - sp.sqrt(2)), {"x": Fraction(1, 3)}) == 0


@pytest.mark.parametrize(
    ("relations", "target", "values", "exact"),
    [
        ([T ** (-THIRD) <= sp.Rational(1, 100)], "T", {}, [["1000000", None]]),
        ([T ** (2 * THIRD) < 9], "T", {}, [["0", "27"]]),
        ([L * T ** (-THIRD) + 1 / T <= sp.Rational(5, 8)], "T", {"L": 1}, [["8", None]]),
        ([root(T, 5) >= 2], "T", {}, [["32", None]]),
        ([root(T + 7) - root(T) >= 1], "T", {}, [["0", "1"]]),
        ([L * T ** (-THIRD) + sp.sqrt(L / T) <= e], "L", {"T": 1000, "e": "1/10"},
         [["0", "(21 - sqrt(41))/20"]]),
        ([L * T ** (-THIRD) <= e, e <= sp.Rational(1, 10)], "T", {"L": 1}, [["1000", None]]),
        ([T ** (-2 * THIRD) + L**THIRD <= e, e <= sp.Rational(1, 10), L >= 1 / T], "T", {},
         [["650 + 110*sqrt(35)", None]]),
    ],
)  # fmt: skip
def test_ranges_have_the_ends_that_powers_give(relations: Any, target: str, values: Any, exact: Any) -> None:
    """Ends of conditions with roots are those that one finds by hand, other symbols given or free."""
    rows = [Row(f"c{i}", r) for i, r in enumerate(relations)]
    given = {name: Fraction(value) for name, value in values.items()}

    assert admissible(rows, target, given, dict.fromkeys("TLe", POSITIVE)).exact == exact


@pytest.mark.parametrize("index", [3, 4, 5, 7])
def test_planted_powers_are_decided_at_the_border(index: int) -> None:
    """For T = k^q the conditions c T^(1/q) + s <= c k + s hold with equality, and by no rounding."""
    for k in (Fraction(3, 7), Fraction(10**12 + 1, 3), Fraction(1, 10**9)):
        for slack, holds in ((0, True), (Fraction(-1, 10**60), False)):
            limit = 5 * k + 11 + slack
            claim = sp.Le(
                5 * root(T, index) + 11, sp.Rational(limit.numerator, limit.denominator), evaluate=False
            )
            assert evaluate_relation(claim, {"T": k**index}).holds is holds
        assert evaluate_expression(root(T, index), {"T": k**index}) == float(k)
        assert fold(root(T, index), FractionAlgebra(), {"T": k**index}) == k
    with pytest.raises(ValueError, match="not rational"):
        fold(root(T, index), FractionAlgebra(), {"T": Fraction(2)})


def test_intervals_and_jets_of_roots() -> None:
    """Intervals hold the exact root of both ends, within a few units; jets hold its slope."""
    values = np.concatenate([np.array([0.0, 1.0, 8.0, 5e-324]), np.geomspace(1e-300, 1e300, 200)])
    for index in (2, 3, 5, 6):
        found = Intervals().root(Enclosure(values, values), index)
        for value, lo, hi in zip(values, found.lo, found.hi, strict=True):
            assert max(Fraction(lo), Fraction(0)) ** index <= Fraction(value)
            assert hi == np.inf or Fraction(value) <= Fraction(hi) ** index
        assert np.all((found.hi - found.lo)[4:] <= 1e-12 * found.hi[4:])
        value, slope = Formula(root(T, index)).within(Jets(Reals(), 1), {"T": (64.0, 1.0)})
        assert slope == pytest.approx(value / 64 / index, rel=1e-14)
    assert np.isnan(Intervals().root(Enclosure(-values[2:3], values[2:3]), 3).lo).all()


def test_arrays_are_decided_as_their_elements_are() -> None:
    """A relation over arrays holds where it holds at the shortest decimals, borders included."""
    k = np.array([0.1, 0.2, 0.3, 7.0, 1e-5])
    claim = Relation(sp.And(root(T) <= x, x <= 5))
    cubes = np.array(
        [float(str(Fraction(str(v)) ** 3)) if v == 7 else float(Fraction(str(v)) ** 3) for v in k]
    )

    found = claim.holds({"T": cubes[:, None], "x": k[None, :]})

    for i, cube in enumerate(cubes):
        for j, v in enumerate(k):
            at = {"T": Fraction(repr(float(cube))), "x": Fraction(repr(float(v)))}
            assert found[i, j] == claim.holds(at)
    assert not found.all()
    assert found[0, 0]
    values = Formula(root(T) / x).at({"T": cubes, "x": k})
    assert values == pytest.approx(np.ones(5), rel=1e-14)


def test_a_root_in_a_step_is_a_fresh_number() -> None:
    """A cube root reaches solvers as v >= 0 with v v v = T, and only where T >= 0."""
    text = refutation([T >= 8], T**THIRD >= 2)

    assert "(assert (=> (>= $T 0) (and (>= c_0 0) (= (* c_0 c_0 c_0) $T))))" in text
    assert "(assert (or (< $T 0)" in text
