"""Writes an audit down so that a referee can read it, and check it without fedproof."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from fedproof.report.ledger_page import html, markdown
from fedproof.validate.audit_result import Audit
from fedproof.validate.scripts import scripts
from fedproof.vocabulary.files import folder_for, write_whole
from fedproof.vocabulary.result import Result, Table, jsonable, to_json

SCRIPTS = "smt"


@dataclass(frozen=True)
class Ledger(Result):
    """A written audit.

    Arguments:
        audit: what was written.
        files: page, text, document, re-check and scripts.
    """

    audit: Audit
    files: tuple[Path, ...]

    @property
    def index(self) -> Path:
        """The page."""
        return self.files[0]

    def to_dict(self) -> dict[str, Any]:
        """The contract's `audit` document, with the files."""
        return self.audit.to_dict() | {"files": [str(f) for f in self.files]}

    def headline(self) -> str:
        """Where the page is, and the counts by verdict."""
        return f"{self.index}: {self.audit.headline()}"

    def tables(self) -> tuple[Table, ...]:
        """What neither holds nor is proved; the rest is on the page."""
        fine = ("holds", "proved")
        rows: list[tuple[str, str, str]] = [
            (s.id, s.verdict, s.detail) for s in self.audit.statements if s.verdict not in fine
        ]
        rows += [(s.step.id, s.verdict, s.detail) for s in self.audit.steps if s.verdict not in fine]
        return (Table("What neither holds nor is proved", ("id", "verdict", "detail"), tuple(rows)),)


def write_ledger(audit: Audit, output: str | os.PathLike[str] = "ledger") -> Ledger:
    """Write `ledger.html`, `ledger.md`, `audit.json`, `recheck.py` and `smt/*.smt2`.

    Arguments:
        audit: what `fp.audit` returned.
        output: folder to write to, made if missing; scripts of an earlier ledger in it are removed.

    Returns: the files, the page first.
    Raises: InputError if the output is a file.
    """
    folder = folder_for(output)
    asked = scripts(audit)
    document = jsonable(audit.to_dict())
    written = [
        write_whole(folder / name, text.encode())
        for name, text in (
            ("ledger.html", html(document, audit.rechecks, len(asked))),
            ("ledger.md", markdown(document, audit.rechecks, len(asked))),
            ("audit.json", to_json(document)),
            ("recheck.py", _recheck()),
        )
    ]
    return Ledger(audit, (*written, *_write_scripts(folder_for(folder / SCRIPTS), asked)))


def _recheck() -> str:
    return files("fedproof.validate").joinpath("recheck.py").read_text(encoding="utf-8")


def _write_scripts(folder: Path, asked: Mapping[str, str]) -> Iterable[Path]:
    for old in folder.glob("*.smt2"):
        if old.name not in asked and old.read_text(encoding="utf-8", errors="replace").startswith(
            "; fedproof"
        ):
            old.unlink()
    return [write_whole(folder / name, text.encode()) for name, text in asked.items()]
