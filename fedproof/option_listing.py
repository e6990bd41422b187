"""What may be set: every option of every algorithm, or of every problem, with domain and default."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, asdict, dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from fedproof.problems.catalog import WEIGHTS
from fedproof.problems.composite.penalty import PENALTY, own_options, penalty_names
from fedproof.problems.data.federate import MODEL, REST, SPLIT
from fedproof.problems.data.table_options import TABLE
from fedproof.problems.supervised.model_options import model_names, option_defaults
from fedproof.solvers import parameters
from fedproof.solvers.catalog import algorithm_class, algorithm_names, part_class, part_names
from fedproof.vocabulary.discovery import addresses, load, readable
from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.options import Option, shown
from fedproof.vocabulary.result import Result, Table, jsonable

KINDS = ("algorithms", "problems")
_PART = "a part with options of its own"
_NEEDED, _DECIDED = "required", ""
#: a step size that is not given, where the problem's L is known
_BY_SMOOTHNESS = "1/(10 L)"


@dataclass(frozen=True)
class ListedOption:
    """An option as it is listed.

    Arguments:
        of: whose it is: an algorithm, a problem, or a part as it is chosen, `local_solver=to_inexactness`.
        name: as it is typed; also: other names, such as a paper's letter.
        default: as it is typed; "required" where there is none, "" where the data or the problem decide.
        domain: what is accepted.
        meaning: one clause, where there is one.
    """

    of: str
    name: str
    also: tuple[str, ...]
    default: str
    domain: str
    meaning: str


@dataclass(frozen=True)
class OptionListing(Result):
    """Every option of a kind.

    Arguments:
        kind: "algorithms" or "problems".
        names: all algorithms, or all problems, those without options of their own too.
        options: in order.
    """

    kind: str
    names: tuple[str, ...]
    options: tuple[ListedOption, ...]

    def to_dict(self) -> dict[str, Any]:
        """The names and the options."""
        document: dict[str, Any] = jsonable(
            {"kind": self.kind, "names": self.names, "options": [asdict(o) for o in self.options]}
        )
        return document

    @property
    def frame(self) -> Any:
        """An option a row, as a pandas table."""
        import pandas as pd

        return pd.DataFrame([asdict(o) for o in self.options])

    def headline(self) -> str:
        """How many."""
        return f"{len(self.names)} {self.kind}, {len(self.options)} options: {', '.join(self.names)}"

    def tables(self) -> tuple[Table, ...]:
        """A table for each that has options."""
        columns = ("option", "also", "default", "accepted", "meaning")
        groups: dict[str, list[tuple[str, ...]]] = {}
        for o in self.options:
            row = (o.name, ", ".join(o.also), o.default, o.domain, o.meaning)
            groups.setdefault(o.of, []).append(row)
        return tuple(Table(of, columns, tuple(rows)) for of, rows in groups.items())


def list_options(kind: str) -> OptionListing:
    """Every option of every algorithm and its parts, or of every problem and what it may be made with.

    Arguments:
        kind: "algorithms" or "problems".

    Raises: UnknownName.

    >>> found = list_options("algorithms")
    >>> [(o.default, o.domain) for o in found.options if (o.of, o.name) == ("fedavg", "local_steps")]
    [('20', 'a whole number >= 0 and <= 100000000')]
    """
    if kind not in KINDS:
        raise UnknownName("kind of options", kind, KINDS)
    if kind == "algorithms":
        return OptionListing(kind, algorithm_names(), tuple(_of_algorithms()))
    return OptionListing(kind, tuple(addresses("problems")), tuple(_of_problems()))


def _listed(of: str, options: Iterable[Option]) -> Iterator[ListedOption]:
    for o in options:
        yield ListedOption(of, o.name, o.aliases, _typed(o.default), o.domain, o.meaning)


def _typed(default: Any) -> str:
    """A default as one would type it."""
    if default is MISSING:
        return _NEEDED
    if default is None:
        return _DECIDED
    if isinstance(default, bool):
        return "yes" if default else "no"
    return shown(default) if isinstance(default, Fraction) else str(default)


def _of_algorithms() -> Iterator[ListedOption]:
    """Their own hyper-parameters, which parts they have, and those of all parts."""
    known = readable(algorithm_names(), algorithm_class)
    kinds: dict[str, None] = {}
    for name, made in known.items():
        yield from _hyper(name, made, name)
        for kind, usual in getattr(made, "parts", {}).items():
            kinds.setdefault(kind)
            yield ListedOption(name, kind, (), usual, ", ".join(part_names(kind)), _PART)
    for kind in kinds:
        for name, part in readable(part_names(kind), partial(part_class, kind)).items():
            yield from _hyper(f"{kind}={name}", part, kind)


def _hyper(of: str, made: Any, namespace: str) -> Iterator[ListedOption]:
    """The hyper-parameters of an algorithm or a part, with what its docstring says of them."""
    options = parameters.own_options(made, getattr(made, "letters", {}), namespace)
    derived = {o.name for o in options} >= set(parameters.DERIVED)
    for listed in _listed(of, options):
        usual = _BY_SMOOTHNESS if derived and listed.name == "stepsize" else listed.default
        said = _documented(made, listed.name) or listed.meaning
        yield replace(listed, default=usual, meaning=said)


def _documented(made: Any, name: str) -> str:
    """The first clause of a docstring's line about an argument, of the class or of one above it."""
    for known in made.__mro__:
        text = inspect.cleandoc(known.__doc__ or "")
        found = re.search(rf"^    (?:\w+, )*{name}(?:, \w+)*: (.+(?:\n {{8}}.+)*)", text, re.MULTILINE)
        if found:
            return re.split(r"[;.](?: |$)", " ".join(found[1].split()))[0]
    return ""


def _of_problems() -> Iterator[ListedOption]:
    """What tables, splits, models and penalties take, and each problem by name."""
    yield from _listed("your data", TABLE)
    yield from _listed("all data", (SPLIT, MODEL, *REST))
    for split in addresses("splits"):
        yield from _listed(f"split={split}", load("splits", split, "split").OPTIONS)
    for model in model_names():
        for name, default in option_defaults(model).items():
            typed = _NEEDED if default is None else _typed(default)
            yield ListedOption(f"model={model}", name, (), typed, "as the model takes it", "docs/models.md")
    yield from _listed("every problem", (WEIGHTS, PENALTY))
    for penalty in penalty_names():
        yield from _listed(f"penalty={penalty}", own_options(penalty))
    for problem in addresses("problems"):
        yield from _listed(problem, getattr(load("problems", problem, "problem"), "OPTIONS", ()))
