"""The page: what its first screen says, what it escapes, and that it needs no network."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from fedproof.bounds import catalog
from fedproof.report.maths import mathml
from fedproof.report.page import render
from fedproof.report.summary import summarise
from fedproof.vocabulary.papers import papers

VOID = {"col", "meta", "img", "link", "br", "wbr", "input", "hr"}


class Page(HTMLParser):
    """Reads a page: its elements with attributes, its text by section, and whether tags match."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the element and that it is open."""
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """An end tag closes the last open element."""
        assert self.open
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        """Collect what is read."""
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Attributes of every element of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]


def first_screen(html: str) -> str:
    """The part of the page above the contents."""
    return re.sub(r"<[^>]+>", " ", html.partition("<main>")[2].partition("<nav")[0])


@pytest.fixture
def page(tmp_path: Path, fakes: Any) -> Page:
    """The page of the hand-made results."""
    return Page(render(fakes.results(tmp_path), tmp_path))


def test_the_page_is_well_formed(page: Page) -> None:
    """Every tag is closed in order, every id is used once, and every inner link leads to one."""
    ids = [a["id"] for _, a in page.elements if "id" in a]
    targets = [a["href"] for a in page.all("a") if (a["href"] or "").startswith("#")]

    assert page.open == []
    assert len(ids) == len(set(ids))
    assert [t for t in targets if t and t[1:] not in ids] == []
    assert len(targets) > 8


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


def test_markup_in_results_is_text_on_the_page(tmp_path: Path, fakes: Any) -> None:
    """A script in a name, a detail, a caption or a formula comes out escaped."""
    evil = "<script>alert(1)</script>"
    document = fakes.results(tmp_path)
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


def test_the_first_screen_counts_verdicts(tmp_path: Path, fakes: Any) -> None:
    """Each kind of question is counted by verdict before anything else is said."""
    said = first_screen(render(fakes.results(tmp_path), tmp_path))

    assert re.search(r"Statements\s+1\s+✓\s+holds\s+1\s+✗\s+refuted", said)
    assert re.search(r"1\s+✓\s+consistent\s+1\s+\?\s+inconclusive", said)
    assert re.search(r"1\s+✓\s+admissible\s+1\s+✗\s+not admissible", said)
    assert "Of 2 pairs of a stated setting and a statement, 1 can be satisfied." in said


def test_the_first_screen_shows_what_fails_with_its_numbers(tmp_path: Path, fakes: Any) -> None:
    """A refuted statement is named with its witness, before the figures and tables."""
    said = first_screen(render(fakes.results(tmp_path), tmp_path))

    assert "Title of key.remark1" in said
    assert "3/2 &gt; 1 at mu = 3/2." in said
    assert "Title of key.lemma1" not in said.partition("does not hold")[2].partition("What holds")[0]


def test_a_planted_violation_is_on_the_first_screen(tmp_path: Path, fakes: Any) -> None:
    """One violated comparison among the rows is listed first, with measured value and bound."""
    document = fakes.results(tmp_path)
    before = first_screen(render(document, tmp_path))
    planted = fakes.comparison("key.theorem1", "violated", measured=7.25, bound=0.5, slack=0.069)
    document["validate"]["results"].append(planted)
    after = first_screen(render(document, tmp_path))

    assert "violated" not in before
    assert re.search(r"✗\s+violated\s+key\.theorem1\s*: Measured 7.25.*a quadratic", after, re.S)
    assert "Measured 7.25 against a bound of 0.5." in after
    assert [line.verdict for line in summarise(document).fails] == ["violated", "refuted", "not admissible"]


def test_claims_that_could_hardly_fail_are_counted_apart(tmp_path: Path, fakes: Any) -> None:
    """Of what holds, definitions and problems with a feasible point are told apart, by kind and reason."""
    document = fakes.results(tmp_path)
    kinds = dict(zip("abcdef", ("identity",) * 3 + ("minimum", "implies", "minimum"), strict=True))
    document["statements"] = [fakes.statement(id, kind=kind) for id, kind in kinds.items()]
    said = {"a": {"because": ["definition"]}, "b": {"detail": "both sides cancel; true by definition"}}
    document["audit"]["statements"] = [
        fakes.judgement(id, "refuted" if id == "f" else "holds", **said.get(id, {})) for id in kinds
    ]
    text = first_screen(render(document, tmp_path))

    assert re.search(r"5\s+✓\s+holds", text)
    assert (
        "Of the 5 that hold, 2 are true by definition and 1 is a problem shown to have a feasible point."
        in re.sub(r"\s+", " ", text)
    )


