"""Claims about numbers that are nearly true, each beside its nearest true twin."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sympy

import fedproof as fp
from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound
from fedproof.proof.grounds import Ground
from fedproof.proof.kernel.trees import Tree
from fedproof.validate.claims import bound as bounds
from fedproof.validate.claims import concluding
from fedproof.vocabulary.errors import FedproofError

TEXT = '''"""Claims about numbers."""

from fedproof.author import *
import sympy as sp

KEY = "number_paper"
NOTATION = Notation()
x, y = NOTATION.symbol("x", "smoothness"), NOTATION.symbol("y", "smoothness")
q, T = NOTATION.symbol("q", "stepsize"), NOTATION.symbol("T", "rounds")
r, s = NOTATION.symbol("r", "strong_convexity"), NOTATION.symbol("s", "contraction")
p, c = sp.Symbol("p", real=True), 10**9
FORMULAS = ()

with printed():
    POLE = 1 / (x - sp.Rational(3, 2)) ** 2
    XY, X, PIECES = ((x, "affine"), (y, "affine")), ((x, "affine"),), ((POLE, "convex"),)

    def convex(expr, parts, *composites):
        moving = tuple(e for e, _ in parts if e.is_Symbol) or (x,)
        return LogConvex(
            expr, moving, tuple((e, e) for e in moving), tuple((e, e, kind) for e, kind in parts), composites
        )

    THEOREM = Statement(
        id=f"{KEY}.claim", title="A claim", source=Source(KEY, "Remark 1"),
        letters=NOTATION.letters(LETTERS), claim=CLAIM, MORE
        conditions=tuple(Condition(f"({k})", said, "") for k, said in enumerate((CONDITIONS))),
    )
'''


def verdict(own_papers: Path, claim: str, conditions: str, letters: str = "x, y", more: str = "") -> str:
    """What an audit finds of one claim."""
    words = {"LETTERS": letters, "CLAIM": claim, "CONDITIONS": conditions and f"{conditions},", "MORE": more}
    text = TEXT
    for old, new in words.items():
        text = text.replace(old, new)
    file = own_papers / "number_paper.py"
    file.write_text(text)
    fp.use(file)
    return fp.audit("number_paper").statements[0].verdict


@pytest.mark.parametrize(("expr", "conditions", "said"), [
    ("1 / (1 - x - y), XY", "x + y < 1", "holds"),
    ("1 / (1 - x - y), XY", "(1 - x - y)*q > 0", "holds"),
    ("1 / (1 - x - y), XY", "(1 - x - y)**2 > 0", "open"),
    ("1 / (1 - x - y)**2, XY", "x > 2, y > 2", "open"),
    ("1 / sp.sqrt(1 - x - y), XY", "x > 2, y > 2", "open"),
    ("1 / (1 - x), X", "x < 1, x > 2", "vacuous"),
    ("x / q, X", "q > 0", "holds"),
    ("x / (T - 1), X", "T >= 1", "open"),
    ("POLE, PIECES", "x >= 2", "holds"),
    ("POLE, PIECES", "1 / (2*x - 3) <= 5", "open"),
    ("POLE + 0*y, PIECES", "(2*x - 3)*(y - 1) > 0", "open"),
    ("1/(1/(1 + x) - 1), X, Composition(1/(1 + x) - 1, 1/(1 + p) - 1, p, x, (p > 0,))", "", "open"),
])  # fmt: skip
def test_a_log_is_of_something_positive_that_is_convex_in_between(
    own_papers: Path, expr: str, conditions: str, said: str
) -> None:
    """1/(1 - x - y) is less than 0 at x = y = 3; and 4 = POLE(1/2)*POLE(2) < POLE(1)^2 = 16."""
    assert verdict(own_papers, f"convex({expr})", conditions, "x, y, q, T") == said


@pytest.mark.parametrize(("claim", "conditions", "said"), [
    ('-1/(x - c), x, "increasing"', "x > c", "holds"),
    ('-1/(x - c), x, "increasing"', "1/(x - c) <= 1", "open"),
    ('-y/(x - c), x, "increasing"', "y/(x - c) <= 1", "open"),
    ('x + sp.sqrt(1 + y), x, "increasing"', "", "holds"),
    ('x + sp.sqrt(-1 - y), x, "increasing"', "", "open"),
])  # fmt: skip
def test_a_derivative_says_nothing_across_a_gap(
    own_papers: Path, claim: str, conditions: str, said: str
) -> None:
    """-1/(x - c) is more than 0 at x = 1 and less than 0 at x = 2 c."""
    assert verdict(own_papers, f"Monotone({claim})", conditions) == said


@pytest.mark.parametrize(("claim", "conditions", "said"), [
    ("Minimum(x, (x,))", "x >= 2", "holds"),
    ("Minimum(sp.sqrt(-1 - x), (x,))", "", "open"),
    ("Minimum(T, (T,))", "Eq(T, 3)", "holds"),
    ("Minimum(T, (T,))", "Eq(2*T, 1)", "open"),
])  # fmt: skip
def test_a_problem_has_a_value_where_letters_that_count_are_whole(
    own_papers: Path, claim: str, conditions: str, said: str
) -> None:
    """The root of a negative number is none, and half a round neither."""
    assert verdict(own_papers, claim, conditions, "x, T") == said


@pytest.mark.parametrize(("claim", "conditions", "said"), [
    ("Implies((T >= sp.Rational(3, 2),), T >= 2)", "", "open"),
    ("Implies((T >= 1,), T >= 2)", "", "refuted"),
    ("Implies((x >= sp.Rational(3, 2),), x >= 2)", "", "refuted"),
])  # fmt: skip
def test_what_counts_is_not_broken_by_a_fraction(
    own_papers: Path, claim: str, conditions: str, said: str
) -> None:
    """A number of rounds that is at least 3/2 is at least 2."""
    assert verdict(own_papers, claim, conditions, "x, T") == said


@pytest.mark.parametrize(("claim", "conditions", "said"), [
    ("Identity(r, s)", "Eq(r, s)", "holds"),
    ("Identity(r, s)", "Eq(r, s), Eq(r, s + 1)", "vacuous"),
    ("Identity(x, -y)", "Eq(x, -y)", "vacuous"),
    ("Exists(NOTATION.letters(q), (q >= r,))", "r > 1", "holds"),
    ("Exists(NOTATION.letters(q), (q >= r,))", "r > 1, r < 0", "vacuous"),
    ("Order(sp.Integer(2), T, T)", "", "holds"),
    ("Order(sp.Integer(2), T, T)", "r > 1, r < 0", "vacuous"),
    ("Identity(4*T**2, sp.Integer(36))", "Eq(2*T, 6)", "holds"),
    ("Identity(4*T**2, sp.Integer(25))", "Eq(2*T, 5)", "open"),
    ("Implies((), T**2 > 4)", "T > 2, T < 3", "open"),
    ("Implies((), r**2 + 1 > 0)", "sp.log(r) >= 0", "open"),
    ("Exists(NOTATION.letters(q), (Eq(q, r),))", "", "open"),
])  # fmt: skip
def test_nothing_holds_under_conditions_that_cannot(
    own_papers: Path, claim: str, conditions: str, said: str
) -> None:
    """An equation that is its own condition defines a choice, where there is one; so with the others."""
    assert verdict(own_papers, claim, conditions, "x, y, r, s, T") == said


CHOSEN = 'chosen=(Chosen(NOTATION.letter(r), {}, ("(0)",), "it is the least"),),'


@pytest.mark.parametrize(("best", "claim", "letters", "said"), [
    ("sp.Integer(1)", "Implies((), r <= 2)", "q", "holds"),
    ("sp.Integer(-1)", "Implies((), r <= 2)", "q", "open"),
    ("s + 1", "Implies((), r >= s)", "s", "open"),
    ("1 + s**2", "Implies((), r >= s)", "s", "holds"),
])  # fmt: skip
def test_a_choice_settles_what_it_is_said_to_settle(
    own_papers: Path, best: str, claim: str, letters: str, said: str
) -> None:
    """The condition is r > 0, which s + 1 is not for every s."""
    assert verdict(own_papers, claim, "r > 0", letters, CHOSEN.format(best)) == said


SAME = 'sp.Symbol("r", positive=True)'


@pytest.mark.parametrize(("claim", "more", "said"), [
    (f'Monotone(r**2 + {SAME}, r, "increasing")', "", "one symbol for a name"),
    (f'Monotone(r, {SAME}, "decreasing")', "", "one of its letters"),
    ('Monotone(r, sp.Symbol("w", real=True), "decreasing")', "", "one of its letters"),
    ("Minimum(r, (s,))", "", "one of its letters"),
    ("Implies((), r <= 0)", "where=(Def(NOTATION.letter(r), sp.Integer(-1)),),", "name it once"),
    ("Implies((), r**2 >= 0)", 'amends="fedproxvr.theorem1",', "statement that is amended"),
    ("Implies((), r**2 >= 0)", 'amends=f"{KEY}.claim",', "statement that is amended"),
    ("Implies((), r**2 >= 0)", 'uses=("nowhere",),', "statement that is used"),
    ("Implies((), r**2 >= 0)", 'grants=("nowhere",),', "assumption that is granted"),
    ("Implies((), r**2 >= 0)", "reading=5,", "a text"),
    ("Implies((), sp.Ne(r, 0))", "", "<=, <, >=, > or ="),
    ("Implies((), sp.Or(r >= 0, r <= -1))", "", "<=, <, >=, > or ="),
    ("Implies((r > 0,), sp.true)", "", "<=, <, >=, > or ="),
    ("Exists((NOTATION.letter(s),), (sp.Ne(r, s),))", "", "<=, <, >=, > or ="),
])  # fmt: skip
def test_what_only_looks_like_a_letter_or_an_id_is_refused(
    own_papers: Path, claim: str, more: str, said: str
) -> None:
    """A symbol with a letter's name, a letter with two parts, a correction of nothing, what is no order."""
    with pytest.raises(FedproofError, match=said) as caught:
        verdict(own_papers, claim, "", "r", more)
    assert "\n" not in str(caught.value)
    assert verdict(own_papers, "Implies((), r**2 >= 0)", "", "r") == "holds"


