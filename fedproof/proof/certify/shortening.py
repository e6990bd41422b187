"""A proof without the lines that its last line does not need.

What is said of numbers alone is kept: by it what is divided by is known not to be 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

#: how many lines a rule grants to the proof inside
_GRANTED = {"all": 2, "every": 0}


def shortened(lines: Sequence[Any], given: Sequence[Any]) -> tuple[list[Any], list[int]]:
    """The lines that the last one needs, numbered anew, and which hypotheses these take.

    Arguments:
        given: the hypotheses.
    """
    kept, _ = _needed(lines, 0)
    taken = sorted({lines[k][1][1] for k in kept if lines[k][1][0] == "given"})
    hypotheses = {old: new for new, old in enumerate(taken)}
    found = _renumbered(lines, kept, 0, 0, {}, hypotheses)
    assert all(0 <= k < len(given) for k in taken)
    return found, taken


def _needed(lines: Sequence[Any], start: int) -> tuple[list[int], set[int]]:
    """The lines that the last one needs, from a number on, and those before that they take."""
    wanted = {start + len(lines) - 1} | {start + k for k, (said, _) in enumerate(lines) if _plain(said)}
    kept: list[int] = []
    before: set[int] = set()
    for k in range(start + len(lines) - 1, start - 1, -1):
        if k not in wanted:
            continue
        kept.append(k - start)
        by = lines[k - start][1]
        if by[0] in _GRANTED:
            first = k + _GRANTED[by[0]]
            _, taken = _needed(by[1], first)
            taken = {t for t in taken if t < k}
        else:
            taken = set() if by[0] == "given" else {n for n in _numbers(by[1:]) if n < k}
        wanted |= taken
        before |= {t for t in taken if t < start}
    return sorted(kept), before


def _plain(said: Any) -> bool:
    """Whether a line is a relation between numbers that speaks of no functions."""
    return said[0] in ("<", "<=", "!=") and not _speaks(said)


def _speaks(tree: Any) -> bool:
    return isinstance(tree, tuple) and (tree[0] in ("of", "n2", "ip", "sum") or any(map(_speaks, tree[1:])))


def _renumbered(
    lines: Sequence[Any], kept: Sequence[int], old: int, new: int, move: Mapping[int, int],
    hypotheses: Mapping[int, int],
) -> list[Any]:  # fmt: skip
    """Lines that are kept, with what they take by its new number.

    Arguments:
        old, new: the number of the first line, before and now.
        move: new numbers of the lines before.
    """
    move = {**move, **{old + k: new + place for place, k in enumerate(kept)}}
    found = []
    for place, k in enumerate(kept):
        relation, by = lines[k]
        if by[0] == "given":
            by = ("given", hypotheses[by[1]])
        elif by[0] in _GRANTED:
            count, here, there = _GRANTED[by[0]], old + k, new + place
            inside, _ = _needed(by[1], here + count)
            moved = {n: m for n, m in move.items() if n < here} | {here + j: there + j for j in range(count)}
            by = (by[0], tuple(_renumbered(by[1], inside, here + count, there + count, moved, hypotheses)))
        else:
            by = (by[0], *(_moved(p, move, old + k, new + place) for p in by[1:]))
        found.append((relation, by))
    return found


def _moved(part: Any, move: Mapping[int, int], old: int, new: int) -> Any:
    """A part of a rule with new numbers; what counts on from its line goes on doing so."""
    if isinstance(part, tuple):
        return tuple(_moved(p, move, old, new) for p in part)
    if type(part) is not int:
        return part
    return move[part] if part < old else part - old + new


def _numbers(part: Any) -> Iterator[int]:
    if isinstance(part, tuple):
        for p in part:
            yield from _numbers(p)
    elif type(part) is int:
        yield part
