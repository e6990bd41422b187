"""The derivative of a quotient with radicals, as such a quotient."""

from __future__ import annotations

from fedproof.algebra.polynomials import Poly, Ratio, reduced, split, times
from fedproof.algebra.quotient import Folded


def derivative(folded: Folded, position: int) -> Ratio:
    """The derivative by one generator, its numerator of degree below its index in every radical.

    Arguments:
        folded: the quotient; its radicals depend on the generator through their radicands.
        position: of the generator.
    """
    one = folded.value.top.context().constant(1)
    roots: list[Ratio] = []  # the derivatives of the radicals: r' / (q s^(q - 1))
    for i, root in enumerate(folded.radicands):
        inner = _quotient(root.value, position, folded, roots)
        radical = one.context().gens()[len(folded.symbols) + i]
        roots.append(times(inner, Ratio(one, root.index * radical ** (root.index - 1))))
    result = _quotient(folded.value, position, folded, roots)
    top = result.top
    for i in range(len(folded.radicands) - 1, -1, -1):
        place = len(folded.symbols) + i
        parts, power = split(top, place, folded.radicands[i])
        top = sum((p * one.context().gens()[place] ** k for k, p in enumerate(parts)), 0 * one)
        result = Ratio(top, result.bottom * folded.radicands[i].value.bottom ** power)
    return reduced(top, result.bottom)


def _quotient(value: Ratio, position: int, folded: Folded, roots: list[Ratio]) -> Ratio:
    up, down = (_total(p, position, folded, roots) for p in (value.top, value.bottom))
    top = up.top * down.bottom * value.bottom - value.top * down.top * up.bottom
    return reduced(top, up.bottom * down.bottom * value.bottom * value.bottom)


def _total(poly: Poly, position: int, folded: Folded, roots: list[Ratio]) -> Ratio:
    names = poly.context().names()
    top, bottom = poly.derivative(names[position]), poly.context().constant(1)
    for i, own in enumerate(roots):
        part = poly.derivative(names[len(folded.symbols) + i])
        top, bottom = top * own.bottom + part * own.top * bottom, bottom * own.bottom
    return reduced(top, bottom)
