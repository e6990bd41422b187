"""Audits beside a plan: the same verdicts as here, whatever becomes of the other process."""

from __future__ import annotations

import os
import time
from typing import Any

import pytest

from fedproof.bounds.catalog import statement
from fedproof.planning import verdicts
from fedproof.planning.verdicts import beside, here
from fedproof.validate.audit import judge

pytestmark = pytest.mark.usefixtures("nothing_known")

IDS = ("flecs.theorem5", "flecs.theorem4")


@pytest.fixture
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """No audit was done before."""
    monkeypatch.setattr(verdicts, "_FOUND", {})


def elsewhere(id: str) -> Any:
    """The work, and in which process it was done."""
    return id, os.getpid()


def lost(*work: Any) -> None:
    """The end of a worker."""
    os._exit(1)


def test_the_process_beside_finds_what_this_one_finds() -> None:
    """Verdict, witness and grounds are those of an audit here."""
    with beside() as ask:
        found = [verdict() for verdict in [ask(id) for id in IDS]]

    assert [(v.verdict, v.detail, v.witness, v.grounds) for v in found] == [
        (v.verdict, v.detail, v.witness, v.grounds) for v in map(judge, map(statement, IDS))
    ]


def test_it_is_another_process_and_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows about one statement share its audit."""
    monkeypatch.setattr(verdicts, "_there", elsewhere)
    with beside() as ask:
        first, again = ask(IDS[0]), ask(IDS[0])
        time.sleep(0.5)
        assert first() == again() == here(IDS[0])
    assert here(IDS[0])[1] != os.getpid()


def test_where_the_process_is_lost_it_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """No plan is lost with it."""
    monkeypatch.setattr(verdicts, "_there", lost)
    with beside() as ask:
        asked = [ask(id) for id in IDS]
        assert [verdict().verdict for verdict in asked] == ["refuted", "refuted"]


def test_what_was_not_begun_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the other process is busy with the first, this one does the last."""
    monkeypatch.setattr(verdicts, "_there", lambda id: time.sleep(600))
    with beside() as ask:
        ask(IDS[0])
        last = ask(IDS[1])
        time.sleep(0.5)
        assert last().verdict == "refuted"


def test_a_paper_of_ones_own_is_audited_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a file that this process has read, and that may read otherwise by now."""
    monkeypatch.setattr(verdicts, "own_files", lambda: {"flecs": "flecs"})
    monkeypatch.setattr(verdicts, "_there", elsewhere)
    with beside() as ask:
        assert ask(IDS[0])() is here(IDS[0])
