"""Proximal points of losses with kinks, by their duals: a quadratic over a box, solved to a proved gap.

For sample losses max(low r, high r), r = x u - kink, the surrogate

    Q(u) = (1/n) sum_i max(low_i r_i, high_i r_i) + (mu / 2) |u - w|^2 + (l2 / 2) |u|^2

has a dual over low <= v <= high, and for every u and every such v, with m = mu + l2 and
E = mu (u - w) + l2 u + (1/n) sum_i v_i x_i,

    Q(u) - min Q <= (1/n) sum_i [max(low_i r_i, high_i r_i) - v_i r_i] + |E|^2 / (2 m).

All terms are >= 0, so that nothing cancels: the right side is the duality gap, and small where it should be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.supervised.kinked import Box
from fedproof.solvers.linear_systems import solutions

EPS = 2.0**-52
_CENTRING, _REACH = 0.1, 0.995
"""How far a step goes towards smaller products of slacks, and of the way to the end of the box."""


@dataclass(frozen=True, eq=False)
class BoxDual:
    """The surrogates of m clients of n samples each.

    Arguments:
        rows: shape (m, n, p).
        box: low, high and kink, shape (m, n) each.
        anchor: w, shape (m, p).
        prox_weight, l2: mu and the weight of the l2 regulariser, >= 0; their sum is > 0.
    """

    rows: Array
    box: Box
    anchor: Array
    prox_weight: float
    l2: float

    @property
    def modulus(self) -> float:
        """m = mu + l2, rounded."""
        return self.prox_weight + self.l2

    def only(self, which: Array) -> BoxDual:
        """Those of some clients."""
        box = Box(self.box.low[which], self.box.high[which], self.box.kink[which])
        return replace(self, rows=self.rows[which], box=box, anchor=self.anchor[which])

    def pull(self, v: Array) -> Array:
        """(1/n) sum_i v_i x_i, shape (m, p)."""
        found: Array = np.vecmat(v, self.rows) / v.shape[1]
        return found

    def models(self, v: Array) -> Array:
        """The u that belongs to v (m, n): there E is 0 but for rounding."""
        found: Array = self.anchor - (self.pull(v) + self.l2 * self.anchor) / self.modulus
        return found

    def past(self, u: Array) -> Array:
        """r = x u - kink, shape (m, n)."""
        found: Array = np.matvec(self.rows, u) - self.box.kink
        return found

    def gaps(self, u: Array, v: Array) -> Array:
        """Bounds on Q(u) - min Q, above all rounding, shape (m,); v lies in the box.

        r is a sum of p products less the kink, off by (p + 4) eps |x| |u| + eps |r|, and its loss less v r
        changes no faster than (high - low) times that. The pull is off by (n + 4) eps times the mean |x|, as
        |v| <= 1, and E by that and 4 eps of its terms' sizes.
        """
        (_, n, p), box = self.rows.shape, self.box
        r, sides = self.past(u), np.linalg.norm(self.rows, axis=2)
        lengths = np.linalg.norm(u, axis=1)
        pull, slack = self.pull(v), np.where(r > 0, box.high - v, v - box.low)
        off = (box.high - box.low) * EPS * ((p + 4) * sides * lengths[:, None] + np.abs(r))
        losses = (slack * np.abs(r) + off).mean(axis=1)
        terms = (self.prox_weight * (u - self.anchor), self.l2 * u, pull)
        sizes = sum(np.linalg.norm(term, axis=1) for term in terms)
        error = 4 * EPS * sizes + (n + 4) * EPS * sides.mean(axis=1)
        units = (n + p + 32) * EPS
        length = (np.linalg.norm(sum(terms), axis=1) + error) * (1 + units)
        rest = length**2 / (2 * self.modulus)
        found: Array = (losses + rest + 1e-300) * (1 + 2 * units)
        return found


@dataclass(frozen=True, eq=False)
class Iterates:
    """Slacks above and below v in the box, and their multipliers, all > 0 and of shape (m, n)."""

    above: Array
    below: Array
    up: Array
    down: Array

    def only(self, which: Array) -> Iterates:
        """Those of some clients."""
        return Iterates(self.above[which], self.below[which], self.up[which], self.down[which])

    def point(self, box: Box) -> Array:
        """v, counted from the nearer end and inside the box."""
        v = np.where(self.below < self.above, box.low + self.below, box.high - self.above)
        return np.clip(v, box.low, box.high)


@dataclass(frozen=True, eq=False)
class Solved:
    """Models (m, p), bounds on what they are above the least value (m,), and passes over the rows (m,)."""

    models: Array
    bounds: Array
    passes: Array


def minimise(dual: BoxDual, goal: float, most_steps: int) -> Solved:
    """Interior-point steps of all clients together, each until its gap is at most `goal`.

    Arguments:
        goal: loss.
        most_steps: of a client.
    """
    clients = len(dual.rows)
    bounds, passes = np.full(clients, np.inf), np.zeros(clients, dtype=np.int64)
    models, going, left, at = dual.anchor.copy(), np.arange(clients), dual, begin(dual)
    for t in range(most_steps + 1):
        v = at.point(left.box)
        u = left.models(v)
        gaps = left.gaps(u, v)
        passes[going] += 2
        better = gaps < bounds[going]
        models[going[better]], bounds[going[better]] = u[better], gaps[better]
        on = (bounds[going] > goal) & np.isfinite(gaps)
        if t == most_steps or not on.any():
            break
        going, left, at = going[on], left.only(on), at.only(on)
        at = step(left, at, left.past(u[on]))
    return Solved(models, bounds, passes)


def begin(dual: BoxDual) -> Iterates:
    """The middle of the box, with multipliers whose difference is r there."""
    half = (dual.box.high - dual.box.low) / 2
    r = dual.past(dual.models(dual.box.low + half))
    level = np.abs(r).mean(axis=1, keepdims=True) + 1e-100
    return Iterates(half, half.copy(), np.maximum(r, 0) + level, np.maximum(-r, 0) + level)


def step(dual: BoxDual, at: Iterates, r: Array) -> Iterates:
    """One Newton step on r = up - down, up above = down below = a tenth of what the products are on average.

    Arguments:
        r: x u - kink at the model of the iterates, shape (m, n).
    """
    products = (at.up * at.above + at.down * at.below).mean(axis=1, keepdims=True) / 2
    target = _CENTRING * products
    bend = at.up / at.above + at.down / at.below
    move = _moves(dual, bend, target / at.above - target / at.below - r)
    up = (target + at.up * move) / at.above - at.up
    down = (target - at.down * move) / at.below - at.down
    pairs = ((at.above, -move), (at.below, move), (at.up, up), (at.down, down))
    share = np.min([_room(*pair) for pair in pairs], axis=0)[:, None]
    return Iterates(*(old + share * new for old, new in pairs))


def _moves(dual: BoxDual, bend: Array, q: Array) -> Array:
    """dv with X du - bend dv = q, du = -X^T dv / (n m), from the smaller of the two linear systems."""
    (_, n, p), rows, scale = dual.rows.shape, dual.rows, dual.rows.shape[1] * dual.modulus
    turned = rows.transpose(0, 2, 1)
    if p <= n:
        matrix = turned @ (rows / bend[..., None]) + scale * np.eye(p)
        inner = solutions(matrix, np.vecmat(q / bend, rows), np.nan)
        small: Array = (np.matvec(rows, inner) - q) / bend
        return small
    matrix = rows @ turned / scale
    matrix[:, np.arange(n), np.arange(n)] += bend
    return -solutions(matrix, q, np.nan)


def _room(values: Array, moves: Array) -> Any:
    """The largest share <= 1 of moves (m, n) that leaves values > 0, and a little more, shape (m,)."""
    reach = np.where(moves < 0, -values / np.where(moves < 0, moves, -1), np.inf)
    return np.minimum(1.0, _REACH * reach.min(axis=1))
