"""Explaining a rejected point: failing conditions, and the nearest admissible value of each coordinate."""

from __future__ import annotations

from collections import namedtuple
from fractions import Fraction

import flint
import pytest
from sympy import Symbol

from fedproof.algebra import roots
from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.algebra.ranges.near_together import near_together
from fedproof.algebra.ranges.nearest_admissible import nearest
from tests.algebra.conditions_fedproxvr import DOMAINS, SARAH, SVRG, values

POINT = values(L=1, lam="1/2", mu=200, beta=400, tau=90, theta="1/2")


def test_failing_conditions_carry_their_margin() -> None:
    """At tau=90 only the upper bound of (14), 77.23, fails; the margin is (right - left)/max(both, 1)."""
    found = nearest(SVRG, POINT, DOMAINS)
    assert [label for label, _ in found.failing] == ["upper"]
    (decision,) = (d for _, d in found.failing)
    assert decision.left == 90.0
    assert decision.right is not None
    assert decision.margin == pytest.approx((decision.right - 90) / 90, rel=1e-12)
    assert "upper" in found.headline()


def test_each_coordinate_alone_mends_the_point_or_says_what_forbids_it() -> None:
    """Every nearest value satisfies all conditions; a coordinate without one names the condition."""
    found = nearest(SVRG, POINT, DOMAINS)
    by_name = {c.symbol: c for c in found.coordinates}
    assert set(by_name) == set(POINT)
    for c in found.coordinates:
        if c.nearest is None:
            assert c.forbidden_by == ("upper",)
            assert c.why
        else:
            mended = {**POINT, c.symbol: Fraction(repr(c.nearest))}
            assert all(evaluate_relation(r.relation, mended).holds for r in SVRG)
    assert {n for n, c in by_name.items() if c.nearest is None} == {"L", "lam", "mu", "theta"}
    assert by_name["tau"].nearest == pytest.approx(77.2286, abs=1e-4)


def test_the_nearer_of_two_ends_is_chosen() -> None:
    """From below the range its lower end is taken, from above the upper one."""
    base = {k: v for k, v in POINT.items() if k != "tau"}
    for tau, expected in ((1, 30.30245639287135), (200_000, 99_800.0)):
        found = nearest(SARAH, {**base, "tau": Fraction(tau)}, DOMAINS)
        assert next(c for c in found.coordinates if c.symbol == "tau").nearest == expected


def test_an_admissible_point_is_its_own_nearest() -> None:
    """Nothing fails and every coordinate stays where it is."""
    found = nearest(SVRG, {**POINT, "tau": Fraction(50)}, DOMAINS)
    assert found.failing == ()
    assert found.headline() == "every condition holds"
    assert all(c.nearest == float(c.value) for c in found.coordinates)


def test_document_is_plain_data() -> None:
    """The dictionary has the failing conditions and the coordinates."""
    document = nearest(SVRG, POINT, DOMAINS).to_dict()
    assert [set(f) for f in document["failing"]] == [{"label", "margin"}]
    assert len(document["coordinates"]) == 6


def test_less_is_asked_about_long_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a point that nothing mends: the longer its letters are the fewer ranges are taken, at last none."""
    names, row = "uvwxyz", namedtuple("row", "label relation")
    total = sum(Symbol(name, real=True) for name in names)
    never = [row("above", total > 1), row("below", total < 0)]
    asked: list[str] = []
    inside = near_together.__globals__
    taken = inside["admissible"]
    monkeypatch.setitem(inside, "admissible", lambda *a, **k: asked.append(a[1]) or taken(*a, **k))
    counts = []
    for size in (1, 10**5, 10**99):
        asked.clear()
        start = {name: Fraction(size, 3) for name in names}
        assert near_together(never, start, {}, list(names)) is None
        counts.append(len(asked))
    assert counts[0] > counts[1] > counts[2] == 0


def test_the_roots_of_a_polynomial_are_isolated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked again for the roots of x^5 - x - 7, the same balls come back and nothing is computed."""
    poly = flint.fmpz_poly([-7, -1, 0, 0, 0, 1])
    (first,) = roots.isolate([poly])
    monkeypatch.setattr(roots, "real_roots", None)
    (again,) = roots.isolate([poly])
    assert roots.compare(first, again) == 0
