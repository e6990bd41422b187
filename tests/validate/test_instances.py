"""What a refutation lists of its instances makes them: what may be said of none is told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

import fedproof as fp
from fedproof.proof.decide import decide
from fedproof.proof.forall import ForAll
from fedproof.proof.sequences import sequence
from fedproof.proof.step import Step
from fedproof.validate.claims.instances import unmade
from fedproof.vocabulary.errors import FedproofError

N, X, Y, Z = sp.symbols("n x y z", real=True)
P = sp.Symbol("p", positive=True)
T = sp.Symbol("t", integer=True)
V, U = sequence("V", nonnegative=True), sequence("U")


def holds(said: sp.Basic, given: Sequence[sp.Basic]) -> bool:
    """For every n >= 4."""
    return decide(Step(said, (N >= 4, *given)), briefly=True).verdict == "proved"


def eq(one: Any, other: Any) -> sp.Basic:
    """An equation that nobody simplifies."""
    return sp.Eq(one, other, evaluate=False)


def recursion(value: Any, head: Any = None, lo: int = 0) -> ForAll:
    """V(t + 1) for every t from lo to n."""
    return ForAll(eq(V(T + 1) if head is None else head, value), T, lo, N)


MADE = {
    "a name": [eq(X, N + 1)],
    "in any order": [eq(Y, X + N), eq(X, 3)],
    "a divisor above 0": [eq(X, 1 / (N - 3))],
    "a root": [eq(X, sp.sqrt(N - 4 + 1))],
    "any number": [eq(Y, X + Z)],
    "a sign of any number": [X >= 0, eq(Y, X)],
    "of a declared sign": [eq(P, N - 3)],
    "a recursion": [recursion(V(T) / 2 + N), eq(V(0), 0)],
    "an inequality beside it": [
        recursion((V(T) + N) / 2),
        eq(V(0), 0),
        ForAll(V(T + 1) <= N / 2 + V(T) / 2, T, 0, N),
    ],
    "terms": [eq(U(0), N), eq(U(1), U(0) - N**2)],
    "said twice": [eq(X, N), eq(X, N)],
}
UNMADE = {
    "an inequality": [X <= 2 - N],
    "two equations": [eq(X, N), eq(X, 5)],
    "in a circle": [eq(X, Y + 1), eq(Y, X + 1)],
    "of itself": [eq(X, X + 1)],
    "undefined at n = 9": [eq(X, 1 / (N - 9))],
    "a root that ends": [eq(X, sp.sqrt(9 - N))],
    "no function that is known": [eq(X, sp.log(9 - N))],
    "against its declared sign": [eq(P, 9 - N)],
    "a sequence against its sign": [recursion(V(T) - 1), eq(V(0), N)],
    "a first term against its sign": [eq(V(0), 9 - N)],
    "a recursion without a start": [recursion(V(T) / 2)],
    "a recursion that starts later": [recursion(V(T) / 2, lo=1), eq(V(0), 0)],
    "a term that a recursion makes": [eq(V(0), 0), eq(V(1), 7), recursion(V(T) / 2)],
    "such a term after it": [eq(V(0), 0), recursion(V(T) / 2), eq(V(1), 7)],
    "two steps on": [eq(V(0), 0), recursion(V(T) / 2, V(T + 2))],
    "a sign of what is made": [eq(X, 9 - N), X >= 0],
    "both signs": [X >= 0, X <= 0],
    "an inequality beside another": [eq(X, N), X <= 9],
    "for other indices": [eq(V(0), 0), recursion(V(T) / 2), ForAll(V(T + 1) <= V(T) / 2, T, 0, 2 * N)],
    "a known letter": [eq(N, 5)],
    "a known letter of other assumptions": [eq(sp.Symbol("n", positive=True), 5)],
    "a whole number": [eq(sp.Symbol("k", integer=True), N / 2)],
    "a square": [eq(X**2, 9 - N)],
}


@pytest.mark.parametrize("said", MADE.values(), ids=MADE)
def test_what_makes_its_names_has_instances(said: list[Any]) -> None:
    """Equations from what is known, recursions from a first term, and numbers that are free."""
    assert unmade(said, {N}, holds) == []


@pytest.mark.parametrize("said", UNMADE.values(), ids=UNMADE)
def test_what_may_have_no_instance_is_told(said: list[Any]) -> None:
    """Each of these can be said so that nothing satisfies it for some n >= 4."""
    assert unmade(said, {N}, holds)


KEY = "own_instances"
TEXT = """
from fedproof.author import *

