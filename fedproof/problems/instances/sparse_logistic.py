"""Sparse logistic regression on Synthetic(alpha, beta) with two classes; composite, section 4.1."""

from __future__ import annotations

from fractions import Fraction
from math import nextafter, sqrt
from typing import Any

import numpy as np

from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.constants import spectral_smoothness
from fedproof.problems.composite.penalty import composite_options
from fedproof.problems.instances.synthetic import SCALES, normal, rounded, stream
from fedproof.problems.problem import Array
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised
from fedproof.vocabulary.errors import DataError, InputError
from fedproof.vocabulary.options import Option, number, or_none, shown, whole, word

MOST_ROWS, MOST_DEVIATION = 1 << 22, 64
FEATURE_SCALES = ("none", "standard", "rows")
_PURPOSE = 31
COMPOSITE = True
OPTIONS = (
    Option("alpha", 50, number(0, 4096), "how far the clients' models lie apart"),
    Option("beta", 50, number(0, 4096), "how far the clients' features lie apart"),
    Option("scale", "variance", word(lambda: SCALES), "what alpha and beta are"),
    Option("dimension", 20, whole(1, 64), "d, the number of features; there is no bias"),
    Option("samples", 100, whole(1, 10**6), "m, of every client"),
    Option("feature_scale", "none", word(lambda: FEATURE_SCALES), "none, each feature, or each row to 1"),
    Option(
        "smoothness", 1, or_none(number("1e-12", "1e12")),
        "L of every f_i, reached by multiplying all features by one number; none: as they are",
    ),
)  # fmt: skip

# The same on every machine, as in `instances.synthetic`: normals, below 9, are rounded to multiples of 2^-14,
# and deviations are at most 64. Models and features stay below 604, products are multiples of 2^-28, and sums
# of 65 of them are below 2^25, which 53 bits hold exactly: no order of additions changes a sign.
_GRID = 1 << 14


def build(clients: int = 30, seed: int = 0, **options: Any) -> Composite:
    """The paper's problem: 30 clients, d = 20, m = 100, (alpha, beta) = (50, 50), plus 0.003 |x|_1.

    The paper leaves the scaling of the features out, on which the admissible steps depend. By default all are
    multiplied by one number that makes the proved L of every f_i in (13) equal 1.

    Arguments:
        clients: how many; client k's rows before scaling are the same whatever their number.
        seed: of all draws, one stream per client.
        options: alpha and beta, variances or, with scale=deviation, standard deviations; dimension; samples;
            feature_scale and then smoothness, how the features are scaled; and those of the penalty.

    >>> build(clients=5, samples=20).constants["smoothness"].value <= 1
    True
    """
    own, penalty = composite_options(options, OPTIONS, "3/1000")
    spread = (own["alpha"], own["beta"])
    if own["scale"] == "deviation" and max(spread) > MOST_DEVIATION:
        got = f"{shown(spread[0])}, {shown(spread[1])}"
        raise InputError("alpha, beta", got, f"deviations from 0 to {MOST_DEVIATION}")
    sizes = [float(v) if own["scale"] == "deviation" else sqrt(v) for v in spread]
    features, labels = rows_of(seed, clients, own["dimension"], own["samples"], (sizes[0], sizes[1]))
    partition = Partition.of_sizes([own["samples"]] * clients)
    features = scaled(features, own["feature_scale"])
    if own["smoothness"] is not None:
        features = to_smoothness(features, labels, partition, own["smoothness"])
    words = {k: shown(v) if isinstance(v, Fraction) else v for k, v in own.items()}
    name = f"logistic({', '.join(f'{k}={v}' for k, v in words.items())}, clients={clients}, seed={seed})"
    return Composite(Supervised(Logistic(), features, labels, partition, name), penalty)


def rows_of(
    seed: int, clients: int, dimension: int, samples: int, deviations: tuple[float, float]
) -> tuple[Array, Array]:
    """Features (clients x samples, d) and labels 0 and 1 of all clients, one after the other.

    Client k has w_k and c_k from N(u_k, 1), u_k from N(0, alpha), and rows from N(v_k, Sigma), Sigma_jj =
    j^-1.2, with v_k from N(B_k, 1) and B_k from N(0, beta), as in Li et al. (2020); its labels are 1 where
    w_k x + c_k > 0. Client k is the same whatever their number.

    Arguments:
        deviations: the standard deviations of u_k and of B_k.

    Raises: DataError for more rows than are made here.

    >>> features, labels = rows_of(0, 2, 3, 5, (1.0, 1.0))
    >>> features.shape, set(labels.tolist()) <= {0, 1}
    ((10, 3), True)
    """
    if clients * samples > MOST_ROWS:
        raise DataError("sparse_logistic", f"{clients * samples} rows", f"at most {MOST_ROWS}",
                        "use fewer clients or samples")  # fmt: skip
    size = np.round(np.arange(1, dimension + 1) ** -0.6 * _GRID) / _GRID
    features = np.empty((clients * samples, dimension))
    labels = np.empty(clients * samples, dtype=np.int64)
    for client in range(clients):
        rng = stream(seed, _PURPOSE, client)
        u, shift = rounded(np.array(deviations) * normal(rng, 2, _GRID), _GRID)
        model, offset = u + normal(rng, dimension, _GRID), u + normal(rng, 1, _GRID)[0]
        centre = shift + normal(rng, dimension, _GRID)
        own = slice(client * samples, (client + 1) * samples)
        features[own] = centre + rounded(size * normal(rng, (samples, dimension), _GRID), _GRID)
        labels[own] = features[own] @ model + offset > 0
    return features, labels


def scaled(features: Array, how: str) -> Array:
    """The features as they are (none), each of mean 0 and deviation 1 (standard), or rows of length 1 (rows).

    >>> scaled(np.array([[3.0, 4.0]]), "rows")
    array([[0.6, 0.8]])
    """
    if how == "standard":
        deviation = features.std(axis=0)
        apart: Array = (features - features.mean(axis=0)) / np.where(deviation > 0, deviation, 1)
        return apart
    if how == "rows":
        lengths = np.linalg.norm(features, axis=1, keepdims=True)
        return features / np.where(lengths > 0, lengths, 1)
    return features


def to_smoothness(features: Array, labels: Array, partition: Partition, wanted: Fraction) -> Array:
    """The features times one number, so that the proved L of every client's logistic loss is `wanted`.

    The spectral bound of the result lies within a part in 10^6 below the wanted number.

    Raises: DataError for features that are all 0.
    """
    result = features
    for _ in range(4):
        found = spectral_smoothness(Supervised(Logistic(), result, labels, partition, kernel="numpy"))
        assert found is not None
        if not found.value:
            raise DataError("sparse_logistic", "features that are all 0", "some that are not")
        if wanted * (1 - Fraction(1, 10**6)) <= Fraction(found.value) <= wanted:
            break
        result = result * sqrt(nextafter(float(wanted / Fraction(found.value)), 0) * (1 - 1e-9))
    return result
