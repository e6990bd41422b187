"""Unbiased estimators: given what is known, the estimate's mean is what it estimates."""

from __future__ import annotations

from typing import Any

from fedproof.algebra.expressions import printed
from fedproof.proof.lemmas.jensen import mean
from fedproof.proof.lemmas.rule_writer import a, c, m, rule, x, y, z
from fedproof.proof.notation import Eq
from fedproof.proof.step import Applied, Given
from fedproof.proof.vectors import ip, n2

with printed():
    KNOWN = (Eq(ip(x - m, y), 0), Eq(ip(x - m, c), 0))
    PRODUCT = rule("unbiased.product", Eq(ip(x, y), ip(m, y)), KNOWN[0])
    STEP = rule(
        "unbiased.step",
        Eq(n2(y - a * x - c), n2(y - c) - 2 * a * ip(m, y - c) + a**2 * n2(x)),
        *KNOWN,
        note="The mean square of a step with an unbiased estimate.",
    )
    FALSE = (
        rule("unbiased.varying", Eq(ip(x, z), ip(m, z)), *KNOWN),
        rule("unbiased.itself", Eq(ip(x, x), ip(m, x)), *KNOWN, Eq(ip(x - m, m), 0)),
        rule("unbiased.forgotten", Eq(ip(x, y), ip(m, y)), KNOWN[1]),
        rule(
            "unbiased.step.mean",
            Eq(n2(y - a * x - c), n2(y - c) - 2 * a * ip(m, y - c) + a**2 * n2(m)),
            *KNOWN,
        ),
    )

PROOF = (PRODUCT, STEP)


def unbiased(estimate: Any, of: Any, known: tuple[Any, ...] = (), why: str = "") -> tuple[Given, ...]:
    """What is meant by: given what is known, the mean of `estimate` is `of`.

    Arguments:
        estimate: a random vector.
        of: what it estimates, which is known.
        known: combinations of vectors that are known before the estimate is drawn: earlier iterates,
            earlier errors. What is drawn with the estimate does not belong here.
        why: the reason, in the words of the text, such as how samples are drawn.

    >>> from fedproof.proof.vectors import vectors
    >>> g, v, w = vectors("g v w")
    >>> [h.why for h in unbiased(v, g, known=(w,))][0]
    'meaning: given w, v is an unbiased estimate of g'
    """
    listed = " and ".join(map(str, known))
    given = f"given {listed}, " if known else ""
    return mean(estimate, of, known, why or f"meaning: {given}{estimate} is an unbiased estimate of {of}")


def unbiased_step(
    point: Any, step: Any, estimate: Any, of: Any, about: Any = 0, multiplier: Any = None
) -> Applied:
    """E|w - a g - c|^2 = |w - c|^2 - 2 a <E g, w - c> + a^2 E|g|^2 as a hypothesis.

    Arguments:
        point, step, estimate, of, about: w, a, g, its mean, c; that g is unbiased given w and c is owed.
    """
    return STEP.at({y: point, a: step, x: estimate, m: of, c: about}, weight=multiplier)
