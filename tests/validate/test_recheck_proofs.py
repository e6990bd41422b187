"""The script that re-checks an audit confirms certificates, and nothing that has been tampered with."""

from __future__ import annotations

import copy
import json
import lzma
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fedproof.validate import recheck as script

SOURCE = Path(script.__file__)
Tree = Any


def add(*terms: Tree) -> Tree:
    return ["+", *terms]


def times(*factors: Tree) -> Tree:
    return ["*", *factors]


def less(a: Tree, b: Tree) -> Tree:
    return ["+", b, ["*", "-1", a]]


def at(f: str, *arguments: Tree) -> Tree:
    return ["of", f, *arguments]


def certificate(names: dict[str, str], given: list[Tree], claim: Tree, *lines: Tree, uses: Tree = ()) -> Tree:
    """A certificate whose first lines are its hypotheses; a rule as the last line proves the claim."""
    own = [{"is": g, "from": "own"} for g in given]
    last = lines[-1] if lines[-1] and isinstance(lines[-1][0], list) else [claim, lines[-1]]
    all_lines = [*([g, ["given", k]] for k, g in enumerate(given)), *lines[:-1], last]
    return {"names": names, "given": own, "claim": claim, "lines": all_lines, "uses": list(uses)}


def combine(*terms: Tree, equal: Tree = ()) -> Tree:
    return ["combine", [[c, list(factors)] for c, *factors in terms], list(equal)]


IDENTITY = combine(["1", "neg"])
RISING = ["all", "k", "0", add("n", "-1"), ["<=", at("x", "k"), at("x", add("k", "1"))]]
STEP_UP = ["<=", at("x", "0"), at("x", add("k", "1"))]
SUMMED = ["<=", ["sum", "j", "1", "n", at("x", "j")], ["sum", "j", "1", "n", at("y", "j")]]
REAL, WHOLE, VECTOR, ROW = "real", "whole", "vector", "real(whole)"

GOOD: dict[str, Tree] = {
    "every value": certificate(
        {"f": "real(vector)", "c": REAL},
        [["<=", "0", "c"], ["every", "a", "vector", ["<=", "0", at("f", "a")]]],
        ["every", "b", "vector", ["<=", "0", times("c", at("f", times("2", "b")))]],
        ["every", [
            [["<=", "0", at("f", times("2", "b"))], ["instance", 1, times("2", "b")]],
            [["<=", "0", times("c", at("f", times("2", "b")))], combine(["1", "neg"], ["1", 0, 2])],
        ]],
    ),
    "square": certificate(
        {"x": REAL, "lambda": REAL}, [], ["<=", times("2", "x", "lambda"), add(["^", "x", "2"], ["^",
          "lambda", "2"])],
        combine(["1", "neg"], ["1", ["sq", less("x", "lambda")]]),
    ),
    "reciprocal": certificate(
        {"x": REAL}, [["<", "0", "x"]], ["<", "0", ["^", "x", "-1"]], combine(["1", "neg", 0], ["1"])
    ),
    "root": certificate(
        {"x": REAL, "y": REAL}, [["<=", "0", "x"], ["<=", ["^", "x", "1/2"], "y"]], ["<=", "x", ["^", "y",
          "2"]],
        combine(["1", "neg"], ["1", 1, ["root", "x", "2"]], ["1", 1, 1], ["1", ["root", "x", "2"], 1]),
    ),
    "a power of something positive": certificate(
        {"c": REAL, "R": "whole", "k": "whole"}, [["<", "0", "c"]], ["<", "0", ["^", "c", less("k", "R")]],
        combine(["1", "neg"], ["1", ["power", 0, less("k", "R")]]),
    ),
    "max": certificate(
        {"x": REAL, "y": REAL}, [], ["<=", "x", ["max", "x", "y"]],
        combine(["1", "neg"], ["1/2", ["size", less("x", "y"), "1"]]),
    ),
    "expanded": certificate(
        {"u": VECTOR, "v": VECTOR, "w": VECTOR}, [["=", "u", add("v", "w")]],
        ["=", ["n2", "u"], add(["n2", "v"], times("2", ["ip", "w", "v"]), ["n2", "w"])],
        combine(["1", "neg"], equal=[0]),
    ),
    "along": certificate(
        {"u": VECTOR, "v": VECTOR, "w": VECTOR}, [["=", "u", add("v", "w")]],
        ["=", ["ip", "u", "u"], add(["ip", "u", "v"], ["ip", "w", "u"])],
        combine(["1", "neg"], ["-1", ["along", 0, "u"]]),
    ),
    "solved": certificate(
        {"u": VECTOR, "v": VECTOR, "a": REAL}, [["=", times("a", "u"), "v"], ["<", "a", "0"]],
        ["=", "u", times(["^", "a", "-1"], "v")], ["vectors", "a", [["1", 0]], []],
    ),
    "numbers times vectors": certificate(
        {"x": REAL, "y": REAL, "u": VECTOR}, [["=", "x", "y"]], ["=", times("x", "u"), times("y", "u")],
        ["vectors", "1", [["u", 0]], []],
    ),
    "gram": certificate(
        {"u": VECTOR, "v": VECTOR}, [], ["<=", ["^", ["ip", "u", "v"], "2"], times(["n2", "u"], ["n2", "v"])],
        combine(["1", "neg"], ["1", ["gram", "u", "v"]]),
    ),
    "numbers": certificate(
        {"n": WHOLE}, [["<=", "0", "n"]],
        ["=", ["sum", "k", "1", "n", ["^", "k", "3"]], times("1/4", ["^", "n", "2"], ["^", add("n", "1"),
          "2"])],
        IDENTITY,
    ),
    "telescope": certificate(
        {"n": WHOLE, "x": "vector(whole)", "u": VECTOR}, [["<=", "0", "n"]],
        ["=", ["sum", "k", "0", add("n", "-1"), ["ip", "u", less(at("x", "k"), at("x", add("k", "1")))]],
         ["ip", less(at("x", "0"), at("x", "n")), "u"]], IDENTITY,
    ),
    "double": certificate(
        {"n": WHOLE, "x": ROW, "y": "vector(whole)"}, [["<=", "1", "n"], ["<=", "1", add("n", "1")]],
        ["=", ["n2", ["sum", "k", "1", "n", times(at("x", "k"), at("y", "k"))]],
         ["sum", "i", "1", "n", ["sum", "k", "1", "n",
                                 times(at("x", "i"), at("x", "k"), ["ip", at("y", "k"), at("y", "i")])]]],
        combine(["1", "neg"]),
    ),
    "by parts": certificate(
        {"n": WHOLE, "x": ROW}, [["<=", "1", "n"], ["<=", "1", add("n", "1")],
                                 ["all", "k", "1", "n", ["<=", "1", add("k", "1")]]],
        ["=", ["sum", "k", "1", "n", ["sum", "j", "1", "k", at("x", "j")]],
         ["sum", "j", "1", "n", times(add("n", "1", times("-1", "j")), at("x", "j"))]], IDENTITY,
    ),
    "exchanged": certificate(
        {"m": WHOLE, "n": WHOLE, "x": "real(whole,whole)"},
        [["<=", "1", add("m", "1")], ["<=", "1", add("n", "1")]],
        ["=", ["sum", "i", "1", "m", ["sum", "j", "1", "n", at("x", "i", "j")]],
         ["sum", "j", "1", "n", ["sum", "i", "1", "m", at("x", "i", "j")]]], IDENTITY,
    ),
    "divided": certificate(
        {"n": WHOLE, "x": ROW},
        [["<=", "1", add("n", "1")], ["all", "k", "1", "n", ["<", "0", add(at("x", "k"), "2")]]],
        ["=", ["sum", "k", "1", "n", times(at("x", "k"), ["^", add(at("x", "k"), "2"), "-1"])],
         add("n", times("-2", ["sum", "k", "1", "n", ["^", add("2", at("x", "k")), "-1"]]))],
        IDENTITY,
    ),
    "moved": certificate(
        {"n": WHOLE, "x": ROW}, [["<=", "0", "n"], ["<=", "1", add("n", "1")]],
        ["=", ["sum", "k", "0", add("n", "-1"), at("x", add("k", "2"))],
         less(at("x", "1"), ["sum", "k", "1", add("n", "1"), at("x", "k")])],
        [["<=", "1", add("n", "2")], combine(["1", "neg"], ["1", 0], ["1"])],
        IDENTITY,
    ),
    "geometric": certificate(
        {"n": WHOLE, "q": REAL}, [["<=", "0", "n"]],
        ["=", times("q", ["sum", "k", "0", "n", ["^", "q", "k"]]), ["sum", "k", "0", "n", ["^", "q",
          add("k", "1")]]],
        [["<=", "0", add("n", "1")], combine(["1", "neg"], ["1", 0], ["1"])],
        [["all", "k", "0", "n", ["<=", "0", "k"]], ["all", [[["<=", "0", "k"], combine(["1", "neg"], ["1",
          2])]]]],
        IDENTITY,
    ),
    "total": certificate(
        {"n": WHOLE, "x": ROW, "y": ROW},
        [["all", "k", "1", "n", ["<", at("x", "k"), at("y", "k")]], ["<=", "1", add("n", "1")]],
        SUMMED, ["total", 0, 1],
    ),
    "induction": certificate(
        {"n": WHOLE, "x": ROW}, [RISING, ["<=", "0", "n"]],
        ["all", "k", "0", "n", ["<=", at("x", "0"), at("x", "k")]],
        [["<=", at("x", "0"), at("x", "0")], IDENTITY],
        ["induction", 2, [
            [["<=", at("x", "k"), at("x", add("k", "1"))], ["instance", 0, "k", [3, 4]]],
            [STEP_UP, combine(["1", "neg"], ["1", 5], ["1", 6])],
        ]],
    ),
    "everywhere": certificate(
        {"f": "real(vector)", "g": "vector(vector)", "u": VECTOR},
        [["every", "a", "vector", ["every", "b", "vector", ["<=", add(at("f", "a"), ["ip", at("g", "a"),
          less("a", "b")]),
                                                           at("f", "b")]]]],
        ["<=", at("f", "u"), add(at("f", "0"), ["ip", at("g", "u"), "u"])],
        [["every", "b", "vector", ["<=", add(at("f", "u"), ["ip", at("g", "u"), less("u", "b")]), at("f",
          "b")]],
         ["instance", 0, "u", []]],
        [["<=", add(at("f", "u"), ["ip", at("g", "u"), less("u", "0")]), at("f", "0")], ["instance", 1, "0",
          []]],
        combine(["1", "neg"], ["1", 2]),
    ),
    "sizes": certificate(
        {"x": REAL}, [], ["<=", "0", add("x", ["abs", "x"])],
        ["split", ["<", "x", "0"],
         [[["<=", "0", add("x", ["abs", "x"])], combine(["1", "neg"], ["1", ["size", "x", "1"]])]],
         [[["<=", "0", add("x", ["abs", "x"])], combine(["1", "neg"], ["1", ["size", "x", "1"]])]]],
    ),
    "for every vector": certificate(
        {"f": "real(vector)"}, [["every", "w", "vector", ["<=", "0", at("f", "w")]]],
        ["every", "u", "vector", ["<=", "0", times("2", at("f", "u"))]],
        ["every", [[["<=", "0", at("f", "u")], ["instance", 0, "u"]],
                   [["<=", "0", times("2", at("f", "u"))], combine(["1", "neg"], ["2", 1])]]],
    ),
    "named": certificate(
        {"x": REAL}, [], ["<=", "0", ["^", add("x", "1"), "4"]],
        ["name", [[["<=", "0", ["^", add("x", "1"), "4"]], combine(["1", "neg"], ["1", ["sq", "y"]],
          equal=[0])]],
         "y", ["^", add("x", "1"), "2"]],
    ),
    "constant": certificate({}, [], ["<", ["exp", "1/8"], "8/7"], ["constants"]),
    "pi": certificate({}, [], ["<", ["^", "10", "1/2"], ["+", "pi", ["log", "2"]]], ["constants"]),
    "whole": certificate(
        {"n": WHOLE}, [["<", "0", "n"], ["<=", "n", "1"]], ["=", "1", "n"],
        [["<=", add("0", "1"), "n"], ["next", 0]], [["<=", "1", "n"], combine(["1", "neg"], ["1", 2])],
          ["both", 3, 1],
    ),
    "meaning": certificate(
        {"n": WHOLE, "x": ROW, "y": REAL},
        [["all", "i", "1", "n", ["!=", "0", times("2", at("x", "i"), ["^", "y", "2"])]], ["<", "y", "0"],
         ["<=", "1", add("n", "1")]],
        ["=", ["sum", "j", "1", "n", times(["^", at("x", "j"), "-1"], "y", ["^", "y", "-2"])],
         times(["^", "y", "-1"], ["sum", "j", "1", "n", ["^", at("x", "j"), "-1"]])],
        [["!=", ["^", "y", "3"], "0"], ["meaning"]], IDENTITY,
    ),
    "power": certificate(
        {"q": REAL, "n": WHOLE}, [["<=", "0", "n"]], ["=", ["^", "q", "n"], ["^", "q", "n"]], IDENTITY),
    "reciprocals": certificate(
        {"n": WHOLE, "x": ROW}, [["all", "k", "1", "n", ["<", "0", at("x", "k")]]],
        ["all", "k", "1", "n", ["<", "0", ["^", at("x", "k"), "-1"]]],
        ["all", [[["<", "0", at("x", "k")], ["instance", 0, "k", [1, 2]]],
                 [["<", "0", ["^", at("x", "k"), "-1"]], combine(["1", "neg", 3], ["1"])]]],
    ),
    "used": certificate(
        {"x": REAL, "z": ROW}, [], ["<=", times("2", "x", at("z", "3")), add(["^", "x", "2"], ["^", at("z",
          "3"), "2"])],
        ["use", "square", [["lambda", at("z", "3")]], []], uses=["square"],
    ),
    "used with a whole number": certificate(
        {"x": WHOLE, "lambda": REAL}, [], ["<=", times("2", "x", "lambda"), add(["^", "x", "2"], ["^",
          "lambda", "2"])],
        ["use", "square", [], []], uses=["square"],
    ),
    "an instance with no ends": certificate(
        {"x": REAL}, [["every", "a", "real", ["<=", "a", "x"]]], ["<=", "0", "x"], ["instance", 0, "0"]),
    "used total": certificate(
        {"n": WHOLE, "b": REAL},
        [["all", "k", "1", "n", ["<", "k", times("b", "k")]], ["<=", "1", add("n", "1")]],
        ["<=", ["sum", "k", "1", "n", "k"], ["sum", "k", "1", "n", times("b", "k")]],
        ["use", "total", [["x", ["map", ["i"], "i"]], ["y", ["map", ["i"], times("b", "i")]]], [0, 1]],
          uses=["total"],
    ),
}  # fmt: skip


