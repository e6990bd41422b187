"""Runs are replicas where they differ in their seeds alone, and none is left out."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import fedproof as fp
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.history import History
from fedproof.solvers.history_file import COUNTS
from fedproof.validate.logs.bound_curve import bound_curves
from fedproof.validate.logs.header import read_header
from fedproof.validate.logs.records import record_log
from fedproof.validate.logs.run_log import GIVEN
from fedproof.validate.logs.sources import groups_of
from fedproof.validate.verdict import Verdict
from fedproof.vocabulary.errors import DataError, InputError
from fedproof.vocabulary.result import to_json
from tests.refusals import refused
from tests.validate.logs_for_tests import (
    CONSTANTS,
    HYPER,
    LOSSES,
    PROBLEM,
    SQUARES,
    csv_of,
    csv_run,
    ran,
    toml,
)

NUMBERS: dict[str, Any] = {**HYPER}


def log(name: str = "", batch: str = "", count: int = 4, **tables: object) -> str:
    """A log of ours; a parameter that is called `name` is the same in all."""
    same = {name: "3"} if name else {}
    parameters = {"estimator": "sarah", **HYPER, **same, **({"batch_size": batch} if batch else {})}
    said = toml(parameters=parameters, constants=CONSTANTS, **tables)  # type: ignore[arg-type]
    return csv_of({"loss": LOSSES[:count], "squared_gradient": SQUARES[:count]}, said)


UNLIKE = {
    "algorithm": (log("algorithm"), log("algorithm").replace('"fedproxvr"', '"fedavg"')),
    "problem": (log("problem"), '# problem = "another"\n' + log("problem")),
    "participation": (log("participation"), log("participation", participation={"count": 2})),
    "rounds": (log("rounds"), log("rounds", count=3)),
    "columns": (log("columns"), log("columns").replace("loss,", "cost,")),
    "batch_size": (log(batch="full"), log()),
}


@pytest.mark.parametrize("name", UNLIKE)
def test_a_parameter_hides_no_difference(name: str, tmp_path: Path) -> None:
    """Logs that differ are refused, whatever [parameters] calls by the same name, and full is not nothing."""
    for file, text in zip("ab", UNLIKE[name], strict=True):
        (tmp_path / f"{file}.csv").write_text(text)
    refused(InputError, rf"a\.csv and b\.csv: got {name} = ", fp.validate, history=tmp_path)


def test_a_header_does_not_pool_records_of_other_lengths(tmp_path: Path) -> None:
    """Two settings of a folder stay two, and rounds = 2 beside them contradicts the second."""
    for seed, rounds in enumerate((2, 2, 3, 3)):
        fp.run("fedproxvr", PROBLEM.as_float(), rounds=rounds, seed=seed, **NUMBERS).save(
            tmp_path / f"{seed}.json"
        )

    assert [row.seeds for row in fp.validate(history=tmp_path).results] == [2, 2]
    header = {"parameters": {"rounds": 2}}
    refused(InputError, "rounds = 2 and 3", fp.validate, history=tmp_path, header=header)


def test_records_of_other_data_are_no_replicas(tmp_path: Path) -> None:
    """Problems of one name and other numbers: their list is refused, a folder has a row for each."""
    other = random_quadratic(7, 3, 2, 3, heterogeneity=Fraction(1, 4), noise=0)
    problems = [replace(problem.as_float(), name="data") for problem in (PROBLEM, other)]
    runs = [fp.run("fedproxvr", p, rounds=2, seed=s, **NUMBERS).to_dict() for s in range(2) for p in problems]
    documents = [{**run, "constants": CONSTANTS, "seed": number} for number, run in enumerate(runs)]
    for number, document in enumerate(documents):
        (tmp_path / f"{number}.json").write_text(to_json(document))

    refused(InputError, r"problem_digest = \w{12}... and \w{12}\.\.\., ", fp.validate, history=documents)
    assert [len(group) for group in groups_of(tmp_path, read_header(None))] == [2, 2]


def lost(run: History, rounds: int = 2) -> History:
    """The record of a run that left the numbers after so many rounds."""
    cut = {name: values[: rounds + 1] for name, values in run.metrics.items()}
    counts = {name: getattr(run, name)[:rounds] for name in COUNTS}
    return replace(run, rounds=rounds, diverged=True, metrics=cut, **counts)


@pytest.mark.parametrize("rounds", [0, 2])
def test_survivors_alone_are_not_consistent(rounds: int, tmp_path: Path) -> None:
    """One of forty runs diverged: nothing is decided, from a folder and from a list."""
    runs = [*map(ran, range(39)), lost(ran(39), rounds)]
    for run in runs:
        run.save(tmp_path / f"{run.seed}.json")
    results = [fp.validate(history=history).results for history in (tmp_path, runs)]
    (kept,) = fp.validate(history=runs[:39]).results

    for (row,) in results:
        assert (row.verdict, row.seeds, row.measured) == ("inconclusive", 40, None)
        assert "1 of them, " in row.detail
        assert "diverged" in row.detail
        assert row.bound == kept.bound
    assert kept.verdict == "consistent"


def test_a_run_that_was_stopped_leaves_no_group_unseen(tmp_path: Path) -> None:
    """A record with fewer rounds than were asked for is refused beside those that have all."""
    ran(0).save(tmp_path / "0.json")
    replace(lost(ran(1)), diverged=False, interrupted=True).save(tmp_path / "1.json")

    refused(InputError, "rounds = 3 and 2", fp.validate, history=tmp_path)


def test_a_run_that_diverged_fails_the_conditions_that_it_fails() -> None:
    """A condition that does not hold is named; where all hold, the run is not said to lie outside them."""
    (inside,) = fp.validate(history=lost(ran(0))).results
    weak = lost(fp.run("fedproxvr", PROBLEM.as_float(), rounds=3, seed=0, **NUMBERS | {"mu": "1/10"}))
    (outside,) = fp.validate(history=weak).results
    (curve,) = bound_curves(lost(ran(0)), inside.id)

    assert (inside.verdict, outside.verdict) == ("inconclusive", "not applicable")
    assert "the run diverged within 3 rounds" in inside.detail
    assert "fails " in outside.detail
    assert curve.why == inside.detail
    assert not len(curve.rounds)


@pytest.mark.parametrize("requested", [None, 1, True, "3"])
def test_a_diverged_record_says_how_many_rounds_were_asked_for(requested: object) -> None:
    """Without them, or with fewer than were run, it is no record of a run."""
    document = {**lost(ran(0)).to_dict(), "requested": requested}

    refused(DataError, f"requested = {requested} beside 2 rounds", fp.validate, history=document)
    del document["requested"]
    refused(DataError, "requested", fp.validate, history=document)


def mixed(folder: Path, *records: dict[str, Any]) -> Verdict:
    """The verdict on records before one log with their numbers, which shows nothing of what ran."""
    folder.mkdir()
    for number, record in enumerate(records):
        record["parameters"] = {n: v for n, v in record["parameters"].items() if n != "first_step"}
        (folder / f"{number}.json").write_text(to_json({**record, "problem_digest": ""}))
    constants = {word: str(c["value"]) for word, c in records[0]["constants"].items()}
    parameters = {n: "full" if v is None else v for n, v in records[0]["parameters"].items()}
    said = toml(seed=99, parameters=parameters, constants=constants, participation={})  # type: ignore[arg-type]
    columns = {name: records[0]["metrics"][name] for name in sorted(records[0]["metrics"])}
    said = f'# problem = "{records[0]["problem"]}"\n' + said
    (folder / "99.csv").write_text(csv_of(columns, said))
    (row,) = fp.validate(history=folder).results
    return row


def test_a_record_hides_nothing_that_logs_beside_it_take_on_trust(tmp_path: Path) -> None:
    """Whichever comes first, the lines of a log stand there: what ran, independence, every number given."""
    row = mixed(tmp_path / "both", *(json.loads(to_json(ran(seed))) for seed in range(2)))
    text = "\n".join(row.rests_on)

    assert "3 runs, 0.json to 99.csv" in row.detail
    for said in ("that fedproxvr ran", "runs are independent"):
        assert said in text
    for letter in ("L", "lam", "sigma2"):
        assert any(said.startswith(f"{letter} = ") and said.endswith(GIVEN) for said in row.rests_on)


def test_the_weaker_word_of_two_records_counts() -> None:
    """A number that one of two records estimated is an estimate, whichever comes first."""
    documents = [ran(seed).to_dict() for seed in range(2)]
    sigma2 = {**documents[1]["constants"]["dissimilarity"], "kind": "estimate"}
    documents[1]["constants"] = {**documents[1]["constants"], "dissimilarity": sigma2}

    for order in (documents, documents[::-1]):
        (row,) = fp.validate(history=order).results
        assert any(said.startswith("sigma2") and "an estimate" in said for said in row.rests_on)


def test_full_in_a_header_is_what_a_record_calls_full(tmp_path: Path) -> None:
    """first_step = "full" is the algorithm as printed, in a log and in a record; stochastic is not."""
    texts = {
        first: csv_run(1).replace('estimator = "sarah"', f'estimator = "sarah"\n# first_step = "{first}"')
        for first in ("full", "stochastic")
    }
    details = []
    for first, text in texts.items():
        (tmp_path / f"{first}.csv").write_text(text)
        details += [row.detail for row in fp.validate(history=tmp_path / f"{first}.csv").results]

    assert "1 of the 30 seeds that decide" in details[0]
    assert "with first_step=full, not of first_step=stochastic" in details[1]
    record = record_log(ran(0), "record", read_header(None))
    log = groups_of(tmp_path / "full.csv", read_header(None))[0][0]
    assert record.setting["choices", "first_step"] == log.setting["choices", "first_step"]
