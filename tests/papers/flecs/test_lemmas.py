"""Lemmas 8 and 10 to 12 of FLECS-CGD against one round over all outcomes, by the listings."""

from __future__ import annotations

from fractions import Fraction as Fr

import numpy as np
import pytest

from fedproof.bounds.statement_handle import statement
from fedproof.solvers.algorithms.flecs import Flecs
from fedproof.solvers.compressors.identity import Identity
from tests.papers.flecs.listing import after
from tests.solvers.flecs_listing import fedsonia

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


@pytest.mark.parametrize("gamma", [Fr(1, 5), Fr(2, 3), ONE])
def test_the_mean_of_the_next_shift_is_what_27_says(gamma: Fr) -> None:
    """E_Q h_1 = (1 - gamma) h_0 + gamma g exactly, and another gamma is seen; the bound is 0."""
    found = after({(W, (H,)): ONE}, SLOPES, OMEGA, ONE, gamma)
    mean = sum((p * h for (_, (h,)), p in found.items()), ZERO)

    assert mean == (1 - gamma) * H + gamma * GRADIENT != (1 - gamma / 2) * H + gamma / 2 * GRADIENT
    assert statement("flecs.lemma12.mean").check(n=1, gamma=gamma).bound == 0


def test_the_search_direction_is_minus_a_matrix_times_the_gradient() -> None:
    """Algorithm 5 line by line gives the direction of A_k built at once from B^SONIA."""
    rng = np.random.default_rng(3)
    method = Flecs(trunc_lo=0.5, trunc_hi=4, complement_stepsize=0.3, hessian_compressor=Identity())
    for _ in range(20):
        sketched, root, gradient = rng.normal(size=(6, 2)), rng.normal(size=(2, 2)), rng.normal(size=6)
        core = root + root.T
        values, vectors = np.linalg.eigh(sketched @ np.linalg.inv(core) @ sketched.T)
        inside = np.abs(values) > 1e-9
        weights = np.where(inside, 1 / np.clip(np.abs(values), 0.5, 4), 0.3)
        matrix = vectors @ np.diag(weights) @ vectors.T

        assert inside.sum() == 2
        assert fedsonia(method, sketched, core, gradient) == pytest.approx(-matrix @ gradient, abs=1e-9)
    assert statement("flecs.lemma8").check(rho=0.3).bound == 0
