"""Points at which facts hold and a claim does not: a search that must fail is not made, no other is lost."""

from __future__ import annotations

import pytest
import sympy as sp

from fedproof.proof.certify.refuting import refuted
from fedproof.proof.certify.search import stated
from fedproof.proof.certify.translate import kinds_of, relation
from fedproof.proof.certify.writer import Writer

a, b, x, y, z = sp.symbols("a b x y z", real=True)
HALF = sp.Rational(1, 2)


def seen(given: list[sp.Basic], claim: sp.Basic) -> bool:
    """Whether points are found at which the hypotheses hold and the claim does not."""
    trees = tuple(relation(r) for r in (*given, claim))
    writer = Writer.of(kinds_of(*given, claim), trees[:-1], {})
    gap = writer.gap(trees[-1])
    return refuted(writer.forms, *stated(writer, gap.above, trees[-1][0]), trees[-1][0])


@pytest.mark.parametrize(
    ("given", "claim"),
    [
        ([x >= 0], x <= 1),
        ([x >= 1, y >= 2, x <= y], x * y <= y + 3),
        ([sp.Eq(y, x + 1), x >= 0], y <= x + HALF),
        ([sp.Eq(a * y, x), a > 0, x > 0], y > 1),
        ([x >= 0], sp.sqrt(x) <= x),
        ([sp.Abs(x) <= 2], x >= 0),
        ([x >= 0, sp.Eq(z**2, 2)], x <= 1),
        ([sp.Eq(x, y)], sp.Eq(x, 2 * y)),
    ],
)
def test_what_fails_somewhere_is_seen(given: list[sp.Basic], claim: sp.Basic) -> None:
    """By drawn numbers, equations being solved and roots taken; what speaks of other names is left aside."""
    assert seen(given, claim)


@pytest.mark.parametrize(
    ("given", "claim"),
    [
        ([x >= 0, x <= 1], x**2 <= x),
        ([sp.Eq(y, x + 1), x >= 0], y >= 1),
        ([sp.Eq(a * b, 1), a >= 1, b > 0], b <= 1),
        ([x >= 0, x**2 <= y], x <= sp.sqrt(y)),
        ([], sp.Abs(x * y) >= x * y),
        ([sp.Eq(x, y), sp.Eq(y, z)], sp.Eq(x, z)),
        ([a <= x, x <= a], sp.Eq(x, a)),
        ([sp.Eq(x**2, 2), x >= 0], x <= 2),
    ],
)
def test_what_holds_is_never_refuted(given: list[sp.Basic], claim: sp.Basic) -> None:
    """Neither where a bound is met, nor where an equation gives no name."""
    if isinstance(claim, sp.Eq) and not any(isinstance(g, sp.Eq) for g in given):
        claim = sp.Le(*claim.args)  # an equation is looked for by equations alone, then by both inequalities
    assert not seen(given, claim)
