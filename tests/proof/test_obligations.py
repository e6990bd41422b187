"""What a step takes from others: nothing circular, nothing captured, nothing that was not proved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sympy as sp
from sympy import sqrt

from fedproof.algebra.expressions import printed
from fedproof.bounds import catalog
from fedproof.proof.decide import decide
from fedproof.proof.obligations import obligations, used
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Given, Induction, Let, Step, assume
from fedproof.proof.vectors import ip, n2, vectors
from fedproof.validate.claims.concluding import concludes
from fedproof.vocabulary.errors import InputError
from tests.proof.logic import Eq, by_rule, every, numbers

a, b, c, s, t, n, k, L, theta = numbers("a b c s t n k L theta")
x, y, z, d = vectors("x y z d")
X, Y = sequence("X"), sequence("Y")
D, E = sequence("D", nonnegative=True), sequence("E", nonnegative=True)
ZERO = sp.Integer(0)
positive, whole = sp.Symbol("positive", positive=True), sp.Symbol("whole", integer=True)

with printed():
    SQUARE = Step(a**2 >= a, (a >= 1,), "square")
    IDLE = Step(a >= 1, (a >= 1,), "idle")
    NAMED = Step(s >= 0, (), "named", lets=(Let(s, a**2, (s >= 0,)),))
    YOUNG = Step(n2(x + y) <= 2 * n2(x) + 2 * n2(y), (), "young", rule="quad")
    APART = Step(n2(x - y) <= 2 * n2(x) + 2 * n2(y), (), "apart", rule="quad")
    BOUNDED = Step(X(t) <= 1, (X(t) <= 1,), "bounded", rule="sum")
    LINEAR = Step(total(c * X(t), t, 0, n) <= c * total(X(t), t, 0, n), (n >= 0,), "linear", rule="sum")
    TERM = Step(D(t) >= 0, (), "term", rule="sum")
    COUNT = Step(s >= 1, (), "count", rule="induction", induction=Induction(n, 0, ((s, 1, s + 1),)))
    ROOT = Step(sqrt(1 + a) * L <= sqrt(1 + a) * L, (L >= 0, a >= 0), "root")
    ANY = Step(positive + 1 >= 1, (), "any")
    EVEN = Step(whole * (whole - 1) >= 0, (), "even", rule="induction", induction=Induction(whole, 0, ()))
    NORM = Step(n2(x) <= c**2 * n2(y), (n2(x) <= c**2 * n2(y),), "norm", rule="quad")
    TRIPLE = Step(n2(x - y) + n2(y - z) >= n2(x - z) / 2, (), "triple", rule="quad")
    JENSEN = Step(n2(x) <= n2(y), (Eq(ip(y - x, x), 0),), "jensen", rule="quad")
    DIVIDED = Step(b**2 > 0, (b / b >= 1,), "divided")
    UP_TO = Step(X(t) <= 1, (t >= 0, every(X(k) <= 1, k, ZERO, t)), "first", rule="sum")
    SUMMED = Step(total(X(t), t, 0, n) <= n + 1, (n >= 0, every(X(t) <= 1, t, ZERO, n)), "summed", rule="sum")
    CLOSE = Step(n2(x) <= 4, (n2(x) <= 1,), "close", rule="quad")
    CALLED = (sp.Le(b * L, b * L), (L >= 0, a >= 0, ROOT.at({sqrt(1 + a): b})))
    ROOTED = Step(sqrt(t) * X(t) <= sqrt(t) * X(t), (t >= 0,), "rooted", rule="sum")

Row = tuple[Any, tuple[Any, ...], str]

with printed():
    TRUE: dict[str, Any] = {
        "names for parts": (
            b <= 2 * a + 2 * c,
            (Eq(b, n2(x + y)), Eq(a, n2(x)), Eq(c, n2(y)), YOUNG.at({n2(x + y): b, n2(x): a, n2(y): c})),
            "quad",
        ),
        "an instance": (b**2 >= b, (b >= 2, SQUARE.at({a: b})), "real"),
        "a term for a symbol": ((b + 1) ** 2 >= b + 1, (b >= 0, SQUARE.at({a: b + 1})), "real"),
        "one after another": (b >= 1, (b >= 1, IDLE.at({a: b}), SQUARE.at({a: b})), "real"),
        "paid by an earlier one": (a**4 >= a**2, (a >= 1, SQUARE.at(), SQUARE.at({a: a**2})), "real"),
        "vectors for vectors": (n2(x - z) <= 2 * n2(x) + 2 * n2(z), (YOUNG.at({y: -z}),), "quad"),
        "differences named": (
            n2(d) <= 2 * n2(x - z) + 2 * n2(y), (Eq(d, x - z + y), YOUNG.at({x: x - z}),), "quad"
        ),
        "an independent difference": (
            n2(d) >= 0, (Step(n2(x - y) >= 0, (), "p", rule="quad").at({x - y: d}),), "quad"
        ),
        "for every index": (
            total(X(t), t, 0, n) <= n + 1,
            (n >= 0, every(X(t) <= 1, t, ZERO, n), BOUNDED.at(over=(t, 0, n))),
            "sum",
        ),
        "a sequence for a sequence": (E(t) >= 0, (TERM.at({D(t): E(t)}),), "sum"),
        "a positive number": (b + 1 >= 1, (b > 0, ANY.at({positive: b})), "real"),
        "a reason that is listed": (
            a >= 1, (*assume("line 1", a >= 1), Step(a >= 1, assume("line 1", a >= 1), "r").at()), "real"
        ),
        "for every index in so many words": (
            total(X(t), t, 0, k) <= k + 1, (k >= 0, every(X(t) <= 1, t, ZERO, k), SUMMED.at({n: k})), "sum"
        ),
        "up to an index": (X(t) <= 1, (t >= 0, every(X(k) <= 1, k, ZERO, t)), "sum"),
        "orthogonality": (n2(z) <= n2(d), (Eq(ip(d - z, z), 0), JENSEN.at({x: z, y: d})), "quad"),
        "a divisor": (b**2 > 0, (b / b >= 1,), "real"),
        "a hypothesis on vectors": (n2(x) <= 4, (n2(x) <= 1, CLOSE.at()), "quad"),
    }  # fmt: skip
    UNMET: dict[str, Row] = {
        "a step that pays for itself": (a >= 1, (IDLE.at(),), "real"),
        "two that pay for each other": (
            a >= 1,
            (Step(a >= 1, (b >= 1,), "one").at(), Step(b >= 1, (a >= 1,), "two").at()),
            "real",
        ),
        "a later one pays for an earlier": (a**4 >= a**2, (SQUARE.at({a: a**2}), SQUARE.at()), "real"),
        "a hypothesis forgotten": (b**2 >= b, (b >= 0, SQUARE.at({a: b})), "real"),
        "a named part for anything": (b >= 0, (NAMED.at({s: b}),), "real"),
        "a named part's letter": (s >= 0, (NAMED.at(),), "real"),
        "a name without its meaning": (
            b * L <= 5, (L >= 0, a >= 0, b <= 1, L <= 5, ROOT.at({sqrt(1 + a): b})), "real"
        ),
        "an index captured by hypotheses": (
            total(X(t), t, 0, n) <= n + 1, (n >= 0, X(t) <= 1, BOUNDED.at(over=(t, 0, n))), "sum"
        ),
        "an index with hypotheses of its own": (
            total(X(t), t, 0, n) <= n + 1, (n >= 0, Eq(t, 0), X(0) <= 1, BOUNDED.at(over=(t, 0, n))), "sum"
        ),
        "a range one short": (
            total(X(t), t, 0, n) <= n + 1,
            (n >= 1, every(X(t) <= 1, t, ZERO, n - 1), BOUNDED.at(over=(t, 0, n))),
            "sum",
        ),
        "a sequence of any sign": (X(t) >= 0, (TERM.at({D(t): X(t)}),), "sum"),
        "a number of any sign": (b + 1 >= 1, (ANY.at({positive: b}),), "real"),
        "a part kept, a part renamed": (n2(z) <= 2 * n2(x) + 2 * n2(y), (APART.at({x - y: z}),), "quad"),
        "differences that depend on each other": (
            n2(x) + n2(y) >= n2(z) / 2, (TRIPLE.at({x - y: x, y - z: y, x - z: z}),), "quad"
        ),
        "one name for two parts": (b <= 4 * a, (YOUNG.at({n2(x + y): b, n2(x): a, n2(y): a}),), "real"),
        "a named part by another name": (a**2 >= 0 * b, (NAMED.at({s: b}),), "real"),
        "induction from below its start": (b * (b - 1) >= 0, (b >= -1, EVEN.at({whole: b})), "real"),
        "induction between whole numbers": (
            Eq(b, 0), (Eq(b, b / 2), EVEN.at({whole: sp.Rational(1, 2)})), "real"
        ),
        "a recursion's state for anything": (b >= 1, (n >= 0, COUNT.at({s: b / 2})), "real"),
        "a reason that is about numbers is no licence": (
            b >= 0, (Step(a >= 0, assume("meaning: a norm", a >= 0), "r").at({a: b}),), "real"
        ),
        "a square that may be negative": (n2(x) <= b * n2(y), (NORM.at({c**2: b}), n2(x) <= n2(y)), "quad"),
        "orthogonal to something else": (
            n2(z) <= n2(d), (Eq(ip(d - z, d), 0), JENSEN.at({x: z, y: d})), "quad"
        ),
        "a divisor that is not 0 is not paid by 1 >= 1": (b**2 > 0, (sp.Ge(1, 1), DIVIDED.at()), "real"),
    }  # fmt: skip
    #: what used steps assume and the step does not list; and how that reads
    CARRIED: dict[str, tuple[Any, str]] = {
        "names for parts that nobody gives": (
            (b <= 2 * a + 2 * c, (YOUNG.at({n2(x + y): b, n2(x): a, n2(y): c}),), "real"),
            "rests on: a = n2(x)",
        ),
        "a square that is any number": (
            (n2(x) <= n2(z) * n2(y), (n2(x) <= n2(z) * n2(y), NORM.at({c**2: n2(z)})), "quad"),
            "rests on",
        ),
        "a reason is no licence": (
            (a >= 1, (Step(a >= 1, assume("line 1", a >= 1), "r").at(),), "real"),
            "rests on: 1 <= a",
        ),
        "a hypothesis on vectors that takes a search": (
            (n2(x) <= 4, (n2(x) + n2(y) <= 1, CLOSE.at()), "quad"),
            "rests on: n2(x) <= 1",
        ),
        "a range that is shifted, which takes a search": (
            (
                total(X(t), t, 1, n + 1) <= n + 1,
                (
                    n >= 0,
                    every(X(t) <= 1, t, sp.Integer(1), n + 1),
                    BOUNDED.at({X(t): X(t + 1)}, over=(t, 0, n)),
                ),
                "sum",
            ),
            "rests on: X(t' + 1) <= 1",
        ),
    }
    OPEN: dict[str, tuple[Any, str]] = {
        "a part called b, which is nothing": (Step(*CALLED), "a hypothesis of root"),
        "a part called b, which is another": (
            Step(*CALLED, lets=(Let(b, sqrt(2 + a)),)), "a hypothesis of root"
        ),
        "an index of a use below 0, whatever else the letter means": (
            (X(1) <= X(1), (n >= 1, t >= 0, ROOTED.at(over=(t, -1, n))), "sum"), "a hypothesis of rooted"
        ),
        "for every index, one short": (
            (total(X(t), t, 0, k) <= k + 1,
             (k >= 1, every(X(t) <= 1, t, ZERO, k - 1), SUMMED.at({n: k})), "sum"),
            "not granted",
        ),
        "X(j) <= 1 for j = 0..t and one t is not that for every t up to n": (
            (total(X(t), t, 0, n) <= n + 1,
             (n >= 0, t >= 0, t <= n, every(X(k) <= 1, k, ZERO, t), UP_TO.at(over=(t, 0, n))), "sum"),
            "not granted",
        ),
    }  # fmt: skip


def test_an_index_cannot_be_captured() -> None:
    """A value that speaks of an index may not be put under that index's sum."""
    with printed():
        step = Step(
            total(t * X(t), t, 0, n) <= t * total(X(t), t, 0, n), (n >= 0, LINEAR.at({c: t})), rule="sum"
        )

    with pytest.raises(InputError, match="bound there"):
        decide(step)


