"""docs/conditions.md is what the table says, and its problem has the constants that are said."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

import fedproof as fp
from fedproof.bounds import catalog
from fedproof.planning import compared as module
from fedproof.planning.compared import CONSTANTS, Compared, compared
from fedproof.planning.conditions_page import page
from fedproof.proof.conditions.instances import COMPARED, INSTANCES, w
from fedproof.proof.conditions.table import CONDITIONS
from fedproof.proof.decide import decide
from fedproof.proof.step import Step
from fedproof.validate.conditions.judged import JudgedInstance
from tests.structure.code import ROOT

#: what a search in floats has found: rounds and bounds
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@pytest.fixture(scope="module")
def found() -> Compared:
    """All theorems on the problem, once."""
    return compared()


def test_the_page_is_up_to_date() -> None:
    """The page in the checkout is the one that is made now, up to the last digits of what a search finds."""
    now, there = page(), (ROOT / "docs" / "conditions.md").read_text(encoding="utf-8")

    assert _NUMBER.sub("#", now) == _NUMBER.sub("#", there), "python -m fedproof.planning.conditions_page"
    for one, other in zip(_NUMBER.findall(now), _NUMBER.findall(there), strict=True):
        assert float(one) == pytest.approx(float(other), rel=1e-3)


def test_steps_that_the_page_names_are_there() -> None:
    """Each id in backquotes that begins with a paper's key is a statement, an assumption or a step."""
    text = page()
    named = set(re.findall(r"`((?:fedproxvr|fedprox|composite|flecs)\.[\w.]+)`", text))
    known = set(catalog.statement_ids())
    for key in ("fedproxvr", "fedprox", "composite", "flecs"):
        known |= set(catalog.assumptions(key)) | {s.id for s in catalog.steps(key)}

    assert named - known == set()
    assert {"fedprox.gradient", "fedproxvr.section3.b_to_5.sigma"} <= named


def test_the_constants_of_the_problem() -> None:
    """Curvature is proved; gap, gradients and what they say at the start are exact, by hand."""
    for loss in COMPARED.losses:
        bend = sp.diff(loss, w, 2)
        assert decide(Step(bend <= sp.Rational(3, 2))).verdict == "proved"
        assert decide(Step(bend >= 0)).verdict == "proved"
    at, root = Fraction(3, 4), Fraction(5, 4)
    assert root**2 == 1 + at**2
    slopes = [scale * at / root for scale in (Fraction(1, 2), Fraction(3, 2))]
    middle = sum(slopes) / 2
    assert slopes == [Fraction(3, 10), Fraction(9, 10)]
    assert sum((s - middle) ** 2 for s in slopes) / 2 == CONSTANTS["initial_dissimilarity"]
    assert (Fraction(1, 2) + Fraction(3, 2)) / 2 * (root - 1) == CONSTANTS["initial_gap"]
    assert middle**2 == Fraction(9, 25)


def test_the_conditions_are_those_constants() -> None:
    """What is proved of the problem is what the theorems are given; a root is rounded up."""
    kept = {c.name: {s.name: v for s, v in constants.items()} for c, constants in COMPARED.keeps}

    assert kept["relative divergence"]["sigma2"] == CONSTANTS["dissimilarity"]
    assert kept["bounded dissimilarity"]["zeta2"] == CONSTANTS["gradient_dissimilarity"]
    assert kept["bounded gradients"]["G2"] == CONSTANTS["lipschitz_sample"] ** 2
    assert kept["bounded subgradients"]["B_g2"] == CONSTANTS["subgradient_bound"] ** 2
    least = Fraction(int(kept["local dissimilarity"]["B2"].p), int(kept["local dissimilarity"]["B2"].q))
    assert least <= CONSTANTS["dissimilarity_factor"] ** 2 <= least * Fraction(1000001, 1000000)


def test_every_condition_is_kept_or_broken_by_every_instance() -> None:
    """No instance is silent on a condition, so that what is not kept is broken."""
    for instance in (COMPARED, *INSTANCES):
        said = [c.name for c, _ in (*instance.keeps, *instance.breaks)]
        assert sorted(said) == sorted(c.name for c in CONDITIONS), instance.name


def test_the_bounds_by_hand(found: Compared) -> None:
    """FLECS at 1/L and gamma = 1/2 is (2 kappa L/K + 2 c zeta^2)/(1 - c); FedProx is 4 Delta/(eta T)."""
    rows = {row.statement: row for row in found.rows}
    flecs, lgd = rows["flecs.theorem5.repaired"], rows["fedprox.remark2.lgd"]

    assert flecs.bound == pytest.approx((2 * 0.25 * 1.5 / 76 + 2e-6 * 0.25) / (1 - 1e-6), rel=1e-12)
    assert flecs.rounds == 76
    assert lgd.bound == pytest.approx(4 * 0.25 * 5 * 1.5 * 1.118034 / lgd.rounds, rel=1e-5)
    assert lgd.rounds == 839
    assert all(row.bound is not None and 0.0098 < row.bound <= 0.01 and not row.fails for row in found.rows)


def test_one_round_less_is_too_few(found: Compared) -> None:
    """With a round less the bound of the same statement is more than the accuracy."""
    letters = {
        "fedprox.remark2.lgd": "T",
        "fedproxvr.certified.sarah.sharpened": "T",
        "flecs.theorem5.repaired": "K",
    }
    rows = [row for row in found.rows if row.statement in letters]
    assert len(rows) == 3
    for row in rows:
        asked = fp.statement(row.statement)
        known = {name: value for name, value in row.letters.items() if name in asked.names}
        less = asked.check(**known, **{letters[row.statement]: (row.rounds or 0) - 1})
        assert less.bound is not None
        assert less.bound > found.accuracy


def test_a_theorem_whose_condition_is_not_proved_has_no_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where relative divergence lacks its certificate, FedProxVR promises nothing, and others still do."""
    whole = module.judged

    def without(instance: object) -> JudgedInstance:
        found = whole(instance)  # type: ignore[arg-type]
        rows = tuple(
            (c, tuple(replace(d, certificate=None) for d in ds) if c.name == "relative divergence" else ds)
            for c, ds in found.kept
        )
        return replace(found, kept=rows)

    monkeypatch.setattr(module, "judged", without)
    rows = {row.statement: row for row in compared().rows}

    assert rows["fedproxvr.certified.sarah"].fails == ("relative divergence",)
    assert rows["fedproxvr.certified.sarah"].rounds is rows["fedproxvr.certified.sarah"].bound is None
    assert rows["flecs.theorem5.repaired"].rounds == 76
