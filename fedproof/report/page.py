"""Renders results to one HTML page that needs neither network nor scripts."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from fedproof.report.cards import open_words
from fedproof.report.cells import badge, code, prose
from fedproof.report.summary import summarise
from fedproof.report.tables import TABLES


@dataclass(frozen=True)
class Picture:
    """A figure on the page: its SVG inside the page itself, and its caption as (label, text) pairs."""

    id: str
    title: str
    source: str
    lines: tuple[tuple[str, str], ...]
    files: tuple[str, ...]

    @property
    def alternative(self) -> str:
        """What is read aloud instead of the picture."""
        return ". ".join([self.title, *(text for label, text in self.lines if label == "Seen")])


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("fedproof.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"badge": badge, "code": code, "prose": prose}
    return environment


def render(results: Mapping[str, Any], folder: Path) -> str:
    """The page.

    Arguments:
        results: the document of `results.json`; parts that are missing are left out and named.
        folder: where the figures' files lie; they are copied into the page.

    Returns: HTML.
    """
    style = _environment().get_template("style.css").render()
    return (
        _environment()
        .get_template("page.html")
        .render(
            results=results,
            summary=summarise(results),
            style=Markup(style),
            pictures=[_picture(f, folder) for f in results.get("figures", ())],
            tables={make.__name__: make(results) for make in TABLES},
            undecided=_open(results),
            seconds=sum(results["seconds"].values()),
        )
    )


def _open(results: Mapping[str, Any]) -> str:
    """What the open statements are, in words."""
    kinds = {s["id"]: s.get("kind", "") for s in results.get("statements", ())}
    return open_words(results.get("audit", {}).get("statements", ()), kinds)


def _picture(figure: Mapping[str, Any], folder: Path) -> Picture:
    svg = next(f for f in figure["files"] if f.endswith(".svg"))
    data = base64.b64encode((folder / svg).read_bytes()).decode("ascii")
    lines = tuple(tuple(line.split(": ", 1)) for line in figure["caption"].splitlines())
    return Picture(
        figure["id"], figure["title"], f"data:image/svg+xml;base64,{data}", lines, tuple(figure["files"])
    )
