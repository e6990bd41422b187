"""Verdicts on disk: faster, and never anything else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

from fedproof.proof.engines import engine_pair as pairs
from fedproof.proof.engines import resource_limits as limits
from fedproof.proof.engines import smt as engine
from fedproof.proof.engines import verdict_cache as store
from fedproof.proof.engines.engine_pair import EnginePair
from fedproof.proof.engines.smt import EnginesDisagree, prove
from fedproof.proof.engines.smtlib import refutation
from fedproof.vocabulary.files import cache_folder
from tests.proof.test_engines_children import Scripted

x = sp.Symbol("x", real=True)
TEXT = refutation([x > 1], x**2 > 1)
OUTSIDE = os.environ["FEDPROOF_CACHE"]
BOTH = {"z3": "unsat", "cvc5": "unsat"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    monkeypatch.setenv("FEDPROOF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def files(folder: Path) -> list[Path]:
    """All that was written."""
    return sorted(p for p in folder.rglob("*") if p.is_file())


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The engines that were asked so far; both say unsat at once."""
    monkeypatch.setattr(pairs, "EngineProcess", Scripted)
    monkeypatch.setattr(Scripted, "script", BOTH)
    monkeypatch.setattr(Scripted, "asked", [])
    return Scripted.asked


@pytest.mark.parametrize("answer", store.STORABLE)
def test_a_verdict_is_found_again(answer: str) -> None:
    """What was filed is recalled under its key and no other."""
    store.write_cached(store.key("a"), answer)

    assert store.read_cached(store.key("a")) == answer
    assert store.read_cached(store.key("b")) is None


@pytest.mark.parametrize(
    "answer", ["unknown (backstop)", "unknown (crash)", "unknown (memory)", "", "unreadable: x"]
)
def test_what_a_clock_or_an_accident_decided_is_not_kept(answer: str, folder: Path) -> None:
    """Only what the question alone decides is written."""
    store.write_cached(store.key("a"), answer)

    assert files(folder) == []


def test_a_new_run_asks_no_engine(asked: list[str]) -> None:
    """Both verdicts come from the cache."""
    assert [EnginePair().ask(TEXT, 4.0) for _ in range(2)] == [BOTH, BOTH]
    assert asked == ["z3", "cvc5"]


@pytest.mark.parametrize("changed", ["version", "translation", "limit", "text"])
def test_a_verdict_holds_for_its_circumstances_only(
    changed: str, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another engine's version, translation, limit or text is another question."""
    EnginePair().ask(TEXT, 4.0)
    if changed == "version":
        monkeypatch.setattr(limits, "version_of", lambda package: "0.0")
    if changed == "translation":
        monkeypatch.setattr(pairs, "TRANSLATION", "another")
    text = TEXT if changed != "text" else TEXT.replace("1", "2")

    EnginePair().ask(text, 4.0 if changed != "limit" else 5.0)
    assert asked == ["z3", "cvc5"] * 2


def test_an_engine_without_a_version_is_not_cached(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the version is unknown nothing is filed."""
    monkeypatch.setattr(limits, "version_of", lambda package: None)

    assert EnginePair().ask(TEXT, 4.0) == BOTH
    assert files(folder) == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data[:-2],
        lambda data: data.replace(b"unsat", b"sat"),
        lambda data: data.replace(b"unsat", b"proved"),
        lambda data: data + b"more\n",
        lambda data: b"\xff\xfe" + data,
        lambda data: b"unsat\n",
    ],
    ids=["empty", "cut", "turned", "unheard of", "longer", "not text", "unchecked"],
)
def test_a_file_that_is_not_as_written_is_a_miss(spoil: Any, folder: Path, asked: list[str]) -> None:
    """A spoilt entry is asked anew and then mended."""
    EnginePair().ask(TEXT, 4.0)
    good = {path: path.read_bytes() for path in files(folder)}
    for path, data in good.items():
        path.write_bytes(spoil(data))

    assert EnginePair().ask(TEXT, 4.0) == BOTH
    assert asked == ["z3", "cvc5"] * 2
    assert {path: path.read_bytes() for path in files(folder)} == good


def test_a_file_under_another_name_is_a_miss() -> None:
    """An entry that was moved says nothing about the question that it now seems to answer."""
    here, there = store.key("a"), store.key("b")
    store.write_cached(here, "unsat")
    store.write_cached(there, "sat")
    path, other = store._path(here), store._path(there)
    assert path is not None
    assert other is not None
    path.replace(other)

    assert store.read_cached(there) is None


def test_a_folder_that_cannot_be_written_is_no_hindrance(folder: Path) -> None:
    """Without a place to keep verdicts they are found all the same."""
    folder.write_text("a file where the folder should be")

    assert EnginePair().ask(TEXT, 4.0) == BOTH
    assert folder.read_text() == "a file where the folder should be"


@pytest.mark.parametrize("value", ["", "off", " OFF "])
def test_the_cache_can_be_turned_off(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then nothing is written anywhere."""
    monkeypatch.setenv("FEDPROOF_CACHE", value)

    assert cache_folder() is None
    assert EnginePair().ask(TEXT, 4.0) == BOTH


@pytest.mark.parametrize(("mode", "used"), [(0o700, True), (0o755, True), (0o775, True), (0o777, False)])
def test_a_folder_that_everybody_may_write_to_is_not_used(
    mode: int, used: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nor one of another owner: what is stored there would be another's word."""
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(mode)
    monkeypatch.setenv("FEDPROOF_CACHE", str(folder))
    assert (cache_folder() == folder) == used

    monkeypatch.setattr("os.getuid", lambda: folder.stat().st_uid + 1)
    assert cache_folder() is None


def test_the_cache_is_in_the_users_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """XDG_CACHE_HOME where it is an absolute path, else ~/.cache."""
    monkeypatch.delenv("FEDPROOF_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "fedproof"

    for useless in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", useless)
        assert cache_folder() == tmp_path / "home" / ".cache" / "fedproof"


def test_engines_that_disagree_are_noticed_from_the_cache_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A filed sat beside a fresh unsat still breaks the build."""
    store.write_cached(pairs._key("z3", TEXT, limits.LIMITS["z3"].of(20.0)), "sat")
    monkeypatch.setattr(engine, "engine_pair", EnginePair)

    with pytest.raises(EnginesDisagree):
        prove([x > 1], x**2 > 1)
    with pytest.raises(EnginesDisagree):  # now both are filed
        prove([x > 1], x**2 > 1)


WRITER = """
import sys
from fedproof.proof.engines import verdict_cache as store
answer = sys.argv[1]
for n in range(100):
    key = store.key(n % 10)
    store.write_cached(key, answer)
    assert store.read_cached(key) in store.STORABLE, n
"""


def test_processes_may_write_at_once(folder: Path) -> None:
    """Readers see one verdict or another, always whole; nothing half-written stays behind."""
    command = [sys.executable, "-c", WRITER]
    writers = [subprocess.Popen([*command, answer]) for answer in ("sat", "unsat", "unknown (limit)")]

    assert [w.wait(60) for w in writers] == [0, 0, 0]
    assert len(files(folder)) == 10
    assert all(store.read_cached(store.key(n)) in store.STORABLE for n in range(10))


def test_tests_leave_the_users_cache_alone() -> None:
    """Where a test does not say otherwise verdicts go to a folder of this run, for the command line too."""
    assert Path(OUTSIDE).name.startswith("fedproof-tests-")
    assert Path(OUTSIDE).is_dir()
