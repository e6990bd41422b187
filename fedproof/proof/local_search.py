"""Looks for points that break a claim among many equations and inequalities, where chance alone finds none.

Numbers that enter together linearly, as far as floats tell, are chosen by linear programming; the others by
chance, then by climbing. What the floats find is rounded to fractions, and the equations are solved again
with these. Nothing here is trusted: whoever asks must check the point exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from scipy.optimize import linprog

from fedproof.algebra.expressions import compile_numpy, names_in, rational_value
from fedproof.proof.forall import ordered

Floats = NDArray[np.float64]
Point = dict[str, Fraction]
#: values of numbers that are left to chance, the simplest first and most often
VALUES = tuple(
    Fraction(p, q)
    for p, q in (
        (1, 1), (0, 1), (-1, 1), (2, 1), (1, 2), (-2, 1), (3, 1), (10, 1), (1, 10), (-1, 2), (4, 1), (-3, 1),
        (1, 4), (5, 1), (100, 1), (1, 100), (-10, 1), (3, 2), (8, 1), (1, 3), (20, 1), (1, 1000),
    )
)  # fmt: skip
COUNT, ROUNDS, STARTS, TRIED = 800, 10, 12, 3
SMALL = 1e-7
DENOMINATORS = (4, 60, 10**4, 10**7)


def local_search(hypotheses: Sequence[sp.Basic], claim: sp.Basic, seed: int = 0) -> Iterator[Point]:
    """Points at which, as far as floats tell, the hypotheses hold and the claim fails.

    Arguments:
        hypotheses: relations between plain real numbers.
        claim: the relation that should follow.
        seed: of what is left to chance.

    >>> x, y, z = sp.symbols("x y z", real=True)
    >>> point = next(local_search([sp.Eq(x + y, z), x <= 0, y <= 0], z >= 0))
    >>> point["x"] + point["y"] == point["z"] < 0
    True
    """
    parts = [*hypotheses, claim]
    names = tuple(sorted(set().union(*(names_in(r) for r in parts))))
    if not names or any(len(r.args) != 2 for r in parts):
        return
    rng = np.random.default_rng(seed)
    for sign in (1, -1) if isinstance(claim, sp.Eq) else (1,):
        failing = _Row(sp.Mul(-sign, _row(claim).expr, evaluate=False), False)
        rows = [*map(_row, hypotheses), failing]
        climber = _LocalSearch(names, rows, rng)
        for _ in range(STARTS):
            yield from climber.start()


def _value(function: Callable[..., Any], x: Floats) -> Any:
    """A function's values; none where a number in it is beyond all doubles."""
    try:
        return function(*x)
    except OverflowError:
        return np.nan


@dataclass(frozen=True)
class _Row:
    """An expression that must be <= 0, or 0."""

    expr: sp.Expr
    equal: bool


def _row(relation: sp.Basic) -> _Row:
    low, high = ordered(relation)
    return _Row(sp.Add(low, sp.Mul(-1, high, evaluate=False), evaluate=False), isinstance(relation, sp.Eq))


