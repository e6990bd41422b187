"""What `measure` answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite, nextafter
from typing import TYPE_CHECKING, Any

from fedproof.measure.measured_constant import MeasuredConstant
from fedproof.vocabulary.decimals import short
from fedproof.vocabulary.discovery import readable
from fedproof.vocabulary.papers import letters_of, papers
from fedproof.vocabulary.quantities import QUANTITIES
from fedproof.vocabulary.result import Result, Table, jsonable

if TYPE_CHECKING:
    from pandas import DataFrame

_BITS = 2000
LESS_IS_SAFE = ("loss_strong_convexity",)


@dataclass(frozen=True)
class MeasureResult(Result):
    """The constants of a problem by canonical word, and the data they are of.

    Arguments:
        constants: in the order of `measure.api.CONSTANTS`.
        data: what `describe` says of the problem, without its lists of clients.
        interrupted: whether constants are missing because the measurement was stopped.
    """

    constants: Mapping[str, MeasuredConstant]
    data: Mapping[str, Any]
    interrupted: bool = False

    @property
    def known(self) -> dict[str, Any]:
        """Word -> value for `check`, `range` and `tune`: estimates too, where a statement can mean them.

        What an estimate leads to is no proof: most of them are lower bounds of what a theorem asks for.
        """
        return _usable({name: entry.value for name, entry in self.constants.items()})

    @property
    def proved(self) -> dict[str, Any]:
        """Word -> a proved value on the safe side: what is exact, or the upper end that is certified.

        Of strong convexity, of which less is safe, it is the lower end.
        """
        return _usable(
            {name: e.lower if name in LESS_IS_SAFE else e.upper for name, e in self.constants.items()}
        )

    def known_for(self, id: str, *, proved: bool = False) -> dict[str, Any]:
        """The values among `known` (or `proved`) that a statement has a letter for, for its `check`.

        Arguments:
            id: of the statement.
            proved: whether only proved values are given; an estimate is then left out.

        Returns: values by canonical word.
        Raises: UnknownName.

        >>> from fedproof.measure.api import measure
        >>> result = measure("quadratic", clients=4, rounds=4, seeds=5)
        >>> list(result.known_for("fedproxvr.problem23"))
        ['smoothness_sample', 'weak_convexity', 'dissimilarity']
        """
        from fedproof.bounds.catalog import statement

        words = {letter.means for letter in statement(id).letters}
        values = self.proved if proved else self.known
        return {name: value for name, value in values.items() if name in words}

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of the contract."""
        return {
            "constants": {name: entry.to_dict(name) for name, entry in self.constants.items()},
            "data": jsonable(self.data),
            "interrupted": self.interrupted,
        }

    def headline(self) -> str:
        """Of what, and what it cost."""
        seconds = sum(entry.seconds for entry in self.constants.values())
        cut = "; interrupted, the rest is missing" if self.interrupted else ""
        return f"{self.data['problem']}: {len(self.constants)} constants in {seconds:.3g} s{cut}"

    def tables(self) -> tuple[Table, ...]:
        """Name, the papers' letters, value, kind, spread, proved bound; then how; then the data."""
        letters = _letters()
        rows = tuple(
            (name, letters.get(name, ""), e.shown(side_of(name)), e.kind, _number(e.spread), _most(e.upper))
            for name, e in self.constants.items()
        )
        columns = ("constant", "letter", "value", "kind", "spread", "at most")
        how = tuple((name, entry.why) for name, entry in self.constants.items())
        known = ((k.replace("_", " "), v) for k, v in self.data.items() if k != "problem" and v is not None)
        told = ((k, v["line"] if k == "read" else v) for k, v in known)
        return (
            Table("", columns, rows),
            Table("How", ("constant", "how"), how),
            Table("Data", ("", ""), tuple(told)),
        )

    @property
    def frame(self) -> DataFrame:
        """One row a constant: value, kind, spread, lower, upper, unit, how."""
        from pandas import DataFrame

        columns = ("value", "kind", "spread", "lower", "upper", "unit", "how")
        rows = {name: entry.to_dict(name) for name, entry in self.constants.items()}
        found = [[row[c] for c in columns] for row in rows.values()]
        return DataFrame(found, index=list(rows), columns=list(columns))


def _usable(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values inside their quantity's domain, as the value parser takes them."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        if value is None or not isfinite(value) or Fraction(value) not in QUANTITIES[name].domain:
            continue
        long = isinstance(value, Fraction) and value.denominator.bit_length() > _BITS
        found[name] = nextafter(float(value), inf) if long else value
    return found


def side_of(name: str) -> int:
    """To which side a proved constant may be rounded: 1, or -1 for one of which less is safe."""
    return -1 if name in LESS_IS_SAFE else 1


def _most(value: Any) -> str:
    return "—" if value is None else short(value, 4, 1)


def _number(value: Any) -> str:
    return "—" if value is None else f"{float(value):.4g}"


def _letters() -> dict[str, str]:
    """Canonical word -> the letters that papers have for it, of each paper the first."""
    found: dict[str, dict[str, None]] = {}
    for letters in readable(papers(), letters_of).values():
        for letter in {each.means: each for each in reversed(letters)}.values():
            found.setdefault(letter.means, {})[letter.name] = None
    return {means: ", ".join(names) for means, names in found.items()}
