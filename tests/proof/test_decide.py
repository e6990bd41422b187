"""Deciding any step: names, numbers, vacuity, hints, effort; attacked as a hostile logician would."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from sympy.core.cache import clear_cache
from sympy.core.random import seed

from fedproof.algebra.expressions import evaluated, printed
from fedproof.bounds import catalog
from fedproof.proof import breaking
from fedproof.proof import decide as module
from fedproof.proof.breaking import by_chance
from fedproof.proof.certificates import Proved, shipped
from fedproof.proof.certify import live
from fedproof.proof.counterexamples import FEW, feasible_point, find_counterexample, find_failure
from fedproof.proof.decide import decide
from fedproof.proof.ready import made_ready
from fedproof.proof.rules.normalise_step import normalised
from fedproof.proof.rules.well_formed import definedness_conditions, partial
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Given, Let, Step
from fedproof.proof.vectors import Vector, ip, n2, norm, vectors
from fedproof.vocabulary.errors import InputError
from tests.proof.logic import Eq, attempt, every, numbers, refuted

x, y, z, t, n, s = numbers("x y z t n s")
u, v = vectors("u v")
X = sequence("X")
D = sequence("D", nonnegative=True)

with printed():
    AS_TYPED = Step(x * y <= (x**2 + y**2) / 2)
    IN_PART = Step(s * norm(v) >= ip(u, v), lets=(Let(s, norm(u), (s >= 0,)),), rule="quad")
TRUE = {
    "a decimal is what it shows": Step(10 * x <= 1, (x <= 0.1,)),
    "a decimal claimed": Step(x <= 0.1, (10 * x <= 1,)),
    "a decimal that is no float": Step(x >= 0.3, (10 * x >= 3,)),
    "an inequation given": Step(x**2 > 0, (sp.Ne(x, 0),)),
    "an inequation claimed": Step(sp.Ne(x, 0), (x > 0,)),
    "a conjunction": Step(x * y > 0, (sp.And(x > 0, y > 0),)),
    "truths": Step(x**2 + 1 > 0, (sp.true, Given(sp.true))),
    "a circle": Step(x + y <= 2, (Eq(x**2 + y**2, 1),)),
    "a square root": Step(x <= 2, (Eq(x**2, 2), x > 0)),
    "a cube root": Step(x <= 2, (Eq(x**3, 2),)),
    "a claim kept as typed": AS_TYPED,
    "facts on a named norm": IN_PART,
}


@pytest.mark.parametrize(
    "step",
    [
        Step(Eq(sp.Dummy("q", real=True) - sp.Dummy("q", real=True), 0)),
        Step(
            sp.Symbol("q", real=True) <= sp.Symbol("q", positive=True), (sp.Symbol("q", positive=True) > 1,)
        ),
        Step(Eq(n2(Vector("q")), sp.Symbol("q", real=True)), rule="quad"),
        Step(sequence("D")(1) >= 0, (every(D(t) >= 1, t, 0, 2),), rule="sum"),
        Step(sequence("q")(1) >= sp.Symbol("q", real=True), rule="sum"),
        Step(n2(Vector("q")) >= sp.Symbol("q_1", real=True), rule="quad"),
        Step(sequence("q")(1) >= sp.Symbol("q_1", real=True), rule="sum"),
        Step(sequence("q")(-1) >= sp.Symbol("q_m1", real=True), rule="sum"),
        Step(x >= 0, (sp.Symbol("x", real=True, nonnegative=True) >= 1,)),
    ],
)
def test_two_things_of_one_name_are_refused(step: Step) -> None:
    """Symbols, vectors, sequences, coordinates and terms that share a name cannot pass for each other."""
    with pytest.raises(InputError, match=r"^name "):
        decide(step)


@pytest.mark.parametrize(
    "name", ["a b", "|", "\\mu", "<", "", "2x", "(j)", "x+y", "x;y", "x\u00b2", "\u00b5", "pi"]
)
def test_names_are_words(name: str) -> None:
    """What is no word, such as LaTeX or SMT-LIB punctuation, is refused with a cure."""
    with pytest.raises(InputError, match=r"^name .*reads="):
        decide(Step(sp.Symbol(name, real=True) ** 2 >= 0 * x + sp.Symbol(name, real=True) - 1))


@pytest.mark.parametrize(
    "name", ["and", "or", "let", "par", "exists", "Real", "assert", "true", "abs", "div", "lambda",
             "h_0", "c_0", "c_max0", "v1", "mu_1", "_", "É", "α", "g_x_x", "j", "sqrt", "Max", "None"],
)  # fmt: skip
def test_any_word_is_a_name(name: str) -> None:
    """Reserved words of engines and of Python, and our own names, are names like any other."""
    q = sp.Symbol(name, real=True)
    with printed():
        true = Step(sp.sqrt(q**2 + 1) + sp.Max(q, 0) >= q, ())
        false = Step(q**2 + 1 >= 3 * q, ())

    assert decide(true).verdict == "proved"
    assert refuted(false)


@pytest.mark.parametrize(
    "assumption",
    ["even", "odd", "prime", "imaginary", "irrational", "zero", "infinite", "noninteger"],
)
def test_assumptions_that_no_rule_knows_are_refused(assumption: str) -> None:
    """A symbol assumed to be even or irrational would be refuted where it is not: it is refused."""
    q = sp.Symbol("q", **{assumption: True})
    with pytest.raises(InputError, match=r"^name q"):
        decide(Step(Eq(q, x)))


def test_signs_that_symbols_assume_are_hypotheses() -> None:
    """What SymPy was told of a symbol holds for engines and witnesses too."""
    positive, negative = sp.Symbol("p", positive=True), sp.Symbol("m", negative=True)
    whole = sp.Symbol("k", integer=True)
    with printed():
        assert decide(Step(positive + x**2 > 0)).verdict == "proved"
        assert decide(Step(negative * positive < 0)).verdict == "proved"
        assert decide(Step(positive >= 1)).witness == {"p": Fraction(1, 2)}
        assert decide(Step(whole * (whole - 1) >= 0), briefly=True).verdict == "open"
        assert decide(Step(whole * (whole - 1) > 0)).witness == {"k": Fraction(1)}
        always = sp.Function("a", positive=True)
        assert decide(Step(always(0) > x, (x <= 0,), rule="sum"), briefly=True).verdict == "open"


def test_a_named_part_must_have_the_sign_its_symbol_assumes() -> None:
    """Naming x a positive symbol does not make x positive."""
    positive = sp.Symbol("p", positive=True)
    assert attempt(Step(x >= 0, lets=(Let(positive, x),))) != "proved"
    assert (positive >= 0) == sp.true
    assert attempt(Step(positive >= 0, lets=(Let(positive, x),))) != "proved"
    assert attempt(Step(x > 0, (x >= 2,), lets=(Let(positive, x - 1),))) == "proved"


def test_an_index_has_no_sign_of_its_own() -> None:
    """The ends of a sum say where an index runs; an assumed sign would contradict them."""
    with pytest.raises(InputError, match=r"^index k"):
        decide(
            Step(
                total(X(sp.Symbol("k", positive=True)), sp.Symbol("k", positive=True), -1, 1) >= 0, rule="sum"
            )
        )


def test_relations_come_in_every_form() -> None:
    """Inequations are refuted as well as proved; disjunctions are told."""
    assert refuted(Step(sp.Ne(x, 1), (x > 0,)))
    assert "does not apply" in decide(Step(x**2 >= 0 * y + x, (sp.Or(x >= 1, x <= 0),))).detail


@pytest.mark.parametrize("rule", ["real", "quad", "sum"])
def test_truth_and_falsehood_are_claims(rule: Any) -> None:
    """A claim that SymPy evaluated is decided as what it became."""
    assert decide(Step(sp.true, (x > 0,), rule=rule)).verdict == "proved"
    assert decide(Step(sp.false, (x > 0,), rule=rule)).verdict == "refuted"
    assert decide(Step(sp.false, (x > 0, x < 0), rule=rule), briefly=True).verdict == "open"


def test_an_unknown_rule_is_refused() -> None:
    """A rule is one of a few, with the nearest named."""
    with pytest.raises(InputError, match="did you mean quad"):
        Step(x >= 0, rule="qad")  # type: ignore[arg-type]


def test_equal_steps_are_decided_once_and_different_ones_apart() -> None:
    """A verdict is kept for the very same step: another hypothesis, constant or order asks anew."""
    step = Step(x**2 >= x, (x >= 1,))
    assert decide(step) is decide(Step(x**2 >= x, (x >= 1,)))
    assert decide(replace(step, given=())).verdict == "refuted"
    assert decide(replace(step, given=(x >= sp.Rational(1, 2),))).verdict == "refuted"
    with printed():
        one, two = Step(x + x >= x, (x >= 0,)), Step(2 * x >= x, (x >= 0,))
    assert decide(one).step == one
    assert decide(two).step == two


def test_a_hint_is_checked_and_never_believed() -> None:
    """A witness that comes with a step is used where it breaks the step and ignored where it does not."""
    false = Step(x * (x - 1) * (x - sp.Rational(7, 3)) >= 0, (x >= 2,), witness=(("x", "13/6"),))
    assert decide(false).witness == {"x": Fraction(13, 6)}
    true = Step(x**2 >= x, (x >= 1,), witness=(("x", "1/2"),))
    assert decide(true).verdict == "proved"
    undefined = Step(1 / x**2 > 0, (), witness=(("x", "0"),))
    assert decide(undefined, briefly=True).verdict == "open"
    k = sp.Symbol("k", integer=True)
    assert decide(Step(k * (k - 1) >= 0, (), witness=(("k", "1/2"),)), briefly=True).verdict == "open"


def test_hypotheses_that_the_search_cannot_solve_are_no_vacuity() -> None:
    """Circles and extremes are found feasible by chance."""
    assert feasible_point([Eq(x**2 + y**2, 1)]) is not None
    assert feasible_point([sp.Max(x, 1) > 1]) is not None


def test_negative_numbers_are_tried_where_nothing_forbids_them() -> None:
    """A claim that fails below 0 alone is refuted, and a sign in a hypothesis is kept."""
    assert find_counterexample([], x**3 >= x - 1) is not None
    assert find_counterexample([x > 0], x >= 0) is None
    point = find_counterexample([x >= 0, y < 0], x * y >= 0)
    assert point is not None
    assert point["y"] < 0 < point["x"]


def test_defined_means_everywhere_that_is_spoken_of() -> None:
    """A divisor under a sum is asked for on the whole range of the sum."""
    with printed():
        questions = definedness_conditions((), total(1 / t * X(t), t, 1, n) <= 1 / n, "defined")
    assert len(questions) == 2
    ranged = next(q for q in questions if t in q.claim.free_symbols)
    assert {str(g) for g in ranged.given} == {"1 <= t", "t <= n"}


def test_bound_letters_are_renamed_where_they_are_also_free() -> None:
    """A step's free t and the index t of its sums are told apart before anything is done with it."""
    with printed():
        ready = normalised(Step(t * total(X(t), t, 1, n) >= t, (every(X(t) <= t, t, 1, n),), rule="sum"))
    body = ready.claim.atoms(sp.Sum).pop()
    assert t in ready.claim.free_symbols
    assert body.limits[0][0] != t
    assert ready.given[0].relation.index != t


