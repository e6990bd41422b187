"""Devices drawn without replacement: what the proof may go by holds over all draws, and so does the bound."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product

import numpy as np
import pytest

from fedproof.bounds.catalog import statement
from fedproof.bounds.statement_handle import StatementHandle
from tests.proof.formula_models import Array, Model, Value, formulas, turned

#: device m has the loss SLOPES[m] sqrt(1 + (w - CENTRES[m])^2): G and L are the largest slope
SLOPES, CENTRES, START, ETA, DRAWS = np.array([0.5, 2.0, 1.0]), np.array([-3.0, -1.0, 2.0]), 4.0, 0.1, 2
MOST = float(SLOPES.max())
USED = ("lipschitz", "smooth", "oracle", "sampling.uniform", "sampling.distinct", "average", "start 1")
#: of minibatches, and of Theorem 2's proximal points
NOT_HERE = ("fedprox.lipschitz 3", "fedprox.sampling.uniform 10")
FORMULAS = {
    id: said
    for id, said in formulas("fedprox").items()
    if id.removeprefix("fedprox.").startswith(USED) and id not in NOT_HERE
}


def slope(w: Value, device: Value) -> Array:
    """The derivative of a device's loss."""
    found: Array = SLOPES[device] * (w - CENTRES[device]) / np.sqrt(1 + (w - CENTRES[device]) ** 2)
    return found


def loss(w: Value, device: Value) -> Array:
    """A device's loss."""
    found: Array = SLOPES[device] * np.sqrt(1 + (w - CENTRES[device]) ** 2)
    return found


def nearest(w: Array, device: Array) -> Array:
    """A device's proximal point, by bisection."""
    low, high = w - ETA * SLOPES[device], w + ETA * SLOPES[device]
    for _ in range(80):
        middle = (low + high) / 2
        rises = slope(middle, device) + (middle - w) / ETA > 0
        low, high = np.where(rises, low, middle), np.where(rises, middle, high)
    return (low + high) / 2


class Run:
    """FedProx with exact local solves; an outcome is the devices of every round, as they were drawn."""

    def __init__(self, T: int, distinct: bool) -> None:
        rounds = list(permutations(range(3), DRAWS)) if distinct else list(product(range(3), repeat=DRAWS))
        self.outcomes = np.array([sum(one, ()) for one in product(rounds, repeat=T)])
        self.W, self.X = [np.full(len(self.outcomes), START)], list[list[Array]]()
        for t in range(T):
            self.X.append([nearest(self.W[t], self.device(t, j)) for j in range(1, DRAWS + 1)])
            self.W.append(sum(self.X[t]) / DRAWS)

    def device(self, t: int, j: int) -> Array:
        """What a draw drew."""
        found: Array = self.outcomes[:, t * DRAWS + j - 1]
        return found

    def averaged(self, vector: Value, t: int, first: int) -> Array:
        """A vector with the draws of a round from the first on averaged out."""
        away = [t * DRAWS + j - 1 for j in range(first, DRAWS + 1)]
        _, groups = np.unique(np.delete(self.outcomes, away, axis=1), axis=0, return_inverse=True)
        groups = groups.reshape(-1)
        vector = np.broadcast_to(vector, len(self.outcomes)).astype(float)
        return (np.bincount(groups, vector) / np.bincount(groups))[groups]


def risk(u: Value) -> Array:
    """The mean of the devices' losses."""
    found: Array = np.mean([loss(u, m) for m in range(3)], axis=0)
    return found


def gradient(u: Value) -> Array:
    """Its derivative."""
    found: Array = np.mean([slope(u, m) for m in range(3)], axis=0)
    return found


def gap() -> float:
    """Delta, a little more than it is."""
    return float(risk(START) - min(risk(w) for w in np.linspace(-4, 5, 9001)) + 1e-6)


@cache
def model(T: int, distinct: bool = True) -> Model:
    """What the paper's names and functions stand for in a run."""
    run, rng = Run(T, distinct), np.random.default_rng(T)
    K, devices = len(run.outcomes), [np.full(1, m) for m in range(3)]
    functions = {
        "Phi": lambda t, j, u: np.mean(loss(u, run.device(t, j))),
        "DPhi": lambda t, j, u: slope(u, run.device(t, j)),
        "R": lambda u: np.mean(risk(u)),
        "DR": gradient,
        "W": lambda t: run.W[t],
        "X": lambda t, j: run.X[t][j - 1],
        "S": lambda t, u: run.averaged(u, t, 1),
        "Draw": lambda t, j, u: run.averaged(u, t, 1),
        "Left": lambda t, j, u: run.averaged(u, t, j),
        "Device": lambda t, j: slope(run.W[t], run.device(t, j)),
        "DBar": lambda t: np.mean([slope(nearest(run.W[t], m), m) for m in devices], axis=0),
        "XBar": lambda t: np.mean([nearest(run.W[t], m) for m in devices], axis=0),
    }
    names = {"T": T, "I": DRAWS, "M": 3, "G": MOST, "L": MOST, "eta": ETA, "eps": 1e-9, "Delta": gap()}
    points = [run.W[0], run.W[T], rng.normal(size=K), 3 * rng.normal(size=K)]
    return Model(np.full(K, 1 / K), names, functions, points, range(3))


@pytest.mark.parametrize("id", FORMULAS)
def test_what_the_proof_may_assume_holds(id: str) -> None:
    """Each formula of Theorem 1 without replacement holds over all draws, and turned it fails."""
    assert all(model(rounds).holds(FORMULAS[id]) for rounds in (1, 2))
    assert not all(model(rounds).holds(turned(FORMULAS[id])) for rounds in (1, 2))


def test_distinct_draws_are_not_independent() -> None:
    """What tells the two ways of drawing apart holds for one and fails for the other."""
    rest = FORMULAS["fedprox.sampling.distinct 4"]

    assert model(2).holds(rest)
    assert not model(2, distinct=False).holds(rest)


def test_distinct_draws_vary_less_by_the_correction_for_a_finite_population() -> None:
    """The variance of the mean of I of M numbers falls by (M - I)/(M - 1), here by half, below Lemma 4's."""
    drawn = [
        np.mean([slope(run.X[0][j - 1], run.device(0, j)) for j in (1, 2)], axis=0)
        for run in (Run(1, True), Run(1, False))
    ]
    distinct, independent = (float(np.var(means)) for means in drawn)

    assert distinct == pytest.approx(independent / 2)
    assert independent <= MOST**2 / DRAWS


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_the_bound_holds_in_the_mean_over_all_draws(rounds: int) -> None:
    """The mean over the rounds and all draws of the squared gradient is below the bound."""
    measured = np.mean([gradient(w) ** 2 for w in Run(rounds, True).W[:-1]])
    asked = StatementHandle(statement("fedprox.section2.distinct.general"))
    found = asked.check(L=MOST, G=MOST, Delta=gap(), T=rounds, I=DRAWS, M=3, eta=ETA, eps=1e-12)

    assert found.bound is not None
    assert float(measured) <= found.bound


def test_more_draws_than_devices_are_not_spoken_of() -> None:
    """I devices of M are distinct only where I <= M."""
    asked = StatementHandle(statement("fedprox.section2.distinct.general"))

    assert asked.check(L=1, G=1, Delta=1, T=1, I=3, M=3, eta="1/9", eps="1/10000").bound is not None
    assert asked.check(L=1, G=1, Delta=1, T=1, I=4, M=3, eta="1/9", eps="1/10000").bound is None
