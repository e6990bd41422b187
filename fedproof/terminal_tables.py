"""Tables as wide as a terminal: what is too wide is folded at spaces, into headed rows, or into records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table as RichTable
from rich.text import Text

from fedproof.vocabulary.printable import printable
from fedproof.vocabulary.result import Table, cell

Rows = Sequence[Sequence[str]]
#: columns that a box and a space at each side take beside the cells, for each cell and for all
_BOX, _EDGE = 3, 1
#: at most so many cells, such as a number and an id, head a row
_NAMED = 2
#: between the cells of a headed row, and before the first
_GAP, _INDENT = 2, 2


def drawn(table: Table, width: int) -> Iterator[RenderableType]:
    """A table for a terminal of this width, in which no word is broken that fits into a line.

    Where its columns do not fit side by side the first ones, up to that with the longest names, become a line
    above the others; where these do not fit either, each row is a record of lines.

    >>> [type(part).__name__ for part in drawn(Table("", ("a", "b"), (("x", 1),)), 80)]
    ['Table']
    """
    rows = [[printable(cell(value)) for value in row] for row in table.rows]
    columns = [[name, *texts] for name, *texts in zip(table.columns, *rows, strict=True)]
    least = [max(map(_longest_word, column)) for column in columns]
    most = [max(map(_longest_line, column)) for column in columns]
    if sum(least) + _BOX * len(columns) + _EDGE <= width or len(columns) < 3 or not rows:
        yield _boxed(table, rows, _shared(least, most, width - _BOX * len(columns) - _EDGE))
        return
    if table.title:
        yield Text(printable(table.title), style="italic")
    above = least.index(max(least)) + 1
    room = width - _INDENT - _GAP * (len(columns) - above - 1)
    if above <= _NAMED and above < len(columns) and sum(least[above:]) <= room:
        yield from _headed(table.columns, rows, above, _shared(least[above:], most[above:], room))
        return
    yield from _records(table.columns, rows)


def _boxed(table: Table, rows: Rows, widths: Sequence[int]) -> RichTable:
    """All columns beside each other; a word that is wider than its column is broken."""
    title = Text(printable(table.title), style="table.title") if table.title else None
    made = RichTable(title=title, title_justify="left", show_header=any(table.columns))
    for name, width in zip(table.columns, widths, strict=True):
        made.add_column(name, overflow="fold", width=width)
    for row in rows:
        made.add_row(*map(Text, row))
    return made


def _headed(names: Sequence[str], rows: Rows, above: int, widths: Sequence[int]) -> Iterator[RenderableType]:
    """Each row as a line of its first cells and, below it, the others in columns."""
    yield Text(_joined(names[:above]), style="bold")
    yield _line(names[above:], widths, style="bold")
    yield Rule(style="none")
    for row in rows:
        yield Text(_joined(row[:above]), style="bold", overflow="fold")
        yield _line(row[above:], widths)
    yield Text()


def _line(cells: Sequence[str], widths: Sequence[int], style: str = "") -> Padding:
    """Cells in columns of given widths."""
    grid = RichTable.grid(padding=(0, _GAP, 0, 0))
    for width in widths:
        grid.add_column(width=width, overflow="fold", style=style)
    grid.add_row(*map(Text, cells))
    return Padding(grid, (0, 0, 0, _INDENT))


def _records(names: Sequence[str], rows: Rows) -> Iterator[RenderableType]:
    """Each row as a line of its first cell and a line for each other one, with the column's name."""
    for row in rows:
        yield Rule(style="none")
        yield Text(row[0], style="bold", overflow="fold")
        grid = RichTable.grid(padding=(0, _GAP, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for name, text in zip(names[1:], row[1:], strict=True):
            grid.add_row(Text(name), Text(text))
        yield Padding(grid, (0, 0, 0, _INDENT))
    yield Text()


def _joined(cells: Sequence[str]) -> str:
    return "  ".join(text for text in cells if text)


def _longest_line(text: str) -> int:
    return max(map(cell_len, text.splitlines()), default=0)


def _longest_word(text: str) -> int:
    """How narrow a cell can be; one of several lines, such as a formula, is not folded."""
    if "\n" in text:
        return _longest_line(text)
    return max(map(cell_len, text.split()), default=0)


def _shared(least: Sequence[int], most: Sequence[int], room: int) -> list[int]:
    """Widths of columns: what each needs at least, and what is left to those that can use it.

    >>> _shared([3, 4, 5], [3, 10, 30], 30), _shared([10, 10], [10, 10], 15)
    ([3, 10, 17], [7, 8])
    """
    widths = list(least)
    while sum(widths) > room:
        widths[widths.index(max(widths))] -= 1
    left = room - sum(widths)
    order = sorted(range(len(widths)), key=lambda k: most[k] - widths[k])
    for place, k in enumerate(order):
        more = min(max(most[k] - widths[k], 0), left // (len(order) - place))
        widths[k], left = widths[k] + more, left - more
    return [max(width, 1) for width in widths]