def test_the_prover_and_the_refuter_stand_alone() -> None:
    """Each is right by itself: the prover with no refuter before it, the refuter with no prover behind it."""
    with printed():
        false = Step(n2(u + v) <= n2(u) + n2(v), rule="quad")
        true = Step(n2(u + v) <= 2 * n2(u) + 2 * n2(v), rule="quad")
    assert attempt(false) != "proved"
    assert attempt(true) == "proved"
    assert isinstance(by_chance(made_ready(false), 1), module.StepDecision)
    assert not isinstance(by_chance(made_ready(true), 2), module.StepDecision)


@pytest.mark.parametrize("given", [(1,), ("x > 0",), (x,), ([x > 0],), ((x > 0, x < 1),), (None,), [x > 0]])
def test_a_hypothesis_that_is_no_relation_is_refused_in_one_line(given: Any) -> None:
    """What is no relation is an InputError that says what to write, never an AttributeError."""
    with pytest.raises(InputError, match=r"given: got .*; write given="):
        Step(x**2 >= x, given)


def test_a_key_that_occurs_nowhere_is_refused() -> None:
    """A value for a name that the used step never speaks of is an error; for its names it is not."""
    used = Step(x**2 >= x, (x >= 1,), id="used")
    free = sp.Symbol("z", real=True)

    assert used.at({x: free}).relation == (free**2 >= free)
    with pytest.raises(InputError, match=r"key of used.at: got z"):
        used.at({free: x})
    with pytest.raises(InputError, match="over="):
        used.at({x: free}, over=3)  # type: ignore[arg-type]


