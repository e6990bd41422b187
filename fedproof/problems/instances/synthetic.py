"""Synthetic(alpha, beta): a softmax model and a feature distribution of its own for every client."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np

from fedproof.problems.dataset import Dataset
from fedproof.problems.federate import federated
from fedproof.problems.supervised import Supervised
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value

__all__ = ["FORWARDS", "build"]

#: what takes the options that `build` does not know
FORWARDS = (federated,)

FEATURES, CLASSES, MOST_SAMPLES = 60, 10, 5000


def build(clients: int = 30, seed: int = 0, alpha: Any = 1, beta: Any = 1, **options: Any) -> Supervised:
    """Softmax regression on the synthetic data of Li et al. (2020), who introduced FedProx.

    Client k: D_k = 50 + lognormal(4, 2) samples, cut at 5000; W_k, b_k ~ N(u_k, 1) with u_k ~ N(0, alpha);
    x ~ N(v_k, Sigma), Sigma_jj = j^-1.2, with v_k ~ N(B_k, 1) and B_k ~ N(0, beta); y = argmax(W_k x + b_k).

    Arguments:
        clients: how many.
        seed: of all draws, one stream per client.
        alpha, beta: variances >= 0: how much models and features differ between clients.

    >>> build(clients=2).dimension
    610
    """
    a, b = (float(parse_value(v, n)) for v, n in ((alpha, "alpha"), (beta, "beta")))
    if min(a, b) < 0:
        raise InputError("alpha, beta", f"{alpha}, {beta}", "variances >= 0")
    drawn = [_client(seed, k, sqrt(a), sqrt(b)) for k in range(clients)]
    sizes = np.cumsum([0, *(len(y) for _, y in drawn)])
    parts = [np.arange(i, j) for i, j in pairwise(sizes)]
    name = f"synthetic(alpha={alpha}, beta={beta}, clients={clients}, seed={seed})"
    features, labels = (np.concatenate(arrays) for arrays in zip(*drawn, strict=True))
    data = Dataset(name, features, labels, CLASSES)
    return federated(data, parts, name, seed=seed, **options)


def _client(seed: int, client: int, model_scale: float, feature_scale: float) -> tuple[Any, Any]:
    key, counter = np.array([seed, 3], dtype=np.uint64), np.array([0, 0, client, 0], dtype=np.uint64)
    rng = np.random.Generator(np.random.Philox(key=key, counter=counter))
    size = 50 + int(min(rng.lognormal(4, 2), MOST_SAMPLES - 50))
    u, centre = model_scale * rng.standard_normal(), feature_scale * rng.standard_normal()
    weights, bias = u + rng.standard_normal((CLASSES, FEATURES)), u + rng.standard_normal(CLASSES)
    deviations = np.arange(1, FEATURES + 1) ** -0.6
    x = centre + rng.standard_normal(FEATURES) + deviations * rng.standard_normal((size, FEATURES))
    return x, (x @ weights.T + bias).argmax(axis=1)
