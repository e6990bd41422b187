"""Newton steps or accelerated gradient steps on the surrogate until its sub-optimality is proved."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import nextafter, sqrt
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.problems.quadratics.exact_linear_algebra import solve
from fedproof.solvers.algorithm import Local
from fedproof.solvers.parameters import check_parameters
from fedproof.solvers.randomness import Draws, NoDraws
from fedproof.solvers.surrogates import Surrogates
from fedproof.vocabulary.values import parse_value

MOST_DENSE = 100
"""Dimension up to which Newton's linear systems are the faster way."""
_LEAST_STEP = 1 / 32


@dataclass(frozen=True)
class ToSuboptimality(NoDraws):
    """Every client lowers Q_n(u) = F_n(u) + (mu / 2) |u - w|^2 until Q_n(u) <= min Q_n + eps is proved.

    The inexact oracle of Yuan and Li (2022, FedProx), Definition 2, with mu = 1 / eta. For F_n weakly convex
    with nu < mu, Q_n is strongly convex with m = mu - nu, and Q_n(u) - min Q_n <= |grad Q_n(u)|^2 / (2 m):
    this number, above all rounding, is the certificate (`Trace.suboptimality`), and a client stops when it is
    at most eps. It takes exp and tanh to lose at most 64 units of rounding, which NumPy does not promise. A
    client that is done costs nothing more; one that is not after `most_steps` is reported: `Trace.solved`,
    counted by the metric `unsolved`.

    Arguments:
        suboptimality: eps > 0, loss.
        method: "newton", "accelerated" (Nesterov's gradient method), or "auto", newton up to 100 dimensions.
        most_steps: >= 1.

    >>> ToSuboptimality("1e-9").method
    'auto'
    """

    name: ClassVar[str] = "to_suboptimality"
    letters: ClassVar[dict[str, str]] = {"eps": "suboptimality"}
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"method": ("auto", "newton", "accelerated")}
    reports: ClassVar[tuple[str, ...]] = ("suboptimality", "unsolved")

    suboptimality: Any
    method: str = "auto"
    most_steps: int = 1000

    def __post_init__(self) -> None:
        check_parameters(self)

    def solve(self, problem: Problem, anchor: Array, prox_weight: Any, clients: Array, draws: Draws) -> Local:
        """Steps of those clients of a block that are not there yet."""
        del draws
        surrogates = Surrogates.of(problem, anchor, prox_weight, clients)
        goal: Any = parse_value(self.suboptimality)
        if anchor.dtype != object:
            goal = _float_below(goal)
        dense = self.method == "newton" or (self.method == "auto" and anchor.shape[1] <= MOST_DENSE)
        descend = _newton if dense else _accelerated
        return descend(surrogates, goal, self.most_steps)


class _Record:
    """Where the clients stand; those of `going` are not done."""

    def __init__(self, surrogates: Surrogates, goal: Any) -> None:
        self.goal, self.left = goal, surrogates
        self.models = surrogates.anchor.copy()
        self.going = np.arange(len(self.models))
        self.passes = np.zeros(len(self.models), dtype=np.int64)
        self.solved = np.zeros(len(self.models), dtype=bool)
        self.bounds = self.models[:, 0] * 0
        self.sizes = surrogates.problem.sizes[surrogates.clients]

    def keep(self, points: Array, gradients: Array) -> Array:
        """Write down points (k, d) and drop those that are solved: which of them go on, shape (k,)."""
        bounds = self.left.certificates(points, gradients)
        self.models[self.going], self.bounds[self.going] = points, bounds
        on: Array = ~(bounds <= self.goal)
        self.solved[self.going[~on]] = True
        self.going, self.left = self.going[on], self.left.only(on)
        return on

    def count(self) -> None:
        """One more pass of those that are not done."""
        self.passes[self.going] += 1

    def local(self) -> Local:
        """What the clients send back."""
        return Local(self.models, self.passes * self.sizes, self.solved, suboptimality=self.bounds)


def _accelerated(surrogates: Surrogates, goal: Any, most_steps: int) -> Local:
    """Nesterov's method with constant momentum; the point where the gradient is taken is kept."""
    record, number = _Record(surrogates, goal), surrogates.problem.number
    root = sqrt(surrogates.smoothness / surrogates.modulus)
    momentum, step = number((root - 1) / (root + 1)), 1 / surrogates.smoothness
    ahead = before = surrogates.anchor
    for t in range(most_steps + 1):
        record.count()
        gradient = record.left.gradients(ahead)
        on = record.keep(ahead, gradient)
        if t == most_steps or not on.any():
            break
        after = ahead[on] - step * gradient[on]
        ahead, before = after + momentum * (after - before[on]), after
    return record.local()


def _newton(surrogates: Surrogates, goal: Any, most_steps: int) -> Local:
    """Newton's method; a step is halved until |grad Q_n| falls, or else replaced by a gradient step.

    Both lower |grad Q_n|, the gradient step of length 1 / L by the factor 1 - m / L at least, as Q_n is
    strongly convex. A pass for a Hessian counts as one for a gradient.
    """
    record = _Record(surrogates, goal)
    record.count()
    point, gradient = surrogates.anchor, surrogates.gradients(surrogates.anchor)
    on = record.keep(point, gradient)
    point, gradient = point[on], gradient[on]
    for _ in range(most_steps):
        if not len(point):
            break
        record.count()
        move = _solved(record.left.hessians(point), gradient)
        point, gradient = _damped(record, point, gradient, move)
        on = record.keep(point, gradient)
        point, gradient = point[on], gradient[on]
    return record.local()


def _damped(record: _Record, point: Array, gradient: Array, move: Array) -> tuple[Array, Array]:
    """One step of every client from its point, and the gradients there."""
    left, number = record.left, record.left.problem.number
    after, slope = point.copy(), gradient.copy()
    waiting, step, squares = np.arange(len(point)), 1.0, _squares(gradient)
    while len(waiting):
        last = step < _LEAST_STEP
        way = gradient[waiting] / left.smoothness if last else number(step) * move[waiting]
        trial = point[waiting] - way
        found = left.only(waiting).gradients(trial)
        record.passes[record.going[waiting]] += 1
        enough = _squares(found) <= number((1 - step / 4) ** 2) * squares[waiting]
        taken = np.ones(len(waiting), dtype=bool) if last else enough
        after[waiting[taken]], slope[waiting[taken]] = trial[taken], found[taken]
        waiting, step = waiting[~taken], step / 2
    return after, slope


def _solved(matrices: Array, right: Array) -> Array:
    """The solutions of systems (k, d, d) with right sides (k, d); 0 of one that is singular in floats."""
    if matrices.dtype == object:
        pairs = zip(matrices, right, strict=True)
        return np.array([solve(a, b) for a, b in pairs], dtype=object).reshape(right.shape)
    try:
        found: Array = np.linalg.solve(matrices, right[..., None])[..., 0]
    except np.linalg.LinAlgError:
        if len(right) == 1:
            return right * 0
        one = (_solved(matrices[n : n + 1], right[n : n + 1]) for n in range(len(right)))
        return np.concatenate(list(one))
    return found


def _squares(vectors: Array) -> Array:
    total: Array = np.add.reduce(vectors * vectors, axis=1)
    return total


def _float_below(value: Fraction) -> float:
    near = float(value)
    return near if Fraction(near) <= value else nextafter(near, 0.0)
