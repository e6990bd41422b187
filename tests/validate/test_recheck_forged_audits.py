"""Audits that were once confirmed and say what is false, or rest on what they do not show."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from fedproof.validate import recheck as script

DOUBLE = [["b", ["*", "2", "n"]]]
FILE = Path(__file__).with_name("forged_audits.jsonl")
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=[row["about"] for row in ROWS])
def test_a_forged_audit_is_not_confirmed(
    row: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code says so, and a line says it of the last row: a statement, if there is one."""
    last = [*row["audit"]["steps"], *row["audit"]["statements"][:1]][-1]["id"]
    file = tmp_path / "audit.json"
    file.write_text(json.dumps(row["audit"]), encoding="utf-8")

    assert script.main([str(file)]) > 0
    said = capsys.readouterr().out
    assert any(f"{last}: {how}" in said for how in ("could not be read", "NOT CONFIRMED"))


@pytest.mark.parametrize(
    ("where", "given", "at", "code"),
    [
        ([], ["<=", "1", "n"], {"n": "2"}, 0), ([], ["<=", "m", "n"], {"n": "2"}, 2),
        (DOUBLE, ["<=", "b", "4"], {"n": "2"}, 0), (DOUBLE, ["<=", "b", "3"], {"n": "2"}, 1),
        (DOUBLE, ["<=", "1", "n"], {"n": "2", "b": "4"}, 0),
        (DOUBLE, ["<=", "1", "n"], {"n": "2", "b": "7"}, 1),
    ],
)  # fmt: skip
def test_conditions_of_a_statement_are_written_out_at_a_witness(
    where: Any, given: Any, at: Any, code: int
) -> None:
    """They hold with what is defined put in, each letter has a number, and what is defined the right one."""
    says = {"kinds": {"n": "whole", "m": "whole"}, "given": [{"is": given}], "where": where}
    row = {
        "id": "r", "verdict": "refuted", "witness": at, "claim": "n <= 1", "says": says,
        "instance": {"given": [], "claim": "n <= 1"},
    }  # fmt: skip
    ((_, found, _),) = script.recheck({"steps": [], "statements": [row]})
    assert found == code


@pytest.mark.parametrize(
    ("given", "at", "code"),
    [
        (["x**2 + y**2 <= 5"], {"x": "2"}, 2), (["x**2 + y**2 <= 5"], {"x": "2", "y": "1"}, 0),
        (["x**2 + y**2 <= 5", "Eq(y, x/2)"], {"x": "2"}, 0),
        (["x**2 + y**2 <= 5", "Eq(z, x/2)", "Eq(y, z + x)"], {"x": "2"}, 1),
        (["x**2 + y**2 <= 5", "Eq(y, x + y)"], {"x": "2"}, 2),
        (["x**2 + y**2 <= 5", "Eq(y, z)", "Eq(z, y)"], {"x": "2"}, 2),
        (["x*y <= 5", "Eq(y, 2*z)", "Eq(z, v)"], {"x": "2", "v_1": "1"}, 0),
        (["x*y <= 5"], {"x": "2", "y_1": "1"}, 0), (["x*y <= 5", "Eq(y, v)"], {"x": "2", "v_1": "1"}, 0),
        (["ip(v, y) <= 5"], {"x": "2"}, 0), (["y(i) <= x for i = 1..n"], {"x": "2"}, 0),
        (["v.dot(y) <= 5"], {"x": "2"}, 0), (["Sum(y, (i, 1, n)) <= 5"], {"x": "2"}, 0),
        (["y <= 5", "Eq(y, x/0)"], {"x": "2"}, 2), (["y <= 5", "Le(y, x)"], {"x": "2"}, 2),
        (["y <= 5", "Le(y, f(0))"], {"x": "2"}, 2), (["y <= 5", "Eq(y, f(0), z=1)"], {"x": "2"}, 2),
        (["y <= 5", "Eq(y, f(0))"], {"x": "2"}, 0),
        (["y <= 5", "Eq(y, x, z=1)"], {"x": "2"}, 2), (["Eq(pi, 3)", "pi <= 3"], {"x": "2"}, 2),
        (["y <= 5"], {"x": "2", "y_t": "1"}, 2), (["y <= 5"], {"x": "2", "y_1_2": "1"}, 0),
        (["k <= 5", "Eq(k, x/4)"], {"x": "2"}, 2), (["k <= 5", "Eq(k, x/2)"], {"x": "2"}, 0),
    ],
)  # fmt: skip
def test_a_name_of_plain_arithmetic_has_a_number(given: Any, at: Any, code: int) -> None:
    """At a witness it is there, or coordinates of a vector are, or an equation says what it is."""
    row = {
        "id": "r", "verdict": "refuted", "witness": at, "claim": "x <= 1", "given": given,
        "instance": {"given": [], "claim": "x <= 1"}, "says": {"kinds": {"k": "whole"}},
    }  # fmt: skip
    ((_, found, _),) = script.recheck({"steps": [row], "statements": []})
    assert found == code


