"""The tables of what each paper's page says: complete, bound to the text, and naming what there is.

The texts are no part of the repository. `FEDPROOF_PAPERS` names the folder that has them as `<key>.txt`, by
default `shared/papers` beside the repository.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from fedproof.validate.coverage import COLUMNS, OPEN, Row, claims, coverage, faults, gaps, names, read, rows
from fedproof.validate.page import Piece, split
from fedproof.vocabulary.errors import InputError

#: the numbered displays of each paper, and which share of what reads like a claim may be marked otherwise
DISPLAYS = {
    "fedproxvr": [n for i in range(1, 88) for n in (["8a", "8b"] if i == 8 else [str(i)])],
    "composite": [str(i) for i in range(1, 52)],
    "fedprox": [str(i) for i in range(1, 23)],
    # the scan has lost the number of (27)
    "flecs": [str(i) for i in range(1, 31) if i != 27],
}
OVERRULED = {"fedproxvr": 0.4, "composite": 0.5, "fedprox": 0.6, "flecs": 0.55}
#: texts that are not called as their paper's key
NAMES = {"fedprox": "fedprox-yuan-li", "flecs": "flecs-cgd"}
PAPERS = sorted(DISPLAYS)


@cache
def pieces(key: str) -> tuple[Piece, ...]:
    """The pieces of a paper's text; the test is skipped where the text is not at hand."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "papers"
    file = Path(os.environ.get("FEDPROOF_PAPERS", beside)) / f"{NAMES.get(key, key)}.txt"
    if not file.is_file():
        pytest.skip(f"the text of {key} is not here: let FEDPROOF_PAPERS name a folder with {file.name}")
    return split(file.read_text(encoding="utf-8"))


def differences(table: tuple[Row, ...], page: tuple[Piece, ...]) -> list[str]:
    """The keys of rows that are not the page's pieces, in order, and whether there are as many."""
    apart = [row.key for row, piece in zip(table, page, strict=False) if not row.of(piece)]
    return apart + [f"{len(table)} rows, {len(page)} pieces"] * (len(table) != len(page))


def overruled(table: tuple[Row, ...], page: tuple[Piece, ...]) -> tuple[int, list[Row]]:
    """How many sentences read like a claim, and the rows of those that are marked as something else."""
    pairs = zip(table, page, strict=True)
    alike = [row for row, piece in pairs if not row.equations and claims(piece.text)]
    return len(alike), [row for row in alike if row.says != "claim"]


def unjudged(table: tuple[Row, ...], displays: list[str]) -> list[str]:
    """The numbered displays without a row of their own that names where they are judged."""
    judged = [n for row in table if set(row.entry) - {OPEN} for n in row.equations]
    return [n for n in displays if judged.count(n) != 1]


@pytest.mark.parametrize("key", PAPERS)
def test_every_entry_is_something_of_the_paper(key: str) -> None:
    """No row names a statement, step, setting or row that there is not, and no claim names nothing."""
    assert [*faults(rows(key), names(key))] == []


@pytest.mark.parametrize("key", PAPERS)
def test_the_rows_are_those_of_the_page(key: str) -> None:
    """Splitting the text gives exactly the table's sections, paragraphs, sentences, digests and displays."""
    assert differences(rows(key), pieces(key)) == []


@pytest.mark.parametrize("key", PAPERS)
def test_what_reads_like_a_claim_is_one(key: str) -> None:
    """A sentence with a number, a comparison or a word of claims is marked so, but for a stated share."""
    many, others = overruled(rows(key), pieces(key))

    assert len(others) <= OVERRULED[key] * many, [f"{row.key}: {row.says}" for row in others]
    assert many - len(others) >= 20


@pytest.mark.parametrize("key", PAPERS)
def test_every_numbered_display_is_judged(key: str) -> None:
    """Each equation number of the paper stands in one row, and that row names where it is judged."""
    assert unjudged(rows(key), DISPLAYS[key]) == []
    assert sorted(n for row in rows(key) for n in row.equations) == sorted(DISPLAYS[key])


@pytest.mark.parametrize("key", PAPERS)
def test_a_planted_falsehood_is_seen(key: str) -> None:
    """An entry of nothing, a claim without one, a duplicate of nothing and a display without one are told."""
    table = rows(key)
    display = next(row for row in table if row.equations and row.says == "claim")
    for wrong in (
        replace(display, entry=(f"{key}.nothing",)),
        replace(display, entry=()),
        replace(display, says="duplicate", entry=("1/99/1",)),
    ):
        assert len([*faults((wrong,), names(key))]) == 1
    bare = tuple(replace(row, entry=(OPEN,)) if row is display else row for row in table)
    assert unjudged(bare, DISPLAYS[key]) == list(display.equations)