def test_deciding_inside_printed_is_the_same() -> None:
    """Where formulas are kept as typed a step is decided as elsewhere."""
    step = Step(ip(u, v) <= (n2(u) + n2(v)) / 2, rule="quad")
    with printed():
        assert decide(step).verdict == "proved"


def test_an_error_in_a_rule_comes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a rule cannot read leaves a step open; a mistake in its code is no verdict."""
    unread = Step(sp.sin(x) <= 1 + x**2, rule="real")
    assert "does not apply" in decide(unread).detail

    def mistaken(step: Step) -> None:
        raise TypeError("a mistake")

    monkeypatch.setattr("fedproof.proof.rules.real.instances", mistaken)
    with pytest.raises(TypeError, match="a mistake"):
        decide(Step(x**2 + 3 >= 2 * x))


def test_who_waits_is_told_what_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, and nobody else is told."""
    monkeypatch.setattr("fedproof.proof.decide.proof", lambda *_: "not today")
    said: list[str] = []
    found = decide(Step(x**4 + 17 * x**2 >= 0), briefly=True, progress=said.append)
    told = len(said)
    decide(Step(x**4 + 18 * x**2 >= 0), briefly=True)

    assert found.verdict == "open"
    assert [s.partition(" ")[0] for s in said[:3]] == ["looking", "searching", "no"]
    assert len(said) == told


