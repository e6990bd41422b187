"""The page: what its first screen says, what it escapes, and that it needs no network."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from fedproof.bounds import catalog
from fedproof.report.maths import mathml
from fedproof.report.page import render
from fedproof.vocabulary.papers import papers
from tests.report.fakes import Page, comparison, judgement, results, setting, statement, trial


@pytest.fixture
def document(tmp_path: Path) -> Any:
    """The hand-made results."""
    return results(tmp_path)


@pytest.fixture
def page(document: Any, tmp_path: Path) -> Page:
    """Their page."""
    return Page(render(document, tmp_path))


def test_the_page_is_well_formed(page: Page) -> None:
    """Every tag is closed in order, every id is used once, and every inner link leads to one."""
    assert page.open == page.stray == []
    assert len(page.ids) == len(set(page.ids))
    assert set(page.places) <= set(page.ids)
    assert len(page.places) > 8


def test_the_page_needs_no_network(page: Page) -> None:
    """Nothing is loaded from elsewhere: no script, no link element, pictures inside the page."""
    sources = [a.get("src") or "" for _, a in page.elements if "src" in a]
    links = [a.get("href") or "" for a in page.all("a")]

    assert sources
    assert all(s.startswith("data:image/") for s in sources)
    assert not {"script", "link", "iframe", "object"} & {tag for tag, _ in page.elements}
    assert not [link for link in links if "//" in link]
    assert "@import" not in page.text
    assert "url(" not in page.text


def test_the_page_can_be_used_without_sight_or_mouse(page: Page) -> None:
    """Language, viewport, described pictures, captioned tables with headings, and tables reached by key."""
    assert page.all("html")[0]["lang"] == "en"
    assert any(a.get("name") == "viewport" for a in page.all("meta"))
    assert all(len(a["alt"] or "") > 10 for a in page.all("img"))
    assert len(page.all("caption")) == len(page.all("table")) > 3
    assert all(a.get("scope") == "col" for a in page.all("th"))
    assert [a.get("tabindex") for a in page.all("div") if a.get("role") == "region"] == ["0"] * len(
        page.all("table")
    )


def test_markup_in_results_is_text_on_the_page(document: Any, tmp_path: Path) -> None:
    """A script in a name, a detail, a caption or a formula comes out escaped."""
    evil = "<script>alert(1)</script>"
    document["statements"][0] |= {"title": evil, "claim_latex": evil, "id": evil}
    document["audit"]["statements"][1] |= {"detail": evil, "because": [evil], "witness": {evil: evil}}
    document["audit"]["settings"][1] |= {"where": evil, "violates": [evil], "parameters": {evil: evil}}
    document["validate"]["results"][0] |= {"id": evil, "problem": evil, "verdict": evil, "detail": evil}
    document["figures"][0] |= {"title": evil, "caption": f"Claimed: {evil}\nAgreement: {evil}"}
    document["papers"][0]["title"] = evil
    html = render(document, tmp_path)

    assert "<script" not in html
    assert html.count("&lt;script&gt;") >= 12
    assert "script" not in {tag for tag, _ in Page(html).elements}


FAR = "seen, with proof, between 9 of 9 optima (x in [0, 1]); not a law: y goes from 1 to 2 at x = 7"
KINDS = dict(zip("abcdef", ("identity",) * 3 + ("minimum", "implies", "minimum"), strict=True))
EARNED: dict[str, Any] = {
    "a": {"because": ["definition"]},
    "b": {"detail": "both sides cancel; true by definition"},
}


def slacks(**found: tuple[float, ...]) -> list[Any]:
    """Consistent comparisons of these statements with these slacks."""
    return [comparison(f"key.{id}", "consistent", slack=s) for id, all_ in found.items() for s in all_]


@pytest.mark.parametrize(("planted", "said", "unsaid"), [
    # each kind of question is counted by verdict; what fails is named with its numbers, what holds is not
    ({"statements.0.kind": "bound"},
     (r"Statements 1 ✓ holds 1 ✗ refuted", r"1 ✓ consistent 1 \? inconclusive",
          r"1 ✓ admissible 1 ✗ not admissible",
          "Of 2 stated settings 1 can satisfy every statement held against it",
          r"does not hold .*Title of key\.remark1 : 3/2 > 1 at mu = 3/2\..* What holds"),
     ("violated", "not everywhere", "not decided yet", r"does not hold .*Title of key\.lemma1.* What holds")),
    # a violated comparison is listed first, with measured value and bound
    ({"validate.results": [comparison("key.theorem1", "violated", measured=7.25, bound=0.5, slack=0.069)]},
     (r"does not hold ✗ violated key\.theorem1 : Measured 7\.25 against a bound of 0\.5\..*a quadratic"
      ".*✗ refuted.*✗ not admissible",), ()),
    # a bound that is left open is told with what it is about
    ({"statements.0.kind": "bound", "audit.statements.0": judgement("key.lemma1", "open")},
     (r"The 1 open is a bound on what runs do; its proof is not decided yet\.",), ()),
    # of what holds, definitions and problems with a feasible point are told apart, by kind and reason
    ({"statements": [statement(id, kind=kind) for id, kind in KINDS.items()], "audit.statements": [
        judgement(id, "refuted" if id == "f" else "holds", **EARNED.get(id, {})) for id in KINDS]},
     ("5 ✓ holds", "Of the 5 that hold, 2 are true by definition and 1 is a problem shown to have a"), ()),
    # notes of what is merely open do not tear the list apart
    ({"statements.0.note": "Reading one.", "statements.1.note": "Reading two.", "validate.results": [],
      "audit.statements": [judgement(f"key.{id}1", "open", detail="Not yet.") for id in ("lemma", "remark")]},
     (r"is undecided \? open Title of key\.lemma1 ; Title of key\.remark1 : Not yet",), ("Reading",)),
    # what was seen on a figure's ranges and fails beyond is open, and listed with both
    ({"audit.statements.0.detail": FAR, "audit.statements.0.verdict": "open"},
     (r"not everywhere \? open Title of key\.lemma1",
      r"\(x in \[0, 1\]\), not beyond: y goes from 1 to 2 at x = 7"), ()),
    # a setting that was not decided is counted and listed as such
    ({"audit.settings": [setting("Table 1", True), setting("Table 2", False),
                         setting("Table 9", True) | {"admissible": None}]},
     (r"1 ✓ admissible 1 ✗ not admissible 1 \? undecided", "What is undecided.*Table 9"),
     ("What does not hold.*Table 9.*What holds",)),
    # without a failure that is said, and an open claim is not among what holds
    ({"audit.statements.1": judgement("key.remark1", "open", detail="Not decided."),
      "audit.settings": [setting("Table 1", True)]},
     (r"Nothing that was tested failed\.", r"undecided.*Title of key\.remark1"), ()),
    # settings outside one statement share a line with all their reasons; another statement has its own
    ({"audit.settings": [setting("Table 2", False), setting("Table 3", False), setting("Table 4", False)
                         | {"statement": "key.other", "violates": ["mu > lam", "c"]}]},
     (r"Table 2 ; Table 3 : nothing [^:]* satisfy key, because of beta > 3 ✗ not admissible Table 4 : "
      r"[^:]*because of mu > lam and c ",), ()),
    # where the theory promises at least the bound, the measurement is the larger of the two
    ({"validate.results": [comparison("key.eq2", "consistent", slack=1.5, relation=">=")]},
     (r"what was measured is 1\.5 times the bound",), ()),
    # of several comparisons the smallest slack is shown, for each statement once
    ({"validate.results": slacks(lemma1=(9.0, 1.25, 4.0), other=(3.0,))},
     (r"Title of key\.lemma1 : the bound is 1\.25 times.*key\.other : the bound is 3 times",),
     ("is 9 times", "is 4 times")),
    # a page that was interrupted says what it lacks and shows the rest
    ({"missing": ["runs against theory"], "validate": ...},
     (r"Unfinished: this page lacks runs against theory\.", "refuted"), ()),
])  # fmt: skip
def test_the_first_screen(
    planted: dict[str, Any], said: tuple[str, ...], unsaid: tuple[str, ...], document: Any, tmp_path: Path
) -> None:
    """With these parts of the results changed, what stands above the contents."""
    for place, value in planted.items():
        *way, last = [int(name) if name.isdigit() else name for name in place.split(".")]
        inner = document
        for name in way:
            inner = inner[name]
        if value is ...:
            del inner[last]
        else:
            inner[last] = value
    screen = first_screen(render(document, tmp_path))

    assert [pattern for pattern in said if not re.search(pattern, screen)] == [], screen
    assert [pattern for pattern in unsaid if re.search(pattern, screen)] == [], screen


def first_screen(html: str) -> str:
    """The words of the page above the contents."""
    text = re.sub(r"<[^>]+>", " ", html.partition("<main>")[2].partition("<nav")[0])
    return re.sub(r"\s+", " ", unescape(text))


def test_open_bounds_are_said_to_be_unaudited(document: Any, tmp_path: Path) -> None:
    """The page says how many of the open claims are bounds whose proofs wait, and no more than that."""
    document["statements"] = [statement("a", kind="bound"), statement("b", kind="implies")]
    document["audit"]["statements"] = [judgement("a", "open"), judgement("b", "open")]
    html = render(document, tmp_path)

    said = "Of the 2 open claims 1 is a bound on what runs do; its proof is not decided yet."
    assert html.count(said) == 2
    assert f"{said} The comparisons with runs below could break such a bound" in html


def test_a_refuted_statement_comes_with_its_note(document: Any, tmp_path: Path) -> None:
    """What a careful reader should know of it stands beneath; a statement that holds brings none."""
    for row in document["statements"]:
        row["note"] = f"Reading of {row['id']}, see `tune`."
    html = render(document, tmp_path)
    screen = first_screen(html)

    assert '<br><span class="small">Reading of key.remark1, see <code>tune</code>.</span>' in html
    assert "Reading of key.remark1" in screen
    assert "Reading of key.lemma1" not in screen
    assert html.count("Reading of key.lemma1, see <code>tune</code>.") == 1


def test_a_run_is_marked_by_its_verdict(document: Any, tmp_path: Path) -> None:
    """The row gives the verdict, what was seen and what would be admitted; a bound only where it applies."""
    words = ("applies", "inconclusive", "not applicable")
    document["runs"] = [trial(word) for word in words]
    text = render(document, tmp_path).partition('id="runs"')[2].partition("<section")[0]
    rows = [re.sub(r"<[^>]+>", " ", row) for row in text.split("<tr role")[2:]]

    assert ["40.25" in row for row in rows] == [True, False, False]
    assert [word in row for word, row in zip(words, rows, strict=True)] == [True] * 3
    assert all("sigma2 is at least 30.5, the largest seen along the run" in row for row in rows)
    assert all("admissible for sigma2 in [0, 1)" in row for row in rows)


def test_a_comparison_is_shown_by_its_statements_title(document: Any, tmp_path: Path) -> None:
    """The table of comparisons names a statement as readers call it, and by its id."""
    table = render(document, tmp_path).partition('id="checks"')[2].partition("</table>")[0]

    assert "Title of key.lemma1" in table
    assert "key.<wbr>theorem1" in table


def test_every_row_is_on_the_page(document: Any, tmp_path: Path) -> None:
    """Each statement, step, comparison and setting of the results has its row."""
    document["validate"]["results"] = [
        comparison(f"key.check{i}", v)
        for i, v in enumerate(("consistent", "violated", "inconclusive", "not applicable"))
    ]
    text = Page(render(document, tmp_path)).text

    for i in range(4):
        assert f"key.check{i}" in text
    for word in ("not applicable", "key.eq1", "z3, cvc5", "Table 1", "Table 2", "key.lemma1"):
        assert word in text


@pytest.mark.parametrize("key", list(papers()))
def test_every_formula_becomes_mathml(key: str) -> None:
    """Claims, conditions, definitions and assumptions of each paper are drawn, none as plain LaTeX."""
    formulas = [a.latex for a in catalog.assumptions(key).values()]
    for s in catalog.statements(key):
        formulas += [s.claim_latex, *(s.tex(c.relation) for c in s.conditions)]
        formulas += [f"{d.letter.latex} = {s.tex(d.expr)}" for d in s.where]

    assert len(formulas) > 20
    assert [f for f in formulas if not mathml(f).startswith("<math")] == []
    assert [f for f in formulas if "\\" in "".join(ElementTree.fromstring(mathml(f)).itertext())] == []


@pytest.mark.parametrize(
    "latex", [r"\unknown{x}", "<script>", "a & b", "{", r"\frac{1}", "", r"\text{<b>}", r"\href{x:y}{z}"]
)
def test_a_bad_formula_is_harmless(latex: str) -> None:
    """Whatever is given, the outcome is well-formed and holds no element but formulas and code."""
    found = ElementTree.fromstring(mathml(latex))

    assert all(re.fullmatch(r"(\{.*\})?(code|m[a-z]+)", e.tag) for e in found.iter())
    assert "script" not in {e.tag for e in found.iter()}
    assert not [a for e in found.iter() for a in e.attrib if a in {"href", "onclick", "style"}]


def test_an_unknown_command_stays_latex() -> None:
    """A command that the converter does not know is shown as typed, not as a broken formula."""
    assert mathml(r"1 + \unknown{x}") == r"<code>1 + \unknown{x}</code>"
    assert "𝔼" in mathml(r"\mathbb E")
