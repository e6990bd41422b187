"""Synthetic rows with outliers for losses of bounded slope: equal clients, as unlike as is asked for."""

from __future__ import annotations

from fractions import Fraction
from math import frexp
from typing import Any

import numpy as np

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.federate import MODEL, federated, model_options
from fedproof.problems.instances.synthetic import normal, rounded, stream
from fedproof.problems.problem import Array
from fedproof.problems.supervised.supervised import Supervised
from fedproof.vocabulary.discovery import load
from fedproof.vocabulary.errors import DataError
from fedproof.vocabulary.options import Option, number, read_options, shown, whole

OPTIONS = (
    Option("dimension", 5, whole(1, 64), "d, the number of features; there is no bias"),
    Option("samples", 20, whole(1, 10**6), "of every client"),
    Option("heterogeneity", 1, number(0, 64), "deviation of the clients' models from a common one"),
    Option("noise", "1/4", number(0, 64), "deviation of the errors; of one in ten it is 8 times that"),
)
MOST_ROWS = 1 << 22
_OWN, _COMMON = 51, 53

# The same on every machine, as in `instances.sparse_logistic`: normals, below 9, are rounded to multiples of
# 2^-14, so that models stay below 9 + 576, products are multiples of 2^-28 and sums of 64 of them are below
# 2^19, which 53 bits hold exactly; all are divided by a power of two.
_GRID = 1 << 14


def build(clients: int = 10, seed: int = 0, **options: Any) -> Supervised:
    """Huber, Cauchy, absolute or hinge losses (any model for such rows) with max |x_i| between 1/2 and 1.

    Client k has x from N(0, I), a model w_k = w + heterogeneity N(0, I), w from N(0, I), and targets
    x w_k + noise e, or labels 1 where that is positive; e from N(0, 1), 8 times that with probability 1/10.
    Features and targets are divided by the power of two that makes the longest row at most 1 long, which
    changes no model that fits them. Clients are equally large, so that the mean over samples is the mean over
    clients; all their losses have the same G, L and nu.

    Arguments:
        clients: how many; client k's rows before scaling are the same whatever their number.
        seed: of all draws, one stream per client.
        options: dimension, samples, heterogeneity, noise; model, by default huber; what `federated` takes.

    >>> 1 / 2 < build().constants["lipschitz_sample"].value <= 1
    True
    >>> build(model="hinge", samples=5).constants["smoothness"].value is None
    True
    """
    options = {"model": "huber"} | options
    read = read_options(options, (*OPTIONS, *model_options(options)))
    own = {option.name: read.get(option.name, option.default) for option in OPTIONS}
    if clients * own["samples"] > MOST_ROWS:
        raise DataError(
            "robust", f"{clients * own['samples']} rows", f"at most {MOST_ROWS}", "use fewer samples"
        )
    model = load("models", MODEL.read(options["model"]), "model").MODEL
    classes = 0 if getattr(model, "classes", None) == 0 else 2
    features, targets = rows_of(
        seed,
        clients,
        own["dimension"],
        own["samples"],
        (Fraction(own["heterogeneity"]), Fraction(own["noise"])),
    )
    words = {k: shown(v) if isinstance(v, Fraction) else v for k, v in own.items()}
    name = f"robust({', '.join(f'{k}={v}' for k, v in words.items())}, clients={clients}, seed={seed})"
    data = Dataset(name, features, (targets > 0).astype(np.int64) if classes else targets, classes)
    parts = np.arange(len(features)).reshape(clients, -1)
    rest = {k: v for k, v in options.items() if k not in own}
    return federated(data, list(parts), name, seed=seed, bias=False, **rest)


def rows_of(
    seed: int, clients: int, dimension: int, samples: int, deviations: tuple[Fraction, Fraction]
) -> tuple[Array, Array]:
    """Features (clients x samples, d), the longest row below 1, and targets, client after client.

    Arguments:
        deviations: of the clients' models, and of the errors.

    >>> features, targets = rows_of(0, 2, 3, 4, (Fraction(1), Fraction(0)))
    >>> features.shape, targets.shape, bool(0.25 < (features**2).sum(axis=1).max() <= 1)
    ((8, 3), (8,), True)
    """
    apart, noise = (float(v) for v in deviations)
    features, targets = np.empty((clients, samples, dimension)), np.empty((clients, samples))
    common = normal(stream(seed, _COMMON, 0), dimension, _GRID)
    for k in range(clients):
        rng = stream(seed, _OWN, k)
        model = common + rounded(apart * normal(rng, dimension, _GRID), _GRID)
        features[k] = normal(rng, (samples, dimension), _GRID)
        errors = normal(rng, samples, _GRID) * np.where(rng.random(samples) < 0.1, 8, 1)
        targets[k] = features[k] @ model + rounded(noise * errors, _GRID)
    rows: Array = features.reshape(-1, dimension)
    power = frexp(float(np.square(rows).sum(axis=1).max()))[1]
    down = -((power + 1) // 2)
    return np.ldexp(rows, down), np.ldexp(targets.reshape(-1), down)
