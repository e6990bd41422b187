"""Rounds of Algorithm 1 of `composite` over every choice of samples, and what its proof steps speak of.

Written from the paper's page alone, like `fedproxvr.paths`: quadratic clients, the l1 penalty, one sample
drawn by every client in every local step. Steps that speak of one round are read in the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.papers.fedproxvr.paths import World, square

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rounds:
    """Client i has samples x'A_ij x/2 + b_ij'x, j = 0, 1; the penalty is theta |x|_1.

    Every array below has a row for each path, a path being what all clients draw in all rounds. Where it is
    exact, all numbers have few binary digits, so that floating point makes no error; where it is convex, the
    samples differ in b alone.
    """

    clients: int = 2
    tau: int = 2
    reach: float = 1 / 8
    eta_g: float = 1.6
    theta: float = 0.3
    seed: int = 0
    d: int = 2
    exact: bool = False
    convex: bool = False
    samples: int = 2
    rounds: int = 2

    @cached_property
    def A(self) -> Array:
        """The samples' matrices, symmetric, of any sign or with eigenvalues from 1/5 to 1."""
        rng = np.random.default_rng(self.seed)
        raw = rng.normal(size=(self.clients, self.samples, self.d, self.d))
        if self.convex:
            turns = np.linalg.qr(raw[:, :1])[0]
            raw = turns * rng.uniform(0.2, 1.0, (self.clients, 1, 1, self.d)) @ turns.swapaxes(-1, -2)
            raw = np.repeat(raw, self.samples, axis=1)
        return self.rounded((raw + raw.swapaxes(-1, -2)) / 2)

    def rounded(self, x: Array) -> Array:
        """To quarters, where it is exact."""
        return np.round(4 * x) / 4 if self.exact else x

    @cached_property
    def b(self) -> Array:
        """The samples' linear parts."""
        shape = (self.clients, self.samples, self.d)
        return self.rounded(np.random.default_rng(self.seed + 1).normal(size=shape))

    @cached_property
    def L(self) -> float:
        """The clients' Lipschitz constant."""
        return float(np.abs(np.linalg.eigvalsh(self.A.mean(1))).max())

    @property
    def eta(self) -> float:
        """The local step size, eta tau L being the reach."""
        return 1 / 16 if self.exact else self.reach / (self.tau * self.L)

    @property
    def eta_t(self) -> float:
        """Line 2."""
        return self.eta * self.eta_g * self.tau

    @cached_property
    def paths(self) -> NDArray[np.int_]:
        """What is drawn: (path, round, local step, client)."""
        shape = (self.rounds, self.tau, self.clients)
        return np.indices((self.samples,) * int(np.prod(shape))).reshape(*shape, -1).transpose(3, 0, 1, 2)

    def told(self, x: Array, t: int) -> Array:
        """The mean of what every path has, given all that is drawn before step t of the second round."""
        now = self.paths[:, 1, :t].reshape(len(self.paths), -1)
        drawn = np.hstack([self.paths[:, 0].reshape(len(self.paths), -1), now])
        _, group = np.unique(drawn, axis=0, return_inverse=True)
        sums = np.zeros((group.max() + 1, x.shape[1]))
        np.add.at(sums, group.ravel(), x)
        mean: Array = (sums / np.bincount(group.ravel())[:, None])[group.ravel()]
        return mean

    def prox(self, x: Array, step: float) -> Array:
        """The proximal operator of step times the penalty."""
        return np.sign(x) * np.maximum(np.abs(x) - step * self.theta, 0)

    def f(self, x: Array) -> float:
        """The smooth loss in the mean."""
        A = self.A.mean((0, 1))
        return float(np.mean(np.einsum("pj,jk,pk->p", x, A, x) / 2 + x @ self.b.mean((0, 1))))

    def g(self, x: Array) -> float:
        """The penalty in the mean."""
        return float(self.theta * np.abs(x).sum(1).mean())

    @cached_property
    def best(self) -> Array:
        """The minimiser of F, by proximal gradient descent."""
        x = np.zeros((1, self.d))
        for _ in range(600):
            x = self.prox(x - self.grad(x) / self.L, 1 / self.L)
        return x

    @property
    def curvature(self) -> float:
        """The strong convexity of f."""
        return float(np.linalg.eigvalsh(self.A.mean((0, 1))).min())

    def full(self, i: int, x: Array) -> Array:
        """grad f_i."""
        return x @ self.A[i].mean(0) + self.b[i].mean(0)

    def drawn(self, i: int, x: Array, r: int, t: int) -> Array:
        """The gradient of the sample that client i draws in step t of round r."""
        j = self.paths[:, r, t, i]
        return np.einsum("pjk,pk->pj", self.A[i][j], x) + self.b[i][j]

    def grad(self, x: Array) -> Array:
        """grad f."""
        return np.mean([self.full(i, x) for i in range(self.clients)], axis=0)

    @cached_property
    def history(self) -> list[dict[str, Any]]:
        """Lines 3 to 19, round by round; the last entry has the server's last model alone."""
        every = range(self.clients)
        start = self.rounded(np.random.default_rng(self.seed + 2).normal(size=self.d))
        x = np.tile(start, (len(self.paths), 1))
        c = [np.zeros_like(x) for _ in every]
        found = []
        for r in range(self.rounds):
            P = self.prox(x, self.eta_t)
            zh, z = ([[P] for _ in every] for _ in range(2))
            drawn: list[list[Array]] = [[] for _ in every]
            for t, i in product(range(self.tau), every):
                drawn[i].append(self.drawn(i, z[i][t], r, t))
                zh[i].append(zh[i][t] - self.eta * (drawn[i][t] + c[i]))
                z[i].append(self.prox(zh[i][t + 1], (t + 1) * self.eta))
            found.append({"P": P, "x": x, "c": c, "zh": zh, "z": z, "drawn": drawn})
            x = P + self.eta_g * (np.mean([zh[i][-1] for i in every], axis=0) - P)
            c = [(P - x) / (self.eta_g * self.eta * self.tau) - np.mean(drawn[i], axis=0) for i in every]
        found.append({"P": self.prox(x, self.eta_t), "x": x, "c": c})
        return found

    @cached_property
    def variance(self) -> float:
        """The largest conditional variance at the models of the second round."""
        now = self.history[1]["z"]
        models = [(i, now[i][t]) for i in range(self.clients) for t in range(self.tau)]
        gaps = [
            np.sum((x @ (self.A[i][0] - self.A[i][-1]) + self.b[i][0] - self.b[i][-1]) ** 2, axis=1) / 4
            for i, x in models
        ]
        return float(np.max(gaps))

    def spread(self, r: int) -> tuple[list[Array], Array]:
        """Lambda_i of round r and their mean."""
        P, c = self.history[r]["P"], self.history[r]["c"]
        own = [self.eta * self.tau * (self.full(i, P) + c[i]) for i in range(self.clients)]
        return own, np.mean(own, axis=0)


