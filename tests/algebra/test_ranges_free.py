"""Ranges with symbols left out: closed forms, sampling, the column test at rational targets."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import sympy as sp

from fedproof.algebra.projection.cells import decompose
from fedproof.algebra.projection.plane import project
from fedproof.algebra.ranges.admissible import admissible
from fedproof.algebra.ranges.result import Range, from_plane
from fedproof.algebra.regions.clauses import clauses_of, substitute_values
from fedproof.algebra.roots import Root
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.interval import NONNEGATIVE, POSITIVE, REAL, Interval
from tests.algebra.conditions_fedproxvr import (
    CHAIN,
    CHAIN_SVRG,
    DOMAINS,
    FAMILIES,
    SARAH,
    SVRG,
    THEOREM1,
    Row,
    in_floats,
    sampled,
    values,
)
from tests.algebra.test_ranges import ends

x, y, z = sp.symbols("x y z", real=True)


def answer(relations: list[Any], **domains: Interval) -> Range:
    """The range of x, the other symbols free."""
    rows = [Row(chr(97 + i), r) for i, r in enumerate(relations)]
    return admissible(rows, "x", {}, {"x": REAL, "y": REAL, "z": REAL, **domains})


@pytest.mark.parametrize(
    ("relations", "expected"),
    [
        ([x**2 + y**2 <= 1], ["[-1, 1]"]),
        ([x**2 + y**2 < 1], ["(-1, 1)"]),
        ([x**2 + y**2 <= 2], ["[-sqrt(2), sqrt(2)]"]),
        ([x * y >= 1], ["(None, 0)", "(0, None)"]),
        ([sp.Eq(y, x**2), y <= 2], ["[-sqrt(2), sqrt(2)]"]),
        ([sp.Eq(x * y, 1)], ["(None, 0)", "(0, None)"]),
        ([sp.Eq(y, 1 / x)], ["(None, 0)", "(0, None)"]),
        ([sp.Eq(y, sp.sqrt(x - 1)), y <= 2], ["[1, 5]"]),
        ([sp.Eq(y**2, x), y < 3], ["[0, None)"]),
        ([y <= sp.sqrt(x)], ["[0, None)"]),
        ([y < 1 / x, y > 1 / x - 1], ["(None, 0)", "(0, None)"]),
        ([y**2 - 2 * x * y + 1 <= 0], ["(None, -1]", "[1, None)"]),
        ([(y - x) ** 2 <= 0, y >= 1], ["[1, None)"]),  # the column is a point
        ([x <= y, y < 3], ["(None, 3)"]),
        ([x <= y, y <= 3], ["(None, 3]"]),
        ([x < y, y <= 3], ["(None, 3)"]),
        ([x + y > 0, x - y > 0], ["(0, None)"]),
        ([sp.sqrt(y) >= x, y <= 4], ["(None, 2]"]),
        ([x**2 + y**2 + z**2 < 0], []),
        ([x >= y, y >= z, z >= 1], ["[1, None)"]),
        ([y**2 <= x - 1, y >= 1], ["[2, None)"]),
        ([x**3 - 3 * x + y**2 <= 0], ["(None, -sqrt(3)]", "[0, sqrt(3)]"]),
        ([x * y > 1, y < 0], ["(None, 0)"]),
    ],
)
def test_closed_forms(relations: list[Any], expected: list[str]) -> None:
    """Shadows of simple sets, with their open and closed ends."""
    assert [e.replace(", None]", ", None)") for e in ends(answer(relations))] == expected


@pytest.mark.parametrize("relations", [
    [x**2 + y**2 <= 2], [x**2 + y**2 < 2], [sp.Eq(y, x**2), y <= 2], [x**3 - 3 * x + y**2 <= 0],
    [x**2 + y**2 + z**2 <= 2, y >= z],
])  # fmt: skip
def test_a_sketch_has_the_same_ends(relations: list[Any]) -> None:
    """With irrational cuts left out, intervals are those of the whole answer but for ends that are open."""
    rows, space = [Row(chr(97 + i), r) for i, r in enumerate(relations)], {"x": REAL, "y": REAL, "z": REAL}
    whole = admissible(rows, "x", {}, space)

    for cuts in ("alone", "none"):
        sketch = admissible(rows, "x", {}, space, cuts=cuts)
        opened = [replace(s, lo_open=True, hi_open=True) for s in whole.stretches]
        here = [replace(s, lo_open=True, hi_open=True) for s in sketch.stretches]
        assert ends(replace(sketch, stretches=tuple(here))) == ends(replace(whole, stretches=tuple(opened)))
        assert all(s.lo_open >= w.lo_open for s, w in zip(sketch.stretches, whole.stretches, strict=True))


def test_irrational_points_alone_are_found_unless_left_out() -> None:
    """(x^2 - 2)^2 + y^2 <= 0 holds at +-sqrt(2) only: never called empty."""
    rows, space = [Row("a", (x**2 - 2) ** 2 + y**2 <= 0)], {"x": REAL, "y": REAL}

    assert ends(admissible(rows, "x", {}, space)) == ["[-sqrt(2), -sqrt(2)]", "[sqrt(2), sqrt(2)]"]
    assert not admissible(rows, "x", {}, space, cuts="alone").empty
    with pytest.raises(InputError):
        admissible(rows, "x", {}, space, cuts="none")


def test_positive_quadratic_by_its_discriminant() -> None:
    """x y >= y^2 + 2 with y > 0 needs x >= 2 sqrt(2), attained at y = sqrt(2)."""
    assert ends(answer([y**2 + 2 <= x * y], y=POSITIVE)) == ["[2*sqrt(2), None)"]
    assert ends(answer([y**2 + 2 < x * y], y=POSITIVE)) == ["(2*sqrt(2), None)"]


def test_a_factor_that_may_vanish_says_nothing_about_the_others() -> None:
    """From y^2 (3 x - 1) >= 0 nothing follows about x, since y may be 0; likewise x (1 - 4 y) >= 0."""
    assert ends(answer([3 * x * y**2 >= y**2])) == ["(None, None)"]
    rows = [4 * x * y <= x, y >= sp.sqrt(2), y**2 <= x + 4]
    assert ends(answer(rows, x=NONNEGATIVE)) == ["[0, 0]"]


def test_limit_is_not_attained() -> None:
    """x <= 1 - 1/y with y free upward admits every x below 1, not 1 itself."""
    assert ends(answer([x <= 1 - 1 / y], y=POSITIVE)) == ["(None, 1)"]


def test_everything_left_out_of_lemma_1() -> None:
    """SARAH: best at theta=1, lam=0, mu=beta L, where 6 beta/(beta-3) = (5 beta^2 - 4 beta)/8."""
    found = admissible(SARAH, "beta", {}, DOMAINS)
    # 48 = (5 beta - 4)(beta - 3), the larger root
    assert ends(found) == ["[(19 + sqrt(1081))/10, None)"]
    assert (found.method, found.free) == ("exact", ("L", "lam", "mu", "tau", "theta"))
    assert found.binding == ["lower", "upper"]


def test_theorem_1_limits() -> None:
    """theta < 2^(-1/2) as Remark 2 says; at theta = sigma2 = 0, L = 1: m^2 - 4 m > 1 for m = mu - 1/2."""
    assert ends(admissible(THEOREM1, "theta", {}, DOMAINS)) == ["(0, sqrt(2)/2)"]
    found = admissible(THEOREM1, "mu", values(L=1, lam="1/2"), DOMAINS)
    assert ends(found) == ["((5 + 2*sqrt(5))/2, None)"]


def best_descent(beta: float, tau: float) -> float:
    """The largest Theta over mu of the chain at L = sigma2 = 1, lam = 1/2, in floats."""
    mu = 0.5 + 10 ** np.linspace(-1, 5, 200_001)
    at = {"L": 1.0, "lam": 0.5, "mu": mu, "sigma2": 1.0, "beta": beta, "tau": tau}
    return float(np.max(in_floats(CHAIN[-1].relation.lhs, at)))


def test_smallest_beta_of_the_certified_chain() -> None:
    """With mu and tau free the least beta is where the best Theta is zero, by another route."""
    found = admissible(CHAIN, "beta", values(L=1, lam="1/2", sigma2=1), DOMAINS)
    (stretch,) = found.stretches
    assert (found.method, stretch.lo_open, stretch.hi) == ("exact", True, None)
    assert isinstance(stretch.lo, Root)
    low = found.intervals[0][0] or 0
    for factor, sign in ((1 - 1e-6, -1), (1 + 1e-6, 1)):
        beta = low * factor
        assert sign * best_descent(beta, beta * (5 * beta - 4) / 8) > 0
    assert found.binding == ["Theta", "upper"]


def largest_tau(beta: float) -> float:
    """The largest tau of (14) at its least a, by bisection in floats."""
    low, high = 0.0, beta**2
    for _ in range(200):
        t = (low + high) / 2
        fine = 32 * (t + 2) * (math.sqrt(t + 1) + math.sqrt(t + 2)) ** 2 <= 5 * beta**2 - 4 * beta
        low, high = (t, high) if fine else (low, t)
    return low


def test_smallest_beta_of_the_svrg_chain_is_enclosed() -> None:
    """The same for SVRG: a certified enclosure, checked by another route on both sides."""
    found = admissible(CHAIN_SVRG, "beta", values(L=1, lam="1/2", sigma2=1), DOMAINS)
    assert found.method == "certified"
    assert found.exact[0][0] is not None
    words = found.exact[0][0].split()
    below, above = Fraction(words[1]), Fraction(words[3])
    assert 0 < above - below <= above / 10**12
    for beta, sign in ((float(below) * (1 - 1e-6), -1), (float(above) * (1 + 1e-6), 1)):
        assert sign * best_descent(beta, largest_tau(beta)) > 0


@pytest.mark.parametrize("name", ["tau", "theta", "L", "lam"])
def test_svrg_at_small_beta_is_empty_whatever_is_left_out(name: str) -> None:
    """At beta=20, mu=30 no choice of the others helps, and the answer says what conflicts."""
    given = values(theta="1/2", L=1, lam="1/2", tau=2)
    rest = [n for n in given if n != name]
    for size in range(len(rest) + 1):
        for free in combinations(rest, size):
            point = {k: v for k, v in given.items() if k != name and k not in free}
            found = admissible(SVRG, name, point | values(beta=20, mu=30), DOMAINS)
            assert found.empty, (name, free)
            assert found.why
            assert set(found.conflict) & {"upper", "lower"}


POINT = values(L=1, lam="1/2", mu=200, beta=400, tau=60, theta="1/2", sigma2="1/2")


def scatter(rng: np.random.Generator, name: str, count: int) -> Any:
    """Random values of a symbol around the working point, far beyond it on both sides."""
    if name == "theta":
        return 1 - rng.uniform(0, 1, count) ** 2
    spread = float(POINT[name]) * 10 ** rng.uniform(-2, 2, count)
    if name in ("lam", "sigma2"):
        return np.where(rng.uniform(size=count) < 0.3, 0.0, spread)
    return spread


def questions(family: str, size: int, seed: int) -> list[tuple[str, tuple[str, ...], dict[str, Fraction]]]:
    """Some (target, free symbols, given values) of a family, drawn without repetition."""
    names = FAMILIES[family][1]
    point = POINT | (values(theta="1/10") if family == "theorem1" else {})
    every = [(n, f) for n in names for k in (1, 2, 3) for f in combinations([m for m in names if m != n], k)]
    chosen = np.random.default_rng(seed).permutation(len(every))[:size]
    return [
        (every[i][0], every[i][1], {m: point[m] for m in names if m != every[i][0] and m not in every[i][1]})
        for i in chosen
    ]


@pytest.mark.parametrize("family", ["chain", "sarah", "svrg", "theorem1"])
def test_no_admissible_sample_lies_outside(family: str) -> None:
    """Random values of target and free symbols that satisfy the float formulas all lie in the range."""
    rows, _ = FAMILIES[family]
    rng = np.random.default_rng(3)
    hits = 0
    for name, free, given in questions(family, 6, seed=5):
        found = ask(rows, name, given)
        if found is None:
            continue
        cloud: dict[str, Any] = {k: float(v) for k, v in given.items()}
        cloud |= {n: scatter(rng, n, 40_000) for n in (name, *free)}
        good = sampled(rows, cloud)
        targets = np.broadcast_to(cloud[name], (40_000,))[good]
        inside = np.zeros(targets.size, bool)
        for low, high in found.intervals:
            lo, hi = -math.inf if low is None else low, math.inf if high is None else high
            inside |= (targets >= lo * (1 - 1e-9)) & (targets <= hi * (1 + 1e-9))
        assert inside.all(), (name, free)
        hits += targets.size
    assert hits > 10_000


def ask(rows: Any, name: str, given: dict[str, Fraction]) -> Range | None:
    """The range, or None where the engine says that nothing could be proved."""
    try:
        return admissible(rows, name, given, DOMAINS)
    except InputError:
        return None


@pytest.mark.parametrize("family", ["chain", "sarah", "svrg", "theorem1"])
def test_just_inside_an_end_others_can_follow_and_just_outside_they_cannot(family: str) -> None:
    """With the target next to a finite end, a free symbol has a range inside and none outside."""
    rows = FAMILIES[family][0]
    checked = 0
    for name, free, given in questions(family, {"chain": 3, "theorem1": 16}.get(family, 6), seed=6):
        found = ask(rows, name, given)
        if found is None:
            continue
        for low, high in found.intervals:
            for end, outward in ((low, -1), (high, 1)):
                if end is None or end == 0 or f"domain of {name}" in found.binding:
                    continue
                for side, expected in ((-outward, False), (outward, True)):
                    at = Fraction(repr(end)) * (1 + side * Fraction(1, 10**6))
                    other = ask(rows, free[0], given | {name: at})
                    assert other is None or other.empty == expected, (name, free, at)
                    checked += other is not None
    assert checked >= 4


def random_relation(rng: np.random.Generator, symbols: tuple[sp.Symbol, ...]) -> Any:
    """A random polynomial or radical condition of low degree."""
    total = sp.Integer(int(rng.integers(-3, 4)))
    for _ in range(4):
        term = sp.Integer(int(rng.integers(-3, 4)))
        for s in symbols:
            term *= s ** int(rng.integers(0, 3))
        total += term
    if rng.uniform() < 0.3:
        total += sp.sqrt(symbols[-1] ** 2 + 1) * int(rng.integers(1, 3))
    kind = (sp.Le, sp.Lt)[int(rng.integers(0, 2))]
    return kind(total, 0, evaluate=False)


@pytest.mark.parametrize("seed", range(12))
def test_projection_agrees_with_columns_cut_at_rational_targets(seed: int) -> None:
    """Membership of many rational targets equals whether the exactly cut column above them is non-empty."""
    rng = np.random.default_rng(seed)
    rows = [Row("a", random_relation(rng, (x, y))), Row("b", random_relation(rng, (x, y)))]
    clauses = clauses_of(rows)
    domain = (REAL, NONNEGATIVE, POSITIVE)[seed % 3]
    wide = from_plane(project(clauses, "x", "y", (REAL, domain)), "x", ("y",))
    smart = admissible(rows, "x", {}, {"x": REAL, "y": domain})
    for k in range(-24, 25):
        at = Fraction(k, 4)
        column = any(decompose(substitute_values(clauses, {"x": at}), "y", domain).admissible)
        assert column == member(wide, at) == member(smart, at), (rows, at)


def member(found: Range, value: Fraction) -> bool:
    """Whether a rational lies in a range, decided on its exact ends."""
    from fedproof.algebra.roots import compare

    for s in found.stretches:
        low = 1 if s.lo is None else compare(value, s.lo)
        high = -1 if s.hi is None else compare(value, s.hi)
        if (low > 0 or (low == 0 and not s.lo_open)) and (high < 0 or (high == 0 and not s.hi_open)):
            return True
    return False
