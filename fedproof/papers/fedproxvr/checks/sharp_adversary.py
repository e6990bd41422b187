"""Descent (87) and Theorem 1, sharpened, against local models as bad as their criterion allows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property

import numpy as np

from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedproxvr.checks._adversary import Games
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.quadratics.quadratic import Quadratic, Spectra
from fedproof.solvers.algorithm import weighted_average
from fedproof.solvers.cohort import Cohort
from fedproof.validate.empirical.comparison import Place, compare, decided_exactly, nearest
from fedproof.validate.empirical.theory import compares, definition_value
from fedproof.validate.replicas import generator
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

DESCENT, THEOREM = "fedproxvr.eq87.sharpened", "fedproxvr.theorem1.sharpened"
SHARES = (40, 39, 36, 30, 24)
EXTRAS = tuple(Fraction(2**k) for k in range(1, 10))
NEARLY_EXACT, INEXACT = (Fraction(1, 1000),), (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2))
ROUNDING = 1e-9
PLANE, STARTS, MOST_EXTRA = 1000, 6, 40
LEAST_SIGMA2 = 0.1


@dataclass(frozen=True, eq=False)
class Game:
    """On the line: a share of the data has curvature L = 1, the rest -1; all that follows is rational.

    Every local model leaves |grad J_n(w_n)| = theta |grad F_n(w)| on the side that keeps the server's model
    farthest from the stationary point.

    Arguments:
        ones: how many of 40 samples are of curvature 1; they are one client's, the rest another's.
        extra: mu - lam.
        theta: inexactness.
    """

    ones: int
    extra: Fraction
    theta: Fraction

    @cached_property
    def problem(self) -> Quadratic:
        """Started at 1, stationary at 0."""
        sizes = [size for size in (self.ones, SHARES[0] - self.ones) if size]
        values = fractions([[1]] * self.ones + [[-1]] * (SHARES[0] - self.ones))
        spectra = Spectra(fractions([[1]]), values)
        return Quadratic.of(values[:, :, None], 0 * values, sizes, origin=[1], spectra=spectra)

    @cached_property
    def values(self) -> dict[str, Fraction]:
        """The letters of (87), sharpened, from the problem's exact constants."""
        known = self.problem.constants
        lam = Fraction(known["weak_convexity"].value)
        sigma2 = Fraction(known["dissimilarity"].value)
        mu = lam + self.extra
        return {"L": Fraction(1), "lam": lam, "sigma2": sigma2, "mu": mu, "theta": self.theta}

    @property
    def local_models(self) -> list[Fraction]:
        """w_n from w = 1: a w_n + mu (w_n - 1) = theta |a|, the side away from 0."""
        mu = self.values["mu"]
        return [(mu + self.theta * abs(a)) / (a + mu) for a in self.problem.client_matrices[:, 0, 0]]

    @cached_property
    def next_model(self) -> Fraction:
        """The server's model after a round from 1."""
        models = fractions(self.local_models)[:, None]
        return Fraction(weighted_average(Cohort.of(self.problem).weights, models)[0])

    @property
    def curvature(self) -> Fraction:
        """That of the global loss."""
        return Fraction(self.problem.mean_matrix[0, 0])

    @property
    def descent(self) -> Fraction:
        """(F(w) - F(w+)) / |grad F(w)|^2, the same from every start."""
        return (1 - self.next_model**2) / (2 * self.curvature)

    @cached_property
    def factor(self) -> float:
        """Theta."""
        return float(definition_value(DESCENT, "Theta", **self.values))

    def __str__(self) -> str:
        lam, sigma2, mu = (self.values[name] for name in ("lam", "sigma2", "mu"))
        return (
            f"{self.ones} of {SHARES[0]} samples of curvature L, the others -L, lam={lam} L, "
            f"sigma2={float(sigma2):.4g}, mu={mu} L, theta={self.theta}"
        )


@cache
def games(thetas: tuple[Fraction, ...]) -> tuple[Game, ...]:
    """Those that the statement admits."""
    every = (Game(ones, extra, theta) for ones in SHARES for extra in EXTRAS for theta in thetas)
    return tuple(g for g in every if definition_value(DESCENT, "q", **g.values) < 1)


def on_the_line(thetas: tuple[Fraction, ...], budget: SamplingBudget) -> BoundComparison:
    """The least descent over Theta among the line's games, decided in exact arithmetic.

    What runs in place of a game, where a falsehood is planted, is held against the Theta of the game.
    """
    played = games(thetas)
    places = [Place(budget.change(g).descent, g.factor, (g, budget.change(g))) for g in played]
    worst = nearest(places, ">=")
    game, real = worst.at
    tuned = min(float(g.descent) / g.factor for g in _best_weights(played))
    row = compare(
        DESCENT, "descent", places,
        (f"one dimension, worst local models, every start: {game}",
         f"Over {len(played)} games of curvatures L and -L with |grad J_n| = theta |grad F_n| everywhere, "
         f"the gain of a round comes nearest to Theta |grad F|^2 at {float(real.descent):.6g} |grad F|^2 and "
         f"Theta = {game.factor:.6g}; at the mu of largest Theta it is never below {tuned:.5g} Theta."),
        budget, ">=",
    )  # fmt: skip
    applies = statement(DESCENT).check(**game.values).applicable
    obeyed = compares(real.descent / Fraction(budget.tighten), ">=", DESCENT, "Theta", game.values)
    return replace(decided_exactly(row, obeyed), applies=applies)


