"""What was decided of one step, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import sympy as sp

from fedproof.algebra.expressions import rational_value
from fedproof.proof.certificates import CERTIFICATE, says
from fedproof.proof.forall import plainly, relation_text
from fedproof.proof.grounds import Ground, rows
from fedproof.proof.instance import Instance
from fedproof.proof.interpretation import names
from fedproof.proof.rules.gram import combination, defined
from fedproof.proof.rules.query import NotApplicable, Query, relations
from fedproof.proof.step import Applied, Given, Step
from fedproof.proof.step_latex import names_latex, step_latex
from fedproof.proof.worked import OF, worked
from fedproof.vocabulary.result import Result, Table, as_html
from fedproof.vocabulary.values import text_of

StepVerdict = Literal["proved", "refuted", "damaged", "cited", "open"]


@dataclass(frozen=True)
class StepDecision(Result):
    """What was decided of one step.

    Arguments:
        step: what was asked.
        verdict: "proved", "refuted", "cited" or "open"; "damaged" where only the text's rendering is wrong.
        engines: what earned a proof.
        detail: how it was proved, or both sides at the numbers that break it, or what was tried.
        witness: the exact numbers that break it.
        broken: the question in plain real numbers that they break.
        questions: the questions in plain real numbers that were proved.
        example: for a proof, exact numbers at which the hypotheses hold together.
        certificate: what a stranger's program checks, as `docs/certificates.md` says.
        grounds: what the certificate rests on besides the hypotheses that the step lists.
        missing: of an open step what was tried and what was missing, a sentence each.
    """

    step: Step
    verdict: StepVerdict
    engines: tuple[str, ...]
    detail: str
    witness: Mapping[str, Fraction] | None = None
    broken: Query | None = None
    questions: tuple[Query, ...] = ()
    example: Instance | None = None
    certificate: Mapping[str, Any] | None = None
    grounds: tuple[Ground, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def instance(self) -> Instance | None:
        """What holds and what fails at the witness."""
        if self.broken is None or not self.witness:
            return None
        return Instance(self.broken.given, self.broken.claim, self.witness, self.broken.about)

    @property
    def sides(self) -> str | None:
        """Both sides with the witness substituted: "3/2 > 1"."""
        return None if self.instance is None else self.instance.sides

    def to_dict(self) -> dict[str, Any]:
        """One row of the contract's `audit` document, with what a re-check and a page need."""
        step, source = self.step, self.step.source
        latex = step_latex(step)
        return {
            "id": step.id,
            "paper": source.paper if source else None,
            "equation": source.where if source else None,
            "claim": plainly(step.claim),
            "verdict": self.verdict,
            "engines": self.engines,
            "witness": None if self.witness is None else {k: text_of(v) for k, v in self.witness.items()},
            "detail": self.detail,
            "missing": list(self.missing),
            "rule": step.rule,
            "claim_latex": latex["claim"],
            "given": [relation_text(h.relation) for h in step.hypotheses],
            "hypotheses": [
                {
                    **said,
                    "why": "" if isinstance(h, Applied) else h.why,
                    "uses": h.step.id if isinstance(h, Applied) else None,
                }
                for h, said in zip(step.hypotheses, latex["given"], strict=True)
            ],
            "instance": None if self.instance is None else self.instance.to_dict(),
            "numbers": numbers(step, self.witness) if self.witness else None,
            "worked": None if self.instance is None else worked_out(step, self.instance),
            "example": None if self.example is None else self.example.to_dict(),
            "sides": self.sides,
            "uses": step.uses,
            "rests_on": rows(self.grounds),
            "certificate": self.certificate and {k: self.certificate[k] for k in CERTIFICATE},
            "closing": self.certificate and self.certificate.get("closing"),
            "says": says(step) if self.certificate or self.verdict == "cited" else None,
            "names": {str(name): meaning for name, meaning in names(step).items()},
            "questions": len(self.questions),
            "flaw": step.flaw or None,
            "lacks": step.lacks or None,
            "repairs": step.repairs,
            "note": step.note or None,
        }

    def headline(self) -> str:
        """The verdict and what earned it."""
        by = f" by {', '.join(self.engines)}" if self.engines else ""
        return f"{self.step.id}: {self.verdict}{by}; {self.detail}"

    def tables(self) -> tuple[Table, ...]:
        """The question that was broken, or those on which engines agree without a certificate."""
        asked = self.questions if self.broken is None else (self.broken,)
        rows = tuple((q.about or "the claim", str(q.claim), ", ".join(map(str, q.given))) for q in asked)
        title = (
            "Engines agree, without a certificate" if self.broken is None else "Broken at the numbers above"
        )
        return (Table(title, ("what", "claim", "given"), rows),) if rows else ()

    def _repr_html_(self) -> str:
        from fedproof.algebra.mathml import wrapping

        latex = step_latex(self.step)
        given = tuple((wrapping(h["latex"]),) for h in latex["given"])
        shown = Table("", ("claim",), ((wrapping(latex["claim"]),),))
        hypotheses = (Table("", ("given",), given),) if given else ()
        return as_html(self.headline(), (shown, *hypotheses, *self.tables()))


