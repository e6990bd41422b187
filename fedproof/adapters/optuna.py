"""The parameters that a statement admits, as a search space of Optuna (extra `optuna`)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

from fedproof.algebra.ranges.interval_ends import inner
from fedproof.algebra.ranges.result import Range
from fedproof.bounds.statement import Condition
from fedproof.bounds.statement_handle import StatementHandle, statement
from fedproof.vocabulary.errors import InputError, MissingName, UnknownName
from fedproof.vocabulary.values import parse_value

Number = float | int


@dataclass(frozen=True)
class AdmissibleSpace:
    """The admissible set of a statement, some of its parameters given; made by `admissible_space`.

    Arguments:
        handle: the statement, with the limits among its conditions.
        names: what is searched, in the order of suggestion.
        given: the exact values of the other letters.
        limits: what `within` says of a name.
    """

    handle: StatementHandle
    names: tuple[str, ...]
    given: Mapping[str, Fraction]
    limits: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)

    def suggest(self, trial: Any) -> dict[str, Number]:
        """Admissible parameters from a trial: each from its exact range given those before it.

        A range is that of the values for which some values of the parameters still to come are admissible, so
        that whatever the sampler picks can be completed. Ends are rounded inward.

        Arguments:
            trial: of Optuna; it gets a parameter for each name, and one `<name>_interval` where the range has
                several intervals.

        Returns: by letter; every condition holds exactly at them.
        Raises: TrialPruned where an earlier parameter leaves no double, or no whole number, to a later one:
            whole numbers first, where their range can be told, leave none out.
        """
        optuna = import_optuna()
        found: dict[str, Number] = {}
        for name in self.names:
            ends = _choices(self._range(found), self._whole(name))
            if not ends:
                raise optuna.TrialPruned(f"nothing of {name} is left")
            which = trial.suggest_int(f"{name}_interval", 0, len(ends) - 1) if len(ends) > 1 else 0
            low, high = ends[min(which, len(ends) - 1)]
            ask = trial.suggest_int if self._whole(name) else trial.suggest_float
            found[name] = ask(name, low, high)
        if not self.handle.applies(**self.given, **found):
            raise optuna.TrialPruned("a sampler left its interval")
        return found

    @cached_property
    def distributions(self) -> dict[str, Any]:
        """A box around the admissible set, a distribution of Optuna for each name.

        The first side is the least interval that holds the admissible values; so are the others, unless
        `within` gives them. Not everything in the box is admissible; `constraints` says what is.

        Raises: InputError where an interval cannot be told and `within` says nothing.
        """
        optuna = import_optuna()
        box = {}
        for name in self.names:
            kind = "IntDistribution" if self._whole(name) else "FloatDistribution"
            box[name] = getattr(optuna.distributions, kind)(*self._sides(name))
        return box

    @property
    def labels(self) -> tuple[str, ...]:
        """Of the conditions, those of `within` among them."""
        return tuple(condition.label for condition in self.handle.statement.admissible)

    def constraints(self, trial: Any) -> tuple[float, ...]:
        """One number for each of `labels`, at most 0 where that condition holds.

        Its sign is decided exactly, from the numbers as Optuna keeps them; its size is the margin of `check`.
        It is what `Trial.set_constraint` takes, and before Optuna 5 a sampler's `constraints_func` gives.

        Arguments:
            trial: one whose parameters have the names that are searched.
        """
        values = {name: trial.params[name] for name in self.names}
        checked = self.handle.check(**self.given, **values)
        return tuple(_violation(d.holds, d.margin) for _, d in checked.conditions)

    def _range(self, found: Mapping[str, Number]) -> Range:
        """Of the next name, given the exact values of those before it."""
        if not found:
            return self._first
        return self.handle.range(self.names[len(found)], **self.given, **found)

    @cached_property
    def _first(self) -> Range:
        first = self.handle.range(self.names[0], **self.given)
        if first.empty:
            raise self._nothing(self.names[0], first.why or "")
        return first

    def _sides(self, name: str) -> tuple[Number, Number]:
        """Of the box around the admissible set."""
        first = name == self.names[0]
        if name in self.limits and not first:  # a joint range can take seconds
            low, high = self.limits[name]
            return (math.ceil(low), math.floor(high)) if self._whole(name) else (float(low), float(high))
        found = self._first if first else self.handle.range(name, **self.given)
        ends = _choices(found, self._whole(name))
        if not ends:
            raise self._nothing(name)
        return ends[0][0], ends[-1][1]

    def _whole(self, name: str) -> bool:
        (letter,) = (x for x in self.handle.statement.letters if x.name == name)
        return letter.quantity.whole

    def _nothing(self, name: str, why: str = "") -> InputError:
        return InputError(f"range of {name}", why or "no value", "an admissible one", "change what is given")


def admissible_space(
    id: str,
    names: Sequence[str],
    *,
    within: Mapping[str, tuple[Any, Any]] | None = None,
    **given: Any,
) -> AdmissibleSpace:
    """The parameters that a statement admits, to be searched with Optuna.

    Arguments:
        id: a statement, such as fedproxvr.certified.sarah.
        names: letters or words of what is searched, in the order of suggestion; where the range of the first,
            with the others left out, cannot be told, another order may do.
        within: lowest and highest value of a name, which join the conditions; ends without limit need one.
        given: the values of all other letters that the conditions need, read exactly as written.

    Returns: a space with `suggest`, `distributions` and `constraints`.
    Raises: InputError, UnknownName or MissingName, one line each; also where nothing is admissible.

    >>> space = admissible_space("fedproxvr.certified.sarah", ["beta", "tau"], within={"beta": (4, 200)},
    ...                          L=1, lam="1/2", sigma2=1, mu=100)
    >>> [round(end, 3) for end in _choices(space._first, whole=False)[0]]
    [14.586, 200.0]
    """
    handle = statement(id)
    known = {x.name: x for x in handle.statement.letters} | {x.means: x for x in handle.statement.letters}
    wrong = next((n for n in (*names, *(within or {}), *given) if n not in known), None)
    if wrong is not None:
        raise UnknownName(f"symbol of {id}", wrong, handle.names)
    if not names:
        raise InputError("names", "none", "one or more parameters to search", f"one of {handle.names}")
    searched = tuple(known[n].name for n in names)
    for given_names in (within or {}, given):
        _once(known[n].name for n in given_names)
    limits = {
        known[n].name: (parse_value(low, n), parse_value(high, n))
        for n, (low, high) in (within or {}).items()
    }
    limited = _limited(handle, limits)
    values = {known[n].name: parse_value(v, n) for n, v in given.items()}
    twice = next((n for n in searched if n in values or searched.count(n) > 1), None)
    if twice is not None:
        raise InputError("names", f"{twice} twice", "each letter once, searched or given")
    needed = {n: v for n, v in values.items() if n in limited.statement.needed}
    absent = [n for n in limited.statement.needed if n not in {*needed, *searched}]
    if absent:
        raise MissingName(id, absent)
    space = AdmissibleSpace(limited, searched, needed, limits)
    _choices(space._first, space._whole(searched[0]))  # nothing admissible, or no end, is said at once
    return space


def _once(names: Iterable[str]) -> None:
    """Refuse a letter that is said twice, as by letter and word."""
    doubled = next((name for name, many in Counter(names).items() if many > 1), None)
    if doubled is not None:
        raise InputError(doubled, "it twice, by letter and word", "each letter once", "leave one of them out")


def import_optuna() -> Any:
    """Optuna.

    Raises: InputError that names the extra where it is missing.
    """
    try:
        import optuna
    except ImportError:
        raise InputError(
            "optuna", "no installed package", "the extra optuna", "run pip install 'fedproof[optuna]'"
        ) from None
    return optuna


def _limited(handle: StatementHandle, limits: Mapping[str, tuple[Fraction, Fraction]]) -> StatementHandle:
    """The statement with limits as conditions of their own."""
    st = handle.statement
    symbols, more = {letter.name: letter.symbol for letter in st.letters}, []
    for name, ends in limits.items():
        low, high = (sp.Rational(end.numerator, end.denominator) for end in ends)
        more.append(Condition(f"{name} at least", sp.Le(low, symbols[name], evaluate=False)))
        more.append(Condition(f"{name} at most", sp.Le(symbols[name], high, evaluate=False)))
    return StatementHandle(replace(st, conditions=(*st.conditions, *more))) if more else handle


def _choices(found: Range, whole: bool) -> list[tuple[Number, Number]]:
    """The closed intervals of doubles, or of whole numbers, inside a range.

    Raises: InputError for one without end.
    """
    ends: list[tuple[Number, Number]] = []
    for s in found.stretches:
        low, high = inner(s.lo, s.hi, s.lo_open, s.hi_open)
        if low is None or high is None:
            raise InputError(f"range of {found.symbol}", "one without end", "one that ends",
                             f"give within={{'{found.symbol}': (low, high)}}")  # fmt: skip
        inside: tuple[Number, Number] = (math.ceil(low), math.floor(high)) if whole else (low, high)
        if inside[0] <= inside[1]:
            ends.append(inside)
    return ends


def _violation(holds: bool, margin: float | None) -> float:
    """At most 0 where a condition holds and above 0 where it does not, as near to -margin as that allows."""
    size = 1.0 if margin is None or math.isnan(margin) else -margin
    return min(size, 0.0) if holds else max(size, math.ulp(0.0))
