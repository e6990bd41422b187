"""Results as rich tables on stdout, progress on stderr."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as RichTable

from fedproof.vocabulary.result import Result, cell


def show(result: Result) -> None:
    """Print a result: its headline, then its tables."""
    console = Console()
    if result.headline():
        console.print(result.headline(), markup=False, highlight=False, style="bold", soft_wrap=True)
    for table in result.tables():
        drawn = RichTable(title=table.title or None, title_justify="left", show_header=any(table.columns))
        for column in table.columns:
            drawn.add_column(column, overflow="fold")
        for row in table.rows:
            drawn.add_row(*(cell(v).replace("[", r"\[") for v in row))
        console.print(drawn)


@contextmanager
def progress(title: str, total: int | None, quiet: bool) -> Iterator[Callable[[str], None]]:
    """A progress bar on stderr, on a terminal only; yields the function that advances it.

    The function takes a note on what was just finished.
    """
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield _ignore
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=total)

        def advance(note: str = "") -> None:
            bar.update(task, advance=1, description=f"{title} {note}".rstrip())

        yield advance


def _ignore(note: str = "") -> None:
    """Progress that nobody watches."""
