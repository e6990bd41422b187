"""What a statement says, as certificates have it: letters, conditions, definitions, claim and metric."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound, Exists, Hidden, Identity, Implies, Minimum, Order
from fedproof.bounds.statement import Statement
from fedproof.proof.certify.translate import expression, relation
from fedproof.proof.kernel.trees import Tree, as_json
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.tree_text import text
from fedproof.validate.claims.choice import Choice, asked, choices, granted
from fedproof.validate.claims.monotone import slope_sign
from fedproof.validate.claims.order import HiddenConstant, hidden_constant
from fedproof.validate.claims.relation import meeting_point
from fedproof.validate.statement_verdict import standing
from fedproof.vocabulary.values import text_of


def formal(statement: Statement) -> dict[str, Any] | None:
    """A statement as relations between numbers, which `recheck.py` holds its proof to.

    Returns: `kinds` of its letters; `given`, what may be assumed of them; `where`, what defined and chosen
        letters stand for; `claim`, what its proofs must show, where it is of numbers; of a bound the
        `metric`, as METRIC_RELATIONS calls it, and the `bound`; `at`, numbers at which all that is given
        holds; of an `order` its sides, symbol, limit and constant; of what exists what may be `chosen`. None
        where certificates have no word for it.
    """
    claim = statement.claim
    order = hidden_constant(statement) if isinstance(claim, Order) else None
    chosen = (choices(statement) or ()) if isinstance(claim, Exists) else ()
    given = (*(order.near if order else getattr(claim, "given", ())), *granted(chosen))
    given = tuple(map(statement.expand, given))
    said = (statement.expand(order.claim),) if order else _claims(statement)
    said = map(statement.expand, asked(claim)) if isinstance(claim, Exists) and chosen else said
    letters = (*statement.letters, *(claim.choose if isinstance(claim, Exists) and chosen else ()))
    try:
        return {
            "kinds": {x.name: "whole" if x.quantity.whole else "real" for x in letters},
            "given": shown([*standing(statement), *given]),
            "where": [
                [name.name, as_json(expression(statement.expand(name)))] for name in statement.definitions
            ],
            "claim": shown(said),
            **_bounded(claim),
            **(_order(statement, claim, order) if order and isinstance(claim, Order) else {}),
            **({"chosen": _chosen(statement, chosen)} if chosen else {}),
            "at": _numbers(statement, given),
        }
    except NotApplicable:
        return None


def shown(said: Iterable[Any]) -> list[dict[str, Any]]:
    """Relations with their texts.

    >>> x = sp.Symbol("x")
    >>> shown([x > 0])
    [{'text': '0 < x', 'is': ['<', '0', 'x']}]
    """
    return [_row(relation(r)) for r in said]


def metrics(key: str) -> dict[str, list[dict[str, Any]]]:
    """What a paper's proofs call each metric: relations in which `bound` stands for the bound."""
    return {metric: shown(said) for metric, said in catalog.metric_relations(key).items()}


def _row(tree: Tree) -> dict[str, Any]:
    return {"text": text(tree), "is": as_json(tree)}


def _claims(statement: Statement) -> Iterator[Any]:
    """What is to be shown of numbers."""
    claim = statement.claim
    if isinstance(claim, Implies):
        yield statement.expand(claim.then)
    elif isinstance(claim, Identity):
        yield sp.Eq(statement.expand(claim.left), statement.expand(claim.right), evaluate=False)
    elif isinstance(claim, Minimum):
        objective = statement.expand(claim.objective)
        yield sp.Le(objective, objective, evaluate=False)
    elif claim.kind == "monotone":
        yield slope_sign(statement)


def _order(statement: Statement, claim: Order, found: HiddenConstant) -> dict[str, Any]:
    """The sides of an order, its symbol and limit, and the constant that it is shown with."""
    sides = {"left": claim.left, "right": claim.right, "constant": found.constant}
    trees = {name: as_json(expression(statement.expand(side))) for name, side in sides.items()}
    return {"order": trees | {"symbol": claim.symbol.name, "limit": str(claim.limit)}}


def _chosen(statement: Statement, found: Sequence[Choice]) -> list[list[Any]]:
    """Names of what is chosen, in order, each with the number from which on it is taken."""
    return [[c.symbol.name, as_json(expression(statement.expand(c.low)))] for c in found]


def _bounded(claim: Any) -> dict[str, Any]:
    """The metric of a bound, and its bound."""
    if isinstance(claim, Hidden):
        if claim.factor is None:
            return {}
        claim = claim.with_constant()
    if not isinstance(claim, Bound):
        return {}
    below = "" if claim.relation == "<=" else " >="
    return {"metric": f"{claim.metric}{below}", "bound": as_json(expression(claim.expr))}


def _numbers(statement: Statement, given: Iterable[Any]) -> dict[str, str] | None:
    """Exact numbers that meet all conditions."""
    point = meeting_point(statement, given)
    return None if point is None else {name: text_of(value) for name, value in point.items()}
