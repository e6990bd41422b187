"""Audits that were once confirmed and say what is false, or rest on what they do not show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fedproof.validate import recheck as script

FILE = Path(__file__).with_name("forged_audits.jsonl")
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=[row["about"] for row in ROWS])
def test_a_forged_audit_is_not_confirmed(
    row: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code says so, and a line names the row."""
    file = tmp_path / "audit.json"
    file.write_text(json.dumps(row["audit"]), encoding="utf-8")

    assert script.main([str(file)]) > 0
    assert "could not be read" in (said := capsys.readouterr().out) or "NOT CONFIRMED" in said


@pytest.mark.parametrize(
    ("where", "given", "n", "code"),
    [([], ["<=", "1", "n"], "2", 0), ([["b", ["*", "2", "n"]]], ["<=", "b", "4"], "2", 0),
     ([["b", ["*", "2", "n"]]], ["<=", "b", "3"], "2", 1), ([], ["<=", "m", "n"], "2", 2)],
)  # fmt: skip
def test_conditions_of_a_statement_are_written_out_at_a_witness(
    where: Any, given: Any, n: str, code: int
) -> None:
    """They hold with what is defined put in, and each letter of theirs has a number."""
    says = {"kinds": {"n": "whole", "m": "whole"}, "given": [{"is": given}], "where": where}
    row = {
        "id": "r", "verdict": "refuted", "witness": {"n": n}, "claim": "n <= 1", "says": says,
        "instance": {"given": [], "claim": "n <= 1"},
    }  # fmt: skip
    ((_, found, _),) = script.recheck({"steps": [], "statements": [row]})
    assert found == code
