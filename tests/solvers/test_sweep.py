"""Sweeps: the numbers do not depend on who ran what, and the tables say what the runs say."""

from __future__ import annotations

import json
import struct
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.api import run
from fedproof.solvers.cohort import Participation
from fedproof.solvers.runs import problem_spec as problem_specs
from fedproof.solvers.runs.run_spec import make_run_spec
from fedproof.solvers.runs.run_specs import execute_run_specs
from fedproof.solvers.runs.sweep import sweep
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused
from tests.solvers.sweeps import bits, small, whole


def test_workers_do_not_change_a_bit() -> None:
    """One process, two processes and one run after the other by hand give the same histories."""
    alone, shared = whole(), small(workers=2)
    by_hand = [
        run("fedproxvr", "synthetic", clients=3, rounds=2, seed=seed, tau=tau, mu=mu, beta=4)
        for tau in (1, 3)
        for mu in (0, "1/3")
        for seed in range(3)
    ]

    assert bits(alone.histories) == bits(shared.histories) == bits(by_hand)
    assert len(set(bits(alone.histories))) == 12
    assert "12 of 12 runs, 4 settings" in alone.headline()
    assert alone.to_dict() == shared.to_dict()


def test_a_problem_object_is_swept_as_it_is_run() -> None:
    """The histories are those of `run` on the object, with two processes too; how to make it is refused."""
    made = random_quadratic(1, n_clients=2)
    by_hand = [run("fedavg", made, rounds=2, seed=s, tau=1, eta="1/4", metrics=["loss"]) for s in range(3)]
    for workers in (None, 2):
        found = sweep("fedavg", made, rounds=2, seeds=3, tau=1, eta="1/4", metrics=["loss"], workers=workers)

        assert [float(h.metrics["loss"][-1]) for h in found.histories] == [
            float(h.metrics["loss"][-1]) for h in by_hand
        ]
        assert found.histories[0].problem_digest == by_hand[0].problem_digest
    with pytest.raises(InputError, match="leave one out"):
        sweep("fedavg", made, clients=3, tau=1)


def test_a_folder_of_an_object_is_that_of_its_numbers(tmp_path: Path) -> None:
    """Runs are found again for an equal object, and not for another one."""
    asked: dict[str, Any] = {"rounds": 1, "seeds": 2, "tau": 1, "eta": "1/4", "folder": tmp_path}
    first = sweep("fedavg", random_quadratic(1, n_clients=2), **asked)
    again, other = (sweep("fedavg", random_quadratic(k, n_clients=2), **asked) for k in (1, 2))

    assert (first.found, again.found, other.found) == (0, 2, 0)


def test_order_and_repetition_of_jobs_do_not_matter() -> None:
    """Jobs of several algorithms and problems, shuffled and doubled, come back in the order asked for."""
    specs = [
        make_run_spec(name, "quadratic", clients=clients, seed=seed, rounds=1, tau=1, eta=0.1)
        for name in ("fedavg", "fedproxvr")
        for clients in (2, 3)
        for seed in (0, 1)
    ]
    order = [5, 0, 3, 3, 7, 1, 6, 2, 4, 0]
    notes: list[str] = []
    straight = bits(execute_run_specs(specs).histories)
    shuffled = bits(execute_run_specs([specs[i] for i in order], progress=notes.append).histories)

    assert shuffled == [straight[i] for i in order]
    assert len(notes) == 8


def test_problems_are_built_once_with_one_blas_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs on one problem share it, in whatever order they are given; the process keeps its own threads."""
    inside: list[list[int]] = []

    def threads() -> list[int]:
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

    build = problem_specs.make_problem
    monkeypatch.setattr(problem_specs, "make_problem", lambda *a: inside.append(threads()) or build(*a))
    specs = [
        make_run_spec("fedavg", "quadratic", clients=k, seed=s, rounds=1) for s in range(3) for k in (2, 3)
    ]
    with threadpool_limits(2, "blas"):
        before = threads()
        execute_run_specs(specs)
        assert threads() == before

    assert len(inside) == 2
    assert {*inside[0], *inside[1]} == {1} != set(before)
    assert problem_specs._built.cache_info().currsize == 0


def test_the_frame_is_long_and_tidy() -> None:
    """One row a run and round with the varied parameters as columns; cells are those of the histories."""
    found = whole()
    frame = found.frame

    assert list(frame.columns[:5]) == ["run", "tau", "mu", "seed", "round"]
    assert len(frame) == 12 * 3
    for row in frame.itertuples():
        history = found.histories[row.run]
        assert row.loss == history.metrics["loss"][row.round]
        assert (row.tau, row.seed) == (history.parameters["local_steps"], history.seed)
        assert row.mu == float(Fraction(history.parameters["prox_weight"]))


def test_the_summary_is_the_quantiles_of_the_frame() -> None:
    """pandas' own grouping of the long table gives the same medians and quartiles, in every round."""
    found = small(seeds=4)
    summary = found.summary(every_round=True).set_index(["tau", "mu", "round"])
    groups = found.frame.groupby(["tau", "mu", "round"])["loss"]

    assert len(summary) == 4 * 3
    assert set(summary["runs"]) == {4}
    for column, q in (("loss_low", 0.25), ("loss", 0.5), ("loss_high", 0.75)):
        np.testing.assert_allclose(summary[column].sort_index(), groups.quantile(q).sort_index(), rtol=1e-12)


