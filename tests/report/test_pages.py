"""The report's pages: what the front page says, what is escaped, and that they hang together."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag

import pytest

from fedproof.bounds import catalog
from fedproof.report.front import cards
from fedproof.report.search_index import entries
from fedproof.report.site import pages, write_pages
from fedproof.vocabulary.papers import papers
from tests.report.fakes import Page, comparison, judgement, line, results, setting, statement, trial


@pytest.fixture
def document(tmp_path: Path) -> Any:
    """The hand-made results."""
    return results(tmp_path)


def texts(document: Any) -> dict[str, str]:
    """Its pages by their place."""
    return dict(pages(document))


def words(html: str) -> str:
    """What is read on a page, in one line."""
    text = re.sub(r"<[^>]+>", " ", html.partition("<main")[2].partition(">")[2])
    return re.sub(r"\s+", " ", unescape(text))


def test_every_page_is_well_formed(document: Any) -> None:
    """Tags are closed in order, ids used once; one heading of the first level, no level left out."""
    found = {place: html for place, html in pages(document) if place.endswith(".html")}

    assert set(found) == {
        "index.html", "figures.html", "plan.html", "glossary.html", "key/index.html", "key/key.lemma1.html",
        "key/key.remark1.html",
    }  # fmt: skip
    for place, html in found.items():
        page = Page(html)
        levels = [int(level) for level in re.findall(r"<h(\d)", html)]
        assert page.open == page.stray == [], place
        assert len(page.ids) == len(set(page.ids)), place
        assert levels.count(1) == 1, place
        assert all(after <= before + 1 for before, after in pairwise(levels)), place


def test_every_link_leads_to_a_place_of_the_folder(document: Any, tmp_path: Path) -> None:
    """Links and sources are relative, and each file and anchor of the pages is there."""
    write_pages(document, tmp_path)
    anchors = {p.resolve(): set(Page(p.read_text()).ids) for p in tmp_path.rglob("*.html")}
    found = 0
    for page in anchors:
        html = page.read_text()
        for target in re.findall(r'(?:href|src)="([^"]*)"', html):
            path, anchor = urldefrag(unescape(target))
            file = (page.parent / path).resolve() if path else page
            if target == "data:," or "ledger" in path or path.endswith((".json", ".xz")):
                continue
            assert ":" not in target, target
            assert file.is_file(), (page, target)
            assert not anchor or anchor in anchors[file], (page, target)
            found += 1

    assert found > 50


def test_the_pages_can_be_used_without_sight_or_mouse(document: Any) -> None:
    """Language, viewport, landmarks, described pictures, captioned tables with headings, reached by key."""
    for place, html in pages(document):
        if not place.endswith(".html"):
            continue
        page = Page(html)
        assert page.all("html")[0]["lang"] == "en"
        assert any(a.get("name") == "viewport" for a in page.all("meta"))
        assert [len(page.all(tag)) for tag in ("main", "header")] == [1, 1]
        assert all(a.get("aria-label") for a in (*page.all("nav"), *page.all("input")))
        assert all(len(a["alt"] or "") > 10 for a in page.all("img"))
        assert len(page.all("caption")) == len(page.all("table"))
        assert all(a.get("scope") == "col" for a in page.all("th"))
        regions = [a.get("tabindex") for a in page.all("div") if a.get("role") == "region"]
        assert regions == ["0"] * len(page.all("table"))


def test_markup_in_results_is_text_on_every_page(document: Any) -> None:
    """A script in a name, a detail, a caption, a formula or the search comes out escaped."""
    evil = "<script>alert(1)</script>"
    document["statements"][0] |= {"title": evil, "claim_latex": evil, "source": evil, "note": evil}
    document["audit"]["statements"][1] |= {"detail": evil, "instance": {"sides": evil}}
    document["audit"]["steps"][1] |= {"equation": evil}
    document["audit"]["settings"][1] |= {"where": evil, "violates": [evil], "parameters": {evil: evil}}
    document["validate"]["results"][0] |= {"problem": evil, "verdict": evil, "detail": evil}
    document["figures"][0] |= {"title": evil, "caption": f"Claimed: {evil}\nAgreement: {evil}"}
    document["papers"][0] |= {"title": evil, "claimed": evil, "faults": [{"why": evil, "ids": ["key.eq2"]}]}
    found = texts(document)
    html = "".join(text for place, text in found.items() if place.endswith(".html"))

    assert "<script>alert" not in html
    assert html.count("&lt;script&gt;") >= 12
    assert all(
        set(a) & {"src"}
        for p in (Page(t) for n, t in found.items() if n.endswith(".html"))
        for a in p.all("script")
    )


UNSAID = {"steps": [], "cited": [], "needs": ["key.unsaid", "unstated: mu <= L, which fails only at 0"]}


@pytest.mark.parametrize(("planted", "said", "unsaid"), [
    # verdicts of what is printed, each distinct error once with its sentence, and what does not fit
    ({}, (r"Claimed: It converges\. Fell eq\. \(1\) Stands 1 claim 2 distinct errors,",
          r"in 1 statement and 2 lines eq\. \(1\) 3/2 > 1 at mu = 3/2 \.", r"A sign is lost \.",
          r"Its own settings : 1 of 2 fail: Table 2 by beta > 3\.", r"Undecided : nothing\.",
          r"Runs : 2 comparisons: 1 consistent, 1 inconclusive\."),
     ("violated", "Unfinished", "Failed")),
    # a fault that breaks a statement stands first, with the statement
    ({"papers.0.faults": [{"why": "A sign", "ids": ["key.eq2", "key.eq3"]},
                          {"why": "A root", "ids": ["key.remark1"]}]},
     (r"2 distinct errors, in 1 statement and 2 lines eq\. \(1\) A root \. A sign \.",), ()),
    # what no fault names is an error by itself, by the first sentence that is noted of it
    ({"papers.0.faults": []}, ("3 distinct errors", r"A sign \.", r"5 > 2 \."), ("More",)),
    # the instance that breaks a statement is no line of the paper
    ({"audit.statements.1.counterexample": ["key.eq1", "key.eq3"]}, ("in 1 statement and 1 line ",), ()),
    # a named result stands by its name, other claims are counted, and ours do not count
    ({"statements.0.title": "Theorem 3.6 (a case)", "statements.1.amends": "key.lemma1"},
     (r"Stands Theorem 3\.6 2 dist",), ("Fell", "case")),
    # two results of one name keep their brackets
    ({"statements": [statement(f"key.{i}1", title=f"Lemma 1 ({i})") for i in ("lemma", "remark")]},
     (r"Fell Lemma 1 \(remark\) Stands Lemma 1 \(lemma\)",), ()),
    # what a named result needs besides is said in words, up to the first comma
    ({"statements.0.title": "Theorem 1",
      "audit.statements.0": judgement("key.lemma1", "holds amended", basis=UNSAID)},
     (r"Stands amended Theorem 1", r"Amended with : clients draw apart; mu <= L\."), ("unsaid", "always")),
    # a violated comparison is named, and whether the audit knows it
    ({"validate.results": [comparison("key.remark1", "violated"), comparison("key.lemma1", "consistent")]},
     (r"1 consistent, 1 violated\. Violated: eq\. \(1\), refuted too\.",), ()),
    ({"validate.results": [comparison("key.lemma1", "violated")]},
     (r"Violated: eq\. \(1\)\.",), ("too",)),
    # open claims are told by kind, bounds by name, and ours are called so
    ({"statements.0.kind": "reported", "statements.1.amends": "x",
      "audit.statements": [judgement(f"key.{i}1", "open") for i in ("lemma", "remark")],
      "audit.steps": [line("key.eq9", "open")]},
     (r"Undecided : 1 reported run, Title of key\.remark1 \(ours\) and 1 line of proofs\.",
      "No error was found"), ()),
    # settings that all fit are said to
    ({"audit.settings": [setting("Table 1", True)]}, (r"Its own settings : all 1 can be met\.",), ()),
    # places with one reason share it
    ({"audit.settings": [setting("Table 2, a", False), setting("Table 3", False)]},
     (r"2 of 2 fail: Table 2 and Table 3 by beta > 3\.",), ()),
    # a report that was interrupted says what it lacks and shows the rest
    ({"missing": ["runs against theory"], "validate": ...},
     (r"Unfinished: this report lacks runs against theory\.", "Fell"), ("Runs :",)),
    ({"failed": ["figures (no <font>)"], "audit": ...}, (r"Failed: figures \(no <font>\)\.", "Not judged "
                                                                                             "yet"), ()),
])  # fmt: skip
def test_the_front_page(
    planted: dict[str, Any], said: tuple[str, ...], unsaid: tuple[str, ...], document: Any
) -> None:
    """With these parts of the results changed, what the front page says and does not say."""
    for place, value in planted.items():
        *way, last = [int(name) if name.isdigit() else name for name in place.split(".")]
        inner = document
        for name in way:
            inner = inner[name]
        if value is ...:
            del inner[last]
        else:
            inner[last] = value
    screen = words(texts(document)["index.html"])

    assert [pattern for pattern in said if not re.search(pattern, screen)] == [], screen
    assert [pattern for pattern in unsaid if re.search(pattern, screen)] == [], screen


def test_each_error_is_counted_once(document: Any) -> None:
    """A fault stands once however many lines it spoils, and leads to the first of them."""
    (card,) = cards(document)
    (fault,) = [f for f in card.faults if not f.statements]

    assert fault.href == "ledger/key.html#step-key.eq2"
    assert fault.lines == ("eq. (2)", "below (2)")


def asked_range(id: str) -> dict[str, Any]:
    """An answer of `range` about a statement."""
    return {
        "command": f"fedproof range {id} tau", "why_asked": f"Why {id}.", "symbol": "tau",
        "headline": "tau >= 1", "intervals": [[1.0, None]], "open": [[False, True]],
        "integers": None, "binding": [],
    }  # fmt: skip


def test_a_statements_page_says_what_a_referee_asks(document: Any) -> None:
    """Claim, conditions, letters with units, what it rests on, its proof, and what is about it alone."""
    basis = {"steps": ["key.eq1", "key.eq2"], "cited": [], "needs": ["key.unsaid"]}
    detail = "its proof has a certificate; it needs key.unsaid besides"
    document["audit"]["statements"][0] = judgement("key.lemma1", "holds amended", basis=basis, detail=detail)
    document["audit"]["settings"][1]["statement"] = "key.lemma1"
    document["range"] = [asked_range("key.lemma1"), asked_range("key.remark1")]
    html = texts(document)["key/key.lemma1.html"]
    said = words(html)

    assert '<div class="formula"><span class="tex">\\frac{1}{x} \\le \\theta</span></div>' in html
    assert "Verdict: its proof has a certificate What the text leaves unsaid" in said
    assert "clients draw apart, always" in said
    assert re.search(r"x a letter loss \(0, ∞\)", said)
    assert "losses are smooth: L A1" in said
    assert "Its proof goes through 2 lines" in said
    assert 'href="../ledger/key.html#step-key.eq2"' in html
    assert "Why key.lemma1." in said
    assert "Why key.remark1." not in said
    assert "Table 2" in said
    assert "Table 1" not in said
    assert re.search(r"2 5 2\.5 In words\. 30 seeds", said)


def test_a_refuted_statements_page_leads_to_its_numbers(document: Any) -> None:
    """The two sides at exact numbers, and the row of the ledger where they can be put in by hand."""
    document["audit"]["statements"][1]["instance"] = {"sides": "3/2 > 1"}
    html = texts(document)["key/key.remark1.html"]

    assert "Exact numbers break it: 3/2 > 1" in words(html)
    assert '<a href="../ledger/key.html#statement-key.remark1">Check it by hand</a>' in html


def test_a_run_is_marked_by_its_verdict(document: Any) -> None:
    """The row gives the verdict, what was seen and what would be admitted; a bound only where it applies."""
    verdicts = ("applies", "inconclusive", "not applicable")
    document["runs"] = [trial(word) for word in verdicts]
    text = texts(document)["key/index.html"].partition('id="runs"')[2].partition("</details>")[0]
    rows = [re.sub(r"<[^>]+>", " ", row) for row in text.split("<tr>")[2:]]

    assert ["40.25" in row for row in rows] == [True, False, False]
    assert [word in row for word, row in zip(verdicts, rows, strict=True)] == [True] * 3
    assert all("sigma2 is at least 30.5, the largest seen along the run" in row for row in rows)
    assert all("admissible for sigma2 in [0, 1)" in row for row in rows)


def test_a_ratio_near_one_shows_on_which_side(document: Any) -> None:
    """A bound that is kept by two millionths is not shown as reached, and its bar is full but not over."""
    document["validate"]["results"] = [
        comparison("key.lemma1", "consistent", measured=1.0, bound=1.000002, slack=1.000002)
    ]
    html = texts(document)["key/key.lemma1.html"]

    assert ">1.000002<" in html
    assert ">1.000002<" in texts(document)["key/index.html"]
    assert 'class="share"' in html
    assert "share over" not in html


def test_an_optimum_has_its_unit_and_its_problem(document: Any) -> None:
    """The least objective stands with what it counts, with the question and with the proven bound."""
    document["tune"] = [
        {
            "command": "fedproof tune key L=1", "why_asked": "The cheapest run.", "unit": "seconds",
            "objective": 500.045, "lower_bound": 500.045, "certified": True, "gap": 0.0,
            "argmin": {"tau": 1.0},
        }
    ]  # fmt: skip
    said = words(texts(document)["key/index.html"])

    assert "The cheapest run. fedproof tune key L=1 500.045 seconds 500.045 ✓ certified 0 tau = 1" in said


def test_everything_with_an_id_is_found_by_one_search(document: Any) -> None:
    """Papers, statements, lines, figures and algorithms are in the index, at places that are there."""
    found = {url: f"{title} {url} {text}" for title, url, text, _ in entries(document)}

    assert set(found) == {
        "key/index.html", "key/key.lemma1.html", "key/key.remark1.html", "ledger/key.html#step-key.eq1",
        "ledger/key.html#step-key.eq2", "ledger/key.html#step-key.eq3", "figures.html#figure-key.figure1",
        "key/index.html#algorithm-method",
    }  # fmt: skip
    assert "(2)" in found["ledger/key.html#step-key.eq2"]
    assert "a figure" in found["figures.html#figure-key.figure1"].lower()


def test_every_id_of_a_paper_is_two_clicks_away(document: Any) -> None:
    """The front page leads to the paper's page, which leads to each statement, figure and algorithm."""
    found = texts(document)
    paper = found["key/index.html"]

    assert 'href="key/index.html"' in found["index.html"]
    for id in ("key.lemma1", "key.remark1"):
        assert f'href="{id}.html"' in paper
    assert 'href="../figures.html#figure-key.figure1"' in paper
    assert 'id="algorithm-method"' in paper


@pytest.mark.parametrize("key", list(papers()))
def test_every_formula_is_made_of_what_the_library_draws(key: str) -> None:
    """Braces are paired, and every command is one of those that a browser test has seen drawn."""
    formulas = [a.latex for a in catalog.assumptions(key).values()]
    for s in catalog.statements(key):
        formulas += [s.claim_latex, *(s.tex(c.relation) for c in s.conditions)]
        formulas += [f"{d.letter.latex} = {s.tex(d.expr)}" for d in s.where]

    assert len(formulas) > 20
    plain = [re.sub(r"\\[{}\\]", "", f) for f in formulas]
    assert [f for f in plain if f.count("{") != f.count("}")] == []
    assert [
        f
        for f in plain
        if f.count(r"\left") - f.count(r"\leftarrow") != f.count(r"\right") - f.count(r"\rightarrow")
    ] == []
