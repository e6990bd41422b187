"""What the proofs of FLECS-CGD may go by holds, all of it together, in runs over all samples and coins."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.proof.formula_models import Array, Model, Value, falsehoods, formulas

#: rounds, workers
SIZES = ((1, 1), (1, 2), (2, 1), (2, 2))
#: worker i has the loss CURVES[i] (w - CENTRES[i])^2/2, of one curvature for Assumption 5; its samples err by
#: +-SPREAD[i]; Q(x) is 0 or 2 x
CURVES, CENTRES, SPREAD, START = np.array([0.7, 0.7]), np.array([1.0, -0.5]), np.array([0.3, 0.2]), 2.0
ALPHA, GAMMA, WEIGHT, INVERSE = 0.3, 0.4, 0.7, (0.8, 1.1)
FORMULAS = formulas("flecs")
FALSE = falsehoods(
    FORMULAS,
    [
        "flecs.assumption2.smooth 1: L: 1/2",
        "flecs.assumption2.strong: mu: 2",
        "flecs.lemma9 2: mu1: 2",
        "flecs.lemma9 3: mu2: 1/2",
        "flecs.definition3 4: omega: 1/2",
        "flecs.start: Psi0: 2",
        "flecs.assumption4: L: 1/2",
        "flecs.assumption5: zeta2: 1/2",
        "flecs.start.nonconvex: kappa0: 2",
        "flecs.lemmas.names 2: t: 4",
        "flecs.lemmas.names 4: p: 4",
        "flecs.lemmas.names 5: off2: 2",
        "flecs.algorithm5 1: rho: 2",
        "flecs.algorithm5 2: rho: 2",
    ],
    [
        "k: 0..K - 1, i: 1..n | Gk(k, i) == grad(i, W(k))",
        "k: 0..K - 1, i: 1..n | Ck(k, i, Qk(k, i, Gk(k, i))) == grad(i, W(k))",
        "k: 0..K - 1 | W(k + 1) == W(k) - alpha*GT(k)",
        "k: 0..K - 1, i: 1..n | Hk(k + 1, i) == Hk(k, i)",
    ],
)


class Run:
    """Algorithm 1 in one dimension; an outcome is every worker's sample and coin, of every round."""

    def __init__(self, K: int, n: int) -> None:
        self.K, self.n = K, n
        self.outcomes = np.array(list(product((-1.0, 1.0), repeat=2 * K * n)))
        size = len(self.outcomes)
        self.W, self.G, self.GT = [np.full(size, START)], list[list[Array]](), list[Array]()
        self.H: list[list[Array]] = [[np.full(size, 0.1) for _ in range(n)]]
        for k in range(K):
            w, h = self.W[k], self.H[k]
            self.G.append([self.slope(i, w) + SPREAD[i] * self.sign(k, i) for i in range(n)])
            sent = [self.compressed(k, i, g - h[i]) for i, g in enumerate(self.G[k])]
            self.GT.append(sum(h[i] + sent[i] for i in range(n)) / n)
            self.H.append([h[i] + GAMMA * sent[i] for i in range(n)])
            self.W.append(w - ALPHA * INVERSE[k] * self.GT[k])

    def slope(self, i: int, w: Value) -> Value:
        """A worker's derivative, workers from 0."""
        return CURVES[i] * (w - CENTRES[i])

    def place(self, k: int, i: int) -> int:
        """The coordinate of a worker's sample; that of its coin is the next."""
        return 2 * (k * self.n + i)

    def sign(self, k: int, i: int) -> Array:
        """Of a sample's error."""
        return self.outcomes[:, self.place(k, i)]

    def compressed(self, k: int, i: int, x: Value) -> Value:
        """Nothing or twice the vector."""
        return (1 + self.outcomes[:, self.place(k, i) + 1]) * x

    def averaged(self, x: Value, coordinate: int) -> Array:
        """A vector with one coordinate averaged out."""
        size = len(self.outcomes)
        table = np.broadcast_to(x, size).reshape((2,) * self.outcomes.shape[1])
        mean = table.mean(axis=coordinate, keepdims=True)
        return np.broadcast_to(mean, table.shape).reshape(size)