def row(id: Any, certificate: Tree, *uses: str, verdict: str = "proved", **more: Any) -> dict[str, Any]:
    """A row of an audit: a step that says what its certificate proves, and lists all that it assumes."""
    said = certificate if isinstance(certificate, dict) else {}
    lists = [[g["is"], ""] for g in said.get("given", [])]
    says = {"claim": said.get("claim"), "lists": lists, "kinds": said.get("names", {}), "cites": []}
    own = {
        "id": id,
        "paper": "p",
        "verdict": verdict,
        "certificate": certificate,
        "uses": list(uses),
        "says": says,
    }
    return own | {"rests_on": []} | more


def decided(*ids: str, **others: Tree) -> dict[str, str]:
    """What the script says of certificates, by id: nothing, or why they are rejected."""
    rows = {**{i: GOOD[i] for i in ids}, **others}
    steps = [row(i, c, *c.get("uses", [])) for i, c in rows.items()]
    confirmed, rejected, without = script.proofs(json.loads(json.dumps({"steps": steps})))
    assert (len(confirmed) + len(rejected), without) == (len(rows), [])
    return dict.fromkeys(confirmed, "") | dict(rejected)


def test_all_rules_are_confirmed() -> None:
    """Each rule used as it is meant is confirmed."""
    assert {i: why for i, why in decided(*GOOD).items() if why} == {}


def test_a_division_by_a_sum_of_two_terms() -> None:
    """Either of two terms may lead a divisor; both sides are read alike."""
    given = [["<=", "1", add("n", "1")], ["all", "k", "1", "n", ["<", "0", add(at("x", "k"), at("y", "k"))]]]
    parts = [
        ["sum", "k", "1", "n", times(at(f, "k"), ["^", add(at("x", "k"), at("y", "k")), "-1"])] for f in "xy"
    ]
    whole = certificate({"n": WHOLE, "x": ROW, "y": ROW}, given, ["=", add(*parts), "n"], IDENTITY)

    assert decided(whole=whole) == {"whole": ""}


# From 1 <= i <= 0, by which anything is "proved" inside an empty range; k is the line that says 1 <= i.
def absurd(claim: Tree, k: int) -> Tree:
    return [claim, combine(["1", k], ["1", k + 1], ["1"])]


NOT_ZERO: Tree = ["!=", "y", "0"]
OVER: Tree = ["<", "0", ["^", "y", "-2"]]
FALSE: Tree = ["<", "1", "0"]

