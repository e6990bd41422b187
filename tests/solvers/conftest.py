"""Settings and folders that the tests of runs share."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from tests.solvers.sweeps import small


@pytest.fixture(autouse=True)
def workers_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds and sweeps as small as those of tests are shared too, by as many workers as are asked for."""
    monkeypatch.setattr("fedproof.solvers.blocks.LEAST_WORK", 1)
    monkeypatch.setattr("fedproof.solvers.runs.run_specs.WORTH_WORKERS", 0)


@pytest.fixture(scope="session")
def stored_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the small sweep, done once."""
    folder = tmp_path_factory.mktemp("small")
    small(folder=folder)
    return folder


@pytest.fixture
def finished(tmp_path: Path, stored_runs: Path) -> Path:
    """A folder of a test's own in which the small sweep was done."""
    return Path(copytree(stored_runs, tmp_path, dirs_exist_ok=True))
