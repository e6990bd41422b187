"""The distinct errors of a paper, as data: what the report counts once, however many lines it spoils."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One error.

    Arguments:
        why: what is wrong, in one sentence without its full stop.
        ids: the refuted statements and lines that it spoils, the most telling first; each has one fault.
    """

    why: str
    ids: tuple[str, ...]
