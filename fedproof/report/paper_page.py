"""A paper's page, and one for each of its statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fedproof.report.front import Chip, statement_chip, step_name
from fedproof.report.paper_results import PaperResults, Row, asked, need_words, printed
from fedproof.report.tables import HtmlTable, table, why_words
from fedproof.vocabulary.plurals import count

#: anchor, heading, what is said first, tables
_SECTIONS = (
    ("ranges", "Admissible ranges",
     "Which values of one symbol satisfy every condition, in exact arithmetic; symbols that are not given "
     "may take any value.",
     ("ranges", "checked")),
    ("optimum", "Best parameters",
     "The least value of each problem's objective, with a proven lower bound: no admissible parameters do "
     "better than “at least”.",
     ("tuned",)),
    ("checks", "Runs against theory",
     "A comparison can break a statement and cannot prove it. Where the statement's hypotheses are not met "
     "it says nothing and is shown as not applicable.",
     ("overview", "comparisons")),
    ("settings", "The paper's own settings",
     "Each parameter value that the paper states, against the conditions of its own statements: admissible "
     "if some values of what the text leaves unsaid satisfy them all.",
     ("settings",)),
    ("runs", "Runs of its algorithm",
     "Runs on data that ship with the report's parts, whether a theorem speaks of them, and its bound "
     "beside the run.",
     ("runs",)),
)  # fmt: skip
Section = tuple[str, str, str, tuple[HtmlTable, ...]]
"""Anchor, heading, what is said first, and the tables that have rows."""


@dataclass(frozen=True)
class ProofLine:
    """A line of a statement's proof, by the paper's name of it."""

    id: str
    name: str
    verdict: str


@dataclass(frozen=True)
class StatementPage:
    """All that the page of a statement says, but for its tables.

    Arguments:
        row: the statement as `show` has it.
        paper_title: of its paper.
        verdict, why: the audit's, in words.
        needs: what the text leaves unsaid and the proof needs, in words.
        sides: both sides at exact numbers that break it, or "".
        proof: how many lines its proof has, in words.
        steps: these lines.
        related: headings, each with the statements that it names.
    """

    row: Row
    paper_title: str
    verdict: str
    why: str
    needs: tuple[str, ...]
    sides: str
    proof: str
    steps: tuple[ProofLine, ...]
    related: tuple[tuple[str, tuple[Chip, ...]], ...]

    def __getattr__(self, name: str) -> Any:
        """What `show` says of it."""
        return self.row[name]

    @property
    def printed(self) -> bool:
        """Whether it is the paper's own."""
        return printed(self.row)


def paper_sections(paper: PaperResults) -> tuple[Section, ...]:
    """The sections of a paper's page."""
    rows = {name: getattr(paper, name) for name in ("settings", "tuned", "ranges", "checked", "runs")}
    overview = [r for r in paper.comparisons if r["id"] in paper.by_id]
    others = [r for r in paper.comparisons if r["id"] not in paper.by_id]
    return _sections(rows | {"comparisons": others, "overview": overview})


def statement_sections(paper: PaperResults, id: str) -> tuple[Section, ...]:
    """The sections of a statement's page: what is about this statement alone."""
    questions = {n: [r for r in getattr(paper, n) if asked(r) == id] for n in ("tuned", "ranges", "checked")}
    return _sections({
        "settings": [r for r in paper.settings if r.get("statement") == id],
        "comparisons": [r for r in paper.comparisons if r["id"] == id],
        "overview": (),
        "runs": [r for r in paper.runs if r["check"].get("id") == id],
        **questions,
    })  # fmt: skip


def _sections(rows: Mapping[str, Iterable[Row]]) -> tuple[Section, ...]:
    return tuple(
        (anchor, title, said, tuple(found for name in names if (found := table(name, rows[name])).rows))
        for anchor, title, said, names in _SECTIONS
    )


def statement_page(paper: PaperResults, id: str) -> StatementPage:
    """The page of one statement."""
    row, judged = paper.by_id[id], paper.judged.get(id, {})
    basis = judged.get("basis", {})
    steps = tuple(_line(paper.step[step]) for step in basis.get("steps", ()) if step in paper.step)
    return StatementPage(
        row=row,
        paper_title=str(paper.facts["title"]),
        verdict=paper.verdict(id),
        why=why_words(paper, judged),
        needs=tuple(need_words(paper, need) for need in basis.get("needs", ())),
        sides=str((judged.get("instance") or {}).get("sides") or ""),
        proof=f"Its proof goes through {count(len(steps), 'line')}",
        steps=steps,
        related=tuple(_related(paper, row)),
    )


def _line(step: Row) -> ProofLine:
    return ProofLine(step["id"], step_name(step), step["verdict"])


def _related(paper: PaperResults, row: Row) -> Iterator[tuple[str, tuple[Chip, ...]]]:
    def chips(ids: Any) -> tuple[Chip, ...]:
        return tuple(statement_chip(paper, id, short=False) for id in ids if id in paper.by_id)

    amends = row.get("amends")
    yield "It corrects or sharpens", chips([amends] if amends else ())
    yield "Corrected or sharpened by", chips(row.get("amended_by", ()))
    yield "It uses", chips(row.get("uses", ()))