@cache
def model(K: int, n: int) -> Model:
    """What the paper's names and functions stand for in a run."""
    run, rng = Run(K, n), np.random.default_rng(K + n)
    size, mean = len(run.outcomes), CURVES[:n].mean()
    best = float(CURVES[:n] @ CENTRES[:n] / CURVES[:n].sum())
    points = [run.W[0], run.W[K], rng.normal(size=size), 3 * rng.normal(size=size)]

    def loss(i: int, u: Value) -> Any:
        return np.mean(CURVES[i - 1] / 2 * (u - CENTRES[i - 1]) ** 2)

    def risk(u: Value) -> Any:
        return sum(loss(i, u) for i in range(1, n + 1)) / n

    functions = {
        "f": loss,
        "F": risk,
        "grad": lambda i, u: run.slope(i - 1, u),
        "DF": lambda u: mean * (u - best),
        "W": lambda k: run.W[k],
        "GT": lambda k: run.GT[k],
        "Ak": lambda k, u: INVERSE[k] * u,
        "Inside": lambda k, u: k * u,  # nothing of the first sketch, all of the second
        "Inverse": lambda k, u: INVERSE[k] * u,
        "Search": lambda k: -INVERSE[k] * run.GT[k],
        "Gk": lambda k, i: run.G[k][i - 1],
        "Hk": lambda k, i: run.H[k][i - 1],
        "Qk": lambda k, i, u: run.compressed(k, i - 1, u),
        "Sk": lambda k, i, u: run.averaged(u, run.place(k, i - 1)),
        "Ck": lambda k, i, u: run.averaged(u, run.place(k, i - 1) + 1),
        "noise": lambda i: 1.1 * SPREAD[i - 1] ** 2,
    }
    L, mu2 = 1.1 * CURVES[:n].max(), max(INVERSE[:K])
    off = np.mean([(0.1 - run.slope(i, best)) ** 2 for i in range(n)])
    gap, targets = risk(run.W[0]) - risk(best), [run.slope(i, best) for i in range(n)]
    t, p = (n - 1) % K, 1 if K == 1 else n

    def square(x: Value) -> Any:
        return np.mean(x * x)

    names = {
        "K": K, "n": n, "L": L, "mu": 0.9 * mean, "mu1": min(INVERSE[:K]), "mu2": mu2, "omega": 1.2,
        "alpha": ALPHA, "gamma": GAMMA, "c": WEIGHT, "sigma2": 1.1 * np.mean(SPREAD[:n] ** 2),
        "ws": np.full(size, best), "t": t, "p": p,
        "off2": square(run.H[t][p - 1] - targets[p - 1]), "sample2": square(run.G[t][p - 1] - targets[p - 1]),
        "sent2": square(run.G[t][p - 1] - run.H[t][p - 1]), "noise2": 1.1 * SPREAD[p - 1] ** 2,
        "away2": square(run.slope(p - 1, run.W[t]) - targets[p - 1]),
        "mean_off": np.mean([square(run.H[t][i] - targets[i]) for i in range(n)]),
        "mean_away": np.mean([square(run.slope(i, run.W[t]) - targets[i]) for i in range(n)]),
        "Psi0": gap + WEIGHT * L * mu2**2 * ALPHA**2 * off,
        "kappa0": gap + WEIGHT * L * ALPHA**2 / 2 * off,
        "rho": INVERSE[0],
        "zeta2": 1.1 * np.mean([run.slope(i, best) ** 2 for i in range(n)]),
    }  # fmt: skip
    return Model(np.full(size, 1 / size), names, functions, points, range(2))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("id", FORMULAS)
def test_what_the_proofs_may_assume_holds(id: str, size: tuple[int, int]) -> None:
    """Each formula that a proof may go by holds in runs over all samples and coins."""
    assert model(*size).holds(FORMULAS[id])


@pytest.mark.parametrize("id", FALSE)
def test_what_is_false_fails_somewhere(id: str) -> None:
    """Each formula turned, or with another constant, fails in one of these runs."""
    assert not all(model(*size).holds(FALSE[id]) for size in SIZES)
