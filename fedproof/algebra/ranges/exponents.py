"""Ranges under conditions with one power whose exponent is asked for or left out, such as q^R of R rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import flint
import sympy as sp

from fedproof.algebra.balls import ball_of
from fedproof.algebra.exact_evaluation import with_exponents
from fedproof.algebra.expressions import FractionAlgebra, fold, printed
from fedproof.algebra.ranges.result import Range, Stretch
from fedproof.algebra.regions.clauses import Labelled
from fedproof.algebra.roots import Point, dyadic
from fedproof.vocabulary.errors import InputError, MissingName
from fedproof.vocabulary.interval import POSITIVE, Interval

#: answers a question without powers: conditions, target, values, domains
Ask = Callable[[Iterable[Labelled], str, Mapping[str, Fraction], Mapping[str, Interval]], Range]

#: where q^R lies for 0 < q < 1 and R > 0
SHARE = Interval(lo=Fraction(0), hi=Fraction(1))
#: and for q > 1
GROWTH = Interval(lo=Fraction(1))
BITS = 128
#: the largest exponent in which roots are isolated in seconds
DEGREE = 100
#: the largest exponent whose power is written out in seconds, as fractions
POWER = 10_000


@dataclass(frozen=True)
class _Row:
    label: str
    relation: Any


def with_values(conditions: Sequence[Labelled], values: Mapping[str, Fraction]) -> list[Labelled]:
    """The conditions with the exponents that have a value.

    Raises: InputError for an exponent beyond `DEGREE` where the base of its power has no value: isolating
        the roots would take minutes; and for one beyond `POWER`.
    """
    large = sorted(n for n in in_exponents(conditions) if abs(values.get(n, Fraction(0))) > POWER)
    if large:
        raise InputError(large[0], values[large[0]], f"an exponent of at most {POWER} in a range",
                         f"leave {large[0]} out, or ask check")  # fmt: skip
    for power in (p for row in conditions for p in row.relation.atoms(sp.Pow) if p.exp.free_symbols):
        known = [s.name for s in power.exp.free_symbols if abs(values.get(s.name, Fraction(0))) > DEGREE]
        unknown = sorted({s.name for s in power.base.free_symbols} - set(values))
        if known and unknown:
            name = known[0]
            raise InputError(
                name,
                values[name],
                f"at most {DEGREE} where {', '.join(unknown)} is not given",
                f"leave {name} out, or ask for the range of {name}",
            )
    return [_Row(row.label, with_exponents(row.relation, values)) for row in conditions]


def in_exponents(conditions: Sequence[Labelled]) -> set[str]:
    """The names of the symbols in exponents.

    >>> q, R = sp.symbols("q R", real=True)
    >>> in_exponents([_Row("small", q**R <= q**2)])
    {'R'}
    """
    powers = (p for row in conditions for p in row.relation.atoms(sp.Pow))
    return {s.name for p in powers for s in p.exp.free_symbols}


def powered(
    conditions: Sequence[Labelled],
    target: str,
    values: Mapping[str, Fraction],
    domains: Mapping[str, Interval],
    ask: Ask,
) -> Range:
    """The admissible values of a symbol where a power q^R occurs whose exponent R has no value.

    For 0 < q < 1 the power takes every value between 0 and 1 as R goes over the positive numbers, so it is
    asked for in place of R. Conditions with other values of q count as not admissible, which a note says.

    Arguments:
        conditions, target, values, domains: as for `ranges.admissible`.
        ask: answers where no power is left.

    Returns: the range; for R itself with ends that are ratios of logarithms, rounded inward.
    Raises: InputError where R stands elsewhere too, or in several powers, or is asked for where q <= 0 or
        q = 1; MissingName where R is asked for and q has no value.

    >>> from fedproof.algebra.ranges.admissible import admissible
    >>> R = sp.Symbol("R", real=True)
    >>> admissible([_Row("small", sp.Rational(1, 2) ** R <= sp.Rational(1, 1000))], "R", {}, {}).integers
    (10, None)
    """
    power, name = _power(conditions)
    share = sp.Symbol(f"{name}-th power", real=True)
    with printed():
        rows = [_Row(c.label, c.relation.xreplace({power: share})) for c in conditions]
        proper = _Row("0 < base < 1", sp.And(power.base > 0, power.base < 1))
    if any(power.exp in row.relation.free_symbols for row in rows):
        raise InputError(
            "condition", f"{name} outside an exponent too", f"{name} in one power", f"give {name}"
        )
    if domains.get(name, POSITIVE) != POSITIVE:
        raise InputError(f"domain of {name}", domains[name], str(POSITIVE), f"give {name}")
    if target == name:
        return _exponents(rows, power, share.name, values, domains, ask)
    found = ask([*rows, proper], target, values, {**domains, share.name: SHARE})
    free = tuple(sorted(name if f == share.name else f for f in found.free))
    note = f"where 0 < {sp.sstr(power.base.doit())} < 1"
    return replace(found, free=free, notes=(*found.notes, note))


def _power(conditions: Sequence[Labelled]) -> tuple[sp.Pow, str]:
    found = {p for row in conditions for p in row.relation.atoms(sp.Pow) if p.exp.free_symbols}
    if len(found) > 1 or not all(isinstance(p.exp, sp.Symbol) for p in found):
        texts = ", ".join(sorted(map(str, found)))
        raise InputError("conditions", texts, "one power of one exponent", "give the exponents")
    power = found.pop()
    return power, power.exp.name


def _exponents(
    rows: Sequence[_Row],
    power: sp.Pow,
    share: str,
    values: Mapping[str, Fraction],
    domains: Mapping[str, Interval],
    ask: Ask,
) -> Range:
    """The exponents themselves: the power's range, by logarithms."""
    name = power.exp.name
    used = {s.name for said in (power.base, *(row.relation for row in rows)) for s in said.free_symbols}
    absent = sorted(used - set(values) - {share})
    if absent:
        raise MissingName(f"range of {name}", absent)
    try:
        base = fold(power.base, FractionAlgebra(), dict(values))
    except ValueError:
        raise InputError(f"base of the power in {name}", str(power.base), "a rational number",
                         f"check whole values of {name} one by one") from None  # fmt: skip
    if base <= 0 or base == 1:
        raise InputError(f"base of the power in {name}", f"{float(base):.6g}", "a number > 0 other than 1",
                         f"check whole values of {name} one by one")  # fmt: skip
    found = ask(rows, share, values, {**domains, share: SHARE if base < 1 else GROWTH})
    if found.empty:
        return replace(found, symbol=name)
    turned = [_turned(s) for s in reversed(found.stretches)] if base < 1 else found.stretches
    ends = [(_exponent(s.lo, base, True), _exponent(s.hi, base, False)) for s in turned]
    stretches = [
        Stretch(
            lo[0],
            hi[0],
            s.lo_open,
            s.hi_open,
            (_bound(s.binding[0], name), _bound(s.binding[1], name) if hi[0] is not None else ()),
        )
        for s, (lo, hi) in zip(turned, ends, strict=True)
    ]
    texts = tuple((lo[1], hi[1]) for lo, hi in ends)
    return Range(name, tuple(stretches), method="certified", exact_texts=texts)


