"""The page on sweeps shows a Dask cluster, which is run where Dask is installed; what is none is refused."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import fedproof
from fedproof.cli import main
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused
from tests.solvers.sweeps import bits, small

PAGE = Path(__file__).parents[2] / "docs" / "sweeps.md"


def test_the_page_has_a_dask_example() -> None:
    """One Python program, which gives the work to a scheduler by its address."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)

    assert len(blocks) == 1
    assert "scheduler=machines.scheduler_address" in blocks[0]


def test_a_local_cluster_gives_the_same_bits(tmp_path: Path) -> None:
    """The page's program runs as it stands, and its runs are those of one process."""
    pytest.importorskip("distributed")
    program = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert program is not None
    (tmp_path / "example.py").write_text(program[1])
    command = [sys.executable, "example.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    same = {"grid": {"tau": [5, 10]}, "beta": 5, "seeds": 3, "rounds": 5}
    found = fedproof.sweep("fedproxvr", "digits", folder=tmp_path / "runs", **same)

    assert found.found == 6
    assert bits(found.histories) == bits(fedproof.sweep("fedproxvr", "digits", **same).histories)


@pytest.mark.parametrize(
    "address", ["", "8786", "127.0.0.1:8786", "http://h:1", "tcp://h", "tcp://h:x", "tcp://a b:1"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    """Before anything is asked for or imported."""
    refused(InputError, "expected an address; write tcp://HOST:PORT", small, scheduler=address)


def test_workers_and_a_scheduler_are_one_too_many() -> None:
    """Processes here, or those of a cluster."""
    refused(InputError, "leave workers out", small, scheduler="tcp://127.0.0.1:1", workers=2)


@pytest.mark.parametrize("line", [
    ["sweep", "fedavg", "--problem", "quadratic"],
    ["plan", "quadratic", "--epsilon", "0.1"],
    ["figure", "fedproxvr.figure4", "clients=3", "rounds=1", "seeds=1", "-o", "."],
])  # fmt: skip
def test_without_dask_the_package_is_named(
    line: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line that says what to install, for each command that takes a scheduler."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.chdir(tmp_path)
    assert main([*line, "--scheduler", "tcp://127.0.0.1:1"]) == 2
    said = capsys.readouterr().err

    assert said == "fedproof: scheduler: got tcp://127.0.0.1:1, expected Dask; pip install 'fedproof[dask]'\n"
