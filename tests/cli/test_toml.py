"""TOML that is written is TOML that is read."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fedproof.cli import main
from fedproof.output import NULL, to_toml

texts = st.text(st.characters(exclude_categories=["Cs"]))
scalars = (
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=12)


@given(st.dictionaries(texts, values, max_size=5))
def test_what_is_written_is_read_back(document: dict[str, Any]) -> None:
    """Any document of numbers, texts, lists and tables comes back from the standard library's reader."""
    assert tomllib.loads(to_toml(document)) == document


def test_nothing_is_left_out_or_named() -> None:
    """A key without a value is left out; in a list, where places count, it is the text null."""
    document = {"why": None, "intervals": [[7.5, None]], "rows": [{"a": None, "b": 1}], "run": {"x": None}}

    assert tomllib.loads(to_toml(document)) == {
        "intervals": [[7.5, NULL]], "rows": [{"b": 1}], "run": {},
    }  # fmt: skip
    assert tomllib.loads(to_toml({"deep": [[{"a": None, "b": 2}]]})) == {"deep": [[{"b": 2}]]}


def test_two_formats_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """One document stands on stdout, in one format."""
    asked = ["range", "fedproxvr.lemma1.sarah", "tau", "beta=20", "theta=1", "mu=10", "L=1", "lam=0"]

    assert main([*asked, "--toml", "--json"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "--json and --toml" in said.err
