"""The pages under docs/ tell the truth."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

ALL = sorted((Path(__file__).parents[2] / "docs").glob("*.md"))
#: the other is followed with its files and commands, by test_own_paper
DOCS = [page for page in ALL if page.name != "own_paper.md"]


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_every_example_of_a_page_runs_as_printed(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The examples of a page are run in order, in an empty folder, and give what it says."""
    monkeypatch.chdir(tmp_path)
    failures, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 0
    assert failures == 0


def test_there_are_pages() -> None:
    """The check covers the pages on proofs and on sweeps."""
    assert {page.name for page in DOCS} >= {"proofs.md", "sweeps.md"}
