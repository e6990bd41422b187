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


@dataclass(eq=False)
class Candidates:
    """Candidates for a point, in floats, of which those that serve are kept.

    Arguments:
        names: that are drawn.
        not_negative: those of them that are drawn without a minus.
        solved: names that others give, by formulas in names that are drawn.
        count: how many there are at first.
        seed: of the draws; the same names, count and seed draw the same.
        factors: of the values of some names, one for each candidate.

    >>> x = sp.Symbol("x", real=True)
    >>> candidates = Candidates(["x"], {"x"}, {}, 1000, 0)
    >>> candidates.keep_all([x > 1, x < 3])
    >>> sorted({float(v) for v in candidates.column("x")})
    [1.5, 2.0, 2.5]
    """

    names: Sequence[str]
    not_negative: Collection[str]
    solved: Mapping[str, sp.Expr]
    count: int
    seed: int
    factors: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    _left: NDArray[np.intp] = field(init=False, repr=False)
    _known: dict[str, NDArray[np.float64]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._picks, self._minus = _draws(len(self.names), self.count, self.seed)
        self._left = np.arange(self.count)
        self._known = {}

    @property
    def size(self) -> int:
        """How many are left."""
        return len(self._left)

    def column(self, name: str) -> NDArray[np.float64]:
        """The values of a name at those that are left, shape (size,); not finite where it is undefined."""
        if name not in self._known:
            given = self.solved.get(name)
            self._known[name] = self._drawn_values(name) if given is None else self.values(given)
        return self._known[name]

    def drawn(self) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Places in `NICE` and whether with a minus, a row for each name, shape (names, size)."""
        either = np.array([n not in self.not_negative for n in self.names], dtype=bool)
        return self._picks[:, self._left], self._minus[:, self._left] & either[:, None]

    def _drawn_values(self, name: str) -> NDArray[np.float64]:
        row = self.names.index(name)
        values: NDArray[np.float64] = _FLOATS[self._picks[row, self._left]]
        if name not in self.not_negative:
            values = np.where(self._minus[row, self._left], -1, 1) * values
        return values * self.factors[name][self._left] if name in self.factors else values

    def values(self, expr: sp.Expr) -> NDArray[np.float64]:
        """An expression's values, shape (size,); not finite where it is undefined."""
        return _values(expr, {n: self.column(n) for n in names_in(expr)}, self.size)

    def holds(self, relation: sp.Basic) -> NDArray[np.bool_]:
        """Where a relation holds, both sides being finite, shape (size,)."""
        if not names_in(relation):
            return np.full(self.size, evaluate_relation(relation, {}).holds)
        left, right = map(self.values, relation.args)
        with np.errstate(all="ignore"):
            found: NDArray[np.bool_] = _COMPARE[relation.func](left, right)
        return found & np.isfinite(left) & np.isfinite(right)

    def keep(self, hit: NDArray[np.bool_]) -> None:
        """Keep those at which `hit` is true, shape (size,)."""
        if not hit.all():
            self._left = self._left[hit]
            self._known = {name: column[hit] for name, column in self._known.items()}

    def keep_all(
        self, relations: Iterable[sp.Basic], counts: Collection[str] = (), most: float = np.inf
    ) -> None:
        """Keep those at which relations hold and names that count are whole, and at most so large."""
        for relation in sorted(relations, key=self._cost):
            self.keep(self.holds(relation))
        for name in {*self.names, *self.solved} & set(counts):
            column = self.column(name)
            with np.errstate(all="ignore"):
                self.keep((column % 1 == 0) & (np.abs(column) <= most))

    def _cost(self, relation: sp.Basic) -> int:
        """How many names must have a value: what asks for few goes first, and leaves fewer to the others."""
        named = names_in(relation)
        return len(named.union(*(names_in(self.solved[n]) for n in named & set(self.solved))))


def _values(
    expr: sp.Expr, values: dict[str, NDArray[np.float64]], shape: int | tuple[int, ...]
) -> NDArray[np.float64]:
    """An expression at every candidate; not finite where it is undefined, or beyond all doubles."""
    try:
        with np.errstate(all="ignore"):
            return np.broadcast_to(fold(expr, _Arrays(), values), shape)
    except (OverflowError, TypeError):
        return np.full(shape, np.nan)


def values_at(expr: sp.Expr, values: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """An expression at points, in the shape to which the values are stretched; not finite where undefined."""
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
