"""Orders: the constant is tried at numbers, and what has none does not hold."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.bounds import catalog
from fedproof.bounds.claims import Order
from fedproof.bounds.letter import Notation
from fedproof.bounds.statement import Condition, Statement
from fedproof.validate.claims.order import hidden_constant, judge
from fedproof.validate.statement_verdict import standing
from fedproof.vocabulary.papers import papers
from fedproof.vocabulary.source import Source

ORDERS = [
    id
    for key in papers()
    for id in catalog.statement_ids(key)
    if isinstance(catalog.statement(id).claim, Order)
]


def drawn(rng: random.Random, st: Statement) -> dict[str, Fraction]:
    """Numbers for the letters, large and small; whole where a letter counts."""
    sizes = {x.name: Fraction(rng.randint(1, 60), rng.choice((1, 1, 7, 50))) for x in st.letters}
    whole = {x.name for x in st.letters if x.quantity.whole}
    moved = st.claim.symbol.name if isinstance(st.claim, Order) else ""
    sizes[moved] *= Fraction(10) ** rng.randint(-8, 8)
    return {n: Fraction(max(1, int(v))) if n in whole else v for n, v in sizes.items()}


@pytest.mark.parametrize("id", ORDERS)
def test_left_is_below_the_constant_times_right(id: str) -> None:
    """At numbers that meet every condition, decided exactly and without the certificate."""
    st, rng, tried = catalog.statement(id), random.Random(id), 0
    found = hidden_constant(st)
    assert found is not None
    assert isinstance(st.claim, Order)
    assert st.claim.symbol not in st.expand(found.constant).free_symbols
    met = [*standing(st), *(st.expand(r) for r in found.near)]
    for _ in range(4000):
        point = drawn(rng, st)
        if all(evaluate_relation(st.expand(r), point).holds for r in met):
            assert evaluate_relation(st.expand(found.claim), point).holds, point
            tried += 1
        if tried == 25:
            break
    assert tried >= 10


@pytest.mark.parametrize("id", ORDERS)
def test_each_order_has_a_certificate(id: str) -> None:
    """None rests on a limit that computer algebra takes."""
    found = judge(catalog.statement(id))

    assert (found.verdict, found.because) == ("holds", ("certificate",))
    assert found.proofs
    assert "with C = " in found.detail


def test_a_limit_that_conditions_keep_away_is_no_order() -> None:
    """Where b stays below 1000, nothing is said of large b."""
    st = catalog.statement("composite.section3.residual35.batch.order")
    assert isinstance(st.claim, Order)
    kept = replace(st, conditions=(*st.conditions, Condition("small", st.claim.symbol <= 1000, "")))

    assert judge(kept).verdict == "open"
    assert judge(st).verdict == "holds"
    assert judge(replace(st, claim=Order(sp.Integer(2), sp.Integer(3), st.claim.symbol))).verdict == "holds"


x = sp.Symbol("x", real=True)
y = sp.Symbol("y", real=True)


@pytest.mark.parametrize(("claim", "of_x", "of_y", "conditions", "said"), [
    (Order(x, x**2, x), "inexactness", "smoothness", (), "open"),
    (Order(x**2, x, x), "inexactness", "smoothness", (), "open"),
    (Order(x, 1 + 0 * y, x, sp.Integer(0)), "batch_size", "smoothness", (), "open"),
    (Order(1 / x, 1 + 0 * y, x, sp.Integer(0)), "batch_size", "smoothness", (), "open"),
    (Order(-1 / x, sp.Integer(1), x, sp.Integer(0)), "strong_convexity", "smoothness", (), "open"),
    (Order(x, x**2, x), "smoothness", "strong_convexity", (y <= -1, y * x >= -3), "open"),
    (Order(x, x**2, x), "smoothness", "smoothness", (x <= y, y <= 3), "open"),
    (Order(x**2, x, x), "smoothness", "smoothness", (), "refuted"),
    (Order(x**2, x, x), "smoothness", "smoothness", (x <= 3,), "open"),
    (Order(x, x**2, x), "smoothness", "smoothness", (y <= x,), "holds"),
    (Order(x, 1 + 0 * y, x, sp.Integer(0)), "smoothness", "smoothness", (x <= 3,), "holds"),
    (Order(x, y * x**2, x), "smoothness", "initial_gap", (), "open"),
    (Order(x, (y + 1) * x**2, x), "smoothness", "initial_gap", (), "holds"),
])  # fmt: skip
def test_an_order_says_something_near_its_limit(
    claim: Order, of_x: str, of_y: str, conditions: tuple[sp.Basic, ...], said: str
) -> None:
    """Where domain, conditions or wholeness keep the symbol away, or it comes from below too, it is open."""
    notation = Notation()
    notation.symbol("x", of_x)
    notation.symbol("y", of_y)
    st = Statement(
        id="fedproxvr.order", title="order", source=Source("fedproxvr", "1"),
        letters=notation.letters(x, y), claim=claim,
        conditions=tuple(Condition(str(k), c, "") for k, c in enumerate(conditions)),
    )  # fmt: skip

    assert judge(st).verdict == said
