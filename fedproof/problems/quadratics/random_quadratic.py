"""A random family of quadratics with exact constants: heterogeneous, possibly non-convex clients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.quadratics.quadratic import Quadratic, Spectra
from fedproof.problems.supervised.partition import Partition
from fedproof.vocabulary.errors import DataError, InputError
from fedproof.vocabulary.values import parse_value

_GRID = 64
MOST_WORK = 10**7
"""Products of fractions in building one."""


def random_quadratic(
    seed: int,
    n_clients: int = 4,
    dimension: int = 3,
    samples: int | Sequence[int] = 3,
    *,
    heterogeneity: Any = Fraction(1, 2),
    sample_spread: Any = Fraction(1, 4),
    noise: Any = 1,
    condition: Any = 10,
    smoothness: Any = 1,
    rotations: int = 1,
) -> Quadratic:
    """Draw a quadratic whose constants are known exactly, in fractions; `as_float` rounds it.

    All matrices share a rational orthonormal eigenbasis (a product of reflections) and all clients share the
    stationary point `centre`, where the least loss is 0. Eigenvalue j of client n is a_j (1 + s_nj) with
    weighted mean a_j, so that sigma_n of FedProxVR (5) is max_j |s_nj|, and the largest of them is
    `heterogeneity` exactly. A client is non-convex where s_nj < -1: that takes a heterogeneity above 1.

    Arguments:
        seed: >= 0; the same seed gives the same problem.
        n_clients, dimension: >= 1.
        samples: per client; a number, or one number each.
        heterogeneity: max_n sigma_n >= 0 (0 with one client).
        sample_spread: how far eigenvalues of a client's samples lie from their mean; a_j is at most 1.
        noise: size of the sample gradients at the stationary point, loss / length before scaling.
        condition: largest over smallest a_j, >= 1.
        smoothness: L per sample, reached exactly by one sample; loss / length^2.
        rotations: reflections in the eigenbasis; 0 keeps the axes.

    Raises: InputError for a negative or malformed value; DataError for more than can be built in fractions.

    >>> problem = random_quadratic(0, heterogeneity=2)
    >>> problem.constants["smoothness_sample"].value, max(c.value for c in problem.divergences)
    (Fraction(1, 1), Fraction(2, 1))
    """
    rng = np.random.Generator(np.random.Philox(key=np.array([seed, 1], dtype=np.uint64)))
    sizes = [samples] * n_clients if isinstance(samples, int) else list(samples)
    if len(sizes) != n_clients:
        raise InputError("samples", f"{len(sizes)} numbers", f"{n_clients}, one per client")
    partition = Partition.of_sizes(sizes, "quadratic")
    _check_work(partition.total, n_clients, dimension, rotations)
    given = {"heterogeneity": heterogeneity, "sample_spread": sample_spread, "noise": noise}
    level, spread, jitter = (at_least(0, name, value) for name, value in given.items())
    low = 1 / at_least(1, "condition", condition)
    mean = low + (1 - low) * grid(rng, (dimension,), 0)
    clients = mean * (1 + _relative(rng, partition.sizes, dimension, level))
    values = np.repeat(clients, partition.sizes, axis=0) + spread * _centred(rng, partition, dimension)
    scale = at_least(0, "smoothness", smoothness) / np.abs(values).max()
    basis = _basis(rng, dimension, rotations)
    spectra = Spectra(basis, values * scale)
    matrices = np.matmul(basis * spectra.values[:, None, :], basis.T)
    centre = grid(rng, (dimension,), -1)
    return Quadratic(
        matrices,
        slopes=jitter * scale * _centred(rng, partition, dimension),
        levels=fractions(np.zeros(partition.total, dtype=int)),
        centre=centre,
        partition=partition,
        origin=centre + 2 * grid(rng, (dimension,), -1) + Fraction(1, 16),
        spectra=spectra,
        name=_name(
            {
                "seed": seed,
                "clients": n_clients,
                "dimension": dimension,
                "samples": sizes[0] if len(set(sizes)) == 1 else "+".join(map(str, sizes)),
                "heterogeneity": level,
            },
            {
                "sample_spread": (spread, Fraction(1, 4)),
                "noise": (jitter, 1),
                "condition": (1 / low, 10),
                "smoothness": (parse_value(smoothness), 1),
                "rotations": (rotations, 1),
            },
        ),
    )


def _name(said: Mapping[str, Any], others: Mapping[str, tuple[Any, Any]]) -> str:
    """What was chosen; of the others what differs from its default, the second of each."""
    chosen = {**said, **{key: value for key, (value, default) in others.items() if value != default}}
    return f"quadratic({', '.join(f'{key}={value}' for key, value in chosen.items())})"


def _check_work(rows: int, clients: int, dimension: int, rotations: int) -> None:
    """Refuse what would take hours or more memory than there is, before anything is built."""
    basis = dimension**3
    each, fixed = basis + 100, rotations * (1 + rotations // 50) * basis
    if rows * each + fixed <= MOST_WORK:
        return
    most = (MOST_WORK - fixed) // each // clients
    got = f"{rows} rows of dimension {dimension}, {rotations} rotations"
    cure = f"write samples={most}" if most > 0 else "use a smaller dimension, fewer clients or rotations"
    raise DataError("quadratic", got, f"rows x (dimension^3 + 100) below {MOST_WORK:.0e}", cure)


def at_least(least: int, name: str, value: Any) -> Fraction:
    """The number, exactly.

    Raises: InputError for one below `least`.
    """
    exact = parse_value(value, name)
    if exact < least:
        raise InputError(name, value, f"a number >= {least}")
    return exact


def grid(rng: np.random.Generator, shape: tuple[int, ...], low: int) -> Array:
    """Uniform multiples of 1/64 in [low, 1]."""
    drawn: Array = fractions(rng.integers(low * _GRID, _GRID + 1, shape)) / Fraction(_GRID)
    return drawn


def _relative(rng: np.random.Generator, sizes: Array, dimension: int, level: Fraction) -> Array:
    """Deviations s_nj of weighted mean 0 over the clients, the largest of absolute value `level`."""
    weights = fractions(sizes) / Fraction(int(sizes.sum()))
    drawn = grid(rng, (len(sizes), dimension), -1)
    raw: Array = drawn - np.add.reduce(weights[:, None] * drawn, axis=0)
    largest = np.abs(raw).max()
    return raw * (level / largest if largest else 1)


def _centred(rng: np.random.Generator, partition: Partition, dimension: int) -> Array:
    """Values (rows, d) in about [-1, 1] of mean 0 over the samples of every client."""
    raw = grid(rng, (partition.total, dimension), -1)
    means: Array = np.add.reduceat(raw, partition.offsets[:-1], axis=0) / fractions(partition.sizes)[:, None]
    centred: Array = raw - np.repeat(means, partition.sizes, axis=0)
    return centred


def _basis(rng: np.random.Generator, dimension: int, rotations: int) -> Array:
    """A product of reflections I - 2 v v^T / v^T v with small whole v: orthogonal and rational."""
    eye = basis = fractions(np.eye(dimension, dtype=int))
    for _ in range(rotations):
        v = fractions(rng.integers(1, 4, dimension) * rng.choice([-1, 1], dimension))
        basis = basis @ (eye - 2 * np.outer(v, v) / (v @ v))
    return basis
