"""A user's file: what is read, and what is refused with file, row and cure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fedproof.problems.catalog import make_problem
from fedproof.problems.reading import read_dataset
from fedproof.vocabulary.errors import DataError


def written(folder: Path, text: str, name: str = "data.csv") -> Path:
    """A file with this text."""
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("head", ["", "length,width,kind\n"])
def test_csv(head: str, tmp_path: Path) -> None:
    """Features and labels of any kind, with or without a header; labels are numbered in sorted order."""
    data = read_dataset(written(tmp_path, head + "1,2.5,b\n-1e3,4,a\n\n0,0,b\n"))

    assert data.features.tolist() == [[1, 2.5], [-1000, 4], [0, 0]]
    assert data.labels.tolist() == [1, 0, 1]
    assert data.classes == 2


def test_npz_becomes_a_federated_problem(tmp_path: Path) -> None:
    """Arrays saved by numpy are split over clients, a bias added."""
    path = tmp_path / "data.npz"
    np.savez(path, X=np.arange(12.0).reshape(6, 2), y=np.array([0, 1, 2, 0, 1, 2]))
    problem = make_problem(path, clients=3)

    assert (problem.n_clients, problem.dimension, int(problem.sizes.sum())) == (3, 9, 6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rows"),
        ("1,2,a\n1,b\n", "row 2.*2 columns, expected 3"),
        ("x,y,label\n1,2,a\n1,two,b\n", "row 3.*two"),
        ("1,2,a\n1,nan,b\n", "row 2.*not finite"),
        ("1,2,a\n1,inf,b\n", "row 2.*not finite"),
        ("1,2,a\n1,2,\n", "row 2.*no label"),
        ("1,2,a\n1,2,a\n", "at least two"),
        ("1\n2\n", "no rows of features"),
    ],
)
def test_malformed_csv(text: str, message: str, tmp_path: Path) -> None:
    """The error names file and row, in one line."""
    with pytest.raises(DataError, match=message) as error:
        read_dataset(written(tmp_path, text))

    assert "data.csv" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"a": np.zeros(1)}, "features and labels"),
        ({"features": np.zeros((2, 1)), "labels": np.zeros(3)}, "shapes"),
        ({"features": np.array([[None]]), "labels": np.zeros(1)}, "plain arrays"),
        ({"features": np.array([["x"]]), "labels": np.zeros(1)}, "numbers"),
        ({"features": np.array([[0.0], [np.nan]]), "labels": np.array([0, 1])}, "row 1"),
    ],
)
def test_malformed_npz(arrays: dict[str, Any], message: str, tmp_path: Path) -> None:
    """Missing, misshapen, pickled or textual arrays are refused; nothing is unpickled."""
    path = tmp_path / "data.npz"
    np.savez(path, **arrays)
    with pytest.raises(DataError, match=message):
        read_dataset(path)


def test_files_that_are_not_what_they_say(tmp_path: Path) -> None:
    """A missing file, another kind, bytes that are no text and no archive: one line each."""
    (tmp_path / "bad.csv").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "bad.npz").write_bytes(b"PK\x03\x04 cut short")
    for name, message in [
        ("none.csv", "no such file"),
        ("bad.csv", "comma-separated text"),
        ("bad.npz", "plain arrays"),
    ]:
        with pytest.raises(DataError, match=message):
            read_dataset(tmp_path / name)
    with pytest.raises(DataError, match=r"a \.txt file, expected a file"):
        read_dataset(written(tmp_path, "1,2", "data.txt"))
