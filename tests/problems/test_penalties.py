"""Penalties: their proximal operators against the definition, and convex duality."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalties.box import Box
from fedproof.problems.composite.penalties.elastic_net import ElasticNet
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.composite.penalties.l2 import L2
from fedproof.problems.composite.penalties.l2_squared import SquaredL2
from fedproof.problems.composite.penalties.linf import Linf
from fedproof.problems.composite.penalties.none import Zero
from fedproof.problems.composite.penalties.nonnegative import Nonnegative
from fedproof.problems.composite.penalties.nuclear import Nuclear
from fedproof.problems.composite.penalty import Penalty, as_penalty, make_penalty, own_options, penalty_names
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.separable import Separable
from fedproof.vocabulary.discovery import load
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

D = 6
SIZES_OF_GROUPS: dict[Any, list[int]] = {None: [D], 2: [2, 2, 2], "1+2+3": [1, 2, 3]}
CASES: list[Any] = [
    L1("1/2"), L1(0), SquaredL2("3/4"), ElasticNet("1/2", "3/4"), ElasticNet(0, 1), Box("-1/2", "3/4"),
    Box(1, 2), Nonnegative(), Zero(), Linf("5/4"),
    Linf(0), L2("5/4"), L2("1/2", groups=2), L2("1/2", groups="1+2+3"),
    L2(0), Nuclear("3/4", rows=2), Nuclear("3/4", rows=3), Nuclear("3/4", rows=1), Nuclear(0, rows=2),
]  # fmt: skip
EXACT = [p for p in CASES if p.name not in ("l2", "nuclear")]
IDS: Callable[[Any], str] = lambda p: p.text if hasattr(p, "text") else str(p)  # noqa: E731


def points(seed: int, count: int = 40) -> Any:
    """Models near and far, with equal entries, zeros and a matrix of rank one among them."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((count, D)) * 10.0 ** rng.integers(-2, 2, (count, 1))
    x[0], x[1], x[2] = 0, 1, np.outer([1, -2], [1, 0, 3]).ravel()
    x[3, ::2] = 0
    return x


def is_prox(penalty: Any, x: Any, u: Any, scale: Any, others: Any) -> bool:
    """Whether (x - u) / scale is a subgradient at u, by its definition at the other points.

    In floats u is off by some eps |x|, so that the product with y - u is off by eps |x| |y - u| / scale;
    64 is more than a decomposition of these matrices adds up. Values are off by eps times themselves.
    """
    v, value = (x - u) / scale, penalty.value(u)
    if not value < np.inf:
        return False
    high, apart = penalty.value(others), others - u
    if x.dtype == object:
        return bool((high >= value + apart @ v).all())
    off = np.linalg.norm(x) * np.linalg.norm(apart, axis=1) / scale + np.minimum(high, 1e300) + value
    return bool((high >= value + apart @ v - 64 * np.finfo(float).eps * off).all())


def others_of(penalty: Any, u: Any, seed: int) -> Any:
    """Points of the domain: far, near u, and along the axes from u."""
    rng = np.random.default_rng(seed)
    far = penalty.prox(3 * rng.standard_normal((30, D)), 0.01)
    near = penalty.prox(u + 1e-3 * rng.standard_normal((30, D)), 1e-9)
    axes = penalty.prox(u + np.concatenate([np.eye(D), -np.eye(D)]) / 8, 1e-9)
    return np.concatenate([far, near, axes, np.zeros((1, D)) if penalty.value(np.zeros(D)) == 0 else far[:1]])


def test_every_penalty_is_tested() -> None:
    """Each file of penalties is among the cases: nine of them."""
    assert {p.name for p in CASES} == set(penalty_names())
    assert len(penalty_names()) == 9
    assert all(isinstance(p, Penalty) and as_penalty(p) is p for p in CASES)
    assert all(type(p) is load("penalties", p.name, "penalty").PENALTY for p in CASES)


@pytest.mark.parametrize("penalty", CASES, ids=IDS)
@pytest.mark.parametrize("scale", [0.01, 1.0, 7.0])
def test_prox_is_optimal(penalty: Any, scale: float) -> None:
    """(x - prox(x)) / scale is a subgradient of g at prox(x): the inequality holds at every other point."""
    for k, x in enumerate(points(1)):
        u = penalty.prox(x, scale)
        assert is_prox(penalty, x, u, scale, others_of(penalty, u, k))


