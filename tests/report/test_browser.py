"""The report in a real browser, where Chromium and Playwright are present: `make browser` has them."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fedproof.bounds import catalog
from fedproof.proof.step_latex import step_latex
from fedproof.report.ledger import audit_document, paper_pages, without_certificates, write_document
from fedproof.report.questions import told
from fedproof.report.site import _templates, write_pages
from fedproof.validate.audit import audit
from fedproof.validate.settings import judge_setting
from fedproof.vocabulary.discovery import paper_modules, read
from fedproof.vocabulary.papers import papers
from fedproof.vocabulary.result import jsonable
from tests.report import fakes

CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
MISSING = [name for name in ("playwright", "axe_playwright_python") if importlib.util.find_spec(name) is None]
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium; set CHROMIUM to its path"),
    pytest.mark.skipif(bool(MISSING), reason=f"no {', '.join(MISSING)}; make browser has it"),
]

KEY = "composite"
IDS = ("composite.eq46", "composite.eq46.repaired", "composite.section2.sent", "composite.eq10.start")
PAGES = (
    "index.html", f"{KEY}/index.html", f"{KEY}/composite.section2.sent.html", f"ledger/{KEY}.html",
    "figures.html", "glossary.html",
)  # fmt: skip


def facts(key: str) -> dict[str, Any]:
    """What the report has of a paper itself."""
    paper = papers()[key]
    return paper.facts | told(key) | {"algorithms": list(paper.algorithms)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of one paper, with the audit of a few of its ids and a figure made by hand."""
    home: Path = tmp_path_factory.mktemp("report")
    document = audit_document(audit(*IDS))
    write_document(document, home / "ledger", paper_pages([document]))
    made = fakes.results(home)
    figure = made["figures"][0] | {"id": f"{KEY}.figure1"}
    results = made | {
        "papers": [facts(KEY)],
        "statements": jsonable([s.to_dict() for s in map(_shown, IDS[2:])]),
        "audit": without_certificates(document["audit"]),
        "validate": {"headline": "", "results": [fakes.comparison("composite.section2.sent", "consistent")]},
        "figures": [figure],
    }
    write_pages(results, home)
    return home


