"""IDX: the format of MNIST, Fashion-MNIST and EMNIST; images in one file, labels in another."""

from __future__ import annotations

import re
import struct
from itertools import pairwise
from pathlib import Path

import numpy as np

from fedproof.problems.data.files import check_array, opened, read_exactly
from fedproof.problems.data.raw import Raw
from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError

ENDINGS: tuple[str, ...] = ()
_NAME = re.compile(r"(?P<stem>.*)(?P<kind>images|labels)(?P<dash>[-._])idx(?P<axes>[13])-ubyte(?P<gz>\.gz)?")
_PART = re.compile("train|t10k|test")
_IMAGES, _LABELS = 0x0803, 0x0801
_CURE = "name the files as MNIST does: train-images-idx3-ubyte and train-labels-idx1-ubyte"


def claims(path: Path) -> bool:
    """A file with such a name, or a folder that holds one."""
    names = [path] if path.is_file() else _folder(path)
    return any(_NAME.fullmatch(p.name) for p in names)


def files(path: Path) -> tuple[Path, ...]:
    """Images and labels, pair after pair; of a folder all pairs, by name (t10k before train)."""
    return tuple(file for pair in _pairs(path) for file in pair)


def read(path: Path) -> Raw:
    """Pixels divided by 255, images as rows, row by row; rows are counted from 0 over all pairs.

    Arguments:
        path: images or labels of a pair, which alone is read; or a folder: its train and t10k are joined.

    Raises: DataError naming file and cure; sizes in headers are checked before anything is allocated by them.
    """
    pairs = _pairs(path)
    found = [(_values(images, _IMAGES, 3), _values(labels, _LABELS, 1)) for images, labels in pairs]
    form = found[0][0].shape[1:]
    for (file, beside), (x, y) in zip(pairs, found, strict=True):
        if len(x) != len(y):
            raise DataError(str(file), f"{len(x)} images", f"{len(y)}, as {beside.name} has labels",
                            "take files of one set")  # fmt: skip
        if x.shape[1:] != form:
            raise DataError(str(file), f"images of {x.shape[1:]} pixels", f"{form} as in {pairs[0][0].name}",
                            "join files of one set")  # fmt: skip
    ends = np.cumsum([0, *(len(y) for _, y in found)])
    pixels = int(np.prod(form))
    check_array(path, int(ends[-1]), pixels)
    features = np.empty((ends[-1], pixels))
    for (x, _), (start, end) in zip(found, pairwise(ends), strict=True):
        np.divide(x.reshape(-1, pixels), 255, out=features[start:end])
    labels = np.concatenate([y for _, y in found]).astype(np.int64)
    return Raw(features, labels, lambda row: f"row {row}")


def _pairs(path: Path) -> list[tuple[Path, Path]]:
    """Images with their labels, packed or not."""
    names = [path] if path.is_file() else [p for p in _folder(path) if "images" in p.name]
    pairs: dict[str, tuple[Path, Path]] = {}
    for name in names:
        parts = _NAME.fullmatch(name.name)
        if parts is None:
            continue
        images, labels = (_other(name, parts, kind, axes) for kind, axes in (("images", 3), ("labels", 1)))
        pairs.setdefault(parts["stem"], (images, labels))
    if not pairs:
        raise DataError(str(path), "no IDX files", "images and labels", _CURE)
    sets = {_PART.sub("", stem) for stem in pairs}
    if len(sets) > 1:
        raise DataError(str(path), f"several sets: {', '.join(sorted(pairs))}", "one set, train and test",
                        "give one of its files, or a folder for each set")  # fmt: skip
    return [pairs[stem] for stem in sorted(pairs)]


def _other(path: Path, parts: re.Match[str], kind: str, axes: int) -> Path:
    """The file of this kind that goes with `path`."""
    if parts["kind"] == kind:
        return path
    plain = f"{parts['stem']}{kind}{parts['dash']}idx{axes}-ubyte"
    for name in (plain, f"{plain}.gz"):
        if path.with_name(name).is_file():
            return path.with_name(name)
    raise DataError(str(path), f"no {plain} beside it", "images and labels, .gz or not", _CURE)


def _folder(path: Path) -> list[Path]:
    """Its files in order of name: unpacked before packed ones."""
    return (
        sorted(p for p in path.iterdir() if p.is_file() and _NAME.fullmatch(p.name)) if path.is_dir() else []
    )


def _values(path: Path, magic: int, axes: int) -> Array:
    """The bytes of a file as an array of the shape in its header."""
    with opened(path) as stream:
        start = stream.read(4 + 4 * axes)
        if len(start) < 4 + 4 * axes:
            raise DataError(str(path), f"{len(start)} bytes", f"a header of {4 + 4 * axes}", "fetch it again")
        found, *shape = struct.unpack(f">{1 + axes}I", start)
        if found != magic:
            raise DataError(str(path), f"magic number {found:#010x}", f"{magic:#010x}", _CURE)
        if 0 in shape:
            raise DataError(str(path), f"a header of sizes {shape}", "sizes of at least 1", "fetch it again")
        size = int(np.prod(shape, dtype=object))
        check_array(path, shape[0], size // shape[0])
        content = read_exactly(stream, size, path, "data")
    return np.frombuffer(content, dtype=np.uint8).reshape(shape)
