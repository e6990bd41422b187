"""A step of a proof as a document with a certificate: what it says, what it uses, and how it follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp

from fedproof.proof.certify import by_cases, induction, products, sums, vectors
from fedproof.proof.certify.beginning import Known, begun
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.translate import relation
from fedproof.proof.certify.uses import applied
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.judgement import strings
from fedproof.proof.kernel.trees import Rejected, Tree, as_json
from fedproof.proof.rules.normalise_step import meant, normalised, tidy
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.step import Applied, Given, Step


def document(step: Step, known: Mapping[str, Known]) -> dict[str, Any]:
    """A step with its certificate, as `docs/certificates.md` says.

    Arguments:
        known: the steps it uses, proved.

    Raises: NotFound, NotApplicable.
    """
    with sp.evaluate(True):
        return _document(step, known)


def _document(step: Step, known: Mapping[str, Known]) -> dict[str, Any]:
    prepared = meant(normalised(step))
    writer = begun(step, prepared, known)
    claim = relation(prepared.claim)
    places = _hypotheses(writer, step, prepared, known)
    try:
        if step.rule == "cases":
            by_cases.prove(writer, claim, step, known)
        else:
            finish(writer, claim, step, prepared, places)
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


def _hypotheses(writer: Writer, step: Step, prepared: Step, known: Mapping[str, Known]) -> list[int]:
    """A line for each hypothesis of the prepared step, those of used steps last."""
    places: dict[int, int] = {}
    spans: list[tuple[Any, list[int]]] = []
    at = 0
    for h in step.hypotheses:
        count = len(tidy(h.relation))
        spans.append((h, list(range(at, at + count))))
        at += count
    own = [i for h, span in spans if isinstance(h, Given) for i in span] + list(
        range(at, len(prepared.given))
    )
    for i in own:
        given = prepared.given[i]
        places[i] = writer.assume(relation(given.relation), {"kind": "own", "why": given.why})
    if step.rule == "cases":
        return [places[i] for i in own]
    for h, span in spans:
        if isinstance(h, Applied):
            for i in span:
                places[i] = applied(writer, step, h, prepared.given[i].relation, known)
    return [places[i] for i in range(len(prepared.given))]


def finish(writer: Writer, claim: Tree, step: Step, prepared: Step, places: Sequence[int]) -> None:
    """Write the proof of the claim from the hypotheses, by the step's rule."""
    if step.rule == "interval":
        writer.write(claim, "constants")
        return
    if step.rule == "induction":
        induction.prove(writer, claim, prepared)
        return
    writer.hidden = set(range(len(writer.here.lines))) - set(places)
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
