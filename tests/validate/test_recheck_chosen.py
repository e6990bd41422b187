"""Audits that nobody made: what exists by numbers that are chosen as they may not be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from fedproof.validate import recheck as script

Row = dict[str, Any]
PAPER: Row = {"key": "p", "readings": {"s": None}, "metrics": {}, "lists": [], "assumptions": []}


def certificate(claim: Any, names: Row, *given: Any) -> Row:
    """That the claim holds because it is the first hypothesis, or 0 <= 0 put otherwise."""
    own = [[g, ["given", k]] for k, g in enumerate(given)]
    last = (
        []
        if claim in given
        else [[claim, ["combine", [["1", ["neg"]], *([["1", [0]]] if given else [])], []]]]
    )
    return {
        "names": names, "given": [{"is": g, "from": {}} for g in given], "claim": claim,
        "lines": [*own, *last], "uses": [],
    }  # fmt: skip


def exists(
    chosen: Any, claim: Sequence[Any], proofs: Sequence[Row], *given: Any, kinds: Any = None, at: Any = None,
    kind: str = "exists", where: Any = (),
) -> Row:  # fmt: skip
    """A statement that numbers exist, with whatever is chosen, given and proved."""
    says: Row = {
        "kinds": kinds or {"x": "real", "y": "real"}, "given": [{"is": g} for g in given],
        "where": [list(w) for w in where], "claim": [{"is": c} for c in claim],
        "at": at or {"x": "2", "y": "1"},
    }  # fmt: skip
    return {
        "id": "s", "kind": kind, "verdict": "holds", "because": ["certificate"], "proofs": list(proofs),
        "paper": "p", "reading": None, "rests_on": [], "says": says | ({"chosen": chosen} if chosen else {}),
    }  # fmt: skip


def rejected(row: Row) -> str:
    """Why a statement is not confirmed; "" where it is."""
    good, wrong, without = script.statements({"statements": [row], "steps": [], "papers": [PAPER]}, ())
    assert len(good) + len(wrong) + len(without) == 1
    return wrong[0][1] if wrong else "without" if without else ""


LOW, UP = ["<=", "y", "x"], ["<=", "x", ["+", "y", "1"]]
REALS = {"x": "real", "y": "real"}
ABOVE = certificate(LOW, REALS, LOW)
BELOW = certificate(["<=", "x", "y"], REALS, ["<=", "x", "y"])
INVERSE = ["^", "y", "-1"]
ONCE = ["<=", INVERSE, "x"]


def test_a_number_above_another_exists() -> None:
    """Real or whole, with what is known of it or nothing, above a quotient where that is defined."""
    assert rejected(exists([["x", "y"]], [LOW], [ABOVE])) == ""
    assert rejected(exists([["x", "y"]], [LOW], [ABOVE], LOW, UP)) == ""
    assert rejected(exists([["x", "y"]], [LOW], [ABOVE], kinds={"x": "whole", "y": "real"})) == ""
    assert rejected(exists([["x", INVERSE]], [ONCE], [certificate(ONCE, REALS, ONCE)], ["<", "0", "y"])) == ""
    assert rejected(exists([["x", "y"]], [LOW], [])) == ""


DEFINED = "from where on a number is chosen is not defined"
ORDER = "what is chosen is no letter, or speaks of a later one"


@pytest.mark.parametrize(("row", "said"), [
    (exists([["x", INVERSE]], [ONCE], [certificate(ONCE, REALS, ONCE)]), DEFINED),
    (exists([["x", INVERSE]], [ONCE], [certificate(ONCE, REALS, ONCE)], ONCE), DEFINED),
    (exists([["x", "x"]], [LOW], [ABOVE]), ORDER),
    (exists([["x", "y"], ["y", "0"]], [LOW], [ABOVE]), ORDER),
    (exists([["x", "y"], ["x", "0"]], [LOW], [ABOVE]), ORDER),
    (exists([["x", "k"]], [LOW], [ABOVE], where=[["k", ["+", "x", "-1"]]]), ORDER),
    (exists([["z", "y"]], [LOW], [ABOVE]), "neither name nor number: 'z'"),
    (exists([["x", "y"]], [["<=", "x", "y"]], [BELOW]), "a proof goes by what is not given"),
    (exists([["x", "y"]], [["<=", "x", "y"]], [BELOW], ["<=", "x", "y"], at={"x": "1", "y": "1"}),
     "more is given of what is chosen"),
    (exists([["x", "y"]], [["<=", "x", "y"]], [ABOVE]), "what it claims does not follow"),
    (exists([], [LOW], [ABOVE], LOW), "what is chosen where nothing exists, or is not"),
    (exists([["x", "y"]], [LOW], [ABOVE], kind="implies"), "what is chosen where nothing exists, or is not"),
    (exists([["x", "y"]], [], [ABOVE]), "it claims nothing"),
])  # fmt: skip
def test_what_may_not_be_chosen(row: Row, said: str) -> None:
    """Below what is not defined, by itself or a later one, or with more than that there is one."""
    assert rejected(row) == said
