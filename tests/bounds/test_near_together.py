"""Several symbols at once: what is offered is admitted by the statement's check, whole where it must be."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import fedproof as fp
from fedproof.algebra.elimination.problem import Problem
from fedproof.algebra.projection import plane
from fedproof.algebra.ranges import admissible as ranges
from fedproof.algebra.ranges import near_together as module
from fedproof.algebra.ranges import projection
from fedproof.vocabulary.quantities import OF_PROBLEM

CASES: list[tuple[str, dict[str, Any], set[str]]] = [
    ("fedproxvr.lemma1.sarah", {"L": 1, "lam": "1/2", "mu": 1, "beta": 4, "tau": 2, "theta": "1/10"},
     {"beta", "tau"}),
    ("composite.theorem3.5", {"L": 1, "n": 10, "sigma2": 1, "B_g": 1, "Omega1": 1, "eta": 10, "eta_g": "0.1",
                              "tau": 5, "b": 1, "R": 10}, {"eta", "eta_g"}),
    ("fedprox.theorem3.general", {"L": 1, "G": 1, "T": 10, "I": 5, "eta": 10, "b": 2, "eps": 3},
     {"eta", "eps"}),
]  # fmt: skip


@pytest.mark.parametrize(("id", "values", "moves"), CASES, ids=[id for id, _, _ in CASES])
def test_what_is_offered_is_admitted(id: str, values: dict[str, Any], moves: set[str]) -> None:
    """No single change mends the point, two do: the statement admits them, and they are called near ones."""
    handle = fp.statement(id)
    rejected = handle.check(**values)
    assert rejected.nearest is not None
    near = rejected.nearest.together

    assert near is not None
    assert set(near.values) == moves
    assert handle.check(**{**values, **near.values}).applicable
    assert all(v.denominator == 1 for n, v in near.values.items() if handle.letter(n).quantity.whole)
    assert "not proved the nearest" in rejected.nearest.headline()
    for name in moves:
        assert not handle.check(**{**values, name: near.values[name]}).applicable


def test_the_search_asks_for_no_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Why a range is empty is told to a reader and costs most of the time; no search asks for it."""
    id, values, moves = CASES[1]
    rejected = fp.statement(id).check(**values)
    assert rejected.nearest is not None
    asked: list[str] = []
    monkeypatch.setattr(ranges, "explained", lambda found, *others: asked.append(found.symbol) or found)
    near = rejected.nearest.together

    assert near is not None
    assert set(near.values) == moves
    assert asked == []


def test_a_point_that_one_change_mends_has_no_other() -> None:
    """Where a parameter alone can be moved the answer is that."""
    found = fp.statement("fedproxvr.theorem1").check(L=1, lam=0, sigma2=0, mu=1, theta="1/10")

    assert found.nearest is not None
    assert [c.symbol for c in found.nearest.coordinates if c.nearest is not None] != []
    assert found.nearest.together is None


def test_a_sketch_decides_no_irrational_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """A near point is rational: deciding irrational values on the way to this one took 59 s."""
    asked: list[Any] = []
    monkeypatch.setattr(plane, "_column_above", lambda *_: asked.append(plane.Column(None)) or asked[-1])
    handle, values = fp.statement("fedprox.table1.theorem1"), {"T": 10, "I": 10, "eps": "2.5e25"}
    known = {"L": "86/57", "G": "0.16564066", "Delta": "53/22", "epsilon": "5.18"}
    nearest = handle.check(**known, **values).nearest
    assert nearest is not None
    asked.clear()
    begun = time.process_time()

    near = nearest.together
    assert near is not None
    assert handle.check(**known, **{**values, **near.values}).applicable
    assert not asked
    assert time.process_time() - begun < 20


