"""What is told while a command works, and where its files go."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from fedproof import terminal
from fedproof.cli import main
from fedproof.terminal import progress, waiting
from fedproof.vocabulary.progress import Note

Shown = Callable[[bool], AbstractContextManager[Note]]


@pytest.mark.parametrize("shown", [lambda q: progress("plan x", None, q), lambda q: waiting("plan x", q)])
def test_long_work_is_announced_once_off_a_terminal(
    shown: Shown, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line on stderr, with what was last noted; none of quiet or short work."""
    monkeypatch.setattr(terminal, "SILENT", 0.05)
    for quiet, seconds in ((True, 0.2), (False, 0.2), (False, 0.0)):
        with shown(quiet) as tell:
            tell("constants")
            time.sleep(seconds)
    said = capsys.readouterr()

    assert said.out == ""
    assert said.err == "plan x: at work for 0.05 s; last: constants; Ctrl-C ends it\n"


@pytest.mark.parametrize("line", [
    "check fedproxvr.lemma1.sarah L=1 lam=0 mu=1/2 beta=2 tau=9 theta=1/10",
    "range fedproxvr.lemma1.sarah beta L=1 lam=0 theta=1 mu=20",
    "tune fedproxvr L=1 lam=1/2 sigma2=1 gamma=0.01",
    "measure quadratic --rounds 1 --seeds 2",
])  # fmt: skip
def test_a_document_on_stdout_hides_no_wait(
    line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --json too, long work is told of on stderr; with --quiet, where there is one, it is not."""
    monkeypatch.setattr(terminal, "SILENT", 1e-4)
    words = line.split()

    assert main([*words, "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)
    assert said.err.startswith(f"{words[0]} {words[1]}")
    assert said.err.endswith("Ctrl-C ends it\n")
    if words[0] == "measure":
        assert main([*words, "--json", "--quiet"]) == 0
        assert capsys.readouterr().err == ""


def test_a_region_makes_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As other commands that write do."""
    path = tmp_path / "new" / "folder" / "region.csv"
    line = "region fedproxvr.lemma1.sarah beta tau L=1 lam=0 theta=1 mu=20 --columns 3 -o"

    assert main([*line.split(), str(path)]) == 0
    assert path.read_text().startswith("beta")
    assert not capsys.readouterr().err


def test_a_region_for_no_file_is_refused_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, and without a folder for it."""
    line = "region fedproxvr.lemma1.sarah beta tau L=1 lam=0 theta=1 mu=20 -o"

    assert main([*line.split(), str(tmp_path / "new" / "region.bad")]) == 2
    assert capsys.readouterr().err.startswith("fedproof: output: got region.bad, expected one of .svg")
    assert not (tmp_path / "new").exists()
