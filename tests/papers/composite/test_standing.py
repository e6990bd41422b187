"""What composite's proofs may go by holds, all of it together, in runs of Algorithm 1 over all errors."""

from __future__ import annotations

from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fedproof.proof.formula import formula
from tests.proof.formula_models import Array, Model, Value, falsehoods, formulas

#: clients, local steps, rounds
SIZES = ((1, 1, 3), (3, 1, 1), (2, 3, 1), (2, 2, 2))
#: client i has the loss A_i (x - c_i)^2/2, L bounds |A_i|; the penalty is theta |x|
CURVATURES, CENTRES, L, THETA = np.array([1.0, -0.2, 0.6]), np.array([1.0, -0.4, 0.7]), 1.0, 0.3
ETA, ETA_G, SPREAD, BATCH, START = 0.1, 1.2, 0.5, 2, 2.0
FORMULAS = formulas("composite")
FALSE = falsehoods(FORMULAS, [f"composite.{text}" for text in (
    "assumption3.2: L: 9/10", "convention.lipschitz 1: L: 9/10", "assumption3.4.variance 2: sigma2: 1/2",
    "assumption3.1 2: B_g: 9/10", "assumption3.3.1: Fs: 11/10", "assumption3.3.2: mu: 5/2",
    "remark3.7.strongly_convex: mu_sc: 13/10", "eq2.correction: tau: -1", "algorithm1.line2: eta: 1/2",
)], [
    "x y: vector | Pen(x) - ip(DPen(x), y - x) <= Pen(y)",
    "r: 1..R | Model(r + 1) == Prox(Model(r) + eta_t*Direction(r))",
    "r i t: whole | ip(Noise(r, i, t), NoiseSum(r, i, t + 1)) == 0",
    "r: whole | ip(DrawSum(r, n*tau + 1), Prox(Model(r) - eta_t*Direction(r)) - solution) == 0",
    "r: whole | Model(r + 1) == Prox(Model(r) - eta_t*Direction(r))",
])  # fmt: skip


def prox(x: Value, step: float) -> Value:
    """The proximal operator of step times the penalty."""
    return np.sign(x) * np.maximum(np.abs(x) - step * THETA, 0)


