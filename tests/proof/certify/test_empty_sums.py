"""Means divide by how many there are: what a sum that may be empty needs is found and paid."""

from __future__ import annotations

import pytest

import fedproof as fp

MEAN, ONE_MORE = "x = sum(y(i)/n, i, 1, n)", "z = sum((1 + y(i))/n, i, 1, n)"


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        ("x >= 1", ["x = sum(1/n, t, 1, n)"]),
        ("x <= 1", [MEAN, "y(i) <= 1 for i = 1..n"]),
        ("x + 1 <= z", [MEAN, ONE_MORE]),
    ],
)
def test_a_mean_is_one_of_some(claim: str, given: list[str]) -> None:
    """With n >= 1 it is proved; of none the mean is 0, and the claim false or not known."""
    assert fp.decide(claim, given=[*given, "n >= 1"]).verdict == "proved"
    assert fp.decide(claim, given=[*given, "n >= 0"], briefly=True).verdict != "proved"
