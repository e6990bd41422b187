"""What the ledger says, read off an audit's document: rows that every rendering shares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from fedproof.report.front import step_name
from fedproof.report.paper_results import anchored, ids_of_page, printed
from fedproof.report.verdict_words import FITS, counts, tone
from fedproof.validate.audit_result import STATEMENT_WORDS, STEP_WORDS
from fedproof.validate.settings import by_setting

#: how the reasons of hypotheses begin, and what a page says instead
_KINDS = (
    ("definition: ", "by definition"),
    ("meaning: ", "by meaning"),
    ("convention: ", "by convention"),
    ("unstated: ", "never stated in the text"),
    ("instance: ", "in the instance"),
)
#: what is wrong with a printed step
FLAWS = {
    "misprint": "a misprint",
    "index": "a wrong index",
    "citation": "a citation that does not give it",
    "gap": "a gap",
    "rendering": "a fault of the text's rendering",
}

_WORST = ("bad", "warn", "none", "good")
#: the number of an equation, with what it is called within a display
_NUMBER = re.compile(r"\((?:[A-Z]\.)?\d+[a-z]?\)")
#: what the symbols of a used step stand for is shown where it takes no more LaTeX than this
SHORT = 80
#: LaTeX longer than this does not fit into half a page
WIDE = 160

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Hypotheses:
    """Hypotheses with one reason.

    Arguments:
        words: the reason, "" for plain conditions.
        kind: "given", "assumption", "definition", "meaning", "convention", "unstated" or "step".
        latex: each hypothesis.
        step: the step that is used, where one is.
        places: what the symbols of that step stand for here, where that is short.
        restated: whether the hypothesis reads otherwise here than where it was proved.
    """

    words: str
    kind: str
    latex: tuple[str, ...]
    step: StepRow | None = None
    places: tuple[str, ...] = ()
    restated: bool = True


@dataclass(frozen=True)
class StatementRow:
    """A statement: its row of the document, statements it has to do with, and its metric in the proofs."""

    row: Row
    amended_by: tuple[Row, ...]
    amends: Row | None
    cited: tuple[Row, ...]
    metric: tuple[Row, ...] = ()

    @property
    def anchor(self) -> str:
        """Where it stands on the page."""
        return anchored(f"statement-{self.row['id']}")

    @property
    def printed(self) -> bool:
        """Whether it is the paper's own."""
        return printed(self.row)

    @property
    def name(self) -> str:
        """What a reader calls it."""
        return str(self.row["title"])

    @property
    def reasons(self) -> tuple[str, ...]:
        """Conventions, hypotheses never stated, and assumptions that the statement itself does not make."""
        return tuple(self.row["basis"]["needs"])


@dataclass(frozen=True)
class StepRow:
    """A step: its row of the document, what it repairs, the statements that it proves or breaks, and whether
    it is a line of the paper and not ours."""

    row: Row
    repair: Row | None
    repaired: Row | None
    serves: tuple[Row, ...]
    breaks: tuple[Row, ...]
    printed: bool = True

    @property
    def anchor(self) -> str:
        """Where it stands on the page."""
        return anchored(f"step-{self.row['id']}")

    @property
    def name(self) -> str:
        """What a reader calls it."""
        return step_name(self.row)

    @property
    def number(self) -> str:
        """The number in brackets that its name has, such as (46); "" where there is none."""
        found = _NUMBER.search(str(self.row["equation"]))
        return found[0] if found else ""

    @property
    def wide(self) -> bool:
        """Whether it and its repair are too long to stand side by side."""
        both = [self.row["claim_latex"], self.repair["claim_latex"] if self.repair else ""]
        return max(map(len, both)) > WIDE

    @property
    def flaw(self) -> str:
        """What is wrong with it as printed, in words."""
        return FLAWS.get(self.row["flaw"] or "", "")


