"""The first screen: what holds, what does not and by what margin, taken from the results alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fedproof.figures.words import count, listed, number

__all__ = ["Card", "Line", "Summary", "summarise", "tone", "witness_text"]

_TONES = {
    "good": ("holds", "consistent", "admissible", "proved", "applies", "certified", "cited"),
    "bad": ("refuted", "violated", "vacuous", "not admissible", "not certified", "diverged"),
    "warn": ("holds amended", "open", "inconclusive", "damaged", "not attained"),
}
_STATEMENTS = ("holds", "holds amended", "refuted", "vacuous", "open")
_CHECKS = ("consistent", "violated", "inconclusive", "not applicable")


def tone(word: str) -> str:
    """How a verdict is coloured: good, bad, warn or none.

    >>> tone("holds"), tone("refuted"), tone("open"), tone("not applicable")
    ('good', 'bad', 'warn', 'none')
    """
    return next((name for name, words in _TONES.items() if word in words), "none")


@dataclass(frozen=True)
class Card:
    """Counts by verdict of one kind of question."""

    title: str
    anchor: str
    counts: tuple[tuple[int, str], ...]
    sentence: str


@dataclass(frozen=True)
class Line:
    """What holds, fails or is undecided: its verdict, its numbers, and the names of all it is true of.

    `names` are (anchor on the page, text) pairs; `aside` is set small.
    """

    verdict: str
    detail: str
    names: tuple[tuple[str, str], ...]
    aside: str = ""


@dataclass(frozen=True)
class Summary:
    """What the first screen shows."""

    cards: tuple[Card, ...]
    fails: tuple[Line, ...]
    undecided: tuple[Line, ...]
    margins: tuple[Line, ...]
    figures: tuple[Line, ...]


def witness_text(witness: Mapping[str, Any] | None) -> str:
    """A counterexample in one line.

    >>> witness_text({"mu": "3/2", "L": "1"}), witness_text(None)
    ('at mu = 3/2, L = 1', '')
    """
    if not witness:
        return ""
    return "at " + ", ".join(f"{name} = {value}" for name, value in witness.items())


def summarise(results: Mapping[str, Any]) -> Summary:
    """Read the first screen off the results; parts that are missing are left out."""
    audit, checks = results.get("audit"), results.get("validate")
    titles = {s["id"]: s["title"] for s in results.get("statements", ())}
    cards = [*_statement_cards(audit), *_check_cards(checks, titles), *_tune_cards(results.get("tune"))]
    judged = [_judged(row, titles) for row in (audit or {}).get("statements", ())]
    measured = [_measured(row, titles) for row in (checks or {}).get("results", ())]
    lines = [*measured, *judged]
    unfit = _unfit((audit or {}).get("settings", ()), titles)
    return Summary(
        tuple(cards),
        _grouped(line for line in [*lines, *unfit] if tone(line.verdict) == "bad"),
        _grouped(line for line in lines if tone(line.verdict) == "warn"),
        tuple(_margins((checks or {}).get("results", ()), titles)),
        tuple(_drawn(f) for f in results.get("figures", ())),
    )


def _grouped(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Lines with the same verdict and the same words become one, at the place of the first."""
    found: dict[tuple[str, str, str], tuple[tuple[str, str], ...]] = {}
    for line in lines:
        key = (line.verdict, line.detail, line.aside)
        found[key] = tuple(dict.fromkeys((*found.get(key, ()), *line.names)))
    return tuple(Line(word, detail, names, aside) for (word, detail, aside), names in found.items())


def _unfit(rows: Any, titles: Mapping[str, str]) -> list[Line]:
    """For each statement, which stated values cannot satisfy it and which conditions forbid them."""
    found: dict[str, list[Any]] = {}
    for row in rows:
        if not row["admissible"]:
            found.setdefault(row.get("statement", row["paper"]), []).append(row)
    lines = []
    for id, group in found.items():
        labels = dict.fromkeys(label for row in group for label in row["violates"])
        why = f", because of {listed(labels)}" if labels else ""
        names = tuple(("settings", row["where"]) for row in group)
        detail = f"nothing that the text leaves open makes them satisfy {titles.get(id, id)}{why}"
        lines.append(Line("not admissible", detail, names))
    return lines


