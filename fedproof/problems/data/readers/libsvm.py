"""LIBSVM's text: a label, then index:value pairs with ascending indices, one row a line."""

from __future__ import annotations

import io
import re
from array import array
from itertools import pairwise
from pathlib import Path

from fedproof.problems.data.files import check_array, opened
from fedproof.problems.data.raw import Raw
from fedproof.vocabulary.errors import DataError

ENDINGS = (".libsvm", ".svm", ".svmlight")
# Each repetition is possessive, so that a long run of digits or blanks is gone through once.
_NUMBER = rb"[+-]?+(?:\d++\.?+\d*+|\.\d++)(?:[eE][+-]?+\d++)?+"
_PAIR = rb"\d{1,9}+:" + _NUMBER
_LINE = re.compile(rb"\s*+(?:" + _NUMBER + rb"(?:[ \t]++" + _PAIR + rb")*+)?+\s*+(?:#.*+)?+", re.S)
_FIRST = re.compile(rb"\s*+(?:#[^\n]*+\n\s*+)*+" + _NUMBER + rb"(?:[ \t]++" + _PAIR + rb")++\s")
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

    Raises: DataError naming file, row (from 1, empty lines counted) and cure; also for over 2 GiB.
    """
    from sklearn.datasets import load_svmlight_file

    with opened(path) as stream:
        content = stream.read()
    lines = array("q")
    for number, line in enumerate(io.BytesIO(content), 1):
        if not _LINE.fullmatch(line):
            raise _fault(path, number, line)
        if line.partition(b"#")[0].strip():
            lines.append(number)
    if not lines:
        raise DataError(str(path), "no rows", "at least one", _CURE)
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
    return Raw(full[:, first:], labels, lambda row: f"row {lines[row]}")


def _fault(path: Path, number: int, line: bytes) -> DataError:
    """What is wrong with a line that does not match."""
    label, *pairs = line.partition(b"#")[0].split() or [b""]
    whole = re.compile(_PAIR)
    bad = next((pair for pair in pairs if not whole.fullmatch(pair)), None)
    if not re.fullmatch(_NUMBER, label):
        bad, expected = label, "a finite number as label"
    elif bad is not None and bad.startswith(b"qid:"):
        expected = "a row without qid"
    else:
        expected = "INDEX:VALUE, a whole number below 1e9 and a finite number"
    return DataError(f"{path}, row {number}", (bad or line).decode("ascii", "replace"), expected, _CURE)


def _unsorted(path: Path, content: bytes) -> DataError | None:
    """The first row whose indices do not ascend."""
    for number, line in enumerate(io.BytesIO(content), 1):
        indices = [int(pair.partition(b":")[0]) for pair in line.partition(b"#")[0].split()[1:]]
        for before, after in pairwise(indices):
            if after <= before:
                return DataError(f"{path}, row {number}", f"index {after} after {before}",
                                 "ascending indices", "sort the pairs of each row")  # fmt: skip
    return None
