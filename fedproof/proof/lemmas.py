"""Lemmas of everyday use in proofs: what they need, what they give, their proof and their misuses.

In the space of random vectors <x, y> means E<x, y>. A `Lemma` returns the application of a proved step;
`mean`, `unbiased`, `tower` and `independent` return hypotheses. A mean m of x is a projection: it is known
itself, and x - m is orthogonal to everything that is known; that is all that is used of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.forall import ForAll
from fedproof.proof.notation import Eq
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Applied, Given, Step, assume
from fedproof.proof.vectors import ip, n2, norm, vectors

x, y, z, m, c = vectors("x y z m c")
alpha, a, t, n = sp.symbols("alpha a t n", real=True)
F, G = sequence("F"), sequence("G")


@dataclass(frozen=True)
class Lemma:
    """A proved step as a function of what its names stand for.

    Arguments:
        step: what is proved.
        names: of its vectors, numbers and terms of sequences, in the order in which values are given.

    >>> u, v = vectors("u v")
    >>> cauchy_schwarz(u, v).relation
    ip(u, v) <= sqrt(n2(u))*sqrt(n2(v))
    >>> k, N, X = *sp.symbols("k N", real=True), sequence("X")
    >>> telescoping((X(k), k), N).relation.rhs
    -X(0) + X(N)
    """

    step: Step
    names: tuple[Any, ...]

    def __call__(self, *values: Any, multiplier: Any = None) -> Applied:
        """The claim as a hypothesis; the step's own hypotheses are owed.

        Arguments:
            values: one for each name; of a sequence its term and the index in it.
            multiplier: with which the proof uses it, where it is known.
        """
        terms = (v[0].xreplace({v[1]: t}) if isinstance(v, tuple) else v for v in values)
        return self.step.at(dict(zip(self.names, terms, strict=True)), weight=multiplier)


def _step(name: str, claim: sp.Basic, *given: Any, note: str = "") -> Step:
    rule: Any = "sum" if name.startswith("telescoping") else "quad"
    return Step(claim, given, f"rule.{name}", rule=rule, note=note)


def _lemma(names: tuple[Any, ...], *said: Any, note: str = "") -> Lemma:
    return Lemma(_step(*said, note=note), names)


with printed():
    MEAN = (Eq(ip(x - m, m), 0), Eq(ip(x - m, c), 0))
    INNER = (Eq(ip(x - y, y), 0), Eq(ip(x - y, m), 0), Eq(ip(x - y, c), 0))
    OUTER = (Eq(ip(y - m, m), 0), Eq(ip(y - m, c), 0))
    KNOWN = (Eq(ip(x - m, y), 0), Eq(ip(x - m, c), 0))
    ORTHOGONAL = tuple(Eq(ip(u, v), 0) for u, v in combinations((x, y, z), 2))
    FALLS = ForAll(F(t) + G(t) <= F(t - 1), t, sp.Integer(1), n)

    cauchy_schwarz = _lemma((x, y), "cauchy_schwarz", ip(x, y) <= norm(x) * norm(y))
    cauchy_schwarz_squared = _lemma((x, y), "cauchy_schwarz.squared", ip(x, y) ** 2 <= n2(x) * n2(y))
    squares_add = _lemma((x, y), "independent", Eq(n2(x + y), n2(x) + n2(y)), ORTHOGONAL[0])
    three_squares_add = _lemma(
        (x, y, z), "independent.three", Eq(n2(x + y + z), n2(x) + n2(y) + n2(z)), *ORTHOGONAL
    )
    jensen = _lemma((x, m, c), "jensen", n2(m - c) <= n2(x - c), *MEAN)
    minkowski = _lemma((x, y), "minkowski", norm(x + y) <= norm(x) + norm(y))
    minkowski_reversed = _lemma((x, y), "minkowski.reversed", norm(x) - norm(y) <= norm(x - y))
    minkowski_squared = _lemma(
        (x, y, alpha, a), "minkowski.squared", n2(x + y) <= (alpha + a) ** 2,
        alpha >= 0, a >= 0, n2(x) <= alpha**2, n2(y) <= a**2,
    )  # fmt: skip
    telescoping = _lemma((F(t), n), "telescoping", Eq(total(F(t) - F(t - 1), t, 1, n), F(n) - F(0)), n >= 0)
    telescoped = _lemma(
        (F(t), G(t), n), "telescoping.descent", F(n) + total(G(t), t, 1, n) <= F(0), n >= 0, FALLS
    )
    tower_product = _lemma((x, y, m, c), "tower", Eq(ip(x, c), ip(m, c)), INNER[2], OUTER[1])
    tower_variance = _lemma(
        (x, y, m), "tower.variance", Eq(n2(x - m), n2(x - y) + n2(y - m)), INNER[0], INNER[1]
    )
    unbiased_product = _lemma((x, m, y), "unbiased.product", Eq(ip(x, y), ip(m, y)), KNOWN[0])
    unbiased_step = _lemma(
        (y, a, x, m, c),
        "unbiased.step",
        Eq(n2(y - a * x - c), n2(y - c) - 2 * a * ip(m, y - c) + a**2 * n2(x)),
        *KNOWN,
        note="The mean square of a step with an unbiased estimate.",
    )
    variance = _lemma((x, m, c), "variance", Eq(n2(x - c), n2(x - m) + n2(m - c)), *MEAN)
    second_moment = _lemma(
        (x, m), "variance.moment", n2(x - m) <= n2(x), MEAN[0],
        note="A variance is at most a second moment.",
    )  # fmt: skip
    young = _lemma(
        (x, y, alpha), "young", n2(x + y) <= (1 + alpha) * n2(x) + (1 + 1 / alpha) * n2(y), alpha > 0
    )
    young_product = _lemma(
        (x, y, alpha), "young.product", ip(x, y) <= alpha / 2 * n2(x) + 1 / (2 * alpha) * n2(y), alpha > 0
    )

    #: misuses, which nothing may prove
    FALSE = tuple(
        _step(*said)
        for said in (
            ("cauchy_schwarz.turned", ip(x, y) >= norm(x) * norm(y)),
            ("cauchy_schwarz.below", ip(x, y) >= norm(x) * norm(y) / -2),
            ("cauchy_schwarz.squares", ip(x, y) <= n2(x) * n2(y)),
            ("cauchy_schwarz.half", ip(x, y) ** 2 <= n2(x) * n2(y) / 2),
            ("independent.assumed", n2(x + y) <= n2(x) + n2(y)),
            ("independent.once", Eq(n2(x + y + z), n2(x) + n2(y) + n2(z)), Eq(ip(x, y), 0), Eq(ip(y, z), 0)),
            ("independent.passed_on", Eq(ip(x, z), 0), Eq(ip(x, y), 0), Eq(ip(y, z), 0)),
            ("independent.mean", Eq(n2((x + y) / 2), (n2(x) + n2(y)) / 2), Eq(ip(x, y), 0)),
            ("jensen.turned", n2(x) <= n2(m), MEAN[0]),
            ("jensen.varying", n2(m - c) <= n2(x - c), MEAN[0]),
            ("jensen.no_mean", n2(m - c) <= n2(x - c), MEAN[1]),
            ("jensen.strict", n2(m) < n2(x), MEAN[0]),
            ("minkowski.turned", norm(x + y) >= norm(x) + norm(y)),
            ("minkowski.of_squares", n2(x + y) <= n2(x) + n2(y)),
            ("minkowski.reversed.twice", norm(x) - norm(y) <= norm(x - y) / 2),
            ("minkowski.squared.unsigned", n2(x + y) <= (alpha + a) ** 2, n2(x) <= alpha**2, n2(y) <= a**2),
            ("telescoping.start", Eq(total(F(t) - F(t - 1), t, 1, n), F(n) - F(1)), n >= 1),
            ("telescoping.end", Eq(total(F(t) - F(t - 1), t, 1, n), F(n - 1) - F(0)), n >= 1),
            ("telescoping.long", F(n) + total(G(t), t, 1, n + 1) <= F(0), n >= 0, FALLS),
            ("telescoping.early", F(n) + total(G(t), t, 0, n) <= F(0), n >= 0, FALLS),
            ("telescoping.turned", F(n) + total(G(t), t, 1, n) >= F(0), n >= 0, FALLS),
            ("tower.varying", Eq(ip(x, z), ip(m, z)), *INNER, *OUTER),
            ("tower.inner", Eq(ip(x, y), ip(m, y)), *INNER, *OUTER),
            ("tower.skipped", Eq(ip(x, c), ip(m, c)), INNER[2]),
            ("tower.variance.turned", n2(x - m) <= n2(y - m), *INNER, *OUTER),
            ("unbiased.varying", Eq(ip(x, z), ip(m, z)), *KNOWN),
            ("unbiased.itself", Eq(ip(x, x), ip(m, x)), *KNOWN, MEAN[0]),
            ("unbiased.forgotten", Eq(ip(x, y), ip(m, y)), KNOWN[1]),
            ("unbiased.step.mean",
             Eq(n2(y - a * x - c), n2(y - c) - 2 * a * ip(m, y - c) + a**2 * n2(m)), *KNOWN),
            ("variance.varying", Eq(n2(x - z), n2(x - m) + n2(m - z)), *MEAN),
            ("variance.no_mean", Eq(n2(x - c), n2(x - m) + n2(m - c)), MEAN[1]),
            ("variance.half", n2(x - m) <= n2(x) / 2, MEAN[0]),
            ("variance.sign", Eq(n2(x - c), n2(x - m) - n2(m - c)), *MEAN),
            ("young.unsigned", n2(x + y) <= (1 + alpha) * n2(x) + (1 + 1 / alpha) * n2(y)),
            ("young.half", n2(x + y) <= (1 + alpha) * n2(x) + (1 + 1 / (2 * alpha)) * n2(y), alpha > 0),
            ("young.equal", n2(x + y) <= n2(x) + n2(y)),
            ("young.product.small", ip(x, y) <= alpha / 2 * n2(x) + 1 / (4 * alpha) * n2(y), alpha > 0),
        )
    )  # fmt: skip


def mean(of: Any, is_: Any, fixed: tuple[Any, ...] = (), why: str = "") -> tuple[Given, ...]:
    """What is meant by: `is_` is the mean of `of`, and the vectors in `fixed` are known, do not vary.

    Arguments:
        of: a random vector.
        is_: its mean; given what is known, its conditional mean.
        fixed: combinations of vectors that are known where the mean is taken.
        why: the reason, in the words of the text; by default that this is what a mean is.

    Returns: orthogonality of x - m to m and to each fixed vector.

    >>> g, v, w = vectors("g v w")
    >>> [h.relation for h in mean(v, g, fixed=(w,))]
    [Eq(ip(-g + v, g), 0), Eq(ip(-g + v, w), 0)]
    """
    reason = why or f"meaning: {is_} is the mean of {of}" + (f", {_listed(fixed)} fixed" if fixed else "")
    with printed():
        return assume(reason, *(Eq(ip(of - is_, known), 0) for known in (is_, *fixed)))


def _listed(named: tuple[Any, ...]) -> str:
    return " and ".join(map(str, named))


def unbiased(estimate: Any, of: Any, known: tuple[Any, ...] = (), why: str = "") -> tuple[Given, ...]:
    """What is meant by: given what is known, the mean of `estimate` is `of`.

    Arguments:
        estimate: a random vector.
        of: what it estimates, which is known.
        known: combinations of vectors that are known before the estimate is drawn: earlier iterates,
            earlier errors. What is drawn with the estimate does not belong here.
        why: the reason, in the words of the text, such as how samples are drawn.

    >>> g, v, w = vectors("g v w")
    >>> [h.why for h in unbiased(v, g, known=(w,))][0]
    'meaning: given w, v is an unbiased estimate of g'
    """
    given = f"given {_listed(known)}, " if known else ""
    return mean(estimate, of, known, why or f"meaning: {given}{estimate} is an unbiased estimate of {of}")


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

    >>> x, given_now, given_then, w = vectors("x given_now given_then w")
    >>> len(tower(x, given_now, given_then, early=(w,)))
    5
    """
    return (*mean(of, inner, (outer, *early, *late), why), *mean(inner, outer, early, why))


def independent(*drawn: Any, means: tuple[Any, ...] = (), why: str = "") -> tuple[Given, ...]:
    """What is meant by: these vectors are independent of each other.

    Arguments:
        drawn: two or more vectors; without `means` they are centred.
        means: their means, in that order.
        why: the reason, in the words of the text, such as how samples are drawn.

    Returns: for every two of them that, centred, they are orthogonal.

    >>> u, v, m = vectors("u v m")
    >>> [h.relation for h in independent(u, v, means=(m, m))]
    [Eq(ip(-m + u, -m + v), 0)]
    """
    with printed():
        centred = [v - e for v, e in zip(drawn, means, strict=True)] if means else list(drawn)
        relations = [Eq(ip(one, other), 0) for one, other in combinations(centred, 2)]
    listed = _listed(drawn)
    return assume(why or f"meaning: {listed} are independent" + ("" if means else " and centred"), *relations)


#: the steps that prove the lemmas
PROOF = tuple(value.step for value in list(globals().values()) if isinstance(value, Lemma))
