"""The tables of docs/data.md are those of the code."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from fedproof.problems.data.data_files import endings
from fedproof.problems.data.federate import MODEL, REST, SPLIT
from fedproof.problems.instances import quadratic, synthetic
from fedproof.vocabulary.discovery import parts
from fedproof.vocabulary.options import Option

PAGE = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
SPLITS = parts("splits")


def row(option: Option, where: str) -> str:
    """The option's line in the table."""
    text = "" if option.default is None else str(option.default)
    if isinstance(option.default, bool):
        text = "yes" if option.default else "no"
    domain = "a name in [models.md](models.md)" if option is MODEL else option.domain
    return f"| {where} | `{option.name}` | {text} | {domain} | {option.meaning} |"


def rows() -> Iterable[str]:
    """Every option of splits, models in common, and made problems."""
    yield from (row(option, "all data") for option in (SPLIT, MODEL, *REST))
    for name, part in SPLITS.items():
        yield from (row(option, f"`split={name}`") for option in part.OPTIONS)
    yield from (row(option, "`synthetic`") for option in synthetic.OPTIONS)
    yield from (row(option, "`quadratic`") for option in quadratic.OPTIONS)


@pytest.mark.parametrize("line", list(rows()))
def test_an_option_is_on_the_page(line: str) -> None:
    """Name, default, domain and meaning are printed as the code has them."""
    assert line in PAGE.splitlines()


def test_nothing_else_is_on_the_page() -> None:
    """No row of the table of options has left the code."""
    table = [line for line in PAGE.splitlines() if re.match(r"\| .* \| `\w+` \|", line)]

    assert table == list(rows())


def test_splits_and_endings_are_on_the_page() -> None:
    """Every split has its row, and every ending is named."""
    assert all(f"\n| `{name}` |" in PAGE for name in SPLITS)
    assert all(f"`{ending}`" in PAGE for ending in endings())
