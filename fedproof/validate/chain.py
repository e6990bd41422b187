"""What a step takes from other steps: their hypotheses must hold where they are used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from fedproof.bounds.step import Applied, ForAll, Given, Step
from fedproof.bounds.vectors import Vector
from fedproof.validate.rules.cases import condition
from fedproof.validate.rules.question import Question
from fedproof.validate.rules.scope import plain

__all__ = ["Debts", "debts", "rests_on", "unstated", "used"]


@dataclass(frozen=True)
class Debts:
    """What using other steps costs.

    Arguments:
        questions: hypotheses of used steps on real numbers, to be proved from this step's.
        steps: hypotheses of used steps on vectors, to be decided from what this step has before.
        missing: hypotheses that this step does not have, in words.
    """

    questions: tuple[Question, ...]
    steps: tuple[Step, ...]
    missing: tuple[str, ...]


def debts(step: Step) -> Debts:
    """The hypotheses of the steps that a step uses.

    One that carries a reason (an assumption, a definition) is taken over; one that the step has is paid;
    one about real numbers or vectors is decided; anything else is missing. A used step may rely on those used
    before it, never on itself or on a later one.
    """
    asked: list[Question] = []
    steps: list[Step] = []
    missing: list[str] = []
    for place, applied in enumerate(step.hypotheses):
        if not isinstance(applied, Applied):
            continue
        had = [h for i, h in enumerate(step.hypotheses) if i < place or isinstance(h, Given)]
        known = tuple(h.relation for h in had if isinstance(h.relation, sp.Basic) and plain(h.relation))
        owned = [_words(h.relation) for h in had]
        for hypothesis in applied.step.hypotheses:
            if isinstance(hypothesis, Applied) or hypothesis.why:
                continue
            here = _here(applied, hypothesis)
            if _words(here) in owned or (step.rule == "cases" and here == condition(step, applied)):
                continue
            about = f"a hypothesis of {applied.step.id}"
            if isinstance(here, sp.Basic) and plain(here):
                asked.append(Question((*known, *_range(applied)), here, about))
            elif isinstance(here, sp.Basic) and applied.over is None and here.atoms(Vector):
                steps.append(Step(here, tuple(had), about, rule="quad", lets=step.lets))
            else:
                missing.append(f"{here} ({about})")
    return Debts(tuple(asked), tuple(steps), tuple(missing))


def _here(applied: Applied, hypothesis: Given) -> sp.Basic | ForAll:
    relation = hypothesis.relation
    if isinstance(relation, ForAll):
        put = applied.put
        return ForAll(put(relation.relation), relation.index, put(relation.lo), put(relation.hi))
    return applied.put(relation)


def _range(applied: Applied) -> tuple[sp.Basic, ...]:
    if applied.over is None:
        return ()
    index, lo, hi = applied.over
    return (sp.Le(lo, index, evaluate=False), sp.Le(index, hi, evaluate=False))


def _words(relation: sp.Basic | ForAll) -> str:
    """The same text for the same relation, whichever way round it was typed."""
    if isinstance(relation, ForAll):
        return f"{_words(relation.relation)} for {relation.index} = {relation.lo}..{relation.hi}"
    if isinstance(relation, (sp.Ge, sp.Gt)):
        relation = relation.reversed
    return f"{relation.func.__name__}: {[str(_ordered(side)) for side in relation.args]}"


def _ordered(expr: sp.Basic) -> sp.Basic:
    """An expression as SymPy orders it, no sum carried out."""
    return expr.func(*map(_ordered, expr.args)) if expr.args else expr


def used(step: Step) -> Iterator[Step]:
    """Every step it rests on, directly or not, each once."""
    seen: dict[str, Step] = {}
    waiting = [h.step for h in step.hypotheses if isinstance(h, Applied)]
    while waiting:
        other = waiting.pop(0)
        if other.id not in seen:
            seen[other.id] = other
            waiting += [h.step for h in other.hypotheses if isinstance(h, Applied)]
    return iter(seen.values())


def rests_on(step: Step) -> tuple[str, ...]:
    """Reasons of the hypotheses of a step and of all it uses."""
    found = [h.why for s in (step, *used(step)) for h in s.hypotheses if isinstance(h, Given) and h.why]
    return tuple(dict.fromkeys(found))


def unstated(step: Step) -> tuple[str, ...]:
    """Hypotheses marked as such that the text never states."""
    return tuple(w for w in rests_on(step) if w.startswith("unstated"))
