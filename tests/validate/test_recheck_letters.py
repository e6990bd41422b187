"""Audits that nobody made: what a proof says of a statement's letters is less than it seems."""

from __future__ import annotations

from typing import Any

import pytest

from fedproof.validate import recheck as script
from tests.validate.made_audits import (
    ASSUMES,
    BELOW,
    FALSE,
    GRANTS,
    IDLE,
    NAMED,
    NEGATED,
    Row,
    bound,
    certificate,
    document,
    rests,
    step,
    wrong,
)

TRUE_RANGE = ["all", "i", "0", "1", ["<=", "0", "1"]]
RANGE = ["all", "i", "0", "1", BELOW]
ONE = ["combine", [["1", ["neg"]], ["1", []]], []]
MORE = "a relation of more than numbers"


def statement(kind: str, claim: list[Any], *proofs: Row) -> Row:
    """One of numbers, at x = 5."""
    says = {
        "kinds": {"x": "real"}, "given": [], "where": [], "at": {"x": "5"},
        "claim": [{"is": c, "text": script._text(c)} for c in claim],
    }  # fmt: skip
    return bound() | {"kind": kind, "because": ["certificate"], "proofs": list(proofs), "says": says}


def by_identity(claim: Any) -> Row:
    """A certificate that 0 <= 1 in a range."""
    return certificate(claim, {}, [], [claim, ["all", [[claim[-1], ONE]]]])


def test_a_range_is_no_relation_of_numbers() -> None:
    """It was told by its lower end: x <= 0 for i = 0..1 followed from 0 <= 1 for i = 0..1."""
    lists = step(
        "s", {"x": "real"}, [RANGE], [BELOW, ["instance", 0, "0", [1, 2]]], says={"lists": [[RANGE, ""]]}
    )
    lists["certificate"]["lines"][1:1] = [
        [["<=", "0", "0"], ["combine", NEGATED, []]],
        [["<=", "0", "1"], ONE],
    ]
    metric = {"m": [{"is": ["all", "i", "0", "1", ["<=", "x", "bound"]]}]}
    claims = step("s", {}, [], [TRUE_RANGE, by_identity(TRUE_RANGE)["lines"][0][1]])

    assert wrong(document(lists)) == set()
    assert wrong(document(statements=[statement("implies", [RANGE], by_identity(TRUE_RANGE))])) == {MORE}
    assert wrong(document(lists, statements=[bound(lists)])) == {MORE}
    assert wrong(document(claims, statements=[bound(claims)], metrics=metric)) == {MORE}


def test_a_name_of_a_step_is_not_the_bound_of_a_statement() -> None:
    """x <= bound, where bound means x, bounds nothing."""
    claim = ["<=", "x", "bound"]
    row = step("s", {"x": "real", "bound": "real"}, [claim], rests_on=[rests("meaning", "bound", "x")])
    same = ["<=", "x", "x"]
    shut = certificate(
        same, {"x": "real"}, [], [same, ["combine", NEGATED, []]],
        [same, ["use", "s", [["bound", "x"]], [0]]],
    )  # fmt: skip
    row["closing"] = {k: v for k, v in shut.items() if k != "uses"}
    means = [{"for": "", "names": {"bound": ["x"]}}]

    other = "another bound than that of the statement"
    assert wrong(document(row, statements=[bound(row)], means=means)) == {other}


def carrying(*relations: Any, uses: tuple[str, ...] = (), line: Any = None) -> Row:
    """A step of `lists` that says x <= 0 by what it carries."""
    proof = [] if line is None else [[BELOW, line]]
    grounds = [rests("carried", "", r) for r in relations]
    return step("t", {"x": "real"}, relations, *proof, uses=list(uses), rests_on=grounds)


LISTS = step("s", {"x": "real"}, [BELOW], says={"lists": [[BELOW, ""]]})
OPEN = step("s", {"x": "real"}, [BELOW], rests_on=[rests("carried", "", BELOW)]) | {"verdict": "open"}
ASKED, GRANTED = "its conditions do not give x <= 0", "it shows for a relation what nobody grants"


@pytest.mark.parametrize(("below", "paper", "said"), [
    (LISTS, {}, ASKED), (OPEN, {}, ASKED), (ASSUMES, GRANTS, GRANTED), (LISTS, GRANTS, GRANTED),
])  # fmt: skip
def test_what_is_carried_of_the_letters_is_asked(below: Row, paper: Row, said: str) -> None:
    """Listed below without a reason, or carried by what is open; and an assumption is shown as one."""
    above = carrying(BELOW, uses=("s",), line=["use", "s", [], [0]])

    found = wrong(document(below, above, statements=[bound(above)], lists=["t"], **paper))

    assert said in found
    assert found == wrong(document(above, below, statements=[bound(above)], lists=["t"], **paper))