BAD: dict[str, Tree] = {
    **{
        f"a power: {name}": certificate(
            {"c": REAL, "k": kind}, [given], ["<=", "0", ["^", "c", n]],
            combine(["1", "neg"], ["1", ["power", 0, n]]),
        )
        for name, given, n, kind in (
            ("of what may vanish", ["<=", "0", "c"], ["*", "-1", "k"], "whole"),
            ("of what may be negative", ["<=", "-1", "c"], "k", "whole"),
            ("of what is not zero", ["!=", "0", "c"], "k", "whole"),
            ("with a number", ["<", "0", ["+", "c", "k"]], "2", "whole"),
        )
    },
    "every value from one": certificate(
        {"f": "real(vector)", "v": VECTOR}, [["<=", "0", at("f", "v")]],
        ["every", "a", "vector", ["<=", "0", at("f", "a")]],
        ["every", [[["<=", "0", at("f", "v")], ["given", 0]]]],
    ),
    "every value by a name that is taken": certificate(
        {"f": "real(vector)", "v": VECTOR}, [["<=", "0", at("f", "v")]],
        ["every", "v", "vector", ["<=", "0", at("f", "v")]],
        ["every", [[["<=", "0", at("f", "v")], ["given", 0]]]],
    ),
    "every value of no kind": certificate(
        {"x": REAL}, [["<", "0", "x"]], ["every", "a", "number", ["<=", "0", "x"]],
        ["every", [[["<=", "0", "x"], combine(["1", "neg"], ["1", 0])]]],
    ),
    "every value of a divisor": certificate(
        {"x": REAL}, [["<", "0", "x"]], ["every", "a", "real", ["=", times("a", ["^", "a", "-1"]), "1"]],
        ["every", [[["=", times("a", ["^", "a", "-1"]), "1"], IDENTITY]]],
    ),
    "every real by whole ones": certificate(
        {}, [["every", "a", "whole", ["<=", "a", ["^", "a", "2"]]]],
        ["every", "a", "real", ["<=", "a", ["^", "a", "2"]]],
        ["every", [[["<=", "a", ["^", "a", "2"]], ["instance", 0, "a"]]]],
    ),
    # Needs that stop to speak of their index, or that are more than what a power needs, when values are put.
    "index gone by an equation": certificate(
        {"m": WHOLE, "x": ROW}, [["all", "i", "1", "0", ["<", "0", ["^", at("x", times("m", "i")), "-1"]]],
                                 ["=", "m", "0"]],
        ["!=", at("x", "0"), "0"],
        [["=", times(at("x", "0"), ["^", at("x", "0"), "-1"]), "1"], combine(["1", "neg"], equal=[1])],
          ["meaning"],
    ),
    "index gone by a use": certificate(
        {"y": REAL}, [], NOT_ZERO,
        [["<=", "0", "0"], IDENTITY],
        [["all", "k", "1", "0", ["<", "0", "y"]], ["all", [absurd(["<", "0", "y"], 1)]]],
        [["all", "k", "1", "0", ["<", "0", ["^", "y", "-1"]]],
         ["use", "reciprocals", [["n", "0"], ["x", ["map", ["k"], "y"]]], [1]]], ["meaning"],
           uses=["reciprocals"],
    ),
    "index gone by an instance": certificate(
        {"x": ROW}, [["all", "m", "0", "1", ["all", "i", "1", "0", ["<", "0", ["^", at("x", times("m",
          "i")), "-1"]]]],
                     ["<=", "0", "0"], ["<=", "0", "1"]],
        ["!=", at("x", "0"), "0"],
        [["all", "i", "1", "0", ["<", "0", ["^", at("x", times("0", "i")), "-1"]]], ["instance", 0, "0", [1,
          2]]],
        ["meaning"],
    ),
    "power of a difference": certificate(
        {"q": REAL, "n": WHOLE}, [["<=", "1", "n"], ["all", "k", "0", "n", ["<=", "0", ["^", ["^", "q",
          "k"], "2"]]]],
        ["!=", "q", "0"],
        [["<=", "0", add("n", "-1")], combine(["1", "neg"], ["1", 0])],
        [["<=", add("n", "-1"), "n"], combine(["1", "neg"], ["1"])],
        [["<=", "0", ["^", ["^", "q", add("n", "-1")], "2"]], ["instance", 1, add("n", "-1"), [2, 3]]],
          ["meaning"],
    ),
    "power of a sum": certificate(
        {"q": REAL, "a": WHOLE, "b": WHOLE}, [["<=", "0", add("a", "b")]], ["<=", "0", "a"],
        [["=", ["^", "q", add("a", "b")], ["^", "q", add("a", "b")]], ["use", "power", [["n", add("a",
          "b")]], [0]]],
        ["meaning"], uses=["power"],
    ),
    "an empty sum of an undefined number": certificate(
        {"y": REAL, "n": WHOLE}, [["<=", ["sum", "k", "1", "n", ["^", "y", "-1"]], "5"]], NOT_ZERO,
          ["meaning"]),
    "a range within an empty range": certificate(
        {"x": ROW, "m": WHOLE, "n": WHOLE},
        [["<=", ["sum", "k", "1", "n", ["sum", "j", "1", "m", at("x", "j")]], "5"]], ["<=", "0", "m"],
          ["meaning"]),
    # An `all` over an empty range says nothing of what does not speak of its index.
    "empty all": certificate(
        {"y": REAL}, [], NOT_ZERO,
        [["all", "i", "1", "0", OVER], ["all", [absurd(NOT_ZERO, 0), absurd(OVER, 0)]]], ["meaning"],
    ),
    "empty all of a range": certificate(
        {"y": REAL, "x": ROW}, [], ["all", "j", "1", "2", ["!=", at("x", "j"), "0"]],
        [["all", "i", "1", "0", ["all", "j", "1", "2", ["<", "0", ["^", at("x", "j"), "-2"]]]],
         ["all", [absurd(["all", "j", "1", "2", ["!=", at("x", "j"), "0"]], 0),
                  absurd(["all", "j", "1", "2", ["<", "0", ["^", at("x", "j"), "-2"]]], 0)]]],
        ["all", [[["!=", at("x", "j"), "0"], ["meaning"]]]],
    ),
    "empty given": certificate(
        {"y": REAL, "n": WHOLE}, [["all", "i", "1", "n", ["!=", "y", "0"]]], NOT_ZERO, ["meaning"]
    ),
    "factor of a product in an empty range": certificate(
        {"y": REAL, "x": ROW, "n": WHOLE}, [["all", "i", "1", "n", ["!=", times("y", at("x", "i")), "0"]]],
        NOT_ZERO, ["meaning"],
    ),
    "other range": certificate(
        {"n": WHOLE, "x": ROW}, [["all", "i", "1", "n", ["!=", at("x", "i"), "0"]], ["<=", "0", add("n",
          "1")]],
        ["=", ["sum", "j", "0", "n", ["^", at("x", "j"), "-1"]], ["sum", "i", "0", "n", ["^", at("x", "i"),
          "-1"]]],
        IDENTITY,
    ),
    "negative range": certificate(
        {"x": ROW}, [], ["=", ["sum", "j", "1", "-3", at("x", "j")],
                         times("-1", add(at("x", "0"), at("x", "-1"), at("x", "-2")))], IDENTITY),
    "unknown range": certificate(
        {"n": WHOLE}, [], ["=", ["sum", "k", "1", "n", "1"], "n"], IDENTITY),
    "unknown range in total": certificate(
        {"n": WHOLE, "x": ROW, "y": ROW},
        [["all", "k", "1", "n", ["<", at("x", "k"), at("y", "k")]], ["<=", "0", add("n", "1")]], SUMMED,
          ["total", 0, 1],
    ),
    "name of an undefined value": certificate(
        {"y": REAL}, [], NOT_ZERO, ["name", [[NOT_ZERO, ["meaning"]]], "z", ["^", "y", "-1"]]),
    "name of a root": certificate(
        {"y": REAL}, [], ["<=", "0", "y"], ["name", [[["<=", "0", "y"], ["meaning"]]], "z", ["^", "y",
          "1/2"]]),
    "name of itself": certificate(
        {"y": REAL}, [], FALSE, ["name", [[FALSE, combine(["1", 0], ["1"])]], "z", add("z", "1")]),
    "name that is taken": certificate(
        {"y": REAL}, [], ["=", "y", "1"], ["name", [[["=", "y", "1"], combine(["1", "neg"], ["1", 0])]],
          "y", "1"]),
    "split on what is undefined": certificate(
        {"y": REAL}, [], NOT_ZERO,
        ["split", ["<=", ["^", "y", "-1"], "0"], [[NOT_ZERO, ["meaning"]]], [[NOT_ZERO, ["meaning"]]]],
    ),
    "split on all": certificate(
        {"x": ROW}, [], ["<=", "0", at("x", "0")],
        ["split", ["all", "i", "0", "1", ["<=", "0", at("x", "i")]], [[["<=", "0", at("x", "0")], ["given",
          0]]],
         [[["<=", "0", at("x", "0")], ["given", 0]]]],
    ),
    "vectors over 0": certificate(
        {"u": VECTOR, "v": VECTOR, "y": REAL}, [["=", times("y", "u"), times("y", "v")]], ["=", "u", "v"],
        ["vectors", "y", [["1", 0]], []],
    ),
    "an order times a vector": certificate(
        {"x": REAL, "y": REAL, "u": VECTOR}, [["<=", "x", "y"]], ["=", times("x", "u"), times("y", "u")],
        ["vectors", "1", [["u", 0]], []],
    ),
    "vectors times a vector": certificate(
        {"u": VECTOR, "v": VECTOR}, [["=", "u", "v"]], ["=", "u", "v"], ["vectors", "1", [["u", 0]], []],
    ),
    "vectors that are undefined": certificate(
        {"u": VECTOR, "y": REAL}, [], NOT_ZERO,
        [["=", times(["^", "y", "-1"], "u"), times(["^", "y", "-1"], "u")], ["vectors", "1", [], []]],
          ["meaning"],
    ),
    "vectors with an undefined coefficient": certificate(
        {"u": VECTOR, "v": VECTOR, "y": REAL}, [["=", times("y", "u"), times("y", "v")]], ["=", "u", "v"],
        ["vectors", "1", [[["^", "y", "-1"], 0]], []],
    ),
    "meaning of what is undefined": certificate(
        {"x": REAL, "y": REAL}, [["<", "0", "x"]], NOT_ZERO,
        [["!=", times("x", "y", ["^", "y", "-1"]), "0"], ["meaning"]], ["meaning"],
    ),
    "combine what is undefined": certificate({"y": REAL}, [], ["=", times("y", ["^", "y", "-1"]), "1"],
      IDENTITY),
    "undefined factor": certificate(
        {"y": REAL}, [], FALSE, combine(["1"], ["-1", 0, ["*", ["^", less("y", "y"), "-1"]]])),
    "undefined free factor": certificate(
        {"x": REAL, "y": REAL}, [["=", times("x", "y"), "0"]], ["=", "x", "0"],
        combine(["1", "neg"], ["1", 0, ["*", ["^", "y", "-1"]]]),
    ),
    "root of what may be negative": certificate(
        {"x": REAL}, [], ["<=", "0", "x"], combine(["1", "neg"], ["1", ["root", "x", "2"], ["root", "x",
          "2"]])),
    "root of a negative number": certificate({}, [], FALSE, combine(["1"], ["1", ["root", "-4", "2"]])),
    "root of a cube": certificate({"x": REAL}, [], ["<=", "0", ["^", ["^", "x", "3"], "1/3"]],
                                  combine(["1", "neg"], ["1", ["root", ["^", "x", "3"], "3"]])),
    "square that may be 0": certificate({"x": REAL}, [], ["<", "0", ["^", "x", "2"]],
                                        combine(["1", "neg"], ["1", ["sq+", "x"]])),
    "equation with a nonnegative factor": certificate({"x": REAL}, [], ["=", "x", "1"],
                                                      combine(["1", "neg", ["sq", "0"]])),
    "nothing positive": certificate({"x": REAL}, [], FALSE, combine(["1", ["sq", "0"]])),
    "no terms": certificate({}, [], ["=", "0", "1"], combine()),
    "negative coefficient": certificate({"x": REAL}, [], ["<=", ["^", "x", "2"], "0"],
                                        combine(["1", "neg"], ["-1", ["sq", "x"]])),
    "coefficient 0": certificate({"x": REAL}, [], ["=", "x", "1"], combine(["0", "neg"])),
    "two apart": certificate({"x": REAL}, [], ["=", "x", "1"], combine(["1", "neg"], ["-1", "neg"])),
    "strict from weak": certificate({"x": REAL}, [["<=", "0", "x"]], ["<", "0", "x"], combine(["1", "neg"],
      ["1", 0])),
    "unequal as positive": certificate({"x": REAL}, [["!=", "0", "x"]], ["<=", "0", "x"],
                                       combine(["1", "neg"], ["1", 0])),
    "circular equations": certificate(
        {"x": REAL, "y": REAL}, [["=", "x", "y"], ["=", "y", "x"]], ["=", "x", "1"], combine(["1", "neg"],
          equal=[0, 1])),
    "its own equation": certificate(
        {"x": REAL}, [], ["=", "x", "1"], combine(["1", "neg"], equal=[0])),
    "whole from an equation": certificate(
        {"n": WHOLE, "m": WHOLE, "x": REAL}, [["=", "n", times("1/2", "m")], ["<=", "0", "n"], ["<=", "0",
          "m"]],
        ["=", ["^", "x", "n"], ["^", "x", times("1/2", "m")]], combine(["1", "neg"], equal=[0]),
    ),
    "0 to the 0": certificate(
        {"n": WHOLE, "x": REAL}, [["<=", "0", "n"]], ["!=", "x", "0"],
        [["=", times(["^", "x", "n"], ["^", "x", times("-1", "n")]), "1"], IDENTITY], ["meaning"],
    ),
    "nonzero power": certificate(
        {"n": WHOLE, "x": REAL}, [["<=", "0", "n"], ["!=", ["^", "x", "n"], "0"]], ["!=", "x", "0"],
          ["meaning"]),
    "negative power": certificate(
        {"n": WHOLE, "x": REAL}, [], ["=", times(["^", "x", "n"], "x"), ["^", "x", add("n", "1")]], IDENTITY),
    "power of 0": certificate({"n": WHOLE}, [["<=", "1", "n"]], ["=", ["^", "0", "n"], "1"], IDENTITY),
    "capture": certificate(
        {"n": WHOLE, "x": ROW}, [["all", "k", "1", "n", ["=", at("x", "k"), ["sum", "i", "1", "n",
          times("k", "i")]]],
                                 ["<=", "1", "i"], ["<=", "i", "n"]],
        ["=", at("x", "i"), ["sum", "i", "1", "n", times("i", "i")]], ["instance", 0, "i", [1, 2]],
    ) | {"names": {"n": WHOLE, "x": ROW, "i": WHOLE}},
    "outside of the range": certificate(
        {"n": WHOLE, "x": ROW}, [["all", "k", "1", "n", ["<=", "0", at("x", "k")]], ["<=", "1", add("n",
          "1")]],
        ["<=", "0", at("x", add("n", "1"))], ["instance", 0, add("n", "1"), [1, 1]],
    ),
    "a place between": certificate(
        {"f": "real(real)", "n": WHOLE, "y": REAL},
        [["all", "k", "1", "2", ["<=", "0", at("f", "k")]], ["<=", "1", "y"], ["<=", "y", "2"]],
        ["<=", "0", at("f", "y")], ["instance", 0, "y", [1, 2]],
    ),
    "next of reals": certificate({"x": REAL, "y": REAL}, [["<", "x", "y"]], ["<=", add("x", "1"), "y"],
      ["next", 0]),
    "next of halves": certificate(
        {"n": WHOLE}, [["<", times("1/2", "n"), "1"]], ["<=", add(times("1/2", "n"), "1"), "1"], ["next", 0]),
    "index of an outer proof": certificate(
        {"n": WHOLE, "x": ROW}, [["<=", at("x", "n"), "0"]], ["all", "n", "0", "5", ["<=", at("x", "n"),
          "0"]],
        ["all", [[["<=", at("x", "n"), "0"], ["given", 0]]]],
    ),
    "index of a hypothesis in an induction": certificate(
        {"k": WHOLE, "x": ROW}, [["<=", at("x", "k"), "0"], ["<=", at("x", "0"), "0"]],
        ["all", "k", "0", "9", ["<=", at("x", "k"), "0"]],
        ["induction", 1, [[["<=", at("x", add("k", "1")), "0"], ["given", 0]]]],
    ),
    "undefined place": certificate(
        {"f": "real(real)", "y": REAL}, [["every", "a", "real", ["<=", "0", at("f", "a")]]],
        NOT_ZERO, [["<=", "0", at("f", ["^", "y", "-1"])], ["instance", 0, ["^", "y", "-1"], []]],
          ["meaning"],
    ),
    "undefined function": certificate(
        {"y": REAL}, [["every", "f", "real(real)", ["<=", ["^", at("f", "0"), "2"], at("f", "1")]]], NOT_ZERO,
        ["instance", 0, ["map", ["a"], ["^", "a", "-1"]], []],
    ),
    "a real number for a whole name": certificate(
        {"n": REAL}, [["<=", "0", "n"]],
        ["=", ["sum", "k", "1", "1", ["^", "k", "3"]], times("1/4", ["^", "n", "2"], ["^", add("n", "1"),
          "2"])],
        ["use", "numbers", [], [0]], uses=["numbers"],
    ),
    "a division within an empty range": certificate(
        {"y": REAL, "n": WHOLE}, [["<=", "1", add("n", "1")]],
        ["=", ["sum", "k", "1", "n", times(add("y", "k"), ["^", add("y", "k"), "-1"])], "n"], IDENTITY,
    ),
    "an instance of all with no ends": certificate(
        {"x": ROW}, [["all", "k", "1", "2", ["<=", "0", at("x", "k")]]], ["<=", "0", at("x", "3")],
        ["instance", 0, "3"]),
    "every whole is not every real": certificate(
        {"y": REAL}, [["every", "a", "whole", ["<=", "a", ["^", "a", "2"]]]], ["<=", "y", ["^", "y", "2"]],
        ["instance", 0, "y", []],
    ),
    "vector as a number": certificate({"u": VECTOR}, [], ["<=", "0", ["^", "u", "2"]], combine(["1", "neg"],
      ["1", ["sq", "u"]])),
    "product of vectors": certificate({"u": VECTOR}, [], ["<=", "0", times("u", "u")], combine(["1", "neg"])),
    "sum of a vector and a number": certificate({"u": VECTOR}, [], ["=", add("u", "1"), add("1", "u")],
      ["vectors", "1", [], []]),
    "order of vectors": certificate({"u": VECTOR, "v": VECTOR}, [], ["<=", "u", "v"], combine(["1", "neg"])),
    "vectors by combine": certificate({"u": VECTOR}, [], ["=", "u", "0"], combine(["1", "neg"], ["-1",
      "neg"], ["1"])),
    "half a term": certificate({"x": ROW}, [], ["=", at("x", "1/2"), at("x", "1/2")], IDENTITY),
    "a real index": certificate({"x": ROW, "y": REAL}, [], ["=", at("x", "y"), at("x", "y")], IDENTITY),
    "a real end": certificate({"y": REAL}, [["<=", "0", "y"]], ["=", ["sum", "k", "1", "y", "1"], "y"],
      IDENTITY),
    "constants": certificate({}, [], ["<", "pi", "3"], ["constants"]),
    "logarithm of 0": certificate({}, [], ["<", ["log", "0"], "3"], ["constants"]),
    "logarithm of a name": certificate({"x": REAL}, [], ["=", ["log", "x"], ["log", "x"]], IDENTITY),
    "root in constants": certificate({}, [], ["<", ["^", "-1", "1/2"], "3"], ["constants"]),
    "0 over 0 in constants": certificate({}, [], ["<=", times("0", ["^", "0", "-1"]), "0"], ["constants"]),
    "pi as a name": certificate({"pi": REAL}, [], ["<", "3", "pi"], ["constants"]),
    "unknown step": certificate({"x": REAL}, [], ["<=", "x", "0"], ["use", "nothing", [], []],
      uses=["nothing"]),
    "itself": certificate({"x": REAL}, [], ["<=", "x", "0"], ["use", "itself", [], []], uses=["itself"]),
    "use without hypotheses": certificate(
        {"x": REAL}, [], ["<", "0", ["^", "x", "-1"]], ["use", "reciprocal", [], []], uses=["reciprocal"]),
    "use of another kind": certificate(
        {"y": REAL}, [["<=", "0", "y"]],
        ["=", ["sum", "k", "1", "1", ["^", "k", "3"]], times("1/4", ["^", "y", "2"], ["^", add("y", "1"),
          "2"])],
        ["use", "numbers", [["n", "y"]], [0]], uses=["numbers"],
    ),
    "use of an undefined value": certificate(
        {"y": REAL}, [], NOT_ZERO,
        [["<=", ["^", "y", "-1"], ["max", ["^", "y", "-1"], "0"]],
         ["use", "max", [["x", ["^", "y", "-1"]], ["y", "0"]], []]], ["meaning"], uses=["max"],
    ),
    "a name that occurs nowhere": certificate({"x": REAL}, [], ["<", "0", "1"], combine(["1", "neg"], ["1"])),
    "a later line": certificate({}, [], FALSE, combine(["1"], ["1", 0])),
    "a line of another proof": certificate(
        {"x": REAL}, [], ["<=", "x", "0"],
        ["split", ["<=", "x", "0"], [[["<=", "x", "0"], combine(["1", "neg"], ["1", 0])]],
         [[["<=", "x", "0"], combine(["1", "neg"], ["1", 1])]]],
    ),
    "every number from one": certificate(
        {"x": REAL}, [["<=", "x", "0"]], ["every", "x", "real", ["<=", "x", "0"]],
        ["every", [[["<=", "x", "0"], combine(["1", "neg"], ["1", 0])]]],
    ),
    "no lines": certificate({}, [], FALSE, ["split", ["<", "1", "0"], [], []]),
    "the opposite of a strict order": certificate(
        {"x": REAL}, [], ["!=", "x", "0"],
        ["split", ["<", "x", "0"], [[["!=", "x", "0"], ["meaning"]]], [[["!=", "x", "0"], ["meaning"]]]],
    ),
    "halves of a whole": certificate(
        {"n": WHOLE}, [["=", times("2", "n"), "1"], ["<=", "1", "1"]], ["=", ["^", "-4", "n"], "2"],
        combine(["1", "neg"], equal=[0]),
    ),
    "induction that starts late": certificate(
        {"x": ROW}, [["<=", at("x", "1"), "0"]], ["all", "k", "0", "9", ["<=", at("x", "k"), "0"]],
        ["induction", 0, [[["<=", at("x", add("k", "1")), "0"], ["given", 0]]]],
    ),
    "both of one": certificate({"x": REAL}, [["<=", "x", "0"]], ["=", "x", "0"], ["both", 0, 0]),
    "total of !=": certificate(
        {"n": WHOLE, "x": ROW}, [["all", "k", "1", "n", ["!=", at("x", "k"), "0"]], ["<=", "1", add("n",
          "1")]],
        ["!=", ["sum", "k", "1", "n", at("x", "k")], ["sum", "k", "1", "n", "0"]], ["total", 0, 1],
    ),
    "total < of nothing": certificate(
        {"n": WHOLE, "x": ROW, "y": ROW},
        [["all", "k", "1", "n", ["<", at("x", "k"), at("y", "k")]], ["<=", "1", add("n", "1")]],
        ["<", *SUMMED[1:]], ["total", 0, 1],
    ),
    "a need within a sum": certificate(
        {"x": ROW, "n": WHOLE}, [["<=", "1", add("n", "1")]],
        ["=", ["sum", "k", "1", "n", times(at("x", "k"), ["^", at("x", "k"), "-1"])], "n"], IDENTITY,
    ),
    "a need of an empty sum": certificate(
        {"y": REAL}, [], ["=", ["sum", "k", "1", "0", ["^", "y", "-1"]], "0"], IDENTITY),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_falsehoods_are_rejected(name: str) -> None:
    """Certificates that bend the rules; each would prove something false, or something undefined."""
    used = [i for i in BAD[name]["uses"] if i in GOOD]
    found = decided(*used, **{name: BAD[name]})

    assert found[name]
    assert not found[name].startswith("could not be read") or name in (
        "unknown step", "a line of another proof", "pi as a name", "use without hypotheses", "no lines",
          "itself",
        "split on all", "halves of a whole",
    )  # fmt: skip


def changed(name: str, change: dict[str, Any]) -> Tree:
    return copy.deepcopy(GOOD[name]) | change


def deep(levels: int) -> Tree:
    tree: Tree = "x"
    for _ in range(levels):
        tree = ["+", tree, "1"]
    return tree


def squares(exponent: Tree) -> Tree:
    power = ["^", "x", exponent]
    return certificate({"x": REAL}, [], ["=", power, power], IDENTITY)


ODD: dict[str, Tree] = {
    "names that look alike": changed("square", {"names": {"x": REAL, "lambda": REAL, "ﬁ": REAL, "fi": REAL}}),
    "a unicode digit in a name": changed("square", {"names": {"x": REAL, "lambda": REAL, "x²": REAL}}),
    "an unknown key": changed("square", {"note": ""}),
    "an unknown key of a hypothesis": changed("reciprocal", {"given": [{"is": ["<", "0", "x"], "from": "",
      "if": ""}]}),
    "a missing key": {k: v for k, v in GOOD["square"].items() if k != "uses"},
    "an unknown kind": changed("square", {"names": {"x": "rational", "lambda": REAL}}),
    "a kind of kinds": changed("square", {"names": {"x": REAL, "lambda": "real(real(whole))"}}),
    "a number": changed("square", {"claim": ["<=", 0, "x"]}),
    "no lines": changed("square", {"lines": []}),
    "no certificate": "proved",
    "a list": [],
    "a deep tree": certificate({"x": REAL}, [], ["=", deep(5000), deep(5000)], IDENTITY),
    "a huge power of a huge power": squares("60") | {"claim": ["<=", "0", ["^", ["^", ["^", add("x", "1"),
      "60"], "60"], "60"]]},
    **{f"the number {n!r}": squares(n) for n in (
        "02", "+2", "2.0", "2e1", "4/2", "2/1", "-0", "٢", " 2", "2_0", "0x2", "", "1/0", "61", "-61",
          "1/61", "nan",
        "9" * 5000, 2, 2.0, True, None, {}, ["2"], [],
    )},
    **{f"the line {k!r}": certificate({"x": REAL}, [["<=", "0", "x"]], ["<=", "0", "x"], combine(["1",
      "neg"], ["1", k]))
       for k in (True, False, -1, 1, 0.0, "0", "٠", None, [0], {})},
    **{f"the coefficient {c!r}": certificate({"x": REAL}, [], ["=", "x", "x"], combine([c, "neg"]))
       for c in (1, 1.0, True, "0", "01", "x", None, ["1"])},
    **{f"the rule {rule!r:.40}": certificate({"x": REAL}, [["<=", "0", "x"]], ["<=", "0", "x"],
      rule) for rule in (
        ["given", True], ["given", -1], ["given", 0.0], ["given", "0"], ["given"], ["given", 0, 0],
          ["assume"], [],
        ["combine", [["1", ["neg"]], ["1", [0]]]], ["combine", [["1", ["neg", []]]], []], ["combine", {}, []],
        ["combine", [["1", "neg"]], []], ["combine", [["1", ["neg"]], ["1", [0]]], ""], ["combine", None, []],
    )},
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_what_cannot_be_read_is_rejected(name: str) -> None:
    """Odd numbers, names, keys and rules are rejected, and nothing crashes."""
    said = row("square", GOOD["square"])
    steps = [said | {"id": "odd", "certificate": ODD[name]}]
    confirmed, rejected, without = script.proofs({"steps": steps})

    assert (confirmed, [id for id, _ in rejected], without) == ([], ["odd"], [])


def test_every_step_is_counted() -> None:
    """Steps that use what is rejected, use each other or share an id are rejected; none is left out."""
    by_use = certificate({"x": REAL}, [], ["<=", "0", "0"], ["use", "a", [], []], uses=["a"])
    false = certificate({"x": REAL}, [], ["<=", "x", "0"], combine(["1", "neg"]))
    good = GOOD["max"]
    steps = [
        row("lambda", good), row("ﬁ", good), row("fi", good), row(3, good), row("b", by_use, "a"), row("a",
          false),
        row("c", {**by_use, "uses": ["d"]}, "d"), row("d", {**by_use, "uses": ["c"]}, "c"), row("e", by_use),
        row("f", None), row("g", None, verdict="open"), row("h", good, verdict="refuted"),
        row("i", {**good, "uses": ["lambda"]}, "lambda"),
    ]  # fmt: skip
    confirmed, rejected, without = script.proofs({"steps": steps})

    assert (confirmed, without) == (["lambda"], ["f"])
    assert sorted(id for id, _ in rejected) == sorted(["ﬁ", "fi", "3", *"abcdehi"])


def test_a_long_chain_of_uses() -> None:
    """A thousand steps, each used by the one before."""
    proved = certificate({}, [], ["<=", "0", "1"], combine(["1", "neg"], ["1"]))
    steps = [row(str(k), certificate({}, [], ["<=", "0", "1"], ["use", str(k + 1), [], []],
      uses=[str(k + 1)]), str(k + 1))
             for k in range(300)]  # fmt: skip
    confirmed, rejected, _ = script.proofs({"steps": [*steps, row("300", proved)]})

    assert (len(confirmed), rejected) == (301, [])


def run(folder: Path, text: str, *options: str) -> tuple[int, str]:
    """The script alone, in a Python that sees neither fedproof nor any library."""
    (folder / "recheck.py").write_bytes(SOURCE.read_bytes())
    (folder / "audit.json").write_text(text)
    command = [sys.executable, "-I", "-S", "recheck.py", "audit.json", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_the_command_line(tmp_path: Path) -> None:
    """Counts as JSON, a summary as text, and an exit code that tells of any rejection."""
    steps = [row(i, c, *c["uses"]) for i, c in GOOD.items()]
    audit = {"steps": [*steps, row("open", None), row("odd\ud800", ODD["a number"])], "statements": []}
    code, said = run(tmp_path, json.dumps(audit), "--json")
    assert (code, json.loads(said)) == (1, {
        "proofs": {"confirmed": len(GOOD), "rejected": ["odd\ud800"], "without": ["open"], "carrying": []},
        "statements": {"confirmed": 0, "rejected": [], "without": []},
        "numbers": {"confirmed": 0, "rejected": []},
    })  # fmt: skip
    code, said = run(tmp_path, json.dumps(audit))
    assert (code, said.splitlines()[1:]) == (1, [
        "open: NOT CONFIRMED: it stands without a proof",
        "0 confirmed, 0 not confirmed, 0 not read",
        f"proofs: {len(GOOD)} confirmed, 0 of them by what steps they use list; "
        "1 not confirmed, 1 without one",
        "statements that hold: 0 by proofs that are confirmed, 0 not confirmed, 0 without one",
    ])  # fmt: skip
    assert run(tmp_path, json.dumps(audit | {"steps": steps}))[0] == 0
    for odd in (row("bare", None), row("bare", None) | {"verdict": "Proved"}):
        assert run(tmp_path, json.dumps(audit | {"steps": [*steps, odd]}))[0] == 1
        assert run(tmp_path, json.dumps(audit | {"steps": [*steps, odd | {"verdict": "open"}]}))[0] == 0
    twice = '{"steps": [{"id": "a", "verdict": "proved", "verdict": "open"}], "statements": []}'
    for text in (
        twice,
        "[" * 100000,
        "{}",
        "[]",
        '{"steps": [1], "statements": []}',
        "",
        '{"steps": 1' + "0" * 5000,
    ):
        code, said = run(tmp_path, text)
        assert code == 2
        assert said.startswith("could not be read")


def test_a_packed_document_is_read_where_the_plain_one_is_missing(tmp_path: Path) -> None:
    """The same words of `audit.json.xz` by either name; the plain file goes before; a damaged one is told."""
    text = json.dumps({"steps": [row(i, c, *c["uses"]) for i, c in GOOD.items()], "statements": []})
    plain = run(tmp_path, text)
    packed, script = lzma.compress(text.encode()), [sys.executable, "-I", "-S", "recheck.py"]

    def said(name: str) -> tuple[int, str]:
        done = subprocess.run([*script, name], cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert done.stderr == ""
        return done.returncode, done.stdout

    (tmp_path / "audit.json.xz").write_bytes(lzma.compress(b"{}"))
    assert said("audit.json") == plain
    (tmp_path / "audit.json").unlink()
    (tmp_path / "audit.json.xz").write_bytes(packed)
    assert (said("audit.json"), said("audit.json.xz")) == (plain, plain)
    for damaged in (packed[:-20], packed[:40] + bytes(40) + packed[80:], b"{}", b""):
        (tmp_path / "audit.json.xz").write_bytes(damaged)
        code, words = said("audit.json")
        assert (code, words.partition(":")[0]) == (2, "could not be read")
    (tmp_path / "audit.json.xz").unlink()
    assert said("audit.json")[0] == 2


def spots(tree: Tree, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Tree]]:
    yield path, tree
    for k, part in enumerate(tree) if isinstance(tree, list) else ():
        yield from spots(part, (*path, k))


def tampered(whole: Tree, chance: random.Random) -> Tree | None:
    """The certificate with one change in its lines, hypotheses or claim."""
    found = json.loads(json.dumps(whole))  # no part in two places
    kind = chance.choice(["drop", "weaken", "claim", *["lines"] * 7])
    if kind == "drop":
        return found if found["given"] and found["given"].pop(chance.randrange(len(found["given"]))) else None
    if kind in ("weaken", "claim"):
        core = found["claim"] if kind == "claim" else chance.choice(found["given"] or [{"is": [""]}])["is"]
        while core[0] in ("all", "every"):
            core = core[-1]
        if core[0] not in ("<=", "<"):
            return None
        core[2] = ["+", core[2], "1/100" if kind == "weaken" else "-1/100"]
        found["lines"][-1][0] = copy.deepcopy(found["claim"])
        return found
    path, old = chance.choice([s for s in spots(found["lines"]) if not isinstance(s[1], list)])
    new: Any = chance.choice([*found["names"], "0", "1", "-1", "2"])
    if type(old) is int:
        new = chance.randrange(-1, 6)
    elif old in ("<", "<=", "=", "!="):
        new = chance.choice(["<", "<=", "=", "!="])
    place = found["lines"]
    for k in path[:-1]:
        place = place[k]
    place[path[-1]] = new
    return found


def test_tampered_certificates_are_rejected() -> None:
    """Of 200 changes few are accepted, and those where the judgement is the same."""
    chance, made, accepted = random.Random(5), 0, []
    while made < 200:
        name = chance.choice([*GOOD])
        change = tampered(GOOD[name], chance)
        if change is None or change == GOOD[name]:
            continue
        made += 1
        if not decided(*GOOD[name]["uses"], tampered=change)["tampered"]:
            accepted.append((name, change))

    assert len(accepted) < 20
    for name, change in accepted:
        said, before = (change["given"], change["claim"]), (GOOD[name]["given"], GOOD[name]["claim"])
        assert said == before or name == "pi", (name, change)  # that one is true with room to spare


#: x <= 0 from x <= 0; and closed: from x = y and y <= 0 the same of y
ZERO = certificate({"x": REAL}, [["<=", "x", "0"]], ["<=", "x", "0"], ["given", 0])
GRANTED = {
    "papers": [
        {
            "key": "p",
            "lists": [],
            "kinds": {"f": "real(vector)", "u": "vector"},
            "means": [
                {"for": "", "names": {"x": [at("f", "w")]}},
                {"for": "zero", "names": {"x": ["y", at("f", "u")]}},
            ],
            "granted": [{"id": "a", "is": ["every", "v", "vector", ["<=", at("f", "v"), "0"]]}],
        }
    ]
}


def closing(*given: Tree, value: Tree = ("of", "f", "u"), kinds: Tree = None) -> dict[str, Any]:
    """The same where x is a value of f."""
    said = ["<=", list(value), "0"]
    lines = [[g, ["given", k]] for k, g in enumerate(given)]
    if given[0][0] == "every":
        lines.append([said, ["instance", 0, "u"]])
    lines.append([said, ["use", "zero", [["x", list(value)]], [len(lines) - 1]]])
    names = kinds or {"f": "real(vector)", "u": "vector"}
    return {"names": names, "given": [{"is": g, "from": {}} for g in given], "claim": said, "lines": lines}


MEANS = {"kind": "meaning", "id": "x", "is": at("f", "u")}
EVERY = GRANTED["papers"][0]["granted"][0]["is"]
SHOWN = {"kind": "assumption", "id": "a", "is": EVERY}
SAYS: dict[str, Any] = {"claim": ["<=", "x", "0"], "lists": [], "kinds": {"x": REAL}, "cites": []}
CLOSED = {"says": SAYS, "closing": closing(EVERY)}
VALUE = ["<=", at("f", "u"), "0"]
LISTED = {**SAYS, "lists": [[["<=", "x", "0"], "w"]]}


def ground(kind: str, id: str) -> dict[str, Any]:
    """That x <= 0, as a row shows it."""
    return {"kind": kind, "id": id, "is": ["<=", "x", "0"]}


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"rests_on": []}, ""),
        ({"says": SAYS}, "more than is shown"),
        ({"says": {**SAYS, "claim": ["<=", "x", "1"]}}, "another claim"),
        ({"says": SAYS, "rests_on": [ground("carried", "")]}, "nobody grants"),
        ({"says": SAYS, "rests_on": [ground("carried", "")], "verdict": "open"}, ""),
        ({"says": SAYS, "rests_on": [ground("listed", "w")]}, "nobody grants"),
        ({"says": LISTED}, "more than is shown"),
        ({"says": LISTED,
          "rests_on": [ground("listed", "w")]}, ""),
        ({"says": SAYS, "rests_on": [ground("assumption", "a")]}, "nobody grants"),
        ({"says": SAYS, "rests_on": [ground("cited", "b")]}, "nobody grants"),
        (CLOSED | {"rests_on": [MEANS, SHOWN]}, ""),
        (CLOSED | {"rests_on": [SHOWN]}, "what x means"),
        (CLOSED | {"rests_on": [MEANS]}, "more than is shown"),
        (CLOSED | {"rests_on": [MEANS, {**SHOWN, "id": "b"}]}, "nobody grants"),
        (CLOSED | {"closing": closing(VALUE), "rests_on": [MEANS, SHOWN]}, "more than"),
        (CLOSED | {"rests_on": [{**MEANS, "is": "u"}, SHOWN]}, "what x means"),
        (CLOSED | {"closing": closing(EVERY, kinds={"f": "real(vector)", "u": "vector", "N": "whole"}),
                   "rests_on": [MEANS, SHOWN]}, "occurs nowhere"),
        ({"says": SAYS | {"kinds": {"x": "whole"}}, "rests_on": [ground("carried", "")],
          "verdict": "open"}, "x is no real"),
    ],
)  # fmt: skip
def test_a_row_shows_what_its_proof_rests_on(more: dict[str, Any], why: str) -> None:
    """Nothing that is carried, granted by nobody or not shown stands in a row that says proved."""
    steps = [row("zero", ZERO) | more]
    confirmed, rejected, _ = script.proofs(json.loads(json.dumps({"steps": steps, **GRANTED})))

    assert len(confirmed) == (not why)
    assert all(why in said for _, said in rejected)


