"""What lines for all indices say of a term, and what is owed for every index."""

from __future__ import annotations

import pytest

from fedproof.proof.certify import debts, terms
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.trees import Tree

KINDS = {"X": "real(whole)", "Y": "real(whole)", "R": "whole", "s": "whole", "b": "real"}
EVERYWHERE = ("every", "t", "whole", ("<=", "0", ("of", "X", "t")))
WITHIN = ("all", "r", "1", "R", ("<=", "0", ("of", "X", "r")))
TERM = ("of", "X", ("+", "R", "1"))


def test_a_sign_within_a_range_is_sought_only_where_none_is_known_everywhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """R + 1 lies beyond 1..R, which takes a long search to miss; where it holds anyway, none is made."""
    within = Writer.of(KINDS, [("<=", "1", "R"), WITHIN], {})
    (place,) = terms.signs(within, ("of", "X", "R"))
    assert within.here.lines[place] == ("<=", "0", ("of", "X", "R"))
    monkeypatch.setattr(terms, "at", lambda *asked: pytest.fail("a search within the range"))
    writer = Writer.of(KINDS, [EVERYWHERE, WITHIN], {})
    (place,) = terms.signs(writer, TERM)
    assert writer.here.lines[place] == ("<=", "0", TERM)


def test_what_holds_everywhere_and_is_no_sign_keeps_no_other_sign_away() -> None:
    """X(t) <= 1 for every t, and X(r) >= 0 in a range: both lines are written for X(R)."""
    least = ("every", "t", "whole", ("<=", ("of", "X", "t"), "1"))
    writer = Writer.of(KINDS, [("<=", "1", "R"), least, WITHIN], {})
    lines = [writer.here.lines[place] for place in terms.signs(writer, ("of", "X", "R"))]
    assert lines == [("<=", ("of", "X", "R"), "1"), ("<=", "0", ("of", "X", "R"))]


@pytest.mark.parametrize(
    ("body", "may"),
    [
        (("<=", "b", ("of", "X", "r")), True),
        (("<", "b", ("of", "X", "r")), False),
        (("<=", "0", ("of", "X", "r")), False),
        (("<=", "b", ("of", "Y", "r")), False),
        (("<=", "b", ("of", "X", "R")), False),
    ],
)
def test_a_line_that_speaks_of_other_things_is_passed_over(body: Tree, may: bool) -> None:
    """Only a line of the same order about the same names can say what is owed for every index."""
    own = ("<=", "b", ("of", "X", ("+", "s", "1")))
    assert debts._may_say(("all", "r", "1", "R", body), own, "s") == may
