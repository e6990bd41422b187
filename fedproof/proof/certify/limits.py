"""How long a search may go on: a bound on the processor time of its thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import thread_time

_END: ContextVar[float] = ContextVar("end", default=inf)


class NotFound(ValueError):
    """No certificate was found: of a tree, or why in words."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Whatever is searched inside ends after so much processor time, or sooner if a search around it does."""
    mark = _END.set(min(_END.get(), thread_time() + seconds))
    try:
        yield
    finally:
        _END.reset(mark)


def still() -> None:
    """Whether there is time left.

    Raises: NotFound.
    """
    if thread_time() > _END.get():
        raise NotFound("none within the processor time that was given")


def left(most: float) -> float:
    """The processor time that is left, but no more than so much.

    Raises: NotFound.
    """
    still()
    return min(most, _END.get() - thread_time())
