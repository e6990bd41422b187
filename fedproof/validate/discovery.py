"""Finds checks: the files of `validate/checks`, then modules of the entry-point group `fedproof.checks`."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules

from fedproof.validate import checks as _checks
from fedproof.validate.verdict import Check

__all__ = ["GROUP", "checks"]

GROUP = "fedproof.checks"


def checks() -> dict[str, Check]:
    """Every check by the name of its file.

    >>> "fedproxvr.lemma1.sarah" in checks()["lemma1"].ids
    True
    """
    names = [f"{_checks.__name__}.{m.name}" for m in iter_modules(_checks.__path__)]
    names += [point.value for point in entry_points(group=GROUP)]
    found: dict[str, Check] = {}
    for name in sorted(names):
        found[name.rpartition(".")[2]] = import_module(name).CHECK
    return found
