"""A step of a proof as a document with a certificate: what it says, what it uses, and how it follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp

from fedproof.proof.certify import by_cases, induction, products, sums, vectors
from fedproof.proof.certify.beginning import Known, begun
from fedproof.proof.certify.debts import pay_idle
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.pruning import pruned
from fedproof.proof.certify.translate import relation
from fedproof.proof.certify.uses import applied
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.judgement import checked, strings
from fedproof.proof.kernel.trees import Rejected, Tree, as_json, as_tree, free
from fedproof.proof.rules.normalise_step import meant, normalised, tidy
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.step import Applied, Step


def document(step: Step, known: Mapping[str, Known]) -> dict[str, Any]:
    """A step with its certificate, as `docs/certificates.md` says.

    Arguments:
        known: the steps it uses, proved.

    Raises: NotFound, NotApplicable.
    """
    with sp.evaluate(True):
        return _shorter(_document(step, known), known)


def _shorter(found: dict[str, Any], known: Mapping[str, Known]) -> dict[str, Any]:
    """A document without the lines and the names that nothing needs, if the kernel accepts it so."""
    lines = pruned(as_tree(found["lines"]))
    said = set(strings((tuple(as_tree(g["is"]) for g in found["given"]), as_tree(found["claim"]), lines)))
    names = {n: k for n, k in found["names"].items() if n in said}
    shorter = {**found, "names": names, "lines": as_json(lines)}
    try:
        checked(shorter, {id: known[id].judgement for id in found["uses"]})
    except Rejected:
        return found
    return shorter


def _document(step: Step, known: Mapping[str, Known]) -> dict[str, Any]:
    prepared = meant(normalised(step))
    writer = begun(step, prepared, known)
    claim = relation(prepared.claim)
    try:
        if step.rule == "cases":
            _own_hypotheses(writer, step, prepared)
            by_cases.prove(writer, claim, step, known, _spoken(writer, prepared))
        else:
            finish(writer, claim, step, prepared, _hypotheses(writer, step, prepared, known))
    except Rejected as problem:
        raise NotFound(str(problem)) from problem
    return {
        "id": step.id,
        "names": _used_names(writer, claim),
        "given": [
            {"is": as_json(g), "from": o} for g, o in zip(writer.here.given, writer.origins, strict=True)
        ],
        "claim": as_json(claim),
        "lines": as_json(tuple(writer.lines)),
        "uses": sorted(_ids(writer.lines)),
    }


def _ids(lines: Any) -> set[str]:
    found: set[str] = set()
    for _, by in lines:
        if by[0] == "use":
            found.add(by[1])
        for part in by[1:]:
            if not isinstance(part, tuple) or not all(isinstance(p, tuple) and len(p) == 2 for p in part):
                continue
            if part and all(isinstance(p[1], tuple) and p[1] and isinstance(p[1][0], str) for p in part):
                found |= _ids(part)
    return found


def _used_names(writer: Writer, claim: Tree) -> dict[str, str]:
    """Names that occur in what is said or done."""
    said = set(strings((writer.here.given, claim, tuple(writer.lines))))
    return {name: kind for name, kind in writer.here.kinds.items() if name in said}


def _own_hypotheses(writer: Writer, step: Step, prepared: Step) -> tuple[dict[int, int], list[Any]]:
    """Lines for the hypotheses that are the step's own, and which of the prepared ones come from others."""
    places: dict[int, int] = {}
    others: list[Any] = []
    at = 0
    own: list[int] = []
    for h in step.hypotheses:
        count = len(tidy(h.relation))
        span = range(at, at + count)
        if isinstance(h, Applied):
            others.append((h, span))
        else:
            own += span
        at += count
    for i in (*own, *range(at, len(prepared.given))):
        given = prepared.given[i]
        places[i] = writer.assume(relation(given.relation), {"kind": "own", "why": given.why})
    return places, others


def _hypotheses(writer: Writer, step: Step, prepared: Step, known: Mapping[str, Known]) -> list[int]:
    """A line for each hypothesis of the prepared step, those of used steps last."""
    places, others = _own_hypotheses(writer, step, prepared)
    spoken = _spoken(writer, prepared)

    def proof(used: Step) -> tuple[Any, ...]:
        return as_tree(_document(used, known)["lines"])  # type: ignore[no-any-return]

    for h, span in others:
        for i in span:
            places[i] = applied(writer, step, h, prepared.given[i].relation, known, spoken, proof)
    return [places[i] for i in range(len(prepared.given))]


def _spoken(writer: Writer, prepared: Step) -> dict[str, str]:
    """The names that a step speaks of, with their kinds."""
    said = (prepared.claim, *(g.relation for g in prepared.given))
    names = frozenset().union(*(free(relation(r)) for r in said))
    return {n: k for n, k in writer.here.kinds.items() if n in names}


def finish(writer: Writer, claim: Tree, step: Step, prepared: Step, places: Sequence[int]) -> None:
    """Write the proof of the claim from the hypotheses, by the step's rule."""
    if step.rule == "interval":
        if writer.here.kinds:
            raise NotFound("interval arithmetic is for constants, without letters")
        writer.write(claim, "constants")
        return
    if step.rule == "induction":
        induction.prove(writer, claim, prepared)
        return
    writer.hidden = set(range(len(writer.here.lines))) - set(places)
    pay_idle(writer)
    writer.settle(beyond=False)
    if step.rule == "real":
        products.prove(writer, claim)
    elif step.rule == "quad":
        vectors.prove(writer, claim, prepared, places)
    elif step.rule == "sum":
        sums.prove(writer, claim, prepared, places)
    else:
        raise NotApplicable(f"rule {step.rule}")
    last(writer, claim)


def last(writer: Writer, claim: Tree) -> None:
    """The claim as the last line."""
    place = writer.find(claim)
    if place is None:
        raise NotFound(claim)
    if place != len(writer.here.lines) - 1 or not writer.lines:
        if writer.forms.is_vector(claim[1]):
            writer.write(claim, "vectors", "1", (("1", place),), ())
        else:
            writer.write(claim, "combine", (("1", ("neg",)), ("1", (place,))), ())
