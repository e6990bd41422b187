"""Certificates of steps that speak of functions, families and their sums, from hypotheses at all points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from fedproof.proof.certify import products
from fedproof.proof.certify.beginning import Known
from fedproof.proof.certify.debts import pay_idle
from fedproof.proof.certify.handing import for_all_values, used
from fedproof.proof.certify.lemmas import PROVED, by_hand
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.reading import define, search
from fedproof.proof.certify.steps import _ids
from fedproof.proof.certify.translate import expression, relation
from fedproof.proof.certify.writer import Writer
from fedproof.proof.forall import ForAll
from fedproof.proof.kernel.judgement import strings
from fedproof.proof.kernel.trees import Rejected, Tree, as_json, substitute
from fedproof.proof.language.everywhere import Always, At
from fedproof.proof.language.saying import everywhere, kinds, step_symbols
from fedproof.proof.rules.normalise_step import signs, tidy
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.step import Applied, Given, Step

_MISSED = (NotFound, Rejected, NotApplicable)


def document(step: Step, known: Mapping[str, Known]) -> dict[str, Any]:
    """A step with its certificate, as `docs/certificates.md` says.

    Arguments:
        known: the steps it uses, proved.

    Raises: NotFound.
    """
    claims = [relation(c) for c in tidy(step.claim)]
    if len(claims) != 1:
        raise NotFound("a claim that says nothing, or more than one thing")
    writer, weights = begun(step, known)
    pay_idle(writer)
    try:
        if PROVED.get(step.id) == step:
            by_hand(writer, step, claims[0])
        else:
            search(writer, claims[0], weights)
    except _MISSED as problem:
        raise NotFound(str(problem)) from problem
    said = set(strings((writer.here.given, claims[0], tuple(writer.lines))))
    return {
        "id": step.id,
        "names": {name: kind for name, kind in writer.here.kinds.items() if name in said},
        "given": [
            {"is": as_json(g), "from": o} for g, o in zip(writer.here.given, writer.origins, strict=True)
        ],
        "claim": as_json(claims[0]),
        "lines": as_json(tuple(writer.lines)),
        "uses": sorted(_ids(writer.lines)),
    }


def begun(step: Step, known: Mapping[str, Known]) -> tuple[Writer, dict[int, Tree]]:
    """A writer with everything that a step may use as lines, and the multipliers it gives of some."""
    used_steps = {id: (k.judgement.names, k.judgement.given, k.judgement.claim) for id, k in known.items()}
    writer = Writer.of(kinds(step), (), used_steps)
    weights: dict[int, Tree] = {}
    for own in (h for h in step.hypotheses if isinstance(h, Given) and not isinstance(h, At)):
        for said in tidy(own.relation):
            line = writer.assume(relation(said), {"kind": "own", "why": own.why})
            _weigh(weights, line if isinstance(said, sp.Basic) else None, own)
    for symbol in sorted(step_symbols(step), key=str):
        for said in signs(symbol):
            writer.assume(relation(said), {"kind": "own", "why": "meaning of a symbol"})
    for h in step.hypotheses:
        if isinstance(h, At) and h.everywhere is not None:
            whole = everywhere(h.everywhere)
            if writer.find(whole) is None:
                writer.assume(whole, {"kind": "own", "why": h.why})
    waiting: list[Any] = [
        h for h in step.hypotheses if type(h) is not Given or isinstance(h.relation, ForAll)
    ]
    missed = ""
    while waiting:
        left = []
        for h in waiting:
            trial = writer.branch()
            try:
                place = _line(trial, h, known)
            except _MISSED as problem:
                left.append(h)
                missed = str(problem)
                continue
            writer.adopt(trial)
            _weigh(weights, place, h)
        if len(left) == len(waiting):
            raise NotFound(missed)
        waiting = left
    return writer, weights


def _line(writer: Writer, h: Any, known: Mapping[str, Known]) -> int | None:
    """The line that says what a hypothesis says here."""
    if isinstance(h, At):
        return instance(writer, h)
    if isinstance(h, Always):
        return for_all_values(writer, h, known[h.step.id].judgement)
    if isinstance(h, Applied):
        return summed(writer, used(writer, h, known[h.step.id].judgement))
    return summed(writer, writer.find(relation(h.relation)))


def _weigh(weights: dict[int, Tree], place: Any, h: Any) -> None:
    if h.weight is not None and place is not None:
        weights[place] = expression(h.weight)


def instance(writer: Writer, h: At) -> int:
    """The line that says what a hypothesis at all points says at some."""
    assert h.everywhere is not None
    place = writer.find(everywhere(h.everywhere))
    assert place is not None
    values = [expression(p) for p in h.points]
    if not values:
        return place
    for _ in h.everywhere.ranges:
        _, index, lo, hi, body = writer.here.lines[place]
        value = values.pop(0)
        pays = tuple(products.of_numbers(writer, r) for r in (("<=", lo, value), ("<=", value, hi)))
        place = _written(writer, substitute(body, {index: value}), "instance", place, value, pays)
    for value in values:
        _, name, _, body = writer.here.lines[place]
        define(writer, value)
        place = _written(writer, substitute(body, {name: value}), "instance", place, value)
    return place


def _written(writer: Writer, said: Tree, *by: Any) -> int:
    place = writer.find(said)
    return writer.write(said, *by) if place is None else place


def summed(writer: Writer, place: int | None) -> int | None:
    """The sum over a line for every index, where that is known to have a meaning; else the line."""
    if place is None or writer.here.lines[place][0] != "all":
        return place
    _, index, lo, hi, body = writer.here.lines[place]
    if body[0] not in ("<=", "<", "="):
        return place
    try:
        length = products.of_numbers(writer, ("<=", lo, ("+", hi, "1")))
        sums = tuple(("sum", index, lo, hi, side) for side in body[1:])
        if writer.forms.is_vector(sums[0]) or writer.forms.is_vector(sums[1]):
            products.define(writer, ("=", *(("n2", s) for s in sums)))
        else:
            products.define(writer, ("=", *sums))
        return writer.write(("=" if body[0] == "=" else "<=", *sums), "total", place, length)
    except _MISSED:
        return place
