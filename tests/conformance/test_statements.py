"""What every statement of every paper keeps: it is whole, can apply, and is what its paper declares."""

from __future__ import annotations

from importlib import import_module

import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound
from fedproof.bounds.letter import Letter
from fedproof.bounds.statement import Statement
from fedproof.proof.certificates import shipped
from fedproof.proof.counterexamples import feasible_point
from fedproof.validate.audit import judge
from fedproof.validate.proof_basis import proof_steps, statement_row
from fedproof.validate.recheck import recheck
from fedproof.validate.statement_verdict import standing
from fedproof.vocabulary.discovery import paper_modules
from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.result import jsonable
from tests.conformance.parts import Part

WORDS = {"holds", "holds amended", "refuted", "open"}


def declared(statement: Statement) -> str:
    """Its verdict by its paper's `verdicts`; unsaid it holds, and a report of runs is open."""
    known = paper_modules("verdicts").get(statement.paper)
    verdicts: dict[str, str] = import_module(known).VERDICTS if known else {}
    return verdicts.get(statement.id, "open" if statement.claim.kind == "reported" else "holds")


def test_it_is_whole(statement: Part) -> None:
    """Its id is its paper's alone; what it uses, assumes, amends and is proved by exists; it prints."""
    found: Statement = statement.load()
    steps = set(catalog.parts(found.paper))
    known = catalog.assumptions(found.paper)

    assert (found.id, found.id.partition(".")[0]) == (statement.id, found.paper)
    assert catalog.statement_ids().count(found.id) == 1
    assert {*found.uses, *filter(None, [found.amends])} <= set(catalog.statement_ids())
    assert {*found.proof, *found.counterexample} <= steps
    assert {*found.assumptions, *found.grants} <= set(known)
    assert found.claim_latex


def test_what_its_letters_mean_is_a_noun(statement: Part) -> None:
    """An error says "it is the ...", which a meaning has to go on."""
    for letter in statement.load().letters:
        assert letter.quantity.meaning.split()[0] not in {"what", "the", "a", "an", "how", "which", "whether"}


def test_it_rests_on_nothing_that_rests_on_it(statement: Part) -> None:
    """The statements that it uses, and theirs, do not lead back to it; its proof's steps end."""
    found: Statement = statement.load()
    seen: set[str] = set()
    waiting = list(found.uses)
    while waiting:
        used = waiting.pop()
        if used not in seen:
            seen.add(used)
            waiting += catalog.statement(used).uses

    assert found.id not in seen
    assert len(proof_steps(found)) >= len(set(found.proof))


def test_its_hypotheses_hold_together(statement: Part) -> None:
    """There are exact numbers at which every domain and condition holds: it says something of something."""
    relations = standing(statement.load())
    exponents = {s for r in relations for p in r.atoms(sp.Pow) for s in p.exp.free_symbols}
    at_one = [sp.sympify(r.xreplace(dict.fromkeys(exponents, sp.Integer(1)))) for r in relations]

    assert sp.false not in at_one
    assert feasible_point(tuple(r for r in at_one if r != sp.true)) is not None


def test_what_is_declared_can_be(statement: Part) -> None:
    """The declared verdict is one; what corrects another holds, and what has a counterexample is refuted,
    unless a step of the proof has no certificate yet.
    """
    found: Statement = statement.load()
    verdict = declared(found)

    assert verdict in WORDS
    assert not found.amends or verdict.startswith("holds") or verdict == "open"
    assert not found.counterexample or verdict in ("refuted", "open")


def test_its_verdict_is_the_declared_one(audited_statement: Part) -> None:
    """It is what its paper declares; what refutes it is confirmed by an arithmetic of its own, and what it
    comes down to has certificates that ship, so that nothing is searched.
    """
    found = judge(audited_statement.load())
    rows = list(recheck({"steps": [], "statements": [jsonable(statement_row(found))]}))

    assert found.verdict == declared(audited_statement.load()), found.detail
    assert [said for _, code, said in rows if code] == []
    assert len(rows) == (found.witness is not None and found.instance is not None)
    assert [p.step.id for p in found.proofs if shipped(p.step) is None] == []


def test_an_unknown_quantity_is_said_where_it_is_written() -> None:
    """A letter or a bound that misspells what it stands for cannot be made: one line, the nearest name."""
    with pytest.raises(UnknownName, match=r"^quantity: got local_step, .*did you mean local_steps"):
        Letter(sp.Symbol("tau"), "local_step", r"\tau")
    with pytest.raises(UnknownName, match=r"^metric: got squared_gradeint, .*did you mean squared_gradient"):
        Bound("squared_gradeint", sp.Integer(1))
    with pytest.raises(UnknownName, match=r"^relation of descent to its bound: got =>, .* <=, >="):
        Bound("descent", sp.Integer(1), "=>")  # type: ignore[arg-type]


def test_verdicts_are_declared_of_statements_that_exist() -> None:
    """No paper declares a verdict of a statement of another paper, or of none."""
    for key, address in paper_modules("verdicts").items():
        assert set(import_module(address).VERDICTS) <= set(catalog.statement_ids(key))
