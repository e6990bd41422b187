"""Parameters of a figure's computation: declared with domain, default and a line of help, read as typed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.interval import NONNEGATIVE, POSITIVE, Interval
from fedproof.vocabulary.values import double_of, parse_value

MOST = 100_000
POINTS = 1000
"""Most points of a grid on one axis."""
LARGEST = 10**100
_FROM_ONE = Interval(lo=Fraction(1), lo_open=False)
_HELP = {
    "alpha": "spread of the clients' models in Synthetic",
    "batch_size": "samples a step",
    "clients": "clients, all of which take part",
    "data": "a problem's word or a file",
    "gamma": "delay of a local step over delay of a round",
    "lam": "extent of non-convexity",
    "L": "smoothness of every sample's loss",
    "model": "model that is trained",
    "penalty_weight": "ϑ",
    "points": "points of the grid on each axis",
    "rounds": "global rounds of every run",
    "samples": "of every client",
    "seeds": "of data, split and draws, on which everything is run",
    "sigma2": "dissimilarity of the clients",
    "tau": "local steps",
}
_UNITS = {
    "batch_size": "samples", "clients": "clients", "gamma": "rounds/step", "lam": "loss/length^2",
    "L": "loss/length^2", "penalty_weight": "loss/length", "rounds": "rounds", "samples": "samples",
    "tau": "steps",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a figure.

    Arguments:
        name: as it is typed.
        default: the figure's own value; a tuple where several are taken, with commas between.
        help: one line.
        domain: of every number; None for text.
        whole: whether it is a whole number.
        most: largest whole number.
        count: how many numbers it takes, where each has its place; any number of them for 0.
        rising: whether each is greater than the one before, as the ends of a range are.
    """

    name: str
    default: Any
    help: str
    domain: Interval | None = None
    whole: bool = False
    most: int = MOST
    count: int = 0
    rising: bool = False

    @property
    def unit(self) -> str:
        """The unit of the column that records it."""
        return _UNITS.get(self.name, "1")

    @property
    def expects(self) -> str:
        """What may be typed.

        >>> whole("seeds", 8).expects, real("mu", (0.1, 1.0), "weight").expects
        ('a whole number >= 1, up to 100000', 'numbers >= 0, with commas between')
        """
        if self.domain is None:
            one = "text"
        else:
            one = self.domain.describe().replace("number", "whole number" if self.whole else "number")
        if isinstance(self.default, tuple):
            some = f"{self.count} " * bool(self.count)
            rising = ", rising" * self.rising
            return f"{some}{one.removeprefix('a ').replace('number', 'numbers')}{rising}, with commas between"
        return f"{one}, up to {self.most}" if self.whole else one

    def read(self, value: Any) -> Any:
        """A value as a user types it, of the kind of the default.

        Raises: InputError for a value outside the domain, or a list that repeats one.
        """
        if not isinstance(self.default, tuple):
            return self._one(value)
        parts = value.split(",") if isinstance(value, str) else value
        parts = parts if isinstance(parts, (list, tuple)) else [parts]
        read = [self._one(part.strip() if isinstance(part, str) else part) for part in parts]
        if self.count not in (0, len(read)):
            raise InputError(self.name, value, self.expects, f"write {self._own()}")
        if len(set(read)) < len(read):
            raise InputError(self.name, value, "each value once", "leave the repeated one out")
        if self.rising and read != sorted(read):
            raise InputError(self.name, value, self.expects, f"write {self._own()}")
        return read

    def _one(self, value: Any) -> Any:
        if self.domain is None:
            return str(value)
        exact = parse_value(value, self.name)
        if self.whole and (exact.denominator != 1 or exact > self.most):
            raise InputError(self.name, value, f"a whole number up to {self.most}", f"write {self._own()}")
        if exact not in self.domain or exact > LARGEST:
            raise InputError(
                self.name, value, f"{self.domain.describe()}, up to 1e100", f"write {self._own()}"
            )
        return int(exact) if self.whole else double_of(exact, self.name, value)

    def _own(self) -> str:
        return f"{self.name}={self.text}"

    @property
    def text(self) -> str:
        """The default as it is typed."""
        return ",".join(map(str, self.default)) if isinstance(self.default, tuple) else str(self.default)


def whole(name: str, default: int | tuple[int, ...], help: str = "", *, zero: bool = False) -> Parameter:
    """A whole number, at least 1 or at least 0; without help the line that all figures share."""
    return Parameter(name, default, help or _HELP[name], NONNEGATIVE if zero else _FROM_ONE, True)


def real(name: str, default: float | tuple[float, ...], help: str = "", *, zero: bool = True) -> Parameter:
    """A number, from 0 on or above it; help as of `whole`."""
    return Parameter(name, default, help or _HELP[name], NONNEGATIVE if zero else POSITIVE)


def points(default: int, help: str = "") -> Parameter:
    """How many points a grid has on an axis."""
    return Parameter("points", default, help or _HELP["points"], _FROM_ONE, True, POINTS)


def ends(name: str, default: tuple[float, float], help: str) -> Parameter:
    """The two ends of a range of positive numbers.

    >>> ends("mu", (4.0, 2000.0), "of the range of μ").expects
    '2 numbers > 0, rising, with commas between'
    """
    return Parameter(name, default, help, POSITIVE, count=2, rising=True)


def placed(parameter: Parameter) -> Parameter:
    """A list in which every number has a place of its own: as many are taken as the figure has.

    >>> placed(whole("rounds", (1500, 300), "with τ = 1 and with local steps")).expects
    '2 whole numbers >= 1, with commas between'
    """
    return replace(parameter, count=len(parameter.default))


def text(name: str, default: str | tuple[str, ...], help: str = "") -> Parameter:
    """A word or words; help as of `whole`."""
    return Parameter(name, default, help or _HELP[name])


def defaults(parameters: Iterable[Parameter]) -> dict[str, Any]:
    """Every default by name, tuples as JSON's lists."""
    return {p.name: list(p.default) if isinstance(p.default, tuple) else p.default for p in parameters}


def read_parameters(figure: str, parameters: Sequence[Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """The figure's own parameters with those that are given in their place.

    Arguments:
        figure: its id.
        parameters: those that it declares.
        given: by name, as numbers or as text.

    Raises: UnknownName with the nearest name; InputError for a value outside its domain.
    """
    known = {p.name: p for p in parameters}
    for name in given:
        if name not in known:
            raise UnknownName(f"parameter of {figure}", name, known)
    return defaults(parameters) | {name: known[name].read(value) for name, value in given.items()}
