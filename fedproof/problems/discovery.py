"""Finding parts by file name, ours and those that other distributions announce as entry points."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Any

from fedproof.vocabulary.errors import UnknownName

__all__ = ["found", "load", "parts"]


def found(package: str, group: str) -> dict[str, str]:
    """Names of the parts and where each comes from; nothing of theirs is imported.

    Arguments:
        package: import name of our package whose modules are the parts.
        group: entry-point group of other distributions; a name of ours is not overridden.

    >>> "fedavg" in found("fedproof.solvers.algorithms", "fedproof.algorithms")
    True
    """
    theirs = {point.name: point.value for point in entry_points(group=group)}
    ours = {m.name: f"{package}.{m.name}" for m in iter_modules(import_module(package).__path__)}
    return dict(sorted((theirs | ours).items()))


def load(package: str, group: str, name: str, what: str) -> Any:
    """The part of this name: a module of ours, or what an entry point names.

    Raises: UnknownName with the nearest known one.
    """
    known = found(package, group)
    if name not in known:
        raise UnknownName(what, name, known)
    return _part(known[name])


def parts(package: str, group: str) -> dict[str, Any]:
    """All parts by name, imported.

    >>> "iid" in parts("fedproof.problems.splits", "fedproof.problems.splits")
    True
    """
    return {name: _part(address) for name, address in found(package, group).items()}


def _part(address: str) -> Any:
    module, _, attribute = address.partition(":")
    part = import_module(module)
    return getattr(part, attribute) if attribute else part
