"""What exists is chosen from some number on, and what is asked of it is proved there."""

from __future__ import annotations

import copy
import random
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

import fedproof as fp
from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.bounds.catalog import statement, statement_ids
from fedproof.bounds.claims import Exists
from fedproof.output import jsonable
from fedproof.validate import recheck
from fedproof.validate.claims import exists
from fedproof.validate.claims.choice import Link, Serving, asked, serving
from fedproof.validate.proof_basis import statement_row
from fedproof.validate.statement_verdict import standing

#: the shipped claims of existence that hold
HOLD = ("remark1.1.sarah", "remark1.1.svrg.repaired", "remark1.1.svrg.sharpened", "remark2.1.mu")
KEY = "existing_paper"
TEXT = '''"""Something exists."""

from fedproof.author import *

KEY = "existing_paper"
QUANTITIES = tuple(Quantity(name, name, "1", NONNEGATIVE) for name in ("power", "base"))
NOTATION = Notation()
x, c = NOTATION.symbol("x", "base"), NOTATION.symbol("c", "power")
with printed():
    CLAIM = Statement(
        f"{KEY}.claim", "claim", Source(KEY, "1"), letters=NOTATION.letters(c),
        claim=Exists(NOTATION.letters(x), (RELATION,)), conditions=(),
    )
'''


def verdict(own_papers: Path, relation: str) -> str:
    """What an audit finds of: for every c >= 0 some x >= 0 has it."""
    file = own_papers / f"{KEY}.py"
    file.write_text(TEXT.replace("RELATION", relation))
    fp.use(file)
    return fp.audit(f"{KEY}.claim").statements[0].verdict


@pytest.mark.parametrize(("relation", "found"), [
    ("x >= x**c / 2 + 1", "refuted"),
    ("x >= 1 / (c - 2)", "refuted"),
    ("x**2 >= c * x + sqrt(c - 1)", "refuted"),
    ("x * (c - 3)**2 >= 1", "open"),
    ("x * (c - 2)**2 >= 1", "refuted"),
    ("x * (c - 3) / (c - 3) >= 1", "open"),
    ("x * (c - 3)**2 / (x * (c - 3)**2 + 1) >= rational(1, 2)", "open"),
])  # fmt: skip
def test_what_does_not_exist_for_one_value_does_not_hold(own_papers: Path, relation: str, found: str) -> None:
    """False at c = 2, 3 or 0, whatever is so for letters in general."""
    assert verdict(own_papers, relation) == found


@pytest.mark.parametrize("relation", [
    "x**2 >= c * x + c", "x**2 / (x + c) >= c + 1", "2 * x >= c", "x**3 / (2 * c**2 - 4 * c + 3) >= c * x",
])  # fmt: skip
def test_the_true_twins_hold(own_papers: Path, relation: str) -> None:
    """Polynomials and ratios of them, for every c >= 0."""
    assert verdict(own_papers, relation) == "holds"


@pytest.mark.parametrize("id", HOLD)
def test_the_numbers_that_are_chosen_serve(id: str) -> None:
    """At drawn numbers that meet the conditions, decided exactly and without the certificates."""
    st, rng, tried = statement(f"fedproxvr.{id}"), random.Random(id), 0
    assert isinstance(st.claim, Exists)
    found = serving(st)
    assert found is not None
    while tried < 40:
        point = {x.name: Fraction(rng.randint(1, 40), rng.choice((1, 9, 50))) for x in st.letters}
        if not all(evaluate_relation(r, point).holds for r in standing(st)):
            continue
        for choice, letter in zip(found.choices, st.claim.choose, strict=True):
            assert choice.symbol == letter.symbol
            values = {
                sp.Symbol(n, real=True): sp.Rational(v.numerator, v.denominator) for n, v in point.items()
            }
            exact = st.expand(choice.low).xreplace(values).doit()
            low = Fraction(str(exact if exact.is_Rational else sp.ceiling(exact * 10**6) / 10**6))
            whole, share = rng.choice((ceil(low), floor(low) + 1)), Fraction(rng.randint(0, 9), 10)
            point[letter.name] = Fraction(whole) if letter.quantity.whole else low + share
        assert all(evaluate_relation(st.expand(r), point).holds for r in asked(st.claim)), point
        tried += 1


@pytest.mark.parametrize("id", HOLD)
def test_those_that_say_from_where_on_have_certificates(id: str) -> None:
    """And the script confirms them as they stand, and no other numbers."""
    row = jsonable(statement_row(exists.judge(statement(f"fedproxvr.{id}"))))
    said = {"key": "fedproxvr", "readings": {row["id"]: None}, "metrics": {}, "lists": [], "assumptions": []}

    def confirmed(changed: dict[str, Any]) -> bool:
        good, _, without = recheck.statements({"statements": [changed], "steps": [], "papers": [said]}, ())
        return bool(good) and not without

    assert (row["verdict"], row["because"]) == ("holds", ["certificate"])
    assert confirmed(row)
    for k, (name, _) in enumerate(row["says"]["chosen"]):
        says = copy.deepcopy(row["says"])
        says["chosen"][k] = [name, "1"]
        assert not confirmed(row | {"says": says})


def test_a_way_is_gone_in_order_and_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A relation that rests on a later one, or on none, and a way that ends before what is asked."""
    st = statement(f"fedproxvr.{HOLD[2]}")
    found = serving(st)
    assert found is not None
    *others, last = found.way
    low = found.choices[0].relations[0]
    undefined = [link for link in found.way if link.then.args[0] != link.then.args[1]]
    late = (Link((last.then,), last.then), *others)
    for way in (late, others, undefined, [Link((), low.lts > low.gts), last]):
        monkeypatch.setattr(exists, "serving", lambda _, way=way: Serving(found.choices, tuple(way)))
        assert exists.judge(st).verdict == "open"


def test_the_shipped_claims_of_existence_stand() -> None:
    """But one, which is refuted by an exact range."""
    claims = [of.id for id in statement_ids() if (of := statement(id)).claim.kind == "exists"]
    refuted = "fedproxvr.remark1.1.svrg"
    assert sorted(claims) == sorted((refuted, *(f"fedproxvr.{id}" for id in HOLD)))
    assert exists.judge(statement(refuted)).verdict == "refuted"


@pytest.mark.parametrize(("left", "found"), [
    ("x * sqrt(c - 1)", "open"), ("x + 1 / (c - 2)", "open"), ("x * (c - 3) / (c - 3)", "open"),
    ("x * sqrt(c + 1)", "holds"),
])  # fmt: skip
def test_an_order_is_of_what_is_defined(own_papers: Path, left: str, found: str) -> None:
    """x sqrt(c - 1) = O(x) says nothing at c = 0; with c + 1 below the root it holds."""
    file = own_papers / f"{KEY}.py"
    text = TEXT.replace("letters=NOTATION.letters(c)", "letters=NOTATION.letters(x, c)")
    text = text.replace("Exists(NOTATION.letters(x), (RELATION,))", f"Order({left}, x, x)")
    file.write_text(text.replace("conditions=()", 'conditions=(Condition("x >= 1", x >= 1, "1"),)'))
    fp.use(file)
    assert fp.audit(f"{KEY}.claim").statements[0].verdict == found
