"""Two independent decision procedures and what their answers mean together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sympy as sp

from fedproof.proof.engines.engine_pair import engine_pair
from fedproof.proof.engines.resource_limits import ENGINES
from fedproof.proof.engines.smtlib import refutation
from fedproof.vocabulary.errors import InternalError

SECONDS = 20.0


class EnginesDisagree(InternalError):
    """One engine says sat and the other unsat: an engine, or our translation, is unsound."""


@dataclass(frozen=True)
class EngineAnswers:
    """What the engines answered: engine -> unsat (proved), sat (false somewhere) or unknown.

    Arguments:
        answers: engine and answer; "unknown (limit)" after the work that was asked for, the same on every
            machine; "unknown (backstop)" stopped by a clock; "unknown (memory)", "unknown (crash)";
            "unknown" where the engine gave up.
        text: the question in SMT-LIB, for any other solver.
    """

    answers: tuple[tuple[str, str], ...]
    text: str = ""

    @property
    def proved_by(self) -> tuple[str, ...]:
        """Engines that found the negation unsatisfiable."""
        return tuple(e for e, a in self.answers if a == "unsat")

    @property
    def proved(self) -> bool:
        """Both engines agree that no counterexample exists."""
        return len(self.proved_by) == len(ENGINES)

    @property
    def words(self) -> str:
        """What each engine said."""
        return ", ".join(f"{engine}: {answer}" for engine, answer in self.answers)

    @property
    def refutable(self) -> bool:
        """Some engine found a counterexample (still to be exhibited exactly)."""
        return any(a == "sat" for _, a in self.answers)


def _answers(text: str, seconds: float) -> dict[str, str]:
    return engine_pair().ask(text, seconds)


def prove(hypotheses: Iterable[sp.Basic], claim: sp.Basic, seconds: float = SECONDS) -> EngineAnswers:
    """Ask both engines whether the hypotheses imply the claim.

    Arguments:
        hypotheses: relations between real numbers; one that is undefined at a point does not hold there.
        claim: the relation that should follow, and be defined.
        seconds: how much work each engine may do, of about so many seconds at most; it is counted in the
            engine's own units, so that a slow machine answers as a fast one does. A clock ends only an
            engine that does not count, and the answer then says so.

    Returns: the answers; `proved` only where both say that no counterexample exists.
    Raises: EnginesDisagree.

    >>> x = sp.Symbol("x", real=True)
    >>> prove([x > 1], x**2 > 1).proved
    True
    """
    text = refutation(hypotheses, claim)
    answers = tuple(_answers(text, seconds).items())
    if {"sat", "unsat"} <= {a for _, a in answers}:
        raise EnginesDisagree(f"{answers} on {claim}")
    return EngineAnswers(answers, text)
