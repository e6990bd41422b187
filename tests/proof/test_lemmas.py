"""The everyday rules: each is proved, its misuses are not, and its hypotheses are true of real means."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fedproof.algebra.expressions import printed
from fedproof.proof.lemmas import (
    cauchy_schwarz,
    cauchy_schwarz_squared,
    independent,
    jensen,
    mean,
    minkowski,
    minkowski_reversed,
    minkowski_squared,
    second_moment,
    squares_add,
    telescoped,
    telescoping,
    tower,
    tower_product,
    tower_variance,
    unbiased,
    unbiased_product,
    unbiased_step,
    variance,
    young,
    young_product,
)  # fmt: skip
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Step
from fedproof.proof.vectors import ip, n2, norm, vectors
from tests.proof.logic import Eq, every, holds, numbers

g, v, w, e, p, q, first, then = vectors("g v w e p q first then")
k, N, L, eta, r = numbers("k N L eta r")


@pytest.fixture(params=range(6))
def world(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Random vectors over an early and a late draw: w is fixed, e known early, v drawn, g its mean.

    A random vector is an array (early, late, coordinates), each outcome weighed by the root of its chance, so
    that inner products are means; `first` is the mean of v given the early draw.
    """
    rng = np.random.default_rng(request.param)
    early, late = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(4))
    chance = np.outer(early, late)[..., None]
    fixed, known, drawn, other = (
        np.broadcast_to(rng.normal(size=size), (3, 4, 3))
        for size in ((1, 1, 3), (3, 1, 3), (3, 4, 3), (1, 4, 3))
    )
    mean_of, given_early = (lambda x: (chance * x).sum((0, 1))), np.einsum("t,sti->si", late, drawn)
    outcomes = {
        "w": fixed, "e": known, "v": drawn, "g": mean_of(drawn), "first": given_early[:, None],
        "then": mean_of(drawn), "p": known - mean_of(known), "q": other - mean_of(other),
    }  # fmt: skip
    return {name: np.sqrt(chance) * x for name, x in outcomes.items()} | {"eta": 0.7, "r": 1.3}


def test_what_is_meant_is_true_of_real_means(world: dict[str, Any]) -> None:
    """The hypotheses that the rules return hold in every finite probability space."""
    meant = [
        *mean(v, g, fixed=(w,)),
        *mean(v, first, fixed=(w, e, e - 2 * w)),
        *unbiased(v, first, known=(e, w)),
        *independent(p, q),
        *independent(p + w, q - g, means=(w, -g)),
        *tower(v, first, then, early=(w,), late=(e,)),
    ]

    assert all(holds(h.relation, world, 1e-9) for h in meant)
    assert all(h.why.startswith("meaning: ") for h in meant)


def test_what_is_not_so_is_false_of_real_means(world: dict[str, Any]) -> None:
    """What varies is not fixed, a draw is not known before it, and dependent vectors are not independent."""
    for wrong in (
        mean(v, g, fixed=(v,)),
        mean(v, g, fixed=(e,)),
        unbiased(v, g, known=(e,)),
        independent(v, first),
    ):
        assert not all(holds(h.relation, world, 1e-9) for h in wrong)


def test_what_follows_is_true_of_real_means(world: dict[str, Any]) -> None:
    """The applications that the rules return hold wherever their hypotheses are true."""
    uses = [
        young(v, e, eta), young_product(v - w, e, r), cauchy_schwarz(v, e), cauchy_schwarz_squared(v, w - e),
        minkowski(v, e), minkowski_reversed(v, e), jensen(v, g, w), jensen(v, first, e - w),
        variance(v, g, w), variance(v, first, e), second_moment(v, g),
        unbiased_step(e, eta, v, first, w), unbiased_product(v, first, e), squares_add(p, q),
        tower_product(v, first, then, w), tower_variance(v, first, then),
    ]  # fmt: skip

    assert all(holds(use.relation, world, 1e-9) for use in uses)


WITH_MEAN = mean(v, g, fixed=(w,))
X, Y = sequence("X"), sequence("Y")
with printed():
    TRUE = {
        "Jensen": Step(n2(g - w) <= n2(v - w), (*WITH_MEAN, jensen(v, g, w)), rule="quad"),
        "a mean does best": Step(n2(v - g) <= n2(v - w), (*WITH_MEAN, variance(v, g, w)), rule="quad"),
        "a step towards w": Step(
            n2(e - eta * v - w) <= n2(e - w) - 2 * eta * ip(first, e - w) + eta**2 * r**2,
            (*unbiased(v, first, known=(e, w)), n2(v) <= r**2, unbiased_step(e, eta, v, first, w)),
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
            (r >= 0, eta >= 0, n2(v) <= r**2, n2(e) <= eta**2, minkowski_squared(v, e, r, eta)),
            rule="quad",
        ),
        "a descent summed": Step(
            total(L * Y(k), k, 1, N) <= X(0) - X(N),
            (N >= 0, every(X(k) + L * Y(k) <= X(k - 1), k, 1, N), telescoped((X(k), k), (L * Y(k), k), N)),
            rule="sum",
        ),
        "telescoped": Step(
            Eq(total(X(k) - X(k - 1), k, 1, N) + X(0), X(N)), (N >= 0, telescoping((X(k), k), N)), rule="sum"
        ),
    }  # fmt: skip
    UNMET = {
        "Jensen without a mean": Step(n2(g - w) <= n2(v - w), (jensen(v, g, w),), rule="quad"),
        "Jensen about what varies": Step(n2(g - e) <= n2(v - e), (*WITH_MEAN, jensen(v, g, e)), rule="quad"),
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
            (N >= 0, every(X(k) + Y(k) <= X(k - 1), k, 1, N), telescoped((X(k), k), (Y(k), k), N + 1)),
            rule="sum",
        ),
    }
