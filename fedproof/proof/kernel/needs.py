"""What is known to be defined: what lines say is not 0 or not negative, and what follows from it."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import ONE, ZERO, Quotient, number, primitive
from fedproof.proof.kernel.relations import reading, sides
from fedproof.proof.kernel.trees import ORDER, Tree, substitute


def said_by(forms: Forms, line: Tree, facts: Set[Any] = frozenset()) -> set[Any]:
    """What is not 0, and what not negative, where a line holds and facts are known."""
    found = set(facts)
    before, around = dict(forms.kinds), forms.around
    try:
        relation = line
        while relation[0] == "all":
            _, index, lo, hi, body = relation
            name = f"#{len(forms.around)}"
            first, last = forms.whole(lo), forms.whole(hi)
            forms.kinds[name] = "whole"
            forms.around = (*forms.around, (name, first.key, last.key))
            forms.ends[forms.around[-1]] = (first, last)
            relation = substitute(body, {index: name})
        if relation[0] not in ORDER:
            return found
        if forms.is_vector(relation[1]) or forms.is_vector(relation[2]):
            _, needs = reading(forms, lambda: (forms.vector(relation[1]), forms.vector(relation[2])))
            order, gap = "", ZERO
        else:
            (order, gap), needs = reading(forms, lambda: sides(forms, relation))
        known = -1
        while known < len(found):  # what is divided by is told by what is divided by within
            known = len(found)
            for need, q in needs.items():
                if need.told:
                    _note(forms, found, need.kind, q, need.around)
        if any(need.idle for need in needs):
            return found
        if order in ("<", "!="):
            _note(forms, found, "nonzero", gap)
        if order in ("<", "<=", "="):
            _note(forms, found, "nonnegative", gap)
        if order == "=":
            _note(forms, found, "nonnegative", -gap)
        return found
    finally:
        forms.kinds, forms.around = before, around


def _note(forms: Forms, found: set[Any], kind: str, q: Quotient, around: tuple[Any, ...] = ()) -> None:
    """Keep a fact, unless it holds only where some index has values at all."""
    if not q.above:
        return
    around = (*forms.around, *(a for a in around if a not in forms.around))

    def keep(part: Quotient, *said: Any) -> None:
        names = forms.names_in(part)
        if all(a[0] in names for a in around):
            found.add((kind, *said, tuple(a for a in around if a[0] in names)))

    lead, common, factor = primitive(q.above)
    if kind == "nonnegative":
        keep(q, lead > 0, common, factor, tuple(sorted(q.below.items())))
        return
    below = [Quotient({((place, 1),): number(1)}) for place, e in common if e < 0]
    below += [Quotient(dict(part)) for part in q.below]
    parts = [Quotient({((place, 1),): number(1)}) for place, _ in common]
    split = forms.bases(q) & forms.names_in(*parts, *below) if common or below else ()
    if split or not all(follows(forms, found, "nonzero", part, around) for part in below):
        return  # b^(n - 1) is read as b^n over b, and may be 0^0, which is 1
    for place, _ in common:
        keep(Quotient({((place, 1),): number(1)}), place)
        radicand = forms.radicand(place)
        if radicand is not None:
            _note(forms, found, kind, radicand, around)
    keep(Quotient(dict(factor)), factor)


def follows(forms: Forms, facts: set[Any], kind: str, q: Quotient, around: tuple[Any, ...]) -> bool:
    """Whether something is not 0, or not negative, by the facts that are known around it."""
    if not q.above:
        return kind == "nonnegative"
    lead, common, factor = primitive(q.above)

    def near(part: Quotient) -> tuple[Any, ...]:
        names = forms.names_in(part)
        return tuple(a for a in around if a[0] in names)

    if kind == "nonnegative":
        below = tuple(sorted(q.below.items()))
        return (kind, lead > 0, common, factor, below, near(q)) in facts
    for place, _ in common:
        one = Quotient({((place, 1),): number(1)})
        if (kind, place, near(one)) in facts:
            continue
        radicand = forms.radicand(place)
        if radicand is None or not follows(forms, facts, kind, radicand, around):
            return False
    plain = factor == ((ONE, 1),)
    return plain or (kind, factor, near(Quotient(dict(factor)))) in facts