def test_a_changed_text_is_seen() -> None:
    """A changed sentence, a lost one and a renumbered display each differ from the rows."""
    text = "Abstract\n\nWe prove it. It holds.\n\n$$a = b - c \\quad (1)$$\n\n{}"
    page = split(text)
    table = tuple(
        Row(p.section, p.paragraph, p.sentence, p.digest, p.equations, "claim", ("x",)) for p in page
    )

    assert differences(table, page) == []
    for old, new in (("We prove", "They prove"), (" It holds.", ""), ("(1)", "(2)"), ("b - c", "b c")):
        assert differences(table, split(text.replace(old, new))) != []


def test_interrupted_prose_is_one_paragraph() -> None:
    """Captions, footnotes, listings, tables, ends of lines and of pages interrupt a sentence, no more."""
    for between in ("Figure 1: Loss.", "¹So it is.", "1: for $s$ do\n2: end", "a\tb\nc\td", ""):
        found = split(f"Abstract\n\nIt holds that\n\n{between}\n\nall is well. Done.")

        assert [p.text for p in found if p.paragraph == 1] == ["It holds that all is well.", "Done."]
    assert split("Abstract\n\nIt con-\nverges.")[0].text == "It converges."
    assert len(split("Abstract\n\nThat is\n\nREFERENCES\n\n- [1] We.\n\nA PROOF\n\nSo it is.")) == 2


def test_headings_with_a_dot_and_listings_among_references_are_told_apart() -> None:
    """Both "1. Introduction" and "C.2. Proof" start sections, a number in a list does not."""
    text = "Abstract\n\nSo.\n\n1. Introduction\n\nIt is.\n\n1. (2)\n\nReferences\n\n- [1] We.\n\n"
    page = split(f"{text}Algorithm 2 Update\n\n1: go\n\nAppendix C. Proofs\n\nC.2. Proof of it\n\nDone.")

    assert [(p.section, p.text) for p in page] == [
        ("Abstract", "So."), ("1", "It is."), ("1", "1. (2)"), ("References", "Algorithm 2 Update"),
        ("References", "1: go"), ("C.2", "Done."),
    ]  # fmt: skip


def test_headings_tables_and_tagged_displays_are_told_apart() -> None:
    """A lettered heading in title case starts a section, a table's rows are pieces, a tag is a number."""
    page = split("Abstract\n\nSo.\n\nB Proofs for Section 2\n\nA few do.\n\nWork\t$x$\nOurs\t$\\frac{1}{x}$")
    tagged = split("Abstract\n\n$$\\begin{aligned} a &= b \\\\ &= c \\end{aligned} \\tag{13}$$")

    assert [(p.section, p.text.partition("\t")[0]) for p in page] == [
        ("Abstract", "So."), ("B", "A few do."), ("B", "Work"), ("B", "Ours"),
    ]  # fmt: skip
    assert tagged[0].equations == ("13",)


@pytest.mark.parametrize("text", ["1,1,1,0,,claim\n", "1,a,1,0,,claim,x\n", "1,1,1,0,,claims,x\n"])
def test_a_bad_row_is_refused_in_one_line(text: str) -> None:
    """Too few columns, a place that is no number and an unknown kind are refused with the row."""
    with pytest.raises(InputError, match=text.strip()):
        read(",".join(COLUMNS) + "\n" + text)


def test_the_line_counts_open_claims() -> None:
    """The line of a paper says how many pieces there are and how many claims and others are open."""
    table = rows("fedproxvr")
    left = [kind == "claim" for kind in gaps(table).values()]
    told = f"{left.count(True)} claims and {left.count(False)} other pieces open in part or whole"

    assert coverage("fedproxvr").startswith(f"fedproxvr: {len(table)} pieces (")
    assert coverage("fedproxvr").endswith(told)


def test_what_repeats_an_open_row_is_open() -> None:
    """A row left open takes those that repeat it with it, each with the kind of what it repeats."""
    table = rows("fedproxvr")
    repeated = {key for row in table if row.says == "duplicate" for key in row.entry}
    first = next(row for row in table if row.key in repeated)
    opened = tuple(replace(row, entry=(*row.entry, OPEN)) if row is first else row for row in table)
    also = {row.key for row in table if row.says == "duplicate" and first.key in row.entry}

    assert also
    assert gaps(opened) == gaps(table) | dict.fromkeys({first.key, *also}, first.says)
