"""A range that only grows along the target: its end between a proved inside and a proved outside."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from fedproof.algebra.elimination.direction import direction
from fedproof.algebra.elimination.problem import Problem, least_part
from fedproof.algebra.ranges.existence import Squeeze, at, exists, squeezes
from fedproof.algebra.ranges.result import Range, Stretch
from fedproof.vocabulary.interval import NONNEGATIVE, POSITIVE

WIDTH = Fraction(1, 10**12)
REACH = 2**40


def enclosed(problem: Problem, target: str) -> Range | None:
    """The range of a target along which the answer is monotone, its end enclosed to 1e-12; else None.

    Both ends of the enclosure are decided exactly: one is admissible, the other is proved not to be.
    """
    if problem.domains.get(target) not in (POSITIVE, NONNEGATIVE):
        return None
    way = direction(problem, target)
    if way is None:
        return None
    hint = next(squeezes(problem), None)
    bracket = _bracket(problem, target, way, hint)
    if bracket is None:
        return None
    inside, outside = bracket
    while abs(inside - outside) > WIDTH * inside:
        middle = short_between(min(bracket), max(bracket))
        answer = exists(at(problem, target, middle), hint)
        if answer is None:
            return None
        inside, outside = (middle, outside) if answer else (inside, middle)
        bracket = (inside, outside)
    zero = exists(at(problem, target, Fraction(0))) if problem.domains[target] == NONNEGATIVE else False
    if zero is None or (zero and way > 0):  # what holds for positive values says nothing about 0
        return None
    return _range(problem, target, way, bracket, zero)


def _bracket(
    problem: Problem, target: str, way: int, hint: Squeeze | None
) -> tuple[Fraction, Fraction] | None:
    """An admissible and an inadmissible value, found by doubling."""
    value = Fraction(1)
    first = exists(at(problem, target, value), hint)
    if first is None:
        return None
    grow = (way > 0) != first
    while True:
        nearby = value * 8 if grow else value / 8
        answer = exists(at(problem, target, nearby), hint)
        if answer is None or not Fraction(1, REACH) < nearby < REACH:
            return None
        if answer != first:
            return (nearby, value) if answer else (value, nearby)
        value = nearby


def _range(problem: Problem, target: str, way: int, bracket: tuple[Fraction, Fraction], zero: bool) -> Range:
    inside, outside = bracket
    beyond = at(problem, target, outside)
    binding = least_part(beyond.atoms, lambda atoms: exists(replace(beyond, atoms=tuple(atoms))) is False)
    labels = tuple(dict.fromkeys(x for a in binding for x in a.labels))
    is_open = any(a.op == "<" for a in binding)
    words = f"between {min(inside, outside)} and {max(inside, outside)}"
    if way > 0:
        stretch = Stretch(inside, None, is_open, True, (labels, ()))
        texts: tuple[str | None, str | None] = (words, None)
    else:
        stretch = Stretch(Fraction(0), inside, not zero, is_open, ((f"domain of {target}",), labels))
        texts = ("0", words)
    note = f"{target} enclosed: {outside} is proved not to be admissible"
    return Range(target, (stretch,), method="certified", notes=(note,), exact_texts=(texts,))


def short_between(low: Fraction, high: Fraction) -> Fraction:
    """A rational with few digits near the middle of an interval."""
    middle = (low + high) / 2
    digits = 1
    while True:
        value = Fraction(f"{float(middle):.{digits}e}")
        if low < value < high or digits > 16:
            return value if low < value < high else middle
        digits += 1
