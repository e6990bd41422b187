"""Audits that nobody made: what a step rests on, cites or carries is hidden, or a row shows other numbers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from fedproof.validate import recheck as script
from tests.validate.made_audits import (
    ABOVE,
    ASSUMES,
    BELOW,
    FALSE,
    GRANTS,
    IDLE,
    NAMED,
    NEGATED,
    SAYS_NOTHING,
    Row,
    bound,
    certificate,
    cited,
    document,
    rests,
    step,
    wrong,
)

# x is at most 0, as somebody else says, or as it is assumed, shown as it must be.
CITED = {"rests_on": [rests("cited", "k", BELOW)]}
CITES = step("s", {"x": "real"}, [BELOW], says={"cites": [["k", BELOW, [], ""]]}, **CITED)


def test_what_is_shown_is_confirmed() -> None:
    """The true twins: cited from who says it, assumed and named, carried from a step that lists it."""
    listed = {"rests_on": [rests("listed", "why", BELOW)], "says": {"lists": [[BELOW, "why"]]}}
    lists = step("s", {"x": "real"}, [BELOW], **listed)
    carries = step(
        "t", {"x": "real"}, [BELOW], [BELOW, ["use", "s", [], [0]]], uses=["s"],
        rests_on=[rests("carried", "", BELOW)],
    )  # fmt: skip

    assert wrong(document(cited(BELOW, {"x": "real"}), CITES)) == set()
    assert wrong(document(ASSUMES, statements=[bound(ASSUMES) | NAMED], **GRANTS)) == set()
    assert wrong(document(lists, carries, lists=["t"])) == set()


REASONS = [
    (
        step("s", {"x": "real"}, [BELOW], says={"lists": [[BELOW, why]]}, rests_on=[rests(kind, why, BELOW)]),
        said,
    )
    for kind, why, said in (
        ("", None, "a reason that is no text"),
        ("", 0, "a reason that is no text"),
        ("", False, "a reason that is no text"),
        ("", "word", "it rests on what is of no kind"),
        ("given", "word", "it rests on what is of no kind"),
    )
]


@pytest.mark.parametrize(("row", "said"), REASONS)
def test_a_reason_is_a_text_of_a_kind(row: Row, said: str) -> None:
    """Else nobody asks for what has it."""
    assert said in wrong(document(row, statements=[bound(row)]))


@pytest.mark.parametrize("tree", [
    BELOW, ["<", "x", "0"], ["=", "x", "0"], ["!=", "x", "x"], ["every", "i", "real", ["<=", "i", "0"]],
])  # fmt: skip
def test_an_index_is_of_a_range(tree: Any) -> None:
    """A relation that is none was compared with itself."""
    says, rows = {"cites": [["k", tree, [], "i"]]}, [rests("cited", "k", tree)]
    names = {} if tree[0] == "every" else {"x": "real"}

    found = wrong(document(cited(SAYS_NOTHING, {}), step("s", names, [tree], says=says, rests_on=rows)))

    assert found == {"an index of what is no range"}


def test_a_cited_row_gives_reasons_in_words_too() -> None:
    """What it assumes without one is owed."""
    assert wrong(document(cited(BELOW, {"x": "real"}, [BELOW, None]), CITES)) == {"a reason that is no text"}
    assert wrong(document(cited(BELOW, {"x": "real"}, [BELOW, ""]), CITES)) == {"it owes what k needs"}


def closed(kind: str, listed: Sequence[Any], given: Sequence[Any], *lines: Any, **more: Any) -> Row:
    """A step whose certificate does not take what it lists, and whose closing does."""
    idle = [["<=", "q", "q"], ["combine", NEGATED, []]]
    row = step("s", {"x": "real", "q": kind}, [BELOW], idle, [BELOW, ["given", 0]])
    row["says"] |= {"lists": [[r, ""] for r in listed], "kinds": {"x": "real", "q": "real"}}
    shut = certificate(BELOW, {"x": "real"} | more.pop("names", {}), given, *lines)
    return row | {"closing": {k: v for k, v in shut.items() if k != "uses"}}


def test_a_value_in_the_closing_is_shown_though_the_certificate_does_not_take_the_relation() -> None:
    """x <= 0 for q >= 1, by 1 <= q at q = 0, which is shown nowhere."""
    absurd = [BELOW, ["combine", [["1", ["neg", "neg"]], ["1", ["neg", "neg", 0]]], []]]
    row = closed("real", [ABOVE], [FALSE], absurd, [BELOW, ["use", "s", [["q", "0"]], [1]]])

    assert "what q means is not shown" in wrong(document(row))


def test_a_name_counts_where_that_is_shown() -> None:
    """x <= 0 for 0 < q < 1, by q that counts in the closing alone."""
    within = [["<", "0", "q"], ["<", "q", "1"]]
    next_one = [["<=", ["+", "0", "1"], "q"], ["next", 0]]
    absurd = [
        BELOW,
        ["combine", [["1", ["neg", "neg"]], ["1", ["neg", "neg", 1]], ["1", ["neg", "neg", 2]]], []],
    ]
    last = [BELOW, ["use", "s", [], [3]]]
    row = closed("whole", within, within, next_one, absurd, last, names={"q": "whole"})

    assert "q is no whole" in wrong(document(row))


def test_what_is_cited_under_a_range_is_so_there_alone() -> None:
    """x <= y where 1 <= k <= 0: with an index of an empty range for k it says nothing."""
    names, needs = {"x": "real", "y": "real"}, [["<=", "1", "k"], ["<=", "k", "0"]]
    claim = ["<=", "x", "y"]
    source = cited(claim, names | {"k": "whole"}, *([n, ""] for n in needs))
    row = step(
        "S", names | {"k": "whole"}, [*needs, claim], rests_on=[rests("cited", "k", claim)],
        says={"lists": [[n, ""] for n in needs], "cites": [["k", claim, [], ""]]},
    )  # fmt: skip
    asked = [["all", "i", "1", "0", r] for r in (["<=", "1", "i"], ["<=", "i", "0"])]
    proofs = [
        ["all", [[r[-1], ["combine", [["1", ["neg"]], ["1", [k]]], []]]]]
        for r, k in zip(asked, (1, 3), strict=True)
    ]
    everywhere = ["all", "i", "1", "0", claim]
    by_empty = step(
        "T", names, [claim], *map(list, zip(asked, proofs, strict=True)),
        [everywhere, ["all", [[claim, ["use", "S", [["k", "i"]], [3, 4, 0]]]]]], [claim, ["given", 0]],
        uses=["S"], rests_on=[rests("cited", "k", claim)],
    )  # fmt: skip

    assert wrong(document(source, row)) == set()
    assert wrong(document(source, row, by_empty)) == {"it shows for a relation what nobody grants"}


def test_an_assumption_counts_whatever_else_is_a_reason() -> None:
    """A second step, or one that `lists` names, does not excuse what the first assumes."""
    amended = "it holds amended by what it takes besides"
    assert wrong(document(ASSUMES, statements=[bound(ASSUMES)], **GRANTS)) == {amended}
    assert wrong(document(ASSUMES, IDLE, statements=[bound(ASSUMES, IDLE)], lists=["t"], **GRANTS)) == {
        amended
    }
    assert wrong(document(ASSUMES, statements=[bound(ASSUMES)], lists=["s"], **GRANTS)) == {amended}


def test_what_is_carried_comes_from_a_step_below() -> None:
    """Else it is from nowhere; of equations it is asked what they say of a statement's letters."""
    nowhere = step("s", {"x": "real"}, [BELOW], rests_on=[rests("carried", "", BELOW)])
    value = ["=", "x", ["+", "-1", ["*", "0", "u"]]]
    equation = step(
        "s", {"x": "real", "u": "real"}, [value],
        [BELOW, ["combine", [["1", ["neg"]], ["1", [0]], ["1", []]], []]],
        rests_on=[rests("carried", "", value)],
    )  # fmt: skip

    assert "it shows for a relation what nobody grants" in wrong(
        document(nowhere, statements=[bound(nowhere)], lists=["s"])
    )
    assert wrong(document(equation, statements=[bound(equation)], lists=["s"])) == {
        f"its conditions do not give {script._text(value)}"
    }