def test_the_order_of_rows_does_not_matter() -> None:
    """A step may carry what another lists that its row names, though its certificate does not use it."""
    lists = step(
        "s",
        {"x": "real"},
        [BELOW],
        says={"lists": [[BELOW, "why"]]},
        rests_on=[rests("listed", "why", BELOW)],
    )
    names = step("t", {"x": "real"}, [BELOW], rests_on=[rests("carried", "", BELOW)]) | {"uses": ["s"]}

    assert wrong(document(lists, names, lists=["t"])) == set()
    assert wrong(document(names, lists, lists=["t"])) == set()
    assert wrong(document(lists, names | {"uses": []}, lists=["t"])) == {GRANTED}


def test_an_index_hides_no_letter() -> None:
    """x = -1 + 0 i for i = 0..1 is x = -1."""
    hidden = ["all", "i", "0", "1", ["=", "x", ["+", "-1", ["*", "0", "i"]]]]
    ends = [[["<=", "0", "0"], ["combine", NEGATED, []]], [["<=", "0", "1"], ONE]]
    at_zero = [["=", "x", ["+", "-1", ["*", "0", "0"]]], ["instance", 0, "0", [1, 2]]]
    last = [BELOW, ["combine", [["1", ["neg"]], ["1", [3]], ["1", []]], []]]
    row = step("t", {"x": "real"}, [hidden], *ends, at_zero, last, rests_on=[rests("carried", "", hidden)])

    found = wrong(document(row, statements=[bound(row)], lists=["t"]))

    assert found == {f"its conditions do not give {script._text(hidden)}"}


def test_only_the_reason_of_signs_is_excused() -> None:
    """Not one that begins as it does."""
    for why, said in (
        ("sign of a name", set()),
        ("sign of a name, or so", {"it holds amended by what it takes besides"}),
    ):
        row = step(
            "s",
            {"x": "real"},
            [BELOW],
            says={"lists": [[BELOW, why]]},
            rests_on=[rests("listed", why, BELOW)],
        )
        assert wrong(document(row, statements=[bound(row)], lists=["s"])) == said


SOLVED = ["combine", [["1", ["neg"]], ["1/2", [0]], ["1", []]], []]


@pytest.mark.parametrize(("equation", "line"), [
    (["=", ["*", "2", "x"], "-2"], SOLVED),
    (["=", ["+", "x", "0"], "-1"], ["combine", [["1", ["neg"]], ["1", [0]], ["1", []]], []]),
    (["=", "0", "1"], ["combine", [["1", ["neg"]], ["-1", [0, ["*", "x"]]]], []]),
])  # fmt: skip
def test_an_equation_of_the_letters_is_asked_in_whatever_form(equation: Any, line: Any) -> None:
    """Not of a letter alone."""
    row = carrying(equation, line=line)

    found = wrong(document(row, statements=[bound(row)], lists=["t"]))

    assert found == {f"its conditions do not give {script._text(equation)}"}


def test_no_claim_excuses_another() -> None:
    """That an objective is defined shows nothing of the claim beside it."""
    same = ["=", "x", "x"]

    assert wrong(document(statements=[statement("minimum", [same])])) == set()
    found = wrong(document(statements=[statement("minimum", [same, FALSE])]))
    assert found == {"what it claims does not follow"}


@pytest.mark.parametrize(("given", "held"), [([], False), ([["!=", "y", "0"]], True)])
def test_a_bound_is_defined_wherever_its_statement_is(given: list[Any], held: bool) -> None:
    """0/y is 0, where y is not; the last step claims no more than x <= 0."""
    row = bound(ASSUMES, at={"x": "5", "y": "1"}, given=given)
    row["says"]["bound"] = ["*", "0", ["^", "y", "-1"]]
    found = wrong(document(ASSUMES, statements=[row | {"assumptions": [{"id": "A"}]}], **GRANTS))

    assert found == (set() if held else {"the last step claims another bound, or of another metric"})


