"""Shipped certificates that were tampered with: rejected, or valid as they are and seen to be so."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp

from fedproof.proof.certificates import Proved, accepted
from fedproof.proof.certify.live import proof
from fedproof.proof.grounds import grounds, unpaid
from fedproof.proof.step import Step
from fedproof.proof.vectors import ip, vectors
from fedproof.validate.recheck import proofs
from fedproof.vocabulary.source import Source
from tests.proof.attack.compositions import CONVEX, FIELD, NOTHING, standing_at
from tests.proof.attack.confirm import paper, row
from tests.proof.attack.tamperings import run

u, w, d0, d1 = vectors("u w d0 d1")
f0, f1 = sp.symbols("f0 f1", real=True)
SOURCE = Source("fedproxvr", "nowhere")
CLOSED = Step(ip(d0 - d1, u - w) >= 0, (CONVEX[0].at(),), "closed", rule="quad", source=SOURCE)
Document = dict[str, Any]


def test_no_tampering_passes() -> None:
    """Kernel and script agree on each; what is taken for the step is its claim, from what is shown."""
    count, wrong = run(range(200), 4_000)

    assert wrong == []
    assert count["rejected by both"] > 0.6 * 200


@pytest.fixture(scope="module")
def closed() -> Proved:
    """A step that is brought down to an assumption of its paper."""
    with standing_at(FIELD):
        found = proof(CLOSED, 5.0)
    assert isinstance(found, Proved)
    return found


def verdict(document: Document) -> bool:
    """Whether a step is proved by a certificate with a closing, and the script confirms both."""
    used = proof(CONVEX[0], 5.0)
    assert isinstance(used, Proved)
    made = accepted(CLOSED, document, {used.step.id: used})
    with standing_at(FIELD):
        if made is None or unpaid(grounds(made)):
            return False
        made_rows = [row(used), row(made)]
    document = {"steps": made_rows, "papers": [paper(FIELD)]}
    return len(proofs(document)[0]) == len(made_rows)


def test_a_closing_pays(closed: Proved) -> None:
    """As it stands."""
    assert verdict(dict(closed.document))
    with standing_at(FIELD):
        assert {g.kind for g in grounds(closed)} == {"meaning", "assumption"}


def _formula(c: Document) -> None:
    given = next(g for g in c["given"] if g["from"]["kind"] == "assumption")
    given["is"][3][3][1] = "0"


def _value(c: Document) -> None:
    c["lines"][-1][1][2][0][1] = ["of", "f", "w"]


def _claim(c: Document) -> None:
    c["claim"] = c["lines"][-1][0] = ["<=", "1", "0"]


def _given(c: Document) -> None:
    c["given"].append({"is": c["claim"], "from": {"kind": "assumption", "id": "convex"}})


def _mine(c: Document) -> None:
    c["given"].append({"is": ["<=", "1", "0"], "from": {"kind": "own"}})
    c["lines"].insert(0, [["<=", "1", "0"], ["given", len(c["given"]) - 1]])


def _short(c: Document) -> None:
    del c["lines"][-1]


def _other(c: Document) -> None:
    c["lines"][-1][1][1] = "monotone"


def _kind(c: Document) -> None:
    c["names"]["u"] = "real"


def _unpaid(c: Document) -> None:
    c["lines"][-1][1][3][0] = 0


CHANGES: tuple[Callable[[Document], None], ...] = (
    _formula, _value, _claim, _given, _mine, _short, _other, _kind, _unpaid,
)  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_closing_that_was_tampered_with_pays_nothing(
    closed: Proved, change: Callable[[Document], None]
) -> None:
    """Formulas, values, lines, kinds: the step is then open, as it was without."""
    document = json.loads(json.dumps(dict(closed.document)))
    change(document["closing"])

    assert not verdict(document)


def test_rows_that_say_otherwise_are_not_confirmed(closed: Proved) -> None:
    """A refuted step with a proof, a proved one without, one id twice, a use that the row does not name."""
    used = proof(CONVEX[0], 5.0)
    assert isinstance(used, Proved)
    with standing_at(NOTHING):
        good = row(used)

    assert proofs({"steps": [good]}) == ([good["id"]], [], [])
    assert proofs({"steps": [{**good, "verdict": "refuted"}]})[0] == []
    assert proofs({"steps": [{**good, "certificate": None}]})[2] == [good["id"]]
    assert proofs({"steps": [good, good]})[0] == []
    assert proofs({"steps": [good, {**good, "id": "other", "uses": None}]})[0] != ["other"]


def test_a_whole_number_in_a_closing_is_told() -> None:
    """Formulas granted for all reals are not granted for whole numbers alone, nor the other way round."""
    x = sp.Symbol("x", real=True)
    counted = Step(sp.Symbol("N", integer=True) ** 2 >= sp.Symbol("N", integer=True), (), "N")
    step = Step(x**2 >= x, (counted.at({sp.Symbol("N", integer=True): x}),), "user")
    found = proof(step, 5.0)

    assert isinstance(found, str) or [g.text for g in unpaid(grounds(found))] == ["x is a whole number"]
