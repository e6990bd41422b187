"""Relations between real numbers: true ones get a certificate that the kernel accepts, false ones none."""

from __future__ import annotations

import time
from typing import Any

import pytest
import sympy as sp

from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.products import prove, prove_by
from fedproof.proof.certify.translate import kinds_of, relation
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.context import Context
from fedproof.proof.kernel.rules import prove as check
from fedproof.proof.kernel.trees import Rejected

a, b, c, r, s, t, x, y = sp.symbols("a b c r s t x y", real=True)

TRUE = [
    ([a > 0, b > 0], a + b > 0),
    ([], 2 * x * y <= x**2 + y**2),
    ([x >= 0, x <= 1], x**2 <= x),
    ([a > 0, b > 0, sp.Ge(x / (a + b), 0)], x >= 0),
    ([a > 0, sp.Le(3 / a, b)], b > 0),
    ([a > 0, b > 0, sp.Le(3 * a * b**2, t * a * b), t > 0], 3 * b <= t),
    ([a > 0, b > 0, x > 3, 3 * (a**2 * x**2 + b**2) <= t * a * (x - 3)], t > 6 * b),
    ([r >= 0, r < 1, sp.Eq(s * (1 - r), 1 - x * r), x**2 <= x], s >= 0),
    ([x >= 0, x**2 <= y], x <= sp.sqrt(y)),
    ([a >= 0, b >= 0, a <= b], sp.sqrt(a) <= sp.sqrt(b)),
    ([], sp.Abs(x * y) >= x * y),
    ([x >= 1], sp.Eq(sp.Abs(x), x)),
    ([x >= sp.Max(a, b)], x >= b),
    ([sp.Eq(a * b, 1), a >= sp.Rational(7, 8), b > 0], b <= sp.Rational(8, 7)),
    ([a > 0], a * x - a**2 * x**2 / 2 <= sp.Rational(1, 2)),
    ([x**2 + sp.Abs(x) <= 0], sp.Eq(x, 0)),
    (
        [
            a > 0,
            b > 0,
            c >= 0,
            s >= 0,
            y >= 0,
            t <= a * r,
            r >= 0,
            r**2 <= y,
            y <= 4 * (1 + b**2) * (1 + s) / x**2 * c**2,
            x > 0,
        ],
        t <= a * 2 / x * sp.sqrt((1 + b**2) * (1 + s)) * c,
    ),
]
FALSE = [
    ([a > 0], a > 1),
    ([], x**2 + y**2 <= 2 * x * y),
    ([x >= 0], x**2 <= x),
    ([a > 0, b > 0], a / b <= 1),
    ([sp.Eq(a * b, 1)], a > 0),
    ([a > 0, r >= 0, a * r <= t, r**2 <= 4 * y, y >= 0], t <= 2 * a * sp.sqrt(y)),
]


def writer(given: Any, claim: Any) -> Writer:
    """A writer that knows hypotheses and the names of a claim."""
    found = Writer.of(kinds_of(*given, claim), [relation(g) for g in given], {})
    found.settle()
    return found


@pytest.mark.parametrize(("given", "claim"), TRUE, ids=str)
def test_true_relations_are_proved(given: Any, claim: Any) -> None:
    """The lines end with the claim, and the kernel accepts them from the hypotheses alone."""
    found, said = writer(given, claim), relation(claim)
    place = prove(found, said)
    assert found.here.lines[place] == said
    assumed = [relation(g) for g in given]
    check(Context(found.here.kinds, (), assumed, {}), found.lines[: place + 1], said)


@pytest.mark.parametrize(("given", "claim"), FALSE, ids=str)
def test_false_relations_are_given_up_soon(given: Any, claim: Any) -> None:
    """What does not follow gets no lines, and the search ends."""
    begun = time.perf_counter()
    with pytest.raises((NotFound, Rejected)):
        prove(writer(given, claim), relation(claim))
    assert time.perf_counter() - begun < 10


def test_cuts_are_proved_first() -> None:
    """What is to be shown on the way becomes a line of its own."""
    found = writer([x >= 2, y >= 2], x * y >= 4)
    prove_by(found, relation(x * y >= 4), [relation(x * y >= 2 * x)])
    assert relation(x * y >= 2 * x) in found.here.lines
