"""The one parser of numbers that users type: exact, bounded, never evaluated as code."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from fractions import Fraction
from numbers import Integral, Rational, Real

from fedproof.vocabulary.arithmetic_text import Irrational, evaluated
from fedproof.vocabulary.constant import Constant
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.surd import Surd

DIGITS = 40
_DECIMAL = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?", re.ASCII)
_RATIO = re.compile(r"([+-]?\d+)/(\d+)", re.ASCII)
_EXPECTED = "a number such as 3, 0.25, 1e-3, 5/8 or 2^10 (at most 40 digits, exponent of at most 3)"


def parse_value(value: object, name: str = "value") -> Fraction:
    """Read a number exactly as written: 0.1 is 1/10, 2^10 is 1024, 3*10^-4 is 3/10000, sqrt(4/9) is 2/3.

    Arguments:
        value: text, int, Fraction or float (a float means its shortest decimal, a `Constant` its number).
        name: what the value is called, for the error message.

    Returns: the exact rational.
    Raises: InputError for anything else, at once whatever its length.

    >>> parse_value("0.1"), parse_value("-5/8"), parse_value(1e-3)
    (Fraction(1, 10), Fraction(-5, 8), Fraction(1, 1000))
    """
    exact = parse_exact(value, name)
    if isinstance(exact, Surd):
        raise _irrational(value, name, exact)
    return exact


def parse_double(value: object, name: str = "value") -> float:
    """Read a number and round it to the nearest double.

    Arguments, errors: as of `parse_value` and `double_of`.

    >>> parse_double("1/4")
    0.25
    """
    return double_of(parse_value(value, name), name, value)


def double_of(exact: Fraction, name: str, value: object = None) -> float:
    """The double nearest to a number, which must be neither infinite nor, unless the number is 0, zero.

    Arguments:
        value: what was given, for the error message.

    Raises: InputError for a number beyond the doubles.

    >>> double_of(Fraction(1, 10**400), "x")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    fedproof.vocabulary.errors.InputError: x: got 1/1000..., expected a number that a float can hold; ...
    """
    try:
        held = float(exact)
    except OverflowError:
        held = math.inf
    if math.isinf(held) or (exact and not held):
        got = exact if value is None else value
        raise InputError(name, got, "a number that a float can hold", "use one between 1e-300 and 1e300")
    return held


def parse_exact(value: object, name: str = "value") -> Fraction | Surd:
    """Read a number exactly as written, a square root of a fraction too.

    Arguments, errors: as of `parse_value`.

    >>> parse_exact("1/2"), str(parse_exact("2*sqrt(5)"))
    (Fraction(1, 2), 'sqrt(20)')
    """
    if isinstance(value, bool):
        raise InputError(name, value, _EXPECTED)
    if isinstance(value, Surd):
        return value
    if isinstance(value, Constant):
        return value.exact
    if isinstance(value, Rational):
        return _bounded(Fraction(int(value.numerator), int(value.denominator)), name)
    if isinstance(value, Real):
        number = float(value)
        if not math.isfinite(number):
            raise InputError(name, value, "a finite number")
        return Fraction(repr(number))
    if isinstance(value, str):
        return _parse_text(value, name)
    raise InputError(name, value, _EXPECTED)


def _bounded(value: Fraction, name: str) -> Fraction:
    # Results of our own queries come back as inputs, so the bound is generous, yet a bound.
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > 4096:
        raise InputError(name, "a number of over 4096 bits", _EXPECTED, "round it first")
    return value


def _parse_text(text: str, name: str) -> Fraction | Surd:
    if len(text) > 2 * DIGITS + 8:
        raise InputError(name, text, _EXPECTED)
    ratio = _RATIO.fullmatch(text)
    if ratio:
        top, bottom = ratio.groups()
        if len(top.lstrip("+-")) > DIGITS or len(bottom) > DIGITS:
            raise InputError(name, text, _EXPECTED)
        if int(bottom) == 0:
            raise InputError(name, text, "a number whose denominator is not 0")
        return Fraction(int(top), int(bottom))
    match = _DECIMAL.fullmatch(text)
    return _decimal(match, text, name) if match else _evaluated(text, name)


def _decimal(match: re.Match[str], text: str, name: str) -> Fraction:
    whole, part = match[2], match[3] or ""
    if not whole + part or len(whole) + len(part) > DIGITS:
        raise InputError(name, text, _EXPECTED)
    number = Fraction(int(whole + part), 10 ** len(part)) * Fraction(10) ** int(match[4] or 0)
    return -number if match[1] == "-" else number


def _evaluated(text: str, name: str) -> Fraction | Surd:
    """A number that is typed as products, powers and roots of others."""

    def number(part: str) -> Fraction:
        if not (match := _DECIMAL.fullmatch(part)):
            raise InputError(name, text, _EXPECTED)
        return _decimal(match, part, name)

    try:
        found = evaluated(text, number)
    except Irrational as root:
        raise _irrational(text, name, root) from None
    if found is None:
        raise InputError(name, text, _EXPECTED)
    return found


def _irrational(value: object, name: str, exact: Surd | Irrational) -> InputError:
    try:
        cure = f"write {name}={float(exact)!r}, the nearest decimal"
    except OverflowError:
        cure = ""
    return InputError(name, value, "a number that is a fraction", cure)


def is_whole(value: object) -> bool:
    """Whether a value is a whole number by its type; a truth value is none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def split_assignment(text: str) -> tuple[str, str]:
    """Split one `name=value` of the command line.

    >>> split_assignment("beta=7/2")
    ('beta', '7/2')
    """
    name, sign, value = text.partition("=")
    if not sign or not name or not value:
        raise InputError("argument", text, "name=value, for example beta=10")
    return name, value


def assignments(pairs: Iterable[str] | None) -> dict[str, str]:
    """Every `name=value` of the command line by its name.

    Raises: InputError where one is none, or where a name has two values.

    >>> assignments(["beta=7/2", "tau=3"])
    {'beta': '7/2', 'tau': '3'}
    """
    found: dict[str, str] = {}
    for name, value in map(split_assignment, pairs or ()):
        if name in found:
            raise InputError(name, f"{found[name]} and {value}", "one value", "give it once")
        found[name] = value
    return found


def json_number(value: object, name: str = "value") -> int | float | str:
    """A number in the one form that is written down, so that equal numbers are equal text.

    Arguments:
        value, name: as `parse_value` takes them.

    Returns: an int, or a float where that is the same number as the parser reads it, else the text p/q.
    Raises: InputError for what is no number.

    >>> json_number(3.0), json_number("1/10"), json_number("1/3")
    (3, 0.1, '1/3')
    """
    exact = parse_value(value, name)
    if exact.denominator == 1:
        return int(exact)
    held = float(exact)
    return held if parse_value(held) == exact else str(exact)


def text_of(value: Fraction) -> str:
    """The exact text of a rational, p/q or p, which `parse_value` reads back.

    >>> text_of(Fraction(3, 6))
    '1/2'
    """
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
