"""LIBSVM's text: a label, maybe qid:N, then index:value pairs with ascending indices, one row a line."""

from __future__ import annotations

import io
import re
from array import array
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from fedproof.problems.data.files import check_array, opened
from fedproof.problems.data.raw import Raw, named
from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError

ENDINGS = (".libsvm", ".svm", ".svmlight")
#: what `client` may be here: rows with the same N in qid:N are one client's
CLIENT = "qid"
# Each repetition is possessive, so that a long run of digits or blanks is gone through once.
_NUMBER = rb"[+-]?+(?:\d++\.?+\d*+|\.\d++)(?:[eE][+-]?+\d++)?+"
_PAIR = rb"\d{1,9}+:" + _NUMBER
_QID = rb"qid:(\d{1,18}+)"
_START = _NUMBER + rb"(?:[ \t]++" + _QID + rb"(?=\s|#|\Z))?+"
_LINE = re.compile(rb"\s*+(?:" + _START + rb"(?:[ \t]++" + _PAIR + rb")*+)?+\s*+(?:#.*+)?+", re.S)
_FIRST = re.compile(rb"\s*+(?:#[^\n]*+\n\s*+)*+" + _START + rb"(?:[ \t]++" + _PAIR + rb")++\s")
_CURE = "write it as LABEL INDEX:VALUE INDEX:VALUE ..."


def claims(path: Path) -> bool:
    """A file of another ending whose first line, after comments, is a label and pairs."""
    if not path.is_file():
        return False
    try:
        with opened(path) as stream:
            return _FIRST.match(stream.read(1 << 16) + b"\n") is not None
    except DataError:
        return False


def read(path: Path) -> Raw:
    """Features as a full array, columns as the indices have them: from 0 if index 0 occurs, else from 1.

    Every line is looked at before scikit-learn's `load_svmlight_file` reads the file.

    Returns: owners by qid where any row has one, -1 for rows without.
    Raises: DataError naming file, row (from 1, empty lines counted) and cure; also for over 2 GiB.
    """
    from sklearn.datasets import load_svmlight_file

    with opened(path) as stream:
        content = stream.read()
    lines, numbers = _looked_at(path, content)
    try:
        sparse, labels = load_svmlight_file(io.BytesIO(content), zero_based=True)
    except (ValueError, OverflowError) as error:
        raise _unsorted(path, content) or DataError(str(path), error, "LIBSVM's format", _CURE) from None
    if not sparse.nnz:
        raise DataError(str(path), "no features", "at least one", _CURE)
    first = 0 if (sparse.indices == 0).any() else 1
    check_array(path, sparse.shape[0], sparse.shape[1] - first)
    del content
    full = sparse.toarray()
    found = Raw(full[:, first:], labels, lambda row: f"row {lines[row]}")
    return _owned(found, np.array(numbers, dtype=np.int64))


def _looked_at(path: Path, content: bytes) -> tuple[array[int], array[int]]:
    """The line of every row and its qid, -1 where it has none.

    Raises: DataError naming the first row that is not in the format.
    """
    lines, numbers = array("q"), array("q")
    for number, line in enumerate(io.BytesIO(content), 1):
        found = _LINE.fullmatch(line)
        if not found:
            raise _fault(path, number, line)
        if line.partition(b"#")[0].strip():
            lines.append(number)
            numbers.append(int(found[1] or -1))
    if not lines:
        raise DataError(str(path), "no rows", "at least one", _CURE)
    return lines, numbers


def _owned(raw: Raw, numbers: Array) -> Raw:
    """The rows with whose they are; as they are where no row has a qid."""
    known = numbers >= 0
    if not known.any():
        return raw
    owners = np.full(len(numbers), -1)
    owners[known], names = named(numbers[known])
    return replace(raw, owners=owners, owner_names=names)


def _fault(path: Path, number: int, line: bytes) -> DataError:
    """What is wrong with a line that does not match."""
    label, *pairs = line.partition(b"#")[0].split() or [b""]
    whole = re.compile(_PAIR)
    bad = next((pair for pair in pairs if not whole.fullmatch(pair)), None)
    if not re.fullmatch(_NUMBER, label):
        bad, expected = label, "a finite number as label"
    elif bad is not None and bad.startswith(b"qid:"):
        expected = "qid:N right after the label, N a whole number below 1e18"
    else:
        expected = "INDEX:VALUE, a whole number below 1e9 and a finite number"
    return DataError(f"{path}, row {number}", (bad or line).decode("ascii", "replace"), expected, _CURE)


def _unsorted(path: Path, content: bytes) -> DataError | None:
    """The first row whose indices do not ascend."""
    for number, line in enumerate(io.BytesIO(content), 1):
        pairs = [pair for pair in line.partition(b"#")[0].split()[1:] if not pair.startswith(b"qid:")]
        indices = [int(pair.partition(b":")[0]) for pair in pairs]
        for before, after in pairwise(indices):
            if after <= before:
                return DataError(f"{path}, row {number}", f"index {after} after {before}",
                                 "ascending indices", "sort the pairs of each row")  # fmt: skip
    return None
