"""Text that a terminal shows as it is: what would move the cursor or change colours is written out."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""A text without control characters, each written as Python writes it; line breaks stay.

    >>> printable("\x1b[31mred\n"), printable("σ² café")
    ('\\x1b[31mred\n', 'σ² café')
    """
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def on_one_line(text: str) -> str:
    r"""The same with its line breaks written out too.

    >>> on_one_line("a\nb\x0b")
    'a\\nb\\x0b'
    """
    return printable(text).replace("\n", "\\n")