def test_open_bounds_are_said_to_be_unaudited(tmp_path: Path, fakes: Any) -> None:
    """The page says how many of the open claims are bounds whose proofs wait, and no more than that."""
    document = fakes.results(tmp_path)
    document["statements"] = [fakes.statement("a", kind="bound"), fakes.statement("b", kind="implies")]
    document["audit"]["statements"] = [fakes.judgement("a", "open"), fakes.judgement("b", "open")]
    html = render(document, tmp_path)
    before = render(fakes.results(tmp_path), tmp_path)

    said = "Of the 2 open claims 1 is a bound on what runs do; its proof is not decided yet."
    assert html.count(said) == 2
    assert f"{said} The comparisons with runs below could break such a bound" in html
    assert "not decided yet" not in before


def test_a_refuted_statement_comes_with_its_note(tmp_path: Path, fakes: Any) -> None:
    """What a careful reader should know of it stands beneath; a statement that holds brings none."""
    document = fakes.results(tmp_path)
    for row in document["statements"]:
        row["note"] = f"Reading of {row['id']}, see `tune`."
    html = render(document, tmp_path)
    screen = first_screen(html)

    assert '<br><span class="small">Reading of key.remark1, see <code>tune</code>.</span>' in html
    assert "Reading of key.remark1" in screen
    assert "Reading of key.lemma1" not in screen
    assert html.count("Reading of key.lemma1, see <code>tune</code>.") == 1


def test_open_claims_with_one_reason_share_a_line(tmp_path: Path, fakes: Any) -> None:
    """Notes of what is merely open do not tear the list apart."""
    document = fakes.results(tmp_path)
    for row in document["statements"]:
        row["note"] = f"Reading of {row['id']}."
    document["validate"]["results"] = []
    document["audit"]["statements"] = [
        fakes.judgement(id, "open", detail="Not yet.") for id in ("key.lemma1", "key.remark1")
    ]

    assert [len(line.names) for line in summarise(document).undecided] == [2]


def test_an_exception_far_out_is_on_the_first_screen(tmp_path: Path, fakes: Any) -> None:
    """What holds on a figure's ranges and fails beyond is listed with both."""
    document = fakes.results(tmp_path)
    before = first_screen(render(document, tmp_path))
    detail = "proved between 9 of 9 optima (x in [0, 1]); not a law: y goes from 1 to 2 at x = 7"
    document["audit"]["statements"][0] |= {"detail": detail}
    after = first_screen(render(document, tmp_path))

    assert "not everywhere" not in before
    assert re.search(r"not everywhere\s+✓ holds\s+Title of key\.lemma1", re.sub(r"[ \n]+", " ", after))
    assert "(x in [0, 1]), not beyond: y goes from 1 to 2 at x = 7" in after


def test_an_undecided_setting_is_not_called_inadmissible(tmp_path: Path, fakes: Any) -> None:
    """A setting that was not decided is counted and listed as such."""
    document = fakes.results(tmp_path)
    document["audit"]["settings"].append(fakes.setting("Table 9", True) | {"admissible": None})
    said = re.sub(r"\s+", " ", first_screen(render(document, tmp_path)))

    assert "1 ✓ admissible 1 ✗ not admissible 1 ? undecided" in said
    assert "Table 9" in said.partition("What is undecided")[2]
    assert "Table 9" not in said.partition("What does not hold")[2].partition("What holds")[0]


def test_a_run_is_marked_by_its_verdict(tmp_path: Path, fakes: Any) -> None:
    """The row gives the verdict, what was seen and what would be admitted; a bound only where it applies."""
    document = fakes.results(tmp_path)
    words = ("applies", "inconclusive", "not applicable")
    document["runs"] = [fakes.trial(word) for word in words]
    text = render(document, tmp_path).partition('id="runs"')[2].partition("<section")[0]
    rows = [re.sub(r"<[^>]+>", " ", row) for row in text.split("<tr role")[2:]]

    assert ["40.25" in row for row in rows] == [True, False, False]
    assert [word in row for word, row in zip(words, rows, strict=True)] == [True] * 3
    assert all("sigma2 is at least 30.5, the largest seen along the run" in row for row in rows)
    assert all("admissible for sigma2 in [0, 1)" in row for row in rows)


