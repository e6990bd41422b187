"""Clients whose minimisers lie apart, so that (5) has no finite sigma, and the sigma that a run shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

import numpy as np

from fedproof.papers.fedproxvr.checks._family import federated_family
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.solvers.moments import Moments


@dataclass(frozen=True)
class Game:
    """Rounds in one dimension, in fractions: clients stop where their surrogate's gradient is theta |F_n'|.

    Arguments:
        clients: the curvature and the minimiser of each of the losses, which count the same.
        mu, theta: of the algorithm.
        signs: of each client's error.
        start, rounds: the first model, and T.
    """

    clients: tuple[tuple[Fraction, Fraction], ...]
    mu: Fraction
    theta: Fraction
    signs: tuple[int, ...]
    start: Fraction
    rounds: int

    @cached_property
    def problem(self) -> Quadratic:
        """One sample a client; the centre is 0."""
        bent = [[[a]] for a, _ in self.clients]
        tilted = [[-a * b] for a, b in self.clients]
        return Quadratic.of(bent, tilted, sizes=[1] * len(self.clients), origin=[self.start])

    def moments(self) -> list[Moments]:
        """w^(0), ..., w^(T): a (w_n - b) + mu (w_n - w) = sign theta |a (w - b)|, solved for w_n."""
        w, found = self.start, [Moments.at(fractions([self.start]))]
        for _ in range(self.rounds):
            ends = [
                (sign * self.theta * abs(a * (w - b)) + a * b + self.mu * w) / (a + self.mu)
                for (a, b), sign in zip(self.clients, self.signs, strict=True)
            ]
            w = sum(ends, Fraction(0)) / len(ends)
            found.append(Moments.at(fractions([w])))
        return found

    def __str__(self) -> str:
        bends = ", ".join(f"{a} (w - {b})" for a, b in self.clients)
        return f"slopes {bends}, mu={self.mu}, theta={self.theta}, from {self.start}, T={self.rounds}"


def sigma2(problem: Quadratic, before: Sequence[Moments]) -> Any:
    """The least sigma^2 with E sum p_n |grad F_n - grad F|^2 <= sigma^2 E|grad F|^2 at each of the models.

    >>> one, none = Fraction(1), Fraction(0)
    >>> half = Game(((one, none), (none, none)), one, none, (1, 1), one, 1)
    >>> sigma2(half.problem, half.moments())  # slopes w and 0
    Fraction(1, 1)
    """
    total = problem.number(problem.partition.total)
    shares = [problem.number(int(size)) / total for size in problem.sizes]
    ratios = []
    for at in before:
        each = [_client(problem, n, at) for n in range(problem.n_clients)]
        whole = at.expected_squared_gradient(problem)
        ratios.append(sum(p * value for p, value in zip(shares, each, strict=True)) / whole - 1)
    return max(ratios)


def _client(problem: Quadratic, n: int, at: Moments) -> Any:
    """E|grad F_n|^2 at a model: the mean over the clients of this is E|grad F|^2 and what they are apart."""
    alone = np.array([n])
    matrix = problem.client_matrices[n]
    level = problem.client_gradients(problem.centre[None], alone)[0]
    affine = np.concatenate([matrix, (level - matrix @ problem.centre)[:, None]], axis=1)
    return np.trace(affine @ at.second @ affine.T)


def mean_squared_gradient(problem: Quadratic, moments: Sequence[Moments]) -> Any:
    """The mean over w^(1), ..., w^(T) of E|grad F|^2."""
    found = [at.expected_squared_gradient(problem) for at in moments[1:]]
    return sum(found[1:], start=found[0]) / len(found)


def gap(problem: Quadratic) -> Fraction:
    """F(w^(0)) less its least value."""
    return Fraction(problem.loss(problem.start()) - problem.constants["least_loss"].value)


@cache
def pulled_apart(numbers: tuple[int, ...]) -> tuple[Quadratic, ...]:
    """Quadratics whose clients' gradients where they all vanished are no longer 0, begun farther away."""
    found = []
    for problem in (federated_family(max(numbers) + 1)[number] for number in numbers):
        turned = np.repeat([(-1) ** n for n in range(problem.n_clients)], problem.sizes)
        slopes = problem.slopes + fractions(turned.tolist())[:, None] / 8
        away = problem.centre + 10 * (problem.origin - problem.centre)
        moved = replace(problem, slopes=slopes, origin=away, name=f"{problem.name}, minimisers apart")
        if moved.constants["dissimilarity"].value is None:
            found.append(moved)
    return tuple(found)