@pytest.mark.parametrize("penalty", EXACT, ids=IDS)
def test_prox_is_optimal_in_fractions(penalty: Any) -> None:
    """In fractions the inequality holds without any slack, and value and prox are fractions."""
    rng = np.random.default_rng(5)
    scale = Fraction(2, 3)
    others = penalty.prox(fractions(rng.integers(-200, 200, (30, D))) / Fraction(64), Fraction(1, 999))
    for x in fractions(rng.integers(-200, 200, (15, D))) / Fraction(64):
        u = penalty.prox(x, scale)
        assert is_prox(penalty, x, u, scale, others)
        near = penalty.prox(u + (others - u) / Fraction(10**9), Fraction(1, 10**12))
        assert is_prox(penalty, x, u, scale, near)
        assert {type(v) for v in u} == {Fraction}


@pytest.mark.parametrize("penalty", EXACT, ids=IDS)
def test_fractions_and_floats_agree(penalty: Any) -> None:
    """On numbers that floats hold, both arithmetics give the same proximal points to the last digits."""
    x = np.round(64 * points(2)) / 64

    exact = penalty.prox(fractions(x), Fraction(1, 2))

    assert np.allclose(exact.astype(float), penalty.prox(x, 0.5), rtol=0, atol=4e-15 * np.abs(x).max())
    values = penalty.value(fractions(x)).astype(float)
    assert np.allclose(values, penalty.value(x), rtol=1e-13)


@pytest.mark.parametrize("penalty", CASES, ids=IDS)
def test_a_batch_is_its_members(penalty: Any) -> None:
    """Leading axes change nothing: bit for bit for entries and groups, to rounding for decompositions."""
    x = points(3, 24).reshape(2, 3, 4, D)
    u, g = penalty.prox(x, 0.7), penalty.value(x)
    for index in np.ndindex(2, 3, 4):
        one = penalty.prox(x[index], 0.7)
        assert np.array_equal(u[index], one) or np.allclose(u[index], one, rtol=0, atol=1e-13)
        assert g[index] == penalty.value(x[index]) or np.isclose(
            g[index], penalty.value(x[index]), rtol=1e-14
        )
    assert u is not x
    assert not np.shares_memory(u, x)


def dual_norm(penalty: Any, v: Any) -> float:
    """The norm whose unit ball the subgradients at 0 fill, over the weight; of norms."""
    if penalty.name == "l1":
        return float(np.abs(v).max())
    if penalty.name == "linf":
        return float(np.abs(v).sum())
    if penalty.name == "nuclear":
        return float(np.linalg.norm(v.reshape(penalty.count, -1), 2))
    return max(float(np.linalg.norm(part)) for part in parts_of(penalty, v))


@pytest.mark.parametrize("penalty", [p for p in CASES if hasattr(p, "exact") and not hasattr(p, "bend")
                                     and p.name != "l2_squared" and p.exact], ids=IDS)  # fmt: skip
def test_moreau_for_norms(penalty: Any) -> None:
    """x - prox(x) is scale times a v in the dual ball with <v, prox(x)> = g(prox(x)): Moreau's identity."""
    weight = float(penalty.exact)
    for x in points(6):
        u = penalty.prox(x, 0.6)
        v = (x - u) / 0.6
        assert dual_norm(penalty, v) <= weight * (1 + 1e-12)
        assert abs(v @ u - penalty.value(u)) <= 1e-11 * (1 + penalty.value(u))


@pytest.mark.parametrize("penalty", [p for p in CASES if hasattr(p, "separable")], ids=IDS)
def test_moreau_for_sums(penalty: Any) -> None:
    """Fenchel and Young: g(u) + g*(v) = u v at u = prox(x), in fractions, and >= for every other pair."""
    rng = np.random.default_rng(7)
    x = fractions(rng.integers(-200, 200, (20, D))) / Fraction(64)
    u = penalty.prox(x, Fraction(3, 5))
    v = (x - u) / Fraction(3, 5)

    assert (penalty.value(u) + penalty.conjugate(v) == np.add.reduce(u * v, axis=-1)).all()
    for one in v:
        assert (penalty.value(u) + penalty.conjugate(one) >= u @ one).all()


def parts_of(penalty: Any, x: Any) -> list[Any]:
    """The groups of an l2 penalty, by their sizes."""
    return np.split(x, np.cumsum(SIZES_OF_GROUPS[penalty.groups])[:-1], axis=-1)


def squares(x: Any) -> Any:
    """Their sum."""
    return (x * x).sum(axis=-1)


def inside(x: Any, low: float, high: float) -> Any:
    """0 where all entries lie between the ends, infinite elsewhere."""
    return np.where(((x >= low) & (x <= high)).all(axis=-1), 0, np.inf)


