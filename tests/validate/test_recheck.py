"""The script that re-checks an audit shares no code with it, agrees with it, and sees what is planted."""

from __future__ import annotations

import ast
import json
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_relation as decide_exactly
from fedproof.bounds import catalog
from fedproof.proof.decide import decide
from fedproof.proof.plain_text import plain_text
from fedproof.proof.step import Step
from fedproof.proof.vectors import n2, vectors
from fedproof.validate import recheck as script
from fedproof.validate.audit import audit, judge
from fedproof.validate.proof_basis import statement_row
from fedproof.vocabulary.result import jsonable, to_json

x, y = sp.symbols("x y", real=True)
SIGMA = sp.Symbol("\u03c3", real=True)
u, v = vectors("u v")
SOURCE = Path(script.__file__)

STEPS = (
    Step(x**2 >= x, (x >= 0,), "square"),
    Step(n2(u + v) <= n2(u) + n2(v), (), "vectors", rule="quad"),
    Step(sp.sqrt(x + 1) <= sp.sqrt(y), (x > 0, y > x), "roots"),
    Step(1 / x > -1, (), "reciprocal", witness=(("x", "-1"),)),
    Step(x**2 >= 0, (x >= 1,), "true"),
)


def document(**changes: Any) -> dict[str, Any]:
    """An audit of a few steps, as its JSON is read back."""
    rows = [decide(s).to_dict() for s in STEPS]
    found: dict[str, Any] = json.loads(json.dumps(jsonable({"steps": rows, "statements": []})))
    for name, change in changes.items():
        found["steps"][[s.id for s in STEPS].index(name)] |= change
    return found


