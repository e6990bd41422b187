"""Worker processes: how they start, and that they end when the process that started them has ended."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from threading import Thread
from time import sleep

from joblib.externals.loky.backend.resource_tracker import ensure_running

#: seconds between two looks
EVERY = 0.5
_INTERRUPTS = (signal.SIGINT,)
#: Windows holds no signals back
_HOLDS = hasattr(signal, "pthread_sigmask")
_followed: set[int] = set()


@contextmanager
def starting_workers() -> Iterator[None]:
    """Around what starts workers: an interrupt waits for its end, and in them until they `follow`.

    A terminal interrupts all processes of a command, and one whose interpreter is only starting would tell
    of it at length.
    """
    # helpers of Python and of joblib, whose own start may let interrupts through again
    resource_tracker.ensure_running()
    ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS) if _HOLDS else ()
    try:
        yield
    finally:
        if _HOLDS:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def follow(parent: int) -> None:
    """End this process soon after the one that started it, also where that is gone before this one begins.

    What a worker process begins with (its pool's `initializer`): one that waits for work is left behind for
    minutes where its parent was killed, with what it holds of shared memory, and so is one that was only
    starting then. An interrupt that came in the meantime ends it without a word; later ones meet its work.

    Arguments:
        parent: the process that starts the worker; where that is this one, nothing is followed.

    >>> follow(os.getpid())
    """
    if os.getpid() == parent or parent in _followed:
        return
    _followed.add(parent)
    if _HOLDS:
        if signal.SIGINT in signal.sigpending():
            os._exit(1)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)
    Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: int) -> None:
    while os.getppid() == parent:
        sleep(EVERY)
    os._exit(1)
