"""Synthetic(alpha, beta): a softmax model and a feature distribution of its own for every client."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import exp, sqrt
from typing import Any

import numpy as np

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.federate import federated, model_options
from fedproof.problems.problem import Array
from fedproof.problems.supervised.supervised import Supervised
from fedproof.vocabulary.errors import DataError, InputError
from fedproof.vocabulary.options import Option, at_least, flag, number, read_options, shown, word

FEATURES, CLASSES, LEAST = 60, 10, 50
MOST_ROWS = 1 << 21
"""1 GiB of features, twice while they are federated."""
SCALES = ("variance", "deviation")

OPTIONS = (
    Option("alpha", 1, number(0, 256), "how far the u_k lie apart; changes no label"),
    Option("beta", 1, number(0, 256), "how far the clients' features lie apart"),
    Option("scale", "variance", word(lambda: SCALES), "what alpha and beta are"),
    Option("iid", False, flag(), "one model and one feature distribution for all; without alpha and beta"),
    Option("most_samples", None, at_least(LEAST), "cut of a client's size; none: no cut"),
)

# Identical on every machine. Philox's integers are, and so is what single correctly rounded operations make
# of them. Three things are not: (a) normals beyond 3.65 and sizes take a log or exp, whose last digit differs
# between C libraries; (b) so do powers of j; (c) a BLAS product adds in an order of its own, which can turn
# the argmax of nearly equal scores. So every normal and every power is rounded to a multiple of 2^-16, 2^33
# times the last digit. Deviations are at most 16 and normals below 9, so W stays below 153 and x below 162:
# products are multiples of 2^-32 and a sum of 61 is below 2^21, which 53 bits hold exactly, in any order.
# No grid point has an exp(4 + 2 z) within rounding of a whole number, but z = -2 where it is exactly 1 (a
# test goes through them all).
_GRID = 1 << 16
_OWN, _COMMON = 3, 13
DEVIATIONS = np.round(np.arange(1, FEATURES + 1) ** -0.6 * _GRID) / _GRID


def build(clients: int = 30, seed: int = 0, **options: Any) -> Supervised:
    """Softmax regression on the synthetic data of Li et al. (2020), who introduced FedProx.

    Client k: D_k = 50 + lognormal(4, 2) samples, rounded down; W_k, b_k ~ N(u_k, 1) with u_k ~ N(0, alpha);
    x ~ N(v_k, Sigma), Sigma_jj = j^-1.2, with v_k ~ N(B_k, 1) and B_k ~ N(0, beta); y = argmax(W_k x + b_k).
    Every draw is rounded to a multiple of 2^-16, so that the data are the same on every machine. u_k adds the
    same number to all scores of a sample, so no label and thus nothing here depends on alpha.

    Arguments:
        clients: how many; client k is the same whatever their number.
        seed: of all draws, one stream per client.
        options: alpha and beta, variances (as the text has it; scale="deviation": standard deviations, as the
            authors' code has it); iid (W, b ~ N(0, 1) drawn once for all, x ~ N(0, Sigma)); most_samples, a
            cut of sizes; and what `federated` takes.

    >>> build(clients=2).dimension
    610
    >>> build(clients=1, alpha=0, beta="0.5", most_samples=80).name
    'synthetic(alpha=0, beta=0.5 as variances, sizes cut at 80, clients=1, seed=0)'
    """
    given = read_options(options, (*OPTIONS, *model_options(options)))
    names = {option.name for option in OPTIONS}
    data, parts = dataset(clients, seed, **{k: v for k, v in given.items() if k in names})
    rest = {k: v for k, v in options.items() if k not in names}
    return federated(data, parts, data.name, seed=seed, **rest)


def dataset(
    clients: int,
    seed: int,
    alpha: Fraction | None = None,
    beta: Fraction | None = None,
    scale: str = "variance",
    iid: bool = False,
    most_samples: int | None = None,
) -> tuple[Dataset, list[Array]]:
    """The rows of all clients and who holds which; arguments as `build` reads them.

    >>> dataset(1, 0, iid=True)[0].features.shape[1]
    60
    """
    if iid and (alpha is not None or beta is not None):
        raise InputError("alpha, beta", "values for iid=yes", "none: all clients are alike", "leave them out")
    spread = [Fraction(1) if v is None else Fraction(v) for v in (alpha, beta)]
    if scale == "deviation" and max(spread) > 16:
        raise InputError("alpha, beta", f"{shown(spread[0])}, {shown(spread[1])}", "deviations from 0 to 16")
    a, b = (float(v) if scale == "deviation" else sqrt(v) for v in spread)
    streams = [stream(seed, _OWN, client) for client in range(clients)]
    sizes = [_size(rng, most_samples) for rng in streams]
    offsets = np.cumsum([0, *sizes])
    if offsets[-1] > MOST_ROWS:
        raise DataError("synthetic", f"{offsets[-1]} rows for {clients} clients", f"at most {MOST_ROWS}",
                        "add most_samples=500, or use fewer clients")  # fmt: skip
    features, labels = np.empty((offsets[-1], FEATURES)), np.empty(offsets[-1], dtype=np.int64)
    common = _model(stream(seed, _COMMON, 0), 0.0)
    for rng, (start, end) in zip(streams, pairwise(offsets), strict=True):
        weights, bias, centre = (*common, np.zeros(FEATURES)) if iid else _client(rng, a, b)
        x = features[start:end]
        x[:] = centre + rounded(DEVIATIONS * normal(rng, (end - start, FEATURES)))
        labels[start:end] = (x @ weights.T + bias).argmax(axis=1)
    how = "iid" if iid else f"alpha={shown(spread[0])}, beta={shown(spread[1])} as {scale}s"
    cut = "" if most_samples is None else f", sizes cut at {most_samples}"
    name = f"synthetic({how}{cut}, clients={clients}, seed={seed})"
    return Dataset(name, features, labels, CLASSES), [np.arange(i, j) for i, j in pairwise(offsets)]


def stream(seed: int, purpose: int, client: int) -> np.random.Generator:
    """A client's own draws of one purpose."""
    key, counter = np.array([seed, purpose], dtype=np.uint64), np.array([0, 0, client, 0], dtype=np.uint64)
    return np.random.Generator(np.random.Philox(key=key, counter=counter))


def rounded(values: Array, grid: int = _GRID) -> Array:
    """The nearest multiples of 1 / grid, in place."""
    values *= grid
    np.rint(values, out=values)
    values /= grid
    return values


def normal(rng: np.random.Generator, shape: int | tuple[int, ...], grid: int = _GRID) -> Array:
    """Normal draws on a grid."""
    return rounded(rng.standard_normal(shape), grid)


def _size(rng: np.random.Generator, most: int | None) -> int:
    size = LEAST + size_of(float(normal(rng, 1)[0]))
    return size if most is None else min(size, most)


def size_of(normal: float) -> int:
    """Samples beyond the first 50: exp(4 + 2 z), rounded down.

    >>> size_of(0.0)
    54
    """
    return int(exp(4 + 2 * normal))


def _model(rng: np.random.Generator, centre: float) -> tuple[Array, Array]:
    return centre + normal(rng, (CLASSES, FEATURES)), centre + normal(rng, CLASSES)


def _client(
    rng: np.random.Generator, model_spread: float, feature_spread: float
) -> tuple[Array, Array, Array]:
    """W_k, b_k and v_k."""
    u, centre = rounded(np.array([model_spread, feature_spread]) * normal(rng, 2))
    return *_model(rng, u), centre + normal(rng, FEATURES)
