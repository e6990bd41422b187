"""Bounds on what a run does: true where every step of their proof is, and no hypothesis is left over."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_relation as at_point
from fedproof.algebra.expressions import names_in
from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound
from fedproof.bounds.statement import Statement
from fedproof.proof.decide import decide
from fedproof.proof.engines.smt import prove
from fedproof.proof.forall import ForAll
from fedproof.proof.obligations import used
from fedproof.proof.prove_or_refute import can_hold
from fedproof.proof.rules.query import is_scalar_relation
from fedproof.proof.step import Given, Step
from fedproof.validate.claims.relation import algebraic, radical
from fedproof.validate.proof_basis import needs, proof_steps
from fedproof.validate.statement_verdict import StatementVerdict, standing


def judge(statement: Statement) -> StatementVerdict:
    """Read the verdict off the proof: its steps, what they rest on, and the statement's own conditions."""
    if statement.counterexample:
        return broken(statement)
    if not statement.proof:
        return StatementVerdict(
            statement.id, "open", (), "it has no proof here; `validate` compares it with runs"
        )
    if can_hold([k for k in standing(statement) if algebraic(k)]) is False:
        return StatementVerdict(statement.id, "vacuous", (), "its conditions cannot hold together")
    steps = proof_steps(statement)
    last = [s for s in steps if s.id in statement.proof]
    weak = [f"{s.id} is {v}" for s in steps if (v := decide(s).verdict) not in ("proved", "cited")]
    weak += [f"{r} does not follow from its conditions" for r in _uncovered(statement, last)]
    if not any(_concludes(s, statement) for s in last):
        weak.append(f"the last step does not speak of {statement.claim_latex}")
    if weak:
        return StatementVerdict(statement.id, "open", statement.proof, "; ".join(weak))
    extra = needs(statement)
    cited = [s.id for s in steps if s.rule == "cite"]
    said = f"all {len(steps)} steps of its proof are proved" + (
        f", {', '.join(cited)} cited" if cited else ""
    )
    if extra:
        return StatementVerdict(
            statement.id, "holds amended", statement.proof, f"{said}; it needs {', '.join(extra)} besides"
        )
    return StatementVerdict(statement.id, "holds", statement.proof, said)


def broken(statement: Statement) -> StatementVerdict:
    """Refuted where the instance's steps are proved, and numbers break what the claim would make of it.

    The numbers must satisfy the statement's conditions.
    """
    steps = {s.id: s for s in catalog.steps(statement.paper)}
    *way, last = (decide(steps[id]) for id in statement.counterexample)
    before = {s.id: s for d in way for s in (d.step, *used(d.step))}
    weak = [f"{s.id} is {v}" for s in before.values() if (v := decide(s).verdict) not in ("proved", "cited")]
    weak += [] if last.verdict == "refuted" else [f"{last.step.id} is {last.verdict}"]
    point = dict(last.witness or {})
    for c in statement.admissible:
        if not names_in(c.relation) <= set(point) or not at_point(c.relation, point).holds:
            weak.append(f"{c.label} is not known to hold there")
    if weak:
        return StatementVerdict(statement.id, "open", statement.counterexample, "; ".join(weak))
    return StatementVerdict(
        statement.id, "refuted", statement.counterexample, last.detail, last.witness, last.instance
    )


def _concludes(step: Step, statement: Statement) -> bool:
    """Whether the step claims what the statement bounds, in the words that its paper's proofs use for it."""
    claim = statement.claim
    assert isinstance(claim, Bound)
    words = catalog.metric_relations(statement.paper)
    said = words.get(claim.metric if claim.relation == "<=" else f"{claim.metric} >=", ())
    return any(
        relation.func is step.claim.func and _same(relation.args, step.claim.args, claim.expr)
        for relation in said
    )


def _same(said: tuple[sp.Expr, ...], claimed: tuple[sp.Expr, ...], bound: sp.Expr) -> bool:
    named = sp.Symbol("bound", real=True)
    sides = (side.xreplace({named: bound}) for side in said)
    return all(_equal(a, b) for a, b in zip(sides, claimed, strict=True))


def _equal(a: sp.Expr, b: sp.Expr) -> bool:
    if a.has(sp.Sum) or b.has(sp.Sum):
        return bool(_ordered(a) == _ordered(b))
    return bool(sp.expand(a.doit() - b.doit()) == 0)


def _ordered(expr: sp.Basic) -> sp.Basic:
    """An expression as SymPy orders it, no sum carried out."""
    return expr.func(*map(_ordered, expr.args)) if expr.args else expr


def _uncovered(statement: Statement, last: list[Step]) -> Iterator[sp.Basic | ForAll]:
    """Hypotheses of the last steps, without a reason, that the conditions do not imply."""
    known = standing(statement)
    for step in last:
        meaning = {part.symbol: part.expr for part in step.lets}
        for h in step.hypotheses:
            if isinstance(h, Given) and not h.why and not _implied(statement, known, h.relation, meaning):
                yield h.relation


def _implied(
    statement: Statement,
    known: list[sp.Basic],
    relation: sp.Basic | ForAll,
    meaning: dict[sp.Symbol, sp.Expr],
) -> bool:
    """Conditions speak of real numbers, so they imply nothing about vectors or sequences."""
    if not isinstance(relation, sp.Basic) or not is_scalar_relation(relation):
        return False
    asked = _here(relation, meaning)
    here = statement.expand(asked)
    if here in known or _by_facts(statement, known, asked):
        return True
    if not algebraic(here):
        return False
    known = [k for k in known if algebraic(k)]
    simple = [k for k in known if not radical(k)]
    return prove(simple, here).proved or prove(known, here).proved


def _by_facts(statement: Statement, known: list[sp.Basic], relation: sp.Basic) -> bool:
    """Whether it follows with derived quantities kept as symbols, known by their facts, which are proved."""
    named = {d.symbol: d.facts for d in statement.where if d.facts}
    facts = [f for s in relation.free_symbols & set(named) for f in named[s]]
    if not facts:
        return False
    speaks_of = relation.free_symbols.union(*(f.free_symbols for f in facts))
    facts = [f for s in speaks_of & set(named) for f in named[s]]
    admitted = {c.label for c in statement.admissible}
    conditions = [c.relation for c in statement.conditions if c.label in admitted]
    near = [r for r in (*known, *conditions) if r.free_symbols <= speaks_of]
    return prove([*near, *facts], relation).proved and all(
        prove([r for r in known if r.free_symbols <= f.free_symbols], f).proved
        for f in map(statement.expand, facts)
    )


def _here(relation: sp.Basic, meaning: dict[sp.Symbol, sp.Expr]) -> sp.Basic:
    with sp.evaluate(False):
        return relation.xreplace(meaning)
