"""One client's round of Algorithm 1 over every choice of samples, and the value of a step's claim on it.

Written from the paper's page alone: an oracle for the steps of Lemma 1's proof, which shares no code with
the rules that decide them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from fedproof.proof.forall import ForAll
from fedproof.proof.step import Given, Step
from fedproof.proof.vectors import Vector, ip, n2

Points = NDArray[np.float64]


@dataclass
class Round:
    """Quadratic losses f_i(w) = w'A_i w/2 + b_i'w, a round's start, and all paths of samples i_1..i_tau."""

    estimator: str
    beta: float
    mu: float
    tau: int
    samples: int = 2
    seed: int = 0
    L: float = 1.0
    w: list[Points] = field(default_factory=list)
    v: list[Points] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        d = 3
        turns = [np.linalg.qr(rng.normal(size=(d, d)))[0] for _ in range(self.samples)]
        self.A = np.array([q @ np.diag(rng.uniform(-0.4, 1, d) * self.L) @ q.T for q in turns])
        self.b = rng.normal(size=(self.samples, d))
        self.start = rng.normal(size=d)
        self.paths = np.array(list(product(range(self.samples), repeat=self.tau)))
        self.lam = max(0.0, -float(np.linalg.eigvalsh(self.A.mean(0)).min()))
        self.eta = 1 / (self.beta * self.L)
        self._walk()

    def f(self, i: NDArray[np.int_], x: Points) -> Points:
        """The gradients of the samples i at the points x."""
        return np.einsum("pjk,pk->pj", self.A[i], x) + self.b[i]

    def F(self, x: Points) -> Points:
        """The gradient of F_n."""
        return x @ self.A.mean(0) + self.b.mean(0)

    def loss(self, x: Points) -> float:
        """The mean of F_n over the paths."""
        return float(np.mean(np.einsum("pj,jk,pk->p", x, self.A.mean(0), x) / 2 + x @ self.b.mean(0)))

    def J(self, x: Points) -> float:
        """The mean of J_n over the paths."""
        return self.loss(x) + self.mu / 2 * square(x - self.start)

    def grad_J(self, x: Points) -> Points:
        """The gradient of J_n."""
        return self.F(x) + self.mu * (x - self.start)

    def prox(self, x: Points) -> Points:
        """(10)"""
        return self.eta / (1 + self.eta * self.mu) * (self.mu * self.start + x / self.eta)

    def hat(self, t: int) -> Points:
        """(28)"""
        return self.prox(self.w[t] - self.eta * self.F(self.w[t]))

    @property
    def best(self) -> Points:
        """The minimiser of J_n."""
        A = self.A.mean(0) + self.mu * np.eye(len(self.start))
        return self.everywhere(np.linalg.solve(A, self.mu * self.start - self.b.mean(0)))

    def everywhere(self, x: NDArray[np.float64]) -> Points:
        """The same point on every path."""
        return np.tile(x, (len(self.paths), 1))

    def sample(self, t: int) -> NDArray[np.int_]:
        """i_t on every path; before the first draw any index does."""
        column: NDArray[np.int_] = self.paths[:, max(t, 1) - 1]
        return column

    def _walk(self) -> None:
        self.w = [self.everywhere(self.start)]
        for t in range(self.tau + 1):
            now, i = self.w[t], self.sample(t)
            if t == 0:
                self.v.append(self.F(now))
            elif self.estimator == "sarah":
                self.v.append(self.f(i, now) - self.f(i, self.w[t - 1]) + self.v[t - 1])
            else:
                self.v.append(self.f(i, now) - self.f(i, self.w[0]) + self.v[0])
            self.w.append(self.prox(now - self.eta * self.v[t]))


def square(x: Points) -> float:
    """The mean squared norm over the paths."""
    return float(np.mean(np.sum(x * x, axis=1)))


