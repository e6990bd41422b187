"""One step of a proof as data, short enough for a referee to compare with the page."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from fedproof.vocabulary.source import Source

__all__ = ["Step"]


@dataclass(frozen=True)
class Step:
    """A numbered or needed (in)equality of a proof.

    Arguments:
        id: `<key>.eq<number>[letter]`, or any name in a notebook.
        claim: the relation as it stands on the page.
        given: the hypotheses it may use.
        rule: how it is to be decided ("real": polynomial real algebra with roots and quotients cleared).
        uses: ids of the steps it rests on.
        source: where it stands, if it stands in a paper.
    """

    id: str
    claim: sp.Basic
    given: tuple[sp.Basic, ...] = ()
    rule: str = "real"
    uses: tuple[str, ...] = ()
    source: Source | None = None
