"""What a paper grants: formulas as text, and a step brought down to them."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from fedproof.proof.certify.beginning import Known
from fedproof.proof.certify.closing import closing, meanings
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.paying import Payer
from fedproof.proof.certify.shortening import shortened
from fedproof.proof.certify.steps import document
from fedproof.proof.certify.writer import Writer
from fedproof.proof.formula import formula
from fedproof.proof.kernel.judgement import Judgement, checked
from fedproof.proof.kernel.trees import Rejected
from fedproof.proof.standing import Standing, for_all, meanings_of
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
    means=meanings_of(
        {"g0": "g(u)", "g1": "g(w)", "a": "dg(u)", "b": "dg(w)"},
        {"g": "real(vector)", "dg": "vector(vector)"},
        frozenset({"u", "w"}),
    ),
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


#: a paper with a proximal operator, its subgradients, errors and their sums, models after a step
PAPER = Standing(
    functions={
        "g": "real(vector)",
        "tangent": "vector(vector)",
        "prox": "vector(vector)",
        "sub": "vector(vector)",
        "error": "vector(whole)",
        "errors": "vector(whole)",
        "far": "real(whole)",
        "model": "vector(whole)",
    },
    points=frozenset({"u", "w", "z"}),
    formulas=tuple(
        (name, for_all(over, text))
        for name, over, text in (
            ("convex", "x y: vector", "g(x) + ip(tangent(x), y - x) <= g(y)"),
            ("prox", "x: vector", "prox(x) == x - s*sub(x)"),
            ("optimal", "x y: vector", "g(prox(x)) + ip(sub(x), y - prox(x)) <= g(y)"),
            ("errors", "k: whole", "errors(k + 1) == errors(k) + error(k)"),
            ("unbiased", "k: whole", "ip(error(k), errors(k)) == 0"),
            ("far", "k: 0..n", "far(k) == sum(n2(model(l) - u), l, 0, k - 1)"),
            ("start", "", "model(0) == u"),
            ("moves", "k: 0..n - 1", "model(k + 1) == prox(model(k))"),
        )
    ),
)
NUMBERS = {"s": "real", "l": "real", "t": "whole", "n": "whole", "u": "vector", "w": "vector", "z": "vector"}


def pays(debt: str, *granted: str) -> bool:
    """Whether something that is owed is paid."""
    writer = Writer.of({**NUMBERS, **PAPER.functions}, (), {})
    for text in granted:
        writer.assume(formula(text), {"kind": "own"})
    try:
        Payer(writer, PAPER).pay(for_all(*debt.split(" | ")) if " | " in debt else formula(debt))
    except (NotFound, Rejected):
        return False
    return True


@pytest.mark.parametrize(
    ("true", "false", "granted"),
    [
        ("u - prox(u) == s*sub(u)", "u - prox(u) == 2*s*sub(u)", ()),
        ("prox(prox(u)) == u - s*sub(u) - s*sub(prox(u))", "prox(prox(u)) == u - 2*s*sub(u)", ()),
        ("g(prox(u)) + ip(sub(u), w - prox(u)) <= g(w)", "g(prox(u)) + ip(sub(w), w - prox(u)) <= g(w)", ()),
        ("ip(error(t), errors(t)) == 0", "ip(error(t), errors(t + 1)) == 0", ()),
        ("n2(errors(t + 1)) == n2(errors(t) + error(t))", "n2(errors(t + 1)) == n2(errors(t))", ()),
        ("n2(errors(t + 1)) == n2(errors(t)) + n2(error(t))", "n2(errors(t + 1)) <= n2(errors(t))", ()),
        ("model(t + 1) == model(t) - s*sub(model(t))", "model(t) == model(t + 1)", ("0 <= t", "t <= n - 1")),
        ("far(n) == sum(n2(model(l) - u), l, 0, n - 1)", "far(n) == sum(n2(model(l)), l, 0, n)", ("0 <= n",)),
        ("k: 0..n - 1 | model(k + 1) == prox(model(k))", "k: 0..n | model(k + 1) == prox(model(k))", ()),
        ("t: 0..n, s: 0..t | 0 <= n2(errors(t + s))", "t: 0..n, s: 0..t | 0 < n2(errors(t + s))", ()),
        ("k: whole | 0 <= 2*n2(errors(k)) + abs(s)", "k: whole | 0 <= ip(errors(k), u)", ()),
        ("0 <= abs(s)/(abs(s) + n2(u) + 1)", "0 <= abs(s)/(s + n2(u) - 1)", ()),
        ("abs(s)/(abs(s) + n2(u) + 1) <= 1", "abs(s)/(n2(u) + 1) <= 1", ()),
        ("0 < (t + 1)*s", "0 < t*s", ("0 <= t", "0 < s")),
    ],
)
def test_what_is_owed(true: str, false: str, granted: tuple[str, ...]) -> None:
    """It is paid where it follows from the paper's formulas, and not where it nearly does."""
    assert pays(true, *granted)
    assert not pays(false, *granted)


