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


def test_the_steps_of_a_paper_at_a_time() -> None:
    """Each with those of no paper, and the statements stay where they are."""
    whole = audit(of("p", "one"), of("q", "two"), of(None, "rule"), uses("q", "three", "rule"))

    parts = script._apart(whole)

    assert [{r["id"] for r in part["steps"]} for part in parts] == [
        {"one", "rule", "x"}, {"two", "three", "rule"},
    ]  # fmt: skip
    assert {len(part["statements"]) for part in parts} == {1}


@pytest.mark.parametrize(
    "other",
    [
        uses("q", "three", "one"),
        of("q", "one"),
        of("q", "\uff4fne"),
        of(None, "one"),
        of("q", "three", says={"cites": [["one", TRUE, [], ""]]}),
    ],
    ids=["another's step", "one id", "ids of one look", "an id of no paper", "another's row is cited"],
)
def test_what_does_not_stand_alone_is_not_taken_apart(other: Row) -> None:
    """The whole is checked at once."""
    whole = audit(of("p", "one"), of("q", "two"), other)

    assert script._apart(whole) == [whole]


def test_a_bound_of_another_paper_grants_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Statements are looked at together: one of another paper is there, and is refused."""
    claim = ["<=", "x", "0"]
    proof = of("p", "s", [claim, ["given", 0]]) | {"rests_on": []}
    other = bound(proof) | {"id": "g", "paper": "q", "verdict": "refuted"}
    mine = bound(proof) | {"uses": ["g"], "granted": {"g": ["A"]}}
    whole = document(proof, of("q", "two"), statements=[mine, other])
    (tmp_path / "audit.json").write_text(json.dumps(whole), encoding="utf-8")

    assert len(script._apart(whole)) == 2
    assert script.main([str(tmp_path / "audit.json")]) == 1
    assert "b: NOT CONFIRMED" in capsys.readouterr().out


def test_there_may_be_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then everything is done here; of many papers no more at a time than there are processors."""
    asked: list[int] = []

    def refused(count: int, initializer: Any) -> Any:
        asked.append(count)
        raise OSError

    monkeypatch.setattr(script, "Pool", refused)
    assert [*script._spread(len, [[1], [2, 3]] * 500)] == [1, 2] * 500
    assert asked == [script.cpu_count()]


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
