"""The cards of the first screen: how many of each verdict, and what the counts hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from fedproof.figures.number_format import listed, number
from fedproof.validate.audit_result import STATEMENT_WORDS
from fedproof.validate.settings import by_setting
from fedproof.validate.verdict import VerdictName
from fedproof.vocabulary.plurals import count

FITS = {True: "admissible", False: "not admissible", None: "undecided"}


@dataclass(frozen=True)
class Card:
    """Counts by verdict of one kind of question."""

    title: str
    anchor: str
    counts: tuple[tuple[int, str], ...]
    sentence: str


def cards(results: Mapping[str, Any]) -> tuple[Card, ...]:
    """A card for each kind of question that the results answer."""
    audit, checks = results.get("audit"), results.get("validate")
    titles = {s["id"]: s["title"] for s in results.get("statements", ())}
    kinds = {s["id"]: s.get("kind", "") for s in results.get("statements", ())}
    found = (
        []
        if audit is None
        else [_statement_card(audit["statements"], kinds), _setting_card(audit["settings"])]
    )
    found += [] if checks is None else [_check_card(checks["results"], titles)]
    found += [_tune_card(results["tune"])] if results.get("tune") else []
    return tuple(found)


def counts(given: Iterable[str], words: Iterable[str]) -> tuple[tuple[int, str], ...]:
    """How often each of some words is found; those that are not are left out."""
    many = Counter(given)
    return tuple((many[word], word) for word in words if word in many)


def _statement_card(rows: Any, kinds: Mapping[str, str]) -> Card:
    undecided = sum(row["verdict"] == "open" for row in rows)
    said = [f"{count(len(rows), 'claim')}, {len(rows) - undecided} of them decided."]
    said += [_cheap_words(rows, kinds), open_words(rows, kinds)]
    return Card(
        "Statements",
        "statements",
        counts((r["verdict"] for r in rows), STATEMENT_WORDS),
        " ".join(s for s in said if s),
    )


def _cheap_words(rows: Any, kinds: Mapping[str, str]) -> str:
    """How many of the claims that hold could hardly fail: definitions, and problems with a feasible point."""
    held = [row for row in rows if row["verdict"] == "holds"]
    posed = sum(kinds.get(row["id"]) == "minimum" for row in held)
    defined = sum(kinds.get(row["id"]) == "identity" and _by_definition(row) for row in held)
    parts = []
    if defined:
        parts.append(f"{defined} {'is' if defined == 1 else 'are'} true by definition")
    if posed:
        parts.append(f"{count(posed, 'is a problem', 'are problems')} shown to have a feasible point")
    return f"Of the {len(held)} that hold, {listed(parts)}." if parts else ""


def _by_definition(row: Mapping[str, Any]) -> bool:
    return "definition" in row.get("because", ()) or "by definition" in row.get("detail", "")


def open_words(rows: Any, kinds: Mapping[str, str]) -> str:
    """What the open claims are; empty where none is a bound on runs."""
    undecided = [row for row in rows if row["verdict"] == "open"]
    bounds = sum(kinds.get(row["id"]) == "bound" for row in undecided)
    if not bounds:
        return ""
    one, whole = bounds == 1, bounds == len(undecided)
    who = f"The {bounds} open" if whole else f"Of the {len(undecided)} open claims {bounds}"
    what = "is a bound on what runs do" if one else "are bounds on what runs do"
    return f"{who} {what}; {'its proof is' if one else 'their proofs are'} not decided yet."


def _setting_card(settings: Any) -> Card:
    words = [FITS[word] for word in by_setting(settings)]
    many = words.count(FITS[True])
    said = f"Of {count(len(words), 'stated setting')} {many} can satisfy every statement held against it."
    return Card("The papers' own settings", "settings", counts(words, FITS.values()), said)


def fit(setting: Mapping[str, Any]) -> str:
    """Whether a stated setting can satisfy a statement, in a word.

    >>> fit({"admissible": True}), fit({"admissible": None})
    ('admissible', 'undecided')
    """
    return FITS[setting["admissible"]]


def _check_card(rows: Any, titles: Mapping[str, str]) -> Card:
    tight = min((r for r in rows if r["slack"] is not None and r["verdict"] == "consistent"),
                key=lambda r: r["slack"], default=None)  # fmt: skip
    said = f"{count(len(rows), 'comparison')}."
    if tight is not None:
        said += f" Tightest: {titles.get(tight['id'], tight['id'])}, {times(tight)}."
    return Card(
        "Runs against theory", "checks", counts((r["verdict"] for r in rows), get_args(VerdictName)), said
    )


def _tune_card(tuned: Any) -> Card:
    sure = sum(bool(t["certified"]) for t in tuned)
    words = ["certified"] * sure + ["not certified"] * (len(tuned) - sure)
    first = tuned[0]
    least, bound = number(first["objective"], 5), number(first["lower_bound"], 5)
    said = f"Least objective {least}, proven lower bound {bound}."
    return Card("Best parameters", "optimum", tuple(counts(words, dict.fromkeys(words))), said)


def times(row: Mapping[str, Any]) -> str:
    """The slack in words; a lower bound is exceeded by what is measured."""
    if row.get("relation") == ">=":
        return f"what was measured is {number(row['slack'])} times the bound that it must reach"
    return f"the bound is {number(row['slack'])} times what was measured"