def _shown(id: str) -> Any:
    from fedproof.bounds.statement_handle import statement

    return statement(id).show()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as found:
        chromium = found.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser: Any, folder: Path) -> Iterator[Any]:
    """Opens a page of the report, and in the end asks that nothing was wrong and nothing left the folder."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    asked: list[str] = []
    wrong: list[str] = []

    def open_page(place: str, width: int = 1400, scheme: str = "light") -> Any:
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.on("request", lambda request: asked.append(request.url))
        page.on("requestfailed", lambda request: wrong.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.goto((folder / place.partition("#")[0]).as_uri() + "".join(place.partition("#")[1:]))
        page.locator("#packed").wait_for(state="detached")
        return page

    yield open_page
    context.close()
    assert wrong == []
    assert [url for url in asked if not url.startswith((folder.as_uri(), "data:"))] == []
    assert asked


@pytest.mark.parametrize("place", PAGES)
def test_a_page_loads_from_its_folder_alone(place: str, opened: Any) -> None:
    """No error on the console, every request stays in the folder, formulas are drawn and none is wrong."""
    page = opened(place)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    assert page.locator("main h1").count() == 1
    assert page.locator(".katex-error").count() == 0
    assert page.locator(".tex:not(.drawn)").count() == 0


@pytest.mark.parametrize("place", PAGES)
@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (360, "dark")])
def test_a_page_passes_the_rules_of_axe(place: str, width: int, scheme: str, opened: Any) -> None:
    """Contrast, landmarks and names are right, wide and light or narrow and dark; nothing is cut off."""
    from axe_playwright_python.sync_playwright import Axe

    page = opened(place, width, scheme)
    found = Axe().run(page, options={"preload": False}).response["violations"]

    assert [(v["id"], n["html"][:90]) for v in found for n in v["nodes"][:2]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_search_finds_an_equation_by_its_number(opened: Any) -> None:
    """On the front page `(46)` and Enter lead to the open row of the ledger; arrows and Escape work."""
    page = opened("index.html")
    box = page.get_by_role("searchbox")
    box.fill("(46)")
    page.locator(".find li a").first.wait_for()
    found = page.locator(".find li a").all_text_contents()
    box.press("ArrowDown")
    focused = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Escape")
    box.fill("nothing has these")
    page.locator(".find .none").wait_for()
    box.fill("(46)")
    page.locator(".find li a").first.wait_for()
    box.press("Enter")
    page.wait_for_url("**/ledger/composite.html#step-composite.eq46")

    assert found[0].startswith("eq. (46)")
    assert focused == found[0]
    assert page.locator("[id='step-composite.eq46'] .broken").is_visible()


def test_a_permalink_opens_its_row(opened: Any) -> None:
    """A row that is folded is open, in the window and drawn when its address is opened, filtered or not."""
    page = opened(f"ledger/{KEY}.html#step-composite.eq46.repaired")
    row = page.locator("[id='step-composite.eq46.repaired']")

    assert row.get_attribute("open") is not None
    assert row.locator(".formula .katex").first.is_visible()
    assert 0 <= row.bounding_box()["y"] < 900
    assert page.locator("[id='statement-composite.eq10.start']").get_attribute("open") is None
    page.get_by_label("ours", exact=True).uncheck()
    assert not row.is_visible()
    page.evaluate("location.hash = ''; location.hash = 'step-composite.eq46.repaired'")
    row.locator(".formula .katex").first.wait_for()


def test_rows_are_filtered_by_verdict_whose_they_are_and_words(opened: Any) -> None:
    """Each box and the words leave the rows that have them, and their number is said."""
    page = opened(f"ledger/{KEY}.html")
    rows, said = page.locator("details.entry:visible"), page.locator("form.tools output")
    whole = rows.count()
    page.get_by_label("proved", exact=True).uncheck()
    without = [row.get_attribute("data-verdict") for row in rows.all()]
    page.get_by_label("proved", exact=True).check()
    page.get_by_label("Words").fill("eq46.repaired")
    worded = [row.get_attribute("id") for row in rows.all()]
    page.get_by_role("button", name="Unfold all").click()

    assert whole == len(IDS)
    assert "refuted" in without
    assert "proved" not in without
    assert "step-composite.eq46.repaired" in worded
    assert said.text_content() == f"{len(worded)} of {whole} shown"
    assert rows.first.get_attribute("open") is not None


def test_a_table_is_sorted_by_a_click_on_its_heading(opened: Any) -> None:
    """Up at first, then down, and the heading says which."""
    page = opened(f"{KEY}/index.html")
    head = page.locator("#statements ~ .scroll th").first
    read = page.locator("#statements ~ .scroll tbody td:first-child")
    head.get_by_role("button").click()
    up = (head.get_attribute("aria-sort"), read.all_text_contents())
    head.get_by_role("button").click()
    down = (head.get_attribute("aria-sort"), read.all_text_contents())

    assert up[0] == "ascending"
    assert down == ("descending", up[1][::-1])
    assert len(set(up[1])) > 1


def test_latex_is_copied_by_a_button(opened: Any) -> None:
    """Beside a formula stands its LaTeX for the clipboard."""
    page = opened(f"{KEY}/composite.section2.sent.html")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    formula = page.locator(".formula").first
    formula.locator(".copy").wait_for(state="attached")
    formula.hover()
    formula.locator(".copy").click()
    page.get_by_text("copied").wait_for()

    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == _shown("composite.section2.sent").to_dict()["claim_latex"]


def test_print_shows_what_is_folded_and_no_controls(opened: Any) -> None:
    """Before printing rows are open and drawn; search, filters and buttons are not on paper."""
    page = opened(f"ledger/{KEY}.html")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")

    assert page.locator("details.entry:not([open])").count() == 0
    for hidden in (".find", "form.tools", ".copy"):
        assert not page.locator(hidden).first.is_visible()
    assert page.locator(".broken").first.is_visible()


def test_every_formula_of_the_papers_is_drawn(browser: Any, folder: Path) -> None:
    """Claims, conditions, assumptions and the lines of all proofs: the library knows every command."""
    latex: list[str] = []
    for key in papers():
        latex += [a.latex for a in catalog.assumptions(key).values()]
        latex += [step_latex(step)["claim"] for step in catalog.steps(key)]
        for s in catalog.statements(key):
            latex += [s.claim_latex, *(s.tex(c.relation) for c in s.conditions)]
            latex += [f"{d.letter.latex} = {s.tex(d.expr)}" for d in s.where]
    start = "{% import 'shell.html' as shell %}{{ shell.start('All') }}"
    shell = start + "{% for x in all %}{{ x | tex }} {% endfor %}"
    (folder / "all.html").write_text(_templates().from_string(shell + "{{ shell.end() }}").render(all=latex))
    page = browser.new_page()
    page.goto((folder / "all.html").as_uri())
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    assert len(latex) > 1500
    assert page.locator(".tex.drawn").count() == len(latex)
    assert page.locator(".katex-error").all_text_contents() == []
    # with no maths font installed a root covers what is under it
    root = page.evaluate(
        "(() => { const at = document.createElement('span'); document.body.append(at);"
        " katex.render('\\\\max(\\\\tfrac32, \\\\sqrt{\\\\tfrac{n}{8}})', at);"
        " const [all, eight] = [at.querySelector('.sqrt'), [...at.querySelectorAll('.sqrt .mord')].at(-1)];"
        " const [a, b] = [all.getBoundingClientRect(), eight.getBoundingClientRect()];"
        " return a.left <= b.left && b.right <= a.right && a.top <= b.top; })()"
    )
    assert root


def test_the_front_page_of_all_papers_is_two_screens(browser: Any, tmp_path: Path) -> None:
    """By what papers declare: at most 900 words, two screens, half a screen a paper, 300 kB, a second."""
    rows: dict[str, list[Any]] = {"statements": [], "steps": [], "settings": [], "shown": []}
    for key in papers():
        verdicts = read(paper_modules("verdicts")[key], lambda m: m.VERDICTS)
        for s in catalog.statements(key):
            rows["shown"].append(_shown(s.id).to_dict())
            rows["statements"].append(fakes.judgement(s.id, verdicts.get(s.id, "holds")))
        for step in (s for s in catalog.steps(key) if s.flaw):
            word = "damaged" if step.flaw == "rendering" else "refuted"
            rows["steps"].append(fakes.line(step.id, word, paper=key, equation=str(step.source.where)))
        for found in catalog.settings(key):
            rows["settings"] += [verdict.to_dict() for verdict in judge_setting(found)]
    results = fakes.results(tmp_path) | {
        "papers": list(map(facts, papers())),
        "statements": jsonable(rows["shown"]),
        "audit": {"headline": "", **jsonable({k: rows[k] for k in ("statements", "steps", "settings")})},
        "validate": {"headline": "", "results": []},
        "figures": [],
    }
    write_pages(results, tmp_path)
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto((tmp_path / "index.html").as_uri())
    ready = page.evaluate("performance.getEntriesByType('navigation')[0].domInteractive")
    heights = page.evaluate(
        "[...document.querySelectorAll('.paper')].map((p) => p.getBoundingClientRect().height)"
    )
    files = [Path(url.removeprefix("file://").partition("#")[0]) for url in loaded if url.startswith("file:")]

    assert len(heights) == len(papers())
    assert max(heights) <= 450
    assert page.evaluate("document.documentElement.scrollHeight") <= 1800
    assert len(page.inner_text("main").split()) <= 900
    assert sum(file.stat().st_size for file in files) < 300_000
    assert ready < 1000
