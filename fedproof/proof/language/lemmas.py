"""What is true of any sum of vectors, of any recursion and of any limit: proved once, used by name."""

from __future__ import annotations

from typing import Any

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.forall import ForAll
from fedproof.proof.language.everywhere import ForEvery
from fedproof.proof.language.functions import Field
from fedproof.proof.notation import Eq
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Applied, Step
from fedproof.proof.vectors import ip, n2, norm, vectors

p, q, r, a = sp.symbols("p q r a", real=True)
i, j, k, n = (sp.Symbol(name, integer=True) for name in ("i", "j", "k", "n"))
u, v = vectors("u v")
e = Field("e")
F = sequence("F")

with printed():
    #: for the mean over the whole range: |sum|^2 <= n sum of squares
    SUM_OF_VECTORS = Step(
        n2(total(e(i), i, 1, n)) <= n * total(n2(e(i)), i, 1, n), (n >= 1,), "rule.sum_of_vectors"
    )
    SQUARES = Step(total(n2(e(i)), i, 1, n) >= 0, (n >= 0,), "rule.squares")
    #: the square of a sum, each with all before it
    SQUARE_OF_SUM = Step(
        Eq(
            n2(total(e(i), i, 1, n)),
            total(n2(e(i)), i, 1, n) + 2 * total(ip(total(e(j), j, 1, i - 1), e(i)), i, 1, n),
        ),
        (n >= 0,),
        "rule.square_of_sum",
    )
    SCALED = Step(Eq(norm(u), r * norm(v)), (r >= 0, Eq(n2(u), r**2 * n2(v))), "rule.scaled", rule="quad")
    LIMIT = Step(p <= 0, (ForEvery(p <= q / (1 + a**2), (a,), "for weights in (0, 1]").at(a),), "rule.limit")
    POWER = Step(r**n >= 0, (n >= 0, r >= 0), "rule.power")
    RECURSION = Step(
        F(n) <= r**n * F(0) + p * (1 - r**n) / (1 - r),
        (n >= 0, r >= 0, r < 1, ForAll(F(k + 1) <= r * F(k) + p, k, sp.Integer(0), n - 1)),
        "rule.recursion",
    )

#: those whose proof no search finds
LEMMAS = (SUM_OF_VECTORS, SQUARES, SQUARE_OF_SUM, LIMIT, POWER, RECURSION)


def jensen(term: Any, index: Any, count: Any, weight: Any = None) -> Applied:
    """|sum of vectors|^2 <= number * sum of squares, of the term at an index that runs from 1 to a count."""
    return SUM_OF_VECTORS.at({e(i): term.xreplace({index: i}), n: count}, weight=weight)


def squares(term: Any, index: Any, count: Any, weight: Any = None) -> Applied:
    """A sum of squared norms is not negative."""
    return SQUARES.at({e(i): term.xreplace({index: i}), n: count}, weight=weight)


def square_of_sum(term: Any, index: Any, count: Any, weight: Any = None) -> Applied:
    """The square of a sum as the squares, and twice the product of each with the sum of those before it."""
    return SQUARE_OF_SUM.at({e(i): term.xreplace({index: i}), n: count}, weight=weight)


def scaled(multiple: Any, factor: Any, vector: Any, weight: Any = None) -> Applied:
    """The norm of what is a multiple of a vector by what is not negative."""
    return SCALED.at({u: multiple, r: factor, v: vector}, weight=weight)


def limit(small: Any, rest: Any, weight: Any = None) -> Applied:
    """small <= 0, where small <= s * rest for all weights s = 1/(1 + a^2) in (0, 1], said for every a."""
    return LIMIT.at({p: small, q: rest}, weight=weight)


def power(base: Any, exponent: Any, weight: Any = None) -> Applied:
    """A whole power of what is not negative is not negative."""
    return POWER.at({r: base, n: exponent}, weight=weight)


def recursion(term: Any, index: Any, count: Any, factor: Any, noise: Any, weight: Any = None) -> Applied:
    """F(K) <= r^K F(0) + P (1 - r^K)/(1 - r) from F(k + 1) <= r F(k) + P for k = 0..K - 1."""
    values = {F(k): term.xreplace({index: k}), n: count, r: factor, p: noise}
    return RECURSION.at(values, weight=weight)
