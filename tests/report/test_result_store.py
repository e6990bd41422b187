"""What the report stores: used again only for the same source, and never where it was changed."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import fedproof
from fedproof.report.jobs import Job, Work
from fedproof.report.parts import _comparison, _row, audit_job, figure_job
from fedproof.report.result_store import StoredResult, last_seconds, read_stored, write_stored
from fedproof.validate.verdict import BoundComparison
from fedproof.vocabulary import discovery


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own; sources that tests write count as read before they were."""
    monkeypatch.setattr("fedproof.report.jobs.LOADED", math.inf)
    monkeypatch.setenv("FEDPROOF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package of another distribution, with a module that its `proofs` imports, and a figure."""
    package = tmp_path / "theirstored"
    for name, text in {
        "__init__.py": "", "proofs.py": "from theirstored import helper\n", "helper.py": "A = 1\n",
        "figures/__init__.py": "", "figures/one.py": "from theirstored.figures import _axes\n",
        "figures/_axes.py": "", "figures/two.py": "",
    }.items():  # fmt: skip
        (package / name).parent.mkdir(exist_ok=True, parents=True)
        (package / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    ours = discovery.packages()
    monkeypatch.setattr("fedproof.report.dependencies.packages", lambda: ours | {"theirs": "theirstored"})
    return package


def counting(sources: tuple[str, ...], **options: Any) -> tuple[Job, list[int]]:
    """A job that counts how often it is computed."""
    calls: list[int] = []

    def make(folder: Path, note: Any) -> dict[str, int]:
        calls.append(1)
        for file in options.get("files", ()):
            (folder / file).write_text("a picture")
        return {"calls": len(calls)}

    return Job("a job", make, sources, **options), calls


def done(job: Job, folder: Path) -> tuple[Any, bool]:
    """A job's document in a new run, and whether it was stored."""
    work = Work(folder, lambda note: None)
    return work.do(job, "part"), work.done[0][1]


def spoil(change: Callable[[str], str]) -> Callable[[Path], None]:
    """What changes the stored text of the one result."""

    def act(home: Path) -> None:
        file = next(home.rglob("result.json"))
        file.write_text(change(file.read_text()))

    return act


def write(name: str) -> Callable[[Path], Any]:
    """What changes a module of the other distribution."""
    return lambda home: (home / "theirstored" / name).write_text("A = 2\n")


@pytest.mark.parametrize(("change", "options", "stored"), [
    (lambda home: None, {}, True),
    # a module that the sources import, directly or not, decides; one that they do not name is nothing
    (write("figures/two.py"), {}, True),
    (write("helper.py"), {}, False),
    # another parameter, another version of a numerical library, or a checker that refuses what it reads
    (lambda home: None, {"parameters": 2}, False),
    ("fedproof.report.dependencies.version_of", {}, False),
    (lambda home: None, {"accept": lambda found: False}, False),
    # a stored file that is not as it was written is never used
    (spoil(lambda text: text.replace('"calls": 1', '"calls": 7')), {}, False),
    (spoil(lambda text: text[: len(text) // 2]), {}, False),
    (spoil(lambda text: ""), {}, False),
    (spoil(lambda text: "[]\n"), {}, False),
])  # fmt: skip
def test_a_result_is_computed_once_for_what_it_is_computed_from(
    change: Any, options: dict[str, Any], stored: bool, theirs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second run reads what the first computed, and says so, unless what decides it was changed."""
    job, calls = counting(("theirstored.proofs",))
    home = theirs.parent

    assert done(job, home) == ({"calls": 1}, False)
    if isinstance(change, str):
        monkeypatch.setattr(change, lambda name: "0")
    else:
        change(home)
    assert done(replace(job, **options), home) == ({"calls": len(calls)}, stored)
    assert len(calls) == (1 if stored else 2)


def test_one_paper_does_not_depend_on_another() -> None:
    """What a paper's audit and figure are computed from holds no module of another paper."""
    work = Work(Path(), lambda note: None)
    for job, own in ((audit_job("composite"), "composite"), (figure_job("fedproxvr.figure1"), "fedproxvr")):
        modules = work.texts.modules(job.sources)
        papers = {m.split(".")[2] for m in modules if m.startswith("fedproof.papers.")}

        assert papers == {own}
    assert "fedproof.papers.fedproxvr.figures.figure1" in modules
    assert "fedproof.papers.fedproxvr.figures.figure2" not in modules


def test_what_is_imported_by_name_counts() -> None:
    """The judges of claims, which the audit finds by a text, are sources of it."""
    modules = Work(Path(), lambda note: None).texts.modules(audit_job("composite").sources)

    assert {"fedproof.validate.claims.bound", "fedproof.proof.rules.quad"} <= set(modules)


def test_files_are_checked_by_their_hash(theirs: Path, tmp_path: Path, cache: Path) -> None:
    """A picture comes from the store where it is missing or changed; a changed one in the store is no use."""
    job, _ = counting(("theirstored.proofs",), files=("one.svg",))
    done(job, tmp_path)
    (tmp_path / "one.svg").write_text("another picture")
    again = done(job, tmp_path)
    restored = (tmp_path / "one.svg").read_text()
    for file in (tmp_path / "one.svg", next(cache.rglob("one.svg"))):
        file.write_text("another picture")

    assert (again, restored) == (({"calls": 1}, True), "a picture")
    assert done(job, tmp_path) == ({"calls": 2}, False)


def test_the_store_can_be_turned_off(theirs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With FEDPROOF_CACHE=off nothing is stored or read."""
    monkeypatch.setenv("FEDPROOF_CACHE", "off")
    job, calls = counting(("theirstored.proofs",))

    assert [done(job, tmp_path)[1] for _ in range(2)] == [False, False]
    assert len(calls) == 2


def test_a_result_that_json_cannot_hold_is_an_error_and_a_full_disk_is_not(
    cache: Path, tmp_path: Path
) -> None:
    """Where nothing can be written the result is merely not stored; the duration of another is known."""
    cache.write_text("no folder")
    write_stored("a", "key", StoredResult({}, 1.0))
    missing = read_stored("a", "key")
    cache.unlink()
    write_stored("a", "key", StoredResult({}, 2.5))

    assert missing is None
    assert last_seconds("a") == 2.5
    assert read_stored("a", "another key") is None
    with pytest.raises(ValueError, match="JSON"):
        write_stored("a", "key", StoredResult(float("nan"), 1.0))


def test_how_long_is_left_is_told(theirs: Path, tmp_path: Path) -> None:
    """A job that must be computed again is expected to take what it took; stored ones take nothing."""
    write_stored("a job", "of other source", StoredResult({}, 90.0))
    said: list[str] = []
    work = Work(tmp_path, said.append)
    job, _ = counting(("theirstored.proofs",))
    work.expect([job])
    work.do(job, "part")
    again = Work(tmp_path, said.append)
    again.expect([job])
    again.do(job, "part")

    assert said == ["part: a job, about 90 s left", "part: a job, stored"]


def test_comparisons_survive_json() -> None:
    """A comparison is read as it was written, infinities included."""
    found = BoundComparison(
        "id",
        "loss",
        "<=",
        float("inf"),
        0.1,
        "p",
        "d",
        30,
        0.25,
        1.0,
        True,
        False,
        ("L = 1",),
        ("sigma2 = 1",),
    )

    assert _comparison(json.loads(json.dumps(_row(found), allow_nan=False))) == found


def test_what_was_written_since_the_start_is_not_stored(
    theirs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A source that is younger than this process may not be what runs: its result is given, not kept."""
    monkeypatch.setattr("fedproof.report.jobs.LOADED", fedproof.LOADED)
    job, calls = counting(("theirstored.proofs",))

    assert [done(job, tmp_path) for _ in "ab"] == [({"calls": 1}, False), ({"calls": 2}, False)]
    assert len(calls) == 2


class Odd(Exception):
    """It cannot be made of one text."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} and {two}")


def test_an_error_that_cannot_travel_fails_its_own_job(theirs: Path, tmp_path: Path) -> None:
    """What a worker raises is told in words; the other jobs are done, one of the same name too."""

    def spoil(folder: Path, note: Any) -> None:
        raise Odd("one", "two")

    named = [Job("same", lambda folder, note, n=n: n, ("theirstored.proofs",), parameters=n) for n in (1, 2)]
    spoilt = Job("spoilt", spoil, ("theirstored.proofs",))
    work = Work(tmp_path, lambda note: None, workers=2)
    work.expect([spoilt, *named])

    with pytest.raises(RuntimeError, match="Odd: one and two"):
        work.do(spoilt, "part")
    assert [work.do(job, "part") for job in named] == [1, 2]


def test_lost_workers_leave_their_work_to_this_process(theirs: Path, tmp_path: Path) -> None:
    """Where a worker dies, what it did not finish is computed here."""
    here = os.getpid()

    def dies(folder: Path, note: Any) -> str:
        if os.getpid() != here:
            os._exit(1)
        return "done here"

    jobs = [Job(name, dies, ("theirstored.proofs",)) for name in ("one", "two", "three")]
    work = Work(tmp_path, lambda note: None, workers=2)
    work.expect(jobs)

    assert [work.do(job, "part") for job in jobs] == ["done here"] * 3


def test_what_workers_finished_is_stored_before_it_is_asked_for(theirs: Path, tmp_path: Path) -> None:
    """An interrupt while a slow job is waited for loses nothing of a quick one that is done."""
    notes: list[str] = []

    def interrupted(note: str) -> None:
        notes.append(note)
        if len(notes) == 2:
            raise KeyboardInterrupt

    slow, quick = (
        Job(name, lambda folder, note, s=seconds: time.sleep(s), ("theirstored.proofs",))
        for name, seconds in (("slow", 300), ("quick", 0))
    )
    with closing(Work(tmp_path, interrupted, workers=2)) as work:
        work.expect([slow, quick])
        with pytest.raises(KeyboardInterrupt):
            work.do(slow, "part")

    again = Work(tmp_path, lambda note: None)
    again.do(quick, "part")
    assert again.done == [("quick", True)]


def test_workers_are_ended_at_once(theirs: Path, tmp_path: Path) -> None:
    """What is interrupted does not wait for what its workers are computing: others can begin."""

    def job(name: str, seconds: float) -> Job:
        return Job(name, lambda folder, note: time.sleep(seconds), ("theirstored.proofs",))

    begun = time.monotonic()
    for seconds in (300, 0):
        jobs = [job(f"{name}, {seconds} s", seconds) for name in ("one", "two")]
        with closing(Work(tmp_path, lambda note: None, workers=2)) as work:
            work.expect(jobs)
            time.sleep(1)
            if not seconds:
                assert [work.do(j, "part") for j in jobs] == [None, None]

    assert time.monotonic() - begun < 60


def test_workers_compute_what_is_missing(theirs: Path, tmp_path: Path) -> None:
    """What is expected is computed by two processes and stored; what fails is told when it is asked for."""
    said: list[str] = []

    def job(name: str, fails: bool = False) -> Job:
        def make(folder: Path, note: Any) -> dict[str, bool]:
            if fails:
                raise ValueError(f"{name} is spoilt")
            (folder / name).write_text("a picture")
            return {"here": os.getpid() == here}

        here = os.getpid()
        return Job(name, make, ("theirstored.proofs",), files=(name,))

    jobs = [job("one"), job("two"), job("three", fails=True)]
    work = Work(tmp_path, said.append, workers=2)
    work.expect(jobs)

    assert [work.do(j, "part") for j in jobs[:2]] == [{"here": False}] * 2
    with pytest.raises(ValueError, match="three is spoilt"):
        work.do(jobs[2], "part")
    (tmp_path / "one").unlink()
    again = Work(tmp_path, said.append, workers=2)
    again.expect(jobs[:2])
    assert again.do(jobs[0], "part") == {"here": False}
    assert (tmp_path / "one").read_text() == "a picture"
    assert work.done == [("one", False), ("two", False)]
    assert again.done == [("one", True)]
    assert said[-1] == "part: one, stored"
