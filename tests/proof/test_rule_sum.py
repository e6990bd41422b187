"""Sums with any number of terms: textbook steps are proved, falsehoods near them are refuted."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof import decide as module
from fedproof.proof.breaking import by_chance
from fedproof.proof.ready import made_ready
from fedproof.proof.rules import finite_instances as few
from fedproof.proof.rules import sum as rule
from fedproof.proof.rules.summation_ranges import LinearSums
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Let, Step, times
from fedproof.proof.vectors import n2, vectors
from fedproof.vocabulary.errors import InternalError
from tests.proof.finder import Writer
from tests.proof.logic import Eq, attempt, every, numbers

t, j, k, n, N, T, tau, s, a, c, L, beta, Theta, Fs, G0 = numbers("t j k n N T tau s a c L beta Theta Fs G0")
X, Y, Z, F = (sequence(i) for i in "XYZF")
D, E, G, V, p = (sequence(i, nonnegative=True) for i in "DEGVp")
ONE, ZERO = sp.Integer(1), sp.Integer(0)
Row = tuple[Any, tuple[Any, ...]]

with printed():
    MEAN = (N >= 1, times(c, Eq(total(p(n), n, 1, N), 1)))
    FIRST = (Let(s, X(0)),)
    TRUE: dict[str, Any] = {
        "telescoping by two": (
            Eq(total(X(t + 1) - X(t - 1), t, 1, n), X(n) + X(n + 1) - X(0) - X(1)), (n >= 1,)
        ),
        "Abel summation": (
            Eq(total(t * (X(t) - X(t - 1)), t, 1, n), n * X(n) - total(X(t), t, 0, n - 1)), (n >= 1,)
        ),
        "exchange of a double sum": (
            Eq(total(total(X(j), j, 1, t), t, 1, n), total((n - t + 1) * X(t), t, 1, n)), (n >= 1,)
        ),
        "double sum by its length": (
            total(total(D(j), j, 1, t), t, 1, n) <= n * total(D(t), t, 1, n), (n >= 1,)
        ),
        "shift": (Eq(total(X(t + 1), t, 0, n - 1), total(X(t), t, 1, n)), (n >= 1,)),
        "first term apart": (Eq(total(X(t), t, 0, n), X(0) + total(X(t), t, 1, n)), (n >= 0,)),
        "last term apart": (Eq(total(X(t), t, 0, n + 1), total(X(t), t, 0, n) + X(n + 1)), (n >= -1,)),
        "split": (
            Eq(total(X(t), t, 1, n), total(X(t), t, 1, s) + total(X(t), t, s + 1, n)), (s >= 0, n >= s)
        ),
        "part of the whole": (total(D(t), t, 1, s) <= total(D(t), t, 1, n), (s >= 0, n >= s)),
        "a term of the sum": (D(s) <= total(D(t), t, 0, n), (s >= 0, n >= s)),
        "sum of whole numbers": (Eq(total(t, t, 1, n), n * (n + 1) / 2), (n >= 1,)),
        "sum of squares": (Eq(total(t**2, t, 1, n), n * (n + 1) * (2 * n + 1) / 6), (n >= 1,)),
        "triangle of numbers": (Eq(total(total(j, j, 1, t), t, 1, n), n * (n + 1) * (n + 2) / 6), (n >= 1,)),
        "a constant": (Eq(total(c, t, 0, n), (n + 1) * c), (n >= 0,)),
        "linear": (
            Eq(total(a * X(t) + c * Y(t), t, 1, n), a * total(X(t), t, 1, n) + c * total(Y(t), t, 1, n)),
            (n >= 0,),
        ),
        "a recursion unrolled": (
            E(t) <= total(V(j), j, 1, t), (t >= 0, Eq(E(0), 0), every(E(j) <= E(j - 1) + V(j), j, ONE, t))
        ),
        "descent summed": (
            Theta * total(G(t), t, 0, T - 1) <= F(0) - Fs,
            (Theta > 0, T >= 1, every(F(t + 1) <= F(t) - Theta * G(t), t, ZERO, T - 1), Fs <= F(T)),
        ),
        "descent averaged": (
            1 / T * total(G(t), t, 0, T - 1) <= (F(0) - Fs) / (Theta * T),
            (
                Theta > 0, T >= 1, times(1 / (Theta * T), Fs <= F(T)),
                times(1 / (Theta * T), every(F(t + 1) <= F(t) - Theta * G(t), t, ZERO, T - 1)),
            ),
        ),
        "the least is below the mean": (
            c <= 1 / T * total(X(t), t, 1, T), (T >= 1, times(1 / T, every(c <= X(t), t, ONE, T)))
        ),
        "a mean below a bound": (
            total(p(n) * X(n), n, 1, N) <= c, (*MEAN, times(p(n), every(X(n) <= c, n, ONE, N)))
        ),
        "means keep inequalities": (
            total(p(n) * X(n), n, 1, N) <= a * total(p(n) * Y(n), n, 1, N),
            (N >= 0, times(p(n), every(X(n) <= a * Y(n), n, ONE, N))),
        ),
        "Jensen for a mean": (
            s <= total(p(n) * D(n), n, 1, N),
            (
                N >= 1,
                times(p(n), every(2 * X(n) - s <= D(n), n, ONE, N)),
                times(-2, Eq(total(p(n) * X(n), n, 1, N), s)),
                times(s, Eq(total(p(n), n, 1, N), 1)),
            ),
        ),
        "weights like Hoelder's": (
            total(p(n) * X(n) * Y(n), n, 1, N)
            <= a / 2 * total(p(n) * X(n) * X(n), n, 1, N) + 1 / (2 * a) * total(p(n) * Y(n) * Y(n), n, 1, N),
            (N >= 0, a > 0, times(p(n),
                every(X(n) * Y(n) <= a / 2 * X(n) * X(n) + 1 / (2 * a) * Y(n) * Y(n), n, ONE, N))),
        ),
        "a decreasing sequence": (
            n * X(n) <= total(X(t), t, 0, n - 1), (n >= 1, times(t, every(X(t) <= X(t - 1), t, ONE, n)))
        ),
        "constants paid by a margin": (
            total(D(t), t, 0, n - 1) <= (n + a) * total(D(t), t, 0, n - 1), (a >= 0, n >= 1)
        ),
        "free and bound letters are told apart": (
            Eq(t * total(X(t), t, 1, n), total(t * X(k), k, 1, n)), (n >= 1,)
        ),
        "a product in another order": (
            Eq(total(X(t) * Y(t + 1), t, 0, n), total(Y(t) * X(t - 1), t, 1, n + 1)), (n >= 0,)
        ),
        "products of neighbours": (
            Eq(total(X(t) * X(t + 1), t, 0, n), total(X(t) * X(t - 1), t, 1, n + 1)), (n >= 0,)
        ),
        "strict": (total(X(t), t, 0, n) < total(X(t), t, 0, n) + c, (c > 0, n >= 0)),
        "nothing to add": (Eq(total(X(t), t, 1, 0), 0), ()),
        "a named term above all others": Step(
            total(X(t), t, 0, n) <= (n + 1) * s, (n >= 0, every(X(t) <= X(0), t, 0, n)),
            rule="sum", lets=FIRST,
        ),
    }  # fmt: skip
    FALSE: dict[str, Row] = {
        "telescoping, one term lost": (Eq(total(X(t + 1) - X(t), t, 0, n), X(n) - X(0)), (n >= 0,)),
        "Abel, the last term lost": (
            Eq(total(t * (X(t) - X(t - 1)), t, 1, n), n * X(n) - total(X(t), t, 0, n)), (n >= 1,)
        ),
        "exchange, one too few": (
            Eq(total(total(X(j), j, 1, t), t, 1, n), total((n - t) * X(t), t, 1, n)), (n >= 1,)
        ),
        "double sum by one less": (
            total(total(D(j), j, 1, t), t, 1, n) <= (n - 1) * total(D(t), t, 1, n), (n >= 1,)
        ),
        "shift without its ends": (Eq(total(X(t + 1), t, 0, n), total(X(t), t, 0, n)), (n >= 0,)),
        "an empty sum is not a term": (total(D(t), t, 1, n) >= D(1), (n >= 0,)),
        "a part that is no part": (total(D(t), t, 0, s) <= total(D(t), t, 1, n), (n >= s, s >= 1)),
        "terms of any sign": (total(X(t), t, 1, s) <= total(X(t), t, 1, n), (n >= s, s >= 0)),
        "a term outside": (D(n + 1) <= total(D(t), t, 0, n), (n >= 0,)),
        "sum of whole numbers, off": (Eq(total(t, t, 1, n), n * (n - 1) / 2), (n >= 1,)),
        "sum of squares, off": (Eq(total(t**2, t, 1, n), n * (n + 1) * (n + 2) / 6), (n >= 1,)),
        "a constant, one too few": (Eq(total(c, t, 0, n), n * c), (n >= 0,)),
        "recursion, range one short": (
            E(t) <= total(V(j), j, 1, t), (t >= 1, Eq(E(0), 0),
                every(E(j) <= E(j - 1) + V(j), j, sp.Integer(2), t))
        ),
        "recursion without a start": (
            E(t) <= total(V(j), j, 1, t), (t >= 0, every(E(j) <= E(j - 1) + V(j), j, ONE, t))
        ),
        "recursion, one V too few": (
            E(t) <= total(V(j), j, 1, t - 1), (t >= 1, Eq(E(0), 0), every(E(j) <= E(j - 1) + V(j), j, ONE, t))
        ),
        "descent summed over one round too many": (
            Theta * total(G(t), t, 0, T) <= F(0) - Fs,
            (Theta > 0, T >= 1, every(F(t + 1) <= F(t) - Theta * G(t), t, ZERO, T - 1), Fs <= F(T)),
        ),
        "descent, indices shifted": (
            Theta * total(G(t), t, 1, T) <= F(0) - Fs,
            (Theta > 0, T >= 1, every(F(t + 1) <= F(t) - Theta * G(t), t, ZERO, T - 1), Fs <= F(T)),
        ),
        "descent divided by T + 1": (
            1 / T * total(G(t), t, 0, T - 1) <= (F(0) - Fs) / (Theta * (T + 1)),
            (
                Theta > 0, T >= 1, times(1 / (Theta * T), Fs <= F(T)),
                times(1 / (Theta * T), every(F(t + 1) <= F(t) - Theta * G(t), t, ZERO, T - 1)),
            ),
        ),
        "a mean below a bound, weights of any sign": (
            total(Z(n) * X(n), n, 1, N) <= c,
            (N >= 1, times(c, Eq(total(Z(n), n, 1, N), 1)), times(Z(n), every(X(n) <= c, n, ONE, N))),
        ),
        "a mean below a bound, weights of any size": (
            total(p(n) * X(n), n, 1, N) <= c, (N >= 1, times(p(n), every(X(n) <= c, n, ONE, N)))
        ),
        "Jensen the wrong way": (
            total(p(n) * D(n), n, 1, N) <= s,
            (
                N >= 1,
                times(p(n), every(2 * X(n) - s <= D(n), n, ONE, N)),
                Eq(total(p(n) * X(n), n, 1, N), s),
                times(s, Eq(total(p(n), n, 1, N), 1)),
            ),
        ),
        "a multiplier that changes sign": (
            total(X(t) * (p(t) - p(t + 1)), t, 0, n) <= 0,
            (n >= 0, times(p(t) - p(t + 1), every(X(t) <= 0, t, ZERO, n))),
        ),
        "a multiplier below 0": (
            total(X(t), t, 0, n) >= 0, (n >= 0, times(-1, every(X(t) <= 0, t, ZERO, n)))
        ),
        "an increasing sequence": (
            n * X(n) <= total(X(t), t, 0, n - 1), (n >= 1, times(t, every(X(t) >= X(t - 1), t, ONE, n)))
        ),
        "strict between equals": (total(D(t), t, 0, n) < total(D(t), t, 0, n), (n >= 0,)),
        "strict between an empty sum and 0": (total(D(t), t, 1, n) > 0, (n >= 0,)),
        "a free letter inside its namesake's sum": (
            Eq(t * total(X(t), t, 1, n), total(t * X(t), t, 1, n)), (n >= 1,)
        ),
        "a free term inside its namesake's sum": (
            Eq(Y(t) * total(X(t), t, 1, n), total(Y(t) * X(t), t, 1, n)), (n >= 1,)
        ),
        "a letter called j": (Eq(total(j * X(t), t, 0, n), total(t * X(t), t, 0, n)), (n >= 0,)),
        "a fixed factor shifted": (
            Eq(total(X(t + 1) * Y(s + 1), t, 0, n - 1), total(X(t) * Y(s), t, 1, n)), (n >= 1,)
        ),
        "products of neighbours, shifted": (
            Eq(total(X(t) * X(t + 1), t, 0, n), total(X(t) * X(t - 1), t, 0, n)), (n >= 0,)
        ),
        "a number where a name was guessed": (
            Eq(total(t, t, 1, n), n * (n + 1) / 2 + 1), (n >= 1, Eq(sp.Symbol("t_end", real=True), 0))
        ),
    }  # fmt: skip
    OPEN: dict[str, tuple[Row, str]] = {
        "ends that may not be whole": (
            (total((t - tau / 2 - 1) * D(t), t, 0, tau / 2)
                <= total((t - tau / 2 - 1) * D(t), t, 0, tau), (tau >= 0,)),
            "may not be a whole number",
        ),
        "places between whole numbers": ((Eq(X(t / 2), X(t / 2)), ()), "may not be a whole number"),
        "two indices": ((Eq(sp.Function("W")(t, 1), sp.Function("W")(t, 2)), ()), "one index"),
        "a pole in the range": ((
            Eq(total(1 / t * X(t), t, 0, n), total(1 / t * X(t), t, 0, n)), (n >= 0,)), "defined"
        ),
        "infinitely many terms": ((total(D(t), t, 0, sp.oo) >= 0, ()), "no meaning"),
        "a square of a sum": ((total(X(t), t, 0, n) ** 2 >= 0, ()), "not linear"),
        "a product of sums": ((total(X(t), t, 0, n) * total(Y(t), t, 0, n) >= 0, ()), "not linear"),
        "a term below": ((1 / D(0) > 0, (D(0) >= 1,)), "not linear"),
        "an index times two": ((
            Eq(total(X(2 * t), t, 0, n), total(X(2 * t), t, 0, n)), (n >= 0,)), "such as"
        ),
        "vectors": ((total(n2(vectors("x")) * D(t), t, 0, n) >= 0, (n >= 0,)), "vectors"),
        "a multiplier with a pole": (
            (Eq(total(X(t), t, 0, n), 0), (n >= 0, times(1 / c, every(Eq(c * X(t), 0), t, ZERO, n)))),
            "a multiplier has a value",
        ),
        "a multiplier that is a sum": (
            (X(0) <= n, (times(total(D(t), t, 0, n), X(0) <= 0),)), "is a sum",
        ),
        "a length that may be negative": ((Eq(total(c, t, 0, n), (n + 1) * c), ()), "no negative length"),
    }  # fmt: skip
    UNMET = {
        "a named term says nothing of the next": Step(
            Eq(X(t + 1) - X(t), 0), rule="sum", lets=(Let(s, X(t)),)
        ),
        "a named term says nothing of a sum": Step(
            total(X(t), t, 0, n) <= (n + 1) * s, (n >= 0,), rule="sum", lets=FIRST
        ),
    }


@pytest.mark.parametrize("lost", ["runs", "number", "coefficient"])
def test_a_false_reading_of_sums_is_our_own_error(lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a term were lost or a coefficient wrong, the second look raises instead of proving."""
    claim, given = TRUE["descent summed"]
    ready = made_ready(Step(claim, given, rule="sum"))
    honest = rule.runs

    def forged(expr: sp.Expr) -> LinearSums:
        found = honest(expr)
        if lost == "runs":
            return LinearSums(found.number, found.runs[1:], found.obligations)
        if lost == "number":
            return LinearSums(found.number + 1, found.runs, found.obligations)
        first = found.runs[0]
        wrong = type(first)(first.atom, first.coefficient + 1, first.lo, first.hi)
        return LinearSums(found.number, (wrong, *found.runs[1:]), found.obligations)

    monkeypatch.setattr(rule, "runs", forged)
    with pytest.raises(InternalError, match="no identity"):
        module._by_engines(ready, 5.0)


