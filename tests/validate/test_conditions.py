"""The verb `conditions`: every pair is decided, and green is earned."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import fedproof as fp
from fedproof.algebra.expressions import printed
from fedproof.bounds import catalog
from fedproof.cli import main
from fedproof.papers.fedprox.proofs import full_participation
from fedproof.papers.flecs.proofs import theorem5
from fedproof.proof.conditions import table
from fedproof.proof.conditions.table import CONDITIONS
from fedproof.proof.decide import decide
from fedproof.proof.step import Step
from fedproof.proof.substitution import substitute
from fedproof.validate import recheck as script
from fedproof.validate.conditions.judged import JudgedInstance
from fedproof.validate.conditions.result import Conditions
from fedproof.vocabulary.errors import InternalError, UnknownName
from fedproof.vocabulary.papers import papers
from fedproof.vocabulary.result import jsonable
from fedproof.vocabulary.schema import schema, stamped
from tests.cli.keeping import faults

#: what a reader would say, by hand: (given, gives) that hold; every other pair does not
ALIKE = {"identical clients"}
RELATIVE = {"relative divergence", "local dissimilarity"}
BOUNDED = {"bounded dissimilarity", "bounded divergence"}
SHORT = {"bounded gradients", "bounded mean square"}
BOTH = {"gradient dissimilarity"}
FOLLOWS = [
    (ALIKE, RELATIVE | BOUNDED | BOTH),
    (RELATIVE, RELATIVE | BOTH),
    (BOUNDED, BOUNDED | BOTH),
    (SHORT, SHORT | BOUNDED | BOTH),
]


@pytest.fixture(scope="module")
def found() -> Conditions:
    """The table, judged once."""
    return fp.conditions()


def test_every_pair_is_decided_as_by_hand(found: Conditions) -> None:
    """Of 72 pairs 21 are proved and 51 refuted, which are those that one finds with pencil and paper."""
    proved = {(p.given, p.gives) for p in found.pairs if p.verdict == "proved"}
    by_hand = {(a, b) for given, gives in FOLLOWS for a in given for b in gives if a != b}

    assert proved == by_hand
    assert len(found.pairs) == 72
    assert {p.verdict for p in found.pairs} == {"proved", "refuted"}
    assert found.failed == ()


def test_weights_are_said(found: Conditions) -> None:
    """What is proved for equal weights alone is not said of all weights."""
    assert found.pair("local dissimilarity", "relative divergence").weights == "equal"
    assert found.pair("relative divergence", "local dissimilarity").weights == "any"
    assert found.pair("bounded gradients", "bounded divergence").weights == "equal"


def test_a_stranger_confirms_it(found: Conditions) -> None:
    """`recheck.py` reads the document as it reads an audit, and confirms every proof in it."""
    document: Any = json.loads(json.dumps(jsonable(found)))
    confirmed, rejected, without = script.proofs(document)

    assert (list(rejected), list(without)) == ([], [])
    assert {d.step.id for d in found.decisions} == set(confirmed)
    row = next(r for r in document["steps"] if r["id"] == "conditions.local_of_relative")
    row["certificate"]["claim"] = ["<=", "1", "0"]
    assert [id for id, _ in script.proofs(document)[1]] == ["conditions.local_of_relative"]


def test_no_certificate_is_not_proved(found: Conditions) -> None:
    """A verdict that comes with no certificate is open, and what would follow through it is open too."""
    bare = tuple(replace(x, decision=replace(x.decision, certificate=None)) for x in found.implications)
    without = replace(found, implications=bare)

    assert {x.verdict for x in bare} == {"open"}
    assert without.pair("relative divergence", "local dissimilarity").verdict == "open"
    assert "conditions.local_of_relative" in without.failed


def test_unproved_losses_refute_nothing(found: Conditions) -> None:
    """A counterexample needs all of its certificates: of what it keeps, and of what it breaks."""
    for part in ("kept", "broken"):
        lost = []
        for x in found.instances:
            if part == "kept":
                rows: Any = tuple((c, tuple(replace(d, verdict="open") for d in ds)) for c, ds in x.kept)
            else:
                rows = tuple((c, replace(d, certificate=None)) for c, d in x.broken)
            lost.append(replace(x, **{part: rows}))
        without = replace(found, instances=tuple(lost))
        assert {p.verdict for p in without.pairs} == {"proved", "open"}
        assert without.failed


def test_a_contradiction_is_an_error(found: Conditions, monkeypatch: pytest.MonkeyPatch) -> None:
    """Losses that break what is proved to follow are no verdict: our own tools disagree."""
    monkeypatch.setattr(JudgedInstance, "keeps", lambda self, condition: True)
    monkeypatch.setattr(JudgedInstance, "breaks", lambda self, condition: True)

    with pytest.raises(InternalError, match="proved, and refuted by shifted"):
        found.pair("relative divergence", "local dissimilarity")


def test_the_papers_assumptions_are_there(found: Conditions) -> None:
    """Each paper has an assumption in the table, and statements that assume it."""
    rows = {a["id"]: a for c in found.to_dict()["conditions"] for a in c["assumed"]}

    assert {a["paper"] for a in rows.values()} == set(papers())
    assert "fedproxvr.theorem1" in rows["fedproxvr.assumption1.dissimilarity"]["statements"]
    assert "flecs.theorem5" in rows["flecs.assumption5"]["statements"]
    assert all(catalog.statement(id) for a in rows.values() for id in a["statements"])


def test_a_statement_shows_which_condition_it_assumes() -> None:
    """`show` names the condition of an assumption that is one of the table, and null for the others."""
    shown = {
        a["id"]: a["condition"] for a in fp.statement("fedproxvr.theorem1").show().to_dict()["assumptions"]
    }

    assert shown["fedproxvr.assumption1.dissimilarity"] == "relative divergence"
    assert shown["fedproxvr.assumption1.smooth"] is None


def test_letters_with_two_meanings(found: Conditions) -> None:
    """sigma2 is a dissimilarity in one paper and a variance in two; letters with one meaning are left out."""
    said = {(m.letter, m.paper): m.quantity for m in found.letters}

    assert said["sigma2", "fedproxvr"] == "dissimilarity"
    assert said["sigma2", "composite"] == said["sigma2", "flecs"] == "gradient_variance"
    assert "Theta" not in {m.letter for m in found.letters}
    for m in found.letters:
        for id in m.statements:
            assert m.quantity in {s.means for s in catalog.statement(id).letters if s.name == m.letter}


def test_an_unknown_condition_is_one_line(found: Conditions) -> None:
    """A name that is not there is refused with the nearest one."""
    with pytest.raises(UnknownName, match="bounded gradients"):
        found.pair("bounded gradient", "identical clients")


def test_the_exit_code_is_1_where_something_is_not_proved(
    found: Conditions, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An implication without its certificate makes the command fail, and is named."""
    bare = replace(found.implications[2], decision=replace(found.implications[2].decision, certificate=None))
    less = replace(found, implications=(*found.implications[:2], bare, *found.implications[3:]))
    monkeypatch.setattr("fedproof.validate.conditions.api.conditions", lambda: less)

    assert main(["conditions"]) == 1
    assert "not proved: conditions.local_of_relative" in " ".join(capsys.readouterr().out.split())


