"""Which condition gives which: each with its constants, and the steps of a proof at one point.

The last step of a proof claims the condition that follows with its constants put in: it is made of the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.conditions.table import (
    ANY,
    B2,
    BOTH,
    BOUNDED,
    DISTANT,
    EQUAL,
    G2,
    GRADIENTS,
    H2,
    IDENTICAL,
    LOCAL,
    RELATIVE,
    SQUARES,
    Condition,
    Weights,
    bar,
    delta2,
    distance,
    divergence,
    grad,
    i,
    k,
    n,
    sigma2,
    spread,
    squares,
    zeta2,
)
from fedproof.proof.language.everywhere import ForEvery
from fedproof.proof.notation import Eq
from fedproof.proof.obligations import used
from fedproof.proof.step import Step
from fedproof.proof.substitution import substitute
from fedproof.proof.vectors import n2

CLIENT = (k >= 1, k <= n)
EVERY = (k, 1, n)
j, one = sp.Symbol("j", integer=True), sp.Integer(1)


@dataclass(frozen=True)
class Implication:
    """One condition, or several together, give another at the same point, and so at every model.

    Arguments:
        given: the conditions that are assumed.
        gives: the condition that follows.
        constants: of what follows, in the constants of what is assumed; of a family that of every client.
        proof: the last step of the proof.
        weights: of the clients, any or equal ones.
        note: what a reader should know.
    """

    given: tuple[Condition, ...]
    gives: Condition
    constants: Mapping[Any, Any]
    proof: Step
    weights: Weights
    note: str = ""


def _flat(*given: Any) -> tuple[Any, ...]:
    return tuple(x for g in given for x in (g if isinstance(g, tuple) else (g,)))


def _step(name: str, claim: Any, *given: Any) -> Step:
    return Step(claim, _flat(*given), f"conditions.{name}")


def _mean(weights: Weights) -> tuple[Any, ...]:
    """What the mean gradient is, with weights that are no less than 0."""
    known = (n >= 1, Eq(weights.mean(grad), weights.all * bar))
    if weights is EQUAL:
        return known
    sign = ForEvery(weights.of(i) >= 0, (), "weights of the clients", (i, 1, n))
    return (*known, Eq(weights.mean(lambda client: one), weights.all), sign.known)


def _sign(weights: Weights, client: Any) -> tuple[Any, ...]:
    if weights is EQUAL:
        return ()
    return (ForEvery(weights.of(i) >= 0, (), "weights of the clients", (i, 1, n)).at(client),)


def with_constants(condition: Condition, weights: Weights, constants: Mapping[Any, Any]) -> Any:
    """A condition at one point, of client k, with its constants put in.

    Arguments:
        constants: a value for each constant; for a family its term at k.
    """
    names = {condition.family(k)} if condition.family else set(condition.constants)
    return substitute(condition.at(k, weights), {name: constants[name] for name in names})


with printed():
    VARIANCE, SPREAD_EQUAL = (
        _step(f"variance{name}", Eq(spread(w), squares(w) - w.all * n2(bar)), _mean(w))
        for w, name in ((ANY, ""), (EQUAL, ".equal"))
    )
    LONG = _step("mean.weighed", ANY.of(k) * n2(bar) >= 0, CLIENT, _sign(ANY, k))
    MEAN_SQUARE = _step("mean.square", ANY.all * n2(bar) >= 0, _mean(ANY), LONG.at(over=EVERY))

    def _weighed(name: str, condition: Condition) -> Step:
        """What is said of each client, times its weight."""
        said, family = condition.at(k), condition.assumed()[0]
        claim = ANY.of(k) * said.lhs <= ANY.of(k) * said.rhs
        return _step(f"{name}.weighed", claim, CLIENT, _sign(ANY, k), family.at(k))

    def _assumed(*conditions: Condition, weights: Weights = ANY) -> tuple[Any, ...]:
        said = (h for c in conditions for h in c.assumed(weights))
        return tuple(h.known if isinstance(h, ForEvery) else h for h in said)

    def _gives(
        name: str,
        given: tuple[Condition, ...],
        gives: Condition,
        constants: Mapping[Any, Any],
        *by: Any,
        weights: Weights = ANY,
        note: str = "",
    ) -> Implication:
        claim = with_constants(gives, weights, constants)
        client = CLIENT if gives.each else ()
        proof = _step(name, claim, _mean(weights), client, _assumed(*given, weights=weights), *by)
        return Implication(given, gives, constants, proof, weights, note)

    ZERO = sp.Integer(0)
    CLOSE_WEIGHED, DISTANT_WEIGHED, GRADIENTS_WEIGHED = (
        _weighed(name, condition)
        for name, condition in (("relative", RELATIVE), ("distant", DISTANT), ("gradients", GRADIENTS))
    )
    RELATIVE_MEAN = _step(
        "relative.mean", spread(ANY) <= sigma2 * n2(bar) * ANY.all,
        _mean(ANY), _assumed(RELATIVE), CLOSE_WEIGHED.at(over=EVERY),
    )  # fmt: skip
    OTHERS = n - 1
    #: of any client k and any number r, the squares of the others and of k moved by r times k's distance
    r = sp.Symbol("r", real=True)
    MOVED = EQUAL.mean(lambda client: n2(grad(client) - bar + r * (grad(k) - bar)))
    SQUARE = _step("others.square", n2(grad(j) - bar + r * (grad(k) - bar)) >= 0, CLIENT, j >= 1, j <= n)
    ONE_OF = _step(
        "others.one", n2((1 + r) * (grad(k) - bar)) <= MOVED,
        n >= 1, CLIENT, SQUARE.at(over=(j, 1, k - 1)), SQUARE.at(over=(j, k + 1, n)),
    )  # fmt: skip
    MOVES = _step(
        "others.moves", Eq(MOVED, spread(EQUAL) + r**2 * n * n2(grad(k) - bar)), _mean(EQUAL), CLIENT
    )
    ONE_FAR = _step(
        "others", n * n2(grad(k) - bar) <= (n - 1) * spread(EQUAL),
        _mean(EQUAL), OTHERS > 0, CLIENT, ONE_OF.at({r: 1 / (n - 1)}), MOVES.at({r: 1 / (n - 1)}),
    )  # fmt: skip
    #: of equal weights: no client's square is more than all together
    NOT_LESS = _step("squares.term", n2(grad(j)) >= 0, j >= 1, j <= n)
    ONE_LONG = _step(
        "squares.one", n2(grad(k)) <= squares(EQUAL),
        n >= 1, CLIENT, NOT_LESS.at(over=(j, 1, k - 1)), NOT_LESS.at(over=(j, k + 1, n)),
    )  # fmt: skip
    BOUNDED_TWICE = _step(
        "bounded_of_both_ways.product", (1 + sigma2) * spread(ANY) <= sigma2 * G2 * ANY.all,
        _mean(ANY), sigma2 >= 0, _assumed(RELATIVE, GRADIENTS), RELATIVE_MEAN.at(weight=1),
        GRADIENTS_WEIGHED.at(over=EVERY, weight=sigma2), VARIANCE.at(weight=sigma2),
    )  # fmt: skip
    IMPLICATIONS = (
        _gives(
            "relative_of_identical", (IDENTICAL,), RELATIVE, {divergence(k): ZERO, sigma2: ZERO},
            IDENTICAL.assumed()[0].at(k),
        ),
        _gives(
            "distant_of_identical", (IDENTICAL,), DISTANT, {distance(k): ZERO, delta2: ZERO},
            IDENTICAL.assumed()[0].at(k),
        ),
        _gives("local_of_relative", (RELATIVE,), LOCAL, {B2: 1 + sigma2}, VARIANCE.at(), RELATIVE_MEAN.at()),
        _gives(
            "relative_of_local", (LOCAL,), RELATIVE,
            {divergence(k): OTHERS * (B2 - 1), sigma2: OTHERS * (B2 - 1)},
            OTHERS > 0, ONE_FAR.at(), SPREAD_EQUAL.at(), weights=EQUAL,
        ),
        _gives("both_of_local", (LOCAL,), BOTH, {B2: B2, H2: ZERO}),
        _gives(
            "distant_of_bounded", (BOUNDED,), DISTANT,
            {distance(k): OTHERS * zeta2, delta2: OTHERS * zeta2}, OTHERS > 0, ONE_FAR.at(), weights=EQUAL,
        ),
        _gives("bounded_of_distant", (DISTANT,), BOUNDED, {zeta2: delta2}, DISTANT_WEIGHED.at(over=EVERY)),
        _gives("both_of_bounded", (BOUNDED,), BOTH, {B2: one, H2: zeta2}, VARIANCE.at()),
        _gives("squares_of_gradients", (GRADIENTS,), SQUARES, {H2: G2}, GRADIENTS_WEIGHED.at(over=EVERY)),
        _gives("gradients_of_squares", (SQUARES,), GRADIENTS, {G2: n * H2}, ONE_LONG.at(), weights=EQUAL),
        _gives("both_of_squares", (SQUARES,), BOTH, {B2: ZERO, H2: H2}),
        _gives("bounded_of_squares", (SQUARES,), BOUNDED, {zeta2: H2}, VARIANCE.at(), MEAN_SQUARE.at()),
        _gives(
            "bounded_of_both_ways", (RELATIVE, GRADIENTS), BOUNDED, {zeta2: sigma2 / (1 + sigma2) * G2},
            sigma2 >= 0, BOUNDED_TWICE.at(),
        ),
    )  # fmt: skip

#: all that is proved here, and what it rests on
STEPS = tuple(dict.fromkeys(step for x in IMPLICATIONS for step in (*used(x.proof), x.proof)))
