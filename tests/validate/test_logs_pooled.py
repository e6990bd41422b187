"""Runs are replicas where they differ in their seeds alone, and none is left out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import fedproof as fp
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.validate.logs.header import read_header
from fedproof.validate.logs.sources import groups_of
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.result import to_json
from tests.refusals import refused
from tests.validate.logs_for_tests import CONSTANTS, HYPER, LOSSES, PROBLEM, SQUARES, csv_of, toml


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
        fp.run("fedproxvr", PROBLEM.as_float(), rounds=rounds, seed=seed, **HYPER).save(
            tmp_path / f"{seed}.json"
        )

    assert [row.seeds for row in fp.validate(history=tmp_path).results] == [2, 2]
    header = {"parameters": {"rounds": 2}}
    refused(InputError, "rounds = 2 and 3", fp.validate, history=tmp_path, header=header)


def test_records_of_other_data_are_no_replicas(tmp_path: Path) -> None:
    """Problems of one name and other numbers: their list is refused, a folder has a row for each."""
    other = random_quadratic(7, 3, 2, 3, heterogeneity=Fraction(1, 4), noise=0)
    problems = [replace(problem.as_float(), name="data") for problem in (PROBLEM, other)]
    runs = [fp.run("fedproxvr", p, rounds=2, seed=s, **HYPER).to_dict() for s in range(2) for p in problems]
    documents = [{**run, "constants": CONSTANTS, "seed": number} for number, run in enumerate(runs)]
    for number, document in enumerate(documents):
        (tmp_path / f"{number}.json").write_text(to_json(document))

    refused(InputError, r"problem_digest = \w{12}... and \w{12}\.\.\., ", fp.validate, history=documents)
    assert [len(group) for group in groups_of(tmp_path, read_header(None))] == [2, 2]
