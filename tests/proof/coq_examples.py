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


def root_of_two(bound: str) -> dict[str, Any]:
    """That sqrt 2 <= bound."""
    claim = ["<=", ["^", "2", "1/2"], bound]
    return certificate({}, [], claim, [[claim, ["constants"]]])


def exp_and_log() -> dict[str, Any]:
    """That exp(1/8) + sqrt 2 log 2 <= 23/20 + 99/100."""
    product = ["*", ["^", "2", "1/2"], ["log", "2"]]
    claim = ["<=", ["+", ["exp", "1/8"], product], ["+", "23/20", "99/100"]]
    return certificate({}, [], claim, [[claim, ["constants"]]])


def size_of_root() -> dict[str, Any]:
    """That |3/2 - r|^2 = 9/4 - 3r + x/8 for r = sqrt(x/8): what is squared has fractions in it."""
    eighth = ["*", "x", ["^", "8", "-1"]]
    root, given = ["^", eighth, "1/2"], ["<=", "0", eighth]
    size = ["^", ["abs", ["+", "3/2", ["*", "-1", root]]], "2"]
    claim = ["=", size, ["+", "9/4", ["*", "-3", root], ["*", "1/8", "x"]]]
    lines = [[given, ["given", 0]], [claim, ["combine", [["1", ["neg"]]], []]]]
    return certificate({"x": "real"}, [given], claim, lines)


def empty_sum() -> dict[str, Any]:
    """That a sum up to n is 0 for n = 0, where n is read as 0 in the end of the sum."""
    given, claim = ["=", "n", "0"], ["=", ["sum", "t", "1", "n", ["of", "F", "t"]], "0"]
    lines = [[given, ["given", 0]], [claim, ["combine", [["1", ["neg"]]], [0]]]]
    return certificate({"n": "whole", "F": "real(whole)"}, [given], claim, lines)


def by_parts() -> dict[str, Any]:
    """That t S(t) adds up to n(n + 1)/2 S(n) less k(k - 1)/2 F(k) added up, S(t) being the sum of F(k)."""
    ends, inner = ["<=", "0", "n"], ["all", "t", "1", "n", ["<=", "0", "t"]]
    half = ["*", "1/2", "n", ["+", "n", "1"], ["sum", "k", "1", "n", ["of", "F", "k"]]]
    rest = ["sum", "k", "1", "n", ["*", "1/2", "k", ["+", "k", "-1"], ["of", "F", "k"]]]
    left = ["sum", "t", "1", "n", ["*", "t", ["sum", "k", "1", "t", ["of", "F", "k"]]]]
    claim = ["=", left, ["+", half, ["*", "-1", rest]]]
    lines = [[ends, ["given", 0]], [inner, ["given", 1]], [claim, ["combine", [["1", ["neg"]]], []]]]
    return certificate({"n": "whole", "F": "real(whole)"}, [ends, inner], claim, lines)


def divided_sum() -> dict[str, Any]:
    """That t F(t)/(t + 1) adds up to what F(t) does less what F(t)/(t + 1) does: divided with remainder."""
    ends, apart = ["<=", "0", "n"], ["all", "t", "1", "n", ["!=", ["+", "t", "1"], "0"]]
    over = ["^", ["+", "t", "1"], "-1"]
    terms = (["*", "t", ["of", "F", "t"], over], ["of", "F", "t"], ["*", ["of", "F", "t"], over])
    left, one, two = (["sum", "t", "1", "n", term] for term in terms)
    claim = ["=", left, ["+", one, ["*", "-1", two]]]
    lines = [[ends, ["given", 0]], [apart, ["given", 1]], [claim, ["combine", [["1", ["neg"]]], []]]]
    return certificate({"n": "whole", "F": "real(whole)"}, [ends, apart], claim, lines)


def by_cases() -> dict[str, Any]:
    """That 0 <= 1/x for 0 <= x, x != 0: that x is not 0 is known in each case alone."""
    given, claim = ["<=", "0", "x"], ["<=", "0", ["^", ["+", "1", "x"], "-1"]]
    less = ["<", "0", ["+", "1", "x"]]
    lines = [
        [less, ["combine", [["1", ["neg"]], ["1", []], ["1", [0]]], []]],
        [claim, ["combine", [["1", ["neg", 2]], ["1", []]], []]],
    ]
    return certificate(
        {"x": "real"},
        [given],
        claim,
        [[given, ["given", 0]], [claim, ["split", ["<=", "x", "1"], lines, lines]]],
    )
