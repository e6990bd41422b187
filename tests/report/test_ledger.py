"""The ledger: what it says in both renderings, what is written beside it, and how a referee re-checks it."""

from __future__ import annotations

import json
import lzma
import re
import subprocess
import sys
import zlib
from base64 import b64decode
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup

from fedproof.report.ledger import (
    Ledger,
    audit_document,
    still_rechecked,
    without_certificates,
    write_document,
    write_ledger,
)
from fedproof.report.ledger_page import html, markdown
from fedproof.report.ledger_rows import papers
from fedproof.report.packing import packed_page
from fedproof.validate.audit import audit
from tests.report.fakes import Page

IDS = (
    "fedproxvr.eq43",
    "fedproxvr.eq39",
    "fedproxvr.eq39.repaired",
    "fedproxvr.smooth_descent",
    "fedproxvr.remark1.4.monotone",
    "fedproxvr.remark1.4.monotone.repaired",
)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    """A written ledger of a few steps and statements."""
    return write_ledger(audit(*IDS), tmp_path_factory.mktemp("ledger"))


def step(id: str, verdict: str, **changes: Any) -> dict[str, Any]:
    """One row of the audit's steps."""
    return {
        "id": id, "paper": "key", "equation": f"eq. ({id})", "claim": "", "claim_latex": r"a \le b",
        "verdict": verdict, "engines": ["z3"], "witness": None, "detail": "one question", "rule": "real",
        "given": [], "hypotheses": [], "instance": None, "numbers": None, "example": None, "sides": None,
        "uses": [], "rests_on": [], "questions": 1, "flaw": None, "repairs": None, "note": None,
        "lacks": None, "worked": None,
        "part": None, "deep": None, **changes,
    }  # fmt: skip


def statement(id: str, verdict: str, **changes: Any) -> dict[str, Any]:
    """One row of the audit's statements."""
    return {
        "id": id, "paper": "key", "title": f"Title of {id}", "source": "here", "kind": "bound",
        "verdict": verdict, "because": [], "witness": None, "detail": "Words.", "claim_latex": "x",
        "conditions": [], "definitions": [], "assumptions": [], "uses": [], "amends": None, "note": None,
        "basis": {"steps": [], "cited": [], "reasons": [], "needs": []}, "instance": None, "example": None,
        "numbers": None, "worked": None, "questions": 0, "counterexample": [], "rests_on": [], "proofs": [],
        **changes,
    }  # fmt: skip


def hypothesis(latex: str, why: str = "", uses: str | None = None) -> dict[str, Any]:
    """One hypothesis of a step."""
    return {"latex": latex, "places": [], "why": why, "uses": uses}


def basis(*steps: str, cited: Any = (), lacks: Any = ()) -> dict[str, Any]:
    """What a proof uses."""
    return {"steps": list(steps), "cited": list(cited), "reasons": list(lacks), "needs": list(lacks)}


def document(steps: list[dict[str, Any]], statements: list[dict[str, Any]]) -> dict[str, Any]:
    """An audit's document of one paper."""
    assumed = [{"id": "key.a1", "name": "losses are smooth", "latex": "L", "source": "A1"}]
    paper = {"key": "key", "title": "A <paper>", "authors": "A & B", "venue": "2020", "assumptions": assumed}
    return {"papers": [paper], "steps": steps, "statements": statements, "settings": [], "asked": ["key"]}


def both(found: dict[str, Any]) -> tuple[str, str]:
    """The text of the page, and the Markdown, of a document."""
    said = Page(html(found, ()).partition("<body>")[2]).text
    return re.sub(r"\s+", " ", said), re.sub(r"\s+", " ", markdown(found, ()))


def test_everything_is_written(ledger: Ledger) -> None:
    """Page, text, document, script, and a file for every question that was proved."""
    folder = ledger.index.parent
    names = {str(f.relative_to(folder)) for f in ledger.files}

    assert names >= {"ledger.html", "ledger.md", "audit.json", "recheck.py"}
    assert all(f.is_file() for f in ledger.files)
    assert json.loads((folder / "audit.json").read_text(), parse_constant=pytest.fail)["steps"]
    assert ledger.to_dict()["files"] == [str(f) for f in ledger.files]
    assert "2 statements: 1 holds, 1 refuted; 4 steps: 2 proved, 1 refuted, 1 cited" in ledger.headline()


