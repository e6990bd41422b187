"""What is said of every vector and holds of random ones in the mean, and what does not."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

import fedproof as fp
from fedproof.proof.language.everywhere import ForEvery
from fedproof.proof.language.functions import Field, Function
from fedproof.proof.language.in_the_mean import holds_in_the_mean
from fedproof.proof.language.saying import everywhere, kinds_everywhere
from fedproof.proof.standing import standing
from fedproof.proof.vectors import ip, n2, norm, vectors
from fedproof.vocabulary.errors import FedproofError
from fedproof.vocabulary.papers import papers

x, y = vectors("x y")
f, grad = Function("f"), Field("grad")
L, G, B = (sp.Symbol(name, real=True) for name in "LGB")


def said(relation: Any, *names: Any) -> bool:
    """Whether a relation for every value of these names is taken to hold in the mean."""
    formula = ForEvery(relation, names or (x, y))
    return holds_in_the_mean(everywhere(formula), kinds_everywhere(formula))


@pytest.mark.parametrize("relation", [
    f(y) >= f(x) + ip(grad(x), y - x) + L * n2(y - x) / 2,
    n2(grad(x) - grad(y)) <= L**2 * n2(x - y),
    n2(grad(x)) <= G**2 + B**2 * (f(x) - f(y)),
    norm(grad(x) - grad(y)) <= L * norm(x - y),
    norm(grad(x)) <= G,
    sp.Abs(f(x) - f(y)) <= G * norm(x - y),
    f(x) - f(y) <= G * norm(x - y),
])  # fmt: skip
def test_what_the_field_assumes_holds_of_random_points(relation: Any) -> None:
    """Convexity, smoothness, growth, bounded gradients, a Lipschitz function."""
    assert said(relation)


@pytest.mark.parametrize("relation", [
    norm(grad(x)) <= norm(x) * norm(x),
    n2(grad(x)) <= n2(x) ** 2,
    norm(grad(x) - grad(y)) <= (G + L * norm(grad(x))) * norm(x - y),
    f(x) * f(x) <= B,
    f(x) <= G * norm(x),
    f(x) - f(y) <= G * norm(x + y),
    n2(grad(x)) <= L * sp.Abs(f(x)),
    n2(grad(x)) <= L * norm(x),
    norm(x) <= n2(x) + 1,
    sp.Eq(f(x), norm(x)),
    f(x) <= sp.Max(n2(x), 1),
])  # fmt: skip
def test_what_does_not_follow_of_random_points_is_told(relation: Any) -> None:
    """Products, powers, one root on the wrong side, a factor of unknown sign."""
    assert not said(relation)


def test_a_value_at_another_point_is_no_number() -> None:
    """f(w) |x|^2 <= |x|^2 of every x: where w is random too, a mean of the product is no product of means."""
    product = ("*", ("of", "f", "w"), ("n2", "x"))
    formula = ("every", "x", "vector", ("<=", product, ("n2", "x")))
    assert not holds_in_the_mean(formula, {"f": "real(vector)"})
    assert holds_in_the_mean(formula, {"f": "real(whole)"})


def test_why_a_square_of_a_mean_is_not_the_mean_of_a_square() -> None:
    """|grad f(x)| = |x|^2 for |x|^3/3; at x = 2 with chance 1/4, else 0, the mean squares are 4 and 1."""
    chance, at = Fraction(1, 4), 2
    mean_square, gradient = chance * at**2, chance * (at * at) ** 2
    assert gradient > mean_square**2
    assert not said(n2(grad(x)) <= n2(x) ** 2)


def test_numbers_and_indices_may_enter_in_any_way() -> None:
    """Of what holds for every number, or of named iterates, nothing is asked: no vector is meant for all."""
    s, t = sp.Symbol("s", real=True), sp.Symbol("t", integer=True)
    assert said(sp.Ge(s**4, s, evaluate=False), s)
    models = ForEvery(n2(Field("X")(t)) ** 2 <= L, (), "", (t, 0, 9))
    assert holds_in_the_mean(everywhere(models), {})


def test_a_paper_is_refused_that_assumes_what_its_means_do_not_give(own_papers: Path) -> None:
    """|grad f(x)| <= |x|^2 of every x, used at a random model: one line that says why."""
    file = own_papers / "growth_paper.py"
    file.write_text(
        'from fedproof.author import *\nKEY = "growth_paper"\n'
        'GROWS = Assumption(f"{KEY}.growth", "growth", "g", Source(KEY, "1"))\n'
        'ASSUMPTIONS = {GROWS.id: GROWS}\ngrad, x = Field("grad"), Vector("x")\n'
        "by = step_writer(KEY, __name__)\nwith printed():\n"
        '    END = by.real("end", "end")(n2(grad(x)) >= 0)\n'
        "    FORMULAS = (ForEvery(norm(grad(x)) <= norm(x) * norm(x), (x,), GROWS.id),)\n"
    )
    fp.use(file)
    with pytest.raises(FedproofError, match=r"formula of growth_paper\.growth: got sqrt\(n2\(grad\(x\)\)\)"):
        fp.audit("growth_paper")


def test_the_shipped_papers_assume_what_holds_in_the_mean() -> None:
    """There are over 200 formulas; none is refused."""
    rows = [(standing(key), id, tree) for key in papers() for id, tree in standing(key).formulas]
    assert len(rows) > 200
    assert [id for own, id, tree in rows if not holds_in_the_mean(tree, own.kinds)] == []
