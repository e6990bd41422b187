"""What a command writes, to the end or until nobody reads it any more."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

CLOSED = 141
"""Exit code after the reader of the output has gone, as shells count it: 128 + SIGPIPE."""


def to_the_end(command: Callable[[], Any]) -> int:
    """Run a command and write all of its output; return its exit code.

    Returns: what the command returned, nothing being 0; `CLOSED`, with nothing on stderr, if the reader of
        the output had gone before its end, as in `fedproof run fedavg | head -1`.

    >>> to_the_end(lambda: None)
    0
    """
    try:
        code = int(command() or 0)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED
    except SystemExit as stop:
        # what the libraries that write to the terminal make of it
        if not isinstance(stop.__context__, BrokenPipeError):
            raise
        return CLOSED
    return code
