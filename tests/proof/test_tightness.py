"""What a proved step needs, and its slack: known answers, and plants."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from fedproof.proof.decide import decide
from fedproof.proof.step import Given, Step, assume
from fedproof.proof.tightness import Slack, measure_tightness
from fedproof.proof.vectors import ip, n2, vectors

x, y, a = sp.symbols("x y a", real=True)
u, v = vectors("u v")


def slack_of(step: Step) -> Slack:
    """The slack of a proved step that has one."""
    found = measure_tightness(decide(step))
    assert found is not None
    assert found.slack is not None, found.why
    return found.slack


def test_each_hypothesis_is_dropped_in_turn() -> None:
    """x >= 1 carries x^2 >= x; x > 0 beside it does nothing; without y >= 0 the sum can be negative."""
    found = measure_tightness(decide(Step(x**2 + y >= x, (x >= 1, x > 0, y >= 0))))

    assert found is not None
    assert [n.verdict for n in found.needs] == ["needed", "not needed", "needed"]
    assert ["<" in n.detail for n in found.needs] == [True, False, True]


def test_a_definition_and_a_used_step_are_hypotheses_too() -> None:
    """A used step counts as one; here the claim is a positive form by itself and needs neither."""
    young = Step(2 * ip(u, v) <= a * n2(u) + n2(v) / a, (a > 0,), "young", rule="quad")
    norm = assume("meaning: a norm", n2(u) >= 0)
    claim = Step(2 * ip(u, v) <= 2 * n2(u) + n2(v), (young.at({a: 1}), *norm), rule="quad")
    found = measure_tightness(decide(claim))

    assert found is not None
    assert [(n.hypothesis, n.verdict) for n in found.needs] == [
        ("young", "not needed"),
        ("n2(u) >= 0", "not needed"),
    ]


@pytest.mark.parametrize(
    ("step", "point"),
    [
        (Step(2 * x <= x**2 + 1), {"x": Fraction(1)}),
        (Step(x**2 + y**2 >= 2 * x * y, (x > 0, y > 0)), None),
        (Step(n2(u + v) <= 2 * n2(u) + 2 * n2(v), rule="quad"), None),
    ],
)
def test_equality_is_found_and_shown(step: Step, point: dict[str, Fraction] | None) -> None:
    """Where both sides meet at numbers other than 0 = 0 the step is tight, and the numbers are shown."""
    found = slack_of(step)

    assert found.tight
    assert point is None or found.point == point
    assert found.words().startswith("tight: both sides are equal at ")


@pytest.mark.parametrize(
    ("step", "supremum"),
    [
        (Step(2 * x <= 2 * x**2 + 2, (x > 0,)), 0.5),
        (Step(x <= 3 * x, (x > 0,)), 1 / 3),
        (Step(x / (1 + x**2) <= 1, (x >= 0,)), 0.5),
        (Step(sp.Ge(x + 1, x, evaluate=False), (x >= 0,)), 1.0),
        (Step(n2(u + v) <= 4 * n2(u) + 4 * n2(v), rule="quad"), 0.5),
    ],
)
def test_the_enclosure_holds_the_supremum(step: Step, supremum: float) -> None:
    """The known supremum of left/right lies between what is reached and what is never exceeded."""
    found = slack_of(step)

    assert not found.tight
    assert float(found.low) <= supremum <= float(found.high)
    assert found.high - found.low <= Fraction(1, 32)


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (Step(sp.Eq(x + x, 2 * x, evaluate=False)), "an equation has no slack"),
        (Step(sp.Ge(x**2, 0, evaluate=False)), "a sign has no slack"),
        (Step(sp.Le(x, x + 1, evaluate=False)), "the larger side is not proved to be >= 0"),
        (
            Step(sp.Lt(sp.exp(sp.Rational(1, 8)), sp.Rational(6, 5), evaluate=False), rule="interval"),
            "constants",
        ),
    ],
)
def test_no_slack_where_it_means_nothing(step: Step, why: str) -> None:
    """Equations, signs, sides of any sign and constants are left out, with the reason."""
    found = measure_tightness(decide(step))

    assert found is not None
    assert found.slack is None
    assert why in found.why


def test_what_is_not_proved_is_not_looked_into() -> None:
    """A refuted or cited step has neither needs nor slack."""
    assert measure_tightness(decide(Step(x**2 >= x))) is None
    assert measure_tightness(decide(Step(x**2 >= x, rule="cite"))) is None


def test_the_document_holds_exact_numbers() -> None:
    """The JSON of the slack has its ends as p/q and the point."""
    found = measure_tightness(decide(Step(x <= 3 * x, (Given(x > 0),))))

    assert found is not None
    said = found.to_dict()["slack"]
    assert Fraction(said["low"]) <= Fraction(1, 3) <= Fraction(said["high"])
    assert set(said["at"]) == {"x"}
    assert "never exceeds" in said["words"]
