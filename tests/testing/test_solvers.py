"""Our own algorithms are judged by the kit too: in fractions they give its numbers exactly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.solvers.algorithms.fedprox import FedProx
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.local.gradient_descent import GradientDescent
from fedproof.testing.api import conform
from fedproof.testing.clients import Client


def quadratic(w: Array, clients: list[Client], alike: bool) -> Quadratic:
    """The clients' least squares as a quadratic in fractions, from their data, alike or by size."""
    x = np.concatenate([client.features for client in clients])
    y = np.concatenate([client.targets for client in clients])
    matrices, slopes = x[:, :, None] * x[:, None, :], -x * y[:, None]
    sizes = [client.size for client in clients]
    if alike:  # one row a client: the mean of its rows
        ends, shares = np.cumsum([0, *sizes[:-1]]), np.array([Fraction(1, size) for size in sizes])
        whole = np.vectorize(Fraction, otypes=[object])
        matrices = np.add.reduceat(whole(matrices), ends) * shares[:, None, None]
        slopes = np.add.reduceat(whole(slopes), ends) * shares[:, None]
        sizes = [1 for _ in sizes]
    return Quadratic.of(matrices, slopes, sizes=sizes, origin=w)


def ours(make: Callable[..., Any], floats: bool, draws: bool = False) -> Callable[..., Array]:
    """A function for the kit that runs one of our algorithms, in fractions or floats."""

    def rounds_of(
        w: Array, clients: list[Client], stepsize: float, local_steps: int, prox_weight: float,
        server_stepsize: float, l1_weight: float, rounds: int,
    ) -> Array:  # fmt: skip
        algorithm = make(exact(stepsize), local_steps, exact(prox_weight), exact(server_stepsize))
        problem: Any = quadratic(w, clients, alike=isinstance(algorithm, FedComposite))
        problem = problem.as_float() if floats else problem
        problem = Composite(problem, L1(exact(l1_weight))) if l1_weight else problem
        state = algorithm.init(problem, problem.start())
        for _ in range(rounds):
            cohort = Cohort.of(problem)
            steps = getattr(algorithm, "steps", 0) if draws else 0
            numbers = [[[client.draw()] for _ in range(steps)] for client in clients]
            found = {"samples": np.array(numbers, dtype=int).reshape(len(clients), steps, 1)} if draws else {}
            state, _ = algorithm.round(problem, state, cohort, found)
        model: Array = state.model
        return model

    return rounds_of


def exact(number: float) -> Fraction:
    """The small fraction that was rounded to a float."""
    return Fraction(number).limit_denominator(1000)


MADE: dict[str, tuple[str, Callable[..., Any], bool]] = {
    "fedavg": ("fedavg", lambda eta, tau, mu, eta_g: FedAvg(eta, tau, batch_size=None), False),
    "fedprox": (
        "fedprox", lambda eta, tau, mu, eta_g: FedProx(mu, local_solver=GradientDescent(eta, tau)), False,
    ),
    "proximal steps": (
        "fedprox",
        lambda eta, tau, mu, eta_g: FedProx(mu, local_solver=GradientDescent(eta, tau, update="prox")),
        False,
    ),
    "sarah": ("fedproxvr", lambda eta, tau, mu, eta_g: FedProxVR(eta, tau, mu, returned="last"), True),
    "svrg": (
        "fedproxvr_svrg",
        lambda eta, tau, mu, eta_g: FedProxVR(eta, tau, mu, estimator="svrg", returned="last"),
        True,
    ),
    "fedcomposite": ("fedcomposite", lambda eta, tau, mu, eta_g: FedComposite(eta, tau, eta_g), False),
    "compact": (
        "fedcomposite", lambda eta, tau, mu, eta_g: FedComposite(eta, tau, eta_g, form="compact"), False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_our_algorithms_conform_exactly(name: str) -> None:
    """In fractions the difference is 0, in floats it is rounding."""
    algorithm, make, draws = MADE[name]
    found, rounded = (conform(ours(make, floats, draws), algorithm) for floats in (False, True))

    assert (found.precision, found.error) == ("exact", 0)
    assert (rounded.precision, rounded.form) == ("double", found.form)
    assert rounded.error < 1e-14


@pytest.mark.parametrize(
    ("algorithm", "make", "named"),
    [
        ("fedprox", lambda eta, tau, mu, eta_g: FedProx(2 * mu, local_solver=GradientDescent(eta, tau)),
         "the proximal weight is doubled, as of mu |w - w_s|^2 without the half"),
        ("fedavg", lambda eta, tau, mu, eta_g: FedAvg(eta, tau + 1, batch_size=None),
         "one local step too many"),
        ("fedcomposite", lambda eta, tau, mu, eta_g: FedComposite(eta, tau, eta_g, correction="none"),
         "the correction is missing"),
        ("fedcomposite",
         lambda eta, tau, mu, eta_g: FedComposite(eta, tau, eta_g, communicated="after_prox"),
         "the models after the proximal step are averaged (primal), not those before it (dual)"),
        ("fedcomposite", lambda eta, tau, mu, eta_g: FedComposite(eta, tau, eta_g, local_prox="constant"),
         "the local proximal steps keep the length eta, instead of (t + 1) eta"),
    ],
)  # fmt: skip
def test_our_variants_for_comparison_are_named(algorithm: str, make: Callable[..., Any], named: str) -> None:
    """What our algorithms can do otherwise, on request, is recognised as just that."""
    assert conform(ours(make, floats=False), algorithm).diagnosis == (named,)


def published(eta: Any, tau: int, mu: Any, eta_g: Any) -> FedProxVR:
    """FedProxVR with the steps counted as its authors' code counts them."""
    del eta_g
    return FedProxVR(eta, tau, mu, returned="last", counted="all")


def test_the_published_count_of_steps_is_one_less() -> None:
    """FedProxVR as its authors' code counts its steps takes one step less than the listing."""
    found = conform(ours(published, False, draws=True), "fedproxvr")

    assert found.diagnosis == ("one local step too few",)
