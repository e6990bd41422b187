"""Lemmas 10, 11 and 12 of FLECS-CGD against one round over all outcomes, by the listing, in fractions."""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest

from fedproof.bounds.statement_handle import statement
from tests.papers.flecs.listing import after

ONE, ZERO, OMEGA = Fr(1), Fr(0), Fr(1, 2)
#: a worker with the derivative w - 1/2 from w = 2 and h = 1/4, whose gradient at w* = 1/2 is 0
SLOPES, W, H = ((ONE, -Fr(1, 2)),), Fr(2), Fr(1, 4)
GRADIENT = W - Fr(1, 2)


def shift_error(gamma: Fr, noise: Fr) -> Fr:
    """E|h_1 - h_*|^2, exactly."""
    found = after({(W, (H,)): ONE}, SLOPES, OMEGA, ONE, gamma, noise)
    return sum((p * h**2 for (_, (h,)), p in found.items()), ZERO)


@pytest.mark.parametrize("noise", [ZERO, Fr(1, 3)])
@pytest.mark.parametrize("gamma", [Fr(1, 5), Fr(2, 3), ONE])
def test_lemma_12_is_an_equation_at_this_compressor(gamma: Fr, noise: Fr) -> None:
    """All or nothing varies by omega times the square, no less: the bound is reached, at any gamma."""
    squares = {
        "off2": H**2, "sample2": GRADIENT**2 + noise**2, "sent2": (GRADIENT - H) ** 2 + noise**2,
    }  # fmt: skip
    found = statement("flecs.lemma12").check(omega=OMEGA, n=1, gamma=gamma, **squares)

    assert found.bound == pytest.approx(float(shift_error(gamma, noise)), rel=1e-14)


@pytest.mark.parametrize("noise", [ZERO, Fr(1, 3)])
def test_lemma_11_is_an_equation_at_its_longest_step(noise: Fr) -> None:
    """At gamma (1 + omega) = 1 it is reached, below it is kept, above it promises nothing."""
    for gamma in (Fr(1, 5), Fr(2, 3), ONE):
        found = statement("flecs.lemma11").check(
            omega=OMEGA, n=1, gamma=gamma, off2=H**2, away2=GRADIENT**2, noise2=noise**2
        )
        assert found.applicable == (gamma <= Fr(2, 3))
        if found.bound is not None:
            assert float(shift_error(gamma, noise)) <= found.bound + 1e-14
        if gamma == Fr(2, 3):
            assert found.bound == pytest.approx(float(shift_error(gamma, noise)), rel=1e-14)


def test_lemma_10_holds_for_two_workers_apart() -> None:
    """E|g~|^2 of a round, read off w_1 at alpha = 1, with noise and different gradients."""
    slopes, noise, w = ((ONE, ONE), (ONE, -ONE)), Fr(1, 3), Fr(1, 2)
    found = after({(w, (ZERO, ZERO)): ONE}, slopes, OMEGA, ONE, ONE, noise)
    second = sum((p * (w - v) ** 2 for (v, _), p in found.items()), ZERO)
    bound = (
        statement("flecs.lemma10").check(omega=OMEGA, n=2, mean_off=1, mean_away=w**2, sigma2=noise**2).bound
    )

    assert bound is not None
    assert w**2 < second <= Fr(bound)
