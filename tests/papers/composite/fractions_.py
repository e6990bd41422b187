"""Rounds of Algorithm 1 in one dimension, in fractions, over every sign of the noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import sympy as sp

from fedproof.papers.composite import notation as sy
from fedproof.papers.composite.proofs import theorem38
from fedproof.papers.composite.proofs.vectors import drift, spread

Number = Fraction


@dataclass(frozen=True)
class Round:
    """Losses a x^2/2 - c x of the clients, penalty weight |x| + an interval, and where the round begins.

    Arguments:
        curvatures, slopes: of the clients.
        weight, least: of the penalty weight |x|, kept to x >= least.
        eta, eta_g, tau: step sizes and local steps.
        model: the server's, after the prox.
        corrections: of the clients, with mean zero.
        sigma: every mini-batch gradient is off by sigma or -sigma.
    """

    curvatures: tuple[Fraction, ...]
    slopes: tuple[Fraction, ...]
    weight: Fraction
    least: Fraction
    eta: Fraction
    eta_g: Fraction
    tau: int
    model: Fraction
    corrections: tuple[Fraction, ...]
    sigma: Fraction

    @property
    def n(self) -> int:
        """How many clients there are."""
        return len(self.curvatures)

    @property
    def size(self) -> Fraction:
        """The step size of the round."""
        return self.eta * self.eta_g * self.tau

    def prox(self, x: Fraction, s: Fraction) -> Fraction:
        """argmin of s g + |. - x|^2/2."""
        shrunk = max(abs(x) - s * self.weight, Fraction(0)) * (1 if x > 0 else -1)
        return max(shrunk, self.least)

    def gradient(self, i: int, x: Fraction) -> Fraction:
        """Of client i."""
        return self.curvatures[i] * x - self.slopes[i]

    def mean_gradient(self, x: Fraction) -> Fraction:
        """Of f."""
        return sum((self.gradient(i, x) for i in range(self.n)), Fraction(0)) / self.n

    def loss(self, x: Fraction) -> Fraction:
        """F."""
        smooth = sum(
            (a * x * x / 2 - c * x for a, c in zip(self.curvatures, self.slopes, strict=True)), Fraction(0)
        )
        return smooth / self.n + self.weight * abs(x)

    @property
    def solution(self) -> Fraction:
        """The least point of F, which is convex on average."""
        a, c = sum(self.curvatures) / self.n, sum(self.slopes) / self.n
        return self.prox(c / a, self.weight and 1 / a)

    def spread_at(self, model: Fraction, corrections: tuple[Fraction, ...]) -> Fraction:
        """The mean over the clients of |Lambda_i - mean|^2."""
        apart = (self.gradient(i, model) + corrections[i] - self.mean_gradient(model) for i in range(self.n))
        return sum(((self.eta * self.tau * x) ** 2 for x in apart), Fraction(0)) / self.n

    def after(self, signs: tuple[int, ...]) -> tuple[Fraction, tuple[Fraction, ...], Fraction]:
        """Model, corrections, and the sum of |z - P|^2 over steps and clients."""
        noise = iter(signs)
        sums, drifted = [], Fraction(0)
        for i in range(self.n):
            hat = z = self.model
            total = Fraction(0)
            for t in range(self.tau):
                drifted += (z - self.model) ** 2
                g = self.gradient(i, z) + next(noise) * self.sigma
                total += g
                hat -= self.eta * (g + self.corrections[i])
                z = self.prox(hat, (t + 1) * self.eta)
            sums.append(total)
        mean = sum(sums) / self.n / self.tau
        model = self.prox(self.model - self.size * mean, self.size)
        return model, tuple(mean - s / self.tau for s in sums), drifted

    def values(self) -> dict[sp.Symbol, Any]:
        """What the proofs' numbers are in this round, exactly."""
        outcomes = tuple(product((-1, 1), repeat=self.n * self.tau if self.sigma else 0)) or ((),)
        if not self.sigma:
            outcomes = ((0,) * (self.n * self.tau),)
        found = [self.after(o) for o in outcomes]

        def average(of: Any) -> Any:
            values = [of(*x) for x in found]
            exact = sum(values, Fraction(0)) / len(values)
            return sp.Rational(exact.numerator, exact.denominator)

        best = self.solution
        exactly = self.prox(self.model - self.size * self.mean_gradient(self.model), self.size)
        plain = {
            sy.n: self.n, sy.tau: self.tau, sy.b: 1, sy.sigma2: self.sigma**2, sy.eta: self.eta,
            sy.eta_g: self.eta_g, sy.eta_t: self.size, sy.L: max(map(abs, self.curvatures)),
            sy.mu_sc: sum(self.curvatures) / self.n, sy.Lam2: self.spread_at(self.model, self.corrections),
            sy.G2: ((self.model - exactly) / self.size) ** 2, theorem38.dist0: (self.model - best) ** 2,
        }  # fmt: skip
        means = {
            drift: average(lambda x, c, d: d),
            spread: average(lambda x, c, d: self.spread_at(x, c)),
            sy.moved: average(lambda x, c, d: (x - self.model) ** 2),
            theorem38.dist1: average(lambda x, c, d: (x - best) ** 2),
        }
        return {
            k: sp.Rational(Fraction(v).numerator, Fraction(v).denominator) for k, v in plain.items()
        } | means

    def loses(self) -> tuple[Any, Any, Any]:
        """F before, E F after, least F."""
        outcomes = product((-1, 1), repeat=self.n * self.tau)
        after = [self.loss(self.after(o)[0]) for o in outcomes]
        parts = (self.loss(self.model), sum(after, Fraction(0)) / len(after), self.loss(self.solution))
        return tuple(sp.Rational(x.numerator, x.denominator) for x in parts)  # type: ignore[return-value]


def drawn(seed: int, many: int, step: Any, server: Any = None) -> Iterator[Round]:
    """Rounds whose effective step size is `step(L, mean curvature, eta_g)`; every third is without noise."""
    random = Random(seed)

    def some(low: int, high: int) -> Fraction:
        return Fraction(random.randint(8 * low, 8 * high), 8)

    for place in range(many):
        n, tau = random.choice(((1, 2), (2, 1), (2, 2), (2, 3), (3, 2)))
        mu = Fraction(random.choice((1, 2, 4)), random.choice((4, 8)))
        curvatures = (
            tuple([Fraction(1)] + [mu * n / (n - 1) - Fraction(1, n - 1)] * (n - 1)) if n > 1 else (mu,)
        )
        if max(map(abs, curvatures)) > 1:
            continue
        slopes = tuple(some(-3, 3) for _ in range(n))
        eta_g = server(random) if server else Fraction(random.choice((1, 1, 2, 4)))
        size = step(max(map(abs, curvatures)), sum(curvatures) / n, eta_g)
        raw = [some(-4, 4) * random.choice((0, 1, 8)) for _ in range(n)]
        corrections = tuple(x - sum(raw) / n for x in raw)
        least = Fraction(random.choice((-100, 0)))
        start = max(some(-4, 4), least)
        sigma = Fraction(0) if place % 3 == 0 else some(1, 3)
        yield Round(
            curvatures, slopes, Fraction(random.choice((0, 1))), least, size / eta_g / tau, eta_g, tau, start,
            corrections, sigma,
        )  # fmt: skip


def true_of(relation: Any, values: dict[sp.Symbol, Any]) -> bool:
    """Whether a relation holds at these numbers."""
    with sp.evaluate(True):
        found = relation.func(*(side.xreplace(values).doit() for side in relation.args))
    assert found in (sp.true, sp.false), found
    return bool(found)
