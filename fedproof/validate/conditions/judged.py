"""Implications and counterexamples with what the kernel says of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from fedproof.proof.conditions.implications import Implication
from fedproof.proof.conditions.instances import Instance
from fedproof.proof.conditions.table import ANY, Condition, latex
from fedproof.proof.decide import decide
from fedproof.proof.plain_text import plain_text
from fedproof.proof.step_verdict import StepDecision
from fedproof.vocabulary.values import text_of

#: where a counterexample is shown in numbers, all constants are this
SHOWN = Fraction(1)
Verdict = Literal["proved", "refuted", "open"]


@dataclass(frozen=True)
class JudgedImplication:
    """An implication with what the kernel says of its proof."""

    implication: Implication
    decision: StepDecision

    @property
    def verdict(self) -> Verdict:
        """ "proved" by a certificate that the kernel accepts, else "open"."""
        return "proved" if _certified(self.decision) else "open"

    @property
    def constants(self) -> tuple[tuple[str, str], ...]:
        """The constants of what follows, as text."""
        return tuple((str(name), plain_text(value)) for name, value in self.implication.constants.items())

    def to_dict(self) -> dict[str, Any]:
        """From what, to what, with which constants, and how it is known."""
        found = self.implication
        return {
            "given": [c.name for c in found.given],
            "gives": found.gives.name,
            "constants": dict(self.constants),
            "constants_latex": {latex(name): latex(value) for name, value in found.constants.items()},
            "weights": "any" if found.weights is ANY else "equal",
            "verdict": self.verdict,
            "step": found.proof.id,
        }


@dataclass(frozen=True)
class JudgedInstance:
    """Losses that keep some conditions and break others, with what the kernel says of each."""

    instance: Instance
    kept: tuple[tuple[Condition, tuple[StepDecision, ...]], ...]
    broken: tuple[tuple[Condition, StepDecision], ...]

    def keeps(self, condition: Condition) -> bool:
        """Whether it is proved that a condition holds at every w."""
        return condition in self._proved[0]

    def breaks(self, condition: Condition) -> bool:
        """Whether it is proved that it fails for all constants, and numbers show it."""
        return condition in self._proved[1]

    @cached_property
    def _proved(self) -> tuple[tuple[Condition, ...], tuple[Condition, ...]]:
        kept = (c for c, found in self.kept if all(map(_certified, found)))
        return tuple(kept), tuple(c for c, found in self.broken if _certified(found) and self._fails(c))

    def _fails(self, condition: Condition) -> bool:
        _, left, right = self.instance.numbers(condition, SHOWN)
        return left > right

    @property
    def failed(self) -> tuple[str, ...]:
        """What is said of the losses and not proved."""
        kept = [f"{self.instance.name} keeps {c.name}" for c, _ in self.kept if not self.keeps(c)]
        broken = [f"{self.instance.name} breaks {c.name}" for c, _ in self.broken if not self.breaks(c)]
        return (*kept, *broken)

    def to_dict(self) -> dict[str, Any]:
        """The losses, and where which condition fails."""
        found = self.instance
        return {
            "name": found.name,
            "losses": [plain_text(loss) for loss in found.losses],
            "penalty": plain_text(found.penalty),
            "why": found.why,
            "keeps": [
                {"condition": c.name, "constants": {str(k): plain_text(v) for k, v in constants.items()}}
                for c, constants in found.keeps
                if self.keeps(c)
            ],
            "breaks": [self._broken(c, at) for c, at in found.breaks if self.breaks(c)],
        }

    def _broken(self, condition: Condition, at: Any) -> dict[str, Any]:
        values = (SHOWN, *self.instance.numbers(condition, SHOWN))
        said = dict(zip(("constants", "w", "left", "right"), map(text_of, values), strict=True))
        return {"condition": condition.name, "at": f"w = {plain_text(at)}", "numbers": said}


def judged(instance: Instance) -> JudgedInstance:
    """An instance with all that is said of it decided."""
    kept = tuple((c, tuple(map(decide, steps))) for c, steps in instance.kept)
    return JudgedInstance(instance, kept, tuple((c, decide(step)) for c, step in instance.broken))


def _certified(decision: StepDecision) -> bool:
    return decision.verdict == "proved" and decision.certificate is not None
