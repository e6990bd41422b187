"""What a server keeps of its clients' Hessians: factors d x m of the direct update, or matrices d x d."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array
from fedproof.solvers.algorithms._truncation import truncated_dense_solution, truncated_solution
from fedproof.solvers.gradient_differences import rows_at
from fedproof.vocabulary.errors import InputError

MOST_NUMBERS = 1 << 27
"""Of all matrices d x d, and of all first factors d x m: 1 GiB. A round holds several arrays as large."""


@dataclass(frozen=True, eq=False)
class FactoredState:
    """B_i = sum_r F_ir K_ir F_ir^T; memory is 8 n d m bytes for every r.

    Arguments:
        model: w, shape (d,).
        shifts: h_i of the workers and of the server alike, shape (n, d); (0, d) without compressed gradients.
        factors: F_i, the F_ir side by side, shape (n, d, r m).
        cores: K_ir, shape (n, r, m, m); one that is 0 frees its place.
    """

    growing: ClassVar[dict[str, int]] = {"factors": 2, "cores": 1}

    model: Array
    shifts: Array
    factors: Array
    cores: Array

    def products(self, sketch: Array, clients: Array) -> Array:
        """B_i S of clients (k,) for S (d, m): shape (k, d, m)."""
        own = rows_at(clients)
        factors, cores = self.factors[own], self.cores[own]
        inner = np.swapaxes(factors, 1, 2) @ sketch
        middle = cores @ inner.reshape(*cores.shape[:3], -1)
        found: Array = factors @ middle.reshape(*inner.shape)
        return found

    def updated(self, clients: Array, decay: Any, factor: Array, core: Array) -> dict[str, Array]:
        """The arrays after B_i <- decay B_i + F K F^T for clients (k,).

        Arguments:
            decay: 1 - beta; with beta = 1 no earlier term is left.
            factor, core: F, shape (k, d, m), and K, shape (k, m, m).
        """
        cores = self.cores.copy()
        cores[clients] = cores[clients] * decay
        free = ~(cores[clients] != 0).any(axis=(2, 3))
        if free.shape[1] == 1 and free.all() and len(clients) == len(cores):
            return {"factors": factor, "cores": core[:, None]}
        if free.any(axis=1).all():
            factors = self.factors.copy()
        else:
            factors, cores = _with_room(self.factors, cores)
            free = np.concatenate([free, np.ones((len(free), 1), dtype=bool)], axis=1)
        place, m = free.argmax(axis=1), core.shape[-1]
        cores[clients, place] = core
        columns = place[:, None] * m + np.arange(m)
        factors[clients[:, None], :, columns] = np.swapaxes(factor, 1, 2)
        return {"factors": factors, "cores": cores}

    def solution(self, clients: Array, weights: Array, right: Array, least: Any, most: Any) -> Array:
        """|sum_i p_i B_i|_least^most inverted and applied: Algorithm 4, line 4, without the sign.

        Where all factors together have fewer columns than d, no matrix d x d is formed.
        """
        own = rows_at(clients)
        k, d, c = self.factors[own].shape
        cores = self.cores[own] * weights.reshape(-1, 1, 1, 1)
        if k * c >= d:
            r, m = cores.shape[1:3]
            scaled = self.factors[own].reshape(k, d, r, m).swapaxes(1, 2) @ cores
            columns = scaled.transpose(2, 0, 1, 3).reshape(d, -1)
            matrix = columns @ np.swapaxes(self.factors[own], 0, 1).reshape(d, -1).T
            return truncated_dense_solution(matrix, right, least, most)
        columns = np.swapaxes(self.factors[own], 0, 1).reshape(d, -1)
        return truncated_solution(columns, _block_diagonal(cores), right, least, most, 1 / least)


@dataclass(frozen=True, eq=False)
class DenseState:
    """B_i themselves; memory is 8 n d^2 bytes.

    Arguments:
        model, shifts: as in `FactoredState`.
        matrices: B_i, shape (n, d, d).
    """

    model: Array
    shifts: Array
    matrices: Array

    def products(self, sketch: Array, clients: Array) -> Array:
        """B_i S of clients (k,) for S (d, m): shape (k, d, m)."""
        found: Array = self.matrices[rows_at(clients)] @ sketch
        return found

    def updated(self, clients: Array, decay: Any, factor: Array, core: Array) -> dict[str, Array]:
        """The arrays after B_i <- decay B_i + F K F^T for clients (k,)."""
        matrices = self.matrices.copy()
        matrices[clients] = decay * matrices[clients] + factor @ core @ np.swapaxes(factor, 1, 2)
        return {"matrices": matrices}

    def solution(self, clients: Array, weights: Array, right: Array, least: Any, most: Any) -> Array:
        """|sum_i p_i B_i|_least^most inverted and applied: Algorithm 4, line 4, without the sign."""
        matrix = np.add.reduce(weights.reshape(-1, 1, 1) * self.matrices[rows_at(clients)], axis=0)
        return truncated_dense_solution(matrix, right, least, most)


def check_dense(count: int, dimension: int, what: str, cure: str) -> None:
    """Refuse matrices d x d that hold more than 2^27 numbers together.

    Raises: InputError.
    """
    if count * dimension**2 > MOST_NUMBERS:
        most = int((MOST_NUMBERS / count) ** 0.5)
        matrices = f"{count} matrices" if count > 1 else "a matrix"
        raise InputError(what, f"{matrices} of {dimension} x {dimension}", f"d <= {most} there", cure)


def check_factors(count: int, dimension: int, columns: int) -> None:
    """Refuse factors d x m of all clients that hold more than 2^27 numbers together.

    Raises: InputError.
    """
    if count * dimension * columns > MOST_NUMBERS:
        most = MOST_NUMBERS // (count * dimension)
        cure = f"use memory <= {most}" if most else "use fewer clients, or diana"
        got = f"{count} factors of {dimension} x {columns}"
        raise InputError("memory", got, f"at most {MOST_NUMBERS} numbers together", cure)


def _with_room(factors: Array, cores: Array) -> tuple[Array, Array]:
    """With one more place for every client."""
    n, _, m, _ = cores.shape
    zero = cores.ravel()[:1] * 0
    more = np.broadcast_to(zero.reshape(1, 1, 1), (n, factors.shape[1], m))
    none = np.broadcast_to(zero.reshape(1, 1, 1, 1), (n, 1, m, m))
    return np.concatenate([factors, more], axis=2), np.concatenate([cores, none], axis=1)


def _block_diagonal(cores: Array) -> Array:
    """Cores (k, r, m, m) as the blocks of one matrix (k r m, k r m)."""
    k, r, m, _ = cores.shape
    found = np.zeros((k * r, m, k * r, m), dtype=cores.dtype)
    if cores.dtype == object:
        found = found + cores.ravel()[0] * 0
    every = np.arange(k * r)
    found[every, :, every] = cores.reshape(k * r, m, m)
    return found.reshape(k * r * m, k * r * m)
