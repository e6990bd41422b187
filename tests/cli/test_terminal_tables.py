"""Tables in a terminal: no word is broken that fits into a line, and nothing is lost."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from fedproof.cli import main
from fedproof.terminal import show
from fedproof.terminal_tables import drawn
from fedproof.vocabulary.result import Table

LONG = Table(
    "Theorems",
    ("statement", "kind", "rounds", "bits a client", "bound / start", "estimated"),
    (
        ("fedproxvr.certified.sarah.sharpened", "on estimates, not useful", 122424253, 1.01857e13, 123977.5,
         "dissimilarity"),
        ("composite.theorem3.5", "certified", 32619, 2.713901e9, 33.038, None),
    ),
)  # fmt: skip
WORDS = {
    "fedproxvr.certified.sarah.sharpened", "estimates,", "122424253", "1.01857e+13", "dissimilarity",
    "composite.theorem3.5", "certified", "2.713901e+09",
}  # fmt: skip


def printed(table: Table, width: int) -> str:
    """A table as a terminal of this width shows it."""
    console = Console(file=io.StringIO(), width=width)
    for part in drawn(table, width):
        console.print(part)
    text: Any = console.file
    return str(text.getvalue())


@pytest.mark.parametrize("width", [36, 50, 60, 80, 100, 160, 250])
def test_no_name_is_broken(width: int) -> None:
    """At every width that holds the longest name each name stands in one line, and no line is wider."""
    text = printed(LONG, width)

    assert {*text.split()} >= WORDS
    assert max(map(len, text.splitlines())) <= width


def test_what_fits_stays_a_table() -> None:
    """Columns that fit side by side are a box; where they do not, names head the rows, then records."""
    assert "┏" in printed(LONG, 160)
    assert "┏" not in printed(LONG, 100)
    assert printed(LONG, 90).count("rounds") == 1
    assert printed(LONG, 50).count("rounds") == 2


def test_sentences_are_folded_at_spaces() -> None:
    """A long sentence beside short cells is folded within its column."""
    table = Table("", ("id", "why"), (("a.very.long.identifier.of.a.statement", "word " * 40),))
    text = printed(table, 80)

    assert "a.very.long.identifier.of.a.statement" in text
    assert text.count("word") == 40


def test_a_word_wider_than_the_terminal_is_folded() -> None:
    """A word that no line can hold is the one that is broken, and all of it is there."""
    table = Table("", ("a", "b", "c"), (("x" * 100, "short", "y"),))
    text = printed(table, 60)

    assert text.count("x") == 100
    assert max(map(len, text.splitlines())) <= 60


def test_formulas_of_several_lines_are_kept() -> None:
    """A cell of several lines keeps them, however the rest is folded."""
    formula = "     2  \n3⋅β ⋅L  \n─────────"
    text = printed(Table("", ("label", "condition"), (("(13) lower", formula), ("b", "word " * 30))), 60)

    assert all(line.strip() in text for line in formula.splitlines())


def test_brackets_are_text() -> None:
    """What looks like markup is shown as it is, in every layout."""
    table = Table("", ("a", "b", "c"), (("[bold]x" + "z" * 20, "[/]" + "y" * 30, "[0, 1]"),))

    for width in (200, 60, 40):
        assert {"[bold]x" + "z" * 20, "[/]" + "y" * 30} <= {*printed(table, width).split()}
        assert "[0, 1]" in printed(table, width)


def test_validate_keeps_its_ids_whole_in_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command's own table shows each id in one piece in a narrow terminal."""
    monkeypatch.setenv("COLUMNS", "80")
    code = main(["validate", "fedproxvr.remark1.2", "fedproxvr.remark1.3.tau.everywhere"])
    out = capsys.readouterr().out

    assert code == 0
    assert {"fedproxvr.remark1.2", "fedproxvr.remark1.3.tau.everywhere"} <= {*out.split()}


def test_a_headline_is_one_line_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    """Off a terminal a long headline is not folded, so that a script reads it as one line."""

    class Answer:
        def headline(self) -> str:
            return "word " * 60

        def tables(self) -> tuple[Table, ...]:
            return ()

    show(Answer())  # type: ignore[arg-type]

    assert capsys.readouterr().out.rstrip("\n").count("\n") == 0
