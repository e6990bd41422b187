"""Gradient or Newton steps on the surrogate until its sub-optimality is proved."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import nextafter, sqrt
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
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
    with nu < mu, Q_n is strongly convex with m = mu - nu; for F_n strongly convex with c, with m = mu + c, so
    that mu may be 0. Then Q_n(u) - min Q_n <= |grad Q_n(u)|^2 / (2 m): this number, above all rounding, is
    the certificate (`Trace.suboptimality`), and a client stops when it is at most eps. It takes exp and tanh
    to lose at most 64 units of rounding, which NumPy does not promise. A client that is done costs nothing
    more; one that is not after `most_steps` is reported: `Trace.solved`, counted by the metric `unsolved`.

    Arguments:
        suboptimality: eps > 0, loss.
        method: "newton"; "accelerated" (Nesterov's gradient method); or "auto", newton up to 100 dimensions,
            beyond them gradient steps of Barzilai and Borwein's lengths, and from half of `most_steps` on
            accelerated ones.
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
        goal: Any = parse_value(self.suboptimality)
        if anchor.dtype != object:
            goal = _below(goal)
        record = _Record(Surrogates.of(problem, anchor, prox_weight, clients), goal)
        at, steps = record.begin(), self.most_steps
        if self.method == "newton" or (self.method == "auto" and anchor.shape[1] <= MOST_DENSE):
            at = _newton(record, at, steps)
        else:
            before = steps // 2 if self.method == "auto" and anchor.dtype != object else 0
            at = _accelerated(record, _spectral(record, at, before), steps - before)
        return record.end(at)


@dataclass(frozen=True, eq=False)
class _At:
    """Points (k, d) of the clients that are not done, and grad Q_n there."""

    points: Array
    gradients: Array


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

    def begin(self) -> _At:
        """Where those stand that are not done at the anchor."""
        at = _At(self.left.anchor, self.gradients(self.left.anchor))
        on = self.keep(at)
        return at if on is None else _At(at.points[on], at.gradients[on])

    def gradients(self, points: Array) -> Array:
        """One more pass of those that are not done."""
        self.count()
        return self.left.gradients(points)

    def count(self) -> None:
        """One more pass of those that are not done."""
        self.passes[self.going] += 1

    def keep(self, at: _At) -> Array | None:
        """Write down who is solved: which of them go on, shape (k,), or None if all do."""
        # a certificate is above |grad Q|^2 / (2 m), so that nobody else can be solved
        far = _squares(at.gradients) > 4 * self.left.modulus * self.goal
        if far.all():
            return None
        near = np.flatnonzero(~far)
        bounds = self.left.only(near).certificates(at.points[near], at.gradients[near])
        there = bounds <= self.goal
        if not there.any():
            return None
        done = near[there]
        self._write(self.going[done], at.points[done], bounds[there])
        self.solved[self.going[done]] = True
        on = np.ones(len(self.going), dtype=bool)
        on[done] = False
        self.going, self.left = self.going[on], self.left.only(on)
        return on

    def end(self, at: _At) -> Local:
        """What the clients send back, those that are not done too."""
        self._write(self.going, at.points, self.left.certificates(at.points, at.gradients))
        return Local(self.models, self.passes * self.sizes, self.solved, suboptimality=self.bounds)

    def _write(self, clients: Array, points: Array, bounds: Array) -> None:
        self.models[clients], self.bounds[clients] = points, bounds


def _spectral(record: _Record, at: _At, steps: int) -> _At:
    """Gradient steps of length <s, y> / |y|^2 for the last step s and change of gradient y.

    Barzilai and Borwein (1988), (6), within 1 / L and 1 / m. That they converge is known of quadratics alone.
    """
    low, high = 1 / record.left.smoothness, 1 / record.left.modulus
    length = at.points[:, :1] * 0 + low
    for _ in range(steps):
        if not len(at.points):
            break
        move = length * at.gradients
        points = at.points - move
        after = _At(points, record.gradients(points))
        rise = at.gradients - after.gradients
        over, under = np.vecdot(move, rise), _squares(rise)
        length = np.divide(over, under, out=np.zeros_like(over), where=under > 0)[:, None]
        length, on, at = np.clip(length, low, high), record.keep(after), after
        if on is not None:
            length, at = length[on], _At(at.points[on], at.gradients[on])
    return at


def _accelerated(record: _Record, at: _At, steps: int) -> _At:
    """Nesterov's method with constant momentum; the point where the gradient is taken is kept."""
    low, high, number = record.left.modulus, record.left.smoothness, record.left.problem.number
    root = sqrt(high / low)
    momentum, step = number((root - 1) / (root + 1)), 1 / high
    before = at.points
    for _ in range(steps):
        if not len(at.points):
            break
        after = at.points - step * at.gradients
        ahead = after + momentum * (after - before)
        at, before = _At(ahead, record.gradients(ahead)), after
        on = record.keep(at)
        if on is not None:
            at, before = _At(at.points[on], at.gradients[on]), before[on]
    return at


def _newton(record: _Record, at: _At, steps: int) -> _At:
    """Newton's method; a step is halved until |grad Q_n| falls, or else replaced by a gradient step.

    Both lower |grad Q_n|, the gradient step of length 1 / L by the factor 1 - m / L at least, as Q_n is
    strongly convex. A pass for a Hessian counts as one for a gradient.
    """
    for _ in range(steps):
        if not len(at.points):
            break
        record.count()
        at = _damped(record, at, record.left.newton_moves(at.points, at.gradients))
        on = record.keep(at)
        if on is not None:
            at = _At(at.points[on], at.gradients[on])
    return at


def _damped(record: _Record, at: _At, move: Array) -> _At:
    """One step of every client from its point."""
    point, gradient = at.points, at.gradients
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
    return _At(after, slope)


def _squares(vectors: Array) -> Array:
    total: Array = np.vecdot(vectors, vectors)
    return total


def _below(value: Fraction) -> float:
    near = float(value)
    return near if Fraction(near) <= value else nextafter(near, 0.0)
