"""Renders results to one HTML page that needs neither network nor scripts."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from fedproof.report.cards import open_words
from fedproof.report.cells import badge, code, prose
from fedproof.report.summary import summarise
from fedproof.report.tables import tables


def environment(filters: Mapping[str, Callable[..., Any]], **options: Any) -> Environment:
    """The templates of this room; whatever is put into them is escaped."""
    found = Environment(
        loader=PackageLoader("fedproof.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        **options,
    )
    found.filters |= filters
    return found


@cache
def _templates() -> Environment:
    return environment({"badge": badge, "code": code, "prose": prose})


def render(results: Mapping[str, Any], folder: Path) -> str:
    """The page.

    Arguments:
        results: the document of `results.json`; parts that are missing are left out and named.
        folder: where the figures' files lie; they are copied into the page.

    Returns: HTML.
    """
    templates = _templates()
    kinds = {s["id"]: s.get("kind", "") for s in results.get("statements", ())}
    return templates.get_template("page.html").render(
        results=results,
        summary=summarise(results),
        style=Markup(templates.get_template("style.css").render()),
        pictures=[_picture(f, folder) for f in results.get("figures", ())],
        tables=tables(results),
        undecided=open_words(results.get("audit", {}).get("statements", ()), kinds),
        seconds=sum(results["seconds"].values()),
    )


def _picture(figure: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """A figure with its SVG in the page itself, what is read aloud instead, and its caption in pairs."""
    svg = next(f for f in figure["files"] if f.endswith(".svg"))
    data = base64.b64encode((folder / svg).read_bytes()).decode("ascii")
    lines = [line.split(": ", 1) for line in figure["caption"].splitlines()]
    read = ". ".join([figure["title"], *(text for label, text in lines if label == "Seen")])
    source = f"data:image/svg+xml;base64,{data}"
    return {**figure, "source": source, "lines": lines, "alternative": read}
