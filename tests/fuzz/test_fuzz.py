"""The short form of the fuzzer: some of everything, and each judge sees what is planted."""

from __future__ import annotations

import subprocess
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from fedproof.algebra.ranges import result
from fedproof.algebra.ranges.result import Stretch
from fedproof.algebra.roots import float_near
from fedproof.solvers.api import run
from tests.fuzz import __main__ as fuzz
from tests.fuzz import drawing, faults, judging, leftovers, optima, ranges, shares, tiny, tiny_lines

SEED = 1


def none_of(one: Any, count: int, seconds: float) -> None:
    """No fault in so many numbers, which take no more processor time than was said."""
    begun = time.process_time()
    assert [found for number in range(count) if (found := one(SEED, number))] == []
    assert time.process_time() - begun < seconds


def test_command_lines_end_as_they_should() -> None:
    """Valid and broken ones: one line where they fail, a document where asked, within time and memory."""
    none_of(fuzz.line_fault, 30, 40)


def test_half_of_the_lines_are_valid() -> None:
    """Of the even numbers nearly all are answered, of the odd ones few: a line is the same for its seed."""
    codes = [judging.ended(drawing.command_line(7, number)).code for number in range(0, 16, 2)]

    assert codes.count(0) >= 6
    assert drawing.command_line(3, 5) == drawing.command_line(3, 5) != drawing.command_line(4, 5)


def test_files_and_records_end_as_they_should() -> None:
    """Bytes changed, cut, repeated, and entries of a record made something else."""
    none_of(fuzz.file_fault, 20, 20)
    none_of(fuzz.asked("records"), 8, 20)


def test_ranges_and_optima_are_as_they_are_decided_apart() -> None:
    """Ends and points in 60 digits, of ranges that are most times not empty; points that no optimum beats."""
    wrong, seen = shares.looked_at(ranges.tried, SEED, 0, 16)
    assert wrong == []
    assert seen["not empty"] >= 8
    assert seen["points inside"] >= 5 * seen["not empty"]
    assert seen["ends"] >= 10

    wrong, seen = shares.looked_at(optima.tried, SEED, 0, 3)
    assert wrong == []
    assert seen["minimisers"] >= 2
    none_of(ranges.sarah_fault, 4, 20)


def test_lines_that_run_and_write_end_as_they_should() -> None:
    """Runs, sweeps, figures, own data and damaged records, each in a folder of its own."""
    none_of(tiny.tiny_fault, 8, 60)


def test_most_lines_on_tiny_problems_are_valid(tmp_path: Path) -> None:
    """Of the even numbers nearly all are answered; a line is the same for its seed."""
    ends = [tiny.outcome(3, number)[1].code for number in (0, 2, 6, 8, 10, 12)]

    assert ends.count(0) >= 5
    folders = [tmp_path / name for name in "ab"]
    for folder in folders:
        folder.mkdir()
    first, again = (tiny.command_line(3, 5, folder) for folder in folders)
    assert first == again != tiny.command_line(4, 5, folders[0])


def test_what_is_written_elsewhere_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beside the folder, one that is said to be there and is not, and one left unfinished."""
    line, out = ["figure", "x", "-o", tiny_lines.OUT, "--json"], tmp_path / tiny_lines.OUT
    out.mkdir()
    end = judging.End(0, '{"files": ["out/a.csv"]}', "", 0.1, 0)
    assert "said to be written" in tiny.files_fault(line, end, tmp_path, [])
    (out / "a.csv").write_text("a,b\n1,2\n")
    assert tiny.files_fault(line, end, tmp_path, []) == ""
    (out / "a.csv").write_text("a,b\n1")
    assert "not whole" in tiny.files_fault(line, end, tmp_path, [])
    (out / ".a.csv.tmp").write_text("a,b\n1")
    assert "unfinished" in tiny.files_fault(line, end, tmp_path, [])

    with tiny.watched(out) as written:
        (tmp_path / "beside").write_text("x")
        (out / "within").write_text("x")
    assert written == [f"open {tmp_path / 'beside'}"]


def test_a_kill_and_an_interrupt_lose_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of each, of a sweep, at a moment that the seed chooses."""
    monkeypatch.setattr(faults, "WRITERS", (faults.SWEEP,))
    monkeypatch.setattr(faults, "READERS", (faults.SWEEP,))
    assert fuzz.asked("kills")(SEED, 0) == ""
    assert faults.interrupt_fault(SEED, 0) == ""


