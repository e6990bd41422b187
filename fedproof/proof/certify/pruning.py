"""Lines of a proof that nothing takes are left out: instances of what holds for every index."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

#: of each rule with proofs inside, where these stand, and how many lines it grants
_INSIDE = {
    "all": ((1,), 2),
    "every": ((1,), 0),
    "split": ((2, 3), 1),
    "induction": ((2,), 3),
    "name": ((1,), 1),
}

Number = Callable[[int], int]


def pruned(lines: Sequence[Any]) -> tuple[Any, ...]:
    """The same proof without instances that no line takes; what is left is numbered anew.

    >>> one, two, three = ("given", 0), ("instance", 0, "x", ()), ("vectors", "1", (("1", 0),), ())
    >>> pruned([("a", one), ("b", two), ("c", three)])
    (('a', ('given', 0)), ('c', ('vectors', '1', (('1', 0),), ())))
    """
    return _renumbered(_kept(lines, 0)[0], {})


def _kept(lines: Sequence[Any], first: int) -> tuple[list[tuple[int, Any, Any]], set[int]]:
    """Lines that are taken, with their numbers, and the numbers before the first that they take."""
    taken = {first + len(lines) - 1}
    found: list[tuple[int, Any, Any]] = []
    for place in range(first + len(lines) - 1, first - 1, -1):
        relation, by = lines[place - first]
        if by[0] == "instance" and place not in taken:
            continue
        own: set[int] = set()

        def note(k: int, own: set[int] = own) -> int:
            own.add(k)
            return k

        _numbers(by, note)
        places, granted = _INSIDE.get(by[0], ((), 0))
        parts = list(by)
        for p in places:
            parts[p], more = _kept(by[p], place + granted)
            own |= more
        taken |= {k for k in own if k < place}
        found.insert(0, (place, relation, tuple(parts)))
    return found, {k for k in taken if k < first}


def _renumbered(lines: Sequence[tuple[int, Any, Any]], before: Mapping[int, int]) -> tuple[Any, ...]:
    """Lines with new numbers, which go on from those before."""
    number = dict(before)
    found = []
    for old, relation, by in lines:
        new = len(number)
        parts = list(_numbers(by, number.__getitem__))
        places, granted = _INSIDE.get(by[0], ((), 0))
        for p in places:
            parts[p] = _renumbered(by[p], {**number, **{old + k: new + k for k in range(granted)}})
        number[old] = new
        found.append((relation, tuple(parts)))
    return tuple(found)


def _numbers(by: Any, number: Number) -> tuple[Any, ...]:
    """A rule with other numbers for the lines it takes; proofs inside stay."""
    head, *rest = by
    if head == "combine":
        terms = tuple((c, tuple(_factor(f, number) for f in factors)) for c, factors in rest[0])
        return (head, terms, tuple(map(number, rest[1])))
    if head == "vectors":
        return (head, rest[0], tuple((c, number(k)) for c, k in rest[1]), tuple(map(number, rest[2])))
    if head == "use":
        return (head, rest[0], rest[1], tuple(map(number, rest[2])))
    if head == "instance":
        return (head, number(rest[0]), rest[1], *(tuple(map(number, ends)) for ends in rest[2:]))
    if head in ("total", "next", "both"):
        return (head, *map(number, rest))
    if head == "induction":
        return (head, number(rest[0]), *rest[1:])
    return (head, *rest)


def _factor(factor: Any, number: Number) -> Any:
    if isinstance(factor, int):
        return number(factor)
    return (factor[0], number(factor[1]), *factor[2:]) if factor[0] == "along" else factor
