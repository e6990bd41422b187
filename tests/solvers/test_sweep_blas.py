"""A sweep's folder holds runs of one BLAS and one kind of core; another is told, not mixed in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fedproof.solvers.history_file import sealed
from fedproof.solvers.runs import run_store
from fedproof.solvers.runs.sweep import sweep
from fedproof.vocabulary.errors import DataError
from tests.refusals import refused

SWEEP = "import sys; from fedproof.cli import main; sys.exit(main(sys.argv[1:]))"


def asked(folder: Path, seeds: int) -> list[str]:
    """The shell's words for a tiny sweep."""
    tiny = ["--problem", "quadratic", "--rounds", "1", "--seeds", str(seeds), "-o", str(folder)]
    return [sys.executable, "-c", SWEEP, "sweep", "fedavg", *tiny]


def blas_of(folder: Path) -> set[str]:
    """What the records of a folder say of it."""
    return {json.loads(file.read_text())["made_with"]["blas"] for file in folder.glob("*.json")}


def test_another_kind_of_core_is_refused_in_one_line(tmp_path: Path) -> None:
    """Two kinds that OpenBLAS takes for this one by `OPENBLAS_CORETYPE`: the record tells, nothing mixes."""
    for core, seeds in (("Haswell", 1), ("Nehalem", 2)):
        env = {**os.environ, "OPENBLAS_CORETYPE": core}
        done = subprocess.run(asked(tmp_path, seeds), capture_output=True, text=True, timeout=100, env=env)
        if core == "Haswell":
            assert done.returncode == 0
            if not next(iter(blas_of(tmp_path))).endswith("Haswell"):
                pytest.skip("this BLAS takes no word for its core")
            before = sorted(tmp_path.iterdir())

    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Haswell, expected openblas" in done.stderr
    assert "OPENBLAS_CORETYPE=Haswell" in done.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_another_folder_is_the_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same BLAS goes on without a word; of another one folder is refused, a new one takes its runs."""
    first = sweep("fedavg", "quadratic", seeds=1, rounds=1, folder=tmp_path)
    assert sweep("fedavg", "quadratic", seeds=1, rounds=1, folder=tmp_path).notes == ()
    assert first.found == 0

    monkeypatch.setattr(run_store, "_blas", lambda: "openblas 0 Other")
    refused(DataError, "which sums in another order; choose another folder", sweep, "fedavg", "quadratic",
            seeds=1, rounds=1, folder=tmp_path)  # fmt: skip
    assert sweep("fedavg", "quadratic", seeds=1, rounds=1, folder=tmp_path / "other").found == 0
    assert blas_of(tmp_path / "other") == {"openblas 0 Other"}


def test_a_record_that_tells_no_blas_is_used_with_a_note(tmp_path: Path) -> None:
    """Records of before the word was kept go on, and the result says what is not known of them."""
    sweep("fedavg", "quadratic", seeds=1, rounds=1, folder=tmp_path)
    (file,) = tmp_path.glob("*.json")
    document = json.loads(file.read_text())
    del document["made_with"]["blas"]
    file.write_text(json.dumps(sealed(document)))
    again = sweep("fedavg", "quadratic", seeds=1, rounds=1, folder=tmp_path)

    assert again.found == 1
    assert "made with blas that is not told" in again.notes[0]
