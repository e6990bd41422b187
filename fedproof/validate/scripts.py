"""The questions that the engines answered, as files that any solver reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fedproof.proof.engines.smtlib import refutation
from fedproof.proof.rules.query import Query
from fedproof.validate.audit_result import Audit


def scripts(audit: Audit) -> dict[str, str]:
    """SMT-LIB text of what engines answered where there is no certificate.

    Returns: file name, made of the step's or statement's id, -> a script to which a solver of nonlinear real
        arithmetic must answer unsat.

    >>> from fedproof.validate.audit import audit
    >>> scripts(audit("fedproxvr.eq43"))  # has a certificate
    {}
    """
    found: dict[str, str] = {}
    for decision in audit.steps:
        found.update(_files(decision.step.id, decision.questions))
    for judgement in audit.statements:
        found.update(_files(judgement.id, judgement.questions))
    return found


def _files(id: str, questions: Sequence[Query]) -> Iterator[tuple[str, str]]:
    name = re.sub(r"[^\w.-]", "_", id)
    for k, question in enumerate(questions, start=1):
        number = f".{k}" if len(questions) > 1 else ""
        yield f"{name}{number}.smt2", _script(id, k, len(questions), question)


def _script(id: str, k: int, of: int, question: Query) -> str:
    said = [f"fedproof: {id}, question {k} of {of}" if of > 1 else f"fedproof: {id}"]
    said += [question.about] if question.about else []
    said += ["unsat: the hypotheses imply the claim, and the claim is defined"]
    return "".join(f"; {line}\n" for line in said) + refutation(question.given, question.claim)
