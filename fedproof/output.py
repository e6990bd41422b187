"""How a command prints what its verb answers: tables, JSON, TOML, or the configuration of a Flower app."""

from __future__ import annotations

from typing import Any

import typer

from fedproof.vocabulary.result import to_json


def emit(result: Any, json: bool, toml: bool = False, flower: bool = False, failed: bool = False) -> None:
    """Print a result.

    Arguments:
        result: of a verb.
        json, toml, flower: the format; tables where none is asked for.
        failed: whether a check that should hold did not.

    Raises: KeyboardInterrupt where the work was cut short, typer.Exit with code 1 where a check failed.
    """
    if flower:
        from fedproof.adapters.flower_config import flower_toml

        print(flower_toml(result))
    elif toml:
        from fedproof.vocabulary.toml import to_toml

        print(to_toml(result))
    elif json:
        print(to_json(result))
    else:
        from fedproof.terminal import show

        show(result)
    if getattr(result, "interrupted", False):
        raise KeyboardInterrupt
    if failed:
        raise typer.Exit(1)
