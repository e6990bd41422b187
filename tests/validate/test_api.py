"""The verb: ids, rows, progress, discovery."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

import fedproof as fp
from fedproof.validate import api
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget
from fedproof.vocabulary.errors import InputError, UnknownName
from tests.refusals import refused


def fake(monkeypatch: pytest.MonkeyPatch, *findings: BoundComparison) -> list[SamplingBudget]:
    """Replace all checks by one that makes these findings; returns the efforts it is asked for."""
    asked: list[SamplingBudget] = []

    def find(effort: SamplingBudget) -> tuple[BoundComparison, ...]:
        asked.append(effort)
        return findings

    monkeypatch.setattr(
        api, "checks", lambda *ids: {"fake": EmpiricalCheck(tuple({f.id for f in findings}), "fake", find)}
    )
    return asked


ROW = BoundComparison("fedproxvr.theorem1", "loss", "<=", 1.0, 2.0, "toy", "words", p_obeyed=0.0)


def test_the_verb_is_there_before_and_after_its_package_is_imported() -> None:
    """fp.validate can be called although there is a package of that name; no run can test a remark."""
    for _ in range(2):
        row = fp.validate("fedproxvr.remark1.2").results[0]

        assert (row.id, row.verdict) == ("fedproxvr.remark1.2", "not applicable")
        assert "audit" in row.detail
        import_module("fedproof.validate.api")


def test_unknown_ids_are_refused_with_the_nearest() -> None:
    """A misspelt id names the one that was meant."""
    refused(UnknownName, r"fedproxvr\.theorem1", fp.validate, "fedproxvr.theorm1")


@pytest.mark.parametrize("seeds", [0, -1, 2.5, True, "many"])
def test_seeds_that_mean_nothing_are_refused(seeds: Any) -> None:
    """Seeds are a whole number from 1."""
    refused(InputError, None, fp.validate, "fedproxvr.theorem1", seeds=seeds)


def test_only_what_was_asked_for_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check of two ids gives the rows of the one asked for and takes the seeds; progress hears of it."""
    asked, notes = fake(monkeypatch, ROW, replace(ROW, id="fedproxvr.corollary1")), list[str]()
    rows = api.validate("fedproxvr.corollary1", seeds=77, progress=notes.append).results

    assert [v.id for v in rows] == ["fedproxvr.corollary1"]
    assert asked == [SamplingBudget(77, 0)]
    assert notes == ["fake"]


def test_a_violation_asks_for_fresh_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The repetition has another salt and the same number of seeds; the row is then unexpected."""
    asked = fake(monkeypatch, replace(ROW, p_violated=0.0, p_obeyed=1.0))
    found = api.validate(seeds=40)

    assert asked == [SamplingBudget(40, 0), SamplingBudget(40, 1)]
    assert [v.verdict for v in found.unexpected] == ["violated"]