def _judged(row: Mapping[str, Any], titles: Mapping[str, str]) -> Line:
    detail = row.get("detail") or witness_text(row.get("witness"))
    name = (f"statement-{row['id']}", titles.get(row["id"], row["id"]))
    return Line(row["verdict"], detail, (name,))


def _measured(row: Mapping[str, Any], titles: Mapping[str, str]) -> Line:
    numbers = ""
    if row["measured"] is not None and row["bound"] is not None:
        numbers = f"Measured {number(row['measured'])} against a bound of {number(row['bound'])}. "
    name = ("checks", titles.get(row["id"], row["id"]))
    return Line(row["verdict"], numbers + row["detail"], (name,), row["problem"])


def _drawn(figure: Mapping[str, Any]) -> Line:
    said = dict(line.split(": ", 1) for line in figure["caption"].splitlines())
    return Line("", said.get("Agreement", ""), ((f"figure-{figure['id']}", figure["title"]),))


def _counts(rows: Any, words: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    found = [row["verdict"] for row in rows]
    return tuple((found.count(word), word) for word in words if word in found)


def _statement_cards(audit: Mapping[str, Any] | None) -> list[Card]:
    if audit is None:
        return []
    rows, settings = audit["statements"], audit["settings"]
    fits = sum(bool(s["admissible"]) for s in settings)
    where = [(fits, "admissible"), (len(settings) - fits, "not admissible")]
    return [
        Card("Statements", "statements", _counts(rows, _STATEMENTS), _judged_words(rows)),
        Card(
            "The papers' own settings",
            "settings",
            tuple((n, word) for n, word in where if n),
            f"Of {len(settings)} pairs of a stated setting and a statement, {fits} can be satisfied.",
        ),
    ]


def _judged_words(rows: Any) -> str:
    undecided = sum(row["verdict"] == "open" for row in rows)
    return f"{count(len(rows), 'claim')}, {len(rows) - undecided} of them decided."


def _check_cards(checks: Mapping[str, Any] | None, titles: Mapping[str, str]) -> list[Card]:
    if checks is None:
        return []
    rows = checks["results"]
    tight = min((r for r in rows if r["slack"] is not None and r["verdict"] == "consistent"),
                key=lambda r: r["slack"], default=None)  # fmt: skip
    said = f"{count(len(rows), 'comparison')}."
    if tight is not None:
        said += f" Tightest: {titles.get(tight['id'], tight['id'])}, {_times(tight)}."
    return [Card("Runs against theory", "checks", _counts(rows, _CHECKS), said)]


def _tune_cards(tuned: Any) -> list[Card]:
    if not tuned:
        return []
    sure = sum(bool(t["certified"]) for t in tuned)
    where = [(sure, "certified"), (len(tuned) - sure, "not certified")]
    first = tuned[0]
    least, bound = number(first["objective"], 5), number(first["lower_bound"], 5)
    said = f"Least objective {least}, proven lower bound {bound}."
    return [Card("Best parameters", "optimum", tuple((n, word) for n, word in where if n), said)]


def _margins(rows: Any, titles: Mapping[str, str]) -> list[Line]:
    """For every statement that runs were held against, its tightest consistent comparison."""
    tightest: dict[str, Any] = {}
    for row in rows:
        if row["verdict"] == "consistent" and row["slack"] is not None:
            best = tightest.get(row["id"])
            if best is None or row["slack"] < best["slack"]:
                tightest[row["id"]] = row
    ordered = sorted(tightest.values(), key=lambda r: float(r["slack"]))
    return [
        Line(row["verdict"], _times(row), (("checks", titles.get(row["id"], row["id"])),), row["problem"])
        for row in ordered
    ]


def _times(row: Mapping[str, Any]) -> str:
    """The slack in words; a lower bound is exceeded by what is measured."""
    if row.get("relation") == ">=":
        return f"what was measured is {number(row['slack'])} times the bound that it must reach"
    return f"the bound is {number(row['slack'])} times what was measured"
