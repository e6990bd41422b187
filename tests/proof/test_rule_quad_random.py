"""The rule for quadratic forms against random claims: what it proves is never broken in R^3."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
import sympy as sp

from fedproof.algebra.balls import ball_of
from fedproof.proof import decide as module
from fedproof.proof.breaking import by_chance
from fedproof.proof.counterexamples import FEW
from fedproof.proof.ready import made_ready
from fedproof.proof.rules import gram, multipliers
from fedproof.proof.rules import identity_testing as evidence
from fedproof.proof.step import Step
from fedproof.proof.vectors import Vector, ip, n2, vectors
from fedproof.vocabulary.errors import InternalError
from tests.proof.finder import find
from tests.proof.logic import Eq, attempt, holds, numbers, value

NAMES = vectors("x y z")
x, y, z = NAMES
a, b = numbers("a b")


def combined(random: Random) -> sp.Expr:
    """A random combination of one to three vectors."""
    chosen = random.sample(NAMES, random.randint(1, 3))
    return sp.Add(*(random.choice((1, 1, -1, 2)) * v for v in chosen))


def form(random: Random, terms: int) -> sp.Expr:
    """A random quadratic form, written in norms and inner products of combinations."""
    parts = []
    for _ in range(terms):
        part = n2(combined(random)) if random.random() < 0.6 else ip(combined(random), combined(random))
        parts.append(sp.Rational(random.randint(-4, 4), random.choice((1, 2))) * part)
    return sp.Add(*parts)


def matrix_of(expr: sp.Expr) -> np.ndarray[Any, Any]:
    """A form's matrix, from its values at unit vectors and their sums: nothing of the rule is used."""

    def at(*ones: Vector) -> float:
        return float(value(expr, {v.name: np.full(1, float(v in ones)) for v in NAMES}))

    return np.array([[(at(v, w) - at(v) - at(w)) / 2 if v != w else at(v) for v in NAMES] for w in NAMES])


@pytest.mark.parametrize("seed", range(24))
def test_a_random_form_is_nonnegative_exactly_where_its_eigenvalues_are(seed: int) -> None:
    """A claim with no hypothesis is proved where its matrix has no negative eigenvalue, else refuted."""
    random = Random(seed)
    expr = form(random, random.randint(1, 3))
    if seed % 2:  # make it likely to be true
        expr += random.randint(2, 9) * (n2(x) + n2(y) + n2(z))
    least = np.linalg.eigvalsh(matrix_of(expr)).min()
    step = Step(sp.Ge(expr, 0, evaluate=False), rule="quad")

    if least > 1e-9:
        assert attempt(step) == "proved"
    if least < -1e-9:
        assert attempt(step, 0.05) != "proved"
    if least < -0.5:
        assert isinstance(by_chance(made_ready(step), 1), module.StepDecision)


def drawn(random: Random) -> Step:
    """A random claim from random hypotheses, among them a vector equation and an orthogonality."""
    given: list[Any] = []
    if random.random() < 0.5:
        given.append(Eq(ip(combined(random), combined(random)), 0))
    if random.random() < 0.7:
        given.append(sp.Le(form(random, 2), form(random, 2), evaluate=False))
    if random.random() < 0.3:
        given.append(Eq(z, random.choice((x + y, x - 2 * y, 2 * x))))
    left, right = form(random, 2), form(random, 2)
    if given and random.random() < 0.6:  # a consequence, perhaps
        base = given[-1] if isinstance(given[-1], sp.Le) else given[0]
        if isinstance(base, sp.Le):
            left, right = base.lhs * 2 - n2(combined(random)), base.rhs * 2
    kind = sp.Eq if random.random() < 0.1 else sp.Le
    return Step(kind(left, right, evaluate=False), tuple(given), rule="quad")


def test_what_is_proved_is_never_broken_in_space() -> None:
    """No point of R, R^2 or R^3 that obeys the hypotheses breaks a random claim that is proved from them."""
    steps = [drawn(Random(1000 + i)) for i in range(24, 44)]
    proved = [step for step in steps if attempt(step, 0.05) == "proved"]

    assert len(proved) >= 8
    assert [step for step in proved if find(step) is not None] == []
    assert any(find(step) is not None for step in steps)


