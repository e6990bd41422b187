"""A table with named columns: which is the label, which the client, and all others as features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fedproof.problems.data.columns import (
    MOST_LETTERS,
    Coded,
    as_numbers,
    client_names,
    coded,
    in_order,
    numbers,
    one_hot,
    with_point,
)
from fedproof.problems.data.files import check_array
from fedproof.problems.data.natural_order import is_float, is_number
from fedproof.problems.data.origin import Reading
from fedproof.problems.data.raw import Raw
from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError, UnknownName, nearest
from fedproof.vocabulary.plurals import count


@dataclass(frozen=True, eq=False)
class Table:
    """What a reader of tables found.

    Arguments:
        frame: a pandas DataFrame.
        source: the path, or what the object is.
        place: where a row is, in words.
        comma: whether 1,5 is a number.
        notes: what a reader should know.
        names: of the columns, where the source has any; else they are numbered from 1.
    """

    frame: Any
    source: str
    place: Callable[[int], str]
    comma: bool = False
    notes: tuple[str, ...] = ()
    named: bool = True


@dataclass(frozen=True)
class Roles:
    """Positions of the label, the client (None without one) and the features among the columns."""

    label: int
    client: int | None
    features: tuple[int, ...]


def roles(names: Sequence[str], given: Mapping[str, Any], source: str, named: bool = True) -> Roles:
    """Which column is what; the label is the last that is neither client nor ignored unless it is given.

    Raises: DataError for two columns of one name, or none left; UnknownName with the nearest column.

    >>> roles(["site", "age", "sick"], {"client": "site"}, "d.csv")
    Roles(label=2, client=0, features=(1,))
    """
    doubled = next((name for name, many in Counter(names).items() if many > 1), None)
    if doubled is not None:
        raise DataError(source, f"two columns named {doubled}", "each name once", "rename one of them")
    if len(names) < 2:
        raise DataError(source, count(len(names), "column"), "two at least, features and a label",
                        "check the sign between the cells, such as delimiter=semicolon")  # fmt: skip

    def position(option: str, name: str) -> int:
        if name not in names:
            raise _no_column(source, option, name, names, named)
        return names.index(name)

    ignored = [position("ignore", name) for name in given.get("ignore", ())]
    client = position("client", given["client"]) if "client" in given else None
    free = [n for n in range(len(names)) if n != client and n not in ignored]
    label = position("label", given["label"]) if "label" in given else free[-1] if free else -1
    features = tuple(n for n in free if n != label)
    twice = next((n for n in (label, client) if n in ignored or label == client), None)
    if free and twice is not None:
        raise DataError(source, f"column {names[twice]} in two places", "one of label, client and ignored",
                        "name another column")  # fmt: skip
    if not features:
        raise DataError(source, "no column of features beside label and client", "at least one",
                        "leave fewer out")  # fmt: skip
    return Roles(label, client, features)


def _no_column(source: str, option: str, name: str, names: Sequence[str], named: bool) -> UnknownName:
    """The error of a column that is not there."""
    error = UnknownName(f"{source}, {option}", name, names)
    text = str(error)
    if not named:
        text += "; its columns have no names and are numbered from 1"
    elif option == "client" and name.isdigit() and nearest(name, names) is None:
        text += f"; write clients={name} for a number of clients"
    error.args = (text,)
    return error


def from_table(table: Table, given: Mapping[str, Any]) -> Raw:
    """Features, labels and owners of a table; missing values are NaN in features and -1 in labels and owners.

    Raises: DataError naming source, row or column, and cure.
    """
    names = [str(name) for name in table.frame.columns]
    chosen = roles(names, given, table.source, table.named)
    rows = len(table.frame)
    if not rows:
        raise DataError(table.source, "no rows below the names of the columns" if table.named else "no rows",
                        "at least one row of features and a label")  # fmt: skip
    column = [table.frame.iloc[:, n] for n in range(len(names))]
    owners = None
    if chosen.client is not None:
        owners = in_order(_names(table, column[chosen.client], names[chosen.client]))
    features, reading = _features(table, [(names[n], column[n]) for n in chosen.features])
    labels = _labels(table, column[chosen.label], names[chosen.label])
    client = "" if chosen.client is None else names[chosen.client]
    reading = replace(reading, rows=rows, notes=table.notes, named=table.named, client=client,
                      label=names[chosen.label])  # fmt: skip
    return Raw(
        features, labels.codes, table.place, None if owners is None else owners.codes,
        owner_names=None if owners is None else owners.kinds, label_kinds=np.array(labels.kinds, dtype=str),
        reading=reading, groups=_groups(reading, [names[n] for n in chosen.features]),
    )  # fmt: skip


def _features(table: Table, columns: Sequence[tuple[str, Any]]) -> tuple[Array, Reading]:
    """All features in the columns' order, in memory that was checked for before."""
    made: list[tuple[tuple[str, ...], Any]] = []
    hot: dict[str, int] = {}
    for name, series in columns:
        found: Any = numbers(series)
        if found is None:
            text = coded(series, f"{table.source}, column {name}")
            if series.dtype != "category":
                found = as_numbers(text, f"{table.source}, column {name}", table.place, table.comma)
        if found is not None:
            made.append(((name,), found))
            continue
        wide, found = one_hot(text, table.source, name)
        hot[name] = len(wide)
        made.append((wide, found))
    names = tuple(name for wide, _ in made for name in wide)
    check_array(table.source, len(table.frame), len(names))
    out, first = np.zeros((len(table.frame), len(names))), 0
    for wide, found in made:
        if isinstance(found, Coded):
            rows = np.flatnonzero(found.codes >= 0)
            out[rows, first + found.codes[rows]] = 1
            out[found.codes < 0, first : first + len(wide)] = np.nan
        else:
            out[:, first] = found
        first += len(wide)
    return out, Reading(table.source, names, len(made) - len(hot), hot)


