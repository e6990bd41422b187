"""How a command prints what its verb answers: tables, JSON, TOML, or the configuration of a Flower app."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tomli_w
import typer

from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.result import jsonable, to_json
from fedproof.vocabulary.schema import stamped

NULL = "null"
"""What stands in a list of TOML for what is not there, such as the end of an unbounded interval."""


def emit(result: Any, json: bool, toml: bool = False, flower: bool = False, failed: bool = False) -> None:
    """Print a result.

    Arguments:
        result: of a verb.
        json, toml, flower: the format; tables where none is asked for.
        failed: whether a check that should hold did not.

    Raises: InputError for two formats; KeyboardInterrupt where the work was cut short, ClusterLost where that
        was its cluster's end; typer.Exit with code 1 where a check failed.
    """
    asked = [name for name, wanted in (("json", json), ("toml", toml), ("flower", flower)) if wanted]
    if len(asked) > 1:
        raise InputError("format", " and ".join(f"--{name}" for name in asked), "one of them")
    if flower:
        from fedproof.adapters.flower_config import flower_toml

        print(flower_toml(result))
    elif toml:
        print(to_toml(stamped(result)))
    elif json:
        print(to_json(stamped(result)))
    else:
        from fedproof.terminal import show

        show(result)
    if getattr(result, "interrupted", False):
        raise getattr(result, "lost", None) or KeyboardInterrupt
    if failed:
        raise typer.Exit(1)


def to_toml(value: Any) -> str:
    """A result, or a mapping, as a TOML document.

    TOML has no null: a key without a value is left out, and in a list it is the text "null".

    >>> print(to_toml({"a": 1, "b": None, "c": {"d": 0.5}}))
    a = 1
    <BLANKLINE>
    [c]
    d = 0.5
    """
    return tomli_w.dumps(_without_null(jsonable(value))).strip("\n")


def _without_null(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_null(v) for key, v in value.items() if v is not None}
    if isinstance(value, list):
        return [NULL if v is None else _without_null(v) for v in value]
    return value