@pytest.mark.parametrize(
    ("means", "fits"),
    [
        ([{"for": "", "names": {"x": [at("f", "u")]}}], True),
        ([{"for": "", "names": {"x": [at("f", "u")]}}, {"for": "ze", "names": {}}], False),
        ([{"for": "", "names": {"x": [at("f", "w")]}}], False),
        ([], False),
    ],
)
def test_a_name_means_what_its_paper_says(means: list[Any], fits: bool) -> None:
    """In the table for the step, whatever the row shows."""
    steps = [row("zero", ZERO) | CLOSED | {"rests_on": [MEANS, SHOWN]}]
    papers = [GRANTED["papers"][0] | {"means": means}]
    confirmed, rejected, _ = script.proofs(json.loads(json.dumps({"steps": steps, "papers": papers})))

    assert confirmed == (["zero"] if fits else [])
    assert all("does not say that x means" in why for _, why in rejected)


NOT_ABOVE: dict[str, Any] = {
    "id": "b",
    "verdict": "cited",
    "says": {"claim": ["<=", "y", "0"], "lists": [], "kinds": {"y": REAL}},
}


def cites(
    id: str, relation: Tree, *cited: Tree, names: dict[str, str] | None = None, y: Tree = "x", **more: Any
) -> Any:
    """A row that says relation, which it takes from b for a value of y, and shows that it does."""
    names = names or {"x": REAL}
    proved = more.pop("certificate", None) or certificate(names, [relation], relation, ["given", 0])
    said = {
        "claim": relation,
        "lists": [],
        "kinds": names,
        "cites": [["b", c, [["y", y]], ""] for c in cited],
    }
    shown = [{"kind": "cited", "id": "b", "is": proved["given"][0]["is"]}]
    return row(id, proved, *proved["uses"]) | {"says": said, "rests_on": shown} | more


