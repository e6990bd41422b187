"""The exact range engine in one symbol: against dense sampling, closed forms, and degenerate cases."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_expression, evaluate_relation
from fedproof.algebra.ranges.admissible import admissible
from fedproof.algebra.ranges.result import Range
from fedproof.bounds.statement_handle import statement
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.interval import NONNEGATIVE, REAL
from tests.algebra.conditions_fedproxvr import DOMAINS, FAMILIES, SVRG, Row, sampled, values

x = sp.Symbol("x", real=True)


def answer(*relations: Any, domain: Any = REAL) -> Range:
    """The range of x under relations labelled a, b, ..."""
    rows = [Row(chr(97 + i), r) for i, r in enumerate(relations)]
    return admissible(rows, "x", {}, {"x": domain})


def ends(found: Range) -> list[Any]:
    """Interval ends with brackets, readable in an assertion."""
    return [
        f"{'(' if s.lo_open else '['}{lo}, {hi}{')' if s.hi_open else ']'}"
        for s, (lo, hi) in zip(found.stretches, found.exact, strict=True)
    ]


def test_svrg_range_of_tau_from_the_issue() -> None:
    """Lemma 1 (SVRG) at beta=400, theta=1/2, mu=200, L=1, lam=1/2: 30.30 to 77.23, whole 31 to 77."""
    found = admissible(SVRG, "tau", values(beta=400, theta="1/2", mu=200, L=1, lam="1/2"), DOMAINS)
    # lower: 3 (400^2 + 200^2) / ((1/4) 199.5 * 397) = 1600000/52801
    assert found.exact[0][0] == "1600000/52801"
    low, high = found.intervals[0]
    assert (round(low or 0, 2), round(high or 0, 2), found.integers) == (30.3, 77.23, (31, 77))
    assert found.to_dict()["binding_ends"] == [[["lower"], ["upper"]]]
    # upper: tau solves (tau + 2) 32 (sqrt(tau+1) + sqrt(tau+2))^2 = 5 beta^2 - 4 beta, checked in floats
    t = high or 0
    assert 32 * (t + 2) * (math.sqrt(t + 1) + math.sqrt(t + 2)) ** 2 == pytest.approx(798400, rel=1e-12)


@pytest.mark.parametrize("name", ["tau", "theta", "L", "lam"])
def test_svrg_at_small_beta_is_empty_for_every_symbol(name: str) -> None:
    """At beta=20, mu=30 nothing is admissible under (14), and the answer names the conflict."""
    point = values(beta=20, theta="1/2", mu=30, L=1, lam="1/2", tau=50)
    point.pop(name)
    found = admissible(SVRG, name, point, DOMAINS)
    assert found.empty
    assert found.integers is None
    assert found.conflict
    assert found.why
    assert "upper" in found.why


@pytest.mark.parametrize(
    ("relations", "expected"),
    [
        ([sp.Le(0, 0, evaluate=False)], ["(None, None)"]),  # a constant condition exactly zero holds
        ([sp.Lt(0, 0, evaluate=False)], []),
        ([x**2 <= 0], ["[0, 0]"]),  # a double root, a single point
        ([x**2 > 0], ["(None, 0)", "(0, None)"]),
        ([(x - 1) ** 2 * (x - 3) >= 0], ["[1, 1]", "[3, None)"]),
        ([1 / x >= 0], ["(0, None)"]),  # undefined at the end
        ([1 / x**2 > 0], ["(None, 0)", "(0, None)"]),
        ([sp.sqrt(x) >= 0], ["[0, None)"]),  # closed where the radicand vanishes
        ([1 / sp.sqrt(x) >= 0], ["(0, None)"]),
        ([sp.sqrt(x - 1) <= 2], ["[1, 5]"]),
        ([sp.sqrt(x**2) <= x], ["[0, None)"]),  # the norm is identically zero
        ([sp.Mul(sp.sqrt(x**2) - x, x + 5, evaluate=False) >= 0], ["[-5, None)"]),
        ([sp.Mul(sp.sqrt(x), sp.sqrt(x), evaluate=False) <= x], ["[0, None)"]),
        ([sp.Eq(x**2, 2)], ["[-sqrt(2), -sqrt(2)]", "[sqrt(2), sqrt(2)]"]),
        ([sp.Ne(x, 1)], ["(None, 1)", "(1, None)"]),
        ([sp.Abs(x - 1) < 2], ["(-1, 3)"]),
        ([sp.Max(x, 1 - x) <= 3], ["[-2, 3]"]),
        ([sp.Min(x, 1 - x) >= -3], ["[-3, 4]"]),
        ([sp.And(x >= 1, x < 2)], ["[1, 2)"]),
        ([x >= 1, x <= 1], ["[1, 1]"]),
        ([x > 1, x <= 1], []),
        ([sp.sqrt(5 + 2 * sp.sqrt(6)) * x >= sp.sqrt(2) + sp.sqrt(3)], ["[1, None)"]),  # denested exactly
        ([10 * x**2 - 8 * x <= 4], ["[(2 - sqrt(14))/5, (2 + sqrt(14))/5]"]),
    ],
)
def test_degenerate_and_closed_forms(relations: list[Any], expected: list[str]) -> None:
    """Single points, double roots, undefined ends and radicals that cancel come out exactly."""
    assert ends(answer(*relations)) == expected


def test_high_degree_end_names_its_polynomial() -> None:
    """An end without closed form is given as the root of a polynomial in a bracket that isolates it."""
    (pair,) = answer(x**5 + x <= 3, domain=NONNEGATIVE).exact
    assert pair[1] is not None
    head, _, bracket = pair[1].partition(" in ")
    assert head == "root of x^5 + x - 3"
    low, high = (Fraction(t) for t in bracket.strip("[]").split(", "))
    assert low**5 + low < 3 < high**5 + high
    assert high - low < Fraction(1, 10**15)


# --- random instances against dense signs in floats


def draw(rng: np.random.Generator, names: tuple[str, ...], svrg: bool = False) -> dict[str, Fraction]:
    """A random point near the admissible ones, with short decimals."""
    beta = 10 ** rng.uniform(2.2, 4)
    mu = 10 ** rng.uniform(-0.5, 3)
    cap = 0.19 * beta if svrg else beta * (5 * beta - 4) / 8
    point = {
        "L": mu / beta * 10 ** rng.uniform(-0.6, 0.8), "lam": mu * rng.uniform(0, 0.4),
        "mu": mu, "beta": beta,
        "tau": cap * rng.uniform(0.3, 1.1), "theta": rng.uniform(0.1, 1), "sigma2": rng.uniform(0, 1),
    }  # fmt: skip
    if "tau" not in names:
        point["L"], point["theta"] = mu * rng.uniform(0.01, 0.2), rng.uniform(0.02, 0.4)
    return {n: Fraction(f"{point[n]:.3g}") for n in names}


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_random_ranges_agree_with_dense_sampling(family: str) -> None:
    """Membership in the exact range equals the truth of float formulas on a dense grid, away from ends."""
    rows, names = FAMILIES[family]
    rng = np.random.default_rng(7)
    seen = full = 0
    for _ in range(5):
        point = draw(rng, names, "svrg" in family)
        for name in names:
            given = {k: v for k, v in point.items() if k != name}
            found = admissible(rows, name, given, DOMAINS)
            here = float(point[name]) * np.linspace(0.5, 2, 2001)
            grid = np.concatenate([10 ** np.linspace(-4, 6, 4001), here])
            if name == "theta":
                grid = np.linspace(1e-4, 1, 4001)
            truth = sampled(rows, {**{k: float(v) for k, v in given.items()}, name: grid})
            inside = np.zeros(grid.size, bool)
            near = np.zeros(grid.size, bool)
            for low, high in found.intervals:
                lo, hi = -math.inf if low is None else low, math.inf if high is None else high
                inside |= (grid >= lo) & (grid <= hi)
                near |= (np.abs(grid - lo) <= 1e-7 * grid) | (np.abs(grid - hi) <= 1e-7 * grid)
            assert np.array_equal(inside[~near], truth[~near]), (family, name, given)
            seen += int((~near).sum())
            full += not found.empty
    assert seen > 100_000
    assert full >= 10


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_float_ends_satisfy_every_condition_and_the_next_float_outside_does_not(family: str) -> None:
    """Each reported end is admissible itself; one unit in the last place further out is not."""
    rows, names = FAMILIES[family]
    rng = np.random.default_rng(11)
    checked = 0
    for _ in range(4):
        point = draw(rng, names, "svrg" in family)
        for name in names:
            given = {k: v for k, v in point.items() if k != name}
            found = admissible(rows, name, given, DOMAINS)
            for ends_, side in ((e, s) for e in found.intervals for s in (0, 1)):
                end = ends_[side]
                if end is None:
                    continue
                assert holds(rows, {**given, name: Fraction(repr(end))})
                beyond = math.nextafter(end, (-math.inf, math.inf)[side])
                outside = Fraction(repr(beyond))
                assert outside not in DOMAINS[name] or not holds(rows, {**given, name: outside})
                checked += 1
    assert checked >= 12


def holds(rows: Any, point: dict[str, Fraction]) -> bool:
    """Whether every condition holds at a point."""
    return all(evaluate_relation(r.relation, point).holds for r in rows)


# --- one condition at one point


def test_decide_is_exact_where_floats_are_not() -> None:
    """sqrt(2) sqrt(2) <= 2 holds, < does not, and a gap of 1e-60 is seen."""
    product = sp.Mul(sp.sqrt(2), sp.sqrt(2), evaluate=False)
    assert evaluate_relation(sp.Le(product, 2, evaluate=False), {}).holds
    assert not evaluate_relation(sp.Lt(product, 2, evaluate=False), {}).holds
    tiny = {"x": 2 + Fraction(1, 10**60)}
    found = evaluate_relation(sp.sqrt(x) <= sp.sqrt(2), tiny)
    assert (found.holds, found.margin is not None and found.margin < 0) == (False, True)
    assert evaluate_expression(sp.sqrt(x), {"x": Fraction(2)}) == math.sqrt(2)


def test_decide_reports_margin_and_undefined() -> None:
    """The margin is (right - left)/max(both, 1); an undefined side means neither a margin nor truth."""
    found = evaluate_relation(x >= 10, {"x": Fraction(40)})
    assert (found.left, found.right, found.margin) == (10.0, 40.0, 0.75)
    gone = evaluate_relation(1 / x >= 0, {"x": Fraction(0)})
    assert (gone.holds, gone.defined, gone.margin) == (False, False, None)
    assert evaluate_relation(sp.sqrt(x) <= 5, {"x": Fraction(-1)}).defined is False


def test_numbers_that_leave_the_floats_are_refused_at_once() -> None:
    """A magnitude beyond 1e100 is bad input for a range, in one line; within, ends stay finite floats."""
    lemma = statement("fedproxvr.lemma1.sarah")

    with pytest.raises(InputError, match="1e-100 and 1e100"):
        lemma.range("tau", L="1e-999", lam=0, mu=1, beta=5, theta=1)
    ends = lemma.range("theta", L="1e-100", lam=0, mu="1e100", beta="1e100", tau="1e100").intervals
    assert all(abs(e) < 1e308 for pair in ends for e in pair)
