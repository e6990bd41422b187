"""Certificates that papers ship: the kernel accepts each for the step it was found for, and for no other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

import fedproof as fp
from fedproof.bounds import catalog
from fedproof.proof import certificates
from fedproof.proof.certify import live
from fedproof.proof.sayings import whole_fingerprint
from fedproof.proof.step import Step, assume
from fedproof.proof.tree_text import text
from fedproof.validate import certify, certifying
from fedproof.vocabulary.errors import DataError

KEY = "fedproxvr"
#: one step of each rule, the second and third with others that they use
STEPS = ("fedproxvr.eq48", "fedproxvr.eq37", "fedproxvr.eq69")


def step(id: str) -> Step:
    """A step of the paper."""
    return next(s for s in catalog.steps(KEY) if s.id == id)


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, Any], None]]:
    """Put another certificate in the place of one that is shipped."""
    documents = dict(certificates.stored(KEY))
    monkeypatch.setattr(certificates, "stored", lambda key: documents)
    certificates.shipped.cache_clear()

    def put(id: str, change: Any) -> None:
        documents[id] = json.loads(json.dumps(documents[id])) | change
        certificates.shipped.cache_clear()

    yield put
    certificates.shipped.cache_clear()


def test_most_steps_have_a_certificate() -> None:
    """Of the steps of both papers that are not refuted or cited, and the certificates are those of steps."""
    for key in ("fedproxvr", "composite"):
        steps = [s for s in catalog.steps(key) if s.rule != "cite" and not s.flaw]
        found = [s for s in steps if "lines" in certificates.stored(key).get(s.id, {})]
        assert len(found) > 0.88 * len(steps)


@pytest.mark.parametrize("id", STEPS)
def test_a_step_is_proved_by_its_certificate(id: str) -> None:
    """No engine is needed, the certificate comes with the verdict, and what it rests on is said."""
    decision = fp.decide(step(id))

    assert (decision.verdict, decision.engines) == ("proved", ("certificate",))
    row = decision.to_dict()
    assert row["certificate"]["claim"] == certificates.stored(KEY)[id]["claim"]
    assert all({"kind", "id", "text", "is"} == set(part) for part in row["rests_on"])


@pytest.mark.parametrize("id", STEPS)
def test_a_certificate_is_for_its_step_alone(id: str) -> None:
    """A step with another claim, or with a hypothesis less, has none."""
    own = step(id)
    turned = own.claim.func(own.claim.rhs + 1, own.claim.lhs, evaluate=False)

    assert certificates.shipped(own) is not None
    assert certificates.shipped(replace(own, claim=turned)) is None
    needed = [g["is"] for g in certificates.stored(KEY)[id]["given"] if g["from"]["kind"] == "own"]
    if needed:
        assert certificates.shipped(replace(own, given=())) is None


@pytest.mark.parametrize(
    "change",
    [
        {"claim": ["<=", "1", "0"]},
        {"lines": []},
        {"lines": [[["<=", "1", "0"], ["combine", [["1", ["neg"]]], []]]]},
        {"uses": ["fedproxvr.eq54"]},
        {"names": {}},
        {"given": [{"is": ["<=", "1", "0"], "from": {"kind": "own"}}]},
    ],
    ids=str,
)
def test_what_was_tampered_with_proves_nothing(
    shipped: Callable[[str, Any], None], change: dict[str, Any]
) -> None:
    """The step is then decided as if there were no certificate."""
    shipped(STEPS[0], change)

    assert certificates.shipped(step(STEPS[0])) is None


def test_a_search_that_found_none_is_told_and_not_repeated(
    shipped: Callable[[str, Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leaves that very step open; another one is searched for, and a changed one is another."""
    monkeypatch.setattr(live, "searched", lambda *_: "searched for")
    found = replace(step("fedproxvr.eq48"), note="decided nowhere else")
    other = replace(found, id="fedproxvr.eq69")
    shipped(found.id, {"of": whole_fingerprint(found), "open": "none in a day"})
    documents = certificates.stored(KEY)
    documents[found.id].pop("lines")  # type: ignore[attr-defined]
    shipped(other.id, {"of": "another step", "open": "none in a day"})

    assert fp.decide(found).verdict == "open"
    assert "none in a day" in fp.decide(found).detail
    assert "none in a day" not in fp.decide(other).detail
    used = step("fedproxvr.eq37")
    for one, changed in (
        (used, replace(used, given=tuple(replace(h, weight=sp.Integer(2)) for h in used.hypotheses))),
        (found, replace(found, given=(*found.given, sp.Symbol("x", real=True) >= 0))),
        (found, replace(found, claim=found.claim.func(*reversed(found.claim.args)))),
    ):
        assert whole_fingerprint(changed) != whole_fingerprint(one)


def test_a_step_of_a_notebook_has_none() -> None:
    """Nothing is shipped for it."""
    x = sp.Symbol("x", real=True)

    assert certificates.shipped(Step(x**2 >= 0)) is None


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        (("all", "i", "1", "n", ("<", "0", ("of", "x", "i"))), "0 < x(i) for i = 1..n"),
        (("=", ("sum", "i", "1", "n", ("of", "x", "i")), ("*", ("+", "a", "-2"), "b")),
         "sum(x(i), i = 1..n) = (a + (-2))*b"),
        (("!=", ("^", ("*", "a", "b"), "1/2"), "0"), "sqrt(a*b) != 0"),
        (("every", "w", "vector", ("<=", "0", ("of", "f", "w"))), "0 <= f(w) for every w"),
    ],
)  # fmt: skip
def test_hypotheses_are_plain_text(tree: Any, said: str) -> None:
    """As a page shows what a certificate rests on."""
    assert text(tree) == said


