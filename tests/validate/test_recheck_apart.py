"""An audit of several papers, checked a paper at a time: the same is said as of the whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fedproof.validate import recheck as script
from tests.validate.made_audits import BELOW, NEGATED, Row, bound, document, step

TRUE = ["<=", "0", "0"]


def of(paper: str | None, id: str, *lines: Any, **more: Any) -> Row:
    """A step of a paper, or of none, that 0 <= 0."""
    return step(id, {}, [], *(lines or ([TRUE, ["combine", NEGATED, []]],)), **more) | {"paper": paper}


def uses(paper: str, id: str, other: str) -> Row:
    """A step that goes by another."""
    return of(paper, id, [TRUE, ["use", other, [], []]], uses=[other])


def audit(*steps: Row) -> Row:
    """An audit with a statement that does not hold, of the paper p."""
    false = step("x", {"x": "real"}, [BELOW])
    return document(*steps, false, statements=[bound(false)])


def test_a_document_a_paper() -> None:
    """Each has its own rows and those of no paper."""
    parts = script._apart(audit(of("p", "one"), of("q", "two"), of(None, "rule"), uses("q", "three", "rule")))

    said = {frozenset(r["id"] for r in part["steps"]): len(part["statements"]) for part in parts}
    assert said == {frozenset({"one", "rule", "x"}): 1, frozenset({"two", "three", "rule"}): 0}


@pytest.mark.parametrize("other", [uses("q", "three", "one"), of("q", "one"), of(None, "one")])
def test_what_does_not_stand_alone_is_not_taken_apart(other: Row) -> None:
    """A step that goes by one of another paper, and two steps of one id."""
    whole = audit(of("p", "one"), of("q", "two"), other)

    assert script._apart(whole) == [whole]


def test_all_parts_are_told_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is confirmed and what is not, of every paper, and a lemma once."""
    asked: list[int] = []

    def each(act: Any, tasks: list[Any]) -> Any:
        asked.append(len(tasks))
        return map(act, tasks)

    rows = (
        of("p", "one"),
        of("q", "two"),
        of(None, "rule"),
        of("q", "bad", [["<=", "1", "0"], ["given", 0]]),
    )
    (tmp_path / "audit.json").write_text(json.dumps(audit(*rows)), encoding="utf-8")

    assert script.main([str(tmp_path / "audit.json"), "--json"], each) == 1
    said = json.loads(capsys.readouterr().out)
    assert asked == [2]
    assert (said["proofs"]["confirmed"], said["proofs"]["rejected"]) == (3, ["x", "bad"])
    assert said["statements"]["rejected"] == ["b"]
