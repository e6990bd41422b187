"""LEAF's JSON: users, num_samples and user_data, as FEMNIST comes; every row knows its writer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from fedproof.problems.data.files import check_array, opened
from fedproof.problems.data.raw import Raw
from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError

ENDINGS = (".json",)
MOST_BYTES = 1 << 28
"""Of one file: JSON takes many times its bytes in memory until it is read; more is a folder of files."""
_CURE = 'write {"users": [...], "num_samples": [...], "user_data": {user: {"x": [[...], ...], "y": [...]}}}'
_KEYS = {"x", "y"}
_NUMBERS = {int, float}
_KINDS = {int: "a number", float: "a number", str: "text"}


def claims(path: Path) -> bool:
    """A folder with .json files in it."""
    return path.is_dir() and bool(_inside(path))


def files(path: Path) -> tuple[Path, ...]:
    """The file, or all of the folder's .json files by name."""
    return (path,) if path.is_file() else _inside(path)


def read(path: Path) -> Raw:
    """Rows user by user, in order of first appearance; a user in several files is one writer.

    Raises: DataError naming file, user, sample (from 0) and cure.
    """
    features: list[Array] = []
    labels: list[Array] = []
    owners: list[Array] = []
    users: dict[str, int] = {}
    places: list[tuple[str, str]] = []
    for file in files(path):
        for user, x, y in _users(file):
            if features and x.shape[1] != features[0].shape[1]:
                raise DataError(
                    f"{file}, user {user}", f"{x.shape[1]} features", f"{features[0].shape[1]}", _CURE
                )
            features.append(x)
            labels.append(y)
            owners.append(np.full(len(y), users.setdefault(user, len(users))))
            places.append((file.name, user))
            check_array(path, sum(map(len, labels)), x.shape[1])
    ends = np.cumsum([0, *map(len, labels)])

    def place(row: int) -> str:
        part = int(np.searchsorted(ends, row, side="right")) - 1
        file = f"{places[part][0]}, " if path.is_dir() else ""
        return f"{file}user {places[part][1]}, sample {row - ends[part]}"

    return Raw(np.concatenate(features), np.concatenate(labels), place, np.concatenate(owners), tuple(users))


def _inside(path: Path) -> tuple[Path, ...]:
    found = (
        p for p in path.iterdir() if p.is_file() and p.name.lower().removesuffix(".gz").endswith(ENDINGS)
    )
    return tuple(sorted(found))


def _users(path: Path) -> list[tuple[str, Array, Array]]:
    """Name, features and labels of every user of one file."""
    document = _document(path)
    if not isinstance(document, dict) or not {"users", "user_data"} <= set(document):
        raise DataError(str(path), "JSON without users and user_data", "a file of LEAF's", _CURE)
    users, data = document["users"], document["user_data"]
    counts = document.get("num_samples")
    if not isinstance(users, list) or not isinstance(data, dict) or set(map(str, users)) != set(data):
        raise DataError(str(path), "users other than those of user_data", "the same", _CURE)
    if not users or len(set(map(str, users))) != len(users):
        raise DataError(str(path), f"{len(users)} users, or one twice", "each user once", _CURE)
    if counts is not None and (not isinstance(counts, list) or len(counts) != len(users)):
        raise DataError(
            str(path), "num_samples of another length than users", "a number for each user", _CURE
        )
    found = []
    for n, user in enumerate(map(str, users)):
        x, y = _samples(f"{path}, user {user}", data[user])
        if counts is not None and counts[n] != len(y):
            raise DataError(f"{path}, user {user}", f"{len(y)} samples", f"num_samples, {counts[n]}", _CURE)
        found.append((user, x, y))
    return found


def _document(path: Path) -> Any:
    def refuse(word: str) -> Any:
        raise DataError(str(path), word, "finite numbers", "drop or fill the row")

    try:
        with opened(path, MOST_BYTES) as stream:
            content = stream.read()
        return json.loads(content, object_pairs_hook=_compact, parse_constant=refuse)
    except DataError:
        raise
    except (ValueError, RecursionError) as error:
        raise DataError(str(path), error, "a JSON document", _CURE) from None


def _compact(pairs: list[tuple[str, Any]]) -> Any:
    """A user's lists become arrays as soon as they are read: few numbers are objects at a time."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"{len(pairs)} keys, one of them twice")
    if set(found) == _KEYS:
        for key in _KEYS:
            rows = found[key] if key == "x" else [found[key]]
            try:
                if all(set(map(type, row)) <= _NUMBERS for row in rows):
                    found[key] = np.array(found[key], dtype=np.float64)
            except (TypeError, ValueError, OverflowError):
                continue
    return found


def _is_float(value: Any) -> bool:
    """Whether this is a number, not text or true or false, that a float holds or rounds."""
    try:
        return type(value) in _NUMBERS and float(value) == float(value)
    except OverflowError:
        return False


def _samples(where: str, data: Any) -> tuple[Array, Array]:
    """A user's features and whole labels."""
    if not isinstance(data, dict) or not _KEYS <= set(data):
        raise DataError(where, "no x and y", "both", _CURE)
    x, y = data["x"], data["y"]
    if not isinstance(x, np.ndarray) or not isinstance(y, np.ndarray):
        _explain(where, x, y)
    if not x.size:
        raise DataError(where, "no samples", "at least one", "drop the user")
    if x.ndim == 1:
        raise DataError(f"{where}, sample 0", "a number as x", "a list of numbers", _CURE)
    if x.ndim != 2 or y.ndim != 1 or len(x) != len(y):
        raise DataError(
            where, f"x of shape {x.shape} and y of shape {y.shape}", "a label for each row", _CURE
        )
    bad = np.flatnonzero((y != np.floor(y)) | (y < 0))
    if bad.size:
        raise DataError(f"{where}, sample {bad[0]}", f"label {y[bad[0]]}", "a whole number >= 0", _CURE)
    return x, y


def _explain(where: str, x: Any, y: Any) -> None:
    """Name the first sample that cannot be a row of numbers."""
    for name, values in (("x", x), ("y", y)):
        if isinstance(values, np.ndarray):
            continue
        if not isinstance(values, list):
            raise DataError(where, f"{name} of type {type(values).__name__}", "a list", _CURE)
        rows = [value if name == "x" else [value] for value in values]
        width = len(rows[0]) if rows and isinstance(rows[0], list) else 0
        for n, row in enumerate(rows):
            if not isinstance(row, list):
                raise DataError(f"{where}, sample {n}", f"{_KINDS.get(type(row), 'no list')} as x",
                                "a list of numbers", _CURE)  # fmt: skip
            odd = next((v for v in row if not _is_float(v)), None)
            if odd is not None or None in row:
                got = "a number that no float holds" if type(odd) is int else f"{odd!r} in {name}"
                raise DataError(f"{where}, sample {n}", got, "numbers", _CURE)
            if len(row) != width:
                raise DataError(f"{where}, sample {n}", f"{len(row)} numbers", f"{width}", _CURE)
    raise DataError(where, "x and y beside other keys", "x and y alone", _CURE)
