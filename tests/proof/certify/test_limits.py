"""How long a search may go on, and whether that ended it."""

from __future__ import annotations

from time import thread_time
from typing import Any

import pytest
import sympy as sp

from fedproof.proof.certify import limits, live, search
from fedproof.proof.certify.limits import NotFound, left, still, within
from fedproof.proof.certify.live import Unproved, proof
from fedproof.proof.step import Step
from fedproof.vocabulary.source import Source

x, y = sp.symbols("x y", real=True)


def test_a_limit_tells_whether_it_ended_a_search() -> None:
    """Also the one around it, if that is as early; a longer one around is not told of."""
    with within(60.0) as long, within(0.0) as short, pytest.raises(NotFound):
        still()
    with within(0.0) as outer, within(60.0) as inner, pytest.raises(NotFound):
        left(10.0)
    with within(60.0) as idle:
        still()

    assert [limit.cut for limit in (long, short, outer, inner, idle)] == [False, True, True, True, False]


def test_what_is_left_is_never_less_than_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """However the clock moves between two looks at it: an engine that is told so much can be asked."""
    with within(1.0):
        start = thread_time()
        clock = iter((start + 0.5, start + 2.0))
        monkeypatch.setattr(limits, "thread_time", lambda: next(clock))

        assert left(10.0) > 0
        with pytest.raises(NotFound):
            left(10.0)


def test_a_search_that_tried_everything_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """With more time; one that its time ended is."""
    tried: list[tuple[str, float]] = []

    def searched(step: Step, known: Any, seconds: float) -> Unproved:
        tried.append((step.id, seconds))
        return Unproved.of("none", cut=step.id == "cut")

    monkeypatch.setattr(live, "searched", searched)
    monkeypatch.setattr(live, "ASKED", {})
    for seconds in (1.0, 1.0, 5.0):
        for id in ("cut", "tried"):
            proof(Step(x >= y, id=id), seconds)

    assert tried == [("cut", 1.0), ("tried", 1.0), ("cut", 5.0)]


def test_a_question_is_searched_for_once_wherever_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof is of the step as it was asked; for another paper it is searched anew."""
    monkeypatch.setattr(live, "ASKED", {})
    one, other = (Step(x**2 >= 0, id="q", source=Source("fedprox", w), note=w) for w in ("here", "there"))
    found = [proof(s, 5.0) for s in (one, other, Step(x**2 >= 0, id="q", source=Source("flecs", "here")))]

    assert [f.step for f in found[:2] if not isinstance(f, str)] == [one, other]
    assert len(live.ASKED) == 2


def test_products_are_not_chosen_when_the_time_is_over() -> None:
    """However many there are: the choice itself asks what time it is."""
    made = search.Columns.__new__(search.Columns)
    made.pool, made.positive, made.negative, made.templates = {1: None}, set(), set(), []  # type: ignore[dict-item]
    made.seen = (set(), set())
    with within(0.0), pytest.raises(NotFound):
        made.grow(1)
