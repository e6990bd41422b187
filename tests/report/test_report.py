"""The verb: what it writes, part by part, and what an interruption leaves."""

from __future__ import annotations

import json
import lzma
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fedproof.bounds import catalog
from fedproof.bounds.statement_handle import statement
from fedproof.report import parts as parts_module
from fedproof.report import questions as questions_module
from fedproof.report.api import Report, report
from fedproof.report.jobs import Job
from fedproof.report.paper_results import by_paper
from fedproof.report.parts import trial_job, trial_picture
from fedproof.report.pipeline import PARTS, Part
from fedproof.report.questions import hold, questions, run_trial, told, trials
from fedproof.report.tables import table, why_words
from fedproof.solvers.history import History
from fedproof.validate.audit import audit
from fedproof.validate.logs.bound_curve import bound_curves
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.papers import papers
from fedproof.vocabulary.questions import Trial
from fedproof.vocabulary.result import jsonable
from tests.report import fakes


def numbers(folder: Path) -> str:
    """The report's document."""
    return lzma.decompress((folder / "results.json.xz").read_bytes()).decode()


def fake_parts(folder: Path) -> tuple[Part, ...]:
    """Parts that answer at once with hand-made results."""
    made = fakes.results(folder)
    titles = {p.key: p.title for p in PARTS}
    keys = ("papers", "statements", "audit", "figures", "validate")
    return tuple(Part(k, titles[k], lambda work, documents, k=k: made[k]) for k in keys)


def test_the_report_is_one_page_and_its_numbers(tmp_path: Path) -> None:
    """Page and strict JSON are written, the JSON is what the verb returns, and neither names its folder."""
    made = report(tmp_path, parts=fake_parts(tmp_path))
    kept = json.loads(numbers(tmp_path), parse_constant=pytest.fail)

    assert made.to_dict()["index"] == str(tmp_path / "index.html")
    assert kept == json.loads(json.dumps(made.to_dict()["results"]))
    assert "Unfinished" not in made.index.read_text()
    assert "2 statements; 1 consistent" in made.headline()
    assert [t.title for t in made.tables()] == ["", "Distinct errors"]
    assert made.tables()[1].rows == (
        ("key", "3/2 > 1 at mu = 3/2", "eq. (1)"),
        ("key", "A sign is lost", "eq. (2), below (2)"),
    )
    assert str(tmp_path) not in made.index.read_text() + numbers(tmp_path)


def broken(error: type[BaseException]) -> Part:
    """A part that raises."""

    def join(work: Any, documents: Any) -> Any:
        raise error("<no> run")

    return Part("runs", "runs on real data", join)


