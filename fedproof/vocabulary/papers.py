"""Papers by key: what each one's literal index says, and the data it points to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, TypeVar

from fedproof.vocabulary.discovery import alone, packages, paper_modules, read, readable
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.own_file import FORGET

T = TypeVar("T")


@dataclass(frozen=True)
class Paper:
    """A paper's literal index, and in which of its modules each statement stands."""

    key: str
    title: str
    authors: str
    venue: str
    statements: tuple[str, ...]
    algorithms: tuple[str, ...]
    index: ModuleType
    where: Mapping[str, str]

    @property
    def facts(self) -> dict[str, Any]:
        """How it is cited, by key."""
        return {name: getattr(self, name) for name in ("key", "title", "authors", "venue")}


@cache
def papers() -> dict[str, Paper]:
    """Every paper: the folders of `fedproof/papers`, then packages of the group `fedproof.papers`.

    >>> papers()["fedproxvr"].venue
    'ICPP 2020'
    """
    known = paper_modules("index")
    return readable((key for key in packages() if key in known), _read)


FORGET.append(papers.cache_clear)


def _read(key: str) -> Paper:
    return read(paper_modules("index")[key], lambda index: _paper(key, index))


def _paper(key: str, index: ModuleType) -> Paper:
    if alone(index.__name__):
        return _of_file(key, index)
    if index.KEY != key:
        expected = f'KEY = "{key}", as the package is announced'
        raise InputError(f"index of {key}", f"KEY {index.KEY}", expected, "mend KEY")
    where = {id: module for module, ids in index.STATEMENTS for id in ids}
    facts = (index.KEY, index.TITLE, index.AUTHORS, index.VENUE)
    return Paper(*facts, tuple(where), tuple(index.ALGORITHMS), index, where)


def _of_file(key: str, module: ModuleType) -> Paper:
    """A paper in one file: its facts may be missing, its statements are those that it defines."""
    said = (module.__doc__ or key).strip().splitlines()[0].rstrip(".")
    facts = (getattr(module, "TITLE", said), getattr(module, "AUTHORS", ""), getattr(module, "VENUE", ""))
    ids = tuple(v.id for v in vars(module).values() if type(v).__name__ == "Statement")
    twice = next((id for id in ids if ids.count(id) > 1), None)
    if twice is not None:
        raise InputError("id of a statement", f"{twice} twice", "an id of its own for each", "rename one")
    foreign = next((id for id in ids if not id.startswith(f"{key}.")), None)
    if foreign is not None:
        raise InputError("id of a statement", foreign, f"one that begins with {key}., as the file is named")
    return Paper(key, *facts, ids, tuple(getattr(module, "ALGORITHMS", ())), module, dict.fromkeys(ids, ""))


def inside(index: ModuleType, name: str) -> str:
    """The address of a module of a paper, which is the paper's file where it is one file."""
    return index.__name__ if alone(index.__name__) else f"{index.__package__}.{name}"


def paper(key: str) -> Paper:
    """The paper with this key.

    Raises: UnknownName with the nearest key; BrokenPart for one that is there and cannot be read.
    """
    if key not in papers():
        raise unknown("paper", key, papers())
    return papers()[key]


def unknown(what: str, id: str, known: Iterable[str]) -> InputError:
    """The error for an id that is not known: what is wrong with its paper, or the nearest known one."""
    key = id.partition(".")[0]
    if key not in papers() and key in paper_modules("index"):
        _read(key)
    return UnknownName(what, id, known)


def data(key: str, name: str) -> Any:
    """What a paper's index points to by this name, such as SETTINGS; an empty tuple where it has none."""

    def pointed(index: ModuleType) -> Any:
        where = getattr(index, name, None)
        if where is None or not isinstance(where, str):
            return where or ()
        module, _, value = where.partition(":")
        return read(inside(index, module), lambda module: getattr(module, value))

    return read(paper(key).index.__name__, pointed)


def letters_of(key: str) -> tuple[Any, ...]:
    """A paper's letters: name, meaning and LaTeX each; none where its index points to no notation."""
    notation = data(key, "NOTATION")
    return tuple(notation.letters()) if notation else ()


def named(kind: str, name: str, known: Mapping[str, T]) -> T:
    """What papers add to a vocabulary, by name: a tuple that an index points to as QUANTITIES or METRICS.

    Arguments:
        kind: "quantity" or "metric".
        name: what is looked for.
        known: the vocabulary.

    Raises: UnknownName with the nearest name; InputError where a paper gives a known name another meaning.
    """
    pointer = {"quantity": "QUANTITIES", "metric": "METRICS"}[kind]
    every = readable(papers(), lambda key: data(key, pointer))
    more = [x for found in every.values() for x in found]
    added = {x.name: x for x in reversed(more)}
    taken = sorted(x.name for x in more if known.get(x.name, added[x.name]) != x)
    if taken:
        raise InputError(kind, taken[0], "a name that has no other meaning", f"rename it in {pointer}")
    if name not in added:
        raise UnknownName(kind, name, [*known, *added])
    found: T = added[name]
    return found
