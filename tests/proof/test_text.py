"""Relations as text: what the grammar means, what it refuses, that it reads as Python does."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from fractions import Fraction
from operator import add, mul, sub, truediv
from time import monotonic
from typing import Any

import pytest
import sympy as sp

import fedproof as fp
from fedproof.algebra.expressions import rational_value
from fedproof.proof.forall import ForAll
from fedproof.proof.text import step
from fedproof.proof.text_grammar import read
from fedproof.proof.text_kinds import kinds_of
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

#: text -> how SymPy prints the claim
GRAMMAR = {
    "x <= 1": "x <= 1",
    "x<1": "x < 1",
    "x ≤ 1": "x <= 1",
    "x ≥ −1": "x >= -1",
    "x ≠ 2·y": "Ne(x, 2*y)",
    "x = 1": "Eq(x, 1)",
    "x == 1": "Eq(x, 1)",
    "x != 1": "Ne(x, 1)",
    "x <= 0.1": "x <= 1/10",
    "x <= 1e-3": "x <= 1/1000",
    "x <= .5": "x <= 1/2",
    "x <= 2.": "x <= 2",
    "x <= 1/2": "x <= 1/2",
    "x <= -1/2": "x <= -1/2",
    "x + x <= 2*3": "x + x <= 2*3",
    "x - y >= 0": "x - y >= 0",
    "-x^2 <= 0": "-x**2 <= 0",
    "x**2 >= 0": "x**2 >= 0",
    "x^-1 >= 0": "1/x >= 0",
    "x^(1/3) >= 0": "x**(1/3) >= 0",
    "2^3^2 >= x": "2**9 >= x",
    "sqrt(x) >= 0": "sqrt(x) >= 0",
    "abs(x) >= max(x, -x, 0)": "Abs(x) >= Max(0, -x, x)",
    "min(x, y) <= x": "Min(x, y) <= x",
    "log(x) <= x": "log(x) <= x",
    "x <= pi": "x <= pi",
    "norm(u) >= 0": "sqrt(n2(u)) >= 0",
    "n2(u - a*v) >= ip(u, v)": "n2(-a*v + u) >= ip(u, v)",
    "sum(a(t), t, 1, T) >= 0": "Sum(a(t), (t, 1, T)) >= 0",
    "E(n2(u)) >= 0": "n2(u) >= 0",
    "lambda + E + I + N + S + Q + beta + gamma + zeta >= in":
        "E + I + N + Q + S + beta + gamma + lambda + zeta >= in",
    "x' + x'' >= x_1": "x' + x'' >= x_1",
}  # fmt: skip

#: text of a claim -> what its one line of error says
REFUSED = {
    "": "write a relation",
    "   \n": "write a relation",
    "x": "compare it",
    "x <=": "got the end, expected a number, a name or (",
    "<= x": "character 1: got <=",
    "x <= <= 1": "one sign",
    "x => 1": "write <=, >=",
    "x =< 1": "write <=, >=",
    "x <> 1": "write <=, >=",
    "(x <= 1": "a ) for each (",
    "(x + (y) <= 1": "character 1: got (, expected a ) for each (",
    "x) <= 1": "no ) without a (",
    "2x <= 1": "write 2*x",
    "x y <= 1": "write x*y",
    "2(x + 1) <= 1": "write 2*(",
    "x <= 1 and y <= 1": "a comma between relations",
    "x <= 1 y": "write 1*y",
    "a <= b <= c": "decide one at a time",
    "a <= b, b <= c": "decide one at a time",
    "a(t) <= 1 for t = 1..T": "decide one at a time",
    "a <= 1 for t": "write for t = 1..T",
    "a <= 1 for 2 = 1..T": "write for t = 1..T",
    "x <= 1e9999": "exponent of at most 3",
    "x <= " + "9" * 41: "at most 40 digits",
    "x <= 1_000": "begin names with a letter",
    "_x <= 1": "begin names with a letter",
    "__import__('os') <= 1": "begin names with a letter",
    "x.real <= 1": "character 2: got .",
    "().__class__ <= 1": "character 3: got .",
    "x[0] <= 1": "write (",
    "{x} <= 1": "write (",
    "|x| <= 1": "write abs(x)",
    "x² <= 1": "write ^2",
    "√x <= 1": "write sqrt(...)",
    "α <= 1": "write alpha",
    "х <= 1": "cyrillic small letter ha",
    "x <= 1\u0661": "arabic-indic digit one",
    "ｘ <= 1": "fullwidth latin small letter x",
    "x <= \udcff": "character 6: got ?",
    "x <= \x00": "character 6",
    "'x' <= 1": "character 1",
    "x <= 1; y <= 1": "a comma between relations",
    "x := 1": "character 3",
    "x if y else z": "write x*if",
    "lambda x: x": "character 9: got :",
    "x <= 1 # y": "character 8",
    "x <= 5 % 2": "character 8",
    "x // y <= 1": "character 4: got /",
    "9**9**9 >= 1": "an exponent p or p/q",
    "x^1000000 >= 0": "an exponent p or p/q",
    "x^(9^9) >= 0": "an exponent p or p/q",
    "x^0.123 >= 0": "an exponent p or p/q",
    "x^(1/0) >= 0": "an exponent p or p/q",
    "x^sqrt(2) >= 0": "an exponent p or p/q",
    "((9^50)^50)^50 >= x": "exponents of at most 60 in all",
    "((x*y)^9)^9 >= 0": "exponents of at most 60 in all",
    "x/0 <= 1": "a divisor other than 0",
    "sqrt(x, y) <= 1": "1 in sqrt(...); write sqrt(x)",
    "sqrt() <= 1": "got ), expected a number",
    "max(x) <= 1": "2 to 8 in max(...)",
    "max(" + "x, " * 20 + "y) <= 1": "2 to 8 in max(...)",
    "ip(u) <= 1": "write ip(u, v)",
    "sum(a(t)) <= 1": "write sum(a(t), t, 1, T)",
    "sum(a(t), 2, 1, T) <= 1": "the name of an index",
    "sum(a(t), t, 1, t) <= 1": "rename the index",
    "sum(a(t), t, 1, 1e30) >= 0": "at most 100 terms",
    "sum(a(t), t, 1, T) <= a(t)": "write it for t = 1..T",
    "sum(t, t, 1, 3) <= t": "write it for t = 1..T",
    "sqrt <= 1": "sqrt(...)",
    "sin(x) <= 1": "expected one of sqrt",
    "ln(x) <= x": "write log(x)",
    "eval(x) <= 1": "a function of the grammar",
    "f(x) <= 1": "functions are said in Python",
    "f(x, y) <= 1": "a sequence with one index",
    "pi(t) <= 1": "expected one of sqrt",
    "n2(u) <= u": "name u: got a vector",
    "sum(a(t), t, 1, T) <= a": "name a: got a sequence",
    "n2(u^2) <= 1": "expected a vector",
    "n2(3) <= 1": "expected a vector",
    "n2(sqrt(u)) <= 1": "expected a vector",
    "n2(u(t)) <= 1": "use Field",
    "n2(u*v) + n2(u) + n2(v) <= 1": "write ip(x, y)",
    "sum(a(t)*n2(u), t, 1, T) >= 0": "a sum of numbers and sequences",
    "sum(a(t), t, 1, T) >= n2(u)": "vectors beside sums",
    "E(x)^2 <= E(x^2)": "what is random is a vector",
    "E(n2(u)*n2(v)) <= 1": "terms c*n2(u)",
    "E(sqrt(n2(u))) <= 1": "terms c*n2(u)",
    "E(norm(u)) <= 1": "terms c*n2(u)",
    "E(E(n2(u))) <= 1": "terms c*n2(u)",
    "E(n2(u) + c) <= 1": "terms c*n2(u)",
    "n2(E(u)) <= E(n2(u))": "name the mean",
    "n2(m) <= E(n2(u))": "write E(n2(m))",
    "norm(m) <= E(n2(u))": "write sqrt(E(n2(x)))",
    "E(n2(u)) <= E": "rename it",
    "(" * 3000 + "x" + ")" * 900: "at most 40 levels",
    "-" * 3900 + "x <= 1": "at most 40 levels",
    "x^" * 1900 + "2 <= 1": "at most 40 levels",
    "x" * 10**6: "1000000 characters, expected at most 4000",
    "1+" * 500_000 + "1 <= x": "1000006 characters",
}  # fmt: skip


@pytest.mark.parametrize("text", GRAMMAR)
def test_text_is_read_as_it_stands(text: str) -> None:
    """What is typed is what is decided: exact, and nothing evaluated."""
    assert str(step(text).claim) == GRAMMAR[text]


@pytest.mark.parametrize("text", REFUSED, ids=lambda t: t[:30])
def test_what_is_no_relation_is_one_line_at_once(text: str) -> None:
    """What was got, where, what is expected, and what to write; whatever the length."""
    before = monotonic()
    said = refused(InputError, None, fp.decide, text)

    assert REFUSED[text] in said
    assert "expected" in said
    assert len(said) < 300
    assert monotonic() - before < 5


def test_names_of_sympy_and_of_python_are_names() -> None:
    """Nothing is special but the functions of the grammar and pi."""
    made = step("E*I + S <= lambda", ["None = 0", "not >= N"])

    assert {s.name for s in made.claim.free_symbols} == {"E", "I", "S", "lambda"}
    assert all(s.is_real for r in (made.claim, *made.given) for s in r.free_symbols)
    assert not step("pi <= e").claim.lhs.free_symbols


@pytest.mark.parametrize(
    ("given", "relations"),
    [
        (["0 <= x <= 1"], ["0 <= x", "x <= 1"]),
        (["x >= 0, y > 0"], ["x >= 0", "y > 0"]),
        ("x>=0,y>0", ["x >= 0", "y > 0"]),
        (("x = y = z",), ["Eq(x, y)", "Eq(y, z)"]),
        (["max(x, y) <= 1, x >= 0"], ["Max(x, y) <= 1", "x >= 0"]),
        ([], []),
    ],
)
def test_hypotheses_may_be_chains_and_lists(given: Any, relations: list[str]) -> None:
    """One text holds one relation or several."""
    assert list(map(str, step("x <= y", given).given)) == relations


def test_hypotheses_hold_for_every_index() -> None:
    """`for t = 1..T` is said of each relation before it."""
    (given,) = step("sum(a(t), t, 1, T) >= 0", ["a(t) >= 0 for t = 1..T"]).given

    assert isinstance(given, ForAll)
    assert tuple(map(str, (given.relation, given.index, given.lo, given.hi))) == ("a(t) >= 0", "t", "1", "T")


@pytest.mark.parametrize(
    ("texts", "vectors"),
    [
        (("n2(x - eta*g) <= b",), "g x"),
        (("n2(a*u) >= 0", "u = v"), "u v"),
        (("n2(u*a) >= 0", "a = 1/2"), "u"),
        (("n2(u*a) >= 0", "a >= 0"), "u"),
        (("n2(a*(x - y)/b) >= 0",), "x y"),
        (("n2((a + b)*x) >= a",), "x"),
        (("n2(a*u) <= u",), "a"),
        (("n2(y - z) >= 0", "y = x - eta*g", "g = 0"), "g x y z"),
        (("ip(a*b*u, v) >= 0",), "u v"),
        (("x = y",), ""),
    ],
)
def test_vectors_are_told_from_numbers(texts: tuple[str, ...], vectors: str) -> None:
    """A name in n2 or ip is a vector, or a number before one."""
    kinds = kinds_of([r for text in texts for r in read(text, "claim")])

    assert sorted(n for n, kind in kinds.items() if kind == "vector") == vectors.split()


@pytest.mark.parametrize(
    ("claim", "given", "rule", "verdict"),
    [
        ("sqrt(x*y) <= (x + y)/2", ["x >= 0", "y >= 0"], "real", "proved"),
        ("sqrt(x*y) <= (x + y)/2", ["x >= -1", "y >= -1"], "real", "refuted"),
        ("x^2 >= x", [], "real", "refuted"),
        ("10*x <= 1", "x <= 0.1", "real", "proved"),
        ("n2(u + v) <= (1 + a)*n2(u) + (1 + 1/a)*n2(v)", "a > 0", "quad", "proved"),
        ("n2(y - z) = n2(x - z) - 2*c*ip(g, x - z) + c^2*n2(g)", "y = x - c*g", "quad", "proved"),
        ("n2(u + v) <= n2(u) + n2(v)", [], "quad", "refuted"),
        ("E(n2(m)) <= E(n2(u))", "E(ip(u - m, m)) = 0", "quad", "proved"),
        ("sum(F(t) - F(t - 1), t, 1, n) = F(n) - F(0)", "n >= 0", "sum", "proved"),
        ("c*sum(g(t), t, 0, T - 1) <= F(0) - F(T)",
         ["c > 0", "T >= 1", "F(t) <= F(t - 1) - c*g(t - 1) for t = 1..T"], "sum", "proved"),
        ("exp(1) < 3", [], "interval", "proved"),
        ("pi > 22/7", [], "interval", "refuted"),
    ],
)  # fmt: skip
def test_the_rule_follows_from_what_is_said(claim: str, given: Any, rule: str, verdict: str) -> None:
    """Vectors, sums and constants are decided by their own rules."""
    decision = fp.decide(claim, given, briefly=True)

    assert (decision.step.rule, decision.verdict) == (rule, verdict)


def test_relations_of_sympy_are_decided_too() -> None:
    """A relation needs no step around it, and stands beside text."""
    x = sp.Symbol("x", real=True)

    assert fp.decide(x**2 >= x, given=[x >= 1]).verdict == "proved"
    assert fp.decide(x**2 >= x, given=x >= 1).verdict == "proved"
    assert fp.decide("x^2 >= x", given=[x >= 1]).verdict == "proved"
    assert fp.decide(x**2 >= x, given="x >= 1").verdict == "proved"


x, y = sp.symbols("x y", real=True)
w, q, p = sp.Symbol("w", complex=True), sp.Symbol("q", real=True), sp.Symbol("q", positive=True)


@pytest.mark.parametrize(
    ("claim", "given", "cure"),
    [
        (x == y, (), "Eq(a, b) for =="),
        (x != y, (), "Ne(a, b) for !="),
        ("x <= 1", [x == y], "Eq(a, b) for =="),
        (x <= y / 3.0, (), "write sympy.Rational(1, 3)"),
        (x <= (0.1 + 0.2) * y, (), "write sympy.Rational(3, 10)"),
        (x <= 2.0**0.5, (), "write sympy.sqrt(2)"),
        (sp.Ge(w**2 + x, 0, evaluate=False), (), 'write w = sympy.Symbol("w", real=True)'),
        (q + p >= 0, (), 'write q = sympy.Symbol("q", real=True) once'),
        ("q >= 0", [p >= 1], 'write q = sympy.Symbol("q", real=True) once'),
        (3, (), "compare two expressions"),
        ("x <= 1", None, "relations"),
        ("x <= 1", [3], "relations"),
        ("x <= 1", ["x <= 1", "x >"], "given 2, character 4"),
        ("sum(a(t), t, 1, T) = 3*T", "a(t) = 3", "write it for t = 1..T"),
        ("a(9) >= 0", "a(t) >= 0 for t = -1e9..1", "at most 100 terms"),
        (fp.Step(x <= 1), ["x <= 0"], "write fp.Step"),
        (b"x <= 1", (), "compare two expressions"),
    ],
)  # fmt: skip
def test_what_python_and_sympy_make_of_a_slip_is_told(claim: Any, given: Any, cure: str) -> None:
    """One line says what to type."""
    assert cure in refused(InputError, None, fp.decide, claim, given)


@pytest.mark.parametrize(
    ("claim", "given", "verdict"),
    [
        ("1e999*x <= 1", [], "refuted"),
        ("sqrt(-1) >= 0", [], "open"),
        ("x/y >= 0", ["x >= 0", "y >= 0"], "open"),
        ("x <= 1", ["x >= 2, x <= 1"], "open"),
        ("abs(" * 38 + "x" + ")" * 38 + " >= 0", [], "proved"),
        ("+".join(["x"] * 1300) + " >= 0", "x >= 0", "proved"),
        ("sum(a(s), s, 1, t) >= 0", ["a(s) >= 0 for s = 1..t", "t >= 1"], "proved"),
    ],
    ids=lambda a: str(a)[:30],
)
def test_odd_claims_have_an_answer(claim: str, given: Any, verdict: str) -> None:
    """Long, deep, vast and undefined claims are decided or open, never a traceback."""
    assert fp.decide(claim, given, briefly=True).verdict == verdict


@pytest.mark.parametrize(
    "claim",
    [
        "max(x, y)^2 <= x",
        "min(x, 1/3)^2 != abs(x)",
        "max(2, 0.5)^2 != abs(sqrt(3))",
        "ip(u, v)/n2(u - u) <= max(2/3, ip(u, v)/n2(u - u))",
        "sqrt(-1) + x <= x",
    ],
)
def test_every_decision_can_be_shown(claim: str) -> None:
    """Powers of maxima, roots of constants and divisors of 0 have a document and a page."""
    decision = fp.decide(claim, briefly=True)

    assert decision.to_dict()["verdict"] in ("proved", "refuted", "open")
    assert decision._repr_html_()


def test_numbers_beyond_all_doubles_are_shown() -> None:
    """Both sides of a refutation are numbers, however large."""
    assert fp.decide("1e999*x <= 1").sides == "1e+999 > 1"


_OPERATIONS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv,
}  # fmt: skip


def by_python(node: ast.AST, at: dict[str, Fraction]) -> Fraction:
    """The value of an expression by Python's grammar and its fractions."""
    if isinstance(node, ast.Constant):
        return Fraction(str(node.value))
    if isinstance(node, ast.Name):
        return at[node.id]
    if isinstance(node, ast.UnaryOp):
        value = by_python(node.operand, at)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.Call):
        assert isinstance(node.func, ast.Name)
        function: Callable[..., Fraction] = {"abs": abs, "max": max, "min": min}[node.func.id]
        return function(*(by_python(a, at) for a in node.args))
    assert isinstance(node, ast.BinOp)
    left, right = by_python(node.left, at), by_python(node.right, at)
    if isinstance(node.op, ast.Pow):
        assert right.denominator == 1
        return Fraction(left ** int(right))
    return Fraction(_OPERATIONS[type(node.op)](left, right))


