"""The documentation site: every page has its place, and what is written when it is built is complete."""

from __future__ import annotations

import doctest
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import import_module
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

import fedproof as fp
from fedproof.listing import list_papers
from fedproof.vocabulary.schema import COMMANDS
from tests.structure.code import ROOT

BUILDING, SITE = ROOT / "docs" / "building", ROOT / "site"
NAVIGATION = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
PARTS = ("papers", "reference", "notebooks")


@pytest.fixture(scope="module")
def parts() -> Iterator[dict[str, ModuleType]]:
    """The modules that write pages."""
    sys.path.insert(0, str(BUILDING))
    yield {name: import_module(name) for name in PARTS}
    sys.path.remove(str(BUILDING))
    for name in PARTS:
        del sys.modules[name]


@pytest.fixture(scope="module")
def written(parts: dict[str, ModuleType]) -> dict[str, Any]:
    """Every page that is written when the site is built, by its file."""
    return {name: text for part in parts.values() for name, text in part.pages().items()}


def test_every_page_has_a_place(written: dict[str, Any]) -> None:
    """The navigation names every page of docs/ and every page that is written, each once, and no other."""
    named = re.findall(r"[\w/]+\.md", NAVIGATION)
    pages = {p.name for p in (ROOT / "docs").glob("*.md")} | {n for n in written if n.endswith(".md")}

    assert sorted(named) == sorted(pages | {"changelog.md", "contributing.md"})


def test_a_paper_has_a_page_with_every_statement(written: dict[str, Any]) -> None:
    """Each statement stands on its paper's page, by its id, with its claim and a verdict."""
    for paper in list_papers().papers:
        page = written[f"papers/{paper.key}.md"]
        places = re.findall(r"\{ #([\w-]+) \}", page)
        assert places == [id.replace(".", "-") for id in paper.statements]
        assert page.count('<div class="claim"><math') == len(places)
        assert len(re.findall(r'<span class="verdict [\w-]+">', page)) >= len(places)


def test_formulas_of_a_page_are_markup(written: dict[str, Any]) -> None:
    """What is drawn on a paper's page is well-formed MathML, and no LaTeX is left beside it."""
    page = written["papers/flecs.md"]
    drawn = re.findall(r"<math.*?</math>", page, re.S)

    assert len(drawn) > 100
    assert [ElementTree.fromstring(text).tag.rpartition("}")[2] for text in drawn] == ["math"] * len(drawn)
    assert "\\frac" not in page


def test_what_fell_stands_first(written: dict[str, Any]) -> None:
    """A paper's page begins with the statements that do not simply hold, the refuted ones above."""
    first = written["papers/flecs.md"].partition("## Statements")[0]

    assert re.findall(r">(refuted|open)</span> \| \[`([\w.]+)`", first) == [
        ("refuted", "flecs.theorem4"),
        ("refuted", "flecs.theorem5"),
        ("refuted", "flecs.corollary6"),
    ]


def test_the_reference_is_complete(written: dict[str, Any]) -> None:
    """Every public name, command and document has its section, with arguments and keys."""
    python, shell, documents = (written[f"reference/{name}.md"] for name in ("python", "shell", "json"))

    assert re.findall(r"^## fp\.(\w+)", python, re.M) == sorted(fp.__all__, key=str.lower)
    assert set(re.findall(r"^## fedproof (\w+)", shell, re.M)) == set(COMMANDS.values())
    assert set(re.findall(r"^## (\w+)/1", documents, re.M)) == set(COMMANDS.values())
    assert "fp.tune(id: str, " in python
    assert "- `id`: " in python
    assert "| `conditions[].holds` | boolean\\* |" in documents
    assert {"## Range", "### `.plot(...)`"} <= set(written["reference/values.md"].splitlines())


def test_a_notebook_is_a_page_with_its_pictures(written: dict[str, Any]) -> None:
    """Every picture that a notebook's page shows is written beside it."""
    for name, page in written.items():
        if name.startswith("notebooks/") and name.endswith(".md"):
            shown = re.findall(r"!\[[^\]]+\]\(([\w-]+\.png)\)", page)
            assert shown
            assert all(written[f"notebooks/{file}"].startswith(b"\x89PNG") for file in shown)


def test_examples_of_the_builders_run(parts: dict[str, ModuleType]) -> None:
    """The examples in the modules that write pages give what they say."""
    tried = [doctest.testmod(part) for part in parts.values()]

    assert sum(one.failed for one in tried) == 0
    assert sum(one.attempted for one in tried) >= 2


class Fetched(HTMLParser):
    """What a page asks for when it is opened; a link asks for nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element loads."""
        given = dict(attrs)
        if tag in ("script", "img", "iframe", "source", "video"):
            self.found += [given.get("src") or ""]
        if tag == "link" and given.get("rel") in ("stylesheet", "icon", "preconnect", "preload"):
            self.found += [given.get("href") or ""]


def fetched(page: str) -> list[str]:
    """The addresses that a page loads from elsewhere."""
    reader = Fetched()
    reader.feed(page)
    return [address for address in reader.found if "//" in address.partition("?")[0]]


def test_a_page_that_asks_a_network_is_seen() -> None:
    """A script, a font and a picture from elsewhere are told from one's own and from links."""
    assert fetched('<link rel="stylesheet" href="https://a/b.css"><script src="//c/d.js"></script>') == [
        "https://a/b.css",
        "//c/d.js",
    ]
    assert fetched('<a href="https://a"></a><img src="b.png"><link rel="canonical" href="https://c">') == []


def test_no_page_asks_a_network() -> None:
    """Where the site is built, none of its pages or style sheets loads anything from elsewhere."""
    pages = sorted(SITE.rglob("*.html"))
    if not pages:
        pytest.skip("`make docs` builds it")
    asked = {p.name: fetched(p.read_text(encoding="utf-8")) for p in pages}
    styles = "".join(p.read_text(encoding="utf-8") for p in SITE.rglob("*.css"))

    assert {name: found for name, found in asked.items() if found} == {}
    assert re.findall(r"url\(['\"]?(?:https?:)?//", styles) == []
    assert len(pages) >= 30
