"""How long a search, and each way within it, may go on: bounds on the processor time of its thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf
from time import thread_time


@dataclass
class Limit:
    """A bound on a search.

    Arguments:
        end: the processor time at which it ends.
        cut: whether it ended anything, so that more time may find more.
    """

    end: float = inf
    cut: bool = False


@dataclass
class Patience:
    """How long the ways within a search may take, so that a slow machine finds what a fast one does.

    Arguments:
        times: what their own shares of the time are multiplied by.
        short: whether a share ended a way.
    """

    times: float = 1.0
    short: bool = False


_LIMIT: ContextVar[Limit] = ContextVar("limit", default=Limit())  # noqa: B039
_PATIENCE: ContextVar[Patience] = ContextVar("patience", default=Patience())  # noqa: B039


class NotFound(ValueError):
    """No certificate was found: of a tree, or why in words."""


@contextmanager
def within(seconds: float) -> Iterator[Limit]:
    """Whatever is searched inside ends after so much processor time, or sooner if a search around it does."""
    around = _LIMIT.get()
    own = Limit(min(around.end, thread_time() + seconds))
    mark = _LIMIT.set(own)
    try:
        yield own
    finally:
        _LIMIT.reset(mark)
        around.cut |= own.cut and own.end == around.end


def still() -> None:
    """Whether there is time left.

    Raises: NotFound.
    """
    left(0.0)


def left(most: float) -> float:
    """The processor time that is left, but no more than so much.

    Raises: NotFound.
    """
    limit = _LIMIT.get()
    rest = limit.end - thread_time()
    limit.cut |= rest < most or rest <= 0
    if rest <= 0:
        raise NotFound("none within the processor time that was given")
    return min(most, rest)


@contextmanager
def patient(times: float) -> Iterator[Patience]:
    """Ways inside may take so many times their share."""
    mark = _PATIENCE.set(Patience(times))
    try:
        yield _PATIENCE.get()
    finally:
        _PATIENCE.reset(mark)


def share(seconds: float) -> float:
    """The processor time at which a way ends that may take so many seconds of a search."""
    return thread_time() + seconds * _PATIENCE.get().times


def over(end: float) -> bool:
    """Whether a way has had its share."""
    ended = thread_time() > end
    _PATIENCE.get().short |= ended
    return ended
