"""What FedProxVR's proofs may go by holds, all of it together, in rounds of Algorithm 1 over all draws."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from fedproof.proof.formula import formula
from tests.proof.formula_models import Array, Model, Value, falsehoods, formulas

#: local steps, clients
SIZES = ((0, 1), (1, 1), (2, 2), (3, 3))
#: a client's two samples a (x - b)^2/2, b of the first, how many times the client has each of them
CURVATURES, FIRST = np.array([[1.3, -2.0], [1.5, -0.1], [2.0, 0.3]]), np.array([0.2, -1.0, 0.5])
COUNTS = (3, 5, 2)
#: by (5) all clients' gradients are 0 at one point; L bounds all |a|, lam the means from below
CENTRE, L, LAM, MU, BETA, BEGIN = 0.7, 2.0, 0.4, 1.3, 4.0, -1.2
ETA = 1 / (BETA * L)
FORMULAS = formulas("fedproxvr")
FALSE = falsehoods(FORMULAS, [f"fedproxvr.{text}" for text in (
    "assumption1.smooth 1: L: 9/10", "assumption1.smooth 2: L: 1/2", "smooth_descent 2: L: 1/2",
    "smooth_descent 3: L: 1/2", "criterion11.squared 3: theta: 9/10", "definition.Delta: Delta: 9/10",
    "assumption1.weakly_convex 2: lam: 4/5",
    "criterion11.squared 2: theta: 9/10", "algorithm1.line8.svrg: beta: -1", "algorithm1.line8.sarah: mu: 2",
)], [
    "x y: vector | Loss(x) + ip(DLoss(x), y - x) <= Loss(y)",
    "t: 1..tau | SvrgV(t) == Drawn(t, Svrg(t)) - Drawn(t, Svrg(t - 1)) + SvrgV(t - 1)",
    "t: 1..tau | ip(SarahV(t) - DLoss(Sarah(t)), SarahV(t)) == 0",
    " | ip(everyone - server, everyone) == 0",
    "s: 1..T | Server(s - 1) == sum(Weight(n)*Model(s, n), n, 1, N)",
    "u: vector | Total(optimum) + ip(DTotal(u), u - optimum) <= Total(u)",
])  # fmt: skip


def prox(x: Value) -> Value:
    """(10)"""
    return ETA / (1 + ETA * MU) * (MU * BEGIN + x / ETA)


class Run:
    """One round. An outcome is what is drawn in each step, by all clients alike, and t', and one client."""

    def __init__(self, tau: int, N: int) -> None:
        self.tau, self.M = tau, 2**tau * (tau + 1)
        self.outcomes = np.array(list(product(*[range(2)] * tau, range(tau + 1), range(N))))
        self.begin, self.drawn = np.full(len(self.outcomes), BEGIN), self.outcomes[:, -1]
        self.a, self.p = CURVATURES[:N], np.array(COUNTS[:N]) / sum(COUNTS[:N])
        self.A, b = self.a.mean(1), FIRST[:N]
        self.b = np.stack([b, (2 * CENTRE * self.A - self.a[:, 0] * b) / self.a[:, 1]], axis=1)
        self.local = [self.loop(n)[2] for n in range(1, N + 1)]

    def slope(self, n: int, x: Value) -> Value:
        """grad F_n."""
        return sum(self.a[n - 1, i] * (x - self.b[n - 1, i]) for i in range(2)) / 2

    def sample(self, n: int, t: int, x: Value) -> Value:
        """The gradient of the sample that client n draws in step t; where none is drawn, of the first."""
        i = self.outcomes[:, t - 1] if 1 <= t <= self.tau else 0
        return self.a[n - 1, i] * (x - self.b[n - 1, i])

    def solution(self, n: int, w: Value) -> Value:
        """The minimiser of client n's surrogate (6) of a round that starts at w."""
        return (self.A[n - 1] * CENTRE + MU * w) / (self.A[n - 1] + MU)

    def loop(self, n: int, sarah: bool = True) -> tuple[list[Array], list[Array], Array]:
        """Lines 3 to 10: the models 0..tau + 1, the directions 0..tau, the model at t'."""
        w, v = [self.begin], [self.slope(n, self.begin)]
        w.append(prox(w[0] - ETA * v[0]))
        for t in range(1, self.tau + 1):
            then, known = (w[t - 1], v[t - 1]) if sarah else (w[0], v[0])
            v.append(self.sample(n, t, w[t]) - self.sample(n, t, then) + known)
            w.append(prox(w[t] - ETA * v[t]))
        return w, v, np.choose(self.outcomes[:, self.tau], w[:-1])


