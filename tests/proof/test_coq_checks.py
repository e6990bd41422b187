"""Coq accepts the lemmas of certificates, and none of a falsehood."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from fedproof.proof.coq.asking import ALLOWED, asked, compiled
from fedproof.proof.coq.files import Collection, certificates, collected
from tests.proof.coq_examples import half, parallelogram, square, telescope

pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")


def collection_of(**steps: Any) -> Collection:
    """Certificates as lemmas."""
    rows = [{"id": id, "verdict": "proved", "certificate": c} for id, c in steps.items()]
    return collected(certificates([{"steps": rows}]))


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Collection, set[str]]:
    """Four true certificates and a turned one, as Coq left them, with the axioms that it names."""
    folder = tmp_path_factory.mktemp("coq")
    turned = square()
    order, a, b = turned["claim"]
    turned["claim"] = turned["lines"][0][0] = [order, b, a]
    collection = collection_of(
        turned=turned, square=square(), half=half(), parallelogram=parallelogram(), telescope=telescope()
    )
    axioms, _ = asked(folder, collection, workers=1)
    return folder, collection, axioms


def test_numbers_vectors_and_sums_are_accepted(checked: tuple[Path, Collection, set[str]]) -> None:
    """What is true is not left out, and no axioms but those of the real numbers are used."""
    _, collection, axioms = checked
    assert [*collection.lemmas] == ["square", "half", "parallelogram", "telescope"]
    assert axioms
    assert axioms <= ALLOWED


def test_a_falsehood_is_not_accepted(checked: tuple[Path, Collection, set[str]]) -> None:
    """A claim that is turned, with the same lines, is left out."""
    assert checked[1].left == {"turned": "not accepted by Coq"}


def test_the_laws_of_vectors_have_models(checked: tuple[Path, Collection, set[str]]) -> None:
    """R^1 is an inner-product space in which a vector is not 0."""
    folder = checked[0]
    text = "Require Import Fedproof.\nOpen Scope R_scope.\n"
    text += "Lemma one : n2 (V := Rn 1) (1, tt) = 1.\nProof. unfold n2, ip; simpl; ring. Qed.\n"
    (folder / "Model.v").write_text(text, encoding="utf-8")
    good, printed = compiled(folder, "Model")
    assert good, printed
