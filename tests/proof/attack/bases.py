"""Steps that compositions are made of, each true with its hypotheses, and what papers grant to some."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.forall import ForAll
from fedproof.proof.formula import formula
from fedproof.proof.lemmas import mean
from fedproof.proof.sequences import sequence, total
from fedproof.proof.standing import Standing, meanings_of
from fedproof.proof.step import Given, Induction, Let, Step
from fedproof.proof.vectors import ip, n2, vectors

NUMBERS = sp.symbols("x y z a b c", real=True)
x, y, z, a, b, c = NUMBERS
COUNTS = n, k, T = sp.symbols("n k T", real=True)
t = sp.Symbol("t", real=True)
positive, whole = sp.Symbol("p", positive=True), sp.Symbol("N", integer=True)
VECTORS = u, v, w, g, m = vectors("u v w g m")
F, G, H = (sequence(name) for name in "FGH")
D = sequence("D", nonnegative=True)
ONE, ZERO = sp.Integer(1), sp.Integer(0)


def _eq(left: Any, right: Any) -> Any:
    return sp.Eq(left, right, evaluate=False)


def given_as(*relations: Any, why: str = "") -> tuple[Given, ...]:
    return tuple(Given(r, why) for r in relations)


with printed():
    REAL = (
        Step(x * y <= (x**2 + y**2) / 2, (), "product"),
        Step(x**2 >= x, (x >= 1,), "above_one"),
        Step(x * z <= y * z, (x <= y, z >= 0), "scaled"),
        Step(x + z <= y + c, (x <= y, *given_as(z <= c, why="definition: c")), "added"),
        Step(x / y <= z, (x <= z * y, y > 0), "divided"),
        Step(y >= 0, given_as(_eq(y, x**2), why="definition: y"), "defined"),
        Step(y <= -1, given_as(y <= -1, why="definition: y"), "assumed"),
        Step(abs(x) <= c, (-c <= x, x <= c), "size"),
        Step(a * x >= 0, (x >= 0,), "part", lets=(Let(a, b**2, (a >= 0,)),)),
        Step(positive * x <= positive * y, (x <= y,), "positive"),
        Step(whole**2 >= whole, (), "whole"),
        Step(
            y >= 1, (x >= 1,), "counted", rule="induction",
            induction=Induction(n, ZERO, ((y, ONE, y + x),)),
        ),
        Step(a <= 0, (_eq(a, -positive),), "turned"),
        Step(2 * x - 1 <= x**2, (), "tangent"),
        Step(x * y <= (x**2 + y**2) / 2, (), "product"),
    )  # fmt: skip
    QUAD = (
        Step(ip(u, v) <= n2(u) / 2 + n2(v) / 2, (), "inner", rule="quad"),
        Step(n2(u + v) <= 2 * n2(u) + 2 * n2(v), (), "young", rule="quad"),
        Step(n2(m) <= n2(u), mean(u, m), "jensen", rule="quad"),
        Step(n2(u) <= 4 * a, (n2(u) <= a, a >= 0), "close", rule="quad"),
        Step(n2(w) <= 2 * n2(u) + 2 * a**2 * n2(g), (_eq(w, u - a * g),), "moved", rule="quad"),
        Step(
            _eq(n2(u - m), n2(u - v) + n2(v - m)),
            given_as(_eq(ip(u - v, v), 0), _eq(ip(u - v, m), 0), why="meaning: v is the mean of u"),
            "variance", rule="quad",
        ),
        Step(n2(u) <= 2 * b, (n2(u - v) <= 0, n2(v) <= b), "near", rule="quad"),
        *REAL[:5],
    )  # fmt: skip
    SUM = (
        Step(
            total(F(t), t, 1, n) <= n * c, (n >= 0, ForAll(F(t) <= c, t, ONE, n)), "bounded", rule="sum"
        ),
        Step(
            F(n) + total(G(t), t, 1, n) <= F(0),
            (n >= 0, ForAll(F(t) + G(t) <= F(t - 1), t, ONE, n)),
            "telescoping", rule="sum",
        ),
        Step(F(t) <= a, given_as(F(t) <= a, why="definition: F"), "term", rule="sum"),
        Step(_eq(total(c * F(t), t, 0, n), c * total(F(t), t, 0, n)), (n >= 0,), "linear", rule="sum"),
        Step(D(T) <= total(D(t), t, 1, T), (T > 0,), "one_of_them", rule="sum"),
        Step(F(t) + G(t) <= F(t) + b, (G(t) <= b,), "terms", rule="sum"),
        Step(D(t) >= 0, (), "sign", rule="sum"),
        *REAL[:5],
    )  # fmt: skip

#: functions of a paper in the place of a real one, and what it grants for all points
FIELD = Standing(
    functions={"f": "real(vector)", "df": "vector(vector)"},
    points=frozenset({"u", "w"}),
    formulas=tuple(
        (id, ("every", "x", "vector", ("every", "y", "vector", formula(said))))
        for id, said in (
            ("convex", "f(x) + ip(df(x), y - x) <= f(y)"),
            ("smooth", "n2(df(x) - df(y)) <= L**2*n2(x - y)"),
        )
    ),
    means=meanings_of(
        {"f0": "f(u)", "f1": "f(w)", "d0": "df(u)", "d1": "df(w)"},
        {"f": "real(vector)", "df": "vector(vector)"},
        frozenset({"u", "w"}),
    ),
)
f0, f1, f0_, L = sp.symbols("f0 f1 f0_ L", real=True)
d0, d1, d0_ = vectors("d0 d1 d0_")
with printed():
    CONVEX = (
        Step(
            ip(d0 - d1, u - w) >= 0, (f0 + ip(d0, w - u) <= f1, f1 + ip(d1, u - w) <= f0),
            "monotone", rule="quad",
        ),
        Step(
            n2(d0 - d1) <= a, given_as(n2(d0 - d1) <= L**2 * n2(u - w), L**2 * n2(u - w) <= a, why="smooth"),
            "slow", rule="quad",
        ),
        Step(
            f0 - f1 <= ip(d0, u - w), given_as(f0 + ip(d0, w - u) <= f1, why="convex"), "below", rule="quad"
        ),
        Step(
            f0 - f1 <= n2(d0) / 2 + n2(u - w) / 2, (f0 + ip(d0, w - u) <= f1,), "gap", rule="quad"
        ),
    )  # fmt: skip


def model(random: Random, field: bool = False) -> dict[str, Any]:
    """Values of all names."""
    number = lambda: Fraction(random.randint(-6, 6), random.choice((1, 1, 1, 2)))  # noqa: E731
    at: dict[str, Any] = {s.name: number() for s in (*NUMBERS, positive, t, f0_)}
    at |= {"p": abs(at["p"]) + random.choice((Fraction(1, 3), 1)), "N": Fraction(random.randint(-2, 4))}
    at |= {s.name: Fraction(random.randint(0, 4)) for s in COUNTS}
    if random.random() < 0.15:
        at |= {s.name: Fraction(random.randint(0, 8), 2) for s in COUNTS}
    at |= {s.name: (number(), number()) for s in (*VECTORS, d0_)}
    if random.random() < 0.3:
        at["m"] = random.choice((at["u"], (Fraction(0), Fraction(0)), tuple(q / 2 for q in at["u"])))
    for name in "FGHD":
        at[name] = _polynomial(random, name == "D")
    if field:
        bend, slope = Fraction(random.randint(0, 4), 2), (number(), number())
        here = lambda p: tuple(bend * q + s for q, s in zip(p, slope, strict=True))  # noqa: E731
        high = lambda p: sum((bend * q**2 / 2 + s * q for q, s in zip(p, slope, strict=True)), Fraction(1))  # noqa: E731
        at |= {"f0": high(at["u"]), "f1": high(at["w"]), "d0": here(at["u"]), "d1": here(at["w"])}
        at["L"] = bend + random.choice((0, 0, 1))
    else:
        at |= {"f0": number(), "f1": number(), "L": number()}
        at |= {"d0": (number(), number()), "d1": (number(), number())}
    return at


def _polynomial(random: Random, nonnegative: bool) -> Callable[[int], Fraction]:
    low, mid, top = (random.randint(-3, 3) for _ in range(3))
    if nonnegative:
        return lambda i: Fraction((low * i + mid) ** 2)
    return lambda i: Fraction(low + mid * i + top * i * i, 2)
