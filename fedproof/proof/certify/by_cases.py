"""A claim that other steps prove under different conditions, one of which always holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fedproof.proof.certify import products, uses
from fedproof.proof.certify.debts import paid
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.translate import relation
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.trees import Tree, substitute
from fedproof.proof.rules.cases import condition
from fedproof.proof.step import Applied, Step


def prove(
    writer: Writer, claim: Tree, step: Step, known: Mapping[str, Any], spoken: Mapping[str, str]
) -> int:
    """Write a proof that uses one step where its condition holds, and the others where it does not.

    Raises: NotFound.
    """
    cases = []
    for use in (h for h in step.hypotheses if isinstance(h, Applied)):
        if use.step.id not in known or use.over is not None:
            raise NotFound(f"{use.step.id} is not proved")
        judgement, case = known[use.step.id].judgement, relation(condition(step, use))
        values, parts = uses.values_of(writer, use, judgement, spoken)
        if parts:
            raise NotFound("a case with named parts")
        trial = writer.inside(case)
        for debt in (substitute(g, values) for g in judgement.given):
            if paid(trial, debt, None) is None:
                uses.carry(writer, debt, None, {"kind": "carried", "id": use.step.id})
                trial.here.lines.append(debt)
        cases.append((use, judgement, values, case))
    return _either(writer, claim, cases)


def _either(writer: Writer, claim: Tree, cases: Sequence[Any]) -> int:
    """The first case where its condition holds, the others where it does not; the last as it is."""
    (use, judgement, values, case), *others = cases
    if not others:
        return _one(writer, claim, use, judgement, values)
    products.define(writer, case)
    inner, outer = writer.inside(case), writer.inside(("<" if case[0] == "<=" else "<=", case[2], case[1]))
    _one(inner, claim, use, judgement, values)
    _either(outer, claim, others)
    return writer.write(claim, "split", case, tuple(inner.lines), tuple(outer.lines))


def _one(writer: Writer, claim: Tree, use: Applied, judgement: Any, values: Mapping[str, Tree]) -> int:
    """The claim by one step, as the last line."""
    place = uses.used(writer, use, judgement, values, [], claim, None)
    if place == len(writer.here.lines) - 1 and writer.lines:
        return place
    return writer.write(claim, "combine", (("1", ("neg",)), ("1", (place,))), ())
