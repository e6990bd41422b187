"""A record beside its problem is judged with what is proved of the problem's start: it has to begin there."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import fedproof as fp
from fedproof.solvers.history import History
from fedproof.vocabulary.errors import DataError

PROBLEM: dict[str, Any] = {"problem": "quadratic", "clients": 3}
ELSEWHERE = "where the record does not show that it began"


HYPER: dict[str, Any] = {"rounds": 2, "estimator": "sarah", "mu": 30, "beta": 40, "tau": 60}


@cache
def records(**options: Any) -> list[History]:
    """Thirty seeds of two rounds of FedProxVR."""
    return [fp.run("fedproxvr", **PROBLEM, **HYPER, seed=s, **options) for s in range(30)]


def test_a_run_from_another_start_is_refused(tmp_path: Path) -> None:
    """Runs from elsewhere have another gap than the problem's: refused, where their twins are consistent."""
    (honest,) = fp.validate(history=records(), **PROBLEM).results
    far = [fp.run("fedproxvr", **PROBLEM, **HYPER, seed=0, x0=[5] * 5)]
    assert honest.verdict == "consistent", honest.detail
    assert not any(ELSEWHERE in said for said in honest.rests_on)

    for history in (far, far[0].save(tmp_path / "far.json")):
        with pytest.raises(
            DataError, match=r"a loss of .* in round 0, expected .* the problem's start"
        ) as caught:
            fp.validate(history=history, **PROBLEM)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("times", "refused"), [(1 + 1e-9, False), (1 + 1e-5, True)])
def test_what_sums_may_differ_by(times: float, refused: bool) -> None:
    """Losses of one model may differ by what rounding does, and by no more."""
    first, *others = records()
    loss = list(first.metrics["loss"])
    other = replace(first, metrics={**first.metrics, "loss": (loss[0] * times, *loss[1:])})
    if not refused:
        assert fp.validate(history=[other, *others], **PROBLEM).results[0].verdict == "consistent"
        return
    with pytest.raises(DataError, match="record 0"):
        fp.validate(history=[other, *others], **PROBLEM)


def test_a_record_that_does_not_show_where_it_began() -> None:
    """Without a loss of round 0 the verdict rests on the start, in a line."""
    (row,) = fp.validate(history=records(metrics=("squared_gradient",)), **PROBLEM).results

    assert row.verdict == "consistent"
    assert [said.partition(" = ")[0] for said in row.rests_on if ELSEWHERE in said] == ["Delta"]


def test_a_penalty_that_leaves_the_start_alone() -> None:
    """The loss of a composite problem at its start is that of its record."""
    problem = fp.problem("lasso", clients=3)
    metrics = ("loss", "squared_prox_gradient")
    history = fp.run("fedcomposite", problem, rounds=1, tau=1, eta="1/1000", eta_g=2, metrics=metrics,
                     participation=fp.Participation(average="plain"))  # fmt: skip
    rows = fp.validate("composite.theorem3.5.sharpened", history=history, problem=problem).results

    assert not any(ELSEWHERE in said for said in rows[0].rests_on)
