"""A perceptron with one hidden layer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedproof.problems.data.labels import check_classes
from fedproof.problems.problem import Array, Constant
from fedproof.problems.supervised.linear import OF_ANY_MODEL
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.options import whole

_PURPOSE = 11


@dataclass(frozen=True)
class Perceptron:
    """f(U, V, c; x, y) = the softmax loss of the scores V s(U x) + c; s acts on each entry.

    A model is U (hidden, p), V (classes, hidden) and c (classes,), flattened in turn. Arrays inside
    are (..., clients, units, batch): one pass for all clients and all points. Hessian products are exact
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
        object.__setattr__(self, "hidden", whole(1, 1 << 20)[1]("hidden", self.hidden))
        object.__setattr__(self, "model_seed", whole(0, (1 << 64) - 1)[1]("model_seed", self.model_seed))
        if self.activation not in _ACTIVATIONS:
            raise UnknownName("activation", self.activation, _ACTIVATIONS)

    def dimension(self, features: int) -> int:
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
        return self._head.score_losses(self._forward(self._parts(w), x)[-1], y)

    def gradients(self, w: Array, x: Array, y: Array) -> Array:
        parts = self._parts(w)
        a, value, z = self._forward(parts, x)
        pull = _inside(self._head.score_gradients(z, y))
        down = np.matmul(_turned(parts[1]), pull)
        down *= self._curve.slope(a, value)
        out = np.empty(w.shape)
        first, second, shift = self._parts(out)
        np.matmul(down, x, out=first)
        np.matmul(pull, _turned(value), out=second)
        pull.sum(axis=-1, out=shift)
        out /= x.shape[1]
        return out

    def hessian_products(self, w: Array, v: Array, x: Array, y: Array) -> Array:
        parts, (move_in, move_out, move_shift) = self._parts(w), self._parts(v)
        a, value, z = self._forward(parts, x)
        slope = self._curve.slope(a, value)
        second_derivative = self._curve.second_derivative(value, slope)
        da = np.matmul(move_in, _turned(x))
        dvalue = slope * da
        dz = _scores(move_out, value, move_shift)
        _inside(dz)[...] += np.matmul(parts[1], dvalue)
        own = z.reshape(self.classes, *[1] * (dz.ndim - z.ndim), *z.shape[1:])
        dpull = _inside(self._head.score_products(own.copy(), dz, y))
        pull = _inside(self._head.score_gradients(z, y))
        back = np.matmul(_turned(parts[1]), pull)
        dback = np.matmul(_turned(move_out), pull) + np.matmul(_turned(parts[1]), dpull)
        out = np.empty(v.shape)
        first, second, shift = self._parts(out)
        np.matmul(dback * slope + back * second_derivative * da, x, out=first)
        second[...] = np.matmul(dpull, _turned(value)) + np.matmul(pull, _turned(dvalue))
        dpull.sum(axis=-1, out=shift)
        out /= x.shape[1]
        return out

    def predictions(self, w: Array, x: Array) -> Array:
        """The most probable class."""
        z = self._forward(self._parts(w[None]), x[None])[-1]
        labels: Array = z[:, 0].argmax(axis=0)
        return labels

    def constants(self, features: Array, labels: Array, partition: Partition) -> Mapping[str, Constant]:
        """None is known but the least loss's bound: the Hessian grows with the weights, without limit."""
        del features, labels, partition
        unknown = Constant(None, "estimate", "none holds at all models: the Hessian grows with the weights")
        names = ("smoothness_sample", "smoothness", "weak_convexity")
        return {**dict.fromkeys(names, unknown), **OF_ANY_MODEL}

    @property
    def _head(self) -> Softmax:
        return Softmax(self.classes)

    @property
    def _curve(self) -> _Activation:
        return _ACTIVATIONS[self.activation]

    def _parts(self, w: Array) -> tuple[Array, Array, Array]:
        """U (..., hidden, p), V (..., classes, hidden) and c (..., classes), as views of w (..., d)."""
        *lead, d = w.shape
        end, start = d - self.classes, d - self.classes * (self.hidden + 1)
        first = w[..., :start].reshape(*lead, self.hidden, -1)
        return first, w[..., start:end].reshape(*lead, self.classes, self.hidden), w[..., end:]

    def _forward(self, parts: tuple[Array, Array, Array], x: Array) -> tuple[Array, Array, Array]:
        """What enters and leaves the hidden units, (..., k, hidden, b), and `_scores`."""
        first, second, shift = parts
        a = np.matmul(first, _turned(x))
        value = self._curve.value(a)
        return a, value, _scores(second, value, shift)


MODEL = Perceptron


@dataclass(frozen=True)
class _Activation:
    """s(a), s'(a) given a and s, s''(a) given s and s'."""

    value: Callable[[Array], Array]
    slope: Callable[[Array, Array], Array]
    second_derivative: Callable[[Array, Array], Array]


_ACTIVATIONS: Mapping[str, _Activation] = {
    "tanh": _Activation(np.tanh, lambda a, s: 1 - s * s, lambda s, t: -2 * s * t),
    "softplus": _Activation(
        lambda a: np.logaddexp(0, a), lambda a, s: 0.5 * (1 + np.tanh(0.5 * a)), lambda s, t: t * (1 - t)
    ),
}


def _turned(a: Array) -> Array:
    return np.swapaxes(a, -1, -2)


def _scores(matrices: Array, value: Array, shift: Array) -> Array:
    """Scores with the classes first, as the head takes them: (classes, ..., k, b)."""
    z = np.empty((matrices.shape[-2], *matrices.shape[:-2], value.shape[-1]))
    np.matmul(matrices, value, out=_inside(z))
    _inside(z)[...] += shift[..., None]
    return z


def _inside(z: Array) -> Array:
    """(..., k, classes, b) from (classes, ..., k, b), the same memory."""
    return np.moveaxis(z, 0, -2)
