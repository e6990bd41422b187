"""Counts in words."""

from __future__ import annotations


def count(many: int, one: str, several: str = "") -> str:
    """A number of things in words.

    >>> count(1, "curve"), count(3, "curve"), count(0, "entry", "entries")
    ('1 curve', '3 curves', '0 entries')
    """
    return f"{many} {one if many == 1 else several or one + 's'}"
