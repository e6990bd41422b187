"""Formulas and relations at numbers: exact ones, and arrays of doubles that broadcast."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

import numpy as np
import sympy as sp

from fedproof.algebra.arithmetic import Array, Enclosure, Intervals, Mask, enclose
from fedproof.algebra.exact_evaluation import EvaluatedRelation, evaluate_expression, evaluate_relation
from fedproof.algebra.expressions import Algebra, compile_numpy, names_in, replaced
from fedproof.algebra.reading import comparisons, compile_tree
from fedproof.algebra.signs import sign_at, verdict
from fedproof.algebra.tree import Tree, fold_tree
from fedproof.vocabulary.errors import InputError, MissingName
from fedproof.vocabulary.values import parse_value

T = TypeVar("T")
Value: TypeAlias = Fraction | float | Array
"""An exact number, a double, or an array of doubles."""


@dataclass(frozen=True)
class Formula:
    """An expression as printed, to be evaluated at exact numbers or at arrays.

    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> Formula(sp.sqrt(x)).at({"x": Fraction(9, 4)}), Formula(sp.sqrt(x)).at({"x": np.array([1.0, 4.0])})
    (1.5, array([1., 2.]))
    """

    expr: Any

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Its symbols, sorted."""
        return tuple(sorted(names_in(self.expr)))

    def at(self, values: Mapping[str, Value]) -> float | Array:
        """The value: at exact numbers the nearest double, NaN where undefined; else computed in doubles.

        Of arrays intervals tell where it is surely defined; all other finite elements are evaluated exactly,
        a double as its shortest decimal.

        Raises: MissingName for a symbol without a value; InputError for an exponent that is not whole.
        """
        used = _used("expression", self.names, values)
        if all(isinstance(v, Fraction) for v in used.values()):
            exact = evaluate_expression(self.expr, used)
            return math.nan if exact is None else exact
        doubles = [_double(v) if isinstance(v, Fraction) else v for v in used.values()]
        if all(isinstance(v, float) for v in doubles):
            return float(self._numpy(*doubles))
        with np.errstate(all="ignore"):
            computed = self._numpy(*map(np.asarray, doubles))
            found: Array = np.array(np.broadcast_to(computed, _shape(used)), dtype=np.float64)
            defined, undefined = self._by_intervals(used)
        found[undefined] = math.nan
        _exactly(found, ~undefined & ~(defined & np.isfinite(found)), used, self.at)
        return found

    def _by_intervals(self, values: Mapping[str, Any]) -> tuple[Mask, Mask]:
        """Where it surely has a value, and where surely none; neither where an exponent is not whole."""
        held = all(math.isfinite(_double(v)) for v in values.values() if isinstance(v, Fraction))
        whole = np.full(_shape(values), held and self._unraised is not None)
        for name in {s.name for p in _raised(self.expr) for s in p.exp.free_symbols}:
            whole &= np.asarray(values[name] % 1 == 0)
        if self._unraised is None:
            return whole, whole
        ball = _RootIntervals()
        found = fold_tree(self._unraised, ball, _enclosed(values).__getitem__, {})
        return whole & np.isfinite(found.hi - found.lo), whole & ball.negative

    @cached_property
    def _unraised(self) -> Tree | None:
        """A tree that is defined where this is: q**R is where q is; None where that does not suffice."""
        powers = _raised(self.expr)
        careful = [p.base for p in self.expr.atoms(sp.Pow) if not (p.exp.is_Integer and p.exp > 0)]
        if any(_raised(base) for base in careful) or not all(p.exp.is_Symbol for p in powers):
            return None
        return compile_tree(replaced(self.expr, {p: p.base for p in powers}))

    def within(self, algebra: Algebra[T], values: Mapping[str, T]) -> T:
        """The value in any arithmetic: intervals, jets, balls; SymPy is read once.

        >>> import sympy as sp
        >>> from fedproof.algebra.arithmetic import Reals
        >>> Formula(sp.Symbol("x", real=True) ** 2 + 1).within(Reals(), {"x": 3.0})
        10.0
        """
        return fold_tree(self._tree, algebra, values.__getitem__, {})

    @cached_property
    def _tree(self) -> Tree:
        return compile_tree(self.expr)

    @cached_property
    def _numpy(self) -> Any:
        return compile_numpy(self.expr, self.names)


