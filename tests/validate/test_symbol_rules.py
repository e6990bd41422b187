"""What SymPy assumes of a symbol proves nothing by itself: of steps about functions too."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy as sp

import fedproof as fp
from fedproof.bounds.letter import Letter
from fedproof.proof.language.everywhere import ForEvery
from fedproof.proof.language.functions import Function
from fedproof.proof.step import Step
from fedproof.proof.vectors import vectors
from fedproof.vocabulary.errors import InputError

KEY = "signed_paper"
TEXT = '''"""The gradient is at most L - d."""

from fedproof.author import *

KEY = "signed_paper"
NOTATION = Notation()
L = NOTATION.symbol("L", "smoothness")
d = SIGNED
FLAT = Assumption(f"{KEY}.flat", "the gradient is bounded", "L - d", Source(KEY, "Assumption 1"))
ASSUMPTIONS = {FLAT.id: FLAT}
grad, w = Field("grad"), Vector("w")
x = Vector("x")
by = step_writer(KEY, __name__)
POINTS = "w"

with printed():
    ALL = ForEvery(n2(grad(x)) <= L - d, (x,), FLAT.id)
    FORMULAS = (ALL,)
    METRIC_RELATIONS = {"squared_gradient": (n2(grad(w)) <= number("bound"),)}
    END = by.real("end", "Theorem 1")(n2(grad(w)) <= L, ALL.at(w), GIVEN)
    THEOREM = Statement(
        id=f"{KEY}.theorem1", title="Theorem 1", source=Source(KEY, "Theorem 1"),
        letters=NOTATION.letters(L), claim=Bound("squared_gradient", L), conditions=(),
        assumptions=(FLAT.id,), proof=(f"{KEY}.end",),
    )
'''


def verdict(own_papers: Path, signed: str, given: str) -> str:
    """What an audit finds of the theorem."""
    file = own_papers / f"{KEY}.py"
    file.write_text(TEXT.replace("SIGNED", signed).replace("GIVEN", given))
    fp.use(file)
    return fp.audit(KEY).statements[0].verdict


def test_a_sign_that_a_symbol_assumes_is_asked_of_the_statement(own_papers: Path) -> None:
    """With d > 0 by its symbol the theorem is as open as with d >= 0 listed; with 1 for d it holds."""
    assert verdict(own_papers, 'sp.Symbol("d", positive=True)', "L > 0") == "open"
    assert verdict(own_papers, 'sp.Symbol("d", real=True)', "d >= 0") == "open"
    assert verdict(own_papers, "sp.Integer(1)", "L > 0") == "holds"


def test_a_letter_assumes_nothing_but_to_be_real() -> None:
    """What it may be is the domain of its quantity."""
    with pytest.raises(InputError, match="letter c: got a symbol that assumes a sign or more"):
        Letter(sp.Symbol("c", positive=True), "smoothness", "c")
    assert Letter(sp.Symbol("c", real=True), "smoothness", "c").name == "c"


f, (u, w) = Function("f"), vectors("u w")
NEVER_BELOW = ForEvery(f(u) >= 0, (u,), "A")


@pytest.mark.parametrize(("claimed", "assumed"), [
    (sp.Symbol("x", real=True), sp.Symbol("x", positive=True)),
    (sp.Symbol("x", nonnegative=True), sp.Symbol("x", positive=True)),
])  # fmt: skip
def test_two_symbols_of_one_name_are_no_one_number(claimed: sp.Symbol, assumed: sp.Symbol) -> None:
    """x + f(w) >= 0 is not said of the x that is positive: false at x = -1, f = 0; of one x it is proved."""
    with pytest.raises(InputError, match="two symbols that assume different things"):
        fp.decide(Step(claimed + f(w) >= 0, (sp.Ge(assumed, -7, evaluate=False), NEVER_BELOW.at(w))))
    assert fp.decide(Step(claimed + f(w) >= 0, (claimed >= 0, NEVER_BELOW.at(w)))).verdict == "proved"


@pytest.mark.parametrize("odd", ["imaginary", "prime", "odd", "infinite"])
def test_what_no_rule_knows_of_is_refused(odd: str) -> None:
    """k^2 + f(w) > 0 given f >= 0 would be proved of k = i."""
    k = sp.Symbol("k", **{odd: True})
    with pytest.raises(InputError, match="expected a real number with or without a sign"):
        fp.decide(Step(sp.Gt(k**2 + f(w), 0, evaluate=False), (NEVER_BELOW.at(w),)))
