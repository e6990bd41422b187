"""Algorithms and their parts by name: one file each, ours and those of other distributions."""

from __future__ import annotations

from typing import Any

from fedproof.vocabulary.discovery import addresses, load
from fedproof.vocabulary.errors import InputError

# The parts of an algorithm, by the name of the field that holds one.
_KINDS = {
    "algorithm": "algorithms",
    "compressor": "compressors",
    "gradient_compressor": "compressors",
    "hessian_compressor": "compressors",
    "local_solver": "local_solvers",
}


def algorithm_names() -> tuple[str, ...]:
    """Every algorithm that can be run, without importing any.

    >>> {"fedavg", "fedprox"} <= set(algorithm_names())
    True
    """
    return part_names("algorithm")


def algorithm_class(name: str) -> Any:
    """The frozen dataclass of an algorithm: the class in its file whose `name` is the file's.

    Raises: UnknownName with the nearest known one; InputError if the file holds no such class.

    >>> algorithm_class("fedavg").__name__
    'FedAvg'
    """
    return part_class("algorithm", name)


def part_names(kind: str) -> tuple[str, ...]:
    """Every part of a kind, without importing any.

    >>> part_names("local_solver")[0]
    'gradient_descent'
    """
    return tuple(addresses(_KINDS[kind]))


def part_class(kind: str, name: str) -> Any:
    """The frozen dataclass of a part.

    Raises: UnknownName with the nearest known one; InputError if the file holds no such class.
    """
    part = load(_KINDS[kind], name, kind)
    own = [v for v in vars(part).values() if isinstance(v, type) and vars(v).get("name") == name]
    if not own:
        raise InputError(f"{kind} {name}", part.__name__, f'a class with name = "{name}" in it')
    return own[0]
