"""What was read from a user's data, in one line and as a document; names of clients and classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fedproof.problems.problem import Array
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.printable import on_one_line

_SHOWN = 6


@dataclass(frozen=True)
class Reading:
    """What became of a table's rows and columns.

    Arguments:
        source: the file's name, or what the object is.
        columns: names of the features, in order; empty where the source names none.
        numeric: how many columns hold numbers.
        one_hot: kinds of each column of text, by its name.
        label, client: names of these columns; empty where they have none.
        rows: how many there were, those dropped included.
        missing: by column, how many cells had no value.
        dropped: rows left out because of them.
        lost: clients that had no other rows.
        scales: with `standardise`, mean and deviation of each column that was scaled, by name.
        largest: with `standardise`, the largest |x_i| before and after, the bias not counted; else None.
        notes: what else a reader should know, such as the sign between cells.
        named: whether the source names its columns; else their names are numbers from 1.
        unused: what may say whose a row is, and was not asked for.
    """

    source: str
    columns: tuple[str, ...] = ()
    numeric: int = 0
    one_hot: Mapping[str, int] = field(default_factory=dict)
    label: str = ""
    client: str = ""
    rows: int = 0
    missing: Mapping[str, int] = field(default_factory=dict)
    dropped: int = 0
    lost: int = 0
    scales: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    largest: tuple[float, float] | None = None
    notes: tuple[str, ...] = ()
    named: bool = True
    unused: tuple[str, ...] = ()

    def called(self, column: str) -> str:
        """A column in words."""
        return column if self.named else f"column {column}"

    def repairs(self) -> str:
        """What was dropped or filled, in words; empty where nothing was."""
        if not self.missing:
            return ""
        cells = _some([f"{self.called(name)} {many}" for name, many in self.missing.items()])
        lost = f", {count(self.lost, 'client')} with them" if self.lost else ""
        if self.dropped:
            return f"{count(self.dropped, 'row')} dropped for missing values ({cells}){lost}"
        return f"{count(sum(self.missing.values()), 'missing value')} filled with the column's mean ({cells})"


@dataclass(frozen=True)
class Origin:
    """Where a problem's rows come from, and what its clients and classes are called there.

    Arguments:
        reading: what was read; None for data that ship with the package.
        clients: names in the order of the clients; None where they are numbers.
        classes: names of label 0, 1, ...; None for real targets.
    """

    reading: Reading | None = None
    clients: tuple[str, ...] | None = None
    classes: tuple[str, ...] | None = None

    def line(self, sizes: Array) -> str:
        """Everything that was read, in one sentence.

        Arguments:
            sizes: rows of every client, shape (clients,).
        """
        read = self.reading or Reading("data")
        kinds = [f"{count(read.numeric, 'column')} of numbers"]
        if read.one_hot:
            kinds.append(f"{len(read.one_hot)} of text as {sum(read.one_hot.values())} one-hot")
        found = [f"{read.source}: {count(read.rows - read.dropped, 'row')}, {' and '.join(kinds)}"]
        label = f"label {read.called(read.label)}" if read.label else "labels"
        if self.classes is None:
            found.append(f"{label} of real targets")
        else:
            found.append(f"{label} of {count(len(self.classes), 'class', 'classes')} ({_some(self.classes)})")
        found.append(self._clients(sizes))
        scaled = ""
        if read.largest is not None:
            scaled = (
                f"standardised, largest |x_i| {read.largest[0]:.3g} before and {read.largest[1]:.3g} after"
            )
        unused = (f"{name} passed over (client={name} makes it the client)" for name in read.unused)
        rest = filter(None, (read.repairs(), scaled, *read.notes, *unused))
        return on_one_line("; ".join([", ".join(found), *rest]))

    def _clients(self, sizes: Array) -> str:
        names, low, high = names_of(self.clients, len(sizes)), int(sizes.argmin()), int(sizes.argmax())
        by = (
            f" by {self.reading.called(self.reading.client)}"
            if self.reading and self.reading.client and self.clients
            else ""
        )
        if sizes[low] == sizes[high]:
            each = f" of {count(int(sizes[low]), 'row')}" + (" each" if len(sizes) > 1 else "")
            return f"{count(len(sizes), 'client')}{by}{each}"
        return (
            f"{count(len(sizes), 'client')}{by} (smallest {names[low]} with {count(int(sizes[low]), 'row')}, "
            f"largest {names[high]} with {int(sizes[high])})"
        )

    def document(self, sizes: Array) -> dict[str, Any]:
        """The same as JSON data, with every name."""
        read = self.reading or Reading("data")
        names, low, high = names_of(self.clients, len(sizes)), int(sizes.argmin()), int(sizes.argmax())
        return {
            "line": self.line(sizes),
            "source": read.source,
            "rows": read.rows - read.dropped,
            "columns": {"numeric": read.numeric, "one_hot": dict(read.one_hot), "features": read.columns},
            "label": read.label or None,
            "client": read.client or None,
            "clients": list(names),
            "smallest": {"client": names[low], "rows": int(sizes[low])},
            "largest": {"client": names[high], "rows": int(sizes[high])},
            "classes": None if self.classes is None else list(self.classes),
            "missing": dict(read.missing),
            "dropped_rows": read.dropped,
            "filled_values": 0 if read.dropped else sum(read.missing.values()),
            "standardised": None
            if read.largest is None
            else {
                "largest_row_before": read.largest[0],
                "largest_row_after": read.largest[1],
                "columns": {k: {"mean": m, "deviation": s} for k, (m, s) in read.scales.items()},
            },
        }


def names_of(names: Sequence[str] | None, many: int) -> tuple[str, ...]:
    """These names where there are so many, else the numbers from 0.

    >>> names_of(None, 2), names_of(("a", "b"), 2)
    (('0', '1'), ('a', 'b'))
    """
    return tuple(names) if names is not None and len(names) == many else tuple(map(str, range(many)))


def origin_of(problem: Any) -> Origin | None:
    """Where a problem's rows come from, behind its penalty too; None where nobody says."""
    smooth = getattr(problem, "smooth", problem)
    found = getattr(smooth, "origin", None)
    return found if isinstance(found, Origin) else None


def client_names(problem: Any) -> tuple[str, ...]:
    """What the clients are called: names of the source, or numbers from 0."""
    origin = origin_of(problem)
    return names_of(None if origin is None else origin.clients, problem.n_clients)


def _some(words: Sequence[str]) -> str:
    """The first few, and how many more."""
    more = f", and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    return ", ".join(words[:_SHOWN]) + more
