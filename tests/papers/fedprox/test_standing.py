"""What the proofs of FedProx may go by holds, all of it together, in runs of FedMSPP over all draws."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.proof.formula_models import Array, Model, Value, falsehoods, formulas

#: rounds, draws, samples of a draw
SIZES = ((1, 1, 1), (1, 2, 1), (1, 1, 2), (2, 1, 1))
#: the loss of sample z of device m is SLOPE sqrt(1 + (w - CENTRES[m][z])^2): G = L = SLOPE, convex
CENTRES, SLOPE, ETA, RHO, NU, START = ((1.0, 2.0), (-1.5, -0.5)), 0.7, 0.6, 0.8, 0.25, 1.3
#: not of independent draws: tested with every device in every round, and with distinct ones
ALONE = ("fedprox.full", "fedprox.lgd", "fedprox.sampling.distinct")
FORMULAS = {id: said for id, said in formulas("fedprox").items() if not id.startswith(ALONE)}
FALSE = falsehoods(
    FORMULAS,
    [
        "fedprox.dissimilarity: H2: 1/2",
        "fedprox.start 1: Delta: 1/2",
        "fedprox.start 2: Delta_rho: 1/2",
        "fedprox.envelope 1: rho: 9",
        "fedprox.envelope 2: rho: 1/2",
        "fedprox.lipschitz 1: G: 1/2",
    ],
    [
        "t: 0..T - 1, xi: 1..I | X(t, xi) == W(t)",
        "t: 0..T - 1, xi: 1..I | Draw(t, xi, DPhi(t, xi, X(t, xi))) == DR(W(t))",
        "t: 0..T - 1, xi: 1..I | n2(DPhi(t, xi, W(t)) - DR(W(t))) <= G**2/b - n2(Device(t, xi))",
    ],
)


def loss(w: Value, centre: Value) -> Value:
    """One sample's loss."""
    return SLOPE * np.sqrt(1 + (w - centre) ** 2)


def slope(w: Value, centre: Value) -> Value:
    """Its derivative."""
    return SLOPE * (w - centre) / np.sqrt(1 + (w - centre) ** 2)


def nearest(w: Array, centres: Array, step: float) -> Array:
    """The proximal points of means of losses, by bisection: centres of shape (number, outcomes)."""
    low, high = w - step * SLOPE, w + step * SLOPE
    for _ in range(80):
        middle = (low + high) / 2
        rises = slope(middle, centres).mean(axis=0) + (middle - w) / step > 0
        low, high = np.where(rises, low, middle), np.where(rises, middle, high)
    return (low + high) / 2


class Run:
    """FedMSPP with exact local solves; an outcome is every draw's device and samples, of every round."""

    def __init__(self, T: int, I: int, b: int) -> None:  # noqa: E741
        self.T, self.I, self.b = T, I, b
        devices = [range(2)] * (T * I) + [range(2)] * (T * I * b)
        self.outcomes = np.array(list(product(*devices)))
        self.all = np.array(CENTRES).reshape(-1, 1)
        self.W = [np.full(len(self.outcomes), START)]
        self.X: list[list[Array]] = []
        for t in range(T):
            self.X.append([nearest(self.W[t], self.centres(t, j), ETA) for j in range(1, I + 1)])
            self.W.append(sum(self.X[t]) / I)

    def device(self, t: int, j: int) -> int:
        """The coordinate of a draw's device."""
        return t * self.I + j - 1

    def sample(self, t: int, j: int, i: int) -> int:
        """The coordinate of a draw's sample."""
        return self.T * self.I + self.device(t, j) * self.b + i - 1

    def centres(self, t: int, j: int) -> Array:
        """Those of a draw's samples, shape (b, outcomes)."""
        table = np.array(CENTRES)
        picked = [self.outcomes[:, self.sample(t, j, i)] for i in range(1, self.b + 1)]
        return np.array([table[self.outcomes[:, self.device(t, j)], z] for z in picked])

    def averaged(self, vector: Value, coordinates: list[int]) -> Array:
        """A vector with some of the draws averaged out."""
        vector = np.broadcast_to(vector, len(self.outcomes)).astype(float)
        rest = np.delete(self.outcomes, coordinates, axis=1)
        if not rest.shape[1]:
            return np.full(len(vector), vector.mean())
        _, groups = np.unique(rest, axis=0, return_inverse=True)
        groups = groups.reshape(-1)
        return (np.bincount(groups, vector) / np.bincount(groups))[groups]

    def drawn(self, t: int, j: int) -> list[int]:
        """The coordinates of a draw."""
        return [self.device(t, j), *(self.sample(t, j, i) for i in range(1, self.b + 1))]


