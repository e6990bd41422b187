"""A letter in an exponent counts; a claim on one that need not be whole is not proved by one that is."""

from __future__ import annotations

from pathlib import Path

import pytest

import fedproof as fp

KEY = "own_exponents"
TEXT = """
from fedproof.author import *

KEY = "own_exponents"
QUANTITIES = (
    Quantity("power", "an exponent", "1", NONNEGATIVE, whole=WHOLE), Quantity("base", "a base", "1", REAL)
)
NOTATION = Notation()
x, p = NOTATION.symbol("x", "base"), NOTATION.symbol("p", "power")


def said(id, claim, *conditions):
    asked = tuple(Condition(str(c), c, "2") for c in conditions)
    return Statement(
        f"{KEY}.{id}", id, Source(KEY, "2"), letters=NOTATION.letters(x, p), claim=claim, conditions=asked
    )


with printed():
    IMPLIES = said("implies", Implies((p >= 0,), x ** (2 * p) >= 0))
    IDENTITY = said("identity", Identity(x ** (2 * p), (x**p) ** 2))
    HALF = said("half", Implies((x <= 0,), x ** (2 * p) >= 0), p <= rational(1, 2), p >= rational(1, 4))
"""


@pytest.mark.parametrize(("whole", "expected"), [("True", "holds"), ("False", "open")])
def test_a_letter_that_need_not_be_whole_is_no_exponent(own_papers: Path, whole: str, expected: str) -> None:
    """Both claims hold for whole p; at x = -1, p = 1/2 one is false and one has no value."""
    file = own_papers / f"{KEY}.py"
    file.write_text(TEXT.replace("WHOLE", whole))
    fp.use(file)
    found = {s.id: s.verdict for s in fp.audit(KEY).statements}

    assert found[f"{KEY}.implies"] == found[f"{KEY}.identity"] == expected
    assert found[f"{KEY}.half"] != "holds"
