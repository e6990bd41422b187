"""Sums of powers of the index: polynomials that are 0 at 0 and grow by a power."""

from __future__ import annotations

from fractions import Fraction

from fedproof.proof.coq.shapes import joined
from fedproof.proof.coq.terms import real
from fedproof.proof.kernel.polynomials import antiderivative
from fedproof.proof.kernel.trees import Tree


def total_at(degree: int, e: Tree) -> Tree:
    """The polynomial that is 0 at 0 and grows by a power of the index, at an end."""
    coefficients = [Fraction(p, q) for p, q in antiderivative(degree)]
    terms = [("*", str(c), ("^", e, str(k))) for k, c in enumerate(coefficients) if c]
    return joined("+", [*terms])


def powers_as_functions(degree: int) -> tuple[str, str]:
    """A power as a function of Coq, and the polynomial of which it is the difference."""
    power = real(("^", "x", str(degree)), {"x": "real"}) if degree else "1"
    return f"(fun _x : R => {power})", f"(fun _x : R => {real(total_at(degree, 'x'), {'x': 'real'})})"
