"""Finds checks: files of `validate/checks/<key>`, and modules of the entry-point group `fedproof.checks`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import iter_modules

from fedproof.validate import checks as _checks
from fedproof.validate.verdict import Check
from fedproof.vocabulary.errors import InputError

__all__ = ["GROUP", "checks"]

GROUP = "fedproof.checks"


def checks() -> dict[str, Check]:
    """Every check by its qualified name: the paper's key and the file's name, or the entry point's name.

    Raises: InputError where two modules have one name; none of them is left out unseen.

    >>> "fedproxvr.lemma1.sarah" in checks()["fedproxvr.lemma1"].ids
    True
    """
    modules: dict[str, str] = {}
    for name, module in (*_ours(), *((p.name, p.value) for p in entry_points(group=GROUP))):
        if modules.setdefault(name, module) != module:
            raise InputError(f"check {name}", f"{modules[name]} and {module}", "one module", "rename one")
    return {name: import_module(modules[name]).CHECK for name in sorted(modules)}


def _ours() -> Iterator[tuple[str, str]]:
    for folder in map(Path, _checks.__path__):
        for paper in (m.name for m in iter_modules([str(folder)]) if m.ispkg):
            for found in iter_modules([str(folder / paper)]):
                if not found.name.startswith("_"):
                    yield f"{paper}.{found.name}", f"{_checks.__name__}.{paper}.{found.name}"
