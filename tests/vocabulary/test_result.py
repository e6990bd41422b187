"""Results as JSON and in a notebook, files that appear whole, and how long is left."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fedproof.terminal import progress
from fedproof.vocabulary import progress as durations
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.files import folder_for, write_whole
from fedproof.vocabulary.progress import Pieces, last_durations, store_durations
from fedproof.vocabulary.result import Result, Table, as_html, to_json
from tests.refusals import refused


@dataclass(frozen=True)
class Sample(Result):
    """A result with awkward values."""

    value: Any

    def to_dict(self) -> dict[str, Any]:
        """The value."""
        return {"value": self.value}

    def headline(self) -> str:
        """A headline that looks like markup."""
        return "<script>alert(1)</script>"


def test_json_has_no_nan_infinity_or_foreign_numbers() -> None:
    """Non-finite numbers become null, numbers of other libraries become plain ones."""
    odd = [
        float("nan"),
        np.float64("inf"),
        Fraction(1, 4),
        np.arange(2),
        Fraction(10) ** 400,
        {"a": (None, True)},
    ]

    assert json.loads(to_json(Sample(odd))) == {
        "value": [None, None, 0.25, [0, 1], None, {"a": [None, True]}]
    }


def test_rows_are_indented_and_what_lies_deeper_is_not() -> None:
    """The outermost levels read as a table, a proof stands on one line, and nothing is lost."""
    rows = {"empty": [], "steps": [{"id": 'a"b', "proof": [[1, {"x": "y"}], []]}, {"id": "c", "proof": {}}]}
    text = to_json(rows)

    assert json.loads(text) == rows
    assert '      "proof": [[1, {"x": "y"}], []]' in text.splitlines()
    assert '  "empty": [],' in text.splitlines()


def test_the_notebook_rendering_escapes_markup() -> None:
    """Text of a result cannot become HTML."""
    assert "<script>" not in Sample("<b>")._repr_html_()
    assert "&lt;b&gt;" in Sample("<b>")._repr_html_()


def test_a_table_shows_its_title_where_it_has_one() -> None:
    """The caption of an HTML table is its title, escaped; without a title there is none."""
    assert "<caption>a &lt; b</caption>" in as_html("", (Table("a < b", ("x",), ((1,),)),))
    assert "<caption>" not in as_html("", (Table("", ("x",), ((1,),)),))


def test_a_write_that_fails_leaves_the_old_content_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the last step fails, the file is as it was and no temporary file stays."""

    def broken(*names: Any) -> None:
        raise OSError("no space")

    target = write_whole(tmp_path / "a", b"old")
    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(OSError, match="no space"):
        write_whole(target, b"new")
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("below", ["", "b"])
def test_a_file_in_place_of_a_folder_is_refused_by_the_argument_that_named_it(
    below: str, tmp_path: Path
) -> None:
    """A missing folder is made with its parents; a file there, or above, is named in one line."""
    assert folder_for(tmp_path / "new" / "folder").is_dir()
    file = write_whole(tmp_path / "a", b"")
    refused(
        InputError, r"^folder: got .*, expected a folder; choose a path", folder_for, file / below, "folder"
    )


def test_the_second_time_it_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a first run the current piece and what is left are told, and repeated pieces count once."""
    monkeypatch.setenv("FEDPROOF_CACHE", str(tmp_path))
    now = iter((0.0, 30.0, 40.0, 45.0, 0.0, 28.0))
    monkeypatch.setattr(durations.time, "monotonic", lambda: next(now))
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
