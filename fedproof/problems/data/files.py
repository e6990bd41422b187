"""Opening a user's file within limits: gzip or not, never more than was allowed, one kind of error."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from fedproof.vocabulary.errors import DataError

MOST_BYTES = 1 << 31
"""Of a file, and of what it unpacks to."""
PACKED_BYTES, PACKED_TIMES = 1 << 25, 100
"""A packed file may unpack to so many bytes, or to so many times its own: text packs 3 to 30 times."""
MOST_ARRAY = 1 << 31
"""Bytes of the features once they are an array of float64."""
_GZIP = b"\x1f\x8b"
_FOREIGN = {b"BZ": "bunzip2", b"\xfd7": "unxz", b"\x28\xb5": "unzstd"}


@contextmanager
def opened(path: Path, most: int = MOST_BYTES) -> Iterator[BinaryIO]:
    """The content of a file as a stream, unpacked if it is gzip (which is seen by its first bytes).

    Raises: DataError for what is no plain file, is larger than `most` bytes, packed or unpacked, unpacks to
        `PACKED_TIMES` its size and more than `PACKED_BYTES`, is packed by another program, or is damaged.
    """
    try:
        if not path.is_file():
            raise DataError(str(path), "no such file", "a file", "check the path")
        size = path.stat().st_size
        if size > most:
            raise DataError(str(path), f"{size} bytes", f"at most {most} bytes", "use a part of it")
        with path.open("rb") as plain:
            start = plain.read(2)
            plain.seek(0)
            if start in _FOREIGN:
                raise DataError(str(path), "a file packed by another program than gzip", "gzip or plain",
                                f"unpack it with {_FOREIGN[start]}")  # fmt: skip
            if start == _GZIP:
                packed = min(most, max(PACKED_BYTES, PACKED_TIMES * size))
                yield io.BufferedReader(_Capped(gzip.GzipFile(fileobj=plain), packed, path))
            else:
                yield io.BufferedReader(_Capped(plain, most, path))
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(
            str(path), f"damaged gzip ({error})", "a whole file", "fetch or pack it again"
        ) from None
    except OSError as error:
        raise DataError(str(path), error.strerror or error, "a file that can be read") from None


def read_exactly(stream: BinaryIO, size: int, path: Path, what: str) -> bytes:
    """The next `size` bytes, and nothing may follow; memory grows with what is there, not with `size`.

    Raises: DataError for a file that holds fewer or more.
    """
    pieces, left = [], size
    while left and (piece := stream.read(min(left, 1 << 20))):
        pieces.append(piece)
        left -= len(piece)
    if left:
        raise DataError(
            str(path), f"{size - left} bytes of {what}", f"{size} by its header", "fetch it again"
        )
    if stream.read(1):
        raise DataError(str(path), f"more than {size} bytes of {what}", f"{size} by its header",
                        "fetch it again")  # fmt: skip
    return b"".join(pieces)


def check_array(path: Path | str, rows: int, columns: int) -> None:
    """Refuse features that would not fit in memory as an array, before it is made.

    Raises: DataError with how many rows would fit.
    """
    if rows * columns * 8 > MOST_ARRAY:
        fit = MOST_ARRAY // (8 * columns)
        cure = f"keep at most {fit} rows" if fit else "keep fewer features"
        expected = f"at most {MOST_ARRAY >> 30} GiB of them as an array"
        raise DataError(str(path), f"{rows} rows x {columns} features", expected, cure)


class _Capped(io.RawIOBase):
    """A stream that stops with an error once it has given more than it may."""

    def __init__(self, source: BinaryIO | gzip.GzipFile, most: int, path: Path) -> None:
        self._source, self._left, self._most, self._path = source, most, most, path

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._source.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise DataError(str(self._path), f"over {self._most} bytes once unpacked",
                            f"at most {self._most}", "unpack it with gunzip, or use a part")  # fmt: skip
        buffer[: len(data)] = data
        return len(data)