def test_the_script_beside_it_runs_alone(ledger: Ledger) -> None:
    """`python recheck.py audit.json` confirms every refutation and every example of the folder."""
    command = [sys.executable, "-I", "-S", "recheck.py", "audit.json"]
    done = subprocess.run(command, cwd=ledger.index.parent, capture_output=True, text=True, timeout=60)

    assert done.returncode == 0, done.stdout
    assert "fedproxvr.eq39: confirmed: 4 > 2" in done.stdout
    assert "4 confirmed, 0 not confirmed, 0 not read" in done.stdout


def test_a_report_packs_the_document_and_the_script_reads_it(ledger: Ledger, tmp_path: Path) -> None:
    """The document is the ledger's, packed to the same bytes each time; a plain one left over goes."""
    alone, command = ledger.index.parent, [sys.executable, "-I", "-S", "recheck.py", "audit.json", "--json"]
    (tmp_path / "audit.json").write_text("{}")
    first, second = (
        [f.read_bytes() for f in write_document(audit_document(ledger.audit), tmp_path, {"key.html": "page"})]
        for _ in range(2)
    )
    said = [
        subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=60).stdout
        for place in (alone, tmp_path)
    ]

    names = {"audit.json.xz", "key.html", "ledger.md.xz", "recheck.py", "smt"}
    assert {f.name for f in tmp_path.iterdir()} == names
    for name in ("audit.json", "ledger.md"):
        assert lzma.decompress((tmp_path / f"{name}.xz").read_bytes()) == (alone / name).read_bytes()
    assert first == second
    assert said[0] == said[1]
    assert json.loads(said[1])["proofs"]["confirmed"] > 0


def test_every_question_is_a_script_that_another_process_answers(tmp_path: Path) -> None:
    """Of a step without a certificate: z3, from the files alone, says unsat to each of them."""
    ledger = write_ledger(audit("fedproxvr.eq59"), tmp_path)
    code = (
        "import sys, z3\n"
        "for path in sys.argv[1:]:\n"
        "    solver = z3.Solver()\n"
        "    solver.from_file(path)\n"
        "    print(solver.check())\n"
    )
    files = [str(f) for f in ledger.files if f.suffix == ".smt2"]
    done = subprocess.run([sys.executable, "-c", code, *files], capture_output=True, text=True, timeout=60)

    assert done.stdout.split() == ["unsat"] * len(files)
    assert len(files) >= 4
    assert Path(files[0]).read_text().startswith("; fedproof: fedproxvr.")


def test_scripts_of_an_earlier_ledger_go_and_others_stay(tmp_path: Path) -> None:
    """What this command wrote before and no longer asks is removed; a user's own file is left alone."""
    (tmp_path / "smt").mkdir()
    (tmp_path / "smt" / "mine.smt2").write_text("(check-sat)")
    (tmp_path / "smt" / "old.smt2").write_text("; fedproof: key.old\n(check-sat)")
    write_ledger(audit("fedproxvr.eq39"), tmp_path)

    assert [f.name for f in (tmp_path / "smt").iterdir()] == ["mine.smt2"]


def test_the_page_stands_alone_and_hangs_together(ledger: Ledger) -> None:
    """What it loads lies beside it, one title, every link leads to a place on the page, no anchor twice."""
    page = ledger.index.read_text()
    found = Page(page)
    loaded = [address for address in re.findall(r'(?:src|href)="(?!#)([^"]+)', page) if address != "data:,"]

    assert len(loaded) == 4
    assert all((ledger.index.parent / address).is_file() for address in loaded)
    assert [name for name in ("figures.html", "glossary.html") if name in page] == []
    levels = [int(level) for level in re.findall(r"<h(\d)", page)]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert set(found.places) <= set(found.ids)
    assert len(found.ids) == len(set(found.ids))
    assert str(ledger.index.parent) not in page


def test_a_refuted_step_can_be_checked_by_hand(ledger: Ledger) -> None:
    """The instance, its numbers, every hypothesis, both sides put in and worked out; flaw and repair."""
    page, text = ledger.index.read_text(), ledger.files[1].read_text()
    entry = page.partition('id="step-fedproxvr.eq39"')[2].partition("</details>")[0]
    said = re.sub(r"\s+", " ", Page(entry).text)

    assert "Instance: F_n(w) = (w + 15/16)^2/2, the round starts at 0; at w = 1/16." in said
    assert re.search(r"; then w\^\{\+\} = ", said) is not None
    assert "Left side = 2^2 = 4" in said
    assert "Right side = 2·(1 − 1)^2 + 2·1^2 = 0 + 2 = 2" in said
    assert "Printed ≤, and it is 4 > 2." in said
    assert "As printed" in said
    assert "What is wrong is a misprint." in said
    assert '<a href="#step-fedproxvr.eq39.repaired">Repaired</a>' in entry
    assert "> - **Right side** = `2·(1 − 1)^2 + 2·1^2` = `0 + 2` = `2`" in text
    assert "it is 240024/97 > 14232/97 (2474 > 146.7)" in re.sub(r"\s+", " ", Page(page).text)