@dataclass(frozen=True)
class Group:
    """Steps under one heading."""

    title: str
    steps: tuple[StepRow, ...]


@dataclass(frozen=True)
class Paper:
    """All that the ledger says of one paper."""

    row: Row
    statements: tuple[StatementRow, ...]
    groups: tuple[Group, ...]
    settings: tuple[Row, ...]
    rechecks: tuple[tuple[str, int, str], ...]

    @property
    def steps(self) -> tuple[StepRow, ...]:
        """Every step, in the paper's order."""
        return tuple(s for g in self.groups for s in g.steps)

    @property
    def statement_counts(self) -> tuple[tuple[int, str], ...]:
        """How many statements have each verdict."""
        return counts((s.row["verdict"] for s in self.statements), STATEMENT_WORDS)

    @property
    def step_counts(self) -> tuple[tuple[int, str], ...]:
        """How many steps have each verdict."""
        return counts((s.row["verdict"] for s in self.steps), STEP_WORDS)

    @property
    def setting_counts(self) -> tuple[tuple[int, str], ...]:
        """How many settings can satisfy every statement of the paper that speaks of them."""
        return counts((FITS[word] for word in by_setting(self.settings)), FITS.values())

    @property
    def recheck_counts(self) -> tuple[tuple[int, str], ...]:
        """How many checks the standard-library script confirms."""
        words = ("confirmed", "not confirmed", "not read")
        return counts((words[code] for _, code, _ in self.rechecks), words)

    def statements_that_are(self, *verdicts: str) -> tuple[StatementRow, ...]:
        """The statements with one of these verdicts."""
        return tuple(s for s in self.statements if s.row["verdict"] in verdicts)

    def steps_that_are(self, *verdicts: str) -> tuple[StepRow, ...]:
        """The steps with one of these verdicts."""
        return tuple(s for s in self.steps if s.row["verdict"] in verdicts)

    @property
    def wrong_steps(self) -> tuple[StepRow, ...]:
        """The steps that are refuted, but for those that only show how a statement fails."""
        return tuple(s for s in self.steps_that_are("refuted", "damaged") if not s.breaks)

    @property
    def lacking(self) -> tuple[StepRow, ...]:
        """The steps that are true as printed and do not follow by the reasons that the text gives."""
        return tuple(s for s in self.steps_that_are("proved") if s.row["lacks"])

    @property
    def additions(self) -> tuple[tuple[str, tuple[StepRow, ...]], ...]:
        """Hypotheses that the text never states, in words, with the steps that make them."""
        found: dict[str, list[StepRow]] = {}
        for step in self.steps:
            for why in dict.fromkeys(h["why"] for h in step.row["hypotheses"]):
                words, kind = _reason({"why": why, "uses": None}, {})
                if kind in ("unstated", "convention"):
                    found.setdefault(words, []).append(step)
        return tuple((why, tuple(steps)) for why, steps in found.items())

    @property
    def vacuous(self) -> tuple[StatementRow | StepRow, ...]:
        """What has hypotheses that cannot hold together."""
        steps = [s for s in self.steps if s.row["detail"].startswith("vacuous")]
        return (*self.statements_that_are("vacuous"), *steps)

    @property
    def index(self) -> tuple[tuple[str, StepRow], ...]:
        """The numbered equations in order, each with its first line, or the first of its worst verdict."""
        found: dict[str, StepRow] = {}
        for step in (s for s in self.steps if s.number and s.printed):
            known = found.setdefault(step.number, step)
            if _WORST.index(tone(step.row["verdict"])) < _WORST.index(tone(known.row["verdict"])):
                found[step.number] = step
        return tuple(sorted(found.items(), key=lambda item: _numeric(item[0])))

    @property
    def examples(self) -> int:
        """Proved steps whose hypotheses are shown to hold together at exact numbers."""
        return sum(s.row["example"] is not None for s in self.steps_that_are("proved"))

    def hypotheses(self, step: StepRow) -> tuple[Hypotheses, ...]:
        """The hypotheses of a step, those with one reason together."""
        known = {a["id"]: a for a in self.row["assumptions"]}
        steps = {s.row["id"]: s for s in self.steps}
        found: dict[tuple[str, str, int], Hypotheses] = {}
        for place, h in enumerate(step.row["hypotheses"]):
            words, kind = _reason(h, known)
            key = (words, kind, place if h["uses"] else -1)
            before = found[key].latex if key in found else ()
            used = steps.get(h["uses"]) if h["uses"] else None
            short = tuple(h["places"]) if len("".join(h["places"])) <= SHORT else ()
            restated = used is None or used.row["claim_latex"] != h["latex"]
            found[key] = Hypotheses(words, kind, (*before, h["latex"]), used, short, restated)
        return tuple(found.values())


