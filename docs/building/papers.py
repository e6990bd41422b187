"""One page a paper, written from its statements when the site is built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from fedproof.algebra.mathml import mathml, wrapping
from fedproof.bounds.catalog import statement
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.listing import list_papers
from fedproof.validate.statement_verdict import declared
from fedproof.vocabulary.papers import Paper

USUAL = "holds"


def pages() -> dict[str, str]:
    """Markdown by file: one for each paper, and one that leads to them."""
    papers = list_papers().papers
    found = {f"papers/{paper.key}.md": page(paper) for paper in papers}
    lines = [f"| [{escape(p.title)}]({p.key}.md) | {escape(_of(p))} | {len(p.statements)} |" for p in papers]
    head = ["# Papers", "", INTRODUCTION, "", "| paper | by | statements |", "|---|---|---|"]
    return found | {"papers/index.md": "\n".join([*head, *lines, ""])}


INTRODUCTION = (
    "Each page is written from the statements that `fedproof` holds as data, when this site is built."
    " The verdicts are those that `make audit` finds anew and compares; [how to read a "
    "verdict](../verdicts.md) says what each means."
)


def _of(paper: Paper) -> str:
    return f"{paper.facts['authors']}; {paper.facts['venue']}"


def page(paper: Paper) -> str:
    """A paper's page: what does not simply hold, then every statement, then algorithms and figures."""
    words = declared(paper.key)
    listing: Any = list_papers(paper.key).to_dict()["papers"][0]
    lines = [f"# {paper.title}", "", f"{_of(paper)}. Key: `{paper.key}`.", ""]
    lines += _fallen(paper, words)
    lines += ["## Statements", ""]
    for id in paper.statements:
        lines += _statement(StatementHandle(statement(id)).show().to_dict(), words.get(id, USUAL))
    for title, names, command in (
        ("Algorithms", listing["algorithms"], "run"),
        ("Figures and tables", listing["figures"], "figure"),
    ):
        lines += [f"## {title}", ""]
        end = " -o figures" if command == "figure" else " --rounds 3"
        lines += ["```sh", *(f"fedproof {command} {name}{end}" for name in names), "```", ""]
    return "\n".join(lines)


def _fallen(paper: Paper, words: Mapping[str, str]) -> Iterator[str]:
    rows = [(word, id) for id, word in words.items() if word != USUAL]
    if not rows:
        return
    yield "## What does not simply hold"
    yield ""
    yield f"{len(rows)} of {len(paper.statements)} statements; the others hold as printed or as corrected."
    yield ""
    yield "| verdict | statement | title |"
    yield "|---|---|---|"
    for word, id in sorted(
        rows, key=lambda row: ("refuted", "vacuous", "open", "holds amended").index(row[0])
    ):
        yield f"| {_badge(word)} | [`{id}`](#{anchor(id)}) | {escape(statement(id).title)} |"
    yield ""


def anchor(id: str) -> str:
    """The place of a statement on its paper's page.

    >>> anchor("fedproxvr.lemma1.sarah")
    'fedproxvr-lemma1-sarah'
    """
    return id.replace(".", "-")


def _badge(word: str) -> str:
    return f'<span class="verdict {word.replace(" ", "-")}">{word}</span>'


def _statement(found: Mapping[str, Any], word: str) -> Iterator[str]:
    yield f"### {found['title']} {{ #{anchor(found['id'])} }}"
    yield ""
    yield f"{_badge(word)} `{found['id']}`, {escape(found['source'])}"
    yield ""
    yield f'<div class="claim">{wrapping(found["claim_latex"])}</div>'
    yield ""
    if found["definitions"]:
        yield _table(
            ("with", "from"), [(mathml(d["latex"]), escape(d["source"])) for d in found["definitions"]]
        )
    if found["conditions"]:
        rows = [(escape(c["label"]), wrapping(c["latex"]), escape(c["source"])) for c in found["conditions"]]
        yield _table(("condition", "", "from"), rows)
    if found["assumptions"]:
        rows = [(escape(a["name"]), wrapping(a["latex"]), escape(a["source"])) for a in found["assumptions"]]
        yield _table(("assumption", "", "from"), rows)
    if found["note"]:
        yield f"<p>{escape(found['note'])}</p>\n"
    for said, ids in (
        ("Amends", [found["amends"]] if found["amends"] else []),
        ("Amended by", found["amended_by"]),
        ("Uses", found["uses"]),
    ):
        if ids:
            yield f"{said} {', '.join(_link(id, found['paper']) for id in ids)}."
            yield ""
    rows = [
        (f"<code>{escape(s['name'])}</code>", f"<code>{escape(s['quantity'])}</code>", escape(s["domain"]),
         escape(s["unit"]), escape(s["meaning"]))
        for s in found["symbols"]
    ]  # fmt: skip
    shown = _table(("letter", "word", "domain", "unit", "meaning"), rows)
    yield f"<details><summary>{len(rows)} symbols</summary>{shown}</details>\n"


def _link(id: str, paper: str) -> str:
    return f"[`{id}`](#{anchor(id)})" if id in list_papers(paper).papers[0].statements else f"`{id}`"


def _table(head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    """Cells that are markup, as a table that scrolls where it is wider than the page."""
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>\n'
