"""Rounds of composite's Algorithm 1 over every choice of samples, and what the server's steps speak of.

Written from the paper's page alone, as `paths` is: quadratic clients, the penalty theta |x|_1, two equally
likely errors +-s at every draw, so that a round has 2^(n tau) outcomes of the same weight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.papers.fedproxvr.paths import World, square

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Setup:
    """Quadratic losses x'A_i x/2 + b_i'x, a penalty, errors +-s_i, step sizes and a server's model.

    Arguments:
        A, b: of each client.
        noise: s_i, in which an error of client i goes.
        theta: of the penalty.
        eta, eta_g, tau: of the algorithm.
        start: P^r, and c the corrections, whose mean is 0.
    """

    A: Array
    b: Array
    noise: Array
    theta: float
    eta: float
    eta_g: float
    tau: int
    start: Array
    c: Array

    @property
    def n(self) -> int:
        """How many clients there are."""
        return len(self.A)

    @property
    def eta_t(self) -> float:
        """Line 2 of Algorithm 1."""
        return self.eta * self.eta_g * self.tau

    @property
    def L(self) -> float:
        """The least L of Assumption 3.2."""
        return float(np.abs(np.linalg.eigvalsh(self.A)).max())

    def grad(self, i: int, x: Array) -> Array:
        """grad f_i at points."""
        return x @ self.A[i] + self.b[i]

    def mean_grad(self, x: Array) -> Array:
        """grad f at points."""
        return x @ self.A.mean(0) + self.b.mean(0)

    def f(self, x: Array) -> Any:
        """f at points."""
        return np.einsum("...j,jk,...k->...", x, self.A.mean(0), x) / 2 + x @ self.b.mean(0)

    def g(self, x: Array) -> Any:
        """The penalty at points."""
        return self.theta * np.abs(x).sum(-1)

    def F(self, x: Array) -> Any:
        """The objective at points."""
        return self.f(x) + self.g(x)

    def prox(self, x: Array, step: float) -> Array:
        """P_step."""
        shrunk: Array = np.sign(x) * np.maximum(np.abs(x) - step * self.theta, 0)
        return shrunk

    @cached_property
    def best(self) -> Array:
        """The minimiser of F, by proximal gradient descent."""
        x = self.start
        for _ in range(600):
            x = self.prox(x - self.mean_grad(x) / self.L, 1 / self.L)
        return x


def setup(seed: int, n: int = 2, tau: int = 2, eta_g: float = 1.6, short: float = 0.1) -> Setup:
    """A random one with eta~ L = `short`, convex in the mean."""
    rng = np.random.default_rng(seed)
    turns = [np.linalg.qr(rng.normal(size=(2, 2)))[0] for _ in range(n)]
    A = np.array([q @ np.diag(rng.uniform(0.2, 1.0, 2)) @ q.T for q in turns])
    c = rng.normal(size=(n, 2))
    L = float(np.abs(np.linalg.eigvalsh(A)).max())
    return Setup(
        A, rng.normal(size=(n, 2)), rng.normal(size=(n, 2)), 0.3, short / (L * eta_g * tau), eta_g, tau,
        rng.normal(size=2), c - c.mean(0),
    )  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """A round: local models z[t][i], errors e[t][i] and the server's next model, over all outcomes."""

    z: list[list[Array]]
    e: list[list[Array]]
    v: Array
    plus: Array


def run(s: Setup) -> Outcome:
    """Lines 4 to 18 of Algorithm 1 over every outcome."""
    signs = np.array(list(product((-1.0, 1.0), repeat=s.n * s.tau))).reshape(-1, s.tau, s.n)
    everywhere = np.tile(s.start, (len(signs), 1))
    hat = [everywhere for _ in range(s.n)]
    z: list[list[Array]] = []
    e: list[list[Array]] = []
    now = list(hat)
    for t in range(s.tau):
        z.append(list(now))
        e.append([signs[:, t, i, None] * s.noise[i] for i in range(s.n)])
        for i in range(s.n):
            hat[i] = hat[i] - s.eta * (s.grad(i, now[i]) + e[t][i] + s.c[i])
            now[i] = s.prox(hat[i], (t + 1) * s.eta)
    v = sum(s.grad(i, z[t][i]) + e[t][i] for t in range(s.tau) for i in range(s.n)) / (s.n * s.tau)
    return Outcome(z, e, v, s.prox(everywhere - s.eta_t * v, s.eta_t))


