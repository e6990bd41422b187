"""Stored runs: some are done again, and whatever is not what was asked for is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fedproof.solvers.runs.stored_runs import SHARE, RecordedRuns, RepeatedRuns, RunsDiffer, RunSource, near

CASES, SEEDS = ("one", "other"), 40


def value(case: str, seed: int) -> list[float]:
    """What a run gives."""
    return [math.sin(seed + len(case)), 1.0 / (seed + 3)]


def asked(source: RunSource, make: Callable[[str, int], Any] = value) -> list[Any]:
    """All runs, as a check asks for them."""
    return [
        source(case, f"seed {seed}", lambda case=case, seed=seed: make(case, seed))  # type: ignore[misc]
        for case in CASES
        for seed in range(SEEDS)
    ]


def stored() -> dict[str, dict[str, Any]]:
    """What is stored of them."""
    runs = RecordedRuns()
    asked(runs)
    return runs.values


def repeated(values: dict[str, dict[str, Any]], seed: int = 1, exact: bool = True) -> RepeatedRuns:
    """A source of stored runs."""
    return RepeatedRuns(values, np.random.default_rng(seed), exact)


def test_a_share_of_each_case_is_done_again() -> None:
    """The values are those that were stored, a tenth of each case's are made anew, by chance."""
    drawn = []
    for seed in (1, 2):
        calls: list[tuple[str, int]] = []

        def make(case: str, seed: int, calls: list[tuple[str, int]] = calls) -> list[float]:
            calls.append((case, seed))
            return value(case, seed)

        runs = repeated(stored(), seed)
        assert asked(runs, make) == [value(c, s) for c in CASES for s in range(SEEDS)]
        runs.close()
        assert [sum(c == case for c, _ in calls) for case in CASES] == [SHARE * SEEDS] * 2
        assert (runs.count, runs.again) == (2 * SEEDS, len(calls))
        drawn.append(set(calls))

    assert drawn[0] != drawn[1]


def test_an_edited_value_is_found_when_its_turn_comes() -> None:
    """One changed bit is refused whenever the run is among those done again, and on no other occasion."""
    found = []
    for seed in range(30):
        values = stored()
        values["one"]["seed 7"][1] = math.nextafter(values["one"]["seed 7"][1], 1)
        runs = repeated(values, seed)
        found.append(runs.wants("one", "seed 7"))
        if found[-1]:
            with pytest.raises(RunsDiffer, match="seed 7 of one: done again it gives something else"):
                asked(runs)
        else:
            asked(runs)

    assert 0 < sum(found) < 30


@pytest.mark.parametrize("change", ["other source", "other case"])
def test_what_every_run_has_is_found_at_once(change: str) -> None:
    """Where all runs of a case give something else now, or were moved from another case, it is refused."""
    values = stored()
    if change == "other case":
        values["one"] = values["other"]
    make = value if change == "other case" else lambda case, seed: [v + 1e-12 for v in value(case, seed)]
    for seed in range(5):
        with pytest.raises(RunsDiffer):
            asked(repeated(values, seed), make)


def test_all_that_is_asked_for_is_stored_and_nothing_else() -> None:
    """A run that lacks, and one that nobody asks for, are refused: neither can hide what is done again."""
    lacking, more = stored(), stored()
    del lacking["other"]["seed 3"]
    more["other"]["seed 99"] = [0.0, 0.0]

    with pytest.raises(RunsDiffer, match="seed 3 of other: not among the stored runs"):
        asked(repeated(lacking))
    runs = repeated(more)
    asked(runs)
    with pytest.raises(RunsDiffer, match="stored, and not asked for"):
        runs.close()


def test_other_libraries_may_round_otherwise() -> None:
    """With other libraries the last bits may differ, more may not; with the same not even they."""

    def made(by: float) -> Callable[[str, int], list[float]]:
        return lambda case, seed: [v * (1 + by) for v in value(case, seed)]

    asked(repeated(stored(), exact=False), made(1e-9))
    for by, exact in ((1e-9, True), (1e-4, False)):
        with pytest.raises(RunsDiffer):
            asked(repeated(stored(), exact=exact), made(by))


SHAPES = (
    ([1.0], [1.0, 2.0]), ("nan", 1.0), ({"a": 1}, {"b": 1}), (1, 2), (True, 1.0), (None, ""),
)  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SHAPES)
def test_another_shape_is_not_near(one: Any, other: Any) -> None:
    """Lengths, keys, texts and whole numbers are compared as they are."""
    assert not near(one, other)
    assert near(one, one)


def test_two_runs_of_one_name_are_not_stored() -> None:
    """A name that does not say all that a run depends on is found when its runs are stored."""
    runs = RecordedRuns()
    runs("case", "seed 1", lambda: [1.0])
    runs("case", "seed 1", lambda: [1.0])
    with pytest.raises(RunsDiffer, match="two runs have this name"):
        runs("case", "seed 1", lambda: [2.0])