# Random claims: sums of a nonnegative sequence with polynomial coefficients. Such a claim holds for a number
# of terms exactly where no term's whole coefficient is negative, which is counted here term by term.


def end(random: Random) -> sp.Expr:
    """An end of a sum."""
    return random.choice((ZERO, ONE, tau - 1, tau, tau + 1))


def weight(random: Random, index: sp.Symbol) -> sp.Expr:
    """A polynomial in an index and the number of terms."""
    return sum((random.randint(-2, 3) * f for f in random.sample((ONE, index, tau), 2)), ZERO)


def part(random: Random) -> sp.Expr:
    """A sum, a triangular sum, a single term or a number."""
    kind = random.random()
    if kind < 0.5:
        return total(weight(random, t) * D(t + random.choice((-1, 0, 0, 1))), t, end(random), end(random))
    if kind < 0.75:
        lo = random.choice((ZERO, ONE))
        return total(total(weight(random, t) * D(j), j, lo, t), t, lo, random.choice((tau - 1, tau, tau + 1)))
    if kind < 0.9:
        return random.randint(-1, 3) * D(end(random))
    return sp.Integer(random.randint(0, 2)) * tau


def claim_of(seed: int) -> Step:
    """A random claim: what is added up is at least 0."""
    random = Random(seed)
    with printed():
        return Step(
            sp.Ge(sp.Add(*(part(random) for _ in range(random.randint(1, 3)))), 0), (tau >= 1,), rule="sum"
        )


