"""Kinked gradients: their arithmetic, their expectations, and the sharpened Lemma 1 on them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from fedproof.papers.fedproxvr.checks import sharp_kinks
from fedproof.papers.fedproxvr.checks._kinked import Kinked, mean_squares
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.exact import expectation, surrogate_gradients
from fedproof.validate.verdict import SamplingBudget
from tests.papers.verdicts import PLAIN, words

BENT = Kinked.of([[1, -1, 1], [-1, "1/2", 0], [0, 1, -1], [1, 1, 1]], [["-1/4", "1/8"], ["-1/2", 0]], [2, 2])
ESTIMATORS = ("sarah", "svrg")


def slope(curvatures: list[Fraction], kinks: list[Fraction], w: Fraction) -> Fraction:
    """1 + the curvature summed over 1/64-wide strips between 0 and w, both multiples of 1/64."""
    total, width = Fraction(1), Fraction(1, 64)
    sign, low, high = (1, Fraction(0), w) if w >= 0 else (-1, w, Fraction(0))
    while low < high:
        total += sign * width * curvatures[sum(k <= low for k in kinks)]
        low += width
    return total


@pytest.mark.parametrize("w", ["-1", "-1/4", "-3/64", "0", "1/8", "5/4"])
def test_gradients_are_the_integrated_curvature(w: str) -> None:
    """Sample and client gradients equal a sum over narrow strips, on either side of every kink."""
    at = Fraction(w)
    models = fractions([[at]] * 4)
    clients, samples = np.array([0, 0, 1, 1]), np.array([[0], [1], [0], [1]])
    rows = [slope(list(BENT.curvatures[i]), list(BENT.kinks[i // 2]), at) for i in range(4)]

    assert BENT.sample_gradients(models, clients, samples)[:, 0].tolist() == rows
    means = BENT.client_gradients(models, clients)[:, 0]
    assert means[0] == (rows[0] + rows[1]) / 2
    assert means[2] == (rows[2] + rows[3]) / 2


def test_weak_convexity_is_the_least_curvature() -> None:
    """Means of client 0 are 0, -1/4, 1/2, of client 1 are 1/2, 1, 0."""
    assert [BENT.weak_convexity(n) for n in (0, 1)] == [Fraction(1, 4), 0]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_all_outcomes_at_once_are_all_outcomes(estimator: str) -> None:
    """The mean squares of both clients equal the house's enumeration, in fractions."""
    run = FedProxVR(Fraction(1, 2), 3, Fraction(3, 2), estimator)
    found = mean_squares(run, BENT)
    for client in (0, 1):

        def squares(models: np.ndarray, client: int = client) -> np.ndarray:
            clients = np.full(len(models), client)
            g = surrogate_gradients(BENT, models, clients, BENT.start(), run.prox_weight)[:, 0]
            return g * g

        assert found[client] == expectation(run, BENT, BENT.start(), client, squares)
    assert mean_squares(run, BENT.as_float()) == pytest.approx(found.astype(float), rel=1e-12)


def test_without_kinks_it_is_a_quadratic() -> None:
    """With equal curvatures on all pieces the mean squares are those of the quadratic."""
    straight = Kinked.of([["1/2"] * 3, [-1] * 3], [["-1/4", "1/8"]], [2])
    quadratic = Quadratic.of([[["1/2"]], [[-1]]], [[1], [1]], sizes=[2])
    run = FedProxVR(Fraction(1, 3), 3, Fraction(2))

    def squares(models: np.ndarray) -> np.ndarray:
        g = surrogate_gradients(quadratic, models, np.zeros(len(models), int), quadratic.start(), 2)[:, 0]
        return g * g

    assert mean_squares(run, straight)[0] == expectation(run, quadratic, quadratic.start(), 0, squares)


def test_the_family_keeps_its_promises() -> None:
    """Curvatures within [-1, 1], means at least -lam, kinks increasing and passed by the first two steps."""
    for least in sharp_kinks.LEAST:
        family = sharp_kinks.family(least, Fraction(1, 4))

        assert family.n_clients == sharp_kinks.CLIENTS
        assert abs(family.curvatures).max() <= 1
        assert max(family.weak_convexity(n) for n in range(family.n_clients)) <= least
        assert (np.diff(family.kinks, axis=1) >= 0).all()
        assert family.kinks.min() >= Fraction(-1, 2)
        assert family.kinks.max() < 0
        assert (np.diff(family.client_curvatures, axis=1) != 0).any(axis=1).mean() > 0.5


def test_lemma_1_holds_with_kinks_and_a_third_of_theta_does_not() -> None:
    """All three lemmas are consistent in exact arithmetic, with at most a fifth of theta to spare."""
    findings = sharp_kinks.find(PLAIN)
    third = (sharp_kinks.enumerated(estimator, SamplingBudget(tighten=3)) for estimator in ESTIMATORS)

    assert words(*findings, *third) == ["consistent"] * 3 + ["violated"] * 2
    assert all(f.p_obeyed == 0 and 1 <= f.bound / f.measured < 1.2 for f in findings)
