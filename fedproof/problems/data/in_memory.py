"""Data that are in memory already: a DataFrame, arrays, scikit-learn's Bunch, a sequence of pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from fedproof.problems.data.columns import client_names, coded, in_order, numbers
from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.files import check_array
from fedproof.problems.data.finished import finished, only_tables
from fedproof.problems.data.raw import Raw
from fedproof.problems.data.table import Table, from_table
from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError, InputError

#: what is taken, in words
TAKEN = "a DataFrame, (X, y) or (X, y, clients), a Bunch, or pairs of features and label"
_CURE = f"give {TAKEN}"


def _pandas() -> Any:
    """pandas, loaded when first used."""
    import pandas as loaded

    return loaded


def is_data(given: object) -> bool:
    """Whether this is meant as labelled rows: a DataFrame, arrays, a Bunch, or a sequence of pairs.

    >>> is_data((np.eye(2), np.array([0, 1]))), is_data("digits"), is_data(7)
    (True, False, False)
    """
    if isinstance(given, (str, bytes, int, float, complex)):
        return False
    if _is_frame(given) or _is_bunch(given) or isinstance(given, tuple) or hasattr(given, "to_pandas"):
        return True
    pairs = hasattr(given, "__len__") and hasattr(given, "__getitem__")
    return pairs and not isinstance(given, (Mapping, np.ndarray))


def dataset_of(given: Any, options: Mapping[str, Any]) -> Dataset:
    """Labelled samples of what is in memory.

    Arguments:
        given: a DataFrame, or what becomes one by `to_pandas`, as a file of a table; (X, y) or
            (X, y, clients), X a DataFrame or of shape (rows, p); scikit-learn's Bunch; whatever has a length
            and gives a pair of features and label by number, such as a torch Dataset.
        options: of `table_options.TABLE`, as meant.

    Raises: DataError naming row or column, and cure.

    >>> dataset_of((np.eye(3), ["b", "a", "b"], ["x", "y", "x"]), {}).owner_names
    ('x', 'y')
    """
    if hasattr(given, "to_pandas"):
        given = given.to_pandas()
    if _is_frame(given):
        name, raw = "DataFrame", from_table(_table(_with_index(given, options), "DataFrame"), options)
    else:
        name, raw = _parts(given, options)
    return finished(name, name, raw, options)


def _is_frame(given: object) -> bool:
    return hasattr(given, "columns") and hasattr(given, "iloc")


def _is_bunch(given: object) -> bool:
    return isinstance(given, Mapping) and {"data", "target"} <= set(given)


def _with_index(frame: Any, options: Mapping[str, Any]) -> Any:
    """The frame with those names of its index as columns that are asked for as client or label."""
    asked = {options.get("client"), options.get("label")}
    levels = [name for name in frame.index.names if name is not None and str(name) in asked]
    return frame.reset_index(level=levels) if levels else frame


def _table(frame: Any, source: str) -> Table:
    index = frame.index
    if getattr(frame.columns, "nlevels", 1) > 1:
        raise DataError(source, "columns of several levels", "a name for each", "join the levels")
    return Table(frame, source, lambda row: f"row {index[row]}")


def _parts(given: Any, options: Mapping[str, Any]) -> tuple[str, Raw]:
    """What arrays, a Bunch or pairs hold; X with names of columns is a table, and y another column of it."""
    columns: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    if _is_bunch(given):
        source, parts = "Bunch", (given["data"], given["target"])
        columns, classes = (_words(given.get(name)) for name in ("feature_names", "target_names"))
    elif isinstance(given, tuple):
        source, parts = "arrays", given
    else:
        source, parts = type(given).__name__, _pairs(given)
    if len(parts) not in (2, 3):
        raise DataError(source, f"{len(parts)} parts", "(X, y) or (X, y, clients)", _CURE)
    if "label" in options:
        raise InputError("label", options["label"], "none beside y, which is the label", "leave label out")
    x, y = parts[0], _named(_column(source, parts[1], "y"), classes)
    if not _is_frame(x):
        x = _matrix(source, x)
        if len(columns) == x.shape[1]:
            x = _pandas().DataFrame(x, columns=columns)
    raw = _beside(source, x, y, options) if _is_frame(x) else _plain(source, x, y, options)
    if len(parts) == 3:
        if "client" in options:
            raise InputError("client", options["client"], "none beside (X, y, clients)", "leave client out")
        names = _column(source, parts[2], "clients", object)  # whole numbers stay so where one is missing
        owners = in_order(client_names(names, f"{source}, clients"))
        _check_length(source, owners.codes, len(raw.features), "clients")
        raw = replace(raw, owners=owners.codes, owner_names=owners.kinds)
    return source, raw


def _words(given: Any) -> tuple[str, ...]:
    return () if given is None else tuple(map(str, given))


def _beside(source: str, x: Any, y: Any, options: Mapping[str, Any]) -> Raw:
    """A table of X with y for its label."""
    _check_length(source, y, len(x), "labels")
    taken = set(map(str, x.columns))
    name = next(n for n in (str(y.name), "label", "y", "label of y") if n not in taken | {"None"})
    frame = _pandas().concat([x.reset_index(drop=True), y.reset_index(drop=True).rename(name)], axis=1)
    return from_table(_table(frame, source), {**options, "label": name})


def _plain(source: str, x: Array, y: Any, options: Mapping[str, Any]) -> Raw:
    """X without names of columns."""
    only_tables(source, options, ("of named columns, such as a DataFrame",))
    _check_length(source, y, len(x), "labels")
    if not len(x):
        raise DataError(source, "no rows", "at least one", _CURE)
    labels = numbers(y)
    if labels is not None:
        return Raw(x, labels, lambda row: f"row {row}")
    text = coded(y, f"{source}, y")
    return Raw(x, text.codes, lambda row: f"row {row}", label_kinds=np.array(text.kinds, dtype=str))


def _check_length(source: str, found: Any, rows: int, what: str) -> None:
    if len(found) != rows:
        raise DataError(source, f"{len(found)} {what}", f"{rows}, one for each row of X", _CURE)


def _matrix(source: str, given: Any) -> Array:
    """X as float64 of shape (rows, p)."""
    if hasattr(given, "toarray"):
        check_array(source, *given.shape)
        given = given.toarray()
    try:
        found = np.asarray(given)
        found = found.astype(np.float64) if found.dtype.kind in "fiubO" else found
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        raise DataError(source, error, "X as rows of numbers", "give text in a DataFrame") from None
    if found.ndim != 2 or not found.shape[1] or found.dtype.kind != "f":
        cure = "give text in a DataFrame" if found.dtype.kind in "US" else _CURE
        got = f"X of shape {found.shape} and type {found.dtype}"
        raise DataError(source, got, "numbers of shape (rows, p)", cure)
    check_array(source, *found.shape)
    return found


def _named(y: Any, classes: tuple[str, ...]) -> Any:
    """Labels by name, where they number the names that a Bunch has for them."""
    found = numbers(y)
    if found is None or len(set(classes)) < 2 or len(set(classes)) < len(classes) or not len(found):
        return y
    if not (np.isin(found, np.arange(len(classes)))).all():
        return y
    return _pandas().Series(np.array(classes)[found.astype(np.int64)], name=y.name)


def _column(source: str, given: Any, what: str, kind: Any = None) -> Any:
    """One value a row, as a pandas Series, of a type that fits where `kind` is None."""
    pd = _pandas()
    if hasattr(given, "detach"):
        given = given.detach().cpu().numpy()
    try:
        found = given if isinstance(given, pd.Series) else pd.Series(np.asarray(given).tolist(), dtype=kind)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(source, error, f"{what} with one value a row", _CURE) from None
    if np.ndim(given) != 1:
        raise DataError(source, f"{what} of shape {np.shape(given)}", "shape (rows,)", _CURE)
    return found


def _pairs(given: Any) -> tuple[Any, Any]:
    """X and y of what gives a pair for every number below its length; features are made flat."""
    rows: list[Array] = []
    labels: list[Any] = []
    for number in range(len(given)):
        try:
            x, y = given[number]
            row = np.asarray(x, dtype=np.float64).reshape(-1)
            label = np.asarray(y).reshape(-1)
        except (TypeError, ValueError, OverflowError, LookupError, RuntimeError) as error:
            raise DataError(f"{type(given).__name__}, item {number}", error, "a pair of features and label",
                            _CURE) from None  # fmt: skip
        if len(label) != 1 or (rows and len(row) != len(rows[0])):
            got = f"{len(row)} features and {len(label)} labels"
            wanted = f"{len(rows[0]) if rows else len(row)} features and 1 label"
            raise DataError(f"{type(given).__name__}, item {number}", got, wanted, _CURE)
        rows.append(row)
        labels.append(label[0].item())
        if not number % 1000:
            check_array(type(given).__name__, len(given), max(1, len(row)))
    return np.array(rows) if rows else np.empty((0, 1)), labels
