"""Parquet and Feather are tables like any other; without pyarrow one line says what to install."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fedproof as fp
from fedproof.vocabulary.errors import DataError
from tests.refusals import refused

NAMES = ["d.parquet", "d.pq", "d.feather", "d.ftr"]
RNG = np.random.default_rng(4)
FRAME = pd.DataFrame({
    "age": RNG.integers(20, 90, 60), "dose": RNG.standard_normal(60), "sex": RNG.choice(["f", "m"], 60),
    "hospital": RNG.choice(["h2", "h10"], 60), "ill": RNG.integers(0, 2, 60).astype(bool),
})  # fmt: skip


def written(path: Path, frame: pd.DataFrame = FRAME) -> Path:
    """The frame as a file in the format of its ending."""
    pytest.importorskip("pyarrow", reason="pyarrow, the extra parquet, is not installed")
    (frame.to_parquet if path.suffix in (".parquet", ".pq") else frame.to_feather)(path)
    return path


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_the_problem_of_its_frame(name: str, tmp_path: Path) -> None:
    """Types and names come back as they were written: one digest, names of clients and columns."""
    file: Any = fp.problem(written(tmp_path / name), client="hospital", label="ill")
    memory: Any = fp.problem(FRAME, client="hospital", label="ill")

    assert file.digest == memory.digest
    assert file.origin.clients == ("h2", "h10")
    assert file.origin.reading.columns == ("age", "dose", "sex=f", "sex=m")


def test_an_index_with_a_name_is_a_column(tmp_path: Path) -> None:
    """What pandas keeps beside the columns is not lost."""
    path = written(tmp_path / "d.parquet", FRAME.set_index("hospital"))

    assert fp.problem(path, client="hospital", label="ill").n_clients == 2


@pytest.mark.parametrize("name", NAMES)
def test_missing_values_of_a_columnar_file(name: str, tmp_path: Path) -> None:
    """Null is a missing value, of numbers and of text."""
    frame = FRAME.assign(age=FRAME["age"].astype("Int64"))
    frame.loc[3, ["age", "sex"]] = None
    path = written(tmp_path / name, frame)
    said = refused(DataError, None, fp.problem, path, client="hospital", label="ill")

    assert "(column age: 1, column sex: 1; the first in row 3)" in said
    assert fp.problem(path, client="hospital", label="ill", missing="drop").sizes.sum() == 59


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "content", [b"", b"PAR1", b"x" * 1000, b"PAR1" + bytes(99) + b"PAR1", b"ARROW1" + bytes(50)]
)
def test_a_broken_columnar_file(name: str, content: bytes, tmp_path: Path) -> None:
    """Empty, cut short or of another kind: one line that names the file."""
    pytest.importorskip("pyarrow", reason="pyarrow, the extra parquet, is not installed")
    (tmp_path / name).write_bytes(content)
    said = refused(DataError, None, fp.problem, tmp_path / name, split="iid")

    assert str(tmp_path)[:20] in said
    assert said.endswith("save it again")


@pytest.mark.parametrize("name", NAMES)
def test_cells_that_are_no_values(name: str, tmp_path: Path) -> None:
    """Dates and lists are refused with the column."""
    for cell in (pd.Timestamp("2020-01-01"), [1, 2]):
        path = written(tmp_path / name, FRAME.assign(dose=[cell] * 60))
        said = refused(DataError, None, fp.problem, path, client="hospital", label="ill")
        assert "column dose: got" in said


@pytest.mark.parametrize("name", NAMES)
def test_without_pyarrow_the_extra_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line says what to install, or how to do without."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / name).write_bytes(b"PAR1")
    said = refused(DataError, None, fp.problem, tmp_path / name, split="iid")

    assert "got no pyarrow, expected the extra parquet; run pip install 'fedproof[parquet]'" in said


def test_what_would_not_fit_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows and columns of a Parquet file are known before it is read."""
    path = written(tmp_path / "d.parquet")
    monkeypatch.setattr(sys.modules["fedproof.problems.data.files"], "MOST_ARRAY", 1000)
    monkeypatch.setattr(pd, "read_parquet", lambda *a, **k: pytest.fail("it was read"))

    assert "60 rows x 5 features" in refused(DataError, None, fp.problem, path, client="hospital")


@pytest.mark.parametrize("name", NAMES)
def test_long_names_of_clients_beside_a_missing_one(name: str, tmp_path: Path) -> None:
    """Numbers of 64 bits stay as they are where one is missing: 2^53 and 2^53 + 1 are two clients."""
    arrow = pytest.importorskip("pyarrow", reason="pyarrow, the extra parquet, is not installed")
    kind, write = ("parquet", "write_table") if name[-1] in "tq" else ("feather", "write_feather")
    ids = [*([2**53, 2**53 + 1] * 30)[:59], None]  # written by no pandas, which notes its own types
    table = arrow.table({"hospital": ids, "dose": FRAME["dose"].tolist(), "ill": FRAME["ill"].tolist()})
    path = tmp_path / name
    getattr(importlib.import_module(f"pyarrow.{kind}"), write)(table, path)
    found: Any = fp.problem(path, client="hospital", label="ill", missing="drop")

    assert found.origin.clients == (str(2**53), str(2**53 + 1))
    assert found.sizes.tolist() == [30, 29]
