"""The algebra under the ranges: signs, slopes, limits, elimination, against sampling and closed forms."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import pairwise

import flint
import pytest
import sympy as sp

from fedproof.algebra.elimination.problem import Problem
from fedproof.algebra.elimination.scaling import scale_vectors
from fedproof.algebra.polynomials import polynomial_in
from fedproof.algebra.projection.projection_polynomials import discriminant, resultant
from fedproof.algebra.ranges.interval_ends import inward, whole_hull
from fedproof.algebra.reading import compile_tree
from fedproof.algebra.regions.atoms import Atom
from fedproof.algebra.regions.limits import limit
from fedproof.algebra.regions.monotonicity import Shape
from fedproof.algebra.regions.region import STRICT, Region
from fedproof.algebra.roots import Root, compare, enclosure, isolate, simplest_between
from fedproof.algebra.signs import sign_at
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.interval import NONNEGATIVE, POSITIVE, UNIT

x, y = sp.symbols("x y", real=True)
SPACE = {"x": POSITIVE, "y": POSITIVE}


def shape() -> Shape:
    """What is known on the positive quadrant."""
    return Shape(Region(("x", "y"), SPACE))


def random_expression(rng: random.Random, depth: int) -> sp.Expr:
    """A random expression that is defined for positive x and y."""
    if depth == 0:
        return rng.choice([x, y, sp.Integer(rng.randint(1, 5)), sp.Rational(1, rng.randint(2, 5))])
    a, b = random_expression(rng, depth - 1), random_expression(rng, depth - 1)
    kind = rng.randrange(6)
    return [a + b, a * b, a / (1 + b**2), sp.sqrt(1 + a**2), a - b, a**2 + b][kind]


def test_signs_and_slopes_that_are_claimed_are_true() -> None:
    """Every sign and slope found for random expressions agrees with values at random points."""
    rng = random.Random(5)
    signs = slopes = 0
    for _ in range(60):
        expr = random_expression(rng, 3)
        tree, known = compile_tree(expr), shape()
        sign = known.sign(tree)
        slope = known.slope(tree, "x") if known.defined(tree) else None
        value = sp.lambdify((x, y), expr)
        for _ in range(20):
            u, v = 10 ** rng.uniform(-2, 2), 10 ** rng.uniform(-2, 2)
            here, there = value(u, v), value(u * 1.01, v)
            tolerance = 1e-9 * (1 + abs(here))
            if sign is not None:
                assert sign == 0 or here * sign >= -tolerance
            if slope is not None:
                assert abs(there - here) <= tolerance if slope == 0 else (there - here) * slope >= -tolerance
        signs += sign is not None
        slopes += slope is not None
    assert signs > 30
    assert slopes > 30


def test_strict_sign_respects_closed_ends() -> None:
    """On x in (0, 1] the polynomial 1 - x is not strictly positive, 2 - x is; with x >= 0, x is not."""
    for domain, expr, expected in (
        (UNIT, 1 - x, 1), (UNIT, 2 - x, STRICT), (UNIT, x, STRICT),
        (NONNEGATIVE, x, 1), (NONNEGATIVE, x + 1, STRICT),
        (NONNEGATIVE, x**2 - x + 1, STRICT), (NONNEGATIVE, x - 1, None), (UNIT, x**2 - 3 * x + 3, STRICT),
    ):  # fmt: skip
        assert Shape(Region(("x",), {"x": domain})).sign(compile_tree(expr)) == expected, (domain, expr)


def test_limits() -> None:
    """Limits as x grows: finite, infinite, and unknown ones."""
    known = Shape(Region(("x", "y"), SPACE))
    found = limit(compile_tree(sp.sqrt((x + y) / x) + 1 / x), "x", known)
    assert found is not None
    assert found.value is not None
    assert sign_at(compile_tree(sp.Integer(1)), {}) == 1
    assert not found.infinite
    grows = limit(compile_tree(-x * y + y), "x", known)
    assert grows is not None
    assert grows.infinite == -1
    assert limit(compile_tree(sp.sqrt(x + 1) - sp.sqrt(x)), "x", known) is None


def test_elimination_by_values_equals_the_library() -> None:
    """Discriminants and resultants of random polynomials agree with another algorithm, up to sign."""
    ctx = flint.fmpz_mpoly_ctx.get(("x", "y"), "lex")
    rng = random.Random(3)
    for _ in range(60):
        p, q = (
            ctx.from_dict({(rng.randint(0, 3), rng.randint(0, 4)): rng.randint(-9, 9) for _ in range(6)})
            for _ in range(2)
        )
        if min(p.degrees()[1], q.degrees()[1]) < 2:
            continue
        assert discriminant(p) == polynomial_in(p.discriminant("y"), 0)
        other = polynomial_in(p.resultant(q, "y"), 0)
        assert resultant(p, q) in (other, -other)


def test_roots_are_ordered_and_refined() -> None:
    """Roots of random polynomials come in order; refinement by Newton stays inside and shrinks."""
    rng = random.Random(1)
    for _ in range(40):
        poly = flint.fmpz_poly([rng.randint(-20, 20) for _ in range(rng.randint(3, 9))] + [1])
        points = isolate([poly])
        assert all(compare(a, b) < 0 for a, b in pairwise(points))
        for p in points:
            if isinstance(p, Root):
                low, high = enclosure(p, 64)
                finer = enclosure(p, 1024)
                assert low <= finer[0] <= finer[1] <= high
                assert finer[1] - finer[0] < Fraction(1, 2**900)


def test_nested_radicals_are_decided_exactly() -> None:
    """Denesting identities give zero, a change of 1e-40 gives a sign."""
    nested = sp.sqrt(5 + 2 * sp.sqrt(6))
    assert sign_at(compile_tree(nested - sp.sqrt(2) - sp.sqrt(3)), {}) == 0
    assert sign_at(compile_tree(nested - sp.sqrt(2) - sp.sqrt(3) + sp.Rational(1, 10**40)), {}) == 1
    root = isolate([flint.fmpz_poly([-2, 0, 0, 1])])[0]
    cube = compile_tree(x**3 - 2)
    assert sign_at(cube, {"x": root}) == 0
    assert sign_at(compile_tree(sp.sqrt(x**3 + 2) - 2), {"x": root}) == 0
    other = isolate([flint.fmpz_poly([-3, 0, 1])])[1]
    product = compile_tree(x**3 * y**2 - 6)
    assert sign_at(product, {"x": root, "y": other}) == 0
    assert sign_at(compile_tree(x * y - 2), {"x": root, "y": other}) == (
        1 if 2 ** (1 / 3) * 3**0.5 > 2 else -1
    )


def test_inward_and_whole_numbers() -> None:
    """Ends that are floats stay, others move inside; whole numbers respect open ends."""
    assert inward(Fraction(1), Fraction(2)) == (1.0, 2.0)
    low, high = inward(Fraction(1, 3), Fraction(2, 3))
    assert Fraction(1, 3) < Fraction(repr(low)) < Fraction(repr(high)) < Fraction(2, 3)
    assert (low - 1 / 3, high - 2 / 3) == pytest.approx((0, 0), abs=2e-16)
    assert whole_hull(Fraction(1), Fraction(2), True, True) is None
    assert whole_hull(None, Fraction(5, 2), True, False) == (None, 2)
    assert simplest_between(Fraction(3, 10), Fraction(2, 5)) == Fraction(1, 3)


@pytest.mark.parametrize("digits", [1, 30, 40, 90, 301])
def test_whole_numbers_beside_a_long_root(digits: int) -> None:
    """Beside sqrt(2 10^k), of any number of digits, they are those of the integer square root."""
    square = 2 * 10 ** (2 * digits + 1)
    low, high = isolate([flint.fmpz_poly([-square, 0, 1])])
    root = math.isqrt(square)

    assert whole_hull(low, high, True, True) == (-root, root)
    assert whole_hull(high, None, True, True) == (root + 1, None)


def test_change_of_units_is_found() -> None:
    """x/y <= 3 does not see a common factor; x + y^2 <= z needs weights 2, 1, 2."""
    atom = Atom(("a",), "<=", compile_tree(3 - x / y))
    (vector,) = scale_vectors(Problem((atom,), ("y",), ("x", "y"), SPACE))
    assert vector["x"] == vector["y"]
    mixed = Atom(("a",), "<=", compile_tree(sp.Symbol("z") - x - y**2))
    (vector,) = scale_vectors(Problem((mixed,), ("y",), ("x", "y", "z"), {**SPACE, "z": POSITIVE}))
    assert vector["x"] == vector["z"] == 2 * vector["y"]


def test_what_cannot_be_read_is_refused() -> None:
    """Transcendental functions and symbols in exponents are refused with one line."""
    for expr in (sp.exp(x), x ** sp.sqrt(2), sp.sin(x), x**y):
        with pytest.raises(InputError):
            compile_tree(expr)