@cache
def model(tau: int, N: int) -> Model:
    """What the paper's names and functions stand for in a round; the local loop is the first client's."""
    run, rng, clients = Run(tau, N), np.random.default_rng(tau + N), range(1, N + 1)
    begin, chances, K = run.begin, run.p[run.drawn] / run.M, len(run.begin)
    (sarah, sarah_v, sarah_end), (svrg, svrg_v, svrg_end) = run.loop(1), run.loop(1, sarah=False)
    best = [run.solution(n, begin) for n in clients]
    server = sum(p * w for p, w in zip(run.p, run.local, strict=True))
    # two more rounds, with local models that miss a surrogate's minimiser by a tenth of the way
    models, rounds = [run.local], [begin, server]
    for _ in range(2):
        w = rounds[-1]
        models.append([run.solution(n, w) + (w - run.solution(n, w)) / 10 for n in clients])
        rounds.append(sum(p * x for p, x in zip(run.p, models[-1], strict=True)))
    sigma = 1.1 * np.abs(run.A / (run.p @ run.A) - 1)
    bottom = np.full(K, CENTRE)
    points = [
        begin,
        begin + run.outcomes[:, 0],
        sarah[-1],
        server,
        rng.normal(size=K),
        3 * rng.normal(size=K),
    ]

    def loss(n: int, x: Value) -> Any:
        return chances @ sum(run.a[n - 1, i] * (x - run.b[n - 1, i]) ** 2 for i in range(2)) / 4

    def slope(x: Value) -> Value:
        return sum(p * run.slope(n, x) for n, p in enumerate(run.p, 1))

    rest = [(run.slope(n, w) + MU * (w - begin)) / run.slope(n, begin) for n, w in enumerate(run.local, 1)]
    functions = {
        "Loss": lambda x: loss(1, x), "LossOf": loss,
        "DLoss": lambda x: run.slope(1, x), "DLossOf": run.slope,
        "Total": lambda x: sum(p * loss(n, x) for n, p in enumerate(run.p, 1)), "DTotal": slope,
        "Weight": lambda n: run.p[n - 1] if n in clients else 0.0, "Sigma": lambda n: sigma[n - 1],
        "Chance": lambda i: 1 / run.M if 1 <= i <= run.M else 0.0,
        "Drawn": lambda t, x: run.sample(1, t, x), "Sized": np.abs,
        "Sarah": lambda t: sarah[t], "SarahV": lambda t: sarah_v[t],
        "Svrg": lambda t: svrg[t], "SvrgV": lambda t: svrg_v[t],
        "Local": lambda n: run.local[n - 1], "Solution": lambda n: best[n - 1],
        "Server": lambda s: rounds[s], "Model": lambda s, n: models[s - 1][n - 1],
        "Outcome": lambda n, i: np.full(K, run.local[n - 1][(i - 1) * N]),
    }  # fmt: skip
    names = {
        "L": L, "lam": LAM, "mu": MU, "mt": MU - LAM, "beta": BETA, "tau": tau, "N": N, "M": run.M,
        "s": 2, "T": 3, "optimum": bottom,
        "Delta": run.p @ [loss(n, begin) - loss(n, bottom) for n in clients],
        "theta": max(np.sqrt(chances @ x**2) for x in rest), "sigma2": run.p @ sigma**2,
        "begin": begin, "best": best[0], "SarahEnd": sarah_end, "SvrgEnd": svrg_end, "unit": np.ones(K),
        "server": server, "everyone": np.choose(run.drawn, run.local),
        "off": server - begin + (1 / (L + MU) + 1 / (MU - LAM)) / 2 * slope(begin),
    }  # fmt: skip
    return Model(chances, names, functions, points, range(-1, tau + 4))


@pytest.mark.parametrize(("id", "size"), [
    (id, size) for id in FORMULAS for size in SIZES
    # the first client's loss is concave: alone it has no least value
    if (id, size[1]) != ("fedproxvr.definition.optimum", 1)
], ids=str)  # fmt: skip
def test_a_formula_holds(id: str, size: tuple[int, int]) -> None:
    """In each model, for all its points, and for whole numbers in their ranges and outside."""
    assert model(*size).holds(FORMULAS[id])


@pytest.mark.parametrize("id", FALSE)
def test_a_falsehood_fails(id: str) -> None:
    """In one of the models: each formula turned; wrong constants, another estimator, draws known early."""
    assert not all(model(*size).holds(FALSE[id]) for size in SIZES)


@pytest.mark.parametrize("text", [
    "n2(SarahV(tau) - DLoss(Sarah(tau)))", "n2(SvrgV(tau) - DLoss(Svrg(tau)))", "n2(off)", "Sigma(1)", "lam",
    "n2(SarahV(tau) - SvrgV(tau))", "n2(Local(1) - Local(2))", "n2(Local(1) - Solution(1))", "1 - theta",
    "n2(Solution(1) - Solution(2))", "n2(server - begin)", "n2(everyone - server)", "n2(DTotal(begin))",
    "n2(DLossOf(1, begin) - DLossOf(2, begin))", "n2(Outcome(1, 1) - Outcome(1, M))", "theta", "mt",
])  # fmt: skip
def test_a_model_is_not_degenerate(text: str) -> None:
    """The estimators err and differ, so do clients and their outcomes, the local models are inexact."""
    assert model(3, 3).holds(formula(f"1/1000 <= {text}"))
