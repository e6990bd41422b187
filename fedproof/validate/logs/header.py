"""What stands above a log's columns: what ran, with which numbers, and what the columns are called."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fedproof.solvers.cohort import Participation
from fedproof.validate.logs.run_log import Known
from fedproof.vocabulary.errors import DataError, InputError, UnknownName
from fedproof.vocabulary.values import double_of, parse_value

FULL = "full"
"""A batch of all of a client's samples, as a header writes it; a record has None."""

_TEXTS = ("algorithm", "problem")
_TABLES = ("parameters", "constants", "participation", "columns")
KEYS = (*_TEXTS, "seed", *_TABLES)
"""Everything that a header may say."""

_PARTICIPATION = ("count", "replacement", "probability", "average")


@dataclass(frozen=True)
class Header:
    """A header as it was read; numbers are exact, as they were written.

    Arguments:
        texts: algorithm, problem and seed, as far as they are said.
        numbers: of [parameters] and [constants].
        choices: what in [parameters] is no number.
        participation: of [participation], made whole by its defaults; None where there is none.
        columns: by canonical name, the name in this log.
    """

    texts: Mapping[str, Any] = field(default_factory=dict)
    numbers: Mapping[str, Known] = field(default_factory=dict)
    choices: Mapping[str, Any] = field(default_factory=dict)
    participation: Mapping[str, Any] | None = None
    columns: Mapping[str, str] = field(default_factory=dict)

    def beside(self, other: Header, where: str) -> Header:
        """Both headers as one.

        Raises: InputError for a name that they give two values.
        """
        merged: dict[str, Any] = {}
        for part in ("texts", "numbers", "choices", "columns"):
            mine, others = getattr(self, part), getattr(other, part)
            for name in sorted({*mine} & {*others}):
                if mine[name] != others[name]:
                    got = f"{name} = {_shown(mine[name])} and {_shown(others[name])}"
                    raise InputError(where, got, "one value", "say it once")
            merged[part] = {**mine, **others}
        who = [p for p in (self.participation, other.participation) if p is not None]
        if len(who) == 2 and who[0] != who[1]:
            raise InputError(where, "two different tables [participation]", "one", "say it once")
        return replace(self, participation=who[0] if who else None, **merged)


def _shown(value: Any) -> str:
    return str(value.value) if isinstance(value, Known) else str(value)


def header_from(said: Mapping[str, Any], where: str) -> Header:
    """A header from its tables.

    Arguments:
        said: by key, as TOML or JSON holds them; numbers as text, whole numbers or floats.
        where: what the log is called in messages.

    Raises: UnknownName for another key; DataError for a value that the key cannot have.

    >>> header_from({"algorithm": "fedproxvr", "constants": {"L": "0.1"}}, "log").numbers["L"].value
    Fraction(1, 10)
    """
    for key in said:
        if key not in KEYS:
            raise UnknownName(f"key of the header of {where}", str(key), KEYS)
    tables = {key: _table(said.get(key, {}), key, where) for key in _TABLES}
    texts = {key: said[key] for key in (*_TEXTS, "seed") if key in said}
    for key, value in texts.items():
        text = isinstance(value, str) and bool(value)
        if not text and (key in _TEXTS or not isinstance(value, int) or isinstance(value, bool)):
            raise DataError(where, f"{key} = {value!r}", "a text" + " or a whole number" * (key == "seed"))
    numbers, choices = _numbers({**tables["parameters"]}, where, words=True)
    known, _ = _numbers(tables["constants"], where, words=False)
    if twice := sorted({*numbers} & {*known}):
        raise InputError(where, f"{twice[0]} under [parameters] and under [constants]", "it once")
    columns = tables["columns"]
    for name, own in columns.items():
        if not isinstance(own, str):
            raise DataError(where, f"{name} = {own!r} under [columns]", "the name of a column, as text")
    return Header(texts, {**numbers, **known}, choices, _participation(said, tables, where), columns)


def _table(value: Any, key: str, where: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise DataError(where, f"{key} = {value!r}", f"a table [{key}]")
    return dict(value)


def _numbers(said: Mapping[str, Any], where: str, words: bool) -> tuple[dict[str, Known], dict[str, Any]]:
    """Numbers, and what is none."""
    numbers: dict[str, Known] = {}
    choices: dict[str, Any] = {}
    for name, value in said.items():
        try:
            exact = parse_value(value, name)
        except InputError as error:
            if not words or not isinstance(value, str | bool):
                raise DataError(where, f"{name} = {error.got}", error.expected, error.cure) from None
            choices[name] = None if value == FULL else value
            continue
        try:
            double_of(exact, name, value)
        except InputError as error:
            raise DataError(where, f"{name} = {error.got}", error.expected, error.cure) from None
        numbers[name] = Known(exact)
    return numbers, choices


def _participation(said: Mapping[str, Any], tables: Mapping[str, Any], where: str) -> Any:
    if "participation" not in said:
        return None
    asked = tables["participation"]
    for name in asked:
        if name not in _PARTICIPATION:
            raise UnknownName(f"key of [participation] of {where}", name, _PARTICIPATION)
    return Participation(**asked).to_dict()


def read_header(given: Mapping[str, Any] | str | os.PathLike[str] | None, where: str = "header") -> Header:
    """A header given apart from the logs: a mapping, or the path of a TOML file.

    Raises: DataError for a file that cannot be read.
    """
    if given is None:
        return Header()
    if isinstance(given, Mapping):
        return header_from(given, where)
    try:
        text = Path(given).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise DataError(str(given), error, "a TOML file", "check the path") from None
    return header_of_toml(text, Path(given).name)


def header_of_toml(text: str, where: str) -> Header:
    """A header from TOML; a decimal number is exactly what is written.

    Raises: DataError for a text that is no TOML.
    """
    try:
        said = tomllib.loads(text, parse_float=str)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        cure = 'write lines such as # algorithm = "fedproxvr"'
        raise DataError(where, f"a header that is no TOML ({error})", "TOML", cure) from None
    return header_from(said, where)
