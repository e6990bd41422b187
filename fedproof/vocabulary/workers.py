"""Worker processes that end when the process that started them has ended, however it did."""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import Thread
from time import sleep
from typing import Any, TypeVar

T = TypeVar("T")

#: seconds between two looks
EVERY = 0.5
_followed: set[int] = set()


def followed(parent: int, work: Callable[..., T], *arguments: Any) -> T:
    """Do some work; where a worker does it, the worker ends soon after the process that sent it.

    A worker that waits for more is left behind for minutes where its parent was killed, with what it holds of
    shared memory.

    Arguments:
        parent: the process that sends the work; on another machine it is not this one's parent, and nothing
            is followed.

    >>> followed(os.getpid(), sum, [1, 2])
    3
    """
    if os.getppid() == parent and parent not in _followed:
        _followed.add(parent)
        Thread(target=_follow, args=(parent,), daemon=True).start()
    return work(*arguments)


def _follow(parent: int) -> None:
    while os.getppid() == parent:
        sleep(EVERY)
    os._exit(1)
