"""Claims as sums of lines: one line, several that join each other, lines that contradict each other."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import flint
import pytest

from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.linear import linear
from fedproof.proof.certify.products import quickly
from fedproof.proof.certify.programme import Candidate, by_one, connected, weights
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.trees import Tree

ONE = Candidate({"": flint.fmpq(1)}, ("1",), strict=True)
KINDS = dict.fromkeys("uvwxyz", "real")


def candidate(random: Random, name: str) -> Candidate:
    """A random candidate with small coefficients."""
    value = {m: flint.fmpq(random.randint(-2, 2)) for m in ("", "a", "b")}
    kept = {m: v for m, v in value.items() if v != 0}
    free = random.random() < 0.3
    return Candidate(kept, (name,), free, not free and random.random() < 0.5)


def test_one_line_is_found_where_the_programme_finds_one() -> None:
    """On random lines, one at a time: the weights add up to 0, and there are some if there are any."""
    random = Random(5)
    for _ in range(300):
        base, other = replace(candidate(random, "base"), free=False), candidate(random, "other")
        if set(base.value) <= {""}:
            continue
        found = by_one(base, [other], ONE)
        by_programme = weights([base, other, ONE])
        alone = weights([other, ONE])
        assert found is None or by_programme is not None
        assert found is not None or by_programme is None or alone is not None
        for m in ("", "a", "b") if found else ():
            assert sum(w * c.value.get(m, 0) for w, c in found or ()) == 0
        assert all(w > 0 or c.free for w, c in found or ())
        assert not found or any(c.strict for _, c in found)


def test_what_joins_a_claim_step_by_step_is_kept_and_nothing_else() -> None:
    """Candidates that share monomials with it, directly or through others, and the number 1."""
    terms = [{"a": 1, "b": -1}, {"b": 1, "c": -1}, {"c": 1, "": -1}, {"d": 1, "e": -1}, {"e": 1, "d": -1}]
    base, *others = (Candidate({m: flint.fmpq(v) for m, v in t.items()}, (t,)) for t in terms)
    back = Candidate({"a": flint.fmpq(-1)}, ("back",))
    assert connected(base, [*others, back], ONE) == [base, others[0], others[1], back, ONE]
    assert connected(base, others, ONE) == []


@pytest.mark.parametrize(
    "given", [(("<", "x", "0"), ("<", "1", "x")), (("<", "x", "y"), ("<=", "y", "z"), ("<=", "z", "x"))]
)
def test_lines_that_contradict_each_other_prove_whatever_is_claimed(given: Any) -> None:
    """A case that cannot be: what is claimed there shares nothing with the lines, the second time too."""
    writer = Writer.of(KINDS, given, {})
    for claim in (("<=", "u", "v"), ("<", "v", "w")):
        assert linear(writer, claim) is not None
        assert writer.here.lines[quickly(writer, claim)] == claim


CHAIN: tuple[Tree, ...] = (("<=", "x", "y"), ("<", "y", ("+", "z", "1")), ("<=", "u", "v"))


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        (("<", "x", ("+", "z", "1")), True),
        (("<=", "x", ("+", "z", "2")), True),
        (("<", ("+", "x", "u"), ("+", "z", "v", "1")), True),
        (("<", "x", "z"), False),
        (("<=", "y", "x"), False),
        (("<=", "v", "u"), False),
        (("<", "x", "y"), False),
    ],
)
def test_a_sum_of_lines_is_a_proof_and_nothing_else_is(claim: Tree, true: bool) -> None:
    """The kernel takes what is found; each false claim is false at numbers where all lines hold."""
    writer = Writer.of(KINDS, CHAIN, {})
    if true:
        assert writer.here.lines[quickly(writer, claim)] == claim
        return
    assert any(holds(dict(zip("uvxyz", at, strict=True)), claim) for at in product((0, 1), repeat=5))
    with pytest.raises(NotFound):
        quickly(writer, claim)


def holds(at: dict[str, int], claim: Tree) -> bool:
    """Whether all lines hold at numbers, and a claim does not."""

    def value(tree: Tree) -> int:
        return (
            at.get(tree, 0)
            if tree in at
            else int(tree)
            if isinstance(tree, str)
            else sum(map(value, tree[1:]))
        )

    def true(relation: Tree) -> bool:
        left, right = map(value, relation[1:])
        return left < right if relation[0] == "<" else left <= right

    return all(map(true, CHAIN)) and not true(claim)


def test_hidden_lines_prove_nothing_and_come_back() -> None:
    """A line that is hidden for a while is read again afterwards."""
    writer = Writer.of(KINDS, CHAIN, {})
    writer.hidden = {0}
    assert linear(writer, ("<=", "x", "y")) is None
    writer.hidden = set()
    assert linear(writer, ("<=", "x", "y")) is not None