@pytest.mark.parametrize("square", [
    ["^", "bound", "2"], ["*", "bound", "bound"], ["^", ["*", "2", "bound"], "2"], ["abs", "bound"],
])  # fmt: skip
def test_a_bound_by_its_square_is_not_negative(square: Any) -> None:
    """x^2 <= (-1)^2 does not say that x is at most -1; by the bound itself it may be negative."""
    squares = {"m": [{"is": ["<=", ["^", "x", "2"], square]}]}

    def found(value: str) -> set[str]:
        worth = {"*": "1", "abs": "1"}.get(square[0]) or ("1" if square[1] == "bound" else "4")
        claim = ["<=", ["^", "x", "2"], worth]
        row = step("s", {"x": "real"}, [claim], rests_on=[rests("assumption", "A", claim)])
        made = bound(row) | NAMED
        grants = {"granted": [rests("", "A", claim)], "assumptions": [{"id": "A"}], "metrics": squares}
        return wrong(document(row, statements=[made | {"says": made["says"] | {"bound": value}}], **grants))

    assert found("1") == set()
    assert found("-1") == {"the last step claims another bound, or of another metric"}


@pytest.mark.parametrize(("name", "kind", "mean", "held"), [
    ("u", "real", ["*", "-1", "u", "u"], True), ("u", "real", "u", True),
    ("F", "real(whole)", ["*", "-1", ["of", "F", "1"], ["of", "F", "1"]], False),
    ("W", "vector", ["*", "-1", ["n2", "W"]], False),
])  # fmt: skip
def test_a_letter_is_held_to_a_meaning_of_reals(name: str, kind: str, mean: Any, held: bool) -> None:
    """Of functions and vectors the letter may be any number, as far as this script knows."""
    row = step("s", {"x": "real"}, [BELOW], rests_on=[rests("meaning", "x", mean)])
    said = ["<=", mean, "0"]
    square = ["n2", "W"] if kind == "vector" else ["sq", mean[-1] if isinstance(mean, list) else "u"]
    proof = ["combine", [["1", ["neg"]], ["1", [square]]], []]
    given = [["<=", "u", "0"]] if mean == "u" else []
    lines = [[said, ["use", "s", [["x", mean]], [0]]]]
    shut = certificate(said, {name: kind}, given, *([] if given else [[said, proof]]), *lines)
    row["closing"] = {k: v for k, v in shut.items() if k != "uses"}
    row["rests_on"] += [rests("assumption", "A", g) for g in given]
    paper = {
        "means": [{"for": "", "names": {"x": [mean]}}], "kinds": {name: kind},
        "granted": [rests("", "A", g) for g in given],
    }  # fmt: skip

    found = wrong(document(row, statements=[bound(row)], **paper))

    assert found == ({f"its conditions do not give {script._text(['=', 'x', mean])}"} if held else set())


def test_what_grants_holds() -> None:
    """A bound of the paper that the statement uses, that is another, and holds where it stands there."""
    granted = {"granted": {"other": ["A"]}, "uses": ["other"]}
    there = bound(ASSUMES) | NAMED | {"id": "other"}
    readings = {"readings": {"b": None, "other": None}}
    no = {"granted by what does not hold"}

    def found(*others: Row, **more: Any) -> set[str]:
        asks = bound(ASSUMES) | granted | more
        return wrong(document(ASSUMES, statements=[asks, *others], **GRANTS, **readings))

    assert found() == found(there) == set()
    assert found(uses=[]) == no
    assert found(granted={"b": ["A"]}, uses=["b"]) == no
    assert found(there | {"verdict": "open"}) == no
    assert no <= found(there | {"paper": "q"})
    assert no <= found(there | {"kind": "minimum"})
    assert found(there | {"granted": {"b": ["A"]}, "uses": ["b"]}) == no
    assert "a text for a list" in wrong(document(IDLE, statements=[bound(IDLE)], lists="xtx"))


def test_two_meanings_for_one_are_none() -> None:
    """The last counted silently."""
    means = [{"for": "s", "names": {}}, {"for": "s", "names": {}}]
    shut = certificate(BELOW, {"x": "real"}, [BELOW], [BELOW, ["use", "s", [], [0]]])
    row = ASSUMES | {"closing": {k: v for k, v in shut.items() if k != "uses"}}

    assert wrong(document(row, **GRANTS, means=means[:1])) == set()
    assert wrong(document(row, **GRANTS, means=means)) == {"two meanings for one"}


def test_terms_that_one_proof_spends_are_not_those_of_a_statement() -> None:
    """A true statement without proofs stands beside a step of many terms."""
    script._SPENT[0] = 20000

    assert wrong(document(statements=[statement("minimum", [["=", "x", "x"]])])) == set()
    assert script._SPENT == [0]
