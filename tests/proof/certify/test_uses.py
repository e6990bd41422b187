"""What a step carries of the steps that it uses: found, proved, unfolded, or for every index."""

from __future__ import annotations

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.certify.beginning import Known
from fedproof.proof.certify.steps import document
from fedproof.proof.kernel.judgement import checked
from fedproof.proof.kernel.trees import as_tree
from fedproof.proof.step import Step
from fedproof.proof.tree_text import text
from fedproof.proof.vectors import n2, vectors
from tests.proof.logic import Eq, numbers

u, v, w, half = vectors("u v w half")
a, b, c, i, far, left = numbers("a b c i far left")
N = sp.Symbol("N", real=True)
X, Y = sp.Function("X"), sp.Function("Y")


def carried(*steps: Step) -> list[str]:
    """What the last of some steps, each using those before it, carries besides its own hypotheses."""
    known: dict[str, Known] = {}
    for step in steps:
        found = document(step, known)
        known[step.id] = Known(step, checked(found, {id: known[id].judgement for id in found["uses"]}))
    return [text(as_tree(g["is"])) for g in found["given"] if g["from"]["kind"] != "own"]


with printed():
    YOUNG = Step(n2(w) <= 2 * n2(u) + 2 * n2(v), (Eq(w, u + v),), "young", "quad")
    OFTEN = Step(
        sp.Sum(X(i), (i, 1, N)) <= sp.Sum(2 * Y(i) + 2 * far, (i, 1, N)),
        (N >= 1, YOUNG.at({n2(w): X(i), n2(u): Y(i), n2(v): far}, weight=1, over=(i, 1, N))),
        "often",
        "sum",
    )


def test_a_name_that_varies_is_a_family_and_one_that_does_not_stays() -> None:
    """A name that varies is a family and one that does not stays."""
    said = carried(YOUNG, OFTEN)
    assert "w_(i') = u_(i') + v for i' = 1..N" in said
    assert "far = n2(v)" in said


def test_a_part_that_only_the_used_step_names_is_unfolded() -> None:
    """A part that only the used step names is unfolded."""
    with printed():
        used = Step(a <= 2 * n2(u) + 2 * far, (YOUNG.at({n2(w): a, n2(v): far}, weight=1),), "used", "quad")
        user = Step(
            b <= 2 * c + 2 * n2(v), (used.at({a: b, n2(u): c, far: n2(v)}, weight=1),), "user", "quad"
        )
        again = Step(b <= 2 * c + 2 * left, (user.at({n2(v): left}, weight=1),), "again", "quad")
    assert not any("far" in said for said in carried(YOUNG, used, user, again))


def test_what_is_plainly_not_negative_is_not_carried() -> None:
    """What is plainly not negative is not carried."""
    with printed():
        used = Step(a >= -b, (a >= 0, b >= 0), "used")
        large = used.at({a: n2(u) + 2 * n2(v), b: n2(w)}, weight=1)
        user = Step(n2(u) + 2 * n2(v) >= -n2(w), (large,), "user", "quad")
    assert carried(used, user) == []


def test_a_step_by_cases_splits_on_the_condition() -> None:
    """A step by cases splits on the condition."""
    with printed():
        small = Step(a**2 <= 1 + b, (b >= 1, a <= 1, a >= 0), "small")
        large = Step(a**2 <= 1 + b, (b >= 1, a >= 1, a >= 0, a**2 <= b), "large")
        both = Step(a**2 <= 1 + b, (b >= 1, a >= 0, a**2 <= b, small.at(), large.at()), "both", "cases")
    assert carried(small, large, both) == []