@dataclass(frozen=True)
class Relation:
    """A relation, or several joined by And, decided exactly at exact numbers and at arrays.

    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> Relation(x <= sp.Rational(1, 10)).holds({"x": np.array([0.1, 0.2])})
    array([ True, False])
    """

    relation: Any

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Its symbols, sorted."""
        return tuple(sorted(names_in(self.relation)))

    def decide(self, values: Mapping[str, Fraction]) -> EvaluatedRelation:
        """The decision at exact numbers, with sides and margin.

        Raises: MissingName for a symbol without a value.
        """
        return evaluate_relation(self.relation, _used("condition", self.names, values))

    def holds(self, values: Mapping[str, Value]) -> bool | Mask:
        """Whether it holds, where a double means its shortest decimal.

        Of arrays intervals decide most elements, algebra the others.

        Raises: MissingName for a symbol without a value.
        """
        used = _used("condition", self.names, values)
        used = {n: parse_value(v) if isinstance(v, float) else v for n, v in used.items()}
        if all(isinstance(v, Fraction) for v in used.values()):
            return self._holds(used)
        holds, fails = self._by_intervals(used, _shape(used))
        _exactly(holds, ~holds & ~fails, used, self._holds)
        return holds

    def _holds(self, point: Mapping[str, Fraction]) -> bool:
        if self._gaps is None:
            return evaluate_relation(self.relation, point).holds
        return all(verdict(op, sign_at(tree, point)) for op, tree in self._gaps)

    @cached_property
    def _gaps(self) -> list[tuple[str, Tree]] | None:
        """Its comparisons with zero; None where a symbol stands in an exponent."""
        try:
            return [(part.op, part.gap) for part in comparisons(self.relation)]
        except InputError:
            return None

    def _by_intervals(self, values: Mapping[str, Any], shape: tuple[int, ...]) -> tuple[Mask, Mask]:
        """Where it surely holds, and where it surely fails."""
        holds, fails = np.full(shape, self._gaps is not None), np.zeros(shape, dtype=bool)
        ball, done, at = Intervals(), dict[int, Enclosure](), _enclosed(values)
        with np.errstate(all="ignore"):
            for op, tree in self._gaps or ():
                gap = fold_tree(tree, ball, at.__getitem__, done)
                above, below = gap.lo > 0, gap.hi < 0
                wrong = {"==": above | below, "!=": np.zeros_like(above)}.get(op, below)
                holds &= {"==": np.zeros_like(above), "!=": above | below}.get(op, above)
                fails |= wrong
        return holds, fails


def _used(what: str, names: tuple[str, ...], values: Mapping[str, Value]) -> dict[str, Any]:
    absent = [n for n in names if n not in values]
    if absent:
        raise MissingName(what, absent)
    return {n: values[n] for n in names}


def _shape(values: Mapping[str, Value]) -> tuple[int, ...]:
    return np.broadcast_shapes(*(np.shape(v) for v in values.values() if not isinstance(v, Fraction)))


def _raised(expr: Any) -> set[Any]:
    """Its powers with symbols in the exponent."""
    return {p for p in expr.atoms(sp.Pow) if p.exp.free_symbols}


def _enclosed(values: Mapping[str, Any]) -> dict[str, Enclosure]:
    doubles = {n: np.asarray(_double(v)) if isinstance(v, Fraction) else v for n, v in values.items()}
    exact = {n: v for n, v in values.items() if isinstance(v, Fraction) and np.isfinite(doubles[n])}
    return {n: enclose(v) for n, v in doubles.items()} | {
        n: Intervals().constant(v) for n, v in exact.items()
    }


def _double(value: Fraction) -> float:
    """The nearest double, infinite beyond all."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


class _RootIntervals(Intervals):
    """Intervals that note where a radicand is surely negative."""

    negative: Any = False

    def root(self, a: Enclosure, index: int) -> Enclosure:
        self.negative = self.negative | (a.hi < 0)
        return super().root(a, index)


def _exactly(
    found: Any, unsure: Mask, values: Mapping[str, Any], decide: Callable[[dict[str, Fraction]], Any]
) -> None:
    """Decide the elements that are unsure, where all values are finite, at exact numbers, each point once."""
    arrays = {n: np.broadcast_to(v, found.shape) for n, v in values.items() if not isinstance(v, Fraction)}
    known: dict[tuple[float, ...], Any] = {}
    for i in map(tuple, np.argwhere(unsure)):
        at = tuple(float(v[i]) for v in arrays.values())
        if at not in known and all(map(math.isfinite, at)):
            known[at] = decide({**values, **{n: parse_value(v) for n, v in zip(arrays, at, strict=True)}})
        found[i] = known.get(at, found[i])
