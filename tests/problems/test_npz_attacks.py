"""Archives made to hurt: headers that lie, members that hide, text of no characters, damaged packing."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from fedproof.problems.data.data_files import read_dataset
from fedproof.vocabulary.errors import DataError
from tests.problems.formats import put
from tests.problems.test_readers import refusal


def array(descr: str, shape: tuple[int, ...], content: bytes) -> bytes:
    """An array as numpy writes it, with whatever content."""
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": descr, "fortran_order": False, "shape": shape})
    return head.getvalue() + content


ROWS = array("<f8", (2, 1), bytes(16))
LIE = array("<f8", (2**40, 1), bytes(8))


def archive(folder: Path, packing: int = zipfile.ZIP_STORED, **members: bytes) -> Path:
    """An archive of these members, a dot for each double underscore."""
    path = folder / "d.npz"
    with zipfile.ZipFile(path, "w", packing) as made:
        for name, content in members.items():
            made.writestr(name.replace("__", "."), content)
    return path


def test_npz_headers_that_lie(tmp_path: Path) -> None:
    """An array that claims 2^40 numbers and holds one, and an archive that unpacks to terabytes: at once."""
    path = archive(tmp_path, features__npy=LIE, labels__npy=LIE)
    assert "8 bytes of data, expected 8796093022208 by its header" in refusal(path)

    content = bytearray(path.read_bytes())
    central = content.rindex(b"PK\x01\x02")
    content[central + 24 : central + 28] = struct.pack("<I", 2**32 - 2)
    assert "bytes once unpacked" in refusal(put(tmp_path, "e.npz", bytes(content)))


def test_a_member_is_an_array_by_its_content(tmp_path: Path) -> None:
    """Without the ending .npy, which numpy does not ask for either, a header lies no better."""
    path = archive(tmp_path, features=LIE, labels=LIE)
    assert "8 bytes of data, expected 8796093022208 by its header" in refusal(path)


@pytest.mark.parametrize(
    ("descr", "content"),
    [
        ("<U1", b"\xff\xff\xff\x7f" * 2),
        ("<U1", b"\x00\xd8\x00\x00" * 2),
        (">U1", b"\x7f\xff\xff\xff" * 2),
        ("|S1", b"\xff\xfe"),
    ],
)
@pytest.mark.parametrize("what", ["labels", "owners"])
def test_names_are_text(what: str, descr: str, content: bytes, tmp_path: Path) -> None:
    """Code points that no character has, halves of characters and bytes beyond ASCII are refused."""
    members = {"features__npy": ROWS, "labels__npy": ROWS, f"{what}__npy": array(descr, (2,), content)}
    if what == "owners":
        members["labels__npy"] = array("<f8", (2,), bytes(16))
    assert f"{what} of no text" in refusal(archive(tmp_path, **members))


def test_text_is_read_in_either_byte_order(tmp_path: Path) -> None:
    """Labels "é" and "b" are two kinds."""
    text = "éb".encode("utf-32-be")
    path = archive(tmp_path, features__npy=ROWS, labels__npy=array(">U1", (2,), text),
                   owners__npy=array("<i8", (2,), struct.pack("<2q", 0, 1)))  # fmt: skip

    data = read_dataset(path)
    assert [data.label_text(label) for label in data.labels] == ["é", "b"]


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_damaged_packing_is_refused(packing: int, tmp_path: Path) -> None:
    """Whatever packed a member, a byte of it that is changed ends in one line, or changes nothing."""
    values = np.random.default_rng(0).integers(0, 5, 64).astype(float)
    path = archive(tmp_path, packing, features__npy=array("<f8", (64, 1), values.tobytes()),
                   labels__npy=array("<f8", (64,), values.tobytes()))  # fmt: skip
    whole = path.read_bytes()
    start = whole.index(b"features.npy") + len("features.npy")
    refused = 0
    for at in range(start, start + 40, 3):
        changed = put(tmp_path, "e.npz", whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        try:
            assert (read_dataset(changed).features[:, 0] == values).all()
        except DataError:
            refused += 1
    assert refused >= 10
