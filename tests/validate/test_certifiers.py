"""Certificates found by several processes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from fedproof.proof import certificates
from fedproof.proof.step import Step
from fedproof.validate import certifiers, certify, certifying

KEY = "flecs"


def test_steps_come_after_those_that_they_use() -> None:
    """Each once, whether it is listed or only used."""
    steps = certifying.with_used(certifying.steps_of(KEY))
    places = {id: k for k, id in enumerate(steps)}

    assert {s.id for s in certifying.steps_of(KEY)} <= set(steps)
    for step in steps.values():
        assert all(places[u.id] < places[step.id] for u in certifying.uses(step) if u.id in places)


def test_two_processes_find_what_one_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    """From nothing, the same certificates in the same order; a step gets those of all that it rests on."""
    few = tuple(s for s in certifying.steps_of(KEY) if s.rule in ("real", "quad"))[:12]
    monkeypatch.setattr(certifying, "shipped", lambda step: None)
    monkeypatch.setattr(certifying, "steps_of", lambda key: few)
    certifiers._steps.cache_clear()
    one, two = (certifiers.steps((KEY,), jobs)[KEY] for jobs in (1, 2))
    certifiers._steps.cache_clear()

    assert list(one) == list(two)
    assert one == two
    assert sum(not isinstance(said, str) for said in one.values()) >= len(few)


def test_a_paper_that_ships_all_of_them_keeps_them() -> None:
    """Its steps' certificates are those in its folder."""
    said = certifiers.steps((KEY,), 2)[KEY]
    ships = certificates.stored(KEY)

    assert {id for id, found in said.items() if not isinstance(found, str)} >= {
        s.id for s in certifying.steps_of(KEY)
    }
    assert all(said[s.id] == ships[s.id] for s in certifying.steps_of(KEY))


def test_questions_of_statements_are_those_that_ship() -> None:
    """By one process or two."""
    ships = {id for id in certificates.stored(KEY) if ".question." in id}
    found: list[Mapping[str, Any]] = [certifiers.questions((KEY,), jobs)[KEY] for jobs in (1, 2)]

    assert set(found[0]) == set(found[1]) == ships


def test_what_is_false_or_cited_is_not_searched_for() -> None:
    """Nor what it uses for itself."""
    import sympy as sp

    x = sp.Symbol("x", real=True)
    cited, false = Step(x >= 0, id="cited", rule="cite"), Step(x >= 1, id="false", flaw="gap")

    assert list(certifying.with_used((Step(x >= x - 1, (cited.at(), false.at()), id="own"),))) == ["own"]


def test_questions_that_ship_are_there_while_statements_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that does not end in time on a busy machine loses no certificate that ships."""
    known = dict(certificates.stored(KEY))
    shipped = [row for id, row in known.items() if ".question." in id]
    written: list[list[Any]] = []
    monkeypatch.setattr(certifiers, "steps", lambda keys, jobs: {KEY: known})
    monkeypatch.setattr(certify, "write", lambda key, rows: written.append([*rows]))
    monkeypatch.setattr(certifiers, "questions", lambda keys, jobs: {KEY: {}})

    assert certify.main(KEY) == 0
    assert shipped
    assert [row for row in written[0] if row in shipped] == shipped
