"""Sparse logistic regression on Synthetic(alpha, beta) with two classes; composite, section 4.1."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalty_options import composite_options
from fedproof.problems.data.binary_synthetic import (
    FEATURE_SCALES,
    MOST_DEVIATION,
    rows_of,
    scaled,
    to_smoothness,
)
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.options import Option, number, or_none, shown, whole, word

COMPOSITE = True
SCALES = ("variance", "deviation")
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
