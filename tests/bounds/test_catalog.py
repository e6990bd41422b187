"""Every statement of every paper, as data."""

from __future__ import annotations

from importlib import import_module

import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.statement import Statement
from fedproof.proof.step import Step
from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.papers import papers

STATEMENTS = catalog.statements()


def _expressions(statement: Statement) -> list[sp.Basic]:
    claim = [v for v in vars(statement.claim).values() if isinstance(v, sp.Basic)]
    return [*claim, *(c.relation for c in statement.conditions), *(d.expr for d in statement.where)]


def test_the_literal_index_is_true() -> None:
    """Each id leads to the statement that carries it, and no statement is left out."""
    for paper in papers().values():
        found = {s.id: s for s in catalog.statements(paper.key)}
        modules = set(paper.where.values())
        defined = {
            value.id
            for name in modules
            for value in vars(import_module(f"{paper.index.__package__}.{name}")).values()
            if isinstance(value, Statement)
        }

        assert list(found) == list(paper.statements)
        assert defined == set(found)
    assert len(STATEMENTS) >= 38


@pytest.mark.parametrize("st", STATEMENTS, ids=lambda s: s.id)
def test_a_statement_is_complete(st: Statement) -> None:
    """Source, letters and definitions all resolve."""
    assert st.id.startswith(f"{st.paper}.")
    assert st.source.where
    assert st.title
    known = {letter.symbol for letter in st.letters} | {x.symbol for x in getattr(st.claim, "choose", ())}
    if st.claim.kind == "observed":
        known.add(st.claim.quantity)
    for expr in _expressions(st):
        symbols = set(st.expand(expr).free_symbols)
        assert symbols <= known, f"{symbols - known} is no letter of {st.id}"
    labels = [c.label for c in st.conditions]
    assert len(labels) == len(set(labels))
    nearby = {c.label for s in (st, *map(catalog.statement, st.uses)) for c in s.conditions}
    assert {label for c in st.chosen for label in c.settles} <= nearby


@pytest.mark.parametrize("st", STATEMENTS, ids=lambda s: s.id)
def test_a_statement_holds_no_float_and_only_real_symbols(st: Statement) -> None:
    """5/8 typed as a float would make exact answers wrong; positive symbols would hide conditions."""
    for expr in _expressions(st):
        assert not expr.atoms(sp.Float)
        assert all(s.is_real and s.is_positive is None for s in expr.free_symbols)


@pytest.mark.parametrize("st", STATEMENTS, ids=lambda s: s.id)
def test_latex_is_balanced_and_in_the_papers_letters(st: Statement) -> None:
    """Claims and conditions print with matching braces and no ASCII letter names."""
    printed = [st.claim_latex, *(st.tex(c.relation) for c in st.conditions)]
    for text in printed:
        assert text.count("{") == text.count("}") > 0 or "{" not in text
        assert "lam " not in text
        assert "sigma2" not in text


def test_a_misspelt_id_names_the_nearest() -> None:
    """An unknown statement is refused with the closest id."""
    with pytest.raises(UnknownName, match=r"did you mean fedproxvr\.lemma1\.sarah"):
        catalog.statement("fedproxvr.lemma1.sara")


def test_every_setting_speaks_of_statements_that_exist() -> None:
    """Settings name statements and letters of their paper."""
    others = {"fedproxvr": {"mu", "beta", "tau"}, "composite": {"b", "sigma2"}}
    for setting in (s for key in papers() for s in catalog.settings(key)):
        for id in setting.statements:
            names = {letter.name for letter in catalog.statement(id).letters}
            assert {k for k, _ in setting.parameters} <= names | others.get(setting.paper, set())


def test_a_step_of_the_same_id_is_not_taken_for_the_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a statement's file holds beside it under the same id changes nothing."""
    id = "fedproxvr.theorem1"
    module = import_module("fedproof.papers.fedproxvr.statements.printed")
    monkeypatch.setattr(module, "LATER", Step(sp.Symbol("x", real=True) <= 1, id=id), raising=False)

    assert isinstance(catalog.statement.__wrapped__(id), Statement)


def test_another_assumption_is_named_and_takes_the_place_of_one() -> None:
    """What a statement assumes otherwise stands in its source, with no word that it is less."""
    shown, theorem = catalog.statement("flecs.theorem5.along"), catalog.statement("flecs.theorem5.repaired")
    known = catalog.assumptions("flecs")
    other, own = known["flecs.assumption5.along"], known["flecs.assumption5"]

    assert shown.source.where.endswith(f"assuming {other.id} in place of {own.id}")
    with pytest.raises(UnknownName, match=r"assumption of flecs\.theorem5\.repaired"):
        theorem.assuming(own, other, id="flecs.own")
