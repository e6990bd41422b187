"""The reference, written from docstrings, from the JSON Schemas and from `--help` when the site is built."""

from __future__ import annotations

import contextlib
import inspect
import io
import re
from collections.abc import Iterator, Mapping
from html import escape
from importlib import import_module
from types import ModuleType
from typing import Any

import fedproof as fp
from fedproof.cli import app, main
from fedproof.vocabulary.schema import COMMANDS, schema

_SECTION = re.compile(r"^(Arguments|Returns|Raises|Yields):(.*)$")
_ENTRY = re.compile(r"^    (\S[^:]*): (.*)$")


def pages() -> dict[str, str]:
    """Markdown by file."""
    return {
        "reference/python.md": python(),
        "reference/values.md": values(),
        "reference/shell.md": shell(),
        "reference/json.md": documents(),
    }


def python() -> str:
    """Every public name of the package."""
    lines = ["# Python", "", "`import fedproof as fp`: the verbs of the shell, and what they take.", ""]
    for name in sorted(fp.__all__, key=str.lower):
        lines += [f"## fp.{name} {{ #{name} }}", "", *described(verb(name), f"fp.{name}")]
    return "\n".join(lines)


def verb(name: str) -> Any:
    """What a public name stands for, also where a package has the same name."""
    found = getattr(fp, name)
    return getattr(import_module(f"{found.__name__}.api"), name) if isinstance(found, ModuleType) else found


def values() -> str:
    """What verbs return: frozen values, with what each can do."""
    lines = ["# Values", "", VALUES, ""]
    for found in sorted(_results(), key=lambda c: c.__name__):
        lines += [f"## {found.__name__}", "", f"`{found.__module__}.{found.__name__}`", ""]
        lines += list(prose(inspect.getdoc(found) or ""))
        for name, member in vars(found).items():
            if not name.startswith("_") and (callable(member) or isinstance(member, property)):
                lines += list(_member(name, member))
    return "\n".join(lines)


VALUES = (
    "Every verb returns a frozen value that Jupyter renders, with `.to_dict()` (the document of "
    "[`--json`](json.md)), `.headline()` and, where it is a table, `.frame`."
)


def _results() -> set[type]:
    from fedproof.vocabulary.result import Result

    import_module("fedproof.bounds.region")
    for name in fp.__all__:
        verb(name)
    return {c for c in Result.__subclasses__() if c.__module__.startswith("fedproof.")}


def _member(name: str, member: Any) -> Iterator[str]:
    function = member.fget if isinstance(member, property) else member
    said = inspect.getdoc(function)
    if not said or not callable(function):
        return
    yield f"### `.{name}{'' if isinstance(member, property) else '(...)'}`"
    yield ""
    if not isinstance(member, property):
        yield from _signature(function, f".{name}")
    yield from prose(said)


def described(found: Any, name: str) -> Iterator[str]:
    """A signature and a docstring."""
    yield from _signature(found, name)
    yield from prose(inspect.getdoc(found) or "")


def _signature(found: Any, name: str) -> Iterator[str]:
    try:
        parameters = inspect.signature(found)
    except (TypeError, ValueError):
        return
    said = list(_parameters([p for n, p in parameters.parameters.items() if n != "self"]))
    result = parameters.return_annotation
    end = "" if result in (inspect.Parameter.empty, None, "None") else f" -> {result}"
    flat = f"{name}({', '.join(said)}){end}"
    if len(flat) > 88:
        flat = f"{name}(\n" + "".join(f"    {line},\n" for line in said) + f"){end}"
    yield from ("```python", flat, "```", "")


def _parameters(kept: list[inspect.Parameter]) -> Iterator[str]:
    """Each parameter as its definition has it, annotations without quotes."""
    starred, only = any(p.kind is p.VAR_POSITIONAL for p in kept), False
    for p in kept:
        if p.kind is not p.POSITIONAL_ONLY and only:
            only = False
            yield "/"
        only = p.kind is p.POSITIONAL_ONLY
        if p.kind is p.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        yield str(p).replace(repr(p.annotation), str(p.annotation))


