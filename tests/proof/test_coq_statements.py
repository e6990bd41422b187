"""A lemma of Coq states what its certificate does, and whatever says something else is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fedproof
from fedproof.proof.coq.asking import axioms, blamed
from fedproof.proof.coq.compare import Differs, compare, expected, read
from fedproof.proof.coq.export import judged, statement, written
from fedproof.proof.coq.files import certificates, collected
from fedproof.proof.coq.identity import by_arithmetic, divisors
from fedproof.proof.coq.report import coverage
from fedproof.proof.coq.terms import LeftOut, lemma
from tests.proof.coq_examples import exp_and_log, half, parallelogram, square, telescope

STORED = sorted(Path(fedproof.__file__).parent.glob("papers/*/certificates.jsonl"))


def test_what_divides_and_the_ends_of_sums_are_part_of_the_proposition() -> None:
    """A divisor is said not to be 0, and a sum to have a range, where the relation stands."""
    assert statement(
        half()
    ) == "forall (_x : R),\n  (0 < _x) ->\n  ((_x <> 0) /\\ (0 < (/ (2 * _x))))".replace(
        "(_x <> 0)", "((2 * _x) <> 0)"
    )
    assert "(0%Z - 1 <= _n)%Z" in statement(telescope())


@pytest.mark.parametrize("path", STORED, ids=lambda p: p.parent.name)
def test_every_stored_certificate_is_read_back_as_it_was(path: Path) -> None:
    """Statements are parsed into the trees of their rows, but for powers that Coq's text has no words for."""
    left = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "lines" not in row:
            continue
        try:
            text = statement(row)
        except LeftOut as why:
            left.add(str(why))
            continue
        assert read(text) == expected(row), row["id"]
    known = {"a root that is no square root", "a power with an exponent that is no number"}
    assert left <= (known if path.parent.name in ("fedprox", "flecs") else set())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<= ((_x ^ 2)", "< ((_x ^ 2)"),
        ("(2 * _x * _y)", "(2 * _y * _x)"),
        ("(_x : R) (_y : R)", "(_x : R) (_y : Z)"),
        ("Qed.\n", "Qed.\nAxiom more : False.\n"),
        ("intros", "Admitted. intros"),
        ("intros _x _y.", "intros _x _y. Qed. Axiom more : False."),
        ("Lemma square", "Lemma circle"),
    ],
)
def test_what_says_something_else_is_found(old: str, new: str) -> None:
    """A sign, an order of factors, a kind, an axiom, a proof that is none, another name."""
    text = written("square", square(), {})
    assert compare(text, {"square": square()}) == ["square"]
    assert old in text
    with pytest.raises(Differs):
        compare(text.replace(old, new, 1), {"square": square()})


def test_a_need_that_is_missing_is_found() -> None:
    """Without the divisor the proposition says something else, for Coq divides by 0."""
    text = written("half", half(), {})
    with pytest.raises(Differs, match="states something else"):
        compare(text.replace("((2 * _x) <> 0) /\\ ", "", 1), {"half": half()})


def test_what_log_is_of_is_said_to_be_positive() -> None:
    """Coq's logarithm of a negative number is 0, so the proposition says what it needs."""
    text = written("log", exp_and_log(), {})
    assert compare(text, {"log": exp_and_log()}) == ["log"]
    assert "((0 < 2) /\\ " in text
    with pytest.raises(Differs, match="states something else"):
        compare(text.replace("((0 < 2) /\\ ", "(", 1), {"log": exp_and_log()})


def test_constants_that_are_not_read_are_left_out() -> None:
    """Sines, and roots that are no square roots, have no enclosure here."""
    for side in (["sin", "1"], ["^", "2", "1/3"], "pi"):
        claim = ["<", side, "4"]
        row = {"names": {}, "given": [], "claim": claim, "lines": [[claim, ["constants"]]], "uses": []}
        with pytest.raises(LeftOut):
            written("row", row, {})


def test_what_is_accepted_is_counted_for_each_audit() -> None:
    """Steps, steps between numbers and closings; what is missing stands below, by class."""
    audits = [{"p.a": square(), "p.b": parallelogram(), "rule.c": half(), "p.a.closing'": square()}]
    left = {"p.b": "the rule x", "p.a.closing'": "the rule y"}
    assert coverage(audits, audits[0], {"p__a", "rule__c"}, left) == [
        "p: 2 of 3 proved steps (2 of 2 between numbers), 0 of 1 closings",
        "covered: 2 of 3 proved steps (2 of 2 between numbers), 0 of 1 closings; "
        "each lemma states what its row says",
        "not covered: 1 step: the rule x",
        "not covered: 1 closing: the rule y",
    ]


