"""What was decided of one step, and how it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from fedproof.proof.forall import relation_text
from fedproof.proof.instance import Instance
from fedproof.proof.interpretation import names
from fedproof.proof.obligations import rests_on
from fedproof.proof.rules.query import Query
from fedproof.proof.step import Applied, Step
from fedproof.proof.step_latex import names_latex, step_latex
from fedproof.proof.witness_values import witness_values
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
    """

    step: Step
    verdict: StepVerdict
    engines: tuple[str, ...]
    detail: str
    witness: Mapping[str, Fraction] | None = None
    broken: Query | None = None
    questions: tuple[Query, ...] = ()
    example: Instance | None = None

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
            "claim": str(step.claim),
            "verdict": self.verdict,
            "engines": self.engines,
            "witness": None if self.witness is None else {k: text_of(v) for k, v in self.witness.items()},
            "detail": self.detail,
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
            "example": None if self.example is None else self.example.to_dict(),
            "sides": self.sides,
            "uses": step.uses,
            "rests_on": rests_on(step),
            "names": {str(name): meaning for name, meaning in names(step).items()},
            "questions": len(self.questions),
            "flaw": step.flaw or None,
            "repairs": step.repairs,
            "note": step.note or None,
        }

    def headline(self) -> str:
        """The verdict and what earned it."""
        by = f" by {', '.join(self.engines)}" if self.engines else ""
        return f"{self.step.id}: {self.verdict}{by}; {self.detail}"

    def tables(self) -> tuple[Table, ...]:
        """The questions that were proved, or the one that was broken."""
        asked = self.questions if self.broken is None else (self.broken,)
        rows = tuple((q.about or "the claim", str(q.claim), ", ".join(map(str, q.given))) for q in asked)
        title = "Proved for all reals" if self.broken is None else "Broken at the numbers above"
        return (Table(title, ("what", "claim", "given"), rows),) if rows else ()

    def _repr_html_(self) -> str:
        latex = step_latex(self.step)
        given = tuple((f"${h['latex']}$",) for h in latex["given"])
        shown = Table("", ("claim",), ((f"$\\displaystyle {latex['claim']}$",),))
        hypotheses = (Table("", ("given",), given),) if given else ()
        return as_html(self.headline(), (shown, *hypotheses, *self.tables()))


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