def test_both_renderings_say_the_same(ledger: Ledger) -> None:
    """Every entry of the page is in the Markdown with the same verdict, in the same order."""
    page, text = ledger.index.read_text(), ledger.files[1].read_text()
    shown = re.findall(r'<details class="entry \w+" id="([^"]+)" data-verdict="([a-z ]+)"', page)
    listed = re.findall(
        r'<a id="((?:step|statement)-[^"]+)"></a>\s+####? .*: \*\*[^a-z*]*([a-z ]+)\*\*', text
    )

    assert shown == listed
    assert len(shown) == len(IDS)


def test_a_long_hypothesis_is_shown_once() -> None:
    """A page shows it where it comes first and links there after; one that reads otherwise is shown."""
    long, other = (rf"\|\nabla f_i(x) - \nabla f_i(y)\| \le {letter} \|x - y\|" for letter in "LM")
    given = [[hypothesis(long, "key.a1")], [hypothesis(long, "key.a1")], [hypothesis(other, "key.a1")]]
    leaf = {"kind": "listed", "id": "meaning", "text": "0 <= n2(x + (-1)*y) for every x for every y"}
    found = document([step(str(i), "proved", hypotheses=h, rests_on=[leaf]) for i, h in enumerate(given)], [])
    page, text = html(found, ()), markdown(found, ())

    assert (page.count(long), page.count(other), page.count(leaf["text"].replace("<", "&lt;"))) == (1, 1, 1)
    links = re.findall(r'<li>(?:listed: )?<a href="#(h\d+)">([^<]*)</a></li>', page)
    assert [words for _, words in links] == ["losses are smooth (A1)", "meaning", "meaning"]
    assert all(f'<li id="{anchor}">' in page for anchor, _ in links)
    assert text.count(leaf["text"]) == 3


def test_markdown_keeps_its_mathematics(ledger: Ledger) -> None:
    """Dollar signs come in pairs, and no backslash stands where Markdown would eat it."""
    text = ledger.files[1].read_text()
    formulas = re.findall(r"\$\$\n(.*?)\n\$\$|\$([^$\n]+)\$", text)

    assert len(formulas) > 20
    assert text.replace("$f", "").count("$") % 2 == 0
    assert [f for f in formulas if re.search(r"\\[|{},;]|[<>]", "".join(f))] == []


BROKEN, MENDED = step("1", "refuted", sides="4 > 2", flaw="index"), step("1r", "proved", repairs="1")
UNSAID = step("1", "proved", hypotheses=[hypothesis("t>1", "unstated: t > 1"), hypothesis("a", "key.a1")])
CITED = step("2", "cited", note="Lemma 9 of [7].")
LACKING = statement("s1", "holds amended", basis=basis("1", "2", cited=["2"], lacks=["key.a1"]))


@pytest.mark.parametrize(("steps", "statements", "said", "unsaid"), [
    # hypotheses never stated, additions to statements, citations and what is empty stand above the statements
    ([UNSAID, CITED], [LACKING, statement("s2", "vacuous", detail="empty")],
     [f'{words}.*Statements (<a id="statement-s1"></a> ### )?Title of s1' for words in (
         "ever stated in the text: t ", "losses are smooth", "Lemma 9 of", "vacuous")], []),
    # a step with a repair leaves its statement standing, and the entry says which
    ([BROKEN, MENDED], [statement("s", "holds", basis=basis("1r"))],
     ["a wrong index", r"The statements stand by way of the repair: \[?Title of s"], []),
    # what shows how a statement fails is no wrong step of a proof
    ([BROKEN], [statement("s", "refuted", counterexample=["1"])],
     [r"With these numbers it breaks \[?Title of s"], ["No statement", r"Steps\W+(?:✗ )?refuted"]),
    # what is true by another reason than the text's is told, and is no refutation
    ([step("1", "proved", lacks="(2) gives less")], [],
     [r"True as printed, and not by the reason.*eq\. \(1\).*\(2\) gives less"], ["Nothing that"]),
    # a clean audit says so
    ([step("1", "proved")], [], [r"Nothing that was looked at is refuted\."], []),
])  # fmt: skip
def test_both_renderings_tell_what_matters(
    steps: list[Any], statements: list[Any], said: list[str], unsaid: list[str]
) -> None:
    """What is missing, wrong, repaired or broken is told on the page and in the Markdown."""
    for text in both(document(steps, statements)):
        assert [words for words in said if not re.search(words, text)] == [], text
        assert [words for words in unsaid if re.search(words, text)] == [], text


