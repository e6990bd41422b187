"""Steps as a page prints them."""

from __future__ import annotations

import ast
import random
import re
import sys
from fractions import Fraction
from operator import add, mul, sub, truediv
from types import ModuleType

import pytest
import sympy as sp

from fedproof.algebra.expressions import FractionAlgebra, fold, printed
from fedproof.bounds import catalog
from fedproof.proof.forall import ForAll
from fedproof.proof.notation import number, step_writer
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Step
from fedproof.proof.step_latex import step_latex
from fedproof.proof.vectors import ip, n2, norm, vectors
from fedproof.vocabulary.papers import papers
from fedproof.vocabulary.source import Source

x, y = vectors("x y")
a, b, c, t, n, tau = sp.symbols("a b c t n tau", real=True)
D, p = sequence("D", nonnegative=True), sequence("p")

with printed():
    SHOWN = [
        (n2(x - y) <= 2 * ip(x, y), r"\|x - y\|^{2} \le 2 \langle x, y\rangle"),
        (norm(x + y) <= norm(x) + norm(y), r"\|x + y\| \le \|x\| + \|y\|"),
        (n2(x) ** 2 >= norm(x) ** -1, r"\|x\|^{4} \ge \frac{1}{\|x\|}"),
        (a / b * (1 / c) < a / (b * c), r"\frac{a}{b} \frac{1}{c} < \frac{a}{b c}"),
        (a * (b / c) * (1 / (a + 1)) > 0, r"a \frac{b}{c} \frac{1}{a + 1} > 0"),
        (a - (b - c) <= -(a + b) * c, r"a - \left(b - c\right) \le - \left(a + b\right) c"),
        (sp.Eq(sp.Integer(2) * 3 * a, a * 2), r"2 \cdot 3 a = a \cdot 2"),
        (sp.sqrt(a + b) <= sp.Max(a, b), r"\sqrt{a + b} \le \max\{a, b\}"),
        (
            (1 + a) * n2(x) <= (1 + 1 / a) * n2(y),
            r"\left(1 + a\right) \|x\|^{2} \le \left(1 + \frac{1}{a}\right) \|y\|^{2}",
        ),
        (total(2 * D(t + 1), t, 0, tau) <= D(0), r"\sum_{t=0}^{\tau} 2 D_{t + 1} \le D_{0}"),
        (
            total(D(t) + D(t - 1), t, 1, tau) <= 1,
            r"\sum_{t=1}^{\tau} \left(D_{t} + D_{t - 1}\right) \le 1",
        ),
    ]


@pytest.mark.parametrize(("claim", "latex"), SHOWN)
def test_a_claim_is_printed_as_typed(claim: sp.Basic, latex: str) -> None:
    """Order, grouping and fractions are those of the page; norms and products are set as such."""
    assert step_latex(Step(claim))["claim"] == latex


def test_an_expectation_stands_before_norms_and_products() -> None:
    """Inner products that are means are printed as means, roots around them and powers too."""
    with printed():
        claim = sp.sqrt(n2(x)) + ip(x, y) <= n2(y) ** 2

    assert step_latex(Step(claim, mean="E"))["claim"] == (
        r"\sqrt{E\|x\|^{2}} + E\langle x, y\rangle \le \left(E\|y\|^{2}\right)^{2}"
    )


@pytest.mark.parametrize("reads", [r"\|w^{(t)}-w^{(t-1)}\|^2", r"\|w^{(\cdot)}-w^{(\cdot-1)}\|^2"])
def test_a_sequence_is_printed_at_its_index(reads: str) -> None:
    """The index in the LaTeX of a sequence moves with its place; letters inside words stay."""
    step = Step(D(t + 1) + D(tau) <= D(0), reads=((D, r"\text{at}" + reads),))

    assert step_latex(step)["claim"] == (
        r"\text{at}\|w^{(\tau)}-w^{(\tau - 1)}\|^2 + \text{at}\|w^{(t + 1)}-w^{(t)}\|^2"
        r" \le \text{at}\|w^{(0)}-w^{(-1)}\|^2"
    )


def test_the_key_can_tell_the_index() -> None:
    """A sequence without a free index is read by the letter of its key."""
    step = Step(D(0) <= D(2), reads=((D(n), "d_{n+1,t}"),))

    assert step_latex(step)["claim"] == r"d_{1,t} \le d_{3,t}"


def test_hypotheses_tell_what_another_step_stands_for() -> None:
    """A relation for every index names its ends; a used step its places."""
    used = Step(n2(x) <= a * n2(y), (a > 0,), reads=((x, r"\xi"),))
    step = Step(
        n2(y) <= 2 * n2(x),
        (ForAll(D(t) <= 1, t, 0, tau), used.at({x: y, y: x, a: 2})),
    )
    every, applied = step_latex(step)["given"]

    assert every == {"latex": r"D_{t} \le 1,\quad t=0,\dots,\tau", "places": []}
    assert applied["latex"] == r"\|y\|^{2} \le 2 \|x\|^{2}"
    assert applied["places"] == [r"\xi = y", "y = x", "a = 2"]


