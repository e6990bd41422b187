"""Linear models: a sample's loss is a function of W x, W (outputs, p)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import frexp, inf, nextafter, sqrt
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Constant
from fedproof.problems.supervised.partition import Partition
from fedproof.vocabulary.errors import InputError

_MOST_ROWS = 1 << 12
"""Rows whose scores are looked at together: they stay in the second cache."""

OF_ANY_MODEL = {
    "dissimilarity": Constant(
        None, "estimate", "no finite one is known: client gradients need not vanish with the global one"
    ),
    "least_loss": Constant(0, "certified", "a lower bound: no sample loss is negative"),
}
"""Constants of classification and of least squares alike."""

_LOSS = frozenset({
    "score_losses", "score_gradients", "score_differences", "score_products", "losses", "gradients",
    "gradient_differences", "segment_gradients", "hessian_products",
    "value", "slope", "bend", "box",
})  # fmt: skip
"""Methods that say what the loss is."""


class Linear:
    """A model given by its loss >= 0 as a function of the scores z = W x; subclasses give that function.

    Scores are arrays (outputs, ..., k, b), outputs first: what runs over the outputs (a maximum, a sum) then
    runs over long contiguous rows, and each client's part is still a matrix that BLAS takes as it lies.
    Subclasses set `outputs`, `link`, the compiled kernels' word for the loss as a function of z, and facts:
    `curvature_bound`, above every |eigenvalue| of the loss's Hessian in z; `least_curvature`, below every
    eigenvalue, 0 for the convex losses that these are where nothing is said; `kinked`: a convex loss without
    a Hessian somewhere; `flat`: whether every sample's Hessian vanishes along one common direction at every
    W, so that the least curvature of a separable regulariser is attained; `slope_square`, the least upper
    bound of the squared length of the loss's gradient in z, None for none; `steep`: there is none. A subclass
    that changes the loss states the facts anew: those of another loss do not hold for it (`stated`).
    """

    link: ClassVar[str | None] = None
    curvature_bound: ClassVar[Fraction]
    curvature_text: ClassVar[str] = ""
    least_curvature: ClassVar[Fraction] = Fraction(0)
    kinked: ClassVar[bool] = False
    flat: ClassVar[bool] = False
    slope_square: ClassVar[Any] = None
    steep: ClassVar[bool] = False

    @property
    def outputs(self) -> int:
        """Length of z."""
        raise NotImplementedError(type(self).__name__)

    def score_losses(self, z: Array, y: Array) -> Array:
        """Losses (..., b) from scores (outputs, ..., b) and labels (..., b)."""
        raise NotImplementedError(type(self).__name__)

    def score_gradients(self, z: Array, y: Array) -> Array:
        """Derivatives in z, of z's shape; z is contiguous and may be overwritten."""
        raise NotImplementedError(type(self).__name__)

    def score_differences(self, z: Array, y: Array) -> Array:
        """Derivatives at the first of two points z (outputs, 2, k, b) less those at the second."""
        pull = self.score_gradients(z, y)
        return pull[:, 0] - pull[:, 1]

    def score_products(self, z: Array, dz: Array, y: Array) -> Array:
        """Hessian in z (outputs, k, b) times dz (outputs, ..., k, b), of dz's shape."""
        raise NotImplementedError(type(self).__name__)

    def dimension(self, features: int) -> int:
        return self.outputs * features

    def start(self, features: int) -> Array:
        """The default initial parameters: zero."""
        return np.zeros(self.dimension(features))

    def losses(self, w: Array, x: Array, y: Array) -> Array:
        return self.score_losses(self._scores(w, x), y)

    def gradients(self, w: Array, x: Array, y: Array) -> Array:
        if self.outputs == 1 and w.ndim == 2:  # the same, without axes of points and outputs
            means: Array = np.vecmat(self.score_gradients(np.matvec(x, w)[None], y)[0], x)
            means /= x.shape[1]
            return means
        return self._means(self.score_gradients(self._scores(w, x), y), x)

    def gradient_differences(self, here: Array, there: Array, x: Array, y: Array) -> Array:
        """Mean gradient at `here` less that at `there`, both (k, d): subtracted before they meet x."""
        k, b, p = x.shape
        both = np.stack([w.reshape(k, self.outputs, p) for w in (here, there)], axis=2)
        z = self._products(both.reshape(k, -1, p), x).reshape(self.outputs, 2, k, b)
        return self._means(self.score_differences(z, y), x)

    def segment_gradients(
        self, w: Array, features: Array, labels: Array, starts: Array, stops: Array
    ) -> Array:
        """Mean gradient over rows starts[n], ..., stops[n] - 1 of each client at its parameters (..., k, d).

        Products are a client's own; what comes between runs over the scores of many clients at once.
        """
        k, p = len(starts), features.shape[1]
        out = np.empty(w.shape, dtype=np.result_type(w, features))
        points, means = w.reshape(-1, k, self.outputs, p), out.reshape(-1, k, self.outputs, p)
        for part in _runs(stops - starts, _MOST_ROWS):
            slices = [slice(starts[n], stops[n]) for n in part]
            ends = np.cumsum([0, *(s.stop - s.start for s in slices)])
            y = np.concatenate([labels[s] for s in slices])
            for at, mean in zip(points, means, strict=True):
                z = np.empty((self.outputs, ends[-1]), dtype=out.dtype)
                for n, s, a, b in zip(part, slices, ends, ends[1:], strict=False):
                    np.matmul(at[n], features[s].T, out=z[:, a:b])
                pull = self.score_gradients(z, y)
                for n, s, a, b in zip(part, slices, ends, ends[1:], strict=False):
                    np.matmul(pull[:, a:b], features[s], out=mean[n])
                    mean[n] /= b - a
        return out

    def hessian_products(self, w: Array, v: Array, x: Array, y: Array) -> Array:
        return self._means(self.score_products(self._scores(w, x), self._scores(v, x), y), x)

    def constants(self, features: Array, labels: Array, partition: Partition) -> Mapping[str, Constant]:
        """Constants by canonical word; L = bend |x_i|^2, as the Hessian is (Hessian in z) (x) x_i x_i^T."""
        del labels
        squares, unit = squares_of(features)
        largest = _largest_square(features, squares, unit)
        curvature_bound, kinked = stated(self, "curvature_bound"), stated(self, "kinked")
        if curvature_bound is None and not kinked:
            why = f"none is known: {type(self).__name__} changes the loss and states no curvature_bound"
            names = ("smoothness_sample", "smoothness", "weak_convexity", "lipschitz_sample")
            return OF_ANY_MODEL | dict.fromkeys((*names, "least_loss"), Constant(None, "estimate", why))
        means = np.add.reduceat(squares, partition.offsets[:-1]) / partition.sizes
        # each rounding of the p + D_n additions and few products loses at most the factor 1 + 2^-53
        terms = features.shape[1] + int(partition.sizes.max()) + 8
        mean = Fraction(float(means.max())) * unit * (1 + Fraction(terms, 1 << 52))
        known = self._kinks(largest) if kinked else self._bends(largest, mean, curvature_bound)
        return {
            **known,
            "weak_convexity": self._weak_convexity(largest),
            "lipschitz_sample": self._lipschitz(largest),
            **OF_ANY_MODEL,
        }

    def _bends(self, largest: Fraction, mean: Fraction, bound: Fraction) -> dict[str, Constant]:
        """L of samples and of clients, given the largest |x_i|^2 and client's mean of them."""
        text = f"|x_i|^2{self.curvature_text}"
        return {
            "smoothness_sample": Constant(
                float_above(largest * bound), "certified", f"max {text} over all samples"
            ),
            "smoothness": Constant(
                float_above(mean * bound), "certified", f"max over clients of the mean {text}"
            ),
        }

    def _kinks(self, largest: Fraction) -> dict[str, Constant]:
        """No L: kinks of convex losses add up, those of rows x_i = 0 are none."""
        how = "none exists: the loss has kinks" if largest else "none is asked for: all features are 0"
        none = Constant(None, "exact" if largest else "estimate", how)
        return {"smoothness_sample": none, "smoothness": none}

    def _weak_convexity(self, largest: Fraction) -> Constant:
        """nu of every sample's loss, given max |x_i|^2."""
        least = stated(self, "least_curvature")
        if least is None and "least_curvature" in {name for kind in _kinds(self) for name in vars(kind)}:
            why = f"none is known: {type(self).__name__} changes the loss and states no least_curvature"
            return Constant(None, "estimate", why)
        if not least:
            return Constant(0, "exact", "every sample loss is convex")
        how = f"max |x_i|^2 times {-least}, the most negative curvature in the scores"
        return Constant(float_above(largest * -least), "certified", how)

    def _lipschitz(self, largest: Fraction) -> Constant:
        """G with |f(w) - f(w')| <= G |w - w'| for every sample, given max |x_i|^2."""
        square = stated(self, "slope_square")
        if largest and stated(self, "steep"):
            return Constant(None, "exact", "none exists: the slope of the loss grows without bound")
        if square is None:
            return Constant(
                None, "estimate", "none is known: no bound on the slope in the scores is declared"
            )
        how = f"max |x_i| times sqrt({square}), the largest slope in the scores"
        return Constant(root_above(largest * square), "certified", how)

    def _scores(self, w: Array, x: Array) -> Array:
        """(outputs, ..., k, b) from parameters (..., k, d) and features (k, b, p): a product per client."""
        k, b, p = x.shape
        points = w.reshape(-1, k, self.outputs, p).transpose(1, 2, 0, 3)
        return self._products(points.reshape(k, -1, p), x).reshape(self.outputs, *w.shape[:-1], b)

    def _products(self, matrices: Array, x: Array) -> Array:
        """(rows, k, b) from matrices (k, rows, p) and features (k, b, p)."""
        z = np.empty((matrices.shape[1], *x.shape[:2]), dtype=np.result_type(matrices, x))
        np.matmul(matrices, x.transpose(0, 2, 1), out=z.transpose(1, 0, 2))
        return z

    def _means(self, pull: Array, x: Array) -> Array:
        """Means of pull x^T over the batch, (..., k, d) from (outputs, ..., k, b): a product per client."""
        k, b, p = x.shape
        means = np.matmul(pull.reshape(-1, k, b).transpose(1, 0, 2), x)
        means /= b
        points: Array = means.reshape(k, self.outputs, -1, p).transpose(2, 0, 1, 3)
        return points.reshape(*pull.shape[1:-1], self.outputs * p)


