"""A perceptron with one hidden layer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedproof.problems.labels import check_classes
from fedproof.problems.model_options import whole
from fedproof.problems.models.softmax import Softmax
from fedproof.problems.problem import Array, Constant
from fedproof.problems.rows import Partition
from fedproof.vocabulary.errors import UnknownName

__all__ = ["MODEL", "Perceptron"]

_PURPOSE = 11


@dataclass(frozen=True)
class Perceptron:
    """f(U, V, c; x, y) = the softmax loss of the scores V s(U x) + c; s acts on each entry.

    A model is U (hidden, p), V (classes, hidden) and c (classes,), flattened in turn. Arrays inside
    are (clients, points, units, batch): one pass for all clients and all points. Hessian products are exact
    (Pearlmutter 1994, the R operator). Gradients are Lipschitz on bounded sets only: no L holds everywhere.

    Arguments:
        classes: >= 2.
        hidden: units >= 1.
        activation: "tanh" or "softplus", log(1 + exp), both smooth.
        model_seed: of the start, which must not be 0: all hidden units would stay alike.

    >>> Perceptron(3, hidden=5).dimension(features=4)
    38
    """

    name: ClassVar[str] = "perceptron"

    classes: int
    hidden: int = 32
    activation: str = "tanh"
    model_seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "hidden", whole("hidden", self.hidden, 1))
        object.__setattr__(self, "model_seed", whole("model_seed", self.model_seed, 0, (1 << 64) - 1))
        if self.activation not in _ACTIVATIONS:
            raise UnknownName("activation", self.activation, _ACTIVATIONS)

    def dimension(self, features: int) -> int:
        """d for p features."""
        return self.hidden * features + self.classes * (self.hidden + 1)

    def start(self, features: int) -> Array:
        """Normal draws of variance 2 / (inputs + outputs) of their layer (Glorot, Bengio 2010); c = 0."""
        key = np.array([self.model_seed, _PURPOSE], dtype=np.uint64)
        rng = np.random.Generator(np.random.Philox(key=key))
        layers = ((self.hidden, features), (self.classes, self.hidden))
        parts = [np.sqrt(2 / sum(shape)) * rng.standard_normal(shape).reshape(-1) for shape in layers]
        return np.concatenate([*parts, np.zeros(self.classes)])

    def check(self, labels: Array, where: str) -> None:
        """Refuse labels outside 0..classes-1."""
        check_classes(labels, self.classes, where)

    def losses(self, w: Array, x: Array, y: Array) -> Array:
        """f of every sample at its client's parameters, shape (..., k, b)."""
        z = self._forward(self._parts(w), x)[-1]
        found = self._head.score_losses(z, y[:, None])
        return np.moveaxis(found, 1, 0).reshape(*w.shape[:-1], -1)

    def gradients(self, w: Array, x: Array, y: Array) -> Array:
        """Mean gradient over each client's samples, shape (..., k, d)."""
        parts = self._parts(w)
        a, value, z = self._forward(parts, x)
        pull = self._head.score_gradients(z, y[:, None])
        down = np.matmul(_turned(parts[1]), pull)
        down *= self._curve.slope(a, value)
        return _joined(_of_rows(down, x), _means(pull, _turned(value)), pull.mean(-1), w.shape)

    def hessian_products(self, w: Array, v: Array, x: Array, y: Array) -> Array:
        """Mean Hessian over each client's samples, times v: w (k, d), v and result (..., k, d)."""
        parts, (move_in, move_out, move_c) = self._parts(w), self._parts(v)
        a, value, z = self._forward(parts, x)
        slope = self._curve.slope(a, value)
        bend = self._curve.bend(value, slope)
        da = _at_rows(move_in, x)
        dvalue = slope * da
        dz = np.matmul(move_out, value) + np.matmul(parts[1], dvalue) + move_c[..., None]
        dpull = self._head.score_products(z, dz, y[:, None])
        pull = self._head.score_gradients(z, y[:, None])
        back = np.matmul(_turned(parts[1]), pull)
        dback = np.matmul(_turned(move_out), pull) + np.matmul(_turned(parts[1]), dpull)
        ddown = dback * slope + back * bend * da
        of_out = _means(dpull, _turned(value)) + _means(pull, _turned(dvalue))
        return _joined(_of_rows(ddown, x), of_out, dpull.mean(-1), v.shape)

    def predictions(self, w: Array, x: Array) -> Array:
        """The most probable class."""
        z = self._forward(self._parts(w[None]), x[None])[-1]
        labels: Array = z[0, 0].argmax(axis=0)
        return labels

    def constants(self, features: Array, labels: Array, partition: Partition) -> Mapping[str, Constant]:
        """None is known but the least loss's bound: the Hessian grows with the weights, without limit."""
        del features, labels, partition
        unknown = Constant(None, "estimate", "none holds at all models: the Hessian grows with the weights")
        apart = "no finite one is known: client gradients need not vanish with the global one"
        return {
            "smoothness_sample": unknown,
            "smoothness": unknown,
            "weak_convexity": unknown,
            "dissimilarity": Constant(None, "estimate", apart),
            "least_loss": Constant(0, "certified", "a lower bound: no sample loss is negative"),
        }

    @property
    def _head(self) -> Softmax:
        return Softmax(self.classes)

    @property
    def _curve(self) -> _Activation:
        return _ACTIVATIONS[self.activation]

    def _parts(self, w: Array) -> tuple[Array, Array, Array]:
        """U (k, points, hidden, p), V (k, points, classes, hidden) and c (k, points, classes)."""
        k, d = w.shape[-2:]
        flat = np.moveaxis(w.reshape(-1, k, d), 0, 1)
        end, start = d - self.classes, d - self.classes * (self.hidden + 1)
        lead = flat.shape[:2]
        first = flat[..., :start].reshape(*lead, self.hidden, -1)
        return first, flat[..., start:end].reshape(*lead, self.classes, self.hidden), flat[..., end:]

    def _forward(self, parts: tuple[Array, Array, Array], x: Array) -> tuple[Array, Array, Array]:
        """What enters and leaves the hidden units, (k, points, hidden, b), and the scores."""
        first, second, shift = parts
        a = _at_rows(first, x)
        value = self._curve.value(a)
        return a, value, np.matmul(second, value) + shift[..., None]