def test_the_command_prints_what_the_verb_returns(capsys: pytest.CaptureFixture[str]) -> None:
    """`fedproof conditions --json` is the document; without it the tables name every condition."""
    assert main(["conditions", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(faults(document, schema("conditions"))) == []
    assert document == json.loads(json.dumps(stamped(fp.conditions())))
    assert main(["conditions"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "21 proved, 51 refuted, 0 open" in shown
    assert len(CONDITIONS) == 9


def _same(theirs: Any, ours: Any, *given: Any) -> list[str]:
    """The verdicts of two steps: each of two relations from the other."""
    with printed():
        steps = [Step(b, (*given, a), "same") for a, b in ((theirs, ours), (ours, theirs))]
    return [decide(step).verdict for step in steps]


def test_the_papers_formulas_are_those_of_the_table() -> None:
    """What the proofs of FLECS-CGD and FedProx assume and the table's relation prove each other."""
    flecs, fedprox = theorem5.DISSIMILAR.relation, full_participation.ALIKE.relation
    u, w = theorem5.u, full_participation.u
    terms = {table.grad(table.i): theorem5.grad(table.i, u), table.bar: theorem5.DF(u)}
    bounded = substitute(table.BOUNDED.at(weights=table.EQUAL), terms)
    drawn, I, B = full_participation.drawn_gradient, full_participation.I, full_participation.B_lgd  # noqa: E741
    gradient = substitute(drawn(w), {full_participation.j: table.i})
    terms = {table.grad(table.i): gradient, table.bar: full_participation.DR(w), table.n: I, table.B2: B**2}
    local = substitute(table.LOCAL.at(weights=table.EQUAL), terms)

    assert _same(flecs, bounded, table.n >= 1) == ["proved", "proved"]
    assert _same(fedprox, local, I >= 1) == ["proved", "proved"]
    half = substitute(bounded, {table.zeta2: table.zeta2 / 2})
    assert _same(flecs, half, table.n >= 1)[0] == "open"
