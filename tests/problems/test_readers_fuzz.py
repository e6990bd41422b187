"""Whatever bytes a file holds: a dataset without NaN comes out, or one DataError."""

from __future__ import annotations

import gzip
import io
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fedproof.problems.data.data_files import read_dataset
from fedproof.vocabulary.errors import DataError
from tests.problems.formats import CSV, LIBSVM, images, labels, leaf


def npz() -> bytes:
    """A small archive."""
    out = io.BytesIO()
    np.savez(out, features=np.eye(3), labels=np.array([0, 1, 1]))
    return out.getvalue()


SEEDS = {
    "d.csv": CSV,
    "d.svm": LIBSVM,
    "q.svm": b"1 qid:3 1:2 4:1\n2 qid:12 2:.5 # x\n1 qid:3 1:1\n",
    "d.npz": npz(),
    "d.json": leaf(),
    "train-images-idx3-ubyte": images(),
    "train-labels-idx1-ubyte": labels(),
}
FOLDER = tempfile.TemporaryDirectory()
for seed, whole in SEEDS.items():
    (Path(FOLDER.name) / seed).write_bytes(whole)


def outcome(name: str, content: bytes) -> str:
    """The error that these bytes lead to under this name, or "read"."""
    path = Path(FOLDER.name) / name
    path.write_bytes(content)
    try:
        data = read_dataset(path)
    except DataError as error:
        return f"{error}\n"
    finally:
        path.write_bytes(SEEDS[name])
    assert np.isfinite(data.features).all()
    assert data.labels.shape == (len(data.features),)
    assert set(np.unique(data.labels)) == set(range(data.classes))
    return "read"


@pytest.mark.parametrize("name", SEEDS)
@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(data=st.data())
def test_a_few_changed_bytes(name: str, data: st.DataObject) -> None:
    """Bytes changed, cut out or put in anywhere: nothing but a DataError comes out."""
    content = bytearray(SEEDS[name])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        taken = data.draw(st.integers(0, 6))
        content[at : at + taken] = data.draw(st.binary(max_size=6))
    packed = data.draw(st.booleans())

    said = outcome(name, gzip.compress(content) if packed else bytes(content))

    assert said == "read" or said.count("\n") == 1


@pytest.mark.parametrize("name", SEEDS)
@settings(max_examples=20, deadline=None, derandomize=True, database=None)
@given(content=st.binary(max_size=200), packed=st.booleans())
def test_any_bytes(name: str, content: bytes, packed: bool) -> None:
    """Any bytes at all, packed or not."""
    said = outcome(name, gzip.compress(content) if packed else content)

    assert said == "read" or said.count("\n") == 1


@pytest.mark.parametrize("name", [n for n in SEEDS if n != "d.npz"])
@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(data=st.data())
def test_flipped_bits_in_gzip(name: str, data: st.DataObject) -> None:
    """A bit flipped in a packed file is noticed, but one that means nothing: in the header, or as padding."""
    content = bytearray(gzip.compress(SEEDS[name]))
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] ^= 1 << data.draw(st.integers(0, 7))

    if outcome(name, bytes(content)) == "read":
        assert gzip.decompress(content) == SEEDS[name]


@pytest.mark.parametrize("name", SEEDS)
def test_every_cut(name: str) -> None:
    """A file cut short is refused wherever it was cut; rows of text may end anywhere."""
    whole = SEEDS[name]
    read = [n for n in range(0, len(whole), 1 + len(whole) // 60) if outcome(name, whole[:n]) == "read"]

    assert outcome(name, whole) == "read"
    if not name.endswith((".csv", ".svm")):
        assert read == []