def spread_after(s: Setup, o: Outcome) -> float:
    """(1/n) E|Lambda^{r+1} - mean|^2."""
    sums = [sum(s.grad(i, o.z[t][i]) + o.e[t][i] for t in range(s.tau)) for i in range(s.n)]
    ends = [s.eta * (s.tau * s.grad(i, o.plus) - sums[i]) for i in range(s.n)]
    middle = sum(ends) / s.n
    return float(np.mean([square(x - middle) for x in ends]))


def spread_before(s: Setup) -> float:
    """(1/n) |Lambda^r - mean|^2: Lambda_i = eta tau (grad f_i(P) + c_i)."""
    own = np.array([s.eta * s.tau * (s.grad(i, s.start) + s.c[i]) for i in range(s.n)])
    return float(np.mean(np.sum((own - own.mean(0)) ** 2, axis=1)))


def told(x: Array, before: list[Array]) -> Array:
    """The mean of what has one row for each outcome, given these errors."""
    seen = np.hstack([np.zeros((len(x), 1)), *before])
    return np.array([x[(seen == row).all(1)].mean(0) for row in seen])


def server_world(s: Setup, draw: int = 1) -> World:
    """Everything that a round's steps speak of; `draw` is one of the n tau draws, counted from 1."""
    o = run(s)
    P = np.tile(s.start, (len(o.v), 1))
    grad = s.mean_grad(P)
    tilde = s.prox(P - s.eta_t * grad, s.eta_t)
    h_tilde = (P - s.eta_t * grad - tilde) / s.eta_t
    h_plus = (P - s.eta_t * o.v - o.plus) / s.eta_t
    row = [(t, i) for t in range(s.tau) for i in range(s.n)]
    errors = [o.e[t][i] for t, i in row]
    changes = [s.grad(i, o.z[t][i]) - s.grad(i, P) for t, i in row]
    points = [o.z[t][i] for t, i in row]
    K = len(row)
    so_far = [np.zeros_like(P)]
    for e in errors:
        so_far.append(so_far[-1] + e)
    noise, change = so_far[-1] / K, sum(changes) / K
    value = {k: float(np.mean(s.f(x))) for k, x in (("f0", P), ("f1", o.plus), ("ft", tilde))}
    pen = {k: float(np.mean(s.g(x))) for k, x in (("g_P", P), ("g1", o.plus), ("g_tilde", tilde))}
    model = float(
        np.mean(np.sum(grad * (tilde - P), 1))
        + square(tilde - P) / (2 * s.eta_t)
        + pen["g_tilde"]
        - pen["g_P"]
    )
    G = (P - tilde) / s.eta_t
    numbers = {
        **value, **pen, "n": s.n, "tau": s.tau, "b": 1.0, "K": K, "L": s.L, "eta": s.eta, "eta_g": s.eta_g,
        "eta_t": s.eta_t, "sigma2": float(np.max(np.sum(s.noise**2, 1))), "B_g": s.theta * 2**0.5,
        "F0": value["f0"] + pen["g_P"], "F1": value["f1"] + pen["g1"], "Ft": value["ft"] + pen["g_tilde"],
        "Fs": float(s.F(s.best)), "model": model, "err2": square(o.v - grad), "noise2": square(noise),
        "change2": square(change), "total2": square(so_far[-1]), "moved": square(o.plus - P),
        "pgd2": square(tilde - P), "G2": square(G), "drift": sum(square(x - P) for x in points),
        "spread": spread_after(s, o), "Lam2": spread_before(s), "LamSq": s.n * spread_before(s),
        "f_P": value["f0"], "f_tilde": value["ft"], "f_next": value["f1"], "g_next": pen["g1"],
    }  # fmt: skip
    step = (draw - 1) // s.n
    before = [o.e[t][i] for t in range(step) for i in range(s.n)]
    earlier = sum(before, np.zeros_like(P))
    vectors = {
        "earlier": earlier, "same": so_far[draw - 1] - earlier, "told": told(earlier, before),
        "P": P, "plus": o.plus, "tilde": tilde, "grad": grad, "G": G, "h_tilde": h_tilde, "h_plus": h_plus,
        "v": o.v, "noise": noise, "change": change, "e": errors[draw - 1], "d": changes[draw - 1],
        "zj": points[draw - 1], "so_far": so_far[draw - 1], "a": P, "b": o.v,
    }  # fmt: skip
    sequences: dict[str, Callable[[int], float]] = {
        "M": lambda j: square(so_far[j]),
        "Z": lambda j: square(points[j - 1] - P),
        "C": lambda j: square(changes[j - 1]),
        "I": lambda j: float(np.mean(np.sum(changes[j - 1] * change, 1))),
    }
    return World(numbers, vectors, sequences)