@pytest.mark.parametrize(
    ("relation", "cited", "why"),
    [
        (["<=", "x", "0"], [["<=", "x", "0"]], ""),
        (["<=", ["*", "x", "1"], "0"], [["<=", ["*", "x", "1"], "0"]], ""),
        (["<=", "x", "0"], [], "nobody grants"),
        (["<=", "x", "0"], [["<=", "2", "0"]], "does not say"),
        (["<", "x", "0"], [["<", "x", "0"]], "does not say"),
        (["<=", "x", "1"], [["<=", "x", "1"]], "does not say"),
    ],
)
def test_what_is_cited_is_what_the_cited_row_says(relation: Tree, cited: list[Tree], why: str) -> None:
    """With other expressions for its names, and no other relation; what looks like it is not cited."""
    confirmed, rejected, _ = script.proofs({"steps": [NOT_ABOVE, cites("zero", relation, *cited)]})

    assert (confirmed, [w for _, w in rejected if why not in w]) == ([] if why else ["zero"], [])
    assert bool(rejected) == bool(why)


LOW, HIGH, TAKEN = ["<=", "x", "-1"], ["<=", "x", "5"], ["<=", "x", "0"]


@pytest.mark.parametrize(
    ("owed", "lines", "fits"),
    [
        ([LOW], [LOW, TAKEN], True),
        ([LOW], [TAKEN, LOW], False),
        ([TAKEN], [TAKEN], False),
        ([LOW, HIGH], [LOW, TAKEN], False),
        ([LOW, HIGH], [HIGH, LOW, TAKEN], True),
    ],
)
def test_what_a_cited_row_needs_is_known_before(owed: list[Tree], lines: list[Tree], fits: bool) -> None:
    """What it assumes without a reason stands above, for the values of its names; not what has one."""
    lists = [[["y" if part == "x" else part for part in one], ""] for one in owed]
    says = NOT_ABOVE["says"] | {"lists": [*lists, [["<", "y", "-1"], "why"]]}
    made = certificate({"x": REAL}, lines, TAKEN, ["given", 0])
    made["lines"] = [
        *([t, ["given", k]] for k, t in enumerate(lines)),
        [TAKEN, ["given", lines.index(TAKEN)]],
    ]
    user = cites("zero", TAKEN, TAKEN, certificate=made)
    user["rests_on"] = [{"kind": "cited", "id": "b", "is": TAKEN}]
    user["says"]["lists"] = [[t, ""] for t in lines if t != TAKEN]
    steps = [NOT_ABOVE | {"says": says}, user]
    confirmed, rejected, _ = script.proofs(json.loads(json.dumps({"steps": steps})))

    assert confirmed == (["zero"] if fits else [])
    assert all("owes what b needs" in why for _, why in rejected)


