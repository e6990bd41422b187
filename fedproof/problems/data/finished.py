"""From what a reader found to labelled samples: a value in every cell, and labels numbered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.labels import check_squares
from fedproof.problems.data.natural_order import natural_order
from fedproof.problems.data.origin import Reading
from fedproof.problems.data.raw import Raw
from fedproof.problems.data.repair import check_finite, standardised, with_values
from fedproof.problems.data.table_options import CLIENT, DELIMITER, MISSING, OF_COLUMNS, in_words
from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError, InputError


def finished(source: str, name: str, raw: Raw, given: Mapping[str, Any]) -> Dataset:
    """Labelled samples of what was read.

    Arguments:
        source: the path, or what the object is, for errors.
        name: what the data are called.
        raw: what was read.
        given: options of reading, as meant.

    Raises: DataError naming source, row and cure.
    """
    check_finite(source, raw)
    raw = with_values(source, raw, given.get("missing", MISSING.default))
    check_squares(raw.features, lambda row: f"{source}, {raw.place(row)}")
    kinds, numbered = _numbered(source, raw)
    if len(kinds) < 2:
        raise DataError(source, f"{len(kinds)} kind of label", "at least two",
                        "check which column is the label")  # fmt: skip
    if given.get("standardise"):
        raw = standardised(Path(source).name, raw)
    reading = raw.reading or Reading("")
    if not reading.numeric and not reading.one_hot:
        reading = replace(reading, numeric=raw.features.shape[1])
    reading = replace(
        reading, source=Path(reading.source or source).name, rows=reading.rows or len(raw.features)
    )
    return Dataset(name + in_words(given), raw.features, numbered, len(kinds), kinds, raw.owners,
                   raw.owner_names, reading)  # fmt: skip


def only_tables(
    source: str, given: Mapping[str, Any], tables: Sequence[str], mark: str | None = None
) -> None:
    """Refuse options that speak of columns where there are none with names.

    Arguments:
        mark: what `client` may be all the same.

    Raises: InputError naming the option.
    """
    for option in (*OF_COLUMNS, DELIMITER):
        if option.name not in given or (option is CLIENT and given[option.name] == mark):
            continue
        expected = f"it with a table ({' '.join(tables)}), not with {Path(source).name}"
        cure = f"leave {option.name} out"
        if option is CLIENT and mark is not None:
            cure = f"write client={mark} if its rows have {mark}:N, else {cure}"
        raise InputError(option.name, given[option.name], expected, cure)


def marked(source: str, raw: Raw, mark: str, asked: bool) -> Raw:
    """Rows whose owner is a mark in the source: taken where it is asked for, else passed over and said so.

    Raises: DataError for a mark that no row has.
    """
    reading = raw.reading or Reading("")
    if asked and raw.owners is None:
        cure = f"write LABEL {mark}:N INDEX:VALUE ..., N the client's number, or split=iid"
        raise DataError(source, f"no row with {mark}", f"{mark}:N in each row, by client={mark}", cure)
    if asked:
        return replace(raw, reading=replace(reading, client=mark))
    if raw.owners is None:
        return raw
    return replace(raw, owners=None, owner_names=None, reading=replace(reading, unused=(mark,)))


def _numbered(source: str, raw: Raw) -> tuple[Array, Array]:
    """The kinds of label in order, numbers by size, and which of them each row has."""
    labels = raw.labels if raw.label_kinds is None else raw.label_kinds
    if labels.dtype.kind in "US":
        try:
            labels = labels.astype(np.float64)
        except ValueError:
            labels = labels.astype(str)
    if labels.dtype.kind == "f":
        bad = np.flatnonzero(~np.isfinite(labels))
        if bad.size:
            row = int(bad[0]) if raw.label_kinds is None else int(np.flatnonzero(raw.labels == bad[0])[0])
            raise DataError(f"{source}, {raw.place(row)}", "a label that is not finite", "a number",
                            "drop or fill the row")  # fmt: skip
        if (labels == np.floor(labels)).all() and np.abs(labels).max(initial=0) < 1 << 53:
            labels = labels.astype(np.int64)
    kinds, numbered = np.unique(labels, return_inverse=True)
    if labels.dtype.kind == "U":
        ordered = natural_order(kinds.tolist())
        places = {kind: n for n, kind in enumerate(ordered)}
        numbered, kinds = np.array([places[str(k)] for k in kinds])[numbered], np.array(ordered)
    numbered = numbered.reshape(-1)
    if raw.label_kinds is None:
        return kinds, numbered
    found = numbered[raw.labels]
    left, found = np.unique(found, return_inverse=True)
    return kinds[left], found.reshape(-1)
