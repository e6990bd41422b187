"""The tower rule: the mean of a conditional mean is the mean."""

from __future__ import annotations

from typing import Any

from fedproof.algebra.expressions import printed
from fedproof.proof.lemmas.jensen import mean
from fedproof.proof.lemmas.rule_writer import c, m, rule, x, y, z
from fedproof.proof.notation import Eq
from fedproof.proof.step import Applied, Given
from fedproof.proof.vectors import ip, n2

with printed():
    INNER = (Eq(ip(x - y, y), 0), Eq(ip(x - y, m), 0), Eq(ip(x - y, c), 0))
    OUTER = (Eq(ip(y - m, m), 0), Eq(ip(y - m, c), 0))
    PRODUCT = rule("tower", Eq(ip(x, c), ip(m, c)), INNER[2], OUTER[1])
    VARIANCE = rule("tower.variance", Eq(n2(x - m), n2(x - y) + n2(y - m)), INNER[0], INNER[1])
    FALSE = (
        rule("tower.varying", Eq(ip(x, z), ip(m, z)), *INNER, *OUTER),
        rule("tower.inner", Eq(ip(x, y), ip(m, y)), *INNER, *OUTER),
        rule("tower.skipped", Eq(ip(x, c), ip(m, c)), INNER[2]),
        rule("tower.variance.turned", n2(x - m) <= n2(y - m), *INNER, *OUTER),
    )

PROOF = (PRODUCT, VARIANCE)


def tower(
    of: Any, inner: Any, outer: Any, early: tuple[Any, ...] = (), late: tuple[Any, ...] = (), why: str = ""
) -> tuple[Given, ...]:
    """What is meant by: `inner` is the mean of `of` given what is known late, `outer` given less.

    Arguments:
        of: a random vector.
        inner: its mean given everything in `early` and `late`.
        outer: its mean given what is in `early` alone.
        early, late: combinations of vectors; what is known early is known late.
        why: the reason, in the words of the text.

    >>> from fedproof.proof.vectors import vectors
    >>> x, given_now, given_then, w = vectors("x given_now given_then w")
    >>> len(tower(x, given_now, given_then, early=(w,)))
    5
    """
    return (*mean(of, inner, (outer, *early, *late), why), *mean(inner, outer, early, why))


def tower_product(of: Any, inner: Any, outer: Any, known: Any, multiplier: Any = None) -> Applied:
    """E<x, c> = <E x, c> for a c that is known early, as a hypothesis; both means are owed."""
    return PRODUCT.at({x: of, y: inner, m: outer, c: known}, weight=multiplier)


def tower_variance(of: Any, inner: Any, outer: Any, multiplier: Any = None) -> Applied:
    """E|x - m|^2 = E|x - y|^2 + E|y - m|^2 as a hypothesis; that y is the mean of x, m known, is owed."""
    return VARIANCE.at({x: of, y: inner, m: outer}, weight=multiplier)
