"""A mean as a projection, and Jensen's inequality for squared norms.

The mean m of x, or the mean given what is known, is known itself, and x - m is orthogonal to everything that
is known. That is all that is used of it.
"""

from __future__ import annotations

from typing import Any

from fedproof.algebra.expressions import printed
from fedproof.proof.lemmas.rule_writer import c, m, rule, x
from fedproof.proof.notation import Eq
from fedproof.proof.step import Applied, Given, assume
from fedproof.proof.vectors import ip, n2

with printed():
    JENSEN = rule("jensen", n2(m - c) <= n2(x - c), Eq(ip(x - m, m), 0), Eq(ip(x - m, c), 0))
    FALSE = (
        rule("jensen.turned", n2(x) <= n2(m), Eq(ip(x - m, m), 0)),
        rule("jensen.varying", n2(m - c) <= n2(x - c), Eq(ip(x - m, m), 0)),
        rule("jensen.no_mean", n2(m - c) <= n2(x - c), Eq(ip(x - m, c), 0)),
        rule("jensen.strict", n2(m) < n2(x), Eq(ip(x - m, m), 0)),
    )

PROOF = (JENSEN,)


def mean(of: Any, is_: Any, fixed: tuple[Any, ...] = (), why: str = "") -> tuple[Given, ...]:
    """What is meant by: `is_` is the mean of `of`, and the vectors in `fixed` are known, do not vary.

    Arguments:
        of: a random vector.
        is_: its mean; given what is known, its conditional mean.
        fixed: combinations of vectors that are known where the mean is taken.
        why: the reason, in the words of the text; by default that this is what a mean is.

    Returns: orthogonality of x - m to m and to each fixed vector.

    >>> from fedproof.proof.vectors import vectors
    >>> g, v, w = vectors("g v w")
    >>> [h.relation for h in mean(v, g, fixed=(w,))]
    [Eq(ip(-g + v, g), 0), Eq(ip(-g + v, w), 0)]
    """
    reason = why or f"meaning: {is_} is the mean of {of}" + (f", {_listed(fixed)} fixed" if fixed else "")
    with printed():
        return assume(reason, *(Eq(ip(of - is_, known), 0) for known in (is_, *fixed)))


def _listed(vectors: tuple[Any, ...]) -> str:
    return " and ".join(map(str, vectors))


def jensen(of: Any, is_: Any, about: Any = 0, multiplier: Any = None) -> Applied:
    """|m - c|^2 <= E|x - c|^2 as a hypothesis; that m is the mean of x, with c fixed, is owed.

    >>> from fedproof.proof.vectors import vectors
    >>> g, v, w = vectors("g v w")
    >>> jensen(v, g, about=w).relation
    n2(g - w) <= n2(v - w)
    """
    return JENSEN.at({x: of, m: is_, c: about}, weight=multiplier)
