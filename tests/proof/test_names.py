"""What a used step stands for: names keep their meaning, means are not mixed, nothing rests on sand."""

from __future__ import annotations

import pytest
import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.decide import decide
from fedproof.proof.interpretation import names
from fedproof.proof.step import Induction, Step
from fedproof.proof.vectors import ip, n2, vectors

x, y, n, k = sp.symbols("x y n k", real=True)
u, v, d = vectors("u v d")

with printed():
    SQUARE = Step(n2(u) >= 0, (), "square", rule="quad")
    NAMED = Step(x >= 0, (SQUARE.at({n2(u): x}),), "named")
    SCHWARZ = Step(ip(u, v) ** 2 <= n2(u) * n2(v), (), "schwarz", rule="quad")
    WHOLE = Step(n * (n - 1) >= 0, (), "whole", rule="induction", induction=Induction(n, sp.Integer(0)))
    MEAN = Step(
        sp.Eq(ip(u, d), n2(d), evaluate=False),
        (sp.Eq(ip(u - d, d), 0, evaluate=False),),
        "mean",
        rule="quad",
        mean=r"\mathbb E",
    )


def test_a_name_stands_for_what_it_names() -> None:
    """A named square is proved nonnegative, and what it names is told."""
    assert decide(NAMED).verdict == "proved"
    assert names(NAMED) == {x: "n2(u)"}
    assert decide(NAMED).to_dict()["names"] == {"x": "n2(u)"}


def test_a_name_does_not_become_any_number() -> None:
    """From |u|^2 >= 0 by way of a name nothing follows of y - 5."""
    with printed():
        planted = Step(y >= 5, (NAMED.at({x: y - 5}),), "planted")
    assert decide(planted, briefly=True).verdict != "proved"


def test_a_part_is_given_a_name_and_not_a_value() -> None:
    """Cauchy and Schwarz do not make x^2 <= y for all x and y."""
    with printed():
        planted = Step(x**2 <= y, (SCHWARZ.at({ip(u, v): x, n2(u): y, n2(v): 1}),), "planted")
    assert decide(planted, briefly=True).verdict != "proved"


def test_what_is_proved_of_whole_numbers_is_not_used_of_others() -> None:
    """n (n - 1) >= 0 by induction says nothing of k - 1/2."""
    with printed():
        first = Step(x * (x - 1) >= 0, (x >= 0, WHOLE.at({n: x})), "first")
        planted = Step((k + 1) * k >= 0, (k >= -1, first.at({x: k + 1})), "planted")
    assert decide(WHOLE).verdict == "proved"
    assert names(first)[x].startswith("a whole number")
    assert decide(planted, briefly=True).verdict != "proved"


def test_an_equation_in_the_mean_is_not_one_of_every_outcome() -> None:
    """E<u, d> = E|d|^2 does not give <u, d> = |d|^2."""
    with printed():
        planted = Step(
            sp.Eq(ip(u, d), n2(d), evaluate=False), (*MEAN.given, MEAN.at()), "planted", rule="quad"
        )
        outside = Step(sp.Eq(ip(u, d), n2(d), evaluate=False), (MEAN.at(),), "outside", rule="quad")
    assert decide(MEAN).verdict == "proved"
    assert "is read in the mean" in decide(outside).detail or decide(outside).verdict == "refuted"
    assert decide(planted, briefly=True).verdict != "proved"


def test_nothing_rests_on_what_is_refuted() -> None:
    """A step that uses a refuted one is open, whatever else would prove it."""
    bad = Step(x >= 2, (x >= 1,), "bad")
    resting = Step(x >= 1, (x >= 1, bad.at()), "resting")
    assert decide(bad).verdict == "refuted"
    assert decide(resting).verdict == "open"
    assert "bad, which is refuted" in decide(resting).detail


@pytest.mark.parametrize("value", [1 / k, sp.sqrt(k)])
def test_a_step_is_not_used_where_its_numbers_are_undefined(value: sp.Expr) -> None:
    """x^2 >= 0 says nothing of 1/k or of the root of k for every k."""
    with printed():
        anything = Step(x**2 >= 0, (), "anything")
        planted = Step(value**2 >= 0, (anything.at({x: value}),), "planted")
        meant = Step(value**2 >= 0, (k > 0, anything.at({x: value})), "meant")
    assert decide(planted, briefly=True).verdict != "proved"
    assert decide(meant).verdict == "proved"