def test_diverged_runs_are_counted_not_averaged() -> None:
    """A step size that is far too large is told in the count and the headline and wins nothing."""
    found = sweep("fedavg", "quadratic", grid={"eta": ["0.01", "1e30"]}, tau=9, seeds=2, rounds=9)
    last = found.summary()

    assert last["diverged"].tolist() == [0, 2]
    assert last["runs"].tolist() == [2, 0]
    assert np.isnan(last["loss"][1])
    assert "2 diverged" in found.headline()
    assert found.headline().endswith("at eta=0.01")
    json.dumps(found.to_dict(), allow_nan=False)


def test_settings_stand_beside_a_grid() -> None:
    """Each setting meets all of the grid; what it leaves out is shown with its default."""
    settings = [{"estimator": "svrg"}, {"mu": 1}]
    found = sweep("fedproxvr", "quadratic", settings=settings, grid={"tau": [1, 2]}, seeds=[7], rounds=1)

    assert [(p["estimator"], p["tau"]) for p in found.points] == [
        ("svrg", 1), ("svrg", 2), ("sarah", 1), ("sarah", 2),
    ]  # fmt: skip
    assert len({p["mu"] for p in found.points}) == 2
    assert [h.parameters["prox_weight"] for h in found.histories] == [p["mu"] for p in found.points]
    assert [h.parameters["estimator"] for h in found.histories] == [p["estimator"] for p in found.points]
    assert {h.seed for h in found.histories} == {7}
    beta = sweep("fedavg", "quadratic", settings=[{"beta": 4}, {"tau": 2}], seeds=1, rounds=1)
    assert [p["beta"] for p in beta.points] == [4, 10]


