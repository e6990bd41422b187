"""Audits that nobody made: empty sums, exponents, indices and conditions that reach further than they may."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fedproof.proof.kernel.judgement import checked
from fedproof.proof.kernel.trees import Rejected
from fedproof.validate import recheck as script
from tests.validate.made_audits import (
    ASSUMES,
    BELOW,
    GRANTS,
    NAMED,
    NEGATED,
    Row,
    bound,
    certificate,
    cited,
    document,
    rests,
    step,
    wrong,
)

#: 1 for n >= 1, and 0 for n = 0
SUM = ["sum", "i", "1", "n", ["^", "n", "-1"]]
IS_SUM, NONE = ["=", "x", SUM], ["=", "0", SUM]
EMPTY = "a sum that may be empty"
NAMES = {"x": "real", "n": "whole"}
DENIED = [["1", ["neg"]], ["1", [0]]]
NONNEGATIVE = ["<=", "0", "n"]
MEANT = [NONNEGATIVE, ["meaning"]]
POWER = ["^", "b", "n"]
ROOTED = ["+", POWER, ["*", "0", ["^", "n", "1/2"]]]
#: x <= 0 from x = -1, the line of that number
FROM_MINUS_ONE = ["combine", [["1", ["neg"]], ["1", [2]], ["1", []]], []]


def accepted(claim: Any, given: Any, names: dict[str, str], *lines: Any) -> tuple[bool, bool]:
    """Whether the kernel and the script take a certificate."""
    row = certificate(claim, names, given, *lines)
    try:
        checked(row | {"id": "s"}, {})
    except Rejected:
        kernel = False
    else:
        kernel = True
    lists = [[g, ""] for g in given]
    alone = {"says": {"claim": claim, "lists": lists, "kinds": names, "cites": []}, "certificate": row}
    return kernel, not wrong(document(step("s", names, given, *lines) | alone))


@pytest.mark.parametrize(
    ("claim", "given", "rule"),
    [
        (["=", "x", "1"], [IS_SUM], ["combine", DENIED, []]),
        (["<=", "1", "x"], [IS_SUM], ["combine", NEGATED, [0]]),
        (["<=", "1", "0"], [NONE], ["combine", [["1", ["neg"]], ["-1", [0]]], []]),
    ],
)
def test_a_sum_may_be_empty(claim: Any, given: list[Any], rule: Any) -> None:
    """sum(1/n for i = 1..n) is 1 but for n = 0, where it is defined and 0; with n != 0 all of it follows."""
    names = {n: k for n, k in NAMES.items() if n in str(given)}
    assert accepted(claim, given, names, [claim, rule]) == (False, False)

    safe = [*given, ["!=", "n", "0"]]
    assert accepted(claim, safe, names, [claim, rule]) == (True, True)


MORE = {"v": "vector", "w": "vector", "n": "whole"}
IS_MEAN = ["=", "v", ["sum", "i", "1", "n", ["*", ["^", "n", "-1"], "w"]]]


@pytest.mark.parametrize(
    ("claim", "rule"),
    [
        (["=", "v", "w"], ["vectors", "1", [["1", 0]], []]),
        (["=", "v", "w"], ["vectors", "1", [], [0]]),
        (
            ["=", ["ip", "v", "w"], ["n2", "w"]],
            ["combine", [["1", ["neg"]], ["-1", [["along", 0, "w"]]]], []],
        ),
    ],
)
def test_a_mean_of_none(claim: Any, rule: Any) -> None:
    """v = sum(w/n for i = 1..n) is w but for n = 0."""
    assert accepted(claim, [IS_MEAN], MORE, [claim, rule]) == (False, False)
    assert accepted(claim, [IS_MEAN, ["!=", "n", "0"]], MORE, [claim, rule]) == (True, True)


def test_exponents_in_an_empty_sum() -> None:
    """x = n^(-m - 1) sum(n^m for i = 1..n) is 0 for n = 0 and m = -5, and else 1."""
    power, sum_ = ["^", "n", ["+", ["*", "-1", "m"], "-1"]], ["sum", "i", "1", "n", ["^", "n", "m"]]
    names, claim, given = NAMES | {"m": "whole"}, ["=", "x", "1"], ["=", "x", ["*", power, sum_]]
    line = [claim, ["combine", DENIED, []]]
    assert accepted(claim, [given], names, line) == (False, False)
    assert accepted(claim, [given, ["<=", "0", "m"]], names, line) == (True, True)


def test_an_empty_sum_tells_no_sign() -> None:
    """sum(1/n for i = 1..n) < 1 + x holds where n and x are 0."""
    claim, given = ["!=", "x", "0"], ["<", SUM, ["+", "1", "x"]]
    assert accepted(claim, [given], NAMES, [claim, ["meaning"]]) == (False, False)


def test_the_equation_itself_does_not_say_that_its_sum_is_not_empty() -> None:
    """n + x != 1 holds where n and x are 0; read with 1 for x it would say that n is not."""
    claim, more = ["<=", "1", "x"], ["!=", ["+", "n", "x"], "1"]
    assert accepted(claim, [IS_SUM, more], NAMES, [claim, ["combine", NEGATED, [0]]]) == (False, False)


def test_the_next_whole_number_of_an_empty_sum() -> None:
    """1/2 + sum(1/(2n) for i = 1..n) < 1 holds at n = 0, and 3/2 <= 1 does not."""
    half = ["sum", "i", "1", "n", ["*", "1/2", ["^", "n", "-1"]]]
    given, claim = ["<", ["+", "1/2", half], "1"], ["<=", ["+", ["+", "1/2", half], "1"], "1"]
    assert accepted(claim, [given], {"n": "whole"}, [claim, ["next", 0]]) == (False, False)


def test_what_is_cited_of_an_empty_sum_is_said_of_it() -> None:
    """sum(1/n) <= n is true for n >= 0; of 1 <= n that is no other form."""
    at_most, claim = ["<=", SUM, "n"], ["<=", ["*", "-1", "n"], "-1"]
    known = cited(at_most, {"n": "whole"}, [NONNEGATIVE, ""])
    rows = {"says": {"cites": [["k", at_most, [], ""]], "lists": [[NONNEGATIVE, ""]]}}
    last = [claim, ["combine", [["1", ["neg"]], ["1", [1]]], []]]
    proof = step(
        "s", {"n": "whole"}, [NONNEGATIVE, at_most], last, rests_on=[rests("cited", "k", at_most)], **rows
    )

    assert wrong(document(known, proof)) == {f"2: {EMPTY}"}
    other = ["<=", ["+", "1", ["*", "0", SUM]], "n"]
    taken = step("s", {"n": "whole"}, [other], says={"cites": [["k", other, [], ""]]})
    assert "it cites what k does not say" in wrong(document(cited(at_most, {"n": "whole"}), taken))


def test_an_exponent_needs_less_than_a_root() -> None:
    """(b^2)^n is there for n = -1 and sqrt(n) is not: neither is cited, owed or defined by the other."""
    square = ["^", ["^", "b", "2"], "n"]
    plain, rooted = ["<=", "0", square], ["<=", "0", ["+", square, ["*", "0", ["^", "n", "1/2"]]]]
    kinds = {"b": "real", "n": "whole"}
    shown = {"rests_on": [rests("cited", "k", rooted)], "says": {"cites": [["k", rooted, [], ""]]}}
    assert wrong(document(cited(plain, kinds), step("s", kinds, [rooted], MEANT, **shown))) == {
        "it cites what k does not say"
    }

    owes = {"rests_on": [rests("cited", "k", NONNEGATIVE)], "says": {"cites": [["k", NONNEGATIVE, [], ""]]}}
    owes["says"]["lists"] = [[plain, ""]]
    proof = step("s", kinds, [plain, NONNEGATIVE], **owes)
    assert wrong(document(cited(NONNEGATIVE, kinds, [rooted, ""]), proof)) == {"it owes what k needs"}


def test_what_is_assumed_of_an_empty_sum_is_no_bound() -> None:
    """x <= 1 - sum(1/n for i = 1..n) is x <= 0 but for n = 0, where x may be 1."""
    claim = ["<=", "x", ["+", "1", ["*", "-1", SUM]]]
    proof = step("s", NAMES, [claim], rests_on=[rests("assumption", "A", claim)])
    for safe in ([], [["!=", "n", "0"]], [["<=", "1", "n"]]):
        row = bound(proof, at={"x": "5", "n": "1"}, given=safe) | NAMED
        row["says"]["kinds"] = NAMES
        audit = document(
            proof, statements=[row], granted=[rests("", "A", claim)], **NAMED, kinds={"n": "whole"}
        )
        assert wrong(audit) == (set() if safe else {EMPTY})


def test_a_power_that_is_claimed_is_bounded_by_itself() -> None:
    """x <= b^n, and k = b^n, are defined where they are said."""
    claim, kinds = ["<=", "x", POWER], {"x": "real", "b": "real", "n": "whole"}
    proof = step("s", kinds, [claim], rests_on=[rests("assumption", "A", claim)])
    row = bound(proof, at={"x": "5", "b": "2", "n": "3"}) | NAMED
    row["says"] |= {"kinds": kinds, "bound": POWER}
    audit = document(proof, statements=[row], granted=[rests("", "A", claim)], **NAMED, kinds={"n": "whole"})
    assert wrong(audit) == set()

    mean = ["=", "k", POWER]
    lists = step("s", {"k": "real", "b": "real", "n": "whole"}, [mean], says={"lists": [[mean, ""]]})
    defined = bound(lists, at={"b": "2", "n": "3"})
    defined["says"] |= {"kinds": {"b": "real", "n": "whole"}, "where": [["k", POWER]], "bound": POWER}
    metric = {"m": [{"is": ["=", POWER, "bound"]}]}
    assert wrong(document(lists, statements=[defined], metrics=metric)) == set()


@pytest.mark.parametrize(("part", "taken"), [("j", True), ("i", False), ("n", False)])
def test_sums_in_sums(part: str, taken: bool) -> None:
    """1/j for j = 1..i and i = 1..n is there wherever it is read; 1/i is not where i is 0."""
    inner = ["sum", "i", "0", "n", ["sum", "j", "1", "i", ["^", part, "-1"]]]
    names, claim = {"x": "real", "y": "real", "n": "whole"}, ["<=", "x", "y"]
    line = [claim, ["combine", [["1", ["neg"]], ["1", [0]], ["1", [1]]], []]]

    assert accepted(claim, [["<=", "x", inner], ["<=", inner, "y"]], names, line) == (taken, taken)


def test_a_definition_is_no_more_than_it_says() -> None:
    """Of k = b^n a step made k = b^n + 0 sqrt(n), and so -n <= 0 for every whole n."""
    mean, claim = ["=", "k", ROOTED], ["<=", ["*", "-1", "n"], "0"]
    last = [claim, ["combine", [["1", ["neg"]], ["1", [1]]], []]]
    proof = step(
        "s", {"k": "real", "b": "real", "n": "whole"}, [mean], MEANT, last, says={"lists": [[mean, ""]]}
    )
    row = bound(proof, at={"b": "2", "n": "-1"})
    row["says"] |= {"kinds": {"b": "real", "n": "whole"}, "where": [["k", POWER]]}
    metric = {"m": [{"is": ["<=", ["*", "-1", "n"], "bound"]}]}

    assert wrong(document(proof, statements=[row], metrics=metric)) == {
        f"its conditions do not give {script._text(mean)}"
    }


def test_a_bound_needs_no_more_than_its_claim() -> None:
    """x <= b^n is claimed, and b^n + 0 sqrt(n) is not defined for n = -1."""
    claim, kinds = ["<=", "x", POWER], {"x": "real", "b": "real", "n": "whole"}
    proof = step("s", kinds, [claim], rests_on=[rests("assumption", "A", claim)])
    row = bound(proof, at={"x": "5", "b": "2", "n": "3"}) | NAMED
    row["says"] |= {"kinds": kinds, "bound": ROOTED}
    audit = document(proof, statements=[row], granted=[rests("", "A", claim)], **NAMED, kinds={"n": "whole"})

    assert wrong(audit) == {"the last step claims another bound, or of another metric"}


def carries(tree: Any, names: dict[str, str], *lines: Any) -> Row:
    """A step that carries a relation, and makes x <= 0 of it."""
    return step("t", names, [tree], *lines, rests_on=[rests("carried", "", tree)])


MINUS_ONE = ["=", "x", "-1"]
IN_RANGE = [
    [["<=", "0", "0"], ["combine", NEGATED, []]],
    [MINUS_ONE, ["instance", 0, "0", [1, 1]]],
    [BELOW, FROM_MINUS_ONE],
]


@pytest.mark.parametrize("index", ["i", "z", "bound"])
@pytest.mark.parametrize("body", [MINUS_ONE, ["=", "x", ["+", "INDEX", "-1"]]])
def test_an_index_is_neither_letter_nor_excuse(index: str, body: Any) -> None:
    """x = i - 1 for i = 0..0 says that x is -1, whatever its index is called and whether it occurs."""
    named = [index if part == "INDEX" else part for part in body[2]] if isinstance(body[2], list) else body[2]
    tree = ["all", index, "0", "0", ["=", "x", named]]
    lines = IN_RANGE
    if isinstance(named, list):
        lines = [IN_RANGE[0], [["=", "x", ["+", "0", "-1"]], IN_RANGE[1][1]], IN_RANGE[2]]
    proof = carries(tree, {"x": "real"}, *lines)
    row = bound(proof, at={"x": "5", "z": "6"}, given=[["=", "x", ["+", "z", "-1"]]])
    row["says"]["kinds"] = {"x": "real", "z": "whole"}

    assert wrong(document(proof, statements=[row], lists=["t"])) == {
        f"its conditions do not give {script._text(tree)}"
    }


@pytest.mark.parametrize(
    ("tree", "names", "where", "said"),
    [
        (
            ["=", ["+", "x", ["*", "0", ["n2", "c"]]], "-1"], {"x": "real", "c": "vector"}, [],
            "its conditions do not give x + 0*n2(c) = -1",
        ),
        (
            ["=", "x", ["+", "-1", ["*", "0", ["^", "k", "-1"]]]], {"x": "real", "k": "real"}, [["k", "0"]],
            "a division by 0",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_read_of_the_letters_is_not_passed_over(
    tree: Any, names: Any, where: Any, said: str
) -> None:
    """c is a vector in the step and a number in the statement; 1/k is not there where k is 0."""
    proof = carries(tree, names, [BELOW, ["combine", [["1", ["neg"]], ["1", [0]], ["1", []]], []]])
    row = bound(proof, at={"x": "5", "c": "1"})
    row["says"]["where"] = where

    assert wrong(document(proof, statements=[row], lists=["t"])) == {said}


@pytest.mark.parametrize("safe", [[], [["!=", "n", "0"]]])
def test_a_metric_with_an_empty_sum(safe: list[Any]) -> None:
    """x <= bound - 1 + sum(1/n for i = 1..n) is x <= bound but for n = 0."""
    metric = {"m": [{"is": ["<=", "x", ["+", "bound", "-1", SUM]]}]}
    row = bound(ASSUMES, at={"x": "5", "n": "1"}, given=safe) | NAMED
    row["says"]["kinds"] = NAMES
    found = wrong(document(ASSUMES, statements=[row], metrics=metric, **GRANTS))

    assert found == (set() if safe else {"the last step claims another bound, or of another metric"})


def test_what_is_carried_of_whole_letters_is_asked() -> None:
    """n = 3 where nothing says so."""
    proof = carries(["=", "n", "3"], {"n": "whole"}, [["<=", "n", "3"], ["combine", DENIED, []]])
    row = bound(proof, at={"n": "5"})
    row["says"] |= {"kinds": {"n": "whole"}, "bound": "3"}
    metric = {"m": [{"is": ["<=", "n", "bound"]}]}

    found = wrong(document(proof, statements=[row], lists=["t"], metrics=metric))
    assert found == {"its conditions do not give n = 3"}


def test_what_is_carried_is_defined_where_the_statement_is() -> None:
    """x + 0/k = 0 says that k is not 0, and x = 0 does not."""
    tree = ["=", ["+", "x", ["*", "0", ["^", "k", "-1"]]], "0"]
    proof = carries(tree, {"x": "real", "k": "real"}, [["!=", "k", "0"], ["meaning"]])
    row = bound(proof, at={"x": "0", "k": "1"}, given=[["=", "x", "0"]])
    audit = document(proof, statements=[row], lists=["t"], metrics={"m": [{"is": ["!=", "k", "bound"]}]})

    assert wrong(audit) == {f"its conditions do not give {script._text(tree)}"}


@pytest.mark.parametrize(
    "given",
    [
        "sqrt(x) = 2", "sqrt(x) ≤ 2", "max(x, 0) = 0", "x ≤ 1 and x ≥ 0", " sqrt(x) <= 2", "|x| <= sqrt(1)",
        '"x <= 1"', "Rel(x, 1, '<=')", "And(x <= 1, x <= 2)", "x <= E", "factorial(x) <= 1", "x <= True",
        "False", "not 1", "0", "None",
    ],
)  # fmt: skip
def test_a_condition_that_cannot_be_read_is_not_passed_over(given: str) -> None:
    """Each is false at x = 9, or says nothing that the script knows."""
    row = {
        "id": "r", "verdict": "refuted", "witness": {"x": "9"}, "claim": "x <= 1", "given": [given],
        "instance": {"given": [], "claim": "x <= 1"}, "says": {"kinds": {}, "given": []}, "worked": None,
    }  # fmt: skip
    assert [code for _, code, _ in script.recheck({"steps": [row], "statements": []})] == [2]


def test_a_name_is_no_constant() -> None:
    """True at 0 was 1."""
    row = {
        "id": "r", "verdict": "refuted", "witness": {"True": "0"}, "claim": "True <= 0", "given": [],
        "instance": {"given": [], "claim": "True <= 0"}, "says": {"kinds": {}, "given": []}, "worked": None,
    }  # fmt: skip
    assert [code for _, code, _ in script.recheck({"steps": [row], "statements": []})] == [2]


@pytest.mark.parametrize(
    ("body", "fits"),
    [
        ("3", False),
        (["n2", "w"], True),
        (["*", "0", ["n2", "w"]], True),
        (["sum", "i", "1", "0", ["n2", "w"]], False),
    ],
)
def test_a_map_keeps_what_may_be_undefined(body: Any, fits: bool) -> None:
    """Of f(sum of u up to n) = x one learns that 0 <= n; of 3 = x, where f is 3, nothing."""
    long = ["sum", "i", "1", "n", "u"]
    names = {"n": "whole", "x": "real", "u": "vector", "f": "real(vector)"}
    learnt = certificate(NONNEGATIVE, names, [["=", "x", ["of", "f", long]]], MEANT)
    put = [["=", "x", _with(body, long)], ["<=", "0", ["n2", "u"]]]
    by = ["use", "r", [["f", ["map", ["w"], body]]], [0]]
    row = certificate(NONNEGATIVE, {n: names[n] for n in "nxu"}, put, [NONNEGATIVE, by], uses=["r"])

    def taken(check: Callable[[], Any]) -> bool:
        try:
            check()
        except (Rejected, script._Rejected):
            return False
        return True

    assert taken(lambda: script._verified(row, {"r": script._verified(learnt, {})})) is fits
    assert taken(lambda: checked({**row, "id": "s"}, {"r": checked({**learnt, "id": "r"}, {})})) is fits


@pytest.mark.parametrize(
    ("kind", "fits"),
    [("real(whole)", True), ("real(whole,vector)", True), ("real(real)", False), ("whole(whole)", False)],
)
def test_kinds_of_arguments(kind: str, fits: bool) -> None:
    """Functions of vectors and sequences, and of no real numbers."""
    arguments = kind.partition("(")[2].rstrip(")").split(",")
    term = ["of", "f", *({"whole": "1", "vector": "u", "real": "1/2"}[a] for a in arguments)]
    names = {"f": kind} | ({"u": "vector"} if "vector" in arguments else {})
    assert accepted(["=", term, term], [], names, [["=", term, term], ["combine", NEGATED, []]]) == (
        fits,
        fits,
    )


def _with(body: Any, value: Any) -> Any:
    """A tree with a value for w."""
    return [_with(part, value) for part in body] if isinstance(body, list) else value if body == "w" else body
