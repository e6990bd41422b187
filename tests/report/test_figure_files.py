"""What a report keeps of a figure: the drawing, its facts, and its table packed."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from fedproof.figures.api import figure
from fedproof.figures.catalog import load
from fedproof.report.parts import figure_job

ID = "fedproxvr.figure1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report's folder with one figure."""
    made = tmp_path_factory.mktemp("report")
    document = figure_job(ID).make(made, lambda said: None)
    assert sorted(document["files"]) == sorted(f"figures/{p.name}" for p in (made / "figures").iterdir())
    assert document["table"] == f"figures/{ID}.csv.xz"
    return made


def test_the_table_is_the_figures_own(folder: Path, tmp_path: Path) -> None:
    """pandas reads the packed table as it reads the plain one, value by value."""
    figure(ID, tmp_path, size=load(ID).SPEC.brief)
    plain, packed = tmp_path / f"{ID}.csv", folder / f"figures/{ID}.csv.xz"

    pd.testing.assert_frame_equal(pd.read_csv(packed), pd.read_csv(plain))
    assert packed.stat().st_size < plain.stat().st_size / 2


def test_it_is_packed_alike_every_time(folder: Path, tmp_path: Path) -> None:
    """No clock is in the file, so that what is stored has one digest."""
    figure_job(ID).make(tmp_path, lambda said: None)
    assert (tmp_path / f"figures/{ID}.csv.xz").read_bytes() == (folder / f"figures/{ID}.csv.xz").read_bytes()