@pytest.mark.parametrize(("one", "other"), [
    ({"tau": 5}, {"local_steps": "5"}),
    ({"eta": 0.1}, {"stepsize": "1/10"}),
    ({}, {"beta": 10}),
    ({"beta": 4, "L": 5}, {"eta": "1/20"}),
    ({"problem_options": {"dimension": 5}}, {"problem_options": {"dimension": "5.0"}}),
    ({"participation": 3}, {"participation": Participation(3)}),
    ({"participation": None}, {"participation": Participation()}),
    ({"metrics": ["loss", "accuracy"]}, {"metrics": ["accuracy", "loss"]}),
])  # fmt: skip
def test_equal_runs_have_equal_keys(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Words or letters, numbers or text, defaults written out or not: the same run, the same key."""
    assert (
        make_run_spec("fedavg", "quadratic", **one).key == make_run_spec("fedavg", "quadratic", **other).key
    )


def test_different_runs_have_different_keys(tmp_path: Path) -> None:
    """Everything that can change a number changes the key, a file's content and name included."""
    table = "".join(f"{i % 5},{-i % 7},{i % 2}\n" for i in range(40))
    for name, text in (("a.csv", table), ("b.csv", table), ("c.csv", table + "1,1,1\n")):
        (tmp_path / name).write_text(text)
    changes: list[dict[str, Any]] = [
        {}, {"seed": 1}, {"rounds": 3}, {"tau": 3}, {"clients": 4}, {"problem_seed": 1},
        {"metrics": ["loss"]}, {"participation": 3},
        {"problem_options": {"samples": 4}}, {"beta": 9}, {"eta": 0.1}, {"problem": "digits"},
        *({"problem": tmp_path / name} for name in ("a.csv", "b.csv", "c.csv")),
    ]  # fmt: skip
    keys = [make_run_spec("fedavg", **({"problem": "quadratic"} | change)).key for change in changes]
    keys.append(make_run_spec("fedproxvr", "quadratic").key)

    assert len(set(keys)) == len(changes) + 1


def test_all_files_of_a_problem_count(tmp_path: Path) -> None:
    """Images are named, but labels beside them are data too; a file that has nothing to do with it is not."""
    images, labels = tmp_path / "train-images-idx3-ubyte", tmp_path / "train-labels-idx1-ubyte"
    images.write_bytes(struct.pack(">4I", 0x0803, 8, 2, 2) + bytes(range(32)))
    labels.write_bytes(struct.pack(">2I", 0x0801, 8) + bytes([0, 1] * 4))
    first = make_run_spec("fedavg", images, clients=2, problem_options={"split": "labels"}, rounds=1)
    (tmp_path / "notes.txt").write_text("mine")
    again = make_run_spec("fedavg", images, clients=2, problem_options={"split": "labels"}, rounds=1)
    labels.write_bytes(struct.pack(">2I", 0x0801, 8) + bytes([1, 0] * 4))
    other = make_run_spec("fedavg", images, clients=2, problem_options={"split": "labels"}, rounds=1)

    assert first.key == again.key != other.key
    assert execute_run_specs([other]).histories[0].rounds == 1


def test_a_file_is_swept_and_may_not_change_meanwhile(tmp_path: Path) -> None:
    """A user's file is a problem; a job whose file has another content than at its start is refused."""
    path = tmp_path / "mine.csv"
    path.write_text("".join(f"{i % 5},{-i % 7},{i % 2}\n" for i in range(40)))
    spec = make_run_spec("fedavg", path, clients=4, problem_options={"split": "labels"}, rounds=1)

    assert execute_run_specs([spec]).histories[0].problem.startswith("mine, 4 clients")
    path.write_text(path.read_text() + "1,1,1\n")
    refused(InputError, "another content", execute_run_specs, [spec])


@pytest.mark.parametrize(("changes", "message"), [
    ({"grid": {"tau": [1, 1.0]}}, "twice seed=0 .* expected every run once"),
    ({"seeds": [3, 3]}, "twice seed=3"),
    ({"seeds": 0}, "seeds: got 0"),
    ({"seeds": []}, "seeds: got none"),
    ({"seeds": ["x"]}, "seed: got x"),
    ({"seeds": "5"}, "seeds: got 5"),
    ({"grid": {"tau": []}}, "settings: got none"),
    ({"grid": {"tau": [1, 2.5]}}, "tau: got 2.5, expected a whole number"),
    ({"grid": {"tua": [1]}}, "did you mean tau"),
    ({"grid": {"tau": range(1, 2000), "mu": range(2000)}}, "at most 1000000"),
    ({"settings": [{"tau": 5}]}, "tau: got two values"),
    ({"settings": {"eta": 5}}, "write settings="),
    ({"beta": 1, "parameters": {"beta": 1}}, "two values"),
    ({"mu": 1}, "mu: got two values"),
    ({"local_steps": 3}, "local_steps once"),
    ({"resume": None}, "fedproxvr parameter: got resume"),
    ({"participation": 0}, "cohort size: got 0"),
    ({"workers": 0}, "workers: got 0"),
    ({"metrics": ["los"]}, "did you mean loss"),
    ({"metrics": {"mine": len}}, "names of metrics"),
    ({"problem": "syntetic"}, "did you mean synthetic"),
    ({"problem": "nowhere.csv"}, "no such file"),
    ({"problem": 3}, "a problem by name"),
    ({"clients": 0}, "clients"),
    ({"problem_options": {"alpa": 1}}, "did you mean alpha"),
    ({"folder": __file__}, "a folder"),
])  # fmt: skip
def test_bad_calls(changes: dict[str, Any], message: str) -> None:
    """One line that names what is wrong as it was typed, before anything is run."""
    assert len(refused(InputError, message, small, **changes)) < 300


def test_what_is_done_soon_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs that take less than workers take to start are done here; the numbers are those of workers."""
    shared = small(workers=2)
    monkeypatch.setattr("fedproof.solvers.runs.run_specs.WORTH_WORKERS", 60)
    monkeypatch.delattr("fedproof.solvers.runs.run_specs.Parallel")

    assert bits(small(workers=2).histories) == bits(shared.histories)


def test_an_error_comes_whole_from_another_process() -> None:
    """What a worker process refuses is told as in this one."""
    options = {"problem_options": {"alpha": -1}}
    said = []
    for workers in (1, 2):
        with pytest.raises(InputError, match="alpha: got -1") as error:
            small(workers=workers, **options)
        said.append((str(error.value), error.value.got, error.value.expected))

    assert said[0] == said[1]