#: values by NumPy's own norms, of a weight as a float
DEFINITIONS: dict[str, Callable[[Any, Any, float], Any]] = {
    "l1": lambda p, x, w: w * np.linalg.norm(x, 1, axis=-1),
    "l2_squared": lambda p, x, w: w * squares(x) / 2,
    "elastic_net": lambda p, x, w: w * np.linalg.norm(x, 1, axis=-1) + float(p.bend) / 2 * squares(x),
    "box": lambda p, x, w: inside(x, float(Fraction(p.low)), float(Fraction(p.high))),
    "nonnegative": lambda p, x, w: inside(x, 0, np.inf),
    "none": lambda p, x, w: np.zeros(len(x)),
    "linf": lambda p, x, w: w * np.linalg.norm(x, np.inf, axis=-1),
    "l2": lambda p, x, w: w * sum(np.linalg.norm(part, axis=-1) for part in parts_of(p, x)),
    "nuclear": lambda p, x, w: w * np.linalg.norm(x.reshape(len(x), p.count, -1), "nuc", (1, 2)),
}


@pytest.mark.parametrize("penalty", CASES, ids=IDS)
def test_values_are_the_definitions(penalty: Any) -> None:
    """With a prox that is optimal for its value, this makes it the proximal point of what the name says."""
    x = np.concatenate([points(8), penalty.prox(points(8), 0.5)])

    expected = DEFINITIONS[penalty.name](penalty, x, float(getattr(penalty, "exact", 0)))

    assert np.allclose(penalty.value(x), expected, rtol=1e-13, atol=0)


WRONG: dict[str, tuple[Any, Callable[[Any, float], Any]]] = {
    "half the threshold": (L1(1), lambda x, s: L1("1/2").prox(x, s)),
    "no scale": (L1(1), lambda x, s: L1(1).prox(x, 1.0)),
    "hard instead of soft": (L1(1), lambda x, s: np.where(np.abs(x) > s, x, 0)),
    "an average of l1 and l2": (
        ElasticNet(1, 1),
        lambda x, s: (L1(1).prox(x, s) + SquaredL2(1).prox(x, s)) / 2,
    ),
    "a box too wide": (Box(-1, 1), lambda x, s: np.clip(x, -1.01, 1.01)),
    "entries for groups": (L2(1), lambda x, s: L2(1, groups=1).prox(x, s)),
    "the projection itself": (Linf(1), lambda x, s: x - Linf(1).prox(x, s)),
    "hard singular values": (Nuclear(1, rows=2), lambda x, s: Nuclear("99/100", rows=2).prox(x, s)),
}


@pytest.mark.parametrize("how", WRONG)
def test_planted_operators_are_refuted(how: str) -> None:
    """Each wrong operator breaks the inequality of subgradients at one of the points."""
    penalty, prox = WRONG[how]
    scale = 0.5
    held = []
    for k, x in enumerate(points(10)):
        u = prox(x, scale)
        held.append(is_prox(penalty, x, u, scale, others_of(penalty, penalty.prox(x, scale), k)))
    assert not all(held)


@pytest.mark.parametrize("penalty", CASES, ids=IDS)
def test_subgradients_are_bounded_as_said(penalty: Any) -> None:
    """No subgradient that a proximal point gives is longer than B_g, and some is as long; or B_g is none."""
    bound = penalty.subgradient_bound(D)
    rng = np.random.default_rng(11)
    flat = [np.eye(2, 3).reshape(1, D), np.eye(3, 2).reshape(1, D), np.ones((1, D))]
    far = [rng.standard_normal((20, D)), np.eye(D), *flat]
    x = np.concatenate([points(11), 1e3 * np.concatenate(far)])
    lengths = np.linalg.norm(x - penalty.prox(x, 1.0), axis=1)

    assert bound.kind == "exact"
    if bound.value is None:
        assert lengths.max() > 100
    else:
        assert lengths.max() <= bound.value * (1 + 1e-9) + 1e-9
        assert lengths.max() >= bound.value * (1 - 1e-9) - 1e-9


