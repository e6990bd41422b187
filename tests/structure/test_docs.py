"""The pages under docs/ tell the truth."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = sorted((Path(__file__).parents[2] / "docs").glob("*.md"))


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_every_example_of_a_page_runs_as_printed(page: Path) -> None:
    """The examples of a page are run in order and give what it says."""
    failures, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 0
    assert failures == 0


def test_there_are_pages() -> None:
    """The check covers the page on proofs."""
    assert [page.name for page in DOCS] == ["proofs.md"]
