"""What exists for large values exists by leading coefficients that are proved, where all is defined."""

from __future__ import annotations

from pathlib import Path

import pytest

import fedproof as fp
from fedproof.bounds.catalog import statement, statement_ids
from fedproof.validate.claims import exists

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
    """False at c = 2, 3 or 0: a limit for letters in general says nothing of these."""
    assert verdict(own_papers, relation) == found


@pytest.mark.parametrize("relation", [
    "x**2 >= c * x + c", "x**2 / (x + c) >= c + 1",
])  # fmt: skip
def test_the_true_twins_hold(own_papers: Path, relation: str) -> None:
    """Polynomials and ratios whose ends are proved for every c >= 0."""
    assert verdict(own_papers, relation) == "holds"


def test_the_shipped_claims_of_existence_stand() -> None:
    """Five, of which one is refuted by an exact range."""
    claims = [of for id in statement_ids() if (of := statement(id)).claim.kind == "exists"]
    assert sorted(exists.judge(of).verdict for of in claims) == ["holds"] * 4 + ["refuted"]


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
