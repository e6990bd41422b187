"""The range engine's checks see planted falsehoods: each change to the engine turns a check red."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from fedproof.algebra import roots, signs
from fedproof.algebra.elimination import reduce
from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.algebra.projection import cells, plane
from fedproof.algebra.ranges import interval_ends as ends
from fedproof.algebra.ranges.admissible import admissible
from fedproof.vocabulary.interval import POSITIVE, REAL
from tests.algebra import test_ranges, test_ranges_free
from tests.algebra.conditions_fedproxvr import DOMAINS, SVRG, Row, values

x, y = sp.symbols("x y", real=True)


def red(check: Callable[[], Any]) -> None:
    """The check must fail."""
    with pytest.raises(AssertionError):
        check()


def boundaries() -> None:
    """Closed, open and single-point ends."""
    for relation, expected in ((x**2 <= 2, ["[-sqrt(2), sqrt(2)]"]), (x**2 < 2, ["(-sqrt(2), sqrt(2))"])):
        assert test_ranges.ends(admissible([Row("a", relation)], "x", {}, {"x": REAL})) == expected


def inward() -> None:
    """Float ends are admissible themselves."""
    given = values(beta=400, theta="1/2", mu=200, L=1, lam="1/2")
    found = admissible(SVRG, "tau", given, DOMAINS)
    for end in found.intervals[0]:
        point = {**given, "tau": Fraction(repr(end))}
        assert all(evaluate_relation(r.relation, point).holds for r in SVRG)


def sampled() -> None:
    """Dense sampling of (14)."""
    test_ranges.test_random_ranges_agree_with_dense_sampling("svrg")


def columns() -> None:
    """Shadows against columns cut at rational targets."""
    for seed in range(6):
        test_ranges_free.test_projection_agrees_with_columns_cut_at_rational_targets(seed)


def closed_forms_with_a_free_symbol() -> None:
    """A limit that is not attained, and a shadow with an open end."""
    test_ranges_free.test_limit_is_not_attained()
    test_ranges_free.test_theorem_1_limits()


def test_checks_are_green_on_the_engine_as_it_is() -> None:
    """Without a planted falsehood these checks pass; the others are tests of their own."""
    boundaries()
    inward()


def test_flipped_strictness_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A strict comparison that admits equality changes open ends into closed ones."""
    monkeypatch.setitem(signs._VERDICT, "<", (0, 1))
    red(boundaries)


def test_undefined_taken_as_true_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A division by zero that counts as satisfied closes the end of 1/x >= 0."""
    monkeypatch.setattr(signs, "verdict", lambda op, sign: sign is None or sign in signs._VERDICT[op])
    found = admissible([Row("a", 1 / x >= 0)], "x", {}, {"x": REAL})
    assert test_ranges.ends(found) != ["(0, None)"]


def test_missing_conjugates_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dropping the radical's part from the norm misses the roots where conditions change."""

    def without_radicals(poly: Any, folded: Any) -> Any:
        first = len(folded.symbols)
        terms = {m: c for m, c in poly.to_dict().items() if not any(m[first:])}
        return poly.context().from_dict(terms)

    monkeypatch.setattr(cells, "norm", without_radicals)
    red(sampled)


def test_outward_rounding_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ends one unit in the last place further out are refused by check."""

    def outward(end: Any, side: int) -> float:
        return math.nextafter(roots.float_near(end), -side * math.inf)

    monkeypatch.setattr(ends, "_step", outward)
    red(inward)


def test_missing_discriminant_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without discriminants the shadow of a disc is not cut where the disc ends."""
    kept = plane.projected
    monkeypatch.setattr(plane, "projected", lambda polys, domain: kept(polys, domain)[:1])
    red(columns)


def test_attained_limit_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit taken as attained closes an end that no value reaches."""
    true_atom = reduce.Atom
    monkeypatch.setattr(reduce, "Atom", lambda labels, op, gap: true_atom(labels, "<=", gap))
    red(closed_forms_with_a_free_symbol)


def test_wrong_direction_of_a_free_symbol_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A symbol sent to its worst value loses admissible targets."""
    true_slope = reduce.Shape.slope

    def reversed_slope(self: Any, tree: Any, name: str) -> int | None:
        slope = true_slope(self, tree, name)
        return None if slope is None else -slope

    monkeypatch.setattr(reduce.Shape, "slope", reversed_slope)
    found = admissible([Row("a", x <= y), Row("b", y <= 3)], "x", {}, {"x": REAL, "y": POSITIVE})
    assert test_ranges.ends(found) != ["(None, 3]"]