@pytest.mark.parametrize("seed", range(24))
def test_a_refutation_is_confirmed_by_other_code(seed: int) -> None:
    """The coordinates of a refutation obey the hypotheses and break the claim in plain arithmetic."""
    step = drawn(Random(1000 + seed))
    decision = by_chance(made_ready(step), 1, FEW)
    if not isinstance(decision, module.StepDecision):
        return
    numbers_of = decision.witness or {}
    size = max((int(n.rpartition("_")[2]) for n in numbers_of), default=1)
    point = {
        v.name: np.array([float(numbers_of.get(f"{v.name}_{i}", Fraction(0))) for i in range(1, size + 1)])
        for v in NAMES
    }
    for given in step.given:
        if isinstance(given, sp.Eq) and isinstance(given.lhs, Vector):
            point["z"] = value(given.rhs, point)
    assert all(holds(g, point, 1e-12) for g in step.given)
    assert not holds(step.claim, point, 1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_fewer_vectors_take_all_values_of_the_old(seed: int) -> None:
    """The change of basis keeps every Gram matrix: new vectors are independent and old ones return."""
    random = Random(seed)
    chosen = [combined(random) for _ in range(random.randint(1, 4))]
    relation = sp.Ge(sp.Add(*(n2(s) for s in chosen)) + ip(chosen[0], chosen[-1]), 0, evaluate=False)
    (fewer,), basis = gram.compact([relation])
    rows = [gram.combination(e) for e in basis.values()]
    matrix = sp.Matrix(len(rows), 3, lambda i, j: rows[i].get(NAMES[j], 0))
    assert matrix.rank() == len(rows)

    rng = np.random.default_rng(seed)
    point = {v.name: rng.normal(size=3) for v in NAMES}
    new = {v.name: value(e, point) for v, e in basis.items()}
    assert value(fewer.lhs, point | new) == pytest.approx(value(relation.lhs, point), abs=1e-9)


@pytest.mark.parametrize("seed", range(30))
def test_principal_minors_know_semidefinite_matrices(seed: int) -> None:
    """No principal minor is negative exactly where no eigenvalue is, also for singular matrices."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 5))
    root = rng.integers(-2, 3, size=(n, int(rng.integers(1, n + 1))))
    matrix = root @ root.T - int(rng.random() < 0.4) * np.diag(rng.integers(0, 2, size=n))
    minors = gram.minors(sp.Matrix(matrix.tolist()))

    assert all(m >= 0 for m in minors) == bool(np.linalg.eigvalsh(matrix).min() >= -1e-9)


def test_a_false_certificate_is_our_own_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the algebra behind a certificate went wrong, the second look raises instead of proving."""
    step = Step(n2(x + y) <= 2 * n2(x) + 2 * n2(y), rule="quad")
    honest = multipliers._left

    def forged(names: Any, rest: Any, chosen: Any) -> Any:
        return replace(honest(names, rest, chosen), number=sp.Integer(1))

    monkeypatch.setattr(multipliers, "_left", forged)
    with pytest.raises(InternalError, match="no identity"):
        module._by_engines(made_ready(step), 5.0)


def test_the_second_look_shares_no_algebra(monkeypatch: pytest.MonkeyPatch) -> None:
    """If signs were lost in reading combinations, |x - y|^2 would be taken for |x + y|^2: that is seen."""
    step = Step(n2(x - y) <= 2 * n2(x) + 2 * n2(y), rule="quad")
    ready = made_ready(step)
    honest = gram.combination
    assert attempt(step) == "proved"

    monkeypatch.setattr(gram, "combination", lambda e: {v: abs(c) for v, c in honest(e).items()})
    with pytest.raises(InternalError, match="no identity"):
        module._by_engines(ready, 5.0)


def test_the_second_look_evaluates_what_stands_there() -> None:
    """Roots, quotients, extremes and vectors are evaluated as they stand."""
    point = evidence.Point(Random(0), {"a": Fraction(4), "b": Fraction(3)})
    point.vectors.update(x=(ball_of(Fraction(1)),) * 3, y=(ball_of(Fraction(2)),) * 3)

    assert point.value(sp.sqrt(a) + a / b - sp.Max(a, b) * sp.Min(a, b) + sp.Abs(b - a)).overlaps(
        ball_of(Fraction(2 * 3 + 4 - 36 + 3, 3))
    )
    assert point.value(n2(a * x - y) + ip(x, y)).overlaps(ball_of(Fraction(18)))
    assert evidence.agree(point.value(1 / (a - 4)), ball_of(Fraction(0))) is None