def test_what_a_used_step_assumes_is_carried_up() -> None:
    """For all to see; the step that neither lists nor proves it is not proved, whatever its reason is."""
    x, y = sp.symbols("x y", real=True)
    used = Step(x**2 >= x, (x >= 1,), "used")
    reasoned = Step(x**2 >= x, assume("definition: x", x >= 1), "reasoned")
    for one in (used, reasoned):
        owing = Step(x**2 + y**2 >= x, (one.at(),), "owing")
        paying = Step(x**2 + y**2 >= x, (x >= 1, one.at()), "paying")
        proving = Step(y**4 + 1 >= 0, (one.at({x: y**2 + 1}),), "proving")

        assert [fp.decide(s).verdict for s in (one, owing, paying, proving)] == [
            "proved", "open", "proved", "proved",
        ]  # fmt: skip
        assert fp.decide(owing).detail == "rests on: 1 <= x"
        assert fp.decide(owing).to_dict()["rests_on"][0]["kind"] == "carried"


def test_what_engines_agree_on_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a certificate nothing is proved."""
    x = sp.Symbol("x", real=True)
    monkeypatch.setattr(live, "searched", lambda *_: "not today")
    decision = fp.decide(Step(x**2 + 7 * x >= -100, (), "agreed"))

    assert (decision.verdict, decision.engines) == ("open", ())
    assert decision.detail == "engines agree (z3, cvc5), and there is no certificate: not today"


def test_what_certify_writes_of_a_step_it_cannot_prove_is_read_as_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a step with its used step: proofs, or why there is none; the row tells of that very step."""
    x = sp.Symbol("x", real=True)
    square = Step(x**2 >= 0, id="square")
    wrong = Step(x**2 >= 1, (square.at(),), id="wrong")
    found = certifying.certified((wrong,), 2.0)
    row = certify.unfound(wrong, str(found["wrong"]))
    monkeypatch.setattr(certificates, "stored", lambda key: {"wrong": row})

    assert isinstance(found["square"], certificates.Proved)
    assert isinstance(found["wrong"], str)
    assert certificates.sought(wrong) == found["wrong"] != ""
    assert certificates.sought(replace(wrong, claim=x**2 >= 2)) == ""


def test_a_damaged_line_is_told_when_it_is_asked_for() -> None:
    """By file and number, and what to do; the others serve, whatever stands within their texts."""
    text = '{"id":"a","open":"no\u2028and\x85no"}\n\n{"id":"b","open":\n{"id":"c","open":"no","id":"a"}\r\n'
    rows = certificates.Rows(text, "here.jsonl")

    assert (list(rows), rows["a"]["open"]) == (["a", "b", "c"], "no\u2028and\x85no")
    for id, line in (("b", 3), ("c", 4)):
        with pytest.raises(DataError, match=rf"here\.jsonl, line {line}: .*run make certify"):
            rows[id]


@pytest.mark.parametrize("id", ['lemma."flat"', r"fl\at", "\u2028", "naïve"])
def test_an_id_is_read_however_it_is_written(id: str) -> None:
    """With what JSON escapes, after a blank, and after what else a row says."""
    row = {"id": id, "open": "no"}
    turned = dict(reversed(row.items()))
    for line in (json.dumps(row), json.dumps(row, ensure_ascii=False), f" {json.dumps(turned)}"):
        assert dict(certificates.Rows(line, "here.jsonl")) == {id: row}


@pytest.mark.parametrize(
    "line",
    [
        "<<<<<<< here", '["id"]', '{"id":1,"open":""}', '{"open":"no"}', "[" * 100_000,
        '{"id":"a","open":"again"}', '{ "id":"b","names":{},"given":[],"claim":"1","lines":null,"uses":[]}',
        '{ "id":"b","names":[],"given":[],"claim":"1","lines":[],"uses":[]}',
        '{ "id":"b","names":{},"given":[{"is":"1"}],"claim":"1","lines":[],"uses":[]}',
        '{ "id":"b","names":{},"given":[],"lines":[],"uses":[]}',
        '{ "id":"b","names":{},"given":[],"claim":"1"}',
        '{ "id":"b","names":{},"given":[{"is":"1","from":5}],"claim":"1","lines":[],"uses":[]}',
        '{ "id":"b","open":"","lines":5}',
        '{ "id":"b","names":{},"given":[],"claim":"1","lines":[],"uses":[[]]}',
        '{ "id":"b","names":{},"given":[],"claim":"1","lines":[],"uses":[],"closing":5}',
    ],
)  # fmt: skip
def test_what_is_no_certificate_is_refused(line: str) -> None:
    """A second one of a step too."""
    with pytest.raises(DataError, match=r"here\.jsonl, line 2: "):
        certificates.Rows('{"id":"a","open":"no"}\n' + line, "here.jsonl")


def test_every_shipped_certificate_is_read_as_json_reads_it() -> None:
    """In the order of the file."""
    for key in ("", "fedprox", "flecs"):
        lines = certify.place(key).read_text(encoding="utf-8").splitlines()
        assert list(certificates.stored(key).values()) == [json.loads(line) for line in lines]


def test_a_damaged_line_ends_a_decision_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is neither proved nor searched for as if it had no certificate."""
    bad = certificates.Rows(f'{{"id":"{STEPS[0]}"', "here.jsonl")
    monkeypatch.setattr(certificates, "stored", lambda key: bad)
    certificates.shipped.cache_clear()
    with pytest.raises(DataError, match=r"here\.jsonl, line 1"):
        certificates.shipped(step(STEPS[0]))
    certificates.shipped.cache_clear()
