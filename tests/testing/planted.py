"""Implementations in NumPy loops, with a switch for each usual mistake: no closed forms here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fedproof.testing.clients import Array, Client

#: what is switched -> how the kit names it
SHARED = {
    "more_steps": "one local step too many",
    "fewer_steps": "one local step too few",
    "gradient_sum": "a client's gradients are summed over its samples, not averaged",
    "no_half": "gradients are twice as large, as of a squared error without the half",
    "chained": "a client begins where the one before it ended: copy the server's model for each",
    "idle": "nothing moves: the model is returned as it came",
    "plain": "the clients' models are averaged plainly, not weighted by their sizes",
    "sum": "the clients' models are summed, not averaged",
    "sizes": "the weights are sizes that are not divided by their sum",
    "last": "only the last client's model is returned",
    "added": "the average of the models is added to the server's model, as if it were a change",
    "more_rounds": "one round too many",
    "fewer_rounds": "one round too few",
}
PROX = {
    "no_prox": "the proximal term is missing",
    "current": "the proximal term ties to the current local model, not to the round's start",
    "unsquared": "the proximal term is the norm |w - w_s|, which is not squared",
    "double": "the proximal weight is doubled, as of mu |w - w_s|^2 without the half",
    "half": "the proximal weight is halved",
    "sign": "the proximal term has the wrong sign",
    "zero": "the proximal term ties to 0, as weight decay does, not to the round's start",
    "first": "the proximal term ties to the first round's start, not to this round's",
}
#: those of proximal steps, which have no gradient of a norm
TIES = tuple(name for name in PROX if name != "unsquared")
REDUCED = {
    "explicit": "the proximal term enters by its gradient, not by the proximal step (10)",
    "svrg": "the estimator is that of SVRG",
    "sarah": "the estimator is that of SARAH",
    "sgd": "the directions are plain stochastic gradients, without variance reduction",
}
COMPOSITE = {
    "uncorrected": "the correction is missing",
    "wrong_sign": "the correction has the wrong sign",
    "summed": "the correction takes the sum of the local gradients, not their mean",
    "primal": "the models after the proximal step are averaged (primal), not those before it (dual)",
    "constant": "the local proximal steps keep the length eta, instead of (t + 1) eta",
    "no_local_prox": "there are no local proximal steps",
    "unscaled": "the local proximal steps leave the step size out",
    "short": "the server's proximal step has the length eta, not eta eta_g tau",
    "no_server_prox": "the server takes no proximal step",
    "no_server_stepsize": "the server's step size is not used",
    "weighted": "the clients' models are weighted by their sizes, not averaged plainly",
}
TEXTS = {**SHARED, **PROX, **REDUCED, **COMPOSITE}

Implementation = Callable[..., Array]


def gradient_of(client: Client, w: Array, wrong: Sequence[str]) -> Array:
    """From the data and not by the client's own gradient."""
    total = np.zeros_like(w)
    for x, y in zip(client.features, client.targets, strict=True):
        total = total + x * (x @ w - y) * (2 if "no_half" in wrong else 1)
    return total if "gradient_sum" in wrong else total / len(client.targets)


def average_of(w: Array, models: Sequence[Array], clients: Sequence[Client], wrong: Sequence[str]) -> Array:
    """What the server makes of the clients' models."""
    if "last" in wrong:
        return models[-1]
    sizes = [1 if {"plain", "sum"} & set(wrong) else client.size for client in clients]
    total: Array = np.add.reduce([n * u for n, u in zip(sizes, models, strict=True)])
    average = total if {"sum", "sizes"} & set(wrong) else total / sum(sizes)
    return w + average if "added" in wrong else average


def count(number: int, less: str, more: str, wrong: Sequence[str]) -> int:
    """A number of steps or rounds."""
    return number + (more in wrong) - (less in wrong)


def fedavg(*wrong: str) -> Implementation:
    """FedAvg with some mistakes: FedProx of weight 0."""
    prox = fedprox(*wrong)

    def rounds_of(w: Array, clients: list[Client], stepsize: float, local_steps: int, rounds: int) -> Array:
        return prox(w, clients, stepsize, local_steps, 0.0, rounds)

    return rounds_of


def fedprox(*wrong: str, update: str = "gradient") -> Implementation:
    """FedProx with some mistakes, by steps on the gradient or proximal steps."""

    def rounds_of(
        w: Array, clients: list[Client], stepsize: float, local_steps: int, prox_weight: float, rounds: int
    ) -> Array:
        mu = weight(prox_weight, wrong)
        first = w
        for _ in range(count(rounds, "fewer_rounds", "more_rounds", wrong)):
            models: list[Array] = []
            for client in clients:
                u = models[-1] if "chained" in wrong and models else w
                for _ in range(count(local_steps, "fewer_steps", "more_steps", wrong)):
                    to = tie(w, first, u, wrong)
                    g = gradient_of(client, u, wrong)
                    if "unsquared" in wrong:
                        length = np.linalg.norm(u - to)
                        u = u - stepsize * (g + (mu / 2 * (u - to) / length if length > 0 else 0))
                    elif update == "gradient":
                        u = u - stepsize * (g + mu * (u - to))
                    else:
                        u = (u - stepsize * g + stepsize * mu * to) / (1 + stepsize * mu)
                models.append(u)
            w = w if "idle" in wrong else average_of(w, models, clients, wrong)
        return w

    return rounds_of


def weight(prox_weight: float, wrong: Sequence[str]) -> float:
    """The proximal weight that is used."""
    for name, times in {"no_prox": 0.0, "double": 2.0, "half": 0.5, "sign": -1.0}.items():
        if name in wrong:
            return times * prox_weight
    return prox_weight


