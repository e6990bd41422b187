"""The proof of a step: the certificate that its paper ships, or else one that is searched for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from fedproof.algebra.expressions import NotAlgebraic
from fedproof.proof.certificates import Proved, accepted, shipped
from fedproof.proof.certify.beginning import Known
from fedproof.proof.certify.limits import NotFound, patient, within
from fedproof.proof.kernel.trees import Rejected, alike
from fedproof.proof.language.everywhere import applies
from fedproof.proof.rules.normalise_step import signs
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.sayings import fingerprint, reasons
from fedproof.proof.standing import Standing, standing
from fedproof.proof.step import Applied, Given, Step, substitute_in_relation
from fedproof.proof.tree_text import text
from fedproof.vocabulary.own_file import FORGET


class Unproved(str):
    """Why no certificate was found.

    Arguments:
        cut: whether the time was over before everything was tried.
    """

    cut: bool = True
    _tell: Callable[[], Iterable[str]]

    @classmethod
    def of(cls, why: str, tell: Callable[[], Iterable[str]] = tuple, cut: bool = True) -> Unproved:
        """A reason with what was missing, told only where somebody asks."""
        found = cls(why)
        found._tell, found.cut = tell, cut
        return found

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """What was tried and what was missing, a sentence each."""
        return tuple(self._tell())


#: what the shares of the ways within a search are multiplied by, in turn, while some way is cut short
PATIENCE = (1.0, 8.0)
#: what was asked for in this process, and what came of it within how many seconds
ASKED: dict[Step, dict[float, Proved | str]] = {}
FORGET.append(ASKED.clear)


def proof(step: Step, seconds: float) -> Proved | str:
    """A certificate of a step that the kernel accepts: it ships, or is found within the processor time.

    Returns: or why there is none.
    """
    asked = _asked(step)
    before = ASKED.setdefault(asked, {})
    if seconds not in before:
        shorter = (f for s, f in before.items() if s < seconds and final(step, f))
        before[seconds] = shipped(step) or next(shorter, None) or _found(step, seconds)
    found = before[seconds]
    return found.of(step) if isinstance(found, Proved) else found


def final(step: Step, found: Proved | str) -> bool:
    """Whether a longer search could not change what was found."""
    if isinstance(found, Proved):
        return not found.cut
    used = any(isinstance(h, Applied) for h in step.hypotheses)
    return isinstance(found, Unproved) and not found.cut and not used


def _asked(step: Step) -> Step:
    """A step without the words that say where it stands, which prove nothing."""
    source = step.source and replace(step.source, where="")
    return replace(step, source=source, note="")


def _found(step: Step, seconds: float) -> Proved | str:
    used = (proof(h.step, seconds) for h in step.hypotheses if isinstance(h, Applied))
    return searched(step, {p.step.id: p for p in used if isinstance(p, Proved)}, seconds)


def searched(step: Step, known: Mapping[str, Proved], seconds: float) -> Proved | str:
    """A certificate that a search finds, brought down to what the step's paper grants.

    Arguments:
        known: proofs of the steps that it uses.

    Returns: or why there is none.
    """
    from fedproof.proof.certify.lacking import lacking
    from fedproof.proof.certify.steps import document

    used = {id: Known(p.step, p.judgement) for id, p in known.items()}
    if applies(step):
        return _of_functions(step, known, used, seconds)
    given = tuple(h for h in step.given if not isinstance(h, Applied))
    for part in step.lets:
        for sign in signs(part.symbol):
            due = Step(substitute_in_relation(sign, step.meanings), given, f"{step.id}: {part.symbol}")
            if not isinstance(proof(due, seconds), Proved):
                return f"the sign of {part.symbol} is not that of {part.expr}, as far as was searched"
    try:
        with within(seconds) as limit:
            found = _either(document, step, used)
    except NotFound as problem:
        why = said(problem.args[0])
        return Unproved.of(why, partial(lacking, step, used), limit.cut)
    except (Rejected, NotApplicable, NotAlgebraic, ArithmeticError) as problem:
        return Unproved.of(str(problem), cut=limit.cut)
    proved = accepted(step, {**found, "step": fingerprint(step)}, known)
    if proved is None:
        return "what was found proves another step"
    return closed(proved, seconds)


def _either(
    document: Callable[[Step, Mapping[str, Known]], dict[str, Any]], step: Step, used: Mapping[str, Known]
) -> dict[str, Any]:
    """What a search finds with the multipliers that a step gives, or else, while there is time, without."""
    try:
        return document(step, used)
    except NotFound:
        free = _free(step)
        if free == step:
            raise
        return document(free, used)


def _free(step: Step) -> Step:
    """A step whose multipliers are all left to the search."""
    given = (replace(h, weight=None) if isinstance(h, (Given, Applied)) else h for h in step.given)
    return replace(step, given=tuple(given))


def _of_functions(
    step: Step, known: Mapping[str, Proved], used: Mapping[str, Known], seconds: float
) -> Proved | str:
    """The same of a step that speaks of functions, which lists all that it rests on."""
    from fedproof.proof.certify.language import document

    missing = (h.step.id for h in step.hypotheses if isinstance(h, Applied) and h.step.id not in known)
    for id in missing:
        return f"{id} is not proved"
    with within(seconds):
        for times in PATIENCE:
            try:
                with patient(times) as ways:
                    found = _either(document, step, used)
                made = accepted(step, {**found, "step": fingerprint(step)}, known)
                return made or "what was found proves another step"
            except (NotFound, Rejected) as problem:
                missed = said(problem.args[0])
            except (NotApplicable, NotAlgebraic, ArithmeticError) as problem:
                return str(problem)
            if not ways.short:
                break
    return missed


def closed(proved: Proved, seconds: float) -> Proved:
    """A proof that carries something, brought down to what its paper grants, as far as that is found."""
    from fedproof.proof.certify.closing import closing

    step, given = proved.step, proved.judgement.given
    if applies(step):
        return proved
    granted = standing(step.source.paper) if step.source else Standing()
    words = () if step.id in granted.lists else [tree for tree, _ in reasons(step)]
    own = [k for k in proved.own if not any(alike(given[k], tree) for tree in words)]
    if len(own) == len(given) or "closing" in proved.document:
        return proved
    try:
        with within(seconds) as limit:
            more = closing(proved.judgement, own, granted, [k for k in proved.own if k not in own])
    except (NotFound, Rejected):
        return replace(proved, cut=limit.cut)
    kept = {k: v for k, v in more.items() if k not in ("id", "uses")}
    return replace(proved, document={**proved.document, "closing": kept}, cut=limit.cut)


def said(sought: object) -> str:
    """What was not found, in words."""
    if isinstance(sought, str):
        return sought
    return f"{text(sought)} does not follow, as far as was searched"