def run(folder: Path, found: dict[str, Any]) -> tuple[int, str]:
    """The script alone, in a Python that sees neither fedproof nor any library."""
    (folder / "recheck.py").write_bytes(SOURCE.read_bytes())
    (folder / "audit.json").write_text(json.dumps(found))
    command = [sys.executable, "-I", "-S", "recheck.py", "audit.json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_it_is_short_and_stands_alone() -> None:
    """It is one file of bounded length, and it imports nothing but the standard library."""
    text = SOURCE.read_text(encoding="utf-8")
    nodes = [n for n in ast.walk(ast.parse(text)) if isinstance(n, (ast.Import, ast.ImportFrom))]
    names = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
    names |= {n.module or "" for n in nodes if isinstance(n, ast.ImportFrom)}

    assert text.count("\n") <= 1770
    assert {n.partition(".")[0] for n in names} <= set(sys.stdlib_module_names)
    assert "eval" not in {n.func.id for n in ast.walk(ast.parse(text))
                          if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}  # fmt: skip


def test_it_confirms_what_was_decided(tmp_path: Path) -> None:
    """Every refutation and every example is confirmed, with both sides, without fedproof in reach."""
    code, text = run(tmp_path, document())

    assert code == 0
    assert text.splitlines() == [
        "square: confirmed: 1/4 < 1/2",
        "vectors: confirmed: 4 > 2",
        "roots: confirmed: 1.22474487139 > 1",
        "reciprocal: confirmed: -1 = -1",
        "true: confirmed: 1 hypotheses hold together",
        "5 confirmed, 0 not confirmed, 0 not read",
        "proofs: 1 confirmed, 0 of them by what steps they use list; 0 not confirmed, 0 without one",
        "statements that hold: 0 by proofs that are confirmed, 0 not confirmed, 0 without one",
    ]
    wrong, odd = {"true": {"example": {"given": ["x > 1"], "at": {"x": "1"}}}}, {"square": {"witness": {}}}
    said = [run(tmp_path, document(**change)) for change in (wrong, odd, wrong | odd)]
    assert [code for code, _ in said] == [1, 2, 1]
    assert "3 confirmed, 1 not confirmed, 1 not read" in said[2][1]


def test_an_audit_of_one_step_shows_the_row_that_it_cites() -> None:
    """A formula that another text grants is confirmed only beside the row that says so."""
    id, cited = "fedproxvr.direct.smooth.client", "fedproxvr.smooth_descent"
    found: dict[str, Any] = json.loads(to_json(audit(id)))

    assert [(row["id"], row["verdict"]) for row in found["basis"]] == [(cited, "cited")]
    assert script.proofs(found) == ([id], [], [])
    assert script.proofs(found | {"basis": []})[0] == []


def test_an_audit_of_one_statement_shows_what_it_rests_on() -> None:
    """Its last step, all that this uses and its proofs are confirmed; with any of them spoilt it is not."""
    id = "composite.lemmaA1.short.sharpened"
    found: dict[str, Any] = json.loads(to_json(audit(id)))
    statement, below = found["statements"][0], [row["id"] for row in found["basis"]]
    proved = script.proofs(found)
    assert set(proved[0]) == set(below)
    assert proved[1:] == ([], [])
    assert script.statements(found, proved[0]) == ([id], [], [])

    def said(**changes: Any) -> tuple[list[str], list[str], list[str]]:
        good, rejected, without = script.statements(found | {"statements": [statement | changes]}, below)
        return good, [i for i, _ in rejected], without

    def basis(**changes: Any) -> list[str]:
        rows = [r | changes if r["id"] in statement["because"] else r for r in found["basis"]]
        return script.statements(found | {"basis": rows}, below)[0]

    assert said() == ([id], [], [])
    for k, proof in enumerate(statement["proofs"]):
        turned = proof | {"claim": ["<", *reversed(proof["claim"][1:])]}
        spoilt = [*statement["proofs"][:k], turned, *statement["proofs"][k + 1 :]]
        assert said(proofs=spoilt) == ([], [id], [])
    for wrong in ([], "", {}, ["composite.eq1"], [*statement["because"], ""]):
        assert said(because=wrong) == ([], [id], [])
    for odd in ({"verdict": "holds not"}, {"verdict": None}, {"kind": "other"}, {"proofs": None}):
        assert said(**odd) == ([], [id], [])
    assert said(kind="log_convex", proofs=[]) == ([], [], [id])
    for kind in ("implies", "monotone", "order", "observed", "reported"):
        assert said(kind=kind, proofs=[]) == ([], [id], [])
    for k in range(len(statement["rests_on"])):
        hidden = [*statement["rests_on"][:k], *statement["rests_on"][k + 1 :]]
        assert said(rests_on=hidden) == ([], [id], [])
    assert said(verdict="refuted") == ([], [], [])
    assert basis() == [id]
    assert basis(verdict="open") == basis(id="another") == []
    assert script.statements(found | {"statements": [statement, statement]}, below)[0] == []
    assert script.statements(found, set(below) - {*statement["because"]})[0] == []


@pytest.mark.parametrize("id", ["composite.lemmaA1", "composite.section4.pl.logistic", "fedprox.remark5"])
def test_what_holds_amended_does_not_simply_hold(id: str) -> None:
    """A verdict edited to a stronger word is rejected, by what the proof assumes or by the reading."""
    found: dict[str, Any] = json.loads(to_json(audit(id)))
    row, below = found["statements"][0], [r["id"] for r in script._steps(found)]
    assert row["verdict"] == "holds amended"

    def said(**changes: Any) -> list[str]:
        return script.statements(found | {"statements": [row | changes]}, below)[0]

    assert said() == [id]
    assert said(verdict="holds") == []
    if not row["reading"]:
        named = [*row["assumptions"], *({"id": need} for need in row["basis"]["needs"])]
        assert said(verdict="holds", assumptions=named) == [id]
        assert said(verdict="holds", assumptions=named[:-1]) == []


def test_what_a_bound_on_the_way_grants_is_taken_from_it() -> None:
    """The closed chain names no criterion for local solves: Lemma 1 grants it, which its row shows."""
    id = "fedproxvr.certified.sarah"
    row = statement_row(judge(catalog.statement(id)))
    assert row["verdict"] == "holds"
    assert row["granted"] == {"fedproxvr.lemma1.sarah": catalog.statement("fedproxvr.lemma1.sarah").grants}


def test_what_an_audit_rests_on_is_rechecked_too() -> None:
    """An instance in the basis is looked at as any other; rows without an id or a text are no crash."""
    steps = document()["steps"]
    square = next(row for row in steps if row["id"] == "square")
    wrong = square | {"instance": square["instance"] | {"claim": "1 <= 2"}}
    audit = {"steps": [], "basis": [wrong], "statements": []}

    assert [(id, code) for id, code, _ in script.recheck(audit)] == [("square", 1)]
    assert [code for _, code, _ in script.recheck(audit | {"basis": [{"instance": wrong["instance"]}]})] == [
        2
    ]
    assert script.proofs({"steps": [{"id": "text", "verdict": "cited"}]}) == ([], [], [])


def stated(claim: str, *given: str) -> dict[str, Any]:
    """Another claim of numbers, under other hypotheses."""
    return {"instance": {"given": list(given), "claim": claim}}


@pytest.mark.parametrize(("name", "change", "code"), [
    ("square", {"witness": {"x": "2"}}, 1),
    ("square", {"witness": {"x": "-1/2"}}, 1),
    ("square", {"witness": {"x": "1"}}, 1),
    ("square", stated("x**2 >= x", "x >= 1"), 1),
    ("square", stated("x**2 <= x"), 1),
    ("roots", stated("sqrt(2)*sqrt(3) <= sqrt(6)"), 1),
    ("roots", stated("x > 1", "sqrt(x) < sqrt(x)"), 1),
    ("reciprocal", stated("x > 0", "1/x > -1"), 1),
    ("true", {"example": {"given": ["x >= 1"], "at": {"x": "1/2"}}}, 1),
    ("true", {"claim": "x <= 0"}, 1),
    ("square", {"witness": {"x": "one half"}}, 2),
    ("square", {"witness": {"x": "1/0"}}, 2),
    ("square", {"witness": {}}, 2),
    *(("square", stated(claim), 2) for claim in (
        "__import__('os').system('true') > 0", "x.real > 0", "(lambda: 1)() > 0", "exp(x) > 0", "x**y > 0",
        "x**(1/3) > 0", "x > 0 > 1", "x =",
    )),
])  # fmt: skip
def test_what_is_planted_is_seen(name: str, change: dict[str, Any], code: int) -> None:
    """Other numbers, hypotheses or claims are not confirmed; what is no plain arithmetic is never run."""
    found = {id: (code, said) for id, code, said in script.recheck(document(**{name: change}))}

    assert found[name][0] == code
    assert found[name][1].startswith(("", "NOT CONFIRMED", "could not be read")[code])
    assert [c for c, _ in found.values()].count(0) == 4


@pytest.mark.parametrize("arguments", [["audit.json", "audit.json"], ["nothing.json"], []])
def test_it_reads_one_file_that_says_something(tmp_path: Path, arguments: list[str]) -> None:
    """A second file is not passed over, and an audit of nothing confirms nothing: exit 2."""
    run(tmp_path, document())
    (tmp_path / "nothing.json").write_text('{"steps": [], "statements": []}')
    command = [sys.executable, "-I", "-S", "recheck.py", *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)

    assert done.returncode == 2
    assert done.stdout.startswith("could not be read")


def numbers(change: dict[str, Any]) -> dict[str, Any]:
    """|u|^2 <= 2 x, where 0 < x, which fails at u = 2, x = 1, as an audit says so; with a change."""
    worked = {"left": {"filled": "2**2"}, "sign": "<=", "right": {"filled": "2*1"}}
    said = {"given": ["x > 0"], "claim": "u_1**2 <= 2*x"}
    witness = {"u_1": "2", "x": "1"}
    row = {"id": "r", "verdict": "refuted", "witness": witness, "instance": said, "given": ["x > 0"]}
    return row | {"claim": "n2(u) <= 2*x", "worked": worked} | change


@pytest.mark.parametrize(("change", "code"), [
    ({}, 0),
    ({"claim": "u_1**2 <= 2*x", "worked": None}, 0),
    ({"claim": "Eq(u_1**2, 2*x)", "worked": None, "instance": {"given": [], "claim": "u_1**2 == 2*x"}}, 0),
    ({"instance": {"given": ["x > 0"], "claim": "1 <= 0"}}, 1),
    ({"instance": {"given": ["x > 0"], "claim": "u_1**2 < 2*x"}}, 1),
    ({"instance": {"given": [], "claim": "1 <= 0"}, "claim": "u_1**2 >= 2*x", "worked": None}, 1),
    ({"instance": {"given": [], "claim": "1 <= 0"}, "claim": "Eq(u_1**2, 4*x)", "worked": None}, 1),
    ({"instance": {"given": [], "claim": "1 <= 0"}, "worked": None}, 1),
    ({"instance": {"given": [], "claim": "u_1 <= 2*x"}, "witness": {"u_1": "2", "x": "-1"}}, 1),
    ({"worked": {"left": {"filled": "2**2"}, "sign": "<=", "right": {"filled": "2*0"}}}, 1),
    ({"worked": {"left": {"filled": "2**2"}, "sign": "<=", "right": {"filled": "2*1) <= (2"}}}, 2),
])  # fmt: skip
def test_numbers_that_break_another_claim_than_the_rows_are_not_confirmed(
    change: dict[str, Any], code: int
) -> None:
    """What fails is the row's own claim, or else the line that it shows; its hypotheses on numbers hold."""
    ((_, found, said),) = script.recheck({"steps": [numbers(change)], "statements": []})

    assert found == code, said


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("sqrt(5 + 2*sqrt(6)) == sqrt(2) + sqrt(3)", True),
        ("sqrt(5 + 2*sqrt(6)) == sqrt(2) + sqrt(3) + 1/10**40", False),
        ("sqrt(5 + 2*sqrt(6)) < sqrt(2) + sqrt(3) + 1/10**40", True),
        ("1/(sqrt(8) - 2*sqrt(2) + 1) == 1", True),
        ("sqrt(sqrt(8) - 2*sqrt(2)) <= 0", True),
        ("sqrt(sqrt(8) - 3) >= 0", False),
        ("1/(sqrt(8) - 2*sqrt(2)) > 0", False),
        ("4**(3/2) == 8", True),
        ("(1 + sqrt(2))**-2 == 3 - 2*sqrt(2)", True),
        ("16**(1/4) == 2", True),
        ("Max(sqrt(2), 7/5, Min(3, 1)) > 707/500", True),
        ("Abs(1 - sqrt(2)) == sqrt(2) - 1", True),
        ("(sqrt(2) + sqrt(3))/(sqrt(2) - sqrt(3)) == -5 - 2*sqrt(6)", True),
    ],
)
def test_nested_roots_are_decided_exactly(claim: str, holds: bool) -> None:
    """Equal radicals are equal and near ones are not; a root of a negative number and 1/0 are undefined."""
    said = {"given": [], "claim": claim}
    row = {"id": "r", "verdict": "refuted", "witness": {}, "instance": said, "claim": claim}
    ((_, code, _),) = script.recheck({"steps": [row], "statements": []})

    assert code == int(holds)


