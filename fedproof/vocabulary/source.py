"""Where a statement stands in print."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """A place in a paper: its key and the equation, theorem or line.

    >>> str(Source("fedproxvr", "Lemma 1(a), eq. (13)"))
    'fedproxvr, Lemma 1(a), eq. (13)'
    """

    paper: str
    where: str

    def __str__(self) -> str:
        return f"{self.paper}, {self.where}"
