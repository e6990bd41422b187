"""What a statement says, as certificates have it: letters, conditions, definitions, claim and metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound, Exists, Hidden, Identity, Implies, Minimum, Monotone, Order
from fedproof.bounds.statement import Statement
from fedproof.proof.certify.translate import expression, relation
from fedproof.proof.kernel.trees import Tree, as_json
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.tree_text import text
from fedproof.validate.claims.choice import asked, granted, serving
from fedproof.validate.claims.monotone import slope_sign
from fedproof.validate.claims.order import hidden_constant
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
    try:
        given, said, more = _own_words(statement)
        given = tuple(map(statement.expand, given))
        chosen = statement.claim.choose if isinstance(statement.claim, Exists) and "chosen" in more else ()
        if "at" not in more:
            more["at"] = _texts(meeting_point(statement, given))
        return {
            "kinds": {x.name: "whole" if x.quantity.whole else "real" for x in (*statement.letters, *chosen)},
            "given": shown([*standing(statement), *given]),
            "where": [[name.name, _tree(statement, name)] for name in statement.definitions],
            "claim": shown(said),
        } | more
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


Words = tuple[Iterable[Any], Iterable[Any], dict[str, Any]]


def _own_words(statement: Statement) -> Words:
    """What a claim assumes besides the conditions, what is to be shown of numbers, and what else it says."""
    claim = statement.claim
    if isinstance(claim, Hidden) and claim.factor is not None:
        claim = claim.with_constant()
    match claim:
        case Implies():
            return claim.given, [statement.expand(claim.then)], {}
        case Identity():
            left, right = statement.expand(claim.left), statement.expand(claim.right)
            return (), [sp.Eq(left, right, evaluate=False)], {}
        case Minimum():
            objective = statement.expand(claim.objective)
            return (), [sp.Le(objective, objective, evaluate=False)], {}
        case Monotone():
            return (), [slope_sign(statement)], {}
        case Bound():
            below = "" if claim.relation == "<=" else " >="
            return (), (), {"metric": f"{claim.metric}{below}", "bound": as_json(expression(claim.expr))}
        case Order() if found := hidden_constant(statement):
            sides = {"left": claim.left, "right": claim.right, "constant": found.constant}
            trees = {name: _tree(statement, side) for name, side in sides.items()}
            moves = {"symbol": claim.symbol.name, "limit": str(claim.limit)}
            return found.near, [statement.expand(found.claim)], {"order": trees | moves}
        case Exists() if serves := serving(statement):
            lows = [[choice.symbol.name, _tree(statement, choice.low)] for choice in serves.choices]
            at = _texts(serves.numbers(statement))
            return granted(serves.choices), map(statement.expand, asked(claim)), {"chosen": lows, "at": at}
    return (), (), {}


def _tree(statement: Statement, expr: Any) -> Any:
    return as_json(expression(statement.expand(expr)))


def _texts(point: Mapping[str, Fraction] | None) -> dict[str, str] | None:
    return None if point is None else {name: text_of(value) for name, value in point.items()}
