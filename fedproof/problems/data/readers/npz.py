"""NumPy's npz: arrays `features` and `labels`, or `X` and `y`, and optionally `owners`."""

from __future__ import annotations

import io
import sys
import zipfile
import zlib
from contextlib import ExitStack
from lzma import LZMAError
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from fedproof.problems.data.files import MOST_BYTES, check_array, opened
from fedproof.problems.data.raw import Raw, named
from fedproof.vocabulary.errors import DataError

ENDINGS = (".npz",)
_PAIRS = (("features", "labels"), ("X", "y"))
_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
_CURE = "save with numpy.savez(path, features=..., labels=...)"


def read(path: Path) -> Raw:
    """Features and labels, and who wrote what where `owners` says so; rows are counted from 0.

    Raises: DataError naming file and cure; nothing is unpickled.
    """
    try:
        with ExitStack() as stack:
            plain = stack.enter_context(opened(path))
            content = (
                io.BytesIO(plain.read()) if path.suffix == ".gz" else stack.enter_context(path.open("rb"))
            )
            _check_sizes(path, content)
            content.seek(0)
            arrays = stack.enter_context(np.load(content, allow_pickle=False))
            pair = next((p for p in _PAIRS if set(p) <= set(arrays.files)), None)
            if pair is None:
                got = f"arrays {', '.join(arrays.files)}"
                raise DataError(str(path), got, "features and labels", _CURE)
            features, labels = arrays[pair[0]], arrays[pair[1]]
            owners = arrays["owners"] if "owners" in arrays.files else None
    except DataError:
        raise
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error, LZMAError,
            NotImplementedError, RuntimeError, SyntaxError, TypeError, OverflowError) as error:  # fmt: skip
        raise DataError(str(path), error, "an npz file of plain arrays", _CURE) from None
    if features.ndim != 2 or labels.shape != (len(features),) or not features.size:
        got = f"shapes {features.shape} and {labels.shape}"
        raise DataError(str(path), got, "shapes (rows, p) and (rows,)", _CURE)
    if features.dtype.kind not in "fiub":
        raise DataError(str(path), f"features of type {features.dtype}", "numbers", _CURE)
    if labels.dtype.kind not in "fiubUS":
        raise DataError(str(path), f"labels of type {labels.dtype}", "numbers or text", _CURE)
    if owners is not None and (owners.shape != labels.shape or owners.dtype.kind not in "iubUS"):
        raise DataError(str(path), f"owners of shape {owners.shape} and type {owners.dtype}",
                        "a number or a name for each row", _CURE)  # fmt: skip
    check_array(path, *features.shape)
    for what, array in (("labels", labels), ("owners", owners)):
        if array is not None and not _readable(array):
            raise DataError(str(path), f"{what} of no text", "numbers, or names in ASCII or Unicode", _CURE)
    numbered, names = (None, None) if owners is None else named(owners)
    return Raw(features.astype(np.float64), labels, lambda row: f"row {row}", numbered, names)


def _check_sizes(path: Path, content: BinaryIO) -> None:
    """Refuse an archive that would unpack to too much, and arrays whose header claims what is not there."""
    with zipfile.ZipFile(content) as archive:
        members = archive.infolist()
        size = sum(member.file_size for member in members)
        if size > MOST_BYTES:
            raise DataError(str(path), f"{size} bytes once unpacked", f"at most {MOST_BYTES} bytes")
        for member in members:
            with archive.open(member) as stream:
                begins = stream.read(len(np.lib.format.MAGIC_PREFIX))
            if begins != np.lib.format.MAGIC_PREFIX:
                continue
            with archive.open(member) as stream:
                shape, _, kind = _HEADERS[np.lib.format.read_magic(stream)](stream)
                left = member.file_size - stream.tell()
            claimed = prod(shape) * kind.itemsize
            if not kind.hasobject and claimed != left:
                raise DataError(f"{path}, {member.filename}", f"{left} bytes of data",
                                f"{claimed} by its header", "save it again")  # fmt: skip


def _readable(array: Any) -> bool:
    """Whether names are text: bytes of ASCII, or code points that exist."""
    if array.dtype.kind == "S":
        return max(array.tobytes(), default=0) < 128
    if array.dtype.kind == "U":
        points = np.frombuffer(array.astype(array.dtype.newbyteorder("=")).tobytes(), dtype=np.uint32)
        return bool((points <= sys.maxunicode).all() and not ((0xD800 <= points) & (points < 0xE000)).any())
    return True