def test_what_is_cited_for_every_index() -> None:
    """It is said for each, where the values of its names may speak of the index, and of no other."""
    term, n = ["of", "F", "i"], "n"
    said = ["all", "i", "1", n, ["<=", term, "0"]]
    needs = NOT_ABOVE["says"] | {"lists": [[["<=", "y", "5"], ""]]}
    short = ["all", "k", "1", n, ["<=", ["of", "F", "k"], "5"]]
    names = {"F": "real(whole)", "n": "whole"}
    lines = [[short, ["given", 0]], [said, ["given", 1]], [said, ["given", 1]]]
    given_ = [{"is": t, "from": {}} for t in (short, said)]
    made = {"names": names, "given": given_, "claim": said, "uses": [], "lines": lines}

    for values, index, given, confirmed in (
        ([["y", term]], "i", needs, True),
        ([["y", ["of", "F", "1"]]], "i", needs, False),
        ([["y", term]], "", needs, False),
        ([["y", ["^", term, "-1"]]], "i", needs, False),
        ([["y", term]], "i", needs | {"lists": [[["<=", "y", "4"], ""]]}, False),
    ):
        user = cites("zero", said, names=names, certificate=made)
        user["says"] |= {"cites": [["b", said, values, index]], "lists": [[short, ""]]}
        user["rests_on"] = [{"kind": "cited", "id": "b", "is": said}]
        steps = [NOT_ABOVE | {"says": given}, user]
        assert (script.proofs(json.loads(json.dumps({"steps": steps})))[0] == ["zero"]) == confirmed


