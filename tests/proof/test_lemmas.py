"""The everyday rules: each is proved, its misuses are not, and its hypotheses are true of real means."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pytest
import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof import lemmas as rules
from fedproof.proof.decide import decide
from fedproof.proof.lemmas.cauchy_schwarz import cauchy_schwarz, cauchy_schwarz_squared
from fedproof.proof.lemmas.independent import independent, squares_add
from fedproof.proof.lemmas.jensen import jensen, mean
from fedproof.proof.lemmas.minkowski import minkowski, minkowski_reversed, minkowski_squared
from fedproof.proof.lemmas.telescoping import telescoped, telescoping
from fedproof.proof.lemmas.tower import tower, tower_product, tower_variance
from fedproof.proof.lemmas.unbiased import unbiased, unbiased_step
from fedproof.proof.lemmas.variance import second_moment, variance
from fedproof.proof.lemmas.young import young, young_product
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Step
from fedproof.proof.vectors import Vector, ip, n2, norm, vectors
from tests.proof.logic import Eq, attempt, every, numbers, refuted

MODULES = [
    import_module(f"{rules.__name__}.{m.name}")
    for m in iter_modules(rules.__path__)
    if m.name != "rule_writer"
]
g, v, w, e, p, q, first, then = vectors("g v w e p q first then")
k, N, L, eta, r = numbers("k N L eta r")


def named(kind: str) -> list[Any]:
    """The steps of every rule."""
    return [pytest.param(s, id=s.id) for module in MODULES for s in getattr(module, kind)]


def test_every_rule_has_a_proof_and_misuses() -> None:
    """There are nine rules, each with steps that prove it and three misuses or more."""
    assert {m.__name__.rpartition(".")[2] for m in MODULES} == {
        "cauchy_schwarz", "independent", "jensen", "minkowski", "telescoping", "tower", "unbiased",
        "variance", "young",
    }  # fmt: skip
    assert all(m.PROOF and len(m.FALSE) >= 3 for m in MODULES)
    ids = [s.id for m in MODULES for s in (*m.PROOF, *m.FALSE)]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("step", named("PROOF"))
def test_a_rule_is_proved(step: Step) -> None:
    """Each rule's own steps are proved, by engines or exactly."""
    assert decide(step).verdict == "proved"


@pytest.mark.parametrize("step", named("FALSE"))
def test_a_misuse_is_not(step: Step) -> None:
    """Each rule's misuses are refuted, and the prover alone does not prove them."""
    assert attempt(step, 0.5) != "proved"
    assert refuted(step)


# A finite probability space: a random vector is an array (outcomes, coordinates). An outcome is a pair of an
# early draw and a late one; a conditional mean averages over the late draw.


