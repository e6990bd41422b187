"""The worst local models that the criterion allows: they obey it, are the worst, and (87) survives them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedproxvr.checks import sharp_adversary
from fedproof.papers.fedproxvr.checks._adversary import Games
from fedproof.papers.fedproxvr.checks.sharp_adversary import INEXACT, NEARLY_EXACT, Game
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.solvers.exact import surrogate_gradients
from fedproof.validate.replicas import generator
from fedproof.validate.verdict import SamplingBudget, assign_verdicts
from tests.papers.verdicts import PLAIN, words

INEXACTER = SamplingBudget(change=lambda game: replace(game, theta=3 * game.theta))
"""Local models with three times the inexactness that Theta is told."""
HALF = Game(30, Fraction(8), Fraction(1, 4))


def test_every_row_is_consistent() -> None:
    """(87) and Theorem 1 survive every adversary, and by less than 3%."""
    findings = sharp_adversary.find(PLAIN)
    results = assign_verdicts(findings, lambda: findings)

    assert [v.verdict for v in results] == ["consistent"] * 5
    assert all(v.confidence == 1 and v.slack is not None and 1 < v.slack < 1.03 for v in results)


def test_local_models_leave_what_the_criterion_allows() -> None:
    """|grad J_n(w_n)| = theta |grad F_n(1)| for both clients, in fractions, by the solver's own surrogate."""
    problem, clients = HALF.problem, np.array([0, 1])
    models = fractions(HALF.local_models)[:, None]
    left = surrogate_gradients(problem, models, clients, problem.start(), HALF.values["mu"])[:, 0]
    start = problem.client_gradients(np.repeat(problem.start()[None], 2, axis=0), clients)[:, 0]

    assert [abs(g) for g in left] == [abs(g) * HALF.theta for g in start]


def test_a_game_on_the_line_by_hand() -> None:
    """Shares 3/4 and 1/4: a = 1/2, lam = 1, sigma2 = 3/4 (1/2 / 1/2)^2 + 1/4 (3/2 / 1/2)^2 = 3, mu = 9.

    Then w_n = (9 + 1/4) / 10 and (9 + 1/4) / 8, weighted 3/4 and 1/4: 629/640; descent 1 - (629/640)^2.
    """
    assert HALF.curvature == Fraction(1, 2)
    assert HALF.values == {"L": 1, "lam": 1, "sigma2": 3, "mu": 9, "theta": Fraction(1, 4)}
    assert statement(sharp_adversary.DESCENT).check(**HALF.values).applicable
    assert HALF.local_models == [Fraction(37, 40), Fraction(37, 32)]
    assert HALF.next_model == Fraction(629, 640)
    assert HALF.descent == 1 - HALF.next_model**2


def test_the_searched_adversary_finds_the_lines() -> None:
    """In one dimension the ascent ends at the closed form, from the other side of 0 too."""
    games = sharp_adversary.games(INEXACT)[::7]
    for game in games:
        sizes = game.problem.sizes / game.problem.sizes.sum()
        curvatures = game.problem.client_matrices.astype(float)
        same = Games(
            sizes[None], curvatures[None], np.array([float(game.extra)]), np.array([float(game.theta)])
        )

        assert {n: float(np.squeeze(v)) for n, v in same.values.items()} == pytest.approx(
            {n: float(v) for n, v in game.values.items()}
        )
        for start in (1.0, -2.0):
            found = same.descent(np.array([[start]]), generator(0))
            assert found[0] == pytest.approx(float(game.descent), rel=1e-9)


def test_no_random_errors_do_more_harm() -> None:
    """2000 draws of errors within the criterion leave no larger loss than the search in two dimensions."""
    games, rng = sharp_adversary.plane(0), np.random.default_rng(1)
    start = rng.standard_normal((len(games.theta), 2))
    worst = games.losses(games.moved(start, rng))
    mu = games.values["mu"][:, None, None, None]  # type: ignore[index]
    hessians = games.matrices + mu * np.eye(2)
    slopes = np.einsum("bnij,bj->bni", games.matrices, start)
    reach = games.theta[:, None, None] * np.linalg.norm(slopes, axis=-1, keepdims=True)
    for _ in range(40):
        errors = rng.standard_normal(slopes.shape)
        errors *= (
            reach * rng.random((len(reach), 1, 1)) ** 0.1 / np.linalg.norm(errors, axis=-1, keepdims=True)
        )
        moves = np.linalg.solve(hessians, (errors - slopes)[..., None])[..., 0]
        after = start + np.einsum("bn,bni->bi", games.weights, moves)

        assert (games.losses(after) <= worst * (1 + 1e-9)).all()


def test_dissimilarity_in_the_plane_is_enough_and_needed() -> None:
    """The largest |A_n x - A x| / |A x| over 500 directions of A x, squared and averaged, is sigma2."""
    games = sharp_adversary.plane(0)
    angles = np.linspace(0, np.pi, 500)
    slopes = np.stack([np.cos(angles), np.sin(angles)])
    x = np.linalg.inv(games.matrix) @ slopes
    apart = np.linalg.norm(games.matrices @ x[:, None] - slopes, axis=2)
    reached = np.einsum("bn,bn->b", games.weights, apart.max(axis=2) ** 2)
    sigma2 = np.asarray(games.values["sigma2"])

    assert (reached <= sigma2 * (1 + 1e-9) + 1e-12).all()
    assert (reached >= sigma2 * 0.999 - 1e-12).all()


def test_planted_falsehoods_are_violated() -> None:
    """Three times the inexactness that Theta is told, on the line and in the plane; 1.05 over rounds."""
    twentieth = SamplingBudget(tighten=1.05)
    rows = [sharp_adversary.on_the_line(thetas, INEXACTER) for thetas in (NEARLY_EXACT, INEXACT)]
    rows += [sharp_adversary.over_rounds(printed, twentieth) for printed in (True, False)]

    assert words(*rows, sharp_adversary.in_the_plane(INEXACTER)) == ["violated"] * 5
    one, other = (sharp_adversary.in_the_plane(SamplingBudget(salt=salt)).measured for salt in (0, 1))
    assert one != other