def test_the_steps_of_a_statement_are_of_its_paper() -> None:
    """What another paper's row says of lists, metrics and assumptions is not asked."""
    other = ASSUMES | {"paper": "q"}
    audit = document(other, statements=[bound(other) | NAMED])
    audit["papers"].append(audit["papers"][0] | {"key": "q"} | GRANTS)

    assert wrong(audit) == {"a step of another paper"}


@pytest.mark.parametrize(("name", "mean"), [
    ("n3", ["+", "1", ["*", "0", "n3"]]), ("n2", ["+", "1", ["*", "0", "n2"]]),
    ("u", ["+", "1", ["*", "0", ["n2", "u"]]]),
])  # fmt: skip
def test_a_letter_is_held_to_a_meaning_that_speaks_of_nothing_else(name: str, mean: Any) -> None:
    """In normal form: x = 1 + 0 n2(u) is x = 1, whatever u is called."""
    claim = ["<=", "x", "1"]
    row = step("s", {"x": "real"}, [claim], rests_on=[rests("meaning", "x", mean)])
    said = ["<=", mean, "1"]
    kind, proof = "vector" if name == "u" else "real", [said, ["combine", NEGATED, []]]
    shut = certificate(said, {name: kind}, [], proof, [said, ["use", "s", [["x", mean]], [0]]])
    row["closing"] = {k: v for k, v in shut.items() if k != "uses"}
    statement = bound(row)
    statement["says"] |= {"bound": "1"}
    means = [{"for": "", "names": {"x": [mean]}}]
    kinds = {name: shut["names"][name]}

    found = wrong(document(row, statements=[statement], means=means, kinds=kinds))

    assert found == {f"its conditions do not give {script._text(['=', 'x', mean])}"}