def typed(chance: random.Random, depth: int) -> sp.Expr:
    """A random expression with roots, quotients, Max, Min and Abs, kept as typed."""
    if depth == 0:
        rational = sp.Rational(chance.randint(0, 5), chance.randint(1, 4))
        return chance.choice([x, y, sp.Integer(chance.randint(0, 4)), rational])
    a, b = typed(chance, depth - 1), typed(chance, chance.randint(0, depth - 1))
    kind = chance.choice("+-*/^rrMmA")
    makers: dict[str, Any] = {
        "+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b, "^": lambda: a**2,
        "r": lambda: sp.sqrt(a), "M": lambda: sp.Max(a, b, evaluate=False),
        "m": lambda: sp.Min(a, b, evaluate=False), "A": lambda: sp.Abs(a, evaluate=False),
    }  # fmt: skip
    return makers[kind]()


def test_two_arithmetics_agree() -> None:
    """On random relations the script and the exact decisions of the library never differ."""
    chance = random.Random(11)
    verdicts = []
    for _ in range(600):
        with sp.evaluate(False):
            kind = chance.choice([sp.Le, sp.Lt, sp.Ge, sp.Gt, sp.Eq])
            relation = kind(typed(chance, chance.randint(1, 4)), typed(chance, 2), evaluate=False)
        at = {n: Fraction(chance.randint(-3, 6), chance.randint(1, 3)) for n in ("x", "y")}
        row = {
            "id": "r", "verdict": "refuted", "witness": {n: str(q) for n, q in at.items()},
            "instance": {"given": [], "claim": plain_text(relation)}, "claim": plain_text(relation),
        }  # fmt: skip
        ((_, code, said),) = script.recheck({"steps": [row], "statements": []})
        verdicts.append(code)
        assert code == int(decide_exactly(relation, at).holds), (relation, at, said)

    assert min(verdicts.count(0), verdicts.count(1)) > 150


@pytest.mark.parametrize(
    "step",
    [
        Step(sp.Ne(x, 1), (sp.Eq(x**2, 1),)),
        Step(2 * SIGMA <= SIGMA**2),
    ],
)
def test_what_is_refuted_is_confirmed(step: Step) -> None:
    """By the claim as it was typed, with names of any alphabet."""
    row = json.loads(json.dumps(jsonable(decide(step).to_dict())))
    ((_, code, why),) = script.recheck({"steps": [row], "statements": []})
    assert (row["verdict"], code) == ("refuted", 0), why
    assert row["detail"].endswith(row["sides"])
