"""Papers by key: what each one's literal index says, and the data it points to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from fedproof.vocabulary.discovery import packages, paper_modules
from fedproof.vocabulary.errors import UnknownName


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
    """Every paper: the folders of `fedproof/papers`, then packages of the group `fedproof.papers`.

    >>> papers()["fedproxvr"].venue
    'ICPP 2020'
    """
    known = paper_modules("index")
    found = [import_module(known[name]) for name in packages() if name in known]
    return {
        i.KEY: Paper(i.KEY, i.TITLE, i.AUTHORS, i.VENUE, tuple(i.STATEMENTS), tuple(i.ALGORITHMS), i)
        for i in found
    }


def paper(key: str) -> Paper:
    """The paper with this key.

    Raises: UnknownName with the nearest key.
    """
    if key not in papers():
        raise UnknownName("paper", key, papers())
    return papers()[key]


def data(key: str, name: str) -> Any:
    """What a paper's index points to by this name, such as SETTINGS; an empty tuple where it has none."""
    index = paper(key).index
    where = getattr(index, name, None)
    return () if where is None else at_address(index, where)


def at_address(index: ModuleType, where: str) -> Any:
    """The value at an address `module:NAME` beside a paper's index."""
    module, name = where.split(":")
    return getattr(import_module(f"{index.__package__}.{module}"), name)
