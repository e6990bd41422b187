"""Is the theory right: verdicts on statements, proof steps and the paper's own settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

from fedproof.algebra.expressions import NotAlgebraic
from fedproof.bounds import catalog
from fedproof.bounds.statement import PaperSetting, Statement
from fedproof.proof.certificates import whole_names
from fedproof.proof.decide import decide
from fedproof.proof.obligations import used
from fedproof.proof.step import Step
from fedproof.proof.step_verdict import StepDecision
from fedproof.proof.tightness import measure_tightness
from fedproof.validate.audit_result import Audit
from fedproof.validate.choices import unless_chosen_badly
from fedproof.validate.claims.relation import unless_vacuous, whole_witness
from fedproof.validate.paper_rules import check_paper, check_statement
from fedproof.validate.settings import judge_setting
from fedproof.validate.statement_verdict import StatementVerdict, declared
from fedproof.vocabulary.discovery import read, readable
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.papers import paper, papers, unknown


def judge(statement: Statement) -> StatementVerdict:
    """Decide one statement by the rule for its kind of claim; a reading that was chosen amends it."""
    check_statement(statement)
    kind = import_module(f"fedproof.validate.claims.{statement.claim.kind}")
    try:
        verdict: StatementVerdict = whole_witness(statement, kind.judge(statement))
    except (NotAlgebraic, InputError) as problem:
        return StatementVerdict(statement.id, "open", (), str(problem))
    if verdict.verdict == "holds" and statement.claim.kind not in ("bound", "hidden"):
        verdict = unless_vacuous(statement, verdict)
    verdict = _unless_counted(statement, verdict)
    if verdict.verdict in ("holds", "holds amended") and statement.chosen:
        verdict = unless_chosen_badly(statement, verdict)
    if not statement.reading or verdict.verdict != "holds":
        return verdict
    said = f"{verdict.detail}; read with {statement.reading}"
    return replace(verdict, verdict="holds amended", detail=said)


def _unless_counted(statement: Statement, found: StatementVerdict) -> StatementVerdict:
    """A verdict that holds, unless a certificate takes a letter to be whole that need not be: an exponent."""
    any_number = {x.name for x in statement.letters if not x.quantity.whole} | {
        d.symbol.name for d in statement.where
    }
    taken = {n for p in found.proofs for n in whole_names(p)} & any_number
    if not taken or found.verdict not in ("holds", "holds amended"):
        return found
    detail = f"proved where {min(taken)} is whole, which it need not be"
    return replace(found, verdict="open", because=(), detail=detail)


def _asked(ids: tuple[str, ...]) -> tuple[list[Step], list[Statement], list[PaperSetting]]:
    """The steps, statements and settings that an audit is about."""

    def wanted(id: str, key: str) -> bool:
        return not ids or id in ids or key in ids

    def of(key: str) -> tuple[tuple[Step, ...], list[Statement], tuple[PaperSetting, ...]]:
        stated = [catalog.statement(id) for id in paper(key).statements if wanted(id, key)]
        if stated:
            declared(key)
            read(paper(key).index.__name__, partial(_check_all, stated))
        elif any(wanted(s.id, key) for s in catalog.steps(key)):
            read(paper(key).index.__name__, lambda _: check_paper(key))
        return catalog.steps(key), stated, catalog.settings(key) if wanted(key, key) else ()

    found = readable(papers(), of, ids)
    steps = [(s, k) for k, (steps, _, _) in found.items() for s in steps]
    known = [*papers(), *catalog.statement_ids(), *(s.id for s, _ in steps)]
    for id in ids:
        if id not in known:
            raise unknown("paper, statement or step", id, known)
    return (
        [s for s, k in steps if wanted(s.id, k)],
        [s for _, stated, _ in found.values() for s in stated],
        [s for _, _, settings in found.values() for s in settings],
    )


def _check_all(stated: Sequence[Statement], module: ModuleType) -> None:
    for statement in stated:
        check_statement(statement)


def items(*ids: str, deep: bool = False) -> tuple[str, ...]:
    """What `audit` calls its progress function with, in order.

    >>> items("fedproxvr.remark1.4.monotone")
    ('fedproxvr.remark1.4.monotone',)
    """
    steps, statements, settings = _asked(ids)
    looked = [_deeper(s.id) for s in steps if deep]
    return (*(s.id for s in steps), *looked, *(s.id for s in statements), *(s.where for s in settings))


def _deeper(id: str) -> str:
    return f"{id}, deeper"


def audit(*ids: str, progress: Callable[[str], None] | None = None, deep: bool = False) -> Audit:
    """Audit papers or statements: what holds, what is refuted with exact numbers, what is open.

    Arguments:
        ids: paper keys, statement ids or step ids; none means everything.
        progress: called with a note after each item.
        deep: also which hypotheses each proved step needs, and its slack; this takes many times longer.

    Returns: verdicts on steps, statements and the papers' own settings.
    Raises: UnknownName.

    >>> audit("fedproxvr.remark1.4.monotone").statements[0].verdict
    'refuted'
    """
    tick = progress or (lambda note: None)
    steps, statements, settings = _asked(ids)
    if not (steps or statements or settings):
        raise InputError("audit", " ".join(ids), "a paper with statements or steps", "write one")
    steps += {u.id: u for s in steps for u in used(s) if u.source is None}.values()
    decisions = tuple(_each(decide, steps, lambda s: s.id, tick))
    below = tuple(map(decide, _beneath(steps, statements)))
    cited = tuple(map(decide, _cited((*decisions, *below))))
    looked = _each(measure_tightness, decisions, lambda s: _deeper(s.step.id), tick) if deep else ()
    return Audit(
        decisions,
        tuple(_each(judge, statements, lambda s: s.id, tick)),
        tuple(v for found in _each(judge_setting, settings, lambda s: s.where, tick) for v in found),
        {found.id: found for found in looked if found is not None},
        ids,
        (*below, *cited),
    )


def _beneath(steps: list[Step], statements: list[Statement]) -> list[Step]:
    """The other steps that steps and statements rest on."""
    every = {s.id: s for st in statements for s in catalog.steps(st.paper)}
    last = [every[id] for st in statements for id in (*st.proof, *st.counterexample)]
    found = {s.id: s for end in last for s in (end, *used(end))} | {u.id: u for s in steps for u in used(s)}
    asked = {s.id for s in steps}
    return [s for id, s in found.items() if id not in asked]


def _cited(found: Sequence[StepDecision]) -> list[Step]:
    """Results of other texts that these rest on by a formula of their paper, and do not use as steps."""
    ids = {g.id for d in found for g in d.grounds if g.kind == "cited"} - {d.step.id for d in found}
    keys = sorted({d.step.source.paper for d in found if d.step.source is not None})
    return [s for key in keys if key in papers() for s in catalog.steps(key) if s.id in ids]


def _each(
    act: Callable[[Any], Any],
    items: Iterable[Any],
    name: Callable[[Any], str],
    tick: Callable[[str], None],
) -> Iterator[Any]:
    for item in items:
        yield act(item)
        tick(name(item))
