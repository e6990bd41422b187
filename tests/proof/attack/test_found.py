"""Steps, statements and rows that were once judged wrongly, each beside its nearest true twin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
import sympy as sp
from sympy import Eq, Ne

import fedproof as fp
from fedproof.algebra.expressions import printed
from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound
from fedproof.bounds.letter import Letter
from fedproof.bounds.statement import Condition, Def, Statement
from fedproof.papers.fedproxvr.notation import L, letters, tau
from fedproof.proof import decide as deciding
from fedproof.proof import grounds as ground_module
from fedproof.proof.certificates import accepted
from fedproof.proof.certify import live
from fedproof.proof.certify.live import proof
from fedproof.proof.forall import ForAll
from fedproof.proof.formula import formula
from fedproof.proof.grounds import grounds, unpaid
from fedproof.proof.language.prelude import Field, Function, convex
from fedproof.proof.sayings import fingerprint
from fedproof.proof.sequences import sequence, total
from fedproof.proof.standing import Standing, meanings_of
from fedproof.proof.step import Induction, Let, Step, assume
from fedproof.proof.vectors import ip, n2, vectors
from fedproof.validate import proof_basis
from fedproof.validate.claims import bound
from fedproof.validate.recheck import proofs
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.source import Source
from tests.proof.attack.bases import FIELD, d0, f0, f1
from tests.proof.attack.bases import u as point
from tests.proof.attack.bases import w as other
from tests.proof.attack.compositions import NOTHING, standing_at

x, y, z, a, b, n, t, T, p = sp.symbols("x y z a b n t T p", real=True)
negative, whole = sp.Symbol("p", negative=True), sp.Symbol("z", integer=True)
u, v, m = vectors("u v m")
F, D = sequence("F"), sequence("D")
signed = sequence("D", nonnegative=True)
ONE, ZERO = sp.Integer(1), sp.Integer(0)
PLACE = Source("fedproxvr", "nowhere")


def le(left: Any, right: Any) -> Any:
    return sp.Le(left, right, evaluate=False)


# -- names stand for what the paper says that they mean, and for nothing else


def minimal(*own: Any, id: str) -> Step:
    """f(u) <= f(w) for convex f, as the step below says where w is u."""
    below = Step(f0 <= f1, (Eq(other, point), f0 + ip(d0, other - point) <= f1), f"{id}.below", rule="quad")
    return Step(f0 <= f1, (*own, below.at()), id, rule="quad", source=PLACE)


def test_a_meaning_keeps_the_names_that_it_speaks_of() -> None:
    """What a name of the claim means speaks of w; nothing that a used step assumes of w is put there."""
    with printed():
        step = minimal(id="minimal")
    with standing_at(FIELD):
        found = proof(step, 5.0)
        assert isinstance(found, str) or unpaid(grounds(found))


def test_a_meaning_with_a_hypothesis_that_is_listed() -> None:
    """Its twin lists that w is u."""
    with printed():
        step = minimal(Eq(other, point), id="minimal.listed")
    with standing_at(FIELD):
        found = proof(step, 5.0)
        assert not isinstance(found, str)
        assert not unpaid(grounds(found))


def by_counting(granted: Standing) -> bool:
    """Whether 1 <= c is proved of a paper that grants 0 < q <= c, by a certificate in which q counts."""
    with printed():
        step = Step(t >= 1, (), "fedproxvr.whole", source=PLACE)
    below, above, claim = ["<=", "q", "t"], ["<", "0", "q"], ["<=", "1", "t"]
    given = [[below, ["given", 0]], [above, ["given", 1]]]
    last = [claim, ["combine", [["1", ["neg"]], ["1", [0]], ["1", [2]]], []]]
    made: dict[str, Any] = {
        "names": {"q": "whole", "t": "real"}, "claim": claim,
        "given": [{"is": g, "from": {"kind": "carried"}} for g in (below, above)],
        "lines": [*given, [["<=", ["+", "0", "1"], "q"], ["next", 1]], last],
    }  # fmt: skip
    closing = made | {"lines": [*given, [claim, ["use", step.id, [], [0, 1]]]]}
    document = {**made, "id": step.id, "step": fingerprint(step), "uses": [], "closing": closing}
    with standing_at(granted):
        found = accepted(step, document, {})
        return found is not None and not unpaid(grounds(found))


ABOVE = Standing(formulas=(("A", formula("q <= t")), ("A", formula("0 < q"))))


def test_what_is_granted_of_any_number_is_not_granted_of_whole_ones() -> None:
    """q = t = 1/2 breaks it, where the paper does not say that q counts."""
    assert not by_counting(ABOVE)


def test_what_is_granted_of_whole_numbers_is() -> None:
    """Its twin, of a paper whose q counts."""
    assert by_counting(replace(ABOVE, whole=frozenset({"q"})))


# -- what is cited


def cited(claim: Any, *given: Any, id: str = "cited") -> Step:
    return Step(claim, given, id, rule="cite")


with printed():
    BELOW = cited(x <= 0, x <= negative)
    TERMS = cited(x <= 0, n >= 1, ForAll(signed(t) + x <= 0, t, ONE, n))
    INTEGER = cited(x <= 0, Eq(x, whole), whole < 1)
    SQUARE = cited(whole**2 >= whole)
    COUNTED = cited(T >= 1, T > 0, *assume("as said", F(T) >= 0))
    PRODUCT = cited(le(a * b, b * a))
    SMALL = cited(le(-(F(t) ** 2), b), b >= 0)
    LOWER = Step(x <= -1, (x <= -2,), "lower")
    AFTER = cited(x <= 0, *assume("as said", LOWER.claim))
    LINEAR = cited(Eq(x, y), *assume("as said", x <= y, y <= x))
    SIZE = cited(Eq(abs(x - 1), x - 1), x >= 1)
    DOUBLE = Step(le(2, 2 * x), (x >= 1, SIZE.at()), "double")
    FALSE: dict[str, tuple[Step, str]] = {
        "what a used step owes a citation, paid by the citation": (
            Step(le(3, 3 * x), (DOUBLE.at(),), "triple"),
            "x = 0: that x >= 1 is owed, and follows from |x - 1| = x - 1, which is cited for x >= 1",
        ),
        "a sign that only a hypothesis of a citation has": (
            Step(y <= 0, (y <= p, BELOW.at({x: y}))),
            "y = p = 5: the citation is about p < 0, and no sign of p is owed where p has no value in `at`",
        ),
        "the same of a step that is used": (
            Step(y - 1 <= 0, (y <= p, Step(y <= 0, (y <= p, BELOW.at({x: y})), "middle").at())),
            "y = p = 5",
        ),
        "the same of a sequence": (
            Step(y <= 0, (n >= 1, ForAll(D(t) + y <= 0, t, ONE, n), TERMS.at({x: y})), rule="sum"),
            "y = 5, D = -5: the citation is about D >= 0",
        ),
        "a whole number that only a hypothesis of a citation has": (
            Step(y <= 0, (Eq(y, z), z < 1, INTEGER.at({x: y}))),
            "y = z = 1/2: the citation is about a whole z",
        ),
        "any number in the place of a whole one of a citation": (
            Step(x**2 >= x, (SQUARE.at({whole: x}),)),
            "x = 1/2: no whole number is owed for what is cited",
        ),
        "a fraction in the place of a whole number of a citation": (
            Step(le(sp.Rational(1, 2), sp.Rational(1, 4)), (SQUARE.at({whole: sp.Rational(1, 2)}),)),
            "1/2 is no whole number",
        ),
        "pi in the place of a whole number of a citation": (
            Step(le(0, b), (b >= 0, cited(le((whole - 3) * (4 - whole), 0)).at({whole: sp.pi}))),
            "what is cited of whole numbers is false of pi",
        ),
        "any number for an index of a citation": (
            Step(x >= 1, (x > 0, COUNTED.at({T: x}))),
            "x = 1/2: T is an index of a sequence where it is cited",
        ),
        "a value that is not defined in a citation": (
            Step(Ne(x, 0), (PRODUCT.at({a: 1 / x, b: x}),)),
            "x = 0: that a*b <= b*a says nothing of a = 1/0; the values owe that they are defined",
        ),
        "the same of a sequence that is cited": (
            Step(Ne(n, 0), (SMALL.at({F(t): 1 / n, b: 1}),), rule="sum"),
            "n = 0",
        ),
        "a value that is not defined in a citation of a used step": (
            Step(Ne(x, 0), (Step(le(a * b, b * a), (PRODUCT.at(),), "middle").at({a: 1 / x, b: x}),)),
            "x = 0: the step that is used owes for its citation that every value is defined",
        ),
        "vectors for the numbers of a citation": (
            Step(Eq(u, v), (LINEAR.at({x: u, y: v}),), rule="quad"),
            "u = 1, v = 0: what is said of numbers is not said of vectors",
        ),
    }
    TRUE: dict[str, Step] = {
        "what a used step owes a citation": Step(le(3, 3 * x), (x >= 1, DOUBLE.at()), "triple"),
        "a sign that is listed": Step(y <= 0, (y <= p, p < 0, BELOW.at({x: y, negative: p}))),
        "a citation in a step": Step(
            y - 1 <= 0,
            (y <= p, p < 0, Step(y <= 0, (y <= p, p < 0, BELOW.at({x: y, negative: p})), "middle").at()),
        ),
        "a whole number": Step(whole**2 >= whole, (SQUARE.at(),)),
        "an index": Step(
            x >= 1, (x > 0, ForAll(F(t) >= 0, t, ONE, x), COUNTED.at({T: x})), rule="sum"
        ),
        "a value that is defined": Step(1 / x * x >= 1, (x > 0, PRODUCT.at({a: 1 / x, b: x}))),
        "a value that is defined in a citation of a used step": Step(
            Ne(x, 0), (Ne(x, 0), Step(le(a * b, b * a), (PRODUCT.at(),), "middle").at({a: 1 / x, b: x}))
        ),
    }  # fmt: skip


@pytest.mark.parametrize(("step", "why"), FALSE.values(), ids=FALSE.keys())
def test_no_false_step_is_proved_by_a_citation(step: Step, why: str) -> None:
    """Signs, whole numbers, kinds, divisors and what a citation rests on are owed where it is cited."""
    assert fp.decide(step, briefly=True).verdict != "proved", why


def test_what_a_citation_takes_from_a_step_is_a_hypothesis_of_its_own() -> None:
    """That x <= -1 holds for x <= -2 only, which nobody would owe: it is refused, or said and shown."""
    with pytest.raises(InputError, match="text that is cited"):
        cited(x <= 0, LOWER.at())
    found = fp.decide(Step(y <= 0, (AFTER.at({x: y}),)))
    assert [g.text for g in found.grounds] == ["x <= -1", "y <= 0"]


@pytest.mark.parametrize("step", TRUE.values(), ids=TRUE.keys())
def test_its_twin_is_proved_by_a_citation(step: Step) -> None:
    """With everything that is owed listed."""
    assert fp.decide(step).verdict == "proved"


# -- statements

METRIC = "local_inexactness"
measured, limit, Delta = sp.symbols("m bound Delta", real=True)
below_zero = sp.Symbol("m", negative=True)
DEFINED = Letter(Delta, "smoothness", r"\Delta")
FUNCTIONS = {"f": "real(vector)"}
TWICE = Standing(
    functions=FUNCTIONS,
    points=frozenset({"u"}),
    formulas=(("A", ("every", "x", "vector", formula("f(x) <= 2*L"))),),
    means=meanings_of({"m": "f(u)", "Delta": "2*L"}, FUNCTIONS, frozenset({"u"})),
)


class Case:
    """A statement with the steps of its proof, and what its paper says besides."""

    def __init__(
        self, metric: Any, expr: Any, *steps: Step, conditions: Sequence[Any] = (), delta: Any = None,
        granted: Standing = NOTHING, counterexample: bool = False, lower: Sequence[Any] = (),
    ) -> None:  # fmt: skip
        last = tuple(s.id for s in steps)
        self.words: Mapping[str, Any] = {METRIC: (metric,), f"{METRIC} >=": tuple(lower)}
        self.steps, self.granted = steps, granted
        self.statement = Statement(
            "fedproxvr.fake", "fake", PLACE, letters(L, tau), Bound(METRIC, sp.sympify(expr)),
            where=() if delta is None else (Def(DEFINED, delta),),
            conditions=tuple(Condition(str(c), c) for c in conditions),
            proof=() if counterexample else last[:1],
            counterexample=last if counterexample else (),
        )  # fmt: skip

    def verdict(self, patch: pytest.MonkeyPatch) -> str:
        patch.setattr(catalog, "steps", lambda key: self.steps)
        patch.setattr(catalog, "metric_relations", lambda key: self.words)
        for module in (proof_basis, ground_module, live, deciding):
            patch.setattr(module, "standing", lambda key: self.granted)
        patch.setattr(bound, "granted_by", lambda key: self.granted)
        return str(bound.judge(self.statement).verdict)


def fake(claim: Any, *given: Any, id: str, **more: Any) -> Step:
    return Step(claim, given, f"fedproxvr.fake.{id}", source=PLACE, **more)


def by_meaning(delta: Any, id: str) -> Case:
    """That m <= Delta, where the paper's proofs mean 2L by Delta."""
    base = fake(le(measured, Delta), le(measured, Delta), id=f"{id}.base")
    last = fake(le(measured, Delta), base.at(), id=id)
    return Case(le(measured, limit), Delta, last, base, delta=delta, granted=TWICE)


