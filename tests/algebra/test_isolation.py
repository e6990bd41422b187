"""Real roots by signs are those among all complex roots, and large numbers take no longer than seconds."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from time import process_time

import flint
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import fedproof as fp
from fedproof.algebra.isolation import LARGE, by_signs, real_roots, refined
from fedproof.algebra.roots import factors

parts = st.lists(st.integers(-(10**6), 10**6), min_size=3, max_size=7).map(flint.fmpz_poly)


@settings(max_examples=60, deadline=None)
@given(parts, parts)
def test_both_ways_find_the_same_roots(one: flint.fmpz_poly, other: flint.fmpz_poly) -> None:
    """As many balls, one by one around the same number, apart and as narrow as asked."""
    for poly in factors(one * other):
        if poly.degree() < 2 or poly.degree() * poly.height_bits() > LARGE:
            continue
        expected, found = real_roots(poly, 64), by_signs(poly, 64)

        assert len(found) == len(expected)
        assert all(a.overlaps(b) for a, b in zip(found, expected, strict=True))
        assert all(a < b for a, b in pairwise(found))
        assert all(ball.rel_accuracy_bits() >= 64 for ball in found)


def test_larger_numbers_have_as_many_roots_as_sturm_counts() -> None:
    """Degree up to 14 and coefficients up to 10^30 of very different sizes: SymPy counts signs of a chain."""
    chance, seen = Random(4), 0
    while seen < 40:
        degree = chance.randint(2, 14)
        drawn = [chance.randint(-(10**k), 10**k) for k in (chance.randint(0, 30) for _ in range(degree))]
        for poly in factors(flint.fmpz_poly([*drawn, 10 ** chance.randint(0, 30)])):
            if poly.degree() > 1:
                seen += 1
                expected = sp.Poly([int(c) for c in poly.coeffs()[::-1]], sp.Symbol("x")).count_roots()
                assert len(by_signs(poly, 64)) == expected


def test_near_roots_of_large_numbers_are_told_apart() -> None:
    """(x - N)^4 - 2 and (N x - 1)^4 - 2 for N = 10^80: the polynomial changes its sign across each ball."""
    n = 10**80
    near = flint.fmpz_poly([-n, 1]) ** 4 - 2
    shift = flint.fmpz_poly([-1, n]) ** 4 - 2
    started = process_time()
    for poly in (near, shift):
        assert poly.degree() * poly.height_bits() > LARGE / 2
        low, high = by_signs(poly, 64)
        assert low < high
        for ball in (low, high):
            with flint.ctx.workprec(4000):
                below, above = poly(flint.fmpq(*_pair(ball.lower()))), poly(flint.fmpq(*_pair(ball.upper())))
            assert (below > 0) != (above > 0)
    assert process_time() - started < 5


def _pair(exact: flint.arb) -> tuple[int, int]:
    mantissa, exponent = (int(part) for part in exact.man_exp())
    return mantissa * 2 ** max(exponent, 0), 2 ** max(-exponent, 0)


def test_a_ball_is_narrowed_and_not_found_anew() -> None:
    """(x - N)^4 - 2 for N = 10^30 to 4,096 bits: more digits make up for what its coefficients cancel."""
    poly = flint.fmpz_poly([-(10**30), 1]) ** 4 - 2
    for ball in by_signs(poly, 600):
        narrow = refined(poly, ball, 4096)

        assert narrow is not None
        assert narrow.overlaps(ball)
        assert narrow.rel_accuracy_bits() >= 4096
        with flint.ctx.workprec(5000):
            below, above = (poly(flint.fmpq(*_pair(end))) for end in (narrow.lower(), narrow.upper()))
        assert (below > 0) != (above > 0)


def test_a_range_whose_samples_are_irrational_ends() -> None:
    """I devices with a number of rounds T left free: the greatest is the root of 27 I^5 + 9 I^4 = 2000000."""
    started = process_time()
    found = fp.statement("fedprox.section1.rate.many").range("I", L=1, G=1, eps="1e-6").to_dict()
    ((least, greatest),) = found["intervals"]

    assert (least, found["integers"]) == (1, [1, 9])
    assert abs(27 * greatest**5 + 9 * greatest**4 - 2_000_000) < 1e-3
    assert process_time() - started < 20


def test_clustered_complex_roots_do_not_slow_it() -> None:
    """3 (x + N)^60 - 5 N^60 - x for N = 10^15: two real roots, and 58 about a circle."""
    n = 10**15
    poly = flint.fmpz_poly([n, 1]) ** 60 * 3 - flint.fmpz_poly([5 * n**60, 1])
    started = process_time()
    low, high = by_signs(poly, 64)

    assert low < 0 < high
    # 3 (x + N)^60 = 5 N^60 + x, so that x is about N ((5/3)^(1/60) - 1)
    assert float(high) == pytest.approx(n * ((5 / 3) ** (1 / 60) - 1), rel=1e-9)
    assert process_time() - started < 5


@pytest.mark.parametrize("size", [100, 1000])
def test_roots_of_very_different_sizes_do_not_slow_it(size: int) -> None:
    """x^63 - k x^62 + k^(2/5) x^31 - 1 for k = 10^size: one root near k, 62 near size^(-1/31) and such."""
    k, root = 10**size, 10 ** (2 * size // 5)
    poly = flint.fmpz_poly([-1] + [0] * 30 + [root] + [0] * 30 + [-k, 1])
    started = process_time()
    (found,) = by_signs(poly, 64)

    assert abs(found / k - 1) < 1e-9
    assert process_time() - started < 5
