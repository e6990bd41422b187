"""Records of runs: another problem, a changed file and a wrong state are refused, each in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pytest

import fedproof
from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.federate import federate
from fedproof.problems.digest import problem_digest
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.problems.supervised import partition as rows_room
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.driver import run
from fedproof.solvers.history import History, load_history
from fedproof.solvers.history_file import _state, sealed
from fedproof.solvers.runs import run_store as records
from fedproof.solvers.runs.problem_spec import canonical_form
from fedproof.vocabulary.errors import DataError, InputError
from tests.refusals import refused
from tests.solvers.sweeps import bits, small, whole

PROBLEM = random_quadratic(1, n_clients=3, dimension=2, samples=2).as_float()


def record(rounds: int = 3, problem: Any = PROBLEM) -> History:
    """A short run."""
    return run(FedAvg(0.1, 2), problem, rounds=rounds)


def rows(seed: int = 0) -> Dataset:
    """Labelled rows, drawn."""
    rng = np.random.default_rng(seed)
    return Dataset("mine", rng.normal(size=(40, 3)), np.arange(40) % 2, 2)


@pytest.mark.parametrize("other", [
    lambda: federate(rows(1), 4, 0),
    lambda: federate(rows(), 5, 0),
    lambda: federate(rows(), 4, 1),
    lambda: federate(rows(), 4, 0, l2="0.1"),
    lambda: federate(rows(), 4, 0, nonconvex="0.1"),
    lambda: federate(rows(), 4, 0, model="logistic"),
    lambda: federate(rows(), 4, 0, test_fraction="0.2"),
])  # fmt: skip
def test_the_digest_tells_problems_on_rows_apart(other: Callable[[], Any]) -> None:
    """Rows, clients, split, regulariser, model and what is held out; made again it is the same."""
    first = federate(rows(), 4, 0)

    assert problem_digest(first) == problem_digest(federate(rows(), 4, 0))
    assert problem_digest(first) == problem_digest(first.with_kernel("numpy"))
    assert problem_digest(first) != problem_digest(other())


def test_the_digest_of_any_other_problem_is_of_its_start() -> None:
    """A problem without a digest of its own is told by sizes, start, loss and gradient."""

    class Wrapped:
        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def __getattr__(self, name: str) -> Any:
            if name in ("digest", "inner"):
                raise AttributeError(name)
            return getattr(self.inner, name)

    exact = random_quadratic(1, n_clients=3, dimension=2, samples=2)
    other = random_quadratic(2, n_clients=3, dimension=2, samples=2)

    assert problem_digest(Wrapped(exact)) == problem_digest(Wrapped(exact))
    assert problem_digest(Wrapped(exact)) != problem_digest(Wrapped(other))
    assert problem_digest(exact) != problem_digest(other)
    assert problem_digest(exact.as_float()) != problem_digest(other.as_float())


def test_the_digest_is_computed_once_for_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many runs on one problem read its rows once, also with another kernel."""
    calls: list[Any] = []
    known = rows_room.value_digest
    monkeypatch.setattr(rows_room, "value_digest", lambda value: calls.append(value) or known(value))
    problem = federate(rows(), 4, 0)
    for kernel in ("auto", "numpy", "numpy"):
        run(FedAvg(0.1, 2), problem, rounds=1, kernel=kernel)

    assert len(calls) == 1