def by_let(delta: Any, id: str) -> Case:
    """That 2L - 1 <= Delta, where Delta is L^2 in the step."""
    last = fake(le(2 * L - 1, Delta), id=id, lets=(Let(Delta, L**2),))
    return Case(le(2 * L - 1, limit), Delta, last, delta=delta)


def made(letter: Any, id: str) -> Case:
    """That L >= 1, by a recursion that makes L, or another number, at least 1."""
    how = Induction(tau, ZERO, ((letter, ONE, 2 * letter),))
    last = fake(le(1 - letter, 0), id=id, rule="induction", induction=how)
    return Case(le(1 - letter, limit), ZERO, last, conditions=[tau >= 0])


def by_norm(letter: Any, value: Any, id: str) -> Case:
    """That |g|^2 <= L where L names it, or another letter does."""
    last = fake(le(value - letter, 0), id=id, rule="quad", lets=(Let(letter, n2(u)),))
    return Case(le(value - letter, limit), ZERO, last)


def by_induction(conditions: Sequence[Any], id: str) -> Case:
    """That tau >= 3, counting from 3 on."""
    last = fake(le(3 - tau, 0), id=id, rule="induction", induction=Induction(tau, sp.Integer(3), ()))
    return Case(le(3 - tau, limit), ZERO, last, conditions=conditions)


