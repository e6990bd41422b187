"""One round of federated clients with any local solver, and what the steps of Appendix C speak of in it.

Written from the paper's page alone, like `paths`: quadratic clients, local models that are random around the
minimisers of the surrogates and satisfy (11) in mean square with equality, every quantity computed from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.papers.fedproxvr.paths import World

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Clients:
    """Quadratic losses w'A_n w/2 + b_n'w of equal weight, a start, local models at equally likely outcomes.

    Arguments:
        A, b: of each client.
        start: of the round.
        local: of each client at each outcome.
        mu, theta: of the surrogates.
        L, lam: constants that all clients satisfy.
    """

    A: Array
    b: Array
    start: Array
    local: Array
    mu: float
    theta: float
    L: float = 1.0
    lam: float = 0.3

    def grad(self, w: Array) -> Array:
        """The gradients of all clients at points, one row of points for each client."""
        return np.einsum("njk,n...k->n...j", self.A, w) + self.b.reshape(len(self.b), *[1] * (w.ndim - 2), -1)

    def at(self, w: Array) -> Array:
        """The gradients of all clients at the same points."""
        return self.grad(np.broadcast_to(w, (len(self.A), *w.shape)))

    def loss(self, w: Array) -> Any:
        """The global loss."""
        return np.einsum("...j,jk,...k->...", w, self.A.mean(0), w) / 2 + w @ self.b.mean(0)

    @property
    def least(self) -> Array:
        """The minimisers of the surrogates."""
        surrogate = self.A + self.mu * np.eye(2)
        return np.linalg.solve(surrogate, (self.mu * self.start - self.b)[..., None])[..., 0]

    @property
    def server(self) -> Array:
        """The server's next model at each outcome."""
        found: Array = self.local.mean(0)
        return found


def clients(
    seed: int,
    mu: float = 12.0,
    theta: float = 0.12,
    least: float = -0.3,
    most: float = 1.0,
    outcomes: int = 4,
) -> Clients:
    """Three random clients whose gradients agree well enough for Theta > 0; curvatures from least to most."""
    rng = np.random.default_rng(seed)
    turns = [np.linalg.qr(rng.normal(size=(2, 2)))[0] for _ in range(3)]
    A = np.array([q @ np.diag(rng.uniform(least, most, 2)) @ q.T for q in turns])
    start = rng.normal(size=2)
    b = rng.normal(size=2) * 2 + 0.3 * rng.normal(size=(3, 2))
    plain = Clients(A, b, start, np.zeros((3, outcomes, 2)), mu, theta)
    noise = rng.normal(size=plain.local.shape)
    gradients = np.einsum("njk,nik->nij", A + mu * np.eye(2), noise)
    size = np.sqrt((gradients**2).sum(2).mean(1)) / np.linalg.norm(plain.at(start), axis=1)
    local = plain.least[:, None] + noise * (theta / size)[:, None, None]
    return Clients(A, b, start, local, mu, theta)


def lengths(x: Array) -> Array:
    """Norms along the last axis."""
    return np.asarray(np.linalg.norm(x, axis=-1))


