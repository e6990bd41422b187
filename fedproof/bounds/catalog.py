"""Finds papers, statements, steps and settings by id, loading SymPy only for what is asked."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.papers import data, paper, papers

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
    from fedproof.bounds.statement import Statement

    for found in papers().values():
        if id in found.where:
            module = import_module(f"{found.index.__package__}.{found.where[id]}")
            stated = {v.id: v for v in vars(module).values() if isinstance(v, Statement)}
            if id not in stated:
                raise InputError(
                    f"index of {found.key}", id, f"a statement of {module.__name__}", "mend the id"
                )
            return stated[id]
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


@cache
def proofs(key: str) -> tuple[tuple[str, tuple[Step, ...]], ...]:
    """A paper's proofs part by part: the heading of each file that its index lists, and the steps in it."""
    from fedproof.proof.notation import heading, steps_of

    index = paper(key).index
    modules = [import_module(f"{index.__package__}.proofs.{name}") for name in getattr(index, "PROOFS", ())]
    return tuple((heading(module), steps_of(module)) for module in modules)


def steps(key: str) -> tuple[Step, ...]:
    """A paper's proof steps, in the order in which its proofs are read."""
    return tuple(step for _, part in proofs(key) for step in part)


def parts(key: str) -> dict[str, str]:
    """The heading of each step of a paper, by the step's id."""
    return {step.id: heading for heading, part in proofs(key) for step in part}


def metric_relations(key: str) -> dict[str, tuple[Any, ...]]:
    """How a paper's proofs say that a metric is bounded: relations with a symbol `bound`."""
    return dict(data(key, "METRIC_RELATIONS"))