def test_the_lemma_with_an_error_is_found_by_its_line() -> None:
    """The one that begins last before the line that Coq names."""
    rows = [{"id": i, "verdict": "proved", "certificate": square()} for i in ("p.a", "p.b", "p.c")]
    collection = collected(certificates([{"steps": rows}]))
    text = collection.text("p0")
    first, last = (text[: text.index(f"Lemma {n}")].count("\n") for n in ("p__b", "p__c"))
    for line in (first + 1, last):
        assert blamed(collection, text, f'File "./p0.v", line {line}, characters 0-5:\nError: no') == ["p.b"]
    assert blamed(collection, text, "Error: no") == []


def test_divisors_are_found_once_each_and_not_where_an_index_counts() -> None:
    """Bases with a negative exponent, also within roots and sums; numbers that are not whole count as one."""
    x = ("^", "x", "-1")
    assert divisors(("+", ("*", "x", "2"), ("^", "y", "1/2"))) == set()
    assert divisors(("=", ("*", "1/2", x), ("+", "3/4", ("^", ("*", "2", x), "2")))) == {"1", "x"}
    assert divisors(("sum", "i", "1", "n", ("^", ("of", "a", "i"), "-1/2"))) == {("of", "a", "i")}


def test_both_tactics_are_tried_in_either_order() -> None:
    """Whether something divides says which comes first, and leaves out neither."""
    assert by_arithmetic([], {}) == "first [ring | field; defined | alike; ring]."
    assert by_arithmetic([], {}, divided=True) == "first [field; defined | ring | alike; ring]."
    assert "first [field; defined | ring " in written("half", half(), {})
    assert "first [field; defined | ring " not in written("square", square(), {})


def test_an_index_in_its_own_range_is_left_out() -> None:
    """Coq would take the end for the index that is bound."""
    claim = ["all", "i", "1", "i", ["<=", "1", "i"]]
    row = {"names": {"i": "whole"}, "given": [], "claim": claim, "lines": [], "uses": []}
    with pytest.raises(LeftOut):
        statement(row)
    with pytest.raises(Differs):
        expected(row)


def test_proofs_of_sums_are_made_of_tactics() -> None:
    """Goals that are named by their number are tactics too."""
    text = written("telescope", telescope(), {})
    assert "2: {" in text
    assert compare(text, {"telescope": telescope()}) == ["telescope"]


def test_vectors_are_those_of_any_space() -> None:
    """The space is quantified where there are vectors, and only there."""
    assert statement(parallelogram()).startswith("forall (V : Space) (_u : V) (_v : V)")
    assert "Space" not in statement(square())


def test_the_axioms_that_coq_prints_are_read() -> None:
    """Names at the start of a line after `Axioms:` count, their types do not."""
    printed = "Axioms:\nsig_not_dec : forall P : Prop,\n  {~ P} + {~ ~ P}\nmore : False\n"
    assert axioms(printed) == {"sig_not_dec", "more"}
    assert axioms("Closed under the global context\n") == set()


def test_steps_that_use_what_is_left_out_are_left_out() -> None:
    """No lemma is put in the place of one that is not written."""
    claim = ["<", ["sin", "1"], "1"]
    first = {"names": {}, "given": [], "claim": claim, "lines": [[claim, ["constants"]]], "uses": []}
    second = {**first, "lines": [[claim, ["use", "first", [], []]]], "uses": ["first"]}
    rows = [{"id": i, "verdict": "proved", "certificate": c} for i, c in (("b", second), ("first", first))]
    collection = collected(certificates([{"steps": rows}]))
    assert collection.lemmas == {}
    assert collection.left == {"first": "the construct sin", "b": "uses a step that is left out"}


def test_steps_stand_after_those_that_they_use() -> None:
    """The order of the rows does not matter."""
    used = {**half(), "uses": ["square"]}
    rows = [
        {"id": i, "verdict": "proved", "certificate": c} for i, c in (("half", used), ("square", square()))
    ]
    assert list(certificates([{"steps": rows}])) == ["square", "half"]
    assert judged(square())[0] == {"x": "real", "y": "real"}
    assert lemma("a.b_c") == "a__b_c"
