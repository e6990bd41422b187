"""Commands of the shell that ask a statement: what it says, for which numbers, and which are best."""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import Annotated, Any

import typer

from fedproof import options as opt
from fedproof.output import emit as _emit
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import assignments as _values


def show(id: opt.Id, json: opt.Json = False) -> None:
    """Show a statement: claim, symbols, conditions, assumptions."""
    from fedproof.bounds.statement_handle import statement

    _emit(statement(id).show(), json)


def check(id: opt.Id, values: opt.Values = None, json: opt.Json = False) -> None:
    """Does the theorem apply to my numbers?"""
    from fedproof.bounds.statement_handle import statement
    from fedproof.terminal import waiting

    with waiting(f"check {id}"):
        found = statement(id).check(**_values(values))
        getattr(found.nearest, "together", None)  # what the answer shows is sought while it is told of
    _emit(found, json)


def range_(
    id: opt.Id, symbol: opt.Symbol, values: opt.Values = None, json: opt.Json = False, toml: opt.Toml = False
) -> None:
    """Which values of SYMBOL are admissible? Symbols left out are free."""
    from fedproof.bounds.statement_handle import statement
    from fedproof.terminal import waiting

    with waiting(f"range {id} {symbol}"):
        found = statement(id).range(symbol, **_values(values))
    _emit(found, json, toml)


def tune(
    id: opt.Id, values: opt.Values = None, json: opt.Json = False, toml: opt.Toml = False,
    flower: opt.Flower = False,
) -> None:  # fmt: skip
    """Which parameters are best? A bare key is the paper's own problem."""
    from fedproof.terminal import waiting
    from fedproof.tuning.api import tune as verb

    with waiting(f"tune {id}"):
        found = verb(id, **_values(values))
    _emit(found, json, toml, flower)


def region(
    id: opt.Id,
    x: Annotated[str, typer.Argument(metavar="X", help="The symbol along the picture.")],
    y: Annotated[str, typer.Argument(metavar="Y", help="The symbol up the picture.")],
    values: Annotated[
        list[str] | None,
        typer.Argument(metavar="name=value[,value...]", help="Several values make a slider; at most two."),
    ] = None,
    window: Annotated[
        str | None, typer.Option("--window", metavar="LOW,HIGH", help="Of X; all that is admissible.")
    ] = None,
    columns: Annotated[int | None, typer.Option("--columns", help="Exact columns, at least.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="A .svg, .png, .pdf, .csv; with sliders .html."),
    ] = None,
    quiet: opt.Quiet = False,
    json: opt.Json = False,
) -> None:
    """Which pairs of X and Y are admissible, the others given, free, or moved by sliders?"""
    from fedproof.bounds.region import region as verb
    from fedproof.bounds.region_grid import region_grid
    from fedproof.figures.region_file import check_ending, write_region
    from fedproof.terminal import progress, waiting

    given = {name: text.split(",") for name, text in _values(values).items()}
    sliders = {name: many for name, many in given.items() if len(many) > 1}
    asked: dict[str, Any] = {name: many[0] for name, many in given.items() if name not in sliders}
    if window is not None:
        asked["window"] = _ends(window)
    if columns is not None:
        asked["columns"] = columns
    if output is not None:
        check_ending(output, bool(sliders))
    if sliders:
        count = prod(map(len, sliders.values()))
        with progress(f"region of {id}", count, quiet) as tick:
            found: Any = region_grid(id, x, y, sliders=sliders, progress=tick, **asked)
    else:
        with waiting(f"region of {id}", quiet):
            found = verb(id, x, y, **asked)
    if output is not None:
        write_region(found, output)
    _emit(found, json)


def _ends(window: str) -> tuple[str, ...]:
    ends = tuple(window.split(","))
    if len(ends) != 2:
        raise InputError("window", window, "a low end and a higher one", "write --window 1,100")
    return ends