def test_what_was_found_deeper_is_told() -> None:
    """What a step needs, does not need, is not known to need, and its slack with the numbers."""
    needs = [
        {"place": k, "hypothesis": "", "verdict": verdict, "detail": ""}
        for k, verdict in enumerate(("needed", "not needed", "unknown", "needed"))
    ]
    slack = {"said": "tight: both sides can be equal", "numbers": [["z", "3/2"]]}
    given = [hypothesis(letter) for letter in "abcd"]
    page, text = both(
        document([step("1", "proved", hypotheses=given, deep={"needs": needs, "slack": slack})], [])
    )

    assert "Proved also without b. Undecided without c. Refuted without any one of a, d." in page
    assert "Slack: tight: both sides can be equal, as at $z = 3/2$." in text


def test_two_papers_stand_beside_each_other() -> None:
    """Each has its own sections; every link finds its place and no anchor occurs twice."""
    found = document([step("1", "proved"), step("2", "refuted", paper="more")], [statement("s", "holds")])
    found["papers"].append(found["papers"][0] | {"key": "more", "title": "Another"})
    shown = Page(html(found, ()))

    assert set(shown.places) <= set(shown.ids)
    assert len(shown.ids) == len(set(shown.ids))
    assert {"key-steps", "more-steps", "key-statements"} <= set(shown.ids)
    assert "Another" in shown.text


@pytest.mark.parametrize("id", ["a`b", "a|b", "a``b|<script>", "x](y)\n# z"])
def test_an_id_is_shown_as_code_and_ends_nothing(id: str) -> None:
    """In Markdown an id is between more backticks than it has, on one line; its anchor needs no escape."""
    text = markdown(document([step(id, "proved")], []), ())
    said = re.sub(r"\s", " ", id).replace("|", r"\|")
    ticks = "`" * (1 + max(map(len, re.findall("`+", id)), default=0))
    pad = " " if "`" in id else ""

    assert f"{ticks}{pad}{said}{pad}{ticks}" in text
    assert "\n# z" not in text
    assert re.fullmatch(r"step-[\w.-]+", re.findall(r'<a id="(step-[^"]*)"', text)[0])


@pytest.mark.parametrize("text", ["<b>&amp;", "a*b_c|d`e", "[x](y)", "$5"])
def test_words_of_a_result_are_harmless(text: str) -> None:
    """Whatever a note holds is shown as it is and never becomes markup."""
    page = html(document([step("1", "proved", note=text)], []), ())
    entry = page.partition('id="step-1"')[2].partition("</details>")[0]

    assert text in Page(entry).text
    assert "<b>" not in entry


def test_the_rows_are_the_documents_own() -> None:
    """Counts, groups and reasons come from the rows alone."""
    steps = [
        step(
            "1", "proved", part="A", hypotheses=[hypothesis("x"), hypothesis("y"), hypothesis("z", "key.a1")]
        ),
        step(
            "2", "proved", part="A", hypotheses=[hypothesis("w", uses="1")], example={"given": [], "at": {}}
        ),
        step("3", "open", part="B"),
    ]
    (paper,) = papers(
        document(steps, [statement("s", "open")]), [("1", 0, "confirmed"), ("elsewhere", 1, "")]
    )
    given, assumed = paper.hypotheses(paper.steps[0])

    assert [(g.title, len(g.steps)) for g in paper.groups] == [("A", 2), ("B", 1)]
    assert paper.step_counts == ((2, "proved"), (1, "open"))
    assert paper.recheck_counts == ((1, "confirmed"),)
    assert (given.kind, given.latex) == ("given", ("x", "y"))
    assert assumed.words == "losses are smooth (A1)"
    assert paper.hypotheses(paper.steps[1])[0].step == paper.steps[0]
    assert paper.examples == 1


