"""Small audits to be made and tampered with: steps, statements and papers with whatever they say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fedproof.validate import recheck as script

Row = dict[str, Any]
NEGATED = [["1", ["neg"]]]
BELOW, FALSE, ABOVE = ["<=", "x", "0"], ["<=", "1", "0"], ["<=", "1", "q"]
METRIC = {"m": [{"is": ["<=", "x", "bound"]}]}
SAYS_NOTHING = ["<=", "0", "0"]


def certificate(
    claim: Any, names: Mapping[str, str], given: Sequence[Any], *lines: Any, uses: Any = ()
) -> Row:
    """Its first lines are its hypotheses, and the last of them is the claim if there are no others."""
    own = [[g, ["given", k]] for k, g in enumerate(given)]
    rows = [{"is": g, "from": {}} for g in given]
    return {
        "names": dict(names), "given": rows, "claim": claim, "lines": [*own, *lines], "uses": list(uses),
    }  # fmt: skip


def step(id: str, names: Mapping[str, str], given: Sequence[Any], *lines: Any, **more: Any) -> Row:
    """A proved step; it claims its last line, which is its last hypothesis if there are no others."""
    claim, uses = (lines[-1][0] if lines else given[-1]), more.get("uses", ())
    says = {"claim": claim, "lists": [], "kinds": dict(names), "cites": []} | more.pop("says", {})
    row = {
        "id": id, "verdict": "proved", "paper": "p", "uses": list(uses), "rests_on": [], "closing": None,
        "certificate": certificate(claim, names, given, *lines, uses=uses), "says": says,
    }  # fmt: skip
    return row | more


def cited(claim: Any, kinds: Mapping[str, str], *lists: Any) -> Row:
    """A row k that is cited."""
    says = {"claim": claim, "lists": list(lists), "kinds": dict(kinds), "cites": []}
    return step("k", {}, [claim]) | {"verdict": "cited", "certificate": None, "says": says}


def rests(kind: str, id: Any, tree: Any) -> Row:
    """What a step rests on."""
    return {"kind": kind, "id": id, "is": tree, "text": script._text(tree)}


def bound(*because: Row, at: Mapping[str, str] | None = None, given: Sequence[Any] = ()) -> Row:
    """A statement that x is at most 0, because of steps, at numbers where it is not."""
    numbers = {"x": "5"} if at is None else dict(at)
    says = {
        "kinds": dict.fromkeys(numbers, "real"), "given": [{"is": g, "text": script._text(g)} for g in given],
        "where": [], "claim": [], "metric": "m", "bound": "0", "at": numbers,
    }  # fmt: skip
    return {
        "id": "b", "kind": "bound", "verdict": "holds", "because": [s["id"] for s in because], "proofs": [],
        "paper": "p", "reading": None, "rests_on": [g for s in because for g in s["rests_on"]],
        "assumptions": [], "granted": {}, "says": says,
    }  # fmt: skip


def document(*steps: Row, statements: Sequence[Row] = (), **paper: Any) -> Row:
    """A whole audit of one paper."""
    known = {
        "key": "p", "lists": [], "kinds": {}, "means": [], "granted": [], "metrics": METRIC,
        "readings": {"b": None}, "assumptions": [],
    } | paper  # fmt: skip
    return {"steps": list(steps), "statements": list(statements), "papers": [known]}


def wrong(audit: Row) -> set[str]:
    """Why steps and statements are not confirmed."""
    confirmed, rejected, _ = script.proofs(audit)
    _, fallen, _ = script.statements(audit, {*confirmed})
    return {why for _, why in (*rejected, *fallen)}


#: x is at most 0, as it is assumed; who grants that and who names it; a step that says nothing
ASSUMES = step("s", {"x": "real"}, [BELOW], rests_on=[rests("assumption", "A", BELOW)])
GRANTS: Row = {"granted": [rests("", "A", BELOW)], "assumptions": [{"id": "A"}]}
NAMED = {"assumptions": [{"id": "A"}]}
IDLE = step("t", {}, [], [SAYS_NOTHING, ["combine", NEGATED, []]])
