"""Runs that were done before: a random share is done again, and all of them must be what is asked for.

Whoever needs runs takes a `RunSource` and asks it for each by the case and the run's name, with a function
that does it. What that function returns is plain JSON: numbers, texts, lists and mappings.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

#: of the runs of every case, and at least one, are done again
SHARE = 1 / 10
#: relative; how far numbers may lie apart that other libraries made, or another kind of core
ROUNDING = 1e-6

Value = Any
"""Plain JSON."""
Stored = Mapping[str, Mapping[str, Value]]
"""What runs gave, by case and by run."""


class RunSource(Protocol):
    """Where runs come from."""

    def wants(self, case: str, run: str) -> bool:
        """Whether the run will be done, so that several that are can be done together."""
        ...

    def __call__(self, case: str, run: str, make: Callable[[], Value]) -> Value:
        """What a run gives.

        Arguments:
            case: what its runs have in common: problem, method and all their numbers.
            run: its name among them, such as the seed.
            make: does it.
        """
        ...


class DoneNow:
    """The source that stores nothing: every run is done.

    >>> DoneNow()("a case", "seed 1", lambda: [0.5])
    [0.5]
    """

    def wants(self, case: str, run: str) -> bool:
        """As of `RunSource`."""
        del case, run
        return True

    def __call__(self, case: str, run: str, make: Callable[[], Value]) -> Value:
        """As of `RunSource`."""
        del case, run
        return make()


DONE_NOW = DoneNow()


class RunsDiffer(Exception):
    """Stored runs are not those that are asked for, or not what they give when they are done again."""


class RecordedRuns(DoneNow):
    """A source that does every run and keeps what it gave, to be stored.

    >>> runs = RecordedRuns()
    >>> runs("a case", "seed 1", lambda: [0.5]), runs.values
    ([0.5], {'a case': {'seed 1': [0.5]}})
    """

    def __init__(self) -> None:
        self.values: dict[str, dict[str, Value]] = {}

    def __call__(self, case: str, run: str, make: Callable[[], Value]) -> Value:
        """As of `RunSource`.

        Raises: RunsDiffer where two runs have one name.
        """
        value = make()
        known = self.values.setdefault(case, {}).setdefault(run, value)
        if json.dumps(known, sort_keys=True) != json.dumps(value, sort_keys=True):
            raise RunsDiffer(f"{run} of {case}: two runs have this name")
        return value


class RepeatedRuns:
    """A source of stored runs that does a random share of each case's again and compares.

    Arguments:
        stored: what they gave.
        chance: chooses those that are done again; whoever stored them cannot know it.
        exact: whether the libraries and the core are those that made them, so that every bit must be equal.

    >>> runs = RepeatedRuns({"a case": {"seed 1": [0.5]}}, np.random.default_rng(1), exact=True)
    >>> runs("a case", "seed 1", lambda: [0.25])
    Traceback (most recent call last):
    ...
    fedproof.solvers.runs.stored_runs.RunsDiffer: seed 1 of a case: done again it gives something else
    """

    def __init__(self, stored: Stored, chance: np.random.Generator, exact: bool) -> None:
        self._stored = stored
        self._exact = exact
        self._again = frozenset(_chosen(stored, chance))
        self._left = {(case, run) for case, runs in stored.items() for run in runs}
        self.count = len(self._left)

    @property
    def again(self) -> int:
        """How many runs are done again."""
        return len(self._again)

    def wants(self, case: str, run: str) -> bool:
        """As of `RunSource`."""
        return (case, run) in self._again and (case, run) in self._left

    def __call__(self, case: str, run: str, make: Callable[[], Value]) -> Value:
        """As of `RunSource`.

        Raises: RunsDiffer for a run that is not stored, or that gives something else.
        """
        if run not in self._stored.get(case, {}):
            raise RunsDiffer(f"{run} of {case}: not among the stored runs")
        value = self._stored[case][run]
        if self.wants(case, run) and not self._alike(make(), value):
            raise RunsDiffer(f"{run} of {case}: done again it gives something else")
        self._left.discard((case, run))
        return value

    def close(self) -> None:
        """All that is stored was asked for, so that every chosen run was done again.

        Raises: RunsDiffer where something else is stored too.
        """
        if self._left:
            case, run = min(self._left)
            raise RunsDiffer(f"{run} of {case}: stored, and not asked for")

    def _alike(self, made: Value, stored: Value) -> bool:
        if self._exact:
            return json.dumps(made, sort_keys=True) == json.dumps(stored, sort_keys=True)
        return near(made, stored)


def _chosen(stored: Stored, chance: np.random.Generator) -> Iterator[tuple[str, str]]:
    for case in sorted(stored):
        runs = sorted(stored[case])
        places = chance.choice(len(runs), math.ceil(SHARE * len(runs)), replace=False)
        yield from ((case, runs[place]) for place in places)


def near(one: Value, other: Value) -> bool:
    """Whether two values are equal but for rounding: numbers within `ROUNDING` of each other.

    >>> near([1.0, {"a": "x"}], [1.0 + 1e-9, {"a": "x"}]), near([1.0], [1.001]), near([1.0], [1.0, 1.0])
    (True, False, False)
    """
    if isinstance(one, float) or isinstance(other, float):
        numbers = not isinstance(one, (str, bool)) and not isinstance(other, (str, bool))
        return numbers and math.isclose(one, other, rel_tol=ROUNDING)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(near, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(near(one[name], other[name]) for name in one)
    return type(one) is type(other) and bool(one == other)


def as_numbers(values: Sequence[float]) -> list[float | str]:
    """Doubles as JSON: every bit of them, and text for what is no number there.

    >>> as_numbers([0.1, math.nan, -math.inf]), float("-inf")
    ([0.1, 'nan', '-inf'], -inf)
    """
    return [float(v) if math.isfinite(v) else repr(float(v)) for v in values]


def told(numbers: Mapping[str, Any]) -> str:
    """Numbers by name as part of a case's name, doubles to nine digits: libraries may differ in the last.

    >>> told({"stepsize": 0.1 + 0.2, "memory": 1, "name": "natural"})
    'memory=1 name=natural stepsize=0.3'
    """
    said = (f"{name}={value:.9g}" if isinstance(value, float) else f"{name}={value}"
            for name, value in sorted(numbers.items()))  # fmt: skip
    return " ".join(said)
