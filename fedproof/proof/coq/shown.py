"""Normal forms of numbers as terms of Coq."""

from __future__ import annotations

from fedproof.proof.coq.terms import LeftOut, infix, literal, name, power
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import Quotient


def show(forms: Forms, q: Quotient) -> str:
    """A normal form in Coq."""
    terms = []
    for m, c in q.above.items():
        factors = [literal(str(c))]
        for a, e in m:
            factors.append(power(atom(forms, a), str(e)))
        terms.append(infix("*", factors))
    text = infix("+", terms) if terms else "0"
    for f, e in q.below.items():
        text = f"({text} * {power(show(forms, Quotient(dict(f))), str(-e))})"
    return text


def atom(forms: Forms, place: int) -> str:
    """An atom in Coq."""
    own = forms.atoms[place]
    if own.kind == "name":
        (n,) = own.parts
        return f"(IZR {name(n)})" if forms.kinds[n] == "whole" else name(n)
    if own.kind == "root":
        return f"(sqrt {show(forms, forms.radicands[place])})"
    raise LeftOut(f"a need that speaks of an atom of the kind {own.kind}")
