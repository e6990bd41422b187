"""Proved bounds on the rounding errors of computed losses and gradients.

The standard model: an operation errs by at most u = 2^-53 of its result, n of them in a chain by gamma_n =
n u / (1 - n u) of the sum of the sizes, in whatever order they are taken (Higham 2002, Accuracy and stability
of numerical algorithms, section 3). exp, log and tanh are taken to err by at most 8 units in the last place.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any

import numpy as np

from fedproof.problems.problem import Array, client_shares, counts_alike
from fedproof.problems.supervised.linear import lengths
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.models.perceptron import Perceptron
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.regularisers import parts
from fedproof.problems.supervised.supervised import Supervised

UNIT = 2.0**-53
_TINY = 1e-300
"""More than all that can be lost where numbers become too small for their exponent."""
_ABOVE = 1 + 1e-6
"""The bounds are sums of positive terms themselves, each off by far less than a millionth."""
SHORT = 1e-8
"""No ratio is taken where the global gradient is below this part of the clients', there or at the start."""
_DROWNED = 64
"""Nor where it is below so many times what rounding may have made of it."""
_CHUNK = 1 << 13


@dataclass(frozen=True)
class Rounding:
    """Bounds at one model: of the global loss, of the global gradient's length, of every sample's scores."""

    loss: float
    gradient: float
    scores: float


def gamma(terms: int) -> float:
    """What a chain of so many operations errs by, relatively.

    >>> gamma(2) == 2 * 2.0**-53 / (1 - 2.0**-52)
    True
    """
    return terms * UNIT / (1 - terms * UNIT)


def rounding(inner: Any, model: Array) -> Rounding | None:
    """Bounds for a linear model of ours, with L2 and Nonconvex or none; None for other problems.

    >>> from fedproof.problems.supervised.partition import Partition
    >>> line = Supervised(LeastSquares(), np.ones((2, 1)), np.array([1.0, 2.0]), Partition.of_sizes([2]))
    >>> 0 < rounding(line, np.zeros(1)).loss < 1e-14
    True
    """
    extra = _of_regulariser(inner, model)
    if extra is None or type(inner.model) not in (Softmax, Logistic, LeastSquares):
        return None
    rows, p = inner.features.shape
    weights = model.reshape(-1, p)
    losses = errors = pull = scores = 0.0
    for first in range(0, rows, _CHUNK):
        x, y = inner.features[first : first + _CHUNK], inner.labels[first : first + _CHUNK]
        z = weights @ x.T
        delta = gamma(p + 2) * (np.abs(weights) @ np.abs(x).T).max(axis=0) + _TINY
        each = inner.model.score_losses(z, y)
        off = _loss_errors(inner.model, z, y, delta)
        slope, slope_off = _slope_errors(inner.model, z, y, delta)
        losses, errors = losses + float((each + 2 * off).sum()), errors + float(off.sum())
        pull += float(((slope_off + gamma(rows + 8) * (slope + 2 * slope_off)) * lengths(x)).sum())
        scores = max(scores, float(delta.max()))
    value, gradient = extra
    most = heaviest(inner) / rows
    loss = (errors + gamma(rows + 8) * losses) * most + 2 * UNIT * losses * most + value + _TINY
    found = Rounding(loss * _ABOVE, (pull * most + gradient + _TINY) * _ABOVE, scores * _ABOVE)
    return found if isfinite(found.loss + found.gradient + found.scores) else None


def heaviest(inner: Any) -> float:
    """The largest weight of a sample in the loss, times the number of samples: 1 where all weigh the same.

    Sums of a client's samples and then over clients are no longer chains than one of all samples.
    """
    if not counts_alike(inner):
        return 1.0
    return float((client_shares(inner) * inner.sizes.sum() / inner.sizes).max()) * (1 + 1e-12)


def lightest(inner: Any) -> float:
    """The same of the smallest weight, from below."""
    if not counts_alike(inner):
        return 1.0
    return float((client_shares(inner) * inner.sizes.sum() / inner.sizes).min()) * (1 - 1e-12)


def loss_rounding(inner: Any, model: Array) -> float | None:
    """A bound for the global loss alone, of perceptrons too; None for other problems."""
    if type(getattr(inner, "model", None)) is not Perceptron:
        found = rounding(inner, model)
        return None if found is None else found.loss
    extra = _of_regulariser(inner, model)
    if extra is None:
        return None
    (first, second, shift), rows = inner.model._parts(model), len(inner.labels)
    curve, head = inner.model._curve, Softmax(inner.model.classes)
    losses = errors = 0.0
    for begin in range(0, rows, _CHUNK):
        x, y = inner.features[begin : begin + _CHUNK], inner.labels[begin : begin + _CHUNK]
        a = first @ x.T
        s = curve.value(a)
        # both activations change no faster than their argument
        off = gamma(x.shape[1] + 2) * (np.abs(first) @ np.abs(x).T) + _TINY + 32 * UNIT * (1 + np.abs(a))
        reach = np.abs(second) @ (np.abs(s) + off) + np.abs(shift)[:, None]
        delta = (np.abs(second) @ off + gamma(len(a) + 4) * reach).max(axis=0) + _TINY
        z = second @ s + shift[:, None]
        bound = _loss_errors(head, z, y, delta)
        errors += float(bound.sum())
        losses += float((head.score_losses(z, y) + 2 * bound).sum())
    most = heaviest(inner) / rows
    loss = ((errors + gamma(rows + 10) * losses) * most + extra[0] + _TINY) * _ABOVE
    return loss if isfinite(loss) else None


