"""What every verb returns: a frozen value that knows its JSON and its Jupyter rendering."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

TEXT = 238
"""Characters of a value at a prompt, less its brackets."""


def jsonable(value: Any) -> Any:
    """Plain JSON data: no NaN or Infinity (null), numbers of any library as int or float.

    >>> jsonable({"a": float("inf"), "b": (1, None)})
    {'a': None, 'b': [1, None]}
    """
    if type(value) is list or type(value) is tuple:
        return [v if type(v) is str else jsonable(v) for v in value]
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, Mapping):
        return {str(k): jsonable(v) for k, v in value.items()}
    if callable(getattr(value, "to_dict", None)):
        return jsonable(value.to_dict())
    if isinstance(value, Fraction):
        return _finite(value)
    if isinstance(value, int):
        return value
    if hasattr(value, "tolist"):
        return jsonable(value.tolist())
    if isinstance(value, (Sequence, set, frozenset)):
        return [jsonable(v) for v in value]
    if hasattr(value, "__float__"):
        return _finite(value)
    return str(value)


def _finite(value: Any) -> float | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def to_json(value: Any) -> str:
    """One JSON document, strict: a NaN that slipped through is an error here.

    Its rows are indented, what lies deeper stands on one line.
    """
    return _indented(jsonable(value), "\n", 3)


def _indented(value: Any, newline: str, levels: int) -> str:
    if not levels or not value or not isinstance(value, (dict, list)):
        return json.dumps(value, allow_nan=False, ensure_ascii=False)
    inner = newline + "  "
    if isinstance(value, list):
        lines = [_indented(v, inner, levels - 1) for v in value]
    else:
        named = (json.dumps(k, ensure_ascii=False) + ": " for k in value)
        lines = [
            name + _indented(v, inner, levels - 1) for name, v in zip(named, value.values(), strict=True)
        ]
    opening, closing = "[]" if isinstance(value, list) else "{}"
    return opening + inner + f",{inner}".join(lines) + newline + closing


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns, as the terminal, a notebook and the report all show them."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    @property
    def records(self) -> list[dict[str, Any]]:
        """The rows as dictionaries, which a pandas table is made of."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


class Shown:
    """Base of public values: a prompt shows one short line of each, a notebook its headline and tables.

    Subclasses may be frozen dataclasses; the text of all their fields, which can be long, is not written.

    >>> class Answer(Shown):
    ...     def headline(self) -> str:
    ...         return "forty-two " * 100
    >>> len(repr(Answer())), repr(Answer())[:17]
    (240, '<Answer forty-two')
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__repr__" not in vars(cls):
            setattr(cls, "__repr__", Shown.__repr__)  # noqa: B010, a dataclass writes none where one is

    def __repr__(self) -> str:
        """The class and the headline, cut where they are long."""
        said = " ".join(f"{type(self).__name__} {self.headline()}".split())
        return f"<{said if len(said) <= TEXT else said[: TEXT - 3] + '...'}>"

    def headline(self) -> str:
        """The answer in one sentence, made of the value's own numbers."""
        return ""

    def tables(self) -> tuple[Table, ...]:
        """The details."""
        return ()

    def _repr_html_(self) -> str:
        return as_html(self.headline(), self.tables())


class Result(Shown):
    """Base of what the verbs return: subclasses are frozen dataclasses with `to_dict`."""

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of the contract, as a dictionary; by default every field."""
        document: dict[str, Any] = jsonable({f.name: getattr(self, f.name) for f in fields(self)})  # type: ignore[arg-type]
        return document

    def tables(self) -> tuple[Table, ...]:
        """The details; by default every key of the JSON document."""
        return (Table("", ("", ""), tuple((k, cell(v)) for k, v in jsonable(self.to_dict()).items())),)


def as_html(headline: str, tables: Sequence[Table]) -> str:
    """A headline and tables as escaped HTML, for notebooks."""
    head = f"<p><b>{html.escape(headline)}</b></p>" if headline else ""
    return head + "".join(_table_html(t) for t in tables)


def _table_html(table: Table) -> str:
    title = f"<caption>{html.escape(table.title)}</caption>" if table.title else ""
    names = "".join(f"<th>{html.escape(c)}</th>" for c in table.columns)
    head = f"<tr>{names}</tr>" if any(table.columns) else ""
    body = "".join(
        "<tr>" + "".join(f"<td style='text-align:left'>{_markup(v)}</td>" for v in row) + "</tr>"
        for row in table.rows
    )
    return f"<table>{title}{head}{body}</table>"


def _markup(value: Any) -> str:
    """A cell: markup as it is, such as a formula's, anything else escaped."""
    own = getattr(value, "__html__", None)
    return str(own()) if own is not None else html.escape(cell(value))


def cell(value: Any) -> str:
    """The short text of a value in a table.

    >>> cell(0.1234567891), cell(None), cell([1, 2]), cell(True)
    ('0.1234568', '—', '1, 2', 'yes')
    """
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.7g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{k}={cell(v)}" for k, v in value.items())
    if isinstance(value, (list, tuple)):
        shown = ", ".join(cell(v) for v in value[:6])
        return shown if len(value) <= 6 else f"{shown}, ... ({len(value)} values)"
    return str(value)
