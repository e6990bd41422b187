"""Induction over a recursion: Bernoulli and its kind are proved, falsehoods near them are refuted."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy import Rational, sqrt

from fedproof.algebra.expressions import printed
from fedproof.proof.sequences import sequence
from fedproof.proof.step import Induction, Step
from fedproof.proof.vectors import n2, vectors
from tests.proof.logic import Eq, every, numbers

n, x, p, q, e, s, c, r, m = numbers("n x p q e s c r m")
first = sp.Symbol("first", integer=True)
Row = tuple[Any, tuple[Any, ...], Induction]

POWER = Induction(n, 0, ((p, 1, p * (1 + x)),))
TRIANGLE = Induction(n, 0, ((s, 0, s + n + 1),))
HALVING = Induction(n, 0, ((e, c, e / 2),))
MIXING = Induction(n, 0, ((e, c, (1 - r) * e + r * q),))
FACTORIAL = Induction(n, 1, ((p, 1, p * (n + 1)),))
HERON = Induction(n, 0, ((e, 2, (e + 2 / e) / 2),))

with printed():
    TRUE: dict[str, Row] = {
        "Bernoulli": (p >= 1 + n * x, (x >= -1,), POWER),
        "the triangle numbers": (Eq(s, n * (n + 1) / 2), (), TRIANGLE),
        "halving keeps the sign": (e >= 0, (c >= 0,), HALVING),
        "a convex combination stays below": (e <= c, (c >= q, r >= 0, r <= 1), MIXING),
        "factorials outgrow their index": (p >= n, (), FACTORIAL),
        "Heron stays above the root": (e >= sqrt(2), (), HERON),
        "no state at all": (n**2 >= n, (), Induction(n, 0, ())),
        "from a start of one's own": (n**2 >= first * n, (first >= 0,), Induction(n, first, ())),
        "contraction": (e <= c / (n + 1), (c >= 0,), Induction(n, 0, ((e, c, e * (n + 1) / (n + 2)),))),
    }
    FALSE: dict[str, Row] = {
        "Bernoulli without its condition": (p >= 1 + n * x, (x <= 1,), POWER),
        "Bernoulli, 2 n x": (p >= 1 + 2 * n * x, (x >= -1,), POWER),
        "the triangle numbers, off": (Eq(s, n * (n - 1) / 2), (), TRIANGLE),
        "halving is no quartering": (e <= c / (n + 1) ** 2, (c >= 0,), HALVING),
        "a combination that is not convex": (e <= c, (c >= q, r >= 0), MIXING),
        "a wrong start": (p >= 2, (x >= 0,), POWER),
        "true at the start only": (n <= 0, (), Induction(n, 0, ())),
        "true for three, then not": (n <= 2, (), Induction(n, 0, ())),
        "Heron at the root": (Eq(e**2, 2), (), HERON),
    }
    OPEN: dict[str, tuple[Any, str]] = {
        "without a recursion": (Step(x >= 0, rule="induction"), "Induction(n, start, state)"),
        "a hypothesis on what moves": ((p >= 0, (p >= 0,), POWER), "part of the claim"),
        "a hypothesis on the index": ((n <= 1, (n <= 1,), Induction(n, 0, ())), "part of the claim"),
        "a start that moves": ((p >= 0, (), Induction(n, 0, ((p, p, p),))), "does not change"),
        "a start at itself": ((n >= 0, (), Induction(n, n, ())), "does not change"),
        "a recursion without a value": (
            (Eq(e * 0, 0), (), Induction(n, 0, ((e, 1, 1 / (e - 1)),))), "the recursion has a value",
        ),
        "a start without a value": (
            (e >= 0, (), Induction(n, 0, ((e, 1 / c, e),))), "the recursion has a value",
        ),
        "a hypothesis on a sequence": (
            (p >= 0, (every(sequence("X")(m) <= 1, m, 0, 3), x >= 0), POWER), "sequences",
        ),
        "vectors": ((p >= 0, (n2(vectors("v")) <= x,), POWER), "vectors"),
    }  # fmt: skip
    #: true of 0..4, false of 5
    UNMET = {
        "small numbers alone": (
            n * (n - 1) * (n - 2) * (n - 3) * (n - 4) <= Rational(0),
            (),
            Induction(n, 0, ()),
        ),
    }