def tie(start: Array, first: Array, current: Array, wrong: Sequence[str]) -> Array:
    """What the proximal term ties to."""
    if "zero" in wrong:
        return np.zeros_like(start)
    if "current" in wrong:
        return current
    return first if "first" in wrong else start


def exact(w: Array, clients: list[Client], mu: float) -> Array:
    """FedProx whose clients solve (A + mu) u = b + mu w by elimination."""
    models = []
    for client in clients:
        hessian = client.features.T @ client.features / client.size + mu * np.eye(len(w))
        models.append(np.linalg.solve(hessian, client.features.T @ client.targets / client.size + mu * w))
    return average_of(w, models, clients, ())


def fedproxvr(*wrong: str, estimator: str = "sarah") -> Implementation:
    """FedProxVR's last iterate with some mistakes; one of REDUCED names another estimator."""
    kind = next((name for name in ("svrg", "sarah", "sgd") if name in wrong), estimator)

    def rounds_of(w: Array, clients: list[Client], eta: float, tau: int, mu: float, rounds: int) -> Array:
        mu, first = weight(mu, wrong), w
        for _ in range(count(rounds, "fewer_rounds", "more_rounds", wrong)):
            models: list[Array] = []
            for client in clients:
                snapshot = models[-1] if "chained" in wrong and models else w

                def moved(u: Array, v: Array, w: Array = w) -> Array:
                    to = tie(w, first, u, wrong)
                    if "explicit" in wrong:
                        return u - eta * (v + mu * (u - to))
                    return (u - eta * v + eta * mu * to) / (1 + eta * mu)

                v = full = gradient_of(client, snapshot, wrong)
                before, u = snapshot, moved(snapshot, full)
                for _ in range(count(tau, "fewer_steps", "more_steps", wrong)):
                    v = direction(client, kind, (before, snapshot, u), (v, full), wrong)
                    before, u = u, moved(u, v)
                models.append(u)
            w = w if "idle" in wrong else average_of(w, models, clients, wrong)
        return w

    return rounds_of


def direction(
    client: Client, kind: str, points: tuple[Array, ...], directions: tuple[Array, ...], wrong: Sequence[str]
) -> Array:
    """The next direction of an estimator, from one sample."""
    number = client.draw()
    times = client.size if "gradient_sum" in wrong else 2 if "no_half" in wrong else 1
    before, snapshot, u = (times * client.sample_gradient(p, number) for p in points)
    v, full = directions
    found: Array = {"sgd": u, "svrg": u - snapshot + full, "sarah": u - before + v}[kind]
    return found


def fedcomposite(*wrong: str) -> Implementation:
    """Algorithm 1 of composite with some mistakes, for all coordinates at once."""

    def rounds_of(
        w: Array, clients: list[Client], eta: float, tau: int, eta_g: float, rounds: int, prox: Any
    ) -> Array:
        eta_g = 1.0 if "no_server_stepsize" in wrong else eta_g
        whole = eta * eta_g * tau
        length = eta if "short" in wrong else 0.0 if "no_server_prox" in wrong else whole
        post, corrections = prox(w, length), [np.zeros_like(w) for _ in clients]
        for _ in range(count(rounds, "fewer_rounds", "more_rounds", wrong)):
            sent, means, end = [], [], post
            for client, c in zip(clients, corrections, strict=True):
                begin = end if "chained" in wrong and sent else post
                pre, end, total = composite_steps(client, begin, c, (eta, tau), prox, wrong)
                sent.append(end if "primal" in wrong else pre)
                means.append(total if "summed" in wrong else total / tau)
            weighted = {"weighted", "sum", "sizes"} & set(wrong)
            plainly = [*(k for k in wrong if k != "added"), *([] if weighted else ["plain"])]
            moved = post + eta_g * (average_of(post, sent, clients, plainly) - post)
            moved = moved + post if "added" in wrong else moved
            sign = 0 if "uncorrected" in wrong else -1 if "wrong_sign" in wrong else 1
            corrections = [sign * ((post - moved) / whole - mean) for mean in means]
            post = prox(moved, length)
        return w if "idle" in wrong else post

    return rounds_of


def composite_steps(
    client: Client, begin: Array, correction: Array, sizes: tuple[float, int], prox: Any, wrong: Sequence[str]
) -> tuple[Array, Array, Array]:
    """The local steps of one client: its models before and after the prox, and the sum of its gradients."""
    eta, tau = sizes
    pre = post = begin
    total = np.zeros_like(begin)
    for t in range(count(tau, "fewer_steps", "more_steps", wrong)):
        gradient = gradient_of(client, post, wrong)
        total = total + gradient
        pre = (post if "primal" in wrong else pre) - eta * (gradient + correction)
        lengths = {"constant": eta, "no_local_prox": 0.0, "unscaled": 1.0}
        post = prox(pre, next((v for k, v in lengths.items() if k in wrong), (t + 1) * eta))
    return pre, post, total


#: implementation, and the mistakes that it can make, by the kit's name of the algorithm
PLANTS: dict[str, tuple[Callable[..., Implementation], tuple[str, ...]]] = {
    "fedavg": (fedavg, tuple(SHARED)),
    "fedprox": (fedprox, (*SHARED, *PROX)),
    "fedproxvr": (fedproxvr, (*SHARED, *TIES, "explicit", "svrg", "sgd")),
    "fedproxvr_svrg": (
        lambda *wrong: fedproxvr(*wrong, estimator="svrg"), (*SHARED, *TIES, "explicit", "sarah", "sgd"),
    ),
    "fedcomposite": (fedcomposite, (*(k for k in SHARED if k != "plain"), *COMPOSITE)),
}  # fmt: skip