def refuted(claim: str, given: Sequence[str], worked: str | None = None, **at: str) -> tuple[int, str]:
    """What is said of a refutation of a claim in words, by an instance of its own, or of another."""
    ends = (worked or claim).split(" <= ")
    row = {
        "id": "r", "verdict": "refuted", "witness": at, "claim": claim, "given": list(given),
        "instance": {"given": [], "claim": " <= ".join(ends)}, "says": {"kinds": {}, "given": []},
        "worked": worked and {"sign": "<=", "left": {"filled": ends[0]}, "right": {"filled": ends[1]}},
    }  # fmt: skip
    ((_, code, said),) = script.recheck({"steps": [row], "statements": []})
    return code, said


@pytest.mark.parametrize("text", [
    "0 < x < 1", "x <= 1.0", "+x <= 1", "x**1001 <= 1", "x <= 1 and x <= 2", "Le(x, 1)", "x ≤ 1",
    "x <= pi - 3", "x <= 1e0", "x <= 1j", "x <= floor(1)", "x in [1]", "x is 1", "x <= 1 if x else 2",
])  # fmt: skip
def test_what_speaks_of_the_numbers_is_decided_or_nothing_is_confirmed(text: str) -> None:
    """A hypothesis, or a claim, that the script does not read was passed over."""
    assert refuted("x <= 1", [], x="2")[0] == 0
    assert refuted("x <= 1", [text], x="2")[0] == 2
    assert refuted("x <= 1", ["x(i) <= 1 for i = 1..n"], x="2")[0] == 0
    assert refuted(text, [], worked="2 <= 1", x="2")[0] == 2


def test_numbers_are_of_names_and_no_odd_root_is_of_a_negative_number() -> None:
    """A tree's roots need what is not negative."""
    assert refuted("x <= pi", [], x="4", pi="1")[0] == 2
    assert refuted("0 <= x**(1/3)", [], x="-8") == (0, "confirmed: undefined, the root of a negative number")
    assert refuted("x**(1/3) <= 1", [], x="8")[0] == 0
    assert refuted("x <= 1", ["x**(1/3) <= 0"], x="-8")[0] == 1


