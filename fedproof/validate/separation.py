"""A certificate that (5) of FedProxVR has a finite sigma on separable data: an exact margin."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from fedproof.problems.supervised import Supervised

__all__ = ["Margin", "dissimilarity_bound", "separate"]

Array = npt.NDArray[np.float64]

_GRID = 1 << 12


@dataclass(frozen=True, slots=True)
class Margin:
    """Class scores that put every sample's label first.

    Arguments:
        least: the least lead of a label over another class, over the length of the scores' matrix.
    """

    least: float


def separate(problem: Supervised, steps: int = 400) -> Margin | None:
    """A linear separation of all samples, found by gradient steps and checked in whole numbers.

    Arguments:
        problem: whose features are multiples of 2^-12, or are refused.
        steps: of normalised gradient descent with momentum.

    Returns: the margin, or None if none was found: that proves nothing.
    """
    x, rows = problem.features, np.arange(len(problem.labels))
    if not (x * _GRID == np.rint(x * _GRID)).all():
        return None
    scores = velocity = np.zeros((len(problem.start()) // x.shape[1], x.shape[1]))
    for _ in range(steps):
        leads = x @ scores.T
        leads = leads - leads[rows, problem.labels][:, None]
        leads[rows, problem.labels] = -np.inf
        pull = np.exp(leads - leads.max())
        pull /= pull.sum()
        push = -pull
        push[rows, problem.labels] = pull.sum(axis=1)
        velocity = 0.9 * velocity + push.T @ x
        scores = scores + velocity / 2
    whole = np.rint(scores * _GRID).astype(np.int64)
    exact = np.rint(x * _GRID).astype(np.int64) @ whole.T
    leads = exact[rows, problem.labels][:, None] - exact
    leads[rows, problem.labels] = leads.max() + 1
    least = int(leads.min()) / _GRID
    length = sqrt(sum(int(v) ** 2 for v in whole.ravel()))
    return Margin(least / length * (1 - 1e-12)) if least > 0 else None


def dissimilarity_bound(problem: Supervised, margin: Margin) -> float:
    """A finite value of sigma-bar^2 for (5), which holds for all models.

    With q the class probabilities of sample i and r_i = 1 - q_y, a sample's gradient is at most
    sqrt(2) r_i |x_i| long, and its inner product with the separating direction is at most -margin r_i. So
    |grad F| >= margin mean(r) and |grad F_n| <= sqrt(2) max|x| mean_n(r) <= sqrt(2) max|x| (D / D_n) mean(r),
    and sigma_n <= 1 + sqrt(2) max|x| D / (margin D_n).
    """
    longest = sqrt(float(np.square(problem.features).sum(axis=1).max()))
    share = problem.sizes / problem.sizes.sum()
    each = 1 + sqrt(2) * longest / (margin.least * share)
    return float((share * each**2).sum())