def _kinds(model: Any) -> Iterator[type]:
    """The classes of a model below `Linear`, its own first."""
    return (kind for kind in type(model).__mro__ if kind not in (Linear, object))


def stated(model: Any, fact: str) -> Any:
    """A fact on a model's loss, as its class states it; None where the loss was changed after the fact.

    >>> from fedproof.problems.supervised.models.logistic import Logistic
    >>> class Steeper(Logistic):
    ...     def score_losses(self, z, y):
    ...         return 9 * super().score_losses(z, y)
    >>> stated(Logistic(), "slope_square"), stated(Steeper(), "slope_square")
    (Fraction(1, 1), None)
    """
    for kind in _kinds(model):
        if fact in vars(kind):
            return getattr(model, fact)
        if not _LOSS.isdisjoint(vars(kind)):
            return None
    return None


def spread(z: Array, dz: Array) -> Array:
    """z (outputs, k, b) with axes of length 1 where dz (outputs, ..., k, b) has more of them."""
    return z.reshape(z.shape[0], *[1] * (dz.ndim - z.ndim), *z.shape[1:])


def _runs(sizes: Array, most: int) -> Iterator[range]:
    """Positions in order, in runs of at most `most` rows together, or of one position."""
    first, rows = 0, 0
    for n, size in enumerate(sizes):
        if rows and rows + size > most:
            yield range(first, n)
            first, rows = n, 0
        rows += size
    if rows:
        yield range(first, len(sizes))


