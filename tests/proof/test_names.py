"""What a used step stands for: names keep their meaning, means are not mixed, nothing rests on sand."""

from __future__ import annotations

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.decide import decide
from fedproof.proof.interpretation import names
from fedproof.proof.step import Induction, Step
from fedproof.proof.vectors import ip, n2, vectors
from tests.proof.logic import Eq, numbers

x, y, n, k = numbers("x y n k")
u, v, d = vectors("u v d")

with printed():
    SQUARE = Step(n2(u) >= 0, (), "square", rule="quad")
    NAMED = Step(x >= 0, (SQUARE.at({n2(u): x}),), "named")
    SCHWARZ = Step(ip(u, v) ** 2 <= n2(u) * n2(v), (), "schwarz", rule="quad")
    WHOLE = Step(n * (n - 1) >= 0, (), "whole", rule="induction", induction=Induction(n, sp.Integer(0)))
    OF_SOME = Step(x * (x - 1) >= 0, (x >= 0, WHOLE.at({n: x})), "first")
    MEAN = Step(Eq(ip(u, d), n2(d)), (Eq(ip(u - d, d), 0),), "mean", rule="quad", mean=r"\mathbb E")
    SQUARED = Step(x**2 >= 0, (), "anything")
    BAD = Step(x >= 2, (x >= 1,), "bad")
    TRUE = {
        "a named square": Step(x >= 0, (Eq(x, n2(u)), SQUARE.at({n2(u): x})), "named", rule="quad"),
        "of whole numbers": WHOLE,
        "an equation in the mean": MEAN,
        "a quotient where it is defined": Step((1 / k) ** 2 >= 0, (k > 0, SQUARED.at({x: 1 / k}))),
        "a root where it is defined": Step(sp.sqrt(k) ** 2 >= 0, (k > 0, SQUARED.at({x: sp.sqrt(k)}))),
    }
    UNMET = {
        "a name does not become any number": Step(y >= 5, (NAMED.at({x: y - 5}),)),
        "a part is given a name and not a value": Step(
            x**2 <= y, (SCHWARZ.at({ip(u, v): x, n2(u): y, n2(v): 1}),)
        ),
        "n (n - 1) >= 0 by induction says nothing of k - 1/2": Step(
            (k + 1) * k >= 0, (k >= -1, OF_SOME.at({x: k + 1}))
        ),
        "E<u, d> = E|d|^2 does not give <u, d> = |d|^2": Step(
            Eq(ip(u, d), n2(d)), (*MEAN.given, MEAN.at()), rule="quad"
        ),
        "nor without what the mean is": Step(Eq(ip(u, d), n2(d)), (MEAN.at(),), rule="quad"),
        "a quotient at 0": Step((1 / k) ** 2 >= 0, (SQUARED.at({x: 1 / k}),)),
        "a root below 0": Step(sp.sqrt(k) ** 2 >= 0, (SQUARED.at({x: sp.sqrt(k)}),)),
        "nothing rests on what is refuted": Step(x >= 1, (x >= 1, BAD.at())),
    }


def test_a_name_stands_for_what_it_names() -> None:
    """What a name names is told, of the square and of the whole number."""
    assert names(NAMED) == {x: "n2(u)"}
    assert decide(NAMED).to_dict()["names"] == {"x": "n2(u)"}
    assert names(OF_SOME)[x].startswith("a whole number")


def test_what_is_refuted_or_in_another_mean_is_said() -> None:
    """A step that uses either is open, whatever else would prove it, and says why."""
    resting, outside = UNMET["nothing rests on what is refuted"], UNMET["nor without what the mean is"]

    assert decide(BAD).verdict == "refuted"
    assert decide(resting).verdict == "open"
    assert "bad, which is refuted" in decide(resting).detail
    said = decide(outside, briefly=True)
    assert "is read in the mean" in said.detail or said.verdict == "refuted"
