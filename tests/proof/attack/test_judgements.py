"""Random judgements that the kernel or the standalone script accepts hold at every point that is tried."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from fedproof.proof.kernel import products
from fedproof.validate import recheck as script
from tests.proof.attack.judgements import judged, row
from tests.proof.attack.points import Undefined, Unknown, holds, points, value
from tests.proof.kernel.test_false_judgements import ROWS

SEEDS = 120
#: at which the planted holes show
PLANTED = (71, 298, 299)
#: false only at values that are not drawn, of a name that is none, or by how a number is written
UNSEEN = {"x = 6", "x = 1", "1 is not 0: pi is another name", "(-8)^(3/3) is a root"}


def test_what_is_accepted_holds() -> None:
    """None is false or undefined at a point at which its hypotheses hold; many are accepted, by both."""
    tally = Counter[str]()
    for seed in range(SEEDS):
        for certificate, (kernel, standalone), at, looked in judged(seed):
            assert at is None, (seed, certificate)
            tally += Counter(
                lines=1, kernel=kernel, script=standalone, both=kernel and standalone, points=looked
            )
    assert tally["both"] > tally["lines"] / 5
    assert tally["points"] > 5 * tally["lines"]


@pytest.mark.parametrize("planted", ["kernel", "script"])
def test_a_planted_hole_is_found(planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines by their normal forms, whatever their sums divide by: 1 for the sum of 1/n, also at n = 0."""
    if planted == "kernel":
        monkeypatch.setattr(products, "_idle", lambda needs: {})
    else:
        monkeypatch.setattr(script._Proof, "normal", lambda self, reader, *trees: None)
    found = [taken for seed in PLANTED for _, taken, at, _ in judged(seed) if at is not None]
    assert any(taken[planted == "script"] for taken in found)


@pytest.mark.parametrize(
    "false", [r for r in ROWS if r["false at"] not in UNSEEN], ids=lambda r: r["false at"]
)
def test_points_break_what_is_false(false: dict[str, Any]) -> None:
    """The certificates that were once accepted are false at points that are drawn."""

    def breaks(at: Any) -> bool:
        try:
            return not holds(false["claim"], at)
        except Unknown:
            return False

    assert any(breaks(at) for seed in range(40) for at in points(false["names"], false["given"], seed, 50))


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (["sum", "i", "1", "n", ["^", "n", "-1"]], Fraction(0)),
        (["sum", "i", "1", "2", ["*", "i", "x"]], Fraction(3, 2)),
        (["^", "n", "n"], Fraction(1)),
        (["^", ["*", "x", "x"], "1/2"], Fraction(1, 2)),
        (["n2", ["+", "u", ["*", "-1", "u"]]], Fraction(0)),
        (["ip", "u", "u"], Fraction(5)),
        (["max", "n", ["abs", "-3"]], Fraction(3)),
        (["sum", "i", "1", "n", "u"], (Fraction(0), Fraction(0))),
    ],
)
def test_values(tree: Any, expected: Any) -> None:
    """An empty sum is 0, and 0^0 is 1."""
    at = {"n": Fraction(0), "x": Fraction(1, 2), "u": (Fraction(1), Fraction(2))}
    assert value(tree, at) == expected


@pytest.mark.parametrize(
    "tree", [["^", "n", "-1"], ["*", "0", ["^", "n", "-1"]], ["^", "-2", "1/2"], ["sum", "i", "1", "-1", "1"]]
)
def test_what_has_no_value(tree: Any) -> None:
    """A line that says it is anything does not hold."""
    with pytest.raises(Undefined):
        value(tree, {"n": Fraction(0)})
    assert not holds(["=", tree, tree], {"n": Fraction(0)})


def test_a_range_that_is_empty_asks_for_nothing() -> None:
    """And a certificate lists the names that it speaks of."""
    assert holds(["all", "i", "1", "n", ["=", "1", "0"]], {"n": Fraction(0)})
    assert row(["=", "x", "x"], [], [])["names"] == {"x": "real"}