@cache
def model(T: int, I: int, b: int) -> Model:  # noqa: E741
    """What the paper's names and functions stand for in a run."""
    run, rng = Run(T, I, b), np.random.default_rng(T + I + b)
    K = len(run.outcomes)

    def risk(u: Value) -> Any:
        return loss(u, run.all).mean(axis=0)

    def gradient(u: Value) -> Array:
        return slope(u, run.all).mean(axis=0)

    def best(u: Value) -> Array:
        return nearest(np.asarray(u, dtype=float), np.broadcast_to(run.all, (4, K)), RHO)

    def local_gradient(t: int, j: int) -> Array:
        return slope(run.X[t][j - 1], run.centres(t, j)).mean(axis=0)

    def device_gradient(t: int, j: int) -> Array:
        own = np.array(CENTRES)[run.outcomes[:, run.device(t, j)]]
        return slope(run.W[t][:, None], own).mean(axis=1)

    def envelope(u: Value) -> Any:
        return np.mean(risk(best(u)) + (best(u) - u) ** 2 / (2 * RHO))

    grid = np.linspace(-3, 3, 6001)
    bottom = np.full(K, grid[np.argmin(loss(grid, run.all).mean(axis=0))])
    least = np.mean(risk(bottom))
    points = [run.W[0], run.W[T], rng.normal(size=K), 3 * rng.normal(size=K), bottom]
    functions = {
        "Phi": lambda t, j, u: np.mean(loss(u, run.centres(t, j))),
        "DPhi": lambda t, j, u: slope(u, run.centres(t, j)).mean(axis=0),
        "R": lambda u: np.mean(risk(u)),
        "DR": gradient,
        "W": lambda t: run.W[t],
        "X": lambda t, j: run.X[t][j - 1],
        "S": lambda t, u: run.averaged(u, [c for j in range(1, I + 1) for c in run.drawn(t, j)]),
        "Draw": lambda t, j, u: run.averaged(u, run.drawn(t, j)),
        "Pick": lambda t, j, i, u: run.averaged(u, [run.sample(t, j, i)]),
        "DBar": lambda t: run.averaged(local_gradient(t, 1), run.drawn(t, 1)),
        "XBar": lambda t: run.averaged(run.X[t][0], run.drawn(t, 1)),
        "Sample": lambda t, j, i: slope(run.W[t], run.centres(t, j)[i - 1]),
        "Device": device_gradient,
        "Best": best,
        "Env": envelope,
        "DEnv": lambda u: (u - best(u)) / RHO,
    }
    names = {
        "T": T, "I": I, "b": b, "G": SLOPE, "L": SLOPE, "nu": NU, "eta": ETA, "rho": RHO, "eps": 1e-3,
        "Delta": np.mean(risk(run.W[0])) - least + 1e-6,
        "Delta_rho": envelope(run.W[0]) - least + 1e-6,
        "H2": max(np.mean((device_gradient(t, 1) - gradient(run.W[t])) ** 2) for t in range(T)),
    }  # fmt: skip
    return Model(np.full(K, 1 / K), names, functions, points, range(3))


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("id", FORMULAS)
def test_what_the_proofs_may_assume_holds(id: str, sizes: tuple[int, int, int]) -> None:
    """Each formula that a proof may go by holds in runs over all draws."""
    assert model(*sizes).holds(FORMULAS[id])


@pytest.mark.parametrize("id", FALSE)
def test_what_is_false_fails_somewhere(id: str) -> None:
    """Each formula turned, or with another constant, fails in one of these runs."""
    assert not all(model(*sizes).holds(FALSE[id]) for sizes in SIZES)