MODEL = Perceptron


@dataclass(frozen=True)
class _Activation:
    """s(a), s'(a) given a and s, s''(a) given s and s'."""

    value: Callable[[Array], Array]
    slope: Callable[[Array, Array], Array]
    bend: Callable[[Array, Array], Array]


_ACTIVATIONS: Mapping[str, _Activation] = {
    "tanh": _Activation(np.tanh, lambda a, s: 1 - s * s, lambda s, t: -2 * s * t),
    "softplus": _Activation(
        lambda a: np.logaddexp(0, a), lambda a, s: 0.5 * (1 + np.tanh(0.5 * a)), lambda s, t: t * (1 - t)
    ),
}


def _turned(a: Array) -> Array:
    return np.swapaxes(a, -1, -2)


def _means(left: Array, right: Array) -> Array:
    """Means over the batch of left (..., m, b) times right (..., b, n)."""
    product: Array = np.matmul(left, right)
    product /= left.shape[-1]
    return product


def _at_rows(matrices: Array, x: Array) -> Array:
    """Matrices (k, points, m, p) times the rows (k, b, p) of their client: (k, points, m, b)."""
    k, points, m, p = matrices.shape
    flat: Array = np.matmul(matrices.reshape(k, points * m, p), _turned(x))
    return flat.reshape(k, points, m, -1)


def _of_rows(down: Array, x: Array) -> Array:
    """Means over the batch of (k, points, m, b) times rows (k, b, p)."""
    k, points, m, b = down.shape
    return _means(down.reshape(k, points * m, b), x)


def _joined(first: Array, second: Array, shift: Array, shape: tuple[int, ...]) -> Array:
    """Parts (k, points, ...) as vectors of the given shape (..., k, d)."""
    lead = shift.shape[:2]
    flat = np.concatenate([first.reshape(*lead, -1), second.reshape(*lead, -1), shift], axis=-1)
    return np.moveaxis(flat, 1, 0).reshape(shape)
