"""What is reached from some things by going on from each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def reached(start: Iterable[T], more: Callable[[T], Iterable[T]]) -> set[T]:
    """Some things, all to which these lead, and so on.

    >>> sorted(reached([1], lambda n: [n + 1] if n < 3 else []))
    [1, 2, 3]
    """
    waiting = list(start)
    found = set(waiting)
    while waiting:
        new = set(more(waiting.pop())) - found
        found |= new
        waiting += new
    return found
