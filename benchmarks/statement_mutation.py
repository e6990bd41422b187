"""Mutation testing of verdicts on statements: none that an exact point breaks may come back `holds`.

Statements that hold and are about numbers alone are changed a little in their claim, conditions and
definitions. A mutant counts where an exact point found outside the engines (tests/proof/finder.py) breaks
it: for an implication or an identity a point of its letters, for a monotone expression two values of one
letter. Existence, orders of growth and log-convexity are broken by no single point and are left out.

Run: python -m benchmarks.statement_mutation --per-statement 20 --seed 1
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.claims import Identity, Implies, Monotone
from fedproof.bounds.statement import Statement
from fedproof.proof.mutants import mutants
from fedproof.proof.step import Step
from fedproof.validate.audit import judge
from tests.proof.finder import find

Named = tuple[str, Statement]


def variants(statement: Statement) -> Iterator[Named]:
    """The statement with one small change, and the change in words."""
    claim = statement.claim
    for name in ("then", "left", "right", "expr"):
        if isinstance(getattr(claim, name, None), sp.Basic):
            for said, new in changed(getattr(claim, name)):
                yield f"{name}: {said}", replace(statement, claim=replace(claim, **{name: new}))
    if isinstance(claim, Monotone):
        other = {"increasing": "decreasing", "decreasing": "increasing"}[claim.direction]
        yield f"{claim.direction} -> {other}", replace(statement, claim=replace(claim, direction=other))
    for i, condition in enumerate(statement.conditions):
        rest = statement.conditions[:i], statement.conditions[i + 1 :]
        yield f"{condition.label}: dropped", replace(statement, conditions=(*rest[0], *rest[1]))
        for said, new in changed(condition.relation):
            here = replace(condition, relation=new)
            yield (
                f"{condition.label}: {said}",
                replace(statement, conditions=(*rest[0], here, *rest[1])),
            )
    for i, definition in enumerate(statement.where):
        for said, new in changed(definition.expr):
            here = replace(definition, expr=new)
            where = (*statement.where[:i], here, *statement.where[i + 1 :])
            yield f"{definition.symbol}: {said}", replace(statement, where=where)
    if isinstance(claim, Implies):
        for i, given in enumerate(claim.given):
            for said, new in changed(given):
                parts = (*claim.given[:i], new, *claim.given[i + 1 :])
                yield f"given: {said}", replace(statement, claim=replace(claim, given=parts))


def changed(part: Any) -> Iterator[tuple[str, Any]]:
    """A relation or an expression with one small change."""
    alone = not isinstance(part, sp.core.relational.Relational)
    relation = sp.Eq(part, sp.Symbol("alone", real=True), evaluate=False) if alone else part
    for mutant in mutants(Step(relation)):
        sides = mutant.step.claim.args
        if not alone:
            yield mutant.what, mutant.step.claim
        elif len(sides) == 2 and str(sides[1]) == "alone" and "alone" not in str(sides[0]):
            yield mutant.what, sides[0]


def question(statement: Statement) -> Step | None:
    """What a point must break, read anew from the statement; None where no point can."""
    claim = statement.claim
    known: list[Any] = []
    for letter in statement.letters:
        domain, x = letter.domain, letter.symbol
        if domain.lo is not None:
            lo = sp.Rational(domain.lo.numerator, domain.lo.denominator)
            known.append((sp.Gt if domain.lo_open else sp.Ge)(x, lo, evaluate=False))
        if domain.hi is not None:
            hi = sp.Rational(domain.hi.numerator, domain.hi.denominator)
            known.append((sp.Lt if domain.hi_open else sp.Le)(x, hi, evaluate=False))
    known += [c.relation for c in statement.admissible]
    if isinstance(claim, Implies):
        known += [statement.expand(g) for g in claim.given]
        return _step(statement.expand(claim.then), known)
    if isinstance(claim, Identity):
        return _step(sp.Eq(*map(statement.expand, (claim.left, claim.right)), evaluate=False), known)
    if isinstance(claim, Monotone):
        x, later = claim.symbol, sp.Symbol("later", real=True)
        expr = statement.expand(claim.expr)
        with sp.evaluate(False):
            after, moved = expr.xreplace({x: later}), [k.xreplace({x: later}) for k in known]
        compare = sp.Le if claim.direction == "increasing" else sp.Ge
        return _step(compare(expr, after, evaluate=False), [*known, *moved, sp.Lt(x, later, evaluate=False)])
    return None


def _step(claim: sp.Basic, known: list[Any]) -> Step | None:
    if claim in (sp.true, sp.false) or sp.false in known:
        return None
    return Step(claim, tuple(k for k in known if k != sp.true))


def main() -> None:
    """Run, and print what was counted and what survived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-statement", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts: dict[tuple[str, str], int] = {}
    for statement in catalog.statements():
        if question(statement) is None or judge(statement).verdict != "holds":
            continue
        found = list(variants(statement))
        random.Random(f"{options.seed} {statement.id}").shuffle(found)
        for said, mutant in found[: options.per_statement]:
            step = question(mutant)
            broken = None if step is None else find(step, options.seed)
            if broken is None:
                continue
            try:
                verdict = judge(mutant).verdict
            except Exception as problem:
                verdict = f"{type(problem).__name__}: {problem}"[:100]
            counts[statement.claim.kind, verdict] = counts.get((statement.claim.kind, verdict), 0) + 1
            if verdict != "refuted":
                point = {n: str(v) for n, v in broken[1].items()}
                sys.stdout.write(f"{verdict}: {statement.id} {said} {point}\n")
                sys.stdout.flush()
    for (kind, verdict), count in sorted(counts.items()):
        sys.stdout.write(f"{kind:9} {verdict}: {count}\n")


if __name__ == "__main__":
    main()
