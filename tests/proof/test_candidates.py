"""Candidates that are kept are those of all at which everything holds, decided by other means."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp

from fedproof.proof.candidates import MINUS, NICE, Candidates
from fedproof.proof.counterexamples import feasible_point, samples

x, y, z = sp.symbols("x y z", real=True)
COUNT = 400


def exactly(
    relations: Sequence[Any], solved: dict[str, Any], counts: Sequence[str] = ()
) -> list[dict[str, Fraction]]:
    """The points, one after the other, at which SymPy says that everything holds."""
    whole = Candidates(["x", "y"], {"y"}, {}, COUNT, 3)
    found = []
    for place in range(COUNT):
        point = {n: Fraction(float(whole.column(n)[place])).limit_denominator(1000) for n in ("x", "y")}
        values = {sp.Symbol(n, real=True): sp.Rational(v) for n, v in point.items()}
        more = {n: f.subs(values) for n, f in solved.items()}
        values |= {sp.Symbol(n, real=True): v for n, v in more.items()}
        if not all(v.is_finite and v.is_real for v in values.values()):
            continue
        sides = [[side.subs(values) for side in r.args] for r in relations]
        if not all(s.is_finite and s.is_real for pair in sides for s in pair):
            continue
        holds = all(r.func(*pair) == sp.true for r, pair in zip(relations, sides, strict=True))
        if holds and all(values[sp.Symbol(n, real=True)].is_integer for n in counts):
            found.append(point)
    return found


@pytest.mark.parametrize(
    ("relations", "solved", "counts"),
    [
        pytest.param([x > y], {}, [], id="one"),
        pytest.param([x > 0, y <= 2, x * y < 7], {}, ["x"], id="several, and what counts"),
        pytest.param([x + z > 3, z < 40], {"z": x * y}, ["z"], id="a name that others give"),
        pytest.param([1 / x > y, sp.sqrt(x - 1) >= 0], {}, [], id="what is not defined everywhere"),
        pytest.param([z > 1, x < 0], {"z": 1 / (x - 2)}, [], id="none"),
        pytest.param([sp.Max(x, y) <= 4], {}, ["y"], id="maximum"),
    ],
)
def test_those_are_kept_at_which_everything_holds(
    relations: list[Any], solved: dict[str, Any], counts: list[str]
) -> None:
    """In their order, in whatever order the relations are asked."""
    for asked in (relations, relations[::-1]):
        left = Candidates(["x", "y"], {"y"}, solved, COUNT, 3)
        left.keep_all(asked, counts)
        expected = exactly(relations, solved, counts)
        assert left.size == len(expected)
        for name in ("x", "y"):
            assert left.column(name).tolist() == [float(p[name]) for p in expected]
        picks, minus = left.drawn()
        signs = [[-1 if m else 1 for m in row] for row in minus.tolist()]
        drawn = [[s * NICE[p] for s, p in zip(*rows, strict=True)] for rows in zip(signs, picks, strict=True)]
        assert drawn == [[p[n] for p in expected] for n in ("x", "y")]


def test_signs_and_factors_are_those_of_each_candidate() -> None:
    """A quarter has a minus, none of what is not negative; a factor stays with its candidate."""
    factors = {"x": np.arange(1.0, COUNT + 1)}
    plain, scaled = (Candidates(["x", "y"], {"y"}, {"z": 2 * x}, COUNT, 5, f) for f in ({}, factors))
    assert abs(np.mean(plain.column("x") < 0) - MINUS) < 0.1
    assert np.all(plain.column("y") >= 0)
    scaled.keep(plain.column("y") >= 2)
    kept = np.flatnonzero(plain.column("y") >= 2)
    assert np.array_equal(scaled.column("x"), plain.column("x")[kept] * (kept + 1))
    assert np.array_equal(scaled.column("z"), 2 * scaled.column("x"))


def test_samples_are_where_everything_holds() -> None:
    """Those that count are whole and not too large; what equations give is what they give."""
    found = samples([sp.Eq(z, x + y), x > y, y > 0], ["x"], {"y"}, 20, 40)

    assert {len(v) for v in found.values()} == {40}
    assert np.all((found["x"] > found["y"]) & (found["y"] > 0) & (found["y"] <= 20))
    assert np.all(found["y"] % 1 == 0)
    assert np.allclose(found["z"], found["x"] + found["y"])


def test_nothing_is_found_where_nothing_can_be() -> None:
    """Not of a contradiction, nor without names."""
    assert feasible_point([x > 1, x < 1]) is None
    assert feasible_point([]) == {}