class Run:
    """Algorithm 1 with errors of either sign, smaller where a model has moved; round R + 1 has none.

    An outcome is the signs of all errors, and one client. A stacked vector is sqrt(n) times what that client
    has. Other rounds are the first or the last, other clients the first; in other steps nothing happens.
    """

    def __init__(self, n: int, tau: int, R: int) -> None:
        self.n, self.tau, self.eta_t = n, tau, ETA * ETA_G * tau
        outcomes = np.array(list(product(*[(-1.0, 1.0)] * (R * tau * n), range(n))))
        self.signs, self.drawn = outcomes[:, :-1].T, outcomes[:, -1].astype(int)
        self.A, self.c = CURVATURES[:n], CENTRES[:n]
        self.curvature, self.centre = self.A.mean(), self.A @ self.c / self.A.sum()
        self.rounds: list[SimpleNamespace] = []
        x, old, c, signs = np.full(len(outcomes), START), [0.0] * n, [0.0] * n, iter(self.signs)
        for _ in range(R + 1):
            P, own = prox(x, self.eta_t), [0.0] * n
            hat, z, errors = ([[P][:k] for _ in range(n)] for k in (1, 1, 0))
            for t, i in product(range(tau), range(n)):
                errors[i].append(next(signs, 0.0) * SPREAD / (1 + (z[i][t] - P) ** 2))
                gradient = self.slope(i + 1, z[i][t]) + errors[i][t]
                own[i] = own[i] + gradient
                hat[i].append(hat[i][t] - ETA * (gradient + c[i]))
                z[i].append(prox(hat[i][t + 1], (t + 1) * ETA))
            x = P + ETA_G * (sum(h[tau] for h in hat) / n - P)
            v, plus = (P - x) / self.eta_t, prox(x, self.eta_t)
            now = {"P": P, "v": v, "plus": plus, "old": old, "own": own, "c": c, "hat": hat, "z": z}
            self.rounds.append(SimpleNamespace(errors=errors, **now))
            old, c = own, [v - g / tau for g in own]

    def at(self, r: int) -> SimpleNamespace:
        """A round."""
        return self.rounds[min(max(r, 1), len(self.rounds)) - 1]

    def of(self, i: int, each: Any) -> Any:
        """What a client has."""
        return each[i - 1 if 1 <= i <= self.n else 0]

    def slope(self, i: int, x: Value) -> Value:
        """grad f_i."""
        return self.of(i, self.A) * (x - self.of(i, self.c))

    def local(self, r: int, i: int, t: int) -> Value:
        """z_{i,t}^r"""
        return self.of(i, self.at(r).z)[t] if 0 <= t <= self.tau else self.at(r).P

    def error(self, r: int, i: int, t: int) -> Value:
        """The error of the mini-batch."""
        return self.of(i, self.at(r).errors)[t] if 0 <= t < self.tau else 0.0

    def change(self, r: int, i: int, t: int) -> Value:
        """The gradient less that at the server's model."""
        return self.slope(i, self.local(r, i, t)) - self.slope(i, self.at(r).P)

    def draw(self, j: int) -> tuple[int, int]:
        """The client and the step of a draw; of none, a step before the first."""
        return ((j - 1) % self.n + 1, (j - 1) // self.n) if 1 <= j <= self.n * self.tau else (1, -1)

    def stacked(self, each: list[Value]) -> Value:
        """What the clients have, as one vector."""
        return np.sqrt(self.n) * np.choose(self.drawn, each)


@cache
def model(n: int, tau: int, R: int) -> Model:
    """What the paper's names and functions stand for in a run."""
    run, rng, clients = Run(n, tau, R), np.random.default_rng(n + tau + R), range(1, n + 1)
    mu, mu_sc, eta_t, K = 0.5 * run.curvature, 0.8 * run.curvature, run.eta_t, len(run.drawn)
    best = np.full(K, prox(run.centre, 1 / run.curvature))
    points = [run.at(1).P, run.at(R).plus, rng.normal(size=K), 3 * rng.normal(size=K), run.signs[0], best]

    def loss(i: int, x: Value) -> Any:
        return np.mean(run.of(i, run.A) / 2 * (x - run.of(i, run.c)) ** 2)

    def F(x: Value) -> Any:
        return sum(loss(i, x) for i in clients) / n + np.mean(THETA * np.abs(x))

    def slope(x: Value) -> Value:
        return run.curvature * (x - run.centre)

    def segment(step: Array) -> Value:
        far = mu_sc * np.mean(step**2)
        lack = abs(far / 2 - (F(best + step) - F(best)))
        return best + lack / (lack + far + 1) * step

    functions = {
        "Loss": lambda x: sum(loss(i, x) for i in clients) / n, "loss_of": loss,
        "DLoss": slope, "dloss_of": run.slope,
        "Pen": lambda x: np.mean(THETA * np.abs(x)), "DPen": lambda x: THETA * np.sign(x),
        "Prox": lambda x: prox(x, eta_t), "Sub": lambda x: (x - prox(x, eta_t)) / eta_t,
        "LProx": lambda t, x: prox(x, (t + 1) * ETA),
        "LSub": lambda t, x: (x - prox(x, (t + 1) * ETA)) / ((t + 1) * ETA),
        "Model": lambda r: run.at(r).P, "Direction": lambda r: run.at(r).v,
        "MeanOld": lambda r: sum(run.at(r).old) / n, "Old": lambda r, i: run.of(i, run.at(r).old),
        "Corr": lambda r, i: run.of(i, run.at(r).c), "Noise": run.error,
        "NoiseSum": lambda r, i, t: sum(run.error(r, i, k) for k in range(t)),
        "Pre": lambda r, i, t: run.of(i, run.at(r).hat)[t], "Local": run.local,
        "ChangeSum": lambda r, i, t: sum(run.change(r, i, k) for k in range(t)),
        "DriftSum": lambda r, i, t: sum(np.mean((run.local(r, i, k) - run.at(r).P) ** 2) for k in range(t)),
        "Draw": lambda r, j: run.error(r, *run.draw(j)),
        "DrawSum": lambda r, j: sum(run.error(r, *run.draw(k)) for k in range(1, j)),
        "Turn": lambda r, j: run.change(r, *run.draw(j)), "At": lambda r, j: run.local(r, *run.draw(j)),
        "AllPlus": lambda r: run.stacked([run.slope(i, run.at(r).plus) for i in clients]),
        "AllMean": lambda r: run.stacked([slope(run.at(r).plus)] * n),
        "AllOwn": lambda r: run.stacked(run.at(r).own),
        "Everyone": lambda r: run.stacked([sum(run.at(r).own) / n] * n),
        "Least": lambda x: prox(x - slope(x) / mu, 1 / mu), "LeastL": lambda x: prox(x - slope(x) / L, 1 / L),
        "EntryL1": lambda j: THETA * (j == 1), "EntryRelu": lambda j: THETA * {1: 1.0, 2: 0.5}.get(j, 0.0),
        "EntryInf": lambda j: THETA * {1: 0.6, 2: -0.3}.get(j, 0.0),
        "Segment": lambda r: segment(run.at(r).plus - best),
    }  # fmt: skip
    names = {
        "n": n, "tau": tau, "R": R, "round": R // 2 + 1, "d": 3, "ell": 2, "eta": ETA, "eta_g": ETA_G,
        "eta_t": eta_t, "L": L, "mu": mu, "mu_sc": mu_sc, "B_g": THETA, "vartheta": THETA, "b": BATCH,
        "sigma2": BATCH * SPREAD**2, "solution": best, "Fs": F(best),
        "here": points[2], "there": points[3],
    }  # fmt: skip
    return Model(np.full(K, 1 / K), names, functions, points, range(-1, n * tau + 3))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("id", FORMULAS)
def test_a_formula_holds(id: str, size: tuple[int, int, int]) -> None:
    """In each model, for all its points, and for whole numbers in their ranges and outside."""
    assert model(*size).holds(FORMULAS[id])


@pytest.mark.parametrize("id", FALSE)
def test_a_falsehood_fails(id: str) -> None:
    """In one of the models: each formula turned; wrong constants, signs, ranges, errors known too early."""
    assert not all(model(*size).holds(FALSE[id]) for size in SIZES)


@pytest.mark.parametrize("text", [
    "n2(NoiseSum(2, 1, tau))", "n2(Local(1, 1, 1) - Local(1, 2, 1))", "n2(Turn(2, n*tau - 1))",
    "n2(dloss_of(1, solution) - dloss_of(2, solution))", "n2(Pre(1, 1, 2) - Local(1, 1, 2))",
    "n2(Segment(1) - solution)",
    "n2(Model(R + 1) - solution)", "n2(Model(2) - Model(1))", "ip(Model(2), DrawSum(1, n*tau + 1))**2",
    "n2(Least(Model(1)) - solution)", "n2(Least(Model(1)) - LeastL(Model(1)))", "n2(AllOwn(1) - Everyone(1))",
])  # fmt: skip
def test_a_model_is_not_degenerate(text: str) -> None:
    """It has errors that models depend on, clients and steps that differ, a penalty and a way to go."""
    assert model(2, 2, 2).holds(formula(f"1/1000 <= {text}"))
