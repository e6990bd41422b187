"""What long work tells: what is being done, and how long is left by the seconds that it took before."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from fedproof.vocabulary.files import cache_folder, write_whole

Note = Callable[[str], Any]
"""Called with a few words as work goes on."""


def left_words(durations: Iterable[float | None], gone: float = 0.0) -> tuple[str, ...]:
    """How long is left, in words; nothing where nothing is known of any piece that is left.

    Arguments:
        durations: seconds that each piece took the last time, the current one among them; None is unknown.
        gone: seconds that the current one took so far.

    >>> left_words([70.0, 31.0], 10.0), left_words([60.0, None]), left_words([None])
    (('about 90 s left',), ('at least 60 s left',), ())
    """
    pieces = list(durations)
    known = [s for s in pieces if s is not None]
    left = max(0.0, sum(known) - gone)
    if left < 1:
        return ()
    rounded = round(left, -1) if left > 20 else round(left)
    return (f"{'about' if len(known) == len(pieces) else 'at least'} {rounded:.0f} s left",)


class Pieces:
    """Pieces of a command's work in their order, with the seconds that each took before.

    Arguments:
        command: under which durations are stored.
        names: of the pieces; none where they are not known, and then nothing is told or stored.
    """

    def __init__(self, command: str, names: Sequence[str] = ()) -> None:
        self._command, self._left = command, list(names)
        self._before = last_durations(command) if names else {}
        self._took: dict[str, float] = {}
        self._since = time.monotonic()

    def finish(self, name: str) -> None:
        """A piece is done; those of no known name count for nothing."""
        now = time.monotonic()
        if name in self._left:
            self._left.remove(name)
            self._took[name] = now - self._since
        self._since = now

    def next_words(self) -> str:
        """What is being computed, and how long is left."""
        durations = [self._before.get(name) for name in self._left]
        return ", ".join([*self._left[:1], *left_words(durations)])

    def store(self) -> None:
        """Keep the durations for the next time."""
        store_durations(self._command, self._took)


def last_durations(command: str) -> dict[str, float]:
    """Seconds that the pieces of a command took when they were last done; empty where nothing is stored."""
    home = cache_folder()
    with suppress(OSError, ValueError, AttributeError, TypeError):
        if home is not None:
            found = json.loads((home / "durations" / f"{command}.json").read_text(encoding="utf-8"))
            return {str(name): float(seconds) for name, seconds in found.items()}
    return {}


def store_durations(command: str, seconds: Mapping[str, float]) -> None:
    """Add to what is stored; where nothing can be written, nothing is."""
    home = cache_folder()
    if home is None or not seconds:
        return
    with suppress(OSError):
        folder = home / "durations"
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({**last_durations(command), **seconds})
        write_whole(folder / f"{command}.json", text.encode())