def _numeric(number: str) -> tuple[bool, list[int], str]:
    """By size and not by digits, those of an appendix last.

    >>> sorted(["(10)", "(A.1)", "(9b)", "(9)"], key=_numeric)
    ['(9)', '(9b)', '(10)', '(A.1)']
    """
    return number[1].isalpha(), [int(digits) for digits in re.findall(r"\d+", number)], number


def _reason(hypothesis: Row, known: Mapping[str, Row]) -> tuple[str, str]:
    """The reason in words, and its kind."""
    why = hypothesis["why"]
    if hypothesis["uses"]:
        return hypothesis["uses"], "step"
    if why in known:
        return f"{known[why]['name']} ({known[why]['source']})", "assumption"
    for start, words in _KINDS:
        if why.startswith(start):
            return f"{words}: {why.removeprefix(start)}", start[:-2]
    return why, "given" if not why else "assumption"


def papers(document: Row, rechecks: Sequence[tuple[str, int, str]]) -> Iterator[Paper]:
    """What the ledger says of each paper of an audit.

    Arguments:
        document: of the audit.
        rechecks: what the standard-library script says of it.
    """
    for paper in document["papers"]:
        key = paper["key"]
        page = ids_of_page(key)
        statements = [s for s in document["statements"] if s["paper"] == key]
        steps = [s for s in document["steps"] if s["paper"] == key]
        ids = {r["id"] for r in (*statements, *steps)}
        yield Paper(
            paper,
            tuple(_statement(s, statements, steps, paper) for s in statements),
            tuple(_groups([_step(s, statements, steps, page) for s in steps])),
            tuple(s for s in document["settings"] if s["paper"] == key),
            tuple(r for r in rechecks if r[0] in ids),
        )


def _statement(row: Row, statements: Sequence[Row], steps: Sequence[Row], paper: Row) -> StatementRow:
    return StatementRow(
        row,
        tuple(s for s in statements if s["amends"] == row["id"]),
        next((s for s in statements if s["id"] == row["amends"]), None),
        tuple(s for s in steps if s["id"] in row["basis"]["cited"]),
        tuple(paper.get("metrics", {}).get((row.get("says") or {}).get("metric"), ())),
    )


def _step(row: Row, statements: Sequence[Row], steps: Sequence[Row], page: frozenset[str] | None) -> StepRow:
    repair = next((s for s in steps if s["repairs"] == row["id"]), None)
    ids = {row["id"], repair["id"]} if repair else {row["id"]}
    return StepRow(
        row,
        repair,
        next((s for s in steps if s["id"] == row["repairs"]), None),
        tuple(s for s in statements if ids & set(s["basis"]["steps"])),
        tuple(s for s in statements if s["counterexample"] and s["counterexample"][-1] == row["id"]),
        not row["repairs"] and (page is None or row["id"] in page),
    )


def _groups(steps: Sequence[StepRow]) -> Iterator[Group]:
    """Steps that follow each other under the same heading."""
    for part, found in groupby(steps, lambda s: s.row["part"]):
        yield Group(part or "", tuple(found))
