"""What every verb returns: a frozen value that knows its JSON and its Jupyter rendering."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

__all__ = ["Result", "jsonable", "to_json"]


def jsonable(value: Any) -> Any:
    """Plain JSON data: no NaN or Infinity (null), numbers of any library as int or float.

    >>> jsonable({"a": float("inf"), "b": (1, None)})
    {'a': None, 'b': [1, None]}
    """
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, Mapping):
        return {str(k): jsonable(v) for k, v in value.items()}
    if isinstance(value, Result):
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
    """One JSON document, strict: a NaN that slipped through is an error here."""
    return json.dumps(jsonable(value), indent=2, allow_nan=False, ensure_ascii=False)


class Result:
    """Base of what the verbs return: subclasses are frozen dataclasses with `to_dict`."""

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of the contract, as a dictionary."""
        raise NotImplementedError(type(self).__name__)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(k)}</th>"
            f"<td style='text-align:left'>{_cell(v)}</td></tr>"
            for k, v in jsonable(self.to_dict()).items()
        )
        return f"<table>{rows}</table>"


def _cell(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        names = list(value[0])
        head = "".join(f"<th>{html.escape(n)}</th>" for n in names)
        body = "".join(
            "<tr>" + "".join(f"<td>{_cell(r.get(n))}</td>" for n in names) + "</tr>" for r in value
        )
        return f"<table><tr>{head}</tr>{body}</table>"
    if isinstance(value, dict):
        return "<br>".join(f"{html.escape(k)}: {_cell(v)}" for k, v in value.items())
    if isinstance(value, list) and len(value) > 8:
        return html.escape(f"{value[:3]} ... {value[-1:]} ({len(value)} values)")
    return html.escape("—" if value is None else str(value))
