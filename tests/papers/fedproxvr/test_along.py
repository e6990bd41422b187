"""Theorem 1 and the closed chain with (5) along the run, where clients' minimisers lie apart."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fedproof.bounds import catalog
from fedproof.papers.fedproxvr.checks import along
from fedproof.papers.fedproxvr.checks._apart import (
    Game,
    gap,
    mean_squared_gradient,
    pulled_apart,
    sigma2,
)
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.solvers.exact import surrogate_gradients
from fedproof.solvers.moments import Moments
from fedproof.validate.empirical.theory import bound_at
from fedproof.validate.proof_basis import taken
from fedproof.validate.verdict import SamplingBudget
from tests.papers.verdicts import PLAIN, words

HALF = Game(
    ((Fraction(1), Fraction(-1)), (Fraction(1, 2), Fraction(1))), Fraction(7), Fraction(1, 4), (1, -1),
    Fraction(5), 1,
)  # fmt: skip


def test_every_row_is_consistent() -> None:
    """Both forms of Theorem 1 and the closed chains are kept where no sigma is finite at all models."""
    rows = along.find(PLAIN)

    assert words(*rows) == ["consistent"] * 4
    assert all(row.measured / row.bound > 1 / 5 for row in rows)
    assert {row.id for row in rows} == set(along.CHECK.ids)


def test_no_sigma_is_finite_at_all_models() -> None:
    """Of every problem that games and runs are on, decided from its exact matrices."""
    problems = [game.problem for game in along.games()] + [*pulled_apart(along.PROBLEMS)]

    assert all(problem.constants["dissimilarity"].value is None for problem in problems)


def test_a_game_by_hand() -> None:
    """Slopes w + 1 and (w - 1)/2 from 5 are 6 and 2, their mean 4: sigma^2 = (4 + 4)/2 / 16; F' = 3w/4 + 1/4.

    w_1 + 1 + 7 (w_1 - 5) = 6/4 and (w_2 - 1)/2 + 7 (w_2 - 5) = -2/4 give 71/16 and 14/3.
    """
    moments = HALF.moments()
    after = (Fraction(71, 16) + Fraction(14, 3)) / 2

    assert sigma2(HALF.problem, moments[:-1]) == Fraction(1, 4)
    assert moments[1].mean[0] == after
    assert mean_squared_gradient(HALF.problem, moments) == ((3 * after + 1) / 4) ** 2
    assert gap(HALF.problem) == Fraction(4**2) / (2 * Fraction(3, 4))


def test_local_models_leave_what_the_criterion_allows() -> None:
    """|grad J_n(w_n)| = theta |grad F_n(w)| for both clients, by the solver's own surrogate."""
    clients, models = np.array([0, 1]), fractions([Fraction(71, 16), Fraction(14, 3)])[:, None]
    left = surrogate_gradients(HALF.problem, models, clients, HALF.problem.start(), HALF.mu)[:, 0]

    assert [*left] == [6 * HALF.theta, -2 * HALF.theta]


def test_the_divergence_of_a_random_model_is_the_mean_of_its_outcomes() -> None:
    """In two dimensions with three clients of unlike size, in fractions, from the problem's own gradients."""
    (problem,) = pulled_apart((1,))
    models = fractions([[1, 2], [-3, Fraction(1, 2)], [0, 5]])
    second = sum(Moments.at(model).second for model in models) / 3
    everyone = np.arange(problem.n_clients)
    apart, whole = Fraction(0), Fraction(0)
    for model in models:
        each = problem.client_gradients(np.repeat(model[None], problem.n_clients, axis=0), everyone)
        mean = problem.gradient(model)
        shares = [Fraction(int(size), problem.partition.total) for size in problem.sizes]
        apart += sum(p * ((g - mean) ** 2).sum() for p, g in zip(shares, each, strict=True))
        whole += (mean**2).sum()

    assert sigma2(problem, [Moments(second)]) == apart / whole


def test_it_needs_what_it_assumes() -> None:
    """With no divergence at all the sharpened bound is broken by clients that stop early."""
    broken = []
    for game in along.games():
        lam = max(Fraction(0), -game.clients[1][0])
        known = {"mu": game.mu, "theta": game.theta, "Delta": gap(game.problem), "T": game.rounds}
        bound = bound_at(along.THEOREMS[1], L=1, lam=lam, sigma2=0, **known)
        broken.append(bound is not None and mean_squared_gradient(game.problem, game.moments()) > bound)

    assert any(broken)


def _planted(what: Any) -> SamplingBudget:
    return SamplingBudget(change=what)


def test_planted_falsehoods_are_violated() -> None:
    """Clients that hardly move, and those that err a hundred times as far, are no run of the theorem."""
    frozen = _planted(lambda game: replace(game, mu=1000 * game.mu))
    still = _planted(lambda algorithm: replace(algorithm, prox_weight=10_000 * algorithm.prox_weight))
    wild = _planted(lambda game: replace(game, theta=100 * game.theta, signs=(1, 1)))

    assert "violated" in words(*(along.played(along.THEOREMS[1], plant) for plant in (frozen, wild)))
    assert words(*(along.ran(estimator, still) for estimator in along.ESTIMATORS)) == ["violated"] * 2


@pytest.mark.parametrize("id", along.CHECK.ids)
def test_it_is_about_the_models_that_rounds_start_from(id: str) -> None:
    """What its certificate takes of (5) speaks of w^(s-1) for s = 1 to T and of no other model."""
    assumed = {ground.id for ground in taken(catalog.statement(id))}

    assert "fedproxvr.assumption1.dissimilarity.along" in assumed
    assert "fedproxvr.assumption1.dissimilarity" not in assumed
