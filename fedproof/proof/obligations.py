"""What a step takes from other steps: their hypotheses must hold where they are used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import names_in
from fedproof.proof.forall import ForAll, within
from fedproof.proof.interpretation import misused, premises, read_otherwise
from fedproof.proof.rules.cases import condition
from fedproof.proof.rules.normalise_step import normalised, tidy
from fedproof.proof.rules.query import Query, is_scalar_relation, scalar_hypotheses
from fedproof.proof.rules.well_formed import partial
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Applied, Given, Step, substitute_in_relation
from fedproof.proof.substitution import fresh_index
from fedproof.proof.vectors import Vector, ip, n2
from fedproof.vocabulary.errors import InputError


@dataclass(frozen=True)
class Obligations:
    """What using other steps costs.

    Arguments:
        questions: hypotheses of used steps on real numbers, to be proved from this step's.
        steps: hypotheses of used steps on vectors, to be decided from what this step has before.
        missing: hypotheses that this step does not have, in words.
    """

    questions: tuple[Query, ...]
    steps: tuple[Step, ...]
    missing: tuple[str, ...]


def obligations(step: Step) -> Obligations:
    """The hypotheses of the steps that a step uses.

    One that carries a reason (an assumption, a definition) is taken over, unless it is about real numbers and
    those are changed; one that the step has is paid; one about real numbers or vectors is decided; anything
    else is missing. A used step may rely on those used before it, never on itself or on a later one; in a
    proof by cases on none, for each case holds under its own condition only.
    """
    asked: list[Query] = []
    steps: list[Step] = []
    missing: list[str] = []
    for place, applied in enumerate(step.hypotheses):
        if not isinstance(applied, Applied):
            continue
        had = _had(step, place)
        owned = {_words(h.relation): _divisors(h.relation) for h in had}
        missing += misused(applied)
        otherwise = read_otherwise(step, applied)
        missing += [] if otherwise is None else [otherwise]
        for here in (substitute_in_relation(r, step.meanings) for r in _obligations(applied)):
            text = _text(applied, here)
            if text in owned and _divisors(here) <= owned[text]:
                continue
            if step.rule == "cases" and here == condition(step, applied):
                continue
            about = f"a hypothesis of {applied.step.id}"
            if text in owned:
                here = _divided(here)
            if isinstance(here, sp.Basic) and not here.atoms(Vector, ip, n2, sp.Sum):
                asked.append(_question(had, applied, here, about))
            elif isinstance(here, sp.Basic) and applied.over is None and here.atoms(Vector):
                steps.append(Step(here, tuple(had), about, rule="quad"))
            else:
                missing.append(f"{here} ({about})")
    return Obligations(tuple(asked), tuple(steps), tuple(missing))


def _had(step: Step, place: int) -> list[Given]:
    """What a step has before it uses the step at a place, with its named parts written out."""
    had = [
        h
        for i, h in enumerate(step.hypotheses)
        if isinstance(h, Given) or (i < place and step.rule != "cases")
    ]
    return [Given(substitute_in_relation(h.relation, step.meanings), weight=h.weight) for h in had]


def _obligations(applied: Applied) -> Iterator[Any]:
    """The hypotheses of a used step as they read where it is used."""
    for h in applied.step.hypotheses:
        if isinstance(h, Applied):
            continue
        for relation in tidy(h.relation):
            here = applied.substitute(relation)
            if not h.why or (
                is_scalar_relation(relation)
                and here != substitute_in_relation(relation, applied.step.meanings)
            ):
                yield here
    yield from premises(applied)


def _text(applied: Applied, here: Any) -> str:
    """An owed relation, for every index for which the step is used, as it would read if it were had."""
    body = here.relation if isinstance(here, ForAll) else here
    ends = {s for e in (here.lo, here.hi) for s in e.free_symbols} if isinstance(here, ForAll) else set()
    if applied.over is None or applied.over[0] not in body.free_symbols | ends:
        return _words(here)
    if isinstance(here, ForAll):
        return f"{_words(here)} for every {applied.over[0]} besides"  # which no hypothesis says
    return _words(ForAll(here, *applied.over))


def _question(had: list[Given], applied: Applied, here: sp.Basic, about: str) -> Query:
    """Whether what a step has implies a relation between real numbers, terms of sequences among them."""
    known = [h for h in had if is_scalar_relation(h.relation)]
    if applied.over is not None:
        index, lo, hi = applied.over
        taken = frozenset().union(*(names_in(h.relation) for h in known))
        fresh = fresh_index(index, taken)
        here = substitute_in_relation(here, {index: fresh})
        known += map(Given, within(lo, fresh, hi))
    terms = sorted((t for t in here.atoms(sp.Function) if is_sequence_term(t)), key=str)
    known += [Given(sp.Ge(t, 0, evaluate=False)) for t in terms if t.is_nonnegative]
    ready = normalised(Step(here, tuple(known)))
    named = {t: sp.Symbol(str(t), real=True) for t in terms}
    ready = replace(
        ready,
        claim=substitute_in_relation(ready.claim, named),
        given=tuple(replace(g, relation=substitute_in_relation(g.relation, named)) for g in ready.given),
    )
    return Query(scalar_hypotheses(ready), ready.claim, about)


def _words(relation: sp.Basic | ForAll) -> str:
    """The same text for the same relation, whichever way round it was typed."""
    if isinstance(relation, ForAll):
        index = sp.Symbol("(i)", real=True)  # counted from 0
        body = substitute_in_relation(relation.relation, {relation.index: index + relation.lo})
        return f"{_words(body)} for {sp.expand(relation.hi - relation.lo + 1)} whole numbers"
    if isinstance(relation, (sp.Ge, sp.Gt)):
        relation = relation.reversed
    return f"{relation.func.__name__}: {[str(in_order(side)) for side in relation.args]}"


def _divided(here: Any) -> Any:
    """What is owed besides a relation that is had up to divisors: that they have a value."""
    powers = [p for p in here.atoms(sp.Pow) if partial(p)] if isinstance(here, sp.Basic) else []
    if not powers or not all(is_scalar_relation(p) for p in powers):
        return here
    return sp.Eq(sp.Add(*powers), sp.Add(*powers), evaluate=False)


def _divisors(relation: sp.Basic | ForAll) -> set[str]:
    """The factors of what is divided by or rooted, which ordering may cancel."""
    expr = relation.relation if isinstance(relation, ForAll) else relation
    bases = (sp.factor(in_order(p.base)) for p in expr.atoms(sp.Pow) if partial(p))
    return {str(f.as_base_exp()[0]) for b in bases for f in sp.Mul.make_args(b) if not f.is_number}


def in_order(expr: sp.Basic) -> sp.Basic:
    """An expression as SymPy orders it, no sum carried out."""
    return expr.func(*map(in_order, expr.args)) if expr.args else expr


def used(step: Step) -> Iterator[Step]:
    """Every step it rests on, directly or not, each once.

    Raises: InputError where two different steps share an id, so that one could pass for the other.
    """
    seen: dict[str, Step] = {}
    waiting = [h.step for h in step.hypotheses if isinstance(h, Applied)]
    while waiting:
        other = waiting.pop(0)
        known = seen.get(other.id)
        if known is None:
            seen[other.id] = other
            waiting += [h.step for h in other.hypotheses if isinstance(h, Applied)]
        elif known is not other and known != other:
            raise InputError(f"step {other.id}", "two different steps of that id", "an id for each")
    return iter(seen.values())