CHANGES: list[dict[str, Any]] = [
    {"uplink_bits": ["a", 1, 1]},
    {"uplink_bits": [1]},
    {"gradients": [-1, 1, 1]},
    {"rounds": "a"},
    {"rounds": 2},
    {"rounds": True},
    {"requested": 1},
    {"state": {}},
    {"state": {"model": {"dtype": "float64", "shape": [3], "values": [0, 0]}}},
    {"state": {"model": {"dtype": "float64", "shape": [2], "values": [0, "x"]}}},
    {"state": {"model": {"dtype": "O,O", "shape": [2], "values": [0, 0]}}},
    {"state": {"model": {"dtype": "object", "shape": [2], "values": ["x", "1/2"]}}},
    {"diverged": "no"},
    {"interrupted": 0},
    {"format": "2"},
    {"format": 1},
    {"format": True},
    {"seed": -1},
    {"seed": "0"},
    {"metrics": []},
    {"metrics": {"loss": [1, 2, 3, "x"]}},
    {"metrics": {"loss": [1, 2, 3]}},
    {"metrics": {"loss": 3}},
    {"algorithm": 3},
    {"constants": []},
    {"participation": None},
    {"kernel": None},
    {"problem_digest": 3},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_what_is_no_record_is_refused_though_its_seal_fits(change: dict[str, Any], tmp_path: Path) -> None:
    """Types, lengths and shapes are read before anything is made of them."""
    path = record().save(tmp_path / "run.json")
    document = json.loads(path.read_text())
    assert load_history(path).rounds == 3
    path.write_text(json.dumps(sealed(document | change)))
    assert "sha256" not in refused(DataError, r"run\.json", load_history, path)


@pytest.mark.parametrize("value", ["1e99999999", "1e-99999999", "1." + "0" * 40, " 1", "1/0", "0x1", "inf"])
def test_a_fraction_of_another_form_is_refused_at_once(value: str, tmp_path: Path) -> None:
    """An exponent could ask for any memory before the seal is looked at; p/q is all that a record holds."""
    path = record().save(tmp_path / "run.json")
    document = json.loads(path.read_text())
    document["state"]["model"] = {"dtype": "object", "shape": [1], "values": [value]}
    path.write_text(json.dumps(document))
    begun = process_time()
    refused(DataError, "whose state cannot be its own", load_history, path)

    assert process_time() - begun < 1
    document["state"]["model"]["values"] = ["-3/2"]
    path.write_text(json.dumps(sealed(document)))
    assert load_history(path).state["model"][0] == Fraction(-3, 2)


@pytest.mark.parametrize("name", ["metrics", "state", "seed", "problem_digest", "sha256"])
def test_a_changed_record_is_refused(name: str, tmp_path: Path) -> None:
    """A number changed by hand does not fit the record's SHA-256; spaces and order of keys do not matter."""
    path = record().save(tmp_path / "run.json")
    document = json.loads(path.read_text())
    path.write_text(json.dumps(dict(reversed(document.items()))))
    assert bits([load_history(path)]) == bits([record()])
    if name == "metrics":
        document["metrics"]["loss"][2] = 999
    elif name == "state":
        document["state"]["model"]["values"] = [0.0, 0.0]
    else:
        document[name] = 5 if name == "seed" else "0" * 64
    path.write_text(json.dumps(document))
    refused(DataError, "another content than its sha256", load_history, path)


@pytest.mark.parametrize(("text", "expected"), [
    ("", "check the path"),
    ("\x00", "check the path"),
    ("[" * 100_000, "nested too deep"),
    ("{}", "no record of a run"),
    ("[1]", "no record of a run"),
    ('{"format": 1}', "format 1, expected format 2"),
    ('{"format": "2"}', "format '2', expected format 2"),
    ('{"format": 2}', "cannot be its own"),
], ids=lambda text: text[:15])  # fmt: skip
def test_another_file_is_no_record(text: str, expected: str, tmp_path: Path) -> None:
    """No JSON, another document, or one of format 1, which knew no digests: each is told with the name."""
    path = tmp_path / "run.json"
    path.write_text(text)
    refused(DataError, rf"run\.json: .*{expected}", load_history, path)


def test_a_folder_in_place_of_a_record_is_found_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user is told at once, not when the run is to be kept."""
    (tmp_path / f"{whole().jobs[5].key}.json").mkdir()
    monkeypatch.setattr("fedproof.solvers.runs.run_specs.run", lambda *_, **__: pytest.fail("a run was made"))
    refused(DataError, "a folder, expected a file", small, folder=tmp_path)


@pytest.mark.parametrize(("rounds", "change", "expected"), [
    (4, {"state": {}}, "a state without model"),
    (4, {"state": {"model": np.zeros(3)}}, r"model of shape \(3,\)"),
    (4, {"state": {"model": np.array([Fraction(1), Fraction(1)])}}, "object"),
    (4, {"state": {"model": np.zeros(2), "more": np.zeros(1)}}, "more"),
    (4, {"problem_digest": "0" * 64}, "resume: got a history whose problem_digest"),
    (2, {}, "rounds: got 2, expected 3 or more"),
], ids=str)  # fmt: skip
def test_what_does_not_fit_is_not_resumed(rounds: int, change: Any, expected: str) -> None:
    """A state of another shape or kind, another problem, or more rounds than asked; as many give it back."""
    resumed = partial(run, FedAvg(0.1, 2), PROBLEM)
    refused(InputError, expected, resumed, rounds=rounds, resume=replace(record(), **change))
    assert resumed(rounds=3, resume=record()).to_dict() == record().to_dict()


def test_a_history_with_other_parameters_is_told_which() -> None:
    """Of all hyper-parameters only those that differ are named, and of who takes part likewise."""
    steps = r"whose parameters: \{'local_steps': 2\}, expected \{'local_steps': 3\}; start a new run"
    refused(InputError, steps, run, FedAvg(0.1, 3), PROBLEM, rounds=4, resume=record())
    some = r"participation: \{'count': None\}, expected \{'count': 1\}"
    again = partial(run, FedAvg(0.1, 2), PROBLEM, participation=1)
    refused(InputError, some, again, rounds=4, resume=record())


@pytest.mark.parametrize("given", ["x", 3, {}])
def test_what_is_no_history_is_not_resumed(given: Any) -> None:
    """A path, say, must be loaded first."""
    resumed = partial(run, FedAvg(0.1, 2), PROBLEM, rounds=2)
    refused(InputError, "resume: got .*, expected a history", resumed, resume=given)


@pytest.mark.parametrize("given", [None, 3, np.zeros(3), object()])
def test_what_is_no_problem_is_not_run(given: Any) -> None:
    """One line that says what a problem is."""
    for verb in (partial(fedproof.run, "fedavg"), fedproof.describe, fedproof.measure):
        refused(InputError, r"^problem: got .*expected a problem by name, a file", verb, given)


def test_kernels_that_differ_are_told(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record says which kernel made it; runs of one sweep by two kernels are a note, not a silence."""
    path = finished / f"{whole().jobs[0].key}.json"
    document = json.loads(path.read_text())
    mine = whole().histories[0].kernel
    other = {"numpy": "numba", "numba": "numpy"}[mine]
    assert document["made_with"]["kernel"] == mine

    document["kernel"] = document["made_with"]["kernel"] = other
    path.write_text(json.dumps(sealed(document)))
    again = small(folder=finished)

    assert again.found == 12
    expected = "1 by numpy, 11 by numba" if mine == "numba" else "11 by numpy, 1 by numba"
    assert any(expected in note for note in again.notes)
    monkeypatch.setattr(records, "_numba", lambda: "none")
    assert any("numba" in note for note in small(folder=finished).notes)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"parameters": {"local_steps": 7, "stepsize": 0.1, "batch_size": 1}}, "other parameters"),
        ({"problem_digest": "0" * 64}, "other data"),
        ({"problem": "digits"}, "another problem;"),
        ({"seed": 99}, "is not a whole run"),
        ({"participation": {"count": 1}}, "other clients"),
    ],
    ids=str,
)
def test_a_record_sealed_anew_with_another_run_in_it_is_not_taken(
    change: dict[str, Any], said: str, finished: Path
) -> None:
    """Though name, job and seal fit, a record of another run is computed again, and told."""
    path = finished / f"{whole().jobs[0].key}.json"
    document = json.loads(path.read_text())
    document["metrics"]["loss"][-1] = 0.0
    path.write_text(json.dumps(sealed(document | change)))
    again = small(folder=finished)

    assert again.found == 11
    assert any(said in note and "computed again" in note for note in again.notes)
    assert bits(again.histories) == bits(whole().histories)


def test_what_has_no_form_is_refused_in_one_line() -> None:
    """An object that is no data, and a class in place of a value, are an InputError."""
    for foreign in (object(), InputError, {1, 2}):
        refused(InputError, "expected a number, text, or a dataclass", canonical_form, foreign)


def test_one_damaged_array_spoils_a_state() -> None:
    """A state is read only if each of its arrays is one."""
    good = {"dtype": "float64", "shape": [2], "values": [1.0, 2.0]}
    assert _state({"model": good, "other": good}, None)
    assert not _state({"model": good, "other": good | {"shape": [3]}}, None)
    assert not _state({"other": good}, None)


def test_a_metric_that_no_float_holds_is_refused(tmp_path: Path) -> None:
    """10^400 is a whole number of JSON's, and no metric: in a record read again and in one that is judged."""
    path = record().save(tmp_path / "run.json")
    document = json.loads(path.read_text())
    document["metrics"]["loss"][1] = 10**400
    path.write_text(json.dumps(sealed(document)))
    refused(DataError, "whose metrics cannot be its own", load_history, path)
    refused(DataError, "too large", fedproof.validate, "fedproxvr.theorem1", history=path)
