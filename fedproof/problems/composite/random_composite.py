"""Random strongly convex quadratics for composite problems: known L, mu and noise, unlike clients."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.quadratics.quadratic import Quadratic, Spectra
from fedproof.problems.quadratics.random_quadratic import at_least, grid, random_quadratic
from fedproof.problems.supervised.partition import Partition
from fedproof.vocabulary.errors import DataError
from fedproof.vocabulary.options import shown
from fedproof.vocabulary.values import parse_value

_OWN = 21
_OF_THE_MATRICES = ("heterogeneity", "condition", "smoothness", "rotations")
MOST_WORK = 500_000
"""Fractions in the matrices: more take minutes."""


def random_smooth_part(
    seed: int,
    n_clients: int = 4,
    dimension: int = 3,
    samples: int = 2,
    *,
    heterogeneity: Any = Fraction(1, 2),
    gap: Any = 1,
    noise: Any = 1,
    condition: Any = 10,
    smoothness: Any = 1,
    rotations: int = 1,
) -> Quadratic:
    """Draw f for a composite problem, in fractions; `as_float` rounds it.

    All samples of a client have its matrix, and their slopes differ: the noise of a sampled gradient is then
    the same at every model. Its vectors are plus and minus `noise` times rational unit vectors (and 0 for
    one sample more), so that the variance of every client is noise^2, exactly. All clients hold equally many
    samples, as in composite (1). The mean matrix has the eigenvalues a_j > 0; f alone is least at `centre`,
    where the clients' gradients are not 0: they are `gap` times slopes whose mean is 0.

    Arguments:
        seed: >= 0; the same seed gives the same problem.
        n_clients, dimension, samples: >= 1; one sample leaves no noise.
        heterogeneity: how far the clients' eigenvalues lie from their mean, relatively; >= 0. Above 1 a
            client is not convex.
        gap: size of the clients' gradients at the centre, loss / length; >= 0.
        noise: length of a sample's deviation, loss / length; >= 0.
        condition: largest over smallest a_j, >= 1.
        smoothness: L of every f_i, reached by one client; loss / length^2.
        rotations: reflections in the eigenbasis; 0 keeps the axes.

    Raises: InputError for a negative or malformed value; DataError for more than can be built in fractions.

    >>> from fedproof.problems.composite.composite import Composite
    >>> from fedproof.problems.composite.penalties.l1 import L1
    >>> problem = Composite(random_smooth_part(0, noise="1/4"), L1("1/10"))
    >>> problem.constants["gradient_variance"].value, problem.constants["smoothness"].value
    (Fraction(1, 16), Fraction(1, 1))
    """
    apart, deviation = at_least(0, "gap", gap), at_least(0, "noise", noise)
    if (rows := n_clients * samples) * dimension**2 > MOST_WORK:
        got, expected = f"{rows} rows of dimension {dimension}", f"rows x dimension^2 <= {MOST_WORK:.0e}"
        raise DataError("composite_quadratic", got, expected, "use fewer samples or a smaller dimension")
    chosen: dict[str, Any] = {
        "seed": seed, "clients": n_clients, "dimension": dimension, "samples": samples,
        "heterogeneity": heterogeneity, "gap": gap, "noise": noise, "condition": condition,
        "smoothness": smoothness, "rotations": rotations,
    }  # fmt: skip
    shape = {name: chosen[name] for name in _OF_THE_MATRICES}
    base = random_quadratic(seed, n_clients, dimension, 1, sample_spread=0, noise=0, **shape)
    assert base.spectra is not None
    rng = np.random.Generator(np.random.Philox(key=np.array([seed, _OWN], dtype=np.uint64)))
    drawn = grid(rng, (n_clients, dimension), -1)
    own = apart * (drawn - np.add.reduce(drawn, axis=0) / Fraction(n_clients))
    noises = deviation * _deviations(rng, n_clients, samples, base.spectra.basis)
    sizes = [samples] * n_clients
    return Quadratic(
        np.repeat(base.matrices, sizes, axis=0),
        slopes=np.repeat(own, sizes, axis=0) + noises,
        levels=fractions(np.zeros(n_clients * samples, dtype=int)),
        centre=base.centre,
        partition=Partition.of_sizes(sizes, "quadratic"),
        origin=base.origin,
        spectra=Spectra(base.spectra.basis, np.repeat(base.spectra.values, sizes, axis=0)),
        name=f"quadratic({', '.join(f'{k}={shown(parse_value(v))}' for k, v in chosen.items())})",
    )


def _deviations(rng: np.random.Generator, clients: int, samples: int, basis: Array) -> Array:
    """Plus and minus columns of the basis, one pair after another, and 0 for a sample without a pair."""
    pairs, d = samples // 2, len(basis)
    columns = rng.integers(0, d, (clients, pairs))
    out = fractions(np.zeros((clients, samples, d), dtype=int))
    for n in range(clients):
        for k in range(pairs):
            out[n, 2 * k], out[n, 2 * k + 1] = basis[:, columns[n, k]], -basis[:, columns[n, k]]
    return out.reshape(clients * samples, d)
