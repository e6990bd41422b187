"""How far gradients of linear models, computed in floats, can be from the true ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.supervised.linear import lengths
from fedproof.problems.supervised.model import Model
from fedproof.problems.supervised.model_options import known_name
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import Regulariser, parts
from fedproof.vocabulary.errors import InputError

EPS = 2.0**-52
_CLASSES, _RESIDUALS = ("softmax", "logistic"), ("least_squares", "huber", "cauchy")
_FUNCTION = 64
"""Rounding units that exp, tanh and the quotient of a probability are taken to lose at most."""


@dataclass(frozen=True, eq=False)
class RowSizes:
    """Every client's mean |x_i| and |x_i|^2 and largest |y_i|, to a part in a thousand, and p."""

    mean: Array
    square: Array
    label: Array
    features: int

    @classmethod
    def of(cls, features: Array, labels: Array, partition: Partition) -> RowSizes:
        """Those of the rows of a problem."""
        long, offsets = lengths(features), partition.offsets[:-1]
        mean, square = (np.add.reduceat(v, offsets) / partition.sizes for v in (long, long * long))
        return cls(mean, square, np.maximum.reduceat(np.abs(labels), offsets), features.shape[1])


def check_rounding(model: Model, regulariser: Regulariser | None) -> None:
    """Refuse models and regularisers that are not ours: nothing is known of their rounding.

    Raises: InputError.
    """
    known = known_name(model) in (*_CLASSES, *_RESIDUALS)
    if known and parts(regulariser) is not None:
        return
    got = model.name if not known or regulariser is None else regulariser.text
    raise InputError("problem", f"rounding of {got}", f"{', '.join((*_CLASSES, *_RESIDUALS))}, plain or with "
                     "l2 and nonconvex", "use local_solver=to_inexactness")  # fmt: skip


def gradient_error(
    model: Model,
    regulariser: Regulariser | None,
    rows: RowSizes,
    counts: Array,
    models: Array,
    clients: Array,
) -> Array:
    """Bounds on the length of the error of `client_gradients` at models (k, d), shape (k,).

    With p features, D rows and C outputs a score is a sum of p products and off by at most
    4 (p + C + 4) eps |x| |W|, which a probability or residual passes on times at most 1; the function
    itself is off by (C + 64) eps. The mean of D products c_i x_i with |c_i| <= 2 is off by 2 (D + 4) eps of
    their size; of residuals |c_i| <= |x_i| |w| + |y_i|, also where the loss makes less of them by a function
    of slope at most 1, in at most 8 roundings. The regulariser loses at most 16 eps of its smoothness times
    |w|.

    Arguments:
        counts: D of each of the clients asked about, shape (k,).
        clients: ids, shape (k,).
    """
    check_rounding(model, regulariser)
    outputs, w = models.shape[-1] // rows.features, np.linalg.norm(models, axis=-1)
    first, second = rows.mean[clients], rows.square[clients]
    error = 4 * (rows.features + outputs + 4) * EPS * second * w
    if known_name(model) in _RESIDUALS:
        error += (counts + 8) * EPS * (second * w + first * rows.label[clients])
    else:
        error += (outputs + _FUNCTION + 2 * (counts + 4)) * EPS * first
    if regulariser is not None:
        error += 16 * EPS * float(regulariser.smoothness or 0) * w
    bound: Array = error * 1.001
    return bound
