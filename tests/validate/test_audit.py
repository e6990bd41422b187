"""The audit as a whole: what it counts, what it calls failed, what it shows, what it is asked."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound
from fedproof.bounds.statement import Condition
from fedproof.papers.fedproxvr.notation import L, letters, mu
from fedproof.proof.decide import decide
from fedproof.proof.instance import Instance, sides
from fedproof.proof.obligations import used
from fedproof.proof.plain_text import plain_text
from fedproof.proof.sequences import sequence
from fedproof.proof.step import Step
from fedproof.validate.audit import audit, items, judge
from fedproof.validate.audit_result import Audit
from fedproof.validate.claims import bound
from fedproof.validate.claims.concluding import concludes
from fedproof.validate.proof_basis import basis, beside, proof_steps, statement_row
from fedproof.validate.recheck import recheck
from fedproof.validate.statement_verdict import StatementVerdict
from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.result import jsonable
from fedproof.vocabulary.source import Source
from tests.refusals import refused

x = sp.Symbol("x", real=True)
HOME = Source("fedproxvr", "here")
PAIR = ("fedproxvr.remark1.4.monotone", "fedproxvr.remark1.4.monotone.repaired")


def judged(id: str, verdict: Any) -> StatementVerdict:
    """A statement with a verdict."""
    return StatementVerdict(id, verdict, (), "words")


def decided(claim: Any, **more: Any) -> Audit:
    """An audit of one step."""
    return Audit((decide(Step(claim, source=HOME, **more)),), (), ())


def test_a_printed_statement_that_is_refuted_is_no_failure() -> None:
    """What the paper prints may be false: that is an answer."""
    found = audit(*PAIR)

    assert [s.verdict for s in found.statements] == ["refuted", "holds"]
    assert found.failed == ()


@pytest.mark.parametrize("verdict", ["refuted", "open", "vacuous", "holds", "holds amended"])
def test_a_correction_that_does_not_hold_is_a_failure(verdict: str) -> None:
    """A repaired or sharpened statement must hold, also with a convention added; the line names both."""
    found = Audit((), (judged(PAIR[1], verdict),), ())
    failure = f"{PAIR[1]} corrects {PAIR[0]} and is {verdict}"

    assert found.failed == (() if verdict.startswith("holds") else (failure,))


def test_a_repair_that_is_not_proved_is_a_failure() -> None:
    """A repaired step must be proved, a printed one need not."""
    assert decided(x**2 >= x, flaw="misprint").failed == ()
    assert decided(x**2 >= x, id="r", repairs="p").failed == ("r repairs p and is refuted",)
    assert decided(x**2 >= x, given=(x >= 1,), id="r", repairs="p").failed == ()


def test_a_refutation_that_the_script_does_not_confirm_is_a_failure() -> None:
    """Numbers that do not break the claim are caught by the re-check, whoever wrote them."""
    wrong = replace(decide(Step(x**2 >= x, id="s", source=HOME)), witness={"x": Fraction(2)})

    assert Audit((wrong,), (), ()).failed == ("s: NOT CONFIRMED: the claim holds: 4 > 2",)


def test_the_headline_counts_every_verdict() -> None:
    """All words of the contract are counted, those that do not occur are left out."""
    words = ("holds", "holds amended", "refuted", "vacuous", "open")
    found = Audit((), tuple(judged(PAIR[0], w) for w in (*words, "vacuous")), ())

    assert found.headline() == "6 statements: 1 holds, 1 holds amended, 1 refuted, 2 vacuous, 1 open"
    assert "1 step: 1 refuted" in decided(x**2 >= x).headline()


def test_a_fault_of_the_rendering_is_damage() -> None:
    """What is false only in the text's dump is damaged, with its numbers."""
    (step,) = decided(x**2 >= x, flaw="rendering").to_dict()["steps"]

    assert (step["verdict"], step["sides"]) == ("damaged", "1/4 < 1/2")
    assert step["instance"] is not None


def test_the_document_says_what_a_page_needs() -> None:
    """The contract's keys are there, and for each step and statement its mathematics and its basis."""
    found = audit(*PAIR, "fedproxvr.eq39").to_dict()
    step, statement = found["steps"][0], found["statements"][0]

    assert set(found) >= {"steps", "statements", "settings"}
    assert set(step) >= {"id", "paper", "equation", "claim", "verdict", "engines", "witness", "detail"}
    assert set(statement) >= {"id", "verdict", "because", "witness"}
    assert step["claim_latex"].startswith(r"\|\nabla J_n(w)\|^{2} \le 2 \|\nabla F_n(w)")
    reasons = [h["why"].partition(":")[0] for h in step["hypotheses"]]
    assert list(dict.fromkeys(reasons)) == ["", "definition", "instance"]
    assert step["worked"]["left"]["filled"] == "2**2"
    assert step["part"].startswith("Lemma 2")
    assert found["papers"][0]["key"] == "fedproxvr"
    assert [r"\mu'", "9"] in statement["numbers"]["given"]
    assert statement["worked"]["right"]["value"] == "14232/97"
    assert found["asked"] == (*PAIR, "fedproxvr.eq39")


def test_a_notebook_shows_the_mathematics() -> None:
    """Claims are set as mathematics, what is proved is folded away, and text is escaped."""
    shown = audit(*PAIR, "fedproxvr.eq39", "fedproxvr.eq43")._repr_html_()
    before, _, folded = shown.partition("<details>")

    assert "<b>2 statements: 1 holds, 1 refuted; 2 steps: 1 proved, 1 refuted</b>" in before
    assert before.count("<math") >= 3
    assert "<mo>&#x02207;</mo>" in before or "∇" in before
    assert "1 proved" in folded
    assert "<math" in folded
    assert "\\le" not in before + folded
    assert "4 &gt; 2" in before


