"""Variables under "there exists": that the value put for one is admitted is proved before anything holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy as sp

from fedproof.bounds.statement import Statement
from fedproof.validate.signs import always
from fedproof.validate.statement_verdict import StatementVerdict, domain_relations


def unless_chosen_badly(statement: Statement, found: StatementVerdict) -> StatementVerdict:
    """A verdict that holds, where each choice satisfies what it is said to settle and lies in its domain."""
    unproved = [str(said) for said in _settled(statement) if not always(statement, statement.expand(said))]
    if not unproved:
        return found
    detail = f"not proved of what is chosen: {'; '.join(unproved)}"
    return replace(found, verdict="open", proofs=(), detail=detail)


def _settled(statement: Statement) -> Iterator[sp.Basic]:
    """What must hold of the values; where others are chosen by the claim, domains are not known yet."""
    labels = {label for c in statement.chosen for label in c.settles}
    yield from (c.relation for c in statement.conditions if c.label in labels)
    if statement.claim.kind != "exists":
        for choice in statement.chosen:
            yield from domain_relations(choice.letter)