def world(run: Rounds, i: int, t: int) -> World:
    """What the steps of Lemmas A.1 and A.2 speak of at local step t of client i in the second round."""
    old, now, then = run.history
    eta, tau, step, n = run.eta, run.tau, (t + 1) * run.eta, run.clients
    P, plus, z, zh = now["P"], then["P"], now["z"], now["zh"]
    grad, grad_i = run.grad(P), run.full(i, P)
    tilde = run.prox(P - run.eta_t * grad, run.eta_t)
    pgd = run.prox(P - step * grad, step)
    G = (P - tilde) / run.eta_t
    errors = [[now["drawn"][k][s] - run.full(k, z[k][s]) for s in range(tau)] for k in range(n)]
    moves = [[run.full(k, z[k][s]) - run.full(k, P) for s in range(tau)] for k in range(n)]
    none = np.zeros_like(P)
    rng = np.random.default_rng(5)
    other = rng.normal(size=P.shape)
    lam, mean_lam = run.spread(1)
    old_sums = [np.sum(old["drawn"][k], axis=0) for k in range(n)]
    between = 0.3
    h_tilde, h_pgd = (P - run.eta_t * grad - tilde) / run.eta_t, (P - step * grad - pgd) / step
    vectors = {
        "P": P, "plus": plus, "tilde": tilde, "grad": grad, "G": G, "h_tilde": h_tilde, "h_pgd": h_pgd,
        "zh": zh[i][t + 1], "z": z[i][t + 1], "h_z": (zh[i][t + 1] - z[i][t + 1]) / step, "pgd": pgd,
        "sampled": sum(now["drawn"][i][: t + 1], none), "grad_i": grad_i, "c": now["c"][i],
        "full": sum((run.full(i, x) for x in z[i][: t + 1]), none), "G_pgd": grad + h_pgd,
        "lam": lam[i], "mean_lam": mean_lam, "own_old": old_sums[i], "mean_old": np.mean(old_sums, axis=0),
        "errors": sum(errors[i][:t], none), "error": errors[i][t], "moved": sum(moves[i][:t], none),
        "told_errors": run.told(sum(errors[i][:t], none), t), "told_lam": run.told(lam[i] - mean_lam, 0),
        "move": moves[i][t], "omega": P - run.eta_t * grad, "w": other,
        "between": tilde + between * (other - tilde),
        "x": zh[i][t + 1], "u": z[i][t + 1], "h_u": (zh[i][t + 1] - z[i][t + 1]) / step,
        "y": P - step * grad, "v": pgd, "h_v": h_pgd, "short": pgd - P, "long": tilde - P,
    }  # fmt: skip

    def distance(k: int, s: int) -> float:
        return square(z[k][s] - P)

    sums = [sum(distance(k, s) for s in range(tau)) for k in range(n)]
    lam_square = [square(x - mean_lam) for x in lam]
    variance, B2 = run.variance, run.theta**2 * run.d
    G2, growth = square(G), 1 + 1 / (8 * tau)
    apart = [square(tau * run.full(k, plus) - np.sum(now["drawn"][k], axis=0)) for k in range(n)]
    lam_next, mean_next = run.spread(2)
    noise = vectors["sampled"] - vectors["full"]
    away = vectors["full"] - (t + 1) * grad_i
    part = square(eta * (noise + away))
    sequences = {
        "M2": lambda k: square(sum(errors[i][: k + 1], none)),
        "V": lambda k: square(errors[i][k]),
        "X": lambda k: square(sum(moves[i][: k + 1], none)),
        "A2": lambda k: square(moves[i][k]),
        "D": lambda k: distance(i, k),
        "S": lambda k: sum(distance(i, s) for s in range(k + 1)),
        "W": lambda k: growth**k,
        "Wi": lambda k: growth**-k,
        "S_end": lambda k: sums[k - 1],
        "lam": lambda k: lam_square[k - 1],
        "Y": lambda k: apart[k - 1],
    }
    numbers = {
        "L": run.L, "n": n, "tau": tau, "b": 1, "sigma2": variance, "B_g": B2**0.5, "eta": eta,
        "eta_g": run.eta_g, "eta_t": run.eta_t, "t": t, "ell": t, "G2": G2, "LamSq": sum(lam_square),
        "Lam2": sum(lam_square) / n, "moved": square(plus - P), "drift": sum(sums),
        "spread": sum(square(x - mean_next) for x in lam_next) / n,
        "stacked": sum(square(x - mean_next) for x in lam_next),
        "less": sum(square(x - mean_next) for x in lam_next) / eta**2,
        "near": square(z[i][t + 1] - pgd), "shift": square(pgd - P), "noise2": square(noise),
        "away2": square(away), "lam2": lam_square[i], "part": part,
        "turned": ((t + 1) / tau) ** 2 * lam_square[i], "ended": sums[i], "apart": apart[i],
        "power": growth**t, "inverse": growth**-t, "exponential": np.exp(t / (8 * tau)),
        "root": np.exp(1 / (8 * tau)), "s": step, "s_long": run.eta_t, "lam": between,
        "g_u": run.g(z[i][t + 1]), "g_v": run.g(pgd), "g_w": run.g(other), "g_tilde": run.g(tilde),
        "g_b": run.g(vectors["between"]), "g_P": run.g(P),
        "inner": float(np.mean(np.sum((P - run.eta_t * grad - tilde) * (other - tilde), axis=1))),
        "far2": square(other - tilde),
    }  # fmt: skip
    numbers["A"] = 16 * tau**2 * eta**2 * B2 + 4 * tau**2 * eta**2 * G2
    numbers["A"] += 4 * lam_square[i] + 8 * tau * eta**2 * variance
    return World(numbers, vectors, sequences)


