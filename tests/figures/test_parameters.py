"""Parameters of figures: read as typed, refused in one line, and listed."""

from __future__ import annotations

from typing import Any

import pytest

from fedproof.figures.api import figure_parameters
from fedproof.figures.parameters import ends, placed, points, read_parameters, real, text, whole
from fedproof.vocabulary.errors import InputError, UnknownName
from tests.refusals import refused

DECLARED = (
    text("data", ("synthetic", "digits")),
    whole("seeds", 8),
    whole("clients", 0, zero=True),
    real("mu", (0.0, 2.0), "weights"),
    real("beta", 5.0, "of the step", zero=False),
    ends("gamma", (1e-3, 1.0), "of the range of γ"),
    placed(whole("rounds", (30, 10), "of both runs")),
    points(100),
)


def read(**given: Any) -> dict[str, Any]:
    """Values in place of the defaults."""
    return read_parameters("a.figure", DECLARED, given)


def test_values_are_read_as_they_are_typed() -> None:
    """Text becomes what the parameter is: words, a whole number, a number; defaults stay."""
    assert read() == {
        "data": ["synthetic", "digits"],
        "seeds": 8,
        "clients": 0,
        "mu": [0.0, 2.0],
        "beta": 5.0,
        "gamma": [1e-3, 1.0],
        "rounds": [30, 10],
        "points": 100,
    }
    found = read(data="digits", seeds="3", mu="1/2, 0", clients=0, gamma="1/2,4", rounds="5,50")
    assert (found["data"], found["seeds"], found["mu"], found["clients"]) == (["digits"], 3, [0.5, 0.0], 0)
    assert (found["gamma"], found["rounds"]) == ([0.5, 4.0], [5, 50])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"seeds": "2.5"}, r"seeds: got 2\.5, expected a whole number"),
        ({"seeds": "0"}, "expected a number >= 1"),
        ({"seeds": "1e9"}, "a whole number up to 100000"),
        ({"beta": "0"}, "expected a number > 0"),
        ({"mu": "1e999"}, "up to 1e100"),
        ({"mu": "0,0"}, "each value once"),
        ({"mu": "-1"}, "expected a number >= 0"),
        ({"mu": "x"}, "expected a number such as"),
        (
            {"gamma": "1e2"},
            "got 1e2, expected 2 numbers > 0, rising, with commas between; write gamma=0.001,1.0",
        ),
        ({"gamma": "2,1"}, "expected 2 numbers > 0, rising"),
        ({"gamma": "1,2,3"}, "expected 2 numbers > 0"),
        ({"rounds": "7"}, "expected 2 whole numbers >= 1"),
        ({"points": "100000"}, "a whole number up to 1000"),
    ],
)
def test_values_that_cannot_be_are_refused(given: dict[str, str], said: str) -> None:
    """No runs, endless ones, repeated values and numbers without meaning: one line each."""
    refused(InputError, said, read, **given)


def test_an_unknown_parameter_names_the_nearest() -> None:
    """A misspelt parameter is answered with the nearest one."""
    refused(UnknownName, r"parameter of a\.figure: got seed, .* did you mean seeds", read, seed=2)


def test_parameters_are_listed() -> None:
    """Every parameter is listed with its default as it is typed, what may be typed and a line of help."""
    found = figure_parameters("composite.figure3")
    rows = {row["name"]: row for row in found.to_dict()["parameters"]}

    assert rows["batch_size"]["expected"] == "whole numbers >= 1, with commas between"
    assert ("batch_size=1,20", rows["batch_size"]["help"]) in {row[:2] for row in found.tables()[0].rows}
    assert all(row["help"] for row in rows.values())