def truth(step: Step, count: int) -> bool:
    """Whether the claim holds for so many terms, whatever the sequence: no term's coefficient is negative."""
    _, _, (claim,) = Writer(0, {tau: count}, convention=True).problem(step, "")
    total_ = sp.expand(claim.lhs.doit())
    return all(c >= 0 for c in sp.Poly(total_, *total_.free_symbols, sp.Dummy()).coeffs())


Outcome = tuple[Step, str, list[bool]]


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    """Random claims, what came of proving each, and whether it holds for 1..8 terms by counting."""
    steps = [claim_of(seed) for seed in range(30)]
    return [(s, attempt(s, 0.5), [truth(s, count) for count in range(1, 9)]) for s in steps]


@pytest.mark.parametrize("seed", range(30))
def test_random_sums_against_counting(seed: int, outcomes: list[Outcome]) -> None:
    """What is proved holds for tau = 1..8 by counting; what fails for tau <= 3 is refuted."""
    step, outcome, holding = outcomes[seed]

    if outcome == "proved":
        assert all(holding), step.claim
    if any(few.longer_than_empty(step, {tau: sp.Integer(count)}) for count in (1, 2, 3)):
        return  # a sum that ends before it starts is by convention 0, which refutes nothing
    broken = by_chance(made_ready(step), 1, 2000)
    assert isinstance(broken, module.StepDecision) == (not all(holding[:3])), step.claim


def test_random_sums_are_proved_where_they_are_true(outcomes: list[Outcome]) -> None:
    """Few true claims stay unproved, so the test above tests proofs."""
    true = [outcome for _, outcome, holding in outcomes if all(holding)]

    assert len(true) >= 6
    assert true.count("proved") >= len(true) // 2
