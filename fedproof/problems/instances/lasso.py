"""l1 least squares with a matrix that may be singular, in whole numbers, with an exact least loss."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalty import composite_options
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.vocabulary.errors import DataError, InputError
from fedproof.vocabulary.options import Option, or_none, whole

COMPOSITE = True
OPTIONS = (
    Option("dimension", 8, whole(1, 30), "d, the number of features"),
    Option("samples", 4, whole(1, 1000), "of every client"),
    Option("rank", None, or_none(whole(1, 30)), "of all rows together, at most d; none: 3 d / 4, rounded up"),
    Option("noise", 1, whole(0, 100), "largest error of a target, a whole number"),
)
_PURPOSE, MOST_WORK = 41, 4 * 10**5


def build(clients: int = 10, seed: int = 0, **options: Any) -> Composite:
    """f_i(x) = mean_l (a_l x - b_l)^2 / (2 K) plus (1/20) |x|_1, a quadratic in floats of an exact one.

    Rows a_l = c_l G are whole numbers, G of the asked number of rows, c_l around a mean of each client's own;
    targets are a_l w plus errors, w sparse. K is the least whole number that makes L of every f_i at most 1.
    A sampled gradient's variance grows with the model, so that no sigma^2 is known.

    Arguments:
        clients: how many, of equally many rows.
        seed: of all draws.
        options: dimension, samples, rank, noise, and those of the penalty.

    >>> lasso = build()
    >>> lasso.constants["least_loss"].kind, lasso.constants["pl_constant"].value
    ('exact', None)
    """
    own, penalty = composite_options(options, OPTIONS, "1/20")
    d, samples, rank = own["dimension"], own["samples"], own["rank"] or ceil(3 * own["dimension"] / 4)
    if rank > d:
        raise InputError("rank", rank, f"at most dimension={d}", f"write rank={d}")
    if clients * samples * d**3 > MOST_WORK:
        raise DataError("lasso", f"{clients * samples} rows of dimension {d}", f"rows x d^3 <= {MOST_WORK}",
                        "use fewer samples")  # fmt: skip
    rows, targets = _rows(seed, clients, d, samples, rank, own["noise"])
    divisor = _divisor(rows.reshape(clients, samples, d))
    exact = fractions(rows)
    matrices = exact[:, :, None] * exact[:, None, :] / Fraction(divisor)
    slopes = -exact * fractions(targets)[:, None] / Fraction(divisor)
    levels = fractions(targets**2) / Fraction(2 * divisor)
    name = f"lasso(dimension={d}, samples={samples}, rank={rank}, noise={own['noise']}, clients={clients}, "
    smooth = Quadratic.of(matrices, slopes, [samples] * clients, levels=levels, name=f"{name}seed={seed})")
    return Composite(smooth.as_float(), penalty)


def _rows(
    seed: int, clients: int, dimension: int, samples: int, rank: int, noise: int
) -> tuple[Array, Array]:
    """Whole features (rows, d) and targets (rows,)."""
    rng = np.random.Generator(np.random.Philox(key=np.array([seed, _PURPOSE], dtype=np.uint64)))
    basis = rng.integers(-2, 3, (rank, dimension))
    basis[:, :rank] += 3 * np.eye(rank, dtype=basis.dtype)
    centres = rng.integers(-1, 2, (clients, 1, rank))
    rows = ((centres + rng.integers(-2, 3, (clients, samples, rank))) @ basis).reshape(-1, dimension)
    model = np.where(rng.random(dimension) < 0.4, rng.integers(1, 4, dimension), 0)
    targets = rows @ model + rng.integers(-noise, noise + 1, len(rows))
    return rows, targets


def _divisor(rows: Array) -> int:
    """A whole number K >= 1 with the largest eigenvalue of every client's mean a a^T at most K.

    It is above the eigenvalue in floats by more than their rounding.
    """
    values = rows.astype(float)
    means = np.matmul(values.transpose(0, 2, 1), values) / rows.shape[1]
    return max(1, ceil(float(np.linalg.eigvalsh(means).max()) * (1 + 1e-9)))