def renamed(run: Rounds, here: World, step: str) -> World:
    """The world with the names that one step alone uses for parts of what it speaks of."""
    n, v, t = here.numbers, here.vectors, here.numbers["t"]
    turn = v["lam"] - v["mean_lam"]
    noise, away = v["sampled"] - v["full"], v["full"] - (t + 1) * v["grad_i"]
    together = square(run.eta * (noise + away) + (t + 1) / run.tau * turn)
    own: dict[str, dict[str, float]] = {
        "eq26": dict.fromkeys(("braced", "parted", "apart26"), n["shift"]),
        "eq28": {"split": together, "last": together},
        "eq31.errors": {
            "together": n["part"],
            "first": square(run.eta / (t + 1) * noise),
            "second": square(run.eta * away),
        },
    }
    if step == "eq19.limit":
        gap = abs(n["inner"] - run.eta_t * (n["g_w"] - n["g_tilde"]))
        near = gap / (gap + n["far2"] + 1)
        own[step] = {"g_b": run.g(v["tilde"] + near * (v["w"] - v["tilde"]))}
    if step.startswith("sharp."):
        passed = 2 * run.eta_t**2 * n["G2"] + 4 * n["lam2"] + 8 * run.tau * run.eta**2 * run.variance
        own[step] = {"A": passed}
    return World({**n, **own.get(step, {})}, v, here.sequences)


