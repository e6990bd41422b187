"""The program on the page of exports that needs Optuna is run where Optuna is installed."""

from __future__ import annotations

import re
from pathlib import Path
from runpy import run_path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "exports.md"


@pytest.mark.filterwarnings("default")
def test_the_program_for_optuna_runs(tmp_path: Path) -> None:
    """As it stands it completes its trials, all of them admissible."""
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    (program,) = re.findall(r"```py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    (tmp_path / "program.py").write_text(program)
    names = run_path(str(tmp_path / "program.py"))

    trials = names["study"].trials
    assert [trial.state.name for trial in trials] == ["COMPLETE"] * 5
    assert all(max(names["space"].constraints(trial)) <= 0 for trial in trials)
