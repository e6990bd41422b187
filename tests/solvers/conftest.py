"""Settings of the tests of runs."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def workers_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds and sweeps as small as those of tests are shared too, by as many workers as are asked for."""
    monkeypatch.setattr("fedproof.solvers.blocks.LEAST_WORK", 1)
    monkeypatch.setattr("fedproof.solvers.runs.run_specs.WORTH_WORKERS", 0)
