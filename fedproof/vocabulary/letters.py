"""Values by letter or canonical word, read for whoever asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from fedproof.vocabulary.constant import Constant
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.greek import ascii_name
from fedproof.vocabulary.quantities import Quantity
from fedproof.vocabulary.values import parse_value


def exact_value(value: object, of: Quantity, given_name: str) -> Fraction:
    """A number as it is written, in the quantity's domain."""
    return of.check(parse_value(value, given_name), given_name)


def constants(
    least: str, most: str, whole: Callable[[Quantity], bool], largest: int | None = None
) -> Callable[[object, Quantity, str], Constant]:
    """What reads the constants of a search in doubles, as `read_letters` takes it.

    Arguments:
        least, most: magnitudes that leave room for the computation, as they are to be printed.
        whole: whether a quantity must be a whole number.
        largest: of whole numbers; None for no limit.

    >>> from fedproof.vocabulary.quantities import quantity
    >>> constants("1e-50", "1e50", lambda of: of.whole)("1/3", quantity("stepsize"), "eta").exact
    Fraction(1, 3)
    """

    def read(value: object, of: Quantity, given_name: str) -> Constant:
        exact = exact_value(value, of, given_name)
        if exact and not Fraction(least) <= abs(exact) <= Fraction(most):
            raise InputError(given_name, value, f"0 or a magnitude between {least} and {most}")
        above = largest is not None and exact > largest
        if whole(of) and (exact.denominator != 1 or above):
            limit = "" if largest is None else f" up to {largest}"
            near = largest if above else max(1, round(exact))
            raise InputError(given_name, value, f"a whole number{limit}", f"write {given_name}={near}")
        return Constant(exact)

    return read


def read_letters(
    what: str,
    known: Mapping[str, Quantity],
    values: Mapping[str, object],
    also: Iterable[str] = (),
    read: Callable[[object, Quantity, str], Any] = exact_value,
) -> dict[str, Any]:
    """Values by letter from values by letter or canonical word.

    Arguments:
        what: asks for them, as an error message calls it.
        known: the quantity of each letter; a word means the first letter of its quantity.
        values: as a user gives them.
        also: other names that may be given, for the error message.
        read: turns one of them into a number of its quantity.

    Raises: UnknownName; InputError for a letter that is given twice or lies outside its domain.

    >>> from fedproof.vocabulary.quantities import quantity
    >>> read_letters("step", {"eta": quantity("stepsize")}, {"stepsize": "1/3"})
    {'eta': Fraction(1, 3)}
    """
    words = {q.name: name for name, q in reversed([*known.items()])}
    found: dict[str, Any] = {}
    for given_name, value in values.items():
        typed = ascii_name(given_name, known)
        name = typed if typed in known else words.get(given_name, "")
        if not name:
            raise UnknownName(what, given_name, [*known, *also])
        if name in found:
            raise InputError(given_name, value, f"{name} once", "leave one of the two names out")
        found[name] = read(value, known[name], given_name)
    return found