def prose(text: str) -> Iterator[str]:
    """A docstring as markdown: paragraphs, lists of arguments, examples."""
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = block.splitlines()
        if lines[0].startswith(">>>"):
            yield from ("```pycon", *lines, "```", "")
        elif _SECTION.match(lines[0]):
            yield from _sections(lines)
        else:
            yield from (coded(" ".join(lines)), "")


def _sections(lines: list[str]) -> Iterator[str]:
    """Arguments, what is returned and what is raised, a list each."""
    entries: list[tuple[str, str]] = []
    title = ""
    for line in lines:
        if section := _SECTION.match(line):
            yield from _listed(title, entries)
            title, entries = section[1], [("", section[2].strip())] if section[2].strip() else []
        elif (entry := _ENTRY.match(line)) and title == "Arguments":
            entries.append((entry[1], entry[2]))
        elif entries:
            entries[-1] = (entries[-1][0], f"{entries[-1][1]} {line.strip()}")
        else:
            entries.append(("", line.strip()))
    yield from _listed(title, entries)


def _listed(title: str, entries: list[tuple[str, str]]) -> Iterator[str]:
    if len(entries) == 1 and not entries[0][0]:
        yield from (f"**{title}** {coded(entries[0][1])}", "")
    elif entries:
        yield from (f"**{title}**", "")
        yield from (f"- `{name}`: {coded(said)}" if name else f"- {coded(said)}" for name, said in entries)
        yield ""


def coded(text: str) -> str:
    """Plain text as markdown in which nothing but what stands in backticks has a meaning.

    >>> coded("a*b < `x*y`")
    'a\\\\*b &lt; `x*y`'
    """
    parts = text.split("`")
    for at in range(0, len(parts), 2):
        parts[at] = re.sub(r"([*_\[\]|\\#])", r"\\\1", escape(parts[at], quote=False))
    return "`".join(parts)


def shell() -> str:
    """What `--help` says of every command."""
    lines = ["# Shell", "", SHELL]
    for command in app.registered_commands:
        name = command.name or command.callback.__name__ if command.callback else ""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            main([str(name), "--help"])
        lines += ["", f"## fedproof {name} {{ #{name} }}", "", "```text", out.getvalue().rstrip(), "```"]
    return "\n".join([*lines, ""])


SHELL = (
    "`name=value` is mathematics, `--flag` is how to run. Exit code 0: done; 1: a check that should hold "
    "failed; 2: input that cannot be meant, in one line."
)


def documents() -> str:
    """The keys of every JSON document."""
    lines = ["# JSON", "", JSON, ""]
    for name in sorted(set(COMMANDS.values())):
        found = schema(name)
        lines += [f"## {found['title']}", "", coded(found["description"]), ""]
        lines += [f"[The schema](../schemas/{name}.json).", "", "| key | type | |", "|---|---|---|"]
        lines += [f"| `{key}` | {kind} | {said} |" for key, kind, said in _rows(found)]
        lines += [""]
    return "\n".join(lines)


JSON = (
    "Every command takes `--json`: one document on stdout, with no NaN or Infinity. `schema` says "
    "which of these it keeps, `fedproof` which release wrote it. Keys may be added, never removed, "
    "and a reader passes over those that it does not know. In Python: "
    '`fedproof.vocabulary.schema.schema("check")`. Keys with a star are always there.'
)


def _rows(found: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, str, str]]:
    for key, inner in found.get("properties", {}).items():
        always = "\\*" if key in found.get("required", ()) else ""
        yield f"{place}{key}", _kind(inner) + always, coded(inner.get("description", ""))
        of = inner.get("items") or inner.get("additionalProperties") or inner
        mark = "[]" if "items" in inner else ".NAME" if "additionalProperties" in inner else ""
        if isinstance(of, dict):
            yield from _rows(of, f"{place}{key}{mark}.")


def _kind(inner: Mapping[str, Any]) -> str:
    if "const" in inner:
        return f"`{inner['const']}`"
    if "enum" in inner:
        return ", ".join(f"`{word}`" for word in inner["enum"])
    kinds = inner.get("type", "any")
    said = kinds if isinstance(kinds, str) else " or ".join(kinds)
    return f"{said} of {_kind(inner['items'])}" if "items" in inner else said
