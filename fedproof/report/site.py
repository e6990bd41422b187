"""The report as pages in a folder, which open without a network and without a server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from fedproof.report import cells, search_index
from fedproof.report.front import cards
from fedproof.report.paper_page import paper_sections, statement_page, statement_sections
from fedproof.report.paper_results import PaperResults, by_paper
from fedproof.report.plan_page import plan_page
from fedproof.report.tables import statements_table, table
from fedproof.report.verdict_words import GLOSSARY, tone
from fedproof.vocabulary.files import folder_for, write_whole

STATIC = "static"


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
    shared = {"badge": cells.badge, "code": cells.code, "prose": cells.prose, "tex": cells.tex}
    found.filters |= shared | {"display": cells.display, "tone": tone, **filters}
    return found


@cache
def _templates() -> Environment:
    return environment({})


def pages(results: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each page of the report but the ledgers: its place in the folder, and its text.

    Arguments:
        results: the document of `results.json`; parts that are missing are left out and named.
    """
    papers = by_paper(results)
    yield "index.html", _front(results)
    for paper in papers:
        yield f"{paper.key}/index.html", _paper(paper)
        for s in paper.statements:
            yield f"{paper.key}/{s['id']}.html", _statement(paper, s["id"])
    yield (
        "figures.html",
        _rendered("figures.html", papers=[(p.facts["title"], list(_pictures(p))) for p in papers]),
    )
    yield "plan.html", _rendered("plan.html", p=plan_page(results.get("plan")))
    yield "glossary.html", _glossary(results)
    yield f"{STATIC}/index.js", search_index.script(results)


def write_pages(results: Mapping[str, Any], folder: Path) -> None:
    """Write the pages and what they are drawn with; a file that is as it should be is left."""
    for place, text in pages(results):
        write_renewed(folder / place, text.encode())
    write_static(folder)


def write_static(folder: Path) -> None:
    """Copy the style sheet, the script and the library that draws formulas."""
    for place, content in _static(files("fedproof.report") / STATIC, STATIC):
        write_renewed(folder / place, content)


def write_renewed(path: Path, content: bytes) -> Path:
    """Write a file with its folder, unless it is there as it should be."""
    if path.is_file() and path.read_bytes() == content:
        return path
    return write_whole(folder_for(path.parent) / path.name, content)


def _static(folder: Traversable, before: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _static(entry, f"{before}/{entry.name}")
        else:
            yield f"{before}/{entry.name}", entry.read_bytes()


def _rendered(template: str, **values: Any) -> str:
    return _templates().get_template(template).render(**values)


def _front(results: Mapping[str, Any]) -> str:
    return _rendered(
        "front.html", papers=cards(results), missing=results["missing"], failed=results["failed"]
    )


def _glossary(results: Mapping[str, Any]) -> str:
    return _rendered(
        "glossary.html",
        glossary=GLOSSARY,
        seconds=sum(results["seconds"].values()),
        versions=results["versions"],
        stored=results.get("stored", {}),
    )


def _paper(paper: PaperResults) -> str:
    facts = paper.facts
    said = {
        "key": paper.key,
        "title": facts["title"],
        "by": paper.by,
        "claimed": facts.get("claimed", ""),
        "figures": paper.figures,
        "algorithms": facts.get("algorithms", ()),
    }
    return _rendered(
        "paper.html",
        p=said,
        statements=statements_table(paper),
        sections=paper_sections(paper),
        pictures=_drawn(paper.runs),
    )


def _statement(paper: PaperResults, id: str) -> str:
    return _rendered(
        "statement.html",
        s=statement_page(paper, id),
        symbols=table("symbols", paper.by_id[id].get("symbols", ())),
        sections=statement_sections(paper, id),
        pictures=_drawn(r for r in paper.runs if r["check"].get("id") == id),
    )


def _drawn(runs: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The runs that have a drawing."""
    return [r for r in runs if r.get("picture")]


def _pictures(paper: PaperResults) -> Iterator[dict[str, Any]]:
    """The figures with what is read aloud instead, and their captions in pairs."""
    for figure in paper.figures:
        lines = [line.split(": ", 1) for line in figure["caption"].splitlines()]
        read = ". ".join([figure["title"], *(text for label, text in lines if label == "Seen")])
        picture = next(f for f in figure["files"] if f.endswith(".svg"))
        yield {**figure, "picture": picture, "lines": lines, "alternative": read}