@pytest.mark.parametrize("row", [
    IDLE | {"verdict": "vacuous", "certificate": None},
    IDLE | {"instance": {"given": [], "claim": "1 <= 0"}, "witness": {}},
])  # fmt: skip
def test_other_verdicts_are_not_passed_over(row: Row) -> None:
    """A step is not vacuous, and what numbers refute is not proved."""
    confirmed, rejected, without = script.proofs(document(row))

    assert not confirmed
    assert rejected or without


def test_a_statement_is_neither_cited_nor_damaged() -> None:
    """Only a step is."""
    for verdict in ("cited", "damaged"):
        assert wrong(document(ASSUMES, statements=[bound(ASSUMES) | NAMED | {"verdict": verdict}], **GRANTS))


@pytest.mark.parametrize("change", [
    {"note": [[]]}, {"hyp": {"text": "x", "is": []}}, {"id": ["t"]},
    {"id": "t\n9 confirmed, 0 not confirmed"},
])  # fmt: skip
def test_what_cannot_be_read_ends_in_one_line(change: Row, tmp_path: Path) -> None:
    """No traceback, and nothing that looks like another line."""
    row = IDLE | change
    for _ in range(600 if "note" in change else 0):
        row["note"] = [row["note"]]
    row["certificate"] = row["certificate"] | ({"claim": FALSE} if "\n" in str(row["id"]) else {})
    (tmp_path / "audit.json").write_text(json.dumps(document(row)))
    asked = [sys.executable, "-I", script.__file__, str(tmp_path / "audit.json")]
    ended = subprocess.run(asked, capture_output=True, text=True, check=False)

    assert ended.returncode in (1, 2)
    assert ended.stderr == ""
    assert ended.stdout.count("\n") == (1 if ended.returncode == 2 else 4)


def test_sums_in_sums_are_not_written_out_for_ever() -> None:
    """A thousand terms of a thousand terms."""
    tree: Any = ["of", "F", "i", "j", "k"]
    for index in "kji":
        tree = ["sum", index, "1", "1000", tree]
    row = step("s", {"F": "real(whole,whole,whole)"}, [], [["<=", tree, tree], ["combine", NEGATED, []]])

    assert wrong(document(row)) == {"0: too many terms between the ends of sums"}


@pytest.mark.parametrize(
    ("body", "why"), [("3", {"an argument that may not be defined is left out"}), (["n2", "w"], set())]
)
def test_what_is_cited_keeps_what_may_be_undefined(body: Any, why: set[str]) -> None:
    """That 0 <= n is cited where x = f(sum of u up to n); of f that does not read the sum nothing follows."""
    said, long = ["<=", "0", "n"], ["sum", "i", "1", "n", "u"]
    kinds = {"n": "whole", "x": "real", "u": "vector", "f": "real(vector)"}
    source = cited(said, kinds, [["=", "x", ["of", "f", long]], ""])
    given = ["=", "x", ["n2", long] if why == set() else body]
    names = {n: k for n, k in kinds.items() if n in "nx" or (n == "u" and why == set())}
    row = step(
        "s", names, [given, said], [said, ["combine", [["1", ["neg"]], ["1", [1]]], []]],
        says={"lists": [[given, ""]], "cites": [["k", said, [["f", ["map", ["w"], body]]], ""]]},
        rests_on=[rests("cited", "k", said)], uses=[],
    )  # fmt: skip
    assert wrong(document(source, row)) == why


def test_what_a_step_used_owes_keeps_it_too() -> None:
    """Where the step is used with values for its own names."""
    long = ("sum", "#0:whole", script.Fraction(1), "n:whole", "u:vector")
    need = ("=", "x:real", ("of", "f:real(vector)", long))
    for body, fits in ((script.Fraction(3), False), (("n2", "#0:vector"), True)):
        put = {"f:real(vector)": ("map", ("#0:vector",), body)}
        with nullcontext() if fits else pytest.raises(script._Rejected, match="left out"):
            script._at(("k", need, [need], []), put)
