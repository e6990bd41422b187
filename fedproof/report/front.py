"""The front page: for each paper what was claimed, what stands, what fell and why, and what is undecided."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from fedproof.figures.number_format import listed
from fedproof.report.paper_results import PaperResults, Row, anchored, by_paper, need_words, printed
from fedproof.report.verdict_words import counted, counts
from fedproof.validate.settings import by_setting
from fedproof.validate.verdict import VerdictName
from fedproof.vocabulary.plurals import count

#: a result that the paper names, with what it calls it in brackets
_MAIN = re.compile(r"(Theorem|Lemma|Corollary|Proposition|Fact) [\w.]+( \([^()]*\))?$")
_HEADINGS = (("refuted", "Fell"), ("vacuous", "Empty"), ("open", "Undecided"), ("holds amended", "Stands "
                                                                                                 "amended"),
             ("holds", "Stands"))  # fmt: skip
_FALLEN = ("refuted", "vacuous")
_OPEN_KINDS = {
    "reported": ("reported run", "reported runs"),
    "observed": ("reading of curves", "readings of curves"),
}


@dataclass(frozen=True)
class Chip:
    """A link with a verdict: its words, where it leads from the report's folder, and what it is."""

    words: str
    href: str
    verdict: str
    title: str = ""


@dataclass(frozen=True)
class VerdictGroup:
    """The paper's named results with one verdict, and in words how many other claims have it."""

    title: str
    verdict: str
    chips: tuple[Chip, ...]
    more: str


@dataclass(frozen=True)
class FaultLine:
    """One distinct error: why, in one sentence, the statements that fall by it, and where to see it."""

    why: str
    statements: tuple[Chip, ...]
    href: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class FrontLine:
    """A sentence, and a heading that leads to all of it."""

    title: str
    said: str
    href: str


@dataclass(frozen=True)
class PaperCard:
    """All that the front page says of a paper."""

    key: str
    title: str
    by: str
    claimed: str
    groups: tuple[VerdictGroup, ...]
    errors: str
    faults: tuple[FaultLine, ...]
    lines: tuple[FrontLine, ...]

    @property
    def href(self) -> str:
        """The paper's own page."""
        return f"{self.key}/index.html"


def cards(results: Mapping[str, Any]) -> tuple[PaperCard, ...]:
    """What the front page says, read off the results; parts that are missing are left out."""
    return tuple(map(_card, by_paper(results)))


def _card(paper: PaperResults) -> PaperCard:
    faults = tuple(_faults(paper))
    return PaperCard(
        key=paper.key,
        title=str(paper.facts["title"]),
        by=paper.by,
        claimed=str(paper.facts.get("claimed", "")),
        groups=tuple(_groups(paper)),
        errors=_errors(paper, faults),
        faults=faults,
        lines=tuple(_lines(paper)),
    )


def statement_chip(paper: PaperResults, id: str, short: bool = True) -> Chip:
    """A statement with its verdict, by the name that the paper gives it."""
    row = paper.by_id[id]
    title = str(row["title"])
    words = _short(paper, row) if short else title
    return Chip(words, f"{paper.key}/{id}.html", paper.verdict(id), title if words != title else "")


def _short(paper: PaperResults, row: Row) -> str:
    """A named result by its name, with brackets where another has the same; other claims by their place."""
    title, named = str(row["title"]), _MAIN.match(row["title"])
    if not named:
        return str(row["source"]).partition(",")[0]
    name = title.removesuffix(named[2] or "")
    rivals = [s for s in paper.statements if s["title"].startswith(f"{name} (") and _MAIN.match(s["title"])]
    return title if len(rivals) > 1 else name


def step_name(row: Row) -> str:
    """What a reader calls a line of a proof."""
    where = str(row["equation"] or row["id"]).replace("<=", "≤").replace(">=", "≥")
    return f"{where}, repaired" if row.get("repairs") and "repaired" not in where else where


def _groups(paper: PaperResults) -> Iterator[VerdictGroup]:
    """The paper's own claims by verdict: named results one by one, the others counted."""
    own = [s for s in paper.statements if printed(s)]
    for verdict, title in _HEADINGS:
        having = [s for s in own if paper.verdict(s["id"]) == verdict]
        fallen = verdict in _FALLEN
        main = [s for s in having if fallen or _MAIN.match(s["title"])]
        rest = len(having) - len(main)
        more = (
            ""
            if not rest or verdict == "open"
            else count(rest, "more" if main else "claim", "more" if main else "claims")
        )
        if main or more:
            yield VerdictGroup(title, verdict, tuple(statement_chip(paper, s["id"]) for s in main), more)


def fallen_ids(paper: PaperResults) -> tuple[str, ...]:
    """Statements and lines that are refuted or empty, as printed."""
    statements = [s["id"] for s in paper.statements if paper.verdict(s["id"]) in _FALLEN]
    return (*statements, *(s["id"] for s in paper.steps if s["verdict"] == "refuted"))


def _faults(paper: PaperResults) -> Iterator[FaultLine]:
    """The distinct errors, those by which a statement falls first; what none names is one by itself."""
    fallen = fallen_ids(paper)
    told: list[tuple[str, tuple[str, ...]]] = [
        (fault["why"], tuple(id for id in fault["ids"] if id in fallen))
        for fault in paper.facts.get("faults", ())
    ]
    known = {id for _, ids in told for id in ids}
    told += [(_own_words(paper, id), (id,)) for id in fallen if id not in known]
    lines = [_fault(paper, why, ids) for why, ids in told if ids]
    yield from sorted(lines, key=lambda line: not line.statements)


