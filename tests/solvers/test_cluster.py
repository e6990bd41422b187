"""Sweeps, plans and figures on a Dask cluster: the same bits, as they finish, and nothing lost."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import fedproof
from fedproof.planning import api as planning
from fedproof.solvers.runs import cluster as module
from fedproof.solvers.runs.run_spec import make_run_spec
from fedproof.solvers.runs.run_specs import execute_run_specs
from fedproof.vocabulary.errors import ClusterLost, InputError
from tests.refusals import refused
from tests.solvers.sweeps import bits, small, whole

pytest.importorskip("distributed")
from tests.solvers.machines import Machines, machines

SHELL = [sys.executable, "-c", "import sys; from fedproof.start import main; sys.exit(main())"]
LONG = ["sweep", "fedavg", "tau=2,3", "--problem", "quadratic", "--rounds", "100", "--seeds", "40"]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """A cluster of two workers that no test kills."""
    with machines(tmp_path_factory.mktemp("two")) as made:
        yield made


def shell(*words: str) -> subprocess.CompletedProcess[str]:
    """A command of the shell in a process of its own."""
    return subprocess.run([*SHELL, *words], capture_output=True, text=True, timeout=300)


def test_a_sweep_has_the_bits_of_one_process(two: Machines, tmp_path: Path) -> None:
    """Every history alike, each told as it comes and kept by the process that asks, for the next to find."""
    told: list[int] = []

    def tell(_: str) -> None:
        told.append(len([*tmp_path.glob("*.json")]))

    found = small(scheduler=two.address, folder=tmp_path, progress=tell)

    assert bits(found.histories) == bits(whole().histories)
    assert told == list(range(1, 13))
    assert small(scheduler=two.address, folder=tmp_path).found == 12
    assert bits(small(folder=tmp_path).histories) == bits(whole().histories)


def test_a_short_run_is_told_before_a_long_one_ends(two: Machines, tmp_path: Path) -> None:
    """What was asked for first and takes long is not waited for."""
    told: list[str] = []
    asked = [make_run_spec("fedavg", "quadratic", rounds=n, metrics=["loss"]) for n in (2_000, 1, 2)]
    execute_run_specs(asked, tmp_path, scheduler=two.address, progress=lambda _: told.append(
        " ".join(sorted(file.stem.rpartition("-")[2] for file in tmp_path.glob("*.json")))
    ))  # fmt: skip

    assert told[-1] == "1 2 2000"
    assert told[:2] in (["1", "1 2"], ["2", "1 2"])


def test_a_longer_sweep_goes_on_from_a_folder_that_workers_do_not_see(two: Machines, tmp_path: Path) -> None:
    """Earlier rounds travel; the result is that of a run in one piece."""
    small(folder=tmp_path)
    longer = small(scheduler=two.address, folder=tmp_path, rounds=4)

    assert bits(longer.histories) == bits(small(rounds=4).histories)


def test_a_problem_in_memory_is_sent(two: Machines) -> None:
    """An object, which no name makes again on the other side."""
    problem = fedproof.problem("quadratic", clients=3)
    ask: dict[str, Any] = {"grid": {"tau": [2, 3]}, "seeds": 2, "rounds": 2}
    there = fedproof.sweep("fedavg", problem, scheduler=two.address, **ask)

    assert bits(there.histories) == bits(fedproof.sweep("fedavg", problem, **ask).histories)


def test_the_shell_takes_it(two: Machines) -> None:
    """One document on stdout, nothing on stderr."""
    words = [*LONG[:5], "--rounds", "2", "--seeds", "2", "--json"]
    done, here = shell(*words, "--scheduler", two.address), shell(*words)

    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["runs"] == json.loads(here.stdout)["runs"]


def test_a_plan_has_the_pilots_of_one_process(two: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    """A theorem's row, the search's and the usual beginnings, number for number; one theorem is enough."""
    known = [g for g in planning.guarantees() if g.statement == "fedproxvr.certified.sarah"]
    monkeypatch.setattr(planning, "guarantees", lambda: tuple(known))
    ask: dict[str, Any] = {"clients": 3, "epsilon": "0.1", "rounds": 5, "step_seconds": "1e-6"}
    there, here = fedproof.plan("quadratic", scheduler=two.address, **ask), fedproof.plan("quadratic", **ask)

    assert there.plans[0].pilot is not None
    # the constants say how long each took to measure
    assert {**there.to_dict(), "constants": None} == {**here.to_dict(), "constants": None}


def test_a_figure_has_the_table_of_one_process(two: Machines, tmp_path: Path) -> None:
    """Its CSV byte for byte; no run is done again here."""
    ask: dict[str, Any] = {"size": {"clients": 3, "rounds": 2, "seeds": 2}, "fmt": "svg"}
    for name, more in (("there", {"scheduler": two.address}), ("here", {"workers": 1})):
        fedproof.figure("fedproxvr.figure4", tmp_path / name, **ask, **more)
    there, here = (tmp_path / name / "fedproxvr.figure4.csv" for name in ("there", "here"))

    assert there.read_bytes() == here.read_bytes()
    assert len(pd.read_csv(there)) > 0


def test_a_killed_worker_costs_nothing(tmp_path: Path) -> None:
    """The other one does what it held."""
    with machines(tmp_path) as made:

        def kill(_: str) -> None:
            if made.workers[0].poll() is None:
                made.workers[0].kill()

        assert bits(small(scheduler=made.address, progress=kill).histories) == bits(whole().histories)
        assert made.workers[0].wait() == -signal.SIGKILL


def test_a_lost_scheduler_is_one_line_and_the_sweep_goes_on_elsewhere(tmp_path: Path) -> None:
    """Exit 130 as after an interrupt; what was finished is kept and found; the rest is done here."""
    folder = tmp_path / "runs"
    words = [*LONG, "-o", str(folder)]
    with machines(tmp_path) as made:
        child = subprocess.Popen([*SHELL, *words, "--scheduler", made.address], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)  # fmt: skip
        while child.poll() is None and not [*folder.glob("*.json")]:
            os.sched_yield()
        made.scheduler.kill()
        _, said = child.communicate(timeout=120)
    kept = len([*folder.glob("*.json")])

    assert said == f"fedproof: {ClusterLost(made.address, 'the scheduler is gone')}\n"
    assert child.returncode == 130
    assert 0 < kept < 80
    again = json.loads(shell(*words, "--json").stdout)
    assert (again["found"], len(again["runs"]), again["notes"]) == (kept, 80, [])


def test_without_workers_for_long_the_cluster_is_lost(tmp_path: Path) -> None:
    """It is waited for new ones, but not for ever."""
    with machines(tmp_path, 1) as made, module.cluster(made.address) as there:
        made.workers[0].kill()
        with pytest.raises(ClusterLost, match="no worker for 3 s"):
            list(there.done(divmod, [("fedavg", (7, 2))], alone=3.0))


@pytest.mark.parametrize(("threads", "env", "said"), [
    (1, {"OPENBLAS_CORETYPE": "Nehalem"}, "blas openblas"),
    (2, {}, "got 2 threads, expected 1; start it with --nthreads 1"),
])  # fmt: skip
def test_a_worker_that_would_round_otherwise_is_refused(
    tmp_path: Path, threads: int, env: dict[str, str], said: str
) -> None:
    """Another kind of core, or several threads in one process: one line that names the worker."""
    with machines(tmp_path, 0) as made:
        made.add(threads, **env)
        made.complete()
        refused(InputError, said, small, scheduler=made.address, folder=tmp_path / "runs")
    assert [*(tmp_path / "runs").glob("*.json")] == []


def test_an_address_where_nobody_answers_is_told_in_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No scheduler, something else that listens and is silent, and a scheduler without workers."""
    monkeypatch.setattr(module, "PATIENCE", 2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        done = shell(*LONG, "--scheduler", f"tcp://127.0.0.1:{port}")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "no scheduler there in 10 s" in done.stderr
    refused(InputError, "no scheduler there in 2 s", small, scheduler=f"tcp://127.0.0.1:{port}")
    with machines(tmp_path, 0) as made:
        refused(InputError, "no worker in 2 s", small, scheduler=made.address)