@pytest.mark.parametrize(("make", "message"), [
    (lambda: L1(-1), "weight: got -1, expected a number >= 0"),
    (lambda: L1(float("nan")), "weight: got nan, expected a finite number"),
    (lambda: SquaredL2("-1/2"), "weight: got -1/2"),
    (lambda: ElasticNet(1, -1), "curvature: got -1, expected a number >= 0"),
    (lambda: Box(1, -1), "low: got 1 above high=-1, which leaves no model, expected low <= high; write"),
    (lambda: Box(0, float("inf")), "high: got inf, expected a finite number"),
    (lambda: Linf(-1), "weight: got -1"),
    (lambda: L2(1, groups="2+x"), "groups: got 2\\+x, expected none"),
    (lambda: L2(1, groups=0), "groups: got 0"),
    (lambda: L2(1, groups=[]), "groups: got \\[\\]"),
    (lambda: L2(1, groups=1.5), "groups: got 1.5"),
    (lambda: Nuclear(1, rows=0), "rows: got 0"),
    (lambda: Nuclear(1, rows="2.5"), "rows: got 2.5"),
])  # fmt: skip
def test_what_is_no_penalty_is_refused(make: Callable[[], Any], message: str) -> None:
    """Negative weights, empty boxes, broken groups and what is not finite: one line each."""
    refused(InputError, message, make)


SMOOTH = Quadratic.of([np.eye(5, dtype=int)], [[1] * 5], sizes=[1]).as_float()


@pytest.mark.parametrize(("penalty", "message"), [
    (Nuclear(1, rows=2), "rows: got 2, expected a divisor of the model's 5 entries"),
    (L2(1, groups=2), "groups: got 2, expected a divisor"),
    (L2(1, groups="2+2"), "groups: got sizes whose sum is 4, expected sizes whose sum is 5"),
    (L1, "penalty: got the class L1 and no penalty made of it"),
    (object(), "penalty: got object without value, expected a penalty with value, prox"),
    (7, "penalty: got int without value"),
])  # fmt: skip
def test_a_penalty_that_does_not_fit_is_refused(penalty: Any, message: str) -> None:
    """Where it meets the problem: one line, and not in the middle of a run."""
    refused(InputError, message, Composite, SMOOTH, penalty)


def test_roots_of_fractions_are_refused() -> None:
    """l2 and nuclear take roots: on fractions they say so."""
    for penalty in (L2(1), Nuclear(1)):
        refused(InputError, f"{penalty.name} on fractions", penalty.prox, fractions([1, 2]), Fraction(1))


@pytest.mark.parametrize("penalty", CASES, ids=IDS)
def test_no_penalty_is_negative(penalty: Any) -> None:
    """What a penalty adds is at least 0, on which the gap at the start of a plan relies."""
    x = np.concatenate([points(31), penalty.prox(points(32), 1.0)])

    assert (penalty.value(x) >= 0).all()


@pytest.mark.parametrize("penalty", CASES, ids=IDS)
@pytest.mark.filterwarnings("ignore")
def test_models_that_are_not_finite_raise_nothing(penalty: Any) -> None:
    """A diverged model goes through without an exception, and does not touch its neighbours."""
    x = points(12, 6)
    bad = x.copy()
    bad[2, 1], bad[4, 0] = np.nan, np.inf
    found, clean = penalty.prox(bad, 0.5), penalty.prox(x, 0.5)

    penalty.value(bad)
    assert np.array_equal(found[[0, 1, 3, 5]], clean[[0, 1, 3, 5]])


@pytest.mark.parametrize("name", penalty_names())
def test_a_penalty_by_name_is_itself(name: str) -> None:
    """Its options build it, with their defaults, by either name; each option is a field of the class."""
    made: Any = make_penalty({"penalty": name})

    assert made == fp.penalty(name)
    assert made.name == name
    for option in own_options(name):
        bare, value = option.name.removeprefix("penalty_"), "0" if option.name == "penalty_low" else 2
        assert fp.penalty(name, **{bare: value}) == make_penalty({"penalty": name, option.name: value})
    assert {o.name for o in own_options(name)} == {f"penalty_{f.name}" for f in fields(made)}
    assert all(o.meaning and o.domain for o in own_options(name))


def test_equal_penalties_are_equally_called() -> None:
    """A weight written in two ways has one text and one digest; another weight has another."""
    digests = {Composite(SMOOTH, L1(w)).digest for w in ("0.5", "1/2", 0.5, Fraction(1, 2))}

    assert len(digests) == 1
    assert Composite(SMOOTH, L1("1/3")).digest not in digests
    assert len({Composite(SMOOTH, p).digest for p in (L2(1), L2(1, groups=1), L2(1, groups=5), L1(1))}) == 4


@pytest.mark.parametrize(("low", "high", "outside"), [(0, None, -1.0), (None, 0, 1.0), (-1, 1, 2.0)])
def test_outside_a_set_the_value_is_infinite(low: Any, high: Any, outside: float) -> None:
    """Beyond either end, also where there is no other, a sum over entries is infinite; inside not."""
    form = Separable(weight=1, low=low, high=high)

    assert list(form.value(np.array([[0.0, outside], [0.0, 0.0]]))) == [inf, 0.0]
