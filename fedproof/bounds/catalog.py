"""Finds papers, statements, steps and settings by id, loading SymPy only for what is asked."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.papers import at_address, data, paper, papers

if TYPE_CHECKING:
    from fedproof.bounds.statement import Assumption, PaperSetting, Statement
    from fedproof.proof.step import Step


def statement_ids(key: str | None = None) -> tuple[str, ...]:
    """Ids of all statements, or of one paper's."""
    chosen = [paper(key)] if key else papers().values()
    return tuple(i for p in chosen for i in p.statements)


@cache
def statement(id: str) -> Statement:
    """The statement with this id.

    >>> statement("fedproxvr.theorem1").title
    'Theorem 1'
    """
    for found in papers().values():
        if id in found.index.STATEMENTS:
            loaded: Statement = at_address(found.index, found.index.STATEMENTS[id])
            return loaded
    raise UnknownName("statement", id, statement_ids())


def statements(key: str | None = None) -> tuple[Statement, ...]:
    """All statements, or one paper's, in the paper's order."""
    return tuple(statement(i) for i in statement_ids(key))


def assumptions(key: str) -> dict[str, Assumption]:
    """A paper's standing assumptions by id."""
    return dict(data(key, "ASSUMPTIONS"))


def settings(key: str) -> tuple[PaperSetting, ...]:
    """Every parameter value a paper states."""
    return tuple(data(key, "SETTINGS"))


def steps(key: str) -> tuple[Step, ...]:
    """A paper's proof steps."""
    return tuple(data(key, "STEPS"))


@cache
def parts(key: str) -> dict[str, str]:
    """The heading of each step of a paper, by the step's id, where its proofs are divided into parts."""
    index = paper(key).index
    module = import_module(f"{index.__package__}.{index.STEPS.partition(':')[0]}")
    return {s.id: title for title, found in getattr(module, "PARTS", ()) for s in found}


def metric_relations(key: str) -> dict[str, tuple[Any, ...]]:
    """How a paper's proofs say that a metric is bounded: relations with a symbol `bound`."""
    return dict(data(key, "METRIC_RELATIONS"))
