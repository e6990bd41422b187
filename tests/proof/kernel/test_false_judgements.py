"""Certificates of false judgements that were once accepted, each with numbers at which it is false."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.validate.test_recheck_reach import accepted

FILE = Path(__file__).with_name("false_judgements.jsonl")
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=[f"{k}: {row['false at']}" for k, row in enumerate(ROWS)])
def test_no_checker_takes_a_false_judgement(row: dict[str, Any]) -> None:
    """Zero bases, split powers, divisors in empty sums, equations that empty a sum, indices, ends."""
    assert accepted(row["claim"], row["given"], row["names"], *row["lines"]) == (False, False)


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        (["!=", "b", "0"], ["<", "0", ["*", ["^", "b", "2"], ["^", "x", "-1"]]]),
        (["!=", "x", "0"], ["<", "0", ["*", ["^", "b", "2"], ["^", "x", "-1"]]]),
        (["!=", ["+", "x", "y"], "0"], ["=", "b", ["^", ["+", "1", ["*", "y", ["^", "x", "-1"]]], "-1"]]),
    ],
)
def test_true_twins_are_taken(claim: Any, given: Any) -> None:
    """What is divided by is not 0, and so are the factors of what is not."""
    names = {n: "real" for n in "bxy" if f"'{n}'" in f"{claim}{given}"}
    assert accepted(claim, [given], names, [claim, ["meaning"]]) == (True, True)
