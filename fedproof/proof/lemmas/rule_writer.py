"""What the rules' own proofs are written in."""

from __future__ import annotations

from typing import Any

import sympy as sp

from fedproof.proof.step import Step
from fedproof.proof.vectors import vectors

x, y, z, m, c = vectors("x y z m c")
alpha, a = sp.symbols("alpha a", real=True)


def rule(name: str, claim: sp.Basic, *given: Any, note: str = "") -> Step:
    """A step about vectors: `rule("young", claim, hypotheses...)`."""
    return Step(claim, given, f"rule.{name}", rule="quad", note=note)