@pytest.mark.parametrize(("id", "values"), [
    ("flecs.theorem4", {"L": "0.11113143", "mu": "1.3", "mu1": "89/91", "mu2": "0.12467699", "omega": 1,
                        "n": 1, "sigma2": 1, "alpha": "3.6496247e-21", "gamma": "0.90543675", "c": 1,
                        "Psi0": "1.8164773e17", "K": 2}),
    ("fedproxvr.corollary1.sharpened", {"L": 1, "lam": "3.3016816", "sigma2": "1.16e21", "mu": "36/40",
                                        "theta": 1, "Delta": "0.175", "eps": "5.9755654e22", "T": 10}),
    ("fedproxvr.corollary1", {"L": 1, "lam": "75/15", "sigma2": "4841.5814", "mu": 0, "theta": "0.636",
                              "Delta": 1, "eps": "38.245276", "T": 2}),
])  # fmt: skip
def test_two_symbols_left_free_are_asked_in_few_places(
    id: str, values: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Questions within pieces of a line, of which there were 63 and more, took 10, 24 and over 60 s."""
    asked, nearest = [0], fp.statement(id).check(**values).nearest
    assert nearest is not None
    whether = projection._any

    def counted(problem: Problem) -> bool | None:
        asked[0] += 1
        return whether(problem)

    monkeypatch.setattr(projection, "_any", counted)
    near = nearest.together

    assert near is None or fp.statement(id).check(**{**values, **near.values}).applicable
    assert asked[0] < 20


def test_constants_of_the_data_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little is allowed, no constant of the problem is moved; with one question nothing is found."""
    id, values, _ = CASES[1]
    handle = fp.statement(id)
    for most in (0, 1, 5, 48):
        monkeypatch.setattr(module, "MOST_QUESTIONS", most)
        nearest = handle.check(**values).nearest
        assert nearest is not None
        near = nearest.together
        assert near is None or not {handle.letter(n).means for n in near.values} & OF_PROBLEM
        assert most > 1 or near is None


@settings(max_examples=25, deadline=None)
@given(
    eta=st.integers(1, 400), eta_g=st.integers(1, 400), tau=st.integers(1, 60), sigma2=st.integers(0, 9),
    n=st.integers(1, 50),
)  # fmt: skip
def test_every_offer_is_admitted(eta: int, eta_g: int, tau: int, sigma2: int, n: int) -> None:
    """Over drawn settings of Theorem 3.5 one step size mends the point, or an offer that is admitted."""
    values: dict[str, Any] = {
        "L": 1, "n": n, "sigma2": sigma2, "B_g": 1, "Omega1": 1, "eta": Fraction(eta, 100),
        "eta_g": Fraction(eta_g, 100), "tau": tau, "b": 1, "R": 10,
    }  # fmt: skip
    handle = fp.statement("composite.theorem3.5")
    rejected = handle.check(**values)
    assume(rejected.nearest is not None)
    assert rejected.nearest is not None
    free = [c.symbol for c in rejected.nearest.coordinates if c.nearest is not None]
    near = rejected.nearest.together

    assert near is not None or set(free) & {"eta", "eta_g"}
    assert near is None or handle.check(**{**values, **near.values}).applicable


@pytest.mark.parametrize(("id", "values"), [
    ("fedproxvr.remark2.2.mu", {"lam": "137", "mu": "5/2"}),
    ("fedprox.theorem4", {"nu": "100", "rho": "1e30", "T": "10"}),
    ("fedproxvr.remark1.3.tau", {"beta": 3, "lam": 0, "mu": 1, "tau": 2}),
    ("fedproxvr.lemma1.sarah", {"beta": 20, "tau": 500, "theta": "1/2", "mu": 30, "L": 1, "lam": "1/2"}),
])  # fmt: skip
def test_a_nearest_value_is_admissible(id: str, values: dict[str, Any]) -> None:
    """In place of the symbol it mends every condition, at an open end too, and is whole where it counts."""
    handle = fp.statement(id)
    values = {name: value for name, value in values.items() if name in handle.names}
    found = handle.check(**values).nearest

    assert found is not None
    moved = [c for c in found.coordinates if c.nearest is not None]
    assert moved
    for c in moved:
        assert handle.applies(**{**values, c.symbol: c.nearest}), c
        assert not handle.letter(c.symbol).quantity.whole or float(c.nearest).is_integer()


@pytest.mark.parametrize("beta", ["1/10", "3.2"])
def test_a_single_irrational_value_is_offered_exactly(beta: str) -> None:
    """(16) is an equation: its beta is no decimal, so none is called admissible."""
    handle = fp.statement("fedproxvr.eq16")
    found = handle.check(beta=beta, tau=5).nearest
    assert found is not None
    (moved,) = (c for c in found.coordinates if c.symbol == "beta")

    assert (moved.nearest, moved.exact, moved.attained) == (None, "(2 + 2*sqrt(51))/5", True)
    assert "changing one of beta=(2 + 2*sqrt(51))/5" in found.headline()