def squares_of(features: Array) -> tuple[Array, Fraction]:
    """|x_i|^2 in floats over a unit, and the unit, a power of 4; 1 where squares neither overflow nor vanish.

    >>> squares, unit = squares_of(np.array([[3e-200, 4e-200]]))
    >>> round(float(Fraction(squares[0]) * unit * 10**400), 9)
    25.0
    """
    top = max(float(features.max(initial=0)), -float(features.min(initial=0)))
    if top == 0 or 1e-100 <= top <= 1e100:
        return np.einsum("ij,ij->i", features, features), Fraction(1)
    power = frexp(top)[1]
    small = np.ldexp(features, -power)
    return np.einsum("ij,ij->i", small, small), Fraction(4) ** power


def lengths(features: Array) -> Array:
    """|x_i| of every row, shape (rows,), where squares overflow or vanish too.

    >>> lengths(np.array([[3e-200, 4e-200]]))
    array([5.e-200])
    """
    squares, unit = squares_of(features)
    power = (unit.numerator.bit_length() - unit.denominator.bit_length()) // 2
    return np.ldexp(np.sqrt(squares), power)


def _largest_square(features: Array, squares: Array, unit: Fraction) -> Fraction:
    """max |x_i|^2 given its rounded values: exact, or just above it where over 100 rows come close."""
    close = np.flatnonzero(squares >= squares.max() * (1 - 1e-9))
    if len(close) <= 100:
        return max(sum((Fraction(float(v)) ** 2 for v in features[i]), Fraction(0)) for i in close)
    # p products and their sum, all >= 0: in any order each loses at most the factor (1 + 2^-53)^p
    return Fraction(float(squares.max())) * unit * (1 + Fraction(features.shape[1] + 1, 1 << 52))


def float_above(value: Fraction) -> float:
    """The nearest float that is not below `value`.

    Raises: InputError where there is none.
    """
    try:
        near = float(value)
    except OverflowError:
        raise InputError("features", "rows whose squares overflow", "shorter ones", "scale them") from None
    return near if Fraction(near) >= value else nextafter(near, inf)


def root_above(value: Fraction) -> float:
    """A float that is not below the square root, by two units in the last place at most.

    >>> root_above(Fraction(4)), Fraction(root_above(Fraction(2))) ** 2 >= 2
    (2.0, True)
    """
    near = sqrt(float_above(value))
    while Fraction(near) ** 2 < value:
        near = nextafter(near, inf)
    return near
