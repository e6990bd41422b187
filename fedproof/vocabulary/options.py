"""The one reader of `name=value`: an option is declared once, with its domain, and read from text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.values import json_number, parse_value

#: of rows, where an option counts them
MOST_COUNT = 10**9
#: of kinds of label
MOST_LABELS = 1000
#: of a weight or size: products of several, and their squares, are far from overflow
MOST_NUMBER = "1e30"
#: name and value as given -> value as meant
Reader = Callable[[str, Any], Any]


@dataclass(frozen=True)
class Option:
    """What a user may set.

    Arguments:
        name: as it is typed.
        default: what holds where it is not given; None where the data decide.
        kind: what is accepted, in words, and how it is read: `whole`, `number`, `word`, `flag` make these.
        meaning: one clause.
        aliases: other names, such as a paper's letter or a canonical word.
        owner: whose it is, where several take options of one name: then `owner.name` says which is meant.
    """

    name: str
    default: Any
    kind: tuple[str, Reader]
    meaning: str
    aliases: tuple[str, ...] = ()
    owner: str = ""

    @property
    def domain(self) -> str:
        """What is accepted, in words."""
        return self.kind[0]

    @property
    def full_name(self) -> str:
        """The name that nothing else can have.

        >>> Option("stepsize", None, number(0), "eta", owner="local_solver").full_name
        'local_solver.stepsize'
        """
        return f"{self.owner}.{self.name}" if self.owner else self.name

    def read(self, value: Any, name: str = "") -> Any:
        """What is meant by what was given, by this name or another.

        Raises: InputError for a value outside the domain.
        """
        return self.kind[1](name or self.name, value)

    def answers_to(self, name: str) -> bool:
        """Whether a name means it: its own, an alias, or one of these behind its owner."""
        plain = name.removeprefix(f"{self.owner}.") if self.owner else name
        return plain == self.name or plain in self.aliases


def whole(least: int, most: int | None = None) -> tuple[str, Reader]:
    """Domain and reader of whole numbers.

    >>> whole(1)[1]("clients", "10")
    10
    """
    domain = f"a whole number >= {least}" if most is None else f"a whole number from {least} to {most}"

    def read(name: str, value: Any) -> int:
        exact = parse_value(value, name)
        if exact.denominator != 1 or exact < least or (most is not None and exact > most):
            near = max(least, floor(exact) if most is None else min(floor(exact), most))
            raise InputError(name, value, domain, f"write {name}={shown(Fraction(near))}")
        return int(exact)

    return domain, read


def number(least: Any, most: Any = None, *, below: Any = None) -> tuple[str, Reader]:
    """Domain and reader of exact numbers from `least` to `most` or below `below`.

    >>> number(0, below=1)[1]("test_fraction", "1/4")
    Fraction(1, 4)
    """
    if below is not None:
        domain = f"a number from {least} to below {below}"
    elif most is not None:
        domain = f"a number from {least} to {most}"
    else:
        domain = f"a number >= {least}"

    def read(name: str, value: Any) -> Fraction:
        exact = parse_value(value, name)
        fits = (below is None or exact < Fraction(below)) and (most is None or exact <= Fraction(most))
        if exact < Fraction(least) or not fits:
            raise InputError(name, value, domain)
        return exact

    return domain, read


def at_least(least: int, most: int = MOST_COUNT) -> tuple[str, Reader]:
    """Domain and reader of whole numbers that may also be left to the data: None or "none".

    >>> at_least(1)[1]("largest", "none") is None
    True
    """
    return or_none(whole(least, most))


def or_none(kind: tuple[str, Reader], words: tuple[str, ...] = ("none",)) -> tuple[str, Reader]:
    """Domain and reader of what another kind reads, and of None, written as one of some words.

    >>> or_none(number(0))[1]("smoothness", "none") is None
    True
    """
    domain, inner = kind

    def read(name: str, value: Any) -> Any:
        return None if value is None or value in words else inner(name, value)

    return f"{domain}, or {' or '.join(words)}", read


def word(known: Callable[[], Iterable[str]]) -> tuple[str, Reader]:
    """Domain and reader of one of the names that `known()` lists.

    >>> word(lambda: ("iid", "labels"))[0]
    'iid or labels'
    """
    names = tuple(known())

    def read(name: str, value: Any) -> str:
        if str(value) not in names:
            raise UnknownName(name, str(value), names)
        return str(value)

    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names), read


def flag() -> tuple[str, Reader]:
    """Domain and reader of yes and no.

    >>> flag()[1]("iid", "yes"), flag()[1]("iid", False)
    (True, False)
    """
    meant = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}

    def read(name: str, value: Any) -> bool:
        text = str(value).lower()
        if text not in meant:
            raise InputError(name, value, "yes or no", f"write {name}=yes")
        return meant[text]

    return "yes or no", read


def read_options(
    given: Mapping[str, Any],
    known: Iterable[Option],
    others: Callable[[], Mapping[str, str]] | None = None,
    *,
    what: str = "problem option",
) -> dict[str, Any]:
    """The given options as meant, by full name; what is not given is not in the result.

    Arguments:
        given: by name or alias, numbers or text.
        known: what is understood here.
        others: tells which names are understood elsewhere, and where; asked for a name that is not known.
        what: what an option is called in an error.

    Raises: UnknownName with the nearest known name; InputError for a name that is two options', an option
        that is given twice, and a value outside its domain.

    >>> read_options({"l2": "1/2"}, [Option("l2", 0, number(0), "weight")])
    {'l2': Fraction(1, 2)}
    >>> eta = Option("stepsize", None, number(0), "step size", ("eta",), owner="local_solver")
    >>> read_options({"eta": 1}, [eta]) == read_options({"local_solver.stepsize": 1}, [eta])
    True
    """
    options = tuple(known)
    found: dict[str, Any] = {}
    for name, value in given.items():
        option = _meant(name, value, options, others, what)
        if option.full_name in found:
            raise InputError(name, value, f"{option.name} once", "leave one of them out")
        found[option.full_name] = option.read(value, name)
    return found


def _meant(
    name: str,
    value: Any,
    options: tuple[Option, ...],
    others: Callable[[], Mapping[str, str]] | None,
    what: str,
) -> Option:
    """The one option that answers to a name."""
    meant = [option for option in options if option.answers_to(name)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        names = " or ".join(option.full_name for option in meant)
        raise InputError(name, value, names, f"write {meant[0].full_name}={value}")
    elsewhere = others() if others else {}
    if name in elsewhere:
        raise InputError(f"{what} {name}", value, elsewhere[name], f"leave {name} out")
    raise UnknownName(what, name, accepted_names(options, "." in name))


def elsewhere(takers: Iterable[tuple[str, Iterable[str]]], known: Iterable[Option]) -> dict[str, str]:
    """Names that are understood elsewhere, and with what, of all but those that are known here.

    >>> elsewhere([("penalty=l1", ["weight"]), ("penalty=l2", ["weight", "groups"])], [])["weight"]
    'it with penalty=l1 or penalty=l2'
    """
    found: dict[str, list[str]] = {}
    for taker, names in takers:
        for name in names:
            found.setdefault(name, []).append(taker)
    here = {option.name for option in known}
    return {name: f"it with {' or '.join(by)}" for name, by in found.items() if name not in here}


def accepted_names(options: Iterable[Option], full: bool = False) -> list[str]:
    """What may be typed: names, then aliases, each once; as `owner.name` where there is an owner and `full`.

    >>> accepted_names([Option("stepsize", None, number(0), "step size", ("eta",))])
    ['stepsize', 'eta']
    """
    every = list(options)
    prefixes = [f"{option.owner}." if full and option.owner else "" for option in every]
    names = [prefix + option.name for prefix, option in zip(prefixes, every, strict=True)]
    aliases = [p + alias for p, option in zip(prefixes, every, strict=True) for alias in option.aliases]
    return list(dict.fromkeys(names + aliases))


def missing(given: Mapping[str, Any], needed: Iterable[Option]) -> list[str]:
    """The names of the options that must be given and were not.

    >>> missing({}, [Option("stepsize", None, number(0), "step size")])
    ['stepsize']
    """
    return [option.name for option in needed if option.full_name not in given]


def shown(exact: Fraction) -> str:
    """A number as a decimal where that is the same number, else as p/q.

    >>> shown(Fraction(1, 10)), shown(Fraction(1, 3)), shown(Fraction(2))
    ('0.1', '1/3', '2')
    """
    return str(json_number(exact))
