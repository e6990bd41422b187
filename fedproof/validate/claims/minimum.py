"""Optimisation problems: a problem claims nothing but that it can be solved, so show a feasible point."""

from __future__ import annotations

from fedproof.bounds.statement import Statement
from fedproof.proof.instance import Instance, at
from fedproof.proof.search import feasible_point
from fedproof.validate.judgement import Judgement, standing

__all__ = ["judge"]


def judge(statement: Statement) -> Judgement:
    """The problem is well posed if an exact feasible point exists; its optimum is `tune`'s business."""
    facts = tuple(standing(statement))
    point = feasible_point(facts)
    if point is None:
        return Judgement(statement.id, "open", (), "no exact feasible point was found")
    return Judgement(
        statement.id,
        "holds",
        ("exact witness",),
        f"feasible, for example at {at(point)}",
        point,
        Instance(facts, None, point),
    )