@pytest.mark.parametrize(
    ("claim", "searches"),
    [(x**4 + 19 * x**2 >= 0, [4.0, 16.0]), (x**4 + 19 * x**2 >= 1, [4.0])],
    ids=["true", "false"],
)
def test_numbers_are_looked_for_before_a_long_search(
    claim: Any, searches: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A short search, many numbers, a long search; the same numbers are looked at once."""
    searched, looked = [], []

    def search(step: Step, seconds: float) -> Any:
        searched.append(seconds)
        return live.Unproved.of("not today", cut=True)

    def failure(given: Any, claim: Any, batches: int, count: int) -> Any:
        if count == FEW:
            return None, None
        looked.append(batches)
        return find_failure(given, claim, batches, count)

    monkeypatch.setattr(module, "proof", search)
    monkeypatch.setattr(breaking, "find_failure", failure)
    decide(Step(claim))
    assert (searched, looked) == (searches, [1])


def test_more_time_is_asked_for_where_it_may_find_more() -> None:
    """Not of a search that tried everything, unless a step that is used was not proved in that time."""
    alone = Step(x**2 >= 0)
    using = replace(alone, given=(Step(x**2 >= -1, id="used").at(),))
    cut, ended = (live.Unproved.of("no", cut=cut) for cut in (True, False))

    assert [live.final(alone, f) for f in (cut, ended, "no")] == [False, True, False]
    assert [live.final(using, f) for f in (cut, ended)] == [False, False]
    proved = live.proof(alone, 4.0)
    assert isinstance(proved, Proved)
    assert [live.final(using, replace(proved, cut=cut)) for cut in (False, True)] == [True, False]


def test_a_closing_that_time_cut_is_looked_for_again() -> None:
    """A proof with a worse closing, or none, is not taken for all that a longer search finds."""
    bare = shipped({s.id: s for s in catalog.steps("flecs")}["flecs.theorem4.fails.first"])
    assert bare is not None
    bare = replace(bare, document={k: v for k, v in bare.document.items() if k != "closing"})

    hurried, patient = (live.closed(bare, seconds) for seconds in (0.0, 20.0))
    assert (hurried.cut, patient.cut) == (True, False)
    assert "closing" in patient.document


def test_what_is_written_out_has_one_sign() -> None:
    """Of -1*0 as it is printed SymPy says by chance that it is positive, or contradicts itself."""
    said = set()
    for chance in range(200):
        clear_cache()
        seed(chance)
        bare = sp.Mul(-1, 0, evaluate=False)
        root = sp.Pow(sp.Add(0, bare, evaluate=False), sp.Rational(1, 2), evaluate=False)
        said.add((partial(root), evaluated(bare).is_zero))

    assert said == {(True, True)}


def test_a_power_of_very_many_digits_is_not_written_out() -> None:
    """Whether its root may be undefined is asked of it as it stands."""
    large = sp.Pow(7, 10**5, evaluate=False)
    root = sp.Pow(large, sp.Rational(1, 2), evaluate=False)

    assert evaluated(large) is large
    assert partial(root) is False


@pytest.mark.parametrize("weight", [sp.pi, sp.exp(x), sp.oo, sp.I * x, sp.Symbol("other", real=True), "1"])
def test_a_multiplier_speaks_of_its_step(weight: Any) -> None:
    """What no multiplier can be is said in a line."""
    with pytest.raises(InputError, match=r"expected .*number"):
        decide(Step(x >= 0, (Given(x >= 1, "", weight),), rule="sum"))
    assert decide(Step(x >= 0, (Given(x >= 1, "", sp.sqrt(x) / 2),), rule="sum")).verdict == "proved"


def test_a_multiplier_may_speak_of_what_a_named_part_stands_for() -> None:
    """Also where nothing else speaks of it."""
    part = Let(s, x**2 + 1, (s >= 1,))
    step = Step(s**2 >= s, (Given(s >= 1, "", x**2 + 1),), lets=(part,))
    assert decide(step).verdict == "proved"