def _best_weights(played: tuple[Game, ...]) -> tuple[Game, ...]:
    """For every problem and theta the game whose mu has the largest Theta."""
    best: dict[tuple[int, Fraction], Game] = {}
    for game in played:
        key = game.ones, game.theta
        if key not in best or game.factor > best[key].factor:
            best[key] = game
    return tuple(best.values())


def plane(salt: int) -> Games:
    """Random games in two dimensions, eigenvalues mostly 1, some -1 or between, axes turned apart."""
    rng = generator(8, salt)
    eigen = rng.choice([1.0, 1.0, 1.0, -1.0, 0.25, -0.25], (PLANE, 3, 2))
    angles = rng.uniform(0, np.pi, (PLANE, 3)) * rng.choice([0.1, 1.0], (PLANE, 1))
    cos, sin = np.cos(angles), np.sin(angles)
    axes = np.stack([np.stack([cos, -sin], axis=-1), np.stack([sin, cos], axis=-1)], axis=-2)
    matrices = np.einsum("bnij,bnj,bnkj->bnik", axes, eigen, axes)
    weights = rng.dirichlet(np.ones(3), PLANE)
    extra = 2 * (MOST_EXTRA / 2) ** rng.random(PLANE)
    theta = 0.05 * 10 ** rng.random(PLANE)
    least = np.linalg.eigvalsh(np.einsum("bn,bnij->bij", weights, matrices))[:, 0]
    convex = least > 1 / 20
    return Games(weights[convex], matrices[convex], extra[convex], theta[convex])


def in_the_plane(budget: SamplingBudget) -> BoundComparison:
    """The least descent over Theta among random games in two dimensions, each from several starts."""
    found, rng = plane(budget.salt), generator(9, budget.salt)
    real = budget.change(found)
    values = found.values
    bounds = definition_value(DESCENT, "Theta", **values)
    admitted = (definition_value(DESCENT, "q", **values) < 1) & (np.asarray(values["sigma2"]) >= LEAST_SIGMA2)
    gains = np.full(len(bounds), np.inf)
    for turn in range(STARTS):
        angle = np.pi * (turn + rng.random(len(bounds))) / STARTS
        start = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        gains = np.minimum(gains, real.descent(start, rng))
    place = int(np.where(admitted, gains / bounds, np.inf).argmin())
    numbers = ", ".join(f"{n}={np.asarray(values[n])[place]:.4g}" for n in ("lam", "sigma2", "mu", "theta"))
    return compare(
        DESCENT, "descent", [Place(gains[place], bounds[place], place)],
        (f"two dimensions, worst local models found: three clients, L=1, {numbers}",
         f"Over {int(admitted.sum())} games of three clients that differ, axes turned apart, {STARTS} starts "
         f"each, the gain of a round comes nearest to Theta |grad F|^2 at {gains[place]:.5g} |grad F|^2 and "
         f"Theta = {bounds[place]:.5g}."), budget, ">=", ROUNDING,
    )  # fmt: skip


def over_rounds(printed: bool, budget: SamplingBudget) -> BoundComparison:
    """The line's games played for T rounds: the mean squared gradient beside Delta / (Theta T)."""
    places = []
    for game in games(INEXACT):
        a, after = float(game.curvature), float(budget.change(game).next_model)
        for rounds in (1, 100, math.ceil(10 / game.factor)):
            squares = a**2 * after ** (2 * (np.arange(rounds) + int(printed)))
            places.append(Place(float(squares.mean()), float(a / 2 / (game.factor * rounds)), (rounds, game)))
    worst = nearest(places)
    rounds, game = worst.at
    span = "s = 1..T as printed" if printed else "s = 0..T-1 as the proof bounds"
    return compare(
        THEOREM, "mean_squared_gradient", places,
        (f"one dimension, worst local models in every round, {span}, T={rounds}: {game}",
         f"Over {len(places)} pairs of game and T, from w - w* = 1, the mean squared gradient comes nearest "
         f"to Delta/(Theta T) at T = {rounds}: {worst.measured:.5g} against {worst.bound:.5g}."),
        budget, tolerance=ROUNDING,
    )  # fmt: skip


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """On the line with nearly exact and with inexact local models, in the plane, and over rounds."""
    return (
        on_the_line(NEARLY_EXACT, budget),
        on_the_line(INEXACT, budget),
        in_the_plane(budget),
        *(over_rounds(printed, budget) for printed in (True, False)),
    )


CHECK = EmpiricalCheck((DESCENT, THEOREM), "descent against the worst local models", find)
