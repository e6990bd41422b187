"""Saved runs: what they can be held against, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import fedproof as fp
from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.api import run
from fedproof.solvers.cohort import Participation
from fedproof.validate.api import validate
from fedproof.validate.history import check_history
from fedproof.vocabulary.errors import DataError, InputError, UnknownName
from fedproof.vocabulary.result import to_json
from tests.refusals import refused

PROBLEM = random_quadratic(2, 3, 2, 3, heterogeneity=Fraction(1, 4), noise=0)
HYPER = {"beta": 40, "mu": 30, "tau": 60}


@cache
def text(seed: int = 0, **hyper: Any) -> str:
    """The JSON of a run."""
    return to_json(run("fedproxvr", PROBLEM.as_float(), rounds=3, seed=seed, **(HYPER | hyper)))


def document(seed: int = 0, constants: bool = True, **hyper: Any) -> dict[str, Any]:
    """The JSON document of a run, which holds the problem's constants, or without them."""
    made: dict[str, Any] = json.loads(text(seed, **hyper))
    return made if constants else {k: v for k, v in made.items() if k != "constants"}


def test_thirty_seeds_decide_and_one_does_not() -> None:
    """Thirty runs of the same setting are consistent with the bound; one run is inconclusive."""
    many = validate(history=[document(seed) for seed in range(30)]).results
    one = validate(history=document()).results

    assert [v.verdict for v in many] == ["consistent"]
    assert many[0].id == "fedproxvr.certified.sarah"
    assert many[0].seeds == 30
    assert [v.verdict for v in one] == ["inconclusive"]
    assert one[0].slack is not None
    assert one[0].slack > 1


def test_runs_above_the_bound_are_violated() -> None:
    """Squared gradients a thousand times larger: sixty records violate the bound, thirty do not decide."""
    runs = [document(seed) for seed in range(60)]
    for record in runs:
        record["metrics"]["squared_gradient"] = [1000 * v for v in record["metrics"]["squared_gradient"]]
    few = validate(history=runs[:30]).results[0]

    assert [v.verdict for v in validate(history=runs).results] == ["violated"]
    assert few.verdict == "inconclusive"
    assert "a violation is repeated on runs of its own: log 60" in few.detail


def test_the_bound_is_that_of_check() -> None:
    """Delta = first loss - least loss over Theta T, with beta from the step size and L."""
    record = document()
    gap = record["metrics"]["loss"][0]
    words = {"L": "smoothness_sample", "lam": "weak_convexity", "sigma2": "dissimilarity"}
    known = {letter: float(PROBLEM.constants[word].value) for letter, word in words.items()}
    bound = fp.statement("fedproxvr.certified.sarah").check(**known, **HYPER, Delta=gap, T=3).bound

    assert validate(history=record).results[0].bound == pytest.approx(bound, rel=1e-9)


def test_the_round_0_does_not_count() -> None:
    """The mean is over s = 1..T as printed: a huge value at the start changes nothing."""
    record = document()
    changed = document()
    changed["metrics"]["squared_gradient"][0] = 1e9

    assert check_history(changed)[0].measured == check_history(record)[0].measured


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (lambda: document(constants=False), "no smoothness_sample"),
        (lambda: document(mu="1/10"), "fails"),
        (lambda: document(returned="last"), "as printed"),
        (lambda: document(estimator="sgd"), "SARAH or SVRG"),
        (lambda: document() | {"participation": Participation(2).to_dict()}, "all clients"),
        (lambda: document() | {"algorithm": "fedavg"}, "SARAH or SVRG"),
    ],
)
def test_outside_the_hypotheses_says_why(record: Any, why: str) -> None:
    """A run that the statement does not speak of is not applicable, with the reason and without a bound."""
    row = validate(history=record()).results[0]

    assert row.verdict == "not applicable"
    assert row.bound is None
    assert why in row.detail


def test_a_file_and_its_document_say_the_same(tmp_path: Path) -> None:
    """A path is read as the JSON that it holds."""
    path = tmp_path / "run.json"
    path.write_text(json.dumps(document()))

    assert check_history(path)[0].measured == check_history(document())[0].measured


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "{}", '{"rounds": 2, "metrics": {}}', "null",
                                  "[" * 10**5],
                         ids=lambda text: text[:9])  # fmt: skip
def test_other_files_are_refused_in_one_line(text: str, tmp_path: Path) -> None:
    """What is not such a document is a data error of one line."""
    path = tmp_path / "run.json"
    path.write_text(text)

    refused(DataError, None, validate, history=path)


def test_missing_values_and_missing_files_are_refused(tmp_path: Path) -> None:
    """A null among the metrics, a metric too short, and a path to nothing."""
    record = document()
    record["metrics"]["squared_gradient"][1] = None
    short = document()
    short["metrics"]["squared_gradient"].pop()

    for bad in (record, short, tmp_path / "nothing.json"):
        refused(DataError, None, validate, history=bad)


def test_runs_that_do_not_belong_together_are_refused() -> None:
    """Another setting, or the same seed twice, is no sample."""
    for other in (document(1, tau=61), document(0)):
        refused(InputError, None, validate, history=[document(0), other])


def test_an_id_that_does_not_fit_is_refused() -> None:
    """A saved SARAH run cannot be held against the SVRG statement."""
    refused(UnknownName, None, validate, "fedproxvr.certified.svrg", history=document())


def test_a_composite_run_is_held_against_its_theorem() -> None:
    """A saved run of fedcomposite has its mean over r = 1..R beside the bound; one seed decides nothing."""
    problem = Composite(PROBLEM.as_float(), L1("1/10"))
    record = run("fedcomposite", problem, rounds=3, eta="1/60", eta_g="3/2", tau=2).to_dict()
    row = validate(history=record).results[0]

    assert (row.id, row.verdict) == ("composite.theorem3.5.sharpened", "inconclusive")
    assert row.measured == pytest.approx(sum(record["metrics"]["squared_prox_gradient"][:3]) / 3)
    assert row.bound > row.measured
    assert "1 of the 30 seeds that decide" in row.detail
    refused(UnknownName, None, validate, "fedproxvr.certified.sarah", history=record)
