"""Exact points that break a step, found by means of their own: nothing here is shared with the engines.

Unknowns that do not multiply one another are chosen by linear programming, the others at random and by hill
climbing, equations are solved; then everything is checked with fractions, and square roots with intervals of
fractions. A point that is not certain is no point.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import linprog

from fedproof.proof.step import Step
from tests.proof.written_out import Problem, Relation, problems

NICE = [
    Fraction(*p)
    for p in (
        (1,), (0,), (2,), (-1,), (1, 2), (3,), (-2,), (1, 3), (4,), (10,), (1, 10), (5,), (3, 2), (100,),
        (1, 100), (-1, 2), (-3,), (1, 4), (7,), (20,), (1, 1000), (1000,), (-10,), (6,), (9,), (16,),
    )
]  # fmt: skip
FLOATS = np.array([float(v) for v in NICE])
CHANCE = 1 / (3 + np.arange(len(NICE)))
CHANCE = CHANCE / CHANCE.sum()


def find(step: Step, seed: int = 0, effort: int = 1) -> tuple[str, dict[str, Fraction]] | None:
    """The special case and an exact point of it where every hypothesis holds and the claim fails."""
    rng = np.random.default_rng(seed)
    waiting = [Search(p, rng) for _, p in zip(range(12), problems(step), strict=False)]
    for attempt in range(3 * effort if len(waiting) > 1 else 8 * effort):
        for search in waiting:
            point = search.attempt(alone=attempt % 3 == 2)
            if point is not None:
                return search.problem.about, point
    return None


class Search:
    """Looks for a point of one problem."""

    def __init__(self, problem: Problem, rng: Any) -> None:
        self.problem, self.rng, self.tape = problem, rng, problem.tape
        self.size = len(self.tape.names)
        self.relations = [*problem.given, *problem.claim]
        self.masks, self.pairs = self._structure()
        ends = [(op, self.tape.constant(a), self.tape.constant(b)) for op, a, b in problem.claim]
        self.hopeless = all(None not in (a, b) and _constant_holds(op, a, b) for op, a, b in ends)

    def _structure(self) -> tuple[list[int], list[int]]:
        """Which unknowns an operation has, and which unknowns each unknown is multiplied with."""
        masks: list[int] = []
        pairs = [0] * self.size
        for op in self.tape.ops:
            kind = op[0]
            if kind in ("number", "unknown"):
                masks.append(0 if kind == "number" else 1 << op[1])
                continue
            parts = [masks[i] for i in (op[1:2] if kind == "power" else op[1:])]
            mask = 0
            for k, p in enumerate(parts):
                others = 0 if kind == "plus" else sum_masks(parts[:k] + parts[k + 1 :])
                if kind in ("power", "root", "most"):
                    others = sum_masks(parts)
                for i in _bits(p) if others else ():
                    pairs[i] |= others
                mask |= p
            masks.append(mask)
        return masks, pairs

    def attempt(self, alone: bool = False) -> dict[str, Fraction] | None:
        """Once: choose a block of unknowns for linear programming, the others by chance."""
        if self.hopeless:
            return None
        block = 0
        if not alone:
            order = self.rng.permutation(self.size)
            for i in order:
                if not self.pairs[i] >> int(i) & 1 and not self.pairs[i] & block:
                    block |= 1 << int(i)
        fixed_relations = [r for r in self.relations if not self._mask(r) & block]
        solved = self._pivots([r for r in fixed_relations if r[0] == "=" and r in self.problem.given], block)
        if solved is None:
            return None
        for claim in self.problem.claim:
            for sign in (1, -1) if claim[0] == "=" else (1,):
                point = self._with(block, solved, claim, sign)
                if point is not None:
                    return point
        return None

    def _mask(self, relation: Relation) -> int:
        return self.masks[relation[1]] | self.masks[relation[2]]

    def _pivots(self, equations: list[Relation], block: int) -> list[tuple[Relation, int]] | None:
        """For each equation an unknown that enters it linearly and no earlier equation."""
        chosen: list[tuple[Relation, int]] = []
        seen = 0
        for equation in sorted(equations, key=lambda r: bin(self._mask(r)).count("1") + self.rng.random()):
            mask = self._mask(equation)
            options = [i for i in _bits(mask & ~seen & ~block) if not self._own(equation) >> i & 1]
            if not options:
                if mask and not any(i == p for i in _bits(mask) for _, p in chosen):
                    return None
                continue
            chosen.append((equation, int(self.rng.choice(options))))
            seen |= mask
        return chosen

    def _own(self, relation: Relation) -> int:
        """Unknowns that enter this relation otherwise than linearly."""
        found, seen, waiting = 0, set(), [relation[1], relation[2]]
        while waiting:
            i = waiting.pop()
            if i in seen:
                continue
            seen.add(i)
            op = self.tape.ops[i]
            if op[0] in ("number", "unknown"):
                continue
            parts = list(op[1:2] if op[0] == "power" else op[1:])
            if op[0] in ("power", "root", "most"):
                found |= self.masks[i]
            elif op[0] == "times":
                for k, p in enumerate(parts):
                    found |= self.masks[p] & sum_masks([self.masks[q] for q in parts[:k] + parts[k + 1 :]])
            waiting += parts
        return found

    def _solve_floats(self, x: Any, solved: list[tuple[Relation, int]]) -> None:
        for (_, a, b), i in solved:
            x[i] = 0.0
            at0 = self.tape.floats(x)
            x[i] = 1.0
            at1 = self.tape.floats(x)
            with np.errstate(all="ignore"):
                zero = at0[a] - at0[b]
                x[i] = -zero / (at1[a] - at1[b] - zero)

    def _bad(self, x: Any, relations: list[Relation], claim: Relation | None, sign: int) -> Any:
        """How far candidates are from holding the relations and failing the claim."""
        v = self.tape.floats(x)
        total = np.zeros(x.shape[1])
        with np.errstate(all="ignore"):
            for op, a, b in relations:
                gap = v[a] - v[b]
                size = 1e-9 + np.abs(v[a]) + np.abs(v[b])
                loss = np.abs(gap) if op == "=" else np.maximum(gap + (1e-7 * size if op == "<" else 0), 0)
                total = total + np.where(loss > 1e-9 * size, loss / size + 0.01, 0)
            if claim is not None:
                op, a, b = claim
                size = 1e-9 + np.abs(v[a]) + np.abs(v[b])
                gap = sign * (v[a] - v[b]) / size
                total = total + np.where(gap > 1e-7, 0, 0.01 + 1e-7 - gap)
        return np.where(np.isfinite(total), total, np.inf)

    def _with(self, block: int, solved: list[Any], claim: Relation, sign: int) -> dict[str, Fraction] | None:
        fixed = [r for r in self.problem.given if not self._mask(r) & block]
        own = claim if not self._mask(claim) & block else None
        pivots = [i for _, i in solved]
        free = [i for i in range(self.size) if i not in pivots and not block >> i & 1]
        count = 600
        picks = self.rng.choice(len(NICE), (self.size, count), p=CHANCE)
        for generation in range(14):
            x = FLOATS[picks]
            self._solve_floats(x, solved)
            bad = self._bad(x, fixed, own, sign)
            good = np.flatnonzero(bad == 0)
            if len(good) or not free:
                break
            best = np.argsort(bad)[:25]
            picks = np.repeat(picks[:, best], count // 25, axis=1)
            for _ in range(1 + generation % 3):
                rows = self.rng.choice(free, count)
                picks[rows, np.arange(count)] = self.rng.choice(len(NICE), count, p=CHANCE)
        for c in good[:3]:
            values = [NICE[k] for k in picks[:, c]]
            if not self._solve_exactly(values, solved):
                continue
            point = self._program(values, block, claim, sign) if block else self._checked(values)
            if point is not None:
                return point
        return None

    def _solve_exactly(self, values: list[Fraction], solved: list[Any]) -> bool:
        for (_, a, b), i in solved:
            found = []
            for value in (Fraction(0), Fraction(1)):
                values[i] = value
                v = self.tape.exact(values)
                if v[a] is None or v[b] is None or v[a][0] != v[a][1] or v[b][0] != v[b][1]:
                    return False
                found.append(v[a][0] - v[b][0])
            if found[0] == found[1]:
                return False
            values[i] = found[0] / (found[0] - found[1])
        return True

    def _program(self, values: list[Fraction], block: int, claim: Relation, sign: int) -> Any:
        moving = _bits(block)
        x = np.repeat(np.array([float(v) for v in values])[:, None], len(moving) + 1, axis=1)
        x[moving] = 0.0
        x[moving, np.arange(1, len(moving) + 1)] = 1.0
        v = self.tape.floats(x)

        def row(relation: Relation) -> Any:
            with np.errstate(all="ignore"):
                gap = np.broadcast_to(v[relation[1]] - v[relation[2]], (len(moving) + 1,))
                return gap[1:] - gap[0], -gap[0]

        parts = [r for r in self.problem.given if self._mask(r) & block]
        upper = [row(r) for r in parts if r[0] != "="]
        equal = [row(r) for r in parts if r[0] == "="]
        goal = row(claim)
        if not all(np.isfinite(a).all() and np.isfinite(b) for a, b in (*upper, *equal, goal)):
            return None
        k = len(moving)
        rows = [np.append(a, 1.0) for a, _ in upper] + [np.append(-sign * goal[0], 1.0)]
        ends = [b for _, b in upper] + [-sign * goal[1]]
        extra = {
            "A_eq": np.array([np.append(a, 0.0) for a, _ in equal]) if equal else None,
            "b_eq": np.array([b for _, b in equal]) if equal else None,
        }
        size = float(self.rng.choice([4, 10, 100]))
        bounds = [(-size, size)] * k + [(None, 1.0)]
        cost = np.zeros(k + 1)
        cost[-1] = -1
        found = linprog(cost, np.array(rows), np.array(ends), bounds=bounds, method="highs", **extra)
        if found.status == 0 and found.x[-1] < 1e-7:  # no room: as far beyond the claim as the ends allow
            flat = [np.append(a, 0.0) for a, _ in upper]
            cost = np.append(-sign * goal[0], 0.0)
            found = linprog(
                cost, np.array(flat) if flat else None, np.array(ends[:-1]) if flat else None,
                bounds=bounds, method="highs", **extra,
            )  # fmt: skip
            if found.status == 0 and sign * (goal[0] @ found.x[:-1] - goal[1]) < 1e-7:
                return None
        if found.status != 0:
            return None
        return self._rounded(values, moving, found.x[:-1], [r for r in parts if r[0] == "="])

    def _rounded(self, values: list[Fraction], moving: list[int], x: Any, equations: list[Relation]) -> Any:
        for most in (4, 60, 10**4, 10**8):
            for i, value in zip(moving, x, strict=True):
                values[i] = Fraction(float(value)).limit_denominator(most)
            if equations and not self._mend(values, moving, equations):
                continue
            point = self._checked(values)
            if point is not None:
                return point
        return None

    def _mend(self, values: list[Fraction], moving: list[int], equations: list[Relation]) -> bool:
        """Move as many of the unknowns as there are equations, so that these hold exactly."""

        def gaps(at: list[Fraction]) -> list[Fraction] | None:
            v = self.tape.exact(at)
            found = []
            for _, a, b in equations:
                if v[a] is None or v[b] is None or v[a][0] != v[a][1] or v[b][0] != v[b][1]:
                    return None
                found.append(v[a][0] - v[b][0])
            return found

        base = gaps(values)
        if base is None:
            return False
        if not any(base):
            return True
        columns = []
        for i in moving:
            values[i] += 1
            there = gaps(values)
            values[i] -= 1
            if there is None:
                return False
            columns.append([t - b for t, b in zip(there, base, strict=True)])
        rows = [[c[e] for c in columns] + [-base[e]] for e in range(len(equations))]
        order = list(self.rng.permutation(len(moving)))
        pivots: list[int] = []
        for e in range(len(rows)):
            i = next((i for i in order if rows[e][i] != 0), None)
            if i is None:
                if rows[e][-1] != 0:
                    return False
                pivots.append(-1)
                continue
            pivots.append(i)
            rows[e] = [c / rows[e][i] for c in rows[e]]
            for other in range(len(rows)):
                factor = rows[other][i]
                if other != e and factor != 0:
                    rows[other] = [c - factor * d for c, d in zip(rows[other], rows[e], strict=True)]
        for e, i in enumerate(pivots):
            if i >= 0:
                values[moving[i]] += rows[e][-1]
        return True

    def _checked(self, values: list[Fraction]) -> dict[str, Fraction] | None:
        """The point, if every hypothesis certainly holds and the claim certainly fails."""
        v = self.tape.exact(values)
        if not all(_certain(op, v[a], v[b]) is True for op, a, b in self.problem.given):
            return None
        if any(_certain(op, v[a], v[b]) is False for op, a, b in self.problem.claim):
            return dict(zip(self.tape.names, values, strict=True))
        return None


def sum_masks(masks: Sequence[int]) -> int:
    total = 0
    for m in masks:
        total |= m
    return total


def _bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _constant_holds(op: str, a: Any, b: Any) -> bool:
    return bool(a <= b if op == "<=" else a < b if op == "<" else a == b)


def _certain(op: str, a: Any, b: Any) -> bool | None:
    """Whether a relation between two intervals holds; None where they do not tell or one is undefined."""
    if a is None or b is None:
        return None
    if op == "=":
        if a[0] == a[1] == b[0] == b[1]:
            return True
        return False if a[1] < b[0] or b[1] < a[0] else None
    if (a[1] <= b[0]) if op == "<=" else (a[1] < b[0]):
        return True
    if (a[0] > b[1]) if op == "<=" else (a[0] >= b[1]):
        return False
    return None
