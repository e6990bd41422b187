"""Algorithm 1 in exact expectation: where every message is a random multiple of a vector, a round is linear.

The losses are quadratics, f_i(w) = sum_j a_ij (w_j - b_ij)^2/2, A is diagonal, and a worker's compressor has
a few outcomes, each of which multiplies every entry by a number. Given all workers' outcomes a round is then
a linear map of z = (w, h^1, .., h^n, 1), and E[z z^T] after it is the mean over the outcomes: exact in
fractions after any number of rounds, with every outcome of every round counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import floats, fractions

#: a probability and what the entries are multiplied by
Outcome = tuple[Any, tuple[Any, ...]]


def all_or_nothing(omega: Any, d: int) -> tuple[Outcome, ...]:
    """Nothing, or 1 + omega times the vector: it is in U(omega), and in no smaller class.

    >>> all_or_nothing(Fraction(1), 1)
    ((Fraction(1, 2), (0,)), (Fraction(1, 2), (Fraction(2, 1),)))
    """
    sent = 1 / (1 + omega)
    return ((1 - sent, (0,) * d), (sent, (1 + omega,) * d)) if omega else ((sent, (1,) * d),)


def one_entry(d: int) -> tuple[Outcome, ...]:
    """One entry of d drawn at random, d times as large: omega is d - 1.

    >>> one_entry(2)
    ((Fraction(1, 2), (2, 0)), (Fraction(1, 2), (0, 2)))
    """
    return tuple((Fraction(1, d), tuple(d * (i == j) for j in range(d))) for i in range(d))


@dataclass(frozen=True, eq=False)
class Instance:
    """Workers, their compressor, noise and start.

    Arguments:
        curvatures, centres: a and b, shape (n, d).
        inverse: the diagonal of A, shape (d,).
        compressor: outcomes, each with its probability.
        omega: the class that the compressor is in.
        noise: a sample's first entry errs by this, up or down with probability 1/2.
        start, shifts: w_0 of shape (d,) and h_0 of shape (n, d).
        name: what it is, in words.
    """

    curvatures: Array
    centres: Array
    inverse: Array
    compressor: tuple[Outcome, ...]
    omega: Any
    noise: Any
    start: Array
    shifts: Array
    name: str = "quadratics"

    @property
    def n(self) -> int:
        """Workers."""
        return len(self.curvatures)

    @property
    def d(self) -> int:
        """Entries of the model."""
        return len(self.start)

    @cached_property
    def slope(self) -> tuple[Array, Array]:
        """The objective's gradient is the first times w, less the second; both of shape (d,)."""
        return (
            np.add.reduce(self.curvatures, axis=0) / self.n,
            np.add.reduce(self.curvatures * self.centres, axis=0) / self.n,
        )

    @property
    def solution(self) -> Array:
        """w*, shape (d,)."""
        return self.slope[1] / self.slope[0]

    @property
    def targets(self) -> Array:
        """The workers' gradients at w*, shape (n, d)."""
        found: Array = self.curvatures * (self.solution - self.centres)
        return found

    @cached_property
    def constants(self) -> dict[str, Any]:
        """The letters that the losses, A, noise and compressor give; zeta^2 where there is one."""
        alike = (self.curvatures == self.curvatures[0]).all()
        zeta2 = np.add.reduce(self.targets**2, axis=None) / self.n
        return {
            "L": self.curvatures.max(), "mu": self.curvatures.min(),
            "n": self.n, "omega": self.omega,
            "mu1": self.inverse.min(), "mu2": self.inverse.max(), "sigma2": self.noise**2,
        } | ({"zeta2": zeta2} if alike else {})  # fmt: skip

    def in_floats(self) -> Instance:
        """Every number rounded once."""
        arrays = ("curvatures", "centres", "inverse", "start", "shifts")
        rounded: dict[str, Any] = {name: floats(getattr(self, name)) for name in arrays}
        outcomes = tuple((float(p), tuple(float(f) for f in by)) for p, by in self.compressor)
        return replace(self, **rounded, compressor=outcomes, noise=float(self.noise))


