"""What a model is: losses, gradients and curvature of samples, with no data of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from fedproof.problems.problem import Array, Constant
from fedproof.problems.supervised.partition import Partition


@runtime_checkable
class Model(Protocol):
    """A frozen description of f(w; x, y); parameters w are flat vectors.

    Shapes: k clients, b samples of each, p features, d parameters. `w` is (..., k, d), `x` (k, b, p) and
    `y` (k, b); leading axes of `w` are several points that share one pass over the samples. A model whose
    attribute `bias` is False is given features without a column of ones.
    """

    @property
    def name(self) -> str:
        """What it is called; ours are called as their files."""

    def dimension(self, features: int) -> int:
        """d for p features."""

    def start(self, features: int) -> Array:
        """The default initial parameters, shape (d,)."""

    def check(self, labels: Array, where: str) -> None:
        """Refuse labels that the model cannot mean.

        Raises: DataError naming the row.
        """

    def losses(self, w: Array, x: Array, y: Array) -> Array:
        """f of every sample at its client's parameters, shape (..., k, b)."""

    def gradients(self, w: Array, x: Array, y: Array) -> Array:
        """Mean gradient over each client's samples, shape (..., k, d)."""

    def hessian_products(self, w: Array, v: Array, x: Array, y: Array) -> Array:
        """Mean Hessian over each client's samples, times v: w (k, d), v and result (..., k, d)."""

    def predictions(self, w: Array, x: Array) -> Array:
        """What the parameters (d,) predict for samples (b, p): labels, or real values."""

    def constants(self, features: Array, labels: Array, partition: Partition) -> Mapping[str, Constant]:
        """What is known of the losses on these rows, by canonical word."""
