"""The results of the verbs as TOML 1.0; the standard library reads it (`tomllib`) and cannot write it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from fedproof.vocabulary.result import jsonable

_BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
NULL = "null"
"""What stands in a list for what is not there, such as the end of an unbounded interval."""


def to_toml(value: Any) -> str:
    """A result, or a mapping, as a TOML document.

    TOML has no null: a key without a value is left out, and in a list it is the text "null".

    >>> print(to_toml({"a": 1, "b": None, "c": {"d": [0.5, None]}}))
    a = 1
    <BLANKLINE>
    [c]
    d = [0.5, "null"]
    """
    return "\n".join(_table(jsonable(value), ())).strip("\n")


def _table(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """The lines of a table: its own values first, then the tables in it."""
    known = {key: value for key, value in table.items() if value is not None}
    for key, value in known.items():
        if not _is_table(value) and not _is_tables(value):
            yield f"{_key(key)} = {_value(value)}"
    for key, value in known.items():
        name = ".".join(map(_key, (*path, key)))
        if _is_table(value):
            yield from ("", f"[{name}]", *_table(value, (*path, key)))
        elif _is_tables(value):
            for one in value:
                yield from ("", f"[[{name}]]", *_table(one, (*path, key)))


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_table, value))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if value is None:
        return _text(NULL)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items() if v is not None) + "}"
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    return str(value)


def _text(value: str) -> str:
    """A basic string; JSON's escapes are TOML's, but for the delete character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
