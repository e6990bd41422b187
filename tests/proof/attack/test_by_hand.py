"""Attacks by hand on what lies between steps: citations, readings, names that look alike, kinds, parts."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from sympy import Eq

import fedproof as fp
from fedproof.algebra.expressions import printed
from fedproof.proof.certify.live import proof
from fedproof.proof.forall import ForAll
from fedproof.proof.grounds import grounds, unpaid
from fedproof.proof.kernel.judgement import checked
from fedproof.proof.kernel.trees import Rejected
from fedproof.proof.lemmas import mean
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Induction, Let, Step, assume
from fedproof.proof.vectors import ip, n2, vectors
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.source import Source
from tests.proof.attack.compositions import FIELD, NOTHING, standing_at
from tests.proof.logic import attempt

x, y, z, a, b, c, n, q, s, t, T = sp.symbols("x y z a b c n q s t T", real=True)
positive, whole = sp.Symbol("p", positive=True), sp.Symbol("N", integer=True)
u, w, m, d0, d1, d0_ = vectors("u w m d0 d1 d0_")
f0, f1, f0_ = sp.symbols("f0 f1 f0_", real=True)
F, D = sequence("F"), sequence("D", nonnegative=True)
ONE, ZERO = sp.Integer(1), sp.Integer(0)
PLACE = Source("fedproxvr", "nowhere")


def used(claim: Any, *given: Any, id: str = "used", **more: Any) -> Step:
    return Step(claim, given, id, **more)


CITED = used(x <= 1, x <= 0, id="cited", rule="cite")
GENERAL = used(x <= y, *assume("its conditions", x <= y - 1), id="general", rule="cite")
with printed():
    SCHWARZ = used(ip(u, w) ** 2 <= n2(u) * n2(w), id="schwarz", rule="cite")
    RESTATED = used(ip(u, w) ** 2 <= n2(u) * n2(w), SCHWARZ.at(), id="restated", rule="quad")
PARTS = {ip(u, w): x, n2(u): y, n2(w): z}
LOADED = used(z <= -1, *assume("definition: z", z <= -1), id="loaded")

with printed():
    FALSE: dict[str, Step] = {
        "a cited result without what it needs": Step(x <= 1, (CITED.at(),)),
        "a cited result where it does not hold": Step(y <= 1, (y <= 5, CITED.at({x: y}))),
        "whatever looks like a cited claim is not cited": Step(
            z <= -1, (GENERAL.at({x: a, y: b}), LOADED.at())
        ),
        "the same further down": Step(
            z + 1 <= 0, (Step(z <= -1, (GENERAL.at({x: a, y: b}), LOADED.at()), "middle").at(),)
        ),
        "a cited one of positive numbers": Step(
            -x <= 0, (used(-positive <= 0, id="sign", rule="cite").at({positive: x}),)
        ),
        "a cited one of sequences >= 0": Step(
            total(F(t), t, 0, n) >= 0,
            (n >= 0, used(total(D(t), t, 0, n) >= 0, n >= 0, id="sign", rule="cite").at({D(t): F(t)})),
            rule="sum",
        ),
        "a positive number that is any": Step(
            x * a <= x * b, (a <= b, used(positive * a <= positive * b, a <= b).at({positive: x}))
        ),
        "any number for a whole one": Step(x**2 >= x, (used(whole**2 >= whole).at({whole: x}),)),
        "a half for a whole number": Step(
            Eq(x, 0), (Eq(x, x / 2), used(whole**2 >= whole).at({whole: sp.Rational(1, 2)}))
        ),
        "any number for what a sum ends at": Step(
            x >= 1,
            (
                used(
                    F(T) <= total(D(t), t, 1, T),
                    T > 0,
                    Eq(F(T), 1),
                    *assume("d", ForAll(Eq(D(t), 1), t, ONE, T)),
                    rule="sum",
                ).at({T: x}),
                x > 0,
            ),
            rule="sum",
        ),
        "a name of a part for anything": Step(
            s >= 0, (used(q * b >= 0, b >= 0, lets=(Let(q, a**2, (q >= 0,)),)).at({q: s, b: 1}),)
        ),
        "a fact of a part that does not hold": Step(q + 1 >= 1, (), lets=(Let(q, a**3, (q >= 0,)),)),
        "a recursion of another step": Step(
            s >= 1, (used(s >= 1, rule="induction", induction=Induction(n, 0, ((s, 1, s + 1),))).at(),)
        ),
        "an empty range that is not": Step(
            F(1) >= 0,
            (
                used(F(n) >= 0, n >= 1, *assume("line 2", ForAll(F(t) >= 0, t, ONE, n)), rule="sum").at(
                    {n: ONE}
                ),
            ),
            rule="sum",
        ),
        "any numbers for the parts of a cited result": Step(x**2 <= y * z, (RESTATED.at(PARTS),)),
        "a mean of another vector": Step(
            n2(m) <= n2(w),
            (*mean(u, m), used(n2(m) <= n2(u), *mean(u, m), rule="quad").at({u: w})),
            rule="quad",
        ),
    }
    TRUE: dict[str, Step] = {
        "a cited result": Step(x <= 1, (x <= 0, CITED.at())),
        "a cited result of a smaller number": Step(y <= 1, (y <= -1, CITED.at({x: y}))),
        "a cited result in a step that is used": Step(
            y + 1 <= 2, (Step(y <= 1, (y <= 0, CITED.at({x: y})), "middle").at(), y <= 0)
        ),
        "a cited one of a positive number": Step(
            -x <= 0, (x > 0, used(-positive <= 0, id="sign", rule="cite").at({positive: x}),)
        ),
        "numbers that are the parts of a cited result": Step(
            x**2 <= y * z,
            (Eq(x, ip(u, w)), Eq(y, n2(u)), Eq(z, n2(w)), RESTATED.at(PARTS)),
            rule="quad",
        ),
        "a cited one for every index": Step(
            total(F(t), t, 0, n) <= n + 1,
            (n >= 0, ForAll(F(t) <= 0, t, ZERO, n), CITED.at({x: F(t)}, over=(t, ZERO, n))), rule="sum",
        ),
        "a mean": Step(
            n2(m) <= n2(w), (*mean(w, m), used(n2(m) <= n2(u), *mean(u, m), rule="quad").at({u: w})),
            rule="quad",
        ),
        "a step used for no index": Step(
            total(F(t), t, 1, 0) <= 0, (used(F(t) <= 0, F(t) <= 0, rule="sum").at(over=(t, 1, 0)),),
            rule="sum",
        ),
    }  # fmt: skip


@pytest.mark.parametrize("step", FALSE.values(), ids=FALSE.keys())
def test_nothing_false_is_proved(step: Step) -> None:
    """Nor by the prover alone, without a look for counterexamples."""
    found = proof(step, 2.0)

    assert isinstance(found, str) or unpaid(grounds(found))
    assert fp.decide(step, briefly=True).verdict != "proved"


@pytest.mark.parametrize("step", TRUE.values(), ids=TRUE.keys())
def test_what_is_true_is(step: Step) -> None:
    """With everything that is owed listed."""
    assert fp.decide(step).verdict == "proved"


def test_what_a_citation_assumes_with_a_reason_is_shown() -> None:
    """Beside its claim."""
    found = fp.decide(Step(a <= b, (GENERAL.at({x: a, y: b}),)))

    assert found.verdict == "proved"
    assert {(g.kind, g.id) for g in found.grounds} == {("cited", "general")}
    assert len(found.grounds) == 2


def test_a_cited_result_has_no_names_for_its_parts() -> None:
    """What its parts are would be said nowhere; the error tells to say it in a step first."""
    part = used(x <= y, id="part", rule="cite", lets=(Let(x, a**2),))
    for cited, key in ((SCHWARZ, ip(u, w)), (SCHWARZ, n2(u)), (part, x)):
        with pytest.raises(InputError, match="step of your own"):
            cited.at({key: b})


def test_a_reading_is_asked_of_every_step_that_is_used() -> None:
    """A step that uses another in a different mean is open, and so is what uses that."""
    inner = used(n2(m) <= n2(u), Eq(ip(u - m, m), 0), id="inner", rule="quad", mean=r"\mathbb E")
    middle = Step(n2(m) <= n2(u), (Eq(ip(u - m, m), 0), inner.at()), "middle", rule="quad")
    outer = Step(n2(m) <= 2 * n2(u), (Eq(ip(u - m, m), 0), middle.at()), "outer", rule="quad")

    assert [fp.decide(one).verdict for one in (inner, middle, outer)] == ["proved", "open", "open"]


def test_a_name_of_a_part_counts_only_where_its_paper_says_so() -> None:
    """f0_ is no f0 in what a step itself says, whatever the names below it mean."""
    below = used(
        f0 - f1 <= ip(d0, u - w), *assume("convex", f0 + ip(d0, w - u) <= f1), id="below", rule="quad"
    )
    right = Step(f0 - f1 <= ip(d0, u - w), (below.at(),), "right", rule="quad", source=PLACE)
    wrong = Step(f0_ - f1 <= ip(d0, u - w), (below.at({f0: f0_}),), "wrong", rule="quad", source=PLACE)
    with standing_at(FIELD):
        found = [proof(one, 5.0) for one in (right, wrong)]
        left = [isinstance(f, str) or bool(unpaid(grounds(f))) for f in found]
    assert left == [False, True]
    with standing_at(NOTHING):
        assert not isinstance(found[0], str)
        assert unpaid(grounds(found[0]))


def test_two_steps_of_one_id_are_refused() -> None:
    """Even where both are true."""
    one, other = used(2 * x <= x**2 + 1, id="same"), used(2 * a * x <= x**2 + a**2, id="same")
    step = Step(2 * x + 2 * a * x <= 2 * x**2 + 1 + a**2, (one.at(), other.at()))
    found = proof(step, 5.0)

    if not isinstance(found, str):
        with pytest.raises(InputError, match="two different steps"):
            grounds(found)


def test_a_step_with_a_papers_id_is_not_the_papers() -> None:
    """Nothing that ships is taken for it."""
    claim = sp.Le(1, 0, evaluate=False)
    for source in (None, PLACE):
        assert attempt(Step(claim, (), "fedproxvr.eq46", source=source)) != "proved"


def test_uses_that_no_line_uses_are_rejected() -> None:
    """By the kernel as by the script."""
    good = proof(Step(x**2 >= 0), 2.0)
    assert not isinstance(good, str)
    with pytest.raises(Rejected, match="uses"):
        checked({**good.document, "uses": ["step"]}, {"step": good.judgement})


def test_a_whole_number_is_read_as_one_alone() -> None:
    """An equation with a real number does not make that whole, nor a whole name any number."""
    given = [["=", "k", ["+", "x", ["*", "-1", "y"]]]]
    claim = ["=", "k", ["+", "x", ["*", "-1", "y"]]]
    made = {
        "id": "read", "names": {"k": "whole", "x": "real", "y": "real"}, "uses": [],
        "given": [{"is": g, "from": {"kind": "own"}} for g in given], "claim": claim,
        "lines": [[given[0], ["given", 0]], [claim, ["combine", [["1", ["neg"]]], [0]]]],
    }  # fmt: skip
    with pytest.raises(Rejected, match="neither side"):
        checked(made, {})


def test_symbols_that_are_no_real_numbers_are_refused() -> None:
    """Complex, algebraic, infinite."""
    for odd in (
        sp.Symbol("z", complex=True),
        sp.Symbol("z", algebraic=True),
        sp.Symbol("z", extended_real=True),
    ):
        with pytest.raises(InputError):
            fp.decide(Step(odd**2 <= 1))


def test_contradictions_and_what_is_granted() -> None:
    """What cannot hold proves nothing."""
    assert fp.decide(Step(x >= 1, (x <= 0, used(x >= 1, x <= 0, x >= 2).at(), x >= 2))).verdict == "open"
