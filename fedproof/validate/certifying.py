"""Certificates of steps and of what statements come down to: those that ship, or else searched for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fedproof.bounds import catalog
from fedproof.proof.certificates import Document, Proved, shipped
from fedproof.proof.certify.live import ASKED, closed, searched
from fedproof.proof.conditions.implications import STEPS
from fedproof.proof.language.lemmas import LEMMAS, SCALED
from fedproof.proof.lemmas import PROOF
from fedproof.proof.step import Applied, Step
from fedproof.validate.audit import judge

#: processor time after which a search for one certificate is given up
SECONDS = 60.0


def steps_of(key: str) -> tuple[Step, ...]:
    """A paper's steps that are to be proved, or the lemmas."""
    steps = catalog.steps(key) if key else (*PROOF, *LEMMAS, SCALED, *STEPS)
    return tuple(s for s in steps if s.rule != "cite" and not s.flaw)


def with_used(steps: Iterable[Step]) -> dict[str, Step]:
    """Steps and those that they use, each after what it uses; not what is cited or known to be false."""
    found: dict[str, Step] = {}

    def add(step: Step) -> None:
        if step.id in found or step.rule == "cite" or step.flaw:
            return
        for used in uses(step):
            add(used)
        found[step.id] = step

    for step in steps:
        add(step)
    return found


def uses(step: Step) -> tuple[Step, ...]:
    """The steps that a step itself uses."""
    return tuple(h.step for h in step.hypotheses if isinstance(h, Applied))


def proof(step: Step, known: Mapping[str, Proved], seconds: float = SECONDS) -> Proved | str:
    """The proof of a step, or why none was found; what ships and is good is kept.

    Arguments:
        known: proofs of the steps that it uses, and of those that these use.
    """
    ships = shipped(step)
    return closed(ships, seconds) if ships else searched(step, known, seconds)


def certified(steps: Iterable[Step], seconds: float = SECONDS) -> dict[str, Proved | str]:
    """The proofs of steps and of those they use, one after the other, or why none was found."""
    known: dict[str, Proved] = {}
    found: dict[str, Proved | str] = {}
    for id, step in with_used(steps).items():
        made = found[id] = proof(step, known, seconds)
        if isinstance(made, Proved):
            known[id] = made
    return found


def questions(id: str) -> dict[str, Document]:
    """The certificates of what a statement comes down to, beside the steps of its proof."""
    statement = catalog.statement(id)
    judge(statement)
    found = (p for by_time in ASKED.values() for p in by_time.values() if isinstance(p, Proved))
    mine = (p for p in found if p.step.id.startswith(f"{statement.source.paper}.question."))
    return {p.step.id: p.document for p in mine}