def test_what_a_stop_leaves_is_seen(tmp_path: Path) -> None:
    """A run that is missing, one with other bits, a shorter one that is no beginning, one cut short."""
    for rounds in (2, 3):
        run("fedavg", "quadratic", rounds=rounds).save(tmp_path / f"a-{rounds}.json", job={"rounds": rounds})
    both = leftovers.contents(tmp_path)
    whole = {"a-3.json": both["a-3.json"]}

    assert leftovers.difference(both, whole) == ""
    assert leftovers.difference({}, whole) == "missing a-3.json"
    bent = both["a-3.json"] | {"gradients": [0, 0, 0]}
    assert "other bits" in leftovers.difference(both | {"a-3.json": bent}, whole)
    loss = both["a-2.json"]["metrics"] | {"loss": [0.0, 0.0, 0.0]}
    assert "belongs to nothing" in leftovers.difference(
        both | {"a-2.json": both["a-2.json"] | {"metrics": loss}}, whole
    )
    assert "belongs to nothing" in leftovers.difference(both | {"b-2.json": both["a-2.json"]}, whole)
    (tmp_path / "a-2.json").write_text((tmp_path / "a-2.json").read_text().replace('"seed": 0', '"seed": 1'))
    with pytest.raises(ValueError, match="the seal is wrong"):
        leftovers.contents(tmp_path)


def test_a_process_that_outlives_its_command_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told by its session, and ended."""
    monkeypatch.setattr(leftovers, "PATIENCE", 0.3)
    words = ["sh", "-c", "sleep 60 >/dev/null & echo $!"]
    parent = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True)
    said, _ = parent.communicate()

    assert f"processes [{int(said)}]" in leftovers.left(parent.pid)
    assert leftovers.left(parent.pid) == ""


@pytest.mark.parametrize(("line", "end", "said"), [
    (["x"], judging.End(-1, "", "Traceback\nKeyError: 'x'\n", 0.1, 0), "exit -1"),
    (["x"], judging.End(2, "", "fedproof: a\nb\n", 0.1, 0), "2 lines"),
    (["x"], judging.End(2, "", "", 0.1, 0), "0 lines"),
    (["x", "--json"], judging.End(0, "{\"a\": NaN}", "", 0.1, 0), "no document: NaN"),
    (["x"], judging.End(0, "", "\x1b[2J", 0.1, 0), "control character"),
    (["x"], judging.End(0, "", "", 21.0, 0), "21 s"),
    (["x"], judging.End(0, "", "", 1.0, 2 << 30), "2048 MiB"),
    (["x"], judging.End(1, "", "", 1.0, 0), ""),
])  # fmt: skip
def test_the_judge_sees_each_fault(line: list[str], end: judging.End, said: str) -> None:
    """What is planted is named; an end as it should be is not."""
    found = judging.fault(line, end)
    assert said in found
    assert bool(said) == bool(found)


def test_the_oracle_of_ranges_sees_a_wrong_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """With another constant in the formula typed here, the product's ranges are wrong to it."""
    good = ranges.admits
    monkeypatch.setattr(ranges, "admits", lambda at: good(at | {"L": at["L"] * Fraction(3, 2)}))

    assert any(ranges.sarah_fault(SEED, number) for number in range(6))


def test_an_end_that_is_a_little_off_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ends moved by a millionth of themselves, and ends that are open where they are closed."""
    good = result.cut

    def moved(points: Any, piece: int, side: int) -> Any:
        end = good(points, piece, side)
        return None if end is None else Fraction(float_near(end)) * (1 + Fraction(1, 10**6))

    monkeypatch.setattr(result, "cut", moved)
    assert sum(bool(ranges.tried(SEED, number)[0]) for number in range(8)) >= 4
    monkeypatch.setattr(result, "cut", good)

    def turned(lo: Any, hi: Any, lo_open: bool, hi_open: bool, binding: Any) -> Any:
        return Stretch(lo, hi, not lo_open, not hi_open, binding)

    monkeypatch.setattr(result, "Stretch", turned)
    assert sum(bool(ranges.tried(SEED, number)[0]) for number in range(8)) >= 4


def test_a_lower_bound_that_is_a_little_too_high_is_beaten(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a millionth: points that the statement admits lie below it."""
    good = optima.tune

    def high(id: str, **values: Any) -> Any:
        best = good(id, **values)
        raised = best.lower_bound * (1 + 1e-6)
        return replace(best, lower_bound=raised)

    monkeypatch.setattr(optima, "tune", high)
    monkeypatch.setattr(optima, "_minimiser", lambda attack: iter(()))
    assert sum(" below " in optima.tried(SEED, number)[0] for number in range(3)) >= 2


def test_what_does_not_end_is_killed_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that takes too long costs its process, not the numbers after it."""

    def stuck(seed: int, number: int) -> str:
        while number == 1:
            pass
        return "third" if number == 2 else ""

    monkeypatch.setattr(fuzz, "KILLED", 0.5)
    monkeypatch.setattr(fuzz, "asked", lambda part: stuck)

    told = list(fuzz.found("lines", SEED, 3))
    assert told == [(1, "killed after 0 s of processor time"), (2, "third")]
