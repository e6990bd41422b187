"""The page on sweeps shows a Dask cluster; where Dask is installed, what it shows is run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import fedproof
from tests.solvers.sweeps import bits

PAGE = Path(__file__).parents[2] / "docs" / "sweeps.md"


def test_the_page_has_a_dask_example() -> None:
    """One Python program, which gives the work to Dask."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)

    assert len(blocks) == 1
    assert 'parallel_config(backend="dask")' in blocks[0]


def test_a_local_cluster_gives_the_same_bits(tmp_path: Path) -> None:
    """The page's program runs as it stands, and its runs are those of one process."""
    pytest.importorskip("distributed")
    program = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert program is not None
    (tmp_path / "example.py").write_text(program[1])
    command = [sys.executable, "example.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    same = {"grid": {"tau": [5, 10]}, "beta": 5, "seeds": 3, "rounds": 5}
    found = fedproof.sweep("fedproxvr", "digits", folder=tmp_path / "runs", **same)

    assert found.found == 6
    assert bits(found.histories) == bits(fedproof.sweep("fedproxvr", "digits", **same).histories)