def test_the_square_of_a_negative_bound_bounds_nothing() -> None:
    """E <= (-theta)^2 G is what is proved of theta, and the root mean square is not at most -theta."""
    st = catalog.statement("fedproxvr.lemma1.sarah.sharpened")
    assert isinstance(st.claim, Bound)
    negative = bounds.judge(replace(st, claim=replace(st.claim, expr=-st.claim.expr)))

    assert bounds.judge(st).verdict == "holds"
    assert negative.verdict == "open"
    assert "a bound that may be negative" in negative.detail


@pytest.mark.parametrize(("tree", "verdict"), [
    (("<=", "mu", "0"), "open"), (("all", "i", "1", "n", ("<=", "mu", "0")), "open"),
    (("all", "i", "1", "n", ("=", "mu", ("+", "-1", ("*", "0", "i")))), "open"),
    (("=", "mu", ("+", "-1", ("*", "0", ("sum", "i", "1", "3", "mu")))), "open"),
    (("all", "i", "1", "1", ("=", "mu", ("+", "-2", "i"))), "open"),
    (("all", "L", "1", "1", ("<", "0", "L")), "open"),
    (("<", "0", "L"), "holds"), (("<=", "mu", "elsewhere"), "holds"),
])  # fmt: skip
def test_what_a_last_step_carries_of_the_letters_is_asked(
    monkeypatch: pytest.MonkeyPatch, tree: Tree, verdict: str
) -> None:
    """Of a step that may carry what those below list: nothing that the conditions do not say."""
    st = catalog.statement("composite.section3.pl.least_squares.repaired")
    resting = bounds.resting

    def with_more(proved: Any) -> Any:
        found, put = resting(proved)
        return (*found, Ground("carried", "", tree)), put

    monkeypatch.setattr(bounds, "resting", with_more)

    assert bounds.judge(st).verdict == verdict


X, Y = sympy.symbols("x y", real=True)
B = concluding.BOUND
with sympy.evaluate(False):
    PLAIN = (X <= B, X <= Y * B + 1, X * Y**2 <= B / Y)
    BENT = (X <= B**2, X <= B * B, X <= (2 * B) ** 2, X <= abs(B), X <= 1 / B, X <= sympy.Max(B, -1))


@pytest.mark.parametrize("said", PLAIN + BENT)
def test_by_what_of_its_bound_a_metric_is_bounded(monkeypatch: pytest.MonkeyPatch, said: sympy.Basic) -> None:
    """A power, or the bound times itself, may hide its sign."""
    st = catalog.statement("fedproxvr.lemma1.sarah.sharpened")
    assert isinstance(st.claim, Bound)
    words = {st.claim.metric: (said,)}
    monkeypatch.setattr(concluding.catalog, "metric_relations", lambda key: words)

    assert concluding.is_affine_in_bound(st) is (said in PLAIN)
