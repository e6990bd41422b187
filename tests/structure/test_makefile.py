"""What `make` does when things go wrong; interpreters here are stand-ins, nothing is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.structure.code import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
GOOD = """#!/bin/sh
case "$1 $2" in
  "-m venv") mkdir -p .venv/bin; cp "$0" .venv/bin/python ;;
  "-m pip") echo "$*" >> pip.log; test ! -e offline ;;
esac
"""
OLD = """#!/bin/sh
test "$1" = --version && echo "Python 3.9.1" && exit 0
exit 1
"""
REFUSAL = "python: got Python 3.9.1, expected Python 3.11 or newer; run make PYTHON=/path/to/python3.11"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """An empty checkout with the Makefile and what it depends on."""
    for name in ["Makefile", "pyproject.toml", "requirements.lock"]:
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def make(folder: Path, interpreter: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run make in a folder with a stand-in interpreter."""
    python = folder / "stand-in"
    python.write_text(interpreter)
    python.chmod(0o755)
    env = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "PYTHON"))}
    command = ["make", *arguments, f"PYTHON={python}"]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60)


def test_make_alone_lists_the_targets(house: Path) -> None:
    """Without a target, make prints a line for each target and installs nothing."""
    done = make(house, GOOD)
    phony = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.M)[0].split()

    assert set(re.findall(r"^make ([\w-]+)", done.stdout, re.M)) == set(phony) - {"help"}
    assert not (house / ".venv").exists()


def test_an_old_python_is_refused_in_one_line(house: Path) -> None:
    """An interpreter older than 3.11 is named, with what is needed, and nothing is made."""
    done = make(house, OLD, "test")
    said = [line for line in done.stderr.splitlines() if not line.startswith("make")]

    assert said == [REFUSAL]
    assert done.returncode == 2
    assert not (house / ".venv").exists()


def test_an_install_that_failed_is_not_taken_for_done(house: Path) -> None:
    """After a failed install the next make starts the environment anew; after a good one it does not."""
    (house / "offline").touch()
    assert make(house, GOOD, ".venv/.ready").returncode == 2
    assert not (house / ".venv/.ready").exists()
    (house / ".venv/half").touch()

    (house / "offline").unlink()
    assert make(house, GOOD, ".venv/.ready").returncode == 0
    assert (house / ".venv/.ready").exists()
    assert not (house / ".venv/half").exists()
    assert not (house / ".venv/.unfinished").exists()
    assert "up to date" in make(house, GOOD, ".venv/.ready").stdout


def test_the_lock_is_installed_by_hash(house: Path) -> None:
    """pip gets the lock with --require-hashes, then the package alone without another resolution."""
    make(house, GOOD, ".venv/.ready")
    first, second = (house / "pip.log").read_text().splitlines()

    assert "--require-hashes -r requirements.lock" in first
    assert "--no-deps --no-build-isolation -e ." in second


def test_a_new_lock_renews_the_environment(house: Path) -> None:
    """Touching the lock or pyproject.toml makes the environment out of date."""
    make(house, GOOD, ".venv/.ready")
    for name in ["requirements.lock", "pyproject.toml"]:
        later = (house / ".venv/.ready").stat().st_mtime + 10
        os.utime(house / name, (later, later))
        assert "up to date" not in make(house, GOOD, ".venv/.ready").stdout
        os.utime(house / ".venv/.ready", (later + 10, later + 10))
