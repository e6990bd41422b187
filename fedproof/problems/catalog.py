"""From a word or a path to a problem."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fedproof.problems.discovery import found, load
from fedproof.problems.federate import federate, federated
from fedproof.problems.problem import Problem
from fedproof.problems.readers import read_dataset
from fedproof.vocabulary.errors import InputError, UnknownName

__all__ = ["make_problem", "problem_names"]

_PACKAGE, _GROUP = "fedproof.problems.instances", "fedproof.problems"
#: what a made problem can hold in memory
MOST_CLIENTS = 100_000
_FILE_CLIENTS = 10


def problem_names() -> tuple[str, ...]:
    """Words that `make_problem` knows.

    >>> problem_names()
    ('breast_cancer', 'digits', 'quadratic', 'synthetic')
    """
    return tuple(found(_PACKAGE, _GROUP))


def make_problem(
    name: str | Path, clients: int | None = None, seed: int = 0, options: Mapping[str, Any] | None = None
) -> Problem:
    """A problem by its word, or softmax regression on a user's file.

    Arguments:
        name: a word of `problem_names`, or the path of a .csv or .npz file.
        clients: how many; each problem has a default.
        seed: of the problem's own draws and split, apart from the run's.
        options: further arguments of the problem's builder.

    Raises: UnknownName for a word or option that is not known; InputError or DataError for the rest.
    """
    if clients is not None and (isinstance(clients, bool) or not isinstance(clients, int) or clients < 1):
        raise InputError("clients", clients, "a whole number >= 1")
    if clients is not None and clients > MOST_CLIENTS:
        raise InputError("clients", clients, f"at most {MOST_CLIENTS}", f"write --clients {MOST_CLIENTS}")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 64:
        raise InputError("problem_seed", seed, "a whole number from 0 to 2^64 - 1")
    given = dict(options or {}) | ({} if clients is None else {"clients": clients}) | {"seed": seed}
    if isinstance(name, Path) or name.endswith((".csv", ".npz")) or "/" in name or "\\" in name:
        data = read_dataset(name)
        return _call(federate, (federated,), {"data": data, "clients": _FILE_CLIENTS} | given)
    part = load(_PACKAGE, _GROUP, name, "problem")
    return _call(part.build, getattr(part, "FORWARDS", ()), given)


def _call(builder: Any, forwards: tuple[Any, ...], given: Mapping[str, Any]) -> Problem:
    """Build, after refusing options that neither the builder nor what it hands options to knows."""
    inner = ("data", "parts", "name", "options")
    each = [n for f in (builder, *forwards) for n in inspect.signature(f).parameters if n not in inner]
    names = list(dict.fromkeys(each))
    for option in given:
        if option not in (*names, "data"):
            raise UnknownName("problem option", option, names)
    problem: Problem = builder(**given)
    return problem