def test_a_formula_holds_in_its_range_alone() -> None:
    """Nothing says that the index is in it here."""
    assert not pays("model(t + 1) == model(t) - s*sub(model(t))", "0 <= t")


def test_between_two_points() -> None:
    """A convex function is below its chord, where the share is one."""
    chord = "g(u + l*(w - u)) <= (1 - l)*g(u) + l*g(w)"
    assert pays(chord, "0 <= l", "l <= 1")
    assert not pays(chord, "0 <= l")
    assert not pays("g(u + l*(w - u)) <= (1 - l)*g(u) + l*g(z)", "0 <= l", "l <= 1")


def test_a_sum_of_norms_has_a_sign() -> None:
    """Where it has an end that is none too early; a sum of products has none."""
    assert pays("0 <= sum(n2(model(k) - u), k, 1, n)", "1 <= n")
    assert not pays("0 <= sum(n2(model(k) - u), k, 1, n)")
    assert not pays("0 <= sum(ip(model(k), u), k, 1, n)", "1 <= n")


def test_what_no_line_takes_is_left_away() -> None:
    """Lines and hypotheses are numbered anew; what is known of numbers stays."""
    lines = [
        (("<", "0", "x"), ("given", 0)),
        (("<=", ("n2", "u"), "1"), ("given", 1)),
        (("<=", ("n2", "w"), "1"), ("given", 2)),
        (("<=", ("n2", "w"), "2"), ("combine", (("1", ("neg",)), ("1", (2,)), ("1", ())), ())),
    ]
    found, taken = shortened(lines, [line[0] for line in lines[:3]])
    assert taken == [0, 2]
    assert found[-1][1] == ("combine", (("1", ("neg",)), ("1", (1,)), ("1", ())), ())


def test_a_name_for_every_client_has_the_client_as_index() -> None:
    """Its meaning speaks of one; which index a name has is told by where it ends."""
    functions = {"slope": "vector(whole,vector)", "sent": "vector(whole,whole)"}
    means = meanings_of({"v": "slope(client, P)", "z(t)": "sent(client, t)"}, functions, frozenset({"P"}))
    standing = Standing(functions, frozenset({"P"}), frozenset(), (), means, {"client": frozenset("n")})
    claim = for_all("i: 1..n, k: 1..t", "n2(z(i, k) - v(i)) <= 1")
    names = {"v": "vector(whole)", "z": "vector(whole,whole)", "n": "whole", "t": "whole"}
    found = meanings(_judgement(names, claim), [0], standing)
    assert found["v"] == ("map", ("index0",), ("of", "slope", "index0", "P"))
    assert found["z"] == ("map", ("index0", "own0"), ("of", "sent", "index0", "own0"))


def _judgement(names: dict[str, str], claim: Any) -> Judgement:
    """What says of itself what it says."""
    document = {"id": "said", "names": names, "given": [{"is": claim}], "claim": claim, "uses": []}
    return checked({**document, "lines": [(claim, ("given", 0))]}, {})
