"""Steps that were once judged wrongly, each beside its nearest true twin.

A false one is never proved; a true one is, with a certificate that the standalone script confirms. An
InputError is right only where the input cannot be meant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp
from sympy import Eq, Ne

import fedproof as fp
from fedproof.algebra.expressions import printed
from fedproof.proof.lemmas import mean
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Induction, Let, Step, assume
from fedproof.proof.vectors import n2, vectors
from fedproof.vocabulary.errors import InputError
from tests.proof.attack.confirm import confirmed

x, y, a, b, c, n, z, T, t, q, s = sp.symbols("x y a b c n z T t q s", real=True)
below, above = sp.Symbol("x", negative=True), sp.Symbol("x", positive=True)
u, m, v, w, p = vectors("u m v w p")
F = sequence("F", nonnegative=True)
ZERO, ONE = sp.Integer(0), sp.Integer(1)


def step(claim: Any, *given: Any, **more: Any) -> Step:
    """A step of a notebook."""
    return Step(claim, given, **more)


def jensen(of: Any, is_: Any, *own: Any, claim: Any) -> Step:
    """|m|^2 <= |u|^2 for the mean m of u, used where u and m stand for something else."""
    lemma = step(n2(m) <= n2(u), *mean(u, m), rule="quad", id="J")
    return step(claim, *own, lemma.at({u: of, m: is_}), rule="quad")


def below_one(*own: Any) -> Step:
    """y <= -1 for a y that is defined so elsewhere."""
    return step(y <= -1, *own, step(y <= -1, *assume("definition: y", y <= -1), id="P").at())


def together(*own: Any, claim: Any = y + z <= 0) -> Step:
    """Two steps, each with what it calls a definition."""
    one = step(y <= 0, *assume("definition: one", x >= 2, x * y <= 0), id="P1")
    two = step(z <= 0, *assume("definition: two", x <= -2, x * z >= 0), id="P2")
    return step(claim, *own, one.at(), two.at())


def cases(*narrowed: Any, listed: Any = None) -> Step:
    """x^2 >= x by two cases."""
    one, two = step(x**2 >= x, x >= 1, id="c1"), step(x**2 >= x, x < 1, *narrowed, id="c2")
    own = [] if listed is None else [listed]
    return step(x**2 >= x, *own, one.at(), two.at(), rule="cases")


def counted(number: Any, *own: Any) -> Step:
    """x >= 1 as there are x terms in a sum."""
    terms = step(F(T) <= total(F(t), t, 1, T), T > 0, rule="sum", id="Z")
    return step(number >= 1, terms.at({F(t): ONE, T: number}), number > 0, *own, rule="sum")


def turned(*own: Any) -> Step:
    """a <= 0 as a is minus a positive number."""
    return step(a <= 0, step(a <= 0, Eq(a, -above), id="U").at(), Eq(a, -sp.Symbol("x", real=True)), *own)


def named(value: Any, *own: Any) -> Step:
    """|v|^2 <= 2 b for a part of which hypotheses speak besides."""
    part = step(n2(u) <= 2 * b, n2(u - p) <= 0, n2(p) <= b, rule="quad", id="Y")
    return step(value <= 2 * b, part.at({n2(u): value}), *own, rule="quad")


def recursion(value: Any, *more: Any) -> Step:
    """s >= 0 for s <- q s, where q names a part."""
    how = Induction(n, ZERO, ((s, ONE, q * s),))
    return step(s >= 0, *more, rule="induction", induction=how, lets=(Let(q, value, (q >= 0,)),))


FALSE: dict[str, Callable[[], Step]] = {
    "|2w|^2 <= |w|^2": lambda: jensen(w, 2 * w, claim=n2(2 * w) <= n2(w)),
    "y <= -1 for every y": below_one,
    "y + z <= 0, from x >= 2 and x <= -2": together,
    "x^2 >= x by cases, one of them narrowed by a reason": lambda: cases(*assume("definition: x", x <= 0)),
    "x > 0 implies x >= 1, by a sum of x terms": lambda: counted(x),
    "a = -x implies a <= 0": turned,
    "any |v|^2 <= 2b, in the place of |u|^2": lambda: named(n2(v), n2(u - p) <= 0, n2(p) <= b),
    "any |v|^2 <= 2b, of which nothing is said": lambda: named(n2(v)),
    "any number <= 2b, in the place of |u|^2": lambda: named(c, n2(u - p) <= 0, n2(p) <= b),
    "x = 1.0000000000000000000001 implies x <= 1": lambda: step(
        x <= 1, Eq(x, sp.Float("1.0000000000000000000001", 40))
    ),
    "1e-400 x <= 0 for x > 0": lambda: step(sp.Float("1e-400") * x <= 0, x > 0),
    "different polynomials": lambda: step(Ne((x + y) ** 2, x**2 + 2 * x * y + y**2)),
    "s >= 0 where the factor may be negative": lambda: recursion(a**3),
    "a > 0, of a vector that is v/a": lambda: step(a > 0, Eq(u, v / a), rule="quad"),
    "x^2 > 0 of any number": lambda: step(x**2 > 0),
    "an equation between different polynomials": lambda: step(Eq((x + y) ** 2, x**2 + y**2)),
    "a square that is below 0": lambda: step(z**2 < 0),
}  # fmt: skip

TRUE: dict[str, Callable[[], Step]] = {
    "|w|^2 <= |2w|^2, which has mean w": lambda: jensen(
        2 * w, w, *mean(2 * w, w), claim=n2(w) <= n2(2 * w)
    ),
    "|w|^2 <= |v|^2, which has mean w": lambda: jensen(v, w, *mean(v, w), claim=n2(w) <= n2(v)),
    "y <= -1 for y <= -2": lambda: below_one(y <= -2),
    "y <= -1 for a y that is listed so": lambda: below_one(*assume("definition: y", y <= -1)),
    "y <= 0, from x >= 2": lambda: step(
        y <= 1, step(y <= 0, *assume("one", x >= 2, x * y <= 0), id="P1").at(), x >= 3, x * y <= -1
    ),
    "y + z <= 0, from two numbers": lambda: step(
        y + z <= 0,
        step(y <= 0, *assume("one", x >= 2, x * y <= 0), id="P1").at(),
        step(z <= 0, *assume("two", x <= -2, x * z >= 0), id="P2").at({x: c}),
        x >= 2, x * y <= 0, c <= -2, c * z >= 0,
    ),
    "x^2 >= x by cases, one of them narrowed as the step says": lambda: cases(
        *assume("definition: x", x <= 0), listed=x <= 0
    ),
    "|x| >= x by cases": lambda: step(
        abs(x) >= x, step(abs(x) >= x, x >= 0, id="up").at(), step(abs(x) >= x, x < 0, id="down").at(),
        rule="cases",
    ),
    "x >= 1 for a whole number, by a sum of x terms": lambda: counted(sp.Symbol("x", integer=True)),
    "a = -x implies a <= 0 for x > 0": lambda: turned(sp.Symbol("x", real=True) > 0),
    "|v|^2 <= 2b for the v that is u": lambda: named(n2(v), Eq(v, u), n2(u - p) <= 0, n2(p) <= b),
    "c <= 2b for the c that is |u|^2": lambda: named(c, Eq(c, n2(u)), n2(u - p) <= 0, n2(p) <= b),
    "x = 1.0000000000000000000001 implies x > 1": lambda: step(
        x > 1, Eq(x, sp.Float("1.0000000000000000000001", 40))
    ),
    "1e-400 x > 0 for x > 0": lambda: step(sp.Float("1e-400") * x > 0, x > 0),
    "an equation": lambda: step(Eq((x + y) ** 2, x**2 + 2 * x * y + y**2)),
    "x^2 > 0 where x is not 0": lambda: step(x**2 > 0, Ne(x, 0)),
    "a polynomial that is another nowhere": lambda: step(Ne((x + y) ** 2, x**2 + 2 * x * y + y**2 + 1)),
    "a named part in a recursion": lambda: recursion(a**2),
    "a^2 > 0, of a vector that is v/a": lambda: step(a**2 > 0, Eq(u, v / a), rule="quad"),
    "a square of a real number": lambda: step(z**2 >= 0),
}  # fmt: skip

REFUSED: dict[str, Callable[[], Step]] = {
    "a Python == as claim": lambda: step((x + y) ** 2 == x**2 + 2 * x * y + y**2),
    "a Python != as claim": lambda: step((x + y) ** 2 != x**2 + 2 * x * y + y**2),
    "a Python != as hypothesis": lambda: step(x**2 > 0, x != 0),
    "a square of a complex number": lambda: step(sp.Symbol("z", complex=True) ** 2 >= 0),
    "an index captured": lambda: step(
        total(t * F(t), t, 0, n) <= t * total(F(t), t, 0, n),
        step(total(c * F(t), t, 0, n) <= c * total(F(t), t, 0, n), n >= 0, rule="sum", id="C").at({c: t}),
        n >= 0, rule="sum",
    ),
}  # fmt: skip


@pytest.mark.parametrize("make", FALSE.values(), ids=FALSE.keys())
def test_what_is_false_is_never_proved(make: Callable[[], Step]) -> None:
    """It is refuted or open, and is not refused, for it can be written."""
    with printed():
        made = make()

    assert fp.decide(made).verdict in ("open", "refuted")


@pytest.mark.parametrize("make", TRUE.values(), ids=TRUE.keys())
def test_its_true_twin_is_proved(make: Callable[[], Step]) -> None:
    """With a certificate that a stranger's program confirms, down to the steps that it uses."""
    with printed():
        decision = fp.decide(make())

    assert decision.verdict == "proved", decision.detail
    assert confirmed(decision.step)


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_meant_is_refused(make: Callable[[], Step]) -> None:
    """It is told what to write."""
    with pytest.raises(InputError), printed():
        fp.decide(make())