def _groups(reading: Reading, columns: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Each column of the source, and how many features it became."""
    return tuple((name, reading.one_hot.get(name, 1)) for name in columns)


def _names(table: Table, series: Any, name: str) -> Coded:
    """Names of clients; none may be longer than a name is."""
    found = client_names(series, f"{table.source}, column {name}")
    long = next((kind for kind in found.kinds if len(kind) > MOST_LETTERS), None)
    if long is not None:
        row = int(np.flatnonzero(found.codes == found.kinds.index(long))[0])
        raise DataError(f"{table.source}, {table.place(row)}", f"a name of {len(long)} letters in {name}",
                        f"one of 1 to {MOST_LETTERS}", "name another column")  # fmt: skip
    return found


def _labels(table: Table, series: Any, name: str) -> Coded:
    """Labels; refused are those that no file means: a stray cell, an open quote, Python's own numbers."""
    found = coded(series, f"{table.source}, column {name}")

    def refuse(kind: int, got: str, expected: str, cure: str) -> DataError:
        row = int(np.flatnonzero(found.codes == kind)[0])
        return DataError(f"{table.source}, {table.place(row)}", got, expected, cure)

    for n, kind in enumerate(found.kinds):
        if len(kind) > MOST_LETTERS:
            raise refuse(n, f"a label of {len(kind)} letters", f"one of 1 to {MOST_LETTERS} in column {name}",
                         "name the column of labels: label=COLUMN")  # fmt: skip
        if '"' in kind or (is_float(kind) and not is_number(kind)):
            raise refuse(n, f"label {kind!r}", "a plain number, or text without quotes", "mend the row")
    pointed = tuple(map(with_point, found.kinds))
    if table.comma and all(map(is_number, pointed)):
        found = Coded(found.codes, pointed)
    _check_kinds(found, refuse)
    return found


def _check_kinds(found: Coded, refuse: Callable[[int, str, str, str], DataError]) -> None:
    """Refuse a label of another kind than all others: it is a header or a stray cell."""
    plain = np.array([is_number(kind) for kind in found.kinds], dtype=bool)
    counts = found.counts()
    for odd, others in ((~plain, "numbers"), (plain, "text")):
        if counts[odd].sum() == 1 and counts[~odd].sum() > 1:
            at = int(np.flatnonzero(odd & (counts > 0))[0])
            first = found.codes[0] == at
            cure = "remove or name the header" if first else "mend or drop the row"
            raise refuse(at, f"label {found.kinds[at]!r}", f"one like the others, {others}", cure)
