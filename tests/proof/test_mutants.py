"""Mutation testing in small: what is false at exact points found by other means comes back refuted."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.bounds import catalog
from fedproof.proof.decide import decide
from fedproof.proof.forall import ForAll
from fedproof.proof.mutants import KINDS, Mutant, mutants, unweighted
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Induction, Step, times
from fedproof.proof.vectors import ip, n2, vectors
from tests.proof.finder import find

x, y, a = sp.symbols("x y a", real=True)
u, v = vectors("u v")
s, t, n = sequence("s", nonnegative=True), *sp.symbols("t n", real=True)

with printed():
    YOUNG = Step(n2(u + v) <= (1 + a) * n2(u) + (1 + 1 / a) * n2(v), (a > 0,), rule="quad")
    SUM = Step(total(s(t), t, 1, n) <= n * a, (n >= 0, ForAll(s(t) <= a, t, sp.Integer(1), n)), rule="sum")

#: proved steps of every rule, some with many equations
SAMPLE = (
    "fedproxvr.eq25", "fedproxvr.eq27", "fedproxvr.eq36", "fedproxvr.eq44", "fedproxvr.eq47a",
    "fedproxvr.eq48", "fedproxvr.eq66", "fedproxvr.jensen", "fedproxvr.eq86", "fedproxvr.eq13.beta",
)  # fmt: skip
FLOOR = 0.9


def counted(step: Step, most: int) -> list[Mutant]:
    """Some of a step's mutants that an exact point breaks."""
    found = list(mutants(step))
    random.Random(step.id).shuffle(found)
    return [m for m in found[:most] if find(m.step) is not None]


def test_refuted_share_of_mutants_of_the_paper() -> None:
    """At least 9 in 10 mutants that an exact point breaks come back refuted, and none proved."""
    steps = {step.id: step for step in catalog.steps("fedproxvr")}
    verdicts = [decide(m.step).verdict for id in SAMPLE for m in counted(steps[id], 4)]
    assert len(verdicts) >= 15
    assert "proved" not in verdicts
    assert verdicts.count("refuted") >= FLOOR * len(verdicts)


@pytest.mark.parametrize("step", [YOUNG, SUM], ids=["young", "sum"])
def test_a_true_step_has_no_breaking_point(step: Step) -> None:
    """The finder finds nothing against what is proved."""
    assert decide(step).verdict == "proved"
    assert find(step, effort=2) is None


def test_points_of_the_finder_are_exact() -> None:
    """A point given by the finder breaks the step by plain fractions: (u + v)^2 against its bound."""
    with printed():
        false = Step(n2(u + v) <= (1 + a) * n2(u) + n2(v), (a > 0,), rule="quad")
    found = find(false)
    assert found is not None
    about, point = found
    assert about == "dimension 2"
    pairs = [(point[f"u.{i}"], point[f"v.{i}"]) for i in (1, 2)]
    left = sum((p + q) ** 2 for p, q in pairs)
    right = (1 + point["a"]) * sum(p**2 for p, _ in pairs) + sum(q**2 for _, q in pairs)
    assert point["a"] > 0
    assert isinstance(left, Fraction)
    assert left > right


def test_irrational_sides_are_told_apart_by_intervals() -> None:
    """sqrt(2) is not <= 1414/1000, and a tie with a root that is not a fraction is no point."""
    with printed():
        assert find(Step(sp.sqrt(2) * x <= sp.Rational(1414, 1000) * x, (x > 0,))) is not None
        assert find(Step(sp.sqrt(2) * sp.sqrt(2) * x <= 2 * x, (x > 0,))) is None


def test_every_kind_of_change_occurs() -> None:
    """The changes of two small steps are of every kind, and no mutant equals its step."""
    with printed():
        rich = Step(ip(u, v) <= n2(u) + a**2 * x - 1, (a > 0, x > 0), rule="quad")
        run = Step(total(s(t), t, 1, n) <= total(sequence("r")(t), t, 1, n), (n >= 0,), rule="sum")
    found = [m for step in (rich, run) for m in mutants(step)]
    assert {m.kind for m in found} == set(KINDS)
    assert all(m.step not in (rich, run) for m in found)


def test_mutants_are_not_simplified() -> None:
    """Only the changed part differs: x + x with one x taken for y stays a sum of two."""
    with printed():
        step = Step(x + x <= 2 * y + 0)
    assert "x + y <= 0 + 2*y" in {str(m.step.claim).replace("2*y + 0", "0 + 2*y") for m in mutants(step)}


def test_multipliers_are_removed() -> None:
    """Without multipliers the hypotheses stay."""
    step = Step(x > 0, (times(2, x > 1),))
    assert unweighted(step).given[0].weight is None
    assert unweighted(step).given[0].relation == (x > 1)


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        (x <= 0, (sp.Eq(x + y, a), y <= 0, a >= 1)),
        (x**3 <= 8 * x, (x <= 0,)),
        (x + y + a <= 3, (x - y <= -1, y - a <= -1, a <= 10, x >= 0)),
    ],
    ids=["equation", "negative", "chain"],
)
def test_false_claims_that_chance_alone_misses(claim: sp.Basic, given: tuple[sp.Basic, ...]) -> None:
    """Claims broken only by negative numbers, or only where equations hold, are refuted."""
    assert decide(Step(claim, given)).verdict == "refuted"


def test_a_recursion_ties_its_numbers() -> None:
    """Powers of a number in [0, 1] lie below it, cubes too; doubled powers do not."""
    power, ratio, index = sp.symbols("power ratio index", real=True)
    tied = Induction(index, sp.Integer(1), ((power, ratio, ratio * power),))
    inside = (ratio >= 0, ratio <= 1)
    with printed():
        cube = Step(power**3 <= power, inside, rule="induction", induction=tied)
        doubled = Step(2 * power**2 <= power, inside, rule="induction", induction=tied)
    assert find(cube) is None
    assert find(doubled) is not None
    assert decide(doubled).verdict == "refuted"
