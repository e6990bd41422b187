"""Writes an audit down so that a referee can read it, and check it without fedproof."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from json import dumps
from pathlib import Path
from typing import Any

from markupsafe import Markup

from fedproof.report.ledger_page import html, markdown
from fedproof.report.packing import packed_page, write_packed
from fedproof.report.site import write_renewed, write_static
from fedproof.validate.audit_result import Audit, counts_of
from fedproof.validate.recheck import recheck
from fedproof.validate.scripts import scripts
from fedproof.validate.settings import by_setting
from fedproof.validate.statement_verdict import declared
from fedproof.vocabulary.files import folder_for
from fedproof.vocabulary.result import Result, Table, jsonable

SCRIPTS = "smt"
#: how the engines call an answer that the question alone did not decide
ACCIDENTS = ("(backstop)", "(crash)", "(memory)")


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
        found = Table("What neither holds nor is proved", ("id", "verdict", "detail"), tuple(rows))
        return (found,) if rows else ()


def write_ledger(audit: Audit, output: str | os.PathLike[str] = "ledger") -> Ledger:
    """Write `ledger.html` with its `static` folder, `ledger.md`, `audit.json`, `recheck.py` and `smt/*.smt2`.

    Arguments:
        audit: what `fp.audit` returned.
        output: folder to write to, made if missing; scripts of an earlier ledger in it are removed.

    Returns: the files, the page first.
    Raises: InputError if the output is a file.
    """
    return Ledger(audit, write_document(audit_document(audit), folder_for(output)))


def audit_document(audit: Audit) -> dict[str, Any]:
    """All that a ledger is made of, as JSON: the audit, its re-check, its scripts and its headline."""
    return {
        "audit": audit.plain,
        "rechecks": jsonable(audit.rechecks),
        "scripts": scripts(audit),
        "headline": audit.headline(),
    }


def still_rechecked(document: Mapping[str, Any]) -> bool:
    """Whether the standard-library script says of a stored audit what it said when that was made.

    Verdicts that a clock or a crash of an engine left open are never used again, nor is one of a statement
    that its paper does not declare, or a step that is proved without a certificate.
    """
    steps, statements = document["audit"]["steps"], document["audit"]["statements"]
    if any(word in row["detail"] for row in (*steps, *statements) for word in ACCIDENTS):
        return False
    said_of = {id: word for p in document["audit"]["papers"] for id, word in declared(p["key"]).items()}
    if any(row["verdict"] not in ("open", said_of.get(row["id"], "holds")) for row in statements):
        return False
    if any(row["verdict"] == "proved" and not row.get("certificate") for row in steps):
        return False
    said = [list(row) for row in recheck(document["audit"])]
    return bool(said == document["rechecks"])


def joined_documents(documents: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Audits of single papers as one of all."""
    audits = [d["audit"] for d in documents]
    whole = {k: [row for a in audits for row in a[k]] for k in ("steps", "statements", "settings", "papers")}
    statements, steps = ([row["verdict"] for row in whole[kind]] for kind in ("statements", "steps"))
    return {
        "audit": whole | {"asked": []},
        "rechecks": [row for d in documents for row in d["rechecks"]],
        "scripts": {name: text for d in documents for name, text in d["scripts"].items()},
        "headline": counts_of(statements, steps, by_setting(whole["settings"])),
    }


_INSTEAD = Markup(
    "The ledger of <cite>{}</cite> is packed in this page, and its script shows it. Where that does not "
    "happen, <code>{}</code> beside it says the same of every paper."
)


def paper_pages(documents: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The ledger of each paper as a packed page of a report, by its name in the ledger's folder."""
    return {
        f"{paper['key']}.html": packed_page(
            html(d["audit"], d["rechecks"], len(d["scripts"]), "../"),
            _INSTEAD.format(paper["title"], f"{TEXT}.xz"),
        )
        for d in documents
        for paper in d["audit"]["papers"]
    }


#: the audit as JSON and as Markdown; a report has both packed, `recheck.py` reads it by the plain name too
DOCUMENT, TEXT = "audit.json", "ledger.md"
#: what a report's own document keeps of a line of a proof; the ledger's has all of it, what it rests on too
_OF_A_STEP = (
    "id", "paper", "equation", "claim", "claim_latex", "verdict", "engines", "witness", "detail", "sides",
    "flaw", "repairs", "note", "part", "uses",
)  # fmt: skip


def without_certificates(audit: Mapping[str, Any]) -> dict[str, Any]:
    """An audit's document without what only a re-check reads; it says where that is."""
    place = {"file": f"ledger/{DOCUMENT}.xz"}
    steps = [
        {name: row[name] for name in _OF_A_STEP if name in row}
        | {"certificate": row.get("certificate") and place}
        for row in audit["steps"]
    ]
    statements = [
        {name: value for name, value in row.items() if name != "proofs"} | {"rests_on": _leaves(row)}
        for row in audit["statements"]
    ]
    return {**audit, "steps": steps, "statements": statements}


def _leaves(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{name: leaf[name] for name in ("kind", "id", "text")} for leaf in row.get("rests_on", ())]


def write_document(
    document: Mapping[str, Any], folder: Path, pages: Mapping[str, str] | None = None
) -> tuple[Path, ...]:
    """Write a ledger's files, its pages first; those that are there as they should be are left.

    Arguments:
        document: as `audit_document` gives it.
        folder: where to.
        pages: of a report, by their names, whose document and text are packed; by default `ledger.html`, with
            what it is drawn with.
    """
    folder_for(folder)
    asked, said = document["scripts"], (document["audit"], document["rechecks"], len(document["scripts"]))
    packed = pages is not None
    if pages is None:
        pages = {"ledger.html": html(*said)}
        write_static(folder)
    plain = dumps(document["audit"], ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    script = files("fedproof.validate").joinpath("recheck.py").read_bytes()
    texts = {TEXT: markdown(*said).encode(), DOCUMENT: plain}
    for name in texts:
        (folder / (name if packed else f"{name}.xz")).unlink(missing_ok=True)
    written = [write_renewed(folder / name, text.encode()) for name, text in pages.items()]
    written += [(write_packed if packed else write_renewed)(folder / n, text) for n, text in texts.items()]
    written.append(write_renewed(folder / "recheck.py", script))
    return (*written, *_write_scripts(folder_for(folder / SCRIPTS), asked))


def _write_scripts(folder: Path, asked: Mapping[str, str]) -> Iterable[Path]:
    for old in folder.glob("*.smt2"):
        if old.name not in asked and old.read_text(encoding="utf-8", errors="replace").startswith(
            "; fedproof"
        ):
            old.unlink()
    return [write_renewed(folder / name, text.encode()) for name, text in asked.items()]
