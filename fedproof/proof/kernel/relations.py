"""Relations in normal form: what is right less what is left, and one side taken for the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fedproof.proof.kernel.atoms import Need
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import UNIT, ZERO, Quotient
from fedproof.proof.kernel.trees import ORDER, Rejected, Tree


def sides(forms: Forms, relation: Tree) -> tuple[str, Quotient]:
    """A relation between numbers, as what is right less what is left."""
    if not (isinstance(relation, tuple) and len(relation) == 3 and relation[0] in ORDER):
        raise Rejected(f"{relation} is no relation between two numbers")
    return relation[0], forms.number(relation[2]) - forms.number(relation[1])


def reading(forms: Forms, act: Callable[[], Any]) -> tuple[Any, dict[Need, Quotient]]:
    """What is read, and what it needs to be defined."""
    before, forms.needs = forms.needs, {}
    try:
        return act(), forms.needs
    finally:
        forms.needs = before


def equate(forms: Forms, line: Tree) -> None:
    """Take one side of an equation for the other; the left, or else the right, is a name or a term."""
    if line[0] != "=":
        raise Rejected(f"{line} is no equation")
    for left, right in ((line[1], line[2]), (line[2], line[1])):
        if (isinstance(left, str) and left in forms.kinds) or (isinstance(left, tuple) and left[0] == "of"):
            vector = forms.is_vector(left)
            if isinstance(left, str) and forms.kinds[left] == "whole" and not _is_whole(forms, right):
                continue
            read = forms.vector if vector else forms.number
            form, value = read(left), read(right)
            place = _single(form, vector)
            if place is not None:
                forms.equal[place] = value
                forms.known.clear()
                return
    raise Rejected(f"neither side of {line} is a name that is still free")


def _is_whole(forms: Forms, tree: Tree) -> bool:
    """Whether an expression is plainly a whole number."""
    try:
        forms.whole(tree)
    except Rejected:
        return False
    return True


def _single(form: Any, vector: bool) -> int | None:
    """The atom that a normal form is, if it is one alone."""
    if vector:
        ((place, scale),) = form.items() if len(form) == 1 else ((None, ZERO),)
        return place if scale.key == UNIT.key else None
    if len(form.above) != 1 or form.below:
        return None
    ((m, c),) = form.above.items()
    return m[0][0] if len(m) == 1 and m[0][1] == 1 and c == 1 else None


def said(forms: Forms, q: Quotient) -> str:
    """A normal form for an error message."""
    terms = ("*".join([str(c), *(f"{_atom(forms, a)}^{e}" for a, e in m)]) for m, c in q.above.items())
    return " + ".join(list(terms)[:6])


def _atom(forms: Forms, place: int) -> str:
    """An atom for an error message."""
    atom = forms.atoms[place]
    parts = [p for p in atom.parts if isinstance(p, str)]
    pieces = (said(forms, f) if isinstance(f, Quotient) else str(f) for f in forms.pieces(place))
    return f"{atom.kind}({', '.join([*parts, *pieces])})" if atom.kind != "name" else parts[0]
