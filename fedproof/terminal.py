"""Results as rich tables on stdout, progress on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Timer

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from fedproof.terminal_tables import drawn
from fedproof.vocabulary.printable import printable
from fedproof.vocabulary.progress import Note, Pieces
from fedproof.vocabulary.result import Result


def show(result: Result) -> None:
    """Print a result: its headline, then its tables."""
    console = Console()
    if result.headline():
        # a pipe gets one line; a terminal would break a long one within words
        whole = not console.is_terminal
        console.print(
            printable(result.headline()), markup=False, highlight=False, style="bold", soft_wrap=whole
        )
    for table in result.tables():
        for part in drawn(table, console.width):
            console.print(part)


@contextmanager
def progress(
    title: str, total: int | None, quiet: bool, names: Sequence[str] = (), lines: bool = False
) -> Iterator[Note]:
    """A progress bar on stderr, off a terminal one line if it takes long; yields what advances it.

    The function takes a note on what was just finished; where the pieces' names are known, the bar says
    which one is next and how long is left by the seconds that they took before.

    Arguments:
        names: of all pieces, in order, as they will be noted.
        lines: whether, off a terminal, each new part of the work (what a note says before a colon) is a line.
    """
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        with _line_by_line(title) if lines and not quiet else _said_once(title, quiet) as tell:
            yield tell
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    pieces = Pieces(title.partition(" ")[0], names)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(
            printable(f"{title} {pieces.next_words()}".rstrip()), total=total or len(names) or None
        )

        def advance(note: str = "") -> None:
            pieces.finish(note)
            said = f"{title} {pieces.next_words() or note}".rstrip()
            bar.update(task, advance=1, description=printable(said))

        try:
            yield advance
        finally:
            pieces.store()


@contextmanager
def waiting(title: str, quiet: bool = False, seconds: float = 2.0) -> Iterator[Note]:
    """What is being done, on stderr, once it has taken a while; yields the function that says what that is.

    Off a terminal it is one line after `SILENT` seconds.

    Arguments:
        seconds: how long nothing is shown on a terminal.
    """
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        with _said_once(title, quiet) as note:
            yield note
        return
    status = console.status(escape(printable(title)))

    def tell(note: str = "") -> None:
        status.update(escape(printable(f"{title}: {note}")))

    try:
        with _after(seconds, status.start):
            yield tell
    finally:
        status.stop()


#: seconds after which work is announced where there is no terminal
SILENT = 10.0


@contextmanager
def _said_once(title: str, quiet: bool) -> Iterator[Note]:
    """One line on stderr once the work has taken a while, with what was last noted of it."""
    last = ""

    def announce() -> None:
        done = f"; last: {last}" if last else ""
        print(
            printable(f"{title}: at work for {SILENT:g} s{done}; Ctrl-C ends it"), file=sys.stderr, flush=True
        )

    def tell(note: str = "") -> None:
        nonlocal last
        last = note

    if quiet:
        yield tell
        return
    with _after(SILENT, announce):
        yield tell


@contextmanager
def _after(seconds: float, do: Callable[[], object]) -> Iterator[None]:
    """Something is done beside the work if it takes so long; when this ends it is done or never will be."""
    timer = Timer(seconds, do)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


@contextmanager
def _line_by_line(title: str) -> Iterator[Note]:
    """One line on stderr for each part of the work."""
    said: list[str] = []

    def tell(note: str = "") -> None:
        part = note.partition(": ")[0]
        if part not in said[-1:]:
            said.append(part)
            print(printable(f"{title}: {part}"), file=sys.stderr)

    yield tell