@dataclass(frozen=True)
class World:
    """What symbols, vectors and sequences stand for."""

    numbers: dict[str, float]
    vectors: dict[str, Points] = field(default_factory=dict)
    sequences: dict[str, Callable[[int], float]] = field(default_factory=dict)

    def value(self, expr: Any) -> float:
        """The number that an expression stands for."""
        if isinstance(expr, (ip, n2)):
            left, right = self.vector(expr.args[0]), self.vector(expr.args[-1])
            return float(np.mean(np.sum(left * right, axis=1)))
        if isinstance(expr, sp.Sum):
            index, lo, hi = expr.limits[-1]
            body = sp.Sum(expr.function, *expr.limits[:-1]) if len(expr.limits) > 1 else expr.function
            ends = range(round(self.value(lo)), round(self.value(hi)) + 1)
            return sum(self.at(index, k).value(body) for k in ends)
        if isinstance(expr, sp.core.function.AppliedUndef):
            return self.sequences[expr.func.__name__](round(self.value(expr.args[0])))
        if isinstance(expr, sp.Symbol):
            return self.numbers[expr.name]
        if expr.is_Number:
            return float(expr)
        parts = [self.value(a) for a in expr.args]
        if isinstance(expr, sp.Add):
            return sum(parts)
        if isinstance(expr, sp.Mul):
            return float(np.prod(parts))
        if isinstance(expr, sp.Abs):
            return abs(parts[0])
        if isinstance(expr, sp.Max):
            return max(parts)
        assert isinstance(expr, sp.Pow), expr
        return float(parts[0] ** parts[1])

    def at(self, index: sp.Symbol, k: int) -> World:
        """The same with an index bound."""
        return World({**self.numbers, index.name: k}, self.vectors, self.sequences)

    def vector(self, expr: Any) -> Points:
        """The vectors, one a path, that a linear combination stands for."""
        if isinstance(expr, Vector):
            return self.vectors[expr.name]
        if isinstance(expr, sp.Add):
            return sum((self.vector(a) for a in expr.args), np.zeros(1))
        if not expr.atoms(Vector):
            return np.full((1, 1), self.value(expr))
        parts = [self.vector(a) for a in expr.args]
        return np.prod(np.broadcast_arrays(*parts), axis=0)  # type: ignore[no-any-return]

    def size(self, product: sp.Basic) -> float:
        """The most that an inner product can be."""
        return float(np.sqrt(square(self.vector(product.args[0])) * square(self.vector(product.args[1]))))

    def slack(self, relation: sp.Basic) -> float:
        """How far a relation is from failing, relative to its sides; an equation has none to spare."""
        left, right = relation.args
        if isinstance(relation, (sp.Ge, sp.Gt)):
            left, right = right, left
        if left.atoms(Vector) and not left.atoms(ip, n2):
            gap = np.abs(self.vector(left) - self.vector(right)).max()
            return -float(gap) / (1 + float(np.abs(self.vector(left)).max()))
        low, high = self.value(left), self.value(right)
        scale = 1e-9 + max(abs(low), abs(high), *(self.size(x) for x in relation.atoms(ip)))
        return -abs(high - low) / scale if isinstance(relation, sp.Eq) else (high - low) / scale

    def holds(self, relation: Any) -> bool:
        """Whether a relation, or one for every index, holds up to rounding."""
        if isinstance(relation, ForAll):
            ends = range(round(self.value(relation.lo)), round(self.value(relation.hi)) + 1)
            return all(self.at(relation.index, k).holds(relation.relation) for k in ends)
        return self.slack(relation) >= -1e-7


def world(run: Round, t: int, **numbers: float) -> World:
    """What the steps of Lemma 1's proof speak of, at the local step t."""
    w, v, i, p = run.w, run.v, run.sample(t), max(t - 1, 0)
    now, then = w[t], w[p]
    twin = run.sample(run.tau)
    plain = [float(np.linalg.norm(run.grad_J(x), axis=1).mean()) for x in w[:-1]]
    mapped = [square((x - run.hat(k)) / run.eta) for k, x in enumerate(w[:-1])]
    rng = np.random.default_rng(1)
    start = run.everywhere(run.start)
    vectors = {
        "before": then, "w": now, "after": w[t + 1], "hat": run.hat(t), "start": start,
        "other": run.everywhere(rng.normal(size=3)), "best": run.best,
        "grad_before": run.F(then), "grad": run.F(now), "grad_after": run.F(w[t + 1]),
        "grad_start": run.F(start), "grad_J": run.grad_J(now), "grad_best": run.grad_J(run.best),
        "v_before": v[p], "v": v[t],
        "f_before": run.f(i, then), "f_now": run.f(i, now), "f_start": run.f(i, start),
        "G": (now - run.hat(t)) / run.eta, "plus": run.hat(t), "grad_F": run.F(now),
        "x": rng.normal(size=now.shape), "y": rng.normal(size=now.shape),
        "last": w[t + 1], "grad_least": run.F(run.best),
    }  # fmt: skip
    sequences: dict[str, Callable[[int], float]] = {
        "J": lambda k: run.J(w[k]),
        "G": lambda k: mapped[k],
        "H": lambda k: square(w[k] - run.hat(k)),
        "D": lambda k: square(w[k] - w[k - 1]),
        "X": lambda k: square(w[k] - start),
        "err": lambda k: square(run.F(w[k]) - v[k]),
        "dv": lambda k: square(v[k] - v[k - 1]),
        "df": lambda k: square(run.f(i, w[k]) - run.f(i, w[k - 1])),
    }
    known = {
        "L": run.L, "lam": run.lam, "mu": run.mu, "mt": run.mu - run.lam, "beta": run.beta, "eta": run.eta,
        "tau": run.tau, "t": t, "alpha": 0.7,
        "F0": run.loss(now), "F1": run.loss(w[t + 1]), "J0": run.J(now), "J1": run.J(w[t + 1]),
        "J_best": run.J(run.best), "moment": square(run.f(twin, now) - run.f(twin, then)),
        "S0": square(run.grad_J(start)), "G0": square(run.F(start)), "G_end": float(np.mean(mapped)),
        "E2": float(np.mean([square(run.grad_J(x)) for x in w[:-1]])), "E1": float(np.mean(plain)),
        "F_last": run.loss(w[t + 1]), "F_best": run.loss(run.best),
        "share": 0.3, "q": (2 * run.tau + 2) ** -2,
        "X0": square(now - start), "X1": square(w[t + 1] - start), "D1": square(w[t + 1] - now),
    }  # fmt: skip
    return World({**known, **numbers}, vectors, sequences)


def agrees(step: Step, worlds: Iterable[World]) -> int:
    """In how many worlds the step speaks of what happens, all that it assumes and claims being so there.

    A world where a number is outside a condition, such as t >= 1, does not count.
    """
    applies = 0
    for here in worlds:
        given = [h for h in step.hypotheses if isinstance(h, Given)]
        if not all(here.holds(h.relation) for h in given if not h.why or h.why.startswith("unstated")):
            continue
        applies += 1
        wrong = [r for r in (*(h.relation for h in step.hypotheses), step.claim) if not here.holds(r)]
        assert not wrong, (step.id, here.numbers["t"], wrong)
    return applies