@pytest.mark.parametrize(("value", "fits"), [("z", True), ("2", False)])
def test_what_a_used_step_cites_reads_here_as_it_is_used(value: str, fits: bool) -> None:
    """Of z where z stands for x, and of nothing else."""
    one, said = cites("zero", ["<=", "x", "0"], ["<=", "x", "0"]), ["<=", "z", "0"]
    given = ["<=", value, "0"]
    lines = [[given, ["given", 0]], [given, ["use", "zero", [["x", value]], [0]]]]
    document = {"names": {"z": REAL} if fits else {}, "given": [{"is": given, "from": {}}], "claim": given,
                "lines": lines, "uses": ["zero"]}  # fmt: skip
    user = cites("user", given, names={"z": REAL} if fits else {}, y=value, certificate=document)
    other = {**user, "rests_on": [{"kind": "cited", "id": "b", "is": said}]}

    assert script.proofs({"steps": [NOT_ABOVE, one, user]})[0] == ["zero", "user"]
    assert (script.proofs({"steps": [NOT_ABOVE, one, other]})[0] == ["zero", "user"]) == fits


@pytest.mark.parametrize(("positive", "fits"), [(["<", "0", "z"], True), (["<=", "0", "z"], False)])
def test_what_a_used_step_cites_is_cited_where_it_is_defined(positive: Tree, fits: bool) -> None:
    """Of 1/z where a line above says z > 0; not where the citation alone would tell that z is not 0."""
    one, said = cites("zero", ["<=", "x", "0"], ["<=", "x", "0"]), ["<=", ["^", "z", "-1"], "0"]
    lines = [
        [positive, ["given", 0]],
        [said, ["given", 1]],
        [said, ["use", "zero", [["x", ["^", "z", "-1"]]], [1]]],
    ]
    document = certificate({"z": REAL}, [positive, said], said, ["given", 1]) | {
        "lines": lines, "uses": ["zero"]
    }  # fmt: skip
    user = cites("user", said, names={"z": REAL}, certificate=document)
    user["says"] |= {"cites": [], "lists": [[positive, ""]]}
    user["rests_on"] = [{"kind": "cited", "id": "b", "is": said}]
    confirmed, rejected, _ = script.proofs(json.loads(json.dumps({"steps": [NOT_ABOVE, one, user]})))

    assert confirmed == (["zero", "user"] if fits else ["zero"])
    assert all("which something needs" in why for _, why in rejected)


