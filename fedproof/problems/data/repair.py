"""Missing values by a stated policy, and columns of one scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from fedproof.problems.data.origin import Reading
from fedproof.problems.data.raw import Raw
from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError
from fedproof.vocabulary.plurals import count

_CHUNK = 1 << 13
_NAMED = 8


def check_finite(source: str, raw: Raw) -> None:
    """Refuse an infinite value; one that is missing (NaN) passes.

    Raises: DataError naming row and column.
    """
    for first, part in _chunks(raw.features):
        bad = np.argwhere(np.isinf(part))
        if len(bad):
            row, at = map(int, bad[0])
            column = f", column {_columns(raw)[at]}" if raw.groups else ""
            raise DataError(f"{source}, {raw.place(first + row)}{column}", "a value that is not finite",
                            "finite numbers", "drop or mend the row")  # fmt: skip


def with_values(source: str, raw: Raw, policy: str) -> Raw:
    """The rows with a value in every cell: others are refused, dropped, or filled with their column's mean.

    A column of 0 and 1 for a kind of text has a mean too, the share of the kind: so text is filled. Labels
    and clients are not.

    Arguments:
        policy: error, drop or mean.

    Raises: DataError with the number of missing values, where they are, and the cure.
    """
    features, rows = np.zeros(raw.features.shape[1], dtype=np.int64), np.zeros(len(raw.features), dtype=bool)
    for first, part in _chunks(raw.features):
        gone = np.isnan(part)
        features += gone.sum(axis=0)
        rows[first : first + len(part)] = gone.any(axis=1)
    bare = {"the label": _no_label(raw), "the client": raw.owners is not None and raw.owners < 0}
    names = raw.reading or Reading("")
    called = {"the label": names.label or "label", "the client": names.client or "client"}
    missing = _by_column(raw, features)
    for what, mask in bare.items():
        if np.any(mask):
            missing[called[what]] = int(np.sum(mask))
            rows |= mask
    if not missing:
        return raw
    reading = replace(names, source=names.source or source, missing=missing)
    unfilled = [called[what] for what, mask in bare.items() if np.any(mask)]
    if policy == "error" or (policy == "mean" and unfilled):
        raise _refused(source, raw, missing, rows, unfilled if policy == "mean" else [])
    if policy == "mean":
        return replace(raw, features=_filled(source, raw, features), reading=reading)
    return _dropped(source, raw, rows, reading)


def _chunks(features: Array) -> Iterator[tuple[int, Array]]:
    return ((first, features[first : first + _CHUNK]) for first in range(0, len(features), _CHUNK))


def _no_label(raw: Raw) -> Any:
    if raw.label_kinds is not None:
        return raw.labels < 0
    return np.isnan(raw.labels) if raw.labels.dtype.kind == "f" else False


def _columns(raw: Raw) -> list[str]:
    """The column of the source that each feature comes from."""
    if not raw.groups:
        return [str(n) for n in range(raw.features.shape[1])]
    return [name for name, wide in raw.groups for _ in range(wide)]


def _by_column(raw: Raw, missing: Array) -> dict[str, int]:
    """Missing cells of each column of the source that has any."""
    return {name: int(n) for name, n in zip(_columns(raw), missing, strict=True) if n}


def _refused(source: str, raw: Raw, missing: dict[str, int], rows: Array, unfilled: list[str]) -> DataError:
    told = ", ".join(f"column {name}: {many}" for name, many in [*missing.items()][:_NAMED])
    more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
    where = f"{told}{more}; the first in {raw.place(int(np.flatnonzero(rows)[0]))}"
    cure = "write missing=drop or missing=mean"
    if unfilled:
        cure = f"write missing=drop, for {unfilled[0]} has no mean"
    got = count(sum(missing.values()), "missing value")
    return DataError(source, got, f"a value in every cell ({where})", cure)


def _filled(source: str, raw: Raw, missing: Array) -> Array:
    """A copy with every column's mean in place of what is missing."""
    out = raw.features.copy()
    for at in np.flatnonzero(missing):
        gone = np.isnan(out[:, at])
        if gone.all():
            raise DataError(f"{source}, column {_columns(raw)[at]}", "no value in any row", "one at least",
                            f"leave it out: ignore={_columns(raw)[at]}")  # fmt: skip
        known = out[~gone, at]
        out[gone, at] = (known / len(known)).sum()
    return out


def _dropped(source: str, raw: Raw, gone: Array, reading: Reading) -> Raw:
    """The rows that lack nothing; owners are numbered anew if some are gone."""
    keep = np.flatnonzero(~gone)
    if not len(keep):
        raise DataError(source, "a missing value in every row", "a row with all values",
                        "leave the emptiest columns out (ignore=COLUMN), or write missing=mean")  # fmt: skip
    reading = replace(reading, dropped=len(gone) - len(keep), rows=reading.rows or len(gone))
    owners, names = raw.owners, raw.owner_names
    if owners is not None:
        left, owners = np.unique(owners[keep], return_inverse=True)
        before = int(raw.owners.max()) + 1 if raw.owners is not None else 0
        reading = replace(reading, lost=before - len(left))
        names = None if names is None else tuple(names[n] for n in left)
    return replace(
        raw, features=raw.features[keep], labels=raw.labels[keep],
        place=lambda row: raw.place(int(keep[row])), owners=owners, owner_names=names, reading=reading,
    )  # fmt: skip


def standardised(source: str, raw: Raw) -> Raw:
    """Every column of numbers with mean 0 and deviation 1 over all rows; constant ones are 0.

    Columns of 0 and 1 that stand for text stay. What it did to the size of the rows, which the constants of
    linear models grow with, is noted.
    """
    out, scales = raw.features.copy(), {}
    plain = _columns(raw)
    hot = raw.reading.one_hot if raw.reading is not None else {}
    for at, name in enumerate(plain):
        if name in hot:
            continue
        column = out[:, at]
        mean = float((column / len(column)).sum())
        column -= mean
        deviation = float(np.sqrt((np.square(column) / len(column)).sum()))
        column /= deviation or 1.0
        scales[name] = (mean, deviation)
    reading = raw.reading or Reading(source)
    largest = (_largest(raw.features), _largest(out))
    return replace(raw, features=out, reading=replace(reading, scales=scales, largest=largest))


def _largest(features: Array) -> float:
    """The largest |x_i|."""
    return max(float(np.sqrt(np.square(part).sum(axis=1).max())) for _, part in _chunks(features))
