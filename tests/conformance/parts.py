"""Every part that is discovered, ours and other distributions': a bad one fails where it is asked for."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from math import ceil
from typing import Any

from fedproof.bounds import catalog
from fedproof.tuning.api import tuner
from fedproof.vocabulary.discovery import addresses, packages, paper_modules
from fedproof.vocabulary.papers import Paper, papers

#: one in so many is looked at by `make test`, the others by `make audit-deep`
ONE_IN = 40


@dataclass(frozen=True)
class Part:
    """Something discovered.

    Arguments:
        id: as a user asks for it.
        load: gives it, or raises what is wrong with it.
    """

    id: str
    load: Callable[[], Any]


def _module(address: str, name: str = "") -> Any:
    module = import_module(address)
    return getattr(module, name) if name else module


def _each(found: dict[str, str], name: str = "") -> tuple[Part, ...]:
    return tuple(Part(id, partial(_module, address, name)) for id, address in sorted(found.items()))


def _papers() -> list[Paper]:
    """Papers whose index can be read; `paper_parts` holds all."""
    try:
        return list(papers().values())
    except Exception:
        return []


def _of_paper(find: Callable[[str], tuple[Any, ...]], name: Callable[[Any], str]) -> tuple[Part, ...]:
    """What papers hold as data; where it cannot be read, one part that says why."""
    found: list[Part] = []
    for paper in _papers():
        try:
            found += [Part(name(x), partial(_same, x)) for x in find(paper.key)]
        except Exception:
            found.append(Part(paper.key, partial(find, paper.key)))
    return tuple(found)


def _same(value: Any) -> Any:
    return value


def _statements() -> tuple[Part, ...]:
    return tuple(Part(id, partial(catalog.statement, id)) for p in _papers() for id in p.statements)


def _tuners() -> tuple[Part, ...]:
    found: list[Part] = []
    for key, address in paper_modules("tuner").items():
        try:
            found += [Part(id, partial(tuner, id)) for id in import_module(address).TUNES]
        except Exception:
            found.append(Part(key, partial(import_module, address)))
    return tuple(found)


_FINDERS: dict[str, Callable[[], tuple[Part, ...]]] = {
    "paper": lambda: _each({k: f"{package}.index" for k, package in packages().items() if _is_paper(k)}),
    "statement": _statements,
    "step": lambda: _of_paper(catalog.steps, lambda s: s.id),
    "setting": lambda: _of_paper(catalog.settings, lambda s: f"{s.paper}: {s.where}"),
    "check": lambda: _each(paper_modules("checks"), "CHECK"),
    "figure": lambda: _each(paper_modules("figures")),
    "tuner": _tuners,
    "problem": lambda: _each(dict(addresses("problems"))),
}
KINDS = tuple(_FINDERS)


def _is_paper(key: str) -> bool:
    return key in paper_modules("index")


@cache
def parts(kind: str) -> tuple[Part, ...]:
    """All parts of a kind."""
    return _FINDERS[kind]()


def sampled(kind: str) -> frozenset[str]:
    """Ids of the seeded share of a kind that `make test` looks at."""
    ids = sorted(part.id for part in parts(kind))
    return frozenset(random.Random(f"conformance of {kind}").sample(ids, ceil(len(ids) / ONE_IN)))