def _turned(s: Stretch) -> Stretch:
    """A stretch from its end to its beginning, as a power that falls goes through it."""
    return Stretch(s.hi, s.lo, s.hi_open, s.lo_open, s.binding[::-1])


def _bound(labels: tuple[str, ...], name: str) -> tuple[str, ...]:
    """What binds, where the power's own domain does so as the exponent's."""
    return tuple(f"domain of {name}" if label.startswith("domain of ") else label for label in labels)


def _exponent(end: Point | None, base: Fraction, is_least: bool) -> tuple[Fraction | None, str | None]:
    """The exponent at which the power reaches an end: a rational rounded inward, and what it is exactly."""
    if end is None:
        return None, None
    if not isinstance(end, (Fraction, int)):
        raise InputError("end of the power", end, "a rational number", "give values without roots")
    if end in (0, 1):
        return (None, None) if end == 0 else (Fraction(0), "0")
    bits = BITS
    while True:
        with flint.ctx.workprec(bits):
            ratio = ball_of(Fraction(end)).log() / ball_of(base).log()
            if not ratio.is_finite():  # a base so near 1 that its logarithm cannot be told from 0 yet
                bits *= 2
                continue
            low, high = dyadic(ratio.lower()), dyadic(ratio.upper())
        whole = round(low)
        if low > whole or high < whole:
            return (high if is_least else low), f"log({end})/log({base})"
        if _may_equal(base, whole, Fraction(end)) and base**whole == end:
            return Fraction(whole), str(whole)
        bits *= 2


def _may_equal(base: Fraction, whole: int, end: Fraction) -> bool:
    """Whether a power has at most as many digits as a number; its larger part has at least whole x these.

    >>> _may_equal(Fraction(1, 2), 10, Fraction(1, 1024)), _may_equal(Fraction(1, 2), 10**40, Fraction(1, 3))
    (True, False)
    """
    digits, most = (max(x.numerator, x.denominator).bit_length() for x in (base, end))
    return whole * (digits - 1) <= most