def test_rows_can_be_filtered_and_found_by_their_number() -> None:
    """Each row says its verdict and whose it is, opens where it is refuted, and is in the index by number."""
    steps = [
        step("1", "refuted", equation="eq. (46), first"),
        step("2", "proved", equation="below (46)", repairs="1"),
        step("3", "proved", equation="Lemma 2"),
        step("4", "proved", equation="(9), first"),
        step("5", "cited", equation="(9), second"),
        step("6", "refuted", equation="(9), third"),
    ]
    page = html(document(steps, [statement("s", "holds", amends="x")]), (), root="../")
    row = r'<details class="entry \w+" id="(.*?)" data-verdict="(.*?)" data-whose="(.*?)"( open)?'
    rows = re.findall(row, page)
    index = page.partition('aria-label="By number')[2].partition("</nav>")[0]

    assert rows == [
        ("statement-s", "holds", "ours", ""), ("step-1", "refuted", "printed", " open"),
        ("step-2", "proved", "ours", ""), ("step-3", "proved", "printed", ""),
        ("step-4", "proved", "printed", ""), ("step-5", "cited", "printed", ""),
        ("step-6", "refuted", "printed", " open"),
    ]  # fmt: skip
    assert re.findall(r'href="#([^"]+)"', index) == ["step-6", "step-1"]
    assert all(f'value="{word}"' in page for word in ("holds", "refuted", "proved", "ours"))
    assert 'value="open"' not in page
    assert 'href="../glossary.html"' in page


def test_what_judges_no_piece_of_the_page_is_ours() -> None:
    """The table of the paper's page decides; a step that none of its rows names is a line of ours."""
    steps = [step(id, "proved") | {"paper": "fedproxvr"} for id in ("fedproxvr.eq39", "fedproxvr.eq62.young")]
    found = document(steps, [])
    found["papers"][0]["key"] = "fedproxvr"
    (paper,) = papers(found, ())

    assert [s.printed for s in paper.steps] == [True, False]


def test_a_reports_document_leaves_certificates_to_the_ledger() -> None:
    """What only a re-check reads is left out and its file named; a row without a certificate has none."""
    leaf = {"kind": "listed", "id": "1", "text": "x > 0", "is": [">", "x", "0"]}
    rows = [step("1", "proved", certificate={"v": 1}, rests_on=[leaf]), step("2", "open", certificate=None)]
    said = statement("s", "holds", proofs=["long"], rests_on=[leaf])
    light = without_certificates(document(rows, [said]))

    assert [row["certificate"] for row in light["steps"]] == [{"file": "ledger/audit.json.xz"}, None]
    assert "rests_on" not in light["steps"][0]
    assert light["statements"][0]["rests_on"] == [{"kind": "listed", "id": "1", "text": "x > 0"}]
    assert "proofs" not in light["statements"][0]
    assert set(light) >= {"papers", "settings"}


def test_the_template_is_one(ledger: Ledger) -> None:
    """Sentences stand in the shared template alone: the two dialects hold none of the ledger's words."""
    folder = Path(__file__).parents[2] / "fedproof" / "report" / "templates"
    for dialect in ("ledger_html.jinja", "ledger_md.jinja"):
        macros = (folder / dialect).read_text()
        assert not re.search(r"refuted|hypothes|proved", macros)


def test_a_stored_audit_cannot_be_made_green() -> None:
    """A word that the paper does not declare, or a proof without its certificate, is audited anew."""
    document = audit_document(audit("fedproxvr.remark1.4.monotone", "fedproxvr.eq60"))
    assert still_rechecked(document)
    told = document["audit"]
    greener = [row | {"verdict": "holds"} for row in told["statements"]]
    bare = [row | {"verdict": "proved", "certificate": None} for row in told["steps"]]
    for planted in ({"statements": greener}, {"steps": bare}):
        assert not still_rechecked(document | {"audit": told | planted, "rechecks": []})
        assert not still_rechecked(document | {"audit": told | planted})


def test_what_is_open_may_be_stored() -> None:
    """A report of runs is open in every audit, and what is open is no green."""
    assert still_rechecked(audit_document(audit("flecs.section5.memory")))


def test_a_page_of_a_report_holds_the_same_packed(ledger: Ledger) -> None:
    """Its title and where the same stands as text are plain; the rest, unpacked, is the plain page's."""
    document = audit_document(ledger.audit)
    plain = html(document["audit"], document["rechecks"], len(document["scripts"]), "../")
    page = packed_page(plain, Markup("see <code>ledger.md.xz</code>"))
    before, code, after = re.split(
        r'<p id="instead">see <code>ledger.md.xz</code></p>'
        r'<script id="packed" type="application/octet-stream">(.+?)</script>',
        page,
    )

    assert before + zlib.decompress(b64decode(code)).decode() + after == plain
    assert before.endswith("<h1>Is the proof right?</h1>")
    assert "details" not in page
    assert 2 * len(page) < len(plain)
