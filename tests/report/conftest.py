"""Hand-made results for the tests of the report."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def fakes() -> ModuleType:
    """The module of hand-made results beside this file."""
    spec = importlib.util.spec_from_file_location("report_fakes", Path(__file__).with_name("fakes.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
