"""What a command writes, to the end or until nobody reads it any more."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer

from fedproof.vocabulary.errors import ClusterLost, FedproofError, InternalError, LeftOut
from fedproof.vocabulary.printable import printable

CLOSED = 141
"""Exit code after the reader of the output has gone, as shells count it: 128 + SIGPIPE."""
#: exit code after Ctrl-C, as shells count it, and what is said then
INTERRUPTED, STOPPED = 130, "interrupted; files that were written are kept"


def to_the_end(command: Callable[[], Any]) -> int:
    """Run a command and write all of its output; return its exit code.

    Returns: what the command returned, nothing being 0; `CLOSED`, with nothing on stderr, if the reader of
        the output had gone before its end, as in `fedproof run fedavg | head -1`.

    >>> to_the_end(lambda: None)
    0
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
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


@contextmanager
def said_once() -> Iterator[Callable[[str, int], int]]:
    """How a command fails in one line on stderr; what is left out of others' papers is such a line too."""
    told: set[str] = set()
    plain = warnings.showwarning

    def fail(message: str, code: int) -> int:
        line = "fedproof: " + printable(" ".join(message.split()))
        if line not in told:
            sys.stderr.write(f"{line}\n")
        told.add(line)
        return code

    def show(message: Warning | str, category: type[Warning], *where: Any) -> None:
        if issubclass(category, LeftOut):
            fail(str(message), 0)
        else:
            plain(message, category, *where)

    with warnings.catch_warnings():
        warnings.simplefilter("always", LeftOut)
        warnings.showwarning = show  # type: ignore[assignment]
        yield fail


def exit_code(command: Callable[[], Any]) -> int:
    """Run a command: 0 done, 1 a check failed or an error of ours, 2 bad input, 130 stopped."""
    with said_once() as fail:
        try:
            code = to_the_end(command)
            return fail(STOPPED, INTERRUPTED) if code == INTERRUPTED else code
        except typer.Exit as stop:
            return fail(STOPPED, INTERRUPTED) if stop.exit_code == INTERRUPTED else int(stop.exit_code)
        except (KeyboardInterrupt, typer.Abort):
            return fail(STOPPED, INTERRUPTED)
        except InternalError as error:
            return fail(f"internal contradiction, please report it: {error}", 1)
        except ClusterLost as error:
            return fail(str(error), INTERRUPTED)
        except FedproofError as error:
            return fail(str(error), 2)
        except OSError as error:
            return fail(f"{error.filename or 'file'}: {error.strerror or error}", 2)
        except Exception as error:
            # an interrupt that Python met between two of its own steps comes as the cause of an error of its
            if isinstance(error, SystemError) and isinstance(error.__cause__, KeyboardInterrupt):
                return fail(STOPPED, INTERRUPTED)
            if not hasattr(error, "format_message"):
                raise
            return fail(f"{error.format_message()} See fedproof --help.", 2)