with printed():
    SUM, FREE = -total(signed(t), t, 1, tau), total(F(t), t, 1, tau)
    AT_MOST, LONG = le(measured, limit), [tau >= 1]
    UNTRUE: dict[str, tuple[Case, str]] = {
        "a reason in words of a last step that ships no certificate": (
            Case(AT_MOST, L, fake(le(measured, L), *assume("definition: m", le(measured, L)), id="reason")),
            "m = 2, L = 1: its own claim is assumed with a reason; `_covered` looks at shipped proofs alone",
        ),
        "a let that is no definition of the statement": (
            by_let(L, "let"),
            "L = 2: 3 <= 2. Delta is L^2 in the step and L in the statement",
        ),
        "a meaning that is no definition of the statement": (
            by_meaning(L, "meaning"),
            "f = 2 everywhere, L = 1: 2 <= 1. Delta is 2L in the proofs, here L",
        ),
        "where an induction starts": (
            by_induction([tau >= 0], "start"),
            "tau = 0: 3 <= 0. The step counts from 3 on",
        ),
        "a letter that a recursion makes": (
            made(L, "made"),
            "L = 1/2: the step is about what the recursion makes of L, here L is free",
        ),
        "a letter that a step names a norm": (
            by_norm(L, n2(u), "norm"),
            "g = 1, L = 1/2: the step is about L = |g|^2, here L is free",
        ),
        "a relation that no certificate can say": (
            Case(AT_MOST, L, fake(AT_MOST, le(sp.tan(L), 1), id="tangent")),
            "it is open, and no error",
        ),
        "a sign that a symbol assumes": (
            Case(le(below_zero, limit), L, fake(le(below_zero, L), le(0, L), id="sign")),
            "m = 2, L = 1: the step takes m < 0 by its symbol; signs too are asked of shipped proofs alone",
        ),
        "a sign that a sequence assumes": (
            Case(le(SUM, limit), ZERO, fake(le(SUM, 0), tau >= 1, id="terms", rule="sum"), conditions=LONG),
            "tau = 1, D(1) = -1: 1 <= 0. The step takes D >= 0; asked of shipped proofs alone",
        ),
    }
    HOLDS: dict[str, Case] = {
        "a reason that the conditions grant": Case(
            le(L, limit), 2 * L, fake(le(L, 2 * L), *assume("definition: L", le(0, L)), id="granted")
        ),
        "a let that is the definition of the statement": by_let(L**2, "same let"),
        "a meaning that is the definition of the statement": by_meaning(2 * L, "same meaning"),
        "an induction from where it starts": by_induction([tau >= 3], "same start"),
        "a number that a recursion makes": made(y, "made other"),
        "a norm by another name": by_norm(y, n2(u), "other norm"),
        "a sign that the conditions grant": Case(le(-L, limit), ZERO, fake(le(-L, 0), le(0, L), id="L")),
        "a sequence of any sign": Case(
            le(2 * FREE - FREE, limit),
            FREE,
            fake(le(2 * FREE - FREE, FREE), tau >= 1, id="any", rule="sum"),
            conditions=LONG,
        ),
    }

    def fallen(value: Any, why: str, id: str, **more: Any) -> Case:
        """That m <= 0, broken where m is the value."""
        shown = fake(le(value, measured), *assume(why, sp.Eq(measured, value)), id=f"{id}.shown")
        return Case(AT_MOST, ZERO, shown, fake(le(value, 0), id=id), counterexample=True, **more)

    AT_LEAST = {"lower": [le(limit, measured)]}
    OUTSIDE = fallen(-L, "instance: m = -L", "outside", **AT_LEAST)
    INSIDE = fallen(L, "instance: m = L", "inside", **AT_LEAST)
    FAR = fallen(L, "meaning: m is large", "far", **AT_LEAST)
    SILENT = fallen(L, "instance: m = L", "silent")


