"""The answer to a range question read off columns: stretches, what binds at their ends, why empty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from fedproof.algebra.projection.cells import cut, stretches
from fedproof.algebra.projection.plane import Plane
from fedproof.algebra.ranges.result import Range, Stretch, excluded
from fedproof.algebra.roots import float_near
from fedproof.vocabulary.errors import InputError


def refuse(names: Sequence[str], target: str) -> NoReturn:
    """Nothing could be proved with these symbols left out.

    Raises: InputError naming symbols to supply.
    """
    raise InputError(
        f"range of {target}",
        f"{', '.join(names)} left out" + (" together" if len(names) > 1 else ""),
        "fewer symbols left out, or numbers with fewer digits",
        f"add a value for {' or '.join(names)}",
    )


def from_plane(plane: Plane, target: str, free: Sequence[str]) -> Range:
    """Read the answer off the columns.

    Raises: InputError where nothing was found but some cut was not decided.
    """
    flags = [bool(c.holds) and inside for c, inside in zip(plane.columns, plane.inside, strict=True)]
    found = tuple(_stretch(plane, first, last, target) for first, last in stretches(flags))
    unsure = [plane.points[i // 2] for i, c in enumerate(plane.columns) if c.holds is None]
    method = "certified" if unsure else "exact"
    notes = tuple(f"not decided whether {target} = {float_near(p):.12g} itself is admissible" for p in unsure)
    if found:
        return Range(target, found, method=method, notes=notes)
    if unsure:
        refuse(free, target)
    labels = tuple(dict.fromkeys(x for c in plane.columns for x in c.conflict))
    return Range(target, (), conflict=labels, why=excluded(labels, (target, *free)))


def _stretch(plane: Plane, first: int, last: int, target: str) -> Stretch:
    lo, hi = cut(plane.points, first, 0), cut(plane.points, last, 1)
    binding = (_binding(plane, first - 1, target, -1), _binding(plane, last + 1, target, 1))
    return Stretch(lo, hi, first % 2 == 0, last % 2 == 0, binding)


def _binding(plane: Plane, beyond: int, target: str, step: int) -> tuple[str, ...]:
    if not 0 <= beyond < len(plane.columns):
        return ()
    if not plane.inside[beyond]:
        return (f"domain of {target}",)
    column = plane.columns[beyond]
    if not column.conflict and 0 <= beyond + step < len(plane.columns):
        column = plane.columns[beyond + step]
    return column.conflict
