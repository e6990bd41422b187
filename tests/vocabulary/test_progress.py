"""How long is left: from the seconds that pieces took before."""

from __future__ import annotations

from pathlib import Path

import pytest

from fedproof.terminal import progress
from fedproof.vocabulary import progress as told
from fedproof.vocabulary.progress import Pieces, last_durations, store_durations


def test_the_second_time_it_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a first run the current piece and what is left are told, and repeated pieces count once."""
    monkeypatch.setenv("FEDPROOF_CACHE", str(tmp_path))
    now = iter((0.0, 30.0, 40.0, 45.0, 0.0, 28.0))
    monkeypatch.setattr(told.time, "monotonic", lambda: next(now))
    first = Pieces("audit", ("a", "b"))
    before = first.next_words()
    for name in ("a", "b", "a"):
        first.finish(name)
    first.store()
    second = Pieces("audit", ("a", "b", "c"))

    assert before == "a"
    assert last_durations("audit") == {"a": 30.0, "b": 10.0}
    assert second.next_words() == "a, at least 40 s left"
    second.finish("a")
    assert second.next_words() == "b, at least 10 s left"


@pytest.mark.parametrize("text", ["", "[1]", "{", '{"a": "x"}'])
def test_damaged_durations_are_none(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be read is as if nothing were stored, and is replaced."""
    monkeypatch.setenv("FEDPROOF_CACHE", str(tmp_path))
    store_durations("audit", {"a": 1.0})
    (tmp_path / "durations" / "audit.json").write_text(text)

    assert last_durations("audit") == {}
    store_durations("audit", {"b": 2.0})
    assert last_durations("audit") == {"b": 2.0}


def test_nothing_is_stored_where_the_cache_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """FEDPROOF_CACHE=off holds for durations too."""
    monkeypatch.setenv("FEDPROOF_CACHE", "off")
    store_durations("audit", {"a": 1.0})

    assert last_durations("audit") == {}


def test_off_a_terminal_there_is_a_line_for_each_part(capsys: pytest.CaptureFixture[str]) -> None:
    """Lines go to stderr, one a part, and none where none are wanted."""
    for quiet, lines in ((False, True), (True, True), (False, False)):
        with progress("report", None, quiet, lines=lines) as tick:
            for note in ("one: a", "one: b", "two: c, about 5 s left"):
                tick(note)
    said = capsys.readouterr()

    assert said.out == ""
    assert said.err == "report: one\nreport: two\n"
