"""What a paper grants: formulas as text, and a step brought down to them."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from fedproof.proof.certify.beginning import Known
from fedproof.proof.certify.closing import closing
from fedproof.proof.certify.steps import document
from fedproof.proof.formula import formula
from fedproof.proof.kernel.judgement import Judgement, checked
from fedproof.proof.standing import Standing
from fedproof.proof.step import Step
from fedproof.proof.vectors import ip, vectors
from fedproof.vocabulary.errors import InputError

u, w, a, b = vectors("u w a b")
g0, g1 = sp.symbols("g0 g1", real=True)
CONVEX = Standing(
    functions={"g": "real(vector)", "dg": "vector(vector)"},
    points=frozenset({"u", "w"}),
    formulas=(
        (
            "convex",
            ("every", "x", "vector", ("every", "y", "vector", formula("g(x) + ip(dg(x), y - x) <= g(y)"))),
        ),
    ),
    means={
        n: ((), formula(f"{n} == {t}")[2])
        for n, t in {"g0": "g(u)", "g1": "g(w)", "a": "dg(u)", "b": "dg(w)"}.items()
    },
)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("x >= 1/2", ("<=", "1/2", "x")),
        ("-x*y < 2**n", ("<", ("*", "-1", "x", "y"), ("^", "2", "n"))),
        ("sum(a(i), i, 1, n) == 0", ("=", ("sum", "i", "1", "n", ("of", "a", "i")), "0")),
        ("n2(x - y) != 0", ("!=", ("n2", ("+", "x", ("*", "-1", "y"))), "0")),
    ],
)
def test_a_formula_is_text(text: str, tree: Any) -> None:
    """It is read as it stands."""
    assert formula(text) == tree


@pytest.mark.parametrize(
    "text", ["x", "x <= 1 <= y", "x <= 1.5", "x <= 'a'", "x <= y[0]", "x <=", "f(a=1) <= 0", "x <= y // 2"]
)
def test_what_is_no_formula(text: str) -> None:
    """It is said what one is."""
    with pytest.raises(InputError, match="formula"):
        formula(text)


def known(*steps: Step) -> tuple[dict[str, Judgement], dict[str, Any]]:
    """Judgements and documents of steps that use each other."""
    found: dict[str, Known] = {}
    documents = {}
    for step in steps:
        documents[step.id] = one = document(step, found)
        found[step.id] = Known(step, checked(one, {i: found[i].judgement for i in one["uses"]}))
    return {i: k.judgement for i, k in found.items()}, documents


def left(step: Step, *before: Step, standing: Standing = CONVEX) -> list[Any]:
    """What a step rests on when it is brought down to what is granted; the kernel accepts it."""
    judgements, documents = known(*before, step)
    given = documents[step.id]["given"]
    own = [k for k, g in enumerate(given) if g["from"]["kind"] == "own"]
    found = closing(judgements[step.id], own, standing)
    checked(found, {step.id: judgements[step.id]})
    return [g["from"]["kind"] for g in found["given"] if g["from"]["kind"] != "own"]


MONOTONE = Step(
    ip(a - b, u - w) >= 0, (g0 + ip(a, w - u) <= g1, g1 + ip(b, u - w) <= g0), id="monotone", rule="quad"
)


def test_a_step_comes_down_to_an_assumption() -> None:
    """The inequality at two points, of one function."""
    assert left(Step(ip(b - a, w - u) >= 0, (MONOTONE.at(),), id="used", rule="quad"), MONOTONE) == [
        "assumption"
    ]


def test_three_times_a_gradient_is_none() -> None:
    """What is assumed of it there stays."""
    claim = ip(3 * a - b, u - w) >= 0
    assert "carried" in left(Step(claim, (MONOTONE.at({a: 3 * a}),), id="used", rule="quad"), MONOTONE)
