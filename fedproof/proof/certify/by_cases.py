"""A claim that other steps prove, each where its own condition holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.translate import relation
from fedproof.proof.certify.uses import paid, read_as, values_of
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.trees import Tree, substitute
from fedproof.proof.rules.cases import condition
from fedproof.proof.rules.normalise_step import tidy
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.step import Applied, Step


def prove(writer: Writer, claim: Tree, step: Step, known: Mapping[str, Any]) -> int:
    """Write a proof by cases: where the condition of one fails, the others are tried; the last one's follows.

    Raises: NotFound, NotApplicable.
    """
    uses = [h for h in step.hypotheses if isinstance(h, Applied)]
    if len(uses) < 2 or any(u.relation != step.claim for u in uses):
        raise NotApplicable("each case must be a step with the same claim, and there must be two or more")
    for use in uses:
        if use.step.id not in known:
            raise NotFound(f"{use.step.id} is not proved")
    return _among(writer, claim, step, uses, known)


def _among(writer: Writer, claim: Tree, step: Step, uses: Sequence[Applied], known: Mapping[str, Any]) -> int:
    use, *others = uses
    if not others:
        return _used(writer, claim, use, known[use.step.id])
    said = tidy(condition(step, use))
    if len(said) != 1:
        raise NotApplicable(f"a case is no inequality: {said}")
    holds = relation(said[0])
    fails = ("<" if holds[0] == "<=" else "<=", holds[2], holds[1])
    if holds[0] not in ("<=", "<"):
        raise NotApplicable(f"a case is no inequality: {said}")
    one, other = writer.inside(holds), writer.inside(fails)
    _last(one, claim, _used(one, claim, use, known[use.step.id]))
    _last(other, claim, _among(other, claim, step, others, known))
    return writer.write(claim, "split", holds, tuple(one.lines), tuple(other.lines))


def _used(writer: Writer, claim: Tree, use: Applied, known: Any) -> int:
    """The claim by one step, of which everything that it assumes is paid here."""
    values, parts = values_of(writer, use, known)
    if parts:
        raise NotApplicable("a case names no parts")
    pays = []
    for debt in (substitute(g, values) for g in known.judgement.given):
        place = paid(writer, debt, None)
        if place is None:
            raise NotFound(debt)
        pays.append(place)
    put = tuple((n, v) for n, v in values.items() if n in known.judgement.names)
    line = writer.write(substitute(known.judgement.claim, values), "use", use.step.id, put, tuple(pays))
    return read_as(writer, claim, line, ())


def _last(inner: Writer, claim: Tree, place: int) -> None:
    """The claim as the last line of a proof inside."""
    if place != len(inner.here.lines) - 1 or not inner.lines:
        inner.write(claim, "combine", (("1", ("neg",)), ("1", (place,))), ())
