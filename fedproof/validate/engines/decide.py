"""Two independent decision procedures, each in a killable child process with its own limits."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache

import sympy as sp

from fedproof.validate.engines.smtlib import refutation
from fedproof.vocabulary.errors import InternalError

__all__ = ["ENGINES", "EnginesDisagree", "Outcome", "prove"]

ENGINES = ("z3", "cvc5")
SECONDS = 20.0


class EnginesDisagree(InternalError):
    """One engine says sat and the other unsat: an engine, or our translation, is unsound."""


@dataclass(frozen=True)
class Outcome:
    """What the engines answered: engine -> unsat (proved), sat (false somewhere) or unknown."""

    answers: tuple[tuple[str, str], ...]

    @property
    def proved_by(self) -> tuple[str, ...]:
        """Engines that found the negation unsatisfiable."""
        return tuple(e for e, a in self.answers if a == "unsat")

    @property
    def proved(self) -> bool:
        """Both engines agree that no counterexample exists."""
        return len(self.proved_by) == len(ENGINES)

    @property
    def refutable(self) -> bool:
        """Some engine found a counterexample (still to be exhibited exactly)."""
        return any(a == "sat" for _, a in self.answers)


@lru_cache(maxsize=4096)
def _ask(engine: str, text: str, seconds: float) -> str:
    command = [sys.executable, "-m", "fedproof.validate.engines.worker", engine]
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return "unknown"
    first = done.stdout.splitlines()[:1]
    return first[0] if first and first[0] in ("sat", "unsat") else "unknown"


def prove(hypotheses: Iterable[sp.Basic], claim: sp.Basic, seconds: float = SECONDS) -> Outcome:
    """Ask both engines whether the hypotheses imply the claim.

    Returns: the answers; `proved` only where both say that no counterexample exists.
    Raises: EnginesDisagree.

    >>> x = sp.Symbol("x", real=True)
    >>> prove([x > 1], x**2 > 1).proved
    True
    """
    text = refutation(hypotheses, claim)
    with ThreadPoolExecutor(len(ENGINES)) as pool:
        answers = tuple(zip(ENGINES, pool.map(lambda e: _ask(e, text, seconds), ENGINES), strict=True))
    if {"sat", "unsat"} <= {a for _, a in answers}:
        raise EnginesDisagree(f"{answers} on {claim}")
    return Outcome(answers)
