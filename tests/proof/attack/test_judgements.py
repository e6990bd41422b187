"""Random judgements that the kernel or the standalone script accepts hold at every point that is tried."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import chain
from typing import Any

import pytest

from fedproof.proof.kernel import instances, products
from fedproof.proof.kernel.rules import RULES
from fedproof.validate import recheck as script
from tests.proof.attack.judgements import judged
from tests.proof.attack.points import Undefined, Unknown, holds, points, value
from tests.proof.kernel.test_false_judgements import ROWS

SEEDS = 120
#: false where a range is a name's that is none, and of a claim for every x only at 1
UNSEEN = {"x = 6", "x = 1"}


def test_what_is_accepted_holds() -> None:
    """None is false or undefined at a point at which its hypotheses hold; many are accepted, by both."""
    tally = Counter[str]()
    for found in chain.from_iterable(map(judged, range(SEEDS))):
        assert found.at is None, (found.base, found.certificate)
        both = found.kernel and found.script
        tally += Counter(lines=1, both=both, used=both and found.base is not None, points=found.looked)
        tally[found.certificate["lines"][-1][1][0]] += both and found.looked > 0
    assert all(tally[rule] > 0 for rule in RULES if rule not in ("constants", "given")), tally
    assert tally["both"] > tally["lines"] / 5
    assert tally["used"] > 100
    assert tally["points"] > 5 * tally["lines"]


@pytest.mark.parametrize(
    ("place", "name", "blind", "by", "seed"),
    [
        (products, "_idle", lambda needs: {}, "kernel", 299),
        (script._Proof, "normal", lambda self, reader, *trees: None, "script", 299),
        (instances, "check_kind", lambda here, kind, value: None, "kernel", 233),
    ],
    ids=["sums of the kernel", "sums of the script", "values of a step that is used"],
)
def test_a_planted_hole_is_found(
    place: Any, name: str, blind: Any, by: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sum of 1/n is 1 also at n = 0, where a checker counts by normal forms; values may be undefined."""
    monkeypatch.setattr(place, name, blind)
    assert any(getattr(found, by) for found in judged(seed) if found.at is not None)


@pytest.mark.parametrize(
    ("rule", "seed"),
    [
        ("all", 0), ("both", 111), ("combine", 0), ("every", 2), ("instance", 10), ("meaning", 4),
        ("name", 6), ("next", 233), ("split", 5), ("total", 225), ("vectors", 22),
    ],
)  # fmt: skip
def test_a_rule_that_takes_everything_is_found(rule: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that follow from nothing are made by each of these, and are false somewhere."""
    monkeypatch.setitem(RULES, rule, lambda here, claim, *rest: None)  # type: ignore[arg-type]
    broken = [found.certificate["lines"] for found in judged(seed) if found.at is not None]
    assert any(lines[-1][1][0] == rule for lines in broken)


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
    """What is false of every index holds where there is none."""
    assert holds(["all", "i", "1", "n", ["=", "1", "0"]], {"n": Fraction(0)})
    assert not holds(["all", "i", "1", "n", ["=", "1", "0"]], {"n": Fraction(1)})


def test_points_satisfy_hypotheses_in_whatever_order() -> None:
    """A name is what an equation says, and that by another one; `every` is not tried."""
    kinds, given = {"x": "real", "y": "real", "u": "vector"}, [["=", "x", ["*", "3", "y"]], ["=", "y", "5/7"]]
    found = points(kinds, [*given, ["=", "u", "0"]], 0, 20)

    assert {at["x"] for at in found} == {Fraction(15, 7)}
    assert points(kinds, [["every", "p", "real", ["<=", "0", ["^", "p", "2"]]]], 0, 20) == []