def worked_out(step: Step, instance: Instance) -> dict[str, Any] | None:
    """A step's line with an instance's numbers put in; what it says of the instance in words."""
    values = dict(instance.point) | witness_values(step, instance.point)
    whys = (h.why for h in step.hypotheses if isinstance(h, Given) and h.why.startswith(OF))
    line = step.claim if instance.about in ("", "dimension 1") else instance.claim
    if line is None:
        return None
    said = tuple(dict.fromkeys(why.removeprefix(OF) for why in whys))
    return worked(instance, line, values, names_latex(step, values), said)


def numbers(step: Step, witness: Mapping[str, Fraction]) -> dict[str, Any]:
    """Values of what a step speaks of, and what follows from them by definition, as a page shows them.

    Returns: "given" and "derived", each pairs of LaTeX and value.
    """
    more = witness_values(step, witness)
    latex = names_latex(step, [*witness, *more])
    return {
        "given": [[latex[k], text_of(v)] for k, v in witness.items()],
        "derived": [[latex[k], text_of(v)] for k, v in more.items()],
    }


def witness_values(step: Step, point: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The values, at a point, of what the step defines by equations between vectors and of its named parts.

    Arguments:
        step: with its definitions among the hypotheses.
        point: values of its numbers and of the coordinates `<vector>_1`, `<vector>_2` of its free vectors.

    Returns: name or coordinate -> value, in the step's order; what has no rational value is left out.

    >>> from fedproof.proof.vectors import Vector
    >>> x, y = Vector("x"), Vector("y")
    >>> given = (sp.Eq(y, 3 * x, evaluate=False),)
    >>> witness_values(Step(sp.Eq(y, x, evaluate=False), given, rule="quad"), {"x_1": Fraction(2)})
    {'y_1': Fraction(6, 1)}
    """
    return dict(_vectors(step, point)) | dict(_parts(step, point))


def _vectors(step: Step, point: Mapping[str, Fraction]) -> Iterator[tuple[str, Fraction]]:
    try:
        meanings, _ = defined([r for r, _ in relations(step) if isinstance(r, sp.Basic)])
        read = {v: combination(e) for v, e in meanings.items()}
    except NotApplicable:
        return
    for vector, parts in read.items():
        for i in (1, 2):
            if not all(f"{v.name}_{i}" in point for v in parts) or (not parts and i == 2):
                continue
            scales = [rational_value(c, point) for c in parts.values()]
            if None not in scales and f"{vector.name}_{i}" not in point:
                terms = (
                    c * point[f"{v.name}_{i}"] for v, c in zip(parts, scales, strict=True) if c is not None
                )
                yield f"{vector.name}_{i}", sum(terms, Fraction(0))


def _parts(step: Step, point: Mapping[str, Fraction]) -> Iterator[tuple[str, Fraction]]:
    known = dict(point)
    for part in step.lets:
        value = rational_value(part.expr, known)
        if value is not None:
            known[part.symbol.name] = value
            yield part.symbol.name, value
