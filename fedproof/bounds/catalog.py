"""Finds papers, statements, steps and settings by id, loading SymPy only for what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any

from fedproof.bounds import papers as _papers
from fedproof.vocabulary.errors import UnknownName

if TYPE_CHECKING:
    from fedproof.bounds.statement import Assumption, Setting, Statement
    from fedproof.bounds.step import Step

__all__ = [
    "Paper",
    "assumptions",
    "letters",
    "papers",
    "parts",
    "settings",
    "spoken",
    "statement",
    "statement_ids",
    "statements",
    "steps",
]


@dataclass(frozen=True)
class Paper:
    """A paper's literal index."""

    key: str
    title: str
    authors: str
    venue: str
    statements: tuple[str, ...]
    algorithms: tuple[str, ...]
    index: ModuleType


@cache
def papers() -> dict[str, Paper]:
    """Every paper: the folders of `bounds/papers`, then packages of the group `fedproof.papers`.

    >>> papers()["fedproxvr"].venue
    'ICPP 2020'
    """
    names = [f"{_papers.__name__}.{m.name}" for m in iter_modules(_papers.__path__) if m.ispkg]
    names += [point.value for point in entry_points(group="fedproof.papers")]
    found = {}
    for name in names:
        index = import_module(f"{name}.index")
        found[index.KEY] = Paper(
            index.KEY,
            index.TITLE,
            index.AUTHORS,
            index.VENUE,
            tuple(index.STATEMENTS),
            tuple(index.ALGORITHMS),
            index,
        )
    return found


def paper(key: str) -> Paper:
    """The paper with this key."""
    if key not in papers():
        raise UnknownName("paper", key, papers())
    return papers()[key]


def statement_ids(key: str | None = None) -> tuple[str, ...]:
    """Ids of all statements, or of one paper's."""
    chosen = [paper(key)] if key else papers().values()
    return tuple(i for p in chosen for i in p.statements)


def _load(index: ModuleType, where: str) -> Any:
    module, name = where.split(":")
    return getattr(import_module(f"{index.__package__}.{module}"), name)


@cache
def statement(id: str) -> Statement:
    """The statement with this id.

    >>> statement("fedproxvr.theorem1").title
    'Theorem 1'
    """
    for found in papers().values():
        if id in found.index.STATEMENTS:
            loaded: Statement = _load(found.index, found.index.STATEMENTS[id])
            return loaded
    raise UnknownName("statement", id, statement_ids())


def statements(key: str | None = None) -> tuple[Statement, ...]:
    """All statements, or one paper's, in the paper's order."""
    return tuple(statement(i) for i in statement_ids(key))


def assumptions(key: str) -> dict[str, Assumption]:
    """A paper's standing assumptions by id."""
    loaded: dict[str, Assumption] = _load(paper(key).index, paper(key).index.ASSUMPTIONS)
    return loaded


@cache
def letters(key: str) -> dict[Any, str]:
    """LaTeX of a paper's symbols, as its index names them or its statements use them."""
    index = paper(key).index
    named: tuple[Any, ...] = _load(index, index.LETTERS) if hasattr(index, "LETTERS") else ()
    found = [letter for st in statements(key) for letter in st.printed]
    return {letter.symbol: letter.latex for letter in (*found, *named)}


def settings(key: str) -> tuple[Setting, ...]:
    """Every parameter value a paper states."""
    loaded: tuple[Setting, ...] = _load(paper(key).index, paper(key).index.SETTINGS)
    return loaded


def steps(key: str) -> tuple[Step, ...]:
    """A paper's proof steps."""
    loaded: tuple[Step, ...] = _load(paper(key).index, paper(key).index.STEPS)
    return loaded


@cache
def parts(key: str) -> dict[str, str]:
    """The heading of each step of a paper, by the step's id, where its proofs are divided into parts."""
    index = paper(key).index
    module = import_module(f"{index.__package__}.{index.STEPS.partition(':')[0]}")
    return {s.id: title for title, found in getattr(module, "PARTS", ()) for s in found}


def spoken(key: str) -> dict[str, tuple[Any, ...]]:
    """How a paper's proofs say that a metric is bounded: relations with a symbol `bound`."""
    where = getattr(paper(key).index, "SPOKEN", None)
    loaded: dict[str, tuple[Any, ...]] = {} if where is None else _load(paper(key).index, where)
    return loaded
