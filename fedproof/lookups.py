"""Commands of the shell that look something up: papers, options, words, conditions, regions."""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import Annotated, Any

import typer

from fedproof import options as opt
from fedproof.output import emit as _emit
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import assignments


def list_(
    key: opt.Key = None,
    algorithms: Annotated[bool, typer.Option("--algorithms", help="What algorithms take.")] = False,
    problems: Annotated[bool, typer.Option("--problems", help="What problems take.")] = False,
    json: opt.Json = False,
) -> None:
    """List papers, their statements, algorithms and figures; or every option with domain and default."""
    if not (algorithms or problems):
        from fedproof.listing import list_papers

        _emit(list_papers(key), json)
        return
    from fedproof.option_listing import list_options

    if (algorithms and problems) or key is not None:
        said = key or "--algorithms and --problems"
        raise InputError("list", said, "one of KEY, --algorithms and --problems", "leave the others out")
    _emit(list_options("algorithms" if algorithms else "problems"), json)


def find(words: opt.Words, json: opt.Json = False) -> None:
    """What speaks of these words: statements, assumptions, algorithms, problems, figures."""
    from fedproof.finding import find as verb

    _emit(verb(" ".join(words)), json)


def conditions(json: opt.Json = False) -> None:
    """What do papers assume of how unlike clients are, and what implies what?"""
    from fedproof.validate.conditions.api import conditions as verb

    found = verb()
    _emit(found, json, failed=bool(found.failed))


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
    from fedproof.figures.region_file import write_region
    from fedproof.terminal import progress

    given = {name: text.split(",") for name, text in assignments(values).items()}
    sliders = {name: many for name, many in given.items() if len(many) > 1}
    asked: dict[str, Any] = {name: many[0] for name, many in given.items() if name not in sliders}
    if window is not None:
        asked["window"] = _ends(window)
    if columns is not None:
        asked["columns"] = columns
    if sliders:
        count = prod(map(len, sliders.values()))
        with progress(f"region of {id}", count, quiet or json) as tick:
            found: Any = region_grid(id, x, y, sliders=sliders, progress=tick, **asked)
    else:
        found = verb(id, x, y, **asked)
    if output is not None:
        write_region(found, output)
    _emit(found, json)


def _ends(window: str) -> tuple[str, ...]:
    ends = tuple(window.split(","))
    if len(ends) != 2:
        raise InputError("window", window, "a low end and a higher one", "write --window 1,100")
    return ends
