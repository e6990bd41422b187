"""A record judged beside its problem: constants come from the data, not from the record's word."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.cli import main
from fedproof.planning.plan_result import Plan, PlanResult
from fedproof.solvers.history import History
from fedproof.validate.logs import proved
from fedproof.vocabulary.errors import DataError, InputError

IDS = ("composite.theorem3.5.sharpened", "composite.theorem3.5")
METRICS = ("loss", "squared_gradient", "squared_prox_gradient")
ALIKE = fp.Participation(average="plain")


@pytest.fixture(scope="module")
def planned() -> PlanResult:
    """Clients of different sizes."""
    options = {"l2": "1/20"}
    return fp.plan(
        "breast_cancer", clients=3, problem_options=options, epsilon="0.1", rounds=1, step_seconds="1e-6"
    )


def run_of(planned: PlanResult, id: str, algorithm: str) -> tuple[Plan, Any, History]:
    """A row, the problem that it is about, and two rounds of it."""
    row = next(p for p in planned.plans if (p.statement, p.algorithm) == (id, algorithm))
    problem = planned.problem_of(row)
    metrics = METRICS[:2] if algorithm == "diana" else METRICS
    return row, problem, fp.run(algorithm, problem, rounds=2, metrics=metrics, **row.run)


@pytest.mark.parametrize("id", IDS)
def test_a_plans_own_run_is_judged(planned: PlanResult, id: str) -> None:
    """The record alone lacks constants; beside its problem the theorem applies, by no more than planned."""
    row, problem, history = run_of(planned, id, "fedcomposite")
    alone = fp.validate(id, history=history).results[0]
    beside = fp.validate(id, history=history, problem=problem).results[0]
    letters = {k: v for k, v in row.parameters.items() if k in fp.statement(id).names}

    assert (alone.verdict, alone.bound) == ("not applicable", None)
    # the gap of the plain mean is measured here, where the plan of the loss by size went by a bound of it
    assert 0 < beside.bound <= fp.statement(id).check(**{**letters, "R": 2}).bound
    assert beside.verdict == "inconclusive"
    assert not [said for said in beside.rests_on if "given" in said]


def test_a_record_of_fedcomposite_has_what_its_theorems_ask() -> None:
    """Clients, the spread of their gradients and B_g are in the record: no header is needed."""
    problem = fp.problem("quadratic", clients=3)
    history = fp.run("fedcomposite", problem, rounds=2, tau=1, eta="1/100", eta_g=2, participation=ALIKE,
                     metrics=METRICS)  # fmt: skip
    found = fp.validate(IDS[1], history=history).results[0]
    every = problem.client_gradients(np.stack([problem.start()] * 3), np.arange(3)).astype(float)
    spread = np.mean(np.sum((every - every.mean(axis=0)) ** 2, axis=1))

    assert float(history.constants["initial_dissimilarity"]["value"]) == pytest.approx(spread)
    assert found.bound is not None
    assert not [said for said in found.rests_on if "given" in said]


def test_diana_is_judged_by_what_its_compressor_is_proved_to_be(planned: PlanResult) -> None:
    """omega comes from the compressor; only c, which a proof may choose and kappa^0 has, is given."""
    row, problem, history = run_of(planned, "flecs.theorem5.repaired", "diana")
    header = {"parameters": {"c": str(row.parameters["c"])}}
    found = fp.validate(row.statement, history=history, problem=problem, header=header).results[0]
    letters = {k: v for k, v in row.parameters.items() if k in fp.statement(row.statement).names}

    assert 0 < found.bound <= fp.statement(row.statement).check(**{**letters, "K": 2}).bound
    assert [said[:4] for said in found.rests_on if "given" in said] == ["c = ", "kapp"]


def test_a_records_word_is_not_taken(planned: PlanResult) -> None:
    """A record that claims a tenth of its smoothness is judged by what the data prove."""
    _, problem, history = run_of(planned, IDS[0], "fedcomposite")
    tenth = {"value": 0.1, "kind": "certified", "spread": None, "how": "so it says"}
    lying = replace(history, constants={**history.constants, "smoothness": tenth})
    true, other = (fp.validate(IDS[0], history=h, problem=problem).results[0] for h in (history, lying))

    assert true.bound is not None
    assert true.bound == other.bound


def test_other_data_and_plain_logs_are_refused(
    planned: PlanResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No file, a digest that differs, a log without one, a loss by size: each before anything is measured."""
    _, problem, history = run_of(planned, IDS[0], "fedcomposite")
    log, by_size = tmp_path / "log.csv", planned.problem
    log.write_text('# algorithm = "fedcomposite"\nround,squared_prox_gradient\n0,1\n1,1\n')
    monkeypatch.setattr(proved, "measure", None)
    with pytest.raises(DataError, match="nothere"):
        fp.validate(IDS[0], history=tmp_path / "nothere.json", problem=problem)
    with pytest.raises(DataError, match="expected one on"):
        fp.validate(IDS[0], history=history, problem="quadratic", clients=3)
    with pytest.raises(DataError, match="a log that does not prove on which data it ran"):
        fp.validate(IDS[0], history=log, problem=problem)
    again = fp.run(
        "fedcomposite", by_size, rounds=1, participation=ALIKE, metrics=METRICS, tau=1, eta="0.001", eta_g=4
    )
    with pytest.raises(InputError, match="plain mean of models"):
        fp.validate(IDS[0], history=again, problem=by_size)


def test_the_shell_takes_the_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A saved run and the words of its problem: the theorem applies; a problem without runs is refused."""
    options = {"l2": "1/20"}
    history = fp.run(
        "fedcomposite", "binary_logistic", clients=4, problem_options=options, rounds=2, tau=1,
        eta="1/1000", eta_g=4, participation=ALIKE, metrics=METRICS,
    )  # fmt: skip
    path = str(history.save(tmp_path / "run.json"))
    asked = ["validate", IDS[0], "--history", path, "--json"]
    assert main([*asked, "--problem", "binary_logistic", "--clients", "4", "--option", "l2=1/20"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["bound"] > 0
    assert main(["validate", IDS[0], "--problem", "quadratic"]) == 2
    assert "it beside a history" in capsys.readouterr().err
