"""Settings that every test shares."""

from __future__ import annotations

import atexit
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from fedproof.vocabulary import own_file

# The same examples in every run and on every machine; the clock decides nothing.
settings.register_profile("suite", derandomize=True, deadline=None, database=None)
settings.load_profile("suite")

# Nothing is taken from the user's cache, and nothing left in it: one of this run's own, which the
# workers of a parallel run and the commands that tests start inherit and share.
if "PYTEST_XDIST_WORKER" not in os.environ:
    OWN_CACHE = tempfile.TemporaryDirectory(prefix="fedproof-tests-")
    os.environ["FEDPROOF_CACHE"] = OWN_CACHE.name
    atexit.register(OWN_CACHE.cleanup)


@pytest.fixture
def own_papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for papers in one file, which are forgotten after the test."""
    monkeypatch.setenv(own_file.NAMED, "")
    path = list(sys.path)
    yield tmp_path
    for key in own_file.own_files():
        sys.modules.pop(key, None)
    os.environ[own_file.NAMED] = ""
    sys.path[:] = path
    for forget in own_file.FORGET:
        forget()