class _LocalSearch:
    """One question, its relations as functions of an array (numbers, candidates)."""

    def __init__(self, names: tuple[str, ...], rows: Sequence[_Row], rng: np.random.Generator) -> None:
        self.names, self.rows, self.rng = names, rows, rng
        self._functions: list[Callable[..., Any]] = [compile_numpy(r.expr, names) for r in rows]
        self.has = np.array([[n in names_in(r.expr) for n in names] for r in rows])
        self.curved = self._curved()

    def values(self, x: Floats, which: Sequence[int]) -> Floats:
        """Left minus right of some relations."""
        with np.errstate(all="ignore"):
            found = [np.broadcast_to(_value(self._functions[r], x), x.shape[1:]) for r in which]
        whole = np.array(found)
        if np.iscomplexobj(whole):  # a root of a negative constant
            whole = np.where(whole.imag == 0, whole.real, np.nan)
        return whole.astype(float).reshape(len(which), *x.shape[1:])

    def _curved(self) -> NDArray[np.bool_]:
        """For each relation, which two numbers enter it together otherwise than linearly."""
        m = len(self.names)
        base = self.rng.uniform(0.5, 2, (m, 1))
        step = np.eye(m) * 0.37
        pairs = step[:, :, None] + step[:, None, :]
        at = base + np.concatenate([np.zeros((m, 1)), step, pairs.reshape(m, m * m)], axis=1)
        v = self.values(at, range(len(self.rows)))
        one, two = v[:, 1 : m + 1], v[:, m + 1 :].reshape(-1, m, m)
        bend = two - one[:, :, None] - one[:, None, :] + v[:, :1, None]
        size = 1 + np.abs(v).max(axis=1)[:, None, None]
        curved = ~(np.abs(bend) <= 1e-9 * size)
        found: NDArray[np.bool_] = curved & self.has[:, :, None] & self.has[:, None, :]
        return found

    def start(self) -> Iterator[Point]:
        """Choose what moves linearly, then the rest, then what moves."""
        moving = self._block()
        still = [r for r in range(len(self.rows)) if not self.has[r, moving].any()]
        rest = [r for r in range(len(self.rows)) if r not in still]
        solved = self._solved([r for r in still if self.rows[r].equal], moving)
        picks = self._chosen(moving, [r for r in still if not self.rows[r].equal], solved)
        for values in picks:
            point = dict(zip(self.names, values, strict=True))
            if not all(self._solve(point, r, i) for r, i in solved):
                continue
            if not moving:
                yield point
                continue
            best = self._program(point, moving, rest)
            if best is not None:
                yield from self._rounded(point, moving, best, [r for r in rest if self.rows[r].equal])

    def _block(self) -> list[int]:
        any_curved = np.asarray(self.curved.any(axis=0))
        moving: list[int] = []
        if self.rng.random() < 0.2:
            return moving
        for i in self.rng.permutation(len(self.names)):
            if not any_curved[i, [*moving, i]].any():
                moving.append(int(i))
        return moving

    def _solved(self, equations: list[int], moving: list[int]) -> list[tuple[int, int]]:
        """For each equation a number to solve it for that no equation before has."""
        taken = np.isin(np.arange(len(self.names)), moving)
        chosen = []
        for r in sorted(equations, key=lambda r: (self.has[r].sum(), self.rng.random())):
            options = [i for i in np.flatnonzero(self.has[r] & ~taken) if not self.curved[r, i, i]]
            if options:
                chosen.append((r, int(self.rng.choice(options))))
                taken = taken | self.has[r]
        return chosen

    def _chosen(
        self, moving: list[int], asked: list[int], solved: list[tuple[int, int]]
    ) -> Iterator[list[Fraction]]:
        weights = 1 / (4 + np.arange(len(VALUES)))
        table = np.array([float(v) for v in VALUES])
        m, chance = len(self.names), weights / weights.sum()
        picks = self.rng.choice(len(VALUES), (m, COUNT), p=chance)
        free = [i for i in range(m) if i not in moving and i not in {i for _, i in solved}]
        for turn in range(ROUNDS):
            bad = self._bad(table[picks], asked, solved)
            good = np.flatnonzero(bad == 0)
            if len(good) or not free:
                break
            picks = np.repeat(picks[:, np.argsort(bad)[: COUNT // 40]], 40, axis=1)
            for _ in range(1 + turn % 3):
                picks[self.rng.choice(free, COUNT), np.arange(COUNT)] = self.rng.choice(
                    len(VALUES), COUNT, p=chance
                )
        for c in good[:TRIED]:
            yield [VALUES[k] for k in picks[:, c]]

    def _bad(self, x: Floats, asked: list[int], solved: list[tuple[int, int]]) -> Floats:
        """How far candidates are from what is asked; equations are solved first."""
        for r, i in solved:
            x[i] = 0
            zero = self.values(x, [r])[0]
            x[i] = 1
            with np.errstate(all="ignore"):
                x[i] = zero / (zero - self.values(x, [r])[0])
        gaps = self.values(x, asked)
        bad = np.where(gaps > -SMALL * (np.arange(len(asked)) == len(asked) - 1)[:, None], 1e-3 + gaps, 0)
        with np.errstate(all="ignore"):
            total = (np.maximum(bad, 0) / (1 + np.abs(bad))).sum(axis=0)
        return np.where(np.isfinite(gaps).all(axis=0) & np.isfinite(x).all(axis=0), total, np.inf)

    def _exact(self, r: int, point: Point) -> Fraction | None:
        return rational_value(self.rows[r].expr, point)

    def _solve(self, point: Point, r: int, i: int) -> bool:
        name = self.names[i]
        zero = self._exact(r, point | {name: Fraction(0)})
        one = self._exact(r, point | {name: Fraction(1)})
        if zero is None or one is None or zero == one:
            return False
        point[name] = zero / (zero - one)
        return True

    def _program(self, point: Point, moving: list[int], rest: list[int]) -> Floats | None:
        """Values of what moves: inside of every inequality if there is room, else far beyond the claim."""
        k = len(moving)
        x = np.repeat([[float(point[n])] for n in self.names], k + 1, axis=1)
        x[moving] = np.eye(k + 1)[1:]
        v = self.values(x, rest)
        if not np.isfinite(v).all():
            return None
        slopes, ends = v[:, 1:] - v[:, :1], -v[:, 0]
        equal = np.array([self.rows[r].equal for r in rest])
        size = float(self.rng.choice((5, 20, 100)))
        last = rest[-1] == len(self.rows) - 1
        for room in (1.0, 0.0) if last else (1.0,):
            upper = np.column_stack([slopes[~equal], np.full((~equal).sum(), room)])
            cost = np.append(np.zeros(k), -1.0) if room else np.append(slopes[-1], 0.0)
            found = linprog(
                cost,
                upper if len(upper) else None,
                ends[~equal] if len(upper) else None,
                np.column_stack([slopes[equal], np.zeros(equal.sum())]) if equal.any() else None,
                ends[equal] if equal.any() else None,
                [(-size, size)] * k + [(None, 1.0)],
            )
            if found.status == 0 and (found.x[-1] > SMALL if room else found.fun < ends[-1] - SMALL):
                values: Floats = found.x[:-1]
                return values
        return None

    def _rounded(
        self, point: Point, moving: list[int], values: Floats, equations: list[int]
    ) -> Iterator[Point]:
        for most in DENOMINATORS:
            near = point | {
                self.names[i]: Fraction(float(v)).limit_denominator(most)
                for i, v in zip(moving, values, strict=True)
            }
            if self._mend(near, moving, equations):
                yield near

    def _mend(self, point: Point, moving: list[int], equations: list[int]) -> bool:
        """Move what moves until the equations between them hold exactly."""
        if not equations:
            return True
        names = [self.names[i] for i in moving]
        base = [self._exact(r, point) for r in equations]
        if any(b is None for b in base):
            return False
        rows = []
        for r, gap in zip(equations, base, strict=True):
            if gap is None:
                return False
            row = []
            for i, n in zip(moving, names, strict=True):
                there = self._exact(r, point | {n: point[n] + 1}) if self.has[r, i] else gap
                if there is None:
                    return False
                row.append(there - gap)
            rows.append([sp.Rational(c.numerator, c.denominator) for c in (*row, -gap)])
        order = list(self.rng.permutation(len(moving)))
        reduced, pivots = sp.Matrix(rows)[:, [*order, len(moving)]].rref()
        if len(moving) in pivots:
            return False
        for place, pivot in enumerate(pivots):
            shift = reduced[place, len(moving)]
            point[names[order[pivot]]] += Fraction(int(shift.p), int(shift.q))
        return True