KEY = "own_instances"
NOTATION = Notation()
L, T = NOTATION.symbol("L", "smoothness"), NOTATION.symbol("T", "local_steps")
n = sp.Symbol("n", real=True)
V, U = sequence("V", nonnegative=True), sequence("U")
by = step_writer(KEY, __name__)
METRIC = V(0)
c, k = sp.Symbol("c", real=True), sp.Symbol("k", integer=True)

with printed():
    EVERY = ForEvery(Eq(c, k * (T - 2)), (), "instance: the number", ((k, 0, 1),))
    INST = assume("instance: the losses", SAID)
    LEAST = by.sum("least", "instance")((T - 2) * L <= METRIC, Eq(L, 1), T >= 1, INST, MORE)
    BAD = by.real("bad", "claim")(
        (T - 2) * L <= L, T >= 1, Eq(L, 1), flaw="gap", note="broken", witness=values("T=4 L=1")
    )
    METRIC_RELATIONS = {"squared_gradient >=": (number("bound") <= METRIC,)}
    LOCAL = (Condition("(1)", T >= 1, "(1)"),)
    GROWS = Statement(
        f"{KEY}.grows", "grows", Source(KEY, "2"), letters=NOTATION.letters(L, T), conditions=LOCAL,
        claim=Hidden("squared_gradient", L, family=Family(n, 4, ((L, sp.Integer(1)), (T, n)), n / 4)),
        counterexample=(LEAST.id,),
    )
    BREAKS = Statement(
        f"{KEY}.breaks", "breaks", Source(KEY, "3"), letters=NOTATION.letters(L, T), conditions=LOCAL,
        claim=Bound("squared_gradient", L), counterexample=(LEAST.id, BAD.id),
    )
"""


def verdicts(own_papers: Path, said: str, metric: str = "V(0)", more: str = "T >= 1") -> list[str]:
    """What an audit finds of both refutations."""
    file = own_papers / f"{KEY}.py"
    text = TEXT.replace("SAID", said).replace("METRIC = V(0)", f"METRIC = {metric}")
    file.write_text(text.replace("MORE", more))
    fp.use(file)
    return [found.verdict for found in fp.audit(KEY).statements]


@pytest.mark.parametrize(
    ("said", "metric", "more", "expected"),
    [
        ("Eq(V(0), T)", "V(0)", "T >= 1", "refuted"),
        ("V(0) <= 2 - T, V(0) >= 0", "V(1)", "T >= 1", "open"),
        ("Eq(V(0), 2 - T)", "V(0)", "T >= 1", "open"),
        ("Eq(U(0), c)", "U(0)", "EVERY.at(1)", "open"),
    ],
    ids=["instances", "none where it is broken", "against a sign", "for every index"],
)
def test_a_refutation_has_instances(
    own_papers: Path, said: str, metric: str, more: str, expected: str
) -> None:
    """Where what is said of the instances leaves none, along the family or at the numbers, it is open."""
    assert verdicts(own_papers, said, metric, more) == [expected, expected]


def test_a_refutation_speaks_of_a_run(own_papers: Path) -> None:
    """A metric that the steps call an expression in given letters breaks no claim: it is no metric."""
    with pytest.raises(FedproofError, match="no expression in the letters"):
        verdicts(own_papers, "Eq(V(0), T)", "T * L")
