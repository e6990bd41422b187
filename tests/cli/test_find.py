"""`fedproof find`: words lead to statements, algorithms and whatever else has a name."""

from __future__ import annotations

import json

import pytest

import fedproof as fp
from fedproof.bounds.catalog import statement_ids
from fedproof.cli import main
from fedproof.solvers.catalog import algorithm_names


def names(words: str, kind: str = "") -> list[str]:
    """What is found, of one kind."""
    return [name for what, name, _ in fp.find(words).rows if kind in ("", what)]


def test_everything_is_found_by_its_own_name() -> None:
    """Each statement and each algorithm is among what its own name finds."""
    ids = statement_ids()
    for id in (*ids[::25], ids[-1]):
        assert id in names(id)
    for name in algorithm_names():
        assert name in names(name, "algorithm")


def test_greek_is_found_as_it_is_typed_and_as_it_is_printed() -> None:
    """σ² and sigma2 are one; capitals and points do not matter."""
    assert names("σ²") == names("sigma2") == names("SIGMA2")
    assert "composite.theorem3.6" in names("Theorem 3.6 proximal pl", "statement")


def test_words_begin_words_and_all_are_asked_for() -> None:
    """`pl` is not found within `explains`; a title that has the words comes before a letter's meaning."""
    assert "PL" in fp.find("theorem pl").rows[0][2]
    assert "fedproxvr.lemma1.sarah" not in names("airness")
    assert names("dithering no such word") == []
    assert list(fp.find("dithering no such word").frame.columns) == ["kind", "name", "title"]
    local = [title.lower() for _, _, title in fp.find("local steps").rows]
    assert "local steps" in local[0]


def test_conditions_are_found() -> None:
    """A statement's condition by its label, and a condition on unlike clients by its name."""
    assert "fedproxvr.lemma1.sarah" in names("(13) lower", "condition")
    assert "bounded dissimilarity" in names("bounded dissimilarity", "condition")


def test_the_shell_finds_too(capsys: pytest.CaptureFixture[str]) -> None:
    """Words need no quotes; no words at all are one line."""
    assert main(["find", "local", "steps", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {row["kind"] for row in document["found"]} >= {"statement", "algorithm"}
    assert main(["find", " "]) == 2
    assert capsys.readouterr().err.count("\n") == 1
