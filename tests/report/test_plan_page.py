"""The report's plan: settings are decided again when it is read, and its page says what is promised."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

import fedproof as fp
from fedproof.report import plan_part
from fedproof.report.jobs import Work
from fedproof.report.plan_part import plan_job, plan_of, still_admitted
from fedproof.report.site import pages
from fedproof.vocabulary.result import jsonable
from tests.report.fakes import Page


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The plan of a small problem, by an audit that found one statement to hold."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan_part, "DATA", "quadratic")
        patch.setattr(
            plan_part,
            "ASKED",
            {"clients": 3, "uplink": "1e6", "epsilon": "0.1", "rounds": 5, "step_seconds": "1e-6"},
        )
        job = plan_job({"composite.theorem3.5": "holds", "composite.theorem3.5.sharpened": "refuted"})
        return jsonable(job.make(tmp_path_factory.mktemp("report"), lambda note="": None))


def words(html: str) -> str:
    """What is read on the page, in one line."""
    text = re.sub(r"<[^>]+>", " ", html.partition("<main")[2].partition(">")[2])
    return re.sub(r"\s+", " ", unescape(text))


def page(document: Any) -> str:
    """The page of a plan."""
    known = {"missing": [], "failed": [], "seconds": {}, "versions": {}}
    return dict(pages({"plan": document, **known}))["plan.html"]


def test_the_audit_of_the_report_decides_what_is_recommended(document: Any) -> None:
    """A statement that the audit does not find to hold is neither certified nor recommended."""
    labels = {row["statement"]: row["label"] for row in document["plans"] if row["applicable"]}

    assert document["recommended"] == "composite.theorem3.5"
    assert labels["composite.theorem3.5"] == "certified"
    assert labels["composite.theorem3.5.sharpened"] == "theorem refuted"
    assert labels["fedproxvr.certified.sarah"].startswith("theorem open")


def test_a_stored_setting_that_its_theorem_does_not_admit_is_not_used(
    document: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of the rounds, or a step twice as long, and the plan is made anew."""
    monkeypatch.setitem(plan_part.ASKED, "epsilon", "0.1")
    assert still_admitted(document)
    for letter, factor in (("R", 0.5), ("eta", 2)):
        changed = jsonable(document)
        best = changed["plans"][changed["best"]]["parameters"]
        best[letter] = type(best[letter])(best[letter] * factor)

        assert not still_admitted(changed), letter


def test_a_stored_plan_for_another_bound_or_with_another_winner_is_not_used(
    document: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A laxer bound than was asked for, and a setting that is not certified."""
    monkeypatch.setitem(plan_part.ASKED, "epsilon", "0.1")
    assert still_admitted(document)
    lax = document | {"epsilon": 1e9}
    open_one = next(k for k, row in enumerate(document["plans"]) if not row["certified"])
    other = document | {"best": open_one, "recommended": document["plans"][open_one]["statement"]}

    assert not still_admitted(lax)
    assert not still_admitted(other)


def test_verdicts_are_those_of_the_audit_before_it(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The part asks for the plan by what the report found so far of the statements that it goes by."""
    rows = [
        {"id": "composite.theorem3.5", "verdict": "holds"},
        {"id": "composite.lemmaA1", "verdict": "open"},
    ]
    work = Work(tmp_path, lambda note: None, found={"audit": {"statements": rows}})
    monkeypatch.setattr(work, "do", lambda job, title: job.parameters["verdicts"])

    assert plan_of(work, []) == {"composite.theorem3.5": "holds"}


def test_the_page_says_what_is_promised_and_what_is_not(document: Any) -> None:
    """Recommended with its run, suggested without a promise, links to statements, and the words explained."""
    html = page(document)
    said = words(html)

    assert "Recommended: fedcomposite" in said
    assert re.search(r"Its run keeps the bound for 5 rounds: \S+ measured, bound \S+", said)
    assert "Suggested, with no promise" in said
    assert 'href="composite/composite.theorem3.5.html"' in html
    assert all(f" {word} " in said for word in ("certified", "on estimates", "recommended", "suggested"))
    assert Page(html).open == Page(html).stray == []
    exceeded = jsonable(document)
    exceeded["plans"][exceeded["best"]]["pilot"]["measured"] = 1e9
    assert "Its run exceeds the bound" in words(page(exceeded))


def test_a_report_without_a_plan_has_a_page_that_says_so() -> None:
    """The bar of every page leads to it."""
    assert "Nothing here" in words(page(None))


def test_the_plan_of_the_report_can_be_asked_for_in_the_shell() -> None:
    """The command on the page has the flags of `plan`."""
    assert plan_part.COMMAND.startswith("fedproof plan breast_cancer --clients 8 --uplink 1e6 --epsilon 0.01")
    assert callable(fp.plan)
