"""Separable data: a margin that is proved, and the finite sigma of FedProxVR (5) that follows from it."""

from __future__ import annotations

from math import sqrt

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.supervised.linear import lengths
from fedproof.problems.supervised.model_options import known_name
from fedproof.problems.supervised.supervised import Supervised

_MODELS = ("logistic", "softmax")


def margin_of(problem: Supervised, model: Array) -> float | None:
    """The margin that a softmax or logistic model (d,) proves, None if it does not separate the samples.

    That is a lower bound > 0 of the least lead of a label over another class, over the length of the scores'
    matrix.

    A score is a sum of p products; in floats its error is at most 2 p 2^-53 times the sum of their sizes,
    which is taken off every lead.

    >>> from fedproof.problems.supervised.models.logistic import Logistic
    >>> from fedproof.problems.supervised.partition import Partition
    >>> pair = Supervised(Logistic(2), np.array([[1.0], [-2.0]]), np.array([1, 0]), Partition.of_sizes([2]))
    >>> round(margin_of(pair, np.array([3.0])), 9)
    1.0
    """
    if known_name(problem.model) not in _MODELS or not np.isfinite(model).all():
        return None
    x, y = problem.features, problem.labels
    scores = model.reshape(-1, x.shape[1])
    z, sizes = x @ scores.T, np.abs(x) @ np.abs(scores).T
    if known_name(problem.model) == "logistic":
        leads = np.where(y == 1, z[:, 0], -z[:, 0])
        slack = sizes[:, 0]
    else:
        rows = np.arange(len(y))
        others = z.copy()
        others[rows, y] = -np.inf
        leads, slack = z[rows, y] - others.max(axis=1), 2 * sizes.max(axis=1)
    least = float((leads - 4 * (x.shape[1] + 2) * 2.0**-53 * slack).min())
    length = float(np.linalg.norm(scores))
    return least / length * (1 - 1e-12) if least > 0 and length < np.inf else None


def separate(problem: Supervised, steps: int = 400) -> float | None:
    """A linear separation of all samples of a softmax problem, found by gradient steps and then proved.

    Arguments:
        steps: of normalised gradient descent with momentum on the most violated leads.

    Returns: the margin, or None if none was found: that proves nothing.
    """
    x, rows = problem.features, np.arange(len(problem.labels))
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
    return margin_of(problem, scores.ravel())


def dissimilarity_bound(problem: Supervised, margin: float) -> float:
    """A finite value of sigma-bar^2 for (5), which holds for all models of a problem without regulariser.

    With q the class probabilities of sample i and r_i = 1 - q_y, the sample's gradient is at most
    c r_i |x_i| long (c = sqrt(2) for softmax, 1 for logistic), and its inner product with the separating
    direction of length 1 is at most -margin r_i. So D |grad F| >= margin sum_i r_i. In
    D (grad F_n - grad F) a sample of client n has the weight D / D_n - 1, every other sample -1. Hence
    sigma_n <= (c / margin) max((D / D_n - 1) max_n |x|, max of |x| over the other clients).
    """
    if problem.regulariser is not None or known_name(problem.model) not in _MODELS:
        raise ValueError(problem.name)
    own = np.maximum.reduceat(lengths(problem.features), problem.partition.offsets[:-1])
    first = int(own.argmax())
    others = np.full(len(own), own[first])
    others[first] = np.delete(own, first).max(initial=0)
    share = problem.sizes / problem.sizes.sum()
    factor = 1.0 if known_name(problem.model) == "logistic" else sqrt(2)
    each = factor / margin * np.maximum((1 / share - 1) * own, others)
    return float((share * each**2).sum() * (1 + 1e-9))
