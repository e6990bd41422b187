"""Every public value shows itself: a short line at a prompt, tables and drawn formulas in a notebook."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pytest
import sympy as sp

import fedproof as fp
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.figures.api import figure_parameters
from fedproof.planning.compared import Compared
from fedproof.planning.plan_result import Pilot, Plan, PlanResult
from fedproof.proof.conditions.instances import INSTANCES
from fedproof.report.api import Report
from fedproof.report.new_paper import new_paper
from fedproof.vocabulary.result import Shown

x = sp.Symbol("x", real=True)
POINT = {"L": 1, "lam": "1/2", "mu": 20, "beta": 30, "theta": 1}
SLID = {"L": 1, "lam": 0, "theta": 1}
CORNER = {"L": 1, "lam": 0, "beta": 30, "theta": 1}
LEMMA = "fedproxvr.lemma1.sarah"


def _lemma() -> StatementHandle:
    return fp.statement(LEMMA)


@cache
def _run() -> Any:
    return fp.run("fedprox", "quadratic", rounds=2)


@cache
def _measured() -> Any:
    return fp.measure("quadratic", clients=3, rounds=1, seeds=2)


@cache
def _audit() -> Any:
    return fp.audit("fedproxvr.eq39", "fedproxvr.remark1.4.monotone")


def _plan() -> PlanResult:
    pilot = Pilot("a run", "fedavg", {}, 1, (1.0, 0.5), 0.1, None, 1.0)
    row = Plan("fedavg", "fedproxvr.theorem1", "squared_gradient", applicable=False)
    return PlanResult(_measured(), {"uplink": 1e6}, 0.1, (row,), None, pilot, (pilot,))


#: by class; each is made when its test runs
MADE: dict[str, Callable[[], Any]] = {
    "AdmissibleRegion": lambda: fp.region(LEMMA, "mu", "tau", window=(1, 40), **CORNER),
    "ApplicabilityResult": lambda: _lemma().check(**POINT, tau=600),
    "Audit": _audit,
    "BinaryLogistic": lambda: fp.problem("binary_logistic"),
    "Caption": lambda: figure("fedproxvr.figure1").claims,
    "Compared": lambda: Compared(INSTANCES[0], 0.1, (), {}),
    "Composite": lambda: fp.Composite(fp.problem("digits"), fp.penalty("l1", weight="0.1")),
    "Conditions": lambda: fp.conditions(),
    "Conformance": lambda: fp.conform("fedproof.testing.example:my_round", algorithm="fedprox"),
    "Description": lambda: fp.describe("digits", clients=5),
    "FigureFiles": lambda: figure("fedproxvr.figure1"),
    "FigureParameters": lambda: figure_parameters("fedproxvr.figure1"),
    "Found": lambda: fp.find("local steps"),
    "History": _run,
    "Ledger": lambda: fp.write_ledger(_audit(), mkdtemp()),
    "Listing": lambda: fp.list_papers(),
    "MeasureResult": _measured,
    "NearestAdmissible": lambda: _lemma().check(**POINT, tau=600).nearest,
    "NewPaper": lambda: new_paper("mine", mkdtemp()),
    "OptionListing": lambda: fp.list_options("problems"),
    "Participation": lambda: fp.Participation(5, replacement=True),
    "PlanResult": _plan,
    "Quadratic": lambda: fp.problem("quadratic", clients=20),
    "Range": lambda: _lemma().range("tau", **POINT),
    "RegionGrid": lambda: fp.region_grid(
        LEMMA, "mu", "tau", sliders={"beta": (30, 40)}, window=(1, 40), **SLID
    ),
    "Report": lambda: Report(Path("report/index.html"), {}),
    "Statement": lambda: _lemma().statement,
    "StatementHandle": _lemma,
    "StatementView": lambda: _lemma().show(),
    "Step": lambda: fp.Step(x**2 >= x, given=(x >= 1,)),
    "StepDecision": lambda: fp.decide("sqrt(x*y) <= (x + y)/2", given=["x >= 0", "y >= 0"]),
    "Supervised": lambda: fp.problem("digits"),
    "Sweep": lambda: fp.sweep("fedprox", "quadratic", grid={"mu": [0, "0.1"]}, seeds=2, rounds=1),
    "TuneResult": lambda: fp.tune("fedproxvr", L=1, lam="1/2", sigma2=1, gamma="0.01"),
    "Validation": lambda: fp.validate("fedproxvr.remark1.2"),
}
#: those that say a formula
WITH_FORMULAS = ("Audit", "Statement", "StatementHandle", "StatementView", "Step", "StepDecision")
TABLES = (
    "AdmissibleRegion", "ApplicabilityResult", "Audit", "Conditions", "Conformance", "Description",
    "FigureFiles", "Found", "History", "Listing", "MeasureResult", "OptionListing", "PlanResult", "Range",
    "RegionGrid", "Sweep", "Validation",
)  # fmt: skip
#: what a report is made of is too long to make here
WITHOUT_TABLES = {"Report"}


@cache
def figure(id: str) -> Any:
    """A figure of few points."""
    return fp.figure(id, mkdtemp(), size={"points": 3, "sigma2": "0,1"}, fmt="png")


@cache
def made(name: str) -> Any:
    """The value of a class."""
    return MADE[name]()


class Balanced(HTMLParser):
    """Whether every element that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """Note an element that has an end."""
        if tag not in ("img", "br", "wbr", "hr", "meta", "link", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """The last that was opened."""
        assert self.open.pop() == tag


def classes(of: type = Shown) -> set[str]:
    """The names of all classes of public values that are no bases of others."""
    below = [c for c in of.__subclasses__() if c.__module__.startswith("fedproof.")]
    return {c.__name__ for c in below} | {name for c in below for name in classes(c)}


def test_every_public_value_is_tried() -> None:
    """The table holds every class of ours that shows itself, but for bases and one of a check."""
    for name in ("Caption", "Sweep"):
        made(name)
    import fedproof.bounds.region
    import fedproof.problems.instances.binary_logistic

    assert fedproof.bounds.region
    found = classes() - {"Result", "Partitioned", "EqualClients", "Kinked", "Answer", "Shown"}
    assert found - set(MADE) == set()


@pytest.mark.parametrize("name", MADE)
def test_a_value_is_one_short_line_at_a_prompt(name: str) -> None:
    """Class and headline, at most 300 characters on one line, whatever the value holds."""
    said = repr(made(name))

    assert said.startswith(f"<{name}")
    assert "\n" not in said
    assert len(said) <= 300


@pytest.mark.parametrize("name", sorted(set(MADE) - WITHOUT_TABLES))
def test_a_value_is_markup_in_a_notebook(name: str) -> None:
    """What Jupyter shows is well-formed, says something and has no LaTeX between dollars."""
    shown = made(name)._repr_html_()
    reader = Balanced()
    reader.feed(shown)

    assert reader.open == []
    assert re.sub(r"<[^>]*>", "", shown).strip()
    assert not re.search(r"\$[^$]*\\[a-z]+[^$]*\$", shown)


@pytest.mark.parametrize("name", WITH_FORMULAS)
def test_formulas_are_drawn(name: str) -> None:
    """A value that says a formula has it as MathML that a browser draws by itself."""
    drawn = re.findall(r"<math.*?</math>", made(name)._repr_html_(), re.S)

    assert drawn
    assert all(ElementTree.fromstring(one).tag.endswith("math") for one in drawn)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_a_pandas_table(name: str) -> None:
    """A value whose answer is rows has them as `.frame`, with named columns."""
    frame = made(name).frame

    assert isinstance(frame, pd.DataFrame)
    assert len(frame.columns) >= 2
    assert all(isinstance(column, str) and column for column in frame.columns)
    assert len(frame) > 0


def test_a_formula_of_a_text_is_escaped() -> None:
    """Markup of ours stays, and text of a user's stays text."""
    shown = fp.find("step")._repr_html_() + fp.decide("x <= x + 1")._repr_html_()

    assert "<math" in shown
    assert "<script" not in fp.Step(x <= 1, id="<script>alert(1)</script>")._repr_html_()
    assert "<script" not in fp.decide(fp.Step(x <= x, id="<script>"))._repr_html_()
