"""A sweep's folder: nothing finished is lost or done twice, nothing foreign is taken for a run."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import fedproof
from fedproof.solvers.cohort import Participation
from fedproof.solvers.history import History, load_history
from fedproof.solvers.history_file import sealed
from fedproof.solvers.log import Log
from fedproof.solvers.runs import run_specs as doing
from fedproof.vocabulary.errors import DataError
from tests.refusals import refused
from tests.solvers.sweeps import SMALL, bits, files, small, start, whole

TOTAL = 12


def wait_for(folder: Path, count: int) -> None:
    """Until so many runs are on disk."""
    for _ in range(2000):
        if len(list(folder.glob("*.json"))) >= count:
            return
        time.sleep(0.01)
    raise AssertionError(f"no {count} files after 20 seconds")


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rounds that every run is begun with, 0 if from none, as runs are made."""
    rounds: list[int] = []
    run = doing.run

    def watched(*given: Any, resume: History | None, **options: Any) -> History:
        rounds.append(resume.rounds if resume else 0)
        return run(*given, resume=resume, **options)

    monkeypatch.setattr(doing, "run", watched)
    return rounds


def test_a_killed_sweep_goes_on(tmp_path: Path) -> None:
    """Killed with some runs on disk, it takes these as they are and does exactly the others."""
    child = start(tmp_path, pause=0.05)
    wait_for(tmp_path, 3)
    child.kill()
    child.communicate()
    before = files(tmp_path)
    told: list[str] = []
    again = small(folder=tmp_path, progress=told.append)
    after = files(tmp_path)

    assert child.returncode == -signal.SIGKILL
    assert 3 <= len(before) < TOTAL
    assert again.found == len(before)
    assert {name: after[name] for name in before} == before
    assert len(after) == len(told) == TOTAL
    assert bits(again.histories) == bits(whole().histories)
    assert small(folder=tmp_path).found == TOTAL


def test_two_sweeps_share_a_folder(tmp_path: Path) -> None:
    """Two processes at once leave one whole file a run and nothing else, and the right numbers."""
    child = start(tmp_path)
    wait_for(tmp_path, 1)
    mine = small(folder=tmp_path)
    said = child.communicate(timeout=60)[1]
    again = small(folder=tmp_path)

    assert child.returncode == 0, said
    assert (again.found, again.notes) == (TOTAL, ())
    assert bits(again.histories) == bits(mine.histories) == bits(whole().histories)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(f"{j.key}.json" for j in again.jobs)


