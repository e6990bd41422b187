"""Settings of the tests of runs."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def threads_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds as small as those of tests are cut into blocks too, for as many threads as are asked for."""
    monkeypatch.setattr("fedproof.solvers.blocks.LEAST_WORK", 1)
