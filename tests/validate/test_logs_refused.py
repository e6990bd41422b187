"""Logs that contradict themselves are refused in one line, and quickly."""

from __future__ import annotations

from pathlib import Path

import pytest

import fedproof as fp
from fedproof.vocabulary.errors import DataError, InputError

HEADER = """# algorithm = "fedproxvr"
# [parameters]
# estimator = "sarah"
# mu = 30
# beta = 40
# tau = 60
# [constants]
# L = 1
# lam = 0
# sigma2 = "1/4"
# least_loss = {least}
round,loss,squared_gradient
"""


def judged(folder: Path, rows: str, least: str = "0", old: str = "", new: str = "") -> str:
    """The verdict on a log of these rows."""
    file = folder / "run.csv"
    file.write_text(HEADER.format(least=least).replace(old, new) + rows)
    return fp.validate(history=str(file)).results[0].verdict


def test_the_honest_twin_is_judged(tmp_path: Path) -> None:
    """One run of three rows is too few to decide and is read."""
    assert judged(tmp_path, "0,0.69,0.12\n1,0.52,0.08\n2,0.43,0.05\n") == "inconclusive"


@pytest.mark.parametrize(("rows", "least", "said"), [
    ("0,0.69,0.12\n1,0.52,-0.08\n2,0.43,0.05\n", "0", "a square, which is at least 0"),
    ("0,0.69,0.12\n1,0.52,0.08\n2,0.43,0.05\n", "0.5", "a loss of 0.43"),
    ("0,0.69,0.12\n99999999999999999999,0.5,0.1\n", "0", "no squared_gradient in round 1"),
])  # fmt: skip
def test_what_cannot_be_is_refused(tmp_path: Path, rows: str, least: str, said: str) -> None:
    """A negative square, a loss below the least one, rounds without end."""
    with pytest.raises(DataError, match=said) as caught:
        judged(tmp_path, rows, least)
    assert "\n" not in str(caught.value)


def test_names_that_are_numbers_are_refused(tmp_path: Path) -> None:
    """`algorithm = 5` is no name."""
    with pytest.raises(InputError, match="algorithm = 5"):
        judged(tmp_path, "0,0.69,0.12\n1,0.5,0.1\n", "0", '"fedproxvr"', "5")
