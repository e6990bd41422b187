"""Audits that nobody made: an order or an implication that is false, beside certificates that are true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from fedproof.validate import recheck as script

Row = dict[str, Any]
ONE, X, SQUARE, HALF = "1", "x", ["^", "x", "2"], "1/2"
PAPER: Row = {"key": "p", "readings": {"s": None}, "metrics": {}, "lists": []}


def said(tree: Any) -> Row:
    """A relation with its text."""
    return {"text": script._text(tree), "is": tree}


def certificate(claim: Any, names: Mapping[str, str], given: Sequence[Any], *lines: Any) -> Row:
    """One that the kernel would accept; by default the claim is 0 <= 0 put otherwise."""
    shown = lines or [[claim, ["combine", [["1", ["neg"]]], []]]]
    rows = [{"is": g, "from": {}} for g in given]
    return {"names": dict(names), "given": rows, "claim": claim, "lines": list(shown), "uses": []}


ZERO = certificate(["<=", "0", "0"], {}, ())


def order(
    left: Any, constant: Any, right: Any, *given: Any, symbol: Any = X, limit: str = "oo", at: Any = None,
    kinds: Any = None, where: Any = (), proofs: Any = (ZERO,), **more: Any,
) -> Row:  # fmt: skip
    """A statement of an order, with whatever proofs."""
    kind = more.pop("kind", "order")
    parts = {"left": left, "right": right, "constant": constant, "symbol": symbol, "limit": limit}
    says = {
        "kinds": kinds or {"x": "real"}, "given": [said(g) for g in given], "where": [list(w) for w in where],
        "claim": [said(["<=", left, ["*", constant, right]])], "at": at or {"x": "1"},
    } | ({"order": parts} if kind == "order" else {}) | more  # fmt: skip
    return {
        "id": "s", "kind": kind, "verdict": "holds", "because": ["certificate"], "proofs": list(proofs),
        "paper": "p", "reading": None, "rests_on": [], "says": says,
    }  # fmt: skip


def rejected(row: Row) -> str:
    """Why a statement is not confirmed; "" where it is."""
    good, wrong, without = script.statements({"statements": [row], "steps": [], "papers": [PAPER]}, ())
    assert len(good) + len(wrong) == 1
    assert not without
    return wrong[0][1] if wrong else ""


def from_undefined(claim: Any) -> Row:
    """That x^2 is at most 1, of x and -1 - x that have roots."""
    roots = [["^", t, HALF] for t in (X, ["+", "-1", ["*", "-1", X]])]
    given = [["<=", r, r] for r in roots]
    lines = [[g, ["given", k]] for k, g in enumerate(given)]
    insides = [[["<=", "0", r[1]], ["meaning"]] for r in roots]
    false = [["<=", "1", "0"], ["combine", [["1", ["neg"]], ["1", [2]], ["1", [3]]], []]]
    end = [claim, ["combine", [["1", ["neg"]], ["1", [4, ["sq", X]]], ["1", []]], []]]
    return certificate(claim, {"x": "real"}, given, *lines, *insides, false, end)


def test_a_condition_on_what_moves_is_defined() -> None:
    """1/y <= x never comes to hold where y = 0, but where y > 0."""
    inverse = ["<=", ["^", "y", "-1"], X]
    both = {"kinds": {"x": "real", "y": "real"}, "at": {"x": "1", "y": "1"}}

    assert rejected(order(X, ONE, X, inverse, **both)) == "a condition on what moves that is nowhere defined"
    assert rejected(order(X, ONE, X, inverse, ["<", "0", "y"], **both)) == ""


def test_true_ones_are_confirmed() -> None:
    """x = O(x^2) from 1 on, x = O(x) near 0, above y and above 1/2; x <= y x does not follow."""
    given, claim = ["<=", "1", X], ["<=", X, ["*", ONE, SQUARE]]
    lines = [[given, ["given", 0]], [claim, ["combine", [["1", ["neg"]], ["1", [0, 0]], ["1", [0]]], []]]]
    square = certificate(claim, {"x": "real"}, [given], *lines)

    assert rejected(order(X, ONE, SQUARE, given, proofs=[square])) == ""
    assert rejected(order(X, ONE, X, ["<", "0", X], ["<=", X, HALF], limit="0", at={"x": "1/3"})) == ""
    assert rejected(order(X, ONE, X, ["<=", "y", X], **MOVED)) == ""
    assert rejected(order(X, ONE, X, ["<=", "k", X], where=[["k", HALF]])) == ""
    assert rejected(order(X, "y", X, kind="implies", **MOVED)) == "what it claims does not follow"


UNDER = ["^", ["+", "1", ["*", "-1", X]], HALF]
SQUARED = certificate(
    ["<=", "0", ["^", "k", "2"]], {"k": "real"}, (),
    [["<=", "0", ["^", "k", "2"]], ["combine", [["1", ["neg"]], ["1", [["sq", "k"]]]], []]],
)  # fmt: skip
ANY = from_undefined(["<=", SQUARE, ["*", ONE, ONE]])
MOVED: Row = {"kinds": {"x": "real", "y": "real"}, "at": {"x": "1", "y": "1"}}
FALSE: dict[str, tuple[Row, str]] = {
    "needs from nowhere": (order(SQUARE, ONE, ONE, proofs=[ZERO, ANY]), "given"),
    "needs from nowhere, implied": (
        order(SQUARE, ONE, ONE, kind="implies", proofs=[ZERO, ANY]), "given"
    ),
    "a constant that divides by 0": (
        order(SQUARE, ["^", "y", "-1"], ["*", "y", SQUARE], ["<=", "1", X], **MOVED), "does not follow"
    ),
    "sides that are undefined far out": (
        order(UNDER, ONE, UNDER, ["<=", "0", X]), "does not follow"
    ),
    "a constant named bound": (order(SQUARE, "bound", X, ["<", "0", X], bound="x"), "a bound where none"),
    "a symbol that is defined": (
        order(["^", "y", "2"], X, "y", symbol="y", where=[["y", "x"]]), "another claim"
    ),
    "a symbol that is no letter": (order(X, ONE, X, symbol="z"), "another claim"),
    "a letter that is defined too": (
        order(X, ONE, X, where=[["x", "1"]]), "two meanings"
    ),
    "a letter defined twice": (
        order(["*", "k", X], "k", X, where=[["k", "x"], ["k", "2"]]), "two meanings"
    ),
    "numbers against a definition": (
        order(X, ONE, X, ["<=", "3", "k"], where=[["k", "1"]], at={"x": "1", "k": "3"}), "miss"
    ),
    "numbers for what is no letter": (order(X, ONE, X, at={"x": "1", "z": "1"}), "miss"),
    "a definition that is defined nowhere": (
        order(X, ONE, X, where=[["k", ["^", ["+", "-1", ["*", "-1", SQUARE]], HALF]]]), "miss"
    ),
    "a constant that moves": (order(SQUARE, X, X), "another claim"),
    "a constant that moves by its definition": (
        order(SQUARE, "k", X, where=[["k", "x"]]), "another claim"
    ),
    "a definition by another": (
        order(SQUARE, "k", X, where=[["k", ["+", "m", "0"]], ["m", "x"]]), "by another"
    ),
    "a definition that is undefined far out": (
        order(X, ONE, ONE, ["<=", "0", X], where=[["k", UNDER]], proofs=[SQUARED]), "not given"
    ),
    "a claim that is not its own": (order(SQUARE, ONE, ONE, claim=[said(["<=", "0", "0"])]), "another claim"),
    "what is one number": (order(X, ONE, X, ["=", "3", X], at={"x": "3"}), "another claim"),
    "a whole number that tends to 0": (
        order(X, ONE, X, ["<", "0", X], limit="0", kinds={"x": "whole"}), "another claim"
    ),
    "a limit that is none": (order(X, ONE, X, limit="7"), "another claim"),
    "a kind that is none": (order(X, ONE, X, kinds={"x": "real(whole)"}), "two meanings"),
    "what is bounded": (order(X, ONE, X, ["<=", X, "1000"]), "another claim"),
    "what is bounded by what is": (
        order(X, ONE, X, ["<=", X, "y"], ["<=", "y", "3"], **MOVED), "another claim"
    ),
    "what is bounded by itself": (
        order(X, ONE, X, ["<=", ["*", "2", X], X], at={"x": "-1"}), "another claim"
    ),
    "what is not 0": (order(X, ONE, X, ["!=", X, "3"]), "another claim"),
    "what stays away from 0": (order(X, ONE, X, ["<=", HALF, X], limit="0"), "another claim"),
    "what stays below 0": (order(X, ONE, X, ["<=", X, "-1"], limit="0", at={"x": "-1"}), "another claim"),
    "an order of an implication": (order(X, ONE, X) | {"kind": "implies"}, "not claimed"),
    "an order of nothing": (order(X, ONE, X, kind="implies") | {"kind": "order"}, "not claimed"),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_or_says_nothing_is_not_confirmed(name: str) -> None:
    """Each for its reason; the certificates beside it are true."""
    row, why = FALSE[name]
    found = rejected(row)

    assert found
    assert why in found