def next_round(run: Rounds) -> World:
    """What (35) and (36) speak of: one client stands for all, a row for each path and client."""
    now, plus = run.history[1], run.history[2]["P"]
    lam, mean_lam = run.spread(2)
    own = [np.sum(now["drawn"][k], axis=0) for k in range(run.clients)]
    full = [sum(run.full(k, x) for x in now["z"][k][:-1]) for k in range(run.clients)]
    everywhere = [plus for _ in own]
    rows = {
        "lam_next": lam, "mean_lam_next": [mean_lam for _ in own], "all_own": own, "own": own,
        "full_round": full, "all_plus": [run.full(k, plus) for k in range(run.clients)],
        "all_mean": [run.grad(plus) for _ in own],
        "everyone": [np.mean(own, axis=0) for _ in own], "plus": everywhere,
        "P": [now["P"] for _ in own], "mean_plus": [run.grad(plus) for _ in own],
        "grad_plus": [run.full(k, plus) for k in range(run.clients)],
        "grad_i": [run.full(k, now["P"]) for k in range(run.clients)],
    }  # fmt: skip
    vectors = {name: np.concatenate(found) for name, found in rows.items()}
    return World({"eta": run.eta, "tau": run.tau, "L": run.L, "t": 0}, vectors)


def coordinate(run: Rounds, i: int, path: int, k: int, r: int = 1) -> World:
    """What Appendix A.1 speaks of: one coordinate on one path, client i, round r + 1, which is the last."""
    old, now, then = run.history[r - 1 : r + 2]
    every = range(run.clients)

    def at(x: Array) -> float:
        return float(x[path, k])

    def mean(found: list[Array]) -> float:
        return at(np.mean(found, axis=0))

    lam, _ = run.spread(r)
    sequences = {
        "zh": lambda s: at(now["zh"][i][s]),
        "f": lambda s: at(now["drawn"][i][s]),
        "fb": lambda s: mean([now["drawn"][c][s] for c in every]),
        "f_old": lambda s: at(old["drawn"][i][s]),
        "fb_old": lambda s: mean([old["drawn"][c][s] for c in every]),
        "Z": lambda c: at(now["zh"][c - 1][-1]),
        "own": lambda c: at(np.sum(now["drawn"][c - 1], axis=0)),
        "C": lambda c: at(now["c"][c - 1]),
        "C_next": lambda c: at(then["c"][c - 1]),
        "WC": lambda q: mean(run.history[q - 1]["c"]),
        "mean_c": lambda j: float(np.mean([c[path, j - 1] for c in now["c"]])),
        "lc": lambda c: at(lam[c - 1]),
        "gc": lambda c: at(run.full(c - 1, now["P"])),
        "oc": lambda c: at(np.sum(old["drawn"][c - 1], axis=0)),
    }
    numbers = {
        "n": run.clients, "tau": run.tau, "eta": run.eta, "eta_g": run.eta_g, "eta_t": run.eta_t, "d": run.d,
        "p": at(now["P"]), "x_next": at(then["x"]), "Zb": mean([z[-1] for z in now["zh"]]),
        "c": at(now["c"][i]), "cb": mean(now["c"]), "slope": at(run.grad(now["P"])), "t": run.tau - 1,
        "slope_i": at(run.full(i, now["P"])), "p_old": at(old["P"]), "x": at(now["x"]), "j": 1, "r": r + 1,
        "Zb_old": mean([z[-1] for z in old["zh"]]), "cb_old": mean(old["c"]),
        "everyone_c": mean([np.sum(g, axis=0) for g in old["drawn"]]),
    }  # fmt: skip
    return World(numbers, {}, sequences)