def test_an_interruption_keeps_what_is_finished(tmp_path: Path) -> None:
    """When a part is stopped, the page and the JSON hold every part before it and name those that lack."""
    parts = fake_parts(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        report(tmp_path, parts=(*parts[:3], broken(KeyboardInterrupt), *parts[3:]))
    page = (tmp_path / "index.html").read_text()
    kept = json.loads(numbers(tmp_path))

    assert "this report lacks runs on real data, figures, runs against theory" in page
    assert "3/2 &gt; 1 at mu = 3/2" in page
    assert set(kept) >= {"papers", "statements", "audit"}
    assert "validate" not in kept


def test_a_failure_stops_no_other_part(tmp_path: Path) -> None:
    """When a part fails the others are done, the page says what failed, and the error comes at the end."""
    parts = fake_parts(tmp_path)
    with pytest.raises(RuntimeError):
        report(tmp_path, parts=(broken(RuntimeError), *parts))
    page = (tmp_path / "index.html").read_text()

    assert "Failed: runs on real data (&lt;no&gt; run)." in page
    assert "Unfinished" not in page
    assert "1 consistent" in page


def test_a_job_that_fails_stops_no_other(tmp_path: Path) -> None:
    """One bad result of a list is named as failed, and the others of its part are on the page."""

    def bad(folder: Path, note: Any) -> Any:
        raise RuntimeError("no result")

    facts = [{"key": k, "title": k, "authors": "", "venue": ""} for k in ("one", "two")]
    jobs = (
        Job("bad job", bad, ()),
        *(Job(p["key"], lambda folder, note, p=p: p, ()) for p in facts),
    )
    with pytest.raises(RuntimeError, match="no result"):
        report(tmp_path, parts=(replace(PARTS[2], key="papers", jobs=lambda: jobs),))

    assert json.loads(numbers(tmp_path))["papers"] == facts
    assert "Failed: best parameters (no result)." in (tmp_path / "index.html").read_text()


def test_progress_is_told(tmp_path: Path) -> None:
    """Notes of a job arrive with the part's title and the job's name."""
    said: list[str] = []
    job = Job("a job", lambda folder, note: [note("one"), []][1], ())
    report(tmp_path, said.append, parts=(Part("papers", "papers", parts_module.joined, lambda: (job,)),))

    assert said == ["papers: a job", "papers: a job, one"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """An output path that is a file is refused in one line."""
    (tmp_path / "taken").write_text("")

    with pytest.raises(InputError, match="expected a folder"):
        report(tmp_path / "taken")


def test_the_cheap_parts_for_real(tmp_path: Path) -> None:
    """Statements, optima, ranges and checks of the real papers make a page with every answer on it."""
    wanted = {"papers", "statements", "tune", "range", "check"}
    made = report(tmp_path, parts=tuple(p for p in PARTS if p.key in wanted))
    page = "".join((tmp_path / key / "index.html").read_text() for key in papers())

    assert isinstance(made, Report)
    assert len(made.results["tune"]) == len(questions("tune")) >= 3
    assert len(made.results["range"]) == len(questions("range")) >= 5
    assert all(t["certified"] for t in made.results["tune"])
    assert "[30.3025, 77.2286]" in page  # (14) at beta=400, mu=200, theta=L/2: 30.30 to 77.23
    assert "31 to 77" in page
    gains = [t["gain"] for t in made.results["tune"] if t["gain"] is not None]
    assert gains
    assert all(-1e-4 < gain <= 0 for gain in gains)  # of the same set, what is whole costs more
    assert "under 0.001 % more than the 231.3 of steps that need not be whole." in page


def test_the_parts_are_the_contract() -> None:
    """Every part has its own key, and the runs are on data that ship with a dependency."""
    keys = [p.key for p in PARTS]

    assert len(keys) == len(set(keys))
    assert {"audit", "validate", "figures", "runs", "tune", "range"} <= set(keys)
    assert {t.problem for t in trials()} == {"digits", "sparse_logistic"}


@pytest.fixture(scope="module")
def short() -> list[tuple[Trial, History]]:
    """The report's runs on digits, two rounds of each."""
    chosen = (replace(t, rounds=2) for t in trials() if t.problem == "digits")
    return [(t, run_trial(t)) for t in chosen]


def test_no_run_on_digits_is_covered(short: list[tuple[Trial, History]]) -> None:
    """At the dissimilarity seen along the runs neither meets the theorem, so that no bound is given."""
    for trial, history in short:
        held = hold(trial, history)

        assert held.verdict == "not applicable"
        assert held.check.bound is None
        assert held.seen["sigma2"] == max(history.metrics["dissimilarity"]) > 1


def test_a_run_that_a_theorem_covers_has_its_bound_beside_it(tmp_path: Path) -> None:
    """Of the composite runs one is within the theorem, and its bound lies above it; the other has none."""
    inside, outside = (replace(t, rounds=2) for t in trials() if t.problem == "sparse_logistic")
    drawn = {}
    for trial in (inside, outside):
        history = run_trial(trial)
        (curve,) = bound_curves(history, trial.statement)
        kept = curve.bound > curve.measured
        drawn[trial.title] = (hold(trial, history).verdict, bool(kept.size) and bool(np.all(kept)))
        made = trial_job(trial).make(tmp_path, lambda note: None)
        assert (tmp_path / made["picture"]).read_text().startswith("<?xml")
        assert made["picture"] == trial_picture(trial)
        assert made["alternative"].endswith("in 2 rounds")

    assert drawn == {inside.title: ("applies", True), outside.title: ("not applicable", False)}


def test_the_dissimilarity_of_a_trial_is_measured_not_typed(short: list[tuple[Trial, History]]) -> None:
    """Planted in the record, one that the theorem admits changes the word, the number and the bound."""
    trial, history = short[1]
    known = replace(history, metrics={**history.metrics, "dissimilarity": (0.25, None, 0.125)})
    held = hold(trial, known)
    top = held.admits["sigma2"].intervals[0][1]

    assert (held.verdict, held.seen) == ("inconclusive", {"sigma2": 0.25})
    assert held.check.bound is not None
    assert top is not None
    assert 0.25 < top < hold(trial, history).seen["sigma2"]


def test_a_trial_whose_constants_are_known_applies(short: list[tuple[Trial, History]]) -> None:
    """With every constant in the record nothing is measured, and the statement applies or not."""
    trial, history = short[1]
    small, large = (
        hold(trial, replace(history, constants={**history.constants, "dissimilarity": {"value": v}}))
        for v in (0.25, 25)
    )

    assert (small.verdict, large.verdict) == ("applies", "not applicable")
    assert small.seen == large.seen == {}


def test_a_constant_known_from_below_leaves_larger_ones_possible(
    short: list[tuple[Trial, History]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A range with values beyond what was seen is noticed; then a failed condition decides nothing."""
    trial, history = short[1]
    held = hold(trial, history)
    found = held.admits["sigma2"]
    endless = statement("fedproxvr.theorem1").range("mu", L=1, lam=0, sigma2=0, theta="1/10")

    assert questions_module._reaches(found, 0.25)
    assert not questions_module._reaches(found, held.seen["sigma2"])
    assert questions_module._reaches(endless, 1e9)
    monkeypatch.setattr(questions_module, "_reaches", lambda found, value: True)
    assert hold(trial, history).verdict == "inconclusive"


def test_an_observation_that_is_no_law_says_where_it_ends() -> None:
    """The audit's own words on theta* against sigma2, which turns far out, are on its paper's page."""
    id = "fedproxvr.discussion1.theta.sigma2"
    shown = jsonable(statement(id).show())
    facts = {"key": "fedproxvr", "title": "", "authors": "", "venue": ""}
    (paper,) = by_paper({"papers": [facts], "statements": [shown], "audit": audit(id).to_dict()})
    said = why_words(paper, paper.judged[id])

    assert "sigma2 in [0, 16]" in said
    assert "not a law: theta goes from" in said


def test_a_verdict_says_its_error_and_what_it_cites_in_words() -> None:
    """Beside the numbers stands the error in a sentence; what is cited is named as its own text names it."""
    facts = {"key": "key", "title": "", "authors": "", "venue": ""}
    facts["faults"] = [{"why": "A sign is lost", "ids": ["key.b"]}]
    lines = [{"id": "key.c", "paper": "key", "note": "Lemma 2 of [1]: it is so. And more."}]
    (paper,) = by_paper({"papers": [facts], "audit": {"steps": lines}})
    basis = {"needs": ["key.n"], "cited": ["key.c"]}
    said = "a certificate, key.c cited"
    amended = {"id": "key.a", "detail": f"{said}; it needs key.n besides", "basis": basis}

    assert why_words(paper, amended) == "a certificate; cited: Lemma 2 of [1]"
    assert why_words(paper, amended | {"detail": said}) == "a certificate; cited: Lemma 2 of [1]"
    fallen = {"id": "key.b", "verdict": "refuted", "detail": "at x = 1: 2 > 1"}
    assert why_words(paper, fallen) == "A sign is lost: at x = 1: 2 > 1"
    assert why_words(paper, fallen | {"verdict": "open"}) == "at x = 1: 2 > 1"


def test_a_letters_domain_is_written_with_the_sign_of_infinity() -> None:
    """As the ranges beside it are; a name that holds the three letters is left."""
    letter = {"name": "x", "meaning": "a letter", "unit": "", "domain": "(-inf, inf)"}
    domains = [row[-1] for _, row in table("symbols", [letter, letter | {"domain": "info"}]).rows]

    assert domains == ["(-∞, ∞)", "info"]


@pytest.mark.parametrize("key", list(papers()))
def test_each_refuted_line_and_statement_has_one_fault(key: str) -> None:
    """What a paper declares refuted is what its faults name, each once and nothing else."""
    named = [id for fault in told(key)["faults"] for id in fault["ids"]]
    verdicts = import_module(f"fedproof.papers.{key}.verdicts").VERDICTS
    fallen = {id for id, word in verdicts.items() if word in ("refuted", "vacuous")}
    lines = {s.id for s in catalog.steps(key) if s.flaw and s.flaw != "rendering"}

    assert len(named) == len(set(named))
    assert set(named) == fallen | lines
    assert told(key)["claimed"].endswith(".")