def world(c: Clients, n: int = 0) -> World:
    """What Appendix C speaks of; where it speaks of one client, of client n, numbered from 0."""
    at_start, at_end, at_local = c.at(c.start), c.at(c.server), c.grad(c.local)
    bar, bar_end = at_start.mean(0), at_end.mean(0)
    grad_J = at_local + c.mu * (c.local - c.start)
    moved, fall = c.server - c.start, c.loss(c.server) - c.loss(c.start)
    sigma = lengths(at_start - bar) / lengths(bar)
    sigma2, mt = float((sigma**2).mean()), c.mu - c.lam
    outcomes = c.local.shape[1]
    u, v = np.sqrt((1 + c.theta**2) * (1 + sigma2)), np.sqrt(2 * (1 + sigma2))
    kept = 1 - c.theta * v - 2 * c.L / mt * u - 2 * c.L * c.mu / mt**2 * u**2
    assert kept > 0
    pull, turned = lengths(c.local - c.start), lengths(at_start[:, None] - at_local)
    apart, end = lengths(c.local - c.server), lengths(bar_end)
    by_client = {
        "p": np.full(3, 1 / 3), "w": c.local[:, 0, 0], "J": grad_J[:, 0, 0], "f": at_local[:, 0, 0],
        "g": lengths(at_start), "G": lengths(at_start) ** 2, "V": lengths(at_start - bar) ** 2, "s": sigma**2,
        "H": turned.mean(1), "Q": lengths(grad_J).mean(1), "W": pull.mean(1),
        "R": np.sqrt((pull**2).mean(1)), "R2": (pull**2).mean(1), "Q2": (lengths(grad_J) ** 2).mean(1),
        "I": ((at_start[:, None] - at_local) @ bar).mean(1), "K": (grad_J @ bar).mean(1),
        "U": (end * apart).mean(1), "Z": (end * lengths(grad_J)).mean(1),
        "A": c.L * pull.mean(1), "ell": np.full(3, c.L), "q": (1 + sigma**2) / mt**2,
        "margin": np.full(3, mt),
    }  # fmt: skip
    by_outcome = {
        "P": np.full(outcomes, 1 / outcomes), "r": lengths(grad_J[n]), "fall": fall, "S": lengths(moved) ** 2,
        "h": turned.mean(0), "k": lengths(grad_J).mean(0), "e": end**2,
    }  # fmt: skip
    numbers = {
        "N": 3, "M": outcomes, "L": c.L, "lam": c.lam, "mu": c.mu, "mt": mt, "theta": c.theta,
        "sigma2": sigma2,
        "Theta": kept / c.mu, "kept": kept, "u": u, "v": v, "alpha": 0.7, "sigma": sigma[n],
        "start_c": c.start[0], "server_c": c.server[0, 0], "size": lengths(at_start[n]),
        "F0": c.loss(c.start), "F1": c.loss(c.server).mean(), "D": fall.mean(), "B": lengths(bar),
        "B2": lengths(bar) ** 2, "rms": np.sqrt((at_start**2).sum(1).mean()), "S2": (moved**2).sum(1).mean(),
        "moved": (moved**2).sum(1).mean(), "C2": (end**2).mean(), "C": np.sqrt((end**2).mean()),
        "far": np.sqrt((apart**2).mean()), "left": np.sqrt((lengths(grad_J) ** 2).mean()),
        "A1": (end * apart).mean(), "A2": (end * lengths(grad_J)).mean(),
        "mean_size": lengths(at_start).mean(),
        "Ln": c.L, "mtn": mt, "reach": (1 + sigma[n] ** 2) / mt**2,
        "rho": np.sqrt((pull.mean(1) ** 2).mean()), "pulled": c.L * pull.mean(),
        "far2": (pull[n] ** 2).mean(),
    }  # fmt: skip
    rows = np.ones((outcomes, 1))
    gap = grad_J - at_local
    vectors = {
        "start": rows * c.start, "local": c.local[n], "server": c.server, "least": rows * c.least[n],
        "best": rows * c.least[n], "grad": rows * at_start[n], "grad_local": at_local[n],
        "grad_end": at_end[n],
        "grad_J_local": grad_J[n], "grad_J": rows * at_start[n], "bar": rows * bar, "bar_end": bar_end,
        "gap": gap.mean(0), "mean_J": grad_J.mean(0), "mean_F": at_local.mean(0), "mean_start": rows * bar,
        "mean_end": bar_end, "mean_w": c.server, "w": c.local[n],
        "before": rows * c.start, "grad_before": rows * at_start[n],
    }  # fmt: skip
    return World(
        {name: float(x) for name, x in numbers.items()},
        vectors,
        {**sequences(by_client), **sequences(by_outcome)},
    )


def sequences(tables: Mapping[str, Array]) -> dict[str, Any]:
    """Arrays as sequences whose first index is 1."""
    return {name: (lambda k, x=x: float(x[k - 1])) for name, x in tables.items()}


def jointly(c: Clients) -> World:
    """The same with vectors over clients and outcomes at once, for means over both."""
    here = world(c)
    each = np.ones((3, 1, 1))
    start = np.broadcast_to(c.start, c.local.shape).reshape(-1, 2)
    vectors = {
        "mean_w": (each * c.server).reshape(-1, 2),
        "local": c.local.reshape(-1, 2),
        "server": (each * c.server).reshape(-1, 2),
        "start": start,
    }
    return World(here.numbers, vectors, here.sequences)


def changed(here: World, **names: Any) -> World:
    """A world in which some names stand for something else: numbers, or arrays for sequences."""
    numbers = {k: float(v) for k, v in names.items() if np.ndim(v) == 0}
    tables = {k: np.asarray(v) for k, v in names.items() if np.ndim(v) == 1}
    return World({**here.numbers, **numbers}, here.vectors, {**here.sequences, **sequences(tables)})
