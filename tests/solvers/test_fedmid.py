"""FedMid: its formulas by hand, what it is without a penalty, and where it ends."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.solvers.algorithms.fedmid import FedMid
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.driver import run
from fedproof.solvers.randomness import RandomSource

SMOOTH = random_quadratic(8, n_clients=4, dimension=3, samples=[2, 1, 3, 2])
UNEVEN = Quadratic.of([[[2]], [[5]], [[3]]], [[-3], [1], [4]], sizes=[1, 2], origin=[2])


def soft(x: Fraction, reach: Fraction) -> Fraction:
    """Soft thresholding of one number."""
    return max(abs(x) - reach, Fraction(0)) * (1 if x > 0 else -1)


def by_hand(method: FedMid, weight: Fraction, count: int) -> Fraction:
    """Both formulas for UNEVEN in plain fractions, one client at a time."""
    eta, eta_g, tau = method.stepsize, method.server_stepsize, method.local_steps
    slopes = [(a[0, 0], s[0]) for a, s in zip(UNEVEN.client_matrices, UNEVEN.client_slopes, strict=True)]
    server = Fraction(2)
    for _ in range(count):
        delta = Fraction(0)
        for (a, s), share in zip(slopes, (Fraction(1, 3), Fraction(2, 3)), strict=True):
            w = server
            for _ in range(tau):
                w = w - eta * (a * w + s)
                w = soft(w, eta * weight) if method.local_prox == "every_step" else w
            delta += share * (w - server)
        steps = tau if method.server_prox == "all_steps" else 1
        server = soft(server + eta_g * delta, eta * eta_g * steps * weight)
    return server


@pytest.mark.parametrize("choice", [{}, {"local_prox": "none"}, {"server_prox": "one_step"}])
def test_the_formulas_by_hand(choice: dict[str, Any]) -> None:
    """Three rounds of two clients of different sizes agree with the formulas typed out, exactly."""
    method = FedMid(Fraction(1, 20), 4, Fraction(5, 3), **choice)

    found = run(method, Composite(UNEVEN, L1("1/4")), 3).model[0]

    assert found == by_hand(method, Fraction(1, 4), 3)
    assert found != 0


def test_without_a_penalty_it_is_fedavg() -> None:
    """With g = 0 and eta_g = 1 every round is FedAvg's, with the same draws."""
    ours = run(FedMid(Fraction(1, 9), 3, batch_size=1), SMOOTH, 3, seed=5)
    theirs = run(FedAvg(Fraction(1, 9), 3, batch_size=1), SMOOTH, 3, seed=5)

    assert (ours.model == theirs.model).all()
    assert ours.gradients == theirs.gradients


def test_without_a_penalty_the_server_lengthens_the_step_of_fedavg() -> None:
    """With g = 0 a round is x + eta_g (FedAvg(x) - x)."""
    eta, start, cohort = Fraction(1, 9), SMOOTH.start(), Cohort.of(SMOOTH)
    method = FedMid(eta, 3, Fraction(5, 2), batch_size=1)
    draws = method.draw(SMOOTH, cohort.clients, RandomSource(1, 1))
    average = FedAvg(eta, 3, batch_size=1).round(SMOOTH, method.init(SMOOTH, start), cohort, draws)[0].model

    state, _ = method.round(SMOOTH, method.init(SMOOTH, start), cohort, draws)

    assert (state.model == start + Fraction(5, 2) * (average - start)).all()


def test_it_counts_the_penalty_twice() -> None:
    """One client, |x - 3|^2 / 2 + |x|: it stays at 1, the solution for 2 |x|, and leaves the solution 2."""
    line = Composite(Quadratic.of([[[1]]], [[-3]], sizes=[1]), L1(1))
    one, two = (line.number(v) + line.start() for v in (1, 2))
    method = FedMid(Fraction(1, 8), 1)

    assert run(method, line, 3, x0=one).model == one
    assert run(method, line, 1, x0=two).model[0] == 2 - Fraction(1, 8)
    assert run(replace(method, local_prox="none"), line, 3, x0=two).model == two
    before = two + FedComposite(Fraction(1, 8), 1).effective_stepsize
    assert run(FedComposite(Fraction(1, 8), 1), line, 3, x0=before).model == two


def test_more_local_steps_do_not_mend_it() -> None:
    """With tau = 4 the one client's solution is left too, by less for the shorter proximal step."""
    line = Composite(Quadratic.of([[[1]]], [[-3]], sizes=[1]).as_float(), L1(1))
    ends = [
        run(FedMid(0.125, 4, server_prox=choice), line, 200).model[0] for choice in ("all_steps", "one_step")
    ]

    assert ends[0] < ends[1] < 1.99
