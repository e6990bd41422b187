"""Algorithms by name: one file each, ours and those of other distributions."""

from __future__ import annotations

from typing import Any

from fedproof.problems.discovery import found, load
from fedproof.vocabulary.errors import InputError

__all__ = ["algorithm_class", "algorithm_names"]

_PACKAGE, _GROUP = "fedproof.solvers.algorithms", "fedproof.algorithms"


def algorithm_names() -> tuple[str, ...]:
    """Every algorithm that can be run, without importing any.

    >>> algorithm_names()[:2]
    ('fedavg', 'fedproxvr')
    """
    return tuple(found(_PACKAGE, _GROUP))


def algorithm_class(name: str) -> Any:
    """The frozen dataclass of an algorithm: the class in its file whose `name` is the file's.

    Raises: UnknownName with the nearest known one; InputError if the file holds no such class.

    >>> algorithm_class("fedavg").__name__
    'FedAvg'
    """
    part = load(_PACKAGE, _GROUP, name, "algorithm")
    if isinstance(part, type):
        return part
    own = [v for v in vars(part).values() if isinstance(v, type) and vars(v).get("name") == name]
    if not own:
        raise InputError(f"algorithm {name}", part.__name__, f'a class with name = "{name}" in it')
    return own[0]
