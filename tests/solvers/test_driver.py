"""The driver: divergence, interruption, resumption, counts, records and bad input."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.cohort import Participation
from fedproof.solvers.driver import run
from fedproof.solvers.history import load_history
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

EXACT = random_quadratic(1, n_clients=3, dimension=2, samples=[1, 2, 3])
PROBLEM = EXACT.as_float()
SARAH = FedProxVR(0.1, 3, 1)


def test_counts_are_those_of_the_algorithm() -> None:
    """A round sends d floats each way per client; SARAH evaluates D_n + 2 tau b gradients, FedAvg tau b."""
    history = run(replace(SARAH, batch_size=4), PROBLEM, rounds=2)
    averaged = run(FedAvg(0.1, 5, 4), PROBLEM, rounds=1)

    assert history.uplink_bits == history.downlink_bits == (3 * 2 * 64,) * 2
    assert history.gradients == (6 + 3 * 2 * 3 * 4,) * 2
    assert averaged.gradients == (3 * 5 * 4,)


@pytest.mark.parametrize("problem", [PROBLEM, EXACT], ids=["floats", "fractions"])
def test_a_run_that_diverges_is_marked_and_keeps_its_rounds(problem: Any) -> None:
    """A step size far beyond 2 / L ends the run without a warning; every number in the record is finite."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        history = run(FedAvg(10**4, 6), problem, rounds=400, seed=1)

    assert history.diverged
    assert 0 < history.rounds < 400
    assert len(history.metrics["loss"]) == history.rounds + 1
    assert all(float(v) < 1e100 for v in history.metrics["loss"])
    assert np.isfinite(history.model.astype(float)).all()


def test_overflow_within_one_round_is_divergence() -> None:
    """A step size at the end of the float range overflows in round 1: no round kept, no traceback."""
    history = run(FedAvg(1e300, 20), PROBLEM, rounds=3)

    assert (history.diverged, history.rounds) == (True, 0)
    assert history.to_dict()["metrics"]["loss"][0] > 0


@pytest.mark.parametrize(("where", "rounds"), [("draw", 1), ("metric", 1), ("progress", 2)])
def test_an_interrupt_leaves_a_consistent_record_that_goes_on(where: str, rounds: int) -> None:
    """Ctrl-C before, within or after round 2 leaves state and lists of one round, and the run can go on."""
    whole, seen = run(SARAH, PROBLEM, rounds=4, seed=2), []

    def stop(point: str, now: bool) -> None:
        if point == where and now:
            raise KeyboardInterrupt

    def loss(problem: Any, state: Any, trace: Any) -> Any:
        seen.append(state)
        stop("metric", len(seen) == 3)
        return problem.loss(state.model)

    def progress(number: int, total: int, values: Mapping[str, Any]) -> None:
        assert (total, set(values)) == (4, {"loss"})
        stop("progress", number == 2)

    class Interrupted(FedProxVR):
        def draw(self, problem: Any, cohort: Any, source: Any) -> Any:
            stop("draw", source.round == 2)
            return super().draw(problem, cohort, source)

    stopped = run(Interrupted(0.1, 3, 1), PROBLEM, 4, 2, metrics={"loss": loss}, progress=progress)
    resumed = run(SARAH, PROBLEM, 4, 2, metrics=["loss"], resume=stopped)

    assert (stopped.interrupted, stopped.rounds, resumed.interrupted) == (True, rounds, False)
    assert stopped.metrics["loss"] == whole.metrics["loss"][: rounds + 1]
    assert PROBLEM.loss(stopped.model) == stopped.metrics["loss"][-1]
    assert resumed.metrics["loss"] == whole.metrics["loss"]
    assert (resumed.model == whole.model).all()


