"""Finds figures by file name, without importing them: listing loads neither Matplotlib nor SymPy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, cast

from fedproof.vocabulary.errors import UnknownName

if TYPE_CHECKING:
    from fedproof.figures.spec import FigureModule

__all__ = ["figure_ids", "load"]


@cache
def _packages() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Paper key -> package of its figures and the folders that hold it; others' may add, not replace."""
    here = Path(__file__).parent
    found: dict[str, tuple[str, tuple[str, ...]]] = {
        m.name: (f"{__package__}.{m.name}", (str(here / m.name),))
        for m in iter_modules([str(here)])
        if m.ispkg
    }
    for point in entry_points(group="fedproof.figures"):
        spec = find_spec(point.value)
        if spec is not None and spec.submodule_search_locations and point.name not in found:
            found[point.name] = (point.value, tuple(spec.submodule_search_locations))
    return found


def figure_ids(key: str | None = None) -> tuple[str, ...]:
    """Ids of a paper's figures, or of all: the paper's key and the figure's file name.

    >>> "fedproxvr.figure1" in figure_ids("fedproxvr"), figure_ids("nobody")
    (True, ())
    """
    keys = [key] if key is not None else sorted(_packages())
    return tuple(f"{k}.{name}" for k in keys for name in _files(k))


def _files(key: str) -> Iterator[str]:
    folders = _packages().get(key, ("", ()))[1]
    names = [m.name for m in iter_modules(folders) if not m.ispkg and not m.name.startswith("_")]
    yield from sorted(names, key=_place)


def _place(name: str) -> tuple[bool, str, int, str]:
    """The paper's own figures and tables by number, then the rest by name."""
    own = re.fullmatch(r"(figure|table)(\d+)(\w*)", name)
    return (False, own[1], int(own[2]), own[3]) if own else (True, name, 0, "")


def load(id: str) -> FigureModule:
    """The figure with this id.

    Raises: UnknownName with the nearest id.
    """
    for key, (package, _) in _packages().items():
        for name in _files(key):
            if f"{key}.{name}" == id:
                return cast("FigureModule", import_module(f"{package}.{name}"))
    raise UnknownName("figure", id, figure_ids())
