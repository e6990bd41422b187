"""Figures by id, found without importing them: listing loads neither Matplotlib nor SymPy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from fedproof.vocabulary.discovery import paper_modules, read
from fedproof.vocabulary.errors import UnknownName

if TYPE_CHECKING:
    from fedproof.figures.spec import FigureModule


def figure_ids(key: str | None = None) -> tuple[str, ...]:
    """Ids of a paper's figures, or of all: the paper's key and the figure's file name.

    >>> "fedproxvr.figure1" in figure_ids("fedproxvr"), figure_ids("nobody")
    (True, ())
    """
    known = (id.partition(".") for id in paper_modules("figures"))
    chosen = [(k, name) for k, _, name in known if key in (None, k)]
    return tuple(f"{k}.{name}" for k, name in sorted(chosen, key=lambda pair: (pair[0], _place(pair[1]))))


def _place(name: str) -> tuple[bool, str, int, str]:
    """The paper's own figures and tables by number, then the rest by name."""
    own = re.fullmatch(r"(figure|table)(\d+)(\w*)", name)
    return (False, own[1], int(own[2]), own[3]) if own else (True, name, 0, "")


def load(id: str) -> FigureModule:
    """The figure with this id.

    Raises: UnknownName with the nearest id.
    """
    known = paper_modules("figures")
    if id not in known:
        raise UnknownName("figure", id, figure_ids())
    return cast("FigureModule", read(known[id], lambda module: module))
