"""The figure of Table 1: its caption follows planted tables, its curves are the rows typed a second time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from fedproof.figures.caption import NOT_APPLICABLE, NOT_SEEN, SEEN, TOO_SHORT
from fedproof.papers.fedprox.figures import table1
from fedproof.papers.fedprox.table1 import ROWS
from tests.papers.planted_tables import claim


def made(**size: Any) -> Any:
    """The figure's table at another size."""
    return table1.compute(table1.SPEC.size | {"points": 13} | size)


def slower(name: str, power: float, **size: Any) -> Any:
    """One row needs more by a power of 1/epsilon."""
    table = made(**size)
    return table.assign(rounds=table.rounds * np.where(table.name == name, table.epsilon**-power, 1.0))


def dearer(name: str, times: float) -> Any:
    """One row needs so many times as much."""
    table = made()
    return table.assign(rounds=table.rounds * np.where(table.name == name, times, 1.0))


FIRST, THIRD, FASTER, LGD, OURS = "SCAFFOLD and FCO", "Theorem 3 is", "STEM and FedPD", "(B, 0)", "repaired"
SAID: list[tuple[Any, str, str, str]] = [
    (made, FIRST, SEEN, "10.1 times SCAFFOLD's of Karimireddy et al., 2020"),
    (made, FIRST, SEEN, "101 times FCO's"),
    (lambda: slower("scaffold", 0.5), FIRST, NOT_SEEN, "not the same exponent"),
    (made, THIRD, SEEN, "the same exponent there."),
    (lambda: slower("theorem3", 0.5), THIRD, NOT_SEEN, ""),
    (lambda: made(epsilon=[1e-4, 1.0]), THIRD, TOO_SHORT, "not the same exponent"),
    (made, FASTER, SEEN, "FedPD's of Zhang et al., 2020"),
    (lambda: slower("stem", 1.5), FASTER, NOT_SEEN, ""),
    (lambda: dearer("stem", 5.0), FASTER, NOT_SEEN, "STEM's of Khanduri et al., 2021 0."),
    (made, LGD, SEEN, "FedProx's of Li et al., 2020b"),
    (lambda: slower("theorem1", -1.5), LGD, NOT_SEEN, ""),
    (made, OURS, SEEN, "With H²/G² = 0.1 it needs 1.9"),
    (lambda: made(spread=0.0), OURS, NOT_APPLICABLE, "needs 1 times as many"),
    (lambda: slower(table1.REPAIRED, -0.5), OURS, NOT_SEEN, ""),
]


@pytest.mark.parametrize(("table", "part", "word", "measured"), SAID)
def test_a_caption_says_what_its_table_shows(table: Any, part: str, word: str, measured: str) -> None:
    """A claim has the word and the numbers of the table."""
    found = claim(table1.caption(table()), part)

    assert found.word == word
    assert measured in found.measured


def test_theorem_3_repaired_is_typed_a_second_time() -> None:
    """1/(J eps^2) + eps^(-3/2) with J = I/(1/b + H^2/G^2); without spread it is the printed row."""
    table = made(I=7, M=50, b=3, spread=0.25)
    own, plain = table1.curve(table, table1.REPAIRED), made(I=7, M=50, b=3, spread=0.0)
    epsilon = own.index.to_numpy()
    draws = 7 / (1 / 3 + 0.25)

    np.testing.assert_allclose(own, 1 / (draws * epsilon**2) + epsilon**-1.5)
    np.testing.assert_allclose(table1.curve(plain, table1.REPAIRED), table1.curve(plain, "theorem3"))


def test_the_curves_are_the_rows_of_the_table() -> None:
    """At every accuracy a curve is its row's expression at that point, evaluated on its own."""
    table = made(I=7, M=50, b=3, points=4)
    given = {"I": 7.0, "M": 50.0, "b": 3.0}

    assert len(table) == 4 * 13
    for row in ROWS:
        names = {s.name for s in row.complexity.free_symbols}
        for epsilon, rounds in table1.curve(table, row.name).items():
            values = {"epsilon": float(epsilon)} | {n: v for n, v in given.items() if n in names}
            assert rounds == pytest.approx(row.at(**values), rel=1e-12)


def test_the_exponent_is_that_of_a_power() -> None:
    """Of 3 eps^-1.7 it is 1.7."""
    epsilon = np.geomspace(1e-3, 1, 5)

    assert table1.exponent(pd.Series(3 * epsilon**-1.7, index=epsilon)) == pytest.approx(1.7)