def test_a_papers_letters_are_used() -> None:
    """A step of a paper is printed in its letters; one of a notebook in SymPy's."""
    lam, sigma2 = sp.symbols("lam sigma2", real=True)
    home = Step(lam <= sigma2**2, source=Source("fedproxvr", "here"))

    assert step_latex(home)["claim"] == r"\lambda \le \left(\bar\sigma^{2}\right)^{2}"
    assert step_latex(Step(lam <= 1, source=Source("elsewhere", "there")))["claim"] == r"lam \le 1"
    assert home._repr_latex_() == r"$\displaystyle \lambda \le \left(\bar\sigma^{2}\right)^{2}$"


def read_back(latex: str, values: dict[str, Fraction]) -> Fraction:
    """The value of plain arithmetic in LaTeX, by a translation of its own."""
    text = latex.replace(r"\left(", "(").replace(r"\right)", ")").replace(r"\cdot", "*")
    while r"\frac" in text:
        text = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", text)
        text = re.sub(r"\^\{(-?\d+)\}", r"**\1", text)
    text = re.sub(r"\^\{(-?\d+)\}", r"**\1", text)
    return value_of(ast.parse(re.sub(r"(?<=[\w)]) +(?=[\w(])", "*", text), mode="eval").body, values)


def value_of(node: ast.AST, values: dict[str, Fraction]) -> Fraction:
    """The value of parsed arithmetic."""
    match node:
        case ast.Constant(value=int(number)):
            return Fraction(number)
        case ast.Name(id=name):
            return values[name]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -value_of(inner, values)
        case ast.BinOp(left=left, op=op, right=right):
            act = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv, ast.Pow: pow}[type(op)]
            return Fraction(act(value_of(left, values), value_of(right, values)))
    raise ValueError(ast.unparse(node))


def some(chance: random.Random, depth: int) -> sp.Expr:
    """A random expression, as somebody might type it."""
    if depth == 0:
        return chance.choice(
            [a, b, c, sp.Integer(chance.randint(1, 5)), sp.Rational(chance.randint(1, 5), 3)]
        )
    left, right = some(chance, depth - 1), some(chance, chance.randint(0, depth - 1))
    kind = chance.choice("+-*/^n")
    if kind == "^":
        return left ** sp.Integer(chance.choice([2, 3, -1, -2]))
    return {"+": left + right, "-": left - right, "*": left * right, "/": left / right, "n": -left}[kind]


@pytest.mark.parametrize("typed", [True, False])
def test_what_is_printed_means_what_was_typed(typed: bool) -> None:
    """Read back by other code, LaTeX has the value of the expression: no bracket or sign is lost."""
    chance = random.Random(7)
    values = {"a": Fraction(3, 2), "b": Fraction(-5), "c": Fraction(7, 11)}
    compared = 0
    for _ in range(150):
        with sp.evaluate(not typed):
            expr = some(chance, chance.randint(1, 4))
        try:
            value = fold(expr, FractionAlgebra(), values)
        except (ZeroDivisionError, TypeError):
            continue
        compared += 1
        assert read_back(Step(a <= b).printer.tex(expr), values) == value, expr
    assert compared > 110


def test_every_step_of_every_paper_is_printed() -> None:
    """No step of the catalogue fails to print, and none shows a name in code; f_2 is a client's loss."""
    steps = [s for key in papers() for s in catalog.steps(key)]
    latex = [step_latex(s) for s in steps]

    assert len(steps) > 10
    assert [
        s.id for s, said in zip(steps, latex, strict=True) if re.search(r"n_\{2\}|ip\b|(?<!f)_2\(", str(said))
    ] == []


#: words in LaTeX that are no commands: of delays, of a proximal step, of functions
WORDS = {"com", "cmp", "pgd", "prox", "dist", "error"}


def test_no_step_shows_a_name_of_its_file() -> None:
    """Every name of more than two letters has LaTeX, in claims, hypotheses and what parts stand for."""
    steps = [s for key in papers() for s in catalog.steps(key)]
    shown = {}
    for step in steps:
        said = step_latex(step)
        whole = [said["claim"], *(text for g in said["given"] for text in (g["latex"], *g["places"]))]
        bare = re.sub(r"\\[A-Za-z]+|\\.", " ", " ".join(whole))
        shown[step.id] = set(re.findall(r"[A-Za-z]{3,}", bare)) - WORDS

    assert {id: words for id, words in shown.items() if words} == {}


def test_a_name_is_printed_as_its_file_declares_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step prints the names of files that its own imports whole, and one declared again as it is there."""
    whole, here = ModuleType("whole"), ModuleType("here")
    vars(whole).update(by=step_writer("notebook"), x=number("x", r"\xi"), y=number("y", r"\eta"))
    vars(here).update(whole=whole, y=number("y", r"\upsilon"), s=sequence("s(i)", r"\sigma_i"))
    monkeypatch.setitem(sys.modules, "here", here)

    step = step_writer("notebook", "here").real("eq1")(whole.x * here.s(2) <= here.y)

    assert step.printer.tex(step.claim) == r"\xi \sigma_2 \le \upsilon"
