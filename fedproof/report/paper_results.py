"""The results of the report, one paper at a time."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from fedproof.validate.coverage import rows
from fedproof.vocabulary.discovery import packages

Row = Mapping[str, Any]


def anchored(text: str) -> str:
    """A place's name that needs no escape in a link, in HTML or Markdown.

    >>> anchored("step-key.eq1"), anchored('step-a"b|c')
    ('step-key.eq1', 'step-a_b_c')
    """
    return re.sub(r"[^\w.-]", "_", text)


@dataclass(frozen=True)
class PaperResults:
    """What was found of one paper; parts that are missing are empty.

    Arguments:
        facts: key, title, authors, venue, what it claims in a sentence, and its distinct errors.
        statements: as they are shown, in the paper's order.
        judged: the audit's row of a statement, by id.
        steps: the audit's rows of the proofs' lines, in order.
        names: what a reader calls an assumption or a convention, by id.
        settings, comparisons, tuned, ranges, checked, runs, figures: rows of those parts.
    """

    facts: Row
    statements: tuple[Row, ...]
    judged: Mapping[str, Row]
    steps: tuple[Row, ...]
    names: Mapping[str, str]
    settings: tuple[Row, ...]
    comparisons: tuple[Row, ...]
    tuned: tuple[Row, ...]
    ranges: tuple[Row, ...]
    checked: tuple[Row, ...]
    runs: tuple[Row, ...]
    figures: tuple[Row, ...]

    @property
    def key(self) -> str:
        """Of the paper."""
        return str(self.facts["key"])

    @property
    def by(self) -> str:
        """Authors and venue."""
        return f"{self.facts['authors']}, {self.facts['venue']}"

    def verdict(self, id: str) -> str:
        """A statement's verdict, or that there is none."""
        return str(self.judged[id]["verdict"]) if id in self.judged else "not judged"

    @cached_property
    def by_id(self) -> Mapping[str, Row]:
        """The statements as they are shown, by id."""
        return {s["id"]: s for s in self.statements}

    @cached_property
    def step(self) -> Mapping[str, Row]:
        """The lines of the proofs, by id."""
        return {s["id"]: s for s in self.steps}


def printed(statement: Row) -> bool:
    """Whether a statement is the paper's own, and neither a correction nor a corollary of ours.

    >>> theorem = {"id": "fedproxvr.theorem1", "amends": None, "source": "Theorem 1"}
    >>> printed(theorem), printed(theorem | {"amends": "fedproxvr.lemma1"})
    (True, False)
    """
    if statement.get("amends") or "not in the paper" in statement["source"]:
        return False
    page = ids_of_page(_owner(statement))
    return page is None or statement["id"] in page


@cache
def ids_of_page(key: str) -> frozenset[str] | None:
    """The ids that judge a piece of a paper's page; None where no table says which do.

    >>> "fedproxvr.eq39" in ids_of_page("fedproxvr"), ids_of_page("unknown")
    (True, None)
    """
    table = rows(key) if key in packages() else ()
    return frozenset(id for row in table for id in row.entry) if table else None


def need_words(paper: PaperResults, need: str) -> str:
    """A convention or a hypothesis that the text does not state, in words."""
    return paper.names.get(need) or need.removeprefix("unstated: ").removeprefix("convention: ")


def asked(row: Row) -> str:
    """What a question was about: a statement's id, or a paper's key.

    >>> asked({"command": "fedproof range key.lemma1 tau L=1"})
    'key.lemma1'
    """
    return shlex.split(row["command"])[2]


def by_paper(results: Row) -> tuple[PaperResults, ...]:
    """The results of each paper, in the report's order."""
    return tuple(_of(facts, results) for facts in results.get("papers", ()))


def _of(facts: Row, results: Row) -> PaperResults:
    key = facts["key"]
    audit = results.get("audit", {})
    statements = [s for s in results.get("statements", ()) if _owner(s) == key]
    own = {s["id"] for s in statements} | {key}
    judged = {s["id"]: s for s in audit.get("statements", ()) if s["id"] in own}
    details: Row = next((p for p in audit.get("papers", ()) if p["key"] == key), {})

    def about(name: str) -> tuple[Row, ...]:
        return tuple(r for r in results.get(name, ()) if asked(r) in own)

    def mine(rows: Iterable[Row]) -> tuple[Row, ...]:
        return tuple(r for r in rows if r["paper"] == key)

    steps = mine(audit.get("steps", ()))
    compared = results.get("validate", {}).get("results", ())
    return PaperResults(
        facts=facts,
        statements=tuple(statements),
        judged=judged,
        steps=steps,
        names={a["id"]: a["name"] for a in details.get("assumptions", ())},
        settings=mine(audit.get("settings", ())),
        comparisons=tuple(r for r in compared if _begins(r["id"], key)),
        tuned=about("tune"),
        ranges=about("range"),
        checked=about("check"),
        runs=tuple(r for r in results.get("runs", ()) if r["check"].get("id") in own),
        figures=tuple(f for f in results.get("figures", ()) if _begins(f["id"], key)),
    )


def _owner(statement: Row) -> str:
    return str(statement.get("paper") or statement["id"].partition(".")[0])


def _begins(id: str, key: str) -> bool:
    """Whether an id is of a paper: every id begins with its paper's key."""
    return id.startswith(f"{key}.")
