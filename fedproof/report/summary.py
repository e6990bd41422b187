"""The first screen: what holds, what does not and by what margin, taken from the results alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fedproof.figures.number_format import listed, number
from fedproof.report.cards import Card, cards, fit, times

_TONES = {
    "good": ("holds", "consistent", "admissible", "proved", "applies", "certified", "confirmed"),
    "bad": ("refuted", "violated", "vacuous", "not admissible", "not certified", "diverged", "not confirmed"),
    "warn": (
        "holds amended", "open", "inconclusive", "conditional", "damaged", "not attained", "undecided",
        "not read",
    ),
}  # fmt: skip
_LIMIT = "; not a law: "
"""What stands between where an observation was proved and where it fails, in a judgement's detail."""


def tone(word: str) -> str:
    """How a verdict is coloured: good, bad, warn or none.

    >>> tone("holds"), tone("refuted"), tone("open"), tone("not applicable")
    ('good', 'bad', 'warn', 'none')
    """
    return next((name for name, words in _TONES.items() if word in words), "none")


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
    limited: tuple[Line, ...]
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
    notes = {s["id"]: s.get("note", "") for s in results.get("statements", ())}
    judged = [_judged(row, titles, notes) for row in (audit or {}).get("statements", ())]
    measured = [_measured(row, titles) for row in (checks or {}).get("results", ())]
    lines = [*measured, *judged]
    unfit = _unfit((audit or {}).get("settings", ()), titles)
    unsure = [
        Line(fit(row), row.get("detail", ""), (("settings", row["where"]),))
        for row in (audit or {}).get("settings", ())
        if row["admissible"] is None
    ]
    return Summary(
        cards(results),
        _grouped(line for line in [*lines, *unfit] if tone(line.verdict) == "bad"),
        _grouped(
            line for line in [*lines, *unsure] if tone(line.verdict) == "warn" and _LIMIT not in line.detail
        ),
        tuple(_limited(line) for line in judged if line.verdict == "open" and _LIMIT in line.detail),
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
        if row["admissible"] is False:
            found.setdefault(row.get("statement", row["paper"]), []).append(row)
    lines = []
    for id, group in found.items():
        labels = dict.fromkeys(label for row in group for label in row["violates"])
        why = f", because of {listed(labels)}" if labels else ""
        names = tuple(("settings", row["where"]) for row in group)
        detail = f"nothing that the text leaves open makes them satisfy {titles.get(id, id)}{why}"
        lines.append(Line("not admissible", detail, names))
    return lines


def _judged(row: Mapping[str, Any], titles: Mapping[str, str], notes: Mapping[str, str]) -> Line:
    """A verdict on a statement; one that fails comes with what a careful reader should know of it."""
    detail = row.get("detail") or witness_text(row.get("witness"))
    name = (f"statement-{row['id']}", titles.get(row["id"], row["id"]))
    aside = notes.get(row["id"], "") if tone(row["verdict"]) == "bad" else ""
    return Line(row["verdict"], detail, (name,), aside)


def _limited(line: Line) -> Line:
    """What was seen where it was looked at, and where farther out it is not so."""
    seen, _, beyond = line.detail.partition(_LIMIT)
    return Line(line.verdict, f"{seen}, not beyond: {beyond}", line.names)


def _measured(row: Mapping[str, Any], titles: Mapping[str, str]) -> Line:
    numbers = ""
    if row["measured"] is not None and row["bound"] is not None:
        numbers = f"Measured {number(row['measured'])} against a bound of {number(row['bound'])}. "
    name = ("checks", titles.get(row["id"], row["id"]))
    return Line(row["verdict"], numbers + row["detail"], (name,), row["problem"])


def _drawn(figure: Mapping[str, Any]) -> Line:
    said = dict(line.split(": ", 1) for line in figure["caption"].splitlines())
    return Line("", said.get("Agreement", ""), ((f"figure-{figure['id']}", figure["title"]),))


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
        Line(row["verdict"], times(row), (("checks", titles.get(row["id"], row["id"])),), row["problem"])
        for row in ordered
    ]