class World:
    """Random vectors over early and late draws, and the mean inner product."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        early, late = self.rng.dirichlet(np.ones(3)), self.rng.dirichlet(np.ones(4))
        self.chance = np.outer(early, late)
        self.late = late
        self.values: dict[str, Any] = {}

    def fixed(self) -> Any:
        """A vector that does not vary."""
        return np.broadcast_to(self.rng.normal(size=3), (3, 4, 3))

    def early(self) -> Any:
        """A vector that is known once the early draw is."""
        return np.broadcast_to(self.rng.normal(size=(3, 1, 3)), (3, 4, 3))

    def drawn(self) -> Any:
        """A vector that depends on both draws."""
        return self.rng.normal(size=(3, 4, 3))

    def mean(self, x: Any) -> Any:
        """The mean."""
        return np.broadcast_to(np.einsum("st,sti->i", self.chance, x), x.shape)

    def given_early(self, x: Any) -> Any:
        """The mean given the early draw."""
        return np.broadcast_to(np.einsum("t,sti->si", self.late, x)[:, None, :], x.shape)

    def __call__(self, expr: Any) -> Any:
        """The value of an expression: E<x, y> for ip(x, y)."""
        if isinstance(expr, Vector):
            return self.values[expr.name]
        if isinstance(expr, (sp.Rational, sp.Symbol)):
            return self.values.get(str(expr), None) if expr.is_Symbol else float(expr)
        parts = [self(a) for a in expr.args]
        if isinstance(expr, (ip, n2)):
            one, two = (np.broadcast_to(p, (3, 4, 3)) for p in (parts[0], parts[-1]))
            return float(np.einsum("st,sti,sti->", self.chance, one, two))
        if isinstance(expr, sp.Pow):
            return parts[0] ** parts[1]
        total_ = parts[0]
        for part in parts[1:]:
            total_ = total_ + part if isinstance(expr, sp.Add) else total_ * part
        return total_

    def holds(self, relation: Any) -> bool:
        """Whether a relation holds, up to rounding."""
        left, right = (np.asarray(self(side)) for side in relation.args)
        if isinstance(relation, sp.Eq):
            return bool(np.abs(left - right).max() <= 1e-9)
        low, high = (left, right) if isinstance(relation, (sp.Le, sp.Lt)) else (right, left)
        return bool(low <= high + 1e-9)


@pytest.fixture(params=range(6))
def world(request: pytest.FixtureRequest) -> World:
    """w is fixed, e known early, v drawn, g its mean, first the mean given the early draw."""
    here = World(request.param)
    drawn, early = here.drawn(), here.early()
    late = here.rng.normal(size=(1, 4, 3)) * np.ones((3, 1, 1))
    here.values = {
        "w": here.fixed(), "e": early, "v": drawn, "g": here.mean(drawn), "first": here.given_early(drawn),
        "then": here.mean(drawn), "p": early - here.mean(early), "q": late - here.mean(late),
        "eta": 0.7, "r": 1.3,
    }  # fmt: skip
    return here


def test_what_is_meant_is_true_of_real_means(world: World) -> None:
    """The hypotheses that the rules return hold in every finite probability space."""
    meant = [
        *mean(v, g, fixed=(w,)),
        *mean(v, first, fixed=(w, e, e - 2 * w)),
        *unbiased(v, first, known=(e, w)),
        *independent(p, q),
        *independent(p + w, q - g, means=(w, -g)),
        *tower(v, first, then, early=(w,), late=(e,)),
    ]

    assert all(world.holds(h.relation) for h in meant)
    assert all(h.why.startswith("meaning: ") for h in meant)


def test_what_is_not_so_is_false_of_real_means(world: World) -> None:
    """What varies is not fixed, a draw is not known before it, and dependent vectors are not independent."""
    for wrong in (
        mean(v, g, fixed=(v,)),
        mean(v, g, fixed=(e,)),
        unbiased(v, g, known=(e,)),
        independent(v, first),
    ):
        assert not all(world.holds(h.relation) for h in wrong)


def test_what_follows_is_true_of_real_means(world: World) -> None:
    """The applications that the rules return hold wherever their hypotheses are true."""
    uses = [
        young(v, e, eta), young_product(v - w, e, r), cauchy_schwarz(v, e), cauchy_schwarz_squared(v, w - e),
        minkowski(v, e), minkowski_reversed(v, e), jensen(v, g, about=w), jensen(v, first, about=e - w),
        variance(v, g, about=w), variance(v, first, about=e), second_moment(v, g),
        unbiased_step(e, eta, v, first, about=w), squares_add(p, q),
        tower_product(v, first, then, w), tower_variance(v, first, then),
    ]  # fmt: skip

    assert all(world.holds(use.relation) for use in uses)


WITH_MEAN = mean(v, g, fixed=(w,))
X, Y = sequence("X"), sequence("Y")
with printed():
    STEPS = {
        "Jensen": Step(n2(g - w) <= n2(v - w), (*WITH_MEAN, jensen(v, g, about=w)), rule="quad"),
        "a mean does best": Step(n2(v - g) <= n2(v - w), (*WITH_MEAN, variance(v, g, about=w)), rule="quad"),
        "a step towards w": Step(
            n2(e - eta * v - w) <= n2(e - w) - 2 * eta * ip(first, e - w) + eta**2 * r**2,
            (*unbiased(v, first, known=(e, w)), n2(v) <= r**2, unbiased_step(e, eta, v, first, about=w)),
            rule="quad",
        ),
        "noise of a mean of two": Step(
            n2((p + q) / 2) <= r**2 / 2,
            (*independent(p, q), n2(p) <= r**2, n2(q) <= r**2, squares_add(p, q)),
            rule="quad",
        ),
        "two averages": Step(
            Eq(ip(v, w), ip(then, w)),
            (*tower(v, first, then, early=(w,)), tower_product(v, first, then, w)),
            rule="quad",
        ),
        "a root of a sum": Step(
            norm(v - e) <= 2 * r, (norm(v) <= r, norm(e) <= r, minkowski(v, -e)), rule="quad"
        ),
        "a bound from two": Step(
            n2(v + e) <= (r + eta) ** 2,
            (r >= 0, eta >= 0, n2(v) <= r**2, n2(e) <= eta**2, minkowski_squared(v, e, (r, eta))),
            rule="quad",
        ),
        "a descent summed": Step(
            total(L * Y(k), k, 1, N) <= X(0) - X(N),
            (N >= 0, every(X(k) + L * Y(k) <= X(k - 1), k, 1, N), telescoped(X(k), L * Y(k), k, N)),
            rule="sum",
        ),
        "telescoped": Step(
            Eq(total(X(k) - X(k - 1), k, 1, N) + X(0), X(N)), (N >= 0, telescoping(X(k), k, N)), rule="sum"
        ),
    }  # fmt: skip
    OWED = {
        "Jensen without a mean": Step(n2(g - w) <= n2(v - w), (jensen(v, g, about=w),), rule="quad"),
        "Jensen about what varies": Step(
            n2(g - e) <= n2(v - e), (*WITH_MEAN, jensen(v, g, about=e)), rule="quad"
        ),
        "independence not assumed": Step(Eq(n2(p + q), n2(p) + n2(q)), (squares_add(p, q),), rule="quad"),
        "a tower over what is known late": Step(
            Eq(ip(v, e), ip(then, e)),
            (*tower(v, first, then, early=(w,), late=(e,)), tower_product(v, first, then, e)),
            rule="quad",
        ),
        "a weight of unknown sign": Step(
            n2(v + e) <= (1 + eta) * n2(v) + (1 + 1 / eta) * n2(e), (young(v, e, eta),), rule="quad"
        ),
        "a descent over one step more": Step(
            total(Y(k), k, 1, N + 1) <= X(0) - X(N + 1),
            (N >= 0, every(X(k) + Y(k) <= X(k - 1), k, 1, N), telescoped(X(k), Y(k), k, N + 1)),
            rule="sum",
        ),
    }


@pytest.mark.parametrize("name", STEPS)
def test_rules_are_used_in_steps(name: str) -> None:
    """A step that has what a rule needs may use it."""
    decision = decide(STEPS[name])
    assert decision.verdict == "proved", decision.detail


@pytest.mark.parametrize("name", OWED)
def test_rules_are_not_used_without_what_they_need(name: str) -> None:
    """A step that lacks what a rule needs does not get what it gives."""
    assert attempt(OWED[name], 0.5) != "proved"
