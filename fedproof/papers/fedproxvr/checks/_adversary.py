"""Local models as bad as the criterion allows: |grad J_n(w_n)| = theta |grad F_n| in the worst direction.

On a quadratic a local model w_n = w* + (w - w*) + u_n with grad J_n(w_n) = e_n has
u_n = -(A_n + mu I)^-1 (A_n (w - w*) - e_n). The loss after averaging is convex in the errors e_n, so that it
is largest on the boundary |e_n| = theta |A_n (w - w*)|, and putting every e_n where the loss's linear part is
largest never lowers it. Shapes: b = games, n = clients, d = dimension.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fedproof.problems.problem import Array


@dataclass(frozen=True, eq=False)
class Games:
    """Quadratic problems with a common stationary point at 0 and L = 1, each with its mu and theta.

    Arguments:
        weights: D_n / D, shape (b, n).
        matrices: A_n, eigenvalues within [-1, 1], their mean positive definite, shape (b, n, d, d).
        extra: mu - lam > 0, shape (b,).
        theta: shape (b,).
    """

    weights: Array
    matrices: Array
    extra: Array
    theta: Array

    @cached_property
    def matrix(self) -> Array:
        """A, shape (b, d, d)."""
        mean: Array = np.einsum("bn,bnij->bij", self.weights, self.matrices)
        return mean

    @cached_property
    def values(self) -> dict[str, Array | float]:
        """The letters of (87), sharpened, each of shape (b,)."""
        lam = np.maximum(0, -np.linalg.eigvalsh(self.matrices)[..., 0].min(axis=1))
        relative = np.linalg.solve(self.matrix[:, None], self.matrices - self.matrix[:, None])
        # |A_n x - A x| <= sigma_n |A x| for all x: the norm of (A_n - A) A^-1, the transpose of `relative`
        sigma2 = np.einsum("bn,bn->b", self.weights, np.linalg.norm(relative, 2, axis=(-2, -1)) ** 2)
        return {"L": 1.0, "lam": lam, "sigma2": sigma2, "mu": lam + self.extra, "theta": self.theta}

    @cached_property
    def _inverse(self) -> Array:
        """(A_n + mu I)^-1."""
        eye = np.eye(self.matrices.shape[-1])
        mu = np.asarray(self.values["mu"], dtype=np.float64)[:, None, None, None]
        inverse: Array = np.asarray(np.linalg.inv(self.matrices + mu * eye), dtype=np.float64)
        return inverse

    def moved(self, start: Array, rng: np.random.Generator, turns: int = 20) -> Array:
        """Server models after the worst local models found from `start` (b, d), shape (b, d)."""
        slopes = _apply(self.matrices, start[:, None])
        calm = start - np.einsum("bn,bnd->bd", self.weights, _apply(self._inverse, slopes))
        lengths = self.theta[:, None] * np.linalg.norm(slopes, axis=-1)
        best: Array = calm
        for first in (calm, rng.standard_normal(calm.shape)):
            after = first
            for _ in range(turns):
                along = _apply(self._inverse, _apply(self.matrix, after)[:, None])
                errors = lengths[..., None] * along / np.linalg.norm(along, axis=-1, keepdims=True)
                after = calm + np.einsum("bn,bnd->bd", self.weights, _apply(self._inverse, errors))
            better = self.losses(after) > self.losses(best)
            best = np.where(better[:, None], after, best)
        return best

    def losses(self, points: Array) -> Array:
        """F - F* at points (b, d)."""
        halves: Array = np.einsum("bd,bde,be->b", points, self.matrix, points) / 2
        return halves

    def descent(self, start: Array, rng: np.random.Generator) -> Array:
        """The least (F(w) - F(w+)) / |grad F(w)|^2 found from `start`, shape (b,)."""
        gradient = _apply(self.matrix, start)
        gain: Array = (self.losses(start) - self.losses(self.moved(start, rng))) / np.square(gradient).sum(
            axis=1
        )
        return gain


def _apply(matrices: Array, vectors: Array) -> Array:
    product: Array = np.matmul(matrices, vectors[..., None])[..., 0]
    return product