def test_a_comparison_is_shown_by_its_statements_title(tmp_path: Path, fakes: Any) -> None:
    """The table of comparisons names a statement as readers call it, and by its id."""
    table = render(fakes.results(tmp_path), tmp_path).partition('id="checks"')[2].partition("</table>")[0]

    assert "Title of key.lemma1" in table
    assert "key.<wbr>theorem1" in table


def test_nothing_failing_is_said(tmp_path: Path, fakes: Any) -> None:
    """Without a failure the list says so, and an open claim is not among what holds."""
    document = fakes.results(tmp_path)
    document["audit"]["statements"][1] = fakes.judgement("key.remark1", "open", detail="Not decided.")
    document["audit"]["settings"] = [fakes.setting("Table 1", True)]
    said = first_screen(render(document, tmp_path))

    assert "Nothing that was tested failed." in said
    assert re.search(r"undecided.*Title of key\.remark1", said, re.S)


def test_what_fails_alike_is_said_once(tmp_path: Path, fakes: Any) -> None:
    """Settings outside one statement share a line with all their reasons; another statement has its own."""
    document = fakes.results(tmp_path)
    other = fakes.setting("Table 4", False) | {"statement": "key.other", "violates": ["mu > lam", "c"]}
    document["audit"]["settings"] = [fakes.setting("Table 2", False), fakes.setting("Table 3", False), other]
    fails = [f for f in summarise(document).fails if f.verdict == "not admissible"]

    assert [[name for _, name in f.names] for f in fails] == [["Table 2", "Table 3"], ["Table 4"]]
    assert "satisfy key, because" in fails[0].detail
    assert fails[0].detail.endswith("because of beta > 3")
    assert fails[1].detail.endswith("because of mu > lam and c")


def test_slack_of_a_lower_bound_is_said_the_other_way(tmp_path: Path, fakes: Any) -> None:
    """Where the theory promises at least the bound, the measurement is the larger of the two."""
    document = fakes.results(tmp_path)
    document["validate"]["results"] = [fakes.comparison("key.eq2", "consistent", slack=1.5, relation=">=")]

    assert "what was measured is 1.5 times the bound" in first_screen(render(document, tmp_path))


def test_the_margin_is_the_tightest_one(tmp_path: Path, fakes: Any) -> None:
    """Of several comparisons the smallest slack is shown, for each statement once."""
    document = fakes.results(tmp_path)
    rows = [fakes.comparison("key.lemma1", "consistent", slack=s) for s in (9.0, 1.25, 4.0)]
    document["validate"]["results"] = [*rows, fakes.comparison("key.other", "consistent", slack=3.0)]

    assert [line.names[0][1] for line in summarise(document).margins] == ["Title of key.lemma1", "key.other"]
    assert "the bound is 1.25 times" in first_screen(render(document, tmp_path))


def test_every_row_is_on_the_page(tmp_path: Path, fakes: Any) -> None:
    """Each statement, step, comparison and setting of the results has its row."""
    document = fakes.results(tmp_path)
    document["validate"]["results"] = [
        fakes.comparison(f"key.check{i}", v)
        for i, v in enumerate(("consistent", "violated", "inconclusive", "not applicable"))
    ]
    text = Page(render(document, tmp_path)).text

    for i in range(4):
        assert f"key.check{i}" in text
    for word in ("not applicable", "key.eq1", "z3, cvc5", "Table 1", "Table 2", "key.lemma1"):
        assert word in text


def test_missing_parts_are_named(tmp_path: Path, fakes: Any) -> None:
    """A page that was interrupted says what it lacks and shows the rest."""
    document = fakes.results(tmp_path, missing=["runs against theory"])
    del document["validate"]
    said = first_screen(render(document, tmp_path))

    assert "Unfinished: this page lacks runs against theory." in said
    assert "refuted" in said


@pytest.mark.parametrize("key", list(papers()))
def test_every_formula_becomes_mathml(key: str) -> None:
    """Claims, conditions, definitions and assumptions of each paper are drawn, none as plain LaTeX."""
    formulas = [a.latex for a in catalog.assumptions(key).values()]
    for s in catalog.statements(key):
        formulas += [s.claim_latex, *(s.tex(c.relation) for c in s.conditions)]
        formulas += [f"{d.letter.latex} = {s.tex(d.expr)}" for d in s.where]

    assert len(formulas) > 60
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
