"""Worker processes that end when the process that started them has ended, however it did."""

from __future__ import annotations

import os
from threading import Thread
from time import sleep

#: seconds between two looks
EVERY = 0.5
_followed: set[int] = set()


def follow(parent: int) -> None:
    """End this process soon after the one that started it, also where that is gone before this one begins.

    What a worker process begins with (its pool's `initializer`): one that waits for work is left behind for
    minutes where its parent was killed, with what it holds of shared memory, and so is one that was only
    starting then.

    Arguments:
        parent: the process that starts the worker; where that is this one, nothing is followed.

    >>> follow(os.getpid())
    """
    if os.getpid() != parent and parent not in _followed:
        _followed.add(parent)
        Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: int) -> None:
    while os.getppid() == parent:
        sleep(EVERY)
    os._exit(1)