class Clients:
    """Bounds on the rounding of every client's gradient, by the lengths of its rows: cheap at every model.

    Arguments:
        inner: the problem; `known` says whether there are bounds.
        length: below which a global gradient counts as 0, whatever its rounding.
    """

    def __init__(self, inner: Any, length: float = 0.0) -> None:
        self.inner, self.length = inner, length
        self.known = _of_regulariser(inner, inner.start()) is not None and type(inner.model) in (
            Softmax, Logistic, LeastSquares,
        )  # fmt: skip
        if not self.known:
            return
        begins, sizes = inner.partition.offsets[:-1], inner.sizes
        sides = lengths(inner.features)
        self.shares = client_shares(inner)
        self._sums = sizes * UNIT * 1.01 + 8 * UNIT
        self._lengths = np.add.reduceat(sides, begins) / sizes
        self._squares = np.add.reduceat(np.square(sides), begins) / sizes
        targets = np.abs(inner.labels.astype(np.float64)) * sides
        self._targets = np.add.reduceat(targets, begins) / sizes

    def errors(self, model: Array, each: Array, whole: Array) -> tuple[Array, float]:
        """Bounds on the errors of all clients' computed gradients (n, d), and of their weighted mean."""
        p, outputs = self.inner.features.shape[1], self.inner.model.outputs
        size = float(np.linalg.norm(model))
        score = gamma(p + 2) * size
        if type(self.inner.model) is LeastSquares:
            chain = self._sums + 2 * UNIT
            off = (score + chain * size) * self._squares + chain * self._targets
        else:
            off = sqrt(outputs) / 2 * score * self._squares
            off = off + ((outputs + 40) * UNIT + 1.5 * self._sums) * self._lengths
        extra = _of_regulariser(self.inner, model)
        norms = np.linalg.norm(each, axis=1)
        off = (off + (extra[1] if extra else np.inf) + 4 * UNIT * norms + _TINY) * _ABOVE
        mean = float(self.shares @ off) + gamma(len(each) + 8) * float(self.shares @ norms)
        return off, mean * _ABOVE + 4 * UNIT * float(np.linalg.norm(whole))

    def lost(self, model: Array, each: Array, whole: Array) -> bool:
        """Whether the global gradient is too short, beside the clients' or its rounding, to divide by."""
        longest = float(np.linalg.norm(each, axis=1).max())
        size = float(np.linalg.norm(whole))
        if not np.isfinite(longest) or size <= max(SHORT * longest, self.length):
            return True
        return self.known and size <= _DROWNED * self.errors(model, each, whole)[1]

    def sure(self, model: Array, each: Array, whole: Array) -> Array:
        """Lower bounds of every |each - whole|^2 / |whole|^2, 0 where the rounding is not bounded."""
        if not self.known:
            return np.zeros(len(each))
        off, mean = self.errors(model, each, whole)
        apart = np.linalg.norm(each - whole, axis=1) * (1 - 1e-12) - off - mean
        size = float(np.linalg.norm(whole)) * (1 + 1e-12) + mean
        found: Array = np.square(np.maximum(apart, 0) / size) * (1 - 1e-12)
        return found


def _of_regulariser(inner: Any, model: Array) -> tuple[float, float] | None:
    """Bounds for the regulariser's value and gradient, adding them included; None where none are known."""
    if not isinstance(inner, Supervised):
        return None
    found = parts(inner.regulariser)
    if found is None:
        return None
    value = sum(float(part.value(model)) for part in found)
    gradient = sum(float(np.linalg.norm(part.gradient(model))) for part in found)
    # where clients are averaged, it is added to each of them
    more = inner.n_clients + 8 if counts_alike(inner) else 0
    steep = gamma(24 + more) if more else 24 * UNIT
    return gamma(len(model) + 24 + more) * value, steep * gradient


def _loss_errors(model: Any, z: Array, y: Array, delta: Array) -> Array:
    """Of each sample's loss, (m,), given scores (outputs, m) that err by at most delta (m,)."""
    found: Array
    top = np.abs(z).max(axis=0)
    if type(model) is LeastSquares:
        apart = np.abs(z[0] - y)
        off = delta + UNIT * apart
        found = apart * off + np.square(off) / 2 + UNIT * np.square(apart)
    elif type(model) is Logistic:
        found = delta + 32 * UNIT * (1 + top)
    else:
        found = 2 * delta + UNIT * (8 * (top + delta) + 32 * model.outputs + 64)
    return found


def _slope_errors(model: Any, z: Array, y: Array, delta: Array) -> tuple[Array, Array]:
    """Lengths of the losses' derivatives in the scores, (m,), and what they err by."""
    found: Array = np.linalg.norm(model.score_gradients(z.copy(), y), axis=0)
    if type(model) is LeastSquares:
        return found, delta + 2 * UNIT * found
    if type(model) is Logistic:
        return found, delta / 4 + 32 * UNIT
    return found, sqrt(model.outputs) / 2 * delta + (model.outputs + 40) * UNIT
