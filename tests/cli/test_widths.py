"""What commands print fits a terminal: names and ids stay whole, and no line of a table is too long."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from rich.cells import cell_len

from fedproof.cli import main
from tests.cli.test_schemas import LINES, SMALL

COMMANDS = [
    line for line in LINES if line[0] in ("list", "show", "range", "find", "audit", "decide", "check")
]
COMMANDS += [
    ["validate", "fedproxvr.remark1.2", "composite.appendixA2.stops"],
    ["sweep", "fedprox", "mu=0,0.1", *SMALL, "--seeds", "2"],
    ["describe", "digits", "--clients", "5"],
]


def ids(of: Any) -> Iterator[str]:
    """Every text of a document that is an id: words with dots between."""
    if isinstance(of, dict):
        of = list(of.values())
    if isinstance(of, list):
        for part in of:
            yield from ids(part)
    elif isinstance(of, str) and re.fullmatch(r"[a-z]\w*(\.\w+)+", of):
        yield of


def said(line: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What a command prints."""
    assert main(line) in (0, 1)
    return capsys.readouterr().out


@pytest.mark.parametrize("line", COMMANDS, ids=" ".join)
def test_no_id_is_broken_in_80_columns(
    line: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An id that the tables show stands in one line, and below the headline no line has over 80 columns."""
    known = set(ids(json.loads(said([*line, "--json"], capsys))))
    monkeypatch.setenv("COLUMNS", "80")
    text = said(line, capsys)
    joined = re.sub(r"[│┃\s]+", "", text)

    assert [id for id in known if id in joined and id not in text] == []
    assert max(map(cell_len, text.splitlines()[1:]), default=0) <= 80
