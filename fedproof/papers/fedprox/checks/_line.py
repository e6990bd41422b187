"""Losses on the line with bounded, piecewise linear slopes, whose proximal points have a closed form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Constant
from fedproof.problems.quadratics.exact_linear_algebra import floats, fractions
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value


@dataclass(frozen=True, eq=False)
class Line:
    """Losses of clients, in fractions or in floats; a slope is constant outside the kinks.

    Every entry of a model is a copy of the problem on its own: F_m(w) = sum_s f_m(w_s). So one call moves as
    many runs as there are entries. K kinks, M clients, S copies.

    Arguments:
        kinks: increasing, shape (K,).
        left, right: slopes of every f_m just before and just behind each kink, shape (M, K); linear between.
        origin: where a run starts.
        copies: S.
        name: what it is, in words.
        samples: the problem whose clients are the samples, client after client, equally many of each; None
            where every client has one.
    """

    kinks: Array
    left: Array
    right: Array
    origin: Any
    copies: int = 1
    name: str = "slopes on the line"
    samples: Line | None = None

    @classmethod
    def of(cls, kinks: Any, left: Any, right: Any = None, origin: Any = 0, name: str = name) -> Line:
        """In fractions; without `right` the slopes have no jumps.

        Raises: InputError for a slope that jumps down: no such loss is weakly convex.

        >>> absolute = Line.of([0], [[-1]], [[1]], origin="1/2")
        >>> [str(c.value) for c in absolute.constants.values()]
        ['None', 'None', '1', '0', '0']
        """
        before = fractions(left)
        behind = before if right is None else fractions(right)
        if (behind < before).any():
            raise InputError("right", "a slope below the one before its kink", "slopes that jump up")
        return cls(fractions(kinks), before, behind, parse_value(origin), name=name)

    def federated(self, size: int) -> Line:
        """The problem of clients that hold so many of these losses each, one after the other.

        >>> pair = Line.of([0], [[-1], [0]], [[1], [0]]).federated(2)
        >>> str(pair.client_gradients(fractions([[3]]), np.array([0]))[0, 0]), pair.sizes.tolist()
        ('1/2', [2])
        """
        return replace(self._means(np.arange(self.n_clients).reshape(-1, size)), samples=self)

    def _means(self, rows: Array) -> Line:
        """The problem whose client j has the mean of the losses rows[j], shape (k, b)."""
        left, right = (np.add.reduce(s[rows], axis=1) / rows.shape[1] for s in (self.left, self.right))
        return replace(self, left=left, right=right)

    def minibatches(self, clients: Array, samples: Array) -> Line:
        """The problem whose client j has samples[j] of clients[j], samples of shape (k, b)."""
        every = self.samples or self
        rows = clients[:, None] * (every.n_clients // self.n_clients) + samples
        return replace(every._means(rows), copies=self.copies)

    def as_float(self) -> Line:
        """Every number rounded once."""
        kinks, left, right = floats(self.kinks), floats(self.left), floats(self.right)
        samples = None if self.samples is None else self.samples.as_float()
        origin = float(self.origin)
        return replace(self, kinks=kinks, left=left, right=right, origin=origin, samples=samples)

    def number(self, value: Any) -> Any:
        """`value` in the arithmetic of the problem."""
        exact = parse_value(value)
        return exact if self.kinks.dtype == object else float(exact)

    @property
    def n_clients(self) -> int:
        """M."""
        return len(self.left)

    @property
    def dimension(self) -> int:
        """S."""
        return self.copies

    @property
    def sizes(self) -> Array:
        """Equally many samples each."""
        every = self.samples or self
        return np.full(self.n_clients, every.n_clients // self.n_clients, dtype=np.int64)

    def start(self) -> Array:
        """The origin in every copy."""
        return np.full(self.copies, self.origin, dtype=self.kinks.dtype)

    @cached_property
    def _curvatures(self) -> Array:
        """Of the K + 1 pieces, shape (M, K + 1)."""
        inner = (self.left[:, 1:] - self.right[:, :-1]) / (self.kinks[1:] - self.kinks[:-1])
        flat = self.left[:, :1] * 0
        return np.concatenate([flat, inner, flat], axis=1)

    @cached_property
    def _slopes(self) -> Array:
        """At the base of every piece, shape (M, K + 1)."""
        return np.concatenate([self.left[:, :1], self.right], axis=1)

    @cached_property
    def _bases(self) -> Array:
        """Where each piece begins, the first kink for the first, shape (K + 1,)."""
        return np.concatenate([self.kinks[:1], self.kinks])

    @cached_property
    def _values(self) -> Array:
        """f_m at the bases, 0 at the first kink, shape (M, K + 1)."""
        rises = (self.right[:, :-1] + self.left[:, 1:]) / 2 * (self.kinks[1:] - self.kinks[:-1])
        zero = self.left[:, :1] * 0
        return np.concatenate([zero, zero, np.cumsum(rises, axis=1)], axis=1)

    def _pieces(self, models: Array) -> Array:
        """Which piece every entry is in; a kink belongs to the piece before it."""
        found: Array = (models[..., None] > self.kinks).sum(axis=-1)
        return found

    def client_gradients(self, models: Array, clients: Array) -> Array:
        """Slopes (..., k, S), at a kink the one before it."""
        at, who = self._pieces(models), clients[:, None]
        found: Array = self._slopes[who, at] + self._curvatures[who, at] * (models - self._bases[at])
        return found

    def client_losses(self, models: Array, clients: Array) -> Array:
        """Sums over the copies, (..., k)."""
        total: Array = np.add.reduce(self.copy_losses(models, clients), axis=-1)
        return total

    def copy_losses(self, models: Array, clients: Array) -> Array:
        """Losses (..., k, S)."""
        at, who = self._pieces(models), clients[:, None]
        past = models - self._bases[at]
        found: Array = self._values[who, at] + past * (
            self._slopes[who, at] + self._curvatures[who, at] * past / 2
        )
        return found

    def proximal_points(self, anchor: Array, prox_weight: Any, clients: Array) -> Array:
        """The u that minimise f_m(u) + (mu / 2) (u - w)^2 for w of shape (k, S), exactly; nu < mu.

        The slope f_m'(u) + mu (u - w) rises with u: the kinks at which it is still below 0 lie before u.
        """
        pull = prox_weight * (self.kinks - anchor[..., None])
        before, behind = (slopes[clients][:, None] + pull for slopes in (self.left, self.right))
        at, who = (behind < 0).sum(axis=-1), clients[:, None]
        bend = self._curvatures[who, at]
        inside = (prox_weight * anchor + bend * self._bases[at] - self._slopes[who, at]) / (
            prox_weight + bend
        )
        kink = np.minimum(at, len(self.kinks) - 1)
        held = (at < len(self.kinks)) & (np.take_along_axis(before, kink[..., None], -1)[..., 0] <= 0)
        points: Array = np.where(held, self.kinks[kink], inside)
        return points

    @cached_property
    def pooled(self) -> Line:
        """The mean loss as that of one client."""
        return self._means(np.arange(self.n_clients)[None])

    def loss(self, model: Array) -> Any:
        """Sum over the copies of the mean loss."""
        return self.pooled.client_losses(model[None], np.zeros(1, dtype=int))[0]

    def gradient(self, model: Array) -> Array:
        """The mean slope in every copy (S,)."""
        found: Array = self.pooled.client_gradients(model[None], np.zeros(1, dtype=int))[0]
        return found

    def envelope(self, model: Array, rho: Any) -> tuple[Array, Array]:
        """Value and slope of the mean loss's Moreau envelope in every copy (S,): rho < 1 / nu."""
        one, step = np.zeros(1, dtype=int), self.number(rho)
        points = self.pooled.proximal_points(model[None], 1 / step, one)
        move = model - points[0]
        return self.pooled.copy_losses(points, one)[0] + move * move / (2 * step), move / step

    @cached_property
    def least(self) -> Any:
        """The least mean loss of one copy.

        Raises: InputError where there is none.
        """
        mean = self.pooled
        if mean.left[0, 0] > 0 or mean.right[0, -1] < 0:
            raise InputError("slopes", "a mean loss without a least value",
                             "a mean slope that ends <= 0 on the left and >= 0 on the right")  # fmt: skip
        bent = np.flatnonzero(mean._curvatures[0] > 0)
        stationary = mean._bases[bent] - mean._slopes[0, bent] / mean._curvatures[0, bent]
        points = np.concatenate([self.kinks, stationary[mean._pieces(stationary) == bent]])
        return mean.copy_losses(points[None], np.zeros(1, dtype=int)).min()

    @cached_property
    def dissimilarity(self) -> Any:
        """H^2, the largest mean over clients of |f_m' - f'|^2: it is reached beside a kink."""
        apart = [slopes - np.add.reduce(slopes, axis=0) / len(slopes) for slopes in (self.left, self.right)]
        return max((np.add.reduce(gap * gap, axis=0) / len(gap)).max() for gap in apart)

    @cached_property
    def constants(self) -> Mapping[str, Constant]:
        """Exact ones; those of samples hold for every minibatch."""
        each = self.samples or self
        smooth = None if (each.left < each.right).any() else np.abs(each._curvatures).max()
        most = max(np.abs(each.left).max(), np.abs(each.right).max())
        found = {
            "smoothness_sample": smooth,
            "smoothness": smooth,
            "lipschitz_sample": most,
            "weak_convexity": max(0, -each._curvatures.min()),
            "least_loss": self.copies * self.least,
        }
        return {name: Constant(value, "exact", "from the slopes") for name, value in found.items()}