@pytest.mark.parametrize("problem", [PROBLEM, EXACT], ids=["floats", "fractions"])
def test_resumption_from_a_file_is_the_uninterrupted_run(problem: Any, tmp_path: Path) -> None:
    """Two rounds, saved, loaded and continued to four are the same bits as four rounds at once."""
    algorithm = FedProxVR(Fraction(1, 8), 2, 1)
    path = run(algorithm, problem, rounds=2, seed=6).save(tmp_path / "history.json")
    resumed = run(algorithm, problem, rounds=4, seed=6, resume=load_history(path))
    whole = run(algorithm, problem, rounds=4, seed=6)

    assert (resumed.model == whole.model).all()
    assert resumed.to_dict() == whole.to_dict()
    assert [p.name for p in tmp_path.iterdir()] == ["history.json"]


def test_resuming_another_run_is_refused() -> None:
    """A history of other parameters, another seed or another participation is not continued."""
    for taking, other in ((2, None), (2, Participation(2, True)), (None, 2)):
        history = run(SARAH, PROBLEM, rounds=1, participation=taking)
        again = partial(run, problem=PROBLEM, rounds=2, resume=history)
        assert again(SARAH, participation=taking).rounds == 2
        refused(InputError, "participation", again, SARAH, participation=other)
        refused(InputError, "parameters", again, replace(SARAH, local_steps=4), participation=taking)
        refused(InputError, "seed", again, SARAH, seed=1, participation=taking)


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If writing stops halfway the earlier record is still whole."""
    path = run(SARAH, PROBLEM, rounds=1).save(tmp_path / "history.json")
    before = path.read_text()
    monkeypatch.setattr("os.replace", lambda *_: pytest.fail("disk full"))
    with pytest.raises(pytest.fail.Exception):
        run(SARAH, PROBLEM, rounds=2).save(path)

    assert path.read_text() == before


def test_a_partial_cohort_leaves_the_others_out() -> None:
    """With one client in the cohort a round is that client's own."""
    history = run(
        FedAvg(Fraction(1, 4), 1, None), EXACT, rounds=1, participation=Participation(available=(2,))
    )
    x = EXACT.start()

    assert (history.model == x - EXACT.client_gradients(x[None], np.array([2]))[0] / 4).all()
    assert history.uplink_bits == (2 * 64,)


@pytest.mark.parametrize(("options", "message"), [
    ({"rounds": -1}, "rounds"),
    ({"rounds": 1.5}, "whole"),
    ({"seed": -1}, "seed"),
    ({"workers": 0}, "workers"),
    ({"participation": 4}, "cohort size: got 4, expected at most 3"),
    ({"participation": True}, "cohort size"),
    ({"participation": Participation(available=(3,))}, "available"),
    ({"participation": Participation(available=())}, "available"),
    ({"participation": Participation(2, available=(1,))}, "at most 1"),
    ({"metrics": ["los"]}, "did you mean loss"),
    ({"x0": np.zeros(3)}, "shape"),
    ({"x0": np.array([np.nan, 0])}, "finite"),
    ({"x0": np.array([1e200, 0])}, r"start with numbers not finite or beyond 1e\+100,"),
    ({"metrics": {"large": lambda *_: 1e101}}, "a start with numbers not finite or beyond"),
])  # fmt: skip
def test_bad_input_is_one_line(options: dict[str, Any], message: str) -> None:
    """What cannot be run is refused in one line that names it."""
    refused(InputError, message, run, SARAH, PROBLEM, **{"rounds": 1} | options)


def test_the_headline_and_the_table_tell_the_run() -> None:
    """The sentence names algorithm, rounds and fate; tables have a row a round, of which 0 costs nothing."""
    history = run(SARAH, EXACT, rounds=2)
    table, frame = history.tables()[0], history.frame

    assert history.headline().startswith("fedproxvr on quadratic(")
    assert "2 of 2 rounds;" in history.headline()
    assert "(diverged)" in run(FedAvg(1e300, 20), PROBLEM, rounds=3).headline()
    assert [row[0] for row in table.rows] == list(frame.index) == [0, 1, 2]
    assert frame["gradients"].iloc[0] == 0
    assert frame["loss"].iloc[2] < frame["loss"].iloc[0]
    assert "<table" in history._repr_html_()