@dataclass(frozen=True)
class Listing:
    """The hyper-parameters of Algorithm 1, and its rounds as linear maps.

    Arguments:
        alpha, gamma: step sizes of the model and of the shifts.
        keeps: what h is multiplied by where it is updated, 1; another number plants a falsehood.
    """

    alpha: Any
    gamma: Any
    keeps: Any = 1

    def maps(self, at: Instance) -> Iterator[tuple[Any, Array]]:
        """Probability and matrix of every outcome of a round, lines 4 to 15."""
        signs = (-1, 1) if at.noise else (0,)
        each = [(p / len(signs), by, sign) for p, by in at.compressor for sign in signs]
        for outcomes in product(each, repeat=at.n):
            chance = outcomes[0][0]
            for p, _, _ in outcomes[1:]:
                chance = chance * p
            yield chance, self._map(at, [(by, sign) for _, by, sign in outcomes])

    def _map(self, at: Instance, outcomes: list[tuple[tuple[Any, ...], int]]) -> Array:
        """One outcome: w and every h go on, by what each worker sends."""
        n, d = at.n, at.d
        size = d * (n + 1) + 1
        found: Array = np.zeros((size, size), dtype=at.curvatures.dtype) + self.alpha * 0
        for k in range(size):
            found[k, k] = 1 if k < d or k == size - 1 else self.keeps
        for i, (by, sign) in enumerate(outcomes):
            for j in range(d):
                sent = np.zeros(size, dtype=found.dtype) + self.alpha * 0
                shift = d * (i + 1) + j
                sent[j] = by[j] * at.curvatures[i, j]
                sent[shift] = -by[j]
                sent[-1] = by[j] * (sign * at.noise * (j == 0) - at.curvatures[i, j] * at.centres[i, j])
                found[shift] = found[shift] + self.gamma * sent
                sent[shift] = sent[shift] + 1
                found[j] = found[j] - self.alpha * at.inverse[j] / n * sent
        return found


def moments(at: Instance, listing: Listing, rounds: int) -> list[Array]:
    """E[z z^T] at the start and after every round."""
    z = np.concatenate([at.start, at.shifts.reshape(-1), at.start[:1] * 0 + 1])
    found = [np.outer(z, z)]
    maps = [*listing.maps(at)]
    for _ in range(rounds):
        new = found[-1] * 0
        for chance, matrix in maps:
            new = new + chance * (matrix @ found[-1] @ matrix.T)
        found.append(new)
    return found


def gap(at: Instance, moment: Array) -> Any:
    """E F(w) - F(w*)."""
    return _distance(moment, range(at.d), at.solution, at.slope[0]) / 2


def off(at: Instance, moment: Array) -> Any:
    """(1/n) sum_i E|h^i - h_*^i|^2."""
    places = range(at.d, at.d * (at.n + 1))
    return _distance(moment, places, at.targets.reshape(-1), at.targets.reshape(-1) * 0 + 1) / at.n


def squared_gradient(at: Instance, moment: Array) -> Any:
    """E|grad F(w)|^2."""
    return _distance(moment, range(at.d), at.solution, at.slope[0] ** 2)


def _distance(moment: Array, places: range, centre: Array, weights: Array) -> Any:
    """sum_k weights_k E(z_k - centre_k)^2."""
    parts = (
        weight * (moment[k, k] - 2 * c * moment[k, -1] + c * c)
        for k, c, weight in zip(places, centre, weights, strict=True)
    )
    return sum(parts, start=weights[0] * 0)


def exact(name: str, curvatures: Any, centres: Any, inverse: Any, **more: Any) -> Instance:
    """An instance in fractions, from w_0 = 0 and h_0 = 0 unless `start` and `shifts` are given.

    >>> pair = exact("pair", [[1], [1]], [[-1], [1]], [1], omega=Fraction(1))
    >>> second = moments(pair, Listing(Fraction(1, 2), Fraction(1, 4)), 1)[1]
    >>> squared_gradient(pair, second), off(pair, second)
    (Fraction(1, 8), Fraction(5, 8))
    """
    a, b, diagonal = fractions(curvatures), fractions(centres), fractions(inverse)
    omega = more.pop("omega", Fraction(0))
    compressor = more.pop("compressor", None) or all_or_nothing(omega, len(diagonal))
    start = fractions(more.pop("start", [0] * len(diagonal)))
    shifts = fractions(more.pop("shifts", [[0] * len(diagonal)] * len(a)))
    noise = Fraction(more.pop("noise", 0))
    return Instance(a, b, diagonal, compressor, omega, noise, start, shifts, name, **more)
