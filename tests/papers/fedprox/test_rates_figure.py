"""The figure of the rates: its caption follows planted tables, its numbers are those of other routes."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fedproof.figures.caption import NOT_SEEN, NOT_TOLD_APART, SEEN
from fedproof.papers.fedprox.checks import theorem1
from fedproof.papers.fedprox.checks._experiments import on_line
from fedproof.papers.fedprox.checks._instances import smooth_lines
from fedproof.papers.fedprox.figures import rates
from tests.papers.planted_tables import claim, frame, toy


def bounded(share: Any = 0.3, *, spread: float = 0.01, seeds: int = 8) -> pd.DataFrame:
    """A table whose measured values are this share of their bounds, a number or one by row."""
    table = frame(theorem=[1, 2], where=[0, 1], cohort=[1, 4], rounds=[4, 16, 64, 256], seed=range(seeds))
    noise = np.random.default_rng(6).standard_normal(len(table))
    problem = [rates.ON_LINE if here == 0 else "on robust" for here in table["where"]]
    bound = 1 / np.sqrt(table["rounds"] * np.where(table.theorem == 1, table.cohort, 1))
    table = table.assign(problem=problem, bound=bound, stepsize=1.0, rho=0.5, clients=20, heterogeneity=1)
    parts = table.apply(share, axis=1) if callable(share) else share
    return table.assign(measured=bound * parts * (1 + spread * noise))


def above(row: Any) -> float:
    """One experiment on Theorem 2 lies above its bound."""
    return 1.2 if (row.theorem, row.cohort, row["rounds"], row.problem) == (2, 4, 64, rates.ON_LINE) else 0.3


def no_gain(row: Any) -> float:
    """More devices do not help."""
    return 0.3 * math.sqrt(row.cohort)


def flat(row: Any) -> float:
    """Runs do not fall at all."""
    return 0.01 * math.sqrt(row["rounds"])


FIRST, SECOND, MORE, FALLS = "Theorem 1", "Theorem 2", "more devices", "On the line"
SAID: list[tuple[Any, str, str, str]] = [
    (bounded, FIRST, SEEN, "at most 0.3"),
    (bounded, SECOND, SEEN, "None of them above it."),
    (lambda: bounded(above), FIRST, SEEN, "None of them above it."),
    (
        lambda: bounded(above),
        SECOND,
        NOT_SEEN,
        "nearest on the line, I = 4, T = 64, at 1.21. 1 of them above it.",
    ),
    (lambda: bounded(0.98, spread=0.1), FIRST, NOT_TOLD_APART, "None of them above it."),
    (bounded, MORE, SEEN, "lower in 2, higher in 0 of 2 comparisons; the bound's is 0.5."),
    (lambda: bounded(no_gain), MORE, NOT_TOLD_APART, "not told apart in 2 of 2"),
    (bounded, FALLS, SEEN, ""),
    (lambda: bounded(flat), FALLS, NOT_SEEN, "Theorem 2, on the line, I = 4 4 (3.9 to 4.1) times"),
]


@pytest.mark.parametrize(("table", "part", "word", "measured"), SAID)
def test_a_caption_says_what_its_table_shows(table: Any, part: str, word: str, measured: str) -> None:
    """A claim has the word and the numbers of the table."""
    found = claim(rates.caption(table()), part)

    assert found.word == word
    assert measured in found.measured


def test_one_number_of_devices_says_nothing_of_more() -> None:
    """Without a second I there is no claim of sampling."""
    said = rates.caption(bounded()[lambda t: t.cohort == 1])

    assert not [one for one in said.claims if MORE in one.claim]


def test_bounds_and_steps_are_the_theorems() -> None:
    """Typed a second time: eta = min / (3 L) and (6 L Delta + 34/9 G^2) max; rho / sqrt(T) and its bound."""
    rows = toy(rates)[lambda t: t.problem == rates.ON_LINE]
    one, two = (rows[rows.theorem == theorem] for theorem in (1, 2))
    T, I = one["rounds"], one.cohort  # noqa: E741  # the letter of the paper
    smooth, steep, gap = 1.0, 1.0, 2.0  # slopes rise by 2 in 2, |slope| <= 1; R(3) - R(0) = 1 + 1
    root = np.sqrt(two["rounds"])
    envelope = 13 / 12  # absolute values at -1, 0, 1 from 2: R = 2, least 2/3, less rho / 2 = 1/4

    np.testing.assert_allclose(one.stepsize, np.minimum(T ** (-1 / 3), np.sqrt(I / T)) / (3 * smooth))
    shrinks = np.maximum(T ** (-2 / 3), 1 / np.sqrt(T * I))
    np.testing.assert_allclose(one.bound, (6 * smooth * gap + 34 / 9 * steep**2) * shrinks)
    np.testing.assert_allclose(two.stepsize, 0.5 / root)
    np.testing.assert_allclose(
        two.bound, envelope / (two["rounds"] * 0.5) + (2 * envelope + 4 * 0.5) / (0.5 * root), rtol=1e-6
    )


def test_on_one_round_the_gradient_at_the_start_is_measured() -> None:
    """With T = 1 the mean is the squared slope at the start, 1 on both lines, on every seed."""
    rows = toy(rates)[lambda t: (t["rounds"] == 1) & (t.problem == rates.ON_LINE)]

    assert rows.measured.tolist() == [1.0] * len(rows)
    assert len(rows) == 2 * 2 * 2


def test_sampled_runs_have_the_exact_expectation() -> None:
    """On the line with T = 4 the mean over many seeds is the enumerated expectation."""
    line = next(line for line in smooth_lines() if line.name == "three clients")
    exact = on_line(line, 1, 4, pushed=False)
    made = rates._experiment(1, line, 1, 4, Fraction(1, 2), True)
    runs = theorem1.runs()
    values = runs.sampled(made, made.method, 400, 0)
    expected, _ = runs.expected(exact, exact.method)

    assert abs(values.mean() - float(expected)) <= 4 * values.std() / 20
    assert values.std() > 0