def test_a_sequence_is_replaced_as_a_whole() -> None:
    """One term of a sequence cannot be exchanged while another stays."""
    with printed():
        shift = Step(X(1) - X(0) <= 1, (X(1) - X(0) <= 1,), "shift", rule="sum")

    with pytest.raises(InputError, match="a plain index"):
        shift.at({X(1): Y(0)})


def test_replacing_under_a_sum_leaves_its_index_alone() -> None:
    """An index that is bound has no value to be replaced."""
    with printed():
        used_at = LINEAR.at({t: 5, n: k}).relation

    assert isinstance(used_at, sp.Le)
    assert used_at.free_symbols == {c, k}
    assert {(s.limits[0][0], s.limits[0][2]) for s in used_at.atoms(sp.Sum)} == {(t, k)}


def test_two_steps_of_one_id_are_told_apart() -> None:
    """A refuted step cannot pass for a proved one of the same id."""
    one, two = Step(a >= 0, (a >= 0,), "same"), Step(b >= 0, (b >= 1,), "same")

    with pytest.raises(InputError, match="two different steps"):
        list(used(Step(a + b >= 0, (one.at(), two.at()), "user")))
    assert [s.id for s in used(Step(a >= 0, (one.at(), one.at()), "user"))] == ["same"]


def test_steps_are_used_directly_or_not() -> None:
    """Each once, the nearest first."""
    base = Step(a >= 0, assume("unstated: a >= 0", a >= 0), "base")
    middle = Step(2 * a >= 0, (base.at(),), "middle")
    last = Step(4 * a >= 0, (middle.at(), Given(b >= 0, "line 3")), "last")

    assert [s.id for s in used(last)] == ["middle", "base"]


def test_only_what_a_use_lacks_is_asked() -> None:
    """A hypothesis on the index of a use is had on its whole range; one on vectors is a step of its own."""
    with printed():
        good = Step(X(1) <= X(1), (n >= 1, ROOTED.at(over=(t, 1, n))), rule="sum")
        near = Step(n2(x) <= 4, (n2(x) + n2(y) <= 2, CLOSE.at()), rule="quad")

    assert "a hypothesis of rooted" not in by_rule(good)
    assert len(obligations(near).steps) == 1


@pytest.mark.parametrize("statement", ["fedproxvr.lemma3", "fedproxvr.theorem1.sharpened"])
def test_a_proof_ends_in_what_the_statement_says(statement: str) -> None:
    """The last step must claim the statement's bound, the right way round and with its constant."""
    asked = catalog.statement(statement)
    last = next(s for s in catalog.steps(asked.paper) if s.id in asked.proof and concludes(s, asked))
    low, high = last.claim.args

    with printed():
        turned, larger = replace(last, claim=low >= high), replace(last, claim=low <= 2 * high)
    assert not concludes(turned, asked)
    assert not concludes(larger, asked)