def test_progress_is_told_as_often_as_announced() -> None:
    """Each item is named once when it is done, as was announced."""
    said: list[str] = []
    asked = (*PAIR, "fedproxvr.eq43")
    audit(*asked, progress=said.append)

    assert sorted(said) == sorted(asked)
    assert items(*asked) == tuple(said)
    audit("fedproxvr.eq43", progress=said.append, deep=True)
    assert items("fedproxvr.eq43", deep=True) == tuple(said[len(asked) :])


def test_an_unknown_name_is_refused_before_anything_is_decided() -> None:
    """The error says what kind of name was expected."""
    refused(UnknownName, r"paper, statement or step", items, "fedproxvr.eq3O")


def test_the_basis_of_a_statement_is_its_whole_proof() -> None:
    """Every step used on the way is in it; what is cited, and what nobody grants, is told apart."""
    theorem = catalog.statement("fedproxvr.theorem1")
    grounds = judge(theorem).grounds
    found = basis(theorem, grounds)
    steps = {s.id: s for s in catalog.steps("fedproxvr")}

    assert set(found["steps"]) == {
        id for last in theorem.proof for id in (last, *(s.id for s in used(steps[last])))
    }
    assert all(steps[id].rule == "cite" for id in found["cited"])
    assert found["needs"] == beside(theorem, grounds)


def test_needs_are_what_the_verdict_says() -> None:
    """Of two short proofs, the one that needs more than its statement assumes makes it hold amended."""
    shortest = min((s for s in catalog.statements() if s.proof), key=lambda s: len(proof_steps(s)))
    strict = replace(shortest, assumptions=())

    assert judge(shortest).verdict == ("holds amended" if beside(shortest, ()) else "holds")
    assert beside(strict, ())
    assert judge(strict).verdict == "holds amended"


def test_a_planted_statement_carries_its_instance() -> None:
    """A false implication comes with the relations that hold and the one that fails."""
    printed = catalog.statement("fedproxvr.remark1.3.beta")
    claim = replace(printed.claim, given=(mu > 1,), then=mu**2 > 4, via=())
    planted = replace(printed, id="planted", letters=letters(L, mu), claim=claim, where=(), proof=(),
                      conditions=(Condition("L > 0", L > 0),))  # fmt: skip
    found = statement_row(replace(judge(planted), id=printed.id)) | {"says": None}  # it says what is printed

    assert found["verdict"] == "refuted"
    assert found["instance"]["claim"] == "mu**2 > 4"
    assert "mu > 1" in found["instance"]["given"]
    assert [code for _, code, _ in recheck({"steps": [], "statements": [jsonable(found)]})] == [0]


@pytest.mark.parametrize(
    ("relation", "point", "said"),
    [
        (sp.Le(x, 1, evaluate=False), "3/2", "3/2 > 1"),
        (sp.Le(x / 7, 1, evaluate=False), "10000001", "1428572 > 1"),
        (sp.Lt(sp.sqrt(x), 1, evaluate=False), "2", "1.414214 >= 1"),
        (sp.Le(x, 1 - sp.Rational(1, 10**9), evaluate=False), "1", "1 > 0.999999999"),
        (sp.Eq(1 / x, 1, evaluate=False), "0", "undefined != 1"),
    ],
)
def test_sides_are_exact_where_short(relation: sp.Basic, point: str, said: str) -> None:
    """Fractions a referee can read, else enough digits to tell the sides apart."""
    assert sides(relation, {"x": Fraction(point)}) == said


def test_what_has_no_plain_text_is_left_out_and_never_guessed() -> None:
    """An odd name or a function that is no arithmetic gives no instance, and raises on its own."""
    odd = sp.Symbol("x'", real=True)

    assert Instance((), sp.Le(odd, 1, evaluate=False), {"x'": Fraction(2)}).to_dict() is None
    refused(ValueError, "no plain text", plain_text, sp.Le(sp.exp(x), 1, evaluate=False))


def test_a_bound_turned_round_is_not_what_its_proof_says() -> None:
    """The last step of every proof of a bound speaks of it, and not of the bound from the other side."""
    proved = [s for s in catalog.statements() if isinstance(s.claim, Bound) and s.proof]
    turned = {"<=": ">=", ">=": "<="}

    for found in proved:
        assert isinstance(found.claim, Bound)
        other = replace(found, claim=replace(found.claim, relation=turned[found.claim.relation]))
        last = [s for s in proof_steps(found) if s.id in found.proof]
        assert any(concludes(s, found) for s in last), found.id
        assert not any(concludes(s, other) for s in last), found.id
    assert len(proved) > 50


def test_what_a_last_step_assumes_of_signs_is_asked_of_the_conditions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A symbol that is positive, a sequence that is not negative: nothing that the step lists says so."""
    found = catalog.statement("fedproxvr.lemma3")
    signed, D = sp.Symbol("signed", positive=True), sequence("D", nonnegative=True)
    known = sp.Ge(x**2 + mu, mu, evaluate=False)
    last = {
        "": Step(known, id="plain", source=HOME),
        "signed > 0": Step(sp.Ge(mu + signed, mu, evaluate=False), id="symbol", source=HOME),
        "0 <= D(k) for every k": Step(
            sp.Ge(mu + D(sp.Integer(1)), mu, evaluate=False), id="term", rule="sum", source=HOME
        ),
    }

    for said, step in last.items():
        assert bound._covered(found, [step])[0] == ([said] if said else [])
