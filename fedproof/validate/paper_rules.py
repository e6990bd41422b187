"""What a paper must keep to before anything that it says can hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from fedproof.algebra.expressions import names_in
from fedproof.bounds import catalog
from fedproof.bounds.claims import Family, Implies
from fedproof.bounds.statement import Statement
from fedproof.proof.language.in_the_mean import holds_in_the_mean
from fedproof.proof.standing import UNFINISHED, standing
from fedproof.proof.tree_text import text as shown
from fedproof.validate.proof_basis import proof_steps
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.own_file import FORGET
from fedproof.vocabulary.papers import data

#: stands for the bound in METRIC_RELATIONS
BOUND = sp.Symbol("bound", real=True)
#: what may be said of numbers
RELATIONS = (sp.Le, sp.Lt, sp.Ge, sp.Gt, sp.Eq)


def check_statement(statement: Statement) -> None:
    """Refuse a statement that speaks of letters that nobody declared, or whose proof is no list of steps.

    Raises: InputError or UnknownName, also for what `check_paper` refuses.
    """
    check_paper(statement.paper)
    if not isinstance(statement.proof, tuple):
        raise InputError(f"proof of {statement.id}", statement.proof, "a tuple of ids", "write proof=(ID,)")
    proof_steps(statement)
    steps = {s.id for s in catalog.steps(statement.paper)}
    for id in statement.counterexample:
        if id not in steps:
            raise UnknownName(f"step of {statement.id}", id, steps)
    bound = getattr(statement.claim, "expr", None)
    known = {x.name for x in (*statement.letters, *(d.letter for d in statement.where))}
    if isinstance(bound, sp.Basic) and (odd := sorted(names_in(bound) - known)):
        raise InputError(f"claim of {statement.id}", odd[0], "one of its letters", "add it to letters=")
    _check_orders(statement)
    _check_letters(statement)
    _check_texts(statement)
    _check_metric(statement, known)


def _check_metric(statement: Statement, letters: Set[str]) -> None:
    """Refuse a metric that the steps call an expression in the statement's own letters: these are given."""
    metric = getattr(statement.claim, "metric", None)
    shown = (statement.proof or statement.counterexample) and metric is not None
    relations = catalog.metric_relations(statement.paper) if shown else {}
    for relation in (*relations.get(str(metric), ()), *relations.get(f"{metric} >=", ())):
        if names_in(relation) - {BOUND.name} <= letters and not relation.atoms(AppliedUndef):
            what, cure = f"METRIC_RELATIONS, {metric}", "say what a run does, such as n2(grad(w))"
            raise InputError(what, relation, f"no expression in the letters of {statement.id} alone", cure)


def _check_orders(statement: Statement) -> None:
    """Refuse what is no order between two numbers and no equation: !=, "or", and what is always true."""
    claim = statement.claim
    asked = [c.relation for c in statement.conditions]
    asked += [*getattr(claim, "relations", ())]
    if isinstance(claim, Implies):
        asked += [*claim.given, claim.then, *claim.via]
    for said in asked:
        if not isinstance(said, RELATIONS):
            cure = "write != as two statements; leave out what is always true"
            raise InputError(f"relations of {statement.id}", said, "<=, <, >=, > or =", cure)


def _check_letters(statement: Statement) -> None:
    """Refuse a letter with two parts to play, and a symbol that only looks like a letter."""
    claim, what = statement.claim, f"letters of {statement.id}"
    own = [x.symbol for x in statement.letters]
    defined = [d.symbol for d in statement.where] + [c.letter.symbol for c in statement.chosen]
    named = [s.name for s in (*own, *defined)]
    if twice := next((n for n in named if named.count(n) > 1), None):
        raise InputError(what, f"{twice} twice", "letters that are given, defined or chosen", "name it once")
    moving = (getattr(claim, "symbol", None), *getattr(claim, "over", ()))
    known = {s.name: s for s in (*own, *defined, *(x.symbol for x in getattr(claim, "choose", ())))}
    if claim.kind != "observed" and (odd := [s for s in moving if s is not None and s not in own]):
        raise InputError(f"claim of {statement.id}", odd[0], "one of its letters", "add it to letters=")
    for symbol in _symbols(statement):
        if known.get(symbol.name, symbol) != symbol:
            cure = f"write the letter's own symbol for {symbol}"
            raise InputError(what, f"{symbol} with other assumptions", "one symbol for a name", cure)


