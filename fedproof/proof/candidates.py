"""Many candidates for a point, of values that can be substituted by hand; those that serve are kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from fedproof.algebra.arithmetic import Reals
from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.algebra.expressions import fold, names_in

#: values a referee can substitute by hand, the simplest first and most often tried
NICE = tuple(
    Fraction(*pair)
    for pair in (
        (1,), (0,), (2,), (1, 2), (10,), (3,), (4,), (5,), (100,), (1, 4), (20,), (6,), (8,), (1, 10),
        (3, 2), (50,), (30,), (40,), (200,), (400,), (12,), (15,), (18,), (80,), (150,), (1, 3), (3, 4),
        (5, 2), (3, 5),
        (1, 5), (1, 100),
    )
)  # fmt: skip
_FLOATS = np.array([float(v) for v in NICE])
#: floats only choose what to look at, so here a tie counts as holding
_COMPARE: dict[type[sp.Basic], Callable[..., Any]] = {
    sp.Le: lambda a, b: (a <= b) | np.isclose(a, b),
    sp.Lt: np.less,
    sp.Ge: lambda a, b: (a >= b) | np.isclose(a, b),
    sp.Gt: np.greater,
    sp.Eq: np.isclose,
}
#: how often a value of unknown sign is tried with a minus
MINUS = 0.25


@lru_cache(maxsize=32)
def _draws(names: int, count: int, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Places in `NICE`, the first most often, and signs; as many names draw the same each time."""
    weights = 1 / (2 + np.arange(len(NICE)))
    random = np.random.default_rng(seed)
    picks = random.choice(len(NICE), (names, count), p=weights / weights.sum()).astype(np.uint8)
    minus = random.random((names, count)) < MINUS
    picks.setflags(write=False)
    minus.setflags(write=False)
    return picks, minus


@dataclass
class Candidates:
    """Candidates for a point of which those that serve are kept, in floats.

    Arguments:
        names: that are drawn.
        positive: those of them that have no minus.
        solved: names that others give, by formulas in names that are drawn.
        count: how many there are at first.
        seed: of the draws.
    """

    names: Sequence[str]
    positive: Collection[str]
    solved: Mapping[str, sp.Expr]
    count: int
    seed: int
    _known: dict[str, NDArray[np.float64]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._left = np.arange(self.count)

    def column(self, name: str) -> NDArray[np.float64]:
        """The values of a name at those that are left."""
        if name not in self._known:
            if name in self.solved:
                self._known[name] = self.values(self.solved[name])
            else:
                self._known[name] = self._drawn_values(self.names.index(name))
        return self._known[name]

    def drawn(self) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Which of the nice values each name takes that is drawn, a row each, and whether with a minus."""
        picks, minus = _draws(len(self.names), self.count, self.seed)
        signed = ~np.array([n in self.positive for n in self.names], dtype=bool)
        return picks[:, self._left], minus[:, self._left] & signed[:, None]

    def _drawn_values(self, row: int) -> NDArray[np.float64]:
        picks, minus = (drawn[row][self._left] for drawn in _draws(len(self.names), self.count, self.seed))
        values: NDArray[np.float64] = _FLOATS[picks]
        return values if self.names[row] in self.positive else np.where(minus, -1, 1) * values

    @property
    def size(self) -> int:
        """How many are left."""
        return len(self._left)

    def scale(self, name: str, factors: NDArray[np.float64]) -> None:
        """Multiply the values of a name."""
        self._known[name] = self.column(name) * factors

    def values(self, expr: sp.Expr) -> NDArray[np.float64]:
        """An expression's values; not finite where it is undefined."""
        return _values(expr, {n: self.column(n) for n in names_in(expr)}, len(self._left))

    def holds(self, relation: sp.Basic) -> NDArray[np.bool_]:
        """Where a relation holds, all of it being finite."""
        if not names_in(relation):
            return np.full(len(self._left), evaluate_relation(relation, {}).holds)
        left, right = map(self.values, relation.args)
        found: NDArray[np.bool_] = (
            _COMPARE[relation.func](left, right) & np.isfinite(left) & np.isfinite(right)
        )
        return found

    def keep(self, hit: NDArray[np.bool_]) -> None:
        """Leave out all others."""
        if not hit.all():
            self._left = self._left[hit]
            self._known = {name: column[hit] for name, column in self._known.items()}

    def keep_all(self, relations: Iterable[sp.Basic], counts: Collection[str], most: float = np.inf) -> None:
        """Leave those at which relations hold and names are whole, and at most so large; short ones first."""
        for relation in sorted(relations, key=self._cost):
            self.keep(self.holds(relation))
        for name in {*self.names, *self.solved} & set(counts):
            self.keep((self.column(name) % 1 == 0) & (np.abs(self.column(name)) <= most))

    def _cost(self, relation: sp.Basic) -> int:
        """How many names must have a value."""
        named = names_in(relation)
        return len(named.union(*(names_in(self.solved[n]) for n in named & set(self.solved))))


def _values(
    expr: sp.Expr, values: dict[str, NDArray[np.float64]], shape: int | tuple[int, ...]
) -> NDArray[np.float64]:
    """An expression at every candidate; not finite where it is undefined, or beyond all doubles."""
    try:
        return np.broadcast_to(fold(expr, _Arrays(), values), shape)
    except (OverflowError, TypeError):
        return np.full(shape, np.nan)


def values_at(expr: sp.Expr, values: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """An expression at points, in the shape to which the values are stretched; not finite where undefined."""
    with np.errstate(all="ignore"):
        return _values(expr, dict(values), np.broadcast_shapes(*(v.shape for v in values.values())))


class _Arrays(Reals):
    """Doubles, elementwise; candidates are chosen with them and decided without."""

    def constant(self, value: Fraction) -> Any:
        """The nearest double."""
        return np.float64(float(value))

    def power(self, a: Any, exponent: int) -> Any:
        """a to a whole power."""
        return np.float64(1.0) / a ** (-exponent) if exponent < 0 else a**exponent

    def maximum(self, a: Any, b: Any) -> Any:
        """The larger of the two."""
        return np.maximum(a, b)
