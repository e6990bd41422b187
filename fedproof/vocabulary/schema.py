"""The schemas of what commands print with `--json`, and the keys by which a document names its own."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.result import Result, jsonable

#: the class of what a command prints -> the command; what Python alone has is no document of the shell
COMMANDS = {
    "AdmissibleRegion": "region",
    "ApplicabilityResult": "check",
    "Audit": "audit",
    "Conditions": "conditions",
    "Conformance": "conform",
    "Description": "describe",
    "FigureFiles": "figure",
    "Found": "find",
    "History": "run",
    "Ledger": "audit",
    "Listing": "list",
    "MeasureResult": "measure",
    "NewPaper": "new",
    "OptionListing": "list",
    "PlanResult": "plan",
    "Range": "range",
    "RegionGrid": "region",
    "Report": "report",
    "StatementView": "show",
    "StepDecision": "decide",
    "Sweep": "sweep",
    "TuneResult": "tune",
    "Validation": "validate",
}


@cache
def schema(command: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what a command prints with `--json`.

    Arguments:
        command: its name, such as check.

    Returns: the schema; its `title` is the name and number that documents give as their `schema`.
    Raises: UnknownName.

    >>> schema("check")["title"], schema("check")["required"][:3]
    ('check/1', ['schema', 'fedproof', 'id'])
    """
    known = sorted(set(COMMANDS.values()))
    if command not in known:
        raise UnknownName("schema", command, known)
    text = files("fedproof.vocabulary").joinpath("schemas", f"{command}.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def stamped(result: Result) -> dict[str, Any]:
    """The document of a result with the schema that it keeps and the release that wrote it.

    >>> from fedproof.listing import list_papers
    >>> stamped(list_papers())["schema"]
    'list/1'
    """
    from fedproof import __version__

    document: dict[str, Any] = jsonable(result)
    command = COMMANDS.get(type(result).__name__)
    if command is None:
        return document
    return {"schema": schema(command)["title"], "fedproof": __version__} | document