@pytest.mark.parametrize(
    ("sides", "code"),
    [
        ("2 > 4/3", 0),
        ("2 > 1.3333333", 0),
        ("2 >= 1.33333333333333333", 0),
        ("2 != 4/3", 0),
        ("", 0),
        ("2 > 1.33", 1),
        ("2 < 4/3", 1),
        ("2 <=> 4/3", 1),
        ("undefined > 4/3", 2),
    ],
)
def test_sides_are_those_of_the_numbers(sides: str, code: int) -> None:
    """To six digits, with an order that they have."""
    row = {
        "id": "r", "verdict": "refuted", "witness": {"x": "2"}, "claim": "x <= 4/3",
        "instance": {"given": [], "claim": "x <= 4/3", "sides": sides},
    }  # fmt: skip
    ((_, found, _),) = script.recheck({"steps": [row], "statements": []})
    assert found == code


BOX = {
    "sign": "<=", "holds": [["x \\ge 0", "2 >= 0"]],
    "left": {"filled": "2", "terms": "1 + 1", "value": "2", "decimal": "2"},
    "right": {"filled": "4/3", "terms": "", "value": "4/3", "decimal": "1.3333333"},
}  # fmt: skip
SHOWN = {
    "id": "r", "verdict": "refuted", "witness": {"x": "2"}, "claim": "x <= 4/3", "sides": "2 > 4/3",
    "instance": {"given": ["x >= 0"], "given_sides": ["2 >= 0"], "claim": "x <= 4/3"},
    "numbers": {"given": [["x", "2"]]}, "worked": BOX,
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, 0), ({"sides": "2 > 1"}, 1), ({"numbers": {"given": [["x", "17"]]}}, 1),
        ({"worked": BOX | {"holds": [["x", "7 < 3"]]}}, 1),
        ({"worked": BOX | {"left": BOX["left"] | {"terms": "1 + 2"}}}, 1),
        ({"worked": BOX | {"right": BOX["right"] | {"value": "5/3"}}}, 1),
        ({"worked": BOX | {"right": BOX["right"] | {"decimal": "1.34"}}}, 1),
        ({"instance": SHOWN["instance"] | {"given_sides": ["2 >= 0", "7 < 3"]}}, 2),
        ({"instance": {"given": ["x >= 0"] * 2, "given_sides": ["1 < 0", "2 >= 0"], "claim": "x <= 4/3"}}, 1),
        ({"instance": {"given": [], "claim": "1/(x - 2) <= 1", "sides": "undefined <= 1"}, "sides": "",
          "claim": "1/(x - 2) <= 1", "worked": None}, 0),
    ],
)  # fmt: skip
def test_what_a_refutation_shows_is_what_is_checked(change: Any, code: int) -> None:
    """Its numbers in their order, both sides wherever they stand, and the line worked out."""
    ((_, found, _),) = script.recheck({"steps": [SHOWN | change], "statements": []})
    assert found == code


@pytest.mark.parametrize(
    ("tree", "value"),
    [
        (("log", Fraction(1000)), math.log(1000)), (("log", Fraction(1, 10**48)), math.log(1e-48)),
        (("log", ("exp", Fraction(99))), 99), (("exp", Fraction(-5, 2)), math.exp(-2.5)), (("pi",), math.pi),
    ],
)  # fmt: skip
def test_constants_are_enclosed(tree: Any, value: float) -> None:
    """Tightly, and those beside 1 as well as those far from it."""
    low, high = script._enclosed(tree)
    assert low <= high
    assert high - low < abs(low) / 10**25
    assert float(low) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("said", ["1e99999 > 1", "2_0e-1 > 4/3", "+2 > 4/3", "\u0662 > 4/3"])
def test_numbers_are_written_plainly(said: str) -> None:
    """Sides that are no numbers of ASCII digits are not read."""
    ((_, code, _),) = script.recheck({"steps": [SHOWN | {"sides": said}], "statements": []})
    assert code == 2


def test_definitions_do_not_grow_without_end() -> None:
    """A chain of squares is given up."""
    given = ["Eq(a0, x)", *(f"Eq(a{k + 1}, a{k}*a{k})" for k in range(60))]
    ((_, code, why),) = script.recheck({"steps": [SHOWN | {"given": given}], "statements": []})
    assert (code, "huge" in why) == (2, True)


@pytest.mark.parametrize(
    "text",
    [
        " x <= 3",
        " y <= 3",
        "2y <= 5",
        "x <= 3;",
        "x \u2264 3",
        "2x <= 5",
        "x = 2",
        "(" * 300 + "x" + ")" * 300 + " <= 3",
    ],
)
def test_a_hypothesis_that_is_no_formula_is_not_passed_over(text: str) -> None:
    """Only what speaks for every index is."""
    ((_, code, _),) = script.recheck({"steps": [SHOWN | {"given": [text]}], "statements": []})
    assert code == 2
