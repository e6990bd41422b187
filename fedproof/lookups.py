"""Commands of the shell that look something up: papers, options, words, conditions."""

from __future__ import annotations

from typing import Annotated

import typer

from fedproof import options as opt
from fedproof.output import emit as _emit
from fedproof.vocabulary.errors import InputError


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