@pytest.mark.parametrize(
    ("ground", "lists", "counts", "fits"),
    [
        (None, False, True, False),
        ("carried", False, False, False),
        ("carried", True, False, True),
        ("meaning", False, True, True),
        ("meaning", False, False, False),
        ("meaning", True, False, False),
        ("listed", True, False, False),
    ],
)
def test_a_name_that_counts_is_said_to(ground: str | None, lists: bool, counts: bool, fits: bool) -> None:
    """A real number of the step may be whole in its certificate only if the row shows what its paper says."""
    said = ["<=", ["+", "n", "1"], "m"]
    proved = certificate({"n": "whole", "m": "whole"}, [["<", "n", "m"]], said, ["given", 0])
    proved["lines"] = [[["<", "n", "m"], ["given", 0]], [said, ["next", 0]]]
    shown = [] if ground is None else [{"kind": ground, "id": x, "is": ["whole", x]} for x in "nm"]
    made = row("next", proved)
    made["says"]["kinds"] = {"n": REAL, "m": REAL}
    kinds = {"n": "whole", "m": "whole"} if counts else {}
    papers = [{"key": "p", "lists": ["next"] * lists, "kinds": kinds, "means": [], "granted": []}]
    confirmed, rejected, _ = script.proofs({"steps": [made | {"rests_on": shown}], "papers": papers})

    assert confirmed == (["next"] if fits else [])
    assert all("is no whole" in why for _, why in rejected)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(("kinds", "fits"), [({}, False), ({"q": REAL}, False), ({"q": "whole"}, True)])
def test_what_is_granted_of_any_number_is_not_granted_of_whole_ones(
    kinds: dict[str, str], fits: bool, closed: bool
) -> None:
    """That 1 <= c as 0 < q <= c: false of q = c = 1/2, and so of a paper whose q does not count."""
    below, above, claim = ["<=", "q", "c"], ["<", "0", "q"], ["<=", "1", "c"]
    given = [[below, ["given", 0]], [above, ["given", 1]]]
    proved = certificate({"q": "whole", "c": REAL}, [below, above], claim, ["given", 0])
    last = [claim, ["combine", [["1", ["neg"]], ["1", [0]], ["1", [2]]], []]]
    proved["lines"] = [*given, [["<=", ["+", "0", "1"], "q"], ["next", 1]], last]
    shown = [{"kind": "assumption", "id": "a", "is": t} for t in (below, above)]
    made = row("one", proved) | {"rests_on": shown}
    made["says"] = {"claim": claim, "lists": [], "kinds": {"c": REAL}, "cites": []}
    if closed:
        lines = [*given, [claim, ["use", "one", [], [0, 1]]]]
        made["closing"] = {k: v for k, v in proved.items() if k != "uses"} | {"lines": lines}
    granted = [{"id": "a", "is": t} for t in (below, above)]
    papers = [{"key": "p", "lists": [], "kinds": kinds, "means": [], "granted": granted}]
    confirmed, rejected, _ = script.proofs({"steps": [made], "papers": papers})

    assert confirmed == (["one"] if fits else [])
    assert all("nobody grants" in why for _, why in rejected)
