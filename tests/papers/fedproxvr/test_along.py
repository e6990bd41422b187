"""Theorem 1 with (5) along the run: two parabolas with minimisers apart, where (5) has no finite sigma."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest

from fedproof.bounds import catalog
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.validate.proof_basis import taken

FORMS = ("fedproxvr.theorem1.along", "fedproxvr.theorem1.along.sharpened")


@dataclass(frozen=True)
class Run:
    """Rounds in one dimension, in fractions: clients stop where their surrogate's gradient is theta |F_n'|.

    Arguments:
        slopes: the curvature and the minimiser of each client's loss.
        mu, theta: of the algorithm; signs: of each client's error.
        start, T: the first model and the rounds.
    """

    slopes: tuple[tuple[Fraction, Fraction], ...]
    mu: Fraction
    theta: Fraction
    signs: tuple[int, ...]
    start: Fraction
    T: int

    def gradients(self, w: Fraction) -> list[Fraction]:
        return [a * (w - b) for a, b in self.slopes]

    def gradient(self, w: Fraction) -> Fraction:
        return sum(self.gradients(w), Fraction(0)) / len(self.slopes)

    def models(self) -> list[Fraction]:
        """w^(0), ..., w^(T): a F_n' + mu (w_n - w) = sign theta |F_n'(w)| solved for w_n."""
        found = [self.start]
        for _ in range(self.T):
            w = found[-1]
            ends = [
                (sign * self.theta * abs(a * (w - b)) + a * b + self.mu * w) / (a + self.mu)
                for (a, b), sign in zip(self.slopes, self.signs, strict=True)
            ]
            found.append(sum(ends, Fraction(0)) / len(ends))
        return found

    def sigma2(self) -> Fraction:
        """The least sigma^2 that holds at w^(0), ..., w^(T-1)."""
        found = []
        for w in self.models()[:-1]:
            mean = self.gradient(w)
            apart = sum(((g - mean) ** 2 for g in self.gradients(w)), Fraction(0)) / len(self.slopes)
            found.append(apart / mean**2)
        return max(found)

    def measured(self) -> Fraction:
        """The mean squared gradient over w^(1), ..., w^(T)."""
        return sum((self.gradient(w) ** 2 for w in self.models()[1:]), Fraction(0)) / self.T

    def gap(self) -> Fraction:
        """F(w^(0)) less its least value."""
        a = sum((a for a, _ in self.slopes), Fraction(0)) / len(self.slopes)
        return self.gradient(self.start) ** 2 / (2 * a)


def runs() -> Iterator[Run]:
    """Two clients that pull apart, one of which may be flat or bend down, with errors either way."""
    for bend, mu, theta, signs, start, T in product(
        (Fraction(1), Fraction(1, 2), Fraction(-1, 4)), (4, 12, 60), (Fraction(0), Fraction(1, 20)),
        ((1, 1), (1, -1)), (30, 6, Fraction(1, 100)), (1, 3),
    ):  # fmt: skip
        slopes = ((Fraction(1), Fraction(-1)), (bend, Fraction(1)))
        yield Run(slopes, Fraction(mu), theta, signs, Fraction(start), T)


def bound(id: str, run: Run, sigma2: Fraction) -> float | None:
    """What the statement promises of the run."""
    L, lam = Fraction(1), max(Fraction(0), -run.slopes[1][0])
    known = {"sigma2": sigma2, "mu": run.mu, "theta": run.theta or Fraction(1, 10**6), "Delta": run.gap()}
    return StatementHandle(catalog.statement(id)).check(L=L, lam=lam, T=run.T, **known).bound


@pytest.mark.parametrize("id", FORMS)
def test_it_holds_where_no_sigma_holds_everywhere(id: str) -> None:
    """The clients' gradients do not vanish where the mean does, so that (5) is false; the bound is kept."""
    found = [(run, bound(id, run, run.sigma2())) for run in runs()]
    decided = [(run, value) for run, value in found if value is not None]

    assert len(decided) >= 20
    assert all(float(run.measured()) <= value for run, value in decided)
    assert all(run.gradients(Fraction(1))[0] != 0 for run, _ in decided)


def test_it_needs_what_it_assumes() -> None:
    """With no divergence at all the sharpened bound is broken by clients that stop early."""
    promised = [(run, bound(FORMS[1], run, Fraction(0))) for run in runs()]

    assert any(value is not None and float(run.measured()) > value for run, value in promised)


@pytest.mark.parametrize("id", FORMS)
def test_it_is_about_the_models_that_rounds_start_from(id: str) -> None:
    """What its certificate takes of (5) speaks of w^(s-1) for s = 1 to T and of no other model."""
    assumed = {ground.id for ground in taken(catalog.statement(id))}

    assert "fedproxvr.assumption1.dissimilarity.along" in assumed
    assert "fedproxvr.assumption1.dissimilarity" not in assumed