@pytest.mark.parametrize(("case", "why"), UNTRUE.values(), ids=UNTRUE.keys())
def test_no_false_statement_holds(case: Case, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a last step takes for granted in any way follows from the statement's conditions."""
    assert not case.verdict(monkeypatch).startswith("holds"), why


@pytest.mark.parametrize("case", HOLDS.values(), ids=HOLDS.keys())
def test_its_twin_holds(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the same steps."""
    assert case.verdict(monkeypatch) == "holds"


def test_a_statement_is_not_refuted_outside_its_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The letters' domains are hypotheses like its conditions."""
    assert OUTSIDE.verdict(monkeypatch) != "refuted"


def test_a_statement_is_refuted_inside_its_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    """By L = 1, say, where a step that rests on the instance alone says that the metric is no less."""
    assert INSIDE.verdict(monkeypatch) == "refuted"


def test_a_metric_that_is_assumed_to_be_large_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What bounds the metric from below lists nothing but its instance, and numbers that are true there."""
    assert FAR.verdict(monkeypatch) == "open"


def test_a_metric_without_words_for_a_lower_bound_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number above the bound says nothing of a metric that no step speaks of."""
    assert SILENT.verdict(monkeypatch) == "open"


# -- what the script confirms

Tree = list[Any]
Row = dict[str, Any]
QUOTIENT: Tree = ["*", "x", ["^", "x", "-1"]]
NEGATIVE: Tree = ["<=", "x", "0"]
EVERY: Tree = ["every", "x", "real", ["<=", "x", "0"]]


def row(names: Mapping[str, str], given: list[Tree], claim: Tree, lines: list[Any], **more: Any) -> Row:
    """The row of a step "s" with its certificate; what else its row says goes by keyword."""
    document = {
        "names": names, "given": [{"is": g, "from": {"kind": "own"}} for g in given], "claim": claim,
        "lines": lines, "uses": [],
    }  # fmt: skip
    says = {"claim": claim, "lists": [], "kinds": names, "cites": []} | more.pop("says", {})
    plain = {"id": "s", "paper": "one", "verdict": "proved", "uses": [], "rests_on": []}
    return {**plain, "certificate": document, "says": says, **more}


def citation(claim: Tree, *lists: Tree, kinds: Mapping[str, str] | None = None) -> Row:
    """The row of a step "c" that is cited."""
    says = {"claim": claim, "lists": [[t, ""] for t in lists], "kinds": kinds or {}, "cites": []}
    return {"id": "c", "paper": "one", "verdict": "cited", "uses": [], "rests_on": [], "says": says}


def citing(taken: Tree, claim: Tree, *more: Any, values: Sequence[Any] = ()) -> Row:
    """A row that takes a relation from "c", proves other lines, and then its claim."""
    lines = [*more, [taken, ["given", 0]]] + ([] if claim == taken else [[claim, ["meaning"]]])
    rests = [{"kind": "cited", "id": "c", "is": taken}]
    return row(
        {"x": "real"}, [taken], claim, lines, rests_on=rests, says={"cites": [["c", taken, values, ""]]}
    )


def granting(key: str, *formulas: Tree, lists: Sequence[str] = ()) -> Row:
    """The row of a paper that grants so much as assumption A."""
    granted = [{"id": "A", "is": f} for f in formulas]
    return {"key": key, "lists": [*lists], "kinds": {}, "means": [], "granted": granted}


def at_one(kind: str, id: str, paper: str | None = "one") -> Row:
    """y <= 0 as x <= 0 for every x."""
    claim = ["<=", "y", "0"]
    lines = [[EVERY, ["given", 0]], [claim, ["instance", 0, "y"]]]
    rests = [{"kind": kind, "id": id, "is": EVERY}]
    return row({"y": "real"}, [EVERY], claim, lines, rests_on=rests, paper=paper)


def counting(kinds: Mapping[str, str]) -> Row:
    """x >= 1 for x > 0, as x is whole."""
    given, claim = ["<", "0", "x"], ["<=", "1", "x"]
    lines = [
        [given, ["given", 0]],
        [["<=", ["+", "0", "1"], "x"], ["next", 0]],
        [claim, ["combine", [["1", ["neg"]], ["1", [1]]], []]],
    ]
    return row({"x": "whole"}, [given], claim, lines, says={"lists": [[given, ""]], "kinds": kinds})


TRIVIAL: Any = [["<=", "0", "1"], ["combine", [["1", ["neg"]], ["1", []]], []]]
REAL = {"x": "real"}
SQUARED: Tree = ["<", "0", ["^", "x", "2"]]
NONZERO: Tree = ["!=", "x", "0"]
TURNED: Tree = ["<=", ["*", ["^", "x", "-1"], "x"], QUOTIENT]
ROOTED: Tree = ["=", "x", ["^", ["^", "x", "1/2"], "2"]]
AB: Tree = ["<=", ["*", "a", "b"], ["*", "b", "a"]]
OF = {"a": "real", "b": "real"}
ACCEPTED: dict[str, tuple[dict[str, Any], str]] = {
    "1 = x/x is cited from 1 = 1": (
        {"steps": [citation(["=", "1", "1"]), citing(["=", "1", QUOTIENT], NONZERO)]},
        "x = 0: `_same` compares normal forms, which forget what is divided by",
    ),
    "x = sqrt(x)^2 is cited from y = y": (
        {"steps": [citation(["=", "y", "y"], kinds={"y": "real"}),
                   citing(ROOTED, ["<=", "0", "x"], values=[["y", "x"]])]},
        "x = -1: `_same` forgets the root",
    ),
    "what a citation needs is met by what forgets a divisor": (
        {"steps": [citation(SQUARED, ["<=", "0", QUOTIENT], kinds=REAL), citing(SQUARED, SQUARED, TRIVIAL)]},
        "x = 0: 0 <= x/x is owed, and the line 0 <= 1 pays it",
    ),
    "a value of a citation that is not defined": (
        {"steps": [citation(AB, kinds=OF),
                   citing(TURNED, NONZERO, values=[["a", ["^", "x", "-1"]], ["b", "x"]])]},
        "x = 0: a = 1/0; nobody asks whether values of `cites` are defined",
    ),
    "a name whose kind the row does not say": (
        {"steps": [counting({})]}, "x = 1/2: it is whole in the certificate, and the row says nothing of it"
    ),
    "two cited rows of one id": (
        {"steps": [citation(["<=", "x", "1"], kinds=REAL), citation(NEGATIVE, kinds=REAL),
                   citing(NEGATIVE, NEGATIVE)]},
        "x = 1: which of the two is cited? ids are counted for rows with certificates alone",
    ),
    "what another paper grants": (
        {"steps": [at_one("assumption", "A")], "papers": [granting("one"), granting("two", EVERY)]},
        "y = 1: the row's own paper grants nothing of that id",
    ),
    "what a paper grants, in a notebook": (
        {"steps": [at_one("assumption", "A", None)], "papers": [granting("two", EVERY)]},
        "y = 1: the step is of no paper",
    ),
    "what another paper's steps may carry": (
        {"steps": [at_one("carried", "")], "papers": [granting("one"), granting("two", lists=["s"])]},
        "y = 1: its own paper does not let it carry anything",
    ),
}  # fmt: skip
ONE_AT_MOST: Tree = ["<=", "1", "x"]
LEFT_OVER: Tree = ["<=", "0", ["+", "x", "-1"]]


def nested() -> Row:
    """1 <= x, which a citation of x - 1 >= 0 needs, from that inside a proof for every index of 1..1."""
    inner = [[LEFT_OVER, ["given", 0]], [ONE_AT_MOST, ["combine", [["1", ["neg"]], ["1", [3]]], []]]]
    lines = [
        [["<=", "1", "1"], ["combine", [["1", ["neg"]]], []]],
        [["all", "i", "1", "1", ONE_AT_MOST], ["all", inner]],
        [ONE_AT_MOST, ["instance", 1, "1", [0, 0]]],
        [LEFT_OVER, ["given", 0]],
        [ONE_AT_MOST, ["combine", [["1", ["neg"]], ["1", [2]]], []]],
    ]
    rests = [{"kind": "cited", "id": "c", "is": LEFT_OVER}]
    return row({"x": "real"}, [LEFT_OVER], ONE_AT_MOST, lines, rests_on=rests,
               says={"cites": [["c", LEFT_OVER, [], ""]]})  # fmt: skip


def through(*listed: Tree) -> list[Row]:
    """2 <= 2x by a step that needs 1 <= x for what it cites; that is listed, or is the citation's own."""
    claim: Tree = ["<=", "2", ["*", "2", "x"]]
    rests = [{"kind": "cited", "id": "c", "is": LEFT_OVER}]
    below = row({"x": "real"}, [ONE_AT_MOST, LEFT_OVER], claim, [
        [ONE_AT_MOST, ["given", 0]], [LEFT_OVER, ["given", 1]],
        [claim, ["combine", [["1", ["neg"]], ["2", [1]]], []]],
    ], id="below", rests_on=rests,
        says={"lists": [[ONE_AT_MOST, ""]], "cites": [["c", LEFT_OVER, [], ""]]})  # fmt: skip
    first: Any = ["given", 1] if listed else ["combine", [["1", ["neg"]], ["1", [0]]], []]
    lines = [[LEFT_OVER, ["given", 0]], [ONE_AT_MOST, first], [claim, ["use", "below", [], [1, 0]]]]
    if listed:
        lines = [lines[1], lines[0], [claim, ["use", "below", [], [0, 1]]]]
    user = row({"x": "real"}, [LEFT_OVER, *listed], claim, lines, rests_on=rests, uses=["below"],
               says={"lists": [[t, ""] for t in listed]})  # fmt: skip
    user["certificate"]["uses"] = ["below"]
    return [citation(LEFT_OVER, ONE_AT_MOST, kinds=REAL), below, user]


ACCEPTED |= {
    "what a citation needs, from the citation inside a proof": (
        {"steps": [citation(LEFT_OVER, ONE_AT_MOST, kinds=REAL), nested()]},
        "x = 0: the line 1 <= x goes by what is cited for 1 <= x",
    ),
    "what a used step needs for a citation, from the citation": ({"steps": through()}, "x = 0"),
}
PAID: Any = [["<=", "0", QUOTIENT], ["given", 1]]
OWED = citing(SQUARED, SQUARED, PAID)
OWED["certificate"]["given"].append({"is": PAID[0], "from": {"kind": "own"}})
OWED["says"]["lists"] = [[PAID[0], ""]]
CONFIRMED: dict[str, dict[str, Any]] = {
    "1 = x/x is cited from 1 = x/x": {
        "steps": [citation(["=", "1", QUOTIENT], kinds=REAL), citing(["=", "1", QUOTIENT], NONZERO)]
    },
    "what a citation needs is listed": {
        "steps": [citation(SQUARED, ["<=", "0", QUOTIENT], kinds=REAL), OWED]
    },
    "a name whose kind the row says": {"steps": [counting({"x": "whole"})]},
    "one cited row": {"steps": [citation(NEGATIVE, kinds=REAL), citing(NEGATIVE, NEGATIVE)]},
    "what its paper grants": {
        "steps": [at_one("assumption", "A")], "papers": [granting("one", EVERY), granting("two")]
    },
}  # fmt: skip


@pytest.mark.parametrize(("document", "why"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_no_row_that_was_tampered_with_is_confirmed(document: Mapping[str, Any], why: str) -> None:
    """It says something false, or does not show what it rests on."""
    assert "s" not in proofs(document)[0], why


def test_what_a_used_step_needs_for_a_citation_may_be_listed() -> None:
    """The twin of what is paid by the citation itself."""
    assert proofs({"steps": through(ONE_AT_MOST)}) == (["below", "s"], [], [])


@pytest.mark.parametrize("document", CONFIRMED.values(), ids=CONFIRMED.keys())
def test_its_twin_is_confirmed(document: Mapping[str, Any]) -> None:
    """As it shows everything."""
    assert proofs(document) == (["s"], [], [])


# -- steps that speak of functions


def test_a_reading_is_asked_of_steps_of_functions_too() -> None:
    """As of all others."""
    f, grad = Function("f"), Field("grad")
    with printed():
        orthogonal = Eq(ip(u - m, m), 0)
        inner = Step(n2(m) <= n2(u), (orthogonal,), "inner", rule="quad", mean=r"\mathbb E")
        claim = f(u) - f(v) + n2(m) <= ip(grad(u), u - v) + n2(u)
        step = Step(claim, (orthogonal, inner.at(), convex(f, grad).at(u, v)), "read")

    assert fp.decide(step).verdict == "open"