def random_text(draw: random.Random, depth: int) -> str:
    """An expression as anybody may type it, with as many blanks and parentheses as it happens to have."""
    if depth == 0 or draw.random() < 0.15:
        return draw.choice(["x", "y", "z", "2", "7", "0.5", "1.25", "3e-1", ".5"])
    left, right = random_text(draw, depth - 1), random_text(draw, depth - 1)
    kind = draw.randrange(10)
    if kind < 5:
        blank = draw.choice(["", " "])
        return f"{left}{blank}{draw.choice('+-*/')}{blank}{right}"
    if kind == 5:
        return draw.choice("-+") + left
    if kind == 6:
        return f"({left})**{draw.choice(['2', '3', '-1', '0', '(1 + 1)'])}"
    if kind == 7:
        return f"{draw.choice('xyz')}**{draw.choice(['2', '-2', '2**1'])}"
    if kind == 8:
        return f"{draw.choice(['max', 'min'])}({left}, {right})"
    return f"abs({left})" if draw.random() < 0.3 else f"({left})"


def test_what_is_read_has_the_value_that_python_gives_it() -> None:
    """Random expressions, read by our grammar and by Python's, agree in exact value; `^` is `**`."""
    draw, compared = random.Random(7), 0
    for _ in range(600):
        text = random_text(draw, 4)
        at = {name: Fraction(draw.randint(-6, 6), draw.randint(1, 4)) for name in "xyz"}
        try:
            expected = by_python(ast.parse(text, mode="eval").body, at)
            made = step(text.replace("**", draw.choice(["**", "^"])) + " <= 0").claim
        except (ZeroDivisionError, InputError):  # 1/0, or an exponent beyond our bound
            continue
        compared += 1

        assert rational_value(made.lhs, at) == expected, text
    assert compared > 400


@pytest.mark.parametrize("given", [["n = 1/2"], ["0 < n", "2*n < 1"]])
def test_exponents_that_cannot_be_whole_prove_nothing(given: list[str]) -> None:
    """At n = 1/2 and x = -1 it is -1 >= 0; read as whole, n is nowhere: open, whatever a certificate says."""
    found = fp.decide("x^(2*n) >= 0", given=given)

    assert found.verdict == "open"
    assert (
        "no point was found at which its hypotheses hold; the exponent n is read as a whole" in found.detail
    )


def test_exponents_that_may_be_whole_are_said_to_be_read_so() -> None:
    """The example is whole too, and who types T in a sum has said what it is."""
    found = fp.decide("x^(2*n) >= 0", given=["n >= 1/2"])

    assert found.verdict == "proved"
    assert found.detail.endswith("; the exponent n is read as a whole number")
    assert found.example is not None
    assert found.example.point["n"].denominator == 1
    summed = fp.decide("sum(a(t), t, 1, T) <= T*B", given=["T >= 1", "a(t) <= B for t = 1..T"])
    assert (summed.verdict, "read as" in summed.detail) == ("proved", False)
