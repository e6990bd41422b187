"""Coq accepts the lemmas of certificates, and none of a falsehood."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fedproof.proof.coq.__main__ import main
from fedproof.proof.coq.asking import ALLOWED, accepted, alone, asked, axioms, compiled
from fedproof.proof.coq.files import Collection, certificates, collected
from tests.proof.coq_examples import (
    by_cases,
    by_parts,
    divided_sum,
    empty_sum,
    exp_and_log,
    half,
    parallelogram,
    root_of_two,
    size_of_root,
    square,
    telescope,
)
from tests.proof.kernel.test_false_judgements import ROWS
from tests.validate.made_audits import certificate

pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")


#: true certificates, each for another way in which a lemma is written
TRUE = {
    "square": square(),
    "half": half(),
    "parallelogram": parallelogram(),
    "telescope": telescope(),
    "root_of_two": root_of_two("3/2"),
    "exp_and_log": exp_and_log(),
    "size_of_root": size_of_root(),
    "empty_sum": empty_sum(),
    "by_parts": by_parts(),
    "divided_sum": divided_sum(),
    "by_cases": by_cases(),
}


def turned() -> dict[str, Any]:
    """A certificate with its claim turned."""
    row = square()
    order, a, b = row["claim"]
    row["claim"] = row["lines"][0][0] = [order, b, a]
    return row


def steps_of(named: Mapping[str, Any]) -> dict[str, Any]:
    """Certificates of one paper, in one file."""
    rows = [{"id": f"p.{id}", "verdict": "proved", "certificate": c} for id, c in named.items()]
    return certificates([{"steps": rows}])


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Collection, set[str]]:
    """True certificates after falsehoods and what uses one, as Coq left them, with the axioms."""
    folder = tmp_path_factory.mktemp("coq")
    uses = {**half(), "uses": ["p.turned"]}
    collection = collected(steps_of({"turned": turned(), "wrong": root_of_two("7/5"), "uses": uses, **TRUE}))
    named, _ = asked(folder, collection, workers=1)
    return folder, collection, named


def test_what_is_true_is_accepted(checked: tuple[Path, Collection, set[str]]) -> None:
    """What is true is not left out, and no axioms but those of the real numbers are used."""
    _, collection, named = checked
    assert [*collection.lemmas] == [f"p.{id}" for id in TRUE]
    assert named
    assert named <= ALLOWED


def test_a_falsehood_is_not_accepted(checked: tuple[Path, Collection, set[str]]) -> None:
    """Falsehoods are left out, and what uses them; what stands in the same file is not."""
    assert checked[1].left == {
        "p.turned": "not accepted by Coq",
        "p.wrong": "not accepted by Coq",
        "p.uses": "uses a step that is left out",
    }


def test_the_program_counts_what_is_accepted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It prints how many steps are covered, also between numbers, and what is missing by class."""
    rows = [
        {"id": f"p.{id}", "verdict": "proved", "certificate": c}
        for id, c in {"square": square(), "turned": turned(), "parallelogram": parallelogram()}.items()
    ]
    (tmp_path / "audit.json").write_text(json.dumps({"steps": rows}), encoding="utf-8")
    assert main([str(tmp_path / "files"), str(tmp_path / "audit.json")]) == 0
    said = capsys.readouterr().out
    assert "p: 2 of 3 proved steps (1 of 2 between numbers), 0 of 0 closings" in said
    assert "not covered: 1 step: not accepted by Coq" in said


def test_an_axiom_behind_any_lemma_is_named(checked: tuple[Path, Collection, set[str]]) -> None:
    """One question about all lemmas finds what a single one of them rests on, wherever it stands."""
    folder = checked[0]
    shown = "Lemma q__shown : 0 = 0.\nProof.\nreflexivity.\nQed.\n"
    bad = "Axiom q__taken : 0 = 1.\nLemma q__bad : 1 = 0.\nProof.\nsymmetry; exact q__taken.\nQed.\n"
    lemmas = {"q.bad": bad, "q.shown": shown}
    steps = {id: {"uses": []} for id in lemmas}
    collection = Collection(steps, lemmas, files={"q0": [*lemmas]})
    accepted(folder, collection, "q0")
    assert [*collection.lemmas] == [*lemmas]
    assert "q__taken" in axioms(alone(folder, "More", collection.every())) - ALLOWED


def test_the_laws_of_vectors_have_models(checked: tuple[Path, Collection, set[str]]) -> None:
    """R^1 is an inner-product space in which a vector is not 0."""
    folder = checked[0]
    text = "Require Import Fedproof.\nOpen Scope R_scope.\n"
    text += "Lemma one : n2 (V := Rn 1) (1, tt) = 1.\nProof. unfold n2, ip; simpl; ring. Qed.\n"
    (folder / "Model.v").write_text(text, encoding="utf-8")
    good, printed = compiled(folder, "Model")
    assert good, printed


def test_what_was_once_proved_and_is_false_is_not_accepted(tmp_path: Path) -> None:
    """No certificate of a false judgement that the kernel or the script once took is a lemma of Coq."""
    rows = (certificate(row["claim"], row["names"], row["given"], *row["lines"]) for row in ROWS)
    named = {f"false{k}": row for k, row in enumerate(rows)}
    collection = collected(steps_of({**named, "square": square()}))
    collection.files = {f"p{k}": [id] for k, id in enumerate(collection.lemmas)}
    asked(tmp_path, collection)
    assert [*collection.lemmas] == ["p.square"]
