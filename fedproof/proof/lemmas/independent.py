"""Independence: centred independent vectors are orthogonal, so their squares add up."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from fedproof.algebra.expressions import printed
from fedproof.proof.lemmas.rule_writer import rule, x, y, z
from fedproof.proof.notation import Eq
from fedproof.proof.step import Applied, Given, assume
from fedproof.proof.vectors import ip, n2

with printed():
    TWO = rule("independent", Eq(n2(x + y), n2(x) + n2(y)), Eq(ip(x, y), 0))
    THREE = rule(
        "independent.three",
        Eq(n2(x + y + z), n2(x) + n2(y) + n2(z)),
        *(Eq(ip(u, v), 0) for u, v in combinations((x, y, z), 2)),
    )
    FALSE = (
        rule("independent.assumed", n2(x + y) <= n2(x) + n2(y)),
        rule("independent.once", Eq(n2(x + y + z), n2(x) + n2(y) + n2(z)), Eq(ip(x, y), 0), Eq(ip(y, z), 0)),
        rule("independent.passed_on", Eq(ip(x, z), 0), Eq(ip(x, y), 0), Eq(ip(y, z), 0)),
        rule("independent.mean", Eq(n2((x + y) / 2), (n2(x) + n2(y)) / 2), Eq(ip(x, y), 0)),
    )

PROOF = (TWO, THREE)


def independent(*vectors: Any, means: tuple[Any, ...] = (), why: str = "") -> tuple[Given, ...]:
    """What is meant by: these vectors are independent of each other.

    Arguments:
        vectors: two or more; without `means` they are centred.
        means: their means, in that order.
        why: the reason, in the words of the text, such as how samples are drawn.

    Returns: for every two of them that, centred, they are orthogonal.

    >>> from fedproof.proof.vectors import vectors
    >>> u, v, m = vectors("u v m")
    >>> [h.relation for h in independent(u, v, means=(m, m))]
    [Eq(ip(-m + u, -m + v), 0)]
    """
    with printed():
        centred = [v - e for v, e in zip(vectors, means, strict=True)] if means else list(vectors)
        relations = [Eq(ip(one, other), 0) for one, other in combinations(centred, 2)]
    listed = " and ".join(map(str, vectors))
    return assume(why or f"meaning: {listed} are independent" + ("" if means else " and centred"), *relations)


def squares_add(*vectors: Any, multiplier: Any = None) -> Applied:
    """E|x + y|^2 = E|x|^2 + E|y|^2, of two or three, as a hypothesis; that they are orthogonal is owed."""
    step, names = (TWO, (x, y)) if len(vectors) == 2 else (THREE, (x, y, z))
    return step.at(dict(zip(names, vectors, strict=True)), weight=multiplier)