def test_a_run_finished_elsewhere_meanwhile_is_not_done_again(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another sweep has put there since the start is taken."""
    monkeypatch.setattr(doing, "_records", lambda *_: iter(()))
    monkeypatch.setattr(doing, "run", lambda *_, **__: pytest.fail("done again"))

    assert len(small(folder=finished).histories) == TOTAL


def with_loss(value: Any, text: str) -> str:
    """A record with another loss after the first round."""
    document = json.loads(text)
    document["metrics"]["loss"][1] = value
    return json.dumps(document)


SPOILS: list[Callable[[str], str]] = [
    lambda text: text[: len(text) // 2],
    lambda text: "",
    lambda text: "[1, 2]",
    lambda text: text.replace('"job"', '"jab"'),
    lambda text: json.dumps(json.loads(text) | {"rounds": 1}),
    lambda text: json.dumps(json.loads(text) | {"requested": 5}),
    lambda text: text.replace('"interrupted": false', '"interrupted": true'),
    lambda text: json.dumps(json.loads(text) | {"gradients": [1]}),
    lambda text: json.dumps(json.loads(text) | {"format": 99}),
    partial(with_loss, 999),
    partial(with_loss, "x"),
    lambda text: "[" * 100_000,
]


def test_damaged_files_are_told_and_computed_again(finished: Path) -> None:
    """A file that is cut off or not a whole run is no run: the result names it, and it is mended."""
    before = {path: path.read_text() for path in finished.iterdir()}
    for (path, text), spoil in zip(before.items(), SPOILS, strict=True):
        path.write_text(spoil(text))
    again = small(folder=finished)

    assert again.found == 0
    assert sorted(note.partition(" ")[0] for note in again.notes) == sorted(path.name for path in before)
    assert all("computed again" in note for note in again.notes)
    assert bits(again.histories) == bits(whole().histories)
    assert {path: path.read_text() for path in finished.iterdir()} == before


def test_the_name_alone_is_not_trusted(finished: Path) -> None:
    """The record of another run under this run's name is refused in one line and left as it is."""
    found = whole()
    one, other = (finished / f"{found.jobs[i].key}.json" for i in (2, 7))
    os.replace(one, other)
    before = files(finished)
    said = refused(DataError, "the record of another run", small, folder=finished)

    assert other.name[:20] in said
    assert files(finished) == before


def test_foreign_files_are_left_alone(finished: Path) -> None:
    """Notes of the user's and what a killed writer left do not disturb and stay."""
    foreign = ("notes.txt", "other.json", ".left.json.abc.tmp")
    for name in foreign:
        (finished / name).write_text("{")
    again = small(folder=finished)

    assert (again.found, again.notes) == (TOTAL, ())
    assert [(finished / name).read_text() for name in foreign] == ["{"] * 3


@pytest.mark.parametrize("options", [
    {}, {"seeds": 1, "participation": Participation(2, True, "size", "plain", (0, 2))},
], ids=["all", "part"])  # fmt: skip
def test_a_longer_run_begins_where_a_shorter_one_ended(
    tmp_path: Path, options: dict[str, Any], begun: list[int]
) -> None:
    """With more rounds only the rounds that are missing are done, and no bit differs, whoever takes part."""
    shorter = [small(folder=tmp_path, rounds=rounds, **options) for rounds in (1, 3)]
    begun.clear()
    longer = small(folder=tmp_path, rounds=4, **options)

    assert begun == [3] * len(shorter[1].jobs)
    assert bits(longer.histories) == bits(small(rounds=4, **options).histories)
    assert small(folder=tmp_path, rounds=3, **options).found == len(shorter[1].jobs)


def test_a_diverged_run_is_finished(tmp_path: Path) -> None:
    """It is found again as it is, and is no shorter run to go on from wrongly."""
    wild = {"grid": {"eta": ["1e30"]}, "problem": "quadratic", "tau": 9, "rounds": 9}
    options = {k: v for k, v in (SMALL | wild).items() if k != "beta"}
    first, again = (fedproof.sweep("fedavg", **options, folder=tmp_path) for _ in range(2))

    assert all(h.diverged for h in first.histories)
    assert again.found == 3
    assert bits(first.histories) == bits(again.histories)


def test_runs_of_another_version_are_told(finished: Path, begun: list[int]) -> None:
    """They are used, but the result says so and how many; no longer run goes on from them."""
    told = {"fedproof": "fedproof 0.0.0", "numpy": "numpy 0.0.0", "numba": "numba 0.0.0",
            "algorithm": "source of its algorithm", "source": "source of problems"}  # fmt: skip
    for name, spec in zip([*told, *told], whole().jobs, strict=False):
        path = finished / f"{spec.key}.json"
        document = json.loads(path.read_text())
        document["made_with"][name] = "0.0.0"
        path.write_text(json.dumps(sealed(document)))
    again = small(folder=finished)

    assert again.found == TOTAL
    assert all(
        text in note and "(2 runs)" in note for text, note in zip(told.values(), again.notes, strict=True)
    )
    assert any(t.title == "notes" for t in again.tables())
    begun.clear()
    longer = small(folder=finished, rounds=3)
    assert begun == [0] * 10 + [2] * 2
    assert bits(longer.histories) == bits(small(rounds=3).histories)
    current = doing.execute_run_specs(again.jobs, finished, current=True)
    assert current.found == TOTAL - 10
    assert doing.execute_run_specs(again.jobs, finished, current=True).found == TOTAL


def test_nobody_can_tell_whether_a_run_was_read_or_done(tmp_path: Path) -> None:
    """Types and order of everything in a history are the same from the folder as fresh."""
    fresh, read = (
        small(problem="quadratic", folder=tmp_path, metrics=["squared_gradient", "loss"]) for _ in "ab"
    )

    assert read.found == TOTAL
    assert [repr(vars(h)) for h in fresh.histories] == [repr(vars(h)) for h in read.histories]
    assert list(read.histories[0].metrics) == ["squared_gradient", "loss"]
    turned = small(problem="quadratic", folder=tmp_path, metrics=["loss", "squared_gradient"])
    assert (turned.found, list(turned.histories[0].metrics)) == (TOTAL, ["loss", "squared_gradient"])


def test_an_interrupt_keeps_what_was_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: list[int]
) -> None:
    """Ctrl-C in the middle of a run returns the finished ones; the broken one goes on at its round."""
    done: list[str] = []
    add = Log.add

    def tell(note: str) -> None:
        done.append(note)
        if len(done) == 5:
            monkeypatch.setattr("fedproof.solvers.log.Log.add", interrupted)

    def interrupted(log: Any, *given: Any) -> None:
        if log.finished == 1:
            raise KeyboardInterrupt
        add(log, *given)

    part = small(folder=tmp_path, progress=tell)
    monkeypatch.setattr(Log, "add", add)

    assert (part.interrupted, len(part.histories), part.requested) == (True, 5, TOTAL)
    assert "5 of 12 runs (interrupted)" in part.headline()
    assert len(files(tmp_path)) == 6
    begun.clear()
    again = small(folder=tmp_path)
    assert sorted(begun) == [0] * 6 + [1]
    assert (again.found, again.interrupted) == (5, False)
    assert bits(again.histories) == bits(whole().histories)


def test_a_record_is_a_history_anyone_can_read(finished: Path) -> None:
    """A file of the folder is plain JSON that `load_history` reads, with its job and versions beside."""
    found = whole()
    path = finished / f"{found.jobs[0].key}.json"
    document = json.loads(path.read_text(encoding="utf-8"))

    assert bits([load_history(path)]) == bits(found.histories[:1])
    assert document["job"]["parameters"]["local_steps"] == 1
    assert document["made_with"]["fedproof"] == fedproof.__version__
    assert path.stat().st_mode & 0o777 == 0o644
