"""What the search of every page finds: papers, statements, lines of proofs, figures and algorithms."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fedproof.report.front import step_name
from fedproof.report.paper_results import PaperResults, anchored, by_paper

Entry = tuple[str, str, str, str]
"""Title, address from the report's folder, what is searched beside these two, and what it is."""


def entries(results: Mapping[str, Any]) -> Iterator[Entry]:
    """Everything that has an id, once each."""
    for paper in by_paper(results):
        yield from map(_lowered, _of(paper))


def script(results: Mapping[str, Any]) -> str:
    """The index as a script, which a page opened from a folder may load where it may not fetch."""
    rows = json.dumps(list(entries(results)), ensure_ascii=True, separators=(",", ":"))
    return f"window.FEDPROOF_INDEX={rows};\n"


def _of(paper: PaperResults) -> Iterator[Entry]:
    key, title = paper.key, str(paper.facts["title"])
    yield title, f"{key}/index.html", f"{key} {paper.by}", "paper"
    for s in paper.statements:
        kind = f"{key}, statement, {paper.verdict(s['id'])}"
        yield s["title"], f"{key}/{s['id']}.html", s["source"], kind
    for step in paper.steps:
        kind = f"{key}, line of a proof, {step['verdict']}"
        place = anchored(f"step-{step['id']}")
        yield step_name(step), f"ledger/{key}.html#{place}", "", kind
    for f in paper.figures:
        yield f["title"], f"figures.html#figure-{f['id']}", "", f"{key}, figure"
    for name in paper.facts.get("algorithms", ()):
        yield name, f"{key}/index.html#algorithm-{name}", "", f"{key}, algorithm"


def _lowered(entry: Entry) -> Entry:
    title, url, words, kind = entry
    return title, url, words.lower(), kind
