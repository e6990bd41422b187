"""Errors that a user meets: each says what, what was got, what was expected and how to cure it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from fedproof.vocabulary.printable import on_one_line


class FedproofError(Exception):
    """Base of every error that fedproof raises on purpose.

    >>> issubclass(InputError, FedproofError)
    True
    """


class InternalError(FedproofError):
    """fedproof contradicts itself; never the user's fault."""


class InputError(FedproofError, ValueError):
    """An input lies outside what the call can mean.

    Arguments:
        what: the thing that is wrong, named as the user named it.
        got: what was supplied, shortened if long.
        expected: what would have been accepted.
        cure: what to type instead.

    >>> print(InputError("L", "0", "a number > 0", "write L=1"))
    L: got 0, expected a number > 0; write L=1
    >>> print(InputError("client", "hospital", "one of h\x0bospital, age"))
    client: got hospital, expected one of h\\x0bospital, age
    """

    def __init__(self, what: str, got: object, expected: str, cure: str = "") -> None:
        self.what, self.got, self.expected, self.cure = what, shorten(got), expected, cure
        tail = f"; {cure}" if cure else ""
        super().__init__(on_one_line(f"{what}: got {self.got}, expected {expected}{tail}"))

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors cross from one process to another whole."""
        return _again, (type(self), str(self), self.__dict__)


class UnknownName(InputError):
    """A name that is not in the catalogue; the nearest known one is offered.

    >>> print(UnknownName("symbol", "bta", ["beta", "tau"]))
    symbol: got bta, expected one of beta, tau; did you mean beta?
    """

    def __init__(self, what: str, got: str, known: Iterable[str]) -> None:
        names = list(known)
        near = nearest(got, names)
        fits = [n for i, n in enumerate(names) if sum(len(m) + 2 for m in names[: i + 1]) <= 160]
        shown = ", ".join(fits) + (", ..." if len(fits) < len(names) else "")
        super().__init__(what, got, f"one of {shown}", f"did you mean {near}?" if near else "")


class MissingName(InputError):
    """Names that the question needs and was not given.

    >>> print(MissingName("fedproxvr.lemma1.sarah", ["tau"]))
    fedproxvr.lemma1.sarah: got no value for tau, expected one; add tau=...
    """

    def __init__(self, what: str, names: Iterable[str]) -> None:
        missing = list(names)
        plural = "one" if len(missing) == 1 else "one each"
        super().__init__(
            what,
            f"no value for {', '.join(missing)}",
            plural,
            "add " + " ".join(f"{n}=..." for n in missing),
        )


class BrokenPart(InputError):
    """A file of another distribution's paper that cannot be used; names file, what is wrong and cure."""


class LeftOut(UserWarning):
    """Of a part of another distribution that cannot be used, where something else was asked for."""


class DataError(InputError):
    """A data file or array that cannot be used; names file, row and cure."""


class ClusterLost(FedproofError):
    """The machines that did the work are gone; what was finished is kept, as after an interrupt.

    Arguments:
        address: of the scheduler.
        what: is gone.

    >>> print(ClusterLost("tcp://192.0.2.1:8786", "the scheduler is gone"))
    tcp://192.0.2.1:8786: the scheduler is gone; with a folder the same command goes on from what is finished
    """

    def __init__(self, address: str, what: str) -> None:
        super().__init__(f"{address}: {what}; with a folder the same command goes on from what is finished")


def _again(kind: type[InputError], message: str, values: dict[str, Any]) -> InputError:
    error = kind.__new__(kind, message)
    error.__dict__.update(values)
    return error


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name closest to `name`, one that begins with it if there is, or None.

    >>> nearest("fedproxvr.lema1.sarah", ["fedproxvr.lemma1.sarah", "fedproxvr.theorem1"])
    'fedproxvr.lemma1.sarah'
    """
    names = list(known)
    begun = [n for n in names if name and n.startswith(name)]
    found = get_close_matches(name, begun or names, n=1, cutoff=0 if begun else 0.4)
    return found[0] if found else None


def shorten(value: object, width: int = 60) -> str:
    """The printable text of a value on one line, cut to `width` characters."""
    text = "".join(c if c.isprintable() else "?" for c in str(value))
    return text if len(text) <= width else text[: width - 3] + "..."
