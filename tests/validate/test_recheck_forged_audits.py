"""Audits that were once confirmed and say what is false, or rest on what they do not show."""

from __future__ import annotations

import json
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
    ],
)  # fmt: skip
def test_a_name_of_plain_arithmetic_has_a_number(given: Any, at: Any, code: int) -> None:
    """At a witness it is there, or coordinates of a vector are, or an equation says what it is."""
    row = {
        "id": "r", "verdict": "refuted", "witness": at, "claim": "x <= 1", "given": given,
        "instance": {"given": [], "claim": "x <= 1"},
    }  # fmt: skip
    ((_, found, _),) = script.recheck({"steps": [row], "statements": []})
    assert found == code


@pytest.mark.parametrize(
    ("sides", "code"),
    [("2 > 4/3", 0), ("2 > 1.3333333", 0), ("2 >= 1.33333333333333333", 0), ("2 > 1.33", 1), ("2 < 4/3", 1)],
)
def test_sides_are_those_of_the_numbers(sides: str, code: int) -> None:
    """To six digits, with an order that they have."""
    row = {
        "id": "r", "verdict": "refuted", "witness": {"x": "2"}, "claim": "x <= 4/3",
        "instance": {"given": [], "claim": "x <= 4/3", "sides": sides},
    }  # fmt: skip
    ((_, found, _),) = script.recheck({"steps": [row], "statements": []})
    assert found == code
