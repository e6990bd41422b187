"""What a method is at special hyper-parameters: another method, to the last bit or in fractions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from fedproof.problems.catalog import make_problem
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.fedda import FedDA
from fedproof.solvers.algorithms.fedmid import FedMid
from fedproof.solvers.algorithms.fedprox import FedProx
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.driver import run
from fedproof.solvers.local.gradient_descent import GradientDescent
from fedproof.solvers.local.stochastic_gradient import StochasticGradient

EXACT = random_quadratic(3, n_clients=4, dimension=3, samples=[1, 2, 3, 2], heterogeneity=2)
DIGITS = make_problem("digits", clients=7)
ETA = Fraction(1, 20)
UPDATES = ("gradient", "prox")


def prox(mu: float, solver: Any) -> FedProx:
    """FedProx with a local solver."""
    return FedProx(mu, local_solver=solver)


LAST = FedProxVR(ETA, 3, 0.5, "sgd", None, returned="last")
TO_THE_BIT = [
    # without a proximal term FedProx with stochastic gradients is FedAvg
    *(
        (prox(0, StochasticGradient(ETA, 3, b, u)), FedAvg(ETA, 3, b))
        for b, u in product((1, 3, None), UPDATES)
    ),
    # with prox steps it is FedProxVR's SGD with one step less, all steps stochastic and last iterate
    (
        prox(0.5, StochasticGradient(ETA, 4, 2, "prox")),
        FedProxVR(ETA, 3, 0.5, "sgd", 2, "stochastic", "last"),
    ),
    (prox(0.5, GradientDescent(ETA, 4, "prox")), LAST),
    # batches of all samples are gradient descent
    *(
        (prox(0.5, GradientDescent(ETA, 3, u)), prox(0.5, StochasticGradient(ETA, 3, None, u)))
        for u in UPDATES
    ),
    # FedProxVR's SGD without a proximal term is FedAvg with one step more
    *((FedProxVR(ETA, 6, 0, "sgd", b, "stochastic", "last"), FedAvg(ETA, 7, b)) for b in (1, 3)),
    # tau steps in all are tau - 1 steps after the first one
    (FedProxVR(ETA, 5, 0.1, batch_size=4, counted="all"), FedProxVR(ETA, 4, 0.1, batch_size=4)),
]
IN_FRACTIONS = [
    # with all samples in a batch SARAH and SVRG telescope to the full gradients
    *((replace(LAST, estimator=estimator), LAST) for estimator in ("sarah", "svrg")),
    # clients that fit into one block run as with all samples at every step
    (replace(LAST, estimator="svrg", batch_size=8, sampler="blocks"), replace(LAST, estimator="svrg")),
    # without a penalty FedMid at eta_g = 1 is FedAvg, and dual states are models
    (FedMid(ETA, 3, batch_size=1), FedAvg(ETA, 3, batch_size=1)),
    (FedDA(ETA, 3, "5/2", batch_size=1), FedMid(ETA, 3, "5/2", batch_size=1)),
]
PLACES = {"fractions": EXACT, "floats": EXACT.as_float(), "digits": DIGITS}
CASES = [(*pair, place) for pair, place in product(TO_THE_BIT, PLACES)]
CASES += [(*pair, "fractions") for pair in IN_FRACTIONS]


@pytest.mark.parametrize(("one", "other", "place"), CASES, ids=str)
def test_one_method_is_the_other(one: Any, other: Any, place: str) -> None:
    """Two rounds from the same seed give the same models, and the same metrics on the way."""
    a, b = (run(m, PLACES[place], 2, 9, metrics=["loss", "squared_gradient"]) for m in (one, other))

    assert (a.model == b.model).all()
    assert a.metrics == b.metrics
    if getattr(one, "estimator", "sgd") == "sgd":
        assert a.gradients == b.gradients
