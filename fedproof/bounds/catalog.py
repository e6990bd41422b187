"""Finds papers, statements, steps and settings by id, loading SymPy only for what is asked."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from fedproof.vocabulary.discovery import alone, read
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.own_file import FORGET
from fedproof.vocabulary.papers import data, inside, paper, papers, unknown

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

    found = next((p for p in papers().values() if id in p.where), None)
    if found is None:
        raise unknown("statement", id, statement_ids())
    address, what = inside(found.index, found.where[id]), f"index of {found.key}"

    def stated(module: ModuleType) -> Statement:
        there = {v.id: v for v in vars(module).values() if isinstance(v, Statement)}
        if id not in there:
            raise InputError(what, id, f"a statement of {address}", "mend the id")
        return there[id]

    return read(address, stated)


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
    names = getattr(index, "PROOFS", ())

    if alone(index.__name__):
        return read(index.__name__, lambda module: ((heading(module), steps_of(module)),))

    def part(name: str) -> tuple[str, tuple[Step, ...]]:
        return read(f"{index.__package__}.proofs.{name}", lambda module: (heading(module), steps_of(module)))

    def listed(index: ModuleType) -> tuple[tuple[str, tuple[Step, ...]], ...]:
        if isinstance(names, str):
            raise InputError("PROOFS", names, "a tuple of files' names", f'write PROOFS = ("{names}",)')
        return tuple(part(name) for name in names)

    return read(index.__name__, listed)


FORGET += [statement.cache_clear, proofs.cache_clear]


def steps(key: str) -> tuple[Step, ...]:
    """A paper's proof steps, in the order in which its proofs are read."""
    return tuple(step for _, part in proofs(key) for step in part)


def parts(key: str) -> dict[str, str]:
    """The heading of each step of a paper, by the step's id."""
    return {step.id: heading for heading, part in proofs(key) for step in part}


def metric_relations(key: str) -> dict[str, tuple[Any, ...]]:
    """How a paper's proofs say that a metric is bounded: relations with a symbol `bound`."""
    return dict(data(key, "METRIC_RELATIONS"))
