"""Certificates small enough to be read, for the tests of their Coq lemmas."""

from __future__ import annotations

from typing import Any


def certificate(
    names: dict[str, str], given: list[Any], claim: Any, lines: list[Any], uses: tuple[str, ...] = ()
) -> dict[str, Any]:
    """A certificate of these parts."""
    relations = [{"is": g, "from": {}} for g in given]
    return {"names": names, "given": relations, "claim": claim, "lines": lines, "uses": [*uses]}


def square() -> dict[str, Any]:
    """That 2xy <= x^2 + y^2."""
    claim = ["<=", ["*", "2", "x", "y"], ["+", ["^", "x", "2"], ["^", "y", "2"]]]
    terms = [["1", ["neg"]], ["1", [["sq", ["+", "x", ["*", "-1", "y"]]]]]]
    return certificate({"x": "real", "y": "real"}, [], claim, [[claim, ["combine", terms, []]]])


def half() -> dict[str, Any]:
    """That 0 < 1/(2x) for positive x."""
    given, claim = ["<", "0", "x"], ["<", "0", ["^", ["*", "2", "x"], "-1"]]
    terms = [["1", ["neg", 0, 0]], ["1/2", [0]]]
    return certificate(
        {"x": "real"}, [given], claim, [[given, ["given", 0]], [claim, ["combine", terms, []]]]
    )


def parallelogram() -> dict[str, Any]:
    """That |u + v|^2 <= 2 |u|^2 + 2 |v|^2."""
    both = ["+", "u", "v"]
    claim = ["<=", ["n2", both], ["+", ["*", "2", ["n2", "u"]], ["*", "2", ["n2", "v"]]]]
    terms = [["1", ["neg"]], ["1", [["n2", ["+", "u", ["*", "-1", "v"]]]]]]
    return certificate({"u": "vector", "v": "vector"}, [], claim, [[claim, ["combine", terms, []]]])


def telescope() -> dict[str, Any]:
    """That the differences of a sequence add up to what lies between its ends."""
    ends = ["<=", "0", "n"]
    gap = ["+", ["of", "F", ["+", "t", "1"]], ["*", "-1", ["of", "F", "t"]]]
    far = ["+", ["of", "F", ["+", "n", "1"]], ["*", "-1", ["of", "F", "0"]]]
    claim = ["=", ["sum", "t", "0", "n", gap], far]
    lines = [[ends, ["given", 0]], [claim, ["combine", [["1", ["neg"]]], []]]]
    return certificate({"n": "whole", "F": "real(whole)"}, [ends], claim, lines)