def _fault(paper: PaperResults, why: str, ids: Sequence[str]) -> FaultLine:
    statements = tuple(statement_chip(paper, id) for id in ids if id in paper.by_id)
    lines = [id for id in ids if id in paper.step]
    href = f"ledger/{paper.key}.html#{anchored(f'step-{lines[0]}')}" if lines else statements[0].href
    return FaultLine(why, statements, href, tuple(step_name(paper.step[id]) for id in lines))


def _own_words(paper: PaperResults, id: str) -> str:
    """The first sentence of what is noted of a refuted row, or else its numbers."""
    row = paper.judged.get(id) or paper.step[id]
    words = str(row.get("note") or row.get("sides") or row.get("detail") or "exact numbers break it")
    return words.split(". ")[0].rstrip(".")


def _errors(paper: PaperResults, faults: Sequence[FaultLine]) -> str:
    """How many distinct errors there are, in how many refuted lines and statements."""
    if not paper.judged and not paper.steps:
        return "Not judged yet"
    if not faults:
        return "No error was found"
    instances = {row["counterexample"][-1] for row in paper.judged.values() if row.get("counterexample")}
    ids = [id for id in fallen_ids(paper) if id not in instances]
    lines = sum(id in paper.step for id in ids)
    parts = [count(len(ids) - lines, "statement")] if len(ids) > lines else []
    parts += [count(lines, "line")] if lines else []
    return f"{count(len(faults), 'distinct error')}, in {listed(parts)}"


def _lines(paper: PaperResults) -> Iterator[FrontLine]:
    if paper.judged:
        yield FrontLine("Undecided", _undecided(paper), f"{paper.key}/index.html#statements")
    if added := _added(paper):
        place = f"ledger/{paper.key}.html#{paper.key}-additions"
        yield FrontLine("Amended with", f"{'; '.join(added)}.", place)
    if paper.settings:
        yield FrontLine("Its own settings", _settings(paper), f"{paper.key}/index.html#settings")
    if paper.comparisons:
        yield FrontLine("Runs", _runs(paper), f"{paper.key}/index.html#checks")


def _added(paper: PaperResults) -> tuple[str, ...]:
    """What the text leaves unsaid and the proofs of its named results need, each up to its first comma."""
    amended = [s["id"] for s in paper.statements if _MAIN.match(s["title"]) and printed(s)]
    needs = [need for id in amended for need in paper.judged.get(id, {}).get("basis", {}).get("needs", ())]
    return tuple(dict.fromkeys(need_words(paper, need).partition(",")[0] for need in needs))


def _undecided(paper: PaperResults) -> str:
    """The open claims by kind, those that are bounds or relations by name; and the open lines."""
    rows = [s for s in paper.statements if paper.verdict(s["id"]) == "open"]
    parts = []
    for kind, (one, many) in _OPEN_KINDS.items():
        number = sum(s.get("kind") == kind for s in rows)
        parts += [count(number, one, many)] if number else []
    others = [s for s in rows if s.get("kind") not in _OPEN_KINDS]
    if len(others) > 3:
        parts.append(count(len(others), "other claim"))
    else:
        parts += [s["title"] if printed(s) else f"{s['title']} (ours)" for s in others]
    lines = sum(s["verdict"] == "open" for s in paper.steps)
    parts += [f"{count(lines, 'line')} of proofs"] if lines else []
    return f"{listed(parts)}." if parts else "nothing."


def _settings(paper: PaperResults) -> str:
    """How many stated settings lie outside the paper's own statements, and by which conditions."""
    words = by_setting(paper.settings)
    failing = words.count(False)
    if not failing:
        return f"all {len(words)} can be met."
    found: dict[str, dict[str, None]] = {}
    for row in paper.settings:
        if row["admissible"] is False and row.get("printed", True):
            place = row["where"].partition(",")[0]
            for label in row["violates"][:1]:
                found.setdefault(label, {})[place] = None
    said = "; ".join(f"{listed(places)} by {label}" for label, places in found.items())
    return f"{failing} of {len(words)} fail: {said}."


def _runs(paper: PaperResults) -> str:
    """The comparisons that apply, by verdict; what is violated is named, and whether that was known."""
    rows = paper.comparisons
    told = [word for word in get_args(VerdictName) if word != "not applicable"]
    words = counted(counts((r["verdict"] for r in rows), told)) or "none applies"
    said = f"{count(len(rows), 'comparison')}: {words}."
    broken = list(dict.fromkeys(r["id"] for r in rows if r["verdict"] == "violated"))
    if not broken:
        return said
    known = [id for id in broken if id in fallen_ids(paper)]
    where = ", refuted too" if len(known) == len(broken) else ""
    return f"{said} Violated: {listed(_name(paper, id) for id in broken)}{where}."


def _name(paper: PaperResults, id: str) -> str:
    """A statement or a line in a word or two."""
    if id in paper.by_id:
        return statement_chip(paper, id).words
    return step_name(paper.step[id]) if id in paper.step else id