def _symbols(said: Any) -> Iterator[sp.Symbol]:
    """The symbols of which a statement, or a part of one, speaks; those of a family are the family's own."""
    if isinstance(said, sp.Basic):
        yield from sorted(said.free_symbols, key=str)
    elif isinstance(said, tuple):
        for part in said:
            yield from _symbols(part)
    elif is_dataclass(said) and not isinstance(said, Family):
        yield from _symbols(tuple(getattr(said, f.name) for f in fields(said)))


def _check_texts(statement: Statement) -> None:
    """Refuse ids that no statement and no assumption has, and words that are none."""
    known, said = {*catalog.statement_ids()} - {statement.id}, statement.amends
    own = known & {*catalog.statement_ids(statement.paper)}
    asked = [("statement that is amended", said, own)] if said is not None else []
    asked += [("statement that is used", id, known) for id in statement.uses]
    granted = {*catalog.assumptions(statement.paper)}
    asked += [("assumption that is granted", id, granted) for id in statement.grants]
    for what, id, ids in asked:
        if id not in ids:
            raise UnknownName(f"{what} by {statement.id}", str(id), ids)
    for word, text in (("reading", statement.reading), ("note", statement.note)):
        if not isinstance(text, str):
            raise InputError(f"{word} of {statement.id}", text, "a text", "write it in quotes")


@cache
def check_paper(key: str) -> None:
    """Refuse steps of other papers, formulas without an assumption, and metrics said of nothing.

    Raises: InputError.

    >>> check_paper("flecs")
    """
    for step in catalog.steps(key):
        if not step.id.startswith(f"{key}.") or (step.source is not None and step.source.paper != key):
            cure = f'write step_writer("{key}", __name__)'
            raise InputError("id of a step", step.id, f"one that begins with {key}.", cure)
    granted, known = standing(key), catalog.assumptions(key)
    for id, tree in granted.formulas:
        if not holds_in_the_mean(tree, granted.kinds):
            expected = "sides linear in functions and products, or one norm below a number times another"
            cure = "a vector is a random one, n2(x) is E|x|^2: say what holds of means"
            raise InputError(f"formula of {id}", shown(tree), expected, cure)
    if key not in UNFINISHED:
        for id, _ in granted.formulas:
            if id not in known and id not in granted.cited:
                expected = "the id of an assumption in ASSUMPTIONS, or a name in CITED"
                raise InputError("reason of a formula", id, expected, "declare the assumption")
    _check_relations(data(key, "METRIC_RELATIONS") or {})


def _check_relations(said: Any) -> None:
    what, cure = "METRIC_RELATIONS", 'write {"squared_gradient": (n2(grad(w)) <= number("bound"),)}'
    if not isinstance(said, Mapping):
        raise InputError(what, type(said).__name__, "a dict of metrics and relations", cure)
    for metric, relations in said.items():
        if not isinstance(relations, tuple) or not all(isinstance(r, sp.Basic) for r in relations):
            raise InputError(f"{what}, {metric}", relations, "a tuple of relations", cure)
        for relation in relations:
            if not _speaks(relation):
                expected = "a relation between the number bound and what the proofs call the metric"
                raise InputError(f"{what}, {metric}", relation, expected, cure)


def _speaks(relation: sp.Basic) -> bool:
    """Whether a relation says something of the bound and of something else, and not of each alone."""
    if len(relation.args) != 2:
        return False
    left, right = relation.args
    gap = right - left
    if not gap.has(sp.Sum):
        gap = sp.expand(gap)
    rest = gap.xreplace({BOUND: sp.Integer(0)})
    return bool(gap.has(BOUND) and not rest.is_number and gap != rest)


FORGET.append(check_paper.cache_clear)
